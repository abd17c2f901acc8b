/*
 * soch_stream.c - a table that leaves as text, row by row.
 *
 * The header says how many rows there are. Where that is known beforehand, it goes out
 * with the first row and every row behind it; where it is not, rows are put aside (see
 * spill.h) until the last has come. Memory depends on neither.
 */
#include "format/held.h"
#include "format/soch/soch_columns.h"
#include "format/soch/soch_pen.h"
#include "format/soch/soch_take.h"

typedef struct soch_held {
    soch_pen pen;
    soch_columns columns;
    bool header; /* has been written: rows go straight on */
    bool holds;  /* they are put aside */
    held_rows rows;
} soch_held;

static pith_status soch_stream_begin(row_stream *stream, pith_error *err)
{
    soch_held *held = (soch_held *)alloc_zeroed(&stream->alloc, sizeof *held);
    stream->state = held;
    if (!held) {
        return error_no_memory(err);
    }
    soch_pen_init(&held->pen, stream->out, stream->set, stream->alloc, err);
    soch_wish wish = soch_wish_of(stream->set);
    return held->pen.status == PITH_OK
               ? soch_columns_open(&held->columns, stream, &wish, err)
               : held->pen.status;
}

static void soch_stream_release(row_stream *stream)
{
    soch_held *held = (soch_held *)stream->state;
    if (!held) {
        return;
    }
    if (held->holds) {
        held_close(&held->rows);
    }
    soch_pen_free(&held->pen);
    soch_columns_close(&held->columns, stream);
    alloc_free(&stream->alloc, held, sizeof *held);
    stream->state = NULL;
}

/* Before the first row: where rows go. */
static void soch_stream_start(row_stream *stream)
{
    soch_held *held = (soch_held *)stream->state;
    soch_columns_settle(&held->columns, stream);
    held->pen.fits = held->columns.fits;
    if (stream->expects) {
        soch_put_header(&held->pen, &held->columns.table, held->columns.fields,
                        stream->expected);
        held->header = true;
        return;
    }
    held_open(&held->rows, stream);
    held->holds = true;
    held->pen.out = &held->rows.out;
}

static pith_status soch_stream_cells(row_stream *stream, const pith_doc *doc, uint32_t at,
                                     pith_error *err)
{
    soch_held *held = (soch_held *)stream->state;
    soch_pen *pen = &held->pen;
    soch_row row = soch_row_begin(stream, doc, at);
    for (size_t i = 0; i < stream->column_count; i++) {
        const pith_slot *cell = soch_row_next(&row, i);
        if (!cell && !held->columns.fill) {
            return soch_missing_cell(stream, i, err);
        }
        if (i > 0) {
            out_byte(pen->out, ',');
        }
        soch_put_cell(pen, doc, cell, &held->columns.fields[i]);
    }
    return pen->status;
}

static pith_status soch_stream_row(row_stream *stream, const pith_doc *doc, uint32_t at,
                                   pith_error *err)
{
    soch_held *held = (soch_held *)stream->state;
    held->pen.err = err;
    if (stream->rows == 0) {
        soch_stream_start(stream);
    }
    soch_put_separator(&held->pen, stream->rows);
    pith_status status = soch_stream_cells(stream, doc, at, err);
    if (status == PITH_OK && held->holds && held->rows.out.status != PITH_OK) {
        return held_failed(&held->rows.out, err);
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
    pith_status status = held->holds ? held_end(&held->rows, err) : PITH_OK;
    if (status != PITH_OK) {
        return status;
    }
    if (!held->holds) {
        soch_columns_settle(&held->columns, stream);
    }
    held->pen.out = stream->out;
    soch_put_header(&held->pen, &held->columns.table, held->columns.fields, stream->rows);
    if (held->pen.status != PITH_OK || !held->holds) {
        return held->pen.status;
    }
    return spill_take(&held->rows.spill, stream->out, err);
}

const row_codec soch_stream = {
    .begin = soch_stream_begin,
    .row = soch_stream_row,
    .end = soch_stream_end,
    .release = soch_stream_release,
    .take = soch_take,
    .forget = soch_forget,
    .needs_all = soch_needs_all,
};
