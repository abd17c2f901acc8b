/*
 * utf8.c - validation with an ASCII fast lane.
 *
 * The grammar of RFC 3629, section 4, is small once the second byte is seen as the
 * only one with a range of its own:
 *
 *     lead     second    rest        excludes
 *     00-7F
 *     C2-DF    80-BF                 overlong two-byte forms
 *     E0       A0-BF     80-BF       overlong three-byte forms
 *     E1-EC    80-BF     80-BF
 *     ED       80-9F     80-BF       surrogates
 *     EE-EF    80-BF     80-BF
 *     F0       90-BF     80-BF x2    overlong four-byte forms
 *     F1-F3    80-BF     80-BF x2
 *     F4       80-8F     80-BF x2    above U+10FFFF
 */
#include "base/utf8.h"

#include "base/scan.h"

#include <assert.h>
#include <string.h>

static bool utf8_in(unsigned char byte, unsigned low, unsigned high)
{
    return byte >= low && byte <= high;
}

size_t utf8_decode(const char *text, size_t len, uint32_t *code)
{
    const unsigned char *s = (const unsigned char *)text;
    uint32_t found = 0;
    size_t size = 0;
    if (len == 0)
        return 0;
    unsigned lead = s[0];
    if (lead < 0x80) {
        found = lead;
        size = 1;
    } else if (lead >= 0xC2 && lead <= 0xDF) {
        if (len < 2 || !utf8_in(s[1], 0x80, 0xBF))
            return 0;
        found = (lead & 0x1Fu) << 6 | (s[1] & 0x3Fu);
        size = 2;
    } else if ((lead & 0xF0) == 0xE0) {
        unsigned low = lead == 0xE0 ? 0xA0 : 0x80;
        unsigned high = lead == 0xED ? 0x9F : 0xBF;
        if (len < 3 || !utf8_in(s[1], low, high) || !utf8_in(s[2], 0x80, 0xBF))
            return 0;
        found = (lead & 0x0Fu) << 12 | (s[1] & 0x3Fu) << 6 | (s[2] & 0x3Fu);
        size = 3;
    } else if (lead >= 0xF0 && lead <= 0xF4) {
        unsigned low = lead == 0xF0 ? 0x90 : 0x80;
        unsigned high = lead == 0xF4 ? 0x8F : 0xBF;
        if (len < 4 || !utf8_in(s[1], low, high) || !utf8_in(s[2], 0x80, 0xBF) ||
            !utf8_in(s[3], 0x80, 0xBF))
            return 0;
        found = (lead & 0x07u) << 18 | (s[1] & 0x3Fu) << 12 | (s[2] & 0x3Fu) << 6 |
                (s[3] & 0x3Fu);
        size = 4;
    } else {
        return 0;
    }
    if (code)
        *code = found;
    return size;
}

/* Eight ASCII bytes at a time. */
static size_t utf8_skip_ascii(const char *text, size_t at, size_t len)
{
    assert(at <= len);
    while (len - at >= 8) {
        uint64_t word;
        memcpy(&word, text + at, 8);
        if (word & UINT64_C(0x8080808080808080))
            break;
        at += 8;
    }
    while (at < len && (unsigned char)text[at] < 0x80)
        at++;
    return at;
}

size_t utf8_find_invalid(const char *text, size_t len)
{
    size_t at = 0;
    for (;;) {
        at = utf8_skip_ascii(text, at, len);
        /* Scripts beyond ASCII come in runs: stay here until the run ends. */
        while (at < len && (unsigned char)text[at] >= 0x80) {
            size_t size = utf8_decode(text + at, len - at, NULL);
            if (size == 0)
                return at;
            at += size;
        }
        if (at == len)
            return len;
    }
}

size_t utf8_encode(uint32_t code, char *to)
{
    assert(code <= 0x10FFFF && (code < 0xD800 || code > 0xDFFF));
    unsigned char *s = (unsigned char *)to;
    if (code < 0x80) {
        s[0] = (unsigned char)code;
        return 1;
    }
    if (code < 0x800) {
        s[0] = (unsigned char)(0xC0 | code >> 6);
        s[1] = (unsigned char)(0x80 | (code & 0x3F));
        return 2;
    }
    if (code < 0x10000) {
        s[0] = (unsigned char)(0xE0 | code >> 12);
        s[1] = (unsigned char)(0x80 | (code >> 6 & 0x3F));
        s[2] = (unsigned char)(0x80 | (code & 0x3F));
        return 3;
    }
    s[0] = (unsigned char)(0xF0 | code >> 18);
    s[1] = (unsigned char)(0x80 | (code >> 12 & 0x3F));
    s[2] = (unsigned char)(0x80 | (code >> 6 & 0x3F));
    s[3] = (unsigned char)(0x80 | (code & 0x3F));
    return 4;
}

size_t utf8_count(const char *text, size_t len)
{
    const uint64_t ones = UINT64_C(0x0101010101010101);
    size_t count = len;
    size_t i = 0;
    for (; len - i >= 8; i += 8) { /* continuations: the highest bit, and not the next */
        uint64_t word = scan_load8(text + i);
        count -= (word >> 7 & ~(word >> 6) & ones) * ones >> 56;
    }
    for (; i < len; i++)
        count -= utf8_is_continuation(text[i]);
    return count;
}

size_t utf8_cut(const char *text, size_t len)
{
    for (size_t back = 1; back < UTF8_MAX_LEN && back <= len; back++) {
        unsigned char lead = (unsigned char)text[len - back];
        if (utf8_is_continuation((char)lead))
            continue;
        size_t need = lead < 0xC2 || lead > 0xF4 ? 1
                      : lead < 0xE0              ? 2
                      : lead < 0xF0              ? 3
                                                 : 4;
        return back < need ? back : 0;
    }
    return 0;
}

size_t utf8_bom(const char *text, size_t len)
{
    return len >= UTF8_BOM_LEN && memcmp(text, UTF8_BOM, UTF8_BOM_LEN) == 0 ? UTF8_BOM_LEN
                                                                            : 0;
}

unsigned utf8_class(uint32_t code)
{
    switch (code) {
    case 0xA0:
    case 0x1680:
    case 0x202F:
    case 0x205F:
    case 0x3000:
        return UTF8_SPACES;
    case 0x2028:
    case 0x2029:
        return UTF8_BREAKS;
    case 0xFEFF:
        return UTF8_MARKS;
    default:
        if (code >= 0x2000 && code <= 0x200A)
            return UTF8_SPACES;
        return code >= 0x80 && code <= 0x9F ? UTF8_CONTROLS : 0;
    }
}

/* True when the first two bytes of a character allow for one that has a class. */
static inline bool utf8_may_have_class(const unsigned char *at)
{
    if (at[0] < 0xE1)
        return at[0] == 0xC2;
    switch (at[0] << 8 | at[1]) {
    case 0xE19A:
    case 0xE280:
    case 0xE281:
    case 0xE380:
    case 0xEFBB:
        return true;
    default:
        return false;
    }
}

bool utf8_holds(const char *text, size_t len, unsigned classes)
{
    const char *end = text + len;
    const char *at = text;
    for (;;) {
        at = scan_to(SCAN_CLASSES(SCAN_WIDE), at, end);
        for (; end - at >= 2 && (unsigned char)*at >= 0x80; at++)
            if (utf8_may_have_class((const unsigned char *)at) &&
                (utf8_class(utf8_first(at, (size_t)(end - at))) & classes))
                return true;
        if (end - at < 2)
            return false;
    }
}

bool utf8_is_hidden(uint32_t code)
{
    static const uint32_t ranges[][2] = {
        {0x00, 0x08},     {0x0B, 0x1F},       {0x7F, 0x9F},       {0xAD, 0xAD},
        {0x34F, 0x34F},   {0x61C, 0x61C},     {0x115F, 0x1160},   {0x17B4, 0x17B5},
        {0x180B, 0x180F}, {0x200B, 0x200F},   {0x2028, 0x202E},   {0x2060, 0x206F},
        {0x3164, 0x3164}, {0xFE00, 0xFE0F},   {0xFEFF, 0xFEFF},   {0xFFA0, 0xFFA0},
        {0xFFF0, 0xFFFB}, {0x1BCA0, 0x1BCA3}, {0x1D173, 0x1D17A}, {0xE0000, 0xE0FFF},
    };
    size_t i = 0;
    while (i < sizeof ranges / sizeof *ranges && code > ranges[i][1])
        i++;
    return i < sizeof ranges / sizeof *ranges && code >= ranges[i][0];
}

size_t utf8_find_hidden(const char *text, size_t len)
{
    const char *end = text + len;
    const char *at = text;
    const scan_set odd = SCAN_SET(SCAN_WIDE | SCAN_CONTROLS, 0x7F);
    while ((at = scan_to(odd, at, end)) < end) {
        uint32_t code = (unsigned char)*at;
        size_t used = code < 0x80 ? 1 : utf8_decode(at, (size_t)(end - at), &code);
        if (utf8_is_hidden(code))
            break;
        at += used;
    }
    return (size_t)(at - text);
}

uint32_t utf8_first(const char *text, size_t len)
{
    uint32_t code = 0;
    assert(len > 0);
    utf8_decode(text, len, &code);
    return code;
}

uint32_t utf8_last(const char *text, size_t len)
{
    assert(len > 0);
    size_t at = len - 1;
    while (at > 0 && utf8_is_continuation(text[at]))
        at--;
    return utf8_first(text + at, len - at);
}
