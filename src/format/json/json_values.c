/*
 * json_values.c - what the readers of JSON and of Pith share: room on the tape, and keys.
 */
#include "format/json/json_values.h"

#include <assert.h>

/* Slots that are read from about REPORT_TICK bytes, going by what was read so far, which
 * at most doubles. */
static size_t json_tick(size_t bytes, size_t slots)
{
    enum { FEWEST = 16, MOST = 4096 };
    size_t each = bytes / (slots + 1) + 1;
    size_t tick = REPORT_TICK / each;
    size_t most = slots < MOST ? slots : MOST;
    tick = tick < most ? tick : most;
    return tick > FEWEST ? tick : FEWEST;
}

pith_slot *json_grow(text_reader *r, pith_slot *at, pith_slot **limit, const char *p)
{
    pith_doc *doc = r->doc;
    doc->count = (size_t)(at - doc->slots);
    if (!report_goes_on(r->report, read_at(r, p)))
        return NULL;
    size_t tick = r->report->progress ? json_tick(read_at(r, p), doc->count) : SIZE_MAX;
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

void json_bad_end(text_reader *r, const char *what, char missing)
{
    if (!read_starved(r))
        read_problem(r, r->end, "unclosed", "the text ends inside %s; '%c' is missing",
                     what, missing);
}

void json_ends_open(text_reader *r, uint32_t open, const char *code_of_nothing)
{
    if (open == SLOT_NONE)
        read_problem(r, r->end, code_of_nothing,
                     "expected a value, but there is nothing");
    else if (r->doc->slots[open].kind == PITH_OBJECT)
        json_bad_end(r, "an object", '}');
    else
        json_bad_end(r, "an array", ']');
}

pith_slot *json_end_unshaped(text_reader *r, uint32_t count, pith_slot *at)
{
    pith_doc *doc = r->doc;
    doc->count = (size_t)(at - doc->slots);
    if (!build_end_unshaped(doc, count) || !doc_reserve(doc, JSON_ROOM)) {
        read_failed(r);
        return NULL;
    }
    return doc->slots + doc->count;
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
    return json_end_unshaped(r, count, at);
}
