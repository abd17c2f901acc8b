/*
 * delta.h - repeated results told as what has changed.
 */
#ifndef PITH_PROXY_DELTA_H
#define PITH_PROXY_DELTA_H

#include "pith.h"

/* What was told in answer to which call, of one session. */
typedef struct deltas deltas;

deltas *deltas_new(void);
void deltas_free(deltas *all);

/* Writes what has changed in the value since the last answer to the same call, or all of
 * it; returns the format, or NULL when the value has no rows with that key. */
const char *deltas_write(deltas *all, uint64_t same, const char *key, pith_value value,
                         pith_sink sink);

/* The next answer to this call is whole. */
void deltas_forget(deltas *all, uint64_t same);

#endif
