/*
 * budget.c - --budget and --keep: as much as fits into a number of tokens.
 */
#include "budget.h"

#include <string.h>

bool budget_read(session *with, pith_fit *fit)
{
    const char *keep = with->given.value[OPTION_KEEP];
    *fit = (pith_fit){.tokens_max = args_number(&with->given, OPTION_BUDGET),
                      .newline = !args_has(&with->given, OPTION_NO_NEWLINE)};
    if (keep != NULL && fit->tokens_max == 0) {
        diag_usage(&with->errors, "unused_option", NULL, "--keep needs --budget");
        return false;
    }
    if (keep != NULL && strcmp(keep, "last") == 0)
        fit->keep = PITH_KEEP_LAST;
    else if (keep != NULL && strcmp(keep, "spread") == 0)
        fit->keep = PITH_KEEP_SPREAD;
    return true;
}

void budget_tell(session *with, const char *name, const pith_fit *fit)
{
    if (fit->rows_left_out > 0) {
        diag_note(&with->errors, "%s: %zu of %zu %s left out; %zu tokens of %zu", name,
                  fit->rows_left_out, fit->rows + fit->rows_left_out, fit->what,
                  fit->tokens, fit->tokens_max);
    }
}
