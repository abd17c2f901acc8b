/*
 * soch_root.c - several tables become one value.
 *
 * While tables are read nobody knows how many there will be, so each is an array on the
 * tape, one after the other:
 *
 *     wrapped   root | array | row | cell cell | row | cell cell | array | row | ...
 *     else             array | row | cell cell | row | cell cell
 *
 * With names that differ the free slot in front becomes an object, and a lone table
 * without a name needs nothing: these two are nearly all there are. Otherwise the tape is
 * copied, with an object around each table, or without what is around a lone cell.
 */
#include "format/soch/soch_layout.h"

/* A copy of part of the tape being made. */
typedef struct soch_copy {
    pith_slot *slots;
    uint32_t count;
    size_t cap;
} soch_copy;

/* Copies the slots [from, end), which are whole values, to stand in `parent`. */
static void soch_copy_span(soch_copy *copy, const pith_doc *doc, uint32_t from,
                           uint32_t end, uint32_t parent)
{
    uint32_t moved = copy->count - from; /* may wrap around, and back when added */
    for (uint32_t i = from; i < end; i++) {
        pith_slot *slot = &copy->slots[copy->count++];
        *slot = doc->slots[i];
        if (slot_is_container(slot)) {
            uint32_t was = slot->u.link.parent;
            bool outer = was == SLOT_NONE || was < from;
            slot->u.link.next += moved;
            slot->u.link.parent = outer ? parent : was + moved;
        }
    }
}

static void soch_use_copy(pith_doc *doc, soch_copy *copy)
{
    alloc_free(&doc->alloc, doc->slots, doc->cap * sizeof *doc->slots);
    doc->slots = copy->slots;
    doc->count = copy->count;
    doc->cap = copy->cap;
}

static bool soch_start_copy(pith_doc *doc, soch_copy *copy, size_t slots)
{
    void *block = NULL;
    copy->count = 0;
    copy->cap = 0;
    if (!alloc_grow_within(&doc->alloc, &block, &copy->cap, slots, sizeof *copy->slots,
                           SLOT_COUNT_MOST))
        return false;
    copy->slots = (pith_slot *)block;
    return true;
}

/* ---------------------------------------------------------- one without a name */

/* Leaves the table alone on the tape; of array, row and cell only the cell where that is
 * the value. Mostly it is alone already. */
static void soch_unwrap(pith_doc *doc, doc_table *table)
{
    uint32_t from = table->at + (table->single ? 2 : 0);
    if (from > 0) {
        soch_copy copy = {doc->slots, 0, doc->cap}; /* forwards onto itself */
        soch_copy_span(&copy, doc, from, doc_after_at(doc, from), SLOT_NONE);
        doc->count = copy.count;
        table->at = 0;
    }
}

/* --------------------------------------------------- tables that share names */

/* The object {name: table} at the end of the copy. */
static bool soch_copy_named(soch_copy *copy, pith_doc *doc, doc_table *table)
{
    uint8_t flags = build_text_flags(table->name.ptr, table->name.len);
    uint16_t shape =
        shapes_step(&doc->shapes, SHAPE_EMPTY, table->name.ptr, table->name.len, flags);
    uint32_t object = copy->count++;
    pith_slot *slot = &copy->slots[object];
    memset(slot, 0, sizeof *slot);
    slot->kind = PITH_OBJECT;
    slot->shape = shape;
    slot->n = 1;
    slot->u.link.parent = 0;
    uint32_t at = copy->count;
    soch_copy_span(copy, doc, table->at, doc_after_at(doc, table->at), object);
    table->at = at;
    if (shape == SHAPE_NONE) {
        pith_key *key = (pith_key *)arena_take_aligned(&doc->arena, sizeof *key);
        if (!key)
            return false;
        key->text = table->name.ptr;
        key->len = (uint32_t)table->name.len;
        key->flags = flags;
        key->dead = 0;
        slot = &copy->slots[copy->count++];
        memset(slot, 0, sizeof *slot);
        slot->kind = SLOT_KEYS;
        slot->n = 1;
        slot->u.keys = key;
    } else if (!shapes_list(&doc->shapes, shape)) {
        return false;
    }
    copy->slots[object].u.link.next = copy->count;
    return true;
}

static bool soch_make_list(pith_doc *doc)
{
    soch_copy copy;
    if (!soch_start_copy(doc, &copy, doc->count + 1 + 2 * doc->table_count))
        return false;
    pith_slot *root = &copy.slots[copy.count++];
    memset(root, 0, sizeof *root);
    root->kind = PITH_ARRAY;
    root->n = (uint32_t)doc->table_count;
    root->u.link.parent = SLOT_NONE;
    bool done = true;
    for (size_t i = 0; i < doc->table_count && done; i++)
        done = soch_copy_named(&copy, doc, &doc->tables[i]);
    root->u.link.next = copy.count;
    if (!done) {
        alloc_free(&doc->alloc, copy.slots, copy.cap * sizeof *copy.slots);
        return false;
    }
    soch_use_copy(doc, &copy);
    return true;
}

/* ------------------------------------------------------------- names that differ */

/* The names as a list of keys on doc->unshaped; NULL when out of memory. */
static const pith_key *soch_list_names(pith_doc *doc)
{
    doc->unshaped_count = 0;
    for (size_t i = 0; i < doc->table_count; i++) {
        pith_text name = doc->tables[i].name;
        if (!build_unshaped_key(doc, build_text_flags(name.ptr, name.len), name.ptr,
                                name.len))
            return NULL;
    }
    return doc->unshaped;
}

/* Makes the free slot in front the object that holds them. */
static bool soch_make_object(pith_doc *doc)
{
    uint32_t count = (uint32_t)doc->table_count;
    uint16_t shape = SHAPE_EMPTY;
    for (uint32_t i = 0; i < count && shape != SHAPE_NONE; i++) {
        const pith_key *key = &doc->unshaped[i];
        shape = shapes_step(&doc->shapes, shape, key->text, key->len, key->flags);
    }
    pith_slot *root = &doc->slots[0];
    root->kind = PITH_OBJECT;
    root->shape = shape;
    root->n = count;
    if (shape == SHAPE_NONE ? !build_end_unshaped(doc, count)
                            : !shapes_list(&doc->shapes, shape))
        return false;
    doc->unshaped_count = 0;
    doc->slots[0].u.link.next = (uint32_t)doc->count;
    return true;
}

bool soch_make_root(pith_doc *doc, bool wrapped)
{
    if (doc->table_count == 1 && doc->tables[0].unnamed) {
        soch_unwrap(doc, &doc->tables[0]);
        return true;
    }
    bool shared = !wrapped;
    for (size_t i = 0; i < doc->table_count; i++) {
        doc->tables[i].single = false; /* it is not alone */
        shared = shared || doc->tables[i].unnamed;
    }
    const pith_key *names = shared ? NULL : soch_list_names(doc);
    size_t twin = SIZE_MAX;
    if (!shared && (!names || !soch_find_twin(doc, names, doc->table_count, &twin)))
        return false;
    return shared || twin != SIZE_MAX ? soch_make_list(doc) : soch_make_object(doc);
}

/* ------------------------------------------------------------------------- depth */

size_t soch_lend_depth(pith_doc *doc)
{
    bool first = doc->table_count == 1;
    size_t lent = first && doc->tables[0].unnamed ? doc->depth : 0; /* the root */
    lent += first && doc->tables[0].single ? 2 : 0;                 /* array and row */
    doc->depth_max += lent;
    return lent;
}

static bool soch_tape_is_deeper(const pith_doc *doc, size_t limit)
{
    uint32_t open = SLOT_NONE;
    size_t depth = 0;
    for (uint32_t i = 0; i < doc->count; i++) {
        while (open != SLOT_NONE && i >= doc->slots[open].u.link.next) {
            open = doc->slots[open].u.link.parent;
            depth--;
        }
        if (slot_is_container(&doc->slots[i])) {
            open = i;
            if (++depth > limit)
                return true;
        }
    }
    return false;
}

bool soch_is_too_deep(const pith_doc *doc, size_t lent)
{
    bool lone = doc->table_count == 1 && doc->tables[0].single;
    bool listed = doc->table_count > 1 && doc->slots[0].kind == PITH_ARRAY;
    return !lone && (lent > 0 || listed) && soch_tape_is_deeper(doc, doc->depth_max);
}
