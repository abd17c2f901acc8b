/*
 * api.h - what the public calls share: a side of a conversion, reading, writing.
 */
#ifndef API_API_H
#define API_API_H

#include "format/format.h"

/* A format and its settings, for reading or for writing. */
typedef struct api_side {
    const codec *format;
    settings set;
} api_side;

/* PITH_BAD_USE for a struct of a caller whose size is neither 0 nor at least that of 0.2.0. */
pith_status check_size(const char *what, size_t size, size_t least, pith_error *err);

/* The format that knows types of columns; NULL when none is built in. */
const codec *table_codec_format(void);

/* The format of that name, or the one that the text looks like where it is NULL, and the
 * read settings of the options. */
pith_status side_for_reading(api_side *from, const char *name, pith_text text,
                             const pith_options *options, pith_error *err);

/* The format of that name and the write settings of the options. */
pith_status side_for_writing(api_side *to, const char *name, const pith_options *options,
                             pith_error *err);

/* The same for what leaves as it is made: it refuses the settings that every format knows
 * but that this, called `what`, cannot follow. */
pith_status side_for_streaming(api_side *to, const codec *format, const char *what,
                               const pith_options *options, pith_error *err);

/* PITH_BAD_USE for a binary format, whose tokens `what` cannot count. */
pith_status side_check_countable(const codec *format, const char *what, pith_error *err);

/* Reads `text` into the emptied document; problems go to the report. Of the options
 * the depth limit, if it is set, and the functions for progress and notices count, for
 * this reading. */
void side_read(const api_side *from, pith_doc *doc, pith_text text,
               const pith_options *options, reporter *report);

/* Leaves the part of the document that the settings ask for; done by side_read. */
void side_select(const api_side *from, pith_doc *doc, reporter *report);

/* The same as side_read for a format by name. */
pith_status read_text(pith_doc *doc, const char *name, const char *text, size_t len,
                      const pith_options *options, pith_error *err);

/* Encodes a value of a document without doubles, to the end of the text. `*bytes` is how
 * many the sink took. */
pith_status side_encode(const api_side *to, const pith_doc *doc, uint32_t at,
                        const pith_options *options, pith_sink sink, size_t *bytes,
                        pith_error *err);

/* Ends a text with a newline, if the settings ask for it and it has none. */
void side_end_text(const api_side *to, pith_out *out);

/* Whether the whole value is needed before anything can be written. */
bool side_needs_whole_value(const api_side *to);

/* Writes a value: every call that writes one ends here. Rows are left out and the form is
 * chosen, guarded and verified as the settings ask, and the outcome of the options is filled
 * in. */
pith_status write_value(const api_side *to, const pith_doc *doc, uint32_t at,
                        const pith_options *options, pith_sink sink, pith_error *err);

/* The same for a value that was read from `given`, all of it; NULL: it was not. So many rows
 * more were left out already. */
struct form_given;
pith_status write_read_value(const api_side *to, const pith_doc *doc, uint32_t at,
                             const struct form_given *given, size_t rows_gone,
                             const pith_options *options, pith_sink sink,
                             pith_error *err);

/* PITH_UNREPRESENTABLE when the text, written as `to`, does not read back as the value. */
pith_status write_verify(const api_side *to, pith_text text, settings_verify how,
                         const pith_doc *doc, uint32_t at, const pith_options *options,
                         pith_error *err);

/* Fills in the outcome, if the options want one. */
void set_outcome(const pith_options *options, pith_outcome outcome);

/* The same for a text that left as it was made. */
void set_streamed_outcome(const pith_options *options, const codec *format,
                          const pith_out *out);

#endif
