/*
 * random.h - numbers that look random and are the same in every run
 * (a 64-bit counter put through a mixing function).
 */
#ifndef PITH_TEST_RANDOM_H
#define PITH_TEST_RANDOM_H

#include <stddef.h>
#include <stdint.h>

/* What the state grows by, so that one can go back to any place. */
#define RANDOM_STEP UINT64_C(0x9e3779b97f4a7c15)

static inline uint64_t random_next(uint64_t *state)
{
    *state += RANDOM_STEP;
    uint64_t mixed = *state;
    mixed = (mixed ^ (mixed >> 30)) * 0xbf58476d1ce4e5b9u;
    mixed = (mixed ^ (mixed >> 27)) * 0x94d049bb133111ebu;
    return mixed ^ (mixed >> 31);
}

/* A number below `limit`, which is not 0. */
static inline size_t random_below(uint64_t *state, size_t limit)
{
    return (size_t)(random_next(state) % limit);
}

/* The same for limits below 2^32, without a division. */
static inline size_t random_small(uint64_t *state, size_t limit)
{
    return (size_t)((random_next(state) >> 32) * limit >> 32);
}

#endif /* PITH_TEST_RANDOM_H */
