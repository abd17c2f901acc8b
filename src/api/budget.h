/*
 * budget.h - a value with fewer rows.
 */
#ifndef API_BUDGET_H
#define API_BUDGET_H

#include "api/cheapest.h"

/* Puts a copy of the value with at most as many rows as the settings say in `*cut`; NULL
 * where it has no more. The outcome says what was left out. */
pith_status budget_limit_rows(const api_side *to, const pith_doc *doc, uint32_t at,
                              const pith_options *options, pith_doc **cut,
                              pith_outcome *outcome, pith_error *err);

/* Writes as many rows of the value as fit into the budget of the settings, and everything
 * else of it; with `remark`, where the format has comments, one says what was left out. The
 * document has no doubles; `err` is not NULL. */
pith_status budget_write(const api_side *to, const pith_doc *doc, uint32_t at,
                         bool remark, const pith_options *options, pith_sink sink,
                         pith_outcome *outcome, pith_error *err);

#endif
