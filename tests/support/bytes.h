/*
 * bytes.h - a growing text for tests that make large inputs.
 *
 * It is independent of the library's own buffer, so that a fault there cannot
 * hide itself. Running out of memory here ends the test program.
 */
#ifndef PITH_TEST_BYTES_H
#define PITH_TEST_BYTES_H

#include <stddef.h>

typedef struct bytes {
    char *ptr;
    size_t len;
    size_t cap;
} bytes;

void bytes_add(bytes *text, const char *data, size_t len);

/* A C string, without its NUL. */
void bytes_put(bytes *text, const char *string);

/* The same C string `count` times. */
void bytes_repeat(bytes *text, const char *string, size_t count);

/* A C string in which every `mark` becomes `with`. */
void bytes_put_filled(bytes *text, const char *string, char mark, const char *with);

/* In the manner of printf; at most 255 bytes a call. */
#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
void bytes_print(bytes *text, const char *format, ...);

void bytes_free(bytes *text);

#endif /* PITH_TEST_BYTES_H */
