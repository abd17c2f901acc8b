/*
 * crc32c.c - eight bytes at a step, with tables; with the instruction for it on machines
 * that have SSE4.2.
 *
 * Joining is arithmetic with polynomials over two elements: a checksum followed by n zero
 * bytes is the checksum times x^8n, modulo the polynomial, and the checksum of both texts
 * is that of the first so moved, plus (exclusive or) that of the second.
 */
#include "base/crc32c.h"
#include "base/crc32c_table.h"

enum { CRC32C_LONG = 16 * 1024 };

static uint32_t crc32c_word(const unsigned char *at)
{
    return (uint32_t)at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 |
           (uint32_t)at[3] << 24;
}

static inline uint32_t crc32c_step(uint32_t state, const unsigned char *at)
{
    uint32_t low = state ^ crc32c_word(at);
    uint32_t high = crc32c_word(at + 4);
    return crc32c_table[7][low & 255] ^ crc32c_table[6][low >> 8 & 255] ^
           crc32c_table[5][low >> 16 & 255] ^ crc32c_table[4][low >> 24] ^
           crc32c_table[3][high & 255] ^ crc32c_table[2][high >> 8 & 255] ^
           crc32c_table[1][high >> 16 & 255] ^ crc32c_table[0][high >> 24];
}

static uint32_t crc32c_by_table(uint32_t sum, const unsigned char *at, size_t len)
{
    /* Each step waits for the one before it, so a long text is two, side by side. */
    if (len >= CRC32C_LONG) {
        size_t half = len / 16 * 8;
        uint32_t first = ~sum;
        uint32_t second = ~(uint32_t)0;
        for (size_t i = 0; i < half; i += 8) {
            first = crc32c_step(first, at + i);
            second = crc32c_step(second, at + half + i);
        }
        sum = crc32c_join(~first, ~second, half);
        at += 2 * half;
        len -= 2 * half;
    }
    uint32_t state = ~sum;
    for (; len >= 8; len -= 8, at += 8)
        state = crc32c_step(state, at);
    for (; len > 0; len--)
        state = state >> 8 ^ crc32c_table[0][(state ^ *at++) & 255];
    return ~state;
}

/* CRC32C_PORTABLE leaves it out, for tests of the tables. */
#if defined(__x86_64__) && defined(__GNUC__) && !defined(PITH_NO_SIMD) &&                \
    !defined(CRC32C_PORTABLE)
#include <nmmintrin.h>

static __attribute__((target("sse4.2"))) uint32_t crc32c_by_instruction(
    uint32_t sum, const unsigned char *at, size_t len)
{
    uint64_t state = (uint32_t)~sum;
    for (; len >= 8; len -= 8, at += 8) {
        uint64_t word = crc32c_word(at) | (uint64_t)crc32c_word(at + 4) << 32;
        state = _mm_crc32_u64(state, word);
    }
    uint32_t low = (uint32_t)state;
    for (; len > 0; len--)
        low = _mm_crc32_u8(low, *at++);
    return ~low;
}

uint32_t crc32c(uint32_t sum, const void *data, size_t len)
{
    const unsigned char *at = (const unsigned char *)data;
    return __builtin_cpu_supports("sse4.2") ? crc32c_by_instruction(sum, at, len)
                                            : crc32c_by_table(sum, at, len);
}

#else

uint32_t crc32c(uint32_t sum, const void *data, size_t len)
{
    return crc32c_by_table(sum, (const unsigned char *)data, len);
}

#endif

#define CRC32C_POLYNOMIAL 0x82F63B78u
#define CRC32C_ONE 0x80000000u /* x^0: the highest power is the lowest bit */

static uint32_t crc32c_multiply(uint32_t a, uint32_t b)
{
    uint32_t product = 0;
    for (; a; a <<= 1) {
        if (a & CRC32C_ONE)
            product ^= b;
        b = b >> 1 ^ (b & 1 ? CRC32C_POLYNOMIAL : 0);
    }
    return product;
}

uint32_t crc32c_join(uint32_t first, uint32_t second, uint64_t second_len)
{
    uint32_t power = CRC32C_ONE >> 8; /* x^8 */
    uint32_t shift = CRC32C_ONE;
    for (; second_len > 0; second_len >>= 1) {
        if (second_len & 1)
            shift = crc32c_multiply(shift, power);
        power = crc32c_multiply(power, power);
    }
    return crc32c_multiply(shift, first) ^ second;
}
