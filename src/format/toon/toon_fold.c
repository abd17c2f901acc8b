/*
 * toon_fold.c - judging chains; see toon_fold.h.
 */
#include "format/toon/toon_fold.h"

#include "format/toon/toon_scalar.h"

void toon_fold_init(toon_fold *fold, const pith_doc *doc, uint64_t flatten_depth,
                    pith_alloc alloc)
{
    memset(fold, 0, sizeof *fold);
    fold->alloc = alloc;
    fold->doc = doc;
    fold->flatten_depth = flatten_depth;
}

void toon_fold_free(toon_fold *fold)
{
    alloc_free(&fold->alloc, fold->dotted, fold->dotted_size * sizeof *fold->dotted);
    LIST_FREE(&fold->joined, &fold->alloc);
}

/* ----------------------------------------------------------------- dotted keys */

static uint32_t toon_fold_number(const toon_fold *fold, const pith_slot *object)
{
    return (uint32_t)(object - fold->doc->slots);
}

/* The entry of that key, or the free one where it would be. */
static toon_dotted *toon_dotted_find(const toon_fold *fold, uint32_t object,
                                     const char *text, size_t len)
{
    uint64_t seed = hash_seed_of(fold->doc->shapes.seed, object);
    size_t mask = fold->dotted_size - 1;
    size_t at = (size_t)hash_text(seed, text, len) & mask;
    for (;; at = (at + 1) & mask) {
        toon_dotted *entry = &fold->dotted[at];
        if (!entry->key || (entry->object == object &&
                            text_equal(key_text(entry->key), text_of(text, len)))) {
            return entry;
        }
    }
}

static bool toon_dotted_grow(toon_fold *fold)
{
    size_t old_size = fold->dotted_size;
    size_t size = old_size ? old_size * 2 : 64;
    toon_dotted *old = fold->dotted;
    toon_dotted *entries =
        size > SIZE_MAX / sizeof *entries
            ? NULL
            : (toon_dotted *)alloc_zeroed(&fold->alloc, size * sizeof *entries);
    if (!entries) {
        return false;
    }
    fold->dotted = entries;
    fold->dotted_size = size;
    for (size_t i = 0; i < old_size; i++) {
        if (old[i].key) {
            *toon_dotted_find(fold, old[i].object, old[i].key->text, old[i].key->len) =
                old[i];
        }
    }
    alloc_free(&fold->alloc, old, old_size * sizeof *old);
    return true;
}

bool toon_fold_enter(toon_fold *fold, const pith_slot *object)
{
    const pith_key *keys = doc_keys(fold->doc, object);
    for (uint32_t i = 0; i < object->n; i++) {
        const pith_key *key = &keys[i];
        if (key->len == 0 || !memchr(key->text, '.', key->len)) {
            continue;
        }
        if (2 * (fold->dotted_count + 1) > fold->dotted_size && !toon_dotted_grow(fold)) {
            return false;
        }
        uint32_t number = toon_fold_number(fold, object);
        toon_dotted *entry = toon_dotted_find(fold, number, key->text, key->len);
        entry->key = key;
        entry->object = number;
        fold->dotted_count++;
    }
    return true;
}

/* ---------------------------------------------------------------------- chains */

static bool toon_has_one_member(const pith_slot *value)
{
    return value->kind == PITH_OBJECT && value->n == 1;
}

/* The key of a value inside a chain that begins behind `first`. */
static const pith_key *toon_chain_key(const toon_fold *fold, const pith_slot *first,
                                      const pith_key *first_key, const pith_slot *value)
{
    return value == first ? first_key : doc_keys(fold->doc, value - 1);
}

static bool toon_join(toon_fold *fold, const pith_key *key)
{
    if (!LIST_RESERVE(&fold->joined, &fold->alloc, (size_t)key->len + 1)) {
        return false;
    }
    if (fold->joined.count > 0) {
        fold->joined.at[fold->joined.count++] = '.';
    }
    memcpy(fold->joined.at + fold->joined.count, key->text, key->len);
    fold->joined.count += key->len;
    return true;
}

bool toon_fold_member(toon_fold *fold, const pith_slot *object, const pith_key *key,
                      const pith_slot **value, bool *folded)
{
    const pith_slot *first = *value;
    *folded = false;
    if (!fold->leaf || first > fold->leaf) {
        const pith_slot *leaf = first;
        while (toon_has_one_member(leaf)) {
            leaf++;
        }
        fold->leaf = leaf;
        /* What ends in an object with several members is no chain. */
        fold->done = leaf->kind == PITH_OBJECT && leaf->n > 1 ? leaf : NULL;
    }
    uint64_t length = (uint64_t)(fold->leaf - first) + 1;
    uint64_t joined = length < fold->flatten_depth ? length : fold->flatten_depth;
    if (joined < 2 || (fold->done && first <= fold->done)) {
        return true;
    }
    fold->joined.count = 0;
    for (const pith_slot *at = first; at < first + joined; at++) {
        const pith_key *next = toon_chain_key(fold, first, key, at);
        if (!toon_is_identifier(next->text, next->len)) {
            fold->done = at;
            return true;
        }
        if (!toon_join(fold, next)) {
            return false;
        }
    }
    fold->done = fold->leaf;
    *folded =
        fold->dotted_count == 0 || !toon_dotted_find(fold, toon_fold_number(fold, object),
                                                     fold->joined.at, fold->joined.count)
                                        ->key;
    if (*folded) {
        *value = first + joined - 1;
    }
    return true;
}
