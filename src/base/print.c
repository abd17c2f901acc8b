/*
 * print.c - see print.h.
 */
#include "base/print.h"

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum { PRINT_DIGITS_MOST = 24 };

typedef struct print_room {
    char *at;
    char *end; /* where the NUL may be */
} print_room;

/* What is between the percent sign and the letter. */
typedef struct print_spec {
    int width;     /* zeros go in front of fewer digits */
    int precision; /* of a text, its most bytes; -1 for all */
    int longs;     /* how many letters l; 2 for z where size_t needs it */
    char letter;
} print_spec;

static void print_bytes(print_room *room, const char *text, size_t len)
{
    size_t left = (size_t)(room->end - room->at);
    len = len < left ? len : left;
    memcpy(room->at, text, len);
    room->at += len;
}

static void print_number(print_room *room, const print_spec *spec, uint64_t number)
{
    static const char lower[] = "0123456789abcdef";
    static const char upper[] = "0123456789ABCDEF";
    const char *digits = spec->letter == 'X' ? upper : lower;
    unsigned base = spec->letter == 'x' || spec->letter == 'X' ? 16 : 10;
    char text[PRINT_DIGITS_MOST];
    char *const end = text + sizeof text;
    char *at = end;
    assert(spec->width <= PRINT_DIGITS_MOST);
    do {
        *--at = digits[number % base];
        number /= base;
    } while (number > 0 || end - at < spec->width);
    print_bytes(room, at, (size_t)(end - at));
}

static const char *print_read_spec(print_spec *spec, const char *at, int starred)
{
    spec->width = 0;
    spec->precision = -1;
    spec->longs = 0;
    for (; *at >= '0' && *at <= '9'; at++)
        spec->width = spec->width * 10 + (*at - '0');
    if (*at == '.') {
        spec->precision = starred;
        at += at[1] == '*' ? 2 : 1;
        for (; *at >= '0' && *at <= '9'; at++)
            spec->precision = spec->precision * 10 + (*at - '0');
    }
    for (; *at == 'l' || *at == 'z'; at++)
        spec->longs += *at == 'l' ? 1 : sizeof(size_t) == sizeof(long) ? 1 : 2;
    spec->letter = *at;
    return at + 1;
}

static void print_text(print_room *room, const print_spec *spec, const char *text)
{
    size_t len = 0;
    while ((spec->precision < 0 || len < (size_t)spec->precision) && text[len])
        len++;
    print_bytes(room, text, len);
}

size_t print_list(char *start, size_t size, const char *format, va_list args)
{
    print_room room = {start, start + size - 1};
    assert(size > 0);
    while (*format) {
        size_t plain = strcspn(format, "%");
        print_bytes(&room, format, plain);
        format += plain;
        if (!*format)
            break;
        print_spec spec;
        int starred = strncmp(format, "%.*", 3) == 0 ? va_arg(args, int) : 0;
        format = print_read_spec(&spec, format + 1, starred);
        switch (spec.letter) {
        case 's':
            print_text(&room, &spec, va_arg(args, const char *));
            break;
        case 'c': {
            char one = (char)va_arg(args, int);
            print_bytes(&room, &one, 1);
            break;
        }
        case 'd': {
            int number = va_arg(args, int);
            assert(spec.longs == 0);
            print_bytes(&room, "-", number < 0);
            print_number(&room, &spec,
                         number < 0 ? 0 - (uint64_t)number : (uint64_t)number);
            break;
        }
        case '%':
            print_bytes(&room, "%", 1);
            break;
        default:
            assert(spec.letter == 'u' || spec.letter == 'x' || spec.letter == 'X');
            print_number(&room, &spec,
                         spec.longs == 0   ? va_arg(args, unsigned)
                         : spec.longs == 1 ? va_arg(args, unsigned long)
                                           : va_arg(args, unsigned long long));
        }
    }
    *room.at = '\0';
    return (size_t)(room.at - start);
}

size_t print_into(char *start, size_t size, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    size_t len = print_list(start, size, format, args);
    va_end(args);
    return len;
}
