/*
 * scan.h - the byte searches everything leans on.
 *
 * Each search comes twice: `_simd` looks at 16 bytes at a time with SSE2, which
 * every x86-64 has, and `_portable` at 8 bytes in a word, for other machines and
 * as the twin the tests compare with. The plain name is the better of the two for
 * this build. All of them are inline: the spans they meet are mostly shorter than
 * a function call is long.
 *
 * None reads past `end`.
 */
#ifndef BASE_SCAN_H
#define BASE_SCAN_H

#include "pith.h"

#include <string.h>

#if defined(__SSE2__) && defined(__GNUC__) && !defined(PITH_NO_SIMD)
#define SCAN_SIMD 1
#include <emmintrin.h>
#else
#define SCAN_SIMD 0
#endif

/* Inside a JSON string: bytes that are not plain printable ASCII. */
static inline bool scan_is_special(unsigned char byte)
{
    return byte < 0x20 || byte >= 0x80 || byte == '"' || byte == '\\';
}

/* Inside a JSON string: bytes that end it or need a closer look, letting
 * everything beyond ASCII pass. */
static inline bool scan_is_stop(unsigned char byte)
{
    return byte < 0x20 || byte == '"' || byte == '\\';
}

static inline bool scan_is_digit(unsigned char byte)
{
    return (unsigned char)(byte - '0') <= 9;
}

static inline bool scan_is_space(unsigned char byte)
{
    return byte == ' ' || byte == '\n' || byte == '\r' || byte == '\t';
}

/* ------------------------------------------------------------ portable twins */

#define SCAN_ONES UINT64_C(0x0101010101010101)
#define SCAN_TOPS UINT64_C(0x8080808080808080)

static inline uint64_t scan_load8(const char *at)
{
    uint64_t word;
    memcpy(&word, at, 8);
    return word;
}

/* Nonzero when some byte of the word is zero. */
static inline uint64_t scan_has_zero(uint64_t word)
{
    return (word - SCAN_ONES) & ~word & SCAN_TOPS;
}

/* Nonzero when some byte of the word ends a JSON string or is a control. */
static inline uint64_t scan_has_stop(uint64_t word)
{
    return scan_has_zero(word ^ SCAN_ONES * '"') |
           scan_has_zero(word ^ SCAN_ONES * '\\') |
           ((word - SCAN_ONES * 0x20) & ~word & SCAN_TOPS);
}

static inline const char *scan_special_portable(const char *at, const char *end)
{
    while (end - at >= 8) {
        uint64_t word = scan_load8(at);
        if (scan_has_stop(word) | (word & SCAN_TOPS)) {
            break;
        }
        at += 8;
    }
    while (at < end && !scan_is_special((unsigned char)*at)) {
        at++;
    }
    return at;
}

static inline const char *scan_stop_portable(const char *at, const char *end)
{
    while (end - at >= 8) {
        if (scan_has_stop(scan_load8(at))) {
            break;
        }
        at += 8;
    }
    while (at < end && !scan_is_stop((unsigned char)*at)) {
        at++;
    }
    return at;
}

static inline const char *scan_digits_portable(const char *at, const char *end)
{
    while (at < end && scan_is_digit((unsigned char)*at)) {
        at++;
    }
    return at;
}

static inline const char *scan_spaces_portable(const char *at, const char *end)
{
    while (at < end && scan_is_space((unsigned char)*at)) {
        at++;
    }
    return at;
}

/* ---------------------------------------------------------------- SSE2 twins */

#if SCAN_SIMD

static inline __m128i scan_load16(const char *at)
{
    return _mm_loadu_si128((const __m128i *)(const void *)at);
}

static inline unsigned scan_mask(__m128i lanes)
{
    return (unsigned)_mm_movemask_epi8(lanes);
}

static inline __m128i scan_equal(__m128i lanes, char byte)
{
    return _mm_cmpeq_epi8(lanes, _mm_set1_epi8(byte));
}

/* One signed comparison catches both ends: controls are below 0x20, and bytes
 * beyond ASCII are negative. */
static inline unsigned scan_special_mask(__m128i lanes)
{
    __m128i hits = _mm_or_si128(scan_equal(lanes, '"'), scan_equal(lanes, '\\'));
    return scan_mask(_mm_or_si128(hits, _mm_cmplt_epi8(lanes, _mm_set1_epi8(0x20))));
}

static inline unsigned scan_stop_mask(__m128i lanes)
{
    __m128i hits = _mm_or_si128(scan_equal(lanes, '"'), scan_equal(lanes, '\\'));
    __m128i control = _mm_cmpeq_epi8(_mm_min_epu8(lanes, _mm_set1_epi8(0x1F)), lanes);
    return scan_mask(_mm_or_si128(hits, control));
}

static inline unsigned scan_digit_mask(__m128i lanes)
{
    __m128i value = _mm_sub_epi8(lanes, _mm_set1_epi8('0'));
    return scan_mask(_mm_cmpeq_epi8(_mm_min_epu8(value, _mm_set1_epi8(9)), value));
}

static inline unsigned scan_space_mask(__m128i lanes)
{
    __m128i line = _mm_or_si128(scan_equal(lanes, '\n'), scan_equal(lanes, '\r'));
    __m128i blank = _mm_or_si128(scan_equal(lanes, ' '), scan_equal(lanes, '\t'));
    return scan_mask(_mm_or_si128(line, blank));
}

static inline unsigned scan_lowest_bit(unsigned mask)
{
    return (unsigned)__builtin_ctz(mask);
}

static inline const char *scan_special_simd(const char *at, const char *end)
{
    while (end - at >= 16) {
        unsigned mask = scan_special_mask(scan_load16(at));
        if (mask) {
            return at + scan_lowest_bit(mask);
        }
        at += 16;
    }
    return scan_special_portable(at, end);
}

static inline const char *scan_stop_simd(const char *at, const char *end)
{
    while (end - at >= 16) {
        unsigned mask = scan_stop_mask(scan_load16(at));
        if (mask) {
            return at + scan_lowest_bit(mask);
        }
        at += 16;
    }
    return scan_stop_portable(at, end);
}

static inline const char *scan_digits_simd(const char *at, const char *end)
{
    while (end - at >= 16) {
        unsigned mask = scan_digit_mask(scan_load16(at));
        if (mask != 0xFFFF) {
            return at + scan_lowest_bit(~mask);
        }
        at += 16;
    }
    return scan_digits_portable(at, end);
}

static inline const char *scan_spaces_simd(const char *at, const char *end)
{
    while (end - at >= 16) {
        unsigned mask = scan_space_mask(scan_load16(at));
        if (mask != 0xFFFF) {
            return at + scan_lowest_bit(~mask);
        }
        at += 16;
    }
    return scan_spaces_portable(at, end);
}

#endif

/* ------------------------------------------------------------- the ones to use */

/* The first byte that is not plain printable ASCII or is `"` or `\`; or `end`. */
static inline const char *scan_special(const char *at, const char *end)
{
#if SCAN_SIMD
    return scan_special_simd(at, end);
#else
    return scan_special_portable(at, end);
#endif
}

/* The first `"`, `\` or control character; or `end`. */
static inline const char *scan_stop(const char *at, const char *end)
{
#if SCAN_SIMD
    return scan_stop_simd(at, end);
#else
    return scan_stop_portable(at, end);
#endif
}

/* The first byte that is not an ASCII digit; or `end`. */
static inline const char *scan_digits(const char *at, const char *end)
{
#if SCAN_SIMD
    return scan_digits_simd(at, end);
#else
    return scan_digits_portable(at, end);
#endif
}

/* The first byte that is not JSON white space; or `end`. */
static inline const char *scan_spaces(const char *at, const char *end)
{
#if SCAN_SIMD
    return scan_spaces_simd(at, end);
#else
    return scan_spaces_portable(at, end);
#endif
}

#endif
