/*
 * cmd_check.c - `pith check`: every problem in a file, and no output.
 *
 * Silence means that all is well. A problem is printed like any other error; the
 * exit code says whether there was one.
 */
#include "format_args.h"
#include "context.h"
#include "interrupt.h"
#include "load.h"

#include <stdlib.h>

/* One file being checked: its problems, in the order of their places. */
typedef struct checking {
    session *with;
    const input *in;
    pith_error *problems;
    size_t count;
    size_t room;
    bool lost; /* there was no memory for one of them */
} checking;

/* A reader notes some problems late, such as a key that occurs twice when it meets
 * the end of the object; whoever mends a file goes through it from top to bottom. */
static void insert_problem(checking *one, const pith_error *problem)
{
    size_t at = one->count;
    while (at > 0 && one->problems[at - 1].offset > problem->offset) {
        one->problems[at] = one->problems[at - 1];
        at--;
    }
    one->problems[at] = *problem;
    one->count++;
}

/* Collects a problem; false ends the check. */
static bool note_problem(void *ctx, const pith_error *problem)
{
    checking *one = ctx;
    if (one->count == one->room) {
        size_t room = one->room + one->room / 2 + 16;
        pith_error *grown = realloc(one->problems, room * sizeof *grown);
        if (grown == NULL) {
            one->lost = true;
            return false;
        }
        one->problems = grown;
        one->room = room;
    }
    insert_problem(one, problem);
    return interrupt_pending() == 0;
}

static void report_problems(checking *one)
{
    source from = {one->in->text, one->in->len, 0};
    progress_clear(&one->with->line);
    for (size_t i = 0; i < one->count && interrupt_pending() == 0; i++)
        diag_problem(&one->with->errors, one->in->name, &one->problems[i], &from);
}

/* What is right, but should be known. */
static void note_remark(void *ctx, const pith_error *remark)
{
    checking *one = ctx;
    progress_clear(&one->with->line);
    diag_warning(&one->with->errors, one->in->name, remark);
}

static void check_text(checking *one, const pith_format *format,
                       const chosen_settings *settings)
{
    session *with = one->with;
    pith_options options = {
        .read = settings->read.data,
        .depth_max = args_number(&with->given, OPTION_DEPTH),
        .progress = progress_read,
        .progress_ctx = &with->line,
        .notice = note_remark,
        .notice_ctx = one,
    };
    const char *text = one->in->len > 0 ? one->in->text : "";
    pith_error err = {0};
    progress_input(&with->line, one->in->name, one->in->len);
    pith_status status =
        pith_check(format->name, text, one->in->len, &options, note_problem, one, &err);
    report_problems(one);
    if (one->lost)
        status = error_no_memory(&err);
    bool untold = one->count == 0 || status == PITH_NO_MEMORY;
    if (status != PITH_OK && untold) {
        diag_problem(&with->errors, one->in->name, &err, NULL);
    } else if (args_has(&with->given, OPTION_VERBOSE) && interrupt_pending() == 0) {
        diag_note(&with->errors, "%s: %s, %zu %s", one->in->name, format->name,
                  one->count, one->count == 1 ? "problem" : "problems");
    }
    free(one->problems);
}

static void check_input(session *with, input *in, const char *path)
{
    checking one = {.with = with, .in = in};
    const pith_format *format = load_format(with, in, path, LOAD_HINT);
    chosen_settings settings = {0};
    if (format != NULL && choose_settings(&settings, with, format, NULL))
        check_text(&one, format, &settings);
    choose_free(&settings);
}

static void check_path(session *with, const char *path)
{
    input in;
    if (load_text(with, &in, path, input_open))
        check_input(with, &in, path);
    input_close(&in);
}

static void check_all(session *with)
{
    for (size_t i = 0; i < with->path_count; i++) {
        if (with->errors.exit_code == EXIT_USAGE || interrupt_pending() != 0)
            return;
        check_path(with, with->paths[i]);
    }
    if (with->errors.exit_code < EXIT_USAGE)
        choose_all_used(with);
}

static void run_check(session *with)
{
    const char *name = with->given.value[OPTION_FROM];
    bool known = name == NULL || choose_named(with, name, PITH_READ) != NULL;
    if (known && !command_would_wait(with))
        check_all(with);
    progress_stop(&with->line);
}

const command command_check = {
    .name = "check",
    .operands = "[FILE|-]...",
    .takes = OPERAND_FILES,
    .summary = "print every problem in files, and nothing when there is none",
    .about = "Reads each FILE and prints every independent problem in it. Nothing is "
             "written to standard output, and nothing at all is printed when all is "
             "well. Without a FILE, or with '-', it reads standard input.",
    .examples =
        (const example[]){
            {"pith check config.json", "one file"},
            {"pith check --errors=json data/*.json", "for a program to read"},
            {"pith check --set duplicates=last old.json", "less strictly"},
            {NULL, NULL},
        },
    .options = (const option_id[]){OPTION_FROM, OPTION_SET, OPTION_DEPTH, OPTION_ERRORS,
                                   OPTION_COLOR, OPTION_NO_PROGRESS, OPTION_VERBOSE,
                                   OPTION_HELP, OPTION_VERSION, OPTION_END},
    .run = run_check,
};
