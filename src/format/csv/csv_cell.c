/*
 * csv_cell.c - cutting a text into records and cells.
 */
#include "format/csv/csv_cell.h"

#include <assert.h>

static const char *csv_find_quote(const char *at, const char *end)
{
    const char *found =
        at < end ? (const char *)memchr(at, '"', (size_t)(end - at)) : NULL;
    return found ? found : end;
}

/* The quote that closes the quoted cell whose text begins at `at`; or `end`. */
static const char *csv_find_close(const char *at, const char *end, bool *doubled)
{
    const char *close = csv_find_quote(at, end);
    *doubled = false;
    while (end - close > 1 && close[1] == '"') {
        *doubled = true;
        close = csv_find_quote(close + 2, end);
    }
    return close;
}

const char *csv_read_quoted(const char *at, const char *end, char delimiter,
                            csv_cell *cell)
{
    const char *from = at + 1;
    const char *close = csv_find_close(from, end, &cell->doubled);
    cell->quoted = true;
    cell->stray = NULL;
    cell->text = text_of(from, (size_t)(close - from));
    cell->unclosed = close == end;
    if (cell->unclosed)
        return end;
    const char *stop = csv_plain_end(close + 1, end, delimiter);
    cell->stray = stop > close + 1 ? close + 1 : NULL;
    return stop;
}

size_t csv_undouble(char *to, pith_text text)
{
    const char *at = text.ptr;
    const char *end = at + text.len;
    char *out = to;
    while (at < end) {
        const char *quote = csv_find_quote(at, end);
        size_t len = (size_t)(quote - at) + (quote < end);
        memcpy(out, at, len);
        out += len;
        at = quote + 2;
    }
    return (size_t)(out - to);
}

/* ------------------------------------------------------------------------- records */

static bool csv_is_break(char c)
{
    return c == '\n' || c == '\r';
}

/* Where the cell at `at` ends: at a delimiter, at a break or at `end`. */
static const char *csv_skip_cell(const char *at, const char *end, char delimiter)
{
    static const char stops[] = {',', ';', '\t', '\n', '\r'};
    bool doubled;
    if (at < end && *at == '"') {
        at = csv_find_close(at + 1, end, &doubled);
        at += at < end;
    }
    if (delimiter)
        return csv_plain_end(at, end, delimiter);
    while (at < end && !memchr(stops, *at, sizeof stops))
        at++;
    return at;
}

bool csv_find_record(pith_text text, bool ended, char delimiter, size_t *len)
{
    const char *end = text.ptr + text.len;
    const char *at = csv_skip_cell(text.ptr, end, delimiter);
    while (at < end && !csv_is_break(*at))
        at = csv_skip_cell(at + 1, end, delimiter);
    const char *after = csv_skip_break(at, end);
    *len = (size_t)(after - text.ptr);
    /* What ends with the text may go on; a carriage return may be half a break. */
    return ended ? text.len > 0 : at < end && (after < end || end[-1] == '\n');
}

char csv_guess_delimiter(pith_text record)
{
    const char *end = record.ptr + record.len;
    bool semicolon = false;
    bool tab = false;
    const char *at = csv_skip_cell(record.ptr, end, '\0');
    for (; at < end && !csv_is_break(*at); at = csv_skip_cell(at + 1, end, '\0')) {
        if (*at == ',')
            return ',';
        semicolon = semicolon || *at == ';';
        tab = tab || *at == '\t';
    }
    return semicolon ? ';' : tab ? '\t' : ',';
}

/* The cells of the record at the front of the text; 0 when its quotes do not fit. */
static size_t csv_cells(pith_text text, char delimiter)
{
    const char *end = text.ptr + text.len;
    const char *at = text.ptr;
    for (size_t count = 1;; count++) {
        csv_cell cell;
        at = csv_read_cell(at, end, delimiter, &cell);
        if (cell.quoted && (cell.unclosed || cell.stray))
            return 0;
        if (at == end || *at != delimiter)
            return count;
        at++;
    }
}

bool csv_is_mixed(pith_text header)
{
    size_t kinds = 0;
    for (const char *kind = CSV_DELIMITERS; *kind; kind++)
        kinds += csv_cells(header, *kind) > 1;
    return kinds > 1 || csv_cells(header, '|') > 1;
}

char csv_find_delimiter(pith_text header, pith_text rest)
{
    char best = '\0';
    size_t most = 1;
    for (const char *kind = CSV_DELIMITERS; *kind; kind++) {
        size_t cells = csv_cells(header, *kind);
        if (cells > most && csv_cells(rest, *kind) == cells) {
            best = *kind;
            most = cells;
        }
    }
    return best ? best : csv_guess_delimiter(header);
}
