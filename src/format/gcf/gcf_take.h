/*
 * gcf_take.h - rows of a GCF table that arrives in pieces.
 *
 * A taker keeps what the rows have in common (the columns, the schemas that rows have
 * declared for those behind them, how many there were); the bytes are the caller's and
 * come again until they are used.
 */
#ifndef FORMAT_GCF_GCF_TAKE_H
#define FORMAT_GCF_GCF_TAKE_H

#include "format/gcf/gcf.h"

typedef struct gcf_taker gcf_taker;

/* NULL when out of memory. */
gcf_taker *gcf_taker_new(const pith_alloc *alloc);
void gcf_taker_free(gcf_taker *taker);

/* As `take` in row_codec has it: one row off the front of `input` into the empty
 * document. */
void gcf_taker_next(gcf_taker *taker, pith_doc *doc, pith_text input, bool ended,
                    size_t *used, reporter *report);

#endif
