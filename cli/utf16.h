/*
 * utf16.h - text in UTF-16, as spreadsheets and command prompts write it, made UTF-8.
 */
#ifndef PITH_CLI_UTF16_H
#define PITH_CLI_UTF16_H

#include <stdbool.h>
#include <stddef.h>

typedef enum utf16_order { UTF16_NOT, UTF16_LITTLE, UTF16_BIG } utf16_order;

/* Whether the text is UTF-16, by its mark, or by two characters of ASCII with a zero byte
 * each. Four bytes tell; with fewer there is nothing to tell. */
utf16_order utf16_look(const char *text, size_t len);

/* The most bytes that `len` bytes of UTF-16 become. */
#define UTF16_GROWS(len) ((len) / 2 * 3)

/* Writes the text without its mark to `to`, which has UTF16_GROWS(len) bytes, and returns
 * how many it took. `*bad` is where half of a character stands, or `len`. */
size_t utf16_convert(const char *text, size_t len, utf16_order order, char *to,
                     size_t *bad);

#endif /* PITH_CLI_UTF16_H */
