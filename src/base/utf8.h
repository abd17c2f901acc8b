/*
 * utf8.h - UTF-8 as RFC 3629 has it: no overlong forms, no surrogates, nothing
 * above U+10FFFF.
 */
#ifndef BASE_UTF8_H
#define BASE_UTF8_H

#include "pith.h"

#define UTF8_BOM "\xEF\xBB\xBF"

enum { UTF8_BOM_LEN = 3, UTF8_MAX_LEN = 4 };

/* The offset of the first ill-formed sequence; `len` when there is none. */
size_t utf8_find_invalid(const char *text, size_t len);

/* The length of the well-formed sequence at `text`, 1 to 4; 0 when ill-formed or
 * when `len` is 0. The code point goes to `*code` unless that is NULL. */
size_t utf8_decode(const char *text, size_t len, uint32_t *code);

/* Writes a code point (not a surrogate, at most U+10FFFF) and returns its length. */
size_t utf8_encode(uint32_t code, char *to);

/* The code points in well-formed text; in ill-formed text every byte that is not
 * a continuation byte counts as one. */
size_t utf8_count(const char *text, size_t len);

/* True for the second and later bytes of a sequence. */
static inline bool utf8_is_continuation(char byte)
{
    return ((unsigned char)byte & 0xC0) == 0x80;
}

/* Bytes of a leading byte order mark: 3 or 0. */
size_t utf8_bom(const char *text, size_t len);

#endif
