/*
 * budget.h - a value with less in it.
 */
#ifndef API_BUDGET_H
#define API_BUDGET_H

#include "api/cheapest.h"
#include "doc/cut.h"

/* Puts a copy of the value with at most as many rows as the settings say in `*cut`; NULL
 * where it has no more. Where this is the `last` cut, texts are clipped, too, and a note that
 * is a member is added. What was done is added to the tally. */
pith_status budget_limit(const api_side *to, const pith_doc *doc, uint32_t at, bool last,
                         const pith_options *options, pith_doc **cut, cut_tally *tally,
                         pith_error *err);

/* Writes as much of the value as fits into the budget of the settings, with a note of what was
 * left out; with `rows_only`, only rows of the root array go, and there is no note. `given` is
 * the text it was read from, or NULL, which "auto" may leave as it is. Rows that went before
 * are in the tally, to which everything else is added. The document has no doubles; `err` is
 * not NULL. */
pith_status budget_write(const api_side *to, const pith_doc *doc, uint32_t at,
                         bool rows_only, const form_given *given,
                         const pith_options *options, pith_sink sink, cut_tally *tally,
                         pith_outcome *outcome, pith_error *err);

/* Whether the settings have a budget for which rows that follow too many are of no use. */
bool budget_is_of_first(const api_side *to);

/* Whether the whole document fits into the budget, before anything is said of what was left
 * out. */
pith_status budget_fits(const api_side *to, const pith_doc *doc,
                        const pith_options *options, bool *fits, pith_error *err);

#endif
