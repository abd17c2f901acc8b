/*
 * seed.c - where the secret of the hash tables comes from.
 *
 * The one function is alone in its file, so that a program that wants a seed of its own,
 * as a test does, can define it itself.
 */
#include "base/hash.h"
#include "base/system.h"

uint64_t hash_draw_seed(void)
{
    unsigned char random[SYSTEM_RANDOM_LEN];
    system_random(random);
    return hash_text(0, (const char *)random, sizeof random);
}
