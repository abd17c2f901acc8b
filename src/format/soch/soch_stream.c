/*
 * soch_stream.c - a table that leaves as text, row by row.
 *
 * The header says how many rows there are. Where that is known beforehand, it goes out
 * with the first row and every row behind it; where it is not, rows are put aside (see
 * spill.h) until the last has come. Memory depends on neither.
 */
#include "base/spill.h"
#include "format/soch/soch_pen.h"
#include "format/soch/soch_take.h"

typedef struct soch_held {
    soch_pen pen;
    doc_table table;
    pith_field *fields;
    bool fill;
    bool header; /* has been written: rows go straight on */
    bool holds;  /* the spill is in use */
    pith_spill spill;
    pith_out rows; /* writes to the spill */
} soch_held;

static pith_status soch_stream_begin(row_stream *stream, pith_error *err)
{
    size_t bytes = stream->column_count * sizeof(pith_field);
    soch_held *held = (soch_held *)alloc_zeroed(&stream->alloc, sizeof *held);
    stream->state = held;
    if (!held) {
        return error_no_memory(err);
    }
    soch_pen_init(&held->pen, stream->out, stream->set, stream->alloc, err);
    held->fields = (pith_field *)alloc_zeroed(&stream->alloc, bytes);
    if (!held->fields) {
        return error_no_memory(err);
    }
    pith_text name = settings_text(stream->set, SOCH_NAME);
    held->table.unnamed = name.len == 0;
    held->table.name = name.len > 0 ? name : text_from(SOCH_UNNAMED);
    held->table.fields = held->fields;
    held->table.field_count = stream->column_count;
    held->fill = settings_bool(stream->set, SOCH_FILL_MISSING);
    for (size_t i = 0; i < stream->column_count; i++) {
        held->fields[i].name = stream->columns[i];
    }
    return PITH_OK;
}

static void soch_stream_release(row_stream *stream)
{
    soch_held *held = (soch_held *)stream->state;
    if (!held) {
        return;
    }
    if (held->holds) {
        out_abandon(&held->rows);
        spill_free(&held->spill);
    }
    soch_pen_free(&held->pen);
    alloc_free(&stream->alloc, held->fields, stream->column_count * sizeof(pith_field));
    alloc_free(&stream->alloc, held, sizeof *held);
    stream->state = NULL;
}

/* Before the first row: where rows go. */
static pith_status soch_stream_start(row_stream *stream, pith_error *err)
{
    soch_held *held = (soch_held *)stream->state;
    if (stream->expects) {
        soch_put_header(&held->pen, &held->table, held->fields, stream->expected);
        held->header = true;
        return PITH_OK;
    }
    pith_options writing;
    memset(&writing, 0, sizeof writing);
    writing.alloc = stream->alloc;
    writing.output_max = (size_t)stream->out->most;
    spill_init(&held->spill, stream->hold_max, stream->alloc);
    out_init(&held->rows, spill_sink(&held->spill), &writing);
    held->holds = true;
    held->pen.out = &held->rows;
    return held->rows.status == PITH_OK ? PITH_OK : error_no_memory(err);
}

pith_status soch_missing_cell(const row_stream *stream, size_t column, pith_error *err)
{
    pith_text name = stream->columns[column];
    return error_set(err, PITH_UNREPRESENTABLE, "missing_cell",
                     "row %llu: column \"%s\" is missing, which is not null; "
                     "fill-missing=true makes it so",
                     (unsigned long long)stream->rows + 1,
                     error_quote(name.ptr, name.len).text);
}

/* The failure of what puts rows aside. */
static pith_status soch_stream_failed(soch_held *held, pith_error *err)
{
    if (held->rows.status != PITH_IO) {
        return out_finish(&held->rows, err);
    }
    error_set(err, PITH_IO, "write_failed", "the temporary file could not be written");
    if (err) {
        err->system = held->rows.system;
    }
    return PITH_IO;
}

/* A row has the columns in their order, but some may be missing. */
static pith_status soch_stream_cells(row_stream *stream, const pith_doc *doc,
                                     const pith_slot *row, pith_error *err)
{
    soch_held *held = (soch_held *)stream->state;
    soch_pen *pen = &held->pen;
    const pith_key *keys = doc_keys(doc, row);
    const pith_slot *cell = row + 1;
    uint32_t member = 0;
    for (size_t i = 0; i < stream->column_count; i++) {
        bool here =
            member < row->n && (row->n == stream->column_count ||
                                text_equal(key_text(&keys[member]), stream->columns[i]));
        if (!here && !held->fill) {
            return soch_missing_cell(stream, i, err);
        }
        if (i > 0) {
            out_byte(pen->out, ',');
        }
        if (here) {
            soch_put_cell(pen, doc, cell, &held->fields[i]);
            cell = soch_behind(doc, cell);
            member++;
        } else {
            soch_put_null(pen);
        }
    }
    return pen->status;
}

static pith_status soch_stream_row(row_stream *stream, const pith_doc *doc, uint32_t at,
                                   pith_error *err)
{
    soch_held *held = (soch_held *)stream->state;
    pith_status status = PITH_OK;
    held->pen.err = err;
    if (stream->rows == 0) {
        status = soch_stream_start(stream, err);
    }
    if (status != PITH_OK) {
        return status;
    }
    soch_put_separator(&held->pen, stream->rows);
    status = soch_stream_cells(stream, doc, &doc->slots[at], err);
    if (status == PITH_OK && held->holds && held->rows.status != PITH_OK) {
        return soch_stream_failed(held, err);
    }
    return status;
}

static pith_status soch_stream_end(row_stream *stream, pith_error *err)
{
    soch_held *held = (soch_held *)stream->state;
    held->pen.err = err;
    if (held->header) {
        return held->pen.status;
    }
    if (held->holds) {
        out_flush(&held->rows, 0);
        if (held->rows.status != PITH_OK) {
            return soch_stream_failed(held, err);
        }
    }
    held->pen.out = stream->out;
    soch_put_header(&held->pen, &held->table, held->fields, stream->rows);
    if (held->pen.status != PITH_OK || !held->holds) {
        return held->pen.status;
    }
    return spill_take(&held->spill, stream->out, err);
}

const row_codec soch_stream = {soch_stream_begin,
                               soch_stream_row,
                               soch_stream_end,
                               soch_stream_release,
                               soch_take,
                               soch_forget,
                               NULL,
                               NULL};
