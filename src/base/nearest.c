/*
 * nearest.c - "did you mean": the word nearest to a mistyped one.
 */
#include "base/nearest.h"

#include <stdbool.h>
#include <string.h>

enum { NEAREST_LONGEST = 32 };

/* Edits (insert, delete, replace, swap of neighbours) from one word to the other. */
static size_t nearest_distance(const char *a, size_t a_len, const char *b, size_t b_len)
{
    size_t rows[3][NEAREST_LONGEST + 1];
    size_t *before = rows[0];
    size_t *last = rows[1];
    size_t *row = rows[2];
    for (size_t j = 0; j <= b_len; j++)
        last[j] = j;
    for (size_t i = 1; i <= a_len; i++) {
        row[0] = i;
        for (size_t j = 1; j <= b_len; j++) {
            size_t best = last[j - 1] + (a[i - 1] != b[j - 1]);
            best = last[j] + 1 < best ? last[j] + 1 : best;
            best = row[j - 1] + 1 < best ? row[j - 1] + 1 : best;
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] &&
                before[j - 2] + 1 < best)
                best = before[j - 2] + 1;
            row[j] = best;
        }
        size_t *spare = before;
        before = last;
        last = row;
        row = spare;
    }
    return last[b_len];
}

const char *nearest_word(const char *typed, const char *const *words, size_t count)
{
    size_t len = strlen(typed);
    const char *best = NULL;
    /* A word of three letters may be one edit off, one of nine three. */
    size_t closest = len / 3 + 1 < 4 ? len / 3 + 1 : 4;
    for (size_t i = 0; i < count && len > 0 && len <= NEAREST_LONGEST; i++) {
        size_t word_len = strlen(words[i]);
        if (word_len > NEAREST_LONGEST)
            continue;
        size_t distance = nearest_distance(typed, len, words[i], word_len);
        bool starts = len >= 2 && len < word_len && memcmp(typed, words[i], len) == 0;
        if (starts && distance >= closest)
            distance = closest - 1;
        if (distance < closest) {
            closest = distance;
            best = words[i];
        }
    }
    return best;
}
