/*
 * model.h - values as another language holds them.
 *
 * Nothing here keeps all that a document keeps. What a language cannot hold is no fault
 * of the implementation that is written in it, so values are first turned into what that
 * language makes of their JSON, and compared as such.
 *
 *     js         every number is a double, and keys that are whole numbers come first
 *     js-ordered the same without that order: the peer reads JSON into maps
 *     py         whole numbers of any length; other numbers are doubles
 *     rs         whole numbers of 64 bits, with a sign or without; the rest are doubles
 */
#ifndef PITH_DIFF_MODEL_H
#define PITH_DIFF_MODEL_H

#include <stdbool.h>

#include "pith.h"

typedef enum model { MODEL_JS, MODEL_JS_ORDERED, MODEL_PY, MODEL_RS } model;

/* The model of that name; false when there is none. */
bool model_find(const char *name, model *found);

/* False when some number in the value is beyond all doubles, which no model holds. */
bool model_can_hold(pith_value value);

/* Makes `to` the value as the model holds it. */
void model_take(pith_doc *to, pith_value value, model m);

/* How two values differ. */
typedef enum sameness {
    SAME,
    SAME_BUT_ORDER, /* the members of some object come in another order */
    DIFFERENT
} sameness;

/* Whole numbers that fit into 64 bits are compared exactly, others as doubles. */
sameness model_compare(pith_value a, pith_value b);

#endif /* PITH_DIFF_MODEL_H */
