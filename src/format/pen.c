/*
 * pen.c - the slow half of pen.h: long texts, quotes and escapes.
 */
#include "format/pen.h"

#include "base/lex.h"
#include "base/utf8.h"

#include <assert.h>

char *pen_put_bytes(pith_out *out, char *to, const char *text, size_t len)
{
    out->at = to;
    out_bytes(out, text, len);
    return pen_resume(out);
}

char *pen_put_deep_indent(pith_out *out, char *to, uint64_t spaces)
{
    out->at = to;
    out_indent(out, spaces);
    return pen_resume(out);
}

/* Letters, digits and _ as bits. */
static inline bool pen_is_word_byte(unsigned char byte)
{
    static const uint64_t words[2] = {UINT64_C(0x03FF000000000000),
                                      UINT64_C(0x07FFFFFE87FFFFFE)};
    return byte < 0x80 && ((words[byte >> 6] >> (byte & 63)) & 1);
}

bool pen_is_word(const char *text, size_t len, char also)
{
    if (len == 0 || scan_is_digit((unsigned char)text[0]) ||
        !pen_is_word_byte((unsigned char)text[0]))
        return false;
    for (size_t i = 1; i < len; i++)
        if (!pen_is_word_byte((unsigned char)text[i]) && text[i] != also)
            return false;
    return true;
}

/* ---------------------------------------------------------------------- quotes */

static bool pen_has_letter(unsigned char byte, unsigned escapes)
{
    switch (byte) {
    case '"':
    case '\\':
    case '\n':
    case '\r':
    case '\t':
        return true;
    default:
        return (byte == '\b' || byte == '\f') && !(escapes & PEN_FEW_LETTERS);
    }
}

/* Writes what cannot be written as it is; the bytes of the text it takes. */
static size_t pen_write_escape(pith_out *out, const char *at, const char *end,
                               unsigned escapes)
{
    assert(at < end);
    unsigned char byte = (unsigned char)*at;
    uint32_t code = byte;
    size_t used = byte < 0x80 ? 1 : utf8_decode(at, (size_t)(end - at), &code);
    bool letter = pen_has_letter(byte, escapes);
    out_reserve(out, LEX_ESCAPE_MAX_LEN);
    if (letter)
        out->at += lex_write_escape(byte, out->at);
    else if ((escapes & PEN_RAW_CONTROLS) && !out->safe)
        *out->at++ = (char)byte;
    else
        out->at += lex_write_unicode_escape(code, out->at);
    return used;
}

/* The first byte that cannot be written as it is. */
static const char *pen_stop(const pith_out *out, const char *at, const char *end,
                            unsigned escapes)
{
    const char *stop = escapes & PEN_ASCII ? scan_special(at, end) : scan_stop(at, end);
    return out->safe ? at + utf8_find_hidden(at, (size_t)(stop - at)) : stop;
}

static void pen_write_escaped(pith_out *out, pith_text text, unsigned escapes)
{
    const char *at = text.ptr;
    const char *end = at + text.len;
    while (at < end) {
        const char *stop = pen_stop(out, at, end, escapes);
        out_bytes(out, at, (size_t)(stop - at));
        at = stop;
        if (at < end)
            at += pen_write_escape(out, at, end, escapes);
    }
}

void pen_write_quoted(pith_out *out, pith_text text, unsigned escapes)
{
    out_byte(out, '"');
    pen_write_escaped(out, text, escapes);
    out_byte(out, '"');
}

char *pen_put_escaped(pith_out *out, char *to, const char *text, size_t len,
                      unsigned escapes)
{
    pith_text whole = {text, len};
    out->at = to;
    pen_write_escaped(out, whole, escapes);
    return pen_resume(out);
}

char *pen_put_quoted(pith_out *out, char *to, const char *text, size_t len,
                     unsigned escapes)
{
    pith_text whole = {text, len};
    out->at = to;
    pen_write_quoted(out, whole, escapes);
    return pen_resume(out);
}

/* --------------------------------------------------------------------- strings */

char *pen_enclose(char *to, const char *text, size_t len)
{
    assert(len <= PEN_LONG);
    *to++ = '"';
    for (size_t i = 0; i + 16 < len; i += 16)
        memcpy(to + i, text + i, 16);
    size_t last = len > 16 ? len - 16 : 0;
    memcpy(to + last, text + last, 16);
    to += len;
    *to++ = '"';
    return to;
}

char *pen_put_suspect(const pen_lexis *lexis, char *to, const char *text, size_t len,
                      uint8_t flags)
{
    return pen_looks_odd(lexis, text, len, flags) ? pen_enclose(to, text, len) : to + len;
}

char *pen_put_string(pith_out *out, char *to, pith_text text, uint8_t flags, bool quoted,
                     unsigned escapes)
{
    return quoted ? pen_put_quoted(out, to, text.ptr, text.len, escapes)
                  : pen_put_text(out, to, text.ptr, text.len, flags);
}
