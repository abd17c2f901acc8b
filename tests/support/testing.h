/*
 * testing.h - the few words every test here speaks.
 *
 * Tests are tables: a row holds bytes, settings and what must come of them. A
 * row that fails prints itself and the table goes on, so that one run shows
 * every broken row; the test fails at the end through `failures`. The helpers
 * whose names begin with `must_` stop the test at once instead, because nothing
 * after them would make sense.
 */
#ifndef PITH_TESTING_H
#define PITH_TESTING_H

/* cmocka.h wants these first. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pith.h"

/* A literal as pointer and length, so that it may hold NUL bytes. */
#define LIT(text) (text), (sizeof(text) - 1)

/* The number of rows of a table. */
#define ROWS(table) (sizeof(table) / sizeof((table)[0]))

/* How often to try something at random: less where each try takes so much longer. An
 * emulated machine is there for its order of bytes, and few tries show that. */
#ifdef PITH_TEST_EMULATED
enum { SLOWNESS = 20 };
#else
enum { SLOWNESS = 1 };
#endif
#define OFTEN(times) ((times) / SLOWNESS)

/* What a failure must look like. A NULL code means success. */
typedef struct expected_error {
    pith_status status;
    const char *code;
    size_t line;
    size_t column;
} expected_error;

/* Text on stderr with everything unprintable escaped and the middle left out
 * when it is long. */
void show_bytes(const char *label, const char *data, size_t len);

/* True when both are the same bytes; otherwise shows both under `label`. */
bool same_bytes(const char *label, const char *found, size_t found_len,
                const char *expected, size_t expected_len);

/* True when `err` is what `expected` says and its message is a sentence; otherwise
 * shows both under `label`. */
bool same_error(const char *label, const pith_error *err, const expected_error *expected);

/* Options that hold nothing but settings; either may be NULL. */
pith_options with_settings(const char *read, const char *write);

/* The document of a text that must be right. */
pith_doc *must_parse(const char *format, const char *text, size_t len,
                     const pith_options *options);

/* The document of a JSON text in a C string. */
pith_doc *must_parse_json(const char *text);

/* The value as text that the caller frees with pith_buffer_free. */
pith_buffer must_write(pith_value value, const char *format, const pith_options *options);

/* The value must be written as exactly this C string. */
void must_write_as(pith_value value, const char *format, const char *settings,
                   const char *expected);

/* The finished document must be written as this compact JSON. */
void must_hold_json(const pith_doc *doc, const char *expected);

#endif /* PITH_TESTING_H */
