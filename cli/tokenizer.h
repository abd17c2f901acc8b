/*
 * tokenizer.h - the vocabulary that --tokenizer names.
 */
#ifndef PITH_CLI_TOKENIZER_H
#define PITH_CLI_TOKENIZER_H

#include "command.h"

/* Opens the vocabulary: a built-in one, the estimate, or a tokenizer.json at a path.
 * NULL after a complaint. */
pith_vocab *tokenizer_open(session *with);

#endif /* PITH_CLI_TOKENIZER_H */
