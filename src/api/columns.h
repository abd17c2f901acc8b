/*
 * columns.h - a growing list of names, and finding one: the columns of a table, the
 * members of an object.
 */
#ifndef API_COLUMNS_H
#define API_COLUMNS_H

#include "doc/doc.h"

typedef struct api_columns {
    pith_alloc alloc;
    pith_arena names;
    pith_text *at;
    size_t count;
    size_t cap;
    uint32_t *table; /* open addressing: name -> index, SLOT_NONE where empty */
    size_t table_size;
    uint64_t seed;
    pith_value *cells; /* one for each column, for putting a row in order */
    size_t cell_cap;
} api_columns;

void columns_init(api_columns *columns, pith_alloc alloc);
void columns_free(api_columns *columns);

/* Forgets all names and keeps the memory. */
void columns_reset(api_columns *columns);

/* Copies one name behind the last; false when out of memory. */
bool columns_add(api_columns *columns, pith_text name);

/* The same for several. */
bool columns_add_all(api_columns *columns, const char *const *names, size_t count);

/* The index of a column, tried at `guess` first; SLOT_NONE when there is none. */
uint32_t columns_find(const api_columns *columns, pith_text name, size_t guess);

/* Puts the members of an object into columns->cells, in column order, with no value
 * where a column has no member. False when a member has no column: that one is left
 * in `*stray`. Linear in columns and members. There is at least one column. */
bool columns_arrange(api_columns *columns, pith_value row, pith_text *stray);

#endif
