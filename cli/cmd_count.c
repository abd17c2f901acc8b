/*
 * cmd_count.c - `pith count`: what files cost a model, in tokens.
 *
 * Like wc: a line for each file, tokens and bytes in columns, and a total below when
 * there are several. Files are read in pieces, so memory does not grow with them. A
 * count that is only an estimate has a ~ in front of it wherever it is printed.
 *
 * --show and --ids need the tokens themselves and print those instead.
 */
#include "context.h"
#include "input.h"
#include "interrupt.h"
#include "json_out.h"
#include "token_view.h"
#include "token_args.h"

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
    session *with;
    pith_vocab *vocab;
    pith_counter *counter;
    counted *done;
    size_t done_count;
    counted total;
} counting;

/* --- one file */

static void note_count(counting *all, const char *path, size_t tokens, size_t bytes)
{
    all->done[all->done_count++] = (counted){path, tokens, bytes};
    all->total.tokens += tokens;
    all->total.bytes += bytes;
}

static void count_pieces(counting *all, input *in, const char *path)
{
    size_t tokens = 0;
    pith_error err = {0};
    pith_status status = PITH_OK;
    while (status == PITH_OK && !in->ended && input_more(in)) {
        status = pith_counter_add(all->counter, in->text, in->len, &err);
        input_forget(in, 0);
        progress_read(&all->with->line, in->read);
    }
    if (in->failed != 0)
        return;
    if (status == PITH_OK)
        status = pith_counter_total(all->counter, &tokens, &err);
    progress_clear(&all->with->line);
    if (status == PITH_OK)
        note_count(all, path, tokens, in->read);
    else
        diag_problem(&all->with->errors, in->name, &err, NULL);
}

static void view_tokens(counting *all, input *in)
{
    session *with = all->with;
    pith_tokens tokens = {0};
    pith_error err = {0};
    if (!input_all(in, &with->line))
        return;
    progress_clear(&with->line);
    source from = {in->text, in->len, 0};
    pith_status status = pith_vocab_encode(all->vocab, in->text, in->len,
                                           PITH_SPECIAL_IS_TEXT, &tokens, &err);
    if (status == PITH_OK && args_has(&with->given, OPTION_IDS))
        view_ids(&with->out, &tokens);
    else if (status == PITH_OK)
        status = view_text(&with->out, all->vocab, &tokens,
                           args_color(&with->given, with->out.terminal), &err);
    if (status != PITH_OK)
        diag_problem(&with->errors, in->name, &err, err.line > 0 ? &from : NULL);
    pith_tokens_free(&tokens);
}

static void count_path(counting *all, const char *path)
{
    session *with = all->with;
    input in;
    if (!input_open(&in, path)) {
        input_explain_open(&in, &with->errors);
    } else {
        progress_input(&with->line, in.name, in.size);
        if (args_has(&with->given, OPTION_IDS) || args_has(&with->given, OPTION_SHOW)) {
            view_tokens(all, &in);
        } else {
            count_pieces(all, &in, path);
            pith_counter_reset(all->counter);
        }
        if (in.failed != 0) {
            progress_clear(&with->line);
            input_explain(&in, &with->errors);
        }
    }
    input_close(&in);
}

/* --- what is printed */

static int digits_of(size_t number)
{
    return snprintf(NULL, 0, "%zu", number);
}

static void print_line(counting *all, const counted *one, const char *name)
{
    const char *guess = pith_vocab_is_exact(all->vocab) ? "" : "~";
    int pad = digits_of(all->total.tokens) - digits_of(one->tokens);
    output_format(&all->with->out, "%*s%s%zu %*zu%s%s\n", pad, "", guess, one->tokens,
                  digits_of(all->total.bytes), one->bytes, name[0] != '\0' ? " " : "",
                  name);
}

static void print_lines(counting *all)
{
    bool named = all->with->operand_count > 0;
    for (size_t i = 0; i < all->done_count; i++)
        print_line(all, &all->done[i], named ? all->done[i].path : "");
    if (all->with->operand_count > 1)
        print_line(all, &all->total, "total");
}

static void add_counts(pith_doc *doc, const counted *one)
{
    json_number(doc, "tokens", one->tokens);
    json_number(doc, "bytes", one->bytes);
}

static void add_all(pith_doc *doc, const void *ctx)
{
    const counting *all = ctx;
    pith_doc_open_object(doc);
    json_text(doc, "tokenizer", pith_vocab_name(all->vocab));
    json_bool(doc, "exact", pith_vocab_is_exact(all->vocab));
    add_counts(doc, &all->total);
    json_array(doc, "files");
    for (size_t i = 0; i < all->done_count; i++) {
        pith_doc_open_object(doc);
        json_text(doc, "file", input_name(all->done[i].path));
        add_counts(doc, &all->done[i]);
        pith_doc_close(doc);
    }
    pith_doc_close(doc);
    pith_doc_close(doc);
}

/* --- all files */

static void count_all(counting *all)
{
    session *with = all->with;
    for (size_t i = 0; i < with->path_count && interrupt_pending() == 0; i++)
        count_path(all, with->paths[i]);
    progress_stop(&with->line);
    if (args_has(&with->given, OPTION_IDS) || args_has(&with->given, OPTION_SHOW) ||
        interrupt_pending() != 0)
        return;
    if (args_has(&with->given, OPTION_JSON))
        json_print(with, add_all, all);
    else
        print_lines(all);
}

static void run_count(session *with)
{
    if (command_would_wait(with))
        return;
    counting all = {.with = with, .vocab = tokenizer_open(with)};
    if (all.vocab != NULL) {
        all.counter = pith_counter_new(all.vocab, NULL);
        all.done = calloc(with->operand_count + 1, sizeof *all.done);
        if (all.counter == NULL || all.done == NULL)
            diag_system(&with->errors, NULL, "cannot count", "no_memory", ENOMEM);
        else
            count_all(&all);
    }
    free(all.done);
    pith_counter_free(all.counter);
    pith_vocab_free(all.vocab);
}

const command command_count = {
    .name = "count",
    .operands = "[FILE|-]...",
    .takes = OPERAND_FILES,
    .summary = "count the tokens that files cost a language model",
    .about = "Prints the number of tokens and of bytes of each FILE, and a total when "
             "there are several. Without a FILE, or with '-', it reads standard input. "
             "The counts are exact: those of the model's own tokenizer.\n"
             "The vocabularies are o200k_base (GPT-4o and later), o200k_harmony "
             "(gpt-oss), cl100k_base (GPT-4), p50k_base and r50k_base; for other "
             "models give the path of their tokenizer.json. 'estimate' divides the "
             "bytes by four, and its numbers have a ~ in front.",
    .examples =
        (const example[]){
            {"pith count *.json", "tokens and bytes of each, and the total"},
            {"pith data.json | pith count", "what the cheaper form costs"},
            {"pith count --show notes.md", "where the tokens break"},
            {"pith count --tokenizer ./llama/tokenizer.json prompt.txt", "another model"},
            {NULL, NULL},
        },
    .options = (const option_id[]){OPTION_TOKENIZER, OPTION_IDS, OPTION_SHOW, OPTION_JSON,
                                   OPTION_ERRORS, OPTION_COLOR, OPTION_NO_PROGRESS,
                                   OPTION_HELP, OPTION_VERSION, OPTION_END},
    .run = run_count,
};
