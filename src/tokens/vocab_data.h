/*
 * vocab_data.h - the built-in vocabularies as they are kept: text in the program.
 *
 * A token of more than one byte is the merge of two earlier tokens, so a vocabulary
 * is a list of pairs of ids. The pair of token 256 + i stands at character 6 * i: the
 * left id in three characters, the right id in three more, each six bits above '0',
 * low bits first. A string compiles at once where an array of numbers takes seconds.
 *
 * The files in data/ are written by tools/gen_vocab.py.
 */
#ifndef TOKENS_VOCAB_DATA_H
#define TOKENS_VOCAB_DATA_H

#include <stdint.h>

enum {
    VOCAB_PAIR_LEN = 6,
    VOCAB_BYTES = 256,            /* ids below this are single bytes */
    VOCAB_NO_HALF = (1 << 18) - 1 /* both halves of an id that does not exist */
};

extern const char vocab_data_o200k_base[];
extern const char vocab_data_cl100k_base[];
extern const char vocab_data_p50k_base[];

/* The id in three characters. */
static inline uint32_t vocab_data_half(const char *at)
{
    uint32_t low = (uint32_t)(unsigned char)at[0] - '0';
    uint32_t middle = (uint32_t)(unsigned char)at[1] - '0';
    uint32_t high = (uint32_t)(unsigned char)at[2] - '0';
    return low | middle << 6 | high << 12;
}

#endif
