/*
 * csv.h - tables in the oldest notation there is: CSV (RFC 4180) and TSV.
 *
 * A file is an array of flat objects: the first record names the fields, every other
 * one is a row. CSV itself has no types; the quotes are made to carry them:
 *
 *     id,name,active          a cell in quotes is text, whatever it looks like
 *     7,"Ada",true            a cell without quotes may be a number or a boolean
 *     8,"007",                nothing at all is null; "" is the empty text
 *
 * So a table of ours comes back as it was, and a file from elsewhere, where quotes mean
 * nothing, is read column by column: see csv_read.h.
 */
#ifndef FORMAT_CSV_CSV_H
#define FORMAT_CSV_CSV_H

#include "format/rows.h"

extern const codec csv_format;
extern const codec tsv_format;

/* The settings; see settings.h. TSV has all but the last. */
#define CSV_SETTINGS(row)                                                                   \
    row(CSV_TYPES, "types", PITH_SETTING_CHOICE, PITH_READ, "infer|cells|text", 0, 0,       \
        "infer",                                                                            \
        "what cells without quotes are: judged by column, each by itself, or always text"), \
        row(CSV_HEADER, "header", PITH_SETTING_BOOL, PITH_READ | PITH_WRITE, NULL, 0, 0,    \
            "true",                                                                         \
            "the first line names the columns; without, they are column_1 and so on"),      \
        row(CSV_DUPLICATES, "duplicates", PITH_SETTING_CHOICE, PITH_READ,                   \
            "refuse|number", 0, 0, "refuse",                                                \
            "what a repeated name means: an error, or a name with the column's number"),    \
        row(CSV_QUOTE, "quote", PITH_SETTING_CHOICE, PITH_WRITE, "text|needed", 0, 0,       \
            "text",                                                                         \
            "put all text in quotes, or only where it would be read as something else"),    \
        row(CSV_NESTED, "nested", PITH_SETTING_CHOICE, PITH_WRITE, "refuse|json", 0, 0,     \
            "refuse",                                                                       \
            "what an array or object in a cell becomes: an error, or its JSON"),            \
        row(CSV_ABSENT, "absent", PITH_SETTING_CHOICE, PITH_WRITE, "refuse|null|union",     \
            0, 0, "refuse",                                                                 \
            "what a field that a row lacks becomes: an error, or an empty cell; with "      \
            "union the header has the fields of all rows"),                                 \
        row(CSV_NEWLINE, "newline", PITH_SETTING_CHOICE, PITH_WRITE, "lf|crlf", 0, 0,       \
            "lf", "what ends a line"),                                                      \
        row(CSV_FORMULAS, "formulas", PITH_SETTING_CHOICE, PITH_WRITE,                      \
            "keep|quote|refuse", 0, 0, "keep",                                              \
            "text that a spreadsheet would run: kept, given a ' in front, or an error"),    \
        row(CSV_RAGGED, "ragged", PITH_SETTING_CHOICE, PITH_READ, "refuse|pad", 0, 0,       \
            "refuse",                                                                       \
            "rows with fewer cells than the header: an error, or null in the others; "      \
            "empty cells that are too many are then left out"),                             \
        row(CSV_BAD, "bad", PITH_SETTING_CHOICE, PITH_READ, "stop|skip", 0, 0, "stop",      \
            "what a line that is no row means: an error, or that it is left out"),          \
        row(CSV_DELIMITER, "delimiter", PITH_SETTING_CHOICE, PITH_READ | PITH_WRITE,        \
            "auto|comma|semicolon|tab|pipe|rows", 0, 0, "auto",                             \
            "what stands between cells; auto reads what the first line is cut by, rows "    \
            "what cuts the first two lines alike, and both write commas")

enum { CSV_SETTINGS(SETTINGS_NAME), CSV_SETTING_COUNT };

enum { CSV_ABSENT_UNION = 2, CSV_DELIMITER_ROWS = 5 };

enum { CSV_FORMULAS_KEEP, CSV_FORMULAS_QUOTE, CSV_FORMULAS_REFUSE };

/* The delimiter; '\0' when the settings leave it open. */
static inline char csv_delimiter(const settings *set)
{
    return set->count == CSV_SETTING_COUNT
               ? "\0,;\t|\0"[settings_number(set, CSV_DELIMITER)]
               : '\t';
}

/* Reading and writing a whole text, and rows one by one. */
void csv_decode(decode_job *job);
extern const read_codec csv_read;
pith_status csv_encode(encode_job *job);
extern const row_format csv_row_format;

#endif
