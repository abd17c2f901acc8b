/*
 * alloc.c - the default allocator, one that counts, and growth by half.
 */
#include "base/alloc.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

static void *alloc_libc(void *ctx, void *ptr, size_t old_size, size_t new_size)
{
    (void)ctx;
    (void)old_size;
    if (new_size == 0) {
        free(ptr);
        return NULL;
    }
    return realloc(ptr, new_size);
}

pith_alloc alloc_or_default(pith_alloc alloc)
{
    if (!alloc.resize)
        alloc.resize = alloc_libc;
    return alloc;
}

pith_alloc alloc_from(const pith_options *options)
{
    pith_alloc none = {NULL, NULL, 0};
    return alloc_or_default(options ? options->alloc : none);
}

static void *alloc_count(void *ctx, void *ptr, size_t old_size, size_t new_size)
{
    alloc_meter *meter = (alloc_meter *)ctx;
    size_t others = meter->used > old_size ? meter->used - old_size : 0;
    if (new_size > old_size &&
        (others > meter->most || new_size > meter->most - others)) {
        meter->refused = true;
        return NULL;
    }
    void *block = alloc_resize(&meter->inner, ptr, old_size, new_size);
    if (block || new_size == 0)
        meter->used = others + new_size;
    return block;
}

pith_alloc alloc_counted(alloc_meter *meter)
{
    pith_alloc counted = {alloc_count, meter, meter->inner.seed};
    return counted;
}

size_t alloc_limit(size_t memory_max, size_t bytes)
{
    if (memory_max > 0)
        return memory_max;
    size_t fits = (SIZE_MAX - PITH_MEMORY_DEFAULT) / PITH_MEMORY_PER_BYTE;
    return bytes < fits ? PITH_MEMORY_DEFAULT + PITH_MEMORY_PER_BYTE * bytes : SIZE_MAX;
}

void alloc_allow_unpacked(alloc_meter *meter, size_t packed, size_t bytes)
{
    if (meter->fixed || bytes > alloc_limit(0, packed))
        return;
    size_t fits = (SIZE_MAX - meter->most) / PITH_MEMORY_PER_UNPACKED;
    meter->most =
        bytes < fits ? meter->most + PITH_MEMORY_PER_UNPACKED * bytes : SIZE_MAX;
}

void *alloc_zeroed(const pith_alloc *alloc, size_t size)
{
    void *block = alloc_resize(alloc, NULL, 0, size);
    if (block)
        memset(block, 0, size);
    return block;
}

bool alloc_grow(const pith_alloc *alloc, void **array, size_t *cap, size_t need,
                size_t item)
{
    return alloc_grow_within(alloc, array, cap, need, item, SIZE_MAX);
}

bool alloc_grow_within(const pith_alloc *alloc, void **array, size_t *cap, size_t need,
                       size_t item, size_t count_most)
{
    assert(item > 0);
    if (need <= *cap)
        return true;
    size_t most = SIZE_MAX / 2 / item;
    most = count_most < most ? count_most : most;
    if (need > most)
        return false;
    size_t grown = *cap + *cap / 2;
    size_t target = grown > need ? grown : need;
    /* 256 bytes at first, as far as these are 4 to 16 items */
    size_t least = item <= 16 ? 16 : item < 64 ? 256 / item : 4;
    if (target < least)
        target = least;
    if (target > most)
        target = most;
    void *block = alloc_resize(alloc, *array, *cap * item, target * item);
    if (!block)
        return false;
    *array = block;
    *cap = target;
    return true;
}
