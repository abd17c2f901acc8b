/*
 * soch_fit.c - what a cell is in a column of a type.
 */
#include "format/soch/soch_fit.h"
#include "base/base64.h"
#include "base/num.h"
#include "base/print.h"
#include "base/scan.h"

#include <assert.h>
#include <math.h>

/* ------------------------------------------------------------------- references */

bool soch_is_ref_text(pith_text text, pith_text *table, uint64_t *id)
{
    const char *end = text.ptr + text.len;
    if (text.len < 7 || memcmp(text.ptr, "ref(", 4) != 0 || end[-1] != ')')
        return false;
    const char *comma = (const char *)memchr(text.ptr, ',', text.len);
    if (!comma)
        return false;
    pith_text digits = text_of(comma + 1, (size_t)(end - comma - 2));
    *table = text_of(text.ptr + 4, (size_t)(comma - text.ptr - 4));
    return soch_is_identifier(*table) && digits.len > 0 &&
           scan_digits(digits.ptr, end) == end - 1 &&
           !(digits.len > 1 && digits.ptr[0] == '0') && num_to_uint64(digits, id);
}

void soch_make_ref(soch_fitted *to, pith_text table, uint64_t id)
{
    memset(to->made, 0, sizeof to->made);
    to->made[0].kind = PITH_OBJECT;
    to->made[0].flags = SLOT_TYPED;
    to->made[0].n = 2;
    slot_set(&to->made[1], PITH_STRING, 0, table.ptr, table.len);
    slot_set(&to->made[2], PITH_INTEGER, 0, to->digits, num_write_uint64(to->digits, id));
    to->cell = to->made;
}

static bool soch_fit_ref(const pith_field *field, const pith_slot *cell, soch_fitted *to)
{
    pith_text table = field->target;
    uint64_t id;
    if (cell->kind == PITH_INTEGER) {
        if (table.len == 0 || !num_to_uint64(slot_text(cell), &id))
            return false;
        soch_make_ref(to, table, id);
        return true;
    }
    if (cell->kind == PITH_STRING && !(cell->flags & SLOT_TYPED)) {
        if (!soch_is_ref_text(slot_text(cell), &table, &id))
            return false;
        soch_make_ref(to, table, id);
    } else if (typed_of(cell) == PITH_TYPE_REF) {
        table = slot_text(cell + 1);
    } else {
        return false;
    }
    return field->target.len == 0 || text_equal(field->target, table);
}

/* -------------------------------------------------------------------- the others */

static bool soch_is_odd_word(pith_text text)
{
    return text_is(text, "NaN") || text_is(text, "Inf") || text_is(text, "-Inf") ||
           text_is(text, "Infinity") || text_is(text, "-Infinity");
}

static bool soch_fit_float(const pith_slot *cell)
{
    return cell->kind == PITH_INTEGER || typed_of(cell) == PITH_TYPE_FLOAT ||
           (cell->kind == PITH_STRING && soch_is_odd_word(slot_text(cell)));
}

static bool soch_fit_bool(const pith_slot *cell, soch_fitted *to)
{
    if (cell->kind != PITH_INTEGER)
        return typed_of(cell) == PITH_TYPE_BOOL;
    bool one = text_is(slot_text(cell), "1");
    slot_set(&to->made[0], one ? PITH_TRUE : PITH_FALSE, 0, "", 0);
    to->cell = to->made;
    return one || text_is(slot_text(cell), "0");
}

static bool soch_fit_bytes(const pith_slot *cell, soch_fitted *to)
{
    size_t bytes;
    if (cell->kind != PITH_STRING || cell->flags & SLOT_TYPED)
        return typed_of(cell) == PITH_TYPE_BYTES;
    pith_text text = slot_text(cell);
    if (text.len >= TYPED_BYTES_PREFIX_LEN &&
        memcmp(text.ptr, TYPED_BYTES_PREFIX, TYPED_BYTES_PREFIX_LEN) == 0) {
        text =
            text_of(text.ptr + TYPED_BYTES_PREFIX_LEN, text.len - TYPED_BYTES_PREFIX_LEN);
    }
    to->base64 = text;
    return base64_check(text.ptr, text.len, &bytes);
}

static bool soch_fit_vector(const pith_slot *cell)
{
    if (cell->kind != PITH_ARRAY)
        return false;
    for (uint32_t i = 1; i <= cell->n; i++)
        if (slot_is_container(&cell[i]) || !soch_fit_float(&cell[i]))
            return false;
    return true;
}

static bool soch_fit_type(const pith_field *field, const pith_slot *cell, soch_fitted *to)
{
    switch (field->type) {
    case PITH_TYPE_ANY:
        return true;
    case PITH_TYPE_INT:
    case PITH_TYPE_UINT:
        return cell->kind == PITH_INTEGER;
    case PITH_TYPE_FLOAT:
        return soch_fit_float(cell);
    case PITH_TYPE_BOOL:
        return soch_fit_bool(cell, to);
    case PITH_TYPE_BYTES:
        return soch_fit_bytes(cell, to);
    case PITH_TYPE_VEC:
        return soch_fit_vector(cell);
    case PITH_TYPE_REF:
        return soch_fit_ref(field, cell, to);
    case PITH_TYPE_ARRAY:
        return cell->kind == PITH_ARRAY;
    default:
        return typed_of(cell) == field->type;
    }
}

/* ----------------------------------------------------------------------- failing */

typedef struct soch_found {
    char text[80];
} soch_found;

/* What a cell is, in words. */
static soch_found soch_describe(const pith_slot *cell)
{
    soch_found found;
    if (slot_is_container(cell)) {
        bool ref = typed_of(cell) == PITH_TYPE_REF;
        print_into(found.text, sizeof found.text, "%s",
                   ref                        ? "a reference"
                   : cell->kind == PITH_ARRAY ? "an array"
                                              : "an object");
    } else if (cell->kind == PITH_STRING) {
        print_into(found.text, sizeof found.text, "the text \"%s\"",
                   error_quote(cell->u.text, cell->n).text);
    } else {
        print_into(found.text, sizeof found.text, "%s",
                   cell->kind == PITH_TRUE    ? "true"
                   : cell->kind == PITH_FALSE ? "false"
                                              : error_quote(cell->u.text, cell->n).text);
    }
    return found;
}

static pith_status soch_misfit(const pith_field *field, uint64_t row, const char *code,
                               const char *expected, const char *found, pith_error *err)
{
    return error_set(err, PITH_UNREPRESENTABLE, code,
                     "row %llu, field \"%s\": expected %s, found %s; types=infer finds "
                     "the types of columns from their values",
                     (unsigned long long)row + 1,
                     error_quote(field->name.ptr, field->name.len).text, expected, found);
}

static pith_status soch_fit_size(const pith_field *field, const pith_slot *cell,
                                 uint64_t row, pith_error *err)
{
    assert(cell);
    int64_t sign;
    uint64_t size;
    if (field->type == PITH_TYPE_VEC && cell->n != field->size) {
        char expected[48];
        char found[48];
        print_into(expected, sizeof expected, "a vector of %u numbers", field->size);
        print_into(found, sizeof found, "one of %u", cell->n);
        return soch_misfit(field, row, "vector_size_mismatch", expected, found, err);
    }
    if ((field->type == PITH_TYPE_INT && !num_to_int64(slot_text(cell), &sign)) ||
        (field->type == PITH_TYPE_UINT && !num_to_uint64(slot_text(cell), &size))) {
        return soch_misfit(field, row, "out_of_range", soch_type_word(field->type),
                           soch_describe(cell).text, err);
    }
    if (field->type == PITH_TYPE_FLOAT && cell->kind == PITH_INTEGER &&
        isinf(typed_double(cell))) {
        return soch_misfit(field, row, "out_of_range", "a double",
                           soch_describe(cell).text, err);
    }
    return PITH_OK;
}

pith_status soch_fit(const pith_field *field, const pith_slot *cell, uint64_t row,
                     soch_fitted *to, pith_error *err)
{
    to->cell = cell;
    to->base64 = text_of(NULL, 0);
    if (!cell || cell->kind == PITH_NULL) {
        return field->nullable || field->type == PITH_TYPE_ANY
                   ? PITH_OK
                   : soch_misfit(field, row, "null_not_allowed",
                                 soch_type_word(field->type),
                                 "null, which takes a '?' after the type", err);
    }
    if (!soch_fit_type(field, cell, to)) {
        return soch_misfit(field, row, "type_mismatch", soch_type_word(field->type),
                           soch_describe(cell).text, err);
    }
    return soch_fit_size(field, cell, row, err);
}

/* ----------------------------------------------------------------------- checking */

pith_status soch_check_number(const pith_slot *slot, pith_error *err)
{
    int64_t sign;
    uint64_t size;
    bool whole = slot->kind == PITH_INTEGER;
    if (whole ? num_to_int64(slot_text(slot), &sign) ||
                    num_to_uint64(slot_text(slot), &size)
              : slot->kind != PITH_DECIMAL || isfinite(typed_double(slot)))
        return PITH_OK;
    return error_set(err, PITH_UNREPRESENTABLE, "out_of_range",
                     whole ? "%s is beyond the integers of 64 bits that a table holds"
                           : "%s is beyond the largest double",
                     error_quote(slot->u.text, slot->n).text);
}

/* Whether a column of unsigned numbers has another, for the reader no number of that type. */
static bool soch_is_negative(const pith_field *field, const pith_slot *cell)
{
    return field->type == PITH_TYPE_UINT && cell->kind == PITH_INTEGER &&
           cell->u.text[0] == '-';
}

/* Whether some text is a number only for a column of floats. */
static bool soch_has_odd_text(const pith_field *field, const pith_slot *cell)
{
    bool odd = field->type == PITH_TYPE_FLOAT && typed_of(cell) == PITH_TYPE_TEXT;
    for (uint32_t i = 1; field->type == PITH_TYPE_VEC && i <= cell->n; i++)
        odd = odd || typed_of(&cell[i]) == PITH_TYPE_TEXT;
    return odd;
}

pith_status soch_fit_as_it_is(const pith_field *field, const pith_slot *cell,
                              const pith_slot *end, uint64_t row, pith_error *err)
{
    soch_fitted fitted;
    bool negative = soch_is_negative(field, cell);
    pith_status status = negative ? PITH_OK : soch_fit(field, cell, row, &fitted, err);
    if (status != PITH_OK || cell->kind == PITH_NULL)
        return status;
    if (negative || fitted.cell != cell || fitted.base64.ptr ||
        soch_has_odd_text(field, cell)) {
        return soch_misfit(field, row, "type_mismatch", soch_type_word(field->type),
                           soch_describe(cell).text, err);
    }
    for (const pith_slot *at = cell; at < end; at++) {
        pith_error ignored;
        if (soch_check_number(at, &ignored) != PITH_OK) {
            return soch_misfit(field, row, "out_of_range",
                               "integers of 64 bits and doubles", soch_describe(at).text,
                               err);
        }
    }
    return PITH_OK;
}
