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

/* The settings, in the order of the table; TSV has all but the last. */
enum {
    CSV_TYPES,
    CSV_HEADER,
    CSV_DUPLICATES,
    CSV_QUOTE,
    CSV_NESTED,
    CSV_ABSENT,
    CSV_NEWLINE,
    CSV_SETTINGS_SHARED,
    CSV_DELIMITER = CSV_SETTINGS_SHARED
};

typedef enum csv_types { CSV_TYPES_INFER, CSV_TYPES_CELLS, CSV_TYPES_TEXT } csv_types;

typedef struct csv_options {
    char delimiter; /* '\0' on reading: the first line tells */
    csv_types types;
    bool header;
    bool number_duplicates;
    bool quote_needed; /* quotes only where something would be lost */
    bool nested_json;
    bool absent_null;
    bool crlf;
} csv_options;

/* The options of CSV, of which the settings have a delimiter, or of TSV. */
csv_options csv_options_from(const settings *set, bool tabs);

/* Reading a whole text, and rows one by one, of which csv_read.h has the state. */
void csv_decode(decode_job *job, const csv_options *options);
read_event csv_next_row(void *state, read_job *job, const csv_options *options);
void csv_close_rows(void *state, const pith_alloc *alloc);

/* Writing a whole array, and rows one by one. */
csv_options csv_options_for_writing(const settings *set);
pith_status csv_encode(encode_job *job);
extern const row_format csv_row_format;

#endif
