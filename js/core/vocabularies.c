/*
 * vocabularies.c - writes each built-in vocabulary into a folder, as NAME.vocab.
 *
 *     usage: vocabularies DIR
 */
#include "pith.h"

#include <stdio.h>

static int save(const char *dir, const char *name)
{
    char path[4096];
    pith_error err = {.message = "the file cannot be written"};
    pith_buffer out = {0};
    pith_vocab *vocab = pith_vocab_open(name, NULL, &err);
    int failed = !vocab || pith_vocab_save(vocab, pith_sink_buffer(&out), &err);
    snprintf(path, sizeof path, "%s/%s.vocab", dir, name);
    FILE *file = failed ? NULL : fopen(path, "wb");
    if (file) {
        failed = fwrite(out.data, 1, out.len, file) != out.len;
        failed |= fclose(file) != 0;
    } else {
        failed = 1;
    }
    if (failed)
        fprintf(stderr, "vocabularies: %s: %s\n", path, err.message);
    pith_buffer_free(&out);
    pith_vocab_free(vocab);
    return failed;
}

int main(int argc, char **argv)
{
    if (argc != 2) {
        fprintf(stderr, "usage: vocabularies DIR\n");
        return 2;
    }
    for (size_t i = 0; pith_vocab_name_at(i); i++)
        if (save(argv[1], pith_vocab_name_at(i)))
            return 1;
    return 0;
}
