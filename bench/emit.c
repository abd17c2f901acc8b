/*
 * emit.c - see emit.h.
 *
 * One flag replaces the stack of open containers: a comma is due exactly when
 * the token before was the end of a value. Numbers become digits here and not
 * in printf, because the C library may print a double as it likes.
 */
#include "emit.h"

#include <string.h>

static void put(emit *out, const char *data, size_t len)
{
    out->bytes += fwrite(data, 1, len, out->file);
}

static void put_char(emit *out, char byte)
{
    put(out, &byte, 1);
}

static void put_comma(emit *out)
{
    if (out->needs_comma)
        put_char(out, ',');
    out->needs_comma = true;
}

/* At least `width` digits in `base`, zeros in front. */
static void put_digits(emit *out, uint64_t number, unsigned width, unsigned base)
{
    char digits[64];
    size_t first = sizeof digits;
    unsigned written = 0;
    do {
        digits[--first] = "0123456789abcdef"[number % base];
        number /= base;
        written++;
    } while (first > 0 && (number > 0 || written < width));
    put(out, digits + first, sizeof digits - first);
}

void emit_open(emit *out, char bracket)
{
    put_comma(out);
    put_char(out, bracket);
    out->needs_comma = false;
}

void emit_close(emit *out, char bracket)
{
    put_char(out, bracket);
    out->needs_comma = true;
}

void emit_key(emit *out, const char *key)
{
    emit_text(out, key);
    put_char(out, ':');
    out->needs_comma = false;
}

void emit_text(emit *out, const char *text)
{
    emit_text_begin(out);
    emit_piece(out, text);
    emit_text_end(out);
}

void emit_bool(emit *out, bool truth)
{
    emit_raw_value(out, truth ? "true" : "false");
}

void emit_null(emit *out)
{
    emit_raw_value(out, "null");
}

void emit_integer(emit *out, int64_t number)
{
    emit_decimal(out, number, 0, 0);
}

void emit_decimal(emit *out, int64_t digits, unsigned places, int exponent)
{
    uint64_t size = digits < 0 ? 0 - (uint64_t)digits : (uint64_t)digits;
    uint64_t scale = 1;
    for (; places > 0 && size % 10 == 0; places--)
        size /= 10;
    for (unsigned i = 0; i < places; i++)
        scale *= 10;
    put_comma(out);
    if (digits < 0)
        put_char(out, '-');
    put_digits(out, size / scale, 1, 10);
    if (places > 0) {
        put_char(out, '.');
        put_digits(out, size % scale, places, 10);
    }
    if (exponent != 0) {
        put(out, "e-", exponent < 0 ? 2 : 1);
        put_digits(out, (uint64_t)(exponent < 0 ? -exponent : exponent), 1, 10);
    }
}

void emit_raw_value(emit *out, const char *json)
{
    put_comma(out);
    emit_raw(out, json);
}

void emit_text_begin(emit *out)
{
    put_comma(out);
    put_char(out, '"');
}

void emit_text_end(emit *out)
{
    put_char(out, '"');
}

void emit_piece(emit *out, const char *text)
{
    for (; *text != '\0'; text++) {
        unsigned char byte = (unsigned char)*text;
        if (byte == '"' || byte == '\\') {
            put_char(out, '\\');
            put_char(out, *text);
        } else if (byte == '\n') {
            put(out, "\\n", 2);
        } else if (byte == '\t') {
            put(out, "\\t", 2);
        } else if (byte < 0x20) {
            put(out, "\\u", 2);
            put_digits(out, byte, 4, 16);
        } else {
            put_char(out, *text);
        }
    }
}

void emit_raw(emit *out, const char *json)
{
    put(out, json, strlen(json));
}

void emit_number_piece(emit *out, uint64_t number, unsigned width)
{
    put_digits(out, number, width, 10);
}

void emit_hex_piece(emit *out, uint64_t number, unsigned width)
{
    put_digits(out, number, width, 16);
}
