/*
 * cmd_check.c - `pith check`: every problem in a file, and no output.
 *
 * Silence means that all is well. A problem is printed like any other error; the
 * exit code says whether there was one.
 */
#include "context.h"
#include "format_args.h"
#include "interrupt.h"
#include "load.h"

#include <stdlib.h>

/* One file being checked: its problems, in the order of their places. */
typedef struct checking {
    context *ctx;
    const input *in;
    pith_error *problems;
    size_t count;
    size_t room;
    bool lost; /* there was no memory for one of them */
} checking;

/* A reader notes some problems late, such as a key that occurs twice when it meets
 * the end of the object; a user mends a file from top to bottom. */
static void insert_problem(checking *check, const pith_error *problem)
{
    size_t at = check->count;
    while (at > 0 && check->problems[at - 1].offset > problem->offset) {
        check->problems[at] = check->problems[at - 1];
        at--;
    }
    check->problems[at] = *problem;
    check->count++;
}

/* Collects a problem; false ends the check. */
static bool note_problem(void *ctx, const pith_error *problem)
{
    checking *check = ctx;
    if (check->count == check->room) {
        size_t room = check->room + check->room / 2 + 16;
        pith_error *grown = realloc(check->problems, room * sizeof *grown);
        if (grown == NULL) {
            check->lost = true;
            return false;
        }
        check->problems = grown;
        check->room = room;
    }
    insert_problem(check, problem);
    return interrupt_pending() == 0;
}

static void report_problems(checking *check)
{
    source from = {check->in->text, check->in->len, 0};
    progress_clear(&check->ctx->line);
    for (size_t i = 0; i < check->count && interrupt_pending() == 0; i++)
        diag_problem(&check->ctx->errors, check->in->name, &check->problems[i], &from);
}

/* What is right, but worth knowing. */
static void note_remark(void *ctx, const pith_error *remark)
{
    checking *check = ctx;
    remarks said = {check->ctx, check->in->name};
    pass_remark(&said, remark);
}

static void check_text(checking *check, const pith_format *format,
                       const chosen_settings *settings)
{
    context *ctx = check->ctx;
    pith_options options = {
        .read = settings->read.data,
        .depth_max = args_number(&ctx->given, OPTION_DEPTH),
        .memory_max = check->in->memory_max,
        .progress = progress_read,
        .progress_ctx = &ctx->line,
        .notice = note_remark,
        .notice_ctx = check,
    };
    const char *text = check->in->len > 0 ? check->in->text : "";
    pith_error err = {0};
    progress_input(&ctx->line, check->in->name, check->in->len);
    pith_status status = pith_check(format->name, text, check->in->len, &options,
                                    note_problem, check, &err);
    report_problems(check);
    if (check->lost)
        status = error_no_memory(&err);
    bool untold = check->count == 0 || status == PITH_NO_MEMORY;
    if (status != PITH_OK && untold) {
        diag_problem(&ctx->errors, check->in->name, &err, NULL);
    } else if (args_has(&ctx->given, OPTION_VERBOSE) && interrupt_pending() == 0) {
        diag_note(&ctx->errors, "%s: %s, %zu %s", check->in->name, format->name,
                  check->count, check->count == 1 ? "problem" : "problems");
    }
    free(check->problems);
}

static void check_input(context *ctx, input *in, const char *path)
{
    checking check = {.ctx = ctx, .in = in};
    const pith_format *format = load_format(ctx, in, path, LOAD_HINT);
    chosen_settings settings = {0};
    if (format != NULL && settings_sort(&settings, ctx, format, NULL))
        check_text(&check, format, &settings);
    settings_free(&settings);
}

static void check_path(context *ctx, const char *path)
{
    input in;
    if (load_text(ctx, &in, path, input_open))
        check_input(ctx, &in, path);
    input_close(&in);
}

static void check_all(context *ctx)
{
    for (size_t i = 0; i < ctx->path_count; i++) {
        if (ctx->errors.exit_code == EXIT_USAGE || interrupt_pending() != 0)
            return;
        check_path(ctx, ctx->paths[i]);
    }
    if (ctx->errors.exit_code < EXIT_USAGE)
        settings_check_used(ctx);
}

static void run_check(context *ctx)
{
    const char *name = ctx->given.value[OPTION_FROM];
    bool known = name == NULL || format_named(ctx, name, PITH_READ) != NULL;
    if (known && !would_wait(ctx))
        check_all(ctx);
    progress_stop(&ctx->line);
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
        EXAMPLES({"pith check config.json", "one file"},
                 {"pith check --errors=json data/*.json", "for a program to read"},
                 {"pith check --set duplicates=last old.json", "less strictly"}),
    .options = OPTIONS(OPTION_FROM, OPTION_SET, OPTION_DEPTH, OPTION_MEMORY_MAX,
                       OPTION_ERRORS, OPTION_COLOR, OPTION_NO_PROGRESS, OPTION_QUIET,
                       OPTION_VERBOSE, OPTION_HELP, OPTION_VERSION),
    .run = run_check,
};
