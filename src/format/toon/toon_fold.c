/*
 * toon_fold.c - judging chains; see toon_fold.h.
 */
#include "format/toon/toon_fold.h"

#include "format/toon/toon_scalar.h"

#include <assert.h>

void toon_fold_init(toon_fold *fold, const pith_doc *doc, uint64_t flatten_depth,
                    pith_alloc alloc)
{
    memset(fold, 0, sizeof *fold);
    fold->alloc = alloc;
    fold->doc = doc;
    fold->flatten_depth = flatten_depth;
    names_init(&fold->dotted, alloc, doc->shapes.seed);
}

void toon_fold_free(toon_fold *fold)
{
    names_free(&fold->dotted);
    LIST_FREE(&fold->joined, &fold->alloc);
}

/* ----------------------------------------------------------------- dotted keys */

static uint32_t toon_fold_number(const toon_fold *fold, const pith_slot *object)
{
    return (uint32_t)(object - fold->doc->slots);
}

bool toon_fold_enter(toon_fold *fold, const pith_slot *object)
{
    const pith_key *keys = doc_keys(fold->doc, object);
    for (uint32_t i = 0; i < object->n; i++) {
        const pith_key *key = &keys[i];
        if (key->len == 0 || !memchr(key->text, '.', key->len))
            continue;
        if (!names_add_in(&fold->dotted, toon_fold_number(fold, object), key))
            return false;
    }
    return true;
}

/* Whether the object has the joined key as its own; false when out of memory. */
static bool toon_fold_is_taken(toon_fold *fold, const pith_slot *object, bool *taken)
{
    pith_text joined = text_of(fold->joined.at, fold->joined.count);
    *taken = false;
    if (fold->dotted.keys.count == 0)
        return true;
    if (!names_index(&fold->dotted))
        return false;
    *taken = names_look_in(&fold->dotted, toon_fold_number(fold, object), joined) !=
             NAMES_NONE;
    return true;
}

/* ---------------------------------------------------------------------- chains */

static bool toon_has_one_member(const pith_slot *value)
{
    return value->kind == PITH_OBJECT && value->n == 1;
}

/* The key of a value inside a chain that begins after `first`. */
static const pith_key *toon_chain_key(const toon_fold *fold, const pith_slot *first,
                                      const pith_key *first_key, const pith_slot *value)
{
    return value == first ? first_key : doc_keys(fold->doc, value - 1);
}

static bool toon_join(toon_fold *fold, const pith_key *key)
{
    if (!LIST_RESERVE(&fold->joined, &fold->alloc, (size_t)key->len + 1))
        return false;
    if (fold->joined.count > 0)
        fold->joined.at[fold->joined.count++] = '.';
    memcpy(fold->joined.at + fold->joined.count, key->text, key->len);
    fold->joined.count += key->len;
    return true;
}

bool toon_fold_member(toon_fold *fold, const pith_slot *object, const pith_key *key,
                      const pith_slot **value, bool *folded)
{
    const pith_slot *first = *value;
    assert(first->kind == PITH_OBJECT);
    *folded = false;
    if (!fold->leaf || first > fold->leaf) {
        const pith_slot *leaf = first;
        while (toon_has_one_member(leaf))
            leaf++;
        fold->leaf = leaf;
        /* What ends in an object with several members is no chain. */
        fold->done = leaf->kind == PITH_OBJECT && leaf->n > 1 ? leaf : NULL;
    }
    uint64_t length = (uint64_t)(fold->leaf - first) + 1;
    uint64_t joined = length < fold->flatten_depth ? length : fold->flatten_depth;
    if (joined < 2 || (fold->done && first <= fold->done))
        return true;
    fold->joined.count = 0;
    for (const pith_slot *at = first; at < first + joined; at++) {
        const pith_key *next = toon_chain_key(fold, first, key, at);
        if (!toon_is_identifier(next->text, next->len)) {
            fold->done = at;
            return true;
        }
        if (!toon_join(fold, next))
            return false;
    }
    fold->done = fold->leaf;
    bool taken;
    if (!toon_fold_is_taken(fold, object, &taken))
        return false;
    *folded = !taken;
    if (*folded)
        *value = first + joined - 1;
    return true;
}
