/*
 * token_args.c - --tokenizer, --budget and --keep: how tokens are counted, and how many
 * there may be.
 *
 * The vocabulary: a word with a slash or a suffix in it is a path; any other is a name.
 */
#include "token_args.h"

#include "load.h"

#include <string.h>

static void complain_unknown(session *with, const char *name)
{
    diag_usage_near(
        &with->errors, "unknown_vocabulary", diag_nearest(name, pith_vocab_name_at),
        "'pith help count' lists the vocabularies", "there is no vocabulary '%s'", name);
}

static pith_vocab *open_builtin(session *with, const char *name)
{
    pith_error err = {0};
    pith_vocab *vocab = pith_vocab_open(name, NULL, &err);
    if (vocab == NULL && err.status == PITH_BAD_USE)
        complain_unknown(with, name);
    else if (vocab == NULL)
        diag_problem(&with->errors, NULL, &err, NULL);
    return vocab;
}

static pith_vocab *open_file(session *with, const char *path)
{
    input in;
    pith_error err = {0};
    pith_vocab *vocab = NULL;
    if (load_text(with, &in, path, input_open)) {
        source from = {in.text, in.len, 0};
        vocab = pith_vocab_read(in.len > 0 ? in.text : "", in.len, NULL, &err);
        progress_clear(&with->line);
        if (vocab == NULL)
            diag_problem(&with->errors, in.name, &err, err.line > 0 ? &from : NULL);
    }
    input_close(&in);
    return vocab;
}

pith_vocab *tokenizer_open(session *with)
{
    const char *name = with->given.value[OPTION_TOKENIZER];
    bool path = name != NULL && strpbrk(name, "/.") != NULL;
    return path ? open_file(with, name) : open_builtin(with, name);
}

static bool read_budget(session *with, pith_fit *fit)
{
    const char *keep = with->given.value[OPTION_KEEP];
    *fit = (pith_fit){.tokens_max = args_number(&with->given, OPTION_BUDGET),
                      .newline = !args_has(&with->given, OPTION_NO_NEWLINE)};
    if (keep != NULL && fit->tokens_max == 0) {
        diag_usage(&with->errors, "unused_option", NULL, "--keep needs --budget");
        return false;
    }
    if (keep != NULL && strcmp(keep, "last") == 0)
        fit->keep = PITH_KEEP_LAST;
    else if (keep != NULL && strcmp(keep, "spread") == 0)
        fit->keep = PITH_KEEP_SPREAD;
    return true;
}

bool token_args_read(token_args *into, session *with)
{
    *into = (token_args){.vocab = NULL};
    bool limited =
        args_has(&with->given, OPTION_BUDGET) || args_has(&with->given, OPTION_KEEP);
    if (limited && !read_budget(with, &into->budget))
        return false;
    if (!args_has(&with->given, OPTION_TOKENIZER))
        return true;
    into->vocab = tokenizer_open(with);
    return into->vocab != NULL;
}

void token_args_free(token_args *tokens)
{
    pith_vocab_free(tokens->vocab);
}

void token_args_tell(session *with, const char *name, const pith_fit *fit)
{
    if (fit->rows_left_out > 0) {
        diag_note(&with->errors, "%s: %zu of %zu %s left out; %zu tokens of %zu", name,
                  fit->rows_left_out, fit->rows + fit->rows_left_out, fit->what,
                  fit->tokens, fit->tokens_max);
    }
}
