/*
 * tokenizer.c - the vocabulary that --tokenizer names.
 */
#include "tokenizer.h"

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
    if (vocab == NULL && err.status == PITH_BAD_USE) {
        complain_unknown(with, name);
    } else if (vocab == NULL) {
        diag_problem(&with->errors, NULL, &err, NULL);
    }
    return vocab;
}

pith_vocab *tokenizer_open(session *with)
{
    return open_builtin(with, with->given.value[OPTION_TOKENIZER]);
}
