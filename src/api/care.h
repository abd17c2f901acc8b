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

/* For what leaves as it is made and cannot be held back: chooses the format, and refuses
 * the settings that every format knows but this, called `what`, cannot follow. */
pith_status api_choose_plain(api_format *to, const codec *format, const char *what,
                             const pith_options *options, pith_error *err);

/* Fills in the outcome, if the options want one, of a text that has left that way. */
void api_tell_plain(const pith_options *options, const codec *format,
                    const pith_out *out);

/* Writes a value to the sink, in the form and with the care its settings ask for, and
 * fills in the outcome of the options. */
pith_status api_write_to(const api_format *to, const pith_doc *doc, uint32_t at,
                         const pith_options *options, pith_sink sink, pith_error *err);

/* The same for a form that has been settled; `outcome` is what is known of it. */
pith_status api_write_settled(const api_format *to, const pith_doc *doc, uint32_t at,
                              const pith_options *options, pith_sink sink,
                              pith_outcome outcome, pith_error *err);

#endif
