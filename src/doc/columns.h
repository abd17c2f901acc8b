/*
 * columns.h - the columns of rows: the union of their keys, in the order in which they
 * first come.
 *
 *     {"id":1,"at":2}          columns  id, at, note
 *     {"id":2,"note":3}        maps     0,1   0,2
 *
 * Most tables have rows of one shape. Their keys are the columns, and one comparison of
 * two numbers says so for each row: nothing is written down. With the first row that is
 * different the names are listed. It has a map, which says for each member its column;
 * rows of one shape are matched once.
 *
 *     columns_open(&columns, &table);
 *     for each row
 *         columns_meet(&columns, &table, row, COLUMNS_ADD)
 *     for each row
 *         cells = columns_arrange(&columns, &table, row)       by column, NULL: absent
 *     columns_close(&columns, &table);
 *
 * Everything is on stacks, so tables may be opened inside of open tables: only the one
 * that was opened last meets rows with new keys. Rows without a shape (see shape.h) have a
 * map that is overwritten by the next one; columns_hold keeps it.
 */
#ifndef DOC_COLUMNS_H
#define DOC_COLUMNS_H

#include "doc/doc.h"
#include "doc/names.h"

#include <assert.h>

/* What is known of a shape. */
typedef struct column_shape {
    uint16_t shape;
    uint8_t note;   /* the user's, 0 at first */
    uint32_t table; /* the table that has matched it last, */
    uint32_t map;   /* and where its map is */
} column_shape;

typedef struct doc_columns {
    pith_alloc alloc;
    const pith_doc *doc;
    name_list names; /* of all open tables, one after the other */
    LIST(uint32_t) maps;
    LIST(const pith_slot *) cells; /* of one row, by column */

    LIST(column_shape) shapes; /* those met so far */
    hash_table by_shape;

    uint32_t open;   /* tables that are, */
    uint32_t opened; /* or have been */
    bool failed;     /* out of memory */
} doc_columns;

/* What becomes of a key that is no column yet. */
typedef enum columns_new { COLUMNS_REFUSE, COLUMNS_ADD } columns_new;

typedef enum columns_met {
    COLUMNS_IN_ORDER, /* the members are the first columns: there is no map */
    COLUMNS_MAPPED,   /* columns_map has the column of each member */
    COLUMNS_STRAY,    /* a key is no column, and new ones are refused */
    COLUMNS_FAILED    /* out of memory */
} columns_met;

/* A table: its part of the stacks. Only `count` is for others. */
typedef struct column_table {
    uint32_t count;      /* of columns */
    uint32_t number;     /* among all tables that were ever opened */
    uint32_t parent;     /* of its names, */
    uint32_t first_name; /* and where they begin */
    uint16_t shape;      /* of the row that had the first columns, in their order, */
    uint32_t key_count;  /* and its keys; */
    const pith_key *keys;
    bool listed;         /* these are among the names */
    size_t maps;         /* where its maps begin */
    size_t map;          /* that of the row that was met last, */
    uint16_t last_shape; /* and its shape, if it is not the first */
    columns_met last_met;
} column_table;

void columns_init(doc_columns *columns, const pith_doc *doc, pith_alloc alloc);
void columns_free(doc_columns *columns);

static inline void columns_open(doc_columns *columns, column_table *table)
{
    *table = (column_table){.number = ++columns->opened,
                            .parent = columns->open++,
                            .first_name = (uint32_t)columns->names.keys.count,
                            .maps = columns->maps.count};
}

/* The table must be the last that was opened. */
static inline void columns_close(doc_columns *columns, const column_table *table)
{
    assert(table->parent == columns->open - 1);
    if (table->listed)
        names_back(&columns->names, table->first_name);
    columns->maps.count = table->maps;
    columns->open--;
}

/* One more column, which is new. False when out of memory. */
bool columns_add(doc_columns *columns, column_table *table, const pith_key *name);

/* True for a row of the shape that the first columns were found in, in their order. */
static inline bool columns_are_first(const column_table *table, const pith_slot *row)
{
    return row->shape == table->shape && row->shape != SHAPE_NONE;
}

/* See columns_meet. */
columns_met columns_match(doc_columns *columns, column_table *table, const pith_slot *row,
                          columns_new fresh);

/* Finds the columns of a row's members. */
static inline columns_met columns_meet(doc_columns *columns, column_table *table,
                                       const pith_slot *row, columns_new fresh)
{
    if (columns_are_first(table, row))
        return COLUMNS_IN_ORDER;
    return row->shape == table->last_shape && row->shape != SHAPE_NONE
               ? table->last_met
               : columns_match(columns, table, row, fresh);
}

/* The map of the row that was met last. Meeting another row moves it. */
static inline const uint32_t *columns_map(const doc_columns *columns,
                                          const column_table *table)
{
    assert(table->map <= columns->maps.count);
    return columns->maps.at + table->map;
}

/* The names of all columns. Adding one moves them. */
static inline const pith_key *columns_names(const doc_columns *columns,
                                            const column_table *table)
{
    bool first = table->count == table->key_count;
    return first ? table->keys : columns->names.keys.at + table->first_name;
}

/* The name of a column. Adding another moves it. */
static inline const pith_key *columns_name(const doc_columns *columns,
                                           const column_table *table, size_t column)
{
    assert(column < table->count);
    return &columns_names(columns, table)[column];
}

/* The column of that name, most likely number `guess`; NAMES_NONE when there is none, and
 * when out of memory. */
uint32_t columns_find(doc_columns *columns, column_table *table, const pith_key *name,
                      uint32_t guess);

/* The values of a row by column, NULL where it has none; NULL when out of memory, and
 * when a key is no column. Good until the next call. */
const pith_slot *const *columns_arrange(doc_columns *columns, column_table *table,
                                        const pith_slot *row);

/* Keeps the map of the row that was met last, also when tables are opened inside of this
 * one, until it is released with the number that is returned. */
static inline size_t columns_hold(doc_columns *columns, const column_table *table,
                                  const pith_slot *row)
{
    size_t before = columns->maps.count;
    if (before < table->map + row->n)
        columns->maps.count = table->map + row->n;
    return before;
}

static inline void columns_release(doc_columns *columns, size_t before)
{
    assert(before <= columns->maps.count);
    columns->maps.count = before;
}

/* What is known of a shape; NULL when out of memory. Good until the next call. */
column_shape *columns_shape(doc_columns *columns, uint16_t shape);

#endif
