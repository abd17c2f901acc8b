/*
 * pith_format.h - the Pith notation: JSON without the quotes, plus tables.
 *
 * docs/formats/pith.md is its specification.
 */
#ifndef FORMAT_PITH_PITH_FORMAT_H
#define FORMAT_PITH_PITH_FORMAT_H

#include "format/format.h"

extern const codec pith_notation;

/* The settings, in the order of the table. */
enum {
    PN_SET_ROWS,
    PN_SET_GROUPS,
    PN_SET_TABLE_COLUMNS,
    PN_SET_CONSTANTS,
    PN_SET_MAPS,
    PN_SET_NUMBERS,
    PN_SET_ORDER,
    PN_SET_LEVEL,
    PN_SET_NAMES,
    PN_SET_STEMS,
    PN_SET_MODELS,
    PN_SET_FILL,
    PN_SET_TEMPLATES
};

enum { PN_ROWS_LINES, PN_ROWS_INLINE };
enum { PN_NUMBERS_KEEP, PN_NUMBERS_SHORTEST };
enum { PN_ORDER_KEEP, PN_ORDER_FREE };

/* Columns stand at most this deep in a header; those of the table itself are 1. */
enum { PN_LEVELS_MOST = 8 };

/* A header with this many commas is written with spaces instead. A name after a space is
 * nearly always one token, after a comma it seldom is; with fewer commas the colon that
 * says so may cost more than it saves. */
enum { PN_SPACED_LEAST = 5 };

/* Bytes, as JSON, of a value that level 2 repeats, and of a template. */
enum { PN_REPEAT_MOST = 4096, PN_TEMPLATE_MOST = 255 };

/* Counts reach as far as doubles do without gaps. */
#define PN_COUNT_MOST ((UINT64_C(1) << 53) - 1)

void pn_decode(decode_job *job);
pith_status pn_encode(encode_job *job);

/* Rows one by one: writing is in pith_stream.c, reading in pith_read_rows.c. */
extern const struct row_format pn_row_format;
extern const read_codec pn_read;

#endif
