/*
 * tokenizer.c - the vocabulary that --tokenizer names.
 *
 * A word with a slash or a suffix in it is a path; any other is a name.
 */
#include "tokenizer.h"

#include "input.h"

#include <string.h>

enum { TOKENIZER_NAMES = 16 };

static void complain_unknown(session *with, const char *name)
{
    const char *names[TOKENIZER_NAMES];
    size_t count = 0;
    while (count < TOKENIZER_NAMES && pith_vocab_name_at(count) != NULL) {
        names[count] = pith_vocab_name_at(count);
        count++;
    }
    diag_usage_near(
        &with->errors, "unknown_vocabulary", pith_nearest_word(name, names, count),
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
    pith_vocab *vocab = NULL;
    if (!input_open(&in, path)) {
        diag_system(&with->errors, in.name, "cannot open", "open_failed", in.failed);
    } else if (!input_all(&in, &with->line)) {
        input_explain(&in, &with->errors);
    } else {
        pith_error err = {0};
        source from = {in.text, in.len, 0};
        vocab = pith_vocab_read(in.len > 0 ? in.text : "", in.len, NULL, &err);
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
