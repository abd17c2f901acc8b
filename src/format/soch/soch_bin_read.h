/*
 * soch_bin_read.h - what the parts of the binary decoder share.
 *
 *     soch_bin_decode.c   files: headers, checksums, compressed bodies
 *     soch_bin_schema.c   the table's name and fields
 *     soch_bin_value.c    cells
 *
 * No length is believed before the bytes for it are there.
 */
#ifndef FORMAT_SOCH_SOCH_BIN_READ_H
#define FORMAT_SOCH_SOCH_BIN_READ_H

#include "base/list.h"
#include "doc/read.h"
#include "format/soch/soch_bin.h"
#include "format/soch/soch_layout.h"

#include <assert.h>

typedef struct soch_bin_reader {
    TEXT_READER;
    const char *at;

    /* While an expanded body is read, every problem is where the body was. */
    bool expanded;
    size_t body_offset;

    soch_layout layout;
    pith_arena *names; /* where names are kept */
    uint64_t row;      /* that is being read, from 0 */
    size_t column;

    /* How many values the open containers still want, the innermost last. */
    LIST(uint64_t) left;

    char *digits; /* room for numbers, in the document's arena */
    char *digits_end;
    uint16_t ref_shape;
    bool refs; /* references become texts */
} soch_bin_reader;

static inline size_t soch_bin_left(const soch_bin_reader *r)
{
    assert(r->at <= r->end);
    return (size_t)(r->end - r->at);
}

static inline size_t soch_bin_offset(const soch_bin_reader *r, const char *at)
{
    return r->expanded ? r->body_offset : read_at(&r->in, at);
}

static inline bool soch_bin_built(soch_bin_reader *r, build_result result)
{
    return read_built(&r->in, result, r->expanded ? r->start + r->body_offset : r->at);
}

/* --- soch_bin_schema.c */

/* The bytes end too early. */
bool soch_bin_truncated(soch_bin_reader *r, const char *what);

bool soch_bin_varint(soch_bin_reader *r, uint64_t *number);

/* A str; `flags` are those of its text. */
bool soch_bin_string(soch_bin_reader *r, pith_text *text, uint8_t *flags,
                     const char *what);

/* Checks `len` bytes at `at` for UTF-8 and takes them. */
bool soch_bin_text(soch_bin_reader *r, uint64_t len, pith_text *text, uint8_t *flags,
                   const char *what);

/* The name and the fields, into a new table of the document and the layout. */
bool soch_bin_schema(soch_bin_reader *r, uint64_t rows);

/* --- soch_bin_value.c */

/* One row, as an object behind everything on the tape. */
bool soch_bin_row(soch_bin_reader *r);

/* --- soch_bin_decode.c */

typedef struct soch_bin_header {
    unsigned flags;
    uint64_t rows;
} soch_bin_header;

/* The 16 bytes at `at`. */
bool soch_bin_find_header(soch_bin_reader *r, soch_bin_header *header);

/* The checksum at `at`, which should be the one that was found. */
bool soch_bin_footer(soch_bin_reader *r, uint32_t found);

/* Reports that there is something behind the end; false. */
bool soch_bin_trailing(soch_bin_reader *r);

/* Puts the compressed body at `at` in the document's arena and makes it what is read;
 * `*behind` is where the file goes on. */
bool soch_bin_expand(soch_bin_reader *r, unsigned flags, uint64_t raw_most,
                     const char **behind);

#endif
