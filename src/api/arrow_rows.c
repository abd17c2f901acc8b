/*
 * arrow_rows.c - batches of Arrow as rows, as parts, and streams of them as a text.
 *
 * Rows and parts that were opened with a schema keep what reads its batches, and are where
 * its cells go.
 */
#include "api/arrow_in.h"
#include "api/parts.h"
#include "api/rows.h"
#include "base/error.h"

#include <errno.h>

/* ------------------------------------------------------------------------- rows */

static pith_status arrow_take_rows(void *ctx, const pith_cell *cells, size_t count,
                                   pith_error *err)
{
    return pith_rows_add_cells((pith_rows *)ctx, cells, count, err);
}

pith_rows *pith_rows_open_arrow(const char *format, const struct ArrowSchema *schema,
                                const pith_options *options, pith_sink sink,
                                pith_error *err)
{
    arrow_in *in = arrow_in_new(schema, options, err);
    if (!in)
        return NULL;
    pith_rows *rows =
        rows_open(format, in->names.at, in->names.count, !in->flat, options, &sink, err);
    if (!rows) {
        arrow_in_free(in);
        return NULL;
    }
    rows->arrow = in;
    in->take = arrow_take_rows;
    in->ctx = rows;
    in->has_bytes = rows_have_types(rows);
    for (size_t i = 0; i < in->names.count; i++) {
        pith_field field = arrow_in_field(in, i);
        pith_rows_declare(rows, i, &field);
    }
    return rows;
}

/* Rows of a table without columns: objects without members. */
static pith_status arrow_add_empty(pith_rows *rows, int64_t count, pith_error *err)
{
    pith_doc *doc = pith_doc_new(&rows->options);
    if (!doc)
        return error_no_memory(err);
    pith_doc_open_object(doc);
    pith_doc_close(doc);
    pith_status status = pith_doc_finish(doc, err);
    for (int64_t i = 0; i < count && status == PITH_OK; i++)
        status = pith_rows_add_row(rows, pith_doc_root(doc), err);
    pith_doc_free(doc);
    return status;
}

pith_status pith_rows_add_arrow(pith_rows *rows, const struct ArrowArray *batch,
                                pith_error *err)
{
    pith_error fault = {0};
    if (rows->fault.status == PITH_OK && !rows->arrow)
        rows_fail(rows, "no_schema", "the rows were opened without a schema of Arrow");
    if (rows->fault.status == PITH_OK) {
        rows_check(rows, arrow_in_add(rows->arrow, batch, &fault), &fault);
        if (rows->fault.status == PITH_OK && rows->arrow->names.count == 0)
            rows_check(rows, arrow_add_empty(rows, batch->length, &fault), &fault);
    }
    return rows_result(rows, err);
}

/* ------------------------------------------------------------------------ parts */

static pith_status arrow_take_parts(void *ctx, const pith_cell *cells, size_t count,
                                    pith_error *err)
{
    return pith_parts_add_cells((pith_parts *)ctx, cells, count, err);
}

pith_parts *pith_parts_open_arrow(const char *format, const struct ArrowSchema *schema,
                                  size_t tokens_max, const pith_options *options,
                                  pith_part_sink part, void *ctx, pith_error *err)
{
    arrow_in *in = arrow_in_new(schema, options, err);
    if (!in)
        return NULL;
    if (in->names.count == 0) {
        error_set(err, PITH_BAD_USE, "no_columns", "the schema has no columns");
        arrow_in_free(in);
        return NULL;
    }
    pith_parts *parts = pith_parts_open(format, in->names.at, in->names.count, tokens_max,
                                        options, part, ctx, err);
    if (!parts) {
        arrow_in_free(in);
        return NULL;
    }
    in->take = arrow_take_parts;
    in->ctx = parts;
    parts_keep_arrow(parts, in);
    return parts;
}

pith_status pith_parts_add_arrow(pith_parts *parts, const struct ArrowArray *batch,
                                 pith_error *err)
{
    pith_error fault = {0};
    arrow_in *in = parts_arrow(parts, &fault);
    pith_status status = in ? arrow_in_add(in, batch, &fault) : fault.status;
    return parts_check(parts, status, &fault, err);
}

/* ---------------------------------------------------------------------- streams */

/* What a stream says of a failure of its own. */
static pith_status arrow_stream_failed(struct ArrowArrayStream *stream, int number,
                                       pith_error *err)
{
    const char *why = stream->get_last_error ? stream->get_last_error(stream) : NULL;
    if (number == ENOMEM)
        return error_no_memory(err);
    error_set(err, PITH_IO, "stream_failed", "the stream of Arrow failed%s%.120s",
              why ? ": " : "", why ? why : "");
    if (err)
        err->system = number;
    return PITH_IO;
}

static pith_status arrow_write_batches(struct ArrowArrayStream *stream, pith_rows *rows,
                                       pith_error *err)
{
    pith_status status = PITH_OK;
    while (status == PITH_OK) {
        struct ArrowArray batch;
        memset(&batch, 0, sizeof batch);
        int failed = stream->get_next(stream, &batch);
        if (failed)
            return arrow_stream_failed(stream, failed, err);
        if (!batch.release)
            return PITH_OK;
        status = pith_rows_add_arrow(rows, &batch, err);
        batch.release(&batch);
    }
    return status;
}

static pith_status arrow_write_stream(struct ArrowArrayStream *stream, const char *format,
                                      const pith_options *options, pith_sink sink,
                                      pith_error *err)
{
    struct ArrowSchema schema;
    memset(&schema, 0, sizeof schema);
    int failed = stream->get_schema(stream, &schema);
    if (failed)
        return arrow_stream_failed(stream, failed, err);
    pith_error fault = {0};
    pith_rows *rows = pith_rows_open_arrow(format, &schema, options, sink, &fault);
    if (schema.release)
        schema.release(&schema);
    if (!rows)
        return error_copy(&fault, err);
    pith_status status = arrow_write_batches(stream, rows, err);
    if (status == PITH_OK)
        return pith_rows_close(rows, err);
    pith_rows_abandon(rows);
    return status;
}

pith_status pith_arrow_write(struct ArrowArrayStream *stream, const char *format,
                             const pith_options *options, pith_sink sink, pith_error *err)
{
    if (!stream->release) {
        return error_set(err, PITH_BAD_USE, "released",
                         "the stream has been released already");
    }
    pith_status status = arrow_write_stream(stream, format, options, sink, err);
    stream->release(stream);
    return status;
}
