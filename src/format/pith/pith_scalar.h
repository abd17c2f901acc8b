/*
 * pith_scalar.h - how Pith spells scalars and keys.
 *
 * A string is bare unless it would be read as something else; whether it would is a
 * matter of the string alone, the same in a cell, in an array and in an object. pen.h says
 * how it is asked. Keys are never numbers or words, but they may not hold : and =.
 */
#ifndef FORMAT_PITH_PITH_SCALAR_H
#define FORMAT_PITH_PITH_SCALAR_H

#include "base/lex.h"
#include "format/pen.h"
#include "format/pith/pith_format.h"

/* Where to write, and how. */
typedef struct pn_pen {
    pith_out *out;
    bool shortest; /* numbers=shortest */
} pn_pen;

static inline int64_t pn_digits_of(uint64_t number)
{
    int64_t digits = 1;
    for (; number >= 10; number /= 10)
        digits++;
    return digits;
}

/* --------------------------------------------------------------------- strings */

/* True when text that begins with a suspect would not be read as this string: a number,
 * a word, or something with a space in front. */
bool pn_is_misread(const char *text, size_t len);

/* True for text beyond ASCII with a control in it or a space at an end. */
bool pn_has_wide_trouble(const char *text, size_t len);

static const pen_lexis pn_lexis = {
    .suspects = {PEN_BIT(' ') | PEN_BIT('+') | PEN_BIT('-') | PEN_BIT('.') | PEN_DIGITS,
                 PEN_BIT('f') | PEN_BIT('n') | PEN_BIT('t')},
    .is_misread = pn_is_misread,
    .is_odd_wide = pn_has_wide_trouble,
};

static inline bool pn_is_suspect(unsigned char first)
{
    return pen_is_suspect(&pn_lexis, first);
}

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
#define PN_KEY_MARKS SCAN_SET(SCAN_BRACKETS, ',', ';', 0x7F, ':', '=')

/* True when the string can stand without quotes. */
bool pn_is_bare(const char *text, size_t len, uint8_t flags);
bool pn_is_bare_key(const pith_key *key);

/* True when a key can also stand bare where a space would end it. */
bool pn_is_bare_word(const pith_key *key);

/* True when a text can stand without quotes where nothing but text is expected: in a cell
 * of a template, after a stem. */
bool pn_is_bare_cell(const char *text, size_t len);

/* A string about which pen_copy is not sure. */
char *pn_put_odd_string(pn_pen *pen, char *to, const pith_slot *slot);

static inline char *pn_put_string(pn_pen *pen, char *to, const pith_slot *slot)
{
    switch (pen_copy(&pn_lexis, PN_MARKS, to, slot->u.text, slot->n, slot->flags)) {
    case PEN_BARE:
        return to + slot->n;
    case PEN_QUOTED:
        return pen_enclose(to, slot->u.text, slot->n);
    case PEN_SUSPECT:
        return pen_put_suspect(&pn_lexis, to, slot->u.text, slot->n, slot->flags);
    default:
        return pn_put_odd_string(pen, to, slot);
    }
}

/* ------------------------------------------------------------------------ keys */

/* A key known to be bare. */
static inline char *pn_put_bare_key(pn_pen *pen, char *to, const pith_key *key)
{
    return pen_put_text(pen->out, to, key->text, key->len, key->flags);
}

static inline char *pn_put_key(pn_pen *pen, char *to, const pith_key *key)
{
    return pn_is_bare_key(key) ? pn_put_bare_key(pen, to, key)
                               : pen_put_quoted(pen->out, to, key->text, key->len, 0);
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
    if (slot->kind == PITH_STRING)
        return pn_put_string(pen, to, slot);
    if (slot->n > PEN_LONG || (pen->shortest && slot->kind == PITH_DECIMAL))
        return pn_put_number(pen, to, slot);
    return slot_copy_text(to, slot->u.text, slot->n, slot->flags);
}

/* How many bytes they take. */
int64_t pn_quoted_len(const char *text, size_t len);
int64_t pn_key_len(const pith_key *key);
int64_t pn_scalar_len(const pith_slot *slot, bool shortest);

/* The bytes of the slot alone in JSON, or any number beyond PN_REPEAT_MOST: of a container
 * its brackets, commas and keys. */
size_t pn_json_size(const pith_doc *doc, const pith_slot *slot);

/* The same of keys with their colons. */
size_t pn_json_keys(const pith_key *keys, uint32_t n);

/* True when both scalars are written alike. */
bool pn_same_number(const pith_slot *a, const pith_slot *b);

static inline bool pn_same_scalar(const pith_slot *a, const pith_slot *b, bool shortest)
{
    if (shortest && (a->kind == PITH_DECIMAL || b->kind == PITH_DECIMAL))
        return pn_same_number(a, b);
    if (a->kind != b->kind || a->n != b->n)
        return false;
    if (a->n <= 16 && !((a->flags | b->flags) & SLOT_NEAR_END))
        return scan_same16(a->u.text, b->u.text, a->n);
    return memcmp(a->u.text, b->u.text, a->n) == 0;
}

#endif
