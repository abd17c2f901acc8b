/*
 * json_values.c - what the readers of JSON and of Pith share: room on the tape, and keys.
 */
#include "format/json/json_values.h"

#include <assert.h>

pith_slot *json_grow(text_reader *r, pith_slot *at, pith_slot **limit, const char *p)
{
    static const size_t tick = 1 << 20; /* slots between two calls for progress */
    pith_doc *doc = r->doc;
    doc->count = (size_t)(at - doc->slots);
    if (doc->progress && !doc->progress(doc->progress_ctx, read_at(r, p))) {
        report_problem(r->report, PITH_BAD_USE, "cancelled", read_at(r, p), "cancelled");
        return NULL;
    }
    size_t room = doc->cap - doc->count;
    if (room < JSON_ROOM && !doc_reserve(doc, JSON_ROOM)) {
        read_failed(r);
        return NULL;
    }
    room = doc->cap - doc->count - JSON_ROOM;
    *limit = doc->slots + doc->count + (room < tick ? room : tick);
    return doc->slots + doc->count;
}

bool json_add_key(text_reader *r, uint16_t *shape, const pith_slot *slot)
{
    uint8_t flags = slot->flags | doc_near_end_flag(r->report->input, slot->u.text);
    return build_step(r->doc, shape, flags, slot->u.text, slot->n) || read_failed(r);
}

pith_slot *json_close_unshaped(text_reader *r, uint32_t object, uint32_t count,
                               pith_slot *at)
{
    pith_doc *doc = r->doc;
    assert(count <= doc->unshaped_count);
    pith_key *keys = doc->unshaped + (doc->unshaped_count - count);
    doc->count = (size_t)(at - doc->slots);
    if (r->last_wins && !doc_mark_duplicates(doc, object, keys, count)) {
        read_failed(r);
        return NULL;
    }
    if (!r->last_wins && !read_check_keys(r, keys, count, r->keep_key_places,
                                          "duplicate_key", "duplicate key"))
        return NULL;
    if (!build_end_unshaped(doc, count)) {
        read_failed(r);
        return NULL;
    }
    return doc->slots + doc->count;
}
