/*
 * form_costs.h - a value in every format that can hold it, and what each form costs.
 */
#ifndef PITH_CLI_FORM_COSTS_H
#define PITH_CLI_FORM_COSTS_H

#include "pith.h"

#include <stdbool.h>
#include <stddef.h>

/* One form of a value. */
typedef struct form_cost {
    const char *format;
    const char *settings; /* NULL for none; static */
    bool plain;           /* compact JSON, the yardstick */
    bool indented;        /* indented JSON, the other one */
    bool dense;           /* level 2 of Pith */
    bool as_it_is;        /* the text that was read */
    size_t order;         /* as listed, for equals */
    size_t tokens;
    size_t bytes;
    size_t rows; /* that fit into the budget, where there is one */
} form_cost;

#define FORMS_MAX 32

/* A format that cannot hold the value, and why. */
typedef struct form_refused {
    const char *format;
    char why[192];
} form_refused;

/* All forms, the cheapest first. */
typedef struct form_costs {
    form_refused refused[FORMS_MAX];
    size_t refused_count;
    form_cost list[FORMS_MAX];
    size_t count;
    size_t rows;        /* of the value, where `rows_max` was set */
    form_cost json;     /* compact */
    form_cost indented; /* by two spaces */
} form_costs;

/* How to count: the vocabulary, and whether formats may choose among their forms. */
typedef struct form_counting {
    const pith_vocab *vocab;
    pith_counter *counter;
    bool optimize;
    bool all;           /* also formats of the past */
    pith_text as_it_is; /* the text that was read; without a pointer: do not count it */
    size_t rows_max;    /* 0: all of them */
    size_t budget;      /* tokens for which the rows that fit are counted; 0 for none */
} form_counting;

/* Counts the value in every text format that can hold it without loss. False: see
 * `err`. */
bool form_costs_count(const form_counting *counting, pith_value value, form_costs *into,
                      pith_error *err);

/* Adds the costs of another value, form by form; one that is not in both is dropped. The first
 * is added to nothing. */
void form_costs_add(form_costs *total, const form_costs *more);

/* The saving against another form, which has some tokens, in tenths of a percent: 382 is
 * 38.2 % fewer. */
long form_saving(size_t tokens, size_t against);

#endif /* PITH_CLI_FORM_COSTS_H */
