/*
 * cmd_help.c - `pith help`, every --help, the man page and the completions.
 *
 * Nothing is written down twice: commands and options describe themselves, and
 * here the descriptions are laid out on 80 columns.
 */
#include "cmd_help.h"

#include "completions.h"
#include "context.h"
#include "manual.h"

#include <stdio.h>
#include <string.h>

#define LINE_COLUMNS 80
#define OPTION_COLUMNS 26 /* where the meaning of an option begins */

/* Prints text word by word, from `column` on, later lines indented. A newline begins
 * a paragraph. */
static void wrap(output *out, const char *text, size_t indent, size_t column)
{
    bool first = true;
    while (*text != '\0') {
        size_t len = strcspn(text, " \n");
        if (!first && column + 1 + len > LINE_COLUMNS) {
            output_format(out, "\n%*s", (int)indent, "");
            column = indent;
        } else if (!first) {
            output_text(out, " ");
            column++;
        }
        output_format(out, "%.*s", (int)len, text);
        column += len;
        text += len;
        first = *text == '\n';
        if (first) {
            output_format(out, "\n\n%*s", (int)indent, "");
            column = indent;
        }
        text += *text != '\0';
    }
    output_text(out, "\n");
}

/* A word in its column and the meaning beside it. */
static void print_item(output *out, const char *word, const char *meaning)
{
    size_t len = strlen(word);
    output_format(out, "  %s", word);
    if (len + 3 > OPTION_COLUMNS)
        output_format(out, "\n%*s", OPTION_COLUMNS, "");
    else
        output_format(out, "%*s", (int)(OPTION_COLUMNS - 2 - len), "");
    wrap(out, meaning, OPTION_COLUMNS, OPTION_COLUMNS);
}

static void print_options(output *out, const option_id *ids)
{
    output_text(out, "\noptions:\n");
    for (; *ids != OPTION_END; ids++) {
        const option *opt = option_of(*ids);
        const char *value = opt->kind == VALUE_CHOICE ? opt->choices : opt->value;
        char word[96];
        char letter[8] = "    ";
        if (opt->letter != 0)
            snprintf(letter, sizeof letter, "-%c, ", opt->letter);
        snprintf(word, sizeof word, "%s--%s%s%s", letter, opt->word,
                 value != NULL ? "=" : "", value != NULL ? value : "");
        print_item(out, word, opt->help);
    }
}

static void print_facts(output *out, const char *title, const manual_fact *facts)
{
    output_format(out, "\n%s:\n", title);
    for (; facts->word != NULL; facts++)
        print_item(out, facts->word, facts->meaning);
}

static void print_examples(output *out, const example *examples)
{
    output_text(out, "\nexamples:\n");
    for (; examples->line != NULL; examples++)
        output_format(out, "  %s\n      %s\n", examples->line, examples->what);
}

void help_usage(output *out, const command *cmd)
{
    bool silent = cmd == &command_convert; /* its name may be left out */
    output_format(out,
                  silent ? "usage: pith [%s] [OPTION]... %s\n"
                         : "usage: pith %s [OPTION]... %s\n",
                  cmd->name, cmd->operands);
}

void help_command(output *out, const command *cmd)
{
    help_usage(out, cmd);
    output_text(out, "\n");
    wrap(out, cmd->about, 0, 0);
    print_options(out, cmd->options);
    print_examples(out, cmd->examples);
}

void help_everything(output *out)
{
    output_text(out, "pith - " MANUAL_TITLE "\n\n");
    help_usage(out, &command_convert);
    output_text(out, "       pith COMMAND [OPTION]...\n\ncommands:\n");
    for (size_t i = 0; command_at(i) != NULL; i++)
        print_item(out, command_at(i)->name, command_at(i)->summary);
    print_options(out, command_convert.options);
    print_facts(out, "exit codes", manual_exit_codes);
    print_facts(out, "environment", manual_environment);
    print_examples(out, command_convert.examples);
    output_text(out, "\n'pith help COMMAND' says more.\n");
}

static void help_on(context *ctx, const char *name)
{
    const command *cmd = command_find(name);
    if (cmd == NULL) {
        diag_usage_near(&ctx->errors, "unknown_command", command_nearest(name),
                        "'pith help' lists the commands", "there is no command '%s'",
                        name);
        return;
    }
    help_command(&ctx->out, cmd);
}

static void run_help(context *ctx)
{
    if (args_has(&ctx->given, OPTION_MAN))
        manual_print(&ctx->out);
    else if (args_has(&ctx->given, OPTION_COMPLETIONS))
        completions_print(&ctx->out, ctx->given.value[OPTION_COMPLETIONS]);
    else if (args_has(&ctx->given, OPTION_COMPLETE))
        completions_offer(&ctx->out, (const char *const *)ctx->operands,
                          ctx->operand_count);
    else if (ctx->operand_count > 1)
        diag_usage(&ctx->errors, "too_many_words", NULL, "help takes one command");
    else if (ctx->operand_count == 1)
        help_on(ctx, ctx->operands[0]);
    else
        help_everything(&ctx->out);
}

const command command_help = {
    .name = "help",
    .operands = "[COMMAND]",
    .takes = OPERAND_COMMANDS,
    .summary = "show how to use pith or one of its commands",
    .about = "Tells how to use pith, or one of its commands. It also prints the manual "
             "page and the shells' completions, which say the same things.",
    .examples =
        EXAMPLES({"pith help convert", "how to convert"},
                 {"pith help --man | man -l -", "the manual"},
                 {"source <(pith help --completions bash)", "completions, in bash"}),
    .options = OPTIONS(OPTION_MAN, OPTION_COMPLETIONS, OPTION_COMPLETE, OPTION_ERRORS,
                       OPTION_COLOR, OPTION_HELP, OPTION_VERSION),
    .run = run_help,
};
