/*
 * soch_write_text.c - tables as text.
 *
 *     users[2]{id,name}:1,Alice;2,Bob
 */
#include "base/decimal.h"
#include "base/utf8.h"
#include "format/pen.h"
#include "format/soch/soch_write.h"

#include <math.h>

static void soch_refuse_extension(soch_pen *pen, const char *what)
{
    soch_refuse(pen, "unrepresentable", "%s is an extension, which seed-only refuses",
                what);
}

/* ------------------------------------------------------------------------- text */

static void soch_put_quoted(soch_pen *pen, pith_text text)
{
    pen_write_quoted(pen->out, text, PEN_RAW_CONTROLS);
}

/* What must be in quotes wherever it is in a text; a quote and a control show in its flags. */
#define SOCH_MARKS SCAN_SET(SCAN_BRACKETS, ',', ';', 0x7F)

/* With safe=true, for a text with something in it that nobody sees. */
static bool soch_is_hidden(const soch_pen *pen, pith_text text)
{
    return pen->out->safe && utf8_find_hidden(text.ptr, text.len) < text.len;
}

static bool soch_is_special_text(const char *text, size_t len)
{
    return soch_is_special(text_of(text, len));
}

static bool soch_is_misread(const char *text, size_t len)
{
    return soch_is_special(text_of(text, len)) || soch_looks_like(text_of(text, len));
}

/* Texts in a column of them, and in any other: null, ref( and words, numbers, b64:. */
static const pen_lexis soch_text_lexis = {
    .suspects = {PEN_BIT(' '), PEN_BIT('n') | PEN_BIT('r')},
    .is_misread = soch_is_special_text,
    .is_odd_wide = soch_is_special_text,
};
static const pen_lexis soch_lexis = {
    .suspects = {PEN_BIT(' ') | PEN_BIT('+') | PEN_BIT('-') | PEN_BIT('.') | PEN_DIGITS,
                 PEN_BIT('F') | PEN_BIT('I') | PEN_BIT('N') | PEN_BIT('T') |
                     PEN_BIT('b') | PEN_BIT('f') | PEN_BIT('n') | PEN_BIT('r') |
                     PEN_BIT('t')},
    .is_misread = soch_is_misread,
    .is_odd_wide = soch_is_special_text,
};

static void soch_put_text(soch_pen *pen, const pith_slot *slot, pith_type column)
{
    pith_text text = slot_text(slot);
    const pen_lexis *lexis = column == PITH_TYPE_TEXT ? &soch_text_lexis : &soch_lexis;
    out_reserve(pen->out, PEN_STRIDE);
    char *to = pen->out->at;
    switch (pen_copy(lexis, SOCH_MARKS, to, text.ptr, text.len, slot->flags)) {
    case PEN_BARE:
        pen->out->at = to + text.len;
        break;
    case PEN_QUOTED:
        pen->out->at = pen_enclose(to, text.ptr, text.len);
        break;
    case PEN_SUSPECT:
        pen->out->at = pen_put_suspect(lexis, to, text.ptr, text.len, slot->flags);
        break;
    default:
        if (soch_must_quote(text) || soch_is_hidden(pen, text) ||
            (column != PITH_TYPE_TEXT && soch_looks_like(text)))
            soch_put_quoted(pen, text);
        else
            out_text(pen->out, text);
    }
}

static NEVER_INLINE void soch_put_quoted_name(soch_pen *pen, pith_text name)
{
    if (pen->seed_only) {
        soch_refuse(pen, "unrepresentable",
                    "the name \"%s\" needs quotes, an extension that seed-only refuses",
                    error_quote(name.ptr, name.len).text);
    }
    soch_put_quoted(pen, name);
}

/* A name; `real` when "_" must not be taken for the name that stands for none. */
static inline void soch_put_name(soch_pen *pen, pith_text name, bool real)
{
    if (soch_is_identifier(name) && !soch_is_hidden(pen, name) &&
        !(real && text_is(name, SOCH_UNNAMED)))
        out_text(pen->out, name);
    else
        soch_put_quoted_name(pen, name);
}

/* ---------------------------------------------------------------------- numbers */

static NEVER_INLINE void soch_put_other_integer(soch_pen *pen, pith_text digits)
{
    int64_t sign;
    uint64_t size;
    if (num_to_int64(digits, &sign)) {
        out_reserve(pen->out, NUM_INT64_MAX_LEN);
        pen->out->at += num_write_int64(pen->out->at, sign);
    } else if (num_to_uint64(digits, &size)) {
        out_text(pen->out, digits);
    } else {
        soch_refuse(pen, "out_of_range",
                    "%s is beyond the integers of 64 bits that this format has",
                    error_quote(digits.ptr, digits.len).text);
    }
}

static void soch_put_integer(soch_pen *pen, const pith_slot *slot)
{
    if (slot->flags & SLOT_CANONICAL)
        out_text(pen->out, slot_text(slot));
    else
        soch_put_other_integer(pen, slot_text(slot));
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

/* A number that is not written as it is. */
static NEVER_INLINE void soch_put_other_float(soch_pen *pen, const pith_slot *slot)
{
    double number = typed_double(slot);
    const char *word = typed_odd_float(number);
    if (word && slot->kind == PITH_DECIMAL) {
        soch_refuse(pen, "out_of_range", "%s is beyond the largest double",
                    error_quote(slot->u.text, slot->n).text);
    } else if (word) {
        if (pen->seed_only)
            soch_refuse_extension(pen, word);
        out_string(pen->out, word);
    } else if (pen->seed_only) {
        soch_put_positional(pen, number);
    } else {
        out_reserve(pen->out, TYPED_FLOAT_MAX_LEN);
        pen->out->at += typed_write_double(pen->out->at, number);
    }
}

static void soch_put_float(soch_pen *pen, const pith_slot *slot)
{
    if (slot->kind == PITH_DECIMAL && soch_is_float_text(slot))
        out_text(pen->out, slot_text(slot));
    else
        soch_put_other_float(pen, slot);
}

/* ----------------------------------------------------------------------- values */

static void soch_put_word(soch_pen *pen, pith_kind kind)
{
    out_text(pen->out, pen->words[kind - PITH_NULL]);
}

/* Bytes have their prefix, but for a column that is known to hold them. */
static void soch_put_bytes(soch_pen *pen, pith_text base64, pith_type column)
{
    bool bare = column == PITH_TYPE_BYTES && base64.len > 0 && !text_is(base64, "null");
    if (!bare && pen->seed_only) {
        soch_refuse(pen, "unrepresentable",
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

static void soch_put_open(soch_pen *pen, const pith_slot *slot)
{
    out_byte(pen->out, slot->kind == PITH_ARRAY ? '[' : '{');
}

static void soch_put_key(soch_pen *pen, const pith_key *key)
{
    soch_put_name(pen, key_text(key), false);
    out_byte(pen->out, ':');
}

static const soch_script soch_text_script = {
    .word = soch_put_word,
    .integer = soch_put_integer,
    .number = soch_put_float,
    .text = soch_put_text,
    .bytes = soch_put_bytes,
    .ref = soch_put_ref,
    .vector = soch_put_vector,
    .open = soch_put_open,
    .key = soch_put_key,
    .marked = true,
};

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
        soch_refuse(pen, "unrepresentable",
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

static pith_status soch_text_header(row_table *rows, pith_out *out, uint64_t count,
                                    pith_error *err)
{
    soch_writer *w = soch_settle_fields(rows, out, err);
    soch_pen *pen = &w->pen;
    const doc_table *table = &w->table;
    if (pen->seed_only && count == 0) {
        soch_refuse(pen, "unrepresentable",
                    "the table \"%s\" has no rows, an extension that seed-only refuses",
                    error_quote(table->name.ptr, table->name.len).text);
    }
    soch_put_name(pen, table->name, !table->unnamed);
    out_byte(out, '[');
    soch_put_number(pen, count);
    out_string(out, "]{");
    for (size_t i = 0; i < table->field_count; i++) {
        if (i > 0)
            out_byte(out, ',');
        soch_put_name(pen, table->fields[i].name, !table->single);
        soch_put_type(pen, &table->fields[i]);
    }
    out_string(out, "}:");
    return pen->status;
}

/* ------------------------------------------------------------------------- rows */

static pith_status soch_text_begin(row_table *rows, pith_out *out, pith_error *err)
{
    soch_settle_fields(rows, out, err);
    return PITH_OK;
}

static pith_status soch_text_row(row_table *rows, pith_out *out, const row_cells *row,
                                 pith_error *err)
{
    soch_writer *w = soch_next_row(rows, out, err);
    row_cells cells = *row; /* where no write can reach it */
    const pith_slot *at = cells.row + 1;
    if (rows->rows > 0 && w->pen.rows != SOCH_ROWS_NL)
        out_byte(out, ';');
    if (w->pen.rows != SOCH_ROWS_COMPACT)
        out_byte(out, '\n');
    for (size_t i = 0; i < w->table.field_count; i++) {
        if (i > 0)
            out_byte(out, ',');
        soch_put_cell(&w->pen, cells.doc, row_next_cell(&cells, i, &at),
                      &w->table.fields[i]);
    }
    return w->pen.status;
}

/* --------------------------------------------------------------------- settings */

static soch_wish soch_text_wish(const settings *set)
{
    return (soch_wish){.types = (unsigned)settings_number(set, SOCH_TYPES),
                       .fields = settings_text(set, SOCH_FIELDS),
                       .name = settings_text(set, SOCH_NAME),
                       .fill = settings_bool(set, SOCH_FILL_MISSING),
                       .seed_only = settings_bool(set, SOCH_SEED_ONLY),
                       .refs = settings_number(set, SOCH_REFS) != 0};
}

static pith_status soch_text_set(soch_writer *w, const settings *set, pith_error *err)
{
    soch_pen *pen = &w->pen;
    bool word = settings_bool(set, SOCH_MIN_TOKENS) || settings_number(set, SOCH_NULL);
    bool full = settings_number(set, SOCH_BOOL) != 0;
    pen->rows = (unsigned)settings_number(set, SOCH_ROWS);
    pen->words[PITH_NULL - PITH_NULL] = text_from(word ? "null" : SOCH_NULL_SIGN);
    pen->words[PITH_FALSE - PITH_NULL] = text_from(full ? "false" : "F");
    pen->words[PITH_TRUE - PITH_NULL] = text_from(full ? "true" : "T");
    pen->seed_only = w->wish.seed_only;
    pen->err = err;
    if (pen->seed_only && pen->rows == SOCH_ROWS_NL)
        soch_refuse_extension(pen, "rows=nl");
    return pen->status;
}

static unsigned soch_text_rules(const settings *set)
{
    soch_wish wish = soch_text_wish(set);
    return soch_row_rules(&wish);
}

static const soch_form soch_text_form = {
    .script = &soch_text_script,
    .between = "\n",
    .thins = true,
    .wish = soch_text_wish,
    .set = soch_text_set,
};

static pith_status soch_text_open(row_table *rows, pith_out *out, pith_error *err)
{
    (void)out;
    return soch_open_rows(rows, &soch_text_form, err);
}

const row_format soch_row_format = {
    .state_size = sizeof(soch_writer),
    .typed = true,
    .missing = SOCH_MISSING_CELL,
    .rules = soch_text_rules,
    .open = soch_text_open,
    .header = soch_text_header,
    .begin = soch_text_begin,
    .row = soch_text_row,
    .close = soch_close_rows,
};

pith_status soch_encode(encode_job *job)
{
    return soch_write_value(job, &soch_text_form, &soch_row_format);
}
