/*
 * soch_columns.h - the table that a stream of rows declares, and the cells of its rows.
 *
 * Text and binary differ in how a cell is written, not in what the table is called, in
 * what its columns are and in what becomes of a cell that is not there.
 */
#ifndef SOCH_COLUMNS_H
#define SOCH_COLUMNS_H

#include "format/format.h"

typedef struct soch_columns {
    doc_table table;
    pith_field *fields; /* nothing but names: a stream declares no types */
    bool fill;          /* a missing cell is null */
} soch_columns;

/* `name` is empty for a table without one. False when out of memory. */
bool soch_columns_open(soch_columns *columns, const row_stream *stream, pith_text name,
                       bool fill);
void soch_columns_close(soch_columns *columns, const row_stream *stream);

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
