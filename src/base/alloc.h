/*
 * alloc.h - memory through one realloc-style callback.
 *
 * Everything in the library that owns memory keeps a pith_alloc beside it and
 * asks through these calls. The callback is always told the old size, so an
 * allocator needs no headers of its own and a test can check our arithmetic.
 */
#ifndef BASE_ALLOC_H
#define BASE_ALLOC_H

#include "pith.h"

#include <assert.h>

/* The allocator to use for these options: theirs, or the C library's. */
pith_alloc alloc_from(const pith_options *options);

/* The allocator itself when it is set, else the C library's. */
pith_alloc alloc_or_default(pith_alloc alloc);

/* Resizes a block; NULL on failure, and the old block is untouched then. */
static inline void *alloc_resize(const pith_alloc *alloc, void *ptr, size_t old_size,
                                 size_t new_size)
{
    return alloc->resize(alloc->ctx, ptr, old_size, new_size);
}

/* Frees a block; NULL is fine. */
static inline void alloc_free(const pith_alloc *alloc, void *ptr, size_t size)
{
    if (ptr)
        alloc->resize(alloc->ctx, ptr, size, 0);
}

/* Counts what an allocator gives, and refuses what would pass a limit. Blocks that were
 * there before may be resized and freed through it, and others after it is gone. */
typedef struct alloc_meter {
    pith_alloc inner;
    size_t most;
    size_t used;
    bool fixed;   /* the caller has set the limit, and it stays */
    bool refused; /* something was */
} alloc_meter;

/* The allocator that is counted by `meter`, whose `inner` and `most` are set. */
pith_alloc alloc_counted(alloc_meter *meter);

/* The memory that reading so many bytes may take; see pith_options.memory_max. */
size_t alloc_limit(size_t memory_max, size_t bytes);

/* Lets reading take more for `packed` bytes of the text that say they become `bytes`, as
 * far as so few may. */
void alloc_allow_unpacked(alloc_meter *meter, size_t packed, size_t bytes);

/* A block of zero bytes, or NULL. */
void *alloc_zeroed(const pith_alloc *alloc, size_t size);

/* True when the bytes of so many items are a size: on a machine of 32 bits a text that
 * fits into memory may ask for more. */
static inline bool alloc_fits(size_t count, size_t item)
{
    assert(item > 0);
    return count <= SIZE_MAX / 2 / item;
}

/* Makes room for at least `need` items of `item` bytes in the array `*array` that
 * has room for `*cap`, growing by half so that appending stays linear. False,
 * with nothing changed, when memory or the address space runs out. */
bool alloc_grow(const pith_alloc *alloc, void **array, size_t *cap, size_t need,
                size_t item);

/* The same, to at most `count_most` items: for arrays whose indexes are small numbers. */
bool alloc_grow_within(const pith_alloc *alloc, void **array, size_t *cap, size_t need,
                       size_t item, size_t count_most);

#endif
