/*
 * datasets.h - eight small files after the shapes that TOON's public benchmark measures.
 *
 * The kinds of shapes.c are endless and made for measuring speed. These are whole
 * documents of the size somebody would put into a prompt, for measuring what a notation
 * costs: uniform rows, nested rows, rows that differ, objects of objects, and a
 * configuration that is no table at all. The data is ours; the shapes are theirs.
 */
#ifndef BENCH_DATASETS_H
#define BENCH_DATASETS_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "emit.h"
#include "seeded.h"

typedef struct dataset {
    const char *name;
    const char *summary;
    void (*write)(emit *out, seeded *random);
} dataset;

/* The set at that index, from 0; NULL beyond the last. Static. */
const dataset *dataset_at(size_t index);

/* The set of that name; NULL when there is none. */
const dataset *dataset_find(const char *name);

/* Writes it; the same seed gives the same bytes. False when the stream refused some. */
bool dataset_write(const dataset *set, uint64_t seed, FILE *file);

#endif
