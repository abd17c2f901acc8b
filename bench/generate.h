/*
 * generate.h - benchmark files, made from a seed.
 *
 * A kind is a name and a function that writes one record; the frame around it
 * (opening, records until the size is reached, closing) is the same for all. To
 * add a kind, write its function in shapes.c and give it a line in the table at
 * the end of that file.
 */
#ifndef BENCH_GENERATE_H
#define BENCH_GENERATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "emit.h"
#include "seeded.h"

typedef struct shape {
    const char *name;
    const char *summary;
    const char *opening; /* JSON before the first record */
    const char *closing; /* JSON after the last */
    void (*record)(emit *out, seeded *random, uint64_t index);
} shape;

/* The kind at that index, from 0; NULL beyond the last. Static. */
const shape *shape_at(size_t index);

/* The kind of that name; NULL when there is none. */
const shape *shape_find(const char *name);

/* Writes records to `file` until it holds `size_bytes`: the last record may
 * reach beyond. False when the stream refused some of it. */
bool generate(const shape *kind, size_t size_bytes, uint64_t seed, FILE *file);

#endif
