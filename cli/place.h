/*
 * place.h - where a path that is written to leads, and the names beside it.
 */
#ifndef PITH_CLI_PLACE_H
#define PITH_CLI_PLACE_H

#include "diag.h"

#include <stdbool.h>
#include <sys/stat.h>

/* Why a place is not written to although the system would allow it. */
typedef struct place_fault {
    const char *code; /* NULL: see errno */
    const char *message;
} place_fault;

/* The path after all symbolic links, which need not exist; from malloc. NULL: see
 * `fault`, then errno. In a directory where anybody may put files (one that is sticky,
 * such as /tmp) a link may have been laid by anybody, and is not followed. */
char *place_resolve(const char *path, place_fault *fault);

/* Whether the file, which is at the resolved path, may be replaced or written: in a
 * directory where anybody may put files only one's own. */
bool place_is_ours(const char *path, const struct stat *facts, place_fault *fault);

/* Says what went wrong at `path`: the fault, or without one the system's `number`.
 * `what` is "cannot create" or the like. */
void place_explain(diag *errors, const char *path, const char *what, const char *code,
                   const place_fault *fault, int number);

/* `path` up to and including its last slash, and then `name`; from malloc. */
char *place_beside(const char *path, const char *name);

/* A name beside `path` that cannot be guessed; from malloc. NULL: errno. */
char *place_hidden(const char *path);

/* Whether a path is that of a directory: there is one, or it ends with a slash. */
bool place_is_directory(const char *path);

/* Makes it, unless it is there or `path` is NULL. False after a complaint. */
bool place_make_directory(const char *path, diag *errors);

#endif /* PITH_CLI_PLACE_H */
