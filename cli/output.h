/*
 * output.h - where results go: standard output, or a file replaced atomically.
 *
 * Bytes arrive as they are everywhere but on a terminal. There data must not move the
 * cursor, set a title or turn the direction of writing, so whatever could is shown as
 * <U+001B>, in what was converted as much as in a file name.
 */
#ifndef PITH_CLI_OUTPUT_H
#define PITH_CLI_OUTPUT_H

#include "diag.h"
#include "pith.h"
#include "place.h"
#include "progress.h"
#include "watchdog.h"

#include <stdbool.h>
#include <stddef.h>

#if defined(__GNUC__)
#define OUTPUT_PRINTF __attribute__((format(printf, 2, 3)))
#else
#define OUTPUT_PRINTF
#endif

typedef struct output {
    const char *name; /* the path as given, or "<stdout>" */
    int fd;
    char *temporary;       /* the file that is written; NULL when written in place */
    bool nameless;         /* it does not have that name yet */
    watchdog_file guarded; /* once it has, it goes with the process if need be */
    char *target;          /* the file it becomes */
    bool replaces;         /* the target exists */
    unsigned mode;         /* of the file once it is complete */
    bool terminal;
    progress *line;      /* is given what is written; NULL for none */
    size_t written;      /* bytes taken so far, buffered ones included */
    char last;           /* the last of them */
    int failed;          /* errno of the first failure; later calls do nothing */
    place_fault fault;   /* what it was, where errno does not say */
    pith_packer *packer; /* compresses what is written, as the suffix says; else NULL */
    size_t cut;          /* of the bytes in `part` */
    char part[4]; /* the start of a character whose end has not come, on a terminal */
    size_t used;
    char buffer[64 * 1024];
} output;

/* An open descriptor, such as standard output. `line` may be NULL. */
void output_descriptor(output *out, int fd, const char *name, progress *line);

/* The file at `path`, compressed where its suffix is .gz, .zst or .lz4. Nothing at `path`
 * changes before output_commit: the bytes go to a temporary file beside it. Symbolic
 * links are followed; a device, a pipe or a socket is written directly. In a directory
 * where anybody may put files, links and the files of others are refused. False: see
 * `failed` and `fault`. */
bool output_open(output *out, const char *path, progress *line);

/* The same in memory of its own; NULL after saying why: "cannot create", with a code
 * word. */
output *output_create(const char *path, progress *line, diag *errors, const char *what,
                      const char *code);

/* A sink that appends to `out`. */
pith_sink output_sink(output *out);

void output_text(output *out, const char *text);
void output_format(output *out, const char *format, ...) OUTPUT_PRINTF;

/* Text of ours that may steer a terminal, such as a colour. */
void output_style(output *out, const char *sequence);

/* Sends what is buffered on its way. False: see `failed`. */
bool output_flush(output *out);

/* Drops what is buffered. */
void output_discard(output *out);

/* Flushes and puts the file in place, with the mode of the one it replaces. False:
 * see `failed`; the old file is then as it was. */
bool output_commit(output *out);

/* Frees what is left; without a commit the temporary file goes. */
void output_close(output *out);

/* The same for one that output_create made, or NULL. */
void output_free(output *out);

#endif /* PITH_CLI_OUTPUT_H */
