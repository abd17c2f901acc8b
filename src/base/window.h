/*
 * window.h - 64 bytes of text, classified all at once.
 *
 * Each class is a word in which bit i stands for byte i. The pieces of ASCII text are
 * then found by counting the bits of a run, and one classification serves for all the
 * pieces in the window. Bytes beyond ASCII are `wide` and nothing else: whoever meets
 * one asks the splitter, which knows all characters.
 */
#ifndef BASE_WINDOW_H
#define BASE_WINDOW_H

#include "base/scan.h"

#include <assert.h>

enum {
    WINDOW_LEN = 64,
    WINDOW_IS_FAST = SCAN_SIMD /* faster than asking the splitter about each piece */
};

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

/* Where a run fills the window, the next place asked about may be after the window. The
 * answer means nothing then, and nobody uses it: a piece that does not end well inside is
 * not taken from this window. */
enum { WINDOW_PLACES = WINDOW_LEN - 1 };

/* The bits from `at` on that are set without a gap: how many. At most 63. */
static inline unsigned window_run(uint64_t bits, unsigned at)
{
    uint64_t rest = bits >> (at & WINDOW_PLACES);
    return scan_low_bit(~rest | UINT64_C(1) << WINDOW_PLACES);
}

static inline bool window_has(uint64_t bits, unsigned at)
{
    return (bits >> (at & WINDOW_PLACES) & 1) != 0;
}

/* Adds the classes of one byte. */
static inline void window_add_byte(text_window *window, unsigned char byte, unsigned at)
{
    assert(at < WINDOW_LEN);
    unsigned letter = (unsigned)(byte | 0x20) - 'a';
    window->letter |= (uint64_t)(letter < 26) << at;
    window->upper |= (uint64_t)(letter < 26 && byte < 'a') << at;
    window->digit |= (uint64_t)scan_is_digit(byte) << at;
    window->space |= (uint64_t)(byte == ' ') << at;
    window->blank |= (uint64_t)(byte == ' ' || (byte >= '\t' && byte <= '\r')) << at;
    window->line |= (uint64_t)(byte == '\n' || byte == '\r') << at;
    window->quote |= (uint64_t)(byte == '\'') << at;
    window->slash |= (uint64_t)(byte == '/') << at;
    window->wide |= (uint64_t)(byte >= 0x80) << at;
}

static inline text_window window_read_portable(const char *at)
{
    text_window window = {0, 0, 0, 0, 0, 0, 0, 0, 0};
    for (unsigned i = 0; i < WINDOW_LEN; i++)
        window_add_byte(&window, (unsigned char)at[i], i);
    return window;
}

#if SCAN_SIMD

/* Adds the classes of 16 bytes, from bit `shift` on. */
static inline void window_add(text_window *window, const char *at, unsigned shift)
{
    lanes16 bytes = lanes_load(at);
    lanes16 letter = lanes_between(lanes_raise(bytes, 0x20), 'a', 26);
    lanes16 space = lanes_equal(bytes, ' ');
    lanes16 blank = lanes_either(lanes_between(bytes, '\t', 5), space);
    lanes16 line = lanes_either(lanes_equal(bytes, '\n'), lanes_equal(bytes, '\r'));
    uint64_t letters = lanes_mask(letter);
    window->letter |= letters << shift;
    window->upper |= (letters & ~(uint64_t)lanes_mask(lanes_small(bytes))) << shift;
    window->digit |= (uint64_t)lanes_mask(lanes_between(bytes, '0', 10)) << shift;
    window->space |= (uint64_t)lanes_mask(space) << shift;
    window->blank |= (uint64_t)lanes_mask(blank) << shift;
    window->line |= (uint64_t)lanes_mask(line) << shift;
    window->quote |= (uint64_t)lanes_mask(lanes_equal(bytes, '\'')) << shift;
    window->slash |= (uint64_t)lanes_mask(lanes_equal(bytes, '/')) << shift;
    window->wide |= (uint64_t)lanes_mask(bytes) << shift;
}

static inline text_window window_read_simd(const char *at)
{
    text_window window = {0, 0, 0, 0, 0, 0, 0, 0, 0};
    for (unsigned i = 0; i < WINDOW_LEN; i += 16)
        window_add(&window, at + i, i);
    return window;
}

#endif

static inline text_window window_read(const char *at)
{
#if SCAN_SIMD
    return window_read_simd(at);
#else
    return window_read_portable(at);
#endif
}

#endif
