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

const char *csv_read_quoted(const char *at, const char *end, char delimiter,
                            csv_cell *cell)
{
    const char *from = at + 1;
    const char *close = csv_find_quote(from, end);
    cell->quoted = true;
    cell->doubled = false;
    cell->stray = NULL;
    while (end - close > 1 && close[1] == '"') {
        cell->doubled = true;
        close = csv_find_quote(close + 2, end);
    }
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

static bool csv_is_delimiter(char c, char delimiter)
{
    return delimiter ? c == delimiter : c == ',' || c == ';' || c == '\t';
}

static const char *csv_find_stop(const char *at, const char *end, char delimiter)
{
    if (delimiter)
        return csv_plain_end(at, end, delimiter);
    while (at < end && !csv_is_delimiter(*at, delimiter) && *at != '\n' && *at != '\r')
        at++;
    return at;
}

/* One step of the search; where to go on, which is `at` again only before a break. */
static const char *csv_find_step(csv_finder *finder, const char *at, const char *end,
                                 char delimiter)
{
    assert(at < end);
    switch (finder->state) {
    case CSV_AT_CELL:
        finder->state = *at == '"' ? CSV_IN_QUOTES : CSV_IN_PLAIN;
        return *at == '"' ? at + 1 : at;
    case CSV_IN_QUOTES:
        at = csv_find_quote(at, end);
        if (at == end)
            return end;
        finder->state = CSV_BEHIND_QUOTE;
        return at + 1;
    case CSV_BEHIND_QUOTE:
        finder->state = *at == '"' ? CSV_IN_QUOTES : CSV_IN_PLAIN;
        return *at == '"' ? at + 1 : at;
    case CSV_IN_PLAIN:
    default:
        at = csv_find_stop(at, end, delimiter);
        if (at < end && csv_is_delimiter(*at, delimiter)) {
            finder->state = CSV_AT_CELL;
            return at + 1;
        }
        return at;
    }
}

bool csv_find_record(csv_finder *finder, pith_text text, bool ended, char delimiter,
                     size_t *len)
{
    assert(finder->looked <= text.len);
    const char *end = text.ptr + text.len;
    const char *at = text.ptr + finder->looked;
    while (at < end) {
        at = csv_find_step(finder, at, end, delimiter);
        if (finder->state != CSV_IN_PLAIN || at == end || (*at != '\n' && *at != '\r'))
            continue;
        if (*at == '\r' && at + 1 == end && !ended)
            break; /* half a break, perhaps */
        *len = (size_t)(csv_skip_break(at, end) - text.ptr);
        memset(finder, 0, sizeof *finder);
        return true;
    }
    finder->looked = (size_t)(at - text.ptr);
    if (ended && text.len > 0) {
        *len = text.len;
        memset(finder, 0, sizeof *finder);
        return true;
    }
    return false;
}

char csv_guess_delimiter(pith_text record)
{
    csv_finder finder;
    const char *at = record.ptr;
    const char *end = at + record.len;
    bool semicolon = false;
    bool tab = false;
    memset(&finder, 0, sizeof finder);
    while (at < end) {
        at = csv_find_step(&finder, at, end, '\0');
        if (finder.state == CSV_IN_PLAIN && at < end && (*at == '\n' || *at == '\r'))
            break;
        if (finder.state == CSV_AT_CELL) {
            if (at[-1] == ',')
                return ',';
            semicolon = semicolon || at[-1] == ';';
            tab = tab || at[-1] == '\t';
        }
    }
    return semicolon ? ';' : tab ? '\t' : ',';
}
