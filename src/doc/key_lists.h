/*
 * key_lists.h - numbers for the lists of keys that objects have, by where they are.
 *
 * All rows of a table share one list, with or without a shape. A row may be a byte and a
 * key as long as the text, so whoever looks into keys does it once for each list, not once
 * for each object.
 */
#ifndef DOC_KEY_LISTS_H
#define DOC_KEY_LISTS_H

#include "base/hash_table.h"
#include "base/list.h"
#include "doc/slot.h"

/* Zeroed, but for the allocator and the seed: none. */
typedef struct key_lists {
    pith_alloc alloc;
    uint64_t seed;
    LIST(const pith_key *) list;
    hash_table table;
} key_lists;

void key_lists_free(key_lists *lists);

/* The number of a list, from 0; HASH_NONE when it has not been added. */
uint32_t key_lists_find(const key_lists *lists, const pith_key *keys);

/* Adds one that has not been added; false when out of memory. */
bool key_lists_add(key_lists *lists, const pith_key *keys);

#endif
