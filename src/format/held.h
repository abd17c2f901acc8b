/*
 * held.h - rows that are put aside until their number is known.
 *
 * A format whose header counts its rows cannot write the first before the last has come.
 * So rows are written at once, but into a spill (see spill.h): in memory up to a bound,
 * beyond it in a temporary file. Then the header goes out, and the rows behind it.
 */
#ifndef FORMAT_HELD_H
#define FORMAT_HELD_H

#include "base/spill.h"
#include "format/format.h"

typedef struct held_rows {
    pith_spill spill;
    pith_out out; /* writes to the spill */
} held_rows;

/* With the bounds of the stream. The rows must not move until they are closed. */
void held_open(held_rows *held, const row_stream *stream);

/* Says what is wrong with an output that writes to a spill. */
pith_status held_failed(const pith_out *out, pith_error *err);

/* Nothing more is written: PITH_OK, or what went wrong on the way. */
pith_status held_end(held_rows *held, pith_error *err);

void held_close(held_rows *held);

#endif
