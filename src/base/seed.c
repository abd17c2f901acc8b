/*
 * seed.c - where the secret of the hash tables comes from.
 *
 * A library without globals cannot draw a number once and keep it, and one that asked
 * the system for every document would pay for it in each small conversion. But Linux
 * hands every program sixteen random bytes when it starts, at an address that the C
 * library knows; they are read where they lie. They also guard the stack, so they must
 * not leave the process: only a hash of them is used, and only to choose places in
 * tables.
 *
 * Elsewhere the time and where the loader and the system put us have to do.
 *
 * The one function is alone in its file, so that a program that wants a seed of its own,
 * as a test does, can define it itself.
 */
#include "base/hash.h"

#if defined(__linux__)
#include <sys/auxv.h>
#else
#include <time.h>
#endif

uint64_t hash_draw_seed(void)
{
#if defined(__linux__)
    const char *random = (const char *)(uintptr_t)getauxval(AT_RANDOM);
    if (random)
        return hash_text(0, random, 16);
    return hash_number(0, (uint64_t)(uintptr_t)&random);
#else
    struct timespec now = {0, 0};
    timespec_get(&now, TIME_UTC);
    uint64_t when = (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
    return hash_number(when, (uint64_t)(uintptr_t)&now);
#endif
}
