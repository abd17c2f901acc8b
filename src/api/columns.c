/*
 * columns.c - a small hash table of names.
 *
 * Rows nearly always list their members in column order, so the column behind the
 * last one found is tried first and the table is hardly ever asked.
 */
#include "api/columns.h"
#include "base/list.h"

static size_t columns_slot(const api_columns *columns, pith_text name)
{
    size_t mask = columns->table_size - 1;
    size_t at = (size_t)hash_text(columns->seed, name.ptr, name.len) & mask;
    while (columns->table[at] != SLOT_NONE &&
           !text_equal(columns->at[columns->table[at]], name)) {
        at = (at + 1) & mask;
    }
    return at;
}

/* A table with room for one name more, and all names in it. */
static bool columns_make_table(api_columns *columns)
{
    size_t size = columns->table_size ? columns->table_size : 16;
    while (size < (columns->count + 1) * 2) {
        size *= 2;
    }
    if (size > columns->table_size) {
        void *table =
            alloc_resize(&columns->alloc, NULL, 0, size * sizeof *columns->table);
        if (!table) {
            return false;
        }
        alloc_free(&columns->alloc, columns->table,
                   columns->table_size * sizeof *columns->table);
        columns->table = (uint32_t *)table;
        columns->table_size = size;
    }
    memset(columns->table, 0xFF, size * sizeof *columns->table);
    for (size_t i = 0; i < columns->count; i++) {
        columns->table[columns_slot(columns, columns->at[i])] = (uint32_t)i;
    }
    return true;
}

static bool columns_reserve(api_columns *columns)
{
    size_t count = columns->count + 1;
    if (count > SLOT_COUNT_MOST / 2 ||
        !list_grow(&columns->alloc, (void *)&columns->at, &columns->cap, count,
                   sizeof *columns->at) ||
        !list_grow(&columns->alloc, (void *)&columns->cells, &columns->cell_cap, count,
                   sizeof *columns->cells)) {
        return false;
    }
    return count * 2 <= columns->table_size || columns_make_table(columns);
}

void columns_init(api_columns *columns, pith_alloc alloc)
{
    memset(columns, 0, sizeof *columns);
    columns->alloc = alloc;
    columns->seed = hash_draw_seed();
    arena_init(&columns->names, alloc);
}

bool columns_add(api_columns *columns, pith_text name)
{
    const char *copy = arena_copy(&columns->names, name.ptr, name.len);
    if (!copy || !columns_reserve(columns)) {
        return false;
    }
    columns->at[columns->count] = text_of(copy, name.len);
    columns->table[columns_slot(columns, name)] = (uint32_t)columns->count;
    columns->count++;
    return true;
}

bool columns_add_all(api_columns *columns, const char *const *names, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (!columns_add(columns, text_from(names[i]))) {
            return false;
        }
    }
    return true;
}

void columns_reset(api_columns *columns)
{
    arena_reset(&columns->names);
    columns->count = 0;
    if (columns->table) {
        memset(columns->table, 0xFF, columns->table_size * sizeof *columns->table);
    }
}

void columns_free(api_columns *columns)
{
    const pith_alloc *alloc = &columns->alloc;
    arena_free(&columns->names);
    alloc_free(alloc, columns->at, columns->cap * sizeof *columns->at);
    alloc_free(alloc, columns->cells, columns->cell_cap * sizeof *columns->cells);
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
