/*
 * plan.h - what `convert` is going to do, settled before anything is done.
 */
#ifndef PITH_CLI_PLAN_H
#define PITH_CLI_PLAN_H

#include "format_args.h"
#include "context.h"
#include "token_args.h"
#include "pith.h"

/* One input and what becomes of it. */
typedef struct job {
    const char *path; /* as given; "-" is standard input */
    const pith_format
        *from;             /* NULL, or a member of its family, until the content tells */
    const pith_format *to; /* these three are known once it is settled */
    char *out_path;        /* NULL: standard output */
    chosen_settings settings;
    bool settled;
} job;

typedef struct plan {
    session *with;
    job *jobs;
    size_t count;
    const pith_format *to; /* from --to; NULL when it was not given */
    const char *directory; /* -o, when it is a directory; else NULL */
    const char *file;      /* -o, when it is a file; else NULL */
    token_args tokens;
} plan;

/* An input on its way through the library into an output. */
typedef struct transfer {
    input *in; /* open; bytes it already keeps come first */
    output *out;
    const pith_format *from;
    const pith_format *to;
    pith_options options; /* with `progress_ctx` a progress */
    pith_fit *fit;        /* NULL: all of it, whatever it costs */
} transfer;

/* Settles all that the command line and the files' names tell, and complains about
 * all that is wrong with that. False: nothing is to be done. Free it anyway. */
bool plan_make(plan *into, session *with);

/* Settles the target, the output and the settings of a job whose `from` is known.
 * False after a complaint. */
bool plan_settle(plan *all, job *one);

/* When every job is settled, a setting that none of them used is a mistake. False
 * after a complaint. */
bool plan_settings_used(plan *all);

void plan_free(plan *all);

#endif /* PITH_CLI_PLAN_H */
