/*
 * held.c - putting rows aside.
 */
#include "format/held.h"

void held_open(held_rows *held, const row_stream *stream)
{
    pith_options writing;
    memset(&writing, 0, sizeof writing);
    writing.alloc = stream->alloc;
    writing.output_max = (size_t)stream->out->most;
    spill_init(&held->spill, stream->hold_max, stream->alloc);
    out_init(&held->out, spill_sink(&held->spill), &writing);
}

pith_status held_failed(const pith_out *out, pith_error *err)
{
    if (out->status != PITH_IO) {
        return out_explain(out, err);
    }
    error_set(err, PITH_IO, "write_failed", "the temporary file could not be written");
    if (err) {
        err->system = out->system;
    }
    return PITH_IO;
}

pith_status held_end(held_rows *held, pith_error *err)
{
    out_flush(&held->out, 0);
    return held->out.status == PITH_OK ? PITH_OK : held_failed(&held->out, err);
}

void held_close(held_rows *held)
{
    out_abandon(&held->out);
    spill_free(&held->spill);
}
