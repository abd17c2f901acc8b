/*
 * shape.c - growing the tree of key sequences.
 *
 * Node 0 stands for "no shape" and matches nothing; it is also what a node without
 * a step guesses, so a failed guess needs no test of its own.
 */
#include "doc/shape.h"
#include "base/list.h"

#include <assert.h>

enum {
    SHAPE_NODES_MOST = 0xFFFE,
    SHAPE_KEPT_LEAST = 4096, /* nodes and table fit the second cache */
    SHAPE_TABLE_FIRST = 256
};

static void shapes_plant(pith_shapes *shapes)
{
    memset(shapes->nodes, 0, 2 * sizeof *shapes->nodes);
    shapes->nodes[SHAPE_NONE].head = 1; /* with a mask of 0: equal to no text */
    shapes->count = SHAPE_EMPTY + 1;
    shapes->kept = 0;
    memset(shapes->table, 0, shapes->table_size * sizeof *shapes->table);
}

bool shapes_init(pith_shapes *shapes, pith_alloc alloc)
{
    memset(shapes, 0, sizeof *shapes);
    shapes->alloc = alloc;
    shapes->seed = hash_seed(alloc);
    arena_init(&shapes->texts, alloc);
    if (!list_grow(&alloc, (void *)&shapes->nodes, &shapes->cap, 16,
                   sizeof *shapes->nodes))
        return false;
    shapes->table =
        (uint16_t *)alloc_zeroed(&alloc, SHAPE_TABLE_FIRST * sizeof(uint16_t));
    if (!shapes->table)
        return false;
    shapes->table_size = SHAPE_TABLE_FIRST;
    shapes_plant(shapes);
    return true;
}

void shapes_free(pith_shapes *shapes)
{
    arena_free(&shapes->texts);
    alloc_free(&shapes->alloc, shapes->nodes, shapes->cap * sizeof *shapes->nodes);
    alloc_free(&shapes->alloc, shapes->table, shapes->table_size * sizeof *shapes->table);
    shapes->nodes = NULL;
    shapes->table = NULL;
}

void shapes_renew(pith_shapes *shapes)
{
    if (shapes->kept == 0 && shapes->count > SHAPE_EMPTY + 1) {
        size_t most = shapes->count < SHAPE_NODES_MOST / 4 ? 4 * shapes->count
                                                           : (size_t)SHAPE_NODES_MOST;
        shapes->kept = most > SHAPE_KEPT_LEAST ? most : (size_t)SHAPE_KEPT_LEAST;
    }
    if (shapes->kept && shapes->count >= shapes->kept && !shapes->held) {
        arena_reset(&shapes->texts);
        shapes_plant(shapes);
        shapes->renewed++;
    }
}

static uint32_t shape_step_hash(const pith_shapes *shapes, uint16_t from, const char *key,
                                size_t len)
{
    return (uint32_t)hash_text(hash_seed_of(shapes->seed, from), key, len);
}

static void shapes_enter(pith_shapes *shapes, uint16_t node)
{
    assert(node < shapes->count);
    size_t mask = shapes->table_size - 1;
    size_t at = shapes->nodes[node].hash & mask;
    while (shapes->table[at])
        at = (at + 1) & mask;
    shapes->table[at] = node;
}

static bool shapes_widen_table(pith_shapes *shapes)
{
    size_t bytes = shapes->table_size * sizeof *shapes->table;
    uint16_t *table = (uint16_t *)alloc_zeroed(&shapes->alloc, bytes * 2);
    if (!table)
        return false;
    alloc_free(&shapes->alloc, shapes->table, bytes);
    shapes->table = table;
    shapes->table_size *= 2;
    for (size_t i = 2; i < shapes->count; i++)
        shapes_enter(shapes, (uint16_t)i);
    return true;
}

static uint16_t shapes_lookup(const pith_shapes *shapes, uint16_t from, uint32_t hash,
                              const char *key, size_t len)
{
    size_t mask = shapes->table_size - 1;
    for (size_t at = hash & mask; shapes->table[at]; at = (at + 1) & mask) {
        uint16_t child = shapes->table[at];
        const shape_node *node = &shapes->nodes[child];
        if (node->hash == hash && node->parent == from && shape_is(node, key, len))
            return child;
    }
    return SHAPE_NONE;
}

static bool shapes_path_has(const pith_shapes *shapes, uint16_t node, const char *key,
                            size_t len)
{
    for (; node != SHAPE_EMPTY; node = shapes->nodes[node].parent)
        if (shape_is(&shapes->nodes[node], key, len))
            return true;
    return false;
}

static void shape_set_key(shape_node *node, const char *text, size_t len, uint8_t flags)
{
    memset(node, 0, sizeof *node);
    node->key.text = text;
    node->key.len = (uint32_t)len;
    node->key.flags = flags;
    memcpy(&node->head, text, len < 8 ? len : 8);
    memset(&node->head_mask, 0xFF, len < 8 ? len : 8);
    if (len > 8)
        memcpy(&node->tail, text + len - 8, 8);
    if (flags & SLOT_ESCAPE) {
        /* The input spells this key with an escape, so equal bytes are an error
         * there and must not match. */
        node->head = 1;
        node->head_mask = 0;
    }
}

static uint16_t shapes_add(pith_shapes *shapes, uint16_t from, uint32_t hash,
                           const char *key, size_t len, uint8_t flags)
{
    if (shapes->nodes[from].width >= SHAPE_WIDTH_MOST ||
        shapes->count >= SHAPE_NODES_MOST)
        return SHAPE_NONE;
    if (shapes_path_has(shapes, from, key, len))
        return SHAPE_DUPLICATE;
    if (shapes->count * 2 >= shapes->table_size && !shapes_widen_table(shapes))
        return SHAPE_NONE;
    if (!list_grow(&shapes->alloc, (void *)&shapes->nodes, &shapes->cap,
                   shapes->count + 1, sizeof *shapes->nodes))
        return SHAPE_NONE;
    const char *text = arena_copy(&shapes->texts, key, len);
    if (!text)
        return SHAPE_NONE;
    uint16_t added = (uint16_t)shapes->count++;
    shape_node *node = &shapes->nodes[added];
    shape_set_key(node, text, len, flags);
    node->hash = hash;
    node->parent = from;
    node->width = (uint16_t)(shapes->nodes[from].width + 1);
    shapes_enter(shapes, added);
    return added;
}

const pith_key *shapes_make_list(pith_shapes *shapes, uint16_t shape)
{
    shape_node *last = &shapes->nodes[shape];
    size_t at = last->width;
    /* One more than there are keys, so that the list of none is not NULL either. */
    pith_key *keys =
        (pith_key *)arena_take_aligned(&shapes->texts, (at + 1) * sizeof *keys);
    if (!keys)
        return NULL;
    for (const shape_node *node = last; at > 0; node = &shapes->nodes[node->parent])
        keys[--at] = node->key;
    last->keys = keys;
    return keys;
}

uint16_t shapes_step(pith_shapes *shapes, uint16_t from, const char *key, size_t len,
                     uint8_t flags)
{
    if (from == SHAPE_NONE || len > SHAPE_KEY_MOST)
        return SHAPE_NONE;
    uint16_t guess = shapes_guess(shapes, from, key, len);
    if (guess != SHAPE_NONE)
        return guess;
    uint32_t hash = shape_step_hash(shapes, from, key, len);
    uint16_t child = shapes_lookup(shapes, from, hash, key, len);
    if (child == SHAPE_NONE) {
        child =
            shapes_add(shapes, from, hash, key, len, flags & (SLOT_ESCAPE | SLOT_WIDE));
    }
    if (child != SHAPE_NONE && child != SHAPE_DUPLICATE)
        shapes->nodes[from].guess = child;
    return child;
}
