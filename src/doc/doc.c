/*
 * doc.c - making, emptying and freeing documents.
 */
#include "doc/doc.h"
#include "doc/spelled.h"

size_t doc_depth_limit(const pith_options *options)
{
    size_t wanted = options ? options->depth_max : 0;
    if (wanted == 0)
        return PITH_DEPTH_DEFAULT;
    return wanted < PITH_DEPTH_MOST ? wanted : PITH_DEPTH_MOST;
}

pith_doc *pith_doc_new(const pith_options *options)
{
    pith_alloc alloc = alloc_from(options);
    pith_doc *doc = (pith_doc *)alloc_zeroed(&alloc, sizeof *doc);
    if (!doc)
        return NULL;
    doc->alloc = alloc;
    doc->depth_max = doc_depth_limit(options);
    doc->open = SLOT_NONE;
    arena_init(&doc->arena, alloc);
    if (!shapes_init(&doc->shapes, alloc)) {
        pith_doc_free(doc);
        return NULL;
    }
    return doc;
}

void pith_doc_free(pith_doc *doc)
{
    if (!doc)
        return;
    pith_alloc alloc = doc->alloc;
    alloc_free(&alloc, doc->slots, doc->cap * sizeof *doc->slots);
    alloc_free(&alloc, doc->unshaped, doc->unshaped_cap * sizeof *doc->unshaped);
    alloc_free(&alloc, doc->table, doc->table_size * sizeof *doc->table);
    alloc_free(&alloc, doc->tables, doc->table_cap * sizeof *doc->tables);
    arena_free(&doc->arena);
    shapes_free(&doc->shapes);
    alloc_free(&alloc, doc, sizeof *doc);
}

void pith_doc_reset(pith_doc *doc)
{
    doc->count = 0;
    doc->open = SLOT_NONE;
    doc->depth = 0;
    doc->key_pending = false;
    doc->rows = NULL;
    doc->finished = false;
    doc->has_duplicates = false;
    doc->fault.status = PITH_OK;
    doc->unshaped_count = 0;
    doc->table_count = 0;
    doc->double_count = 0;
    arena_reset(&doc->arena);
    shapes_renew(&doc->shapes);
}

void doc_use_alloc(pith_doc *doc, pith_alloc alloc)
{
    doc->alloc = alloc;
    doc->arena.alloc = alloc;
    doc->shapes.alloc = alloc;
    doc->shapes.texts.alloc = alloc;
}

size_t doc_reached(const pith_doc *doc, pith_text input)
{
    size_t reached = 0;
    for (size_t i = 0; i < doc->count; i++) {
        const pith_slot *slot = &doc->slots[i];
        if (slot->kind == SLOT_KEYS || slot_is_container(slot) || slot_is_double(slot) ||
            !doc_is_input(input, slot->u.text))
            continue;
        size_t offset = (size_t)(slot->u.text - input.ptr);
        reached = offset > reached ? offset : reached;
    }
    return reached;
}

bool doc_reserve(pith_doc *doc, size_t more)
{
    if (doc->cap - doc->count >= more)
        return true;
    if (more > SLOT_COUNT_MOST - doc->count)
        return false;
    /* Readers fill the tape as far as there is room, so there is none beyond. */
    void *slots = doc->slots;
    if (!alloc_grow_within(&doc->alloc, &slots, &doc->cap, doc->count + more,
                           sizeof *doc->slots, SLOT_COUNT_MOST))
        return false;
    doc->slots = (pith_slot *)slots;
    return true;
}

bool doc_reserve_for(pith_doc *doc, pith_text text, const char *marks)
{
    const size_t sample_most = 4096;
    const size_t at_least = 64;
    if (text.len + at_least <= (doc->cap - doc->count) / 2)
        return true; /* it has held larger texts, and no byte has more than two */
    size_t sample = text.len < sample_most ? text.len : sample_most;
    size_t values = 2;
    uint8_t marked[256] = {0};
    for (; *marks; marks++)
        marked[(unsigned char)*marks]++;
    for (size_t i = 0; i < sample; i++)
        values += marked[(unsigned char)text.ptr[i]];
    values += values / 8;
    size_t guess = (sample ? text.len / sample * values : 0) + at_least;
    size_t most = SLOT_COUNT_MOST - doc->count;
    return doc_reserve(doc, guess < most ? guess : most) || doc_reserve(doc, at_least);
}

/* A scalar takes at least one byte of input, a delimiter if nothing else, unless it is
 * the last of its line: so of those that do, the last 32 matter. A text that is not in the
 * input may have taken none. */
void doc_mark_near_end(pith_doc *doc, pith_text input, size_t repeated)
{
    size_t left = repeated < SIZE_MAX / 32 - 1 ? 32 * (1 + repeated) : SIZE_MAX;
    for (size_t i = doc->count; i-- > 0 && left > 0;) {
        pith_slot *slot = &doc->slots[i];
        if (slot->kind != SLOT_KEYS && !slot_is_container(slot) &&
            !slot_is_double(slot)) {
            slot->flags |= doc_near_end_flag(input, slot->u.text);
            left -= doc_is_input(input, slot->u.text);
        }
    }
}

pith_value pith_doc_root(const pith_doc *doc)
{
    bool there = doc && doc->finished;
    return doc_value(there ? doc : NULL, 0, SLOT_NONE, 0);
}

bool doc_all_objects(const pith_doc *doc, uint32_t at)
{
    assert(slot_is_container(&doc->slots[at]));
    uint32_t end = doc_children_end(&doc->slots[at]);
    uint32_t child = at + 1;
    while (child < end && doc->slots[child].kind == PITH_OBJECT)
        child = doc_after_at(doc, child);
    return child == end;
}

/* ------------------------------------------------------------------------ copies */

bool doc_copy_tape(pith_doc *own, const pith_doc *doc, uint32_t at, pith_alloc alloc)
{
    assert(at < doc->count);
    *own = *doc;
    own->count = own->cap = doc_after_at(doc, at) - at;
    own->table_count = at == 0 ? doc->table_count : 0; /* they are those of the whole */
    own->alloc = alloc;
    arena_init(&own->arena, alloc);
    own->slots =
        (pith_slot *)alloc_resize(&own->alloc, NULL, 0, own->cap * sizeof *own->slots);
    if (!own->slots)
        return false;
    memcpy(own->slots, doc->slots + at, own->cap * sizeof *own->slots);
    for (size_t i = 0; i < own->cap; i++) {
        pith_slot *slot = &own->slots[i];
        if (slot_is_container(slot)) {
            slot->u.link.next -= at;
            slot->u.link.parent = i == 0 ? SLOT_NONE : slot->u.link.parent - at;
        }
    }
    return true;
}

void doc_free_tape(pith_doc *own)
{
    alloc_free(&own->alloc, own->slots, own->cap * sizeof *own->slots);
    arena_free(&own->arena);
}
