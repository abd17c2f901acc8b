/*
 * columns.c - names of a caller, on doc/names.
 */
#include "api/columns.h"

void api_columns_init(api_columns *columns, pith_alloc alloc)
{
    memset(columns, 0, sizeof *columns);
    arena_init(&columns->copies, alloc);
    names_init(&columns->names, alloc, hash_seed(alloc));
}

void api_columns_free(api_columns *columns)
{
    const pith_alloc alloc = columns->names.alloc;
    LIST_FREE(&columns->cells, &alloc);
    names_free(&columns->names);
    arena_free(&columns->copies);
}

void api_columns_reset(api_columns *columns)
{
    names_back(&columns->names, 0);
    arena_reset(&columns->copies);
}

bool api_columns_add(api_columns *columns, pith_text name)
{
    const pith_alloc *alloc = &columns->names.alloc;
    size_t count = columns->names.keys.count + 1;
    const char *copy = arena_copy(&columns->copies, name.ptr, name.len);
    pith_key key = {copy, (uint32_t)name.len, SLOT_NEAR_END, 0};
    return copy && count <= SLOT_COUNT_MOST / 2 &&
           LIST_RESERVE(&columns->cells, alloc, count) &&
           names_add(&columns->names, &key);
}

bool api_columns_arrange(api_columns *columns, pith_value row, pith_text *stray)
{
    uint32_t guess = 0;
    memset(columns->cells.at, 0, columns->names.keys.count * sizeof *columns->cells.at);
    for (pith_value v = pith_value_first(row); v.doc; v = pith_value_next(v)) {
        pith_text text = pith_value_key(v);
        pith_key key = {text.ptr, (uint32_t)text.len, SLOT_NEAR_END, 0};
        uint32_t column = names_find(&columns->names, &key, guess);
        if (column == NAMES_NONE) {
            *stray = text;
            return false;
        }
        columns->cells.at[column] = v;
        guess = column + 1;
    }
    return true;
}
