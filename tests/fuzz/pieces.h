/*
 * pieces.h - a text that arrives in pieces, row by row, beside the document it is.
 */
#ifndef PITH_FUZZ_PIECES_H
#define PITH_FUZZ_PIECES_H

#include "fuzzing.h"

enum { ROWS_DEPTH_MOST = 60 };

typedef struct pieces {
    const char *text;
    size_t len;
    size_t at;
    size_t size;
    bool changing;
} pieces;

static inline size_t next_piece(pieces *p)
{
    size_t size = p->size;
    if (p->changing)
        p->size = (p->size * 5 + 3) % 31;
    return size < p->len - p->at ? size : p->len - p->at;
}

static inline void expect_row(pith_value row, pith_value *expected, size_t *count)
{
    ++*count;
    if (expected->doc) {
        REQUIRE(pith_value_equal(row, *expected));
        *expected = pith_value_next(*expected);
    }
}

/* Takes the rows that are there, one by one and in batches; `*expected` moves on with
 * them. */
static inline pith_status take_rows(pith_reader *reader, pith_value *expected,
                                    size_t *count, pith_error *err)
{
    bool more = true;
    pith_status status = PITH_OK;
    while (more && status == PITH_OK) {
        pith_value row = {0};
        bool done = false;
        if (*count % 3 == 1) {
            status = pith_reader_batch(reader, 1 + *count % 5, &row, &done, err);
            more = row.doc != NULL && !done;
            for (row = pith_value_first(row); row.doc; row = pith_value_next(row))
                expect_row(row, expected, count);
        } else {
            status = pith_reader_next(reader, &row, err);
            more = row.doc != NULL;
            if (more)
                expect_row(row, expected, count);
        }
    }
    return status;
}

/* Reads in pieces; returns the status and how many rows came. */
static inline pith_status read_in_pieces(const char *format, const pith_options *options,
                                         pieces *p, bool early, pith_value root,
                                         size_t *count, pith_error *err)
{
    pith_reader *reader = pith_reader_open(format, options, NULL);
    REQUIRE(reader != NULL);
    pith_value expected = pith_value_first(root);
    pith_status status = PITH_OK;
    *count = 0;
    while (status == PITH_OK && p->at < p->len) {
        size_t size = next_piece(p);
        status = pith_reader_feed(reader, p->text + p->at, size, err);
        p->at += size;
        if (p->at % 2 == 0)
            pith_reader_columns(reader, NULL, 0);
        if (status == PITH_OK && early)
            status = take_rows(reader, &expected, count, err);
    }
    if (status == PITH_OK)
        status = pith_reader_end(reader, err);
    if (status == PITH_OK)
        status = take_rows(reader, &expected, count, err);
    if (status == PITH_OK)
        REQUIRE(!expected.doc);
    pith_reader_free(reader);
    return status;
}

/* Takes the rows of a text in pieces of `size` and compares them with those from `row` on.
 * False in `*same` when they differ; the status is in `err`. */
static inline void fuzz_take_rows(const char *format, const char *text, size_t len,
                                  size_t size, pith_value row, bool *same,
                                  pith_error *err)
{
    pith_options options = {0};
    options.depth_max = ROWS_DEPTH_MOST;
    pith_reader *reader = pith_reader_open(format, &options, NULL);
    pith_status status = PITH_OK;
    REQUIRE(reader != NULL);
    for (size_t at = 0; status == PITH_OK && at <= len; at += size) {
        size_t piece = len - at < size ? len - at : size;
        status = pith_reader_feed(reader, text + at, piece, err);
        if (status == PITH_OK && at + size > len)
            status = pith_reader_end(reader, err);
        while (status == PITH_OK) {
            pith_value taken;
            status = pith_reader_next(reader, &taken, err);
            if (status != PITH_OK || !taken.doc)
                break;
            *same = *same && row.doc && pith_value_equal(taken, row);
            row = row.doc ? pith_value_next(row) : row;
        }
    }
    err->status = status;
    *same = *same && !row.doc;
    pith_reader_free(reader);
}

#endif /* PITH_FUZZ_PIECES_H */
