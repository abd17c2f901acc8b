/*
 * hash.c - the rounds of SipHash-1-3, as Aumasson and Bernstein describe them.
 *
 * Four words of state begin as constants with the key in them. Eight bytes of text are
 * added on one side, a round stirs, and they are added on the other. Most keys are short,
 * so the length goes into the state at the beginning instead of into a word at the end,
 * and words are read in the machine's order of bytes: the values are nobody else's
 * business.
 */
#include "base/hash.h"

#include <assert.h>
#include <string.h>

typedef struct hash_state {
    uint64_t a, b, c, d;
} hash_state;

static inline uint64_t hash_turn(uint64_t word, unsigned bits)
{
    return word << bits | word >> (64 - bits);
}

static inline void hash_round(hash_state *state)
{
    state->a += state->b;
    state->c += state->d;
    state->b = hash_turn(state->b, 13) ^ state->a;
    state->d = hash_turn(state->d, 16) ^ state->c;
    state->a = hash_turn(state->a, 32);
    state->c += state->b;
    state->a += state->d;
    state->b = hash_turn(state->b, 17) ^ state->c;
    state->d = hash_turn(state->d, 21) ^ state->a;
    state->c = hash_turn(state->c, 32);
}

static inline void hash_add(hash_state *state, uint64_t word)
{
    state->d ^= word;
    hash_round(state);
    state->a ^= word;
}

/* The key of SipHash is twice as long as a seed; its second half is made of the first. */
static inline hash_state hash_begin(uint64_t seed)
{
    uint64_t other = (seed ^ seed >> 29) * UINT64_C(0xD6E8FEB86659FD93);
    hash_state state = {
        seed ^ UINT64_C(0x736F6D6570736575), other ^ UINT64_C(0x646F72616E646F6D),
        seed ^ UINT64_C(0x6C7967656E657261), other ^ UINT64_C(0x7465646279746573)};
    return state;
}

static inline uint64_t hash_end(hash_state *state)
{
    state->c ^= 0xFF;
    hash_round(state);
    hash_round(state);
    hash_round(state);
    return state->a ^ state->b ^ state->c ^ state->d;
}

/* Up to eight bytes as a word, no two texts of a length as the same: the halves overlap,
 * so that there is nothing to loop over. */
static inline uint64_t hash_last(const char *text, size_t len)
{
    assert(len <= 8);
    if (len >= 4) {
        uint32_t head, tail;
        memcpy(&head, text, 4);
        memcpy(&tail, text + len - 4, 4);
        return head | (uint64_t)tail << 32;
    }
    const unsigned char *bytes = (const unsigned char *)text;
    return len == 0 ? 0
                    : bytes[0] | (uint64_t)bytes[len / 2] << 8 |
                          (uint64_t)bytes[len - 1] << 16;
}

uint64_t hash_text(uint64_t seed, const char *text, size_t len)
{
    hash_state state = hash_begin(seed);
    state.c ^= len;
    for (; len > 8; text += 8, len -= 8) {
        uint64_t word;
        memcpy(&word, text, 8);
        hash_add(&state, word);
    }
    hash_add(&state, hash_last(text, len));
    return hash_end(&state);
}

uint64_t hash_number(uint64_t seed, uint64_t number)
{
    hash_state state = hash_begin(seed);
    hash_add(&state, number);
    return hash_end(&state);
}
