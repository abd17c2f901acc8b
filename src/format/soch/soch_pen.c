/*
 * soch_pen.c - values as text, one walk without recursion.
 *
 * What cannot be written is remembered once; the walk goes on and its output is thrown
 * away, as with a failure of `out`.
 */
#include "format/soch/soch_pen.h"
#include "base/decimal.h"
#include "format/pen.h"
#include "format/soch/soch_fit.h"

#include <math.h>

static void soch_refuse(soch_pen *pen, pith_status status, const char *code,
                        const char *format, const char *found)
{
    if (pen->status == PITH_OK)
        pen->status = error_set(pen->err, status, code, format, found);
}

void soch_pen_init(soch_pen *pen, pith_out *out, const settings *set, pith_alloc alloc,
                   pith_error *err)
{
    bool least = settings_bool(set, SOCH_MIN_TOKENS);
    bool word = least || settings_number(set, SOCH_NULL) != 0;
    bool full = settings_number(set, SOCH_BOOL) != 0;
    pen->out = out;
    pen->rows = (unsigned)settings_number(set, SOCH_ROWS);
    pen->types = (unsigned)settings_number(set, SOCH_TYPES);
    pen->null_word = word ? "null" : SOCH_NULL_SIGN;
    pen->true_word = full ? "true" : "T";
    pen->false_word = full ? "false" : "F";
    pen->seed_only = settings_bool(set, SOCH_SEED_ONLY);
    pen->refs = settings_number(set, SOCH_REFS) != 0;
    pen->fits = false;
    pen->row = 0;
    pen->err = err;
    pen->status = PITH_OK;
    levels_init(&pen->levels, alloc);
    if (pen->seed_only && pen->rows == SOCH_ROWS_NL) {
        soch_refuse(pen, PITH_UNREPRESENTABLE, "unrepresentable",
                    "%s is an extension, which seed-only refuses", "rows=nl");
    }
}

soch_wish soch_wish_of(const settings *set)
{
    soch_wish wish = {(unsigned)settings_number(set, SOCH_TYPES),
                      settings_text(set, SOCH_FIELDS),
                      settings_text(set, SOCH_NAME),
                      settings_bool(set, SOCH_FILL_MISSING),
                      settings_bool(set, SOCH_SEED_ONLY),
                      settings_number(set, SOCH_REFS) != 0};
    return wish;
}

void soch_pen_free(soch_pen *pen)
{
    levels_free(&pen->levels);
}

static void soch_pen_no_memory(soch_pen *pen)
{
    if (pen->status == PITH_OK)
        pen->status = error_no_memory(pen->err);
}

/* ------------------------------------------------------------------------- text */

static void soch_put_quoted(soch_pen *pen, pith_text text)
{
    pen_write_quoted(pen->out, text, PEN_RAW_CONTROLS);
}

static void soch_put_text(soch_pen *pen, pith_text text, bool of_text)
{
    if (soch_must_quote(text) || (!of_text && soch_looks_like(text)))
        soch_put_quoted(pen, text);
    else
        out_text(pen->out, text);
}

/* A name; `real` when "_" must not be taken for the name that stands for none. */
static void soch_put_name(soch_pen *pen, pith_text name, bool real)
{
    if (soch_is_identifier(name) && !(real && text_is(name, SOCH_UNNAMED))) {
        out_text(pen->out, name);
        return;
    }
    if (pen->seed_only) {
        soch_refuse(pen, PITH_UNREPRESENTABLE, "unrepresentable",
                    "the name \"%s\" needs quotes, an extension that seed-only refuses",
                    error_quote(name.ptr, name.len).text);
    }
    soch_put_quoted(pen, name);
}

/* ---------------------------------------------------------------------- numbers */

static void soch_put_integer(soch_pen *pen, const pith_slot *slot)
{
    pith_text digits = slot_text(slot);
    int64_t sign;
    uint64_t size;
    if (slot->flags & SLOT_CANONICAL) {
        out_text(pen->out, digits);
        return;
    }
    if (num_to_int64(digits, &sign)) {
        out_reserve(pen->out, NUM_INT64_MAX_LEN);
        pen->out->at += num_write_int64(pen->out->at, sign);
    } else if (num_to_uint64(digits, &size)) {
        out_text(pen->out, digits);
    } else {
        soch_refuse(pen, PITH_UNREPRESENTABLE, "out_of_range",
                    "%s is beyond the integers of 64 bits that this format has",
                    error_quote(digits.ptr, digits.len).text);
    }
}

/* Canonical digits of another kind are mostly canonical here too. */
static bool soch_is_float_text(const pith_slot *slot)
{
    const char *at = slot->u.text + (slot->u.text[0] == '-');
    return slot->flags & SLOT_CANONICAL && !(slot->n > 6 && memcmp(at, "0.0000", 6) == 0);
}

/* All digits, without an exponent, which the original grammar has not. */
static void soch_put_positional(soch_pen *pen, double number)
{
    num_decimal shortest = num_shortest(number);
    decimal_span digits = {
        .high = text_of(shortest.digits, (size_t)shortest.count),
        .magnitude = shortest.exponent,
    };
    if (shortest.negative)
        out_byte(pen->out, '-');
    if (shortest.count == 0)
        out_byte(pen->out, '0');
    else
        decimal_lay_plain(pen->out, &digits);
    if (shortest.count <= shortest.exponent + 1)
        out_bytes(pen->out, ".0", 2);
}

static void soch_put_float(soch_pen *pen, const pith_slot *slot)
{
    if (slot->kind == PITH_DECIMAL && soch_is_float_text(slot)) {
        out_text(pen->out, slot_text(slot));
        return;
    }
    double number = typed_double(slot);
    const char *word = typed_odd_float(number);
    if (word && slot->kind == PITH_DECIMAL) {
        soch_refuse(pen, PITH_UNREPRESENTABLE, "out_of_range",
                    "%s is beyond the largest double",
                    error_quote(slot->u.text, slot->n).text);
    } else if (word) {
        if (pen->seed_only) {
            soch_refuse(pen, PITH_UNREPRESENTABLE, "unrepresentable",
                        "%s is an extension, which seed-only refuses", word);
        }
        out_string(pen->out, word);
    } else if (pen->seed_only) {
        soch_put_positional(pen, number);
    } else {
        out_reserve(pen->out, TYPED_FLOAT_MAX_LEN);
        pen->out->at += typed_write_double(pen->out->at, number);
    }
}

/* ----------------------------------------------------------------------- values */

static void soch_put_null(soch_pen *pen)
{
    out_string(pen->out, pen->null_word);
}

/* Bytes have their prefix, but for a column that is known to hold them. */
static void soch_put_bytes(soch_pen *pen, pith_text base64, bool of_bytes)
{
    bool bare = of_bytes && base64.len > 0 && !text_is(base64, "null");
    if (!bare && pen->seed_only) {
        soch_refuse(pen, PITH_UNREPRESENTABLE, "unrepresentable",
                    "b64:%s is an extension, which seed-only refuses; in a column of the "
                    "type bytes all bytes need no b64: but none at all and those of null",
                    error_quote(base64.ptr, base64.len).text);
    }
    if (!bare)
        out_string(pen->out, TYPED_BYTES_PREFIX);
    out_text(pen->out, base64);
}

static void soch_put_ref(soch_pen *pen, const pith_slot *slot)
{
    out_string(pen->out, "ref(");
    soch_put_name(pen, slot_text(slot + 1), false);
    out_byte(pen->out, ',');
    out_text(pen->out, slot_text(slot + 2));
    out_byte(pen->out, ')');
}

/* A value that is no array or object, where the column is of that type. */
static void soch_put_scalar(soch_pen *pen, const pith_slot *slot, pith_type column)
{
    switch (slot->kind) {
    case PITH_FALSE:
        out_string(pen->out, pen->false_word);
        return;
    case PITH_TRUE:
        out_string(pen->out, pen->true_word);
        return;
    case PITH_INTEGER:
        soch_put_integer(pen, slot);
        return;
    case PITH_DECIMAL:
        soch_put_float(pen, slot);
        return;
    case PITH_STRING:
        break;
    default:
        soch_put_null(pen);
        return;
    }
    pith_text table;
    uint64_t id;
    bool may_refer = column == PITH_TYPE_REF || (pen->refs && column != PITH_TYPE_TEXT);
    if (slot->flags & SLOT_TYPED)
        if (typed_of(slot) == PITH_TYPE_BYTES)
            soch_put_bytes(pen, typed_base64(slot), column == PITH_TYPE_BYTES);
        else
            soch_put_float(pen, slot);
    else if (may_refer && soch_is_ref_text(slot_text(slot), &table, &id))
        out_text(pen->out, slot_text(slot));
    else
        soch_put_text(pen, slot_text(slot), column == PITH_TYPE_TEXT);
}

/* An array or object with everything in it. */
static void soch_put_nested(soch_pen *pen, const pith_doc *doc, const pith_slot *root)
{
    doc_walk walk = walk_begin(&pen->levels, doc, root);
    do {
        if (!walk.first)
            out_byte(pen->out, ',');
        if (walk.level.key) {
            soch_put_name(pen, key_text(walk.level.key++), false);
            out_byte(pen->out, ':');
        }
        if (!slot_is_container(walk.at)) {
            soch_put_scalar(pen, walk.at, PITH_TYPE_ANY);
            walk_pass(&walk);
        } else if (typed_of(walk.at) == PITH_TYPE_REF) {
            soch_put_ref(pen, walk.at);
            walk_pass(&walk);
        } else {
            out_byte(pen->out, walk.at->kind == PITH_ARRAY ? '[' : '{');
            if (!walk_enter(&walk)) {
                soch_pen_no_memory(pen);
                return;
            }
        }
        while (walk_at_end(&walk)) {
            out_byte(pen->out, walk.level.container->kind == PITH_ARRAY ? ']' : '}');
            walk_leave(&walk);
        }
    } while (walk.level.container);
}

/* The numbers of a vector, whole ones too. */
static void soch_put_vector(soch_pen *pen, const pith_slot *slot)
{
    out_byte(pen->out, '[');
    for (uint32_t i = 1; i <= slot->n; i++) {
        if (i > 1)
            out_byte(pen->out, ',');
        soch_put_float(pen, &slot[i]);
    }
    out_byte(pen->out, ']');
}

/* A cell that fits a column of that type, but may be spelled otherwise. */
static void soch_put_fitted(soch_pen *pen, const pith_doc *doc, const soch_fitted *fitted,
                            pith_type type)
{
    const pith_slot *cell = fitted->cell;
    if (!cell || cell->kind == PITH_NULL)
        soch_put_null(pen);
    else if (fitted->base64.ptr)
        soch_put_bytes(pen, fitted->base64, true);
    else if (type == PITH_TYPE_FLOAT)
        soch_put_float(pen, cell);
    else if (type == PITH_TYPE_VEC)
        soch_put_vector(pen, cell);
    else if (slot_is_container(cell))
        soch_put_nested(pen, doc, cell);
    else
        soch_put_scalar(pen, cell, type);
}

void soch_put_cell(soch_pen *pen, const pith_doc *doc, const pith_slot *cell,
                   const pith_field *field)
{
    if (pen->fits) {
        soch_fitted fitted;
        if (soch_fit(field, cell, pen->row, &fitted, &pen->status, pen->err))
            soch_put_fitted(pen, doc, &fitted, field->type);
    } else if (!cell) {
        soch_put_null(pen);
    } else if (slot_is_container(cell)) {
        soch_put_nested(pen, doc, cell);
    } else {
        soch_put_scalar(pen, cell, field->type);
    }
}

/* ---------------------------------------------------------------------- headers */

static void soch_put_number(soch_pen *pen, uint64_t number)
{
    out_reserve(pen->out, NUM_UINT64_MAX_LEN);
    pen->out->at += num_write_uint64(pen->out->at, number);
}

static void soch_put_type(soch_pen *pen, const pith_field *field)
{
    const char *word = soch_type_word(field->type);
    if (!word)
        return;
    if (pen->seed_only && field->type > PITH_TYPE_VEC) {
        soch_refuse(pen, PITH_UNREPRESENTABLE, "unrepresentable",
                    "the type %s is an extension, which seed-only refuses", word);
    }
    out_byte(pen->out, ':');
    out_string(pen->out, word);
    if (field->type == PITH_TYPE_VEC) {
        out_byte(pen->out, '(');
        soch_put_number(pen, field->size);
        out_byte(pen->out, ')');
    } else if (field->type == PITH_TYPE_REF && field->target.len > 0) {
        out_byte(pen->out, '(');
        soch_put_name(pen, field->target, false);
        out_byte(pen->out, ')');
    }
    if (field->nullable)
        out_byte(pen->out, '?');
}

void soch_put_header(soch_pen *pen, const doc_table *table, const pith_field *fields,
                     uint64_t count)
{
    if (pen->seed_only && count == 0) {
        soch_refuse(pen, PITH_UNREPRESENTABLE, "unrepresentable",
                    "the table \"%s\" has no rows, an extension that seed-only refuses",
                    error_quote(table->name.ptr, table->name.len).text);
    }
    soch_put_name(pen, table->name, !table->unnamed);
    out_byte(pen->out, '[');
    soch_put_number(pen, count);
    out_string(pen->out, "]{");
    for (size_t i = 0; i < table->field_count; i++) {
        if (i > 0)
            out_byte(pen->out, ',');
        soch_put_name(pen, fields[i].name, !table->single);
        soch_put_type(pen, &fields[i]);
    }
    out_string(pen->out, "}:");
}

void soch_put_separator(soch_pen *pen, uint64_t row)
{
    pen->row = row;
    if (row > 0 && pen->rows != SOCH_ROWS_NL)
        out_byte(pen->out, ';');
    if (pen->rows != SOCH_ROWS_COMPACT)
        out_byte(pen->out, '\n');
}
