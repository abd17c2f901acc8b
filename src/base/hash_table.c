/*
 * hash_table.c - making room in a table of numbers.
 */
#include "base/hash_table.h"

#include <string.h>

enum { HASH_TABLE_LEAST = 16 };

bool hash_table_reserve(hash_table *table, const pith_alloc *alloc, size_t count,
                        bool *moved)
{
    size_t size = table->size ? table->size : (size_t)HASH_TABLE_LEAST;
    while (size / 2 < count)
        size *= 2;
    *moved = size != table->size;
    if (!*moved)
        return true;
    uint32_t *at = (uint32_t *)alloc_resize(alloc, NULL, 0, size * sizeof *at);
    if (!at)
        return false;
    hash_table_free(table, alloc);
    table->at = at;
    table->size = size;
    hash_table_clear(table);
    return true;
}

void hash_table_clear(hash_table *table)
{
    if (table->size > 0)
        memset(table->at, 0xFF, table->size * sizeof *table->at);
}

void hash_table_free(hash_table *table, const pith_alloc *alloc)
{
    alloc_free(alloc, table->at, table->size * sizeof *table->at);
    table->at = NULL;
    table->size = 0;
}
