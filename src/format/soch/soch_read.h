/*
 * soch_read.h - what the parts of the readers share.
 *
 *     soch_table.c        tables of either form, and references
 *
 *     soch_decode.c       tables, rows, and going on after a mistake
 *     soch_header.c       name[count]{fields}:
 *     soch_cell.c         a cell, and what its column's type makes of it
 *     soch_nested.c       arrays and objects inside cells
 *     soch_token.c        quoted text, numbers, words
 *
 *     soch_bin_decode.c   files: headers, checksums, compressed bodies
 *     soch_bin_schema.c   the table's name and fields
 *     soch_bin_value.c    cells
 *
 * Every function leaves `at` after what it read. False means that a problem has been
 * reported and the row (or the header) is of no use.
 */
#ifndef FORMAT_SOCH_SOCH_READ_H
#define FORMAT_SOCH_SOCH_READ_H

#include "base/list.h"
#include "base/scan.h"
#include "doc/read.h"
#include "format/quoted.h"
#include "format/soch/soch_layout.h"

#include <assert.h>

typedef struct soch_reader {
    TEXT_READER;
    const char *at;
    bool refs; /* references become texts */

    /* The table that is being read. */
    soch_layout layout;
    pith_arena *names;       /* where the names of it are kept */
    LIST(pith_field) fields; /* of the header that is being read */
    uint64_t count;          /* declared */
    uint64_t rows;           /* read so far */
    size_t column;           /* of the cell that is being read */
    uint16_t ref_shape; /* that of the last reference, or SHAPE_NONE before the first */

    /* Text. */
    bool strict;
    bool seed_only;
    bool compat; /* SochDB's own dialects */
    quoted_rules quotes;
    const char *header; /* where the table began */
    size_t header_line; /* the same, when those bytes are gone already; or 0 */
    bool met_header;    /* where a row was to begin, the next table does */

    /* Binary. */
    uint64_t raw_most;   /* bytes of an expanded body */
    alloc_meter *meter;  /* of memory; may be NULL */
    LIST(uint64_t) left; /* values that open containers still want, the innermost last */
    char *digits;        /* room for numbers, in the document's arena */
    char *digits_end;
} soch_reader;

static inline size_t soch_left(const soch_reader *r)
{
    assert(r->at <= r->end);
    return (size_t)(r->end - r->at);
}

/* Reports what became of building; true when all is well. */
static inline bool soch_built(soch_reader *r, build_result result)
{
    return result == BUILD_DONE || read_built(&r->in, result, r->at);
}

/* --- soch_table.c */

/* Reports a problem at `at`, with the row and the field that are being read; false. */
bool soch_bad_cell(soch_reader *r, const char *at, const char *code, const char *format,
                   ...) ERROR_FORMAT(4, 5);

/* Copies a name to where those of the table are kept. */
bool soch_keep_name(soch_reader *r, pith_text *name);

/* One more field of the header, zeroed; NULL when out of memory. */
pith_field *soch_add_field(soch_reader *r);

/* Makes the layout from the fields, whose names are kept. A field named like one before it
 * is a problem at `at`; `where` follows its number in the message. */
bool soch_use_fields(soch_reader *r, const char *at, const char *where);

/* A new table of the document, with the fields of the layout. `unnamed` says that its name
 * stands for none, `marked` the same of its last field. */
bool soch_add_table(soch_reader *r, pith_text name, bool unnamed, bool marked);

/* The array of the rows of that table. */
bool soch_open_table(soch_reader *r);

/* Tells whoever waits, from time to time, how far reading is; false when it is to end. */
bool soch_tell_progress(soch_reader *r);

/* Frees what the reader itself has taken. */
void soch_reader_free(soch_reader *r, const pith_alloc *alloc);

/* Reads a text of tables, which `read` does one by one; it returns false after the last
 * one. See soch_make_root for `wrapped`. */
void soch_read_tables(soch_reader *r, bool wrapped, bool (*read)(soch_reader *r));

/* A reference. */
bool soch_build_ref(soch_reader *r, pith_text table, uint8_t flags, pith_text id);

/* Where references are to be texts: makes the one at `at`, the last value on the tape, the
 * text ref(users,42). One to a table whose name needs quotes stays as it is. */
bool soch_spell_ref(soch_reader *r, size_t at);

/* Rows of a text that is one table and nothing else, one by one. When something follows
 * such a table, the rows before it are out already, and that is an error: "not_a_table".
 * A lone value has to be read whole. */
typedef struct soch_rows {
    soch_reader reader; /* its layout and counts stay */
    pith_arena names;
    bool begun;     /* the header has been read */
    bool named;     /* the table has a name */
    bool semicolon; /* text: one has come since the last row */
    bool summed;    /* binary: the checksum has been compared, or there is none; */
    uint32_t sum;   /* that of the bytes so far */
    size_t renewed; /* of the document's shapes, when that of the rows was found */
} soch_rows;

/* Goes on with the bytes of the job. */
void soch_rows_place(soch_rows *rows, const read_job *job);

/* After the header: READ_ROW when rows may follow. */
read_event soch_rows_begin(soch_rows *rows, read_job *job);

/* Before each row. False when out of memory. */
bool soch_rows_renew(soch_rows *rows);

/* Reports that another table is at `at`. */
void soch_not_a_table(soch_reader *r);

void soch_rows_close(void *state, const pith_alloc *alloc);
size_t soch_rows_columns(const void *state, const pith_doc *doc, pith_text *names,
                         size_t room);

/* --- soch_token.c */

/* Spaces, tabs and carriage returns. */
static inline const char *soch_skip_blanks(const char *at, const char *end)
{
    while (at < end && (*at == ' ' || *at == '\t' || *at == '\r'))
        at++;
    return at;
}

/* White space between the parts of a header, a reference or a vector. The original
 * grammar has none there. */
static inline void soch_skip_between(soch_reader *r)
{
    if (!r->seed_only)
        r->at = scan_spaces(r->at, r->end);
}

/* White space before a value; `white` skips as much of it as may stand there. In the
 * original grammar blanks belong to an unquoted value, and nothing else has any. */
static inline void soch_skip_before(soch_reader *r,
                                    const char *(*white)(const char *, const char *))
{
    const char *at = (r->seed_only ? soch_skip_blanks : white)(r->at, r->end);
    if (!r->seed_only || at == r->end || !strchr("\"[]{}", *at))
        r->at = at;
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

/* The quote that closes the one at `at`, or `end`. */
const char *soch_closing_quote(const char *at, const char *end);

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

/* Sets a slot to a text. */
bool soch_set_text(soch_reader *r, pith_text text, pith_slot *slot);

/* Sets a slot to bytes: base64, which may have its prefix. */
bool soch_set_bytes(soch_reader *r, pith_text token, pith_slot *slot);

/* Sets a slot to a float: `digits` may be whole and have leading zeros. */
bool soch_set_float(soch_reader *r, pith_text digits, pith_slot *slot);

/* Sets a slot to NaN, Inf or -Inf; false when the token is none of them. */
bool soch_set_odd_float(soch_reader *r, pith_text token, pith_slot *slot);

/* What a token is as a number; zeros may stand in front of it. The original grammar has
 * no exponents; what is written around it shows one after a fraction, 1.5e10, so that is
 * the only kind that counts there. */
typedef enum soch_number { SOCH_NO_NUMBER, SOCH_WHOLE, SOCH_FLOAT } soch_number;
soch_number soch_number_kind(const soch_reader *r, pith_text token);

/* Whether the digits, without leading zeros, are in [-2^63, 2^64). */
bool soch_fits(pith_text digits);

/* Digits without leading zeros, with `tail` after them; -0 without one is 0. NULL text when
 * out of memory, which only those with a minus or a tail need. */
pith_text soch_plain_digits(soch_reader *r, pith_text digits, const char *tail);

/* A copy of the slot after everything on the tape. */
static inline bool soch_put(soch_reader *r, const pith_slot *value)
{
    pith_slot *slot = build_slot(r->doc);
    if (!slot)
        return soch_built(r, BUILD_NO_MEMORY);
    *slot = *value;
    build_count(r->doc);
    return true;
}

/* --- soch_nested.c */

/* Whether the token is a reference in SochDB's spelling, @users:42. */
bool soch_is_at_ref(soch_reader *r, pith_text token, pith_text *table, pith_text *id);

/* The array or object at `at`, and everything in it. */
bool soch_read_nested(soch_reader *r);

/* The reference at `at`, which begins with "ref(". */
bool soch_read_ref(soch_reader *r);

static inline bool soch_at_ref(const soch_reader *r)
{
    return r->end - r->at >= 4 && memcmp(r->at, "ref(", 4) == 0;
}

/* --- soch_cell.c */

/* The value at `at`, where no type is known, if it is a simple one; false when it takes
 * more. Does not count it. */
bool soch_read_fast(soch_reader *r);

/* The cell at `at`, as the column's type says, and the blanks after it. */
bool soch_read_cell(soch_reader *r, const pith_field *field);

/* The same for one that is not simple. The field may be soch_inner, that of values in
 * arrays and objects. */
bool soch_read_slow_cell(soch_reader *r, const pith_field *field);
extern const pith_field soch_inner;

/* --- soch_header.c */

/* Fields and the } after them; the { is before `at`. `*marked` when the last one is bare "_". */
bool soch_read_fields(soch_reader *r, bool *marked);

/* The header at `at`, into a new table of the document and the fields above. */
bool soch_read_header(soch_reader *r);

/* True when a header begins at `at`, where neither the end is nor white space nor a
 * comment: a name with a [ after it. */
bool soch_at_header(const soch_reader *r);

/* --- soch_decode.c */

/* Sets the rules that the settings ask for. */
void soch_set_rules(soch_reader *r, const settings *set);

/* --- soch_bin_schema.c */

/* The bytes end too early. No length is believed before the bytes for it are there. */
bool soch_bin_truncated(soch_reader *r, const char *what);

bool soch_bin_varint(soch_reader *r, uint64_t *number);

/* A str; `flags` are those of its text. */
bool soch_bin_string(soch_reader *r, pith_text *text, uint8_t *flags, const char *what);

/* Checks `len` bytes at `at` for UTF-8 and takes them. */
bool soch_bin_text(soch_reader *r, uint64_t len, pith_text *text, uint8_t *flags,
                   const char *what);

/* The name and the fields, into a new table of the document and the layout. */
bool soch_bin_schema(soch_reader *r);

/* --- soch_bin_value.c */

/* One row, as an object after everything on the tape. */
bool soch_bin_row(soch_reader *r);

#endif
