/*
 * same.h - whether two values mean the same, however they are spelled.
 */
#ifndef DOC_SAME_H
#define DOC_SAME_H

#include "doc/doc.h"

/* True when the values are the same up to what formats may change: numbers count by
 * their value (1.0 is 1), and the members of an object may come in any order. False in
 * `*known` when memory ran out. `a` lends its scratch memory, hence not const. */
bool doc_same(pith_doc *a, uint32_t a_at, const pith_doc *b, uint32_t b_at, bool *known);

#endif
