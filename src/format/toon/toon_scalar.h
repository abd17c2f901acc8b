/*
 * toon_scalar.h - how TOON spells scalars, keys and the start of a line.
 *
 * Most of the work of writing TOON is asking of each string whether it may stand without
 * quotes; pen.h says how that is asked. What differs between the versions of TOON is in
 * the lexis of the pen.
 */
#ifndef FORMAT_TOON_TOON_SCALAR_H
#define FORMAT_TOON_TOON_SCALAR_H

#include "format/pen.h"
#include "format/toon/toon.h"

/* When a number may have an exponent. */
typedef enum toon_exponents {
    TOON_EXPONENTS_OUTSIDE, /* outside [1e-6, 1e21) */
    TOON_EXPONENTS_BEYOND,  /* only where no double is: 3.0 knows none, but reads them */
    TOON_EXPONENTS_NEVER    /* such numbers are refused */
} toon_exponents;

/* Where to write and how. */
typedef struct toon_pen {
    pith_out *out;
    const pen_lexis *lexis; /* of the version */
    toon_version version;
    bool dialect; /* toon-rows: [N,], and an array is a table even when it is empty */
    unsigned indent;
    char delimiter;
    unsigned escapes; /* PEN_FEW_LETTERS, PEN_RAW_CONTROLS */
    toon_exponents exponents;
    const pith_slot *refused; /* the first number that could not be written, or NULL */
} toon_pen;

/* PITH_BAD_USE when the settings for writing contradict each other. */
pith_status toon_check_writing(const settings *set, pith_error *err);

void toon_pen_init(toon_pen *pen, pith_out *out, const settings *set);

static inline char *toon_make_room(pith_out *out, char *to)
{
    return pen_room(out, to);
}

/* ----------------------------------------------------------------------- lines */

/* Ends the line and indents the next. */
static inline char *toon_put_break(toon_pen *pen, char *to, uint64_t depth)
{
    *to++ = '\n';
    return pen_put_indent(pen->out, to, depth * pen->indent);
}

/* [N] with its delimiter; with `mark`, a colon or a comma, after the number if it is
 * not 0. */
char *toon_put_count(const toon_pen *pen, char *to, uint64_t count, char mark);

/* ------------------------------------------------------------------------ keys */

/* True when the key needs no quotes: a letter or _, then letters, digits, _ and dots. */
static inline bool toon_is_plain_key(const char *text, size_t len)
{
    return pen_is_word(text, len, '.');
}

/* The same without dots: a segment of a folded path. */
static inline bool toon_is_identifier(const char *text, size_t len)
{
    return pen_is_word(text, len, '_');
}

/* A key known to be plain. */
static inline char *toon_put_plain_key(toon_pen *pen, char *to, const pith_key *key)
{
    return pen_put_text(pen->out, to, key->text, key->len, key->flags);
}

static inline char *toon_put_key(toon_pen *pen, char *to, const pith_key *key)
{
    return toon_is_plain_key(key->text, key->len)
               ? toon_put_plain_key(pen, to, key)
               : pen_put_quoted(pen->out, to, key->text, key->len, pen->escapes);
}

/* --------------------------------------------------------------------- scalars */

/* Bytes that ask for quotes wherever they stand. */
#define TOON_MARKS(pen) SCAN_SET(SCAN_BRACKETS, ':', (pen)->delimiter)

/* A string about which pen_copy is not sure. */
char *toon_put_odd_string(toon_pen *pen, char *to, const pith_slot *slot);

static inline char *toon_put_string(toon_pen *pen, char *to, const pith_slot *slot)
{
    switch (
        pen_copy(pen->lexis, TOON_MARKS(pen), to, slot->u.text, slot->n, slot->flags)) {
    case PEN_BARE:
        return to + slot->n;
    case PEN_QUOTED:
        return pen_enclose(to, slot->u.text, slot->n);
    case PEN_SUSPECT:
        return pen_put_suspect(pen->lexis, to, slot->u.text, slot->n, slot->flags);
    default:
        return toon_put_odd_string(pen, to, slot);
    }
}

/* A number whose digits may not be the canonical ones. */
char *toon_put_number(toon_pen *pen, char *to, const pith_slot *slot);

static inline char *toon_put_scalar(toon_pen *pen, char *to, const pith_slot *slot)
{
    if (slot->kind == PITH_STRING)
        return toon_put_string(pen, to, slot);
    if (slot->kind < PITH_INTEGER || (slot->flags & SLOT_CANONICAL))
        return slot_copy_text(to, slot->u.text, slot->n, slot->flags);
    return toon_put_number(pen, to, slot);
}

/* A string that is the whole document: a leading byte order mark would be dropped. */
char *toon_put_root_scalar(toon_pen *pen, char *to, const pith_slot *slot);

/* The cells from `at` to `end`, which may be inside nested objects: what is no scalar
 * is passed over. */
char *toon_put_cells(toon_pen *pen, char *to, const pith_slot *at, const pith_slot *end);

/* The same for scalars that are not one after the other. */
char *toon_put_row_cells(toon_pen *pen, char *to, const pith_slot *const *cells,
                         size_t count);

#endif
