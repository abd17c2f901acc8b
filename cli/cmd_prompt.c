/*
 * cmd_prompt.c - `pith prompt`: what to tell a model about a format.
 */
#include "context.h"
#include "format_args.h"
#include "legends.h"

#include <stdlib.h>
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

/* --- how to answer */

enum { EXAMPLE_ROWS = 2, EXAMPLE_CELL = 32 /* bytes of a cell */ };

/* The names between the commas; how many there are. */
static size_t split_columns(const char *given, pith_text *columns)
{
    size_t count = 0;
    while (given != NULL) {
        const char *comma = strchr(given, ',');
        pith_text name = {given, comma != NULL ? (size_t)(comma - given) : strlen(given)};
        if (columns != NULL)
            columns[count] = name;
        count++;
        given = comma != NULL ? comma + 1 : NULL;
    }
    return count;
}

/* Writes rows whose cells are the names of the columns with a number. */
static bool write_example(pith_rows *rows, const pith_text *columns, size_t count,
                          pith_error *err)
{
    for (unsigned row = 1; row <= EXAMPLE_ROWS; row++) {
        for (size_t i = 0; i < count; i++) {
            char cell[EXAMPLE_CELL + 8];
            size_t len = columns[i].len;
            while (len > EXAMPLE_CELL || (len > 0 && len < columns[i].len &&
                                          (columns[i].ptr[len] & 0xC0) == 0x80))
                len--;
            memcpy(cell, columns[i].ptr, len);
            cell[len] = (char)('0' + row);
            pith_doc_add_text(pith_rows_row(rows), cell, len + 1);
        }
        if (pith_rows_end_row(rows, err) != PITH_OK) {
            pith_rows_abandon(rows);
            return false;
        }
    }
    return pith_rows_close(rows, err) == PITH_OK;
}

static bool make_example(const char *format, const char *given, pith_buffer *sample,
                         pith_error *err)
{
    size_t count = split_columns(given, NULL);
    pith_text *columns = calloc(count, sizeof *columns);
    if (columns == NULL) {
        error_no_memory(err);
        return false;
    }
    split_columns(given, columns);
    pith_rows *rows =
        pith_rows_open(format, columns, count, NULL, pith_sink_buffer(sample), err);
    bool fine = rows != NULL && write_example(rows, columns, count, err);
    free(columns);
    return fine;
}

/* What to say, in few tokens: the example, and the line on quotes. */
static void print_how_to_answer(context *ctx, const char *format, const char *columns)
{
    pith_buffer sample = {0};
    pith_error err;
    if (make_example(format, columns, &sample, &err)) {
        output_format(&ctx->out, "Answer in %s alone, like this:\n", format);
        pith_sink out = output_sink(&ctx->out);
        bool newline = sample.len == 0 || sample.data[sample.len - 1] != '\n';
        out.write(out.ctx, sample.data, sample.len);
        output_format(&ctx->out, newline ? "\n" : "");
        for (const legend *line = legends; line->format != NULL; line++)
            if (strcmp(line->format, format) == 0 && line->construct != NULL &&
                strcmp(line->construct, "quotes") == 0)
                output_format(&ctx->out, "%s\n", line->line);
    } else {
        diag_problem(&ctx->errors, NULL, &err, NULL);
    }
    pith_buffer_free(&sample);
}

static void run_prompt(context *ctx)
{
    const char *columns = ctx->given.value[OPTION_ANSWER];
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
    if (columns != NULL && dense) {
        diag_usage(&ctx->errors, "unused_option", NULL,
                   "'--dense' explains data, and '--answer' asks for some");
        return;
    }
    if (columns != NULL) {
        print_how_to_answer(ctx, format, columns);
        return;
    }
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
        "a prompt: a line for each construct that the data may have. With --answer it "
        "says how to answer with a table, which 'pith --from answer' reads.",
    .examples = EXAMPLES({"pith prompt pith", "for data that 'pith --to pith' wrote"},
                         {"pith prompt pith --dense", "for data in level 2, too"},
                         {"pith prompt pith --answer id,name", "how to answer"}),
    .options = OPTIONS(OPTION_DENSE, OPTION_ANSWER, OPTION_ERRORS, OPTION_COLOR,
                       OPTION_HELP, OPTION_VERSION),
    .run = run_prompt,
};
