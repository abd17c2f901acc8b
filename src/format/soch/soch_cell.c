/*
 * soch_cell.c - one cell, as the type of its column says.
 *
 * Cells are cut from the line without regard to the type; the type only decides what the
 * token means. A column without a type takes everything.
 */
#include "base/lex.h"
#include "base/num.h"
#include "format/soch/soch_read.h"

#include <assert.h>

static bool soch_mismatch(soch_reader *r, const pith_field *field, const char *at,
                          pith_text found)
{
    const char *word = soch_type_word(field->type);
    return soch_bad_cell(r, at, "type_mismatch", "expected %s, found %s",
                         word ? word : "a value", error_quote(found.ptr, found.len).text);
}

/* ----------------------------------------------------------------- typed tokens */

static bool soch_set_whole(soch_reader *r, const pith_field *field, pith_text token,
                           pith_slot *slot)
{
    if (soch_number_kind(r, token) != SOCH_WHOLE)
        return soch_mismatch(r, field, token.ptr, token);
    pith_text digits = soch_plain_digits(r, token, "");
    if (!digits.ptr)
        return false;
    int64_t sign;
    uint64_t size;
    bool is_uint = field->type == PITH_TYPE_UINT;
    if (is_uint && digits.ptr[0] == '-')
        return soch_mismatch(r, field, token.ptr, token);
    if (digits.len > 18 &&
        (is_uint ? !num_to_uint64(digits, &size) : !num_to_int64(digits, &sign))) {
        return soch_bad_cell(
            r, token.ptr, "out_of_range", "%s does not fit %s of 64 bits",
            error_quote(token.ptr, token.len).text, is_uint ? "a uint" : "an int");
    }
    slot_set(slot, PITH_INTEGER, digits.len <= 18 ? SLOT_CANONICAL : 0, digits.ptr,
             digits.len);
    return true;
}

static bool soch_set_float_cell(soch_reader *r, const pith_field *field, pith_text token,
                                pith_slot *slot)
{
    if (soch_set_odd_float(r, token, slot))
        return true;
    if (soch_number_kind(r, token) == SOCH_NO_NUMBER)
        return soch_mismatch(r, field, token.ptr, token);
    return soch_set_float(r, token, slot);
}

static bool soch_set_bool(soch_reader *r, const pith_field *field, pith_text token,
                          pith_slot *slot)
{
    return soch_sort_token(r, token, slot) &&
           (slot->kind == PITH_TRUE || slot->kind == PITH_FALSE ||
            soch_mismatch(r, field, token.ptr, token));
}

static bool soch_set_null(soch_reader *r, const pith_field *field, const char *at,
                          pith_slot *slot)
{
    slot_set_word(slot, PITH_NULL);
    if (!field->nullable) {
        soch_bad_cell(r, at, "null_not_allowed",
                      "null, and the column's type has no '?'");
    }
    return field->nullable;
}

static bool soch_set_typed(soch_reader *r, const pith_field *field, pith_text token,
                           pith_slot *slot)
{
    if (soch_is_null(token))
        return soch_set_null(r, field, token.ptr, slot);
    switch (field->type) {
    case PITH_TYPE_INT:
    case PITH_TYPE_UINT:
        return soch_set_whole(r, field, token, slot);
    case PITH_TYPE_FLOAT:
        return soch_set_float_cell(r, field, token, slot);
    case PITH_TYPE_TEXT:
        return soch_set_text(r, token, slot);
    case PITH_TYPE_BOOL:
        return soch_set_bool(r, field, token, slot);
    case PITH_TYPE_BYTES:
        return soch_set_bytes(r, token, slot);
    default:
        return soch_mismatch(r, field, token.ptr, token);
    }
}

/* ---------------------------------------------------------------------- vectors */

static bool soch_read_element(soch_reader *r)
{
    pith_slot slot;
    soch_skip_before(r, scan_spaces);
    pith_text token = soch_take_raw(r);
    if (!soch_set_odd_float(r, token, &slot)) {
        if (soch_number_kind(r, token) == SOCH_NO_NUMBER) {
            return soch_bad_cell(r, token.ptr, "type_mismatch",
                                 "expected a number of the vector, found '%s'",
                                 error_quote(token.ptr, token.len).text);
        }
        if (!soch_set_float(r, token, &slot))
            return false;
    }
    soch_skip_between(r);
    return soch_put(r, &slot);
}

static bool soch_read_vector(soch_reader *r, const pith_field *field)
{
    assert(r->at < r->end && *r->at == '[');
    const char *from = r->at;
    pith_doc *doc = r->doc;
    if (!soch_built(r, build_open(doc, PITH_ARRAY)))
        return false;
    doc->slots[doc->open].flags = SLOT_TYPED;
    r->at++;
    soch_skip_between(r);
    bool more = r->at == r->end || *r->at != ']';
    while (more) {
        if (!soch_read_element(r))
            return false;
        more = r->at < r->end && (*r->at == ',' || (*r->at == ';' && r->compat));
        r->at += more;
    }
    if (r->at == r->end || *r->at != ']')
        return soch_bad_cell(r, r->at, "syntax", "expected ',' or ']' in the vector");
    r->at++;
    uint32_t size = doc->slots[doc->open].n;
    if (size != field->size) {
        return soch_bad_cell(r, from, "vector_size_mismatch",
                             "a vector of %u numbers, expected %u", size, field->size);
    }
    return soch_built(r, build_close(doc));
}

/* ------------------------------------------------------------------------ cells */

/* Letters that no word but text begins with, and so on: what a first byte promises. */
enum { SOCH_FIRST_OTHER, SOCH_FIRST_TEXT, SOCH_FIRST_DIGIT };

static inline int soch_first(char c)
{
    if (scan_is_digit((unsigned char)c) || c == '-')
        return SOCH_FIRST_DIGIT;
    /* The words: T F true false null NaN Inf b64: ref( */
    static const char special[] = "TFINtfnbr";
    unsigned letter = (unsigned)(c | 0x20) - 'a';
    return letter < 26 && !memchr(special, c, sizeof special - 1) ? SOCH_FIRST_TEXT
                                                                  : SOCH_FIRST_OTHER;
}

/* Digits without an exponent cannot be beyond a double if they are so few. */
static inline bool soch_is_sure(const char *digits, size_t len)
{
    return len < 300 && !memchr(digits, 'e', len) && !memchr(digits, 'E', len);
}

/* A number with something right after it that ends a value. */
static inline bool soch_fast_number(soch_reader *r, pith_slot *slot)
{
    lex_number number = lex_read_number(r->at, r->end);
    const char *end = number.end;
    if (!end || end == r->end ||
        !(*end == ',' || *end == ']' || *end == '}' || *end == '\n' || *end == ';'))
        return false;
    size_t len = (size_t)(end - r->at);
    if (!number.plain && !(number.decimal && soch_is_sure(r->at, len)))
        return false;
    slot_set(slot, number.decimal ? PITH_DECIMAL : PITH_INTEGER,
             number.plain ? SLOT_CANONICAL : 0, r->at, len);
    r->doc->count++;
    r->at = end;
    return true;
}

/* A short cell, or the beginning of a longer text, in one look at 16 bytes; false when
 * it takes more. Only where anything may stand. Does not count the value. */
static ALWAYS_INLINE bool soch_fast_cell(soch_reader *r)
{
    pith_doc *doc = r->doc;
    const char *at = r->at;
    if (r->end - at < 16 || doc->count == doc->cap)
        return false;
    int first = soch_first(*at);
    if (first == SOCH_FIRST_OTHER)
        return false;
    pith_slot *slot = &doc->slots[doc->count];
    if (first == SOCH_FIRST_DIGIT && soch_fast_number(r, slot))
        return true;
    unsigned clear = scan_first16(SOCH_ENDS_RAW, at);
    const char *end = at + clear;
    uint8_t flags = 0;
    if (clear < 16) {
        if (scan_any16(SCAN_SPECIAL, at, clear))
            flags = build_text_flags(at, clear);
    } else {
        end = soch_scan_raw(end, r->end);
        flags = build_text_flags(at, (size_t)(end - at));
    }
    size_t len = (size_t)(end - at);
    if (end == r->end || *end == '[' || *end == '{' || *end == '"' || end[-1] <= ' ' ||
        len > SLOT_TEXT_MOST)
        return false;
    /* Numbers that are not simple, and -Inf, take more. */
    if (first == SOCH_FIRST_DIGIT &&
        (r->compat || *at == '-' ||
         soch_number_kind(r, text_of(at, len)) != SOCH_NO_NUMBER))
        return false;
    slot_set(slot, PITH_STRING, flags, at, len);
    doc->count++;
    r->at = end;
    return true;
}

bool soch_read_fast(soch_reader *r)
{
    return soch_fast_cell(r);
}

const pith_field soch_inner = {.nullable = true};

/* No value has a bracket right after it, so what would be the first cell of a row is
 * the name of the next table. */
static bool soch_meets_header(soch_reader *r, const pith_field *field)
{
    r->met_header =
        r->column == 0 && field != &soch_inner && r->at < r->end && *r->at == '[';
    return r->met_header;
}

static bool soch_read_quoted_cell(soch_reader *r, const pith_field *field)
{
    const char *from = r->at;
    pith_text text;
    uint8_t flags = 0;
    if (!soch_read_quoted(r, &text, &flags) || soch_meets_header(r, field))
        return false;
    if (field->type != PITH_TYPE_ANY && field->type != PITH_TYPE_TEXT)
        return soch_mismatch(r, field, from, text_from("a quoted text"));
    return soch_built(r, build_text(r->doc, PITH_STRING, flags, text.ptr, text.len));
}

static bool soch_read_ref_cell(soch_reader *r, const pith_field *field)
{
    const char *from = r->at;
    size_t at = r->doc->count;
    if (!soch_read_ref(r))
        return false;
    pith_text table = slot_text(&r->doc->slots[at + 1]);
    if (field->type == PITH_TYPE_ANY ||
        (field->type == PITH_TYPE_REF &&
         (field->target.len == 0 || text_equal(field->target, table))))
        return soch_spell_ref(r, at);
    if (field->type == PITH_TYPE_REF) {
        return soch_bad_cell(r, from, "type_mismatch",
                             "a reference to \"%s\", expected one to \"%s\"",
                             error_quote(table.ptr, table.len).text,
                             error_quote(field->target.ptr, field->target.len).text);
    }
    return soch_mismatch(r, field, from, text_from("a reference"));
}

static bool soch_read_bracket_cell(soch_reader *r, const pith_field *field)
{
    assert(r->at < r->end && (*r->at == '[' || *r->at == '{'));
    bool list = *r->at == '[';
    if (list && field->type == PITH_TYPE_VEC)
        return soch_read_vector(r, field);
    pith_type type = list ? PITH_TYPE_ARRAY : PITH_TYPE_OBJECT;
    if (field->type != PITH_TYPE_ANY && field->type != type)
        return soch_mismatch(r, field, r->at, text_from(list ? "an array" : "an object"));
    return soch_read_nested(r);
}

static bool soch_read_raw_cell(soch_reader *r, const pith_field *field)
{
    pith_slot slot;
    pith_text token = soch_take_raw(r);
    if (token.len > 0 && soch_meets_header(r, field))
        return false;
    if (token.len == 0) {
        if (r->compat && (r->at == r->end || (*r->at != '[' && *r->at != '{')))
            return soch_set_null(r, field, token.ptr, &slot) && soch_put(r, &slot);
        return soch_bad_cell(r, token.ptr, "empty_value",
                             "expected a value; the empty text is \"\"");
    }
    pith_text table;
    pith_text id;
    if (r->compat && (field->type == PITH_TYPE_ANY || field->type == PITH_TYPE_REF) &&
        soch_is_at_ref(r, token, &table, &id))
        return soch_build_ref(r, table, build_text_flags(table.ptr, table.len), id);
    bool fine = field->type == PITH_TYPE_ANY ? soch_sort_token(r, token, &slot)
                                             : soch_set_typed(r, field, token, &slot);
    return fine && soch_put(r, &slot);
}

bool soch_read_slow_cell(soch_reader *r, const pith_field *field)
{
    soch_skip_before(r, soch_skip_blanks);
    char first = r->at < r->end ? *r->at : '\0';
    bool fine;
    if (first == '"')
        fine = soch_read_quoted_cell(r, field);
    else if (first == '[' || first == '{')
        fine = soch_read_bracket_cell(r, field);
    else if (first == 'r' && soch_at_ref(r))
        fine = soch_read_ref_cell(r, field);
    else
        return soch_read_raw_cell(r, field);
    if (!r->seed_only)
        r->at = soch_skip_blanks(r->at, r->end);
    return fine;
}

bool soch_read_cell(soch_reader *r, const pith_field *field)
{
    return (field->type == PITH_TYPE_ANY && soch_fast_cell(r)) ||
           soch_read_slow_cell(r, field);
}
