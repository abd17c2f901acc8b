/*
 * columns.c - matching rows with columns; see columns.h.
 */
#include "doc/columns.h"

#include <assert.h>

enum { COLUMNS_SHAPES_FIRST = 32 };

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
    alloc_free(alloc, columns->shapes, columns->shape_cap * sizeof *columns->shapes);
}

/* ------------------------------------------------------------------------- shapes */

static column_shape *columns_shape_place(column_shape *shapes, size_t cap, uint16_t shape)
{
    assert(cap > 0);
    size_t at = shape & (cap - 1);
    while (shapes[at].shape != shape && shapes[at].shape != SHAPE_NONE) {
        at = (at + 1) & (cap - 1);
    }
    return &shapes[at];
}

static bool columns_grow_shapes(doc_columns *columns)
{
    size_t cap =
        columns->shape_cap ? 2 * columns->shape_cap : (size_t)COLUMNS_SHAPES_FIRST;
    column_shape *shapes =
        (column_shape *)alloc_zeroed(&columns->alloc, cap * sizeof *shapes);
    if (!shapes) {
        columns->failed = true;
        return false;
    }
    for (size_t i = 0; i < columns->shape_cap; i++) {
        const column_shape *old = &columns->shapes[i];
        if (old->shape != SHAPE_NONE) {
            *columns_shape_place(shapes, cap, old->shape) = *old;
        }
    }
    alloc_free(&columns->alloc, columns->shapes, columns->shape_cap * sizeof *shapes);
    columns->shapes = shapes;
    columns->shape_cap = cap;
    return true;
}

/* A document may know many shapes of documents before it, so only those that are met have
 * a place. */
column_shape *columns_shape(doc_columns *columns, uint16_t shape)
{
    assert(shape != SHAPE_NONE);
    if (columns->shape_cap) {
        column_shape *known =
            columns_shape_place(columns->shapes, columns->shape_cap, shape);
        if (known->shape == shape) {
            return known;
        }
    }
    if (2 * columns->shape_count >= columns->shape_cap && !columns_grow_shapes(columns)) {
        return NULL;
    }
    column_shape *added = columns_shape_place(columns->shapes, columns->shape_cap, shape);
    added->shape = shape;
    columns->shape_count++;
    return added;
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
        !names_add_in(&columns->names, table->parent, name)) {
        return false;
    }
    table->count++;
    return true;
}

uint32_t columns_find(doc_columns *columns, column_table *table, const pith_key *name,
                      uint32_t guess)
{
    if (!columns_list_names(columns, table)) {
        return NAMES_NONE;
    }
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
        !columns_list_names(columns, table)) {
        return COLUMNS_FAILED;
    }
    const pith_key *keys = doc_keys(columns->doc, row);
    uint32_t guess = table->first_name;
    bool in_order = true;
    for (uint32_t i = 0; i < row->n; i++) {
        uint32_t name = fresh == COLUMNS_ADD
                            ? names_meet_in(names, table->parent, &keys[i], guess)
                            : names_find_in(names, table->parent, &keys[i], guess);
        if (name == NAMES_NONE) {
            return names->failed ? COLUMNS_FAILED : COLUMNS_STRAY;
        }
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
    if (!known) {
        return COLUMNS_FAILED;
    }
    if (known->table == table->number) {
        table->map = known->map;
        return known->map == columns_no_map ? COLUMNS_IN_ORDER : COLUMNS_MAPPED;
    }
    columns_met met = columns_match_keys(columns, table, row, fresh);
    if (met == COLUMNS_MAPPED) {
        known->map = (uint32_t)table->map;
        columns->maps.count += row->n;
    } else {
        known->map = columns_no_map;
    }
    known->table = met <= COLUMNS_MAPPED ? table->number : 0;
    return met;
}

columns_met columns_match(doc_columns *columns, column_table *table, const pith_slot *row,
                          columns_new fresh)
{
    assert(row->kind == PITH_OBJECT);
    if (table->count == 0 && fresh == COLUMNS_ADD && !table->listed) {
        return columns_begin(columns, table, row);
    }
    if (row->shape != SHAPE_NONE) {
        return columns_match_shape(columns, table, row, fresh);
    }
    if (row->n == table->key_count && doc_keys(columns->doc, row) == table->keys) {
        return COLUMNS_IN_ORDER;
    }
    return columns_match_keys(columns, table, row, fresh);
}

const pith_slot *const *columns_arrange(doc_columns *columns, column_table *table,
                                        const pith_slot *row)
{
    const pith_slot *at = row + 1;
    if (!LIST_RESERVE(&columns->cells, &columns->alloc, table->count + (size_t)1)) {
        return NULL;
    }
    const pith_slot **cells = columns->cells.at;
    columns_met met = columns_meet(columns, table, row, COLUMNS_REFUSE);
    if (met > COLUMNS_MAPPED) {
        return NULL;
    }
    memset((void *)cells, 0, table->count * sizeof *cells);
    assert(row->n <= table->count);
    if (met == COLUMNS_IN_ORDER) {
        for (uint32_t i = 0; i < row->n; i++, at = doc_after(columns->doc, at)) {
            cells[i] = at;
        }
        return cells;
    }
    const uint32_t *map = columns_map(columns, table);
    for (uint32_t i = 0; i < row->n; i++, at = doc_after(columns->doc, at)) {
        assert(map[i] < table->count);
        cells[map[i]] = at;
    }
    return cells;
}
