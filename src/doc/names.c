/*
 * names.c - the hash table of names.h: open addressing, one step after the other.
 *
 * Names are entered in the order of their numbers, also when the table grows. So no name
 * was ever put further on because of a later one, and the last ones can be taken off by
 * emptying their places, without leaving marks there.
 */
#include "doc/names.h"

enum { NAMES_TABLE_FIRST = 16 };

void names_init(name_list *names, pith_alloc alloc, uint64_t seed)
{
    memset(names, 0, sizeof *names);
    names->alloc = alloc;
    names->seed = seed;
}

void names_free(name_list *names)
{
    const pith_alloc *alloc = &names->alloc;
    LIST_FREE(&names->keys, alloc);
    LIST_FREE(&names->parents, alloc);
    LIST_FREE(&names->hashes, alloc);
    alloc_free(alloc, names->table, names->table_size * sizeof *names->table);
}

/* Remembers that there was no memory. */
static bool names_fail(name_list *names)
{
    names->failed = true;
    return false;
}

static uint32_t names_hash(const name_list *names, uint32_t parent, pith_text name)
{
    return (uint32_t)hash_text(hash_seed_of(names->seed, parent), name.ptr, name.len);
}

/* The place of a number in the table, or of NAMES_NONE: the first empty one. */
static uint32_t *names_place(const name_list *names, uint32_t hash, uint32_t number)
{
    size_t mask = names->table_size - 1;
    size_t at = hash & mask;
    while (names->table[at] != number) {
        at = (at + 1) & mask;
    }
    return &names->table[at];
}

/* Room for twice as many names as there are, and those that were entered in it. */
static bool names_widen(name_list *names)
{
    size_t size = names->table_size ? names->table_size : (size_t)NAMES_TABLE_FIRST;
    while (size < 2 * (names->keys.count + 1)) {
        size *= 2;
    }
    uint32_t *table =
        alloc_fits(size, sizeof *table)
            ? (uint32_t *)alloc_resize(&names->alloc, NULL, 0, size * sizeof *table)
            : NULL;
    if (!table) {
        return false;
    }
    memset(table, 0xFF, size * sizeof *table);
    alloc_free(&names->alloc, names->table, names->table_size * sizeof *names->table);
    names->table = table;
    names->table_size = size;
    for (size_t i = 0; i < names->hashes.count; i++) {
        *names_place(names, names->hashes.at[i], NAMES_NONE) = (uint32_t)i;
    }
    return true;
}

bool names_index(name_list *names)
{
    size_t count = names->keys.count;
    if (names->hashes.count == count && names->table_size > 0) {
        return true;
    }
    if ((2 * count >= names->table_size && !names_widen(names)) ||
        !LIST_RESERVE(&names->hashes, &names->alloc, count - names->hashes.count)) {
        return names_fail(names);
    }
    for (uint32_t i = (uint32_t)names->hashes.count; i < count; i++) {
        uint32_t hash =
            names_hash(names, names_parent(names, i), key_text(&names->keys.at[i]));
        names->hashes.at[names->hashes.count++] = hash;
        *names_place(names, hash, NAMES_NONE) = i;
    }
    return true;
}

uint32_t names_look_in(const name_list *names, uint32_t parent, pith_text name)
{
    assert(names->hashes.count == names->keys.count && names->table_size > 0);
    uint32_t hash = names_hash(names, parent, name);
    size_t mask = names->table_size - 1;
    for (size_t at = hash & mask; names->table[at] != NAMES_NONE; at = (at + 1) & mask) {
        uint32_t number = names->table[at];
        if (names->hashes.at[number] == hash && names_parent(names, number) == parent &&
            text_equal(key_text(&names->keys.at[number]), name)) {
            return number;
        }
    }
    return NAMES_NONE;
}

/* Notes the parent of the name that comes next. */
static bool names_set_parent(name_list *names, uint32_t parent)
{
    if (parent == 0) {
        return true;
    }
    size_t without = names->keys.count - names->parents.count;
    uint32_t *parents = LIST_ROOM(&names->parents, &names->alloc, without + 1);
    if (!parents) {
        return false;
    }
    memset(parents, 0, without * sizeof *parents);
    parents[without] = parent;
    names->parents.count += without + 1;
    return true;
}

bool names_add_in(name_list *names, uint32_t parent, const pith_key *key)
{
    if (names->keys.count >= NAMES_NONE ||
        !LIST_RESERVE(&names->keys, &names->alloc, 1) ||
        !names_set_parent(names, parent)) {
        return names_fail(names);
    }
    names->keys.at[names->keys.count++] = *key;
    return true;
}

void names_back(name_list *names, size_t count)
{
    assert(count <= names->keys.count);
    names->keys.count = count;
    if (names->parents.count > count) {
        names->parents.count = count;
    }
    while (names->hashes.count > count) {
        uint32_t last = (uint32_t)--names->hashes.count;
        *names_place(names, names->hashes.at[last], last) = NAMES_NONE;
    }
}
