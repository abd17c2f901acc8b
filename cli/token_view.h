/*
 * token_view.h - tokens made visible: their ids, or the text with its breaks.
 */
#ifndef PITH_CLI_TOKEN_VIEW_H
#define PITH_CLI_TOKEN_VIEW_H

#include "context.h"

/* The ids on one line, separated by spaces. */
void view_ids(output *out, const pith_tokens *tokens);

/* The text, each token on a ground of another colour, or without colours with a bar
 * between them. Tokens that share a character are shown as one. */
pith_status view_text(output *out, const pith_vocab *vocab, const pith_tokens *tokens,
                      bool color, pith_error *err);

#endif /* PITH_CLI_TOKEN_VIEW_H */
