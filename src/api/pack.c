/*
 * pack.c - bytes on their way into a frame of ZSTD, LZ4 or gzip.
 *
 * The counterpart of unpack.c. What comes is compressed in pieces of a fixed size, so a
 * frame needs the memory of its window and no more, however long it becomes.
 */
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
#endif

enum { PACK_PIECE = 64 * 1024 };

struct pith_packer {
    pith_alloc alloc;
    pith_sink sink;
    pith_error fault; /* the first failure */
    char *piece;      /* what is to be sent */
    size_t piece_size;
#ifdef PITH_GZIP
    z_stream gzip;
    bool gzips; /* it is to be ended */
#endif
#ifdef PITH_LZ4
    LZ4F_cctx *lz4; /* or NULL */
    bool begun;     /* its frame has its header */
#endif
#ifdef PITH_ZSTD
    ZSTD_CCtx *zstd; /* or NULL */
#endif
};

void pith_packer_abandon(pith_packer *packer)
{
    if (!packer)
        return;
#ifdef PITH_GZIP
    if (packer->gzips)
        deflateEnd(&packer->gzip);
#endif
#ifdef PITH_LZ4
    LZ4F_freeCompressionContext(packer->lz4);
#endif
#ifdef PITH_ZSTD
    ZSTD_freeCCtx(packer->zstd);
#endif
    pith_alloc alloc = packer->alloc;
    alloc_free(&alloc, packer->piece, packer->piece_size);
    alloc_free(&alloc, packer, sizeof *packer);
}

/* Makes what compresses; false when out of memory, `*here` says whether there is one. */
static bool pack_prepare(pith_packer *packer, const char *packing, bool *here)
{
    *here = false;
    (void)packing; /* in a build that has none */
    packer->piece_size = PACK_PIECE;
#ifdef PITH_ZSTD
    if (strcmp(packing, "ZSTD") == 0) {
        *here = true;
        packer->zstd = ZSTD_createCCtx();
        if (!packer->zstd)
            return false;
    }
#endif
#ifdef PITH_LZ4
    if (strcmp(packing, "LZ4") == 0) {
        *here = true;
        packer->piece_size = LZ4F_compressBound(PACK_PIECE, NULL);
        if (LZ4F_isError(LZ4F_createCompressionContext(&packer->lz4, LZ4F_VERSION)))
            return false;
    }
#endif
#ifdef PITH_GZIP
    if (strcmp(packing, "GZIP") == 0) {
        *here = true;
        packer->gzips = deflateInit2(&packer->gzip, Z_DEFAULT_COMPRESSION, Z_DEFLATED,
                                     16 + MAX_WBITS, 8, Z_DEFAULT_STRATEGY) == Z_OK;
        if (!packer->gzips)
            return false;
    }
#endif
    packer->piece = (char *)alloc_resize(&packer->alloc, NULL, 0, packer->piece_size);
    return packer->piece != NULL;
}

pith_packer *pith_packer_open(const char *packing, const pith_options *options,
                              pith_sink sink, pith_error *err)
{
    if (strcmp(packing, "ZSTD") != 0 && strcmp(packing, "LZ4") != 0 &&
        strcmp(packing, "GZIP") != 0) {
        error_set(err, PITH_BAD_USE, "unknown_packing",
                  "'%s' is no compression; there are ZSTD, LZ4 and GZIP",
                  error_quote(packing, strlen(packing)).text);
        return NULL;
    }
    pith_alloc alloc = alloc_from(options);
    pith_packer *packer = (pith_packer *)alloc_zeroed(&alloc, sizeof *packer);
    if (!packer) {
        error_no_memory(err);
        return NULL;
    }
    bool here;
    packer->alloc = alloc;
    packer->sink = sink;
    bool ready = pack_prepare(packer, packing, &here);
    if (ready && here)
        return packer;
    if (ready)
        error_set(err, PITH_BAD_USE, "not_built_in", "%s is not built in", packing);
    else
        error_no_memory(err);
    pith_packer_abandon(packer);
    return NULL;
}

#if defined(PITH_LZ4) || defined(PITH_ZSTD) || defined(PITH_GZIP)
static bool pack_send(pith_packer *packer, size_t len)
{
    return len == 0 ||
           out_hand(packer->sink, packer->piece, len, &packer->fault) == PITH_OK;
}
#endif

#ifdef PITH_ZSTD
static bool pack_zstd(pith_packer *packer, const char *data, size_t len, bool end)
{
    ZSTD_inBuffer in = {data, len, 0};
    size_t left;
    do {
        ZSTD_outBuffer out = {packer->piece, packer->piece_size, 0};
        left = ZSTD_compressStream2(packer->zstd, &out, &in,
                                    end ? ZSTD_e_end : ZSTD_e_continue);
        if (ZSTD_isError(left)) {
            error_no_memory(&packer->fault);
            return false;
        }
        if (!pack_send(packer, out.pos))
            return false;
    } while (in.pos < in.size || (end && left > 0));
    return true;
}
#endif

#ifdef PITH_LZ4
/* Sends what a call has made, unless it failed. */
static bool pack_lz4_send(pith_packer *packer, size_t made)
{
    if (LZ4F_isError(made)) {
        error_no_memory(&packer->fault);
        return false;
    }
    return pack_send(packer, made);
}

static bool pack_lz4(pith_packer *packer, const char *data, size_t len, bool end)
{
    char *to = packer->piece;
    size_t room = packer->piece_size;
    if (!packer->begun) {
        packer->begun = true;
        if (!pack_lz4_send(packer, LZ4F_compressBegin(packer->lz4, to, room, NULL)))
            return false;
    }
    while (len > 0) {
        size_t part = len < PACK_PIECE ? len : (size_t)PACK_PIECE;
        if (!pack_lz4_send(packer,
                           LZ4F_compressUpdate(packer->lz4, to, room, data, part, NULL)))
            return false;
        data += part;
        len -= part;
    }
    return !end || pack_lz4_send(packer, LZ4F_compressEnd(packer->lz4, to, room, NULL));
}
#endif

#ifdef PITH_GZIP
static bool pack_gzip(pith_packer *packer, const char *data, size_t len, bool end)
{
    z_stream *stream = &packer->gzip;
    bool more = true;
    do {
        uInt part =
            len < INT_MAX ? (uInt)len : (uInt)INT_MAX; /* it counts with 32 bits */
        stream->next_in = (Bytef *)data;
        stream->avail_in = part;
        stream->next_out = (Bytef *)packer->piece;
        stream->avail_out = (uInt)packer->piece_size;
        deflate(stream, end && part == len ? Z_FINISH : Z_NO_FLUSH);
        data += part - stream->avail_in;
        len -= part - stream->avail_in;
        more = len > 0 || stream->avail_out == 0;
        if (!pack_send(packer, packer->piece_size - stream->avail_out))
            return false;
    } while (more);
    return true;
}
#endif

static pith_status pack_bytes(pith_packer *packer, const char *data, size_t len, bool end)
{
    if (packer->fault.status != PITH_OK)
        return packer->fault.status;
#ifdef PITH_ZSTD
    if (packer->zstd)
        pack_zstd(packer, data, len, end);
#endif
#ifdef PITH_LZ4
    if (packer->lz4)
        pack_lz4(packer, data, len, end);
#endif
#ifdef PITH_GZIP
    if (packer->gzips)
        pack_gzip(packer, data, len, end);
#endif
    (void)data;
    (void)len;
    (void)end;
    return packer->fault.status;
}

static pith_status pack_write(void *ctx, const char *data, size_t len)
{
    return pack_bytes((pith_packer *)ctx, data, len, false);
}

pith_sink pith_packer_sink(pith_packer *packer)
{
    pith_sink sink = {pack_write, packer};
    return sink;
}

pith_status pith_packer_close(pith_packer *packer, pith_error *err)
{
    if (!packer)
        return PITH_OK;
    pith_status status = pack_bytes(packer, "", 0, true);
    if (status != PITH_OK && err)
        *err = packer->fault;
    pith_packer_abandon(packer);
    return status;
}
