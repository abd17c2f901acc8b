/*
 * names.h - names and their numbers: 0, 1, 2 in the order in which they first come.
 *
 *     name_list names;
 *     names_init(&names, alloc, doc->shapes.seed);
 *     uint32_t number = names_meet(&names, &key, guess);      new or old
 *
 * Names mostly come again in the order in which they came first, so every question brings
 * a guess, and comparing one name answers it. The hash table is made when a guess is wrong
 * for the first time: who only has rows with equal keys never pays for it.
 *
 * A name may have a parent, any number: equal names under two parents are two names. That
 * makes a list of names a tree (fields in groups of fields), or several lists in one.
 *
 * Texts are borrowed. names_back takes the last names off again.
 */
#ifndef DOC_NAMES_H
#define DOC_NAMES_H

#include "base/hash_table.h"
#include "base/list.h"
#include "base/text.h"
#include "doc/slot.h"

#define NAMES_NONE HASH_NONE /* no such name, or out of memory: see `failed` */

typedef struct name_list {
    pith_alloc alloc;
    uint64_t seed;
    LIST(pith_key) keys;
    LIST(uint32_t) parents; /* of the first names; those after them have parent 0 */

    /* The names that have been entered into the hash table, the first ones, have their
     * hash in a list: so the table can grow, and names can be taken off again. */
    LIST(uint32_t) hashes;
    hash_table table;
    bool failed; /* there was no memory for an answer */
} name_list;

/* The seed is for the hash table: see base/hash.h. */
void names_init(name_list *names, pith_alloc alloc, uint64_t seed);
void names_free(name_list *names);

/* The names from number `count` on are forgotten; memory is kept. */
void names_back(name_list *names, size_t count);

/* More names, which are new; false when out of memory. */
bool names_add_all(name_list *names, uint32_t parent, const pith_key *keys, size_t count);

static inline bool names_add_in(name_list *names, uint32_t parent, const pith_key *key)
{
    return names_add_all(names, parent, key, 1);
}

/* Enters all names into the hash table, so that names_look can find them. False when out
 * of memory. */
bool names_index(name_list *names);

/* The number of a name by the hash table alone. All names must have been entered. */
uint32_t names_look_in(const name_list *names, uint32_t parent, pith_text name);

static inline uint32_t names_parent(const name_list *names, uint32_t number)
{
    return number < names->parents.count ? names->parents.at[number] : 0;
}

/* The number of a name, most likely `guess`; NAMES_NONE when there is none. */
static inline uint32_t names_find_in(name_list *names, uint32_t parent,
                                     const pith_key *key, uint32_t guess)
{
    if (guess < names->keys.count && key_equal(&names->keys.at[guess], key) &&
        names_parent(names, guess) == parent)
        return guess;
    bool indexed = names->hashes.count == names->keys.count && names->table.size > 0;
    return indexed || names_index(names) ? names_look_in(names, parent, key_text(key))
                                         : NAMES_NONE;
}

/* The same, and a name that is new is added: NAMES_NONE only when out of memory. */
static inline uint32_t names_meet_in(name_list *names, uint32_t parent,
                                     const pith_key *key, uint32_t guess)
{
    uint32_t number = names_find_in(names, parent, key, guess);
    if (number != NAMES_NONE || names->failed)
        return number;
    number = (uint32_t)names->keys.count;
    return names_add_in(names, parent, key) ? number : NAMES_NONE;
}

/* Names without parents. */
static inline bool names_add(name_list *names, const pith_key *key)
{
    return names_add_in(names, 0, key);
}

static inline uint32_t names_look(const name_list *names, pith_text name)
{
    return names_look_in(names, 0, name);
}

static inline uint32_t names_find(name_list *names, const pith_key *key, uint32_t guess)
{
    return names_find_in(names, 0, key, guess);
}

static inline uint32_t names_meet(name_list *names, const pith_key *key, uint32_t guess)
{
    return names_meet_in(names, 0, key, guess);
}

#endif
