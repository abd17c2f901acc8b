/*
 * weigh.h - a value in every format that can hold it, and what each form costs.
 */
#ifndef PITH_CLI_WEIGH_H
#define PITH_CLI_WEIGH_H

#include "pith.h"

#include <stdbool.h>
#include <stddef.h>

/* One form of a value. */
typedef struct weight {
    const char *format;
    const char *settings; /* NULL for none; static */
    bool plain;           /* compact JSON, the yardstick */
    bool indented;        /* indented JSON, the other one */
    size_t order;         /* as listed, for equals */
    size_t tokens;
    size_t bytes;
} weight;

#define WEIGHTS_MAX 32

/* All forms, the cheapest first. */
typedef struct weights {
    weight forms[WEIGHTS_MAX];
    size_t count;
    weight json;     /* compact */
    weight indented; /* by two spaces */
} weights;

/* How to weigh: the vocabulary, and whether formats may choose among their forms. */
typedef struct scale {
    const pith_vocab *vocab;
    pith_counter *counter;
    bool optimize;
} scale;

/* Weighs the value in every text format that can hold it without loss. False: see
 * `err`. */
bool weigh_all(const scale *on, pith_value value, weights *into, pith_error *err);

/* The saving against another form, which has some tokens, in tenths of a percent: 382 is
 * 38.2 % fewer. */
long weigh_saving(size_t tokens, size_t against);

#endif /* PITH_CLI_WEIGH_H */
