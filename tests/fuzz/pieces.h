/*
 * pieces.h - a text that arrives in pieces, row by row, beside the document it is.
 */
#ifndef PITH_FUZZ_PIECES_H
#define PITH_FUZZ_PIECES_H

#include "fuzzing.h"

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
    if (p->changing) {
        p->size = (p->size * 5 + 3) % 31;
    }
    return size < p->len - p->at ? size : p->len - p->at;
}

/* Takes the rows that are there; `*expected` moves on with them. */
static inline pith_status take_rows(pith_reader *reader, pith_value *expected,
                                    size_t *count, pith_error *err)
{
    for (;;) {
        pith_value row = {0};
        pith_status status = pith_reader_next(reader, &row, err);
        if (status != PITH_OK || !row.doc) {
            return status;
        }
        ++*count;
        if (expected->doc) {
            REQUIRE(pith_value_equal(row, *expected));
            *expected = pith_value_next(*expected);
        }
    }
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
        if (status == PITH_OK && early) {
            status = take_rows(reader, &expected, count, err);
        }
    }
    if (status == PITH_OK) {
        status = pith_reader_end(reader, err);
    }
    if (status == PITH_OK) {
        status = take_rows(reader, &expected, count, err);
    }
    if (status == PITH_OK) {
        REQUIRE(!expected.doc);
    }
    pith_reader_free(reader);
    return status;
}

#endif /* PITH_FUZZ_PIECES_H */
