/*
 * diag.h - everything the command says on standard error.
 */
#ifndef PITH_CLI_DIAG_H
#define PITH_CLI_DIAG_H

#include "base/error.h"
#include "excerpt.h"
#include "pith.h"

#include <stdbool.h>

/* The exit status of the process. */
enum {
    EXIT_DONE = 0,    /* all is well */
    EXIT_DATA = 1,    /* the data is bad */
    EXIT_USAGE = 2,   /* the command line is bad */
    EXIT_MACHINE = 3, /* reading, writing or memory failed */
};

#if defined(__GNUC__)
#define DIAG_PRINTF(text, list) __attribute__((format(printf, text, list)))
#else
#define DIAG_PRINTF(text, list)
#endif

typedef struct diag {
    bool json;  /* one JSON object a line instead of text */
    bool ascii; /* of ASCII alone, since a terminal shows it */
    bool quiet; /* errors alone are printed */
    bool color;
    int exit_code; /* the worst so far */
} diag;

/* A failure of the library: in the input called `file`, of which `from` is at hand
 * (NULL: nothing), or, when it is PITH_BAD_USE, on the command line. */
void diag_problem(diag *to, const char *file, const pith_error *problem,
                  const source *from);

/* Writes what would be printed of a failure, and returns the exit status it means: for
 * those who will have no time left to print it. */
int diag_compose(const diag *to, const pith_error *problem, char *into, size_t size);

/* A failed system call: "cannot open", with a code word and errno. */
void diag_system(diag *to, const char *file, const char *what, const char *code,
                 int number);

/* The format of this input is not known; the hint says what would help. */
void diag_unknown_format(diag *to, const char *file, const char *hint);

/* The same for an input that is something else. */
void diag_foreign(diag *to, const char *file, const char *what, const char *hint);

/* A mistake on the command line. `hint` may be NULL. */
void diag_usage(diag *to, const char *code, const char *hint, const char *format, ...)
    DIAG_PRINTF(4, 5);

/* The same, where the hint is the nearest right word, or `otherwise` when there is
 * none near. */
void diag_usage_near(diag *to, const char *code, const char *nearest,
                     const char *otherwise, const char *format, ...) DIAG_PRINTF(5, 6);

/* Of the words that `word_at` gives, up to NULL, the one nearest to what was typed; NULL
 * when none is near. */
const char *diag_nearest(const char *typed, const char *(*word_at)(size_t index));

/* Something that went well but is worth knowing, of `file` or the output made from it: a
 * warning, or a note. */
void diag_remark(diag *to, const char *file, const pith_error *remark, bool note);

/* A remark that changes no exit code. */
void diag_note(diag *to, const char *format, ...) DIAG_PRINTF(2, 3);

#endif /* PITH_CLI_DIAG_H */
