/*
 * tokens.c - the public calls about tokens.
 */
#include "api/cost.h"
#include "base/out.h"
#include "tokens/counter.h"
#include "tokens/encode.h"
#include "tokens/vocab_image.h"

#ifndef PITH_OMIT_TOKENS

enum {
    TOKENS_ESTIMATE_BYTES = 4, /* to a token, where nothing is known */
    TOKENS_TICK = 256 * 1024   /* bytes between two calls for progress */
};

/* ------------------------------------------------------------------ vocabularies */

const char *pith_vocab_name_at(size_t index)
{
    return vocab_name_at(index);
}

pith_vocab *pith_vocab_open(const char *name, const pith_options *options,
                            pith_error *err)
{
    return vocab_open(name, alloc_from(options), err);
}

void pith_vocab_free(pith_vocab *vocab)
{
    vocab_free(vocab);
}

pith_vocab_info pith_vocab_describe(const pith_vocab *vocab)
{
    pith_vocab_info info = {
        .name = vocab->name, .exact = !vocab->estimate, .size = vocab->size};
    return info;
}

static pith_status tokens_refuse_estimate(pith_error *err)
{
    return error_set(err, PITH_BAD_USE, "estimate",
                     "an estimate counts tokens; it has no ids");
}

pith_status pith_vocab_save(const pith_vocab *vocab, pith_sink sink, pith_error *err)
{
    if (vocab->estimate)
        return tokens_refuse_estimate(err);
    pith_out out;
    out_init(&out, sink, NULL);
    if (!vocab_save(vocab, &out)) {
        out_abandon(&out);
        return error_no_memory(err);
    }
    return out_finish(&out, err);
}

pith_vocab *pith_vocab_map(const void *data, size_t len, const pith_options *options,
                           pith_error *err)
{
    return vocab_map(text_of(len ? (const char *)data : "", len), alloc_from(options),
                     err);
}

/* --------------------------------------------------------------- encode and decode */

void pith_tokens_free(pith_tokens *tokens)
{
    if (tokens->ids)
        alloc_free(&tokens->alloc, tokens->ids, tokens->cap * sizeof *tokens->ids);
    tokens->ids = NULL;
    tokens->count = 0;
    tokens->cap = 0;
}

pith_status pith_vocab_encode(const pith_vocab *vocab, const char *text, size_t len,
                              pith_special special, pith_tokens *tokens, pith_error *err)
{
    if (vocab->estimate)
        return tokens_refuse_estimate(err);
    return encode_text(vocab, text_of(text ? text : "", len), special, tokens, err);
}

pith_status pith_vocab_decode(const pith_vocab *vocab, const uint32_t *ids, size_t count,
                              const pith_options *options, pith_sink sink,
                              pith_error *err)
{
    if (vocab->estimate)
        return tokens_refuse_estimate(err);
    if (!ids && count > 0)
        return error_set(err, PITH_BAD_USE, "no_tokens", "there are no tokens to decode");
    pith_out out;
    out_init(&out, sink, options);
    for (size_t i = 0; i < count; i++) {
        char room[VOCAB_TOKEN_MOST];
        pith_text text;
        if (!vocab_token_text(vocab, ids[i], room, &text)) {
            out_abandon(&out);
            return error_set(err, PITH_BAD_INPUT, "unknown_token",
                             "there is no token %u in %s", (unsigned)ids[i], vocab->name);
        }
        out_text(&out, text);
    }
    return out_finish(&out, err);
}

/* ---------------------------------------------------------------------- counting */

pith_counter *pith_counter_new(const pith_vocab *vocab, const pith_options *options)
{
    pith_alloc alloc = alloc_from(options);
    pith_counter *counter = (pith_counter *)alloc_zeroed(&alloc, sizeof *counter);
    if (counter && !counter_init(counter, vocab, alloc)) {
        alloc_free(&alloc, counter, sizeof *counter);
        return NULL;
    }
    return counter;
}

void pith_counter_free(pith_counter *counter)
{
    if (counter) {
        pith_alloc alloc = counter->work.alloc;
        counter_free(counter);
        alloc_free(&alloc, counter, sizeof *counter);
    }
}

static pith_status tokens_add(pith_counter *counter, const char *data, size_t len,
                              bool last)
{
    if (counter->vocab->estimate) {
        counter->bytes += len;
        return PITH_OK;
    }
    return counter_add(counter, data ? data : "", len, last);
}

static pith_status tokens_sink_write(void *ctx, const char *data, size_t len)
{
    return tokens_add((pith_counter *)ctx, data, len, false);
}

pith_sink pith_counter_sink(pith_counter *counter)
{
    pith_sink sink = {counter ? tokens_sink_write : NULL, counter};
    return sink;
}

pith_status pith_counter_total(pith_counter *counter, size_t *count, pith_error *err)
{
    tokens_add(counter, "", 0, true);
    pith_status status = error_copy(&counter->failure, err);
    if (status == PITH_OK) {
        size_t bytes = counter->bytes;
        *count = counter->vocab->estimate
                     ? bytes / TOKENS_ESTIMATE_BYTES + (bytes % TOKENS_ESTIMATE_BYTES > 0)
                     : counter->total;
    }
    counter_reset(counter);
    return status;
}

pith_status tokens_count(pith_counter *counter, pith_text text,
                         const pith_options *options, size_t *count, pith_error *err)
{
    size_t most = options && options->progress ? TOKENS_TICK : SIZE_MAX;
    pith_status status = PITH_OK;
    for (size_t done = 0; done < text.len && status == PITH_OK; done += most) {
        pith_text rest = text_after(text, done);
        tokens_add(counter, rest.ptr, rest.len < most ? rest.len : most, false);
        if (rest.len <= most)
            break;
        if (!options->progress(options->progress_ctx, done + most))
            status = error_cancelled(err);
    }
    pith_status counted = pith_counter_total(counter, count, status ? NULL : err);
    return status == PITH_OK ? counted : status;
}

pith_status pith_vocab_count(const pith_vocab *vocab, const char *text, size_t len,
                             const pith_options *options, size_t *count, pith_error *err)
{
    pith_counter counter;
    if (!counter_init(&counter, vocab, alloc_from(options)))
        return error_no_memory(err);
    pith_status status =
        tokens_count(&counter, text_of(len ? text : "", len), options, count, err);
    counter_free(&counter);
    return status;
}

#else

/* Without tokens there is no vocabulary, and so nobody can call what needs one. */

const char *pith_vocab_name_at(size_t index)
{
    (void)index;
    return NULL;
}

pith_vocab *pith_vocab_open(const char *name, const pith_options *options,
                            pith_error *err)
{
    (void)name, (void)options;
    error_not_built_in(err, "tokens");
    return NULL;
}

pith_vocab *pith_vocab_read(const char *text, size_t len, const pith_options *options,
                            pith_error *err)
{
    (void)text, (void)len;
    return pith_vocab_open(NULL, options, err);
}

pith_vocab *pith_vocab_map(const void *data, size_t len, const pith_options *options,
                           pith_error *err)
{
    (void)data, (void)len;
    return pith_vocab_open(NULL, options, err);
}

void pith_vocab_free(pith_vocab *vocab)
{
    (void)vocab;
}

pith_vocab_info pith_vocab_describe(const pith_vocab *vocab)
{
    pith_vocab_info none = {.name = ""};
    (void)vocab;
    return none;
}

pith_status pith_vocab_save(const pith_vocab *vocab, pith_sink sink, pith_error *err)
{
    (void)vocab, (void)sink;
    return error_not_built_in(err, "tokens");
}

void pith_tokens_free(pith_tokens *tokens)
{
    (void)tokens;
}

pith_status pith_vocab_encode(const pith_vocab *vocab, const char *text, size_t len,
                              pith_special special, pith_tokens *tokens, pith_error *err)
{
    (void)vocab, (void)text, (void)len, (void)special, (void)tokens;
    return error_not_built_in(err, "tokens");
}

pith_status pith_vocab_decode(const pith_vocab *vocab, const uint32_t *ids, size_t count,
                              const pith_options *options, pith_sink sink,
                              pith_error *err)
{
    (void)vocab, (void)ids, (void)count, (void)options, (void)sink;
    return error_not_built_in(err, "tokens");
}

pith_status pith_vocab_count(const pith_vocab *vocab, const char *text, size_t len,
                             const pith_options *options, size_t *count, pith_error *err)
{
    (void)vocab, (void)text, (void)len, (void)options, (void)count;
    return error_not_built_in(err, "tokens");
}

pith_status tokens_count(pith_counter *counter, pith_text text,
                         const pith_options *options, size_t *count, pith_error *err)
{
    (void)counter, (void)text, (void)options, (void)count;
    return error_not_built_in(err, "tokens");
}

pith_counter *pith_counter_new(const pith_vocab *vocab, const pith_options *options)
{
    (void)vocab, (void)options;
    return NULL;
}

void pith_counter_free(pith_counter *counter)
{
    (void)counter;
}

pith_sink pith_counter_sink(pith_counter *counter)
{
    pith_sink none = {NULL, counter};
    return none;
}

pith_status pith_counter_total(pith_counter *counter, size_t *count, pith_error *err)
{
    (void)counter, (void)count;
    return error_not_built_in(err, "tokens");
}

#endif
