/*
 * manual.c - the man page, from the same tables as the help.
 *
 * The page uses the man(7) macros that every implementation knows. It carries no
 * date, so that the same source always gives the same page.
 */
#include "manual.h"

#include "format_args.h"

#include <stdio.h>
#include <string.h>

const manual_fact manual_exit_codes[] = {
    {"0", "done; also when the reader of standard output went away"},
    {"1", "the data is bad"},
    {"2", "the command line is bad"},
    {"3", "the machine failed: reading, writing or memory"},
    {NULL, NULL},
};

const manual_fact manual_environment[] = {
    {"NO_COLOR", "when set and not empty, --color=auto means never"},
    {NULL, NULL},
};

/* Only of the man page; docs/limits.md has them all. */
static const manual_fact manual_limits[] = {
    {"depth_limit",
     "arrays and objects nest 512 levels deep; --depth allows up to 1000000"},
    {"memory_limit",
     "reading takes 64 MiB and 64 bytes for each byte of the text; --memory-max allows "
     "more"},
    {"output_limit",
     "64 MiB and 64 bytes for each byte read are written; --output-max allows more"},
    {"raw_limit", "compressed rows of soch-bin are 1 GiB; see its setting raw-max"},
    {"budget_exceeded", "not even the text with one row fits into --budget"},
    {"timeout", "a statement took longer than --timeout"},
    {"too_large", "a string, a key or a line is 4 GiB or more"},
    {"docs/limits.md", "has all limits, with the settings of the library"},
    {NULL, NULL},
};

/* Prints text so that roff takes none of it for a request or an escape. A newline begins
 * a paragraph. */
static void roff_text(output *out, const char *text)
{
    bool line_start = true;
    for (const char *at = text; *at != '\0'; at++) {
        if (line_start && (*at == '.' || *at == '\''))
            output_text(out, "\\&");
        line_start = *at == '\n';
        if (*at == '\\')
            output_text(out, "\\e");
        else if (*at == '-')
            output_text(out, "\\-");
        else if (*at == '\'')
            output_text(out, "\\(aq");
        else if (*at == '\n')
            output_text(out, "\n.PP\n");
        else
            output_format(out, "%c", *at);
    }
}

static void roff_line(output *out, const char *request, const char *text)
{
    output_text(out, request);
    roff_text(out, text);
    output_text(out, "\n");
}

/* A word in bold, and its meaning indented. */
static void roff_item(output *out, const char *word, const char *meaning)
{
    output_text(out, ".TP\n\\fB");
    roff_text(out, word);
    output_text(out, "\\fR\n");
    roff_line(out, "", meaning);
}

static void roff_facts(output *out, const char *title, const manual_fact *facts)
{
    output_format(out, ".SH %s\n", title);
    for (; facts->word != NULL; facts++)
        roff_item(out, facts->word, facts->meaning);
}

static void roff_option(output *out, const option *opt)
{
    output_text(out, ".TP\n");
    if (opt->letter != 0)
        output_format(out, "\\fB\\-%c\\fR, ", opt->letter);
    output_text(out, "\\fB\\-\\-");
    roff_text(out, opt->word);
    output_text(out, "\\fR");
    if (opt->value != NULL)
        output_format(out, "=\\fI%s\\fR", opt->value);
    output_text(out, "\n");
    roff_text(out, opt->help);
    if (opt->kind == VALUE_CHOICE) {
        output_text(out, " (");
        roff_text(out, opt->choices);
        output_text(out, ")");
    }
    output_text(out, "\n");
}

static void roff_command(output *out, const command *cmd)
{
    output_format(out, ".SS pith %s\n", cmd->name);
    roff_line(out, "", cmd->about);
    for (const option_id *id = cmd->options; *id != OPTION_END; id++)
        roff_option(out, option_of(*id));
}

static void roff_setting(output *out, const pith_setting *setting)
{
    char word[SETTING_WORDS_MAX];
    setting_words(setting, word);
    roff_item(out, word, setting->help);
    output_text(out, "(");
    output_text(out, setting->direction == PITH_READ    ? "reading"
                     : setting->direction == PITH_WRITE ? "writing"
                                                        : "both ways");
    output_text(out, ", default ");
    roff_text(out, setting->default_value[0] != '\0' ? setting->default_value : "empty");
    output_text(out, ")\n");
}

static void roff_common_settings(output *out)
{
    const pith_setting *setting;
    output_text(out, ".SS every format\n");
    for (size_t i = 0; (setting = pith_setting_common(i)) != NULL; i++)
        roff_setting(out, setting);
}

static void roff_format(output *out, const pith_format *format)
{
    output_text(out, ".SS ");
    roff_text(out, format->name);
    output_text(out, "\n");
    roff_text(out, format->summary);
    output_text(out, " (");
    roff_text(out, format->suffixes);
    output_text(out, ")\n");
    for (size_t i = 0; i < format->setting_count; i++)
        roff_setting(out, &format->settings[i]);
}

static void roff_synopsis(output *out)
{
    output_text(out, ".SH SYNOPSIS\n");
    for (size_t i = 0; command_at(i) != NULL; i++) {
        const command *cmd = command_at(i);
        output_format(out, "%s\\fBpith\\fR ", i == 0 ? "" : ".br\n");
        output_format(out, i == 0 ? "[\\fB%s\\fR]" : "\\fB%s\\fR", cmd->name);
        const char *between = cmd->operands[0] ? " " : ""; /* nothing ends with a space */
        output_format(out, " [\\fIOPTION\\fR]...%s%s\n", between, cmd->operands);
    }
}

static void roff_examples(output *out)
{
    output_text(out, ".SH EXAMPLES\n");
    for (size_t i = 0; command_at(i) != NULL; i++)
        for (const example *cmd = command_at(i)->examples; cmd->line != NULL; cmd++)
            roff_item(out, cmd->line, cmd->what);
}

void manual_print(output *out)
{
    output_format(out, ".TH PITH 1 \"\" \"pith %s\" \"User Commands\"\n",
                  PITH_VERSION_TEXT);
    roff_line(out, ".SH NAME\npith \\- ", MANUAL_TITLE);
    roff_synopsis(out);
    output_text(out, ".SH COMMANDS\n");
    for (size_t i = 0; command_at(i) != NULL; i++)
        roff_command(out, command_at(i));
    output_text(out, ".SH FORMATS\n");
    for (size_t i = 0; pith_format_at(i) != NULL; i++)
        roff_format(out, pith_format_at(i));
    roff_common_settings(out);
    roff_facts(out, "EXIT STATUS", manual_exit_codes);
    roff_facts(out, "ENVIRONMENT", manual_environment);
    roff_facts(out, "LIMITS", manual_limits);
    roff_examples(out);
}
