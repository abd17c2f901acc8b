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
 * without a name needs nothing: these two are nearly all there are. Otherwise tables are
 * moved, to have an object around each, or to be without what is around a lone cell.
 */
#include "format/soch/soch_layout.h"

/* Moves the slots [from, end), which are whole values, to stand in `parent`. */
static void soch_move(pith_doc *doc, uint32_t from, uint32_t end, uint32_t to,
                      uint32_t parent)
{
    uint32_t moved = to - from; /* may wrap around, and back when added */
    pith_slot *slot = doc->slots + to;
    memmove(slot, doc->slots + from, (end - from) * sizeof *slot);
    for (const pith_slot *last = slot + (end - from); slot < last; slot++) {
        if (slot_is_container(slot)) {
            uint32_t was = slot->u.link.parent;
            bool outer = was == SLOT_NONE || was < from;
            slot->u.link.next += moved;
            slot->u.link.parent = outer ? parent : was + moved;
        }
    }
}

/* Makes the slot a container of so many values; it ends before `next`. */
static void soch_contain(pith_doc *doc, uint32_t at, pith_kind kind, size_t count,
                         uint32_t parent, uint32_t next)
{
    pith_slot *slot = &doc->slots[at];
    memset(slot, 0, sizeof *slot);
    slot->kind = (uint8_t)kind;
    slot->shape = SHAPE_NONE;
    slot->n = (uint32_t)count;
    slot->u.link.parent = parent;
    slot->u.link.next = next;
}

/* A list of keys, for the objects that hold tables; NULL when out of memory. */
static pith_key *soch_list_names(pith_doc *doc)
{
    size_t bytes = doc->table_count * sizeof(pith_key);
    pith_key *keys = (pith_key *)arena_take_aligned(&doc->arena, bytes);
    for (size_t i = 0; i < doc->table_count && keys; i++) {
        pith_text name = doc->tables[i].name;
        uint8_t flags = build_text_flags(name.ptr, name.len);
        keys[i] = (pith_key){name.ptr, (uint32_t)name.len, flags, 0};
    }
    return keys;
}

/* The slot after the members of an object that has no shape. */
static void soch_end_object(pith_slot *slot, const pith_key *keys, size_t count)
{
    memset(slot, 0, sizeof *slot);
    slot->kind = SLOT_KEYS;
    slot->n = (uint32_t)count;
    slot->u.keys = keys;
}

/* Leaves the table alone on the tape; of array, row and cell only the cell where that is
 * the value. Mostly it is alone already. */
static void soch_unwrap(pith_doc *doc, doc_table *table)
{
    uint32_t from = table->at + (table->single ? 2 : 0);
    uint32_t end = doc_after_at(doc, from);
    if (from > 0) {
        soch_move(doc, from, end, 0, SLOT_NONE);
        doc->count = end - from;
        table->at = 0;
    }
}

/* An array of objects with one table each, the last first. */
static bool soch_make_list(pith_doc *doc, const pith_key *keys, bool wrapped)
{
    size_t count = doc->table_count;
    size_t more = 2 * count + !wrapped;
    if (!doc_reserve(doc, more))
        return false;
    doc->count += more;
    uint32_t end = (uint32_t)doc->count;
    for (size_t i = count; i-- > 0;) {
        doc_table *table = &doc->tables[i];
        uint32_t after = doc_after_at(doc, table->at);
        uint32_t to = end - 1 - (after - table->at);
        soch_move(doc, table->at, after, to, to - 1);
        soch_end_object(&doc->slots[end - 1], &keys[i], 1);
        soch_contain(doc, to - 1, PITH_OBJECT, 1, 0, end);
        table->at = to;
        end = to - 1;
    }
    assert(end == 1);
    soch_contain(doc, 0, PITH_ARRAY, count, SLOT_NONE, (uint32_t)doc->count);
    return true;
}

/* Makes the free slot in front the object that holds the tables. */
static bool soch_make_object(pith_doc *doc, const pith_key *keys)
{
    pith_slot *last = build_slot(doc);
    if (!last)
        return false;
    soch_end_object(last, keys, doc->table_count);
    soch_contain(doc, 0, PITH_OBJECT, doc->table_count, SLOT_NONE, (uint32_t)doc->count);
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
    const pith_key *keys = soch_list_names(doc);
    size_t twin = SIZE_MAX;
    if (!keys || (!shared && !soch_find_twin(doc, keys, doc->table_count, &twin)))
        return false;
    return shared || twin != SIZE_MAX ? soch_make_list(doc, keys, wrapped)
                                      : soch_make_object(doc, keys);
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
