/*
 * cmd_prompt.c - `pith prompt`: what to tell a model about a format.
 */
#include "context.h"
#include "format_args.h"
#include "legends.h"

#include <string.h>

/* How many lines of a format are dense. */
static size_t dense_lines(const char *format)
{
    size_t count = 0;
    for (const legend *line = legends; line->format != NULL; line++)
        count += line->dense && strcmp(line->format, format) == 0;
    return count;
}

static bool is_explained(context *ctx, const char *format, bool dense)
{
    const legend *line = legends;
    while (line->format != NULL && strcmp(line->format, format) != 0)
        line++;
    if (line->format == NULL) {
        diag_usage(&ctx->errors, "no_legend", "'pith formats' lists those that are texts",
                   "there is no text to explain '%s'", format);
        return false;
    }
    if (dense && dense_lines(format) == 0) {
        diag_usage(&ctx->errors, "unused_option", NULL, "%s has no dense form", format);
        return false;
    }
    return true;
}

static void run_prompt(context *ctx)
{
    bool dense = args_has(&ctx->given, OPTION_DENSE);
    const char *format = ctx->operand_count == 1 ? ctx->operands[0] : NULL;
    if (format == NULL) {
        diag_usage(&ctx->errors, "wrong_operands", "'pith formats' lists them",
                   "'pith prompt' takes one format");
        return;
    }
    if (format_named(ctx, format, PITH_READ | PITH_WRITE) == NULL ||
        !is_explained(ctx, format, dense))
        return;
    for (const legend *line = legends; line->format != NULL; line++)
        if (strcmp(line->format, format) == 0 && (dense || !line->dense))
            output_format(&ctx->out, "%s\n", line->line);
}

const command command_prompt = {
    .name = "prompt",
    .operands = "FORMAT",
    .takes = OPERAND_FORMATS,
    .summary = "print what to tell a model about a format",
    .about =
        "Prints the text that explains a format to a model, to be put before data in "
        "a prompt: a line for each construct that the data may have.",
    .examples = EXAMPLES({"pith prompt pith", "for data that 'pith --to pith' wrote"},
                         {"pith prompt pith --dense", "for data in level 2, too"}),
    .options =
        OPTIONS(OPTION_DENSE, OPTION_ERRORS, OPTION_COLOR, OPTION_HELP, OPTION_VERSION),
    .run = run_prompt,
};
