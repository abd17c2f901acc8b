/*
 * tally.c - what a text would cost, without keeping it.
 *
 * Encoders write to a sink, and a counter is a sink. One counter serves all forms of a
 * value that are compared, since what it has learned of one text helps with the next.
 */
#include "api/tally.h"
#include "tokens/counter.h"

#include <assert.h>

enum { SCALE_TRIES = 8 };

pith_status scale_open(api_scale *scale, const pith_options *options, pith_error *err)
{
    const pith_vocab *vocab = options ? options->vocab : NULL;
    scale->own = NULL;
    scale->counter = NULL;
    scale->enough = 0;
    scale->head_len = 0;
    assert(err);
    if (!vocab) {
        scale->own = pith_vocab_open(NULL, options, err);
        if (!scale->own)
            return err->status;
        vocab = scale->own;
    }
    scale->counter = pith_counter_new(vocab, options);
    if (!scale->counter) {
        scale_close(scale);
        return error_no_memory(err);
    }
    return PITH_OK;
}

void scale_close(api_scale *scale)
{
    pith_counter_free(scale->counter);
    pith_vocab_free(scale->own);
    scale->counter = NULL;
    scale->own = NULL;
}

static pith_status scale_write(void *ctx, const char *data, size_t len)
{
    api_scale *scale = (api_scale *)ctx;
    size_t room = SCALE_HEAD_BYTES - scale->head_len;
    size_t more = len < room ? len : room;
    memcpy(scale->head + scale->head_len, data, more);
    scale->head_len += more;
    pith_status status = pith_counter_add(scale->counter, data, len, NULL);
    bool enough = scale->enough > 0 && scale->counter->total >= scale->enough;
    return status == PITH_OK && enough ? PITH_LIMIT : status;
}

/* GCF and its graphs are of one type, and read alike. */
static bool scale_is_known(const api_scale *scale, const pith_format *format)
{
    const pith_format *seen = pith_format_sniff(scale->head, scale->head_len);
    return seen && strcmp(seen->media_type, format->media_type) == 0;
}

pith_status scale_weigh(api_scale *scale, const api_format *to, const pith_doc *doc,
                        uint32_t at, const pith_options *options, api_tally *tally,
                        pith_error *err)
{
    pith_out out;
    pith_sink sink = {scale_write, scale};
    pith_options quiet; /* remarks are for the text that leaves */
    memset(&quiet, 0, sizeof quiet);
    quiet = options ? *options : quiet;
    quiet.notice = NULL;
    pith_counter_reset(scale->counter);
    scale->head_len = 0;
    out_init(&out, sink, &quiet);
    pith_status status = api_write(to, &out, doc, at, err);
    tally->bytes = (size_t)out.sent;
    tally->known = scale_is_known(scale, &to->format->info);
    return status == PITH_OK ? pith_counter_total(scale->counter, &tally->tokens, err)
                             : status;
}

pith_status scale_count(api_scale *scale, pith_text text, size_t *tokens, pith_error *err)
{
    pith_counter_reset(scale->counter);
    pith_status status = pith_counter_add(scale->counter, text.ptr, text.len, err);
    return status == PITH_OK ? pith_counter_total(scale->counter, tokens, err) : status;
}

pith_status scale_state_tokens(scale_state write, void *ctx, size_t first, size_t *tokens)
{
    size_t stated = first;
    for (int tries = 0; tries < SCALE_TRIES; tries++) {
        pith_status status = write(ctx, stated, tokens);
        if (status != PITH_OK || *tokens == stated)
            return status;
        stated = *tokens;
    }
    return write(ctx, 0, tokens);
}
