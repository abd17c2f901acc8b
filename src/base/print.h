/*
 * print.h - sentences for errors, made of a pattern and values.
 *
 * The patterns are those of printf, as far as sentences need them: %s, %c, %d, %u and %x
 * with l, ll or z, a precision for %s and zeros in front of numbers (%04x). The C
 * library's own function knows floating point, files and the locale, and brings all of
 * that along: in WebAssembly it is larger than a format of ours, and asks for three
 * functions of the system that a page does not have.
 */
#ifndef BASE_PRINT_H
#define BASE_PRINT_H

#include <stdarg.h>
#include <stddef.h>

#if defined(__MINGW32__)
#define PRINT_LIKE(text, first) __attribute__((format(gnu_printf, text, first)))
#elif defined(__GNUC__)
#define PRINT_LIKE(text, first) __attribute__((format(printf, text, first)))
#else
#define PRINT_LIKE(text, first)
#endif

/* Writes what fits into `size` bytes, at least one, the last of which is a NUL. Returns
 * how many bytes are before that. */
size_t print_into(char *room, size_t size, const char *format, ...) PRINT_LIKE(3, 4);
size_t print_list(char *room, size_t size, const char *format, va_list args)
    PRINT_LIKE(3, 0);

#endif
