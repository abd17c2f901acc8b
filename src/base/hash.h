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

#include <string.h>

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

/* Faster, for short texts of which there are many more than keys: two words of the text,
 * each with its own secret, are multiplied, and the halves of the product put together.
 * Whoever does not know the secrets cannot choose texts that collide. */
static inline uint64_t hash_quick(uint64_t seed, const char *text, size_t len)
{
#if defined(__SIZEOF_INT128__)
    uint64_t first = 0;
    uint64_t last = 0;
    if (len > 16)
        return hash_text(seed, text, len);
    if (len >= 8) {
        memcpy(&first, text, 8);
        memcpy(&last, text + len - 8, 8);
    } else if (len >= 4) {
        uint32_t ends[2];
        memcpy(&ends[0], text, 4);
        memcpy(&ends[1], text + len - 4, 4);
        first = (uint64_t)ends[0] << 32 | ends[1];
    } else if (len > 0) {
        first = (uint64_t)(unsigned char)text[0] << 16 |
                (uint64_t)(unsigned char)text[len / 2] << 8 |
                (unsigned char)text[len - 1];
    }
    uint64_t other = (seed ^ seed >> 29) * UINT64_C(0xD6E8FEB86659FD93);
    __extension__ unsigned __int128 product =
        (unsigned __int128)(first ^ seed ^ len) * (last ^ other);
    return (uint64_t)product ^ (uint64_t)(product >> 64);
#else
    return hash_text(seed, text, len);
#endif
}

#endif
