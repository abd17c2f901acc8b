/*
 * toon_stream.c - a table that arrives row by row and leaves as TOON.
 *
 * The header says how many rows there are, and that is known last. So every row is
 * written at once, but put aside: in memory up to a bound, beyond it in a temporary file
 * (see spill.h). At the end the header goes out and the rows behind it. Memory depends
 * on the bound and on the longest row, never on the number of rows.
 *
 * Every row must have a scalar in every column. For a row that has not, the whole
 * document would take another form, from its first line on, and the rows put aside would
 * have to be written anew; so such a row is refused. Whoever has such rows builds a
 * document, or opens the table without naming columns, which does.
 */
#include "format/held.h"
#include "format/toon/toon_rows.h"

typedef struct toon_held {
    held_rows rows;
    toon_options options;
    toon_pen pen;
} toon_held;

static pith_status toon_stream_begin(row_stream *stream, const toon_options *options,
                                     pith_error *err)
{
    toon_held *held = (toon_held *)alloc_zeroed(&stream->alloc, sizeof *held);
    stream->state = held;
    if (!held) {
        return error_no_memory(err);
    }
    held->options = *options;
    held_open(&held->rows, stream);
    return PITH_OK;
}

static pith_status toon_begin(row_stream *stream, pith_error *err)
{
    toon_options options = toon_options_from(stream->set);
    pith_status status = toon_check_writing(&options, err);
    if (status == PITH_OK) {
        status = toon_stream_begin(stream, &options, err);
    }
    if (status == PITH_OK) {
        toon_held *held = (toon_held *)stream->state;
        toon_pen_init(&held->pen, &held->rows.out, &options);
    }
    return status;
}

static pith_status toon_rows_begin(row_stream *stream, pith_error *err)
{
    toon_options options = toon_rows_options_from(stream->set);
    pith_status status = toon_stream_begin(stream, &options, err);
    if (status == PITH_OK) {
        toon_held *held = (toon_held *)stream->state;
        toon_rows_pen_init(&held->pen, &held->rows.out, &options);
    }
    return status;
}

static void toon_stream_release(row_stream *stream)
{
    toon_held *held = (toon_held *)stream->state;
    if (held) {
        held_close(&held->rows);
        alloc_free(&stream->alloc, held, sizeof *held);
        stream->state = NULL;
    }
}

/* ---------------------------------------------------------------------------- rows */

static pith_status toon_stream_bad_cell(const row_stream *stream, size_t column,
                                        const char *code, const char *what,
                                        pith_error *err)
{
    pith_text name = stream->columns[column];
    return error_set(
        err, PITH_UNREPRESENTABLE, code,
        "row %llu: column \"%s\" is %s, and a table of rows that arrive one by "
        "one needs a scalar in every cell",
        (unsigned long long)stream->rows + 1, error_quote(name.ptr, name.len).text, what);
}

/* A row has the columns in their order, but some may be missing. */
static pith_status toon_stream_check(const row_stream *stream, const pith_doc *doc,
                                     const pith_slot *row, pith_error *err)
{
    const pith_key *keys = doc_keys(doc, row);
    const pith_slot *at = row + 1;
    for (size_t i = 0; i < stream->column_count; i++) {
        if (i >= row->n || (row->n < stream->column_count &&
                            !text_equal(key_text(&keys[i]), stream->columns[i]))) {
            return toon_stream_bad_cell(stream, i, "missing_cell", "missing", err);
        }
        if (slot_is_container(at)) {
            return toon_stream_bad_cell(stream, i, "nested_value", "an array or object",
                                        err);
        }
        at++;
    }
    return PITH_OK;
}

static pith_status toon_stream_row(row_stream *stream, const pith_doc *doc, uint32_t at,
                                   pith_error *err)
{
    toon_held *held = (toon_held *)stream->state;
    toon_pen *pen = &held->pen;
    const pith_slot *row = &doc->slots[at];
    pith_status status = toon_stream_check(stream, doc, row, err);
    if (status != PITH_OK) {
        return status;
    }
    char *to = toon_put_break(pen, toon_make_room(pen->out, pen->out->at), 1);
    pen->out->at = toon_put_cells(pen, to, row + 1, row + 1 + row->n);
    if (pen->refused) {
        pith_text column = stream->columns[pen->refused - row - 1];
        return toon_rows_refuse_number(err, stream->rows + 1, column);
    }
    return pen->out->status == PITH_OK ? PITH_OK : held_failed(pen->out, err);
}

/* -------------------------------------------------------------------------- the end */

static char *toon_stream_fields(const row_stream *stream, toon_pen *pen, char *to)
{
    for (size_t i = 0; i < stream->column_count; i++) {
        pith_text name = stream->columns[i];
        pith_key key = {name.ptr, (uint32_t)name.len, SLOT_TAIL, 0};
        *to++ = i == 0 ? '{' : pen->delimiter;
        to = toon_make_room(pen->out, toon_put_key(pen, to, &key));
    }
    *to++ = '}';
    return to;
}

static pith_status toon_stream_end(row_stream *stream, bool dialect, pith_error *err)
{
    toon_held *held = (toon_held *)stream->state;
    pith_out *out = stream->out;
    pith_status status = held_end(&held->rows, err);
    if (status != PITH_OK || out->status != PITH_OK) {
        return status;
    }
    held->pen.out = out;
    char *to = toon_make_room(out, out->at);
    if (stream->rows == 0 && !dialect && held->options.version != TOON_3_0) {
        out_bytes(out, "[]", 2);
        return PITH_OK;
    }
    to = dialect ? toon_rows_put_count(&held->pen, to, stream->rows)
                 : toon_put_count(&held->pen, to, stream->rows, '\0');
    if (stream->rows > 0) {
        to = toon_stream_fields(stream, &held->pen, to);
    }
    *to++ = ':';
    out->at = to;
    return spill_take(&held->rows.spill, out, err);
}

static pith_status toon_end_table(row_stream *stream, pith_error *err)
{
    return toon_stream_end(stream, false, err);
}

static pith_status toon_rows_end(row_stream *stream, pith_error *err)
{
    return toon_stream_end(stream, true, err);
}

const row_codec toon_stream = {
    .begin = toon_begin,
    .row = toon_stream_row,
    .end = toon_end_table,
    .release = toon_stream_release,
};

const row_codec toon_rows_stream = {
    .begin = toon_rows_begin,
    .row = toon_stream_row,
    .end = toon_rows_end,
    .release = toon_stream_release,
};
