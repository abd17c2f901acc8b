/*
 * tokens.c - what a text costs a model, with which tokens, and how to count without keeping.
 *
 * The vocabulary is a built-in one, or that of a tokenizer.json whose path is given. It is
 * saved and opened where it lies, as a program would do that keeps it in a file and maps
 * that into memory.
 */
#include "pith.h"

#include <stdio.h>
#include <string.h>

static char file_text[1 << 24];

static pith_vocab *open_vocab(const char *path, pith_error *err)
{
    if (!path)
        return pith_vocab_open("o200k_base", NULL, err);
    FILE *file = fopen(path, "rb");
    size_t len = file ? fread(file_text, 1, sizeof file_text, file) : 0;
    if (file)
        fclose(file);
    return pith_vocab_read(file_text, len, NULL, err);
}

/* The tokens of a text, one by one. */
static pith_status show_tokens(const pith_vocab *vocab, const char *text, pith_error *err)
{
    pith_tokens tokens = {0};
    pith_status status =
        pith_vocab_encode(vocab, text, strlen(text), PITH_SPECIAL_IS_TEXT, &tokens, err);
    for (size_t i = 0; status == PITH_OK && i < tokens.count; i++) {
        printf("%u ", (unsigned)tokens.ids[i]);
        fflush(stdout);
        status = pith_vocab_decode(vocab, &tokens.ids[i], 1, NULL, pith_sink_fd(1), err);
        putchar('\n');
    }
    pith_tokens_free(&tokens);
    return status;
}

/* A conversion whose text nobody needs, only its size. */
static pith_status count_conversion(const pith_vocab *vocab, pith_error *err)
{
    static const char rows[] =
        "[{\"id\":1,\"city\":\"Oslo\"},{\"id\":2,\"city\":\"Lima\"}]";
    size_t before = 0;
    size_t after = 0;
    pith_counter *counter = pith_counter_new(vocab, NULL);
    if (!counter)
        return PITH_NO_MEMORY;
    pith_status status =
        pith_vocab_count(vocab, rows, sizeof rows - 1, NULL, &before, err);
    if (status == PITH_OK)
        status = pith_convert("json", "pith", rows, sizeof rows - 1, NULL,
                              pith_counter_sink(counter), err);
    if (status == PITH_OK)
        status = pith_counter_total(counter, &after, err);
    if (status == PITH_OK)
        printf("%zu tokens as JSON, %zu as Pith\n", before, after);
    pith_counter_free(counter);
    return status;
}

/* Saves the vocabulary and goes on with what was saved; the bytes outlive it. */
static pith_vocab *keep(pith_vocab *vocab, pith_buffer *bytes, pith_error *err)
{
    pith_status status = pith_vocab_save(vocab, pith_sink_buffer(bytes), err);
    pith_vocab_free(vocab);
    return status == PITH_OK ? pith_vocab_map(bytes->data, bytes->len, NULL, err) : NULL;
}

int main(int argc, char **argv)
{
    pith_error err = {0};
    pith_buffer bytes = {0};
    pith_vocab *vocab = open_vocab(argc > 1 ? argv[1] : NULL, &err);
    if (vocab)
        vocab = keep(vocab, &bytes, &err);
    pith_status status = vocab ? PITH_OK : err.status;
    if (vocab) {
        pith_vocab_info info = pith_vocab_describe(vocab);
        printf("%s, ids below %zu\n", info.name, info.size);
        status = show_tokens(vocab, "Zo\xc3\xab counts tokens", &err);
    }
    if (status == PITH_OK)
        status = count_conversion(vocab, &err);
    if (status != PITH_OK)
        fprintf(stderr, "%s\n", err.message);
    pith_vocab_free(vocab);
    pith_buffer_free(&bytes);
    return status == PITH_OK ? 0 : 1;
}
