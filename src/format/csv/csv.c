/*
 * csv.c - CSV and TSV as formats: settings, and what they look like.
 */
#include "format/csv/csv.h"
#include "base/lex.h"
#include "base/utf8.h"
#include "format/csv/csv_read.h"

static const pith_setting csv_settings[] = {CSV_SETTINGS(SETTINGS_ROW)};

/* ------------------------------------------------------------------------ sniffing */

enum { CSV_SNIFF_BYTES = 64 * 1024, CSV_SNIFF_ROWS = 64 };

/* A name, or a cell below one, as tables have them and prose has not: it does not begin
 * with a space. A name is not empty and no number either. */
static bool csv_is_likely(const csv_cell *cell, bool name)
{
    if (cell->unclosed || cell->stray)
        return false;
    pith_text text = cell->text;
    if (text.len == 0)
        return !name;
    if (!cell->quoted && (text.ptr[0] == ' ' || text.ptr[0] == '{' || text.ptr[0] == '['))
        return false;
    const char *end = text.ptr + text.len;
    return !name || lex_read_number(text.ptr, end).end != end;
}

/* The cells of a record; 0 when it is not like one of a table. */
static size_t csv_sniff_record(pith_text record, char delimiter, bool header)
{
    const char *end = record.ptr + record.len;
    const char *at = record.ptr;
    for (size_t count = 1;; count++) {
        csv_cell cell;
        at = csv_read_cell(at, end, delimiter, &cell);
        if (!csv_is_likely(&cell, header))
            return 0;
        if (at == end || *at != delimiter)
            return count;
        at++;
    }
}

/* Several records with the same number of cells, more than one, below names. Of a long
 * text only the beginning is looked at, and there the last record may be cut off. */
static bool csv_sniff_with(pith_text text, char delimiter)
{
    size_t width = 0;
    size_t rows = 0;
    size_t len;
    bool cut = text.len > CSV_SNIFF_BYTES;
    size_t bom = utf8_bom(text.ptr, text.len);
    text = text_of(text.ptr + bom, (cut ? (size_t)CSV_SNIFF_BYTES : text.len) - bom);
    while (rows < CSV_SNIFF_ROWS && csv_find_record(text, !cut, delimiter, &len)) {
        size_t found = csv_sniff_record(text_of(text.ptr, len), delimiter, rows == 0);
        if (found < 2 || (rows > 0 && found != width))
            return false;
        width = found;
        rows++;
        text = text_of(text.ptr + len, text.len - len);
    }
    return rows >= 2;
}

static bool csv_sniff(pith_text text)
{
    return csv_sniff_with(text, ',') || csv_sniff_with(text, ';');
}

static bool tsv_sniff(pith_text text)
{
    return csv_sniff_with(text, '\t');
}

/* ---------------------------------------------------------------- the two formats */

/* Text without quotes is exact again where each cell is judged by itself. */
static void csv_read_back(settings *set, const settings *written)
{
    if (settings_number(written, CSV_QUOTE) != 0)
        set->number[CSV_TYPES] = CSV_TYPES_CELLS;
}

const codec csv_format = {
    .info = {"csv", ".csv", "text/csv",
             "flat tables, RFC 4180, with types kept by quotes", PITH_READ | PITH_WRITE,
             PITH_READ | PITH_WRITE, false, csv_settings, CSV_SETTING_COUNT,
             .exchange = true},
    .sniff = csv_sniff,
    .decode = csv_decode,
    .encode = csv_encode,
    .read_rows = &csv_read,
    .write_rows = &csv_row_format,
    .read_back = csv_read_back,
};

const codec tsv_format = {
    .info = {"tsv", ".tsv .tab", "text/tab-separated-values",
             "csv with tabs between the cells", PITH_READ | PITH_WRITE,
             PITH_READ | PITH_WRITE, false, csv_settings, CSV_DELIMITER,
             .exchange = true},
    .sniff = tsv_sniff,
    .decode = csv_decode,
    .encode = csv_encode,
    .read_rows = &csv_read,
    .write_rows = &csv_row_format,
    .read_back = csv_read_back,
};
