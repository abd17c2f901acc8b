/*
 * record.h - what the formats do to one text, as a hash or as lines to compare.
 */
#ifndef PITH_TEST_RECORD_H
#define PITH_TEST_RECORD_H

#include <stdbool.h>
#include <stddef.h>

#include "base/sha256.h"
#include "pith.h"

/* What one step of one way did: hashed, and printed if somebody wants to see it. */
typedef struct record {
    sha256 hash;
    bool show;
} record;

/* How a text is read and written. */
typedef struct record_way {
    const char *format;
    const char *write;
    const char *read;
} record_way;

void record_start(record *to, bool show);
void record_add(record *to, const char *label, const void *data, size_t len);

/* Adds status, code, place and message. */
void record_error(record *to, const pith_error *err);

/* Prints the two names and the hash on a line. */
void record_end(record *from, const char *way_name, const char *step_name);

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

#endif /* PITH_TEST_RECORD_H */
