/*
 * base64.h - bytes as text, RFC 4648: the standard alphabet, padded, canonical.
 *
 * Canonical means that every sequence of bytes has one spelling: no line breaks, no
 * missing padding, and zero bits after the last byte.
 */
#ifndef BASE_BASE64_H
#define BASE_BASE64_H

#include "pith.h"

#include <assert.h>

/* The length of the text of `len` bytes. */
static inline size_t base64_text_len(size_t len)
{
    assert(len < SIZE_MAX / 2);
    return (len + 2) / 3 * 4;
}

/* Writes the text and returns its length. */
size_t base64_write(char *to, const void *bytes, size_t len);

/* The number of bytes the text stands for; false when it is not canonical base64. */
bool base64_check(const char *text, size_t len, size_t *bytes);

/* Writes the first `room` bytes that a checked text stands for. */
void base64_read(void *to, size_t room, const char *text, size_t len);

#endif
