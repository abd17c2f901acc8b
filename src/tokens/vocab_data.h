/*
 * vocab_data.h - the built-in vocabularies as they are kept: text in the program.
 *
 * A token of more than one byte is the merge of two earlier tokens, so a vocabulary
 * is a list of pairs of ids. With it comes a hash table from a pair to its place in the
 * list. Both are used where they are: opening a vocabulary copies nothing, and pages
 * that are never needed are never read. All numbers are written six bits to a
 * character, low bits first, from '0' on; a compiler reads a string at once where an
 * array of numbers takes its time.
 *
 *     pairs   6 characters for token 256 + i: the left id, 18 bits, and the right one
 *     seeds   2 characters for each bucket
 *     slots   4 characters: a tag of 6 bits, and the index of a pair, 18 bits
 *
 * A hash of the pair gives the bucket; with the bucket's seed it is hashed again, and
 * that gives the slot and the tag. Each pair has a slot of its own, so that a look-up
 * reads one seed and one slot, and a pair that is not there mostly stops at the tag.
 *
 * The files in data/ are written by tools/gen_vocab.py, which has the same hashes.
 */
#ifndef TOKENS_VOCAB_DATA_H
#define TOKENS_VOCAB_DATA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    VOCAB_PAIR_LEN = 6,
    VOCAB_SEED_LEN = 2,
    VOCAB_SLOT_LEN = 4,
    VOCAB_BYTES = 256,            /* ids below this are single bytes */
    VOCAB_NO_HALF = (1 << 18) - 1 /* both halves of an id that does not exist */
};

#define VOCAB_NO_MERGE UINT32_MAX

typedef struct vocab_data {
    const char *pairs;
    size_t pair_count;
    const char *seeds;
    uint32_t seed_count;
    const char *slots;
    uint32_t slot_count;
} vocab_data;

extern const vocab_data vocab_data_o200k_base;
extern const vocab_data vocab_data_cl100k_base;
extern const vocab_data vocab_data_p50k_base;

static inline uint32_t vocab_data_char(const char *at, unsigned place)
{
    return ((uint32_t)(unsigned char)at[place] - '0') << 6 * place;
}

/* The 18 bits in three characters. */
static inline uint32_t vocab_data_number(const char *at)
{
    return vocab_data_char(at, 0) | vocab_data_char(at, 1) | vocab_data_char(at, 2);
}

/* The upper half of a hash, scaled to the range below `count`. */
static inline size_t vocab_data_within(uint64_t hash, uint32_t count)
{
    return (size_t)((hash >> 32) * count >> 32);
}

/* The index of the pair of two ids below 2^18; VOCAB_NO_MERGE when there is none. */
static inline uint32_t vocab_data_find(const vocab_data *data, uint32_t left,
                                       uint32_t right)
{
    uint64_t hash = ((uint64_t)left << 18 | right) * UINT64_C(0x9E3779B97F4A7C15);
    const char *seed =
        data->seeds + VOCAB_SEED_LEN * vocab_data_within(hash, data->seed_count);
    uint64_t salt = vocab_data_char(seed, 0) | vocab_data_char(seed, 1);
    hash =
        (hash ^ (salt + 1) * UINT64_C(0xD6E8FEB86659FD93)) * UINT64_C(0xBF58476D1CE4E5B9);
    const char *slot =
        data->slots + VOCAB_SLOT_LEN * vocab_data_within(hash, data->slot_count);
    if (vocab_data_char(slot, 0) != (hash >> 16 & 63))
        return VOCAB_NO_MERGE;
    uint32_t index = vocab_data_number(slot + 1);
    if (index >= data->pair_count)
        return VOCAB_NO_MERGE;
    const char *pair = data->pairs + (size_t)index * VOCAB_PAIR_LEN;
    bool same = vocab_data_number(pair) == left && vocab_data_number(pair + 3) == right;
    return same ? index : VOCAB_NO_MERGE;
}

#endif
