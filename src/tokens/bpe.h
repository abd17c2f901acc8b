/*
 * bpe.h - one piece of text as tokens: byte-pair encoding.
 */
#ifndef TOKENS_BPE_H
#define TOKENS_BPE_H

#include "tokens/vocab.h"

/* A place to work in, kept from piece to piece of one vocabulary; zero but for
 * `alloc`. */
typedef struct bpe_work {
    pith_alloc alloc;
    LIST(uint32_t) ids;     /* the tokens of the last piece */
    uint64_t *known;        /* merges that were looked up: see bpe.c */
    struct bpe_node *nodes; /* of a long piece */
    size_t node_cap;
    uint64_t *heap;
    size_t heap_cap;
} bpe_work;

void bpe_free(bpe_work *work);

/* The most bytes of a piece; a build may set less. */
#ifndef BPE_PIECE_MOST
#define BPE_PIECE_MOST (UINT32_MAX - 1)
#endif

/* Turns a piece into tokens: work->ids. PITH_LIMIT for a piece that is too long,
 * PITH_NO_MEMORY. */
pith_status bpe_encode(bpe_work *work, const pith_vocab *vocab, const char *piece,
                       size_t len);

#endif
