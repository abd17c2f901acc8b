/*
 * toon_rows.h - what the whole table and the table row by row have in common.
 */
#ifndef FORMAT_TOON_TOON_ROWS_H
#define FORMAT_TOON_TOON_ROWS_H

#include "format/toon/toon_scalar.h"

/* A pen for this dialect: version 3's quotes, and never an exponent. */
void toon_rows_pen_init(toon_pen *pen, pith_out *out, const toon_options *options);

/* [N,] */
char *toon_rows_put_count(const toon_pen *pen, char *to, uint64_t count);

/* The error for a number that the pen refused. */
pith_status toon_rows_refuse_number(pith_error *err, uint64_t row, pith_text field);

#endif
