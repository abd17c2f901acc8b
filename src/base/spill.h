/*
 * spill.h - bytes that are put aside and taken back once, in order.
 *
 * They stay in memory up to a bound. Beyond it they move to a temporary file that has
 * no name once it is open, so nothing is left behind however the program ends and nobody
 * else can open it; from then on memory holds nothing.
 */
#ifndef BASE_SPILL_H
#define BASE_SPILL_H

#include "base/out.h"

typedef struct pith_spill {
    pith_alloc alloc;
    size_t most; /* bytes to keep in memory */
    char *data;
    size_t len;
    size_t cap;
    int file; /* the descriptor, or -1 */
    uint64_t file_len;
} pith_spill;

void spill_init(pith_spill *spill, size_t most, pith_alloc alloc);

/* Where the bytes go in. PITH_IO, with errno set, when the file cannot be made or
 * written. */
pith_sink spill_sink(pith_spill *spill);

/* Everything, to `out`, whose failures stick there; PITH_IO with `err` filled when the
 * file cannot be read. */
pith_status spill_take(pith_spill *spill, pith_out *out, pith_error *err);

void spill_free(pith_spill *spill);

#endif
