/*
 * care.h - writing that looks before it leaps: guard and verify.
 */
#ifndef API_CARE_H
#define API_CARE_H

#include "api/job.h"

/* Whether the settings ask for any care, which needs the whole text in memory. */
static inline bool api_is_careful(const api_format *to)
{
    return to->set.common[SETTINGS_GUARD] || to->set.common[SETTINGS_VERIFY];
}

/* Fills in the outcome, if the options want one. */
void api_tell(const pith_options *options, const char *format, size_t bytes,
              size_t other_bytes);

/* Writes a value to the sink, with the care its settings ask for, and fills in the
 * outcome of the options. */
pith_status api_write_to(const api_format *to, const pith_doc *doc, uint32_t at,
                         const pith_options *options, pith_sink sink, pith_error *err);

#endif
