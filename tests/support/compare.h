/*
 * compare.h - whether two values are the same, but for the spelling of numbers.
 *
 * pith_value_equal compares spelling too: 1.0 is not 1 there. Here numbers are compared by
 * what they mean; integers exactly, others as doubles.
 */
#ifndef PITH_TEST_COMPARE_H
#define PITH_TEST_COMPARE_H

#include <stdbool.h>

#include "pith.h"

/* The members of objects must be in the same order. Recursion is as deep as the values, so
 * whoever makes them bounds their depth; that goes for the others too. */
bool same_in_order(pith_value a, pith_value b);

/* The members of objects may be in any order. */
bool same_in_any_order(pith_value a, pith_value b);

/* The same; an object of more than `most` members in another order is taken on trust,
 * because looking them up is quadratic. */
bool same_in_any_order_up_to(pith_value a, pith_value b, size_t most);

bool same_pith_text(pith_text a, pith_text b);

#endif /* PITH_TEST_COMPARE_H */
