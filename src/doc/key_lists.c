/*
 * key_lists.c - the hash table of key_lists.h.
 */
#include "doc/key_lists.h"

#include <assert.h>

void key_lists_free(key_lists *lists)
{
    LIST_FREE(&lists->list, &lists->alloc);
    hash_table_free(&lists->table, &lists->alloc);
}

static uint32_t key_lists_hash(const key_lists *lists, const pith_key *keys)
{
    return hash_small(lists->seed, (uint64_t)(uintptr_t)keys);
}

uint32_t key_lists_find(const key_lists *lists, const pith_key *keys)
{
    const hash_table *table = &lists->table;
    if (lists->list.count == 0)
        return HASH_NONE;
    size_t at = hash_first(table, key_lists_hash(lists, keys));
    while (table->at[at] != HASH_NONE && lists->list.at[table->at[at]] != keys)
        at = hash_next(table, at);
    return table->at[at];
}

bool key_lists_add(key_lists *lists, const pith_key *keys)
{
    bool moved;
    size_t count = lists->list.count;
    assert(key_lists_find(lists, keys) == HASH_NONE);
    if (!LIST_RESERVE(&lists->list, &lists->alloc, 1) ||
        !hash_table_reserve(&lists->table, &lists->alloc, count + 1, &moved))
        return false;
    lists->list.at[lists->list.count++] = keys;
    for (size_t i = moved ? 0 : count; i <= count; i++)
        hash_enter(&lists->table, key_lists_hash(lists, lists->list.at[i]), (uint32_t)i);
    return true;
}
