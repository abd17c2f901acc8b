/*
 * completions.h - completions for bash, zsh and fish.
 */
#ifndef PITH_CLI_COMPLETIONS_H
#define PITH_CLI_COMPLETIONS_H

#include "output.h"

/* Prints the script for "bash", "zsh" or "fish". */
void completions_print(output *out, const char *shell);

#endif /* PITH_CLI_COMPLETIONS_H */
