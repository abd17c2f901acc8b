/*
 * tool.h - the tool, run with faults, and what it leaves behind.
 *
 * Its main function is linked into the test as pith_main and called in this process,
 * with the three standard files led elsewhere: so a thousand runs cost a second, and
 * whatever one of them keeps shows in the counts. The directory it works in is the
 * test's own, with the inputs that tool_begin puts there.
 */
#ifndef PITH_TEST_TOOL_H
#define PITH_TEST_TOOL_H

#include "bytes.h"
#include "faults/layer.h"

#include <stdbool.h>

enum { TOOL_WORDS = 14 };

/* What may be on standard output when a run fails. */
typedef enum tool_parts {
    PARTS_NONE,
    PARTS_FIRST, /* the rows in front of the failure */
    PARTS_OTHERS /* of several inputs, those that did not fail */
} tool_parts;

/* A command line and what is known of it. */
typedef struct tool_case {
    const char *words[TOOL_WORDS]; /* after "pith" */
    const char *input;             /* a file for standard input; NULL for nothing */
    const char *output;            /* the file it writes; NULL for none */
    unsigned output_mode;          /* and its mode before; 0 for any */
    const char *state;             /* another that it rewrites; NULL for none */
    const char *state_from;        /* what that is before the run; NULL: not there */
    tool_parts parts;
} tool_case;

/* Where standard output goes. */
typedef enum tool_stdout {
    TOOL_TO_FILE,
    TOOL_TO_SLOW_PIPE, /* that does not block, with a reader that lags behind */
    TOOL_TO_FULL,      /* /dev/full */
    TOOL_TO_NOBODY,    /* a pipe that nobody reads */
    TOOL_TO_NOTHING    /* it is closed */
} tool_stdout;

typedef struct tool_result {
    int code; /* that main returned */
    fault_counts counts;
    bytes out;
    bytes err;
    bytes file;       /* the content of `output`, */
    bool made;        /* if it is there, */
    unsigned mode;    /* and its mode */
    bytes state;      /* the content of `state` */
    char litter[256]; /* the name of a file that should not be there, or empty */
} tool_result;

/* Makes the directory and the inputs in it; removes them. */
void tool_begin(void);
void tool_end(void);

/* Files of the directory. */
void tool_put(const char *name, const char *data, size_t len);
void tool_remove(const char *name);

/* Runs the case. Before, `output` and `state` are what `before` is: removed when NULL. */
tool_result tool_run(const tool_case *one, const faults *plan, tool_stdout to,
                     const char *before);
void tool_free(tool_result *result);

/* The words in one line, for messages. */
const char *tool_line(const tool_case *one);

/* True when standard error has the text. */
bool tool_says(const tool_result *result, const char *text);

/* True when `state` is what it was before the run. */
bool tool_kept_state(const tool_case *one, const tool_result *result);

#endif /* PITH_TEST_TOOL_H */
