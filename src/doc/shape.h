/*
 * shape.h - the sequences of keys that objects have.
 *
 * Data repeats its keys. A shape is a node in a tree of key sequences: the root is
 * the empty object, and each step down adds one key.
 *
 *     1 {} --id--> 2 --name--> 3 --tags--> 5
 *                        \
 *                         `--mail--> 4
 *
 * While a reader goes through an object it stands on a node. Each node remembers
 * the step that was taken from it last; when the next key has those same bytes,
 * which is nearly always, the key needs no scan, no hash and no search for
 * duplicates: the path was checked when it was first made. Objects that end on the
 * same node have the same keys in the same order. The first key of an object has no
 * node before it to remember it, so the key that the object stands under does.
 *
 * The tree is bounded. Objects with more than SHAPE_WIDTH_MOST keys, longer keys,
 * or more than 65,534 different beginnings have no shape (SHAPE_NONE); their keys
 * are compared with a hash table when they close.
 *
 * Key texts are copied into the tree, so that shapes outlive a text and are still
 * known when the next row of a stream arrives. The keys of a shape as a list, root
 * first, are made when the first object of that shape closes.
 */
#ifndef DOC_SHAPE_H
#define DOC_SHAPE_H

#include "base/arena.h"
#include "base/hash.h"
#include "doc/slot.h"

#include <assert.h>
#include <string.h>

enum {
    SHAPE_NONE = 0,
    SHAPE_EMPTY = 1, /* the root: no keys yet */
    SHAPE_DUPLICATE = 0xFFFF,
    SHAPE_WIDTH_MOST = 256,
    SHAPE_KEY_MOST = 255
};

typedef struct shape_node {
    uint64_t head;      /* the first 8 bytes of the key, zero beyond its end */
    uint64_t head_mask; /* which of them count */
    uint64_t tail;      /* the last 8 bytes of a key longer than 8 */
    pith_key key;       /* the one added last */
    pith_key *keys;     /* all of them, `width` many; NULL until somebody asks */
    uint32_t hash;
    uint16_t guess; /* the step taken last from here */
    uint16_t inner; /* the first step of the object that last stood under this key */
    uint16_t parent;
    uint16_t width;
} shape_node;

typedef struct pith_shapes {
    pith_alloc alloc;
    pith_arena texts;
    shape_node *nodes;
    size_t count;
    size_t cap;
    size_t kept;     /* so many are forgotten between documents; 0 before the first */
    size_t renewed;  /* how often they were */
    bool held;       /* none may be forgotten now */
    uint16_t *table; /* open addressing: (parent, key) -> node */
    size_t table_size;
    uint64_t seed; /* of this table, and of whichever others the document needs */
} pith_shapes;

/* False when out of memory. */
bool shapes_init(pith_shapes *shapes, pith_alloc alloc);
void shapes_free(pith_shapes *shapes);

/* Forgets all shapes when there are some thousands and four times as many as the first
 * document had: a tree that is full learns nothing new, and one that has outgrown the
 * cache is slow. Only between documents: numbers given out before mean nothing then, and
 * whoever keeps some looks at `renewed`. */
void shapes_renew(pith_shapes *shapes);

/* The node one key further. SHAPE_NONE when the tree does not go there, and
 * SHAPE_DUPLICATE when the path holds that key already. */
uint16_t shapes_step(pith_shapes *shapes, uint16_t from, const char *key, size_t len,
                     uint8_t flags);

static inline bool shape_is(const shape_node *node, const char *key, size_t len)
{
    return node->key.len == len && (len == 0 || memcmp(node->key.text, key, len) == 0);
}

/* The step that was taken last from there, when it is this key; else SHAPE_NONE. */
static inline uint16_t shapes_guess(const pith_shapes *shapes, uint16_t from,
                                    const char *key, size_t len)
{
    assert(from < shapes->count);
    uint16_t guess = shapes->nodes[from].guess;
    bool right = guess != SHAPE_NONE && shape_is(&shapes->nodes[guess], key, len);
    return right ? guess : (uint16_t)SHAPE_NONE;
}

const pith_key *shapes_make_list(pith_shapes *shapes, uint16_t shape);

/* The keys of a shape, root first; NULL when out of memory. Once made they stay. */
static inline const pith_key *shapes_list(pith_shapes *shapes, uint16_t shape)
{
    assert(shape != SHAPE_NONE && shape < shapes->count);
    const pith_key *keys = shapes->nodes[shape].keys;
    return keys ? keys : shapes_make_list(shapes, shape);
}

/* The number of keys of a shape. */
static inline size_t shapes_width(const pith_shapes *shapes, uint16_t shape)
{
    assert(shape < shapes->count);
    return shapes->nodes[shape].width;
}

/* True when the bytes at `at` are the key of `node` and then `after`. At least
 * len + SHAPE_MATCH_ROOM bytes must be readable there. */
enum { SHAPE_MATCH_ROOM = 8 };

static inline bool shape_matches_before(const shape_node *node, const char *at,
                                        char after)
{
    uint64_t head;
    memcpy(&head, at, 8);
    if ((head & node->head_mask) != node->head)
        return false;
    size_t len = node->key.len;
    if (len > 8) {
        uint64_t tail;
        memcpy(&tail, at + len - 8, 8);
        if (tail != node->tail)
            return false;
        if (len > 16 && memcmp(at + 8, node->key.text + 8, len - 16) != 0)
            return false;
    }
    return at[len] == after;
}

/* The same with a quote. */
static inline bool shape_matches(const shape_node *node, const char *at)
{
    return shape_matches_before(node, at, '"');
}

#endif
