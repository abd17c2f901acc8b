/*
 * utf16.c - text in UTF-16, made UTF-8.
 *
 * A unit is two bytes; a character beyond U+FFFF is two units, a high half and a low one.
 * No format that pith reads begins with two letters that have a zero byte each, so the
 * first four bytes tell, also where the mark is missing.
 */
#include "utf16.h"

#include "base/utf8.h"

static uint32_t unit_at(const char *text, utf16_order order)
{
    unsigned char first = (unsigned char)text[0];
    unsigned char second = (unsigned char)text[1];
    return order == UTF16_BIG ? (uint32_t)first << 8 | second
                              : (uint32_t)second << 8 | first;
}

/* A character that a text may begin with, in one unit. */
static bool is_plain(uint32_t unit)
{
    return (unit >= ' ' && unit <= '~') || unit == '\n' || unit == '\r' || unit == '\t';
}

utf16_order utf16_look(const char *text, size_t len)
{
    if (len < 4)
        return UTF16_NOT;
    for (int i = 0; i < 2; i++) {
        utf16_order order = i == 0 ? UTF16_LITTLE : UTF16_BIG;
        uint32_t first = unit_at(text, order);
        uint32_t second = unit_at(text + 2, order);
        if (second != 0 && (first == 0xFEFF || (is_plain(first) && is_plain(second))))
            return order; /* a zero after the mark is UTF-32 */
    }
    return UTF16_NOT;
}

size_t utf16_convert(const char *text, size_t len, utf16_order order, char *to,
                     size_t *bad)
{
    size_t made = 0;
    size_t at = unit_at(text, order) == 0xFEFF ? 2 : 0;
    for (; len - at >= 2; at += 2) {
        uint32_t code = unit_at(text + at, order);
        if (code >= 0xD800 && code < 0xE000) {
            uint32_t low = len - at >= 4 ? unit_at(text + at + 2, order) : 0;
            if (code >= 0xDC00 || low < 0xDC00 || low >= 0xE000)
                break;
            code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
            at += 2;
        }
        made += utf8_encode(code, to + made);
    }
    *bad = at;
    return made;
}
