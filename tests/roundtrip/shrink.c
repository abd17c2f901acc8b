/*
 * shrink.c - a value that is lost, as small as it can be and still be lost.
 *
 * Values are numbered as they stand in the text. For each in turn it is tried what the
 * document is without it, with nothing but it, and with half of its text or key; whatever
 * still fails is kept, until nothing is.
 */
#include "trip.h"

#include <string.h>

typedef enum cut {
    ALONE,
    GONE,
    LIFTED,
    TEXT_FRONT,
    TEXT_BACK,
    KEY_FRONT,
    KEY_BACK,
    CUTS
} cut;

typedef struct shrinking {
    pith_doc *to;
    size_t target;
    cut how;
    size_t number; /* of the value that is being copied */
} shrinking;

/* Half of a text, cut between code points; of one code point nothing. */
static pith_text half(pith_text text, bool front)
{
    size_t at = text.len / 2;
    while (at > 0 && at < text.len && ((unsigned char)text.ptr[at] & 0xc0) == 0x80)
        at--;
    pith_text part = {text.ptr, at};
    if (!front) {
        part.ptr = text.ptr + (at ? at : text.len);
        part.len = at ? text.len - at : 0;
    }
    return part;
}

static void copy(shrinking *s, pith_value value, bool member);

static void copy_children(shrinking *s, pith_value value, bool object)
{
    for (pith_value v = pith_value_first(value); v.doc; v = pith_value_next(v))
        copy(s, v, object);
}

static void copy_key(shrinking *s, pith_value value, bool hit)
{
    pith_text key = pith_value_key(value);
    if (hit && (s->how == KEY_FRONT || s->how == KEY_BACK))
        key = half(key, s->how == KEY_FRONT);
    pith_doc_add_key(s->to, key.ptr ? key.ptr : "", key.len);
}

/* Recursion is as deep as the value, which whoever makes it bounds. */
static void copy(shrinking *s, pith_value value, bool member)
{
    pith_kind kind = pith_value_kind(value);
    bool hit = s->number++ == s->target;
    if (hit && s->how == GONE)
        return;
    if (hit && s->how == LIFTED) { /* its children in its place */
        copy_children(s, value, kind == PITH_OBJECT);
        return;
    }
    if (member)
        copy_key(s, value, hit);
    if (kind == PITH_ARRAY || kind == PITH_OBJECT) {
        if (kind == PITH_ARRAY)
            pith_doc_open_array(s->to);
        else
            pith_doc_open_object(s->to);
        copy_children(s, value, kind == PITH_OBJECT);
        pith_doc_close(s->to);
    } else if (hit && kind == PITH_STRING &&
               (s->how == TEXT_FRONT || s->how == TEXT_BACK)) {
        pith_text part = half(pith_value_text(value), s->how == TEXT_FRONT);
        pith_doc_add_text(s->to, part.ptr ? part.ptr : "", part.len);
    } else {
        pith_doc_add_value(s->to, value);
    }
}

static size_t count_values(pith_value value)
{
    size_t count = 1;
    for (pith_value v = pith_value_first(value); v.doc; v = pith_value_next(v))
        count += count_values(v);
    return count;
}

static pith_value value_at(pith_value value, size_t *number)
{
    pith_value none = {0};
    if ((*number)-- == 0)
        return value;
    for (pith_value v = pith_value_first(value); v.doc; v = pith_value_next(v)) {
        pith_value found = value_at(v, number);
        if (found.doc)
            return found;
    }
    return none;
}

/* The document of `from`, cut, as JSON; false when that is no document, or no smaller. */
static bool make_cut(const pith_doc *from, pith_doc *to, size_t target, cut how,
                     pith_buffer *json)
{
    pith_value root = pith_doc_root(from);
    shrinking s = {to, target, how, 0};
    pith_doc_reset(to);
    if (how == ALONE) {
        size_t number = target;
        pith_doc_add_value(to, value_at(root, &number));
    } else {
        copy(&s, root, false);
    }
    json->len = 0;
    return pith_doc_finish(to, NULL) == PITH_OK &&
           pith_value_write(pith_doc_root(to), "json", NULL, pith_sink_buffer(json),
                            NULL) == PITH_OK;
}

static bool take(trip *t, const pith_buffer *json)
{
    t->json.len = 0;
    bytes_add(&t->json, json->data, json->len);
    return pith_doc_read(t->from, "json", t->json.ptr, t->json.len, NULL, NULL) ==
           PITH_OK;
}

/* Tries one cut of what is in `best`, and keeps it there if that still fails. */
static bool try_cut(trip *t, pith_buffer *best, size_t target, cut how,
                    bool (*fails)(trip *t))
{
    pith_doc *whole = pith_doc_parse("json", best->data, best->len, NULL, NULL);
    pith_doc *cut_down = pith_doc_new(NULL);
    pith_buffer json = {0};
    bool smaller = whole && cut_down && make_cut(whole, cut_down, target, how, &json) &&
                   json.len < best->len && take(t, &json) && fails(t);
    pith_doc_free(whole);
    pith_doc_free(cut_down);
    if (smaller) {
        pith_buffer_free(best);
        *best = json;
    } else {
        pith_buffer_free(&json);
    }
    return smaller;
}

void trip_shrink(trip *t, bool (*fails)(trip *t))
{
    pith_buffer best = {0};
    pith_sink sink = pith_sink_buffer(&best);
    bool going = sink.write(sink.ctx, t->json.ptr, t->json.len) == PITH_OK;
    while (going) {
        going = false;
        pith_doc *doc = pith_doc_parse("json", best.data, best.len, NULL, NULL);
        size_t count = doc ? count_values(pith_doc_root(doc)) : 0;
        pith_doc_free(doc);
        for (size_t target = 0; target < count && !going; target++)
            for (int how = 0; how < CUTS && !going; how++)
                going = try_cut(t, &best, target, (cut)how, fails);
    }
    take(t, &best);
    fails(t);
    pith_buffer_free(&best);
}
