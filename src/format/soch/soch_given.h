/*
 * soch_given.h - columns that are declared: by the setting `fields`, "id:uint,amount:float",
 * and by a stream of rows.
 */
#ifndef FORMAT_SOCH_SOCH_GIVEN_H
#define FORMAT_SOCH_SOCH_GIVEN_H

#include "format/rows.h"
#include "format/soch/soch.h"

typedef struct soch_given {
    pith_doc *names; /* owns them; NULL when nothing was declared */
    const pith_field *fields;
    size_t count;
    bool *used; /* of each: some table has it */
} soch_given;

/* Reads what a header has between its braces. Free it whatever the outcome. */
pith_status soch_given_read(soch_given *given, pith_text words, pith_alloc alloc,
                            pith_error *err);
void soch_given_free(soch_given *given);

/* Gives the field the type that was declared for its name; false when there is none. */
bool soch_given_apply(const soch_given *given, pith_field *field);

/* Refuses a declared name that no table has. */
pith_status soch_given_check(const soch_given *given, pith_error *err);

/* The table that a stream of rows declares, as text or as bytes. */
typedef struct soch_columns {
    doc_table table;
    pith_field *fields; /* names, and the types that are to be written */
    soch_given given;   /* of these, what a setting says */
    bool declared;      /* rows say what their columns hold, and that counts */
    bool fits;          /* there are types: cells have to be made to fit */
} soch_columns;

pith_status soch_columns_open(soch_columns *columns, const row_table *rows,
                              const soch_wish *wish, pith_error *err);
void soch_columns_close(soch_columns *columns, const row_table *rows);

/* Before the first row, or the end: what the caller has said of the columns by now. */
void soch_columns_settle(soch_columns *columns, const row_table *rows);

#define SOCH_MISSING_CELL                                                                \
    {                                                                                    \
        "missing_cell", ": column",                                                      \
            " is missing, which is not null; fill-missing=true makes it so"              \
    }

#endif
