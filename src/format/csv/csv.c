/*
 * csv.c - CSV and TSV as formats: settings, and what they look like.
 */
#include "format/csv/csv.h"
#include "base/lex.h"
#include "base/utf8.h"
#include "format/csv/csv_read.h"

/* TSV has all but the last. */
static const pith_setting csv_settings[] = {
    {"types", PITH_SETTING_CHOICE, PITH_READ, "infer|cells|text", 0, 0, "infer",
     "what cells without quotes are: judged by column, each by itself, or always text"},
    {"header", PITH_SETTING_BOOL, PITH_READ | PITH_WRITE, NULL, 0, 0, "true",
     "the first line names the columns; without, they are column_1 and so on"},
    {"duplicates", PITH_SETTING_CHOICE, PITH_READ, "refuse|number", 0, 0, "refuse",
     "what a repeated name means: an error, or a name with the column's number"},
    {"quote", PITH_SETTING_CHOICE, PITH_WRITE, "text|needed", 0, 0, "text",
     "put all text in quotes, or only where it would be read as something else"},
    {"nested", PITH_SETTING_CHOICE, PITH_WRITE, "refuse|json", 0, 0, "refuse",
     "what an array or object in a cell becomes: an error, or its JSON"},
    {"absent", PITH_SETTING_CHOICE, PITH_WRITE, "refuse|null", 0, 0, "refuse",
     "what a field that a row lacks becomes: an error, or an empty cell"},
    {"newline", PITH_SETTING_CHOICE, PITH_WRITE, "lf|crlf", 0, 0, "lf",
     "what ends a line"},
    {"delimiter", PITH_SETTING_CHOICE, PITH_READ | PITH_WRITE,
     "auto|comma|semicolon|tab|pipe", 0, 0, "auto",
     "what stands between cells; auto reads what the first line is cut by and writes "
     "commas"},
};

csv_options csv_options_from(const settings *set, bool tabs)
{
    static const char delimiters[] = {'\0', ',', ';', '\t', '|'};
    csv_options options;
    options.delimiter = tabs ? '\t' : delimiters[settings_number(set, CSV_DELIMITER)];
    options.types = (csv_types)settings_number(set, CSV_TYPES);
    options.header = settings_bool(set, CSV_HEADER);
    options.number_duplicates = settings_number(set, CSV_DUPLICATES) != 0;
    options.quote_needed = settings_number(set, CSV_QUOTE) != 0;
    options.nested_json = settings_number(set, CSV_NESTED) != 0;
    options.absent_null = settings_number(set, CSV_ABSENT) != 0;
    options.crlf = settings_number(set, CSV_NEWLINE) != 0;
    return options;
}

csv_options csv_options_for_writing(const settings *set)
{
    csv_options options = csv_options_from(set, set->count == CSV_SETTINGS_SHARED);
    options.delimiter = options.delimiter ? options.delimiter : ',';
    return options;
}

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
    csv_finder finder;
    size_t width = 0;
    size_t rows = 0;
    size_t len;
    bool cut = text.len > CSV_SNIFF_BYTES;
    size_t bom = utf8_bom(text.ptr, text.len);
    text = text_of(text.ptr + bom, (cut ? (size_t)CSV_SNIFF_BYTES : text.len) - bom);
    memset(&finder, 0, sizeof finder);
    while (rows < CSV_SNIFF_ROWS &&
           csv_find_record(&finder, text, !cut, delimiter, &len)) {
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

static void csv_decode_commas(decode_job *job)
{
    csv_options options = csv_options_from(job->set, false);
    csv_decode(job, &options);
}

static void csv_decode_tabs(decode_job *job)
{
    csv_options options = csv_options_from(job->set, true);
    csv_decode(job, &options);
}

static read_event csv_next_of_commas(void *state, read_job *job)
{
    csv_options options = csv_options_from(job->set, false);
    return csv_next_row(state, job, &options);
}

static read_event csv_next_of_tabs(void *state, read_job *job)
{
    csv_options options = csv_options_from(job->set, true);
    return csv_next_row(state, job, &options);
}

static const read_codec csv_read = {.state_size = sizeof(csv_row_state),
                                    .read = csv_next_of_commas,
                                    .close = csv_close_rows,
                                    .ends = "\n\r"};

static const read_codec tsv_read = {.state_size = sizeof(csv_row_state),
                                    .read = csv_next_of_tabs,
                                    .close = csv_close_rows,
                                    .ends = "\n\r"};

/* Text without quotes is exact again where each cell is judged by itself. */
static void csv_read_back(settings *set, const settings *written)
{
    if (settings_number(written, CSV_QUOTE) != 0)
        set->number[CSV_TYPES] = CSV_TYPES_CELLS;
}

const codec csv_format = {
    .info = {"csv", ".csv", "text/csv",
             "flat tables, RFC 4180, with types kept by quotes", PITH_READ | PITH_WRITE,
             PITH_READ | PITH_WRITE, false, csv_settings,
             sizeof csv_settings / sizeof *csv_settings},
    .sniff = csv_sniff,
    .decode = csv_decode_commas,
    .encode = csv_encode,
    .read_rows = &csv_read,
    .write_rows = &csv_row_format,
    .read_back = csv_read_back,
};

const codec tsv_format = {
    .info = {"tsv", ".tsv .tab", "text/tab-separated-values",
             "csv with tabs between the cells", PITH_READ | PITH_WRITE,
             PITH_READ | PITH_WRITE, false, csv_settings, CSV_SETTINGS_SHARED},
    .sniff = tsv_sniff,
    .decode = csv_decode_tabs,
    .encode = csv_encode,
    .read_rows = &tsv_read,
    .write_rows = &csv_row_format,
    .read_back = csv_read_back,
};
