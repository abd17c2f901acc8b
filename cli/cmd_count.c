/*
 * cmd_count.c - `pith count`: what files cost a model, in tokens.
 *
 * Like wc: a line for each file, tokens and bytes in columns, and a total below when
 * there are several. Files are read in pieces, so memory does not grow with them. A
 * count that is only an estimate has a ~ before it wherever it is printed.
 *
 * --show and --ids need the tokens themselves and print those instead.
 */
#include "context.h"
#include "format_args.h"
#include "input.h"
#include "interrupt.h"
#include "json_out.h"
#include "load.h"
#include "token_args.h"
#include "token_view.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What has been counted. */
typedef struct counted {
    const char *path;
    size_t tokens;
    size_t bytes;
} counted;

typedef struct counting {
    context *ctx;
    const pith_format *to; /* NULL: as they are */
    pith_vocab *vocab;
    pith_counter *counter;
    counted *done;
    size_t done_count;
    counted total;
} counting;

/* --- one file */

static void note_count(counting *counts, const char *path, size_t tokens, size_t bytes)
{
    counts->done[counts->done_count++] = (counted){path, tokens, bytes};
    counts->total.tokens += tokens;
    counts->total.bytes += bytes;
}

static void count_pieces(counting *counts, input *in, const char *path)
{
    size_t tokens = 0;
    pith_error err = {0};
    pith_sink counter = pith_counter_sink(counts->counter);
    pith_status status = PITH_OK;
    while (status == PITH_OK && !in->ended && input_more(in)) {
        status = counter.write(counter.ctx, in->text, in->len);
        input_forget(in, 0);
        progress_read(&counts->ctx->line, in->read);
    }
    status = pith_counter_total(counts->counter, &tokens, &err);
    if (in->failed != 0)
        return;
    progress_clear(&counts->ctx->line);
    if (status == PITH_OK)
        note_count(counts, path, tokens, in->read);
    else
        diag_problem(&counts->ctx->errors, in->name, &err, NULL);
}

static void view_tokens(counting *counts, input *in)
{
    context *ctx = counts->ctx;
    pith_tokens tokens = {0};
    pith_error err = {0};
    if (!input_all(in, &ctx->line))
        return;
    progress_clear(&ctx->line);
    source from = {in->text, in->len, 0};
    pith_status status = pith_vocab_encode(counts->vocab, in->text, in->len,
                                           PITH_SPECIAL_IS_TEXT, &tokens, &err);
    if (status == PITH_OK && args_has(&ctx->given, OPTION_IDS))
        view_ids(&ctx->out, &tokens);
    else if (status == PITH_OK)
        status = view_text(&ctx->out, counts->vocab, &tokens,
                           args_color(&ctx->given, ctx->out.terminal), &err);
    if (status != PITH_OK)
        diag_problem(&ctx->errors, in->name, &err, err.line > 0 ? &from : NULL);
    pith_tokens_free(&tokens);
}

/* Counts what the text in `in` would be in the format of --to. */
static void count_as(counting *counts, const pith_format *from, const input *in,
                     const char *path)
{
    context *ctx = counts->ctx;
    chosen_settings settings = {0};
    size_t tokens;
    pith_error err = {0};
    pith_outcome outcome = {0};
    remarks said = {ctx, in->name};
    source text = {in->text, in->len, 0};
    if (settings_sort(&settings, ctx, from, counts->to)) {
        pith_options options = {.read = settings.read.data,
                                .write = settings.write.data,
                                .memory_max = in->memory_max,
                                .vocab = counts->vocab,
                                .progress = progress_read,
                                .progress_ctx = &ctx->line,
                                .notice = pass_remark,
                                .notice_ctx = &said,
                                .outcome = &outcome};
        pith_status status =
            pith_convert(from->name, counts->to->name, in->len > 0 ? in->text : "",
                         in->len, &options, pith_counter_sink(counts->counter), &err);
        pith_status total =
            pith_counter_total(counts->counter, &tokens, status == PITH_OK ? &err : NULL);
        progress_clear(&ctx->line);
        if (status == PITH_OK && total == PITH_OK)
            note_count(counts, path, tokens, outcome.bytes);
        else
            diag_problem(&ctx->errors, in->name, &err, err.line > 0 ? &text : NULL);
    }
    settings_free(&settings);
}

static void count_converted(counting *counts, const char *path)
{
    context *ctx = counts->ctx;
    input in;
    if (load_text(ctx, &in, path, input_open)) {
        const pith_format *from = load_format(ctx, &in, path, LOAD_HINT);
        if (from != NULL)
            count_as(counts, from, &in, path);
    }
    input_close(&in);
}

static void count_path(counting *counts, const char *path)
{
    context *ctx = counts->ctx;
    input in;
    if (counts->to != NULL) {
        count_converted(counts, path);
        return;
    }
    if (!input_open(&in, path)) {
        input_explain_open(&in, &ctx->errors);
    } else {
        in.memory_max = (size_t)args_size(&ctx->given, OPTION_MEMORY_MAX);
        progress_input(&ctx->line, in.name, in.size);
        if (args_has(&ctx->given, OPTION_IDS) || args_has(&ctx->given, OPTION_SHOW))
            view_tokens(counts, &in);
        else
            count_pieces(counts, &in, path);
        if (in.failed != 0) {
            progress_clear(&ctx->line);
            input_explain(&in, &ctx->errors);
        }
    }
    input_close(&in);
}

/* --- what is printed */

static int digits_of(size_t number)
{
    return snprintf(NULL, 0, "%zu", number);
}

static void print_line(counting *counts, const counted *file, const char *name)
{
    const char *guess = pith_vocab_describe(counts->vocab).exact ? "" : "~";
    int pad = digits_of(counts->total.tokens) - digits_of(file->tokens);
    output_format(&counts->ctx->out, "%*s%s%zu %*zu%s%s\n", pad, "", guess, file->tokens,
                  digits_of(counts->total.bytes), file->bytes, name[0] != '\0' ? " " : "",
                  name);
}

static void print_lines(counting *counts)
{
    bool named = counts->ctx->operand_count > 0;
    for (size_t i = 0; i < counts->done_count; i++)
        print_line(counts, &counts->done[i], named ? counts->done[i].path : "");
    if (counts->ctx->operand_count > 1)
        print_line(counts, &counts->total, "total");
}

static void add_counts(pith_doc *doc, const counted *file)
{
    json_number(doc, "tokens", file->tokens);
    json_number(doc, "bytes", file->bytes);
}

static void add_all(pith_doc *doc, const void *from)
{
    const counting *counts = from;
    pith_doc_open_object(doc);
    json_text(doc, "tokenizer", pith_vocab_describe(counts->vocab).name);
    json_bool(doc, "exact", pith_vocab_describe(counts->vocab).exact);
    add_counts(doc, &counts->total);
    json_array(doc, "files");
    for (size_t i = 0; i < counts->done_count; i++) {
        pith_doc_open_object(doc);
        json_text(doc, "file", input_name(counts->done[i].path));
        add_counts(doc, &counts->done[i]);
        pith_doc_close(doc);
    }
    pith_doc_close(doc);
    pith_doc_close(doc);
}

/* --- all files */

static void count_all(counting *counts)
{
    context *ctx = counts->ctx;
    for (size_t i = 0; i < ctx->path_count && interrupt_pending() == 0; i++)
        count_path(counts, ctx->paths[i]);
    progress_stop(&ctx->line);
    if (args_has(&ctx->given, OPTION_IDS) || args_has(&ctx->given, OPTION_SHOW) ||
        interrupt_pending() != 0)
        return;
    if (args_has(&ctx->given, OPTION_JSON))
        json_print(ctx, add_all, counts);
    else
        print_lines(counts);
}

/* --to, and what only has a meaning with it. False after a complaint. */
static bool read_target(counting *counts)
{
    static const option_id reading[] = {OPTION_FROM,      OPTION_SET,    OPTION_AT,
                                        OPTION_ROWS,      OPTION_FIELDS, OPTION_DROP,
                                        OPTION_DROP_NULL, OPTION_BAD};
    context *ctx = counts->ctx;
    const char *name = ctx->given.value[OPTION_TO];
    bool viewed = args_has(&ctx->given, OPTION_IDS) || args_has(&ctx->given, OPTION_SHOW);
    for (size_t i = 0; name == NULL && i < sizeof reading / sizeof reading[0]; i++) {
        if (!args_has(&ctx->given, reading[i]))
            continue;
        diag_usage(&ctx->errors, "unused_option",
                   "--to FORMAT counts what the data takes in a format",
                   "--%s needs --to: without it the text is counted as it is",
                   option_of(reading[i])->word);
        return false;
    }
    if (name != NULL && viewed) {
        diag_usage(&ctx->errors, "unused_option", "convert first, then count that",
                   "--ids and --show look at the text as it is, not at --to");
        return false;
    }
    counts->to = name != NULL ? format_named(ctx, name, PITH_WRITE) : NULL;
    return name == NULL || counts->to != NULL;
}

static void run_count(context *ctx)
{
    if (would_wait(ctx))
        return;
    counting counts = {.ctx = ctx};
    if (!read_target(&counts))
        return;
    counts.vocab = tokenizer_open(ctx);
    if (counts.vocab != NULL) {
        counts.counter = pith_counter_new(counts.vocab, NULL);
        counts.done = calloc(ctx->operand_count + 1, sizeof *counts.done);
        if (counts.counter == NULL || counts.done == NULL)
            diag_system(&ctx->errors, NULL, "cannot count", "no_memory", ENOMEM);
        else
            count_all(&counts);
    }
    free(counts.done);
    pith_counter_free(counts.counter);
    pith_vocab_free(counts.vocab);
}

const command command_count = {
    .name = "count",
    .operands = "[FILE|-]...",
    .takes = OPERAND_FILES,
    .summary = "count the tokens that files cost a language model",
    .about = "Prints the number of tokens and of bytes of each FILE, and a total when "
             "there are several. Without a FILE, or with '-', it reads standard input. "
             "The counts are exact: those of the model's own tokenizer. With --to the "
             "data is counted as it would be in that format, and nothing is written.\n"
             "The vocabularies are o200k_base (GPT-4o and later), o200k_harmony "
             "(gpt-oss), cl100k_base (GPT-4), p50k_base and r50k_base; for other "
             "models give the path of their tokenizer.json. The name of a model, such as "
             "gpt-4o or o3-mini, stands for its vocabulary. 'estimate' divides the "
             "bytes by four, and its numbers begin with ~; claude-* and gemini-* mean "
             "it, because their vocabularies are not public.",
    .examples = EXAMPLES(
        {"pith count *.json", "tokens and bytes of each, and the total"},
        {"pith count --to auto data.json", "what the cheaper form costs"},
        {"pith count --show notes.md", "where the tokens break"},
        {"pith count --tokenizer ./llama/tokenizer.json prompt.txt", "another model"}),
    .options = OPTIONS(OPTION_TOKENIZER, OPTION_TO, OPTION_FROM, OPTION_SET, OPTION_AT,
                       OPTION_ROWS, OPTION_FIELDS, OPTION_DROP, OPTION_DROP_NULL,
                       OPTION_BAD, OPTION_IDS, OPTION_SHOW, OPTION_JSON,
                       OPTION_MEMORY_MAX, OPTION_ERRORS, OPTION_COLOR, OPTION_NO_PROGRESS,
                       OPTION_QUIET, OPTION_HELP, OPTION_VERSION),
    .run = run_count,
};
