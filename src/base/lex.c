/*
 * lex.c - what looks like a number, and escapes, both ways.
 */
#include "base/lex.h"
#include "base/utf8.h"

#include <assert.h>
#include <string.h>

/* [+-]?(d+(.d*)?|.d+)([eE][+-]?d+)? */
bool lex_looks_like_number(const char *text, size_t len)
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
    if (digits && at < end && (*at == 'e' || *at == 'E')) {
        at++;
        at += at < end && (*at == '+' || *at == '-');
        const char *exponent_end = scan_digits(at, end);
        digits = exponent_end > at;
        at = exponent_end;
    }
    return digits && at == end;
}

static const char lex_hex_digits[] = "0123456789abcdef";

static int lex_hex_value(unsigned char byte)
{
    if (scan_is_digit(byte))
        return byte - '0';
    byte |= 0x20;
    return byte >= 'a' && byte <= 'f' ? byte - 'a' + 10 : -1;
}

/* Four hexadecimal digits at `at`; -1 when there are not four. */
static int32_t lex_read_hex4(const char *at, const char *end)
{
    if (end - at < 4)
        return -1;
    int32_t value = 0;
    for (int i = 0; i < 4; i++) {
        int digit = lex_hex_value((unsigned char)at[i]);
        if (digit < 0)
            return -1;
        value = value * 16 + digit;
    }
    return value;
}

uint32_t lex_short_escape(char letter)
{
    switch (letter) {
    case '"':
        return '"';
    case '\\':
        return '\\';
    case '/':
        return '/';
    case 'b':
        return '\b';
    case 'f':
        return '\f';
    case 'n':
        return '\n';
    case 'r':
        return '\r';
    case 't':
        return '\t';
    default:
        return 0;
    }
}

lex_fault lex_read_escape(const char *at, const char *end, uint32_t *code, size_t *used)
{
    if (end - at < 2)
        return LEX_BAD_ESCAPE;
    if (at[1] != 'u') {
        *code = lex_short_escape(at[1]);
        *used = 2;
        return *code ? LEX_FINE : LEX_BAD_ESCAPE;
    }
    int32_t unit = lex_read_hex4(at + 2, end);
    if (unit < 0)
        return LEX_BAD_ESCAPE;
    *used = 6;
    *code = (uint32_t)unit;
    if (unit < 0xD800 || unit > 0xDFFF)
        return LEX_FINE;
    if (unit <= 0xDBFF && end - at >= 8 && at[6] == '\\' && at[7] == 'u') {
        int32_t low = lex_read_hex4(at + 8, end);
        if (low >= 0xDC00 && low <= 0xDFFF) {
            *used = 12;
            *code =
                0x10000u + (((uint32_t)unit & 0x3FFu) << 10) + ((uint32_t)low & 0x3FFu);
            return LEX_FINE;
        }
    }
    *code = 0xFFFD;
    return LEX_LONE_SURROGATE;
}

static size_t lex_write_hex4(uint32_t unit, char *to)
{
    assert(unit <= 0xFFFF);
    to[0] = '\\';
    to[1] = 'u';
    to[2] = lex_hex_digits[unit >> 12 & 15];
    to[3] = lex_hex_digits[unit >> 8 & 15];
    to[4] = lex_hex_digits[unit >> 4 & 15];
    to[5] = lex_hex_digits[unit & 15];
    return 6;
}

char *lex_unescape(const char **at, const char *end, const char *letters, char *to)
{
    const char *from = *at;
    for (;;) {
        const char *stop = scan_stop(from, end);
        size_t run = (size_t)(stop - from);
        uint32_t code = 0;
        size_t used = 0;
        memcpy(to, from, run);
        to += run;
        from = stop;
        if (end - from < 2 || *from != '\\' || from[1] == '\0' ||
            !strchr(letters, from[1]) ||
            lex_read_escape(from, end, &code, &used) != LEX_FINE || code > 0xFFFF) {
            *at = from;
            return to;
        }
        to += utf8_encode(code, to);
        from += used;
    }
}

const char *lex_skip_quoted(const char *at, const char *end)
{
    assert(at < end);
    at++;
    while (at < end) {
        at = scan_stop(at, end);
        if (at == end)
            return NULL;
        if (*at == '"')
            return at + 1;
        at += *at == '\\' && end - at > 1 ? 2 : 1;
    }
    return NULL;
}

size_t lex_write_escape(unsigned char byte, char *to)
{
    assert(byte < 0x80);
    static const char letters[] = "btn\0fr"; /* for the controls 8 to 13 */
    char letter = '\0';
    if (byte == '"' || byte == '\\')
        letter = (char)byte;
    else if (byte >= 8 && byte <= 13)
        letter = letters[byte - 8];
    if (!letter)
        return lex_write_hex4(byte, to);
    to[0] = '\\';
    to[1] = letter;
    return 2;
}

size_t lex_write_unicode_escape(uint32_t code, char *to)
{
    assert(code <= 0x10FFFF);
    if (code < 0x10000)
        return lex_write_hex4(code, to);
    code -= 0x10000;
    lex_write_hex4(0xD800u + (code >> 10), to);
    lex_write_hex4(0xDC00u + (code & 0x3FFu), to + 6);
    return 12;
}
