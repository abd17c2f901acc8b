/*
 * soch_text.c - which texts must be quoted, and how floats are spelled.
 *
 * Readers of this format differ in what they take for a number (007? +5? .5?), so a text
 * is quoted when any of them might. The same goes for blanks around a text: other
 * languages trim more than ASCII.
 */
#include "format/soch/soch_text.h"
#include "base/lex.h"
#include "base/num.h"
#include "base/utf8.h"

/* Unicode's White_Space beyond ASCII, and the byte order mark. */
static bool soch_is_blank(uint32_t code)
{
    return code == 0x85 || (utf8_class(code) & (UTF8_SPACES | UTF8_BREAKS | UTF8_MARKS));
}

static bool soch_has_edge_blank(pith_text text)
{
    unsigned char first = (unsigned char)text.ptr[0];
    unsigned char last = (unsigned char)text.ptr[text.len - 1];
    return first == ' ' || last == ' ' ||
           (first >= 0x80 && soch_is_blank(utf8_first(text.ptr, text.len))) ||
           (last >= 0x80 && soch_is_blank(utf8_last(text.ptr, text.len)));
}

bool soch_must_quote(pith_text text)
{
    const scan_set marks = SCAN_SET(SCAN_CONTROLS | SCAN_BRACKETS, ',', ';', '"', 0x7F);
    if (text.len == 0 || scan_any(marks, text.ptr, text.len, false) ||
        soch_has_edge_blank(text))
        return true;
    return text_is(text, "null") || text_is(text, SOCH_NULL_SIGN) ||
           (text.len >= 4 && memcmp(text.ptr, "ref(", 4) == 0);
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
        return text_is(text, "-Inf") || lex_looks_like_number(text.ptr, text.len);
    case '+':
    case '.':
        return lex_looks_like_number(text.ptr, text.len);
    default:
        return text.len > 0 && scan_is_digit((unsigned char)text.ptr[0]) &&
               lex_looks_like_number(text.ptr, text.len);
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
                     : len == 0 || soch_is_blank(code))
            return false;
        i += len;
    }
    return name.len > 0;
}
