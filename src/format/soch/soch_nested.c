/*
 * soch_nested.c - arrays, objects and references inside cells.
 *
 * The tape is the stack: the innermost open container is where values go, and its parent
 * link leads back out. Inside brackets line feeds are white space, and no type is known.
 */
#include "format/soch/soch_read.h"

#include <assert.h>

static bool soch_expected(soch_reader *r, const char *what)
{
    if (r->at == r->end)
        return soch_bad_cell(r, r->at, "syntax", "expected %s, found the end", what);
    return soch_bad_cell(r, r->at, "syntax", "expected %s, found '%s'", what,
                         error_quote(r->at, 1).text);
}

/* ------------------------------------------------------------------ references */

bool soch_read_ref(soch_reader *r)
{
    assert(soch_at_ref(r));
    const char *from = r->at;
    pith_text table;
    bool quoted;
    r->at += 4;
    if (!soch_read_name(r, "()", "the table that is referred to", &table, &quoted))
        return false;
    uint8_t flags = build_text_flags(table.ptr, table.len);
    soch_skip_between(r);
    if (r->at == r->end || *r->at != ',')
        return soch_expected(r, "',' and a row's number in the reference");
    r->at++;
    soch_skip_between(r);
    pith_text id = text_of(r->at, (size_t)(scan_digits(r->at, r->end) - r->at));
    if (id.len == 0)
        return soch_expected(r, "the digits of a row's number");
    r->at = id.ptr + id.len;
    soch_skip_between(r);
    if (r->at == r->end || *r->at != ')')
        return soch_expected(r, "')' at the end of the reference");
    r->at++;
    id = soch_plain_digits(r, id, "");
    if (!soch_fits(id)) {
        return soch_bad_cell(r, from, "out_of_range",
                             "a row's number is at most 18446744073709551615");
    }
    return soch_build_ref(r, table, flags, id);
}

bool soch_is_at_ref(soch_reader *r, pith_text token, pith_text *table, pith_text *id)
{
    assert(token.len > 0);
    const char *end = token.ptr + token.len;
    const char *colon = (const char *)memchr(token.ptr, ':', token.len);
    if (token.ptr[0] != '@' || !colon || colon == token.ptr + 1 || colon + 1 == end ||
        scan_digits(colon + 1, end) != end)
        return false;
    *table = text_of(token.ptr + 1, (size_t)(colon - token.ptr - 1));
    *id = soch_plain_digits(r, text_of(colon + 1, (size_t)(end - colon - 1)), "");
    return soch_fits(*id);
}

/* ------------------------------------------------------------------- containers */

static bool soch_open(soch_reader *r)
{
    assert(r->at < r->end && (*r->at == '[' || *r->at == '{'));
    pith_kind kind = *r->at == '[' ? PITH_ARRAY : PITH_OBJECT;
    if (!soch_built(r, build_open(r->doc, kind)))
        return false;
    r->at++;
    return true;
}

static char soch_closing(const soch_reader *r)
{
    assert(r->doc->open != SLOT_NONE);
    return r->doc->slots[r->doc->open].kind == PITH_ARRAY ? ']' : '}';
}

static bool soch_close(soch_reader *r)
{
    pith_doc *doc = r->doc;
    const pith_key *keys = build_unchecked_keys(doc);
    size_t twin = SIZE_MAX;
    if (keys && !soch_find_twin(doc, keys, doc->slots[doc->open].n, &twin))
        return read_failed(&r->in);
    if (keys && twin != SIZE_MAX) {
        return soch_bad_cell(r, r->at, "duplicate_key",
                             "the object that ends here has the key \"%s\" twice",
                             error_quote(keys[twin].text, keys[twin].len).text);
    }
    r->at++;
    return soch_built(r, build_close(doc));
}

/* A short key of plain letters with its colon right after it, if it is the one that came
 * last in its place: then it has a shape already. */
static inline bool soch_read_same_key(soch_reader *r)
{
    pith_slot *object = &r->doc->slots[r->doc->open];
    const shape_node *nodes = r->doc->shapes.nodes;
    uint16_t guess = nodes[object->shape].guess;
    if (r->end - r->at < 16 || object->shape == SHAPE_NONE || guess == SHAPE_NONE)
        return false;
    /* What is not plain letters, blanks and everything beyond ASCII included. */
    const unsigned odd = SCAN_BRACKETS | SCAN_CONTROLS | SCAN_WIDE;
    size_t len = scan_first16(SCAN_SET(odd, ',', ';', ' ', '"', ':'), r->at);
    if (len == 16 || len != nodes[guess].key.len || r->at[len] != ':' ||
        memcmp(r->at, nodes[guess].key.text, len) != 0)
        return false;
    r->at += len + 1;
    object->shape = guess;
    return true;
}

/* A value that is no container. */
static bool soch_read_scalar(soch_reader *r)
{
    if (soch_read_fast(r)) {
        build_count(r->doc);
        return true;
    }
    return soch_read_slow_cell(r, &soch_inner);
}

static bool soch_read_key(soch_reader *r)
{
    pith_text key;
    bool quoted;
    if (soch_read_same_key(r))
        return true;
    if (!soch_read_name(r, ":", "a key", &key, &quoted))
        return false;
    soch_skip_between(r);
    if (r->at == r->end || *r->at != ':')
        return soch_expected(r, "':' after the key");
    r->at++;
    uint8_t flags =
        build_text_flags(key.ptr, key.len) | doc_near_end_flag(r->report->input, key.ptr);
    return soch_built(r, build_key(r->doc, flags, key.ptr, key.len));
}

/* After a value: a comma, or the ends of as many containers as end here. */
static bool soch_end_value(soch_reader *r, uint32_t outer)
{
    for (;;) {
        if (!r->seed_only)
            r->at = soch_skip_white(r->at, r->end);
        if (r->at < r->end && (*r->at == ',' || (*r->at == ';' && r->compat))) {
            r->at++;
            return true;
        }
        if (r->at == r->end || *r->at != soch_closing(r))
            return soch_expected(r, soch_closing(r) == ']' ? "',' or ']'" : "',' or '}'");
        if (!soch_close(r))
            return false;
        if (r->doc->open == outer)
            return true;
    }
}

bool soch_read_nested(soch_reader *r)
{
    uint32_t outer = r->doc->open;
    if (!soch_open(r))
        return false;
    bool fresh = true;
    while (r->doc->open != outer) {
        soch_skip_before(r, soch_skip_white);
        if (fresh && r->at < r->end && *r->at == soch_closing(r)) {
            if (!soch_close(r) || (r->doc->open != outer && !soch_end_value(r, outer)))
                return false;
            fresh = false;
            continue;
        }
        if (r->doc->slots[r->doc->open].kind == PITH_OBJECT) {
            if (!soch_read_key(r))
                return false;
            soch_skip_before(r, soch_skip_white);
        }
        fresh = r->at < r->end && (*r->at == '[' || *r->at == '{');
        if (fresh ? !soch_open(r) : !soch_read_scalar(r) || !soch_end_value(r, outer))
            return false;
    }
    return true;
}
