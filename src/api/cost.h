/*
 * cost.h - what a text costs in tokens.
 */
#ifndef API_COST_H
#define API_COST_H

#include "api/api.h"

enum { COST_HEAD_BYTES = 4096, COST_TOKEN_BYTES = 128 };

/* The tokens of a text that was not written to its end. */
#define COST_STOPPED SIZE_MAX

/* What tokens are counted with. A text that is to stop at a number of tokens stops at that
 * many times COST_TOKEN_BYTES, too, which is what the longest tokens have, those of spaces:
 * deep indentation is long and costs little, and would be written on and on. */
typedef struct cost_counter {
    pith_vocab *own; /* opened here because the options name none */
    pith_counter *counter;
    const pith_options *options; /* whose progress function is asked; may be NULL */
    size_t stop_at_tokens;       /* cost_of then stops with PITH_LIMIT; 0 for never */
    size_t stop_at_bytes;        /* the same */
    size_t bytes;                /* of the last text */
    bool stopped;                /* it has been stopped so */
    pith_buffer *keep;           /* where cost_of puts the text, too; NULL: nowhere */
    size_t head_len;
    char head[COST_HEAD_BYTES]; /* what the text begins with */
} cost_counter;

/* `err` is not NULL. Close the counter whatever the outcome. */
pith_status cost_open(cost_counter *c, const pith_options *options, pith_error *err);
void cost_close(cost_counter *c);

/* What the writer of a text remarks on it, once. Of several texts only the one that leaves
 * has its remark told. */
typedef struct text_remark {
    bool made;
    pith_error error;
} text_remark;

/* A function for notices; `ctx` is a text_remark. */
void remark_keep(void *ctx, const pith_error *error);

/* Tells it to whoever wants notices. */
void remark_tell(const text_remark *remark, const pith_options *options);

typedef struct text_cost {
    size_t tokens;
    bool is_recognised; /* the text shows by its beginning which format it is in */
    text_remark remark;
} text_cost;

/* Writes the value into the counter. What the writer remarks is only kept. */
pith_status cost_of(cost_counter *c, const api_side *to, const pith_doc *doc, uint32_t at,
                    const pith_options *options, text_cost *cost, pith_error *err);

/* Counts a text with a counter that has counted nothing else, and asks for progress. */
pith_status tokens_count(pith_counter *counter, pith_text text,
                         const pith_options *options, size_t *count, pith_error *err);

/* Counts a text that is there already. */
pith_status cost_of_text(cost_counter *c, pith_text text, size_t *tokens,
                         pith_error *err);

/* Begins a text that is counted piece by piece. */
void cost_begin(cost_counter *c);

/* Counts a piece of it; PITH_LIMIT when it is to stop. */
pith_status cost_take(cost_counter *c, const char *data, size_t len);

/* Writes a text that states this number of tokens, or none where it is 0, and counts. */
typedef pith_status (*cost_try)(void *ctx, size_t stated, size_t *tokens);

/* A text that states its own tokens is longer for it, so the number is sought, from
 * `first` on, until it is true of the text that states it. If there is no such number, none
 * is stated. The text written last is the one that counts. */
pith_status cost_own_tokens(cost_try write, void *ctx, size_t first, size_t *tokens);

#endif
