/*
 * words.h - texts that mean something somewhere: what data is mistaken for.
 *
 * Every structural character of every format, words that are reserved in one of them,
 * what looks like a number and is none, what looks like a header, a row, a comment or an
 * end, every kind of white space and control, marks that turn the direction of writing.
 * They are spelled as they are, NUL included, and all of a list differ.
 */
#ifndef PITH_TEST_WORDS_H
#define PITH_TEST_WORDS_H

#include <stddef.h>

typedef struct word {
    const char *ptr;
    size_t len;
} word;

/* What a text of `pieces` is put together from, and most words stand for themselves. */
extern const word words_plain[];
extern const size_t words_plain_count;
extern const word words_odd[];
extern const size_t words_odd_count;

/* Numbers at every border, in JSON's grammar. Those after `words_numbers_count` are out
 * of range where a format knows 64 bits and doubles only. */
extern const word words_numbers[];
extern const size_t words_numbers_count;
extern const size_t words_numbers_all;

#endif /* PITH_TEST_WORDS_H */
