/*
 * toon.h - Token-Oriented Object Notation, versions 4 and 3, and the table dialect
 * that Seamless-RAG prints.
 *
 * One implementation serves every version; what differs is gathered in
 * toon_options, so that the encoder and the decoder ask about behaviour and never
 * about a version number.
 */
#ifndef FORMAT_TOON_TOON_H
#define FORMAT_TOON_TOON_H

#include "format/format.h"

extern const codec toon_format;
extern const codec toon_rows_format;

/* The settings of `toon`, in the order of its table. */
enum {
    TOON_VERSION,
    TOON_DELIMITER,
    TOON_INDENT,
    TOON_STRICT,
    TOON_FOLD,
    TOON_FLATTEN_DEPTH,
    TOON_EXPAND
};

/* Those of `toon-rows`. */
enum { TOON_ROWS_DELIMITER, TOON_ROWS_INDENT, TOON_ROWS_SETTINGS };

typedef enum toon_version { TOON_4, TOON_3, TOON_3_0 } toon_version;

typedef struct toon_options {
    toon_version version;
    char delimiter; /* ',', '\t' or '|': the document delimiter of the encoder */
    unsigned indent;
    bool strict;
    bool fold; /* version 3: key folding and path expansion */
    uint64_t flatten_depth;
    bool expand;
} toon_options;

/* The options after the settings of `toon` and of `toon-rows`. */
toon_options toon_options_from(const settings *set);
toon_options toon_rows_options_from(const settings *set);

/* PITH_BAD_USE when the settings of the writing side contradict each other. */
pith_status toon_check_writing(const toon_options *options, pith_error *err);

/* Reading, and writing a value; both are for both where not named. */
void toon_decode(decode_job *job);
extern const read_codec toon_read;
pith_status toon_encode(encode_job *job);

pith_status toon_rows_encode(encode_job *job);

/* Tables that leave row by row. Both need to know their columns. */
extern const struct row_format toon_row_format; /* for both */

#endif
