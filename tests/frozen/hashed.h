/*
 * hashed.h - a record as a hash, which is printed too if somebody wants to see it.
 */
#ifndef PITH_TEST_HASHED_H
#define PITH_TEST_HASHED_H

#include <stdbool.h>

#include "base/sha256.h"
#include "record.h"

typedef struct hashed {
    record to;
    sha256 hash;
    bool show;
} hashed;

/* The hash must stay where it is until its end. */
void hashed_start(hashed *one, bool show);

/* Prints the two names and the hash on a line. */
void hashed_end(hashed *one, const char *way_name, const char *step_name);

#endif /* PITH_TEST_HASHED_H */
