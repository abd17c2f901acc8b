/*
 * hints.h - what a text is that pith does not read, and the way out.
 */
#ifndef PITH_CLI_HINTS_H
#define PITH_CLI_HINTS_H

#include "excerpt.h"
#include "pith.h"

/* What other programs write, by how it begins or what it is called. */
typedef struct foreign {
    const char *begins; /* NULL: its suffix tells */
    size_t len;
    const char *what;
    const char *way_out;
} foreign;

/* NULL when it is of no known kind. `path` may be NULL. */
const foreign *hint_foreign(const char *path, const char *text, size_t len);

/* What may help against that problem in the text, from whose beginning on `from` is; NULL
 * when nothing comes to mind. */
const char *hint_problem(const pith_error *problem, const char *file, const source *from);

/* The same for a text that is of no format. */
const char *hint_text(const char *text, size_t len);

#endif /* PITH_CLI_HINTS_H */
