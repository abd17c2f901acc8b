/*
 * soch_read.h - what the parts of the text decoder share.
 *
 *     soch_decode.c   tables, rows, and going on behind a mistake
 *     soch_header.c   name[count]{fields}:
 *     soch_cell.c     a cell, and what its column's type makes of it
 *     soch_nested.c   arrays and objects inside cells
 *     soch_token.c    quoted text, numbers, words
 *
 * Every function leaves `at` behind what it read. False means that a problem has been
 * reported and the row (or the header) is of no use.
 */
#ifndef FORMAT_SOCH_SOCH_READ_H
#define FORMAT_SOCH_SOCH_READ_H

#include "base/scan.h"
#include "format/quoted.h"
#include "doc/read.h"
#include "format/soch/soch_layout.h"

#include <assert.h>

typedef struct soch_reader {
    TEXT_READER;
    const char *at;
    bool strict;
    bool seed_only;
    bool compat; /* SochDB's own dialects */
    bool refs;   /* references become texts */
    quoted_rules quotes;

    /* The table that is being read. */
    soch_layout layout;
    pith_arena *names;  /* where the names of it are kept */
    uint64_t count;     /* declared */
    uint64_t rows;      /* read so far */
    const char *header; /* where it began */
    size_t header_line; /* the same, when those bytes are gone already; or 0 */
    size_t column;      /* of the cell that is being read */
    bool met_header;    /* where a row was to begin, the next table does */

    uint16_t ref_shape; /* see soch_open_ref */
} soch_reader;

static inline size_t soch_offset(const soch_reader *r, const char *at)
{
    return read_at(&r->in, at);
}

static inline size_t soch_left(const soch_reader *r)
{
    assert(r->at <= r->end);
    return (size_t)(r->end - r->at);
}

/* Reports what became of building; true when all is well. */
static inline bool soch_built(soch_reader *r, build_result result)
{
    return read_built(&r->in, result, r->at);
}

/* --- soch_token.c */

/* Where in a row and column the reader is, for messages. */
typedef struct soch_where {
    char text[96];
} soch_where;

soch_where soch_here(const soch_reader *r);

/* Spaces, tabs and carriage returns. */
static inline const char *soch_skip_blanks(const char *at, const char *end)
{
    while (at < end && (*at == ' ' || *at == '\t' || *at == '\r')) {
        at++;
    }
    return at;
}

/* White space between the parts of a header, a reference or a vector. The original
 * grammar has none there. */
static inline void soch_skip_between(soch_reader *r)
{
    if (!r->seed_only) {
        r->at = scan_spaces(r->at, r->end);
    }
}

/* White space before a value; `white` skips as much of it as may stand there. In the
 * original grammar blanks belong to an unquoted value, and nothing else has any. */
static inline void soch_skip_before(soch_reader *r,
                                    const char *(*white)(const char *, const char *))
{
    const char *at = (r->seed_only ? soch_skip_blanks : white)(r->at, r->end);
    if (!r->seed_only || at == r->end || !strchr("\"[]{}", *at)) {
        r->at = at;
    }
}

/* All white space; mostly there is none. */
static inline const char *soch_skip_white(const char *at, const char *end)
{
    return at < end && (unsigned char)*at > ' ' ? at : scan_spaces(at, end);
}

/* What cannot be inside an unquoted value. */
#define SOCH_ENDS_RAW SCAN_SET(SCAN_BRACKETS, ',', ';', '\n', '"')

/* The first byte that cannot be inside an unquoted value: , ; " { } [ ] or a line
 * feed; or `end`. */
const char *soch_scan_raw(const char *at, const char *end);

/* The unquoted value at `at`, up to `end` or what cannot be part of it, without the
 * blanks around it. */
pith_text soch_take_raw(soch_reader *r);

/* Sets the rules of quoted texts, which follow from the settings. */
void soch_set_quoted_rules(soch_reader *r);

/* The quoted text at `at`; its text, with the flags of it. */
bool soch_read_quoted(soch_reader *r, pith_text *text, uint8_t *flags);

/* A name: quoted, or everything before one of `stops`, without the blanks around it.
 * `*quoted` says which; `what` says what it names. */
bool soch_read_name(soch_reader *r, const char *stops, const char *what, pith_text *name,
                    bool *quoted);

/* Makes the slot what an unquoted value means where no type is known. */
bool soch_sort_token(soch_reader *r, pith_text token, pith_slot *slot);

/* The words that mean null everywhere. */
bool soch_is_null(pith_text token);

/* Sets a slot to bytes whose base64 is given; problems are reported. */
bool soch_set_bytes(soch_reader *r, pith_text base64, bool prefixed, pith_slot *slot);

/* Sets a slot to a float: `digits` may be whole and have leading zeros. */
bool soch_set_float(soch_reader *r, pith_text digits, pith_slot *slot);

/* Sets a slot to NaN, Inf or -Inf; false when the token is none of them. */
bool soch_set_odd_float(soch_reader *r, pith_text token, pith_slot *slot);

/* What a token is as a number; zeros may stand in front of it. The original grammar has
 * no exponents; what is written around it shows one behind a fraction, 1.5e10, so that is
 * the only kind that counts there. */
typedef enum soch_number { SOCH_NO_NUMBER, SOCH_WHOLE, SOCH_FLOAT } soch_number;
soch_number soch_number_kind(const soch_reader *r, pith_text token);

/* Whether the digits, without leading zeros, are in [-2^63, 2^64). */
bool soch_fits(pith_text digits);

/* Digits without leading zeros, -0 as 0. NULL text when out of memory. */
pith_text soch_plain_digits(soch_reader *r, pith_text digits);

/* A copy of the slot behind everything on the tape. */
static inline bool soch_put(soch_reader *r, const pith_slot *value)
{
    pith_slot *slot = build_slot(r->doc);
    if (!slot) {
        return soch_built(r, BUILD_NO_MEMORY);
    }
    *slot = *value;
    build_count(r->doc);
    return true;
}

/* --- soch_nested.c */

/* The token as a reference in SochDB's spelling, @users:42; `*built` says whether it was
 * one. */
bool soch_sort_at(soch_reader *r, pith_text token, bool *built);

/* The array or object at `at`, and everything in it. */
bool soch_read_nested(soch_reader *r);

/* The reference at `at`, which begins with "ref(". */
bool soch_read_ref(soch_reader *r);

/* The object of a reference. */
bool soch_build_ref(soch_reader *r, pith_text table, uint8_t flags, pith_text id);

static inline bool soch_at_ref(const soch_reader *r)
{
    return r->end - r->at >= 4 && memcmp(r->at, "ref(", 4) == 0;
}

/* --- soch_cell.c */

/* The value at `at`, where no type is known, if it is a simple one; false when it takes
 * more. Does not count it. */
bool soch_read_fast(soch_reader *r);

/* The cell at `at`, as the column's type says, and the blanks behind it. */
bool soch_read_cell(soch_reader *r, const pith_field *field);

/* --- soch_header.c */

/* Fields and the } behind them, into the layout; the { is before `at`. */
bool soch_read_field_list(soch_reader *r);

/* The header at `at`, into a new table of the document and the fields above. */
bool soch_read_header(soch_reader *r);

/* True when a header begins at `at`, where neither the end is nor white space nor a
 * comment: a name with a [ behind it. */
bool soch_at_header(const soch_reader *r);

/* --- soch_decode.c */

/* Prepares the reader for a text. */
void soch_reader_init(soch_reader *r, pith_doc *doc, pith_text input, reporter *report,
                      const settings *set);

/* One row, as an object behind everything on the tape. */
bool soch_read_row(soch_reader *r);

/* More or fewer rows than declared: `more` is "more than " or nothing. */
void soch_bad_count(soch_reader *r, const char *more);

/* Skips white space and, before a header, lines that begin with #. */
void soch_skip_to_header(soch_reader *r);

#endif
