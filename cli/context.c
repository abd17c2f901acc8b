/*
 * context.c - what the commands share: standard input that nobody feeds, the file that -o
 * names, and why something failed on its way from one to the other.
 */
#define _POSIX_C_SOURCE 200809L

#include "context.h"

#include "cmd_help.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool command_would_wait(session *with)
{
    if (with->operand_count > 0 || !isatty(STDIN_FILENO))
        return false;
    /* The usage goes where complaints go; standard output is for data. */
    output complaints;
    output_descriptor(&complaints, STDERR_FILENO, "<stderr>", NULL);
    help_usage(&complaints, with->command);
    output_text(&complaints, "'pith help' tells more.\n");
    output_flush(&complaints);
    with->errors.exit_code = EXIT_USAGE;
    return true;
}

output *command_output(session *with, const char *path)
{
    if (path == NULL || strcmp(path, "-") == 0)
        return &with->out;
    return output_create(path, &with->line, &with->errors, "cannot create",
                         "create_failed");
}

static void report_output(session *with, const output *out)
{
    if (out != &with->out && out->failed != EPIPE) {
        diag_system(&with->errors, out->name, "cannot write", "write_failed",
                    out->failed);
    }
}

bool command_keep_output(session *with, output *out, bool fine)
{
    if (!fine)
        output_discard(out);
    else if (out != &with->out && !output_commit(out))
        report_output(with, out);
    return fine && out->failed == 0;
}

void command_drop_output(session *with, output *out)
{
    if (out != &with->out)
        output_free(out);
}

void command_end_text(const session *with, output *out, const pith_format *to,
                      size_t before)
{
    if (!to->binary && !args_has(&with->given, OPTION_NO_NEWLINE) &&
        out->written > before && out->last != '\n')
        output_text(out, "\n");
}

void command_report(session *with, const input *in, const output *out,
                    const pith_error *err)
{
    progress_clear(&with->line);
    if (in != NULL && in->failed != 0) {
        input_explain(in, &with->errors);
    } else if (out != NULL && out->failed != 0) {
        report_output(with, out);
    } else if (in != NULL) {
        source from = {in->text, in->len, in->read - in->len};
        diag_problem(&with->errors, in->name, err, &from);
    } else {
        diag_problem(&with->errors, NULL, err, NULL);
    }
}
