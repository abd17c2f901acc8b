/*
 * soch_compress.c - LZ4 and ZSTD, as far as this build has them.
 *
 * Both come from the system, and only where PITH_LZ4 and PITH_ZSTD say so; without them
 * everything here still compiles and answers that it cannot.
 */
#include "format/soch/soch_compress.h"

#include <limits.h>
#include <string.h>

#ifdef PITH_LZ4
#include <lz4.h>
#endif
#ifdef PITH_ZSTD
#include <zstd.h>
#include <zstd_errors.h>
#endif

void soch_block_free(soch_block *block)
{
    alloc_free(&block->alloc, block->data, block->cap);
    block->data = NULL;
    block->len = 0;
    block->cap = 0;
}

#if defined(PITH_LZ4) || defined(PITH_ZSTD)
/* Room for `more` bytes after what the block has. */
static char *soch_block_room(soch_block *block, size_t more)
{
    if (more > SIZE_MAX / 2 - block->len ||
        !list_grow(&block->alloc, (void *)&block->data, &block->cap, block->len + more,
                   1))
        return NULL;
    return block->data + block->len;
}
#endif

#ifdef PITH_LZ4
static soch_compressed soch_compress_lz4(soch_block *to, const char *data, size_t len)
{
    if (len > LZ4_MAX_INPUT_SIZE)
        return SOCH_COMPRESS_DAMAGED;
    int bound = LZ4_compressBound((int)len);
    char *room = soch_block_room(to, (size_t)bound);
    if (!room)
        return SOCH_COMPRESS_NO_MEMORY;
    int made = LZ4_compress_default(data, room, (int)len, bound);
    to->len += made > 0 ? (size_t)made : 0;
    return made > 0 ? SOCH_COMPRESSED : SOCH_COMPRESS_NO_MEMORY;
}

/* A byte of LZ4 stands for at most 255, so a length beyond that is a lie. */
static soch_compressed soch_expand_lz4(soch_block *to, size_t raw_len, const char *data,
                                       size_t len)
{
    if (len > INT_MAX || raw_len > INT_MAX || raw_len / 255 > len)
        return SOCH_COMPRESS_DAMAGED;
    char *room = soch_block_room(to, raw_len + 1);
    if (!room)
        return SOCH_COMPRESS_NO_MEMORY;
    int made = LZ4_decompress_safe(data, room, (int)len, (int)raw_len);
    if (made < 0 || (size_t)made != raw_len)
        return SOCH_COMPRESS_DAMAGED;
    to->len += raw_len;
    return SOCH_COMPRESSED;
}
#endif

#ifdef PITH_ZSTD
enum { SOCH_ZSTD_LEVEL = 3, SOCH_ZSTD_PIECE = 64 * 1024 };

static soch_compressed soch_compress_zstd(soch_block *to, const char *data, size_t len)
{
    size_t bound = ZSTD_compressBound(len);
    char *room = ZSTD_isError(bound) ? NULL : soch_block_room(to, bound);
    if (!room)
        return SOCH_COMPRESS_NO_MEMORY;
    size_t made = ZSTD_compress(room, bound, data, len, SOCH_ZSTD_LEVEL);
    if (ZSTD_isError(made))
        return SOCH_COMPRESS_NO_MEMORY;
    to->len += made;
    return SOCH_COMPRESSED;
}

/* Piece by piece, so that a small input cannot ask for much memory by its word alone. */
static soch_compressed soch_expand_stream(ZSTD_DStream *stream, soch_block *to,
                                          size_t raw_len, const char *data, size_t len)
{
    ZSTD_inBuffer in = {data, len, 0};
    for (;;) {
        size_t left = raw_len - to->len;
        size_t least = SOCH_ZSTD_PIECE;
        size_t piece = to->len > least ? to->len : least;
        piece = piece < left ? piece : left + 1; /* one more, to see that it ends */
        char *room = soch_block_room(to, piece);
        if (!room)
            return SOCH_COMPRESS_NO_MEMORY;
        ZSTD_outBuffer out = {room, piece, 0};
        size_t before = in.pos;
        size_t more = ZSTD_decompressStream(stream, &out, &in);
        to->len += out.pos;
        if (ZSTD_isError(more) && ZSTD_getErrorCode(more) == ZSTD_error_memory_allocation)
            return SOCH_COMPRESS_NO_MEMORY;
        if (ZSTD_isError(more) || to->len > raw_len)
            return SOCH_COMPRESS_DAMAGED;
        if (more == 0) {
            bool whole = to->len == raw_len && in.pos == len;
            return whole ? SOCH_COMPRESSED : SOCH_COMPRESS_DAMAGED;
        }
        if (out.pos == 0 && in.pos == before)
            return SOCH_COMPRESS_DAMAGED; /* it wants more than there is */
    }
}

static soch_compressed soch_expand_zstd(soch_block *to, size_t raw_len, const char *data,
                                        size_t len)
{
    ZSTD_DStream *stream = ZSTD_createDStream();
    if (!stream)
        return SOCH_COMPRESS_NO_MEMORY;
    soch_compressed result = soch_expand_stream(stream, to, raw_len, data, len);
    ZSTD_freeDStream(stream);
    return result;
}
#endif

/* ------------------------------------------------------------------------- both */

typedef struct soch_packer {
    const char *name;
    soch_compressed (*compress)(soch_block *to, const char *data, size_t len);
    soch_compressed (*expand)(soch_block *to, size_t raw_len, const char *data,
                              size_t len);
} soch_packer;

/* What this build does not have has a name and no more. */
static const soch_packer soch_packers[] = {
    [SOCH_PLAIN] = {.name = "none"},
#ifdef PITH_LZ4
    [SOCH_LZ4] = {"LZ4", soch_compress_lz4, soch_expand_lz4},
#else
    [SOCH_LZ4] = {.name = "LZ4"},
#endif
#ifdef PITH_ZSTD
    [SOCH_ZSTD] = {"ZSTD", soch_compress_zstd, soch_expand_zstd},
#else
    [SOCH_ZSTD] = {.name = "ZSTD"},
#endif
};

const char *soch_packing_name(soch_packing packing)
{
    return soch_packers[packing].name;
}

bool soch_packing_here(soch_packing packing)
{
    return packing == SOCH_PLAIN || soch_packers[packing].compress;
}

soch_compressed soch_compress(soch_packing packing, soch_block *to, const char *data,
                              size_t len)
{
    const soch_packer *packer = &soch_packers[packing];
    return packer->compress ? packer->compress(to, data, len) : SOCH_COMPRESS_DAMAGED;
}

soch_compressed soch_expand(soch_packing packing, soch_block *to, size_t raw_len,
                            const char *data, size_t len)
{
    const soch_packer *packer = &soch_packers[packing];
    return packer->expand ? packer->expand(to, raw_len, data, len)
                          : SOCH_COMPRESS_DAMAGED;
}
