/*
 * cmd_formats.c - `pith formats`: what this build reads and writes.
 *
 * Everything comes from the library's registry, so a new format appears here, in
 * the manual and in the completions without a word added.
 */
#include "context.h"
#include "format_args.h"
#include "json_out.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Whether the format at that index was asked for. */
static bool wanted(const context *ctx, const pith_format *format)
{
    for (size_t i = 0; i < ctx->operand_count; i++)
        if (strcmp(ctx->operands[i], format->name) == 0)
            return true;
    return ctx->operand_count == 0;
}

/* The next format that was asked for, from `*index` on; NULL at the end. */
static const pith_format *next_wanted(const context *ctx, size_t *index)
{
    const pith_format *format;
    while ((format = pith_format_at(*index)) != NULL) {
        (*index)++;
        if (wanted(ctx, format))
            return format;
    }
    return NULL;
}

/* --- as a table */

/* The width of each column. */
typedef struct table_widths {
    int name, suffixes, media_type, word, normally;
} table_widths;

static void widen(int *width, const char *text)
{
    int len = (int)strlen(text);
    if (len > *width)
        *width = len;
}

static table_widths measure(const context *ctx)
{
    table_widths widths = {.name = 4, .suffixes = 8, .media_type = 10};
    const pith_format *format;
    for (size_t i = 0; (format = next_wanted(ctx, &i)) != NULL;) {
        widen(&widths.name, format->name);
        widen(&widths.suffixes, format->suffixes);
        widen(&widths.media_type, format->media_type);
        const pith_setting *setting;
        for (size_t j = 0; (setting = setting_at(format, j)) != NULL; j++) {
            char word[SETTING_WORDS_MAX];
            setting_words(setting, word);
            widen(&widths.word, word);
            widen(&widths.normally, setting->default_value);
        }
    }
    return widths;
}

static const char *side_name(unsigned sides)
{
    return sides == PITH_READ ? "read" : sides == PITH_WRITE ? "write" : "both";
}

static void print_setting(output *out, const pith_setting *setting,
                          const table_widths *widths)
{
    char word[SETTING_WORDS_MAX];
    setting_words(setting, word);
    output_format(out, "    %-*s  %-5s  default %-*s  %s\n", widths->word, word,
                  side_name(setting->direction), widths->normally, setting->default_value,
                  setting->help);
}

static void print_common_settings(output *out, const table_widths *widths)
{
    const pith_setting *setting;
    output_text(out, "every format\n");
    for (size_t i = 0; (setting = pith_setting_common(i)) != NULL; i++)
        print_setting(out, setting, widths);
}

static void print_table(context *ctx)
{
    output *out = &ctx->out;
    table_widths widths = measure(ctx);
    const pith_format *format;
    output_format(out, "%-*s  reads  writes  %-*s  %-*s  summary\n", widths.name, "name",
                  widths.suffixes, "suffixes", widths.media_type, "media type");
    for (size_t i = 0; (format = next_wanted(ctx, &i)) != NULL;) {
        output_format(out, "%-*s  %-5s  %-6s  %-*s  %-*s  %s\n", widths.name,
                      format->name, (format->direction & PITH_READ) != 0 ? "yes" : "no",
                      (format->direction & PITH_WRITE) != 0 ? "yes" : "no",
                      widths.suffixes, format->suffixes, widths.media_type,
                      format->media_type, format->summary);
        for (size_t j = 0; j < format->setting_count; j++)
            print_setting(out, &format->settings[j], &widths);
    }
    print_common_settings(out, &widths);
}

static void print_names(context *ctx)
{
    const pith_format *format;
    for (size_t i = 0; (format = next_wanted(ctx, &i)) != NULL;)
        output_format(&ctx->out, "%s\n", format->name);
}

/* --- as JSON */

/* The parts of a text between separators, as an array. */
static void add_parts(pith_doc *doc, const char *key, const char *text,
                      const char *separator)
{
    json_array(doc, key);
    while (*text != '\0') {
        size_t len = strcspn(text, separator);
        pith_doc_add_text(doc, text, len);
        text += len + (text[len] != '\0');
    }
    pith_doc_close(doc);
}

static void add_setting(pith_doc *doc, const pith_setting *setting)
{
    static const char *const types[] = {
        [PITH_SETTING_BOOL] = "bool",
        [PITH_SETTING_NUMBER] = "number",
        [PITH_SETTING_CHOICE] = "choice",
        [PITH_SETTING_TEXT] = "text",
    };
    pith_doc_open_object(doc);
    json_text(doc, "word", setting->word);
    json_text(doc, "type", types[setting->type]);
    json_bool(doc, "reads", (setting->direction & PITH_READ) != 0);
    json_bool(doc, "writes", (setting->direction & PITH_WRITE) != 0);
    if (setting->type == PITH_SETTING_CHOICE)
        add_parts(doc, "choices", setting->choices, "|");
    if (setting->type == PITH_SETTING_NUMBER) {
        json_number(doc, "least", setting->min);
        json_number(doc, "most", setting->max);
    }
    json_text(doc, "normally", setting->default_value);
    json_text(doc, "help", setting->help);
    pith_doc_close(doc);
}

static void add_format(pith_doc *doc, const pith_format *format)
{
    pith_doc_open_object(doc);
    json_text(doc, "name", format->name);
    json_bool(doc, "reads", (format->direction & PITH_READ) != 0);
    json_bool(doc, "writes", (format->direction & PITH_WRITE) != 0);
    json_bool(doc, "streams_reading", (format->streams & PITH_READ) != 0);
    json_bool(doc, "streams_writing", (format->streams & PITH_WRITE) != 0);
    json_bool(doc, "binary", format->binary);
    add_parts(doc, "suffixes", format->suffixes, " ");
    json_text(doc, "media_type", format->media_type);
    json_text(doc, "summary", format->summary);
    json_array(doc, "settings");
    const pith_setting *setting;
    for (size_t i = 0; (setting = setting_at(format, i)) != NULL; i++)
        add_setting(doc, setting);
    pith_doc_close(doc);
    pith_doc_close(doc);
}

static void add_formats(pith_doc *doc, const void *from)
{
    const context *ctx = from;
    const pith_format *format;
    pith_doc_open_array(doc);
    for (size_t i = 0; (format = next_wanted(ctx, &i)) != NULL;)
        add_format(doc, format);
    pith_doc_close(doc);
}

static void run_formats(context *ctx)
{
    for (size_t i = 0; i < ctx->operand_count; i++)
        if (format_named(ctx, ctx->operands[i], PITH_READ | PITH_WRITE) == NULL)
            return;
    if (args_has(&ctx->given, OPTION_JSON))
        json_print(ctx, add_formats, ctx);
    else if (args_has(&ctx->given, OPTION_NAMES))
        print_names(ctx);
    else
        print_table(ctx);
}

const command command_formats = {
    .name = "formats",
    .operands = "[FORMAT]...",
    .takes = OPERAND_FORMATS,
    .summary = "list the formats, their suffixes and their settings",
    .about = "Lists the formats this build knows, or only those named: whether it "
             "reads and writes them, the suffixes and the media type they go by, and "
             "below each its settings, as --set takes them.",
    .examples = EXAMPLES(
        {"pith formats", "all of them"}, {"pith formats json", "one, with its settings"},
        {"pith formats --json | pith --to json --set indent=2", "for a program"}),
    .options = OPTIONS(OPTION_NAMES, OPTION_JSON, OPTION_ERRORS, OPTION_COLOR,
                       OPTION_HELP, OPTION_VERSION),
    .run = run_formats,
};
