/*
 * lex.h - the string and number grammar of RFC 8259, which every format borrows.
 */
#ifndef BASE_LEX_H
#define BASE_LEX_H

#include "base/scan.h"

/* What the grammar says of a number. `end` is NULL when the text is no number. */
typedef struct lex_number {
    const char *end; /* after the last character of the number */
    bool decimal;    /* it has a point or an exponent */
    bool plain;      /* the digits are the canonical ones already: see below */
} lex_number;

/* True when digits with a point are the fewest that read back as the same double, as far
 * as counting them tells: `first` is the first that is not 0, `count` their number from
 * there on, `whole` how many of them stand before the point. The last is not 0.
 *
 * Up to 15 digits always are. So are 16 if doubles lie closer together there than numbers
 * of 16 digits do: then only one such number, and none with fewer digits, is nearest to
 * the double. Which first digits that allows depends on the place of the point. */
static inline bool lex_is_shortest(char first, size_t count, size_t whole)
{
    static const char most[] = "4754754754754764";
    return count <= 15 || (count == 16 && whole < 16 && first <= most[whole]);
}

/* Reads the longest JSON number at `at`. `01` is the number 0 with something after
 * it; `1.` and `1e` are no numbers.
 *
 * `plain` is a promise to writers: an integer of at most 18 digits that is not -0, or a
 * decimal without exponent whose size is in [1e-6, 2^53) and whose digits are the fewest
 * for its double, if that can be seen (lex_is_shortest). Such digits are canonical
 * wherever we write them. */
static inline lex_number lex_read_number(const char *at, const char *end)
{
    lex_number none = {NULL, false, false};
    lex_number found = {NULL, false, true};
    if (at == end)
        return none;
    const char *whole = at + (*at == '-');
    const char *p = scan_digits(whole, end);
    size_t whole_len = (size_t)(p - whole);
    if (whole_len == 0)
        return none;
    bool whole_zero = *whole == '0';
    if (whole_zero && whole_len > 1) {
        whole_len = 1;
        p = whole + 1;
    }
    if (p == end || (*p != '.' && *p != 'e' && *p != 'E')) {
        found.end = p;
        found.plain = whole_len <= 18 && !(whole_zero && whole != at);
        return found;
    }
    found.decimal = true;
    if (*p == '.') {
        const char *fraction = p + 1;
        p = scan_digits(fraction, end);
        size_t len = (size_t)(p - fraction);
        if (len == 0)
            return none;
        if (p[-1] == '0') {
            found.plain = false;
        } else if (!whole_zero) {
            found.plain = lex_is_shortest(*whole, whole_len + len, whole_len);
        } else {
            found.plain =
                len <= 6 || (*fraction != '0' && lex_is_shortest(*fraction, len, 0));
        }
    }
    if (p < end && (*p == 'e' || *p == 'E')) {
        p++;
        p += p < end && (*p == '+' || *p == '-');
        const char *exponent = p;
        p = scan_digits(exponent, end);
        if (p == exponent)
            return none;
        found.plain = false;
    }
    found.end = p;
    return found;
}

/* True for text that some reader takes for a number, also for those that JSON does not
 * have: 01 +1 .5 5. */
bool lex_looks_like_number(const char *text, size_t len);

/* Why an escape cannot be read. */
typedef enum lex_fault {
    LEX_FINE,
    LEX_BAD_ESCAPE,    /* no such escape, or \u without four hexadecimal digits */
    LEX_LONE_SURROGATE /* half of a pair */
} lex_fault;

/* Reads the escape whose backslash is at `at`; the code point goes to `*code` and
 * the bytes used to `*used`. For a lone surrogate both are set as well, with U+FFFD
 * as the code point, so that the caller may choose to be lenient. */
lex_fault lex_read_escape(const char *at, const char *end, uint32_t *code, size_t *used);

/* The character that a letter stands for after a backslash; 0 when it is no such letter. */
uint32_t lex_short_escape(char letter);

/* Copies and decodes from `*at` on, up to `end` or up to the first thing that is not
 * plain: a control character, a surrogate, or an escape that is wrong or whose letter is
 * not among `letters`. `*at` is left there, and the end of the result is returned. No
 * escape is shorter than what it stands for. */
char *lex_unescape(const char **at, const char *end, const char *letters, char *to);

/* The letters of all escapes. */
#define LEX_LETTERS "\"\\/bfnrtu"

/* After the quoted span that `at` opens; NULL when nothing closes it. */
const char *lex_skip_quoted(const char *at, const char *end);

/* Writes the JSON escape of an ASCII character (two to six bytes) and returns its
 * length; controls without a short form become \u00xx in lower case. */
size_t lex_write_escape(unsigned char byte, char *to);

/* Writes \uXXXX, or a pair of them, in lower case; returns 6 or 12. */
size_t lex_write_unicode_escape(uint32_t code, char *to);

enum { LEX_ESCAPE_MAX_LEN = 12 };

#endif
