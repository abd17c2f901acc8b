/*
 * growth.h - the families of growth.c, which families.c makes.
 */
#ifndef PITH_TEST_GROWTH_H
#define PITH_TEST_GROWTH_H

#include "bytes.h"

typedef enum growth_kind {
    GROWTH_VALUE,
    GROWTH_CUT_OFF,
    GROWTH_TEXT,
    GROWTH_EVERY,
    GROWTH_RUNS,
    GROWTH_TOKENS,
    GROWTH_VOCAB,
    GROWTH_GRAPH,
    GROWTH_DELTA,
    GROWTH_FIT,
    GROWTH_CALLS,
    GROWTH_PIECES,
    GROWTH_WHOLE
} growth_kind;

typedef struct growth_family {
    const char *name;
    growth_kind kind;
    const char *format; /* of a text, else NULL */
    const char *read;   /* its settings */
    void (*make)(bytes *text, size_t n);
    size_t n;
} growth_family;

extern const growth_family growth_families[];
extern const size_t growth_family_count;

#endif
