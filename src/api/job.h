/*
 * job.h - what the public calls share: choosing a format, reading, writing.
 */
#ifndef API_JOB_H
#define API_JOB_H

#include "format/format.h"

/* A chosen format and its settings for one side. */
typedef struct api_format {
    const codec *format;
    settings set;
} api_format;

/* Chooses the format for a side and reads its settings from the options. */
pith_status api_choose(api_format *chosen, const char *name, unsigned side,
                       pith_text text, const pith_options *options, pith_error *err);

/* PITH_BAD_USE for a format that is no text and has no tokens for `what` to count. */
pith_status api_check_countable(const codec *format, const char *what, pith_error *err);

/* Reads `text` into the emptied document; problems go to the report. Of the options
 * the depth limit, if it is set, and the functions for progress and notices count, for
 * this reading. */
void api_read(pith_doc *doc, const api_format *from, pith_text text,
              const pith_options *options, reporter *report);

/* The same for a format by name. */
pith_status api_read_text(pith_doc *doc, const char *name, const char *text, size_t len,
                          const pith_options *options, pith_error *err);

/* Writes a value of a document without doubles through `out` and finishes it. */
pith_status api_write(const api_format *to, pith_out *out, const pith_doc *doc,
                      uint32_t at, pith_error *err);

#endif
