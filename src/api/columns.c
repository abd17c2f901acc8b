/*
 * columns.c - a small hash table of column names.
 *
 * Rows nearly always list their members in column order, so the column behind the
 * last one found is tried first and the table is hardly ever asked.
 */
#include "api/columns.h"

enum { COLUMNS_SEED = 0x70697468 };

static size_t columns_slot(const api_columns *columns, pith_text name)
{
    size_t mask = columns->table_size - 1;
    size_t at = (size_t)shape_hash(COLUMNS_SEED, name.ptr, name.len) & mask;
    while (columns->table[at] != SLOT_NONE &&
           !text_equal(columns->at[columns->table[at]], name)) {
        at = (at + 1) & mask;
    }
    return at;
}

static bool columns_reserve(api_columns *columns, size_t count)
{
    if (count >= SLOT_NONE / 2) {
        return false;
    }
    size_t size = 16;
    while (size < count * 2) {
        size *= 2;
    }
    columns->at = (pith_text *)alloc_zeroed(&columns->alloc, count * sizeof *columns->at);
    columns->cells =
        (pith_value *)alloc_zeroed(&columns->alloc, count * sizeof *columns->cells);
    columns->table =
        (uint32_t *)alloc_resize(&columns->alloc, NULL, 0, size * sizeof *columns->table);
    columns->count = count;
    columns->table_size = size;
    if (columns->table) {
        memset(columns->table, 0xFF, size * sizeof *columns->table);
    }
    return columns->at && columns->cells && columns->table;
}

bool columns_init(api_columns *columns, pith_alloc alloc, const char *const *names,
                  size_t count)
{
    memset(columns, 0, sizeof *columns);
    columns->alloc = alloc;
    arena_init(&columns->names, alloc);
    if (count == 0) {
        return true;
    }
    if (!columns_reserve(columns, count)) {
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        pith_text name = text_from(names[i]);
        const char *copy = arena_copy(&columns->names, name.ptr, name.len);
        if (!copy) {
            return false;
        }
        columns->at[i] = text_of(copy, name.len);
        columns->table[columns_slot(columns, columns->at[i])] = (uint32_t)i;
    }
    return true;
}

void columns_free(api_columns *columns)
{
    const pith_alloc *alloc = &columns->alloc;
    arena_free(&columns->names);
    alloc_free(alloc, columns->at, columns->count * sizeof *columns->at);
    alloc_free(alloc, columns->cells, columns->count * sizeof *columns->cells);
    alloc_free(alloc, columns->table, columns->table_size * sizeof *columns->table);
}

uint32_t columns_find(const api_columns *columns, pith_text name, size_t guess)
{
    if (guess < columns->count && text_equal(columns->at[guess], name)) {
        return (uint32_t)guess;
    }
    return columns->count ? columns->table[columns_slot(columns, name)] : SLOT_NONE;
}

bool columns_arrange(api_columns *columns, pith_value row, pith_text *stray)
{
    size_t guess = 0;
    memset(columns->cells, 0, columns->count * sizeof *columns->cells);
    for (pith_value v = pith_value_first(row); v.doc; v = pith_value_next(v)) {
        pith_text key = pith_value_key(v);
        uint32_t index = columns_find(columns, key, guess);
        if (index == SLOT_NONE) {
            *stray = key;
            return false;
        }
        columns->cells[index] = v;
        guess = index + 1;
    }
    return true;
}
