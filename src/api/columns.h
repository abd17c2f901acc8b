/*
 * columns.h - the columns of a table, and finding one by its name.
 */
#ifndef API_COLUMNS_H
#define API_COLUMNS_H

#include "doc/doc.h"

typedef struct api_columns {
    pith_alloc alloc;
    pith_arena names;
    pith_text *at;
    size_t count;
    uint32_t *table; /* open addressing: name -> index, SLOT_NONE where empty */
    size_t table_size;
    pith_value *cells; /* one for each column, for putting a row in order */
} api_columns;

/* Copies the names; false when out of memory. Free it in either case. */
bool columns_init(api_columns *columns, pith_alloc alloc, const char *const *names,
                  size_t count);
void columns_free(api_columns *columns);

/* The index of a column, tried at `guess` first; SLOT_NONE when there is none. */
uint32_t columns_find(const api_columns *columns, pith_text name, size_t guess);

/* Puts the members of an object into columns->cells, in column order, with no value
 * where a column has no member. False when a member has no column: that one is left
 * in `*stray`. Linear in columns and members. */
bool columns_arrange(api_columns *columns, pith_value row, pith_text *stray);

#endif
