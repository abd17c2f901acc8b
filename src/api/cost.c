/*
 * cost.c - what a text costs in tokens.
 *
 * Encoders write to a sink, and a counter is a sink; the text is kept where it may be the
 * one that leaves. One counter serves all forms of a value that are compared, since what
 * it has learned of one text helps with the next.
 */
#include "api/cost.h"
#include "tokens/counter.h"

#include <assert.h>

enum { COST_TRIES = 8 };

pith_status cost_open(cost_counter *c, const pith_options *options, pith_error *err)
{
    const pith_vocab *vocab = options ? options->vocab : NULL;
    c->own = NULL;
    c->counter = NULL;
    c->options = options;
    c->stop_at_tokens = 0;
    c->stop_at_bytes = 0;
    c->keep = NULL;
    cost_begin(c);
    assert(err);
    if (!vocab) {
        c->own = pith_vocab_open(NULL, options, err);
        if (!c->own)
            return err->status;
        vocab = c->own;
    }
    c->counter = pith_counter_new(vocab, options);
    return c->counter ? PITH_OK : error_no_memory(err);
}

void cost_close(cost_counter *c)
{
    pith_counter_free(c->counter);
    pith_vocab_free(c->own);
    c->counter = NULL;
    c->own = NULL;
}

void remark_keep(void *ctx, const pith_error *error)
{
    text_remark *remark = (text_remark *)ctx;
    if (!remark->made)
        remark->error = *error;
    remark->made = true;
}

void remark_tell(const text_remark *remark, const pith_options *options)
{
    if (remark->made && options && options->notice)
        options->notice(options->notice_ctx, &remark->error);
}

void cost_begin(cost_counter *c)
{
    c->bytes = 0;
    c->stopped = false;
    c->head_len = 0;
}

static bool cost_is_over(const cost_counter *c)
{
    size_t tokens = c->stop_at_tokens;
    return (tokens > 0 &&
            (c->counter->total >= tokens || c->bytes / COST_TOKEN_BYTES >= tokens)) ||
           (c->stop_at_bytes > 0 && c->bytes >= c->stop_at_bytes);
}

pith_status cost_take(cost_counter *c, const char *data, size_t len)
{
    pith_sink counter = pith_counter_sink(c->counter);
    pith_status status = counter.write(counter.ctx, data, len);
    c->bytes += len;
    c->stopped = cost_is_over(c);
    return status == PITH_OK && c->stopped ? PITH_LIMIT : status;
}

static pith_status cost_write(void *ctx, const char *data, size_t len)
{
    cost_counter *c = (cost_counter *)ctx;
    size_t room = COST_HEAD_BYTES - c->head_len;
    size_t more = len < room ? len : room;
    memcpy(c->head + c->head_len, data, more);
    c->head_len += more;
    pith_status status = PITH_OK;
    if (c->keep) {
        pith_sink keep = pith_sink_buffer(c->keep);
        status = keep.write(keep.ctx, data, len);
    }
    return status == PITH_OK ? cost_take(c, data, len) : status;
}

/* GCF and its graphs are of one type, and read alike. */
static bool cost_is_recognised(const cost_counter *c, const pith_format *format)
{
    const pith_format *seen = pith_format_of(NULL, c->head, c->head_len);
    return seen && strcmp(seen->media_type, format->media_type) == 0;
}

/* Lowers a limit of output to where the text stops: some formats make all of it before they
 * send any. */
static bool cost_limit(const cost_counter *c, size_t *output_max)
{
    size_t tokens = c->stop_at_tokens;
    size_t bytes = tokens < SIZE_MAX / COST_TOKEN_BYTES ? tokens * COST_TOKEN_BYTES : 0;
    bool limited = bytes > 0 && (*output_max == 0 || bytes < *output_max);
    *output_max = limited ? bytes : *output_max;
    return limited;
}

pith_status cost_of(cost_counter *c, const api_side *to, const pith_doc *doc, uint32_t at,
                    const pith_options *options, text_cost *cost, pith_error *err)
{
    pith_sink sink = {cost_write, c};
    pith_options quiet;
    size_t bytes;
    memset(&quiet, 0, sizeof quiet);
    quiet = options ? *options : quiet;
    quiet.notice = remark_keep;
    quiet.notice_ctx = &cost->remark;
    cost->remark.made = false;
    bool limited = cost_limit(c, &quiet.output_max);
    cost_begin(c);
    if (c->keep)
        c->keep->len = 0;
    pith_status status = side_encode(to, doc, at, &quiet, sink, &bytes, err);
    c->stopped = c->stopped || (limited && status == PITH_LIMIT);
    pith_status counted =
        pith_counter_total(c->counter, &cost->tokens, status == PITH_OK ? err : NULL);
    cost->is_recognised = cost_is_recognised(c, &to->format->info);
    return status == PITH_OK ? counted : status;
}

pith_status cost_of_text(cost_counter *c, pith_text text, size_t *tokens, pith_error *err)
{
    return tokens_count(c->counter, text, c->options, tokens, err);
}

pith_status cost_own_tokens(cost_try write, void *ctx, size_t first, size_t *tokens)
{
    size_t stated = first;
    for (int tries = 0; tries < COST_TRIES; tries++) {
        pith_status status = write(ctx, stated, tokens);
        if (status != PITH_OK || *tokens == stated || *tokens == COST_STOPPED)
            return status;
        stated = *tokens;
    }
    return write(ctx, 0, tokens);
}
