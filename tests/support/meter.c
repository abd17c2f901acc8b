/*
 * meter.c - see meter.h.
 *
 * Shrinking is a request that may fail too: the promise of pith_alloc is that a
 * NULL leaves the old block as it was, and the library must live with that.
 */
#include "meter.h"

#include <stdlib.h>
#include <string.h>

/* Keeps the block after it aligned for any type. */
enum { FRONT = 16 };

static size_t size_of(const void *ptr)
{
    size_t size;
    memcpy(&size, (const char *)ptr - FRONT, sizeof size);
    return size;
}

static void *hand_out(meter *counts, size_t size)
{
    char *front = malloc(FRONT + size);
    if (!front)
        return NULL;
    memcpy(front, &size, sizeof size);
    /* Whoever reads before writing shall not find zeros by luck. */
    memset(front + FRONT, 0xa5, size);
    counts->live_bytes += size;
    counts->live_blocks++;
    if (counts->live_bytes > counts->peak_bytes)
        counts->peak_bytes = counts->live_bytes;
    return front + FRONT;
}

static void take_back(meter *counts, void *ptr)
{
    counts->live_bytes -= size_of(ptr);
    counts->live_blocks--;
    free((char *)ptr - FRONT);
}

static bool refuses(meter *counts)
{
    counts->requests++;
    if (counts->fail_at == 0 || counts->requests < counts->fail_at)
        return false;
    if (counts->requests > counts->fail_at && !counts->fail_onwards)
        return false;
    counts->failures++;
    return true;
}

static void *resize(void *ctx, void *ptr, size_t old_size, size_t new_size)
{
    meter *counts = ctx;
    if ((ptr ? size_of(ptr) : 0) != old_size)
        counts->wrong_sizes++;
    if (new_size == 0) {
        if (ptr)
            take_back(counts, ptr);
        return NULL;
    }
    if (refuses(counts))
        return NULL;
    void *moved = hand_out(counts, new_size);
    if (moved && ptr) {
        size_t kept = size_of(ptr) < new_size ? size_of(ptr) : new_size;
        memcpy(moved, ptr, kept);
        take_back(counts, ptr);
    }
    return moved;
}

pith_alloc meter_alloc(meter *counts)
{
    return (pith_alloc){.resize = resize, .ctx = counts};
}

bool meter_clean(const meter *counts)
{
    return counts->live_bytes == 0 && counts->live_blocks == 0 &&
           counts->wrong_sizes == 0;
}
