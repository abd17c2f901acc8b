/*
 * csv_read.h - records into rows, for whole texts and for texts in pieces.
 *
 * What a cell is.   In quotes: text. Without quotes: null when nothing is there; a number
 *                   when all of it is one in JSON's grammar; true or false; else text.
 * What a column is. With types=infer one cell without quotes that is text makes the whole
 *                   column text (but for null): among A17 and B02 the codes 1e5 and 007
 *                   are no numbers. That is found out by looking ahead, over the records
 *                   that end in the first CSV_LOOK bytes, counted from the header; in
 *                   rows after those each cell is what it is. So a row can be handed on
 *                   before the last one is known, and a text means the same whether it
 *                   is read whole or in pieces. With types=cells nothing is looked at
 *                   ahead, and with types=text everything is text.
 *
 * Nothing is lost either way: a number keeps its digits as they are, so what is taken for
 * one (1.50, 1e5) is written back as it was, and what is not in JSON's grammar (007, +1,
 * .5, a number with a space) is text.
 */
#ifndef FORMAT_CSV_CSV_READ_H
#define FORMAT_CSV_CSV_READ_H

#include "doc/read.h"
#include "format/csv/csv.h"
#include "format/csv/csv_cell.h"

#include <assert.h>

enum { CSV_LOOK = 1024 * 1024 };

typedef enum csv_types { CSV_TYPES_INFER, CSV_TYPES_CELLS, CSV_TYPES_TEXT } csv_types;

typedef struct csv_reader {
    TEXT_READER;
    csv_types types;
    bool has_header;
    bool number_duplicates;
    bool pads;  /* short rows get nulls, and empty cells that are too many go */
    bool skips; /* what is no row is left out: */
    report_skips skipped;
    bool told;
    bool rows_tell; /* the first row has a say in what the delimiter is */
    char delimiter; /* '\0' until the header is found, if the settings leave it open */

    bool begun; /* the header has been read: */
    pith_arena *names;
    pith_key *columns; /* in `names`, as all that follows them */
    bool *is_text;     /* of each column: what has no quotes is text */
    size_t count;
    uint64_t rows;

    uint16_t shape;
    size_t shapes_seen; /* shapes of the document when `shape` was found */
} csv_reader;

/* The length of a first line that names the delimiter, as spreadsheets write it
 * ("sep=;"), with its break, and the delimiter; 0 when the record is no such line. */
size_t csv_read_sep(pith_text record, char *delimiter);

/* Makes columns of the header, which is the record at the front of `text`; what lies
 * between there and the last record that counts decides about the types. `whole` says
 * that the text has no more to come. Returns the header's length, which is 0 when the
 * record is itself a row; false in `*fine` when reading has to stop. */
size_t csv_read_header(csv_reader *r, pith_text text, size_t record_len, bool whole,
                       bool *fine);

/* Makes a row of the record at `at`, which is no blank line unless that is a row here.
 * Where the next record begins; NULL when reading has to stop. A record is not believed to
 * end with the bytes while more may come. */
const char *csv_read_row(csv_reader *r, const char *at);

/* A line with nothing in it is a row only where rows have one cell. */
static inline bool csv_is_blank(const csv_reader *r, const char *at)
{
    assert(at < r->end);
    return r->count != 1 && (*at == '\n' || *at == '\r');
}

/* The shape of the columns, again if the document has forgotten it; false when out of
 * memory. */
bool csv_find_shape(csv_reader *r);

#endif
