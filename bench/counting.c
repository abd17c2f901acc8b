/*
 * counting.c - see counting.h.
 *
 * A run is pith_vocab_count: a counter that has met nothing yet is made, fed the whole
 * text and freed. The vocabulary is opened once, as the peers open theirs once; with us
 * that takes microseconds, with them a good part of a second.
 */
#include "counting.h"

#include <stdio.h>

#include "pith.h"

typedef struct counting {
    const char *path;
    pith_vocab *vocab;
} counting;

static bool counting_run(void *ctx, const char *text, size_t len,
                         double seconds[MEASURE_PARTS], size_t *tokens)
{
    const counting *work = ctx;
    pith_error err;
    double start = measure_now();
    pith_status status = pith_vocab_count(work->vocab, text, len, NULL, tokens, &err);
    seconds[MEASURE_WHOLE] = measure_now() - start;
    seconds[MEASURE_DECODE] = 0;
    seconds[MEASURE_ENCODE] = 0;
    if (status != PITH_OK)
        fprintf(stderr, "%s: error: %s [%s]\n", work->path, err.message, err.code);
    return status == PITH_OK;
}

static bool counting_once(void *ctx, const char *text, size_t len)
{
    double seconds[MEASURE_PARTS];
    size_t tokens;
    return counting_run(ctx, text, len, seconds, &tokens);
}

bool counting_measure(const char *path, const char *from, double seconds,
                      measure_memory memory)
{
    pith_error err;
    counting work = {path, pith_vocab_open("o200k_base", NULL, &err)};
    if (work.vocab == NULL) {
        fprintf(stderr, "pith-bench: %s\n", err.message);
        return false;
    }
    measure_subject subject = {counting_run, counting_once, &work, 0};
    measure_result result = {0};
    bool done = measure_file(&subject, path, seconds, memory, &result);
    if (done)
        measure_print("pith", pith_version(), path, from, COUNTING_WORD, &result);
    pith_vocab_free(work.vocab);
    return done && fflush(stdout) == 0;
}
