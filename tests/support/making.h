/*
 * making.h - random JSON that looks like data, and like everything data can be mistaken
 * for.
 *
 * Table formats are tried by values that are nearly alike, not by noise. So a value is
 * made from two sources of chance: its shape from one that can be used again, its
 * content from another. Rows made from the same shape have the same keys and the same
 * nesting, until now and then one lacks a member, has null in its place, has its keys in
 * another order, or is something else altogether.
 *
 * Keys and strings are the words of words.h, several of them together, or code points
 * from all of Unicode. Most values are small, for faults are found by many values and not
 * by long ones; some are large, and a few are very long, very wide, or as deep as the
 * default limit allows.
 *
 * What is made is the shortest JSON there is for the value, so its length is a yardstick.
 */
#ifndef PITH_TEST_MAKING_H
#define PITH_TEST_MAKING_H

#include <stdint.h>

#include "bytes.h"

typedef enum make_what {
    MAKE_ANY,
    MAKE_TABLE,  /* mostly flat tables, for formats that have nothing else */
    MAKE_LIST,   /* mostly arrays */
    MAKE_REPEATS /* values and beginnings of texts that come again elsewhere */
} make_what;

/* Adds one JSON value. The same seed gives the same value. Seldom an object in it has the
 * same key twice. */
void make_json(bytes *to, uint64_t *seed, make_what what);

#endif /* PITH_TEST_MAKING_H */
