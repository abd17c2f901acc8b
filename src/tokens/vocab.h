/*
 * vocab.h - a vocabulary, opened: which two tokens make which.
 *
 * Merges are numbered in the order of their rank: the lower, the sooner. Which merge
 * joins two tokens stands in the program for a built-in vocabulary (vocab_data.h), and
 * for one that was read in a hash table of its own. A slot of that is one word,
 *
 *     63          42 41           21 20            0
 *     +-------------+---------------+---------------+
 *     |  merge + 1  |   left id     |   right id    |      0: empty
 *     +-------------+---------------+---------------+
 *
 * and slots are probed one after the other. Nothing changes once a vocabulary is open,
 * which is what makes it safe to share.
 */
#ifndef TOKENS_VOCAB_H
#define TOKENS_VOCAB_H

#include "base/list.h"
#include "base/text.h"
#include "tokens/split.h"
#include "tokens/vocab_data.h"

enum {
    VOCAB_ID_BITS = 21,
    VOCAB_ID_MOST = (1 << VOCAB_ID_BITS) - 1,
    VOCAB_MERGES_MOST = 1 << (63 - 2 * VOCAB_ID_BITS), /* as a slot has bits for */
    VOCAB_TOKEN_MOST = 128 /* bytes in a token of the built-in vocabularies */
};

#define VOCAB_ESTIMATE "estimate"
#define VOCAB_KEY_BITS ((UINT64_C(1) << 2 * VOCAB_ID_BITS) - 1) /* both ids of a slot */

/* A token that no merge makes, found by its text where that is asked for. */
typedef struct vocab_special {
    pith_text text;
    uint32_t id;
} vocab_special;

struct pith_vocab {
    pith_alloc alloc;
    const char *name;
    split_rule rule;
    bool estimate;
    bool short_digits; /* pieces have three digits at most, each such piece a token */

    const vocab_data *data; /* of a built-in vocabulary, else NULL */
    vocab_data image;       /* what `data` leads to when it was saved and mapped */
    bool mapped;            /* the large arrays are those of an image: vocab_image.h */
    uint64_t *slots;        /* of one that was read, else NULL */
    size_t slot_count;      /* a power of two */
    uint64_t slot_odd;      /* unknown to whoever made the vocabulary: see hash_small */
    unsigned slot_shift;

    uint32_t byte_ids[256];
    unsigned char id_bytes[256]; /* the other way, of a built-in vocabulary */
    const uint32_t *results; /* the id each merge makes; NULL: merge + `first_merged` */
    uint32_t first_merged;

    struct vocab_texts *texts; /* of a vocabulary that was read: see vocab_make.h */
    bool whole_first;          /* a piece that is a token needs no merging */

    size_t size;       /* one more than the largest id */
    size_t pair_count; /* of the data, those that belong to this vocabulary */
    LIST(vocab_special) specials;
    char *special_texts; /* those that are made up while opening */
    size_t special_texts_size;
};

static inline uint64_t vocab_pair_key(uint32_t left, uint32_t right)
{
    return (uint64_t)left << VOCAB_ID_BITS | right;
}

static inline size_t vocab_slot_of(const pith_vocab *vocab, uint64_t key)
{
    return (size_t)(key * vocab->slot_odd >> vocab->slot_shift);
}

/* The merge that joins two tokens, or VOCAB_NO_MERGE. */
static inline uint32_t vocab_find_merge(const pith_vocab *vocab, uint32_t left,
                                        uint32_t right)
{
    if (vocab->data) {
        uint32_t found = vocab_data_find(vocab->data, left, right);
        return found < vocab->pair_count ? found : VOCAB_NO_MERGE;
    }
    uint64_t key = vocab_pair_key(left, right);
    size_t at = vocab_slot_of(vocab, key);
    for (;;) {
        uint64_t slot = vocab->slots[at];
        if ((slot & VOCAB_KEY_BITS) == key && slot)
            return (uint32_t)(slot >> 2 * VOCAB_ID_BITS) - 1;
        if (!slot)
            return VOCAB_NO_MERGE;
        at = (at + 1) & (vocab->slot_count - 1);
    }
}

/* The token a merge makes. */
static inline uint32_t vocab_merged(const pith_vocab *vocab, uint32_t merge)
{
    return vocab->results ? vocab->results[merge] : merge + vocab->first_merged;
}

/* Makes the table large enough for that many merges, all slots empty. */
bool vocab_make_slots(pith_vocab *vocab, size_t merges);

/* Adds a merge; the first of a pair stays. */
void vocab_add_merge(pith_vocab *vocab, uint32_t left, uint32_t right, uint32_t merge);

/* The name of the built-in vocabulary at that index; NULL beyond the last. */
const char *vocab_name_at(size_t index);

/* An empty vocabulary, to be filled; its name is borrowed. */
pith_vocab *vocab_new(pith_alloc alloc, const char *name);

/* Opens a built-in vocabulary, or the estimate; NULL is the default. */
pith_vocab *vocab_open(const char *name, pith_alloc alloc, pith_error *err);

void vocab_free(pith_vocab *vocab);

/* The bytes of a token, in the vocabulary or in `room`; false when there is none. */
bool vocab_token_text(const pith_vocab *vocab, uint32_t id, char room[VOCAB_TOKEN_MOST],
                      pith_text *text);

#endif
