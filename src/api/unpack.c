/*
 * unpack.c - files that are compressed as a whole: frames of ZSTD, LZ4 and gzip.
 *
 * What is in them leaves in pieces, so a frame needs the memory of its window and no more.
 * All come from the system, and only where PITH_LZ4, PITH_ZSTD and PITH_GZIP say so;
 * without them a frame is still known for what it is.
 */
#include "format/format.h"
#include "base/alloc.h"
#include "base/error.h"
#include "base/out.h"
#include "base/text.h"

#include <limits.h>
#include <string.h>

#ifdef PITH_GZIP
#include <zlib.h>
#endif
#ifdef PITH_LZ4
#include <lz4frame.h>
#endif
#ifdef PITH_ZSTD
#include <zstd.h>
#include <zstd_errors.h>
#endif

const char *pith_packing(const char *path, const char *data, size_t len)
{
    if (!data)
        return path ? registry_packing(text_from(path)) : NULL;
    if (len >= 4 && memcmp(data, "\x28\xB5\x2F\xFD", 4) == 0)
        return "ZSTD";
    if (len >= 4 && memcmp(data, "\x04\x22\x4D\x18", 4) == 0)
        return "LZ4";
    return len >= 4 && memcmp(data, "\x1F\x8B\x08", 3) == 0 ? "GZIP" : NULL;
}

#if defined(PITH_LZ4) || defined(PITH_ZSTD) || defined(PITH_GZIP)
#define UNPACK_SOME
#endif

#ifdef UNPACK_SOME

enum { UNPACK_PIECE = 64 * 1024 };

/* Where the pieces go. */
typedef struct unpacking {
    pith_text input;
    size_t used;
    pith_sink sink;
    size_t output_max;
    size_t most; /* of what comes out, whoever takes it */
    size_t written;
    char *piece;
    pith_error *err;
} unpacking;

static pith_status unpack_damaged(const unpacking *job, const char *name)
{
    bool cut = job->used == job->input.len;
    return error_set(job->err, PITH_BAD_INPUT, "invalid_compression", "the %s frame %s",
                     name, cut ? "is cut off" : "is damaged");
}

static pith_status unpack_send(unpacking *job, size_t len)
{
    if (len > job->most - job->written) {
        return error_set(job->err, PITH_LIMIT, "memory_limit",
                         "the frame of %zu bytes becomes more than the limit of %zu; "
                         "memory_max allows more, if it can be trusted",
                         job->input.len, job->most);
    }
    if (job->output_max > 0 && len > job->output_max - job->written) {
        return error_set(job->err, PITH_LIMIT, "output_limit",
                         "more than the limit of %zu bytes would be written",
                         job->output_max);
    }
    job->written += len;
    return len > 0 ? out_hand(job->sink, job->piece, len, job->err) : PITH_OK;
}

#endif

#ifdef PITH_ZSTD
static pith_status unpack_zstd(unpacking *job)
{
    ZSTD_DCtx *context = ZSTD_createDCtx();
    if (!context)
        return error_no_memory(job->err);
    ZSTD_inBuffer in = {job->input.ptr, job->input.len, 0};
    pith_status status = PITH_OK;
    size_t wanted = 1;
    bool full = false;
    while (status == PITH_OK && (in.pos < in.size || (full && wanted != 0))) {
        ZSTD_outBuffer out = {job->piece, UNPACK_PIECE, 0};
        wanted = ZSTD_decompressStream(context, &out, &in);
        job->used = in.pos;
        full = out.pos == out.size;
        if (ZSTD_isError(wanted)) {
            job->used = 0;
            status = ZSTD_getErrorCode(wanted) == ZSTD_error_memory_allocation
                         ? error_no_memory(job->err)
                         : unpack_damaged(job, "ZSTD");
            break;
        }
        status = unpack_send(job, out.pos);
    }
    ZSTD_freeDCtx(context);
    return status == PITH_OK && wanted != 0 ? unpack_damaged(job, "ZSTD") : status;
}
#endif

#ifdef PITH_LZ4
static pith_status unpack_lz4(unpacking *job)
{
    LZ4F_dctx *context = NULL;
    if (LZ4F_isError(LZ4F_createDecompressionContext(&context, LZ4F_VERSION)))
        return error_no_memory(job->err);
    pith_status status = PITH_OK;
    size_t wanted = 1;
    bool full = false;
    while (status == PITH_OK && (job->used < job->input.len || (full && wanted != 0))) {
        size_t taken = job->input.len - job->used;
        size_t made = UNPACK_PIECE;
        wanted = LZ4F_decompress(context, job->piece, &made, job->input.ptr + job->used,
                                 &taken, NULL);
        if (LZ4F_isError(wanted)) {
            job->used = 0;
            status = strcmp(LZ4F_getErrorName(wanted), "ERROR_allocation_failed") == 0
                         ? error_no_memory(job->err)
                         : unpack_damaged(job, "LZ4");
            break;
        }
        job->used += taken;
        full = made == UNPACK_PIECE;
        status = unpack_send(job, made);
    }
    LZ4F_freeDecompressionContext(context);
    return status == PITH_OK && wanted != 0 ? unpack_damaged(job, "LZ4") : status;
}
#endif

#ifdef PITH_GZIP
/* Hands zlib, which counts with 32 bits, the next of the input, and a piece to fill. */
static void unpack_gzip_step(unpacking *job, z_stream *stream, int *said)
{
    size_t left = job->input.len - job->used;
    uInt given = left < INT_MAX ? (uInt)left : (uInt)INT_MAX;
    stream->next_in = (Bytef *)job->input.ptr + job->used;
    stream->avail_in = given;
    stream->next_out = (Bytef *)job->piece;
    stream->avail_out = UNPACK_PIECE;
    *said = inflate(stream, Z_NO_FLUSH);
    job->used += given - stream->avail_in;
}

/* One member after the other, until the input ends with one. */
static pith_status unpack_gzip(unpacking *job)
{
    z_stream stream = {0};
    if (inflateInit2(&stream, 16 + MAX_WBITS) != Z_OK) /* 16: gzip, nothing else */
        return error_no_memory(job->err);
    pith_status status = PITH_OK;
    int said = Z_OK;
    while (status == PITH_OK && !(said == Z_STREAM_END && job->used == job->input.len)) {
        if (said == Z_STREAM_END)
            inflateReset(&stream);
        unpack_gzip_step(job, &stream, &said);
        if (said == Z_MEM_ERROR)
            status = error_no_memory(job->err);
        else if (said == Z_OK || said == Z_STREAM_END)
            status = unpack_send(job, UNPACK_PIECE - stream.avail_out);
        else {
            job->used = said == Z_BUF_ERROR ? job->used : 0;
            status = unpack_damaged(job, "gzip");
        }
    }
    inflateEnd(&stream);
    return status;
}
#endif

pith_status pith_unpack(const char *data, size_t len, const pith_options *options,
                        pith_sink sink, pith_error *err)
{
    const char *name = pith_packing(NULL, data, len);
    if (!name) {
        return error_set(err, PITH_BAD_INPUT, "not_this_format",
                         "expected the first bytes of a ZSTD, LZ4 or gzip frame");
    }
    pith_status status = PITH_BAD_USE;
    bool here = false;
#ifdef UNPACK_SOME
    pith_alloc alloc = alloc_from(options);
    char *piece = (char *)alloc_resize(&alloc, NULL, 0, UNPACK_PIECE);
    if (!piece)
        return error_no_memory(err);
    unpacking job = {
        .input = text_of(data, len),
        .sink = sink,
        .output_max = options ? options->output_max : 0,
        .most = alloc_limit(options ? options->memory_max : 0, len),
        .piece = piece,
        .err = err,
    };
#ifdef PITH_ZSTD
    if (name[0] == 'Z') {
        here = true;
        status = unpack_zstd(&job);
    }
#endif
#ifdef PITH_LZ4
    if (name[0] == 'L') {
        here = true;
        status = unpack_lz4(&job);
    }
#endif
#ifdef PITH_GZIP
    if (name[0] == 'G') {
        here = true;
        status = unpack_gzip(&job);
    }
#endif
    alloc_free(&alloc, piece, UNPACK_PIECE);
    if (here && status == PITH_OK && job.written == 0)
        status = out_hand(sink, "", 0, err); /* a sink is told of the empty text too */
#else
    (void)options;
    (void)sink;
#endif
    return here ? status
                : error_set(err, PITH_BAD_USE, "not_built_in",
                            "the input is compressed with %s, which is not built in",
                            name);
}
