/*
 * soch_plan.h - any value as tables: the bridge from JSON.
 *
 *     {"users":[{"id":1},{"id":2}],"orders":[{"id":7}]}    users[2]{id}  orders[1]{id}
 *     [{"id":1},{"id":2}]                                   _[2]{id}
 *     anything else                                         _[1]{_}
 *
 * An array is a table when it has elements and all of them are objects with the same
 * keys, at least one, in whatever order; the first gives the order of the columns. A key
 * that is missing is not null, so arrays whose objects differ are no tables, unless
 * `fill` asks for nulls there.
 *
 * An empty array inside an object is a table without columns.
 *
 * A document that knows its tables (see doc/schema.h) is taken at its word. Other columns
 * have the types that a setting declares, or that are found from their values.
 */
#ifndef FORMAT_SOCH_SOCH_PLAN_H
#define FORMAT_SOCH_SOCH_PLAN_H

#include "doc/columns.h"
#include "format/soch/soch_given.h"

typedef struct soch_table {
    doc_table is;  /* names and fields, the document's or the plan's own */
    uint32_t rows; /* how many */
    bool straight; /* all rows have the fields in their order */
    bool fits;     /* cells have to be made to fit their columns */
    bool *given;   /* of each field: its type was declared. NULL: of none */
} soch_table;

typedef struct soch_plan {
    const pith_doc *doc;
    pith_alloc alloc;
    pith_arena arena;
    const soch_wish *wish;
    soch_given given;
    LIST(soch_table) tables;

    /* Of the table that was looked at last. */
    doc_columns columns;
    column_table found;
    pith_field lone; /* the column of a value that is no table */
} soch_plan;

/* Finds the tables of the value at `at`. The wish must outlive the plan. Free it whatever
 * the outcome. */
pith_status soch_plan_make(soch_plan *plan, const pith_doc *doc, uint32_t at,
                           const soch_wish *wish, pith_error *err);
void soch_plan_free(soch_plan *plan);

/* The hooks of the codec: see table_codec. */
pith_status soch_make_tables(pith_doc *doc, pith_error *err);
pith_status soch_check_tables(pith_doc *doc, pith_error *err);

/* Finds the types of the fields that have none. False when out of memory. */
bool soch_infer(soch_plan *plan, const soch_table *table, pith_field *fields);

/* The fields as the header has to have them: with types=auto it says as little as it can.
 * That a column holds vectors, for they would be read as arrays; that it was said to hold
 * bytes, which are then written as they are; and that it holds texts, where at least two
 * would need quotes only because they look like something else. False when out of memory. */
bool soch_thin_fields(soch_plan *plan, const soch_table *table,
                      const pith_field **fields);

/* Room for so many fields, zeroed; NULL when out of memory. */
pith_field *soch_plan_fields(soch_plan *plan, size_t count);

/* Prepares for the rows of a table that is not straight. False when out of memory. */
bool soch_plan_enter(soch_plan *plan, const soch_table *table);

/* The columns of a row's members, one for each; NULL: 0, 1, 2 and so on. */
const uint32_t *soch_plan_map(soch_plan *plan, const pith_slot *row);

/* The cells of one of its rows in the order of the fields; NULL where one is missing. */
const pith_slot *const *soch_plan_row(soch_plan *plan, const pith_slot *row);

#endif
