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

#include <assert.h>

typedef struct doc_level {
    const pith_slot *container;
    const pith_slot *end; /* after its last child */
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
    if (levels->depth == levels->cap && !levels_grow(levels))
        return false;
    levels->at[levels->depth++] = level;
    return true;
}

/* The level put away last. */
static inline doc_level levels_pop(doc_levels *levels)
{
    assert(levels->depth > 0);
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

/* The first slot after a closed container whose children end at `level.end`. */
static inline const pith_slot *doc_leave(const doc_level *level)
{
    return level->end + (doc_is_unshaped(level->container) ? 1 : 0);
}

/* A walk through a value and everything in it:
 *
 *     doc_walk walk = walk_begin(&levels, doc, root);
 *     do {
 *         ... the value at walk.at, and walk_enter or walk_pass ...
 *         while (walk_at_end(&walk)) {
 *             ... the end of walk.level.container ...
 *             walk_leave(&walk);
 *         }
 *     } while (walk.level.container);
 */
typedef struct doc_walk {
    const pith_doc *doc;
    doc_levels *levels;
    size_t depth;        /* of the levels when it began */
    const pith_slot *at; /* the next value */
    doc_level level;     /* around it; without a container before and after the walk */
    bool first;          /* no value of that container came before */
} doc_walk;

static inline doc_walk walk_begin(doc_levels *levels, const pith_doc *doc,
                                  const pith_slot *root)
{
    doc_walk walk = {doc, levels, levels->depth, root, {NULL, NULL, NULL}, true};
    return walk;
}

/* Goes into the container that is next; false when out of memory. */
static inline bool walk_enter(doc_walk *walk)
{
    if (walk->level.container && !levels_push(walk->levels, walk->level))
        return false;
    walk->level = doc_enter(walk->doc, walk->at);
    walk->at++;
    walk->first = true;
    return true;
}

static inline bool walk_at_end(const doc_walk *walk)
{
    return walk->at == walk->level.end;
}

/* Goes past the value that is next. */
static inline void walk_pass(doc_walk *walk)
{
    assert(!walk_at_end(walk));
    walk->at = doc_after(walk->doc, walk->at);
    walk->first = false;
}

/* Goes out of the container. */
static inline void walk_leave(doc_walk *walk)
{
    const doc_level outside = {NULL, NULL, NULL};
    assert(walk->level.container && walk_at_end(walk));
    walk->at = doc_leave(&walk->level);
    walk->first = false;
    walk->level = walk->levels->depth > walk->depth ? levels_pop(walk->levels) : outside;
}

#endif
