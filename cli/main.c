/*
 * main.c - the table of commands, and the way into them.
 *
 * The first word that is not an option names the command; any other word there is a
 * file, and the command is `convert`. What a command prints on standard output is
 * data; everything else goes through diag.c to standard error.
 */
#define _POSIX_C_SOURCE 200809L

#include "cmd_help.h"
#include "context.h"
#include "interrupt.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define COMMAND_ADDRESS(name) &command_##name,
static const command *const commands[] = {COMMANDS(COMMAND_ADDRESS)};

#define COMMAND_COUNT (sizeof commands / sizeof commands[0])

const command *command_at(size_t index)
{
    return index < COMMAND_COUNT ? commands[index] : NULL;
}

const command *command_find(const char *name)
{
    for (size_t i = 0; i < COMMAND_COUNT; i++)
        if (strcmp(commands[i]->name, name) == 0)
            return commands[i];
    return NULL;
}

static const char *command_name_at(size_t index)
{
    return index < COMMAND_COUNT ? commands[index]->name : NULL;
}

const char *command_nearest(const char *typed)
{
    return diag_nearest(typed, command_name_at);
}

/* Finishes what was printed on standard output and reports a failure; a reader that
 * has gone away is not a failure. */
static void finish_output(context *ctx)
{
    output *out = &ctx->out;
    bool sent = output_commit(out);
    if (sent && close(STDOUT_FILENO) != 0 && errno != EINTR) /* it is closed then */
        out->failed = errno;
    if (out->failed != 0 && out->failed != EPIPE)
        diag_system(&ctx->errors, out->name, "cannot write", "write_failed", out->failed);
}

/* A process may be started with its standard files closed. Then the first file it
 * opens would take their place and be written to by mistake; so they are opened,
 * each in the way in which it cannot be used. False when that is not possible. */
static bool occupy_standard_files(void)
{
    static const int modes[] = {O_WRONLY, O_RDONLY, O_RDONLY};
    for (int fd = 0; fd <= STDERR_FILENO; fd++)
        if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", modes[fd]) != fd)
            return false;
    return true;
}

/* Splits the operands into the command and what is left for it. */
static void choose_command(context *ctx)
{
    args *given = &ctx->given;
    ctx->command = &command_convert;
    ctx->operands = given->operands;
    ctx->operand_count = given->operand_count;
    const command *named = NULL;
    if (given->free_operands > 0)
        named = command_find(given->operands[0]);
    if (named != NULL) {
        ctx->command = named;
        ctx->operands++;
        ctx->operand_count--;
    }
    static const char *const standard_input[] = {"-"};
    bool none = ctx->operand_count == 0;
    ctx->paths = none ? standard_input : (const char *const *)ctx->operands;
    ctx->path_count = none ? 1 : ctx->operand_count;
}

/* True when the first word looks like a command that was mistyped: it is near one,
 * and there is no such file. */
static bool is_mistyped(context *ctx)
{
    const args *given = &ctx->given;
    bool named = ctx->operands != given->operands;
    if (named || given->free_operands == 0 || access(given->operands[0], F_OK) == 0)
        return false;
    const char *nearest = command_nearest(given->operands[0]);
    if (nearest == NULL)
        return false;
    diag_usage_near(&ctx->errors, "unknown_command", nearest, NULL,
                    "'%s' is neither a command nor a file", given->operands[0]);
    return true;
}

static void dispatch(context *ctx)
{
    const complaint *wrong = &ctx->given.wrong;
    args_restrict(&ctx->given, ctx->command->options, ctx->command->name);
    if (wrong->code != NULL) {
        diag_usage(&ctx->errors, wrong->code, wrong->hint, "%s", wrong->message);
    } else if (args_has(&ctx->given, OPTION_VERSION)) {
        output_format(&ctx->out, "pith %s\n", pith_version());
    } else if (args_has(&ctx->given, OPTION_HELP)) {
        bool named = ctx->operands != ctx->given.operands;
        if (named)
            help_command(&ctx->out, ctx->command);
        else
            help_everything(&ctx->out);
    } else if (!is_mistyped(ctx)) {
        ctx->command->run(ctx);
    }
}

static void start(context *ctx)
{
    const args *given = &ctx->given;
    const char *errors = given->value[OPTION_ERRORS];
    ctx->errors = (diag){
        .json = errors != NULL && strcmp(errors, "json") == 0,
        .quiet = args_has(given, OPTION_QUIET),
        .ascii = isatty(STDERR_FILENO),
        .color = args_color(given, isatty(STDERR_FILENO)),
    };
    progress_start(&ctx->line, !args_has(given, OPTION_NO_PROGRESS) &&
                                   !args_has(given, OPTION_QUIET));
    output_descriptor(&ctx->out, STDOUT_FILENO, "<stdout>", &ctx->line);
    choose_command(ctx);
}

int main(int argc, char **argv)
{
    if (!occupy_standard_files())
        return EXIT_MACHINE; /* there may be nowhere to say why */
    interrupt_install();
    setvbuf(stderr, NULL, _IOFBF, BUFSIZ);
    context *ctx = calloc(1, sizeof *ctx);
    if (ctx == NULL || !args_parse(&ctx->given, argc, argv)) {
        free(ctx);
        fputs("pith: error: out of memory [no_memory]\n", stderr);
        return EXIT_MACHINE;
    }
    start(ctx);
    dispatch(ctx);
    finish_output(ctx);
    int code = ctx->errors.exit_code;
    args_free(&ctx->given);
    free(ctx);
    interrupt_finish();
    return code;
}
