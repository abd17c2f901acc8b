/*
 * text.h - spans of text: compare, trim, split. Nothing here allocates.
 */
#ifndef BASE_TEXT_H
#define BASE_TEXT_H

#include "pith.h"

#include <assert.h>
#include <string.h>

static inline pith_text text_of(const char *ptr, size_t len)
{
    pith_text text = {ptr, len};
    return text;
}

static inline pith_text text_between(const char *from, const char *to)
{
    return text_of(from, (size_t)(to - from));
}

/* A C string as a span; NULL is the empty text. */
static inline pith_text text_from(const char *string)
{
    return text_of(string, string ? strlen(string) : 0);
}

static inline bool text_equal(pith_text a, pith_text b)
{
    return a.len == b.len &&
           (a.len == 0 || a.ptr == b.ptr || memcmp(a.ptr, b.ptr, a.len) == 0);
}

static inline bool text_is(pith_text text, const char *string)
{
    /* Looked up among many words, most differ in their first letter. */
    bool maybe = text.len == 0 || (string && *string == *text.ptr);
    return maybe && text_equal(text, text_from(string));
}

static inline bool text_begins(pith_text text, const char *with)
{
    size_t len = strlen(with);
    return text.len >= len && memcmp(text.ptr, with, len) == 0;
}

/* The text after its first `skip` bytes, which it must have. */
static inline pith_text text_after(pith_text text, size_t skip)
{
    assert(skip <= text.len);
    return text_of(text.ptr + skip, text.len - skip);
}

/* Below, equal or above 0 as `a` comes before, with or after `b` by unsigned bytes. */
static inline int text_order(pith_text a, pith_text b)
{
    size_t len = a.len < b.len ? a.len : b.len;
    int order = len ? memcmp(a.ptr, b.ptr, len) : 0;
    return order != 0 ? order : (a.len > b.len) - (a.len < b.len);
}

/* Takes the part of `*rest` before `separator` off its front; all of it when there
 * is no separator. */
static inline pith_text text_split(pith_text *rest, char separator)
{
    const char *hit =
        rest->len ? (const char *)memchr(rest->ptr, separator, rest->len) : NULL;
    pith_text part = text_of(rest->ptr, hit ? (size_t)(hit - rest->ptr) : rest->len);
    size_t used = part.len + (hit ? 1 : 0);
    rest->len -= used;
    if (used)
        rest->ptr += used;
    return part;
}

#endif
