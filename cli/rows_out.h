/*
 * rows_out.h - a table on its way to the user: format, settings, file.
 */
#ifndef PITH_CLI_ROWS_OUT_H
#define PITH_CLI_ROWS_OUT_H

#include "context.h"
#include "format_args.h"
#include "pith.h"
#include "token_args.h"

typedef struct rows_out {
    context *ctx;
    const pith_format *to;
    chosen_settings settings;
    output *out;       /* from output_for */
    size_t before;     /* bytes written to it before this */
    pith_rows *rows;   /* once begun */
    bool collect;      /* rows are collected as JSON and written at the end */
    pith_buffer whole; /* those */
    pith_vocab *vocab; /* from --tokenizer; NULL when it was not given */
    pith_outcome outcome;
    remarks said; /* about the output */
} rows_out;

/* Chooses the format by --to, by the suffix of -o or as GCF, sorts the
 * settings and opens the output. False after a complaint; then drop it. */
bool rows_out_open(rows_out *table, context *ctx);

/* Starts a table with these columns. With `nested`, cells may be arrays and objects. */
pith_status rows_out_begin(rows_out *table, const pith_text *columns, size_t count,
                           bool nested, pith_error *err);

/* Ends it: puts the file in place when `status` is PITH_OK, and otherwise reports `err`,
 * leaving on standard output the rows that were good. Frees all of it. */
void rows_out_end(rows_out *table, pith_status status, pith_error *err);

/* Frees it without a word, when nothing was begun. */
void rows_out_drop(rows_out *table);

#endif /* PITH_CLI_ROWS_OUT_H */
