/*
 * soch_bin_stream.c - a table that leaves as bytes, row by row.
 *
 * The number of rows stands in the header. There are four ways to it:
 *
 *     it is known           rows go straight on
 *     the sink can go back  so they do, and the number is put right at the end
 *     otherwise             rows are put aside (see spill.h) until it is known
 *     they are compressed   the body is collected in memory, for it is one block
 *
 * The checksum covers the number as well; where that is known last, the two halves are
 * summed up apart and joined.
 */
#include "base/crc32c.h"
#include "format/held.h"
#include "format/soch/soch_bin_write.h"
#include "format/soch/soch_columns.h"
#include "format/soch/soch_take.h"

#include <errno.h>

typedef enum soch_bin_way {
    SOCH_BIN_STRAIGHT,
    SOCH_BIN_PATCHED,
    SOCH_BIN_HELD,
    SOCH_BIN_COLLECTED
} soch_bin_way;

typedef struct soch_bin_held {
    soch_bin_pen pen;
    soch_columns columns;
    soch_packing packing;
    bool summed;
    bool started;
    soch_bin_way way;
    pith_out body;    /* everything behind the header goes through here */
    soch_sum sum;     /* to the output, */
    pith_spill spill; /* to be held, */
    soch_block block; /* or to be compressed */
} soch_bin_held;

static pith_status soch_bin_begin(row_stream *stream, pith_error *err)
{
    soch_bin_held *held = (soch_bin_held *)alloc_zeroed(&stream->alloc, sizeof *held);
    stream->state = held;
    if (!held) {
        return error_no_memory(err);
    }
    soch_wish wish = soch_bin_wish_of(stream->set);
    soch_bin_pen_init(&held->pen, &held->body, stream->alloc, &wish, err);
    spill_init(&held->spill, stream->hold_max, stream->alloc);
    held->block.alloc = stream->alloc;
    pith_status status = soch_columns_open(&held->columns, stream, &wish, err);
    if (status != PITH_OK) {
        return status;
    }
    held->packing = (soch_packing)settings_number(stream->set, SOCH_BIN_COMPRESS);
    held->summed = settings_bool(stream->set, SOCH_BIN_CHECKSUM);
    return soch_bin_check_packing(held->packing, err);
}

static void soch_bin_release(row_stream *stream)
{
    soch_bin_held *held = (soch_bin_held *)stream->state;
    if (!held) {
        return;
    }
    if (held->started) {
        out_abandon(&held->body);
    }
    spill_free(&held->spill);
    soch_block_free(&held->block);
    soch_bin_pen_free(&held->pen);
    soch_columns_close(&held->columns, stream);
    alloc_free(&stream->alloc, held, sizeof *held);
    stream->state = NULL;
}

static unsigned soch_bin_held_flags(const soch_bin_held *held)
{
    return SOCH_BIN_SCHEMA | (held->summed ? (unsigned)SOCH_BIN_SUMMED : 0u);
}

/* The failure of the body. One of the output itself sticks there and is told there. */
static pith_status soch_bin_failed(row_stream *stream, pith_error *err)
{
    soch_bin_held *held = (soch_bin_held *)stream->state;
    return stream->out->status != PITH_OK ? PITH_OK : held_failed(&held->body, err);
}

/* Before the first row, or the end: the way, and everything in front of the rows. */
static pith_status soch_bin_start(row_stream *stream, pith_error *err)
{
    soch_bin_held *held = (soch_bin_held *)stream->state;
    pith_options writing;
    pith_sink sink;
    memset(&writing, 0, sizeof writing);
    writing.alloc = stream->alloc;
    held->way = held->packing != SOCH_PLAIN ? SOCH_BIN_COLLECTED
                : stream->expects           ? SOCH_BIN_STRAIGHT
                : stream->patch             ? SOCH_BIN_PATCHED
                                            : SOCH_BIN_HELD;
    held->sum.to = stream->out;
    if (held->way == SOCH_BIN_COLLECTED) {
        sink = soch_block_sink(&held->block);
    } else if (held->way == SOCH_BIN_HELD) {
        sink = spill_sink(&held->spill);
        writing.output_max = (size_t)stream->out->most;
    } else {
        char header[SOCH_BIN_HEADER_LEN];
        soch_bin_make_header(header, soch_bin_held_flags(held),
                             stream->expects ? stream->expected : 0);
        out_bytes(stream->out, header, sizeof header);
        sink = soch_sum_sink(&held->sum);
    }
    out_init(&held->body, sink, &writing);
    held->started = true;
    soch_columns_settle(&held->columns, stream);
    held->pen.fits = held->columns.fits;
    soch_bin_put_schema(&held->pen, &held->columns.table);
    return held->body.status == PITH_OK ? PITH_OK : soch_bin_failed(stream, err);
}

/* ------------------------------------------------------------------------- rows */

static pith_status soch_bin_cells(row_stream *stream, const pith_doc *doc, uint32_t at,
                                  pith_error *err)
{
    soch_bin_held *held = (soch_bin_held *)stream->state;
    soch_row row = soch_row_begin(stream, doc, at);
    held->pen.row = stream->rows;
    for (size_t i = 0; i < stream->column_count; i++) {
        const pith_slot *cell = soch_row_next(&row, i);
        if (!cell && !held->columns.fill) {
            return soch_missing_cell(stream, i, err);
        }
        soch_bin_put_cell(&held->pen, doc, cell, &held->columns.fields[i]);
    }
    return held->pen.status;
}

static pith_status soch_bin_stream_row(row_stream *stream, const pith_doc *doc,
                                       uint32_t at, pith_error *err)
{
    soch_bin_held *held = (soch_bin_held *)stream->state;
    held->pen.err = err;
    if (!held->started) {
        pith_status status = soch_bin_start(stream, err);
        if (status != PITH_OK) {
            return status;
        }
    }
    pith_status status = soch_bin_cells(stream, doc, at, err);
    if (status == PITH_OK && held->body.status != PITH_OK) {
        return soch_bin_failed(stream, err);
    }
    return status;
}

/* ---------------------------------------------------------------------- the end */

static void soch_bin_put_footer(row_stream *stream, uint32_t header_sum)
{
    soch_bin_held *held = (soch_bin_held *)stream->state;
    if (held->summed) {
        char footer[SOCH_BIN_FOOTER_LEN];
        uint32_t sum = crc32c_join(header_sum, held->sum.sum, held->sum.len);
        soch_bin_store(footer, sum, SOCH_BIN_FOOTER_LEN);
        out_bytes(stream->out, footer, SOCH_BIN_FOOTER_LEN);
    }
}

/* Everything has been written but the number, which has stayed 0. */
static pith_status soch_bin_patch_count(row_stream *stream, const char *header,
                                        pith_error *err)
{
    pith_out *out = stream->out;
    out_flush(out, 0);
    errno = 0;
    if (out->status != PITH_OK ||
        stream->patch(out->sink, out->sent - 8, header + 8, 8)) {
        return PITH_OK;
    }
    int number = errno;
    error_set(err, PITH_IO, "write_failed",
              "the number of rows could not be put into the header");
    if (err) {
        err->system = number;
    }
    return PITH_IO;
}

static pith_status soch_bin_stream_end(row_stream *stream, pith_error *err)
{
    soch_bin_held *held = (soch_bin_held *)stream->state;
    char header[SOCH_BIN_HEADER_LEN];
    held->pen.err = err;
    if (!held->started) {
        pith_status status = soch_bin_start(stream, err);
        if (status != PITH_OK) {
            return status;
        }
    }
    out_flush(&held->body, 0);
    if (held->body.status != PITH_OK) {
        return soch_bin_failed(stream, err);
    }
    if (held->way == SOCH_BIN_COLLECTED) {
        return soch_bin_put_packed(stream->out, &held->block, stream->rows, held->packing,
                                   held->summed, err);
    }
    soch_bin_make_header(header, soch_bin_held_flags(held), stream->rows);
    if (held->way == SOCH_BIN_HELD) {
        pith_out through;
        pith_options writing;
        memset(&writing, 0, sizeof writing);
        writing.alloc = stream->alloc;
        out_bytes(stream->out, header, sizeof header);
        out_init(&through, soch_sum_sink(&held->sum), &writing);
        pith_status status = spill_take(&held->spill, &through, err);
        out_finish(&through, NULL);
        if (status != PITH_OK || stream->out->status != PITH_OK) {
            return status;
        }
    }
    soch_bin_put_footer(stream, crc32c(0, header, sizeof header));
    return held->way == SOCH_BIN_PATCHED ? soch_bin_patch_count(stream, header, err)
                                         : PITH_OK;
}

const row_codec soch_bin_stream = {
    .begin = soch_bin_begin,
    .row = soch_bin_stream_row,
    .end = soch_bin_stream_end,
    .release = soch_bin_release,
    .take = soch_bin_take_row,
    .forget = soch_bin_forget,
    .needs_all = soch_bin_needs_all,
};
