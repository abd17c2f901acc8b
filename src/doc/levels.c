/*
 * levels.c - more levels than the struct has room for.
 */
#include "doc/levels.h"
#include "base/list.h"

#include <assert.h>

bool levels_grow(doc_levels *levels)
{
    size_t old = levels->cap;
    bool inside = levels->at == levels->first;
    doc_level *block = inside ? NULL : levels->at;
    size_t cap = inside ? 0 : old;
    if (!list_grow(&levels->alloc, (void *)&block, &cap, old * 2, sizeof *levels->at))
        return false;
    assert(block);
    if (inside)
        memcpy(block, levels->first, old * sizeof *levels->at);
    levels->at = block;
    levels->cap = cap;
    return true;
}

void levels_free(doc_levels *levels)
{
    if (levels->at != levels->first)
        alloc_free(&levels->alloc, levels->at, levels->cap * sizeof *levels->at);
    levels_init(levels, levels->alloc);
}
