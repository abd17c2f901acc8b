/*
 * seeded.h - random numbers that are the same on every machine.
 *
 * The generator's files must be byte for byte equal wherever they are made, or
 * figures could not be compared. So there is no rand() and no floating point:
 * one 64-bit counter that steps by an odd constant (every state comes up once
 * in 2^64 steps) and a mixer that spreads each step over all bits, known as
 * splitmix64.
 */
#ifndef BENCH_SEEDED_H
#define BENCH_SEEDED_H

#include <stdbool.h>
#include <stdint.h>

typedef struct seeded {
    uint64_t state;
} seeded;

static inline uint64_t seeded_next(seeded *random)
{
    random->state += 0x9e3779b97f4a7c15u;
    uint64_t mixed = random->state;
    mixed = (mixed ^ (mixed >> 30)) * 0xbf58476d1ce4e5b9u;
    mixed = (mixed ^ (mixed >> 27)) * 0x94d049bb133111ebu;
    return mixed ^ (mixed >> 31);
}

/* A number in [least, most]. The remainder favours small numbers by less than
 * anyone could see in a benchmark file. */
static inline uint64_t seeded_between(seeded *random, uint64_t least, uint64_t most)
{
    return least + seeded_next(random) % (most - least + 1);
}

/* True `percent` times out of a hundred. */
static inline bool seeded_chance(seeded *random, unsigned percent)
{
    return seeded_next(random) % 100 < percent;
}

#endif
