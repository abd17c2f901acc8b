/*
 * same.h - whether two values mean the same, however they are spelled.
 */
#ifndef DOC_SAME_H
#define DOC_SAME_H

#include "doc/doc.h"

/* Where two values first differ: the slot of `a`, in its order, or SLOT_NONE when they are
 * the same up to what formats may change. Numbers count by their value (1.0 is 1), and
 * the members of an object may come in any order. When memory ran out, `*known` is false
 * and the answer means nothing. `b` lends its scratch memory, hence not const. */
uint32_t doc_find_difference(const pith_doc *a, uint32_t a_at, pith_doc *b, uint32_t b_at,
                             bool *known);

/* The same, except that numbers count by their digits (1.0 is not 1). */
uint32_t doc_find_digits(const pith_doc *a, uint32_t a_at, pith_doc *b, uint32_t b_at,
                         bool *known);

/* True when there is no difference; false too when memory ran out. */
static inline bool doc_same(const pith_doc *a, uint32_t a_at, pith_doc *b, uint32_t b_at,
                            bool *known)
{
    return doc_find_difference(a, a_at, b, b_at, known) == SLOT_NONE;
}

#endif
