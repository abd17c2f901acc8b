/*
 * nearest.h - "did you mean": the word nearest to a mistyped one.
 */
#ifndef BASE_NEAREST_H
#define BASE_NEAREST_H

#include <stddef.h>

/* The nearest of `count` words, or NULL when none is near. */
const char *nearest_word(const char *typed, const char *const *words, size_t count);

#endif
