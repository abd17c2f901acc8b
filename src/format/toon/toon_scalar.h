/*
 * toon_scalar.h - how TOON spells scalars, keys and the start of a line.
 *
 * Most of the work of writing TOON is asking of each string whether it may stand
 * without quotes. The answer is put together from three looks, none of which goes
 * through the text byte by byte:
 *
 *     the flags     a quote, a backslash or a control was seen when it was read
 *     the ends      the first byte in a bitmap of suspects; the last one a space
 *     the middle    16 bytes at a time for : [ ] { } and the delimiter
 *
 * As in the JSON writer, the place in the output is a local pointer. A function called
 * toon_put_... is given it with room for TOON_STRIDE bytes and returns it moved on;
 * whatever may need more (long texts, escapes) goes through the buffered writer and
 * makes that room again.
 */
#ifndef FORMAT_TOON_TOON_SCALAR_H
#define FORMAT_TOON_TOON_SCALAR_H

#include "base/scan.h"
#include "format/toon/toon.h"

enum {
    TOON_LONG = 1024,  /* longer texts take the slow path */
    TOON_SHALLOW = 32, /* spaces of indentation that are written in one move */

    /* What a line break, a short key, a short value and punctuation need at most. */
    TOON_STRIDE = 2 * TOON_LONG + TOON_SHALLOW + 64
};

/* When a number may have an exponent. */
typedef enum toon_exponents {
    TOON_EXPONENTS_OUTSIDE, /* outside [1e-6, 1e21) */
    TOON_EXPONENTS_BEYOND,  /* only where no double is: 3.0 knows none, but reads them */
    TOON_EXPONENTS_NEVER    /* such numbers are refused */
} toon_exponents;

/* Where to write and how. */
typedef struct toon_pen {
    pith_out *out;
    uint64_t suspects[4]; /* first bytes that call for a closer look, as bits */
    unsigned indent;
    char delimiter;
    bool comments;        /* a leading # would be a comment; a leading + is quoted too */
    bool host_spaces;     /* readers may trim more than the space and the tab */
    bool unicode_escapes; /* controls without a letter are \u00xx; else as they are */
    toon_exponents exponents;
    const pith_slot *refused; /* the first number that could not be written, or NULL */
} toon_pen;

void toon_pen_init(toon_pen *pen, pith_out *out, const toon_options *options);

/* ------------------------------------------------------------------------ room */

static inline char *toon_make_room(pith_out *out, char *to)
{
    return out_make_room(out, to, TOON_STRIDE);
}

/* Behind a call that wrote through `out`. */
static inline char *toon_resume(pith_out *out)
{
    return toon_make_room(out, out->at);
}

/* ----------------------------------------------------------------------- lines */

char *toon_put_deep_break(toon_pen *pen, char *to, uint64_t spaces);

/* Ends the line and indents the next. Shallow indentation cannot outgrow what it
 * indents, so only deep lines are measured against the limit. */
static inline char *toon_put_break(toon_pen *pen, char *to, uint64_t depth)
{
    uint64_t spaces = depth * pen->indent;
    *to++ = '\n';
    if (spaces > TOON_SHALLOW) {
        return toon_put_deep_break(pen, to, spaces);
    }
    memset(to, ' ', TOON_SHALLOW);
    pen->out->indented += spaces;
    return to + spaces;
}

/* [N] with its delimiter; with `mark`, a colon or a comma, behind the number if it is
 * not 0. */
char *toon_put_count(const toon_pen *pen, char *to, uint64_t count, char mark);

/* ------------------------------------------------------------------------ keys */

/* True when the key needs no quotes: a letter or _, then letters, digits, _ and dots. */
bool toon_is_plain_key(const char *text, size_t len);

/* The same without dots: a segment of a folded path. */
bool toon_is_identifier(const char *text, size_t len);

char *toon_put_quoted(toon_pen *pen, char *to, const char *text, size_t len);

/* A key known to be plain. */
static inline char *toon_put_plain_key(toon_pen *pen, char *to, const pith_key *key)
{
    if (key->len > TOON_LONG) {
        pen->out->at = to;
        out_bytes(pen->out, key->text, key->len);
        return toon_resume(pen->out);
    }
    return slot_copy_text(to, key->text, key->len, key->flags);
}

static inline char *toon_put_key(toon_pen *pen, char *to, const pith_key *key)
{
    return toon_is_plain_key(key->text, key->len)
               ? toon_put_plain_key(pen, to, key)
               : toon_put_quoted(pen, to, key->text, key->len);
}

/* --------------------------------------------------------------------- strings */

/* True when the first or the last byte, which were suspects, ask for quotes. */
bool toon_is_suspect(const toon_pen *pen, const char *text, size_t len);

/* True when some byte of the text asks for quotes wherever it stands. */
static inline bool toon_has_mark(const char *text, size_t len, uint8_t flags,
                                 char delimiter)
{
    return scan_any(SCAN_SET(SCAN_BRACKETS, ':', delimiter), text, len,
                    !(flags & SLOT_TAIL));
}

static inline bool toon_ends_look_odd(const toon_pen *pen, const char *text, size_t len)
{
    unsigned char first = (unsigned char)text[0];
    unsigned char last = (unsigned char)text[len - 1];
    return ((pen->suspects[first >> 6] >> (first & 63)) & 1) || last == ' ' ||
           (last >= 0x80 && pen->host_spaces);
}

/* True when the string has to be written in quotes. */
static inline bool toon_needs_quotes(const toon_pen *pen, const char *text, size_t len,
                                     uint8_t flags)
{
    if (len == 0 || (flags & SLOT_ESCAPE) ||
        toon_has_mark(text, len, flags, pen->delimiter)) {
        return true;
    }
    return toon_ends_look_odd(pen, text, len) && toon_is_suspect(pen, text, len);
}

char *toon_put_long_string(toon_pen *pen, char *to, const pith_slot *slot);

static inline char *toon_put_string(toon_pen *pen, char *to, const pith_slot *slot)
{
    if (slot->n > TOON_LONG || (slot->flags & SLOT_ESCAPE)) {
        return toon_put_long_string(pen, to, slot);
    }
    if (!toon_needs_quotes(pen, slot->u.text, slot->n, slot->flags)) {
        return slot_copy_text(to, slot->u.text, slot->n, slot->flags);
    }
    *to++ = '"';
    to = slot_copy_text(to, slot->u.text, slot->n, slot->flags);
    *to++ = '"';
    return to;
}

/* --------------------------------------------------------------------- scalars */

/* A number whose digits may not be the canonical ones. */
char *toon_put_number(toon_pen *pen, char *to, const pith_slot *slot);

static inline char *toon_put_scalar(toon_pen *pen, char *to, const pith_slot *slot)
{
    if (slot->kind == PITH_STRING) {
        return toon_put_string(pen, to, slot);
    }
    if (slot->kind < PITH_INTEGER || (slot->flags & SLOT_PLAIN)) {
        return slot_copy_text(to, slot->u.text, slot->n, slot->flags);
    }
    return toon_put_number(pen, to, slot);
}

/* A string that is the whole document: a leading byte order mark would be dropped. */
char *toon_put_root_scalar(toon_pen *pen, char *to, const pith_slot *slot);

/* The cells from `at` to `end`, which may be inside nested objects: what is no scalar
 * is passed over. There is at least one. */
char *toon_put_cells(toon_pen *pen, char *to, const pith_slot *at, const pith_slot *end);

#endif
