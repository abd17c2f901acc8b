/*
 * transfer.c - one input through the library into one output.
 *
 * Where the one format can be read and the other written row by row, the input
 * passes through in pieces and memory holds one row and a little of the recent
 * input, kept for the message should a row be bad. Before a read that may have to
 * wait, what has been written is sent on its way: rows leave a pipe as they enter
 * it. All other conversions read the whole input first.
 */
#include "transfer.h"

#define RECENT_BYTES INPUT_PIECE_BYTES

static pith_status read_failed(pith_error *err)
{
    *err = (pith_error){.status = PITH_IO, .code = "read_failed"};
    return PITH_IO;
}

/* As much of what has been read as the budget allows. */
static pith_status transfer_fitting(transfer *with, pith_error *err)
{
    input *in = with->in;
    pith_doc *doc = pith_doc_parse(with->from->name, in->len > 0 ? in->text : "", in->len,
                                   &with->options, err);
    if (doc == NULL)
        return err->status;
    pith_status status = pith_value_fit(pith_doc_root(doc), with->to->name, with->fit,
                                        &with->options, output_sink(with->out), err);
    pith_doc_free(doc);
    return status;
}

static pith_status transfer_whole(transfer *with, pith_error *err)
{
    input *in = with->in;
    progress *line = with->options.progress_ctx;
    if (!input_all(in, line))
        return read_failed(err);
    progress_input(line, in->name, in->len);
    if (with->fit != NULL)
        return transfer_fitting(with, err);
    return pith_convert(with->from->name, with->to->name, in->len > 0 ? in->text : "",
                        in->len, &with->options, output_sink(with->out), err);
}

/* Hands on the rows that are complete. */
static pith_status pass_rows(pith_reader *reader, pith_rows *rows, pith_error *err)
{
    for (;;) {
        pith_value row;
        pith_status status = pith_reader_next(reader, &row, err);
        if (status != PITH_OK || row.doc == NULL)
            return status;
        status = pith_rows_add_row(rows, row, err);
        if (status != PITH_OK)
            return status;
    }
}

/* Feeds the kept bytes from `fresh` on, or the end of the input. */
static pith_status feed(transfer *with, pith_reader *reader, size_t fresh,
                        pith_error *err)
{
    input *in = with->in;
    if (in->len > fresh) {
        pith_status status =
            pith_reader_feed(reader, in->text + fresh, in->len - fresh, err);
        if (status != PITH_OK)
            return status;
    }
    return in->ended ? pith_reader_end(reader, err) : PITH_OK;
}

/* Sends the rows that are done on their way. */
static pith_status send_rows(transfer *with, pith_rows *rows, pith_error *err)
{
    pith_status status = pith_rows_flush(rows, err);
    return status == PITH_OK && !output_flush(with->out) ? PITH_IO : status;
}

/* Reads one more piece; `*fresh` is where it begins among the kept bytes. */
static pith_status next_piece(transfer *with, pith_rows *rows, size_t *fresh,
                              pith_error *err)
{
    input *in = with->in;
    if (in->waits) {
        pith_status status = send_rows(with, rows, err);
        if (status != PITH_OK)
            return status;
    }
    if (in->len > 2 * RECENT_BYTES)
        input_forget(in, RECENT_BYTES);
    *fresh = in->len;
    if (!input_more(in))
        return read_failed(err);
    with->options.progress(with->options.progress_ctx, in->read);
    return PITH_OK;
}

static pith_status pump(transfer *with, pith_reader *reader, pith_rows *rows,
                        pith_error *err)
{
    size_t fresh = 0;
    for (;;) {
        pith_status status = feed(with, reader, fresh, err);
        if (status == PITH_OK)
            status = pass_rows(reader, rows, err);
        if (status != PITH_OK || with->in->ended)
            return status;
        status = next_piece(with, rows, &fresh, err);
        if (status != PITH_OK)
            return status;
    }
}

static pith_status transfer_rows(transfer *with, pith_error *err)
{
    pith_options options = with->options;
    ((progress *)options.progress_ctx)->interleaved = true;
    options.progress = NULL; /* the pieces are counted here, not the bytes of a row */
    pith_reader *reader = pith_reader_open(with->from->name, &options, err);
    if (reader == NULL)
        return err->status;
    pith_rows *rows =
        pith_rows_open(with->to->name, NULL, 0, &options, output_sink(with->out), err);
    pith_status status = rows == NULL ? err->status : pump(with, reader, rows, err);
    if (status == PITH_OK) {
        status = pith_rows_close(rows, err);
    } else if (rows != NULL) {
        /* The rows in front of a bad one are good, and may have left already. */
        pith_rows_flush(rows, NULL);
        pith_rows_abandon(rows);
    }
    pith_reader_free(reader);
    return status;
}

bool transfer_by_rows(const transfer *with)
{
    return (with->from->streams & PITH_READ) != 0 &&
           (with->to->streams & PITH_WRITE) != 0 && with->fit == NULL;
}

pith_status transfer_run(transfer *with, pith_error *err)
{
    *err = (pith_error){0};
    return transfer_by_rows(with) ? transfer_rows(with, err) : transfer_whole(with, err);
}
