/*
 * columns.h - names that a caller gives one by one: the columns of a table, the members of
 * an object. They are copied.
 */
#ifndef API_COLUMNS_H
#define API_COLUMNS_H

#include "doc/doc.h"
#include "doc/names.h"

typedef struct api_columns {
    pith_arena copies;
    name_list names;
    LIST(pith_value) cells; /* of one row, by column */
} api_columns;

void api_columns_init(api_columns *columns, pith_alloc alloc);
void api_columns_free(api_columns *columns);

/* Forgets all names and keeps the memory. */
void api_columns_reset(api_columns *columns);

/* Copies one name after the last; false when out of memory. */
bool api_columns_add(api_columns *columns, pith_text name);

/* Puts the members of an object into columns->cells, in column order, with no value
 * where a column has no member. There is at least one column. False when memory runs out
 * (see columns->names.failed), and when a member has no column: that one is `*stray`.
 * Linear in columns and members. */
bool api_columns_arrange(api_columns *columns, pith_value row, pith_text *stray);

#endif
