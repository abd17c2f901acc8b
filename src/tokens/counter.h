/*
 * counter.h - counts the tokens of a text that may come in pieces.
 */
#ifndef TOKENS_COUNTER_H
#define TOKENS_COUNTER_H

#include "base/error.h"
#include "tokens/bpe.h"

/* A remembered piece of at most 15 bytes: see counter.c. */
typedef struct counter_memo {
    uint64_t low;
    uint64_t high;
} counter_memo;

struct pith_counter {
    const pith_vocab *vocab;
    bpe_work work;
    counter_memo *memos;
    unsigned memo_bits; /* there are two to the power of this */
    size_t memo_fresh;  /* pieces that were remembered since it grew */
    size_t total;

    /* What was given but is not yet decided. */
    LIST(char) held;
    size_t enough; /* it is looked at again when there is this much */

    text_place place; /* of what is decided next, for what may be wrong with it */
    size_t bytes;     /* given so far, where they are only estimated */
    pith_error failure;
};

bool counter_init(pith_counter *counter, const pith_vocab *vocab, pith_alloc alloc);
void counter_free(pith_counter *counter);
void counter_reset(pith_counter *counter);

/* Adds a piece of the text, or with `last` the last one; a failure sticks. */
pith_status counter_add(pith_counter *counter, const char *data, size_t len, bool last);

#endif
