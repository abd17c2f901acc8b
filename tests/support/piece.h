/*
 * piece.h - giving a sink something to write.
 */
#ifndef PITH_TEST_PIECE_H
#define PITH_TEST_PIECE_H

#include "pith.h"

static inline pith_status count_piece(pith_counter *counter, const char *data, size_t len)
{
    pith_sink sink = pith_counter_sink(counter);
    return sink.write(sink.ctx, data, len);
}

#endif /* PITH_TEST_PIECE_H */
