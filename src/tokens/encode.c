/*
 * encode.c - text to ids, piece by piece.
 *
 * Special tokens, where they are asked for, cut the text before anything else: what
 * stands between two of them is split and merged as if it were alone.
 */
#include "tokens/encode.h"

#include "base/error.h"

#ifndef PITH_OMIT_TOKENS

typedef struct encoder {
    const pith_vocab *vocab;
    pith_text text;
    pith_tokens *tokens;
    bpe_work work;
    pith_error *err;
    bool starts[256]; /* the bytes with which special tokens begin */
} encoder;

static bool encoder_make_room(encoder *job, size_t more)
{
    return list_grow(&job->tokens->alloc, (void *)&job->tokens->ids, &job->tokens->cap,
                     job->tokens->count + more, sizeof(uint32_t));
}

static pith_status encoder_add_piece(encoder *job, const char *at, size_t len)
{
    pith_status status = bpe_encode(&job->work, job->vocab, at, len);
    if (status == PITH_LIMIT) {
        return error_set(job->err, status, "piece_limit",
                         "a single word of 4 GB or more cannot be encoded");
    }
    if (status != PITH_OK || !encoder_make_room(job, job->work.ids.count))
        return error_no_memory(job->err);
    memcpy(job->tokens->ids + job->tokens->count, job->work.ids.at,
           job->work.ids.count * sizeof(uint32_t));
    job->tokens->count += job->work.ids.count;
    return PITH_OK;
}

/* The ids of a stretch without special tokens. */
static pith_status encoder_add_plain(encoder *job, const char *at, const char *end)
{
    splitter split = split_start(&job->vocab->rule, end, false);
    while (at < end) {
        const char *next = split_piece(&split, at);
        if (!next) {
            reporter report;
            report_init(&report, job->text);
            report_bad(&report, split_bad_code(split.unstable),
                       (size_t)(split.bad - job->text.ptr), "%s",
                       split_bad_message(split.unstable));
            return report_result(&report, job->err);
        }
        pith_status status = encoder_add_piece(job, at, (size_t)(next - at));
        if (status != PITH_OK)
            return status;
        at = next;
    }
    return PITH_OK;
}

/* The longest special token at `at`, or NULL. */
static const vocab_special *encoder_special_at(const encoder *job, const char *at,
                                               const char *end)
{
    const vocab_special *best = NULL;
    for (size_t i = 0; i < job->vocab->specials.count; i++) {
        const vocab_special *special = &job->vocab->specials.at[i];
        size_t len = special->text.len;
        if (len <= (size_t)(end - at) && (!best || len > best->text.len) &&
            memcmp(at, special->text.ptr, len) == 0)
            best = special;
    }
    return best;
}

static pith_status encoder_add_all(encoder *job)
{
    const char *start = job->text.ptr;
    const char *end = start + job->text.len;
    for (const char *at = start; at < end; at++) {
        const vocab_special *special =
            job->starts[(unsigned char)*at] ? encoder_special_at(job, at, end) : NULL;
        if (!special)
            continue;
        pith_status status = encoder_add_plain(job, start, at);
        if (status != PITH_OK)
            return status;
        if (!encoder_make_room(job, 1))
            return error_no_memory(job->err);
        job->tokens->ids[job->tokens->count++] = special->id;
        start = at + special->text.len;
        at = start - 1;
    }
    return encoder_add_plain(job, start, end);
}

pith_status encode_text(const pith_vocab *vocab, pith_text text, pith_special special,
                        pith_tokens *tokens, pith_error *err)
{
    encoder job;
    memset(&job, 0, sizeof job);
    tokens->alloc = alloc_or_default(tokens->alloc);
    job.vocab = vocab;
    job.text = text;
    job.tokens = tokens;
    job.work.alloc = tokens->alloc;
    job.err = err;
    for (size_t i = 0; special == PITH_SPECIAL_IS_TOKEN && i < vocab->specials.count; i++)
        job.starts[(unsigned char)vocab->specials.at[i].text.ptr[0]] = true;
    size_t before = tokens->count;
    pith_status status = special == PITH_SPECIAL_IS_TOKEN
                             ? encoder_add_all(&job)
                             : encoder_add_plain(&job, text.ptr, text.ptr + text.len);
    if (status != PITH_OK)
        tokens->count = before;
    bpe_free(&job.work);
    return status;
}

#endif
