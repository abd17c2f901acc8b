/*
 * taking.h - the rows of a text that arrives in pieces.
 */
#ifndef PITH_TEST_TAKING_H
#define PITH_TEST_TAKING_H

#include "bytes.h"
#include "pith.h"

#include <stdbool.h>

/* Feeds the bytes in pieces of `size` and adds every row, as a line of JSON, to `rows`.
 * False, with `err` filled, when something is wrong. */
bool take_rows(const char *format, const char *read, const char *data, size_t len,
               size_t size, bytes *rows, pith_error *err);

#endif /* PITH_TEST_TAKING_H */
