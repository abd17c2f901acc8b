/*
 * tokenizer.c - the vocabulary that --tokenizer names.
 *
 * A word with a slash or a suffix in it is a path; any other is a name.
 */
#include "tokenizer.h"

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
