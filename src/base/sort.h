/*
 * sort.h - sorting of numbers that stand for other things.
 *
 * Merging takes n log n steps whatever the order was, and keeps equals in order, which
 * qsort does neither.
 */
#ifndef BASE_SORT_H
#define BASE_SORT_H

#include "base/alloc.h"

/* True when the first must come before the second. */
typedef bool (*sort_before)(const void *ctx, uint32_t a, uint32_t b);

/* Sorts `count` numbers; `spare` has room for as many. */
void sort_merging(uint32_t *numbers, uint32_t *spare, size_t count, sort_before before,
                  const void *ctx);

/* The same with memory of its own; false when there is none. */
bool sort_numbers(const pith_alloc *alloc, uint32_t *numbers, size_t count,
                  sort_before before, const void *ctx);

/* Fills `numbers` with 0 to count-1, sorted; false when out of memory. */
bool sort_indexes(const pith_alloc *alloc, uint32_t *numbers, size_t count,
                  sort_before before, const void *ctx);

#endif
