/*
 * context.c - what the commands share: a terminal as input, the file that -o
 * names, and why something failed on its way from one to the other.
 */
#define _POSIX_C_SOURCE 200809L

#include "context.h"

#include "cmd_help.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool would_wait(context *ctx)
{
    if (ctx->operand_count > 0 || !isatty(STDIN_FILENO))
        return false;
    /* The usage goes where complaints go; standard output is for data. */
    output complaints;
    output_descriptor(&complaints, STDERR_FILENO, "<stderr>", NULL);
    help_usage(&complaints, ctx->command);
    output_text(&complaints, "'pith help' says more.\n");
    output_flush(&complaints);
    ctx->errors.exit_code = EXIT_USAGE;
    return true;
}

bool output_is_standard(const char *path)
{
    return strcmp(path, "-") == 0 || strcmp(path, "/dev/stdout") == 0;
}

output *output_for(context *ctx, const char *path)
{
    if (path == NULL || output_is_standard(path))
        return &ctx->out;
    return output_create(path, &ctx->line, &ctx->errors, "cannot create",
                         "create_failed");
}

static void report_output(context *ctx, const output *out)
{
    if (out != &ctx->out && out->failed != EPIPE)
        diag_system(&ctx->errors, out->name, "cannot write", "write_failed", out->failed);
}

bool output_keep(context *ctx, output *out, bool fine)
{
    if (!fine)
        output_discard(out);
    else if (out != &ctx->out && !output_commit(out))
        report_output(ctx, out);
    return fine && out->failed == 0;
}

void output_drop(context *ctx, output *out)
{
    if (out != &ctx->out)
        output_free(out);
}

void output_end_text(const context *ctx, output *out, const pith_format *to,
                     size_t before)
{
    if (!to->binary && !args_has(&ctx->given, OPTION_NO_NEWLINE) &&
        out->written > before && out->last != '\n')
        output_text(out, "\n");
}

void report_failure(context *ctx, const input *in, const output *out,
                    const pith_error *err)
{
    progress_clear(&ctx->line);
    if (in != NULL && in->failed != 0) {
        input_explain(in, &ctx->errors);
    } else if (out != NULL && out->failed != 0) {
        report_output(ctx, out);
    } else if (in != NULL) {
        source from = {in->text, in->len, in->read - in->len};
        diag_problem(&ctx->errors, in->name, err, &from);
    } else {
        diag_problem(&ctx->errors, NULL, err, NULL);
    }
}

/* What a text says of itself, and what was left out as was asked, is no warning. */
void pass_remark(void *ctx, const pith_error *remark)
{
    const remarks *of = ctx;
    bool note =
        strcmp(remark->code, "note") == 0 || strcmp(remark->code, "left_out") == 0;
    progress_clear(&of->ctx->line);
    diag_remark(&of->ctx->errors, of->file, remark, note);
    bool strict = !note && args_has(&of->ctx->given, OPTION_STRICT_EXIT);
    if (strict && of->ctx->errors.exit_code < EXIT_DATA)
        of->ctx->errors.exit_code = EXIT_DATA;
}
