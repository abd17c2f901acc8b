/*
 * soch_token.c - quoted text, numbers and words.
 *
 * What a token is depends on its spelling alone and on the type of its column: a text is
 * never a number because another row has one. Unquoted tokens are borrowed from the
 * input; only escapes, and numbers that must be spelled differently, take memory.
 */
#include "base/base64.h"
#include "base/lex.h"
#include "base/num.h"
#include "format/soch/soch_read.h"

#include <math.h>

/* ------------------------------------------------------------------- scanning */

const char *soch_scan_raw(const char *at, const char *end)
{
    return scan_to(SOCH_ENDS_RAW, at, end);
}

const char *soch_closing_quote(const char *at, const char *end)
{
    assert(at < end && *at == '"');
    for (at++; at < end && *at != '"'; at++)
        at += *at == '\\' && end - at > 1;
    return at;
}

/* SochDB's printers leave quotes inside values as they are. */
static const char *soch_scan_lax(const char *at, const char *end)
{
    const char *stop = soch_scan_raw(at, end);
    while (stop < end && *stop == '"' && stop > at)
        stop = soch_scan_raw(stop + 1, end);
    return stop;
}

pith_text soch_take_raw(soch_reader *r)
{
    const char *from = r->at;
    r->at = r->strict ? soch_scan_raw(from, r->end) : soch_scan_lax(from, r->end);
    const char *end = r->at;
    while (end > from && (end[-1] == ' ' || end[-1] == '\t' || end[-1] == '\r'))
        end--;
    return text_of(from, (size_t)(end - from));
}

/* --------------------------------------------------------------------- quoted */

void soch_set_quoted_rules(soch_reader *r)
{
    static const char *const sentences[] = {
        "expected one of \" \\ / b f n r t u after the backslash",
        "expected one of \" \\ / b f n r t after the backslash",
    };
    r->quotes = (quoted_rules){
        .letters = r->seed_only ? "\"\\/bfnrt" : LEX_LETTERS,
        .raw_controls = true,
        .doubled = !r->strict,
        .one_problem = true,
        .unclosed = {"unterminated_quote",
                     "the text that begins here has no closing '\"'"},
        .escape = {"invalid_escape", sentences[r->seed_only]},
        .hex = {"invalid_escape", sentences[r->seed_only]},
        .surrogate = {"invalid_escape",
                      "half of a surrogate pair; both halves must be escaped"},
    };
}

bool soch_read_quoted(soch_reader *r, pith_text *text, uint8_t *flags)
{
    const char *after = quoted_read_text(&r->in, &r->quotes, r->at, r->end, text, flags);
    const char *close = text->ptr + text->len; /* after a problem; or the end */
    r->at = after ? after : close < r->end ? close + 1 : r->end;
    return after != NULL;
}

bool soch_read_name(soch_reader *r, const char *stops, const char *what, pith_text *name,
                    bool *quoted)
{
    uint8_t flags = 0;
    soch_skip_between(r);
    *quoted = r->at < r->end && *r->at == '"';
    if (*quoted) {
        if (r->seed_only) {
            return read_bad(&r->in, r->at, "syntax",
                            "quoted names are an extension, which seed-only refuses");
        }
        return soch_read_quoted(r, name, &flags);
    }
    const char *from = r->at;
    while (r->at < r->end && !strchr(stops, *r->at) && *r->at != '\0' &&
           !scan_is_in(SOCH_ENDS_RAW, (unsigned char)*r->at))
        r->at++;
    const char *end = r->at;
    while (!r->seed_only && end > from && scan_is_space((unsigned char)end[-1]))
        end--;
    *name = text_of(from, (size_t)(end - from));
    if (r->seed_only && end > from && !soch_is_identifier(*name)) {
        return read_bad(
            &r->in, from, "syntax",
            "'%s' is no identifier: letters, digits, _ . $ -, and no digit first; "
            "seed-only takes no other name",
            error_quote(name->ptr, name->len).text);
    }
    if (end == from)
        read_bad(&r->in, from, "syntax", "expected %s", what);
    return end > from;
}

/* --------------------------------------------------------------------- numbers */

soch_number soch_number_kind(const soch_reader *r, pith_text token)
{
    const char *at = token.ptr;
    const char *end = at + token.len;
    at += at < end && *at == '-';
    while (end - at > 1 && *at == '0' && scan_is_digit((unsigned char)at[1]))
        at++;
    if (at == end || !scan_is_digit((unsigned char)*at))
        return SOCH_NO_NUMBER;
    lex_number number = lex_read_number(at, end);
    if (number.end != end)
        return SOCH_NO_NUMBER;
    if (!number.decimal)
        return SOCH_WHOLE;
    return r->seed_only && !memchr(at, '.', (size_t)(end - at)) ? SOCH_NO_NUMBER
                                                                : SOCH_FLOAT;
}

bool soch_fits(pith_text digits)
{
    int64_t sign;
    uint64_t size;
    return digits.len <= 18 || num_to_int64(digits, &sign) ||
           num_to_uint64(digits, &size);
}

pith_text soch_plain_digits(soch_reader *r, pith_text digits, const char *tail)
{
    bool minus = digits.ptr[0] == '-';
    const char *from = digits.ptr + minus;
    const char *end = digits.ptr + digits.len;
    const char *at = from;
    while (end - at > 1 && *at == '0' && scan_is_digit((unsigned char)at[1]))
        at++;
    size_t len = (size_t)(end - at);
    size_t tail_len = strlen(tail);
    if (tail_len == 0 && (!minus || (len == 1 && *at == '0')))
        return text_of(at, len);
    if (tail_len == 0 && at == from)
        return digits;
    char *copy = arena_take(&r->doc->arena, minus + len + tail_len);
    if (!copy) {
        read_failed(&r->in);
        return text_of(NULL, 0);
    }
    memcpy(copy, "-", minus);
    memcpy(copy + minus, at, len);
    memcpy(copy + minus + len, tail, tail_len);
    return text_of(copy, minus + len + tail_len);
}

static bool soch_out_of_range(soch_reader *r, pith_text token)
{
    return soch_bad_cell(r, token.ptr, "out_of_range",
                         "%s is beyond what a number can be here",
                         error_quote(token.ptr, token.len).text);
}

bool soch_set_float(soch_reader *r, pith_text digits, pith_slot *slot)
{
    bool whole = soch_number_kind(r, digits) == SOCH_WHOLE;
    pith_text text = soch_plain_digits(r, digits, whole ? ".0" : "");
    if (!text.ptr)
        return false;
    if (text.len > SLOT_TEXT_MOST)
        return soch_built(r, BUILD_TOO_LARGE);
    bool plain = lex_read_number(text.ptr, text.ptr + text.len).plain;
    if (!plain && isinf(num_to_double(text)))
        return soch_out_of_range(r, digits);
    slot_set(slot, PITH_DECIMAL, plain ? SLOT_CANONICAL : 0, text.ptr, text.len);
    return true;
}

bool soch_set_odd_float(soch_reader *r, pith_text token, pith_slot *slot)
{
    if (r->seed_only ||
        (!text_is(token, "NaN") && !text_is(token, "Inf") && !text_is(token, "-Inf")))
        return false;
    slot_set(slot, PITH_STRING, SLOT_TYPED, token.ptr, token.len);
    return true;
}

/* ----------------------------------------------------------------------- bytes */

static bool soch_bad_bytes(soch_reader *r, pith_text token)
{
    return soch_bad_cell(r, token.ptr, "invalid_base64",
                         "'%s' is not base64 with padding",
                         error_quote(token.ptr, token.len).text);
}

/* The base64 of what 0x0AFF means, with the prefix. */
static bool soch_set_hex(soch_reader *r, pith_text hex, pith_slot *slot)
{
    static const char digits[] = "0123456789abcdef";
    size_t len = hex.len / 2;
    size_t room = TYPED_BYTES_PREFIX_LEN + base64_text_len(len);
    if (room > SLOT_TEXT_MOST)
        return soch_built(r, BUILD_TOO_LARGE);
    char *text = arena_take(&r->doc->arena, room + len);
    if (!text)
        return read_failed(&r->in);
    char *bytes = text + room;
    for (size_t i = 0; i < len; i++) {
        const char *high = strchr(digits, hex.ptr[2 * i] | 0x20);
        const char *low = strchr(digits, hex.ptr[2 * i + 1] | 0x20);
        bytes[i] = (char)((high - digits) << 4 | (low - digits));
    }
    memcpy(text, TYPED_BYTES_PREFIX, TYPED_BYTES_PREFIX_LEN);
    base64_write(text + TYPED_BYTES_PREFIX_LEN, bytes, len);
    slot_set(slot, PITH_STRING, SLOT_TYPED, text, room);
    return true;
}

static bool soch_is_hex(pith_text token)
{
    if (token.len < 2 || token.len % 2 != 0 || memcmp(token.ptr, "0x", 2) != 0)
        return false;
    for (size_t i = 2; i < token.len; i++) {
        char c = token.ptr[i];
        bool letter = (c | 0x20) >= 'a' && (c | 0x20) <= 'f';
        if (!letter && !scan_is_digit((unsigned char)c))
            return false;
    }
    return true;
}

static bool soch_has_prefix(const soch_reader *r, pith_text token)
{
    return !r->seed_only && token.len >= TYPED_BYTES_PREFIX_LEN &&
           memcmp(token.ptr, TYPED_BYTES_PREFIX, TYPED_BYTES_PREFIX_LEN) == 0;
}

bool soch_set_bytes(soch_reader *r, pith_text token, pith_slot *slot)
{
    size_t bytes;
    bool prefixed = soch_has_prefix(r, token);
    size_t skip = prefixed ? TYPED_BYTES_PREFIX_LEN : 0;
    pith_text base64 = text_of(token.ptr + skip, token.len - skip);
    if (r->compat && soch_is_hex(base64))
        return soch_set_hex(r, text_of(base64.ptr + 2, base64.len - 2), slot);
    if (!base64_check(base64.ptr, base64.len, &bytes))
        return soch_bad_bytes(r, base64);
    const char *text = token.ptr;
    size_t len = base64.len + TYPED_BYTES_PREFIX_LEN;
    if (len > SLOT_TEXT_MOST)
        return soch_built(r, BUILD_TOO_LARGE);
    if (!prefixed) {
        char *copy = arena_take(&r->doc->arena, len);
        if (!copy)
            return read_failed(&r->in);
        memcpy(copy, TYPED_BYTES_PREFIX, TYPED_BYTES_PREFIX_LEN);
        memcpy(copy + TYPED_BYTES_PREFIX_LEN, base64.ptr, base64.len);
        text = copy;
    }
    slot_set(slot, PITH_STRING, SLOT_TYPED, text, len);
    return true;
}

/* ----------------------------------------------------------------------- words */

bool soch_is_null(pith_text token)
{
    return text_is(token, SOCH_NULL_SIGN) || text_is(token, "null");
}

static bool soch_sort_number(soch_reader *r, pith_text token, soch_number kind,
                             pith_slot *slot)
{
    const char *end = token.ptr + token.len;
    lex_number number = lex_read_number(token.ptr, end);
    if (number.plain && number.end == end) { /* no zeros in front of it */
        slot_set(slot, number.decimal ? PITH_DECIMAL : PITH_INTEGER, SLOT_CANONICAL,
                 token.ptr, token.len);
        return true;
    }
    if (kind == SOCH_FLOAT)
        return soch_set_float(r, token, slot);
    pith_text digits = soch_plain_digits(r, token, "");
    if (!digits.ptr)
        return false;
    if (!soch_fits(digits))
        return soch_out_of_range(r, token);
    slot_set(slot, PITH_INTEGER, digits.len <= 18 ? SLOT_CANONICAL : 0, digits.ptr,
             digits.len);
    return true;
}

bool soch_set_text(soch_reader *r, pith_text token, pith_slot *slot)
{
    if (token.len > SLOT_TEXT_MOST)
        return soch_built(r, BUILD_TOO_LARGE);
    slot_set(slot, PITH_STRING, build_text_flags(token.ptr, token.len), token.ptr,
             token.len);
    return true;
}

/* The word that an unquoted value is; PITH_STRING when it is none. */
static pith_kind soch_word(pith_text token)
{
    if (text_is(token, "T") || text_is(token, "true"))
        return PITH_TRUE;
    if (text_is(token, "F") || text_is(token, "false"))
        return PITH_FALSE;
    return soch_is_null(token) ? PITH_NULL : PITH_STRING;
}

bool soch_sort_token(soch_reader *r, pith_text token, pith_slot *slot)
{
    assert(token.len > 0);
    if (scan_is_digit((unsigned char)token.ptr[0]) || token.ptr[0] == '-') {
        soch_number kind = soch_number_kind(r, token);
        if (kind != SOCH_NO_NUMBER)
            return soch_sort_number(r, token, kind, slot);
        if (r->compat && soch_is_hex(token))
            return soch_set_bytes(r, token, slot);
    }
    if (token.len <= 5) {
        pith_kind word = soch_word(token);
        if (word != PITH_STRING)
            slot_set_word(slot, word);
        if (word != PITH_STRING || soch_set_odd_float(r, token, slot))
            return true;
    }
    return soch_has_prefix(r, token) ? soch_set_bytes(r, token, slot)
                                     : soch_set_text(r, token, slot);
}
