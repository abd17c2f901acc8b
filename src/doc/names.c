/*
 * names.c - the hash table of names.h.
 *
 * Names are entered in the order of their numbers, also when the table grows. So no name
 * was ever put further on because of a later one, and the last ones can be taken off by
 * emptying their places, without leaving marks there.
 */
#include "doc/names.h"

#include <assert.h>

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
    hash_table_free(&names->table, alloc);
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

bool names_index(name_list *names)
{
    size_t count = names->keys.count;
    bool moved = false;
    assert(names->hashes.count <= count);
    if (names->hashes.count == count && names->table.size > 0)
        return true;
    if (!LIST_RESERVE(&names->hashes, &names->alloc, count - names->hashes.count) ||
        !hash_table_reserve(&names->table, &names->alloc, count, &moved))
        return names_fail(names);
    for (uint32_t i = moved ? 0 : (uint32_t)names->hashes.count; i < count; i++) {
        if (i == names->hashes.count) {
            names->hashes.at[names->hashes.count++] =
                names_hash(names, names_parent(names, i), key_text(&names->keys.at[i]));
        }
        hash_enter(&names->table, names->hashes.at[i], i);
    }
    return true;
}

uint32_t names_look_in(const name_list *names, uint32_t parent, pith_text name)
{
    const hash_table *table = &names->table;
    assert(names->hashes.count == names->keys.count);
    uint32_t hash = names_hash(names, parent, name);
    size_t at = hash_first(table, hash);
    for (; table->at[at] != HASH_NONE; at = hash_next(table, at)) {
        uint32_t number = table->at[at];
        if (names->hashes.at[number] == hash && names_parent(names, number) == parent &&
            text_equal(key_text(&names->keys.at[number]), name))
            return number;
    }
    return NAMES_NONE;
}

/* Notes the parent of the `count` names that come next. */
static bool names_set_parent(name_list *names, uint32_t parent, size_t count)
{
    assert(names->parents.count <= names->keys.count);
    if (parent == 0)
        return true;
    size_t without = names->keys.count - names->parents.count;
    uint32_t *parents = LIST_ROOM(&names->parents, &names->alloc, without + count);
    if (!parents)
        return false;
    for (size_t i = 0; i < without + count; i++)
        parents[i] = i < without ? 0 : parent;
    names->parents.count += without + count;
    return true;
}

bool names_add_all(name_list *names, uint32_t parent, const pith_key *keys, size_t count)
{
    if (names->keys.count + count >= NAMES_NONE ||
        !LIST_RESERVE(&names->keys, &names->alloc, count) ||
        !names_set_parent(names, parent, count))
        return names_fail(names);
    for (size_t i = 0; i < count; i++)
        names->keys.at[names->keys.count++] = keys[i];
    return true;
}

void names_back(name_list *names, size_t count)
{
    assert(count <= names->keys.count);
    names->keys.count = count;
    if (names->parents.count > count)
        names->parents.count = count;
    while (names->hashes.count > count) {
        uint32_t last = (uint32_t)--names->hashes.count;
        size_t at = hash_first(&names->table, names->hashes.at[last]);
        while (names->table.at[at] != last)
            at = hash_next(&names->table, at);
        names->table.at[at] = HASH_NONE;
    }
}
