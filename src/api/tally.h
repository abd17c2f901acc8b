/*
 * tally.h - what a text would cost, without keeping it.
 */
#ifndef API_TALLY_H
#define API_TALLY_H

#include "api/job.h"

typedef struct api_tally {
    size_t bytes;
    size_t tokens;
    bool known; /* the text shows by its beginning which format it is in */
} api_tally;

enum { SCALE_HEAD_BYTES = 4096 };

/* What tokens are counted with. Zero-initialise; close when done. */
typedef struct api_scale {
    pith_vocab *own; /* opened here because the options name none */
    pith_counter *counter;
    size_t enough; /* weighing stops with PITH_LIMIT at so many tokens; 0 for never */
    size_t head_len;
    char head[SCALE_HEAD_BYTES]; /* what the text on the scale begins with */
} api_scale;

/* `err` is not NULL. */
pith_status scale_open(api_scale *scale, const pith_options *options, pith_error *err);
void scale_close(api_scale *scale);

/* Writes the value into the counter. */
pith_status scale_weigh(api_scale *scale, const api_format *to, const pith_doc *doc,
                        uint32_t at, const pith_options *options, api_tally *tally,
                        pith_error *err);

/* Writes a text that states this number of tokens, or none where it is 0, and counts. */
typedef pith_status (*scale_state)(void *ctx, size_t stated, size_t *tokens);

/* A text that states its own tokens is longer for it, so the number is sought, from
 * `first` on, until it is true of the text it stands in. Should there be none, none is
 * stated. The text written last is the one that counts. */
pith_status scale_state_tokens(scale_state write, void *ctx, size_t first,
                               size_t *tokens);

/* Counts a text that is there already. */
pith_status scale_count(api_scale *scale, pith_text text, size_t *tokens,
                        pith_error *err);

#endif
