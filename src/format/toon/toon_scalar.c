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

#include "base/num.h"
#include "base/utf8.h"

#include <assert.h>

/* ------------------------------------------------------------------------- pen */

static void toon_suspect(toon_pen *pen, const char *bytes)
{
    for (; *bytes; bytes++) {
        unsigned char byte = (unsigned char)*bytes;
        pen->suspects[byte >> 6] |= UINT64_C(1) << (byte & 63);
    }
}

void toon_pen_init(toon_pen *pen, pith_out *out, const toon_options *options)
{
    pen->out = out;
    pen->indent = options->indent;
    pen->delimiter = options->delimiter;
    pen->comments = options->version == TOON_4;
    pen->host_spaces = options->version != TOON_4;
    pen->unicode_escapes = options->version != TOON_3_0;
    pen->exponents =
        options->version == TOON_3_0 ? TOON_EXPONENTS_BEYOND : TOON_EXPONENTS_OUTSIDE;
    pen->refused = NULL;
    memset(pen->suspects, 0, sizeof pen->suspects);
    toon_suspect(pen, " -0123456789tfn");
    if (pen->comments) {
        toon_suspect(pen, "#+");
    }
    if (pen->host_spaces) {
        pen->suspects[2] = UINT64_MAX;
        pen->suspects[3] = UINT64_MAX;
    }
}

/* ----------------------------------------------------------------------- lines */

char *toon_put_deep_break(toon_pen *pen, char *to, uint64_t spaces)
{
    pen->out->at = to;
    out_indent(pen->out, spaces);
    return toon_resume(pen->out);
}

char *toon_put_count(const toon_pen *pen, char *to, uint64_t count, char mark)
{
    *to++ = '[';
    to += num_write_uint64(to, count);
    if (mark) {
        *to++ = mark;
    }
    if (pen->delimiter != ',') {
        *to++ = pen->delimiter;
    }
    *to++ = ']';
    return to;
}

/* ------------------------------------------------------------------------ keys */

/* Letters, digits and _ as bits, by the byte's value modulo 64 in its half of ASCII. */
static inline bool toon_is_word_byte(unsigned char byte)
{
    static const uint64_t words[2] = {UINT64_C(0x03FF000000000000),
                                      UINT64_C(0x07FFFFFE87FFFFFE)};
    return byte < 0x80 && ((words[byte >> 6] >> (byte & 63)) & 1);
}

static bool toon_is_word(const char *text, size_t len, char also)
{
    if (len == 0 || scan_is_digit((unsigned char)text[0]) ||
        !toon_is_word_byte((unsigned char)text[0])) {
        return false;
    }
    for (size_t i = 1; i < len; i++) {
        if (!toon_is_word_byte((unsigned char)text[i]) && text[i] != also) {
            return false;
        }
    }
    return true;
}

bool toon_is_plain_key(const char *text, size_t len)
{
    return toon_is_word(text, len, '.');
}

bool toon_is_identifier(const char *text, size_t len)
{
    return toon_is_word(text, len, '_');
}

/* --------------------------------------------------------------------- strings */

/* What some readers of version 3 trim: what ECMAScript's String.trim does, as far as it
 * is beyond ASCII. */
static bool toon_is_host_space(uint32_t code)
{
    return code == 0xA0 || code == 0x1680 || (code >= 0x2000 && code <= 0x200A) ||
           code == 0x2028 || code == 0x2029 || code == 0x202F || code == 0x205F ||
           code == 0x3000 || code == 0xFEFF;
}

static bool toon_starts_with_space(const char *text, size_t len)
{
    uint32_t code = 0;
    return utf8_decode(text, len, &code) > 0 && toon_is_host_space(code);
}

static bool toon_ends_with_space(const char *text, size_t len)
{
    size_t from = len - 1;
    while (from > 0 && utf8_is_continuation(text[from])) {
        from--;
    }
    return toon_starts_with_space(text + from, len - from);
}

/* digits [ . digits ] [ e [sign] digits ], leading zeros allowed */
static bool toon_is_like_number(const char *at, const char *end)
{
    const char *p = scan_digits(at, end);
    if (p == at) {
        return false;
    }
    if (p < end && *p == '.') {
        at = p + 1;
        p = scan_digits(at, end);
        if (p == at) {
            return false;
        }
    }
    if (p < end && (*p == 'e' || *p == 'E')) {
        at = p + 1;
        at += at < end && (*at == '+' || *at == '-');
        p = scan_digits(at, end);
        if (p == at) {
            return false;
        }
    }
    return p == end;
}

static bool toon_first_needs_quotes(const toon_pen *pen, const char *text, size_t len)
{
    switch (text[0]) {
    case ' ':
    case '-':
        return true;
    case '#':
        return pen->comments;
    case '+':
        return pen->comments && toon_is_like_number(text + 1, text + len);
    case 't':
        return len == 4 && memcmp(text, "true", 4) == 0;
    case 'f':
        return len == 5 && memcmp(text, "false", 5) == 0;
    case 'n':
        return len == 4 && memcmp(text, "null", 4) == 0;
    default:
        return scan_is_digit((unsigned char)text[0])
                   ? toon_is_like_number(text, text + len)
                   : pen->host_spaces && toon_starts_with_space(text, len);
    }
}

bool toon_is_suspect(const toon_pen *pen, const char *text, size_t len)
{
    return text[len - 1] == ' ' || toon_first_needs_quotes(pen, text, len) ||
           (pen->host_spaces && toon_ends_with_space(text, len));
}

static void toon_write_escape(toon_pen *pen, unsigned char byte)
{
    static const char hex[] = "0123456789abcdef";
    out_reserve(pen->out, 6);
    char *to = pen->out->at;
    size_t len = 2;
    to[0] = '\\';
    switch (byte) {
    case '\n':
        to[1] = 'n';
        break;
    case '\r':
        to[1] = 'r';
        break;
    case '\t':
        to[1] = 't';
        break;
    case '"':
    case '\\':
        to[1] = (char)byte;
        break;
    default:
        if (pen->unicode_escapes) {
            memcpy(to + 1, "u00", 3);
            to[4] = hex[byte >> 4];
            to[5] = hex[byte & 15];
            len = 6;
        } else {
            to[0] = (char)byte;
            len = 1;
        }
    }
    pen->out->at += len;
}

char *toon_put_quoted(toon_pen *pen, char *to, const char *text, size_t len)
{
    pith_out *out = pen->out;
    const char *end = text + len;
    out->at = to;
    out_byte(out, '"');
    while (text < end) {
        const char *stop = scan_stop(text, end);
        out_bytes(out, text, (size_t)(stop - text));
        text = stop;
        if (text < end) {
            toon_write_escape(pen, (unsigned char)*text++);
        }
    }
    out_byte(out, '"');
    return toon_resume(out);
}

char *toon_put_long_string(toon_pen *pen, char *to, const pith_slot *slot)
{
    if (toon_needs_quotes(pen, slot->u.text, slot->n, slot->flags)) {
        return toon_put_quoted(pen, to, slot->u.text, slot->n);
    }
    pen->out->at = to;
    out_bytes(pen->out, slot->u.text, slot->n);
    return toon_resume(pen->out);
}

char *toon_put_root_scalar(toon_pen *pen, char *to, const pith_slot *slot)
{
    if (slot->kind == PITH_STRING && utf8_bom(slot->u.text, slot->n)) {
        return toon_put_quoted(pen, to, slot->u.text, slot->n);
    }
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

/* Significant digits in two pieces: d1.d2d3... x 10^magnitude. */
typedef struct toon_digits {
    pith_text high;
    pith_text low;
    int64_t magnitude;
} toon_digits;

/* The digits from number `from` up to but without number `to`. */
static void toon_write_digits(pith_out *out, const toon_digits *digits, size_t from,
                              size_t to)
{
    size_t cut = digits->high.len;
    if (from < cut) {
        out_bytes(out, digits->high.ptr + from, (to < cut ? to : cut) - from);
    }
    if (to > cut) {
        size_t start = from > cut ? from - cut : 0;
        out_bytes(out, digits->low.ptr + start, to - cut - start);
    }
}

static void toon_write_zeros(pith_out *out, uint64_t count)
{
    for (; count > 0; count--) {
        out_byte(out, '0');
    }
}

static void toon_write_plain(pith_out *out, const toon_digits *digits)
{
    size_t count = digits->high.len + digits->low.len;
    if (digits->magnitude < 0) {
        out_bytes(out, "0.", 2);
        toon_write_zeros(out, (uint64_t)(-digits->magnitude - 1));
        toon_write_digits(out, digits, 0, count);
        return;
    }
    uint64_t whole = (uint64_t)digits->magnitude + 1;
    if (whole >= count) {
        toon_write_digits(out, digits, 0, count);
        toon_write_zeros(out, whole - count);
        return;
    }
    toon_write_digits(out, digits, 0, (size_t)whole);
    out_byte(out, '.');
    toon_write_digits(out, digits, (size_t)whole, count);
}

static void toon_write_scientific(pith_out *out, const toon_digits *digits)
{
    size_t count = digits->high.len + digits->low.len;
    toon_write_digits(out, digits, 0, 1);
    if (count > 1) {
        out_byte(out, '.');
        toon_write_digits(out, digits, 1, count);
    }
    out_bytes(out, digits->magnitude < 0 ? "e-" : "e+", 2);
    uint64_t size = digits->magnitude < 0 ? 0 - (uint64_t)digits->magnitude
                                          : (uint64_t)digits->magnitude;
    out_reserve(out, NUM_UINT64_MAX_LEN);
    out->at += num_write_uint64(out->at, size);
}

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
    toon_digits digits = {parts->high, parts->low, parts->magnitude};
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
    if (parts->negative) {
        out_byte(pen->out, '-');
    }
    if (toon_is_plain_size(pen->exponents, digits.magnitude)) {
        toon_write_plain(pen->out, &digits);
        return;
    }
    if (pen->exponents == TOON_EXPONENTS_NEVER && !pen->refused) {
        pen->refused = slot;
    }
    toon_write_scientific(pen->out, &digits);
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
        first[digits] == '0' || !toon_has_no_exponent(lexeme.ptr, lexeme.len)) {
        return NULL;
    }
    to += num_write_double(to, num_to_double(lexeme));
    return to[-2] == '.' && to[-1] == '0' ? to - 2 : to;
}

/* A number that is refused is written all the same: the caller asks in time. */
static void toon_write_exact(toon_pen *pen, const pith_slot *slot, const num_parts *parts)
{
    if (parts->exponent == NUM_EXPONENT_MOST || parts->exponent == -NUM_EXPONENT_MOST) {
        /* Too long to be read: then it stays as it is written. */
        if (pen->exponents == TOON_EXPONENTS_NEVER && !pen->refused) {
            pen->refused = slot;
        }
        out_text(pen->out, slot_text(slot));
    } else {
        toon_write_decimal(pen, slot, parts);
    }
}

char *toon_put_number(toon_pen *pen, char *to, const pith_slot *slot)
{
    assert(to);
    pith_text lexeme = slot_text(slot);
    char *behind = slot->kind == PITH_DECIMAL ? toon_put_usual_decimal(to, lexeme) : NULL;
    if (behind) {
        return behind;
    }
    num_parts parts;
    if (!num_scan(lexeme, &parts) || (parts.integer && !parts.zero)) {
        pen->out->at = to;
        out_text(pen->out, lexeme);
        return toon_resume(pen->out);
    }
    if (parts.zero) {
        *to++ = '0';
        return to;
    }
    pen->out->at = to;
    toon_write_exact(pen, slot, &parts);
    return toon_resume(pen->out);
}

/* ----------------------------------------------------------------------- cells */

char *toon_put_cells(toon_pen *pen, char *to, const pith_slot *at, const pith_slot *end)
{
    char delimiter = pen->delimiter;
    bool first = true;
    for (; at < end; at++) {
        if (at->kind >= PITH_ARRAY) {
            continue;
        }
        if (!first) {
            *to++ = delimiter;
        }
        first = false;
        to = toon_make_room(pen->out, toon_put_scalar(pen, to, at));
    }
    return to;
}
