/*
 * parts.c - endless rows as parts of at most so many tokens.
 *
 * Rows are collected until there are a few more than a part is expected to hold. Then the
 * search of a budget (api/budget.h) finds how many of them fit; those are a part, and the
 * rest is where the next part begins:
 *
 *     rows       | 1 2 3 4 5 6 7 8 9 |        all of them are written and counted
 *     part       | 1 2 3 4 5 6 7 |
 *     rows, then                 | 8 9 ...
 */
#include "api/budget.h"
#include "api/columns.h"
#include "api/parts.h"
#include "doc/cells.h"
#include "doc/cut.h"

#include <errno.h>

struct pith_parts {
    pith_alloc alloc;
    pith_options options;
    api_side to;
    pith_vocab *vocab; /* opened here because the options name none */
    api_columns columns;
    cells_rows batch;
    pith_doc *rows;  /* an open array */
    pith_doc *spare; /* the next one */
    size_t count;    /* rows in it */
    size_t enough;   /* so many are worth a try */
    size_t tokens_max;
    uint64_t first_row; /* of them */
    pith_part_sink part;
    void *ctx;
    pith_buffer text;
    arrow_in *arrow;  /* what reads batches of Arrow; else NULL */
    pith_error fault; /* the first failure, which sticks */
};

enum { PARTS_FIRST_TRY = 16, PARTS_STEP = 8 };

static void parts_free(pith_parts *parts)
{
    pith_alloc alloc = parts->alloc;
    pith_vocab_free(parts->vocab);
    arrow_in_free(parts->arrow);
    api_columns_free(&parts->columns);
    pith_doc_free(parts->rows);
    pith_doc_free(parts->spare);
    pith_buffer_free(&parts->text);
    alloc_free(&alloc, parts, sizeof *parts);
}

/* Makes the names a shape once, so that wrong ones fail here. */
static pith_status parts_take_columns(pith_parts *parts, const pith_text *columns,
                                      size_t count, pith_error *err)
{
    pith_doc *doc = parts->rows;
    pith_doc_open_object(doc);
    for (size_t i = 0; i < count; i++) {
        if (!api_columns_add(&parts->columns, columns[i]))
            return error_no_memory(err);
        pith_doc_add_key(doc, columns[i].ptr, columns[i].len);
        pith_doc_add_null(doc);
    }
    pith_doc_close(doc);
    parts->batch.columns = parts->columns.names.keys.at;
    parts->batch.column_count = count;
    return pith_doc_finish(doc, err);
}

/* Empties the spare document and collects rows there from now on. */
static void parts_turn(pith_parts *parts)
{
    pith_doc *doc = parts->spare;
    parts->spare = parts->rows;
    parts->rows = doc;
    pith_doc_reset(doc);
    doc->plain_bytes = true;
    pith_doc_open_array(doc);
}

/* The size of the parts decides how many rows are in one, and nothing else does. */
static pith_status parts_take_settings(pith_parts *parts, const char *format,
                                       const pith_options *options, pith_error *err)
{
    static const size_t unused[] = {SETTINGS_GUARD,    SETTINGS_BUDGET, SETTINGS_KEEP,
                                    SETTINGS_ROWS_MAX, SETTINGS_CLIP,   SETTINGS_NOTE};
    uint64_t *common = parts->to.set.common;
    pith_status status = side_for_writing(&parts->to, format, options, err);
    if (status == PITH_OK)
        status = side_check_countable(parts->to.format, "a part", err);
    for (size_t i = 0; status == PITH_OK && i < sizeof unused / sizeof *unused; i++) {
        if (common[unused[i]]) {
            status = error_set(err, PITH_BAD_USE, "unused_setting",
                               "%s has no say in parts, whose size decides which rows "
                               "are in them; leave it out",
                               pith_setting_common(unused[i])->word);
        }
    }
    common[SETTINGS_FINAL_NEWLINE] = true;
    return status;
}

static pith_status parts_prepare(pith_parts *parts, const pith_text *columns,
                                 size_t count, pith_error *err)
{
    if (!parts->options.vocab) {
        parts->vocab = pith_vocab_open(NULL, &parts->options, err);
        if (!parts->vocab)
            return PITH_NO_MEMORY;
        parts->options.vocab = parts->vocab;
    }
    parts->rows = pith_doc_new(&parts->options);
    parts->spare = pith_doc_new(&parts->options);
    if (!parts->rows || !parts->spare)
        return error_no_memory(err);
    pith_status status = parts_take_columns(parts, columns, count, err);
    parts_turn(parts);
    return status;
}

pith_parts *pith_parts_open(const char *format, const pith_text *columns, size_t count,
                            size_t tokens_max, const pith_options *options,
                            pith_part_sink part, void *ctx, pith_error *err)
{
    pith_alloc alloc = alloc_from(options);
    pith_parts *parts = (pith_parts *)alloc_zeroed(&alloc, sizeof *parts);
    if (!parts) {
        error_no_memory(err);
        return NULL;
    }
    parts->alloc = alloc;
    parts->text.alloc = alloc;
    parts->enough = PARTS_FIRST_TRY;
    parts->tokens_max = tokens_max;
    parts->part = part;
    parts->ctx = ctx;
    api_columns_init(&parts->columns, alloc);
    if (options)
        parts->options = *options;
    parts->options.read = NULL;
    parts->options.write = NULL;
    parts->options.outcome = NULL;
    if (parts_take_settings(parts, format, options, err) != PITH_OK ||
        parts_prepare(parts, columns, count, err) != PITH_OK) {
        parts_free(parts);
        return NULL;
    }
    return parts;
}

/* ------------------------------------------------------------------------- a part */

/* Writes as many of the rows of a document as fit into `tokens_max`. Where not even the
 * first fits, that is none. */
static bool parts_write(pith_parts *parts, size_t tokens_max, const pith_doc *rows,
                        pith_outcome *outcome)
{
    pith_error err;
    memset(outcome, 0, sizeof *outcome);
    parts->text.len = 0;
    parts->to.set.common[SETTINGS_BUDGET] = tokens_max;
    cut_tally tally;
    memset(&tally, 0, sizeof tally);
    pith_status status =
        budget_write(&parts->to, rows, 0, true, NULL, &parts->options,
                     pith_sink_buffer(&parts->text), &tally, outcome, &err);
    if (status == PITH_OK || strcmp(err.code, "budget_exceeded") == 0)
        return true;
    parts->fault = err;
    return false;
}

/* The first row alone, which is too long. */
static bool parts_write_long(pith_parts *parts, pith_outcome *outcome)
{
    pith_value rows = pith_doc_root(parts->rows);
    pith_doc_reset(parts->spare);
    doc_copy_rows(parts->spare, rows, rows, 1, ROWS_KEEP_FIRST);
    return pith_doc_finish(parts->spare, &parts->fault) == PITH_OK &&
           parts_write(parts, SIZE_MAX, parts->spare, outcome);
}

static void parts_emit(pith_parts *parts, const pith_outcome *outcome)
{
    pith_part part;
    memset(&part, 0, sizeof part);
    part.format = outcome->format;
    part.text = parts->text.data;
    part.len = parts->text.len;
    part.tokens = outcome->tokens;
    part.first_row = parts->first_row;
    part.rows = outcome->rows;
    part.too_long = outcome->tokens > parts->tokens_max;
    errno = 0;
    pith_status status = parts->part(parts->ctx, &part);
    if (status != PITH_OK)
        out_refused(status, &parts->fault);
    parts->first_row += part.rows;
    parts->enough = part.rows + part.rows / PARTS_STEP + 1;
}

/* Collects on with the rows after the first `done`. */
static void parts_go_on(pith_parts *parts, size_t done)
{
    pith_value rows = pith_doc_root(parts->rows);
    parts->count -= done;
    parts_turn(parts);
    for (pith_value row = pith_value_at(rows, done); row.doc; row = pith_value_next(row))
        pith_doc_add_value(parts->rows, row);
}

/* How many rows to try with next, after `count` of them were not enough. */
static size_t parts_expect(size_t count, size_t tokens, size_t tokens_max)
{
    double rows = (double)tokens_max / (double)(tokens ? tokens : 1) * (double)count;
    double most = 4 * (double)count;
    size_t enough = (size_t)(rows < most ? rows : most);
    return (enough > count ? enough : count) + count / PARTS_STEP + 1;
}

/* Makes a part of the rows, if there are too many for one or these are the last. */
static void parts_try(pith_parts *parts, bool last)
{
    pith_outcome part;
    pith_doc_close(parts->rows);
    if (pith_doc_finish(parts->rows, &parts->fault) != PITH_OK ||
        !parts_write(parts, parts->tokens_max, parts->rows, &part))
        return;
    if (part.rows == 0 && !parts_write_long(parts, &part))
        return;
    bool whole = part.rows == parts->count && part.tokens <= parts->tokens_max;
    if (whole && !last) {
        parts->enough = parts_expect(parts->count, part.tokens, parts->tokens_max);
        parts_go_on(parts, 0);
    } else {
        parts_emit(parts, &part);
        parts_go_on(parts, part.rows);
    }
}

/* ------------------------------------------------------------------------- the rows */

static pith_status parts_result(const pith_parts *parts, pith_error *err)
{
    if (parts->fault.status != PITH_OK && err)
        *err = parts->fault;
    return parts->fault.status;
}

/* A row has been added. */
static void parts_count_row(pith_parts *parts)
{
    if (parts->rows->fault.status != PITH_OK)
        parts->fault = parts->rows->fault;
    parts->count++;
    while (parts->fault.status == PITH_OK && parts->count >= parts->enough)
        parts_try(parts, false);
}

static void parts_misuse(pith_parts *parts, const char *code, const char *sentence)
{
    if (parts->fault.status == PITH_OK)
        error_set(&parts->fault, PITH_BAD_USE, code, "%s", sentence);
}

pith_status pith_parts_add_cells(pith_parts *parts, const pith_cell *cells, size_t count,
                                 pith_error *err)
{
    if (parts->batch.column_count == 0)
        parts_misuse(parts, "no_columns", "cells need columns; give whole rows");
    for (size_t at = 0; at < count && parts->fault.status == PITH_OK;) {
        at += cells_add_row(parts->rows, &parts->batch, cells + at, count - at);
        if (parts->rows->fault.status != PITH_OK)
            parts->fault = parts->rows->fault;
        else if (!parts->batch.open)
            parts_count_row(parts);
    }
    return parts_result(parts, err);
}

pith_status pith_parts_add_row(pith_parts *parts, pith_value row, pith_error *err)
{
    if (parts->batch.open)
        parts_misuse(parts, "row_unfinished", "the row before has not been ended");
    if (!row.doc)
        parts_misuse(parts, "no_value", "there is no value to add");
    if (parts->fault.status == PITH_OK) {
        pith_doc_add_value(parts->rows, row);
        parts_count_row(parts);
    }
    return parts_result(parts, err);
}

void parts_keep_arrow(pith_parts *parts, arrow_in *in)
{
    parts->arrow = in;
}

arrow_in *parts_arrow(const pith_parts *parts, pith_error *fault)
{
    if (parts->fault.status != PITH_OK)
        *fault = parts->fault;
    else if (!parts->arrow)
        error_set(fault, PITH_BAD_USE, "no_schema",
                  "the parts were opened without a schema of Arrow");
    return fault->status == PITH_OK ? parts->arrow : NULL;
}

pith_status parts_check(pith_parts *parts, pith_status status, const pith_error *fault,
                        pith_error *err)
{
    if (status != PITH_OK && parts->fault.status == PITH_OK)
        parts->fault = *fault;
    return parts_result(parts, err);
}

pith_status pith_parts_close(pith_parts *parts, pith_error *err)
{
    if (!parts)
        return PITH_OK;
    if (parts->batch.open)
        parts_misuse(parts, "row_unfinished", "the last row has not been ended");
    while (parts->fault.status == PITH_OK && parts->count > 0)
        parts_try(parts, true);
    pith_status status = parts_result(parts, err);
    parts_free(parts);
    return status;
}

void pith_parts_abandon(pith_parts *parts)
{
    if (parts)
        parts_free(parts);
}
