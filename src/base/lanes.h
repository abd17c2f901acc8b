/*
 * lanes.h - sixteen bytes at a time: the only file of the searches with intrinsics.
 *
 * A `lanes16` holds 16 bytes. A comparison gives 16 bytes again, all ones where it holds,
 * and lanes_bits makes them a word in which the first byte is the lowest. How many bits a
 * byte has in that word is the machine's affair: ask lanes_first and lanes_front.
 *
 * Which machine is decided here and nowhere else: SCAN_SIMD says whether there are lanes
 * at all. PITH_NO_SIMD takes them away, for the tests of what is left then.
 */
#ifndef BASE_LANES_H
#define BASE_LANES_H

#include "pith.h"

#if defined(PITH_NO_SIMD) || !defined(__GNUC__)
#define SCAN_SIMD 0
#elif defined(__SSE2__)
#define SCAN_SIMD 1
#define LANES_SSE2 1
#include <emmintrin.h>
#elif defined(__AARCH64EL__) && defined(__ARM_NEON)
#define SCAN_SIMD 1
#define LANES_SSE2 0
#include <arm_neon.h>
#else
#define SCAN_SIMD 0
#endif

/* For functions whose arguments are mostly constants: only where they are inlined do the
 * constants fall away. */
#if defined(__GNUC__)
#define ALWAYS_INLINE inline __attribute__((always_inline))
#elif defined(_MSC_VER)
#define ALWAYS_INLINE __forceinline
#else
#define ALWAYS_INLINE inline
#endif

/* Which bit of the word is the lowest, and which the highest, that is set; one is. */
static inline unsigned scan_low_bit(uint64_t word)
{
#if defined(__GNUC__)
    return (unsigned)__builtin_ctzll(word);
#else
    unsigned bit = 0;
    while (!(word >> bit & 1)) {
        bit++;
    }
    return bit;
#endif
}

static inline unsigned scan_high_bit(uint64_t word)
{
#if defined(__GNUC__)
    return 63 - (unsigned)__builtin_clzll(word);
#else
    unsigned bit = 63;
    while (!(word >> bit & 1)) {
        bit--;
    }
    return bit;
#endif
}

#if SCAN_SIMD && LANES_SSE2

typedef __m128i lanes16;
typedef unsigned lane_bits;

#define LANES_ALL 0xFFFFu

static ALWAYS_INLINE lanes16 lanes_load(const char *at)
{
    return _mm_loadu_si128((const __m128i *)(const void *)at);
}

static ALWAYS_INLINE void lanes_store(char *to, lanes16 lanes)
{
    _mm_storeu_si128((__m128i *)(void *)to, lanes);
}

static ALWAYS_INLINE lanes16 lanes_none(void)
{
    return _mm_setzero_si128();
}

static ALWAYS_INLINE lanes16 lanes_either(lanes16 a, lanes16 b)
{
    return _mm_or_si128(a, b);
}

static ALWAYS_INLINE lanes16 lanes_same(lanes16 a, lanes16 b)
{
    return _mm_cmpeq_epi8(a, b);
}

static ALWAYS_INLINE lanes16 lanes_equal(lanes16 lanes, char byte)
{
    return _mm_cmpeq_epi8(lanes, _mm_set1_epi8(byte));
}

static ALWAYS_INLINE lanes16 lanes_raise(lanes16 lanes, char bit)
{
    return _mm_or_si128(lanes, _mm_set1_epi8(bit));
}

/* The bytes from `first` to `first + count - 1`. */
static ALWAYS_INLINE lanes16 lanes_between(lanes16 lanes, char first, char count)
{
    __m128i value = first ? _mm_sub_epi8(lanes, _mm_set1_epi8(first)) : lanes;
    __m128i most = _mm_set1_epi8((char)(count - 1));
    return _mm_cmpeq_epi8(_mm_min_epu8(value, most), value);
}

/* One signed comparison catches both ends: controls are below 0x20, and bytes beyond
 * ASCII are negative. */
static ALWAYS_INLINE lanes16 lanes_unprintable(lanes16 lanes)
{
    return _mm_cmplt_epi8(lanes, _mm_set1_epi8(0x20));
}

static ALWAYS_INLINE lanes16 lanes_wide(lanes16 lanes)
{
    return _mm_cmplt_epi8(lanes, _mm_setzero_si128());
}

/* The top bit of each byte is set where a letter is small; the rest means nothing. */
static ALWAYS_INLINE lanes16 lanes_small(lanes16 lanes)
{
    return _mm_slli_epi16(lanes, 2);
}

static ALWAYS_INLINE lane_bits lanes_bits(lanes16 lanes)
{
    return (unsigned)_mm_movemask_epi8(lanes);
}

/* The top bit of each byte: one bit a byte, whatever the machine. */
static ALWAYS_INLINE unsigned lanes_mask(lanes16 lanes)
{
    return (unsigned)_mm_movemask_epi8(lanes);
}

/* Which byte the lowest bit belongs to; there is one. */
static ALWAYS_INLINE unsigned lanes_first(lane_bits bits)
{
    return (unsigned)__builtin_ctz(bits);
}

/* The bits of the first `len` bytes, at most 16. */
static ALWAYS_INLINE lane_bits lanes_front(size_t len)
{
    return (1u << len) - 1;
}

#elif SCAN_SIMD

typedef uint8x16_t lanes16;
typedef uint64_t lane_bits;

enum { LANE_WIDTH = 4 }; /* bits of a byte in lane_bits */
#define LANES_ALL UINT64_MAX

static ALWAYS_INLINE lanes16 lanes_load(const char *at)
{
    return vld1q_u8((const uint8_t *)at);
}

static ALWAYS_INLINE void lanes_store(char *to, lanes16 lanes)
{
    vst1q_u8((uint8_t *)to, lanes);
}

static ALWAYS_INLINE lanes16 lanes_none(void)
{
    return vdupq_n_u8(0);
}

static ALWAYS_INLINE lanes16 lanes_either(lanes16 a, lanes16 b)
{
    return vorrq_u8(a, b);
}

static ALWAYS_INLINE lanes16 lanes_same(lanes16 a, lanes16 b)
{
    return vceqq_u8(a, b);
}

static ALWAYS_INLINE lanes16 lanes_equal(lanes16 lanes, char byte)
{
    return vceqq_u8(lanes, vdupq_n_u8((uint8_t)byte));
}

static ALWAYS_INLINE lanes16 lanes_raise(lanes16 lanes, char bit)
{
    return vorrq_u8(lanes, vdupq_n_u8((uint8_t)bit));
}

static ALWAYS_INLINE lanes16 lanes_between(lanes16 lanes, char first, char count)
{
    lanes16 value = vsubq_u8(lanes, vdupq_n_u8((uint8_t)first));
    return vcltq_u8(value, vdupq_n_u8((uint8_t)count));
}

static ALWAYS_INLINE lanes16 lanes_unprintable(lanes16 lanes)
{
    return vcltq_s8(vreinterpretq_s8_u8(lanes), vdupq_n_s8(0x20));
}

static ALWAYS_INLINE lanes16 lanes_wide(lanes16 lanes)
{
    return vcltzq_s8(vreinterpretq_s8_u8(lanes));
}

static ALWAYS_INLINE lanes16 lanes_small(lanes16 lanes)
{
    return vshlq_n_u8(lanes, 2);
}

/* There is no movemask: of each pair of bytes the middle eight bits are kept, which are
 * four of each byte. */
static ALWAYS_INLINE lane_bits lanes_bits(lanes16 lanes)
{
    uint8x8_t halves = vshrn_n_u16(vreinterpretq_u16_u8(lanes), 4);
    return vget_lane_u64(vreinterpret_u64_u8(halves), 0);
}

static ALWAYS_INLINE unsigned lanes_mask(lanes16 lanes)
{
    static const uint8_t places[16] = {1, 2, 4, 8, 16, 32, 64, 128,
                                       1, 2, 4, 8, 16, 32, 64, 128};
    lanes16 ones = vcltzq_s8(vreinterpretq_s8_u8(lanes));
    lanes16 bits = vandq_u8(ones, vld1q_u8(places));
    return vaddv_u8(vget_low_u8(bits)) | (unsigned)vaddv_u8(vget_high_u8(bits)) << 8;
}

static ALWAYS_INLINE unsigned lanes_first(lane_bits bits)
{
    return scan_low_bit(bits) / LANE_WIDTH;
}

static ALWAYS_INLINE lane_bits lanes_front(size_t len)
{
    return len < 16 ? (UINT64_C(1) << LANE_WIDTH * len) - 1 : LANES_ALL;
}

#endif

#endif
