/*
 * csv_cell.h - cutting a text into records and cells.
 *
 *     record  = cell *( delimiter cell ) break
 *     cell    = '"' *( any byte but '"', or '""' ) '"'
 *             / *( any byte but the delimiter, CR and LF )
 *     break   = LF / CR LF / CR / the end of the text
 *
 * A quote opens a quoted cell only where a cell begins; further on it is a character
 * like others, as in 5" disk. After a closing quote nothing but a delimiter or a break
 * may stand.
 */
#ifndef FORMAT_CSV_CSV_CELL_H
#define FORMAT_CSV_CSV_CELL_H

#include "base/scan.h"
#include "base/text.h"

typedef struct csv_cell {
    pith_text text; /* without the quotes around it */
    bool quoted;
    bool doubled;      /* holds quotes that stand twice */
    bool unclosed;     /* the text ends inside the quotes */
    const char *stray; /* what should not be after the closing quote; NULL when fine */
} csv_cell;

/* The first delimiter or byte of a break; or `end`. */
static inline const char *csv_plain_end(const char *at, const char *end, char delimiter)
{
    return scan_to(SCAN_SET(0, '\n', '\r', delimiter), at, end);
}

const char *csv_read_quoted(const char *at, const char *end, char delimiter,
                            csv_cell *cell);

/* Reads the cell at `at`; where it ends: at a delimiter, at a break or at `end`. */
static inline const char *csv_read_cell(const char *at, const char *end, char delimiter,
                                        csv_cell *cell)
{
    if (at < end && *at == '"')
        return csv_read_quoted(at, end, delimiter, cell);
    const char *stop = csv_plain_end(at, end, delimiter);
    cell->text = text_of(at, (size_t)(stop - at));
    cell->quoted = false;
    cell->doubled = false;
    cell->unclosed = false;
    cell->stray = NULL;
    return stop;
}

/* After the break at `at`, if there is one. */
static inline const char *csv_skip_break(const char *at, const char *end)
{
    if (at < end && *at == '\r') {
        at++;
        return at < end && *at == '\n' ? at + 1 : at;
    }
    return at < end && *at == '\n' ? at + 1 : at;
}

/* Writes the text of a quoted cell with its doubled quotes made single; `to` has room
 * for all of it. Returns the length. */
size_t csv_undouble(char *to, pith_text text);

/* True when the record at the front of `text` is whole, or the text has ended and is
 * not empty; then `*len` is its length with its break. A '\0' for a delimiter means that
 * it is not known yet: any of , ; and tab. */
bool csv_find_record(pith_text text, bool ended, char delimiter, size_t *len);

/* The delimiter a first record is clearly cut by: a semicolon or else a tab if there
 * is no comma outside quotes, and otherwise a comma. */
char csv_guess_delimiter(pith_text record);

/* What may stand between cells; of two that are equally likely, the first. */
#define CSV_DELIMITERS ",;\t|"

/* Whether the header alone does not tell: more than one of the delimiters cuts it, or
 * pipes do. */
bool csv_is_mixed(pith_text header);

/* The delimiter that cuts the header and the record after it, at the front of `rest`, into
 * the same number of cells; of several, the one that makes most. If there is none, what
 * csv_guess_delimiter says. */
char csv_find_delimiter(pith_text header, pith_text rest);

#endif
