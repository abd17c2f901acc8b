/*
 * soch_fit.h - cells in columns whose type was declared or found from the values.
 *
 * A document that was read as a typed table fits its columns. Values of other formats
 * need not, and some mean what the column holds in another spelling:
 *
 *     float   whole numbers; the texts NaN, Inf, -Inf, Infinity, -Infinity
 *     bool    0 and 1, as databases have them
 *     bytes   a text that is base64, with or without b64: before it
 *     vec     an array of numbers
 *     ref     a row's number, where the column names the table; ref(users,42) as a text
 */
#ifndef FORMAT_SOCH_SOCH_FIT_H
#define FORMAT_SOCH_SOCH_FIT_H

#include "format/soch/soch.h"

/* A cell as its column has it. */
typedef struct soch_fitted {
    const pith_slot *cell; /* the same, or `made` */
    pith_text base64;      /* of bytes that are a plain text; else ptr is NULL */
    pith_slot made[3];
    char digits[20];
} soch_fitted;

/* Makes a cell fit; NULL is one that is missing, which is null. The row, of which a failure
 * tells, is counted from 0. */
pith_status soch_fit(const pith_field *field, const pith_slot *cell, uint64_t row,
                     soch_fitted *to, pith_error *err);

/* Refuses a cell, the slots up to `end`, that would have to be made to fit. Only whole numbers
 * are floats, and arrays of numbers vectors, without that. */
pith_status soch_fit_as_it_is(const pith_field *field, const pith_slot *cell,
                              const pith_slot *end, uint64_t row, pith_error *err);

/* Refuses a number that no table can hold; PITH_OK for everything else. */
pith_status soch_check_number(const pith_slot *slot, pith_error *err);

/* Whether the text is a reference in the spelling ref(users,42). */
bool soch_is_ref_text(pith_text text, pith_text *table, uint64_t *id);

/* A reference of those two parts, in slots that stand alone. */
void soch_make_ref(soch_fitted *to, pith_text table, uint64_t id);

#endif
