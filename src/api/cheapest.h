/*
 * cheapest.h - which form of a value costs the fewest tokens.
 */
#ifndef API_CHEAPEST_H
#define API_CHEAPEST_H

#include "api/cost.h"

/* A text that was read, all of it as it is: "auto" may leave it so. */
typedef struct form_given {
    const codec *format;
    pith_text text;
} form_given;

/* Whether anything has to be counted before this can be written. */
bool form_is_open(const api_side *to);

/* A value whose form is open. */
typedef struct form_job {
    const api_side *asked;
    const pith_doc *doc;
    uint32_t at;
    const form_given *given; /* NULL: it was not read, or not all of it */
    const pith_options *options;
} form_job;

/* Puts the format and settings to write the value with in `*chosen`: those asked for,
 * except that "auto" becomes the cheapest format allowed, and under optimize=tokens the
 * settings that were left open take the values that cost the fewest tokens. The text that
 * was counted replaces what is in `text`, and what its writer remarks is told: that of no
 * other form is. What was counted on the way goes into `outcome`,
 * the rest of which stays as it is. `err` is not NULL. */
pith_status cheapest_form(const form_job *form, api_side *chosen, pith_buffer *text,
                          pith_outcome *outcome, pith_error *err);

#endif
