/*
 * pump.c - rows out of an input that is read in pieces.
 *
 * Memory holds a row and a little of the recent input, kept for the message should a row
 * be bad.
 */
#include "pump.h"

#define RECENT_BYTES INPUT_PIECE_BYTES

pith_status pump_read_failed(pith_error *err)
{
    return error_set(err, PITH_IO, "read_failed", "cannot read");
}

/* Hands on the rows that are complete. */
static pith_status pass_rows(const pump *rows, pith_error *err)
{
    for (;;) {
        pith_value row;
        pith_status status = pith_reader_next(rows->reader, &row, err);
        if (status == PITH_OK && row.doc != NULL)
            status = rows->each(rows->ctx, row, err);
        if (status != PITH_OK || row.doc == NULL)
            return status;
    }
}

/* Feeds the kept bytes from `fresh` on, and perhaps the end of the input. */
static pith_status feed(const pump *rows, size_t fresh, pith_error *err)
{
    const input *in = rows->in;
    pith_status status = PITH_OK;
    if (in->len > fresh && rows->seen.write != NULL)
        rows->seen.write(rows->seen.ctx, in->text + fresh, in->len - fresh);
    if (in->len > fresh)
        status = pith_reader_feed(rows->reader, in->text + fresh, in->len - fresh, err);
    return status == PITH_OK && in->ended ? pith_reader_end(rows->reader, err) : status;
}

/* Reads one more piece; `*fresh` is where it begins among the kept bytes. */
static pith_status next_piece(const pump *rows, size_t *fresh, pith_error *err)
{
    input *in = rows->in;
    pith_status status = PITH_OK;
    if (in->waits && rows->idle != NULL)
        status = rows->idle(rows->ctx, err);
    if (status != PITH_OK)
        return status;
    if (in->len > 2 * RECENT_BYTES)
        input_forget(in, RECENT_BYTES);
    *fresh = in->len;
    if (!input_more(in))
        return pump_read_failed(err);
    if (rows->line != NULL)
        progress_read(rows->line, in->read);
    return PITH_OK;
}

pith_status pump_rows(const pump *rows, pith_error *err)
{
    size_t fresh = 0;
    for (;;) {
        pith_status status = feed(rows, fresh, err);
        if (status == PITH_OK)
            status = pass_rows(rows, err);
        if (status != PITH_OK || pith_reader_done(rows->reader))
            return status;
        status = next_piece(rows, &fresh, err);
        if (status != PITH_OK)
            return status;
    }
}
