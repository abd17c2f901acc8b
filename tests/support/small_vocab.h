/*
 * small_vocab.h - a tokenizer.json of all bytes and a few merges.
 */
#ifndef PITH_TEST_SMALL_VOCAB_H
#define PITH_TEST_SMALL_VOCAB_H

#include "bytes.h"

/* The text of the file, for the caller to free. */
bytes small_vocab_json(void);

/* The same with one merge more, of two digits: the number 47 is then one token. */
bytes small_vocab_json_joining(unsigned digits);

#endif /* PITH_TEST_SMALL_VOCAB_H */
