/*
 * toon_scalar.c - the slow half of toon_scalar.h: what is quoted and why, escapes, and
 * canonical numbers.
 *
 * Numbers. An integer keeps its digits, however many. A decimal of at most 17
 * significant digits becomes the shortest one that reads back as the same double;
 * with more digits, or beyond the range of doubles, the digits are kept, because
 * they say more than a double could. What is laid out anew is only zeros, point and
 * exponent.
 */
#include "format/toon/toon_scalar.h"

#include "base/decimal.h"
#include "base/lex.h"
#include "base/utf8.h"

#include <assert.h>

/* --------------------------------------------------------------------- strings */

/* digits [ . digits ] [ e [sign] digits ], leading zeros allowed */
static bool toon_is_like_number(const char *at, const char *end)
{
    while (end - at > 1 && *at == '0' && scan_is_digit((unsigned char)at[1]))
        at++;
    return at < end && *at != '-' && lex_read_number(at, end).end == end;
}

static bool toon_is_misread(const char *text, size_t len)
{
    switch (text[0]) {
    case ' ':
    case '-':
    case '#':
        return true;
    case 't':
        return len == 4 && memcmp(text, "true", 4) == 0;
    case 'f':
        return len == 5 && memcmp(text, "false", 5) == 0;
    case 'n':
        return len == 4 && memcmp(text, "null", 4) == 0;
    default:
        return toon_is_like_number(text + (text[0] == '+'), text + len);
    }
}

/* What some readers of version 3 trim: what ECMAScript's String.trim does, as far as it
 * is beyond ASCII. */
static bool toon_has_host_space(const char *text, size_t len)
{
    const unsigned spaces = UTF8_SPACES | UTF8_BREAKS | UTF8_MARKS;
    return (utf8_class(utf8_first(text, len)) & spaces) ||
           (utf8_class(utf8_last(text, len)) & spaces);
}

#define TOON_SUSPECTS PEN_BIT(' ') | PEN_BIT('-') | PEN_DIGITS
#define TOON_WORDS PEN_BIT('t') | PEN_BIT('f') | PEN_BIT('n')

/* In version 4 a leading # would be a comment; a leading + is quoted too. */
static const pen_lexis toon_lexis_4 = {
    .suspects = {TOON_SUSPECTS | PEN_BIT('#') | PEN_BIT('+'), TOON_WORDS},
    .is_misread = toon_is_misread,
};

static const pen_lexis toon_lexis_3 = {
    .suspects = {TOON_SUSPECTS, TOON_WORDS},
    .is_misread = toon_is_misread,
    .is_odd_wide = toon_has_host_space,
};

/* In the dialect also what some readers end a line at. */
static bool toon_ends_line(const char *text, size_t len)
{
    return toon_has_host_space(text, len) ||
           utf8_holds(text, len, UTF8_CONTROLS | UTF8_BREAKS);
}

static const pen_lexis toon_lexis_rows = {
    .suspects = {TOON_SUSPECTS, TOON_WORDS},
    .is_misread = toon_is_misread,
    .is_odd_wide = toon_ends_line,
};

void toon_pen_init(toon_pen *pen, pith_out *out, const settings *set)
{
    toon_version version = (toon_version)toon_setting(set, TOON_VERSION);
    bool dialect = toon_is_dialect(set);
    /* Version 3.0 has no escapes for controls without a letter, nor has the dialect. */
    bool raw = dialect || version == TOON_3_0;
    *pen = (toon_pen){
        .out = out,
        .lexis = dialect             ? &toon_lexis_rows
                 : version == TOON_4 ? &toon_lexis_4
                                     : &toon_lexis_3,
        .version = version,
        .dialect = dialect,
        .indent = (unsigned)toon_setting(set, TOON_INDENT),
        .delimiter = ",\t|"[toon_setting(set, TOON_DELIMITER)],
        .escapes = PEN_FEW_LETTERS | (raw ? PEN_RAW_CONTROLS : 0),
        .exponents = dialect               ? TOON_EXPONENTS_NEVER
                     : version == TOON_3_0 ? TOON_EXPONENTS_BEYOND
                                           : TOON_EXPONENTS_OUTSIDE,
    };
}

char *toon_put_count(const toon_pen *pen, char *to, uint64_t count, char mark)
{
    *to++ = '[';
    to = pen_put_number(to, count);
    if (mark)
        *to++ = mark;
    if (pen->delimiter != ',')
        *to++ = pen->delimiter;
    *to++ = ']';
    return to;
}

char *toon_put_odd_string(toon_pen *pen, char *to, const pith_slot *slot)
{
    bool quoted =
        pen_needs_quotes(pen->lexis, TOON_MARKS(pen), slot->u.text, slot->n, slot->flags);
    return pen_put_string(pen->out, to, slot_text(slot), slot->flags, quoted,
                          pen->escapes);
}

char *toon_put_root_scalar(toon_pen *pen, char *to, const pith_slot *slot)
{
    if (slot->kind == PITH_STRING && utf8_bom(slot->u.text, slot->n))
        return pen_put_quoted(pen->out, to, slot->u.text, slot->n, pen->escapes);
    return toon_put_scalar(pen, to, slot);
}

/* --------------------------------------------------------------------- numbers */

enum {
    TOON_PLAIN_LEAST = -6, /* magnitudes that never have an exponent */
    TOON_PLAIN_MOST = 20,
    TOON_DOUBLE_LEAST = -324, /* and those that some double has */
    TOON_DOUBLE_MOST = 308,
    TOON_EXACT_DIGITS = 15 /* that many significant digits are always the shortest */
};

static bool toon_is_plain_size(toon_exponents exponents, int64_t magnitude)
{
    return exponents == TOON_EXPONENTS_OUTSIDE
               ? magnitude >= TOON_PLAIN_LEAST && magnitude <= TOON_PLAIN_MOST
               : magnitude >= TOON_DOUBLE_LEAST && magnitude <= TOON_DOUBLE_MOST;
}

static void toon_write_decimal(toon_pen *pen, const pith_slot *slot,
                               const num_parts *parts)
{
    num_decimal shortest;
    decimal_span digits = {parts->high, parts->low, parts->magnitude};
    if (parts->significant > TOON_EXACT_DIGITS &&
        parts->significant <= NUM_DECIMAL_MAX_DIGITS) {
        double number = num_to_double(slot_text(slot));
        /* Infinity and zero are not what the digits say. */
        if (number - number == 0 && number != 0) {
            shortest = num_shortest(number);
            digits.high = text_of(shortest.digits, (size_t)shortest.count);
            digits.low.len = 0;
            digits.magnitude = shortest.exponent;
        }
    }
    if (parts->negative)
        out_byte(pen->out, '-');
    if (toon_is_plain_size(pen->exponents, digits.magnitude)) {
        decimal_lay_plain(pen->out, &digits);
        return;
    }
    if (pen->exponents == TOON_EXPONENTS_NEVER && !pen->refused)
        pen->refused = slot;
    decimal_lay_scientific(pen->out, &digits);
}

/* True when the text has no exponent. It is at least 16 bytes long and at most 32. */
static bool toon_has_no_exponent(const char *text, size_t len)
{
    return !scan_any(SCAN_SET(0, 'e', 'E'), text, len, true);
}

/* The usual long decimal: 16 or 17 digits, at least 1, no exponent and no 0 at its end.
 * NULL for any other. Those of 16 of which it can be seen that they are the shortest are
 * not here: they are plain (lex_is_shortest). */
static char *toon_put_usual_decimal(char *to, pith_text lexeme)
{
    bool negative = lexeme.ptr[0] == '-';
    const char *first = lexeme.ptr + negative;
    size_t digits = lexeme.len - negative - 1;
    if (digits <= TOON_EXACT_DIGITS || digits > NUM_DECIMAL_MAX_DIGITS || *first == '0' ||
        first[digits] == '0' || !toon_has_no_exponent(lexeme.ptr, lexeme.len))
        return NULL;
    to += num_write_double(to, num_to_double(lexeme));
    return to[-2] == '.' && to[-1] == '0' ? to - 2 : to;
}

/* A number that is refused is written all the same: the caller asks in time. */
static void toon_write_exact(toon_pen *pen, const pith_slot *slot, const num_parts *parts)
{
    if (parts->exponent == NUM_EXPONENT_MOST || parts->exponent == -NUM_EXPONENT_MOST) {
        /* Too long to be read: then it stays as it is written. */
        if (pen->exponents == TOON_EXPONENTS_NEVER && !pen->refused)
            pen->refused = slot;
        out_text(pen->out, slot_text(slot));
    } else {
        toon_write_decimal(pen, slot, parts);
    }
}

char *toon_put_number(toon_pen *pen, char *to, const pith_slot *slot)
{
    assert(to);
    pith_text lexeme = slot_text(slot);
    char *after = slot->kind == PITH_DECIMAL ? toon_put_usual_decimal(to, lexeme) : NULL;
    if (after)
        return after;
    num_parts parts;
    if (!num_scan(lexeme, &parts) || (parts.integer && !parts.zero)) {
        pen->out->at = to;
        out_text(pen->out, lexeme);
        return pen_resume(pen->out);
    }
    if (parts.zero) {
        *to++ = '0';
        return to;
    }
    pen->out->at = to;
    toon_write_exact(pen, slot, &parts);
    return pen_resume(pen->out);
}

/* ----------------------------------------------------------------------- cells */

char *toon_put_cells(toon_pen *pen, char *to, const pith_slot *at, const pith_slot *end)
{
    assert(at < end);
    char delimiter = pen->delimiter;
    bool first = true;
    for (; at < end; at++) {
        if (at->kind >= PITH_ARRAY)
            continue;
        if (!first)
            *to++ = delimiter;
        first = false;
        to = toon_make_room(pen->out, toon_put_scalar(pen, to, at));
    }
    return to;
}

char *toon_put_row_cells(toon_pen *pen, char *to, const pith_slot *const *cells,
                         size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (i > 0)
            *to++ = pen->delimiter;
        to = toon_make_room(pen->out, toon_put_scalar(pen, to, cells[i]));
    }
    return to;
}
