/*
 * database_memory.c - see database_memory.h.
 *
 * SQLite asks for the size of a block it has, so each remembers its own in front. The
 * library is the one that the tool will load; here it is loaded before.
 */
#include "faults/database_memory.h"

#ifdef PITH_WITH_SQLITE

#include "db/db_client.h"
#include "testing.h"

#include <dlfcn.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

extern db_client db_client_sqlite;

enum { FRONT = 16 };

static int size_of(void *block)
{
    int size = 0;
    if (block)
        memcpy(&size, (char *)block - FRONT, sizeof size);
    return size;
}

static void *put_size(char *front, int size)
{
    if (!front)
        return NULL;
    memcpy(front, &size, sizeof size);
    return front + FRONT;
}

static void *take(int size)
{
    return put_size(malloc((size_t)size + FRONT), size);
}

static void give_back(void *block)
{
    if (block)
        free((char *)block - FRONT);
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

static void find(void *library, const char *name, void *place)
{
    void *address = dlsym(library, name);
    assert_non_null(address);
    memcpy(place, &address, sizeof address);
}

void database_memory_fails_too(void)
{
    int (*config)(int option, ...);
    int (*initialize)(void);
    sqlite3_mem_methods methods = {take,     give_back, resize, size_of,
                                   round_up, start,     stop,   NULL};
    void *library = dlopen(db_client_sqlite.library, RTLD_NOW);
    assert_non_null(library);
    find(library, "sqlite3_config", &config);
    find(library, "sqlite3_initialize", &initialize);
    assert_int_equal(config(SQLITE_CONFIG_MALLOC, &methods), SQLITE_OK);
    assert_int_equal(initialize(), SQLITE_OK);
}

#else

void database_memory_fails_too(void)
{
}

#endif
