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

/* Reads the options of a text that is written: opens the vocabulary, which is NULL when
 * none was named and is the caller's to free. False after a complaint. */
bool token_args_read(pith_vocab **vocab, context *ctx);

/* Adds the list of formats that `to` may become to the settings. False after a complaint. */
bool token_args_allow(context *ctx, const pith_format *to, pith_buffer *settings);

/* The same for --dense. */
bool token_args_dense(context *ctx, const pith_format *to, pith_buffer *settings);

/* Adds what goes with a budget to the settings of what is written. False when out of memory. */
bool token_args_add(const context *ctx, pith_buffer *settings);

/* Adds the budget itself, if there is one. */
bool token_args_budget(size_t tokens, pith_buffer *settings);

#endif /* PITH_CLI_TOKEN_ARGS_H */
