/*
 * token_args.c - --tokenizer, --allow, --budget and --keep: how tokens are counted, and how
 * many there may be.
 *
 * The vocabulary: the name of a model stands for the one it has, and for an estimate where
 * that is not public; a word with a slash or a suffix in it is a path; any other is a name.
 */
#include "token_args.h"

#include "format_args.h"
#include "load.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void complain_unknown(context *ctx, const char *name)
{
    diag_usage_near(
        &ctx->errors, "unknown_vocabulary", diag_nearest(name, pith_vocab_name_at),
        "'pith help count' lists the vocabularies", "there is no vocabulary '%s'", name);
}

static pith_vocab *open_builtin(context *ctx, const char *name)
{
    pith_error err = {0};
    pith_vocab *vocab = pith_vocab_open(name, NULL, &err);
    if (vocab == NULL && err.status == PITH_BAD_USE)
        complain_unknown(ctx, name);
    else if (vocab == NULL)
        diag_problem(&ctx->errors, NULL, &err, NULL);
    return vocab;
}

static pith_vocab *open_file(context *ctx, const char *path)
{
    input in;
    pith_error err = {0};
    pith_vocab *vocab = NULL;
    if (load_text(ctx, &in, path, input_open)) {
        source from = {in.text, in.len, 0};
        vocab = pith_vocab_read(in.len > 0 ? in.text : "", in.len, NULL, &err);
        progress_clear(&ctx->line);
        if (vocab == NULL)
            diag_problem(&ctx->errors, in.name, &err, err.line > 0 ? &from : NULL);
    }
    input_close(&in);
    return vocab;
}

/* What models count with, by how their names begin; the first that fits. */
static const struct {
    const char *begins;
    const char *vocabulary;
} models[] = {
    {"gpt-oss", "o200k_harmony"}, {"gpt-4o", "o200k_base"},
    {"gpt-4.1", "o200k_base"},    {"gpt-4.5", "o200k_base"},
    {"gpt-5", "o200k_base"},      {"chatgpt-4o", "o200k_base"},
    {"o1", "o200k_base"},         {"o3", "o200k_base"},
    {"o4-mini", "o200k_base"},    {"gpt-4", "cl100k_base"},
    {"gpt-3.5", "cl100k_base"},   {"claude-", "estimate"},
    {"gemini-", "estimate"},
};

/* The vocabulary of the model of that name; NULL when it is the name of none. The name
 * ends where that of a model does, or goes on after a dash: o3-mini, not o300k. */
static const char *of_model(const char *name)
{
    for (size_t i = 0; i < sizeof models / sizeof *models; i++) {
        size_t len = strlen(models[i].begins);
        if (strncmp(name, models[i].begins, len) == 0 && strchr(name, '/') == NULL &&
            (name[len] == '\0' || name[len] == '-' || name[len - 1] == '-' ||
             name[len] == '.'))
            return models[i].vocabulary;
    }
    return NULL;
}

/* What --tokenizer says, else the environment; NULL for neither. */
static const char *tokenizer_name(const context *ctx)
{
    const char *name = ctx->given.value[OPTION_TOKENIZER];
    if (name == NULL)
        name = getenv("PITH_TOKENIZER");
    return name != NULL && name[0] == '\0' && !args_has(&ctx->given, OPTION_TOKENIZER)
               ? NULL
               : name;
}

pith_vocab *tokenizer_open(context *ctx)
{
    const char *name = tokenizer_name(ctx);
    if (name != NULL && of_model(name) != NULL)
        name = of_model(name);
    bool path = name != NULL && strpbrk(name, "/.") != NULL;
    return path ? open_file(ctx, name) : open_builtin(ctx, name);
}

bool token_args_read(pith_vocab **vocab, context *ctx)
{
    const args *given = &ctx->given;
    *vocab = NULL;
    bool budget = args_has(given, OPTION_BUDGET);
    if (args_has(given, OPTION_KEEP) && !budget) {
        diag_usage(&ctx->errors, "unused_option", NULL, "--keep needs --budget");
        return false;
    }
    if (args_has(given, OPTION_NOTE) && !budget && !args_has(given, OPTION_CLIP)) {
        diag_usage(&ctx->errors, "unused_option", NULL,
                   "--note needs --budget or --clip, which leave something out");
        return false;
    }
    if (tokenizer_name(ctx) == NULL)
        return true;
    *vocab = tokenizer_open(ctx);
    return *vocab != NULL;
}

bool token_args_allow(context *ctx, const pith_format *to, pith_buffer *settings)
{
    const char *allow = ctx->given.value[OPTION_ALLOW];
    if (allow != NULL && !to->chooses) {
        diag_usage(&ctx->errors, "unused_option", NULL,
                   "--allow only applies to --to auto");
        return false;
    }
    if (allow == NULL || settings_add(settings, "allow", allow))
        return true;
    diag_system(&ctx->errors, NULL, "cannot start", "no_memory", ENOMEM);
    return false;
}

bool token_args_dense(context *ctx, const pith_format *to, pith_buffer *settings)
{
    if (!args_has(&ctx->given, OPTION_DENSE))
        return true;
    if (to->dense == NULL) {
        diag_usage(&ctx->errors, "unused_option", NULL,
                   "--dense only applies to --to pith and --to auto");
        return false;
    }
    if (settings_add_words(settings, to->dense))
        return true;
    diag_system(&ctx->errors, NULL, "cannot start", "no_memory", ENOMEM);
    return false;
}

bool token_args_add(const context *ctx, pith_buffer *settings)
{
    static const struct {
        option_id id;
        const char *word;
    } words[] = {{OPTION_KEEP, "keep"}, {OPTION_CLIP, "clip"}, {OPTION_NOTE, "note"}};
    bool newline =
        args_has(&ctx->given, OPTION_BUDGET) && !args_has(&ctx->given, OPTION_NO_NEWLINE);
    bool fine = !newline || settings_add(settings, "final-newline", "true");
    for (size_t i = 0; i < sizeof words / sizeof *words && fine; i++) {
        const char *value = ctx->given.value[words[i].id];
        fine = value == NULL || settings_add(settings, words[i].word, value);
    }
    return fine;
}

bool token_args_budget(size_t tokens, pith_buffer *settings)
{
    char number[24];
    snprintf(number, sizeof number, "%zu", tokens);
    return tokens == 0 || settings_add(settings, "budget", number);
}
