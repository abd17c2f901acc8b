/*
 * gcf_stream.c - rows that leave one at a time.
 *
 *     GCF profile=generic
 *     ## [?]{id,name}             how many there will be is not known yet
 *     1|Ada
 *     2|~
 *     ##! summary counts=2        and is written at the end
 *
 * A row is written and forgotten, so nothing can be below it: cells are scalars. That
 * also rules out columns whose name holds a >, which would be read as paths.
 *
 * An object has members and several tables:
 *
 *     GCF profile=generic
 *     station=OSL-3
 *     tags[2]: a,b
 *     ## readings [?]{time,degrees}
 *     06:00|-3.5
 *     ## sensors [?:]{key,kind}   a row is a member, under the key in its first cell
 *     s1|wind
 *     ##! summary counts=1,1
 *
 * Nothing but a ## tells where a table without a count ends: key=value after one would
 * be read as a row. So members that begin otherwise must come before the first table, or
 * after one that begins with ##.
 */
#include "format/gcf/gcf_encode.h"
#include "format/rows.h"

typedef struct gcf_stream {
    gcf_writer w;          /* only its pen is used */
    gcf_table shape;       /* of the table: as simple as can be */
    LIST(uint64_t) counts; /* of the tables that have ended */
    bool after_table;      /* nothing has been written after the last of them */
} gcf_stream;

static unsigned gcf_stream_rules(const settings *set)
{
    (void)set;
    return ROWS_SCALARS;
}

static pith_status gcf_stream_open(row_table *table, pith_out *out, pith_error *err)
{
    gcf_pen pen = {out, NULL};
    pith_status status = gcf_check_settings(table->set, err);
    if (status == PITH_OK && settings_text(table->set, GCF_GROUP).len > 0) {
        status = error_set(err, PITH_BAD_USE, "bad_setting",
                           "rows that arrive one by one cannot be put in groups");
    }
    if (status == PITH_OK)
        out->at = gcf_put_first_line(&pen, pen_room(out, out->at), table->set);
    return status;
}

static void gcf_stream_close(row_table *table)
{
    gcf_stream *state = (gcf_stream *)table->state;
    LIST_FREE(&state->counts, &table->alloc);
}

/* ---------------------------------------------------------------------- headers */

static pith_status gcf_stream_check_columns(const row_table *table, pith_error *err)
{
    for (size_t i = 0; i < table->column_count; i++) {
        const pith_key *name = &table->columns[i];
        if (gcf_is_pathlike(name)) {
            return error_set(err, PITH_UNREPRESENTABLE, "invalid_column",
                             "the column \"%s\" holds a >, which would be read as a path "
                             "into nested objects; rename it",
                             error_quote(name->text, name->len).text);
        }
    }
    return PITH_OK;
}

static pith_status gcf_stream_header(row_table *table, pith_out *out, uint64_t count,
                                     pith_error *err)
{
    gcf_pen pen = {out, NULL};
    gcf_stream *state = (gcf_stream *)table->state;
    pith_status status = gcf_stream_check_columns(table, err);
    (void)count;
    state->shape.simple = true;
    state->shape.field_count = table->column_count;
    if (status != PITH_OK)
        return status;
    char *to = pen_room(out, out->at);
    memcpy(to, "## ", 3);
    to += 3;
    if (table->object) {
        pith_key name = {table->name.ptr, (uint32_t)table->name.len, SLOT_NEAR_END, 0};
        to = gcf_put_key(&pen, to, &name);
        *to++ = ' ';
    }
    memcpy(to, table->keyed ? "[?:]{" : "[?]{", 5);
    to += table->keyed ? 5 : 4;
    if (table->keyed)
        to = gcf_put_label(out, to, table->columns, table->column_count);
    to = gcf_put_names(&pen, to, table->columns, table->column_count, false);
    *to++ = '\n';
    out->at = to;
    return PITH_OK;
}

/* ----------------------------------------------------------------- members, rows */

static pith_status gcf_stream_member(row_table *table, pith_out *out, pith_text key,
                                     const pith_doc *doc, uint32_t at, pith_error *err)
{
    gcf_stream *state = (gcf_stream *)table->state;
    if (state->after_table && !gcf_starts_section(doc, &doc->slots[at])) {
        return error_set(err, PITH_UNREPRESENTABLE, "member_after_table",
                         "after a table whose rows are not counted, the member \"%s\" "
                         "would be read as a row of it; add it before the first table",
                         error_quote(key.ptr, key.len).text);
    }
    state->after_table = false;
    return gcf_write_member(out, table->set, key, doc, at, err);
}

static pith_status gcf_stream_row(row_table *table, pith_out *out, const row_cells *row,
                                  pith_error *err)
{
    gcf_stream *state = (gcf_stream *)table->state;
    gcf_pen *pen = &state->w.pen;
    char *to = pen_room(out, out->at);
    pen->out = out;
    if (table->key) {
        to = pen_room(out, gcf_put_scalar(pen, to, table->key));
        *to++ = '|';
    }
    to = gcf_put_row_cells(&state->w, to, &state->shape, row->row, row->cells);
    *to++ = '\n';
    out->at = to;
    return pen->refused ? gcf_refuse_number(pen->refused, err) : PITH_OK;
}

/* What the table held is written at the end of the text. */
static pith_status gcf_stream_footer(row_table *table, pith_out *out, pith_error *err)
{
    gcf_stream *state = (gcf_stream *)table->state;
    uint64_t *count = LIST_ADD(&state->counts, &table->alloc);
    (void)out;
    if (!count)
        return error_no_memory(err);
    *count = table->rows;
    state->after_table = true;
    return PITH_OK;
}

/* The counts of all tables, in their order. Without a table there is nothing to tell. */
static pith_status gcf_stream_end(row_table *table, pith_out *out, pith_error *err)
{
    const gcf_stream *state = (const gcf_stream *)table->state;
    (void)err;
    if (state->counts.count == 0 || !settings_bool(table->set, GCF_SUMMARY))
        return PITH_OK;
    for (size_t i = 0; i < state->counts.count; i++) {
        out_string(out, i == 0 ? "##! summary counts=" : ",");
        out_reserve(out, NUM_UINT64_MAX_LEN);
        out->at += num_write_uint64(out->at, state->counts.at[i]);
    }
    out_byte(out, '\n');
    return PITH_OK;
}

const row_format gcf_row_format = {
    .state_size = sizeof(gcf_stream),
    .nested =
        {"nested_value", ": column",
         " is an array or object, and rows that arrive one by one hold scalars only"},
    .rules = gcf_stream_rules,
    .open = gcf_stream_open,
    .header = gcf_stream_header,
    .row = gcf_stream_row,
    .footer = gcf_stream_footer,
    .member = gcf_stream_member,
    .end = gcf_stream_end,
    .close = gcf_stream_close,
};
