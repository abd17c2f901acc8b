/*
 * cheapest.h - which form of a value costs the fewest tokens.
 */
#ifndef API_CHEAPEST_H
#define API_CHEAPEST_H

#include "api/cost.h"

/* Whether anything has to be counted before this can be written. */
bool form_is_open(const api_side *to);

/* Puts the format and settings to write the value with in `*chosen`: those asked for,
 * except that "auto" becomes the cheapest format allowed, and under optimize=tokens the
 * settings that were left open take the values that cost the fewest tokens. What was
 * counted on the way goes into `outcome`, the rest of which stays as it is. `err` is not
 * NULL. */
pith_status cheapest_form(api_side *chosen, const api_side *asked, const pith_doc *doc,
                          uint32_t at, const pith_options *options, pith_outcome *outcome,
                          pith_error *err);

#endif
