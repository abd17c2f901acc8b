/*
 * out.c - filling, flushing and failing.
 *
 * After a failure the buffer still takes bytes and throws them away, so that an
 * encoder deep inside a document needs no special case; but nothing more reaches
 * the sink.
 */
#include "base/out.h"

#include "base/system.h"

#include <assert.h>
#include <errno.h>

static const char out_no_sink[] = "no_sink";

static void out_use(pith_out *out, char *block, size_t size)
{
    assert(size > OUT_MARGIN);
    out->start = block;
    out->at = block;
    out->end = block + size - OUT_MARGIN;
}

void out_init(pith_out *out, pith_sink sink, const pith_options *options)
{
    out->sink = sink;
    out->alloc = alloc_from(options);
    out->sent = 0;
    out->last = '\n';
    out->indented = 0;
    out->most = options ? options->output_max : 0;
    out->status = sink.write ? PITH_OK : PITH_BAD_USE;
    out->code = sink.write ? NULL : out_no_sink;
    out->safe = false;
    out->advice = NULL;
    out->system = 0;
    out->notice = options ? options->notice : NULL;
    out->notice_ctx = options ? options->notice_ctx : NULL;
    out->progress = options ? options->progress : NULL;
    out->progress_ctx = options ? options->progress_ctx : NULL;
    out->asked = 0;
    out->block = 0;
    out_use(out, out->spare, OUT_SPARE);
}

void out_fail(pith_out *out, pith_status status, const char *code)
{
    if (out->status == PITH_OK) {
        out->status = status;
        out->code = code;
    }
}

void out_notice(pith_out *out, const pith_error *remark)
{
    if (out->notice)
        out->notice(out->notice_ctx, remark);
}

static const char out_no_files[] = "not_built_in";
static const char out_stopped[] = "cancelled"; /* by the progress function */

static const char *out_code(pith_status status)
{
    if (status == PITH_CANCELLED)
        return "cancelled";
    if (status == PITH_IO && !SYSTEM_HAS_FILES && errno == ENOSYS)
        return out_no_files;
    return status == PITH_NO_MEMORY ? "no_memory" : "write_failed";
}

/* What a sink returned: a number that is no status is a failure to write. */
static pith_status out_known(pith_status status)
{
    return (unsigned)status > PITH_CANCELLED ? PITH_IO : status;
}

/* Asks the progress function, if that is due; a failure when it wants to stop. */
static void out_ask(pith_out *out)
{
    if (!out->progress || out->sent - out->asked < OUT_TICK)
        return;
    out->asked = out->sent;
    if (!out->progress(out->progress_ctx, (size_t)out->sent))
        out_fail(out, PITH_CANCELLED, out_stopped);
}

static void out_send_piece(pith_out *out, const char *data, size_t len)
{
    out_ask(out);
    if (out->status != PITH_OK)
        return;
    errno = 0;
    pith_status status = out_known(out->sink.write(out->sink.ctx, data, len));
    if (status != PITH_OK) {
        out->system = status == PITH_IO ? errno : 0;
        out_fail(out, status, out_code(status));
        return;
    }
    out->sent += len;
    if (len > 0)
        out->last = data[len - 1];
}

static void out_send(pith_out *out, const char *data, size_t len)
{
    if (out->status == PITH_OK && out->most && out->sent + len > out->most)
        out_fail(out, PITH_LIMIT, "output_limit");
    for (; out->progress && len > OUT_TICK; data += OUT_TICK, len -= OUT_TICK)
        out_send_piece(out, data, OUT_TICK);
    out_send_piece(out, data, len);
}

/* Goes on in a block, with the last `keep` bytes in front. False when there is none to
 * be had: then the spare room does, and the sink is called more often. */
static bool out_take_block(pith_out *out, size_t keep)
{
    assert(out->block == 0 && keep <= OUT_SPARE);
    const char *kept = out->at - keep;
    char *block = (char *)alloc_resize(&out->alloc, NULL, 0, OUT_BLOCK);
    if (!block)
        return false;
    memcpy(block, kept, keep);
    out->block = OUT_BLOCK;
    out_use(out, block, OUT_BLOCK);
    out->at += keep;
    return true;
}

void out_flush(pith_out *out, size_t keep)
{
    assert(keep <= (size_t)(out->at - out->start));
    assert(out->at <= out->end + OUT_MARGIN);
    size_t len = (size_t)(out->at - out->start) - keep;
    if (len > 0)
        out_send(out, out->start, len);
    if (out->block == 0 && out->status == PITH_OK && out_take_block(out, keep))
        return;
    if (keep)
        memmove(out->start, out->at - keep, keep);
    out->at = out->start + keep;
}

void out_bytes_slow(pith_out *out, const char *data, size_t len)
{
    out_flush(out, 0);
    if (len >= (size_t)(out->end - out->at)) {
        out_send(out, data, len);
        return;
    }
    memcpy(out->at, data, len);
    out->at += len;
}

void out_end_line(pith_out *out)
{
    char last = out->at > out->start ? out->at[-1] : out->last;
    if (last != '\n')
        out_byte(out, '\n');
}

static void out_field_name(pith_out *out, const char *name)
{
    out_byte(out, ' ');
    out_string(out, name);
    out_byte(out, '=');
}

void out_field(pith_out *out, const char *name, pith_text value)
{
    out_field_name(out, name);
    out_text(out, value);
}

void out_count_field(pith_out *out, const char *name, uint64_t number)
{
    out_field_name(out, name);
    out_number(out, number);
}

void out_indent(pith_out *out, uint64_t count)
{
    static const char spaces[] = "                                                    ";
    enum { PIECE = sizeof spaces - 1 };
    uint64_t other = out->sent + (uint64_t)(out->at - out->start) - out->indented;
    out->indented += count;
    if (!out->most && out->indented > OUT_INDENT_FREE &&
        out->indented / OUT_INDENT_RATIO > other)
        out_fail(out, PITH_LIMIT, "output_limit");
    if (out->status != PITH_OK)
        return;
    for (; count > PIECE && out->status == PITH_OK; count -= PIECE)
        out_bytes(out, spaces, PIECE);
    out_bytes(out, spaces, count > PIECE ? 0 : (size_t)count);
}

static const char *out_sentence(pith_status status, const char *code)
{
    if (code == out_no_sink)
        return "the sink has no function to write with";
    if (code == out_stopped)
        return "the progress function asked to stop";
    if (code == out_no_files)
        return "this build has no files; a larger hold_max needs no temporary one";
    switch (status) {
    case PITH_LIMIT:
        return "the output would exceed its limit; output_max allows more";
    case PITH_NO_MEMORY:
        return "out of memory";
    case PITH_IO:
        return "the output could not be written";
    default:
        return "the sink refused the output";
    }
}

pith_status out_explain(const pith_out *out, pith_error *err)
{
    if (out->status != PITH_OK) {
        bool advised = out->status == PITH_LIMIT && out->advice;
        error_set(err, out->status, out->code, "%s%s",
                  out_sentence(out->status, out->code), advised ? out->advice : "");
        if (err)
            err->system = out->system;
    }
    return out->status;
}

pith_status out_finish(pith_out *out, pith_error *err)
{
    size_t len = (size_t)(out->at - out->start);
    if (len > 0 || out->sent == 0)
        out_send(out, out->start, len); /* a buffer holds the empty text, not nothing */
    out->at = out->start;
    out_abandon(out);
    return out_explain(out, err);
}

void out_abandon(pith_out *out)
{
    if (out->block) {
        alloc_free(&out->alloc, out->start, out->block);
        out->block = 0;
        out_use(out, out->spare, OUT_SPARE);
    }
}

pith_status out_refused(pith_status status, pith_error *err)
{
    int number = errno;
    status = out_known(status);
    const char *code = out_code(status);
    error_set(err, status, code, "%s", out_sentence(status, code));
    if (err && status == PITH_IO)
        err->system = number;
    return status;
}

pith_status out_hand(pith_sink sink, const char *data, size_t len, pith_error *err)
{
    if (!sink.write)
        return error_set(err, PITH_BAD_USE, out_no_sink, "%s",
                         out_sentence(PITH_BAD_USE, out_no_sink));
    errno = 0;
    pith_status status = sink.write(sink.ctx, data, len);
    return status == PITH_OK ? PITH_OK : out_refused(status, err);
}
