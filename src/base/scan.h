/*
 * scan.h - the byte searches everything leans on.
 *
 * A search is for a set of bytes, which is a constant at the call but for a delimiter:
 *
 *     stop = scan_to(SCAN_SET(SCAN_QUOTES | SCAN_CONTROLS, ',', delimiter), at, end);
 *
 * Each comes twice: `_simd` looks at 16 bytes at a time (lanes.h), and `_portable` at 8
 * bytes in a word, for other machines, for the rest of a text, and as the twin the tests
 * compare with. The plain name is the better of the two for this build. All of them are
 * inline: the spans they meet are mostly shorter than a function call is long, and what
 * is not in a constant set costs nothing.
 *
 * None reads past `end`, but for those that say that 16 bytes can be read.
 */
#ifndef BASE_SCAN_H
#define BASE_SCAN_H

#include "base/lanes.h"

#include <assert.h>
#include <string.h>

/* ------------------------------------------------------------------------ sets */

enum {
    SCAN_QUOTES = 1,   /* " and \ */
    SCAN_CONTROLS = 2, /* below the space */
    SCAN_WIDE = 4,     /* beyond ASCII */
    SCAN_BRACKETS = 8  /* [ ] { } */
};

/* Classes, and up to six bytes that are in none of them. */
typedef struct scan_set {
    unsigned classes;
    unsigned count;
    char bytes[6];
} scan_set;

/* The classes and at least one byte. */
#define SCAN_SET(classes, ...)                                                           \
    ((scan_set){(classes), sizeof((const char[]){__VA_ARGS__}), {__VA_ARGS__}})

/* The classes alone. */
#define SCAN_CLASSES(classes) ((scan_set){(classes), 0, {0}})

/* Inside a JSON string: bytes that are not plain printable ASCII, or end it. */
#define SCAN_SPECIAL SCAN_CLASSES(SCAN_QUOTES | SCAN_CONTROLS | SCAN_WIDE)

/* The same, letting everything beyond ASCII pass. */
#define SCAN_STOP SCAN_CLASSES(SCAN_QUOTES | SCAN_CONTROLS)

static ALWAYS_INLINE bool scan_is_in(scan_set set, unsigned char byte)
{
    return ((set.classes & SCAN_CONTROLS) && byte < 0x20) ||
           ((set.classes & SCAN_WIDE) && byte >= 0x80) ||
           ((set.classes & SCAN_QUOTES) && (byte == '"' || byte == '\\')) ||
           ((set.classes & SCAN_BRACKETS) &&
            ((byte | 0x20) == '{' || (byte | 0x20) == '}')) ||
           (set.count > 0 && byte == (unsigned char)set.bytes[0]) ||
           (set.count > 1 && byte == (unsigned char)set.bytes[1]) ||
           (set.count > 2 && byte == (unsigned char)set.bytes[2]) ||
           (set.count > 3 && byte == (unsigned char)set.bytes[3]) ||
           (set.count > 4 && byte == (unsigned char)set.bytes[4]) ||
           (set.count > 5 && byte == (unsigned char)set.bytes[5]);
}

static inline bool scan_is_special(unsigned char byte)
{
    return scan_is_in(SCAN_SPECIAL, byte);
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
static ALWAYS_INLINE uint64_t scan_has_zero(uint64_t word)
{
    return (word - SCAN_ONES) & ~word & SCAN_TOPS;
}

/* Nonzero when some byte of the word is this one. */
static ALWAYS_INLINE uint64_t scan_has(uint64_t word, char byte)
{
    return scan_has_zero(word ^ SCAN_ONES * (unsigned char)byte);
}

/* Nonzero when some byte of the word is in the set. */
static ALWAYS_INLINE uint64_t scan_word_hits(scan_set set, uint64_t word)
{
    uint64_t raised = word | SCAN_ONES * 0x20; /* brackets become braces */
    uint64_t hits = 0;
    hits |= set.classes & SCAN_CONTROLS ? (word - SCAN_ONES * 0x20) & ~word : 0;
    hits |= set.classes & SCAN_WIDE ? word : 0;
    hits |= set.classes & SCAN_QUOTES ? scan_has(word, '"') | scan_has(word, '\\') : 0;
    hits |=
        set.classes & SCAN_BRACKETS ? scan_has(raised, '{') | scan_has(raised, '}') : 0;
    hits |= set.count > 0 ? scan_has(word, set.bytes[0]) : 0;
    hits |= set.count > 1 ? scan_has(word, set.bytes[1]) : 0;
    hits |= set.count > 2 ? scan_has(word, set.bytes[2]) : 0;
    hits |= set.count > 3 ? scan_has(word, set.bytes[3]) : 0;
    hits |= set.count > 4 ? scan_has(word, set.bytes[4]) : 0;
    hits |= set.count > 5 ? scan_has(word, set.bytes[5]) : 0;
    return hits & SCAN_TOPS;
}

static ALWAYS_INLINE const char *scan_to_bytes(scan_set set, const char *at,
                                               const char *end)
{
    while (at < end && !scan_is_in(set, (unsigned char)*at))
        at++;
    return at;
}

static ALWAYS_INLINE const char *scan_to_portable(scan_set set, const char *at,
                                                  const char *end)
{
    while (end - at >= 8 && !scan_word_hits(set, scan_load8(at)))
        at += 8;
    return scan_to_bytes(set, at, end);
}

static ALWAYS_INLINE unsigned scan_first16_portable(scan_set set, const char *at)
{
    return (unsigned)(scan_to_portable(set, at, at + 16) - at);
}

static ALWAYS_INLINE bool scan_any_portable(scan_set set, const char *text, size_t len)
{
    return scan_to_portable(set, text, text + len) != text + len;
}

static ALWAYS_INLINE bool scan_copy_portable(scan_set set, char *to, const char *text,
                                             size_t len)
{
    memcpy(to, text, len);
    return scan_any_portable(set, text, len);
}

static inline const char *scan_digits_portable(const char *at, const char *end)
{
    while (at < end && scan_is_digit((unsigned char)*at))
        at++;
    return at;
}

static inline const char *scan_spaces_portable(const char *at, const char *end)
{
    while (at < end && scan_is_space((unsigned char)*at))
        at++;
    return at;
}

static inline const char *scan_blanks_portable(const char *at, const char *end)
{
    while (end - at >= 8 && scan_load8(at) == SCAN_ONES * ' ')
        at += 8;
    while (at < end && *at == ' ')
        at++;
    return at;
}

/* ---------------------------------------------------------------- SIMD twins */

#if SCAN_SIMD

static ALWAYS_INLINE lanes16 scan_class_lanes(unsigned classes, lanes16 lanes)
{
    lanes16 hits = lanes_none();
    if ((classes & SCAN_CONTROLS) && (classes & SCAN_WIDE))
        hits = lanes_unprintable(lanes);
    else if (classes & SCAN_CONTROLS)
        hits = lanes_between(lanes, 0, 0x20);
    else if (classes & SCAN_WIDE)
        hits = lanes_wide(lanes);
    if (classes & SCAN_QUOTES) {
        hits = lanes_either(hits, lanes_equal(lanes, '"'));
        hits = lanes_either(hits, lanes_equal(lanes, '\\'));
    }
    if (classes & SCAN_BRACKETS) {
        lanes16 raised = lanes_raise(lanes, 0x20); /* brackets become braces */
        hits = lanes_either(hits, lanes_equal(raised, '{'));
        hits = lanes_either(hits, lanes_equal(raised, '}'));
    }
    return hits;
}

/* All ones in the bytes that are in the set. */
static ALWAYS_INLINE lanes16 scan_lanes(scan_set set, lanes16 lanes)
{
    lanes16 hits = scan_class_lanes(set.classes, lanes);
    hits = set.count > 0 ? lanes_either(hits, lanes_equal(lanes, set.bytes[0])) : hits;
    hits = set.count > 1 ? lanes_either(hits, lanes_equal(lanes, set.bytes[1])) : hits;
    hits = set.count > 2 ? lanes_either(hits, lanes_equal(lanes, set.bytes[2])) : hits;
    hits = set.count > 3 ? lanes_either(hits, lanes_equal(lanes, set.bytes[3])) : hits;
    hits = set.count > 4 ? lanes_either(hits, lanes_equal(lanes, set.bytes[4])) : hits;
    hits = set.count > 5 ? lanes_either(hits, lanes_equal(lanes, set.bytes[5])) : hits;
    return hits;
}

static ALWAYS_INLINE lane_bits scan_bits(scan_set set, const char *at)
{
    return lanes_bits(scan_lanes(set, lanes_load(at)));
}

/* The rest of fewer than 16 bytes goes byte by byte, or through words first: those pay
 * only where many texts are so short, and cost where a cell mostly ends at once. */
static ALWAYS_INLINE const char *scan_to_simd(scan_set set, const char *at,
                                              const char *end, bool words)
{
    while (end - at >= 16) {
        lane_bits bits = scan_bits(set, at);
        if (bits)
            return at + lanes_first(bits);
        at += 16;
    }
    return words ? scan_to_portable(set, at, end) : scan_to_bytes(set, at, end);
}

static ALWAYS_INLINE unsigned scan_first16_simd(scan_set set, const char *at)
{
    lane_bits bits = scan_bits(set, at);
    return bits ? lanes_first(bits) : 16;
}

static ALWAYS_INLINE bool scan_any16_simd(scan_set set, const char *text, size_t len)
{
    return (scan_bits(set, text) & lanes_front(len)) != 0;
}

static ALWAYS_INLINE bool scan_any_simd(scan_set set, const char *text, size_t len,
                                        bool roomy)
{
    if (len <= 16 && roomy)
        return scan_any16_simd(set, text, len);
    if (len < 16)
        return scan_any_portable(set, text, len);
    const char *last = text + len - 16;
    for (; text < last; text += 16)
        if (scan_bits(set, text))
            return true;
    return scan_bits(set, last) != 0;
}

static ALWAYS_INLINE bool scan_copy_simd(scan_set set, char *to, const char *text,
                                         size_t len)
{
    if (len <= 16) {
        lanes16 lanes = lanes_load(text);
        lanes_store(to, lanes);
        return (lanes_bits(scan_lanes(set, lanes)) & lanes_front(len)) != 0;
    }
    lanes16 seen = lanes_none();
    for (size_t i = 0; i < len; i += 16) {
        size_t at = i + 16 < len ? i : len - 16;
        lanes16 lanes = lanes_load(text + at);
        lanes_store(to + at, lanes);
        seen = lanes_either(seen, scan_lanes(set, lanes));
    }
    return lanes_bits(seen) != 0;
}

static inline const char *scan_digits_simd(const char *at, const char *end)
{
    while (end - at >= 16) {
        lane_bits bits = lanes_bits(lanes_between(lanes_load(at), '0', 10));
        if (bits != LANES_ALL)
            return at + lanes_first(~bits);
        at += 16;
    }
    return scan_digits_portable(at, end);
}

static inline const char *scan_spaces_simd(const char *at, const char *end)
{
    while (end - at >= 16) {
        lane_bits bits = scan_bits(SCAN_SET(0, '\n', '\r', ' ', '\t'), at);
        if (bits != LANES_ALL)
            return at + lanes_first(~bits);
        at += 16;
    }
    return scan_spaces_portable(at, end);
}

static inline const char *scan_blanks_simd(const char *at, const char *end)
{
    while (end - at >= 16) {
        lane_bits bits = lanes_bits(lanes_equal(lanes_load(at), ' '));
        if (bits != LANES_ALL)
            return at + lanes_first(~bits);
        at += 16;
    }
    return scan_blanks_portable(at, end);
}

#endif

/* ------------------------------------------------------------- the ones to use */

/* The first byte of the set; or `end`. */
static ALWAYS_INLINE const char *scan_to(scan_set set, const char *at, const char *end)
{
    assert(at <= end);
#if SCAN_SIMD
    return scan_to_simd(set, at, end, false);
#else
    return scan_to_portable(set, at, end);
#endif
}

/* The same, where texts that end within 16 bytes are common. */
static ALWAYS_INLINE const char *scan_short_to(scan_set set, const char *at,
                                               const char *end)
{
#if SCAN_SIMD
    return scan_to_simd(set, at, end, true);
#else
    return scan_to_portable(set, at, end);
#endif
}

/* How far the first byte of the set is in 16 bytes; 16 when there is none. */
static ALWAYS_INLINE unsigned scan_first16(scan_set set, const char *at)
{
#if SCAN_SIMD
    return scan_first16_simd(set, at);
#else
    return scan_first16_portable(set, at);
#endif
}

/* True when a byte of the text is in the set. `roomy`: 16 bytes can be read, however
 * short the text is. */
static ALWAYS_INLINE bool scan_any(scan_set set, const char *text, size_t len, bool roomy)
{
#if SCAN_SIMD
    return scan_any_simd(set, text, len, roomy);
#else
    (void)roomy;
    return scan_any_portable(set, text, len);
#endif
}

/* The same of at most 16 bytes; 16 can be read. */
static ALWAYS_INLINE bool scan_any16(scan_set set, const char *text, size_t len)
{
    assert(len <= 16);
#if SCAN_SIMD
    return scan_any16_simd(set, text, len);
#else
    return scan_any_portable(set, text, len);
#endif
}

/* Copies the text and looks at it on the way: true when a byte of it is in the set. 16
 * bytes can be read and written, however short the text is. */
static ALWAYS_INLINE bool scan_copy(scan_set set, char *to, const char *text, size_t len)
{
    assert(len > 0);
#if SCAN_SIMD
    return scan_copy_simd(set, to, text, len);
#else
    return scan_copy_portable(set, to, text, len);
#endif
}

/* The same where nothing but the text can be read or written. Of a short one the words at
 * its two ends overlap. */
static ALWAYS_INLINE bool scan_copy_exactly(scan_set set, char *to, const char *text,
                                            size_t len)
{
    uint64_t first = 0;
    uint64_t last = 0;
    if (len >= 16)
        return scan_copy(set, to, text, len);
    if (len >= 8) {
        first = scan_load8(text);
        last = scan_load8(text + len - 8);
        memcpy(to, &first, 8);
        memcpy(to + len - 8, &last, 8);
    } else if (len >= 4) {
        uint32_t halves[2];
        memcpy(&halves[0], text, 4);
        memcpy(&halves[1], text + len - 4, 4);
        memcpy(to, &halves[0], 4);
        memcpy(to + len - 4, &halves[1], 4);
        first = last = halves[0] | (uint64_t)halves[1] << 32;
    } else {
        bool found = false;
        for (size_t i = 0; i < len; i++) {
            to[i] = text[i];
            found = found || scan_is_in(set, (unsigned char)text[i]);
        }
        return found;
    }
#if SCAN_SIMD
    return lanes_bits(scan_lanes(set, lanes_of_words(first, last))) != 0;
#else
    return (scan_word_hits(set, first) | scan_word_hits(set, last)) != 0;
#endif
}

/* True when two texts of the same length, at most 16, are equal; 16 bytes of each can be
 * read. */
static ALWAYS_INLINE bool scan_same16(const char *a, const char *b, size_t len)
{
    assert(len <= 16);
#if SCAN_SIMD
    lane_bits same = lanes_bits(lanes_same(lanes_load(a), lanes_load(b)));
    return (~same & lanes_front(len)) == 0;
#else
    return memcmp(a, b, len) == 0;
#endif
}

/* The first byte that is not plain printable ASCII or is `"` or `\`; or `end`. */
static inline const char *scan_special(const char *at, const char *end)
{
    return scan_short_to(SCAN_SPECIAL, at, end);
}

/* The first `"`, `\` or control character; or `end`. */
static inline const char *scan_stop(const char *at, const char *end)
{
    return scan_short_to(SCAN_STOP, at, end);
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

/* The first byte that is not a space; or `end`. */
static inline const char *scan_blanks(const char *at, const char *end)
{
#if SCAN_SIMD
    return scan_blanks_simd(at, end);
#else
    return scan_blanks_portable(at, end);
#endif
}

#endif
