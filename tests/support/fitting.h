/*
 * fitting.h - a value within a budget: the settings for it, and the outcome.
 */
#ifndef PITH_TEST_FITTING_H
#define PITH_TEST_FITTING_H

#include "doc/cut.h"
#include "pith.h"

#include <stdio.h>

typedef struct fitting {
    size_t tokens_max;
    rows_keep keep;
    bool newline;
    size_t tokens; /* the outcome */
    size_t rows;
    size_t rows_left_out;
    const char *unit;
} fitting;

/* pith_value_write with those settings, after those of the options. */
static inline pith_status fit_value(pith_value value, const char *format, fitting *fit,
                                    const pith_options *given, pith_sink sink,
                                    pith_error *err)
{
    static const char *const keeps[] = {"first", "last", "spread"};
    pith_options options = {0};
    pith_outcome outcome = {0};
    char words[256];
    if (given)
        options = *given;
    snprintf(words, sizeof words, "budget=%zu keep=%s final-newline=%s %s",
             fit->tokens_max, keeps[fit->keep], fit->newline ? "true" : "false",
             options.write ? options.write : "");
    options.write = words;
    options.outcome = &outcome;
    pith_status status = pith_value_write(value, format, &options, sink, err);
    fit->tokens = outcome.tokens;
    fit->rows = outcome.rows;
    fit->rows_left_out = outcome.rows_left_out;
    fit->unit = outcome.unit;
    if (given && given->outcome)
        *given->outcome = outcome;
    return status;
}

#endif /* PITH_TEST_FITTING_H */
