/*
 * soch_columns.h - the table that a stream of rows declares, and the cells of its rows.
 *
 * Text and binary differ in how a cell is written, not in what the table is called, in
 * what its columns are and in what becomes of a cell that is not there.
 */
#ifndef SOCH_COLUMNS_H
#define SOCH_COLUMNS_H

#include "format/soch/soch_given.h"

typedef struct soch_columns {
    doc_table table;
    pith_field *fields; /* names, and the types that are to be written */
    soch_given given;   /* of these, what a setting says */
    bool declared;      /* rows say what their columns hold, and that counts */
    bool fits;          /* there are types: cells have to be made to fit */
    bool fill;          /* a missing cell is null */
} soch_columns;

pith_status soch_columns_open(soch_columns *columns, const row_stream *stream,
                              const soch_wish *wish, pith_error *err);
void soch_columns_close(soch_columns *columns, const row_stream *stream);

/* Before the first row, or the end: what the caller has said of the columns by now. */
void soch_columns_settle(soch_columns *columns, const row_stream *stream);

/* Of a row_codec: types that are found from the values need all of them. */
bool soch_needs_all(const settings *set);
bool soch_bin_needs_all(const settings *set);

/* A row on its way, cell by cell. It has the columns in their order, but may lack some. */
typedef struct soch_row {
    const row_stream *stream;
    const pith_doc *doc;
    const pith_slot *row;
    const pith_slot *cell; /* the next that is there */
    uint32_t member;       /* its number */
} soch_row;

soch_row soch_row_begin(const row_stream *stream, const pith_doc *doc, uint32_t at);

/* The cell of the column, columns one after the other; NULL when the row has none. */
const pith_slot *soch_row_next(soch_row *row, size_t column);

/* Refuses a row that lacks the cell of that column. */
pith_status soch_missing_cell(const row_stream *stream, size_t column, pith_error *err);

#endif
