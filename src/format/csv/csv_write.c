/*
 * csv_write.c - flat tables as CSV.
 *
 * The fields of the first row, or the columns the caller named, are the header; every
 * row is written in their order and must have them all. With absent=union they are the fields
 * of all rows, as far as these are known when the header is written. Text stands in quotes, other
 * values do not, so that types survive (see csv.h); quote=needed leaves the quotes off
 * where the text could not be taken for anything else.
 *
 * Rows nearly always have the fields in the order of the header, which is what doc/names
 * guesses.
 */
#include "base/lex.h"
#include "base/utf8.h"
#include "doc/names.h"
#include "format/csv/csv.h"
#include "format/json/json.h"

#include <assert.h>

typedef struct csv_writer {
    char delimiter;
    bool has_header;
    bool quote_needed; /* quotes only where something would be lost */
    bool nested_json;
    bool absent_null;
    bool takes_union; /* the header has the fields of all rows */
    bool crlf;
    uint64_t formulas; /* what becomes of them */
    pith_out *out;
    pith_alloc alloc;
    pith_error *err;
    uint64_t rows; /* begun */

    bool begun;        /* the header is known */
    pith_arena copies; /* of names, when the rows do not outlive their call */
    bool own_names;
    name_list names;               /* of the columns */
    LIST(const pith_slot *) cells; /* of the row at hand, by column */

    bool nested_ready;
    pith_out nested; /* writes JSON into a cell; last, for it need not be cleared */
} csv_writer;

static void csv_writer_init(csv_writer *w, const settings *set, pith_out *out)
{
    memset(w, 0, offsetof(csv_writer, nested));
    w->delimiter = csv_delimiter(set) ? csv_delimiter(set) : ',';
    w->has_header = settings_bool(set, CSV_HEADER);
    w->quote_needed = settings_bool(set, CSV_QUOTE);
    w->nested_json = settings_bool(set, CSV_NESTED);
    w->absent_null = settings_bool(set, CSV_ABSENT);
    w->takes_union = settings_number(set, CSV_ABSENT) == CSV_ABSENT_UNION;
    w->crlf = settings_bool(set, CSV_NEWLINE);
    w->formulas = settings_number(set, CSV_FORMULAS);
    w->out = out;
    w->alloc = out->alloc;
    arena_init(&w->copies, w->alloc);
    names_init(&w->names, w->alloc, hash_seed(w->alloc));
}

static void csv_writer_free(csv_writer *w)
{
    arena_free(&w->copies);
    names_free(&w->names);
    LIST_FREE(&w->cells, &w->alloc);
    if (w->nested_ready)
        out_abandon(&w->nested);
}

/* -------------------------------------------------------------------------- cells */

/* Text with every quote written twice. */
static void csv_write_doubled(pith_out *out, const char *at, size_t len)
{
    const char *end = at + len;
    while (at < end) {
        const char *quote = (const char *)memchr(at, '"', (size_t)(end - at));
        if (!quote)
            break;
        out_bytes(out, at, (size_t)(quote - at) + 1);
        out_byte(out, '"');
        at = quote + 1;
    }
    out_bytes(out, at, (size_t)(end - at));
}

static void csv_write_quoted(pith_out *out, pith_text text)
{
    out_byte(out, '"');
    csv_write_doubled(out, text.ptr, text.len);
    out_byte(out, '"');
}

/* True for a text that a spreadsheet takes for a formula, and runs, with quotes or
 * without. */
static bool csv_is_formula(pith_text text)
{
    return text.len > 0 && memchr("=+-@\t\r\n", text.ptr[0], 7);
}

/* Where formulas are not kept as they are, for a text that is one. */
static bool csv_meets_formula(const csv_writer *w, pith_text text)
{
    return w->formulas != CSV_FORMULAS_KEEP && csv_is_formula(text);
}

/* With a ' in front, which makes it text. */
static void csv_write_disarmed(pith_out *out, pith_text text)
{
    out_string(out, "\"'");
    csv_write_doubled(out, text.ptr, text.len);
    out_byte(out, '"');
}

/* True when the text, standing without quotes, would be read as something else, be cut,
 * or be trimmed by a reader that does so. */
static bool csv_needs_quotes(pith_text text, char delimiter)
{
    if (text.len == 0)
        return true;
    const char *end = text.ptr + text.len;
    unsigned char first = (unsigned char)*text.ptr;
    unsigned char last = (unsigned char)end[-1];
    if (first <= ' ' || last <= ' ' || utf8_bom(text.ptr, text.len) > 0)
        return true;
    if ((scan_is_digit(first) || first == '-') &&
        lex_read_number(text.ptr, end).end == end)
        return true;
    if (text_is(text, "true") || text_is(text, "false"))
        return true;
    for (const char *at = text.ptr; at < end; at++)
        if (*at == delimiter || *at == '"' || (unsigned char)*at < ' ')
            return true;
    return false;
}

/* A header that holds a delimiter of another kind, or begins as a line that names one,
 * would be misunderstood. */
static bool csv_name_misleads(pith_text name)
{
    return (name.len >= 4 && memcmp(name.ptr, "sep=", 4) == 0) ||
           memchr(name.ptr, ';', name.len) || memchr(name.ptr, ',', name.len);
}

static void csv_write_name(csv_writer *w, pith_text name)
{
    if (csv_meets_formula(w, name))
        csv_write_disarmed(w->out, name);
    else if (csv_needs_quotes(name, w->delimiter) || csv_name_misleads(name))
        csv_write_quoted(w->out, name);
    else
        out_text(w->out, name);
}

static pith_status csv_nested_sink(void *ctx, const char *data, size_t len)
{
    csv_writer *w = (csv_writer *)ctx;
    csv_write_doubled(w->out, data, len);
    return PITH_OK;
}

static void csv_write_nested(csv_writer *w, const pith_doc *doc, const pith_slot *slot)
{
    assert(slot_is_container(slot));
    if (!w->nested_ready) {
        pith_options options;
        pith_sink sink = {csv_nested_sink, w};
        memset(&options, 0, sizeof options);
        options.alloc = w->alloc;
        out_init(&w->nested, sink, &options);
        w->nested_ready = true;
    }
    out_byte(w->out, '"');
    json_write_compact(&w->nested, doc, (uint32_t)(slot - doc->slots), false);
    out_flush(&w->nested, 0);
    out_byte(w->out, '"');
    if (w->nested.status != PITH_OK)
        out_fail(w->out, w->nested.status, w->nested.code);
}

static void csv_write_cell(csv_writer *w, const pith_doc *doc, const pith_slot *slot)
{
    pith_out *out = w->out;
    if (slot->kind == PITH_STRING) {
        pith_text text = slot_text(slot);
        if (csv_meets_formula(w, text)) {
            csv_write_disarmed(out, text);
        } else if (w->quote_needed && !csv_needs_quotes(text, w->delimiter)) {
            out_text(out, text);
        } else if (slot->flags & SLOT_ESCAPE) {
            csv_write_quoted(out, text);
        } else {
            out_byte(out, '"');
            out_text(out, text);
            out_byte(out, '"');
        }
    } else if (slot_is_container(slot)) {
        csv_write_nested(w, doc, slot);
    } else if (slot->kind != PITH_NULL) {
        out_text(out, slot_text(slot));
    }
}

static void csv_write_break(csv_writer *w)
{
    if (w->crlf)
        out_byte(w->out, '\r');
    out_byte(w->out, '\n');
}

/* ------------------------------------------------------------------------ columns */

static pith_status csv_add_column(csv_writer *w, const pith_key *name, pith_error *err)
{
    pith_key key = *name;
    if (w->formulas == CSV_FORMULAS_REFUSE && csv_is_formula(key_text(name))) {
        return error_set(err, PITH_UNREPRESENTABLE, "formula",
                         "the column \"%s\" is named as a formula is written, and "
                         "formulas=refuse",
                         error_quote(name->text, name->len).text);
    }
    if (w->own_names) {
        key.text = arena_copy(&w->copies, key.text, key.len);
        key.flags |= SLOT_NEAR_END;
    }
    if ((w->own_names && !key.text) || !LIST_RESERVE(&w->cells, &w->alloc, 1))
        return error_no_memory(err);
    w->cells.count++;
    return names_add(&w->names, &key) ? PITH_OK : error_no_memory(err);
}

static void csv_write_header(csv_writer *w)
{
    w->begun = true;
    if (!w->has_header)
        return;
    for (size_t i = 0; i < w->cells.count; i++) {
        if (i > 0)
            out_byte(w->out, w->delimiter);
        csv_write_name(w, key_text(&w->names.keys.at[i]));
    }
    csv_write_break(w);
}

static pith_status csv_start_with(csv_writer *w, const pith_doc *doc,
                                  const pith_slot *row)
{
    const pith_key *keys = doc_keys(doc, row);
    if (row->n == 0) {
        return error_set(w->err, PITH_UNREPRESENTABLE, "no_fields",
                         "row 1 has no fields; a table needs at least one");
    }
    pith_status status = PITH_OK;
    for (uint32_t i = 0; i < row->n && status == PITH_OK; i++)
        status = csv_add_column(w, &keys[i], w->err);
    if (status == PITH_OK)
        csv_write_header(w);
    return status;
}

/* The fields of all rows, in the order in which they first come. */
static pith_status csv_start_union(csv_writer *w, const pith_doc *doc, uint32_t array)
{
    uint32_t at = array + 1;
    for (uint32_t i = 0; i < doc->slots[array].n; i++, at = doc_after_at(doc, at)) {
        const pith_slot *row = &doc->slots[at];
        const pith_key *keys = row->kind == PITH_OBJECT ? doc_keys(doc, row) : NULL;
        uint32_t column = 0;
        for (uint32_t k = 0; keys && k < row->n; k++, column++) {
            column = names_find(&w->names, &keys[k], column);
            if (column != NAMES_NONE)
                continue;
            pith_status status = w->names.failed ? error_no_memory(w->err)
                                                 : csv_add_column(w, &keys[k], w->err);
            if (status != PITH_OK)
                return status;
        }
    }
    if (w->cells.count > 0)
        csv_write_header(w);
    return PITH_OK;
}

/* --------------------------------------------------------------------------- rows */

static const row_refusal csv_extra = {"extra_field",
                                      " has a field that the header lacks,", ""};
static const row_refusal csv_nested = {"nested_value",
                                       " holds an array or object in field",
                                       "; nested=json writes it as JSON"};
static const row_refusal csv_formula = {"formula", " holds a formula in field",
                                        "; formulas=quote makes it text"};
static const row_refusal csv_missing = {"missing_field", " lacks the field",
                                        "; absent=null leaves the cell empty"};

/* Puts the row's members in column order. */
static pith_status csv_arrange(csv_writer *w, const pith_doc *doc, const pith_slot *row)
{
    const pith_key *keys = doc_keys(doc, row);
    const pith_slot *at = row + 1;
    uint32_t column = 0;
    memset((void *)w->cells.at, 0, w->cells.count * sizeof *w->cells.at);
    for (uint32_t i = 0; i < row->n; i++, column++) {
        column = names_find(&w->names, &keys[i], column);
        if (column == NAMES_NONE) {
            return w->names.failed ? error_no_memory(w->err)
                                   : row_refuse(&csv_extra, w->rows, &keys[i], w->err);
        }
        if (slot_is_container(at) && !w->nested_json)
            return row_refuse(&csv_nested, w->rows, &keys[i], w->err);
        if (w->formulas == CSV_FORMULAS_REFUSE && at->kind == PITH_STRING &&
            csv_is_formula(slot_text(at)))
            return row_refuse(&csv_formula, w->rows, &keys[i], w->err);
        w->cells.at[column] = at;
        at = doc_after(doc, at);
    }
    if (row->n == w->cells.count || w->absent_null)
        return PITH_OK;
    column = 0;
    while (w->cells.at[column])
        column++;
    return row_refuse(&csv_missing, w->rows, &w->names.keys.at[column], w->err);
}

static pith_status csv_write_row(csv_writer *w, const pith_doc *doc, const pith_slot *row)
{
    w->rows++;
    if (row->kind != PITH_OBJECT) {
        return error_set(w->err, PITH_UNREPRESENTABLE, "not_an_object",
                         "row %llu is not an object; a table is made of objects with "
                         "equal fields",
                         (unsigned long long)w->rows);
    }
    pith_status status = w->begun ? PITH_OK : csv_start_with(w, doc, row);
    if (status == PITH_OK)
        status = csv_arrange(w, doc, row);
    for (size_t i = 0; i < w->cells.count && status == PITH_OK; i++) {
        if (i > 0)
            out_byte(w->out, w->delimiter);
        if (w->cells.at[i])
            csv_write_cell(w, doc, w->cells.at[i]);
    }
    if (status == PITH_OK)
        csv_write_break(w);
    return status;
}

pith_status csv_encode(encode_job *job)
{
    const pith_slot *root = &job->doc->slots[job->at];
    csv_writer w;
    pith_status status = PITH_OK;
    if (root->kind != PITH_ARRAY) {
        return error_set(job->err, PITH_UNREPRESENTABLE, "not_an_array",
                         "a table is an array of objects, and this value is not one");
    }
    csv_writer_init(&w, job->set, job->out);
    w.err = job->err;
    if (w.takes_union)
        status = csv_start_union(&w, job->doc, job->at);
    uint32_t at = job->at + 1;
    for (uint32_t i = 0; i < root->n && status == PITH_OK && job->out->status == PITH_OK;
         i++) {
        status = csv_write_row(&w, job->doc, &job->doc->slots[at]);
        at = doc_after_at(job->doc, at);
    }
    csv_writer_free(&w);
    return status;
}

/* ---------------------------------------------------------------------- one by one */

static pith_status csv_rows_open(row_table *table, pith_out *out, pith_error *err)
{
    csv_writer *w = (csv_writer *)table->state;
    csv_writer_init(w, table->set, out);
    pith_status status = PITH_OK;
    for (size_t i = 0; i < table->column_count && status == PITH_OK; i++)
        status = csv_add_column(w, &table->columns[i], err);
    if (status == PITH_OK && table->column_count > 0)
        csv_write_header(w);
    w->own_names = true;
    return status;
}

static pith_status csv_rows_row(row_table *table, pith_out *out, const row_cells *row,
                                pith_error *err)
{
    csv_writer *w = (csv_writer *)table->state;
    assert(w->out == out);
    (void)out;
    w->err = err;
    return csv_write_row(w, row->doc, row->row);
}

static void csv_rows_close(row_table *table)
{
    csv_writer_free((csv_writer *)table->state);
}

const row_format csv_row_format = {
    .state_size = sizeof(csv_writer),
    .open = csv_rows_open,
    .row = csv_rows_row,
    .close = csv_rows_close,
};
