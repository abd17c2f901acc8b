/*
 * hash_table.h - from hashes to the numbers of items.
 *
 *     hash & mask
 *          v
 *     | 3 |   | 0 | 2 |   | 1 |      numbers; HASH_NONE where it is empty
 *
 *     items   0 Ann   1 Bob   2 Cy   3 Dee      the caller's
 *
 * The caller keeps the items, in a list of its own, and compares them: a table that knew
 * how would have to ask through a pointer for every item that it meets. Looking for an
 * item is one loop:
 *
 *     size_t at = hash_first(&table, hash);
 *     while (table.at[at] != HASH_NONE && !same(&items[table.at[at]])) {
 *         at = hash_next(&table, at);
 *     }
 *
 * It ends at the item or at the empty place where the item belongs. At most half of the
 * places are taken. Foreign keys need a seeded hash (see hash.h).
 */
#ifndef BASE_HASH_TABLE_H
#define BASE_HASH_TABLE_H

#include "base/alloc.h"
#include "base/hash.h"

#include <assert.h>

#define HASH_NONE UINT32_MAX

/* Zeroed: a table without room. */
typedef struct hash_table {
    uint32_t *at;
    size_t size; /* a power of two, or 0 */
} hash_table;

/* Room for `count` numbers; false when out of memory. If the table had to grow it is
 * empty, `*moved` is true, and the caller enters all numbers again. */
bool hash_table_reserve(hash_table *table, const pith_alloc *alloc, size_t count,
                        bool *moved);

/* Empties it and keeps its memory. */
void hash_table_clear(hash_table *table);
void hash_table_free(hash_table *table, const pith_alloc *alloc);

/* Where an item with that hash is sought first, and where next. */
static inline size_t hash_first(const hash_table *table, uint64_t hash)
{
    assert(table->size > 0);
    return (size_t)hash & (table->size - 1);
}

static inline size_t hash_next(const hash_table *table, size_t at)
{
    assert(at < table->size);
    return (at + 1) & (table->size - 1);
}

/* Enters a number whose item is not in the table. */
static inline void hash_enter(hash_table *table, uint64_t hash, uint32_t number)
{
    assert(number != HASH_NONE);
    size_t at = hash_first(table, hash);
    while (table->at[at] != HASH_NONE)
        at = hash_next(table, at);
    table->at[at] = number;
}

#endif
