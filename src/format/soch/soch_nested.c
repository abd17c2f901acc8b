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
    if (r->at == r->end) {
        report_bad(r->report, "syntax", soch_offset(r, r->at),
                   "%s: expected %s, found the end", soch_here(r).text, what);
    } else {
        report_bad(r->report, "syntax", soch_offset(r, r->at),
                   "%s: expected %s, found '%s'", soch_here(r).text, what,
                   error_quote(r->at, 1).text);
    }
    return false;
}

/* ------------------------------------------------------------------ references */

bool soch_build_ref(soch_reader *r, pith_text table, uint8_t flags, pith_text id)
{
    pith_doc *doc = r->doc;
    if (!soch_built(r, soch_open_ref(doc, &r->ref_shape))) {
        return false;
    }
    return soch_built(r, build_text(doc, PITH_STRING, flags, table.ptr, table.len)) &&
           soch_built(r, build_text(doc, PITH_INTEGER, 0, id.ptr, id.len)) &&
           soch_built(r, build_close(doc));
}

bool soch_read_ref(soch_reader *r)
{
    assert(soch_at_ref(r));
    const char *from = r->at;
    pith_text table;
    bool quoted;
    r->at += 4;
    if (!soch_read_name(r, "()", "the table that is referred to", &table, &quoted)) {
        return false;
    }
    uint8_t flags = build_text_flags(table.ptr, table.len);
    soch_skip_between(r);
    if (r->at == r->end || *r->at != ',') {
        return soch_expected(r, "',' and a row's number in the reference");
    }
    r->at++;
    soch_skip_between(r);
    pith_text id = text_of(r->at, (size_t)(scan_digits(r->at, r->end) - r->at));
    if (id.len == 0) {
        return soch_expected(r, "the digits of a row's number");
    }
    r->at = id.ptr + id.len;
    soch_skip_between(r);
    if (r->at == r->end || *r->at != ')') {
        return soch_expected(r, "')' at the end of the reference");
    }
    r->at++;
    id = soch_plain_digits(r, id);
    if (!soch_fits(id)) {
        report_bad(r->report, "out_of_range", soch_offset(r, from),
                   "%s: a row's number is at most 18446744073709551615",
                   soch_here(r).text);
        return false;
    }
    return soch_build_ref(r, table, flags, id);
}

bool soch_sort_at(soch_reader *r, pith_text token, bool *built)
{
    assert(token.len > 0);
    const char *end = token.ptr + token.len;
    const char *colon = (const char *)memchr(token.ptr, ':', token.len);
    *built = false;
    if (!colon || colon == token.ptr + 1 || colon + 1 == end ||
        scan_digits(colon + 1, end) != end) {
        return true;
    }
    pith_text table = text_of(token.ptr + 1, (size_t)(colon - token.ptr - 1));
    pith_text id = soch_plain_digits(r, text_of(colon + 1, (size_t)(end - colon - 1)));
    if (!soch_fits(id)) {
        return true;
    }
    *built = true;
    return soch_build_ref(r, table, build_text_flags(table.ptr, table.len), id);
}

/* ---------------------------------------------------------------------- values */

/* A value that is no container, where no type is known. */
static bool soch_read_scalar(soch_reader *r)
{
    pith_slot slot;
    if (soch_read_fast(r)) {
        build_count(r->doc);
        return true;
    }
    if (r->at < r->end && *r->at == '"') {
        pith_text text;
        uint8_t flags = 0;
        if (!soch_read_quoted(r, &text, &flags)) {
            return false;
        }
        return soch_built(r, build_text(r->doc, PITH_STRING, flags, text.ptr, text.len));
    }
    if (soch_at_ref(r)) {
        size_t at = r->doc->count;
        return soch_read_ref(r) &&
               (!r->refs || soch_built(r, soch_spell_ref(r->doc, at)));
    }
    pith_text token = soch_take_raw(r);
    if (token.len == 0 && r->compat) {
        return soch_built(r, build_word(r->doc, PITH_NULL));
    }
    if (token.len == 0) {
        report_bad(r->report, "empty_value", soch_offset(r, token.ptr),
                   "%s: expected a value; the empty text is \"\"", soch_here(r).text);
        return false;
    }
    if (r->compat && token.ptr[0] == '@') {
        bool built;
        bool fine = soch_sort_at(r, token, &built);
        if (built || !fine) {
            return fine;
        }
    }
    return soch_sort_token(r, token, &slot) && soch_put(r, &slot);
}

/* ------------------------------------------------------------------- containers */

static bool soch_open(soch_reader *r)
{
    assert(r->at < r->end && (*r->at == '[' || *r->at == '{'));
    pith_kind kind = *r->at == '[' ? PITH_ARRAY : PITH_OBJECT;
    if (!soch_built(r, build_open(r->doc, kind))) {
        return false;
    }
    r->at++;
    return true;
}

static char soch_closing(const soch_reader *r)
{
    assert(r->doc->open != SLOT_NONE);
    return r->doc->slots[r->doc->open].kind == PITH_ARRAY ? ']' : '}';
}

typedef struct soch_twins {
    soch_reader *r;
    const pith_key *keys;
} soch_twins;

static bool soch_twin_keys(void *ctx, uint32_t first, uint32_t later)
{
    soch_twins *twins = (soch_twins *)ctx;
    const pith_key *key = &twins->keys[later];
    (void)first;
    report_bad(twins->r->report, "duplicate_key", soch_offset(twins->r, twins->r->at),
               "%s: the object that ends here has the key \"%s\" twice",
               soch_here(twins->r).text, error_quote(key->text, key->len).text);
    return false;
}

static bool soch_close(soch_reader *r)
{
    pith_doc *doc = r->doc;
    const pith_key *keys = build_unchecked_keys(doc);
    if (keys) {
        soch_twins twins = {r, keys};
        size_t before = r->report->count;
        if (!doc_find_equal_keys(doc, keys, doc->slots[doc->open].n, soch_twin_keys,
                                 &twins)) {
            return read_failed(&r->in);
        }
        if (r->report->count > before) {
            return false;
        }
    }
    r->at++;
    return soch_built(r, build_close(doc));
}

/* A short key of plain letters with its colon right behind it, if it is the one that came
 * last in its place: then it has a shape already. */
static inline bool soch_read_same_key(soch_reader *r)
{
    pith_slot *object = &r->doc->slots[r->doc->open];
    const shape_node *nodes = r->doc->shapes.nodes;
    uint16_t guess = nodes[object->shape].guess;
    if (r->end - r->at < 16 || object->shape == SHAPE_NONE || guess == SHAPE_NONE) {
        return false;
    }
    /* What is not plain letters, blanks and everything beyond ASCII included. */
    const unsigned odd = SCAN_BRACKETS | SCAN_CONTROLS | SCAN_WIDE;
    size_t len = scan_first16(SCAN_SET(odd, ',', ';', ' ', '"', ':'), r->at);
    if (len == 16 || len != nodes[guess].key.len || r->at[len] != ':' ||
        memcmp(r->at, nodes[guess].key.text, len) != 0) {
        return false;
    }
    r->at += len + 1;
    object->shape = guess;
    return true;
}

static bool soch_read_key(soch_reader *r)
{
    pith_text key;
    bool quoted;
    if (soch_read_same_key(r)) {
        return true;
    }
    if (!soch_read_name(r, ":", "a key", &key, &quoted)) {
        return false;
    }
    soch_skip_between(r);
    if (r->at == r->end || *r->at != ':') {
        return soch_expected(r, "':' behind the key");
    }
    r->at++;
    uint8_t flags =
        build_text_flags(key.ptr, key.len) | doc_tail_flag(r->report->input, key.ptr);
    return soch_built(r, build_key(r->doc, flags, key.ptr, key.len));
}

/* Behind a value: a comma, or the ends of as many containers as end here. */
static bool soch_end_value(soch_reader *r, uint32_t outer)
{
    for (;;) {
        if (!r->seed_only) {
            r->at = soch_skip_white(r->at, r->end);
        }
        if (r->at < r->end && (*r->at == ',' || (*r->at == ';' && r->compat))) {
            r->at++;
            return true;
        }
        if (r->at == r->end || *r->at != soch_closing(r)) {
            return soch_expected(r, soch_closing(r) == ']' ? "',' or ']'" : "',' or '}'");
        }
        if (!soch_close(r)) {
            return false;
        }
        if (r->doc->open == outer) {
            return true;
        }
    }
}

bool soch_read_nested(soch_reader *r)
{
    uint32_t outer = r->doc->open;
    if (!soch_open(r)) {
        return false;
    }
    bool fresh = true;
    while (r->doc->open != outer) {
        soch_skip_before(r, soch_skip_white);
        if (fresh && r->at < r->end && *r->at == soch_closing(r)) {
            if (!soch_close(r) || (r->doc->open != outer && !soch_end_value(r, outer))) {
                return false;
            }
            fresh = false;
            continue;
        }
        if (r->doc->slots[r->doc->open].kind == PITH_OBJECT) {
            if (!soch_read_key(r)) {
                return false;
            }
            soch_skip_before(r, soch_skip_white);
        }
        fresh = r->at < r->end && (*r->at == '[' || *r->at == '{');
        if (fresh ? !soch_open(r) : !soch_read_scalar(r) || !soch_end_value(r, outer)) {
            return false;
        }
    }
    return true;
}
