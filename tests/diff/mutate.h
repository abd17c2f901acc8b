/*
 * mutate.h - texts with a small mistake in them.
 *
 * Most implementations agree on what is written well. What they make of a text that is
 * nearly right is where they differ, so one or two things are changed: a character taken
 * out, put in or exchanged for one that means something; a line dropped, repeated, moved
 * or indented differently; the end cut off. The text stays UTF-8, for most peers are
 * given strings.
 */
#ifndef PITH_DIFF_MUTATE_H
#define PITH_DIFF_MUTATE_H

#include <stdint.h>

#include "bytes.h"

/* Appends to `to` the text with one or two mistakes. */
void mutate_text(bytes *to, const char *text, size_t len, uint64_t *seed);

#endif /* PITH_DIFF_MUTATE_H */
