/*
 * builder.c - the public calls that build a document.
 *
 * These trust nobody: every call is checked for sense and every text for UTF-8. The
 * first failure is kept in the document and turns all later calls into no-ops.
 */
#include "base/lex.h"
#include "base/num.h"
#include "base/utf8.h"
#include "doc/build.h"
#include "doc/cells.h"
#include "doc/typed.h"

#include <math.h>

void builder_fail(pith_doc *doc, pith_status status, const char *code,
                  const char *sentence)
{
    if (doc->fault.status == PITH_OK)
        error_set(&doc->fault, status, code, "%s", sentence);
}

void builder_check(pith_doc *doc, build_result result)
{
    switch (result == BUILD_DONE ? cells_end_filled(doc) : result) {
    case BUILD_DONE:
        break;
    case BUILD_NO_MEMORY:
        builder_fail(doc, PITH_NO_MEMORY, "no_memory", "out of memory");
        break;
    case BUILD_TOO_DEEP:
        builder_fail(doc, PITH_LIMIT, "depth_limit", "nested deeper than the limit");
        break;
    case BUILD_TOO_LARGE:
        builder_fail(doc, PITH_LIMIT, "too_large", "a text of 4 GiB or more");
        break;
    }
}

static bool builder_in_object(const pith_doc *doc)
{
    return doc->open != SLOT_NONE && doc->slots[doc->open].kind == PITH_OBJECT;
}

/* Whether the innermost container gets its keys by itself. */
static bool builder_is_filling(const pith_doc *doc)
{
    return builder_in_object(doc) &&
           ((doc->slots[doc->open].flags & SLOT_FILLING) || cells_in_wide_row(doc));
}

/* Tells why a document that is whole takes nothing more. */
static void builder_refuse_more(pith_doc *doc)
{
    if (doc->rows)
        builder_fail(doc, PITH_BAD_USE, "row_width_mismatch",
                     "the row has more cells than there are columns");
    else
        builder_fail(doc, PITH_BAD_USE, "second_root",
                     "the document has its value already");
}

bool builder_ready(pith_doc *doc)
{
    if (doc->fault.status != PITH_OK)
        return false;
    if (doc->finished || (doc->open == SLOT_NONE && doc->count > 0)) {
        builder_refuse_more(doc);
        return false;
    }
    if (cells_in_wide_row(doc))
        cells_add_column(doc);
    if (builder_in_object(doc) && !doc->key_pending && !builder_is_filling(doc)) {
        builder_fail(doc, PITH_BAD_USE, "expected_key",
                     "a key must come before the value");
        return false;
    }
    doc->key_pending = false;
    return doc->fault.status == PITH_OK;
}

/* A copy of foreign text in the arena; NULL after a failure. */
static const char *builder_copy(pith_doc *doc, const char *text, size_t len)
{
    if (len > SLOT_TEXT_MOST) {
        builder_check(doc, BUILD_TOO_LARGE);
        return NULL;
    }
    if (utf8_find_invalid(text, len) != len) {
        builder_fail(doc, PITH_BAD_INPUT, "invalid_utf8", "the text is not UTF-8");
        return NULL;
    }
    const char *copy = arena_copy(&doc->arena, text, len);
    if (!copy)
        builder_check(doc, BUILD_NO_MEMORY);
    return copy;
}

void pith_doc_open_array(pith_doc *doc)
{
    if (builder_ready(doc))
        builder_check(doc, build_open(doc, PITH_ARRAY));
}

void pith_doc_open_object(pith_doc *doc)
{
    if (builder_ready(doc))
        builder_check(doc, build_open(doc, PITH_OBJECT));
}

typedef struct builder_pair {
    pith_doc *doc;
    const pith_key *keys;
} builder_pair;

static bool builder_duplicate(void *ctx, uint32_t first, uint32_t later)
{
    builder_pair *pair = (builder_pair *)ctx;
    const pith_key *key = &pair->keys[later];
    (void)first;
    error_set(&pair->doc->fault, PITH_BAD_INPUT, "duplicate_key", "duplicate key \"%s\"",
              error_quote(key->text, key->len).text);
    return false;
}

static void builder_check_keys(pith_doc *doc)
{
    const pith_key *keys = build_unchecked_keys(doc);
    builder_pair pair = {doc, keys};
    if (keys && !doc_find_equal_keys(doc, keys, doc->slots[doc->open].n,
                                     builder_duplicate, &pair))
        builder_check(doc, BUILD_NO_MEMORY);
}

void pith_doc_close(pith_doc *doc)
{
    if (doc->fault.status != PITH_OK)
        return;
    if (doc->open == SLOT_NONE) {
        builder_fail(doc, PITH_BAD_USE, "nothing_open",
                     "there is no open container to close");
        return;
    }
    if (doc->key_pending || builder_is_filling(doc)) {
        builder_fail(doc, PITH_BAD_USE, "expected_value", "the last key has no value");
        return;
    }
    builder_check_keys(doc);
    if (doc->fault.status == PITH_OK)
        builder_check(doc, build_close(doc));
}

/* The key of a row: it comes before the first cell. */
static void builder_take_row_key(pith_doc *doc, const char *text, size_t len)
{
    cells_rows *rows = doc->rows;
    if (!rows->keyed) {
        builder_fail(doc, PITH_BAD_USE, "not_keyed",
                     "the rows of this table have no keys");
        return;
    }
    if (rows->has_key || doc->slots[doc->open].n > 0 || rows->at > 0) {
        builder_fail(doc, PITH_BAD_USE, "row_unfinished",
                     "a key comes before the cells of its row");
        return;
    }
    const char *copy = builder_copy(doc, text, len);
    if (copy) {
        slot_set(&rows->key, PITH_STRING, build_text_flags(copy, len), copy, len);
        rows->has_key = true;
    }
}

void pith_doc_add_key(pith_doc *doc, const char *text, size_t len)
{
    if (doc->fault.status != PITH_OK)
        return;
    if (doc->rows && doc->open == doc->rows->row) {
        builder_take_row_key(doc, text, len);
        return;
    }
    if (!builder_in_object(doc) || doc->key_pending || builder_is_filling(doc)) {
        builder_fail(doc, PITH_BAD_USE, "expected_value",
                     builder_in_object(doc) ? "the key before has no value yet"
                                            : "a key belongs in an object");
        return;
    }
    pith_slot *object = &doc->slots[doc->open];
    uint16_t guess = shapes_guess(&doc->shapes, object->shape, text, len);
    if (guess != SHAPE_NONE) { /* it was checked when it came first */
        object->shape = guess;
        doc->key_pending = true;
        return;
    }
    const char *copy = builder_copy(doc, text, len);
    if (copy) {
        builder_check(doc, build_key(doc, build_text_flags(copy, len), copy, len));
        doc->key_pending = true;
    }
}

static void builder_word(pith_doc *doc, pith_kind kind)
{
    if (builder_ready(doc))
        builder_check(doc, build_word(doc, kind));
}

void pith_doc_add_null(pith_doc *doc)
{
    builder_word(doc, PITH_NULL);
}

void pith_doc_add_bool(pith_doc *doc, bool truth)
{
    builder_word(doc, truth ? PITH_TRUE : PITH_FALSE);
}

/* Digits that are known to be well-formed. */
static void builder_digits(pith_doc *doc, pith_kind kind, const char *digits, size_t len)
{
    if (!builder_ready(doc))
        return;
    const char *copy = arena_copy(&doc->arena, digits, len);
    builder_check(
        doc, !copy ? BUILD_NO_MEMORY
                   : build_text(doc, kind, build_number_flags(copy, len), copy, len));
}

void pith_doc_add_int64(pith_doc *doc, int64_t number)
{
    char digits[NUM_INT64_MAX_LEN];
    builder_digits(doc, PITH_INTEGER, digits, num_write_int64(digits, number));
}

void pith_doc_add_uint64(pith_doc *doc, uint64_t number)
{
    char digits[NUM_INT64_MAX_LEN];
    builder_digits(doc, PITH_INTEGER, digits, num_write_uint64(digits, number));
}

/* NaN or an infinity, as the word for it: only where a format has them. */
static void builder_odd_float(pith_doc *doc, double number)
{
    const char *word = typed_odd_float(number);
    if (!doc->rows || doc->plain_bytes)
        builder_fail(doc, PITH_BAD_INPUT, "not_finite",
                     "NaN and infinities are not numbers");
    else if (builder_ready(doc)) {
        const char *copy = arena_copy(&doc->arena, word, strlen(word));
        builder_check(doc,
                      copy ? build_text(doc, PITH_STRING, SLOT_TYPED, copy, strlen(word))
                           : BUILD_NO_MEMORY);
    }
}

void pith_doc_add_double(pith_doc *doc, double number)
{
    if (!isfinite(number)) {
        builder_odd_float(doc, number);
        return;
    }
    char digits[NUM_DOUBLE_MAX_LEN];
    builder_digits(doc, PITH_DECIMAL, digits, num_write_double(digits, number));
}

void pith_doc_add_number(pith_doc *doc, const char *digits, size_t len)
{
    if (len > SLOT_TEXT_MOST) {
        builder_check(doc, BUILD_TOO_LARGE);
        return;
    }
    lex_number number = lex_read_number(digits, digits + len);
    if (number.end != digits + len || len == 0) {
        builder_fail(doc, PITH_BAD_INPUT, "invalid_number",
                     "the digits are not a JSON number");
        return;
    }
    builder_digits(doc, number.decimal ? PITH_DECIMAL : PITH_INTEGER, digits, len);
}

void pith_doc_add_text(pith_doc *doc, const char *text, size_t len)
{
    if (!builder_ready(doc))
        return;
    const char *copy = builder_copy(doc, text, len);
    if (copy) {
        builder_check(
            doc, build_text(doc, PITH_STRING, build_text_flags(copy, len), copy, len));
    }
}

/* Whether `count` of something can be read. */
static bool builder_is_given(pith_doc *doc, const void *from, size_t count)
{
    if (!from && count > 0)
        builder_fail(doc, PITH_BAD_USE, "no_value", "there is no value to add");
    return from || count == 0;
}

void pith_doc_add_bytes(pith_doc *doc, const void *bytes, size_t len)
{
    if (builder_is_given(doc, bytes, len) && builder_ready(doc))
        builder_check(doc, build_given_bytes(doc, bytes, len, !doc->plain_bytes));
}

void pith_doc_add_vector(pith_doc *doc, const double *numbers, size_t count)
{
    if (!builder_is_given(doc, numbers, count))
        return;
    pith_doc_open_array(doc);
    if (doc->fault.status == PITH_OK)
        doc->slots[doc->open].flags = SLOT_TYPED;
    for (size_t i = 0; i < count && doc->fault.status == PITH_OK; i++)
        pith_doc_add_double(doc, numbers[i]);
    pith_doc_close(doc);
}

void pith_doc_add_ref(pith_doc *doc, pith_text table, uint64_t row)
{
    pith_doc_open_object(doc);
    if (doc->fault.status == PITH_OK)
        doc->slots[doc->open].flags = SLOT_TYPED;
    pith_doc_add_key(doc, TYPED_REF_KEY, strlen(TYPED_REF_KEY));
    pith_doc_add_text(doc, table.ptr, table.len);
    pith_doc_add_key(doc, TYPED_REF_ID_KEY, strlen(TYPED_REF_ID_KEY));
    pith_doc_add_uint64(doc, row);
    pith_doc_close(doc);
}

void pith_doc_add_value(pith_doc *doc, pith_value value)
{
    if (!value.doc) {
        builder_fail(doc, PITH_BAD_USE, "no_value", "there is no value to add");
        return;
    }
    if (builder_ready(doc))
        builder_check(doc, build_copy(doc, value.doc, value.at));
}

pith_status pith_doc_finish(pith_doc *doc, pith_error *err)
{
    if (doc->fault.status == PITH_OK && !doc->finished) {
        if (doc->open != SLOT_NONE)
            builder_fail(doc, PITH_BAD_USE, "unclosed", "a container is still open");
        else if (doc->count == 0)
            builder_fail(doc, PITH_BAD_USE, "empty_input", "the document holds no value");
    }
    if (doc->fault.status != PITH_OK) {
        if (err)
            *err = doc->fault;
        return doc->fault.status;
    }
    doc->finished = true;
    return PITH_OK;
}
