/*
 * page.c - what page.mjs calls: a conversion with all texts in memory.
 */
#include "pith.h"

#include <string.h>

__attribute__((visibility("default"))) char *page_convert(const char *from,
                                                          const char *to,
                                                          const char *text, size_t len,
                                                          unsigned seed, size_t *out_len)
{
    pith_buffer out = {0};
    pith_error err;
    pith_options options = {.alloc = {.seed = seed}};
    pith_vocab *guess = pith_vocab_open("estimate", &options, &err);
    options.vocab = guess;
    if (!guess || pith_convert(from, to, text, len, &options, pith_sink_buffer(&out),
                               &err) != PITH_OK) {
        pith_sink sink = pith_sink_buffer(&out);
        out.len = 0;
        sink.write(sink.ctx, err.code, strlen(err.code));
    }
    pith_vocab_free(guess);
    *out_len = out.len;
    return out.data;
}
