/*
 * hash.h - a seeded hash, for every table that foreign keys go into.
 *
 * Whoever writes a document chooses its keys. If they also knew where a table puts them,
 * they could send all to one place, and a table that is filled in the square of its size
 * is a service that stands still. So the hash has a secret: the seed, which is drawn for
 * every process. Nothing that is written depends on it.
 *
 * The function has the rounds of SipHash, one for eight bytes and three at the end, as
 * Rust and Python have for the same purpose: without the seed, nobody knows how to find
 * keys that collide. It is slower than a few multiplications, and is asked rarely:
 * keys that repeat are recognised without it (see doc/shape.h).
 */
#ifndef BASE_HASH_H
#define BASE_HASH_H

#include "pith.h"

/* A number that differs from process to process and that no input can know. Within a
 * process it is always the same: it costs no system call, and needs no place to be kept.
 * (seed.c) */
uint64_t hash_draw_seed(void);

/* The seed of tables in that memory: the caller's, or one that is drawn. */
static inline uint64_t hash_seed(pith_alloc alloc)
{
    return alloc.seed ? alloc.seed : hash_draw_seed();
}

uint64_t hash_text(uint64_t seed, const char *text, size_t len);

/* For keys that are numbers. */
uint64_t hash_number(uint64_t seed, uint64_t number);

/* The seed of one of several tables, or of one place in a tree, by its number: the same
 * text under two of them goes to places that have nothing to do with each other. */
static inline uint64_t hash_seed_of(uint64_t seed, uint64_t number)
{
    return seed + number * UINT64_C(0x9E3779B97F4A7C15);
}

/* Faster, for small numbers that an input has some say in and no full choice of: the
 * number of a shape, or of a slot. Multiplying by an odd number that nobody knows makes
 * any two collide with little chance. By itself it would put numbers in a row at even
 * distances, which with one seed in 25 are heaps in a table; hence the second time. */
static inline uint32_t hash_small(uint64_t seed, uint64_t number)
{
    uint64_t mixed = number * (seed | 1);
    return (uint32_t)((mixed ^ mixed >> 32) * UINT64_C(0xBF58476D1CE4E5B9) >> 32);
}

#endif
