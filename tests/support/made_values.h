/*
 * made_values.h - random values as compact JSON, made for round trips.
 *
 * The values are small and mean: rows that nearly agree, objects in objects, lists of
 * rows, keys and texts with everything that a notation could trip over. What is written
 * is the shortest JSON there is for the value, so its length is a yardstick too.
 */
#ifndef PITH_MADE_VALUES_H
#define PITH_MADE_VALUES_H

#include "bytes.h"
#include "random.h"

/* Appends one value. The same state gives the same value. */
void make_value(bytes *json, uint64_t *state);

#endif /* PITH_MADE_VALUES_H */
