/*
 * levels.h - the containers a walk has entered.
 *
 * A tape can be walked without a stack as long as only the values matter; to know
 * the key of the next member after a nested object has ended, its index must be
 * remembered. That is what a level holds, and levels grow on the heap, so depth is
 * bounded by memory and never by the C stack. The first few are in the struct itself.
 */
#ifndef DOC_LEVELS_H
#define DOC_LEVELS_H

#include "doc/doc.h"

typedef struct doc_level {
    const pith_slot *container;
    const pith_slot *end; /* behind its last child */
    const pith_key *key;  /* of the next member; NULL in an array */
} doc_level;

enum { LEVELS_FIRST = 32 };

typedef struct doc_levels {
    pith_alloc alloc;
    doc_level *at; /* all of them, the outermost first */
    size_t depth;
    size_t cap;
    doc_level first[LEVELS_FIRST];
} doc_levels;

static inline void levels_init(doc_levels *levels, pith_alloc alloc)
{
    levels->alloc = alloc;
    levels->at = levels->first;
    levels->depth = 0;
    levels->cap = LEVELS_FIRST;
}

bool levels_grow(doc_levels *levels);
void levels_free(doc_levels *levels);

/* Puts a level away; false when out of memory. */
static inline bool levels_push(doc_levels *levels, doc_level level)
{
    if (levels->depth == levels->cap && !levels_grow(levels)) {
        return false;
    }
    levels->at[levels->depth++] = level;
    return true;
}

/* The level put away last; there must be one. */
static inline doc_level levels_pop(doc_levels *levels)
{
    return levels->at[--levels->depth];
}

/* The level inside a closed container. */
static inline doc_level doc_enter(const pith_doc *doc, const pith_slot *container)
{
    doc_level level;
    level.container = container;
    level.end = doc->slots + doc_children_end(container);
    level.key = container->kind == PITH_OBJECT ? doc_keys(doc, container) : NULL;
    return level;
}

/* The first slot behind a closed container whose children end at `level.end`. */
static inline const pith_slot *doc_leave(const doc_level *level)
{
    return level->end + (doc_is_loose(level->container) ? 1 : 0);
}

#endif
