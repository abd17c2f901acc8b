/*
 * soch_text.c - which texts must be quoted, and how floats are spelled.
 *
 * Readers of this format differ in what they take for a number (007? +5? .5?), so a text
 * is quoted when any of them might. The same goes for blanks around a text: other
 * languages trim more than ASCII.
 */
#include "format/soch/soch_text.h"
#include "base/num.h"
#include "base/scan.h"
#include "base/utf8.h"

/* Unicode's White_Space, and the byte order mark. */
static bool soch_is_blank(uint32_t code)
{
    switch (code) {
    case ' ':
    case 0x85:
    case 0xA0:
    case 0x1680:
    case 0x2028:
    case 0x2029:
    case 0x202F:
    case 0x205F:
    case 0x3000:
    case 0xFEFF:
        return true;
    default:
        return (code >= 9 && code <= 13) || (code >= 0x2000 && code <= 0x200A);
    }
}

static bool soch_has_edge_blank(pith_text text)
{
    uint32_t code = 0;
    if (utf8_decode(text.ptr, text.len, &code) > 0 && soch_is_blank(code)) {
        return true;
    }
    const char *last = text.ptr + text.len - 1;
    while (last > text.ptr && utf8_is_continuation(*last)) {
        last--;
    }
    return utf8_decode(last, (size_t)(text.ptr + text.len - last), &code) > 0 &&
           soch_is_blank(code);
}

static bool soch_is_mark(unsigned char c)
{
    switch (c) {
    case ',':
    case ';':
    case '"':
    case '{':
    case '}':
    case '[':
    case ']':
    case 0x7F:
        return true;
    default:
        return c < 0x20;
    }
}

bool soch_must_quote(pith_text text)
{
    for (size_t i = 0; i < text.len; i++) {
        if (soch_is_mark((unsigned char)text.ptr[i])) {
            return true;
        }
    }
    if (text.len == 0 || soch_has_edge_blank(text)) {
        return true;
    }
    return text_is(text, "null") || text_is(text, SOCH_NULL_SIGN) ||
           (text.len >= 4 && memcmp(text.ptr, "ref(", 4) == 0);
}

/* [+-]?(d+(.d*)?|.d+)([eE][+-]?d+)? */
static bool soch_looks_like_number(pith_text text)
{
    const char *at = text.ptr;
    const char *end = at + text.len;
    at += at < end && (*at == '+' || *at == '-');
    const char *whole = at;
    at = scan_digits(at, end);
    size_t digits = (size_t)(at - whole);
    if (at < end && *at == '.') {
        const char *fraction = ++at;
        at = scan_digits(at, end);
        digits += (size_t)(at - fraction);
    }
    if (digits == 0) {
        return false;
    }
    if (at < end && (*at == 'e' || *at == 'E')) {
        at++;
        at += at < end && (*at == '+' || *at == '-');
        const char *exponent = at;
        at = scan_digits(at, end);
        if (at == exponent) {
            return false;
        }
    }
    return at == end;
}

bool soch_looks_like(pith_text text)
{
    switch (text.len ? text.ptr[0] : '\0') {
    case 'T':
    case 'F':
        return text.len == 1;
    case 't':
        return text_is(text, "true");
    case 'f':
        return text_is(text, "false");
    case 'N':
        return text_is(text, "NaN");
    case 'I':
        return text_is(text, "Inf");
    case 'b':
        return text.len >= TYPED_BYTES_PREFIX_LEN &&
               memcmp(text.ptr, TYPED_BYTES_PREFIX, TYPED_BYTES_PREFIX_LEN) == 0;
    case '-':
        return text_is(text, "-Inf") || soch_looks_like_number(text);
    case '+':
    case '.':
        return soch_looks_like_number(text);
    default:
        return text.len > 0 && scan_is_digit((unsigned char)text.ptr[0]) &&
               soch_looks_like_number(text);
    }
}

bool soch_is_identifier(pith_text name)
{
    size_t i = 0;
    while (i < name.len) {
        unsigned char c = (unsigned char)name.ptr[i];
        uint32_t code = c;
        size_t len = c < 0x80 ? 1 : utf8_decode(name.ptr + i, name.len - i, &code);
        bool letter = (c | 0x20) >= 'a' && (c | 0x20) <= 'z' && c < 0x80;
        bool inner = scan_is_digit(c) || c == '.' || c == '$' || c == '-';
        if (c < 0x80 ? !letter && c != '_' && !(inner && i > 0)
                     : len == 0 || soch_is_blank(code)) {
            return false;
        }
        i += len;
    }
    return name.len > 0;
}
