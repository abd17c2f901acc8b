/*
 * decimal.h - the one spelling of a double that has a point or an exponent somewhere.
 *
 * The fewest digits that read back as the same double; without an exponent where the
 * size is in [1e-6, 2^53), else as d.ddde+21 or d.ddde-7. A double of 2^53 or more is
 * whole, and digits alone would make an integer of it: hence the upper end.
 */
#ifndef BASE_DECIMAL_H
#define BASE_DECIMAL_H

#include "base/num.h"
#include "base/out.h"

enum { DECIMAL_MAX_LEN = 32 };

/* Writes the canonical text of the double nearest to the lexeme, a number in JSON's
 * grammar. Returns its length; 0 when that double would be an infinity. -0 is 0. */
size_t decimal_write(char *to, pith_text lexeme);

/* Significant digits in two pieces, as num_parts has them: d1.d2d3... x 10^magnitude.
 * There is at least one. */
typedef struct decimal_span {
    pith_text high;
    pith_text low;
    int64_t magnitude;
} decimal_span;

/* Writes them without an exponent, 1200 or 0.0012, and with one, 1.2e+3 or 1.2e-3. */
void decimal_lay_plain(pith_out *out, const decimal_span *digits);
void decimal_lay_scientific(pith_out *out, const decimal_span *digits);

#endif
