/*
 * transfer.c - one input through the library into one output.
 *
 * Where the one format can be read and the other written row by row, the input
 * passes through in pieces. Before a read that may have to wait, what has been
 * written is sent on its way: rows leave a pipe as they enter it. All other
 * conversions read the whole input first.
 */
#include "transfer.h"

#include "pump.h"

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
        return pump_read_failed(err);
    progress_input(line, in->name, in->len);
    if (with->fit != NULL)
        return transfer_fitting(with, err);
    return pith_convert(with->from->name, with->to->name, in->len > 0 ? in->text : "",
                        in->len, &with->options, output_sink(with->out), err);
}

/* Rows on their way out. */
typedef struct outlet {
    pith_rows *rows;
    output *out;
} outlet;

static pith_status write_row(void *ctx, pith_value row, pith_error *err)
{
    return pith_rows_add_row(((outlet *)ctx)->rows, row, err);
}

/* Sends the rows that are done on their way. */
static pith_status send_rows(void *ctx, pith_error *err)
{
    const outlet *to = ctx;
    pith_status status = pith_rows_flush(to->rows, err);
    return status == PITH_OK && !output_flush(to->out) ? PITH_IO : status;
}

static pith_status transfer_rows(transfer *with, pith_error *err)
{
    pith_options options = with->options;
    progress *line = options.progress_ctx;
    line->interleaved = true;
    options.progress = NULL; /* the pieces are counted here, not the bytes of a row */
    pith_reader *reader = pith_reader_open(with->from->name, &options, err);
    if (reader == NULL)
        return err->status;
    pith_rows *rows =
        pith_rows_open(with->to->name, NULL, 0, &options, output_sink(with->out), err);
    outlet to = {rows, with->out};
    pump moving = {with->in, reader, line, write_row, send_rows, &to};
    pith_status status = rows == NULL ? err->status : pump_rows(&moving, err);
    if (status == PITH_OK) {
        status = pith_rows_close(rows, err);
    } else if (rows != NULL) {
        /* The rows before a bad one are good, and may have left already. */
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
