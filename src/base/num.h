/*
 * num.h - digits to machine numbers, machine numbers to digits, both exact.
 *
 * A lexeme here is the text of a number in JSON's grammar. Reading a double gives the
 * nearest one, ties to even, however long the lexeme is; writing one gives the fewest
 * digits that read back as the same double. Nothing allocates, nothing looks at the
 * locale or the rounding mode, and time is linear in the length of the text.
 */
#ifndef BASE_NUM_H
#define BASE_NUM_H

#include "pith.h"

/* --- digits to machine numbers; the caller has checked the grammar */

/* False, with `*out` untouched, when the lexeme has a point or an exponent or the
 * number does not fit. -0 is 0, for the unsigned call too. */
bool num_to_int64(pith_text lexeme, int64_t *out);
bool num_to_uint64(pith_text lexeme, uint64_t *out);

/* The nearest double; too large is an infinity, too small a zero, with the sign. */
double num_to_double(pith_text lexeme);

/* --- machine numbers to digits; each call returns the bytes written, no NUL */

enum {
    NUM_INT64_MAX_LEN = 20,
    NUM_UINT64_MAX_LEN = 20,
    NUM_DOUBLE_MAX_LEN = 25, /* "-0.00000" and 17 digits */
    NUM_DECIMAL_MAX_DIGITS = 17
};

size_t num_write_int64(char *to, int64_t number);
size_t num_write_uint64(char *to, uint64_t number);

/* A finite double the way ECMAScript lays it out (0.000001, 1e-7, 1e+21), except that a
 * whole number below 1e21 ends in ".0", zero included, so that it reads back as a
 * decimal: 100.0, -0.0. */
size_t num_write_double(char *to, double number);

/* The same with the fewest digits that read back as the same float. */
size_t num_write_float(char *to, float number);

/* The fewest decimal digits that read back as the same double and, of those, the ones
 * nearest to it:
 *
 *     d1.d2d3... x 10^exponent,      d1 and the last digit are not 0
 *
 * Zero has no digits: `count` and `exponent` are 0. */
typedef struct num_decimal {
    char digits[NUM_DECIMAL_MAX_DIGITS];
    int count;
    int exponent;
    bool negative; /* -0 too */
} num_decimal;

/* The number must be finite. */
num_decimal num_shortest(double number);

/* --- a lexeme taken apart, its value kept whole */

/* -1200.0340e+5      whole 1200, fraction 0340, exponent 5
 *                    high 1200, low 034, significant 7, magnitude 8
 *
 * The significant digits reach from the first that is not 0 to the last that is not 0;
 * the point may cut them in two, so they are `high` and `low`, one after the other. The
 * number is d1.d2d3... x 10^magnitude, as in num_decimal. Zero has no such digits and
 * magnitude 0. */
typedef struct num_parts {
    bool negative;
    bool integer;     /* neither point nor exponent is written */
    bool zero;        /* the value is 0, however it is written */
    int64_t exponent; /* as written, held within NUM_EXPONENT_MOST either way */
    pith_text whole;
    pith_text fraction;
    pith_text high; /* the significant digits before the point */
    pith_text low;  /* and those after it */
    size_t significant;
    int64_t magnitude; /* the true one unless the exponent was held */
} num_parts;

/* An exponent this large decides alone: no text is long enough to make up for it. */
#define NUM_EXPONENT_MOST INT64_C(1000000000000000000)

/* False, with `*parts` untouched, when the text is not one JSON number and no more. The
 * spans lie in the text; empty ones have a length of 0 and any pointer. */
bool num_scan(pith_text lexeme, num_parts *parts);

#endif
