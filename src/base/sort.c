/*
 * sort.c - a merge sort from the bottom up: runs of 1, 2, 4 and so on.
 */
#include "base/sort.h"

#include <assert.h>
#include <string.h>

/* Merges the two sorted runs [0, middle) and [middle, count) of `from` into `to`. */
static void sort_merge(const uint32_t *from, uint32_t *to, size_t middle, size_t count,
                       sort_before before, const void *ctx)
{
    assert(middle <= count);
    size_t left = 0;
    size_t right = middle;
    for (size_t i = 0; i < count; i++) {
        bool take =
            right == count || (left < middle && !before(ctx, from[right], from[left]));
        to[i] = take ? from[left++] : from[right++];
    }
}

void sort_merging(uint32_t *numbers, uint32_t *spare, size_t count, sort_before before,
                  const void *ctx)
{
    uint32_t *from = numbers;
    uint32_t *to = spare;
    for (size_t width = 1; width < count; width *= 2) {
        for (size_t at = 0; at < count; at += 2 * width) {
            size_t left = count - at < 2 * width ? count - at : 2 * width;
            size_t middle = left < width ? left : width;
            sort_merge(from + at, to + at, middle, left, before, ctx);
        }
        uint32_t *swap = from;
        from = to;
        to = swap;
    }
    if (from != numbers && count > 0)
        memcpy(numbers, from, count * sizeof *numbers);
}

bool sort_numbers(const pith_alloc *alloc, uint32_t *numbers, size_t count,
                  sort_before before, const void *ctx)
{
    if (count < 2)
        return true;
    size_t bytes = count * sizeof *numbers;
    uint32_t *spare = (uint32_t *)alloc_resize(alloc, NULL, 0, bytes);
    if (!spare)
        return false;
    sort_merging(numbers, spare, count, before, ctx);
    alloc_free(alloc, spare, bytes);
    return true;
}

bool sort_indexes(const pith_alloc *alloc, uint32_t *numbers, size_t count,
                  sort_before before, const void *ctx)
{
    for (size_t i = 0; i < count; i++)
        numbers[i] = (uint32_t)i;
    return sort_numbers(alloc, numbers, count, before, ctx);
}
