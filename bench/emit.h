/*
 * emit.h - JSON, written straight to a stream, one token after the other.
 *
 * The generator cannot use the library it is there to measure, so it has this:
 * compact JSON like that of an API, commas looked after, nothing checked. Text
 * is escaped where RFC 8259 demands it and nowhere else; emit_raw takes what is
 * JSON already, for the escapes no writer has to make (\u00e9, \/).
 */
#ifndef BENCH_EMIT_H
#define BENCH_EMIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

typedef struct emit {
    FILE *file;
    size_t bytes;     /* written so far */
    bool needs_comma; /* a value ended here; only an opening or a key clears it */
} emit;

void emit_open(emit *out, char bracket);  /* '{' or '[' */
void emit_close(emit *out, char bracket); /* '}' or ']' */
void emit_key(emit *out, const char *key);

void emit_text(emit *out, const char *text);
void emit_bool(emit *out, bool truth);
void emit_null(emit *out);
void emit_integer(emit *out, int64_t number);

/* `digits` divided by ten to the power of `places`, without the trailing zeros no
 * writer of doubles would leave: (-12345, 2) is -123.45 and (1250, 2) is 12.5. An
 * `exponent` other than 0 follows as e-7 or e12. */
void emit_decimal(emit *out, int64_t digits, unsigned places, int exponent);

/* A whole value, or any piece of one, that is JSON as it stands. */
void emit_raw_value(emit *out, const char *json);

/* Text in pieces: everything between the two calls is one JSON string. */
void emit_text_begin(emit *out);
void emit_text_end(emit *out);
void emit_piece(emit *out, const char *text); /* escaped as needed */
void emit_raw(emit *out, const char *json);   /* as it stands */
void emit_number_piece(emit *out, uint64_t number, unsigned width); /* zeros in front */
void emit_hex_piece(emit *out, uint64_t number, unsigned width);

#endif
