/*
 * toon_fold.h - version 3: chains of objects with one member as one dotted key.
 *
 *     {"a":{"b":{"c":1}}}         a.b.c: 1
 *
 * On the tape the values of a chain stand one after the other, so a chain is a range
 * of slots: from the member where it begins to its leaf, the first value that is not an
 * object with one member. It is folded when the leaf is a scalar, an array or an empty
 * object, when every key that would be joined is an identifier, and when no sibling has
 * the joined key as its own. Each chain is judged once, as a whole: what is left of it
 * below flatten-depth, or all of it when a sibling is in the way, is written as it is.
 * (A key that is no identifier ends nothing: after it the chain may begin anew.)
 *
 * Only a key with a dot can be in the way. Those are put in a table, with the object
 * they belong to, when their object is entered.
 */
#ifndef FORMAT_TOON_TOON_FOLD_H
#define FORMAT_TOON_TOON_FOLD_H

#include "doc/names.h"
#include "format/toon/toon.h"

typedef struct toon_fold {
    pith_alloc alloc;
    const pith_doc *doc;
    uint64_t flatten_depth;
    const pith_slot *leaf; /* of the chain that was met last */
    const pith_slot *done; /* no value up to here begins a folded key */
    name_list dotted;      /* keys with a dot, under the number of their object */
    LIST(char) joined;     /* the folded key */
} toon_fold;

void toon_fold_init(toon_fold *fold, const pith_doc *doc, uint64_t flatten_depth,
                    pith_alloc alloc);
void toon_fold_free(toon_fold *fold);

/* Must be told of every object whose members are written; false when out of memory. */
bool toon_fold_enter(toon_fold *fold, const pith_slot *object);

/* Whether the member `key` of `object` is folded. If it is, `*value` becomes the value
 * after the joined keys and the key is in `joined`. False when out of memory. */
bool toon_fold_member(toon_fold *fold, const pith_slot *object, const pith_key *key,
                      const pith_slot **value, bool *folded);

#endif
