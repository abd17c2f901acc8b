/*
 * encode.h - a whole text as token ids.
 */
#ifndef TOKENS_ENCODE_H
#define TOKENS_ENCODE_H

#include "tokens/bpe.h"

/* Appends the ids of a text to the list; after a failure the list is as before. */
pith_status encode_text(const pith_vocab *vocab, pith_text text, pith_special special,
                        pith_tokens *tokens, pith_error *err);

#endif
