/*
 * suffix.h - what the suffix of a file's name tells.
 */
#ifndef PITH_CLI_SUFFIX_H
#define PITH_CLI_SUFFIX_H

#include <stddef.h>

typedef struct suffix_facts {
    size_t len;     /* of the longest suffix that is known; 0 when none is */
    size_t formats; /* that go by it: with more than one the content decides */
} suffix_facts;

suffix_facts suffix_of(const char *path);

#endif /* PITH_CLI_SUFFIX_H */
