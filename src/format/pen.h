/*
 * pen.h - spelling scalars: what the writers of all text formats have in common.
 *
 * The place in the output is a local pointer, `to`. A function that takes it is given
 * room for PEN_STRIDE bytes there and returns it moved on; what may need more (long
 * texts, escapes) goes through the buffered writer and makes that room again.
 *
 * Most strings need no quotes, so a string is copied first and asked on the way:
 *
 *     the flags     a quote, a backslash or a control was seen when it was read
 *     the middle    16 bytes at a time for the marks of the format
 *     the first     byte in a bitmap of suspects, and the last one a space
 *
 * None of these goes through the text byte by byte. What a format has to say about its
 * strings is its lexis, a constant, and its marks, a constant but for a delimiter.
 */
#ifndef FORMAT_PEN_H
#define FORMAT_PEN_H

#include "base/num.h"
#include "base/out.h"
#include "base/scan.h"
#include "doc/slot.h"

#include <assert.h>

enum {
    PEN_LONG = 1024,  /* longer texts take the slow path */
    PEN_SHALLOW = 32, /* spaces of indentation that are written in one move */

    /* What an indentation, a short key, a short value and punctuation need at most. */
    PEN_STRIDE = 2 * PEN_LONG + PEN_SHALLOW + 128
};

/* How quoted text differs from JSON's. */
enum {
    PEN_FEW_LETTERS = 1,  /* there is no \b and no \f */
    PEN_RAW_CONTROLS = 2, /* a control without a letter is written as it is */
    PEN_ASCII = 4         /* what is beyond ASCII is escaped too */
};

/* How a format spells strings. The functions are for the few that need a closer look. */
typedef struct pen_lexis {
    uint64_t suspects[2]; /* first bytes that call for it, as bits of ASCII */

    /* True when text that begins with a suspect would be read as something else. */
    bool (*is_misread)(const char *text, size_t len);

    /* True when text beyond ASCII asks for quotes; NULL when none does. */
    bool (*is_odd_wide)(const char *text, size_t len);

    /* True when text with a mark asks for quotes; NULL when all of it does. */
    bool (*is_marked)(const char *text, size_t len);
} pen_lexis;

/* The bits of suspects. */
#define PEN_BIT(byte) (UINT64_C(1) << ((byte)&63))
#define PEN_DIGITS (UINT64_C(0x3FF) << '0')

/* ------------------------------------------------------------------------ room */

static inline char *pen_room(pith_out *out, char *to)
{
    return out_make_room(out, to, PEN_STRIDE);
}

/* The same, keeping the last byte, a separator that may be written over. */
static inline char *pen_room_after(pith_out *out, char *to)
{
    if (out->end - to < PEN_STRIDE) {
        out->at = to;
        out_flush(out, to > out->start ? 1 : 0);
        to = out->at;
    }
    return to;
}

/* After a call that wrote through `out`. */
static inline char *pen_resume(pith_out *out)
{
    return pen_room(out, out->at);
}

/* ------------------------------------------------------------- texts and spaces */

/* A text of any length, through the writer. */
char *pen_put_bytes(pith_out *out, char *to, const char *text, size_t len);

/* A text as it is. */
static inline char *pen_put_text(pith_out *out, char *to, const char *text, size_t len,
                                 uint8_t flags)
{
    return len > PEN_LONG ? pen_put_bytes(out, to, text, len)
                          : slot_copy_text(to, text, len, flags);
}

char *pen_put_deep_indent(pith_out *out, char *to, uint64_t spaces);

/* Shallow indentation cannot outgrow what it indents, so only deep lines are measured
 * against the limit. */
static inline char *pen_put_indent(pith_out *out, char *to, uint64_t spaces)
{
    if (spaces > PEN_SHALLOW)
        return pen_put_deep_indent(out, to, spaces);
    memset(to, ' ', PEN_SHALLOW);
    out->indented += spaces;
    return to + spaces;
}

static inline char *pen_put_number(char *to, uint64_t number)
{
    if (number < 10) {
        *to++ = (char)('0' + number);
        return to;
    }
    if (number < 100) {
        to[0] = (char)('0' + number / 10);
        to[1] = (char)('0' + number % 10);
        return to + 2;
    }
    return to + num_write_uint64(to, number);
}

/* True for a letter or _, then letters, digits, _ and `also`. */
bool pen_is_word(const char *text, size_t len, char also);

/* ---------------------------------------------------------------------- quotes */

/* The text with escapes, in quotes and without them. */
char *pen_put_quoted(pith_out *out, char *to, const char *text, size_t len,
                     unsigned escapes);
char *pen_put_escaped(pith_out *out, char *to, const char *text, size_t len,
                      unsigned escapes);

/* The same where the place is that of the writer. */
void pen_write_quoted(pith_out *out, pith_text text, unsigned escapes);

/* --------------------------------------------------------------------- strings */

static ALWAYS_INLINE bool pen_is_suspect(const pen_lexis *lexis, unsigned char first)
{
    return first < 0x80 && ((lexis->suspects[first >> 6] >> (first & 63)) & 1);
}

/* True when something else than marks asks for quotes. */
static ALWAYS_INLINE bool pen_looks_odd(const pen_lexis *lexis, const char *text,
                                        size_t len, uint8_t flags)
{
    assert(len > 0);
    return text[len - 1] == ' ' ||
           (pen_is_suspect(lexis, (unsigned char)text[0]) &&
            lexis->is_misread(text, len)) ||
           ((flags & SLOT_WIDE) && lexis->is_odd_wide && lexis->is_odd_wide(text, len));
}

typedef enum pen_verdict {
    PEN_BARE,    /* the string is written */
    PEN_QUOTED,  /* it is short and needs quotes, but no escapes: pen_enclose */
    PEN_SUSPECT, /* it is written, and may need quotes nevertheless: pen_put_suspect */
    PEN_UNSURE   /* it is long, empty, at the end of the input, or has escapes */
} pen_verdict;

/* Copies a string to `to` and looks at it on the way. Nothing is called, so that what is
 * needed for most strings fits in registers. */
static ALWAYS_INLINE pen_verdict pen_copy(const pen_lexis *lexis, scan_set marks,
                                          char *to, const char *text, size_t len,
                                          uint8_t flags)
{
    if (len > PEN_LONG || len == 0 || (flags & SLOT_ESCAPE) ||
        (len <= 16 && (flags & SLOT_NEAR_END)))
        return PEN_UNSURE;
    if (scan_copy(marks, to, text, len))
        return lexis->is_marked ? PEN_UNSURE : PEN_QUOTED;
    if (text[len - 1] == ' ')
        return PEN_QUOTED;
    return pen_is_suspect(lexis, (unsigned char)text[0]) || (flags & SLOT_WIDE)
               ? PEN_SUSPECT
               : PEN_BARE;
}

/* A string that pen_copy has written, in quotes if they are needed. */
char *pen_put_suspect(const pen_lexis *lexis, char *to, const char *text, size_t len,
                      uint8_t flags);

/* A text in quotes that has no escapes; 16 bytes of it can be read, however short it
 * is. */
char *pen_enclose(char *to, const char *text, size_t len);

/* True when the string has to be written in quotes. */
static ALWAYS_INLINE bool pen_needs_quotes(const pen_lexis *lexis, scan_set marks,
                                           const char *text, size_t len, uint8_t flags)
{
    if (len == 0 || (flags & SLOT_ESCAPE) || pen_looks_odd(lexis, text, len, flags))
        return true;
    return scan_any(marks, text, len, !(flags & SLOT_NEAR_END)) &&
           (!lexis->is_marked || lexis->is_marked(text, len));
}

/* A string about which pen_copy was not sure. */
char *pen_put_string(pith_out *out, char *to, pith_text text, uint8_t flags, bool quoted,
                     unsigned escapes);

#endif
