/*
 * rows_cells.c - rows of a table that come as arrays of cells.
 *
 * Where rows are collected, cells go straight to the document that collects them. Else they
 * go to the small document that rows are made in, many rows at a time, as an array:
 *
 *     cells      | row 1 | row 2 | row 3 | half of row 4 |
 *     document   [ row 1, row 2, row 3        sent, and then emptied
 *                [ half of row 4              waits there for the rest
 *
 * The half is added twice, so that the document never grows with the number of batches.
 */
#include "api/rows.h"

enum { ROWS_BATCH = 256 }; /* rows between two times of sending them */

/* Begins an array in the empty document; for the limit of depth it is not there. */
static void rows_begin_batch(pith_rows *rows)
{
    pith_doc_reset(rows->row);
    rows->row->plain_bytes = !rows_have_types(rows);
    pith_doc_open_array(rows->row);
    rows->row->depth = 0;
    rows->cells.open = false;
}

/* Takes the failure of the document that rows go to. */
static bool rows_batch_holds(pith_rows *rows, const pith_doc *doc)
{
    if (rows->fault.status == PITH_OK && doc->fault.status != PITH_OK)
        rows->fault = doc->fault;
    return rows->fault.status == PITH_OK;
}

static void rows_send_batch(pith_rows *rows, size_t count)
{
    const pith_doc *doc = rows->row;
    uint32_t at = 1;
    for (size_t i = 0; i < count && rows->fault.status == PITH_OK; i++) {
        rows_check_key(rows);
        rows->skips = rows->skips || doc->slots[at].n < rows->cells.column_count;
        if (rows->fault.status == PITH_OK)
            rows_send(rows, doc, at);
        at = doc_after_at(doc, at);
    }
}

/* Cells of rows that are handed on; how many of them. */
static size_t rows_pass_cells(pith_rows *rows, const pith_cell *cells, size_t count)
{
    size_t whole = 0;
    size_t used = 0;
    size_t begun = 0;                                 /* where the last row began */
    size_t most = rows->cells.keyed ? 1 : ROWS_BATCH; /* a key is kept for one row */
    if (!rows->cells.open)
        rows_begin_batch(rows);
    while (used < count && whole < most && rows_batch_holds(rows, rows->row)) {
        begun = used;
        used += cells_add_row(rows->row, &rows->cells, cells + used, count - used);
        whole += !rows->cells.open;
    }
    if (!rows_batch_holds(rows, rows->row))
        return count;
    rows_send_batch(rows, whole);
    if (rows->cells.open && whole > 0) {
        rows_begin_batch(rows);
        cells_add_row(rows->row, &rows->cells, cells + begun, count - begun);
    }
    return used;
}

/* Cells of rows that are collected. */
static size_t rows_collect_cells(pith_rows *rows, const pith_cell *cells, size_t count)
{
    pith_doc *all = rows->writer.all;
    row_writer *w = &rows->writer;
    size_t used = cells_add_row(all, &rows->cells, cells, count);
    if (!rows_batch_holds(rows, all) || rows->cells.open)
        return used;
    pith_error fault;
    rows->skips = rows->skips || all->slots[rows->cells.row].n < rows->cells.column_count;
    rows_check(rows, row_writer_count(w, &fault), &fault);
    return used;
}

pith_status pith_rows_add_cells(pith_rows *rows, const pith_cell *cells, size_t count,
                                pith_error *err)
{
    if (rows->fault.status == PITH_OK && rows->cells.column_count == 0)
        rows_fail(rows, "no_columns", "cells need columns; give this table whole rows");
    if (rows->fault.status == PITH_OK && rows->row_handed)
        rows_fail(rows, "row_unfinished", "the row before has not been ended");
    bool collects = rows->writer.all && !rows->writer.table.keyed;
    if (collects)
        rows->writer.all->plain_bytes = !rows_have_types(rows);
    for (size_t at = 0; at < count && rows->fault.status == PITH_OK;) {
        at += collects ? rows_collect_cells(rows, cells + at, count - at)
                       : rows_pass_cells(rows, cells + at, count - at);
    }
    if (!rows->cells.open && !collects)
        pith_doc_reset(rows->row);
    rows->row_open = rows->cells.open;
    return rows_result(rows, err);
}
