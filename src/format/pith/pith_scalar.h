/*
 * pith_scalar.h - how Pith spells scalars and keys.
 *
 * A string is bare unless it would be read as something else; whether it would is a
 * matter of the string alone, the same in a cell, in an array and in an object:
 *
 *     the flags     a quote, a backslash or a control was seen when it was read
 *     the first     and the last byte: digits, signs, n t f, spaces
 *     the middle    16 bytes at a time for  , ; { } [ ]  and U+007F
 *
 * Text beyond ASCII has a fourth look, for controls and spaces up there. Keys are never
 * numbers or words, but they may not hold : and =.
 *
 * The place in the output is a local pointer. A function called pn_put_... is given it
 * with room for PN_STRIDE bytes and returns it moved on; what may need more (long texts,
 * escapes) goes through the buffered writer and makes that room again.
 */
#ifndef FORMAT_PITH_PITH_SCALAR_H
#define FORMAT_PITH_PITH_SCALAR_H

#include "base/num.h"
#include "base/scan.h"
#include "format/pith/pith_format.h"

enum {
    PN_LONG = 1024, /* longer texts take the slow path */

    /* What a short key, a short value and punctuation need at most. */
    PN_STRIDE = 2 * PN_LONG + 64
};

/* Where to write, and how. */
typedef struct pn_pen {
    pith_out *out;
    bool shortest; /* numbers=shortest */
} pn_pen;

/* ------------------------------------------------------------------------ room */

static inline char *pn_make_room(pith_out *out, char *to)
{
    if (out->end - to < PN_STRIDE) {
        out->at = to;
        out_flush(out, 0);
        to = out->at;
    }
    return to;
}

/* Behind a call that wrote through `out`. */
static inline char *pn_resume(pith_out *out)
{
    return pn_make_room(out, out->at);
}

/* A short text in one move of 16 bytes, which may write past its end. */
static inline char *pn_copy_short(char *to, const char *text, size_t len, uint8_t flags)
{
    if (len <= 16 && !(flags & SLOT_TAIL)) {
        memcpy(to, text, 16);
    } else {
        memcpy(to, text, len);
    }
    return to + len;
}

static inline char *pn_put_count(char *to, uint64_t number)
{
    if (number < 10) {
        *to++ = (char)('0' + number);
        return to;
    }
    return to + num_write_uint64(to, number);
}

static inline int64_t pn_digits_of(uint64_t number)
{
    int64_t digits = 1;
    for (; number >= 10; number /= 10) {
        digits++;
    }
    return digits;
}

/* --------------------------------------------------------------------- strings */

/* First bytes that call for a closer look, as bits of 32 to 127: space + - . 0-9 f n t.
 * None is below, and text beyond ASCII is looked at anyway. */
static inline bool pn_is_suspect(unsigned char first)
{
    static const uint64_t suspects[2] = {
        UINT64_C(1) << ' ' | UINT64_C(1) << '+' | UINT64_C(1) << '-' |
            UINT64_C(1) << '.' | UINT64_C(0x3FF) << '0',
        UINT64_C(1) << ('f' - 64) | UINT64_C(1) << ('n' - 64) |
            UINT64_C(1) << ('t' - 64)};
    return first < 0x80 && ((suspects[first >> 6] >> (first & 63)) & 1);
}

/* True for text that looks like a number, also one that JSON does not have: 01 +1 .5 */
bool pn_is_numlike(const char *text, size_t len);

/* True when the text as a whole, beginning with a suspect, would not be read as this
 * string: a number, a word, or something with a space in front. */
bool pn_is_misread(const char *text, size_t len);

/* True for well-formed text beyond ASCII with a control in it or a space at an end. */
bool pn_has_wide_trouble(const char *text, size_t len);

/* Bytes that end a bare token: , ; " { } [ ] \ and controls. */
static inline bool pn_is_mark(unsigned char byte)
{
    static const uint64_t marks[2] = {
        UINT64_C(0xFFFFFFFF) | UINT64_C(1) << ',' | UINT64_C(1) << ';' |
            UINT64_C(1) << '"',
        UINT64_C(1) << ('[' - 64) | UINT64_C(1) << (']' - 64) |
            UINT64_C(1) << ('\\' - 64) | UINT64_C(1) << ('{' - 64) |
            UINT64_C(1) << ('}' - 64) | UINT64_C(1) << (0x7F - 64)};
    return byte < 0x80 && ((marks[byte >> 6] >> (byte & 63)) & 1);
}

/* The marks but for quotes, backslashes and controls, of which the flags tell. */
#define PN_MARKS SCAN_SET(SCAN_BRACKETS, ',', ';', 0x7F)

/* Copies a text of which there are 16 bytes to read at least. */
static inline char *pn_copy_by_16(char *to, const char *text, size_t len)
{
    size_t i = 0;
    for (; i + 16 < len; i += 16) {
        memcpy(to + i, text + i, 16);
    }
    size_t at = len > 16 ? len - 16 : 0;
    memcpy(to + at, text + at, 16);
    return to + len;
}

/* True when the string can stand without quotes. */
bool pn_is_bare(const char *text, size_t len, uint8_t flags);
bool pn_is_bare_key(const pith_key *key);

/* True when a key can also stand bare where a space would end it. */
bool pn_is_bare_word(const pith_key *key);

/* The text in quotes, with escapes where JSON has them. */
char *pn_put_quoted(pn_pen *pen, char *to, const char *text, size_t len);

/* A string that is long, empty or has escapes. */
char *pn_put_long_string(pn_pen *pen, char *to, const char *text, size_t len,
                         uint8_t flags);

static inline char *pn_put_string(pn_pen *pen, char *to, const char *text, size_t len,
                                  uint8_t flags)
{
    if (len > PN_LONG || len == 0 || (flags & SLOT_ESCAPE)) {
        return pn_put_long_string(pen, to, text, len, flags);
    }
    if (len > 16 || !(flags & SLOT_TAIL)) {
        /* Most strings are bare, so they are copied first and asked afterwards. */
        bool quoted =
            scan_copy(PN_MARKS, to, text, len) || text[len - 1] == ' ' ||
            (pn_is_suspect((unsigned char)text[0]) && pn_is_misread(text, len)) ||
            ((flags & SLOT_WIDE) && pn_has_wide_trouble(text, len));
        if (!quoted) {
            return to + len;
        }
        *to++ = '"';
        to = pn_copy_by_16(to, text, len);
        *to++ = '"';
        return to;
    }
    bool bare = pn_is_bare(text, len, flags);
    if (!bare) {
        *to++ = '"';
    }
    memcpy(to, text, len);
    to += len;
    if (!bare) {
        *to++ = '"';
    }
    return to;
}

/* ------------------------------------------------------------------------ keys */

/* A key known to be bare. */
static inline char *pn_put_bare_key(pn_pen *pen, char *to, const pith_key *key)
{
    if (key->len > PN_LONG) {
        pen->out->at = to;
        out_bytes(pen->out, key->text, key->len);
        return pn_resume(pen->out);
    }
    return pn_copy_short(to, key->text, key->len, key->flags);
}

static inline char *pn_put_key(pn_pen *pen, char *to, const pith_key *key)
{
    return pn_is_bare_key(key) ? pn_put_bare_key(pen, to, key)
                               : pn_put_quoted(pen, to, key->text, key->len);
}

/* --------------------------------------------------------------------- scalars */

enum { PN_NUMBER_MAX_LEN = 32 };

/* The fewest characters for the same double; 0 when the digits are the shortest already
 * or no double has them. */
size_t pn_shorten(char *to, const pith_slot *slot);

/* A number with numbers=shortest, or one that is long. */
char *pn_put_number(pn_pen *pen, char *to, const pith_slot *slot);

static inline char *pn_put_scalar(pn_pen *pen, char *to, const pith_slot *slot)
{
    if (slot->kind == PITH_STRING) {
        return pn_put_string(pen, to, slot->u.text, slot->n, slot->flags);
    }
    if (slot->n > PN_LONG || (pen->shortest && slot->kind == PITH_DECIMAL)) {
        return pn_put_number(pen, to, slot);
    }
    return pn_copy_short(to, slot->u.text, slot->n, slot->flags);
}

/* How many bytes they take. */
int64_t pn_key_len(const pith_key *key);
int64_t pn_scalar_len(const pith_slot *slot, bool shortest);

/* True when both scalars are written alike. */
bool pn_same_number(const pith_slot *a, const pith_slot *b);

static inline bool pn_same_scalar(const pith_slot *a, const pith_slot *b, bool shortest)
{
    if (shortest && (a->kind == PITH_DECIMAL || b->kind == PITH_DECIMAL)) {
        return pn_same_number(a, b);
    }
    if (a->kind != b->kind || a->n != b->n) {
        return false;
    }
    if (a->n <= 16 && !((a->flags | b->flags) & SLOT_TAIL)) {
        return scan_same16(a->u.text, b->u.text, a->n);
    }
    return memcmp(a->u.text, b->u.text, a->n) == 0;
}

#endif
