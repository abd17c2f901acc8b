/*
 * lanes.h - sixteen bytes at a time: the only file of the searches with intrinsics.
 *
 * A `lanes16` holds 16 bytes. A comparison gives 16 bytes again, all ones where it holds,
 * and lanes_bits makes them a word in which the first byte is the lowest. How many bits a
 * byte has in that word depends on the machine: ask lanes_first and lanes_front.
 *
 * gcc and clang have vectors in the language, so one spelling serves every machine. Only
 * the way from lanes to a word needs an instruction by name: SSE2, NEON and WebAssembly
 * have one. SCAN_SIMD says whether there are lanes at all; PITH_NO_SIMD takes them away,
 * for the tests of what is left then.
 */
#ifndef BASE_LANES_H
#define BASE_LANES_H

#include "pith.h"

#include <assert.h>
#include <string.h>

#if defined(PITH_NO_SIMD) || !defined(__GNUC__)
#define SCAN_SIMD 0
#elif defined(__SSE2__)
#define SCAN_SIMD 1
#include <emmintrin.h>
#elif defined(__AARCH64EL__) && defined(__ARM_NEON)
#define SCAN_SIMD 1
#include <arm_neon.h>
#elif defined(__wasm_simd128__)
#define SCAN_SIMD 1
#include <wasm_simd128.h>
#else
#define SCAN_SIMD 0
#endif

/* For functions whose arguments are mostly constants: only where they are inlined do the
 * constants fall away. */
#if defined(__GNUC__)
#define ALWAYS_INLINE inline __attribute__((always_inline))
#define NEVER_INLINE __attribute__((noinline)) /* the rare half of hot code */
#elif defined(_MSC_VER)
#define ALWAYS_INLINE __forceinline
#define NEVER_INLINE __declspec(noinline)
#else
#define ALWAYS_INLINE inline
#define NEVER_INLINE
#endif

/* Which bit of the word is the lowest, and which the highest, that is set. */
static inline unsigned scan_low_bit(uint64_t word)
{
    assert(word != 0);
#if defined(__GNUC__)
    return (unsigned)__builtin_ctzll(word);
#else
    unsigned bit = 0;
    while (!(word >> bit & 1))
        bit++;
    return bit;
#endif
}

static inline unsigned scan_high_bit(uint64_t word)
{
    assert(word != 0);
#if defined(__GNUC__)
    return 63 - (unsigned)__builtin_clzll(word);
#else
    unsigned bit = 63;
    while (!(word >> bit & 1))
        bit--;
    return bit;
#endif
}

#if SCAN_SIMD

typedef uint8_t lanes16 __attribute__((vector_size(16)));
typedef int8_t lanes16_signed __attribute__((vector_size(16)));
typedef uint16_t lanes16_pairs __attribute__((vector_size(16)));
typedef uint64_t lanes16_words __attribute__((vector_size(16)));

static ALWAYS_INLINE lanes16 lanes_load(const char *at)
{
    lanes16 lanes;
    memcpy(&lanes, at, sizeof lanes);
    return lanes;
}

static ALWAYS_INLINE void lanes_store(char *to, lanes16 lanes)
{
    memcpy(to, &lanes, sizeof lanes);
}

static ALWAYS_INLINE lanes16 lanes_of_words(uint64_t first, uint64_t second)
{
    return (lanes16)(lanes16_words){first, second};
}

static ALWAYS_INLINE lanes16 lanes_of(char byte)
{
    uint8_t b = (uint8_t)byte;
    return (lanes16){b, b, b, b, b, b, b, b, b, b, b, b, b, b, b, b};
}

static ALWAYS_INLINE lanes16 lanes_none(void)
{
    return lanes_of(0);
}

static ALWAYS_INLINE lanes16 lanes_either(lanes16 a, lanes16 b)
{
    return a | b;
}

static ALWAYS_INLINE lanes16 lanes_same(lanes16 a, lanes16 b)
{
    return (lanes16)(a == b);
}

static ALWAYS_INLINE lanes16 lanes_equal(lanes16 lanes, char byte)
{
    return lanes_same(lanes, lanes_of(byte));
}

static ALWAYS_INLINE lanes16 lanes_raise(lanes16 lanes, char bit)
{
    return lanes | lanes_of(bit);
}

/* The bytes from `first` to `first + count - 1`. */
static ALWAYS_INLINE lanes16 lanes_between(lanes16 lanes, char first, char count)
{
    return (lanes16)(lanes - lanes_of(first) < lanes_of(count));
}

/* One signed comparison catches both ends: controls are below 0x20, and bytes beyond
 * ASCII are negative. */
static ALWAYS_INLINE lanes16 lanes_unprintable(lanes16 lanes)
{
    return (lanes16)((lanes16_signed)lanes < (lanes16_signed)lanes_of(0x20));
}

static ALWAYS_INLINE lanes16 lanes_wide(lanes16 lanes)
{
    return (lanes16)((lanes16_signed)lanes < (lanes16_signed)lanes_none());
}

/* The top bit of each byte is set where a letter is small; the rest means nothing. */
static ALWAYS_INLINE lanes16 lanes_small(lanes16 lanes)
{
    return (lanes16)((lanes16_pairs)lanes << 2);
}

#endif

/* lanes_mask gives the top bit of each byte: one bit a byte, on every machine. lanes_bits
 * gives `LANE_WIDTH` bits a byte, of lanes that are all ones or all zeros. */

#if SCAN_SIMD && defined(__ARM_NEON)

typedef uint64_t lane_bits;

enum { LANE_WIDTH = 4 };
#define LANES_ALL UINT64_MAX

/* There is no movemask: of each pair of bytes the middle eight bits are kept, which are
 * four of each byte. */
static ALWAYS_INLINE lane_bits lanes_bits(lanes16 lanes)
{
    uint8x8_t halves = vshrn_n_u16((uint16x8_t)lanes, 4);
    return vget_lane_u64(vreinterpret_u64_u8(halves), 0);
}

static ALWAYS_INLINE unsigned lanes_mask(lanes16 lanes)
{
    lanes16 places = {1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128};
    uint8x16_t bits = (uint8x16_t)(lanes_wide(lanes) & places);
    return vaddv_u8(vget_low_u8(bits)) | (unsigned)vaddv_u8(vget_high_u8(bits)) << 8;
}

#elif SCAN_SIMD

typedef unsigned lane_bits;

enum { LANE_WIDTH = 1 };
#define LANES_ALL 0xFFFFu

static ALWAYS_INLINE unsigned lanes_mask(lanes16 lanes)
{
#if defined(__SSE2__)
    return (unsigned)_mm_movemask_epi8((__m128i)lanes);
#else
    return wasm_i8x16_bitmask((v128_t)lanes);
#endif
}

static ALWAYS_INLINE lane_bits lanes_bits(lanes16 lanes)
{
    return lanes_mask(lanes);
}

#endif

#if SCAN_SIMD

/* Which byte the lowest bit belongs to. */
static ALWAYS_INLINE unsigned lanes_first(lane_bits bits)
{
    return scan_low_bit(bits) / LANE_WIDTH;
}

/* The bits of the first `len` bytes, at most 16. */
static ALWAYS_INLINE lane_bits lanes_front(size_t len)
{
    assert(len <= 16);
    return len < 16 ? ((lane_bits)1 << LANE_WIDTH * len) - 1 : LANES_ALL;
}

#endif

#endif
