/*
 * parts.h - parts of so many tokens, as batches of Arrow see them.
 */
#ifndef API_PARTS_H
#define API_PARTS_H

#include "api/arrow_in.h"

/* Hands over what reads the batches, to be freed with the parts. */
void parts_keep_arrow(pith_parts *parts, arrow_in *in);

/* It; NULL when there is none, or the parts have failed, with the reason in `fault`. */
arrow_in *parts_arrow(const pith_parts *parts, pith_error *fault);

/* Keeps a failure, which sticks, and returns the first one. */
pith_status parts_check(pith_parts *parts, pith_status status, const pith_error *fault,
                        pith_error *err);

#endif
