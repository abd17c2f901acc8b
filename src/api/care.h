/*
 * care.h - writing that looks before it leaps: auto, optimize, guard and verify.
 */
#ifndef API_CARE_H
#define API_CARE_H

#include "api/job.h"

/* Whether the whole value is needed before anything can be written. */
bool api_is_careful(const api_format *to);

/* Fills in the outcome, if the options want one. */
void api_tell(const pith_options *options, pith_outcome outcome);

/* Writes a value to the sink, in the form and with the care its settings ask for, and
 * fills in the outcome of the options. */
pith_status api_write_to(const api_format *to, const pith_doc *doc, uint32_t at,
                         const pith_options *options, pith_sink sink, pith_error *err);

/* The same for a form that has been settled; `outcome` is what is known of it. */
pith_status api_write_settled(const api_format *to, const pith_doc *doc, uint32_t at,
                              const pith_options *options, pith_sink sink,
                              pith_outcome outcome, pith_error *err);

#endif
