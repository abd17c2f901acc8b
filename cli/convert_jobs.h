/*
 * convert_jobs.h - what `convert` is going to do, settled before anything is done.
 */
#ifndef PITH_CLI_CONVERT_JOBS_H
#define PITH_CLI_CONVERT_JOBS_H

#include "context.h"
#include "format_args.h"
#include "pith.h"
#include "token_args.h"

/* One input and what becomes of it. */
typedef struct convert_job {
    const char *path;         /* as given; "-" is standard input */
    const pith_format *from;  /* NULL, or one of a family, until the content decides */
    const pith_format *to;    /* these three are known once it is settled */
    char *out_path;           /* NULL: standard output */
    chosen_settings settings; /* but for the budget, which depends on the other inputs */
    bool settled;
    size_t size; /* bytes of a file; 0 when it is not known */
} convert_job;

typedef struct convert_jobs {
    context *ctx;
    convert_job *list;
    size_t count;
    const pith_format *to; /* from --to; NULL when it was not given */
    const char *directory; /* -o, when it is a directory; else NULL */
    const char *file;      /* -o, when it is a file; else NULL */
    pith_vocab *vocab;     /* from --tokenizer; NULL when it was not given */
    bool merge;            /* all inputs into one table */
    size_t budget;         /* tokens of all outputs; 0 for no limit */
    size_t used;           /* those that have been written */
} convert_jobs;

/* An input on its way through the library into an output. */
typedef struct conversion {
    input *in;      /* open; bytes it already keeps come first */
    output *out;    /* NULL while the name of the file is open */
    pith_sink sink; /* where the text goes */
    const pith_format *from;
    const pith_format *to;
    pith_options options; /* with `progress_ctx` a progress */
    bool stream;          /* --stream: by rows, also where only some texts are rows */
    size_t budget;        /* tokens for it; 0 for no limit */
    pith_counter *taken;  /* the tokens of the input, where they are told; else NULL */
    pith_counter *given;  /* those of the output, then */
    size_t tokens_taken, tokens_given;
    bool in_pieces; /* under a budget: it is longer than any text that could fit */
} conversion;

/* Settles all that the command line and the files' names say, and complains about
 * all that is wrong with that. False: nothing is to be done. Free it anyway. */
bool jobs_make(convert_jobs *into, context *ctx);

/* Settles the target, the output and the settings of a job whose `from` is known.
 * False after a complaint. */
bool job_settle(convert_jobs *jobs, convert_job *job);

/* Whether the file's name depends on the format that will have been written. */
bool job_is_named_late(const convert_jobs *jobs, const convert_job *job);

/* Names it then. False after a complaint. */
bool job_name(convert_jobs *jobs, convert_job *job, const char *format);

/* Its part of what is left of the budget, by its size among those that are not written yet.
 */
size_t job_share(const convert_jobs *jobs, const convert_job *job);

/* When every job is settled, a setting that none of them used is a mistake. False
 * after a complaint. */
bool jobs_settings_used(convert_jobs *jobs);

void jobs_free(convert_jobs *jobs);

#endif /* PITH_CLI_CONVERT_JOBS_H */
