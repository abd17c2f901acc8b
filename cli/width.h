/*
 * width.h - how text looks on a terminal: columns, and what is safe to show.
 */
#ifndef PITH_CLI_WIDTH_H
#define PITH_CLI_WIDTH_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* The columns a printable code point takes: 0, 1 or 2. */
unsigned width_of(uint32_t code_point);

/* One step through a text: the bytes it covers and what to show for them. */
typedef struct width_cell {
    size_t bytes;
    unsigned columns;
    char shown[12]; /* NUL-terminated */
} width_cell;

/* The cell at the start of `text`; `len` is not 0. A tab is four spaces. What
 * could upset a terminal or mislead a reader (control characters, the marks that
 * turn the direction of writing) shows as <U+001B>, a byte that is not UTF-8 as
 * <FF>. */
width_cell width_cell_at(const char *text, size_t len);

/* Prints a text of unknown origin, such as a file name, cell by cell. */
void width_print(FILE *to, const char *text, size_t len);

#endif /* PITH_CLI_WIDTH_H */
