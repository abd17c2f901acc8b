/*
 * pump.h - rows out of an input that is read in pieces.
 */
#ifndef PITH_CLI_PUMP_H
#define PITH_CLI_PUMP_H

#include "input.h"
#include "pith.h"

typedef struct pump {
    input *in; /* open; bytes it already keeps come first */
    pith_reader *reader;
    progress *line; /* is given how far reading is; NULL for none */

    /* Takes a row; anything but PITH_OK ends it. */
    pith_status (*each)(void *ctx, pith_value row, pith_error *err);

    /* Called before a read that may have to wait; NULL for nothing to do. */
    pith_status (*idle)(void *ctx, pith_error *err);
    void *ctx; /* for both */

    pith_sink seen; /* is given the text as well, if it has a function */
} pump;

/* Reads the input to its end. On failure see in->failed, then `err`. */
pith_status pump_rows(const pump *rows, pith_error *err);

/* Fills `err` for an input that could not be read: input_explain says why. */
pith_status pump_read_failed(pith_error *err);

#endif /* PITH_CLI_PUMP_H */
