/*
 * gcf_scalar.h - how GCF spells scalars, keys and the start of a line.
 *
 * GCF quotes a string only where it would be read as something else, and the same
 * strings everywhere: a comma is quoted in a table's cell, a pipe in a list. So whether
 * a string needs quotes is a matter of the string alone, and is found out in three looks
 * of which none goes through the text byte by byte:
 *
 *     the flags     a quote, a backslash or a control was seen when it was read
 *     the first     and the last byte: a bitmap of suspects, and the space
 *     the middle    16 bytes at a time for the comma, the pipe and [
 *
 * Text beyond ASCII has a fourth, for white space and controls up there.
 *
 * The place in the output is a local pointer. A function called gcf_put_... is given it
 * with room for GCF_STRIDE bytes and returns it moved on; whatever may need more (long
 * texts, escapes) goes through the buffered writer and makes that room again.
 */
#ifndef FORMAT_GCF_GCF_SCALAR_H
#define FORMAT_GCF_GCF_SCALAR_H

#include "base/decimal.h"
#include "base/num.h"
#include "base/scan.h"
#include "format/gcf/gcf.h"

enum {
    GCF_LONG = 1024,  /* longer texts take the slow path */
    GCF_SHALLOW = 32, /* spaces of indentation that are written in one move */

    /* What an indentation, a short key, a short value and punctuation need at most. */
    GCF_STRIDE = 2 * GCF_LONG + GCF_SHALLOW + 128
};

/* Where to write. */
typedef struct gcf_pen {
    pith_out *out;
    const pith_slot *refused; /* the first number outside the domain, or NULL */
} gcf_pen;

/* ------------------------------------------------------------------------ room */

static inline char *gcf_make_room(pith_out *out, char *to)
{
    return out_make_room(out, to, GCF_STRIDE);
}

/* Behind a call that wrote through `out`. */
static inline char *gcf_resume(pith_out *out)
{
    return gcf_make_room(out, out->at);
}

/* ----------------------------------------------------------------------- lines */

char *gcf_put_deep_indent(gcf_pen *pen, char *to, uint64_t spaces);

/* Begins a line. Shallow indentation cannot outgrow what it indents, so only deep lines
 * are measured against the limit. */
static inline char *gcf_put_indent(gcf_pen *pen, char *to, uint64_t depth)
{
    uint64_t spaces = 2 * depth;
    if (spaces > GCF_SHALLOW) {
        return gcf_put_deep_indent(pen, to, spaces);
    }
    memset(to, ' ', GCF_SHALLOW);
    pen->out->indented += spaces;
    return to + spaces;
}

static inline char *gcf_put_number(char *to, uint64_t number)
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

/* [N] */
static inline char *gcf_put_count(char *to, uint64_t count)
{
    *to++ = '[';
    to = gcf_put_number(to, count);
    *to++ = ']';
    return to;
}

/* @N and a space. */
static inline char *gcf_put_id(char *to, uint64_t id)
{
    *to++ = '@';
    to = gcf_put_number(to, id);
    *to++ = ' ';
    return to;
}

/* ------------------------------------------------------------------------ keys */

/* True when the key needs no quotes: a letter or _, then letters, digits and _. */
bool gcf_is_bare_key(const char *text, size_t len);

/* The text in quotes, with escapes where JSON has them; or the same without quotes. */
char *gcf_put_quoted(gcf_pen *pen, char *to, const char *text, size_t len);
char *gcf_put_escaped(gcf_pen *pen, char *to, const char *text, size_t len);

/* A key known to be bare. */
static inline char *gcf_put_bare_key(gcf_pen *pen, char *to, const pith_key *key)
{
    if (key->len > GCF_LONG) {
        pen->out->at = to;
        out_bytes(pen->out, key->text, key->len);
        return gcf_resume(pen->out);
    }
    return slot_copy_text(to, key->text, key->len, key->flags);
}

static inline char *gcf_put_key(gcf_pen *pen, char *to, const pith_key *key)
{
    return gcf_is_bare_key(key->text, key->len)
               ? gcf_put_bare_key(pen, to, key)
               : gcf_put_quoted(pen, to, key->text, key->len);
}

/* --------------------------------------------------------------------- strings */

/* First bytes that call for a closer look, as bits of 32 to 127: space # + - . 0-9 @ ^
 * f t ~. None is below, and text beyond ASCII is looked at anyway. */
static inline bool gcf_is_suspect(unsigned char first)
{
    static const uint64_t suspects[2] = {
        UINT64_C(1) << ' ' | UINT64_C(1) << '#' | UINT64_C(1) << '+' |
            UINT64_C(1) << '-' | UINT64_C(1) << '.' | UINT64_C(0x3FF) << '0',
        UINT64_C(1) << ('@' - 64) | UINT64_C(1) << ('^' - 64) |
            UINT64_C(1) << ('f' - 64) | UINT64_C(1) << ('t' - 64) |
            UINT64_C(1) << ('~' - 64)};
    return first < 0x80 && ((suspects[first >> 6] >> (first & 63)) & 1);
}

/* True when the text as a whole, beginning with a suspect, would not be read as this
 * string. */
bool gcf_is_misread(const char *text, size_t len);

/* True for text that holds something like `[3]:`, which ends a key of an array. */
bool gcf_has_count(const char *text, size_t len);

/* True for well-formed text with white space or a control character beyond ASCII. */
bool gcf_has_wide_space(const char *text, size_t len);

/* What may ask for quotes: a comma or a pipe does, a bracket if it is one of a count. */
#define GCF_MARKS SCAN_SET(0, '[', ',', '|')

/* True when commas, pipes or brackets ask for quotes. */
static inline bool gcf_has_mark(const char *text, size_t len, uint8_t flags)
{
    bool roomy = !(flags & SLOT_TAIL);
    return scan_any(GCF_MARKS, text, len, roomy) &&
           (scan_any(SCAN_SET(0, ',', '|'), text, len, roomy) ||
            gcf_has_count(text, len));
}

/* True when the string has to be written in quotes. */
static inline bool gcf_needs_quotes(const char *text, size_t len, uint8_t flags)
{
    if (len == 0 || (flags & SLOT_ESCAPE)) {
        return true;
    }
    if (gcf_is_suspect((unsigned char)text[0]) && gcf_is_misread(text, len)) {
        return true;
    }
    if (text[len - 1] == ' ' || gcf_has_mark(text, len, flags)) {
        return true;
    }
    return (flags & SLOT_WIDE) && gcf_has_wide_space(text, len);
}

char *gcf_put_long_string(gcf_pen *pen, char *to, const char *text, size_t len,
                          uint8_t flags);

/* A string, or a key that stands where a string does. */
static inline char *gcf_put_string(gcf_pen *pen, char *to, const char *text, size_t len,
                                   uint8_t flags)
{
    if (len > GCF_LONG || len == 0 || (flags & SLOT_ESCAPE)) {
        return gcf_put_long_string(pen, to, text, len, flags);
    }
    if (len > 16 || !(flags & SLOT_TAIL)) {
        /* Most strings are bare, so they are copied first and asked afterwards. */
        bool odd =
            scan_copy(GCF_MARKS, to, text, len) || text[len - 1] == ' ' ||
            (gcf_is_suspect((unsigned char)text[0]) && gcf_is_misread(text, len)) ||
            ((flags & SLOT_WIDE) && gcf_has_wide_space(text, len));
        if (!odd) {
            return to + len;
        }
    }
    bool quoted = gcf_needs_quotes(text, len, flags);
    if (quoted) {
        *to++ = '"';
    }
    to = slot_copy_text(to, text, len, flags);
    if (quoted) {
        *to++ = '"';
    }
    return to;
}

/* --------------------------------------------------------------------- scalars */

enum { GCF_NUMBER_MAX_LEN = 32 };

/* The canonical digits of a number; their length, or 0 when it is outside the domain. */
size_t gcf_write_number(char *to, const pith_slot *slot);

/* null, false, true, or a number whose digits may not be canonical. One outside the domain
 * is noted and fails the output. */
char *gcf_put_other(gcf_pen *pen, char *to, const pith_slot *slot);

/* Copies canonical digits: two moves for any number of them, since whether there are more
 * than 16 is anyone's guess. */
static inline char *gcf_copy_digits(char *to, const char *text, size_t len, uint8_t flags)
{
    if (len > 32 || (flags & SLOT_TAIL)) {
        return slot_copy_text(to, text, len, flags);
    }
    size_t rest = (len > 16 ? len : 16) - 16;
    memcpy(to, text, 16);
    memcpy(to + rest, text + rest, 16);
    return to + len;
}

/* Strings and canonical digits are what most scalars are, so they are asked for first, and
 * then decimals. */
static inline char *gcf_put_scalar(gcf_pen *pen, char *to, const pith_slot *slot)
{
    if (slot->kind == PITH_STRING) {
        return gcf_put_string(pen, to, slot->u.text, slot->n, slot->flags);
    }
    if (slot->flags & SLOT_PLAIN) {
        return gcf_copy_digits(to, slot->u.text, slot->n, slot->flags);
    }
    size_t len = slot->kind == PITH_DECIMAL ? decimal_write(to, slot_text(slot)) : 0;
    return len > 0 ? to + len : gcf_put_other(pen, to, slot);
}

/* The scalars from `at` to `end` with `between` between them. What is no scalar is passed
 * over. There is at least one. */
char *gcf_put_cells(gcf_pen *pen, char *to, const pith_slot *at, const pith_slot *end,
                    char between);

/* A scalar in a field list, where a closing brace is quoted as well. */
char *gcf_put_constant(gcf_pen *pen, char *to, const pith_slot *slot);

/* True when both scalars are written alike. */
bool gcf_same_scalar(const pith_slot *a, const pith_slot *b);

/* Explains that the number was refused; returns the status. */
pith_status gcf_refuse_number(const pith_slot *number, pith_error *err);

#endif
