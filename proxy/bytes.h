/*
 * bytes.h - a block of bytes that grows at its end.
 */
#ifndef PITH_PROXY_BYTES_H
#define PITH_PROXY_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* Zeroed: empty. */
typedef struct bytes {
    char *data;
    size_t len, cap;
} bytes;

/* Room for `more` bytes after the last; false, with nothing changed, when out of memory. */
static inline bool bytes_reserve(bytes *to, size_t more)
{
    if (more <= to->cap - to->len)
        return true;
    size_t cap = to->cap + to->cap / 2;
    cap = cap - to->len < more || cap < to->cap ? to->len + more : cap;
    char *grown = cap >= more ? realloc(to->data, cap) : NULL;
    if (!grown)
        return false;
    to->data = grown;
    to->cap = cap;
    return true;
}

static inline bool bytes_add(bytes *to, const char *data, size_t len)
{
    if (!bytes_reserve(to, len))
        return false;
    if (len > 0)
        memcpy(to->data + to->len, data, len);
    to->len += len;
    return true;
}

static inline bool bytes_text(bytes *to, const char *text)
{
    return bytes_add(to, text, strlen(text));
}

static inline void bytes_free(bytes *of)
{
    free(of->data);
    *of = (bytes){NULL, 0, 0};
}

#endif
