/*
 * batches.c - batches of Arrow as rows, and as parts of so many tokens.
 *
 * What a pipeline does that gets its batches one by one. Here they come from a document.
 */
#include "pith.h"

#include <stdio.h>

static const char text[] = "[{\"id\":1,\"name\":\"Ada\"},{\"id\":2,\"name\":\"Grace\"},"
                           "{\"id\":3,\"name\":\"Mary\"},{\"id\":4,\"name\":\"Edsger\"}]";

static pith_status print_part(void *ctx, const pith_part *part)
{
    (void)ctx;
    printf("%zu tokens: %.*s", part->tokens, (int)part->len, part->text);
    return PITH_OK;
}

/* Every batch goes both ways. */
static pith_status pass_batches(struct ArrowArrayStream *stream, pith_rows *rows,
                                pith_parts *parts, pith_error *err)
{
    struct ArrowArray batch;
    pith_status status = PITH_OK;
    while (status == PITH_OK) {
        if (stream->get_next(stream, &batch) != 0)
            return PITH_BAD_INPUT;
        if (!batch.release) /* the end */
            return PITH_OK;
        status = pith_rows_add_arrow(rows, &batch, err);
        if (status == PITH_OK)
            status = pith_parts_add_arrow(parts, &batch, err);
        batch.release(&batch);
    }
    return status;
}

int main(void)
{
    pith_error err = {0};
    pith_arrow_plan plan = {.batch_rows = 2};
    struct ArrowArrayStream stream;
    struct ArrowSchema schema;
    pith_doc *doc = pith_doc_parse("json", text, sizeof text - 1, NULL, &err);
    if (!doc || pith_value_arrow(pith_doc_root(doc), &plan, NULL, &stream, &err)) {
        fprintf(stderr, "%s\n", err.message);
        return 1;
    }
    if (stream.get_schema(&stream, &schema) != 0)
        return 1;
    pith_rows *rows = pith_rows_open_arrow("csv", &schema, NULL, pith_sink_fd(1), &err);
    pith_parts *parts =
        pith_parts_open_arrow("toon", &schema, 32, NULL, print_part, NULL, &err);
    schema.release(&schema);
    pith_status status = rows && parts ? PITH_OK : err.status;
    if (status == PITH_OK)
        status = pass_batches(&stream, rows, parts, &err);
    if (status == PITH_OK) /* a row of another source: an object with these columns */
        status = pith_parts_add_row(parts, pith_value_first(pith_doc_root(doc)), &err);
    if (status == PITH_OK) {
        status = pith_rows_close(rows, &err);
        pith_status closed = pith_parts_close(parts, &err);
        status = status == PITH_OK ? closed : status;
    } else {
        pith_rows_abandon(rows);
        pith_parts_abandon(parts);
    }
    if (status != PITH_OK)
        fprintf(stderr, "%s\n", err.message);
    stream.release(&stream);
    pith_doc_free(doc);
    return status == PITH_OK ? 0 : 1;
}
