/*
 * settle.h - which form a value takes, decided by counting.
 */
#ifndef API_SETTLE_H
#define API_SETTLE_H

#include "api/tally.h"

/* Whether anything has to be counted before this can be written. */
bool api_is_open(const api_format *to);

/* Puts the format and settings to write the value with in `*settled`: those asked for,
 * except that "auto" becomes the cheapest format allowed, and under optimize=tokens the
 * settings that were left open take the values that cost the fewest tokens. What was
 * counted on the way goes into `outcome`, the rest of which stays as it is. */
pith_status api_settle(api_format *settled, const api_format *asked, const pith_doc *doc,
                       uint32_t at, const pith_options *options, pith_outcome *outcome,
                       pith_error *err);

#endif
