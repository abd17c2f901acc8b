/*
 * transfer.h - one input through the library into one output.
 */
#ifndef PITH_CLI_TRANSFER_H
#define PITH_CLI_TRANSFER_H

#include "input.h"
#include "output.h"
#include "pith.h"

typedef struct transfer {
    input *in; /* open; bytes it already keeps come first */
    output *out;
    const pith_format *from;
    const pith_format *to;
    pith_options options; /* with `progress_ctx` a progress */
    pith_fit *fit;        /* NULL: all of it, whatever it costs */
} transfer;

/* Whether both formats stream. */
bool transfer_by_rows(const transfer *with);

/* Converts everything: row by row in bounded memory where both formats stream, else
 * as one document. On failure see in->failed, out->failed and then `err`. */
pith_status transfer_run(transfer *with, pith_error *err);

#endif /* PITH_CLI_TRANSFER_H */
