/*
 * budget.h - --budget and --keep: as much as fits into a number of tokens.
 */
#ifndef PITH_CLI_BUDGET_H
#define PITH_CLI_BUDGET_H

#include "command.h"

/* Reads both options. False after a complaint; with no budget `fit->tokens_max` is 0. */
bool budget_read(session *with, pith_fit *fit);

/* Says what was left out of the output called `name`, if anything was. */
void budget_tell(session *with, const char *name, const pith_fit *fit);

#endif /* PITH_CLI_BUDGET_H */
