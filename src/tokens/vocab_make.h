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

/* A token that was read; its bytes are in `bytes` of the texts. */
typedef struct vocab_token {
    uint32_t id;
    uint32_t at;
    uint32_t len;
} vocab_token;

/* What a vocabulary that was read has beside its merges. */
typedef struct vocab_texts {
    pith_arena arena; /* of the texts of special tokens */
    LIST(char) bytes;
    LIST(vocab_token) tokens;
    LIST(uint32_t) found; /* a hash table of texts: the place in `tokens` + 1, or 0 */
    LIST(uint32_t) by_id; /* places in `tokens`, in the order of the ids */
    LIST(uint32_t) results;
    uint64_t seed;
} vocab_texts;

/* An empty vocabulary for ids below `size`, and so many tokens and merges; NULL without
 * memory. */
pith_vocab *vocab_make(pith_alloc alloc, const char *name, size_t size, size_t tokens,
                       size_t merges);

/* The bytes that are spelled so, written to `to`, which has room for as many as the
 * spelling has; SIZE_MAX when it is no such spelling. */
size_t vocab_unspell(pith_text spelled, char *to);

/* Adds a token by its bytes; false without memory. The first of a text stays. */
bool vocab_make_token(pith_vocab *vocab, pith_text text, uint32_t id);

/* Adds a special token by its text, which is found only where it is asked for. */
bool vocab_make_special(pith_vocab *vocab, pith_text text, uint32_t id);

/* The token of these bytes, or VOCAB_NO_MERGE. */
uint32_t vocab_find_text(const pith_vocab *vocab, pith_text text);

/* Makes tokens be found by their ids, once all of them are added; of several with one id
 * the last. False without memory. */
bool vocab_make_order(pith_vocab *vocab);

/* The bytes of the token with that id; no pointer when there is none. */
pith_text vocab_text_of(const vocab_texts *texts, uint32_t id);

/* The byte that has no token of its own, or 256: then the vocabulary is complete. */
unsigned vocab_make_bytes(pith_vocab *vocab);

/* Adds the next merge: fewer than the vocabulary was made for have been added. */
void vocab_make_merge(pith_vocab *vocab, uint32_t left, uint32_t right, uint32_t whole);

vocab_texts *vocab_texts_new(const pith_alloc *alloc);

/* Frees them; with `mapped` what the lists hold is not theirs. */
void vocab_texts_free(vocab_texts *texts, const pith_alloc *alloc, bool mapped);

#endif
