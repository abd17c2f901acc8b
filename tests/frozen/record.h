/*
 * record.h - what the formats do to one text or value, in a form that can be compared.
 *
 * It knows the public header alone, so that it can be compiled beside an older library.
 */
#ifndef PITH_TEST_RECORD_H
#define PITH_TEST_RECORD_H

#include <stddef.h>

#include "pith.h"

/* Where what one step of one way did goes to. */
typedef struct record {
    void (*add)(void *ctx, const char *label, const void *data, size_t len);
    void *ctx;
} record;

/* How a text is read and written. */
typedef struct record_way {
    const char *format;
    const char *write;
    const char *read;
} record_way;

/* Adds status, code, place and message. */
void record_error(record *to, const pith_error *err);

/* Adds the value of the text as JSON, or the error. */
void record_whole(record *to, const record_way *way, const char *text, size_t len);

/* How many bytes the next piece has. */
typedef size_t (*record_size)(void *ctx);

/* Adds the rows of the text, which arrives in pieces, and the error if there is one. */
void record_pieces(record *to, const record_way *way, const char *text, size_t len,
                   record_size size, void *ctx);

/* Adds every problem of the text. */
void record_check(record *to, const record_way *way, const char *text, size_t len);

/* Adds the text of the value, or the error. */
void record_write(record *to, const record_way *way, pith_value value);

/* Adds the graph of the text as GCF, and what comes of it as a delta of graphs and of
 * rows, or the errors. */
void record_graph(record *to, const record_way *way, const char *text, size_t len);

#endif /* PITH_TEST_RECORD_H */
