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

/* How many bytes at the end begin a sequence that goes on after the text, 0 to 3. */
size_t utf8_cut(const char *text, size_t len);

/* Bytes of a leading byte order mark: 3 or 0. */
size_t utf8_bom(const char *text, size_t len);

/* Characters beyond ASCII that nobody sees, by what they do. */
enum {
    UTF8_CONTROLS = 1, /* U+0080 to U+009F */
    UTF8_SPACES = 2,   /* U+00A0, U+1680, U+2000 to U+200A, U+202F, U+205F, U+3000 */
    UTF8_BREAKS = 4,   /* U+2028 and U+2029, which end lines */
    UTF8_MARKS = 8     /* U+FEFF, the byte order mark */
};

/* The one of these that the code point belongs to; 0 for all others. */
unsigned utf8_class(uint32_t code);

/* True when well-formed text holds a character of these classes. */
bool utf8_holds(const char *text, size_t len, unsigned classes);

/* Whether nobody sees the character, or a reader may end a line at it: a control but for
 * tabs and line feeds, U+2028, U+2029, and what Unicode calls default ignorable (marks of
 * direction, zero width, tags, variation selectors). */
bool utf8_is_hidden(uint32_t code);

/* The offset of the first such character in well-formed text; `len` when there is none. */
size_t utf8_find_hidden(const char *text, size_t len);

/* The first and the last code point of well-formed text, which is not empty. */
uint32_t utf8_first(const char *text, size_t len);
uint32_t utf8_last(const char *text, size_t len);

#endif
