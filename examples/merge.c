/*
 * merge.c - a table that is made in two places and written in one.
 *
 * Each worker holds its rows and saves them as a state, a text that can be sent anywhere.
 */
#include "pith.h"

#include <stdio.h>

static const pith_text columns[] = {PITH_TEXT("worker"), PITH_TEXT("n")};

/* The rows of one worker, as a state. */
static pith_status work(int64_t number, pith_buffer *state, pith_error *err)
{
    pith_rows *rows =
        pith_rows_open(NULL, columns, 2, NULL, pith_sink_buffer(state), err);
    pith_status status = rows ? PITH_OK : err->status;
    pith_cell cells[6]; /* of three rows, and no ends between them */
    for (int64_t n = 0; n < 3; n++) {
        cells[2 * n] = (pith_cell){.kind = PITH_CELL_INT64, .u.integer = number};
        cells[2 * n + 1] = (pith_cell){.kind = PITH_CELL_INT64, .u.integer = n};
    }
    if (status == PITH_OK)
        status = pith_rows_add_cells(rows, cells, 6, err);
    if (status == PITH_OK)
        status = pith_rows_save(rows, pith_sink_buffer(state), err);
    pith_rows_abandon(rows);
    return status;
}

/* A row of another document, and one without its second column. */
static pith_status add_others(pith_rows *rows, pith_error *err)
{
    static const char text[] = "{\"worker\":0,\"n\":1.50}";
    pith_doc *doc = pith_doc_parse("json", text, sizeof text - 1, NULL, err);
    pith_status status =
        doc ? pith_rows_add_row(rows, pith_doc_root(doc), err) : err->status;
    pith_doc_free(doc);
    if (status != PITH_OK)
        return status;
    pith_doc *row = pith_rows_row(rows);
    pith_doc_add_number(row, "1e2", 3);
    pith_doc_skip(row);
    return pith_rows_end_row(rows, err);
}

int main(void)
{
    pith_error err = {0};
    pith_buffer first = {0};
    pith_buffer second = {0};
    pith_rows *rows = NULL;
    pith_status status = work(1, &first, &err);
    if (status == PITH_OK)
        status = work(2, &second, &err);
    if (status == PITH_OK) {
        rows = pith_rows_restore("ndjson", first.data, first.len, NULL, pith_sink_fd(1),
                                 &err);
        status = rows ? pith_rows_merge(rows, second.data, second.len, &err) : err.status;
    }
    if (status == PITH_OK)
        status = pith_rows_flush(rows, &err); /* whoever reads sees six rows now */
    if (status == PITH_OK)
        status = add_others(rows, &err);
    if (status == PITH_OK)
        status = pith_rows_close(rows, &err);
    else
        pith_rows_abandon(rows);
    if (status != PITH_OK)
        fprintf(stderr, "%s\n", err.message);
    pith_buffer_free(&first);
    pith_buffer_free(&second);
    return status == PITH_OK ? 0 : 1;
}
