/*
 * arena.c - chunks that double until they are a mebibyte.
 *
 * A span larger than a chunk gets a chunk of its own size. Nothing is ever moved,
 * so pointers into an arena stay good until it is reset or freed.
 */
#include "base/arena.h"

#include <assert.h>
#include <string.h>

enum { ARENA_FIRST = 4 * 1024, ARENA_LARGEST = 1024 * 1024 };

struct arena_chunk {
    arena_chunk *older;
    size_t size; /* of the whole block, this head included */
};

void arena_init(pith_arena *arena, pith_alloc alloc)
{
    arena->alloc = alloc;
    arena->newest = NULL;
    arena->at = NULL;
    arena->end = NULL;
}

static bool arena_add_chunk(pith_arena *arena, size_t span)
{
    size_t room = ARENA_FIRST;
    if (arena->newest) {
        room = arena->newest->size * 2;
        if (room > ARENA_LARGEST)
            room = ARENA_LARGEST;
    }
    size_t overhead = sizeof(arena_chunk) + ARENA_SLACK;
    if (span > SIZE_MAX / 2 - overhead)
        return false;
    if (room < span + overhead)
        room = span + overhead;
    arena_chunk *chunk = (arena_chunk *)alloc_resize(&arena->alloc, NULL, 0, room);
    if (!chunk)
        return false;
    chunk->older = arena->newest;
    chunk->size = room;
    arena->newest = chunk;
    arena->at = (char *)(chunk + 1);
    arena->end = (char *)chunk + room - ARENA_SLACK;
    memset(arena->end, 0, ARENA_SLACK);
    return true;
}

char *arena_take(pith_arena *arena, size_t size)
{
    if ((size_t)(arena->end - arena->at) < size || !arena->at) {
        if (!arena_add_chunk(arena, size))
            return NULL;
    }
    char *span = arena->at;
    arena->at += size;
    assert(arena->at <= arena->end);
    return span;
}

void *arena_take_aligned(pith_arena *arena, size_t size)
{
    if (size > SIZE_MAX / 2)
        return NULL;
    char *span = arena_take(arena, size + sizeof(void *) - 1);
    if (!span)
        return NULL;
    size_t past = (size_t)((uintptr_t)span % sizeof(void *));
    return past ? span + (sizeof(void *) - past) : span;
}

char *arena_copy(pith_arena *arena, const char *text, size_t len)
{
    char *span = arena_take(arena, len);
    if (span && len)
        memcpy(span, text, len);
    return span;
}

void arena_trim(pith_arena *arena, char *span, size_t kept)
{
    assert(kept <= (size_t)(arena->at - span));
    assert(span >= (char *)(arena->newest + 1) && span <= arena->at);
    arena->at = span + kept;
}

static void arena_free_from(pith_arena *arena, arena_chunk *chunk)
{
    while (chunk) {
        arena_chunk *older = chunk->older;
        alloc_free(&arena->alloc, chunk, chunk->size);
        chunk = older;
    }
}

void arena_reset(pith_arena *arena)
{
    arena_chunk *chunk = arena->newest;
    if (!chunk)
        return;
    arena_free_from(arena, chunk->older);
    chunk->older = NULL;
    arena->at = (char *)(chunk + 1);
}

void arena_free(pith_arena *arena)
{
    arena_free_from(arena, arena->newest);
    arena_init(arena, arena->alloc);
}
