/*
 * splice.h - a line with some of its parts replaced.
 */
#ifndef PITH_PROXY_SPLICE_H
#define PITH_PROXY_SPLICE_H

#include "bytes.h"
#include "span.h"

/* Replaces `range`, which may be empty, by `text`. */
typedef struct edit {
    span range;
    bytes text;
    size_t order; /* of those at one place, the first is written first */
} edit;

/* What is to be changed in one line, in any order; ranges do not overlap. Zeroed: nothing. */
typedef struct edits {
    edit *at;
    size_t count, cap;
    bool failed; /* out of memory: the line stays as it is */
} edits;

/* Takes over `text`, whatever the outcome. */
void edits_add(edits *all, span range, bytes text);
void edits_free(edits *all);

/* Appends a text as a JSON string; false when out of memory. */
bool bytes_literal(bytes *to, const char *text, size_t len);

/* The line with its edits, appended to `out`; false when out of memory. */
bool splice(span line, edits *all, bytes *out);

#endif
