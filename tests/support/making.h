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
 * Keys and strings are put together from pieces that mean something to some format:
 * delimiters, marks, headers, numbers that are none, white space of all kinds.
 */
#ifndef PITH_TEST_MAKING_H
#define PITH_TEST_MAKING_H

#include <stdint.h>

#include "bytes.h"

/* Adds one JSON value. Now and then an object in it has the same key twice. */
void make_json(bytes *to, uint64_t *seed);

#endif /* PITH_TEST_MAKING_H */
