/*
 * vocab_make.h - a vocabulary from lists: tokens with their ids, then merges.
 *
 * Byte-level vocabularies are spelled in visible characters: each byte has one, a
 * space is a G with a dot. Tokens and merges are given in that spelling.
 */
#ifndef TOKENS_VOCAB_MAKE_H
#define TOKENS_VOCAB_MAKE_H

#include "base/arena.h"
#include "tokens/vocab.h"

/* What a vocabulary that was read owns beside its merges. */
typedef struct vocab_texts {
    pith_arena arena;
    pith_text *by_id; /* no pointer where there is no such id */
    size_t by_id_cap;
    uint32_t *found; /* a hash table of texts: the id + 1, or 0 */
    size_t found_count;
    uint64_t seed;
    uint32_t *results;
    size_t merge_count;
} vocab_texts;

/* An empty vocabulary for ids below `size` and that many merges; NULL without memory. */
pith_vocab *vocab_make(pith_alloc alloc, const char *name, size_t size, size_t merges);

/* The bytes that are spelled so, written to `to`, which has room for as many as the
 * spelling has; SIZE_MAX when it is no such spelling. */
size_t vocab_unspell(pith_text spelled, char *to);

/* Adds a token by its bytes; false without memory. The first of a text stays. */
bool vocab_make_token(pith_vocab *vocab, pith_text text, uint32_t id);

/* Adds a special token by its text, which is found only where it is asked for. */
bool vocab_make_special(pith_vocab *vocab, pith_text text, uint32_t id);

/* The token of these bytes, or VOCAB_NO_MERGE. */
uint32_t vocab_find_text(const pith_vocab *vocab, pith_text text);

/* The byte that has no token of its own, or 256: then the vocabulary is complete. */
unsigned vocab_make_bytes(pith_vocab *vocab);

void vocab_texts_free(vocab_texts *texts, const pith_alloc *alloc);

#endif
