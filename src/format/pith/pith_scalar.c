/*
 * pith_scalar.c - the slow half of pith_scalar.h: what is quoted and why, escapes, and
 * numbers in fewer digits.
 */
#include "format/pith/pith_scalar.h"

#include "base/lex.h"
#include "base/utf8.h"

/* --------------------------------------------------------------------- looks alike */

bool pn_is_numlike(const char *text, size_t len)
{
    const char *end = text + len;
    const char *at = text + (len > 0 && (*text == '+' || *text == '-'));
    const char *whole_end = scan_digits(at, end);
    bool digits = whole_end > at;
    at = whole_end;
    if (at < end && *at == '.') {
        const char *fraction_end = scan_digits(at + 1, end);
        digits = digits || fraction_end > at + 1;
        at = fraction_end;
    }
    if (!digits) {
        return false;
    }
    if (at < end && (*at == 'e' || *at == 'E')) {
        at++;
        at += at < end && (*at == '+' || *at == '-');
        const char *exponent_end = scan_digits(at, end);
        if (exponent_end == at) {
            return false;
        }
        at = exponent_end;
    }
    return at == end;
}

bool pn_is_misread(const char *text, size_t len)
{
    switch (text[0]) {
    case ' ':
        return true;
    case 'n':
        return len == 4 && memcmp(text, "null", 4) == 0;
    case 't':
        return len == 4 && memcmp(text, "true", 4) == 0;
    case 'f':
        return len == 5 && memcmp(text, "false", 5) == 0;
    default:
        return pn_is_numlike(text, len);
    }
}

/* Spaces beyond ASCII: invisible at the end of a bare text, and trimmed by too many
 * tools to stand there. */
static bool pn_is_wide_space(uint32_t code)
{
    return code == 0xA0 || code == 0x1680 || (code >= 0x2000 && code <= 0x200A) ||
           code == 0x202F || code == 0x205F || code == 0x3000;
}

static bool pn_ends_with_space(const char *text, size_t len)
{
    uint32_t code = 0;
    size_t at = len;
    while (at > 0 && utf8_is_continuation(text[--at])) {
    }
    utf8_decode(text + at, len - at, &code);
    return pn_is_wide_space(code);
}

/* U+0080 to U+009F, U+2028, U+2029 and U+FEFF, by their bytes. */
static bool pn_has_wide_control(const char *text, size_t len)
{
    const unsigned char *at = (const unsigned char *)text;
    const unsigned char *end = at + len;
    for (; end - at >= 2; at++) {
        if (at[0] == 0xC2 && at[1] < 0xA0) {
            return true;
        }
        if (end - at >= 3 &&
            ((at[0] == 0xE2 && at[1] == 0x80 && (at[2] & 0xFE) == 0xA8) ||
             (at[0] == 0xEF && at[1] == 0xBB && at[2] == 0xBF))) {
            return true;
        }
    }
    return false;
}

bool pn_has_wide_trouble(const char *text, size_t len)
{
    uint32_t code = 0;
    utf8_decode(text, len, &code);
    return pn_is_wide_space(code) || pn_ends_with_space(text, len) ||
           pn_has_wide_control(text, len);
}

/* What strings and keys have in common. */
static bool pn_is_plain(const char *text, size_t len, uint8_t flags)
{
    return len > 0 && !(flags & SLOT_ESCAPE) && text[0] != ' ' && text[len - 1] != ' ' &&
           !scan_any(PN_MARKS, text, len, false) &&
           !((flags & SLOT_WIDE) && pn_has_wide_trouble(text, len));
}

bool pn_is_bare(const char *text, size_t len, uint8_t flags)
{
    return pn_is_plain(text, len, flags) &&
           !(pn_is_suspect((unsigned char)text[0]) && pn_is_misread(text, len));
}

bool pn_is_bare_key(const pith_key *key)
{
    return pn_is_plain(key->text, key->len, key->flags) &&
           !memchr(key->text, ':', key->len) && !memchr(key->text, '=', key->len);
}

bool pn_is_bare_word(const pith_key *key)
{
    return pn_is_bare_key(key) && !memchr(key->text, ' ', key->len);
}

/* --------------------------------------------------------------------- writing */

char *pn_put_quoted(pn_pen *pen, char *to, const char *text, size_t len)
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
            out_reserve(out, LEX_ESCAPE_MAX_LEN);
            out->at += lex_write_escape((unsigned char)*text++, out->at);
        }
    }
    out_byte(out, '"');
    return pn_resume(out);
}

char *pn_put_long_string(pn_pen *pen, char *to, const char *text, size_t len,
                         uint8_t flags)
{
    if (!pn_is_bare(text, len, flags)) {
        return pn_put_quoted(pen, to, text, len);
    }
    pen->out->at = to;
    out_bytes(pen->out, text, len);
    return pn_resume(pen->out);
}

size_t pn_shorten(char *to, const pith_slot *slot)
{
    if (slot->kind != PITH_DECIMAL) {
        return 0; /* an integer is its digits */
    }
    double number = num_to_double(slot_text(slot));
    if (number - number != 0) {
        return 0; /* too large for a double */
    }
    size_t len = num_write_double(to, number);
    if (len > 2 && to[len - 2] == '.' && to[len - 1] == '0') {
        len -= 2;
    }
    return len < slot->n ? len : 0;
}

char *pn_put_number(pn_pen *pen, char *to, const pith_slot *slot)
{
    size_t len = pen->shortest ? pn_shorten(to, slot) : 0;
    if (len > 0) {
        return to + len;
    }
    pen->out->at = to;
    out_text(pen->out, slot_text(slot));
    return pn_resume(pen->out);
}

/* -------------------------------------------------------------------- measuring */

static int64_t pn_quoted_len(const char *text, size_t len)
{
    char escape[LEX_ESCAPE_MAX_LEN];
    const char *end = text + len;
    int64_t sum = (int64_t)len + 2;
    for (text = scan_stop(text, end); text < end; text = scan_stop(text + 1, end)) {
        sum += (int64_t)lex_write_escape((unsigned char)*text, escape) - 1;
    }
    return sum;
}

int64_t pn_key_len(const pith_key *key)
{
    return pn_is_bare_key(key) ? (int64_t)key->len : pn_quoted_len(key->text, key->len);
}

int64_t pn_scalar_len(const pith_slot *slot, bool shortest)
{
    char digits[PN_NUMBER_MAX_LEN];
    if (slot->kind == PITH_STRING && !pn_is_bare(slot->u.text, slot->n, slot->flags)) {
        return pn_quoted_len(slot->u.text, slot->n);
    }
    size_t len = shortest ? pn_shorten(digits, slot) : 0;
    return len > 0 ? (int64_t)len : (int64_t)slot->n;
}

static bool pn_is_number(const pith_slot *slot)
{
    return slot->kind == PITH_INTEGER || slot->kind == PITH_DECIMAL;
}

bool pn_same_number(const pith_slot *a, const pith_slot *b)
{
    char digits[2][PN_NUMBER_MAX_LEN];
    pith_text first = slot_text(a);
    pith_text second = slot_text(b);
    if (!pn_is_number(a) || !pn_is_number(b)) {
        return false;
    }
    size_t len = pn_shorten(digits[0], a);
    first = len > 0 ? text_of(digits[0], len) : first;
    len = pn_shorten(digits[1], b);
    second = len > 0 ? text_of(digits[1], len) : second;
    return text_equal(first, second);
}
