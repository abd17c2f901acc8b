/*
 * excerpt.h - the source line of a fault, and a caret under the place.
 */
#ifndef PITH_CLI_EXCERPT_H
#define PITH_CLI_EXCERPT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* What is at hand of an input: all of it, or a stretch from `offset` on. */
typedef struct source {
    const char *text;
    size_t len;
    size_t offset; /* of text[0] in the whole input */
} source;

/* Prints two lines: the source line around the byte at `offset`, cut to a window
 * when it is long, and the caret. Prints nothing when that place is not at hand
 * or its line is empty. */
void excerpt_print(FILE *to, const source *from, size_t offset, bool color);

#endif /* PITH_CLI_EXCERPT_H */
