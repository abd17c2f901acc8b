/*
 * token_args.h - --tokenizer, --budget and --keep: how tokens are counted, and how many
 * there may be.
 */
#ifndef PITH_CLI_TOKEN_ARGS_H
#define PITH_CLI_TOKEN_ARGS_H

#include "context.h"

/* Opens the vocabulary: a built-in one, the estimate, or a tokenizer.json at a path.
 * NULL after a complaint. */
pith_vocab *tokenizer_open(context *ctx);

/* What the options say of a text that is written. */
typedef struct token_args {
    pith_vocab *vocab; /* NULL when none was named */
    pith_fit budget;   /* for 0 tokens when none was given */
} token_args;

/* Reads all three options. False after a complaint. The caller frees the vocabulary. */
bool token_args_read(token_args *into, context *ctx);

/* Says what a budget left out of the output called `name`, if anything. */
void token_args_tell(context *ctx, const char *name, const pith_fit *fit);

#endif /* PITH_CLI_TOKEN_ARGS_H */
