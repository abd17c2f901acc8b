/*
 * rows.h - a table on its way out, as the files that write it share it.
 */
#ifndef API_ROWS_H
#define API_ROWS_H

#include "api/api.h"
#include "api/arrow_in.h"
#include "api/columns.h"
#include "doc/cells.h"
#include "format/rows.h"

struct pith_rows {
    api_side to;
    pith_alloc alloc;
    pith_options options; /* without the settings, which `to` holds */
    pith_out out;
    api_columns columns;
    row_writer writer;
    pith_doc *row;
    bool row_open;        /* a row waits for its end */
    bool row_handed;      /* and is made by calls, not by cells: see rows_cells.c */
    cells_rows cells;     /* the columns, and where the row that is being made is */
    bool skips;           /* some row lacks a cell */
    pith_field *declared; /* what each column holds; NULL when nobody has said so */
    pith_error fault;     /* the first failure; status PITH_OK when there is none */

    /* Rows that are collected for a budget that keeps the first: once they are too many,
     * no more are taken. */
    size_t weight;  /* of what was collected */
    size_t look_at; /* weight at which it is counted; 0 for never */
    bool full;      /* it was too much */
    size_t beyond;  /* rows that came after that */

    arrow_in *arrow; /* what reads batches of Arrow; else NULL */

    /* Without a sink: see rows_state.c. */
    bool holds;
    pith_buffer held; /* the rows, as lines of JSON */

    /* An object: see rows_object.c. */
    bool into;         /* of a document that is the caller's, with the types of columns */
    bool all_tables;   /* and so far it has nothing else */
    uint32_t table_at; /* where the rows of this one are */
    api_columns members; /* the names given so far */
};

/* The first failure sticks. */
void rows_fail(pith_rows *rows, const char *code, const char *sentence);
pith_status rows_result(const pith_rows *rows, pith_error *err);

/* Takes the failure of one of the writer's calls. A sink that failed must be heard of now,
 * too, not after a million rows. */
void rows_check(pith_rows *rows, pith_status status, const pith_error *fault);

/* pith_rows_open, for a format. `nested`: cells are arrays and objects, too, so rows are
 * collected where the format does not take those one by one. Without a sink rows are held. */
pith_rows *rows_open(const char *format, const pith_text *columns, size_t count,
                     bool nested, const pith_options *options, const pith_sink *sink,
                     pith_error *err);

/* Whether the format has types, and bytes of its own. */
bool rows_have_types(const pith_rows *rows);

/* Hands a finished row on. */
void rows_send(pith_rows *rows, const pith_doc *doc, uint32_t at);

/* Copies the names of the columns; PITH_BAD_USE when one of them is not there. */
pith_status rows_take_columns(pith_rows *rows, const pith_text *names, size_t count,
                              pith_error *err);

/* Column names must be UTF-8 and different; building one row of nulls finds out. */
pith_status rows_check_columns(pith_rows *rows, pith_error *err);

/* Ends a document that tables go into. */
pith_status rows_end_document(pith_rows *rows, pith_error *err);

/* Fails with the sentence when a row, or its key, waits for the rest of it. */
void rows_check_between(pith_rows *rows, const char *sentence);

/* Fails when the row that ends should have a key and has none; the next has none yet. */
void rows_check_key(pith_rows *rows);

#endif
