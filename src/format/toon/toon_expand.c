/*
 * toon_expand.c - dotted keys to nested objects: `a.b: 1` is {"a":{"b":1}}.
 *
 * Version 3 only, when asked for. The tape as it was read becomes a tree of nodes, in
 * which keys that meet are merged, and the tree becomes the new tape.
 *
 *     a.b: 1          node {} - a - b = 1
 *     a.c: 2                      \ c = 2
 *
 * A child is looked up by its parent and its key in one hash table for the whole tree,
 * so wide objects cost no more than deep ones. When values meet, two objects become
 * one; anything else is a conflict, which strict reading refuses and lenient reading
 * settles for the later value, in the earlier place. An object that gives way leaves
 * its children in the table; it takes a new identity, so that nobody finds them.
 */
#include "format/toon/toon_read.h"

#include "doc/names.h"

#include <assert.h>

static const uint32_t toon_nil = UINT32_MAX;

typedef struct toon_node {
    pith_key key;
    uint32_t parent;
    uint32_t next;  /* sibling */
    uint32_t first; /* child */
    uint32_t last;
    uint32_t slot;     /* of the value on the old tape; toon_nil for a made-up object */
    uint32_t identity; /* what its children are found by */
    uint8_t kind;
} toon_node;

typedef struct toon_tree {
    toon_reader *reader;
    LIST(toon_node) nodes;
    name_list names;      /* keys, under the identity of the node around them, */
    LIST(uint32_t) named; /* and the nodes that have them */
    uint32_t identities;
} toon_tree;

/* ------------------------------------------------------------------------ tree */

static uint32_t toon_new_node(toon_tree *tree, uint32_t parent, pith_kind kind,
                              uint32_t slot)
{
    uint32_t number = (uint32_t)tree->nodes.count;
    toon_node *node = tree->nodes.count < toon_nil
                          ? LIST_ADD(&tree->nodes, &tree->reader->doc->alloc)
                          : NULL;
    if (!node)
        return toon_nil;
    memset(node, 0, sizeof *node);
    node->parent = parent;
    node->next = node->first = node->last = toon_nil;
    node->slot = slot;
    node->kind = (uint8_t)kind;
    node->identity = tree->identities++;
    if (parent != toon_nil) {
        toon_node *around = &tree->nodes.at[parent];
        if (around->last == toon_nil)
            around->first = number;
        else
            tree->nodes.at[around->last].next = number;
        around->last = number;
    }
    return number;
}

/* The value of a node gives way to another. */
static void toon_replace(toon_tree *tree, uint32_t number, pith_kind kind, uint32_t slot)
{
    assert(number < tree->nodes.count);
    toon_node *node = &tree->nodes.at[number];
    node->kind = (uint8_t)kind;
    node->slot = slot;
    node->first = node->last = toon_nil;
    node->identity = tree->identities++;
}

static const char *toon_kind_word(uint8_t kind)
{
    return kind == PITH_OBJECT  ? "an object"
           : kind == PITH_ARRAY ? "an array"
                                : "a value";
}

/* Two values meet that cannot be merged. True to go on with the later one. */
static bool toon_conflict(toon_tree *tree, const toon_node *node, const pith_key *key,
                          uint8_t kind)
{
    toon_reader *r = tree->reader;
    if (!r->rules.strict)
        return true;
    if (!r->keep_key_places) {
        report_again(r->report);
        return false;
    }
    return report_bad(r->report, "path_conflict", read_text_offset(&r->in, key->text),
                      "'%s' would make %s of '%s', which is %s already",
                      error_quote(key->text, key->len).text, toon_kind_word(kind),
                      error_quote(node->key.text, node->key.len).text,
                      toon_kind_word(node->kind));
}

/* The child of `parent` by one segment of `key`, holding a value of that kind, merged
 * with the one it has; toon_nil to stop. */
static uint32_t toon_meet(toon_tree *tree, uint32_t parent, pith_text segment,
                          const pith_key *key, pith_kind kind, uint32_t slot)
{
    toon_reader *r = tree->reader;
    const pith_alloc *alloc = &r->doc->alloc;
    pith_key own = {segment.ptr, (uint32_t)segment.len,
                    (uint8_t)(key->flags & (SLOT_ESCAPE | SLOT_WIDE)), 0};
    own.flags |= doc_near_end_flag(r->report->input, segment.ptr);
    size_t known = tree->named.count;
    uint32_t name =
        names_meet_in(&tree->names, tree->nodes.at[parent].identity, &own, NAMES_NONE);
    if (name == NAMES_NONE || !LIST_RESERVE(&tree->named, alloc, 1)) {
        read_failed(&r->in);
        return toon_nil;
    }
    if (name < known) {
        uint32_t number = tree->named.at[name];
        toon_node *node = &tree->nodes.at[number];
        if (node->kind == PITH_OBJECT && kind == PITH_OBJECT)
            return number;
        if (!toon_conflict(tree, node, key, (uint8_t)kind))
            return toon_nil;
        toon_replace(tree, number, kind, slot);
        return number;
    }
    uint32_t number = toon_new_node(tree, parent, kind, slot);
    if (number == toon_nil) {
        read_failed(&r->in);
        return toon_nil;
    }
    tree->nodes.at[number].key = own;
    tree->named.at[tree->named.count++] = number;
    return number;
}

/* Puts a member under its key, through the objects the key is a path of. */
static uint32_t toon_put_member_node(toon_tree *tree, uint32_t parent,
                                     const pith_key *key, pith_kind kind, uint32_t slot)
{
    pith_text rest = key_text(key);
    if (key->flags & TOON_KEY_PATH) {
        pith_text segment = text_split(&rest, '.');
        while (rest.ptr < key->text + key->len && parent != toon_nil) {
            parent = toon_meet(tree, parent, segment, key, PITH_OBJECT, toon_nil);
            segment = text_split(&rest, '.');
        }
        rest = segment;
    }
    return parent == toon_nil ? toon_nil : toon_meet(tree, parent, rest, key, kind, slot);
}

typedef struct toon_open_node {
    uint32_t node;
    uint32_t end;         /* of its slots on the old tape */
    const pith_key *keys; /* of the next member; NULL in an array */
} toon_open_node;

typedef LIST(toon_open_node) toon_walk;

static bool toon_enter_node(toon_tree *tree, toon_walk *walk, uint32_t node,
                            uint32_t slot)
{
    const pith_doc *doc = tree->reader->doc;
    const pith_slot *container = &doc->slots[slot];
    toon_open_node *open = LIST_ADD(walk, &doc->alloc);
    if (!open)
        return read_failed(&tree->reader->in);
    open->node = node;
    open->end = container->u.link.next;
    open->keys = container->kind == PITH_OBJECT ? doc_keys(doc, container) : NULL;
    return true;
}

/* Turns the tape into the tree. */
static bool toon_grow_tree(toon_tree *tree, toon_walk *walk)
{
    const pith_doc *doc = tree->reader->doc;
    for (uint32_t slot = 0; slot < doc->count; slot++) {
        const pith_slot *value = &doc->slots[slot];
        while (walk->count > 0 && walk->at[walk->count - 1].end <= slot)
            walk->count--;
        if (value->kind == SLOT_KEYS)
            continue;
        toon_open_node *open = walk->count ? &walk->at[walk->count - 1] : NULL;
        uint32_t parent = open ? open->node : toon_nil;
        pith_kind kind = (pith_kind)value->kind;
        uint32_t node = open && open->keys
                            ? toon_put_member_node(tree, parent, open->keys++, kind, slot)
                            : toon_new_node(tree, parent, kind, slot);
        if (node == toon_nil) {
            return read_stopped(&tree->reader->in) ? false
                                                   : read_failed(&tree->reader->in);
        }
        if (slot_is_container(value) && !toon_enter_node(tree, walk, node, slot))
            return false;
    }
    return true;
}

/* ------------------------------------------------------------------ the new tape */

static bool toon_write_node(toon_tree *tree, const toon_node *node, const pith_slot *old)
{
    toon_reader *r = tree->reader;
    pith_doc *doc = r->doc;
    build_result result = BUILD_DONE;
    if (node->parent != toon_nil && tree->nodes.at[node->parent].kind == PITH_OBJECT)
        result = build_key(doc, node->key.flags, node->key.text, node->key.len);
    if (result == BUILD_DONE && (node->kind == PITH_OBJECT || node->kind == PITH_ARRAY)) {
        result = build_open(doc, (pith_kind)node->kind);
    } else if (result == BUILD_DONE) {
        assert(node->slot != toon_nil);
        const pith_slot *value = &old[node->slot];
        result = build_text(doc, (pith_kind)value->kind, value->flags, value->u.text,
                            value->n);
    }
    return read_built(&r->in, result, r->start);
}

/* Writes the tree in order, going down and along and up by its links. */
static bool toon_write_tree(toon_tree *tree, const pith_slot *old)
{
    uint32_t at = 0;
    assert(tree->nodes.at);
    for (;;) {
        const toon_node *node = &tree->nodes.at[at];
        if (!toon_write_node(tree, node, old))
            return false;
        bool container = node->kind == PITH_OBJECT || node->kind == PITH_ARRAY;
        if (container && node->first != toon_nil) {
            at = node->first;
            continue;
        }
        while (at != toon_nil) {
            node = &tree->nodes.at[at];
            container = node->kind == PITH_OBJECT || node->kind == PITH_ARRAY;
            if (container &&
                !read_built(&tree->reader->in, build_close(tree->reader->doc),
                            tree->reader->start))
                return false;
            if (node->next != toon_nil)
                break;
            at = node->parent;
        }
        if (at == toon_nil)
            return true;
        at = tree->nodes.at[at].next;
    }
}

/* Writes the tree to a new tape, which takes the place of the old one. */
static bool toon_replace_tape(toon_tree *tree)
{
    pith_doc *doc = tree->reader->doc;
    pith_slot *old = doc->slots;
    size_t old_bytes = doc->cap * sizeof *old;
    doc->slots = NULL;
    doc->count = doc->cap = 0;
    bool fine = toon_write_tree(tree, old);
    alloc_free(&doc->alloc, old, old_bytes);
    return fine;
}

bool toon_expand(toon_reader *r)
{
    const pith_alloc *alloc = &r->doc->alloc;
    toon_tree tree;
    toon_walk walk;
    memset(&tree, 0, sizeof tree);
    memset(&walk, 0, sizeof walk);
    tree.reader = r;
    names_init(&tree.names, *alloc, r->doc->shapes.seed);
    bool fine = toon_grow_tree(&tree, &walk) && toon_replace_tape(&tree);
    LIST_FREE(&tree.nodes, alloc);
    names_free(&tree.names);
    LIST_FREE(&tree.named, alloc);
    LIST_FREE(&walk, alloc);
    return fine && r->report->count == 0;
}
