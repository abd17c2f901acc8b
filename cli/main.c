/*
 * main.c - the table of commands, and the way into them.
 *
 * The first word that is no option names the command; any other word there is a
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
 * has gone away is none. */
static void finish_output(session *with)
{
    output *out = &with->out;
    bool sent = output_commit(out);
    if (sent && close(STDOUT_FILENO) != 0 && errno != EINTR) /* it is closed then */
        out->failed = errno;
    if (out->failed != 0 && out->failed != EPIPE) {
        diag_system(&with->errors, out->name, "cannot write", "write_failed",
                    out->failed);
    }
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
static void choose_command(session *with)
{
    args *given = &with->given;
    with->command = &command_convert;
    with->operands = given->operands;
    with->operand_count = given->operand_count;
    const command *named = NULL;
    if (given->free_operands > 0)
        named = command_find(given->operands[0]);
    if (named != NULL) {
        with->command = named;
        with->operands++;
        with->operand_count--;
    }
    static const char *const standard_input[] = {"-"};
    bool none = with->operand_count == 0;
    with->paths = none ? standard_input : (const char *const *)with->operands;
    with->path_count = none ? 1 : with->operand_count;
}

/* True when the first word looks like a command that was mistyped: it is near one,
 * and there is no such file. */
static bool is_mistyped(session *with)
{
    const args *given = &with->given;
    bool named = with->operands != given->operands;
    if (named || given->free_operands == 0 || access(given->operands[0], F_OK) == 0)
        return false;
    const char *nearest = command_nearest(given->operands[0]);
    if (nearest == NULL)
        return false;
    diag_usage_near(&with->errors, "unknown_command", nearest, NULL,
                    "'%s' is neither a command nor a file", given->operands[0]);
    return true;
}

static void dispatch(session *with)
{
    const complaint *wrong = &with->given.wrong;
    args_restrict(&with->given, with->command->options, with->command->name);
    if (wrong->code != NULL) {
        diag_usage(&with->errors, wrong->code, wrong->hint, "%s", wrong->message);
    } else if (args_has(&with->given, OPTION_VERSION)) {
        output_format(&with->out, "pith %s\n", pith_version());
    } else if (args_has(&with->given, OPTION_HELP)) {
        bool named = with->operands != with->given.operands;
        if (named)
            help_command(&with->out, with->command);
        else
            help_everything(&with->out);
    } else if (!is_mistyped(with)) {
        with->command->run(with);
    }
}

static void start(session *with)
{
    const args *given = &with->given;
    const char *errors = given->value[OPTION_ERRORS];
    with->errors = (diag){
        .json = errors != NULL && strcmp(errors, "json") == 0,
        .ascii = isatty(STDERR_FILENO),
        .color = args_color(given, isatty(STDERR_FILENO)),
    };
    progress_start(&with->line, !args_has(given, OPTION_NO_PROGRESS));
    output_descriptor(&with->out, STDOUT_FILENO, "<stdout>", &with->line);
    choose_command(with);
}

int main(int argc, char **argv)
{
    if (!occupy_standard_files())
        return EXIT_MACHINE; /* there may be nowhere to say why */
    interrupt_install();
    setvbuf(stderr, NULL, _IOFBF, BUFSIZ);
    session *with = calloc(1, sizeof *with);
    if (with == NULL || !args_parse(&with->given, argc, argv)) {
        free(with);
        fputs("pith: error: out of memory [no_memory]\n", stderr);
        return EXIT_MACHINE;
    }
    start(with);
    dispatch(with);
    finish_output(with);
    int code = with->errors.exit_code;
    args_free(&with->given);
    free(with);
    interrupt_finish();
    return code;
}
