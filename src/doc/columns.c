/*
 * columns.c - matching rows with columns; see columns.h.
 */
#include "doc/columns.h"

#include <assert.h>

static const uint32_t columns_no_map = UINT32_MAX;

void columns_init(doc_columns *columns, const pith_doc *doc, pith_alloc alloc)
{
    memset(columns, 0, sizeof *columns);
    columns->alloc = alloc;
    columns->doc = doc;
    names_init(&columns->names, alloc, doc->shapes.seed);
}

void columns_free(doc_columns *columns)
{
    const pith_alloc *alloc = &columns->alloc;
    names_free(&columns->names);
    LIST_FREE(&columns->maps, alloc);
    LIST_FREE(&columns->cells, alloc);
    LIST_FREE(&columns->shapes, alloc);
    hash_table_free(&columns->by_shape, alloc);
}

/* ------------------------------------------------------------------------- shapes */

/* One more shape; NULL when out of memory. */
static column_shape *columns_add_shape(doc_columns *columns, uint16_t shape)
{
    bool moved;
    column_shape *added = LIST_ROOM(&columns->shapes, &columns->alloc, 1);
    if (!added || !hash_table_reserve(&columns->by_shape, &columns->alloc,
                                      columns->shapes.count + 1, &moved)) {
        columns->failed = true;
        return NULL;
    }
    *added = (column_shape){.shape = shape};
    uint32_t last = (uint32_t)columns->shapes.count++;
    for (uint32_t i = moved ? 0 : last; i <= last; i++)
        hash_enter(&columns->by_shape, columns->shapes.at[i].shape, i);
    return added;
}

/* A document may know many shapes of documents before it, so only those that are met have
 * a place. */
column_shape *columns_shape(doc_columns *columns, uint16_t shape)
{
    const hash_table *table = &columns->by_shape;
    assert(shape != SHAPE_NONE);
    if (table->size > 0) {
        size_t at = hash_first(table, shape);
        for (; table->at[at] != HASH_NONE; at = hash_next(table, at)) {
            column_shape *known = &columns->shapes.at[table->at[at]];
            if (known->shape == shape)
                return known;
        }
    }
    return columns_add_shape(columns, shape);
}

/* --------------------------------------------------------------------------- rows */

/* All keys of the row become columns. */
static columns_met columns_begin(doc_columns *columns, column_table *table,
                                 const pith_slot *row)
{
    assert(table->count == 0 && !table->listed);
    table->shape = row->shape;
    table->keys = doc_keys(columns->doc, row);
    table->key_count = table->count = row->n;
    return COLUMNS_IN_ORDER;
}

/* Lists the names of the first columns, if that has not been done. The table must be the
 * last that was opened then. */
static bool columns_list_names(doc_columns *columns, column_table *table)
{
    if (!table->listed) {
        assert(table->parent == columns->open - 1);
        table->listed =
            names_add_all(&columns->names, table->parent, table->keys, table->key_count);
    }
    return table->listed;
}

bool columns_add(doc_columns *columns, column_table *table, const pith_key *name)
{
    assert(table->parent == columns->open - 1);
    if (!columns_list_names(columns, table) ||
        !names_add_in(&columns->names, table->parent, name))
        return false;
    table->count++;
    return true;
}

uint32_t columns_find(doc_columns *columns, column_table *table, const pith_key *name,
                      uint32_t guess)
{
    if (!columns_list_names(columns, table))
        return NAMES_NONE;
    uint32_t number =
        names_find_in(&columns->names, table->parent, name, table->first_name + guess);
    return number == NAMES_NONE ? number : number - table->first_name;
}

/* Puts the column of each member on top of the maps, without keeping it there. */
static columns_met columns_match_keys(doc_columns *columns, column_table *table,
                                      const pith_slot *row, columns_new fresh)
{
    name_list *names = &columns->names;
    uint32_t *map = LIST_ROOM(&columns->maps, &columns->alloc, row->n + (size_t)1);
    if (!map || columns->maps.count >= columns_no_map ||
        !columns_list_names(columns, table))
        return COLUMNS_FAILED;
    const pith_key *keys = doc_keys(columns->doc, row);
    uint32_t guess = table->first_name;
    bool in_order = true;
    for (uint32_t i = 0; i < row->n; i++) {
        uint32_t name = fresh == COLUMNS_ADD
                            ? names_meet_in(names, table->parent, &keys[i], guess)
                            : names_find_in(names, table->parent, &keys[i], guess);
        if (name == NAMES_NONE)
            return names->failed ? COLUMNS_FAILED : COLUMNS_STRAY;
        map[i] = name - table->first_name;
        in_order = in_order && map[i] == i;
        guess = name + 1;
    }
    if (fresh == COLUMNS_ADD) {
        assert(table->parent == columns->open - 1);
        table->count = (uint32_t)names->keys.count - table->first_name;
    }
    table->map = columns->maps.count;
    return in_order ? COLUMNS_IN_ORDER : COLUMNS_MAPPED;
}

/* The same for a row that has a shape: once for all rows that have it. Only when a table
 * that was open in between has met that shape too, it is matched again, which costs no
 * more than a look at the row's keys. */
static columns_met columns_match_shape(doc_columns *columns, column_table *table,
                                       const pith_slot *row, columns_new fresh)
{
    column_shape *known = columns_shape(columns, row->shape);
    if (!known)
        return COLUMNS_FAILED;
    if (known->table != table->number) {
        columns_met met = columns_match_keys(columns, table, row, fresh);
        if (met > COLUMNS_MAPPED)
            return met;
        known->table = table->number;
        known->map = met == COLUMNS_MAPPED ? (uint32_t)table->map : columns_no_map;
        columns->maps.count += met == COLUMNS_MAPPED ? row->n : 0;
    }
    table->map = known->map;
    table->last_shape = row->shape;
    table->last_met = known->map == columns_no_map ? COLUMNS_IN_ORDER : COLUMNS_MAPPED;
    return table->last_met;
}

columns_met columns_match(doc_columns *columns, column_table *table, const pith_slot *row,
                          columns_new fresh)
{
    assert(row->kind == PITH_OBJECT);
    if (table->count == 0 && fresh == COLUMNS_ADD && !table->listed)
        return columns_begin(columns, table, row);
    if (row->shape != SHAPE_NONE)
        return columns_match_shape(columns, table, row, fresh);
    table->last_shape = SHAPE_NONE; /* its map will be gone */
    if (row->n == table->key_count && doc_keys(columns->doc, row) == table->keys)
        return COLUMNS_IN_ORDER;
    return columns_match_keys(columns, table, row, fresh);
}

const pith_slot *const *columns_arrange(doc_columns *columns, column_table *table,
                                        const pith_slot *row)
{
    const pith_slot *at = row + 1;
    if (!LIST_RESERVE(&columns->cells, &columns->alloc, table->count + (size_t)1))
        return NULL;
    const pith_slot **cells = columns->cells.at;
    columns_met met = columns_meet(columns, table, row, COLUMNS_REFUSE);
    if (met > COLUMNS_MAPPED)
        return NULL;
    memset((void *)cells, 0, table->count * sizeof *cells);
    assert(row->n <= table->count);
    if (met == COLUMNS_IN_ORDER) {
        for (uint32_t i = 0; i < row->n; i++, at = doc_after(columns->doc, at))
            cells[i] = at;
        return cells;
    }
    const uint32_t *map = columns_map(columns, table);
    for (uint32_t i = 0; i < row->n; i++, at = doc_after(columns->doc, at)) {
        assert(map[i] < table->count);
        cells[map[i]] = at;
    }
    return cells;
}
