/*
 * batch.c - tapes of rows, one after the other.
 */
#include "doc/batch.h"
#include "doc/spelled.h"

bool batch_begin(pith_doc *batch, pith_alloc alloc)
{
    if (!batch->slots) {
        batch->alloc = alloc;
        arena_init(&batch->arena, alloc);
    }
    arena_reset(&batch->arena);
    batch->count = 0;
    batch->finished = false;
    if (!doc_reserve(batch, 1))
        return false;
    pith_slot *array = &batch->slots[batch->count++];
    memset(array, 0, sizeof *array);
    array->kind = PITH_ARRAY;
    array->u.link.parent = SLOT_NONE;
    return true;
}

static const char *batch_keep(pith_doc *batch, const char *text, size_t len,
                              pith_text input)
{
    return doc_is_input(input, text) ? text : arena_copy(&batch->arena, text, len);
}

static bool batch_keep_keys(pith_doc *batch, pith_slot *slot, pith_text input)
{
    size_t bytes = slot->n * sizeof(pith_key);
    pith_key *keys = (pith_key *)arena_take_aligned(&batch->arena, bytes);
    if (!keys)
        return false;
    memcpy(keys, slot->u.keys, bytes);
    slot->u.keys = keys;
    for (uint32_t i = 0; i < slot->n; i++) {
        keys[i].text = batch_keep(batch, keys[i].text, keys[i].len, input);
        if (!keys[i].text)
            return false;
    }
    return true;
}

static bool batch_keep_scalar(pith_doc *batch, pith_slot *slot, pith_text input)
{
    assert(!slot_is_double(slot));
    if (slot->kind < PITH_INTEGER) {
        slot_set_word(slot, (pith_kind)slot->kind);
        return true;
    }
    slot->u.text = batch_keep(batch, slot->u.text, slot->n, input);
    return slot->u.text != NULL;
}

bool batch_add(pith_doc *batch, const pith_doc *from, uint32_t at, pith_text input,
               bool lasting)
{
    uint32_t count = doc_after_at(from, at) - at;
    if (!doc_reserve(batch, count))
        return false;
    uint32_t base = (uint32_t)batch->count;
    pith_slot *slots = batch->slots + base;
    memcpy(slots, from->slots + at, count * sizeof *slots);
    for (uint32_t i = 0; i < count; i++) {
        pith_slot *slot = &slots[i];
        if (slot_is_container(slot)) {
            slot->u.link.next += base - at;
            slot->u.link.parent = i == 0 ? 0 : slot->u.link.parent + (base - at);
        } else if (!lasting &&
                   !(slot->kind == SLOT_KEYS ? batch_keep_keys(batch, slot, input)
                                             : batch_keep_scalar(batch, slot, input))) {
            return false;
        }
    }
    batch->count += count;
    batch->slots[0].n++;
    return true;
}

pith_value batch_end(pith_doc *batch, const pith_doc *from)
{
    batch->slots[0].u.link.next = (uint32_t)batch->count;
    batch->shapes = from->shapes;
    batch->depth_max = from->depth_max;
    batch->finished = true;
    return pith_doc_root(batch);
}

/* The opposite of batch_keep. */
static bool doc_keep_text(pith_doc *doc, const char **text, size_t len, pith_text input)
{
    if (doc_is_input(input, *text))
        *text = arena_copy(&doc->arena, *text, len);
    return *text != NULL;
}

static bool doc_keep_keys(pith_doc *doc, pith_slot *slot, pith_text input)
{
    size_t bytes = slot->n * sizeof(pith_key);
    pith_key *keys = (pith_key *)arena_take_aligned(&doc->arena, bytes);
    if (!keys)
        return false;
    memcpy(keys, slot->u.keys, bytes);
    slot->u.keys = keys;
    for (uint32_t i = 0; i < slot->n; i++)
        if (!doc_keep_text(doc, &keys[i].text, keys[i].len, input))
            return false;
    return true;
}

bool doc_keep_texts(pith_doc *doc, pith_text input)
{
    for (size_t i = 0; i < doc->count; i++) {
        pith_slot *slot = &doc->slots[i];
        assert(!slot_is_double(slot));
        if (slot->kind == SLOT_KEYS && !doc_keep_keys(doc, slot, input))
            return false;
        if (slot->kind >= PITH_INTEGER && slot->kind <= PITH_STRING &&
            !doc_keep_text(doc, &slot->u.text, slot->n, input))
            return false;
    }
    return true;
}

void batch_free(pith_doc *batch)
{
    if (batch->slots) {
        alloc_free(&batch->alloc, batch->slots, batch->cap * sizeof *batch->slots);
        arena_free(&batch->arena);
    }
}
