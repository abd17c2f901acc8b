/*
 * completions.h - completions for the shells.
 */
#ifndef PITH_CLI_COMPLETIONS_H
#define PITH_CLI_COMPLETIONS_H

#include "context.h"

/* Prints what a shell needs: "bash", "zsh" or "fish". */
void completions_print(output *out, const char *shell);

/* Prints what the last of these words, which are those after "pith", could become. */
void completions_offer(output *out, const char *const *words, size_t count);

#endif /* PITH_CLI_COMPLETIONS_H */
