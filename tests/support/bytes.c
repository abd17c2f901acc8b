/*
 * bytes.c - the growing text of bytes.h: doubles when it is full.
 */
#include "bytes.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void make_room(bytes *text, size_t more)
{
    if (text->cap - text->len >= more)
        return;
    size_t cap = text->cap ? text->cap : 256;
    while (cap - text->len < more)
        cap *= 2;
    char *ptr = realloc(text->ptr, cap);
    if (!ptr) {
        fputs("out of memory while making a test input\n", stderr);
        abort();
    }
    text->ptr = ptr;
    text->cap = cap;
}

void bytes_add(bytes *text, const char *data, size_t len)
{
    if (len == 0)
        return;
    make_room(text, len);
    memcpy(text->ptr + text->len, data, len);
    text->len += len;
}

void bytes_put(bytes *text, const char *string)
{
    bytes_add(text, string, strlen(string));
}

void bytes_repeat(bytes *text, const char *string, size_t count)
{
    size_t len = strlen(string);
    make_room(text, len * count);
    for (size_t i = 0; i < count; i++)
        bytes_add(text, string, len);
}

void bytes_put_filled(bytes *text, const char *string, char mark, const char *with)
{
    for (; *string; string++)
        if (*string == mark)
            bytes_put(text, with);
        else
            bytes_add(text, string, 1);
}

void bytes_print(bytes *text, const char *format, ...)
{
    char line[256];
    va_list args;
    va_start(args, format);
    int len = vsnprintf(line, sizeof line, format, args);
    va_end(args);
    if (len < 0 || (size_t)len >= sizeof line)
        abort();
    bytes_add(text, line, (size_t)len);
}

void bytes_free(bytes *text)
{
    free(text->ptr);
    *text = (bytes){0};
}
