/*
 * preamble.h - what a model must be told of a text, and no more.
 */
#ifndef PITH_CLI_PREAMBLE_H
#define PITH_CLI_PREAMBLE_H

#include "pith.h"

#include <stdbool.h>

/* Appends the lines that explain what a text in that format uses. False when out of memory. */
bool preamble_of(const char *format, const char *text, size_t len, pith_buffer *into);

#endif /* PITH_CLI_PREAMBLE_H */
