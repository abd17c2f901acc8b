/*
 * manual.h - the manual: what help and the man page both say.
 */
#ifndef PITH_CLI_MANUAL_H
#define PITH_CLI_MANUAL_H

#include "context.h"
#include "output.h"

#define MANUAL_TITLE                                                                     \
    "structured data as text that costs a language model few tokens, and back"

/* A word and what it means. */
typedef struct manual_fact {
    const char *word;
    const char *meaning;
} manual_fact;

extern const manual_fact manual_exit_codes[];  /* a NULL word ends the list */
extern const manual_fact manual_environment[]; /* likewise */

/* Prints the man page in roff. */
void manual_print(output *out);

#endif /* PITH_CLI_MANUAL_H */
