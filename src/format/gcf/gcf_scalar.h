/*
 * gcf_scalar.h - how GCF spells scalars, keys and the start of a line.
 *
 * GCF quotes a string only where it would be read as something else, and the same
 * strings everywhere: a comma is quoted in a table's cell, a pipe in a list. So whether
 * a string needs quotes is a matter of the string alone; pen.h says how it is asked.
 */
#ifndef FORMAT_GCF_GCF_SCALAR_H
#define FORMAT_GCF_GCF_SCALAR_H

#include "base/decimal.h"
#include "format/gcf/gcf.h"
#include "format/pen.h"

/* Where to write. */
typedef struct gcf_pen {
    pith_out *out;
    const pith_slot *refused; /* the first number outside the domain, or NULL */
} gcf_pen;

/* ----------------------------------------------------------------------- lines */

/* Begins a line. */
static inline char *gcf_put_indent(gcf_pen *pen, char *to, uint64_t depth)
{
    return pen_put_indent(pen->out, to, 2 * depth);
}

/* [N] */
static inline char *gcf_put_count(char *to, uint64_t count)
{
    *to++ = '[';
    to = pen_put_number(to, count);
    *to++ = ']';
    return to;
}

/* @N and a space. */
static inline char *gcf_put_id(char *to, uint64_t id)
{
    *to++ = '@';
    to = pen_put_number(to, id);
    *to++ = ' ';
    return to;
}

/* ------------------------------------------------------------------------ keys */

/* True when the key needs no quotes: a letter or _, then letters, digits and _. */
static inline bool gcf_is_bare_key(const char *text, size_t len)
{
    return pen_is_word(text, len, '_');
}

/* The text in quotes, with escapes where JSON has them. */
static inline char *gcf_put_quoted(gcf_pen *pen, char *to, const char *text, size_t len)
{
    return pen_put_quoted(pen->out, to, text, len, 0);
}

/* A key known to be bare. */
static inline char *gcf_put_bare_key(gcf_pen *pen, char *to, const pith_key *key)
{
    return pen_put_text(pen->out, to, key->text, key->len, key->flags);
}

static inline char *gcf_put_key(gcf_pen *pen, char *to, const pith_key *key)
{
    return gcf_is_bare_key(key->text, key->len)
               ? gcf_put_bare_key(pen, to, key)
               : gcf_put_quoted(pen, to, key->text, key->len);
}

/* --------------------------------------------------------------------- strings */

/* True when text that begins with a suspect would not be read as this string. */
bool gcf_is_misread(const char *text, size_t len);

/* True for white space or a control character beyond ASCII. */
bool gcf_has_wide_space(const char *text, size_t len);

/* True when commas, pipes or brackets ask for quotes. */
bool gcf_is_marked(const char *text, size_t len);

static const pen_lexis gcf_lexis = {
    .suspects = {PEN_BIT(' ') | PEN_BIT('#') | PEN_BIT('+') | PEN_BIT('-') |
                     PEN_BIT('.') | PEN_DIGITS,
                 PEN_BIT('@') | PEN_BIT('^') | PEN_BIT('f') | PEN_BIT('t') |
                     PEN_BIT('~')},
    .is_misread = gcf_is_misread,
    .is_odd_wide = gcf_has_wide_space,
    .is_marked = gcf_is_marked,
};

/* What may ask for quotes: a comma or a pipe does, a bracket if it is one of a count. */
#define GCF_MARKS SCAN_SET(0, '[', ',', '|')

/* A string about which pen_copy is not sure. */
char *gcf_put_odd_string(gcf_pen *pen, char *to, const char *text, size_t len,
                         uint8_t flags);

/* A string, or a key where a string could be. */
static inline char *gcf_put_string(gcf_pen *pen, char *to, const char *text, size_t len,
                                   uint8_t flags)
{
    switch (pen_copy(&gcf_lexis, GCF_MARKS, to, text, len, flags)) {
    case PEN_BARE:
        return to + len;
    case PEN_QUOTED:
        return pen_enclose(to, text, len);
    case PEN_SUSPECT:
        return pen_put_suspect(&gcf_lexis, to, text, len, flags);
    default:
        return gcf_put_odd_string(pen, to, text, len, flags);
    }
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
    if (len > 32 || (flags & SLOT_NEAR_END))
        return slot_copy_text(to, text, len, flags);
    size_t rest = (len > 16 ? len : 16) - 16;
    memcpy(to, text, 16);
    memcpy(to + rest, text + rest, 16);
    return to + len;
}

/* Strings and canonical digits are what most scalars are, so they are asked for first, and
 * then decimals. */
static inline char *gcf_put_scalar(gcf_pen *pen, char *to, const pith_slot *slot)
{
    if (slot->kind == PITH_STRING)
        return gcf_put_string(pen, to, slot->u.text, slot->n, slot->flags);
    if (slot->flags & SLOT_CANONICAL)
        return gcf_copy_digits(to, slot->u.text, slot->n, slot->flags);
    size_t len = slot->kind == PITH_DECIMAL ? decimal_write(to, slot_text(slot)) : 0;
    return len > 0 ? to + len : gcf_put_other(pen, to, slot);
}

/* The scalars from `at` to `end` with `between` between them. What is no scalar is passed
 * over. */
char *gcf_put_cells(gcf_pen *pen, char *to, const pith_slot *at, const pith_slot *end,
                    char between);

/* A scalar in a field list, where a closing brace is quoted as well. */
char *gcf_put_constant(gcf_pen *pen, char *to, const pith_slot *slot);

/* True when both scalars are written alike. */
bool gcf_same_scalar(const pith_slot *a, const pith_slot *b);

/* Explains that the number was refused; returns the status. */
pith_status gcf_refuse_number(const pith_slot *number, pith_error *err);

#endif
