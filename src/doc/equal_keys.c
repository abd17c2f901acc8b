/*
 * equal_keys.c - duplicate keys: finding them, and merging them when asked to.
 *
 * Finding: few keys are compared with each other, many go through a hash table of
 * indexes that the document keeps. The hash is seeded, so keys that were made to
 * collide do not.
 *
 * Merging happens on the closed tape, in one pass for the whole document, because
 * doing it object by object would copy the innermost values once per level:
 *
 *     a 1   b 2   a 3                  as read
 *     a MOVED->slot of 3   b 2   dead 3   marked: the first value points at the last
 *     a 3   b 2                        copied to a new tape, following the pointers
 */
#include "doc/doc.h"
#include "base/list.h"

#include <assert.h>

enum { FEW_KEYS = 16 };

static void find_among_few(const pith_key *keys, uint32_t count, doc_pair found,
                           void *ctx)
{
    assert(count <= FEW_KEYS);
    for (uint32_t later = 1; later < count; later++) {
        uint32_t first = 0;
        while (!key_equal(&keys[first], &keys[later]))
            first++;
        if (first < later && !found(ctx, first, later))
            return;
    }
}

/* The document's scratch table, at least that large. */
static bool table_ready(pith_doc *doc, size_t size)
{
    if (size <= doc->table_size)
        return true;
    void *table =
        alloc_resize(&doc->alloc, doc->table, doc->table_size * sizeof *doc->table,
                     size * sizeof *doc->table);
    if (!table)
        return false;
    doc->table = (uint32_t *)table;
    doc->table_size = size;
    return true;
}

static bool find_among_many(pith_doc *doc, const pith_key *keys, size_t count,
                            doc_pair found, void *ctx)
{
    size_t size = 64;
    while (size < count * 2)
        size *= 2;
    if (!table_ready(doc, size))
        return false;
    memset(doc->table, 0xFF, size * sizeof *doc->table);
    for (uint32_t i = 0; i < count; i++) {
        const pith_key *key = &keys[i];
        size_t at = (size_t)hash_text(doc->shapes.seed, key->text, key->len) & (size - 1);
        while (doc->table[at] != SLOT_NONE && !key_equal(&keys[doc->table[at]], key))
            at = (at + 1) & (size - 1);
        if (doc->table[at] == SLOT_NONE)
            doc->table[at] = i;
        else if (!found(ctx, doc->table[at], i))
            break;
    }
    return true;
}

bool doc_find_equal_keys(pith_doc *doc, const pith_key *keys, size_t count,
                         doc_pair found, void *ctx)
{
    if (count > FEW_KEYS)
        return find_among_many(doc, keys, count, found, ctx);
    find_among_few(keys, (uint32_t)count, found, ctx);
    return true;
}

/* ------------------------------------------------------------------- marking */

typedef struct marking {
    pith_doc *doc;
    pith_key *keys;
    uint32_t *winner; /* for each key: the index of the one equal to it that stands
                       * last, or SLOT_NONE when it stands alone or is not the first */
    bool any;
} marking;

static bool mark_pair(void *ctx, uint32_t first, uint32_t later)
{
    assert(first < later);
    marking *m = (marking *)ctx;
    m->winner[first] = later;
    m->keys[later].dead = 1;
    m->any = true;
    return true;
}

/* Points the first value of each repeated key at its last. Going through the members
 * backwards finds the winner's slot before it is needed. */
static void mark_values(marking *m, const uint32_t *slot_of, size_t count)
{
    for (size_t i = count; i-- > 0;) {
        if (m->winner[i] != SLOT_NONE) {
            pith_slot *loser = &m->doc->slots[slot_of[i]];
            loser->u.link.next = doc_after_at(m->doc, slot_of[i]);
            loser->kind = SLOT_MOVED;
            loser->n = slot_of[m->winner[i]];
        }
    }
}

bool doc_mark_duplicates(pith_doc *doc, uint32_t object, pith_key *keys, size_t count)
{
    assert(doc->slots[object].kind == PITH_OBJECT);
    size_t bytes = count * 2 * sizeof(uint32_t);
    uint32_t *scratch = (uint32_t *)alloc_resize(&doc->alloc, NULL, 0, bytes);
    if (!scratch)
        return false;
    memset(scratch, 0xFF, bytes);
    marking m = {doc, keys, scratch, false};
    uint32_t *slot_of = scratch + count;
    uint32_t at = object + 1;
    for (size_t i = 0; i < count; i++) {
        slot_of[i] = at;
        at = doc_after_at(doc, at);
    }
    bool found = doc_find_equal_keys(doc, keys, count, mark_pair, &m);
    if (found && m.any) {
        mark_values(&m, slot_of, count);
        doc->has_duplicates = true;
    }
    alloc_free(&doc->alloc, scratch, bytes);
    return found;
}

/* ------------------------------------------------------------------- merging */

/* One open container of the walk that copies. */
typedef struct merge_frame {
    uint32_t copied; /* the container on the new tape */
    uint32_t at;     /* the next child on the old tape */
    uint32_t end;    /* after the last child on the old tape */
    uint32_t index;  /* of that child */
    pith_key *keys;  /* of a loose object: those kept move to the front */
} merge_frame;

typedef struct merge_walk {
    pith_doc *doc;
    pith_slot *slots; /* the new tape */
    uint32_t count;
    LIST(merge_frame) frames;
} merge_walk;

static uint32_t merge_after(const pith_doc *doc, uint32_t at)
{
    const pith_slot *slot = &doc->slots[at];
    return slot->kind == SLOT_MOVED ? slot->u.link.next : doc_after_at(doc, at);
}

static bool merge_open(merge_walk *walk, uint32_t at, uint32_t copied)
{
    merge_frame *frame = LIST_ADD(&walk->frames, &walk->doc->alloc);
    if (!frame)
        return false;
    const pith_slot *from = &walk->doc->slots[at];
    frame->copied = copied;
    frame->at = at + 1;
    frame->end = doc_children_end(from);
    frame->index = 0;
    /* The lists of loose objects are the document's own, made in its arena. */
    frame->keys = doc_is_unshaped(from) ? (pith_key *)doc_keys(walk->doc, from) : NULL;
    walk->slots[copied].n = 0;
    return true;
}

/* Copies the value at `at` of the old tape, opening a frame when it is a container. */
static bool merge_value(merge_walk *walk, uint32_t at, uint32_t parent)
{
    assert(walk->count < walk->doc->cap);
    uint32_t copied = walk->count++;
    walk->slots[copied] = walk->doc->slots[at];
    if (!slot_is_container(&walk->slots[copied]))
        return true;
    walk->slots[copied].u.link.parent = parent;
    return merge_open(walk, at, copied);
}

static void merge_close(merge_walk *walk, const merge_frame *frame)
{
    if (frame->keys) {
        pith_slot *keys = &walk->slots[walk->count++];
        memset(keys, 0, sizeof *keys);
        keys->kind = SLOT_KEYS;
        keys->n = walk->slots[frame->copied].n;
        keys->u.keys = frame->keys;
    }
    walk->slots[frame->copied].u.link.next = walk->count;
    walk->frames.count--;
}

/* The next child of the innermost frame. */
static bool merge_step(merge_walk *walk)
{
    assert(walk->frames.count > 0);
    merge_frame *frame = &walk->frames.at[walk->frames.count - 1];
    if (frame->at == frame->end) {
        merge_close(walk, frame);
        return true;
    }
    uint32_t value = frame->at;
    uint32_t index = frame->index++;
    frame->at = merge_after(walk->doc, value);
    if (frame->keys && frame->keys[index].dead)
        return true;
    uint32_t kept = walk->slots[frame->copied].n++;
    if (frame->keys)
        frame->keys[kept] = frame->keys[index];
    if (walk->doc->slots[value].kind == SLOT_MOVED)
        value = walk->doc->slots[value].n;
    return merge_value(walk, value, frame->copied);
}

bool doc_merge_duplicates(pith_doc *doc)
{
    assert(doc->has_duplicates && doc->open == SLOT_NONE);
    merge_walk walk;
    memset(&walk, 0, sizeof walk);
    walk.doc = doc;
    size_t bytes = doc->cap * sizeof *doc->slots;
    walk.slots = (pith_slot *)alloc_resize(&doc->alloc, NULL, 0, bytes);
    if (!walk.slots)
        return false;
    bool done = merge_value(&walk, 0, SLOT_NONE);
    while (done && walk.frames.count > 0)
        done = merge_step(&walk);
    LIST_FREE(&walk.frames, &doc->alloc);
    if (!done) {
        alloc_free(&doc->alloc, walk.slots, bytes);
        return false;
    }
    alloc_free(&doc->alloc, doc->slots, bytes);
    doc->slots = walk.slots;
    doc->count = walk.count;
    doc->has_duplicates = false;
    return true;
}
