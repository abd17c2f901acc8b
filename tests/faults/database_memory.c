/*
 * database_memory.c - see database_memory.h.
 *
 * SQLite asks for the size of a block it has, so each remembers its own in front.
 */
#include "faults/database_memory.h"

#ifdef PITH_WITH_SQLITE

#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

enum { FRONT = 16 };

static int size_of(void *block)
{
    int size = 0;
    if (block) {
        memcpy(&size, (char *)block - FRONT, sizeof size);
    }
    return size;
}

static void *put_size(char *front, int size)
{
    if (!front) {
        return NULL;
    }
    memcpy(front, &size, sizeof size);
    return front + FRONT;
}

static void *take(int size)
{
    return put_size(malloc((size_t)size + FRONT), size);
}

static void give_back(void *block)
{
    if (block) {
        free((char *)block - FRONT);
    }
}

static void *resize(void *block, int size)
{
    return put_size(realloc((char *)block - FRONT, (size_t)size + FRONT), size);
}

static int round_up(int size)
{
    return (size + 7) & ~7;
}

static int start(void *ctx)
{
    (void)ctx;
    return SQLITE_OK;
}

static void stop(void *ctx)
{
    (void)ctx;
}

void database_memory_fails_too(void)
{
    sqlite3_mem_methods methods = {take,     give_back, resize, size_of,
                                   round_up, start,     stop,   NULL};
    sqlite3_config(SQLITE_CONFIG_MALLOC, &methods);
    sqlite3_initialize();
}

#else

void database_memory_fails_too(void)
{
}

#endif
