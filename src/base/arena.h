/*
 * arena.h - text that lives as long as its document.
 *
 *     newest chunk                 older chunks
 *     +------+---------------+     +------+---------------+
 *     | head | used | free   | --> | head | used | unused |
 *     +------+---------------+     +------+---------------+
 *
 * Bytes are handed out by moving a pointer and given back all at once. After
 * every span there are ARENA_SLACK readable bytes, so that a writer may copy a
 * short text in one 16-byte move without asking where it ends.
 */
#ifndef BASE_ARENA_H
#define BASE_ARENA_H

#include "base/alloc.h"

#include <assert.h>

enum { ARENA_SLACK = 16 };

typedef struct arena_chunk arena_chunk;

typedef struct pith_arena {
    pith_alloc alloc;
    arena_chunk *newest;
    char *at;
    char *end; /* ARENA_SLACK bytes before the chunk's real end */
} pith_arena;

void arena_init(pith_arena *arena, pith_alloc alloc);

/* `size` bytes without alignment; NULL when out of memory. */
char *arena_take(pith_arena *arena, size_t size);

/* `size` bytes aligned for pointers; NULL when out of memory. */
void *arena_take_aligned(pith_arena *arena, size_t size);

/* Where the next span would begin, with room for `size` bytes; NULL when out of memory.
 * What of it was written is taken with arena_keep, before anything else is. */
static inline char *arena_room(pith_arena *arena, size_t size)
{
    if ((size_t)(arena->end - arena->at) >= size && arena->at)
        return arena->at;
    char *span = arena_take(arena, size);
    if (span)
        arena->at = span;
    return span;
}

static inline void arena_keep(pith_arena *arena, size_t size)
{
    assert(size <= (size_t)(arena->end - arena->at));
    arena->at += size;
}

/* A copy of the text; NULL when out of memory. */
char *arena_copy(pith_arena *arena, const char *text, size_t len);

/* Gives back the tail of the span taken last: only `kept` bytes of it stay. */
void arena_trim(pith_arena *arena, char *span, size_t kept);

/* Forgets every span; keeps the newest chunk for the next use. */
void arena_reset(pith_arena *arena);

void arena_free(pith_arena *arena);

#endif
