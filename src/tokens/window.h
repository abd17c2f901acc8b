/*
 * window.h - 64 bytes of text, classified all at once.
 *
 * Each class is a word in which bit i stands for byte i. The pieces of ASCII text are
 * then found by counting the bits of a run, and one classification serves for all the
 * pieces in the window. Bytes beyond ASCII are `wide` and nothing else: whoever meets
 * one asks the splitter, which knows all characters.
 */
#ifndef TOKENS_WINDOW_H
#define TOKENS_WINDOW_H

#include "base/scan.h"

enum { WINDOW_LEN = 64 };

typedef struct text_window {
    uint64_t letter;
    uint64_t upper;
    uint64_t digit;
    uint64_t space;
    uint64_t blank; /* white space: the space, line ends and tabs */
    uint64_t line;  /* carriage returns and line feeds */
    uint64_t quote; /* apostrophes */
    uint64_t slash;
    uint64_t wide;
} text_window;

/* Where a run fills the window, the next place asked about may be behind the window. The
 * answer means nothing then, and nobody uses it: a piece that does not end well inside is
 * not taken from this window. */
enum { WINDOW_PLACES = WINDOW_LEN - 1 };

/* The bits from `at` on that are set without a gap: how many. At most 63. */
static inline unsigned window_run(uint64_t bits, unsigned at)
{
    uint64_t rest = bits >> (at & WINDOW_PLACES);
    return (unsigned)__builtin_ctzll(~rest | UINT64_C(1) << WINDOW_PLACES);
}

static inline bool window_has(uint64_t bits, unsigned at)
{
    return (bits >> (at & WINDOW_PLACES) & 1) != 0;
}

#if SCAN_SIMD

/* Adds the classes of 16 bytes, from bit `shift` on. */
static inline void window_add(text_window *window, const char *at, unsigned shift)
{
    __m128i bytes = scan_load16(at);
    __m128i folded =
        _mm_sub_epi8(_mm_or_si128(bytes, _mm_set1_epi8(0x20)), _mm_set1_epi8('a'));
    __m128i letter = _mm_cmpeq_epi8(_mm_min_epu8(folded, _mm_set1_epi8(25)), folded);
    /* In a letter bit 5 says small; shifted to bit 7 it is what movemask takes. */
    __m128i small = _mm_slli_epi16(bytes, 2);
    __m128i control = _mm_sub_epi8(bytes, _mm_set1_epi8('\t'));
    __m128i tab = _mm_cmpeq_epi8(_mm_min_epu8(control, _mm_set1_epi8(4)), control);
    __m128i space = scan_equal(bytes, ' ');
    __m128i line = _mm_or_si128(scan_equal(bytes, '\n'), scan_equal(bytes, '\r'));
    uint64_t letters = scan_mask(letter);
    window->letter |= letters << shift;
    window->upper |= (letters & ~(uint64_t)scan_mask(small)) << shift;
    window->digit |= (uint64_t)scan_digit_mask(bytes) << shift;
    window->space |= (uint64_t)scan_mask(space) << shift;
    window->blank |= (uint64_t)scan_mask(_mm_or_si128(tab, space)) << shift;
    window->line |= (uint64_t)scan_mask(line) << shift;
    window->quote |= (uint64_t)scan_mask(scan_equal(bytes, '\'')) << shift;
    window->slash |= (uint64_t)scan_mask(scan_equal(bytes, '/')) << shift;
    window->wide |= (uint64_t)scan_mask(bytes) << shift;
}

static inline text_window window_read(const char *at)
{
    text_window window = {0, 0, 0, 0, 0, 0, 0, 0, 0};
    for (unsigned i = 0; i < WINDOW_LEN; i += 16) {
        window_add(&window, at + i, i);
    }
    return window;
}

#endif

#endif
