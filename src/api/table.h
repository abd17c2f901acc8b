/*
 * table.h - a table as the public calls see it: a place in a document.
 */
#ifndef API_TABLE_H
#define API_TABLE_H

#include "api/api.h"
#include "format/soch/soch_layout.h"

struct pith_table {
    pith_alloc alloc;
    pith_doc *doc; /* its own, or that of a list of tables */
    doc_table is;
    uint32_t *rows; /* the slot of each row, once finished */
    size_t row_count;
    pith_buffer text; /* what the document borrows from, where that is our own */

    /* While it is built. */
    bool building;
    pith_field *fields;
    size_t field_cap;
    soch_layout layout;
    bool started; /* the fields are settled */
    bool row_open;
    size_t cells;     /* of the row that is being made */
    pith_error fault; /* the first failure; status PITH_OK when none */
};

struct pith_tables {
    pith_alloc alloc;
    pith_doc *doc;
    pith_buffer text; /* as above */
    pith_table *at;
    size_t count;
};

/* Fills a table that is the document's `which`; false when out of memory. */
bool table_open(pith_table *table, pith_doc *doc, size_t which);

/* Frees what table_open took. */
void table_close(pith_table *table);

#endif
