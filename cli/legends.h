/*
 * legends.h - what a model must know to read a format: a line for each construct.
 */
#ifndef PITH_CLI_LEGENDS_H
#define PITH_CLI_LEGENDS_H

#include <stdbool.h>

/* A line of the text that is put before data in a prompt. A text without that construct
 * does not need it. */
typedef struct legend {
    const char *format;
    const char *construct; /* NULL: always said */
    bool dense;            /* only in dense texts */
    const char *line;
} legend;

/* All lines, those of a format together and in order; the last has no format. */
extern const legend legends[];

#endif /* PITH_CLI_LEGENDS_H */
