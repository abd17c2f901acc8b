/*
 * out.h - the buffered writer under every encoder.
 *
 *     start            at                    end
 *       +--------------+---------------------+- - - - -+
 *       | to be sent   | free                | margin  |
 *       +--------------+---------------------+- - - - -+
 *
 * The first failure sticks: later calls do nothing that can be seen, and
 * out_finish tells. Encoders therefore never check a write. `end` stops OUT_MARGIN
 * bytes short of the block, so that a fast path may write a few bytes (a quote, a
 * comma, the tail of a 16-byte copy) past what it asked for.
 *
 * Most documents are small, so writing begins in a few kilobytes that are part of the
 * writer; only when those are full is a block asked for.
 */
#ifndef BASE_OUT_H
#define BASE_OUT_H

#include "base/alloc.h"
#include "base/error.h"
#include "base/num.h"

#include <assert.h>
#include <string.h>

enum {
    OUT_BLOCK = 64 * 1024, /* bytes collected before the sink is called */
    OUT_TICK = 256 * 1024, /* bytes between two calls for progress */
    OUT_MARGIN = 64,
    OUT_SPARE = 8 * 1024,    /* to begin with, and what is left when memory is gone */
    OUT_ROOM_MOST = 4 * 1024 /* what can be asked for at once, even then */
};

/* Where no limit is set, indentation is refused when it is more than the first of these
 * and more than the second times everything else: it grows with the square of the depth. */
#define OUT_INDENT_FREE (UINT64_C(64) * 1024 * 1024)
#define OUT_INDENT_RATIO 64u

typedef struct pith_out {
    char *at;
    char *end;
    char *start;
    size_t block; /* size of the allocated block; 0 while `spare` is in use */
    pith_sink sink;
    pith_alloc alloc;
    uint64_t sent;     /* bytes given to the sink, */
    char last;         /* the last of them */
    uint64_t indented; /* of all bytes, those that are indentation */
    uint64_t most;     /* the limit; 0 for none */
    pith_status status;
    const char *code;
    bool safe; /* whoever quotes a text escapes what is hidden in it */
    const char
        *advice; /* how to write less, to follow what is said of the limit; or NULL */
    int system;
    void (*notice)(void *ctx, const pith_error *remark);
    void *notice_ctx;
    bool (*progress)(void *ctx, size_t bytes_done); /* asked before each OUT_TICK bytes */
    void *progress_ctx;
    uint64_t asked; /* bytes sent when it was asked last */
    char spare[OUT_SPARE];
} pith_out;

/* Starts writing to `sink` with the allocator and limit of the options. The writer must
 * not be moved then. A sink without a function is a failure from the start. */
void out_init(pith_out *out, pith_sink sink, const pith_options *options);

/* The first failure so far, in `err` too; PITH_OK when there is none. */
pith_status out_explain(const pith_out *out, pith_error *err);

/* Sends what is left; the first failure of all, in `err` too. Frees the block. */
pith_status out_finish(pith_out *out, pith_error *err);

/* Frees the block and sends nothing. */
void out_abandon(pith_out *out);

/* Says what a caller's function returned instead of PITH_OK; errno is that function's. */
pith_status out_refused(pith_status status, pith_error *err);

/* One piece straight to a sink, for whoever has it whole; a failure fills `err`. */
pith_status out_hand(pith_sink sink, const char *data, size_t len, pith_error *err);

/* Hands the collected bytes, but for the last `keep`, to the sink. */
void out_flush(pith_out *out, size_t keep);

/* Fails on purpose: what is to be written cannot be. Keeps an earlier failure. */
void out_fail(pith_out *out, pith_status status, const char *code);

/* Tells whoever asked for it of something that is no failure. */
void out_notice(pith_out *out, const pith_error *remark);

void out_bytes_slow(pith_out *out, const char *data, size_t len);

/* Ends the line, if there is one that has not ended. */
void out_end_line(pith_out *out);

/* Makes sure that `need` bytes (at most OUT_ROOM_MOST) fit before `end`. */
static inline void out_reserve(pith_out *out, size_t need)
{
    assert(need <= OUT_ROOM_MOST);
    if ((size_t)(out->end - out->at) < need)
        out_flush(out, 0);
}

/* The same for a writer whose place is a local pointer: `to` moved to where `need` bytes,
 * at most OUT_ROOM_MOST, can be written. */
static inline char *out_make_room(pith_out *out, char *to, ptrdiff_t need)
{
    assert(need <= OUT_ROOM_MOST && to >= out->start);
    if (out->end - to < need) {
        out->at = to;
        out_flush(out, 0);
        to = out->at;
    }
    return to;
}

static inline void out_byte(pith_out *out, char byte)
{
    out_reserve(out, 1);
    *out->at++ = byte;
}

static inline void out_bytes(pith_out *out, const char *data, size_t len)
{
    if ((size_t)(out->end - out->at) < len) {
        out_bytes_slow(out, data, len);
        return;
    }
    if (len) {
        memcpy(out->at, data, len);
        out->at += len;
    }
}

static inline void out_text(pith_out *out, pith_text text)
{
    out_bytes(out, text.ptr, text.len);
}

/* A literal or any other C string. */
static inline void out_string(pith_out *out, const char *string)
{
    out_bytes(out, string, strlen(string));
}

/* The digits of a number. */
static inline void out_number(pith_out *out, uint64_t number)
{
    out_reserve(out, NUM_UINT64_MAX_LEN);
    out->at += num_write_uint64(out->at, number);
}

/* A field of a first line: a space, name=value. */
void out_field(pith_out *out, const char *name, pith_text value);
void out_count_field(pith_out *out, const char *name, uint64_t number);

/* `count` spaces of indentation, which count towards the indentation limit. */
void out_indent(pith_out *out, uint64_t count);

#endif
