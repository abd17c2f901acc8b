/*
 * sha256.c - SHA-256, as FIPS 180-4 describes it.
 *
 * Input is cut into blocks of 64 bytes. Whole blocks are worked off where they lie;
 * only what is left at the end of a piece is copied and waits for the next. The
 * eight words of the state turn around in their variables instead of being moved:
 * eight rounds written out bring each back to its own place.
 */
#include "base/sha256.h"

#include <string.h>

static const uint32_t sha256_constants[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4,
    0xab1c5ed5, 0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe,
    0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f,
    0x4a7484aa, 0x5cb0a9dc, 0x76f988da, 0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7,
    0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967, 0x27b70a85, 0x2e1b2138, 0x4d2c6dfc,
    0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85, 0xa2bfe8a1, 0xa81a664b,
    0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070, 0x19a4c116,
    0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7,
    0xc67178f2};

static inline uint32_t sha256_turn(uint32_t word, unsigned by)
{
    return (word >> by) | (word << (32 - by));
}

static inline uint32_t sha256_word(const unsigned char *at)
{
    return ((uint32_t)at[0] << 24) | ((uint32_t)at[1] << 16) | ((uint32_t)at[2] << 8) |
           (uint32_t)at[3];
}

/* The 64 words that a block is stretched to. */
static void sha256_stretch(const unsigned char *block, uint32_t words[64])
{
    for (unsigned i = 0; i < 16; i++)
        words[i] = sha256_word(block + i * 4);
    for (unsigned i = 16; i < 64; i++) {
        uint32_t near = words[i - 15];
        uint32_t far = words[i - 2];
        words[i] = words[i - 16] + words[i - 7] +
                   (sha256_turn(near, 7) ^ sha256_turn(near, 18) ^ (near >> 3)) +
                   (sha256_turn(far, 17) ^ sha256_turn(far, 19) ^ (far >> 10));
    }
}

/* One round on the words named so; `d` and `h` are the two that change. */
static inline void sha256_round(uint32_t a, uint32_t b, uint32_t c, uint32_t *d,
                                uint32_t e, uint32_t f, uint32_t g, uint32_t *h,
                                uint32_t input)
{
    uint32_t one = *h + (sha256_turn(e, 6) ^ sha256_turn(e, 11) ^ sha256_turn(e, 25)) +
                   ((e & f) ^ (~e & g)) + input;
    uint32_t two = (sha256_turn(a, 2) ^ sha256_turn(a, 13) ^ sha256_turn(a, 22)) +
                   ((a & b) ^ (a & c) ^ (b & c));
    *d += one;
    *h = one + two;
}

static void sha256_work(uint32_t state[8], const unsigned char *block)
{
    uint32_t w[64];
    sha256_stretch(block, w);
    const uint32_t *k = sha256_constants;
    uint32_t a = state[0], b = state[1], c = state[2], d = state[3];
    uint32_t e = state[4], f = state[5], g = state[6], h = state[7];
    for (unsigned i = 0; i < 64; i += 8) {
        sha256_round(a, b, c, &d, e, f, g, &h, k[i] + w[i]);
        sha256_round(h, a, b, &c, d, e, f, &g, k[i + 1] + w[i + 1]);
        sha256_round(g, h, a, &b, c, d, e, &f, k[i + 2] + w[i + 2]);
        sha256_round(f, g, h, &a, b, c, d, &e, k[i + 3] + w[i + 3]);
        sha256_round(e, f, g, &h, a, b, c, &d, k[i + 4] + w[i + 4]);
        sha256_round(d, e, f, &g, h, a, b, &c, k[i + 5] + w[i + 5]);
        sha256_round(c, d, e, &f, g, h, a, &b, k[i + 6] + w[i + 6]);
        sha256_round(b, c, d, &e, f, g, h, &a, k[i + 7] + w[i + 7]);
    }
    state[0] += a;
    state[1] += b;
    state[2] += c;
    state[3] += d;
    state[4] += e;
    state[5] += f;
    state[6] += g;
    state[7] += h;
}

void sha256_init(sha256 *hash)
{
    static const uint32_t first[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                      0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
    memcpy(hash->state, first, sizeof first);
    hash->total = 0;
}

void sha256_add(sha256 *hash, const void *bytes, size_t len)
{
    const unsigned char *at = (const unsigned char *)bytes;
    size_t waiting = (size_t)(hash->total % SHA256_BLOCK);
    hash->total += len;
    if (waiting) {
        size_t fits = SHA256_BLOCK - waiting;
        size_t taken = len < fits ? len : fits;
        if (taken)
            memcpy(hash->block + waiting, at, taken);
        if (taken < fits)
            return;
        sha256_work(hash->state, hash->block);
        at += taken;
        len -= taken;
    }
    for (; len >= SHA256_BLOCK; len -= SHA256_BLOCK, at += SHA256_BLOCK)
        sha256_work(hash->state, at);
    if (len)
        memcpy(hash->block, at, len);
}

void sha256_end(sha256 *hash, unsigned char digest[SHA256_BYTES])
{
    uint64_t bits = hash->total * 8;
    size_t waiting = (size_t)(hash->total % SHA256_BLOCK);
    hash->block[waiting++] = 0x80;
    if (waiting > SHA256_BLOCK - 8) {
        memset(hash->block + waiting, 0, SHA256_BLOCK - waiting);
        sha256_work(hash->state, hash->block);
        waiting = 0;
    }
    memset(hash->block + waiting, 0, SHA256_BLOCK - 8 - waiting);
    for (unsigned i = 0; i < 8; i++)
        hash->block[SHA256_BLOCK - 1 - i] = (unsigned char)(bits >> (8 * i));
    sha256_work(hash->state, hash->block);
    for (unsigned i = 0; i < SHA256_BYTES; i++)
        digest[i] = (unsigned char)(hash->state[i / 4] >> (24 - 8 * (i % 4)));
}

void sha256_hex(const unsigned char digest[SHA256_BYTES], char hex[SHA256_HEX])
{
    static const char digits[] = "0123456789abcdef";
    for (unsigned i = 0; i < SHA256_BYTES; i++) {
        hex[2 * i] = digits[digest[i] >> 4];
        hex[2 * i + 1] = digits[digest[i] & 15];
    }
}
