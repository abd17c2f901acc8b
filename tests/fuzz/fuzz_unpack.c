/*
 * fuzz_unpack.c - any bytes as compressed frames, and any bytes in frames and out again.
 *
 *     byte 0   bits 0-1  the bytes are a frame; or are put into one of ZSTD, one of LZ4,
 *                        or two of ZSTD one after the other
 *              bit 2     the frame is damaged: a byte of it is changed
 *              bit 3     the frame is cut off
 *     byte 1   where, and how
 *     the rest are the bytes
 *
 * What must hold: a frame is refused with a reason, or gives what was put into it, in
 * exactly as many bytes as the limit must allow. One that is cut off is always refused.
 */
#include "fuzzing.h"

#if defined(PITH_LZ4) && defined(PITH_ZSTD)
#include <lz4frame.h>
#include <zstd.h>

enum { OUTPUT_MOST = 1 << 20 };

typedef struct frame {
    char *data;
    size_t len;
} frame;

static frame pack(unsigned how, const uint8_t *data, size_t size)
{
    size_t room = 2 * ZSTD_compressBound(size) + LZ4F_compressFrameBound(size, NULL);
    frame made = {(char *)malloc(room), 0};
    REQUIRE(made.data != NULL);
    if (how == 2) {
        made.len = LZ4F_compressFrame(made.data, room, data, size, NULL);
        REQUIRE(!LZ4F_isError(made.len));
        return made;
    }
    for (unsigned i = 0; i < (how == 3 ? 2u : 1u); i++) {
        size_t len =
            ZSTD_compress(made.data + made.len, room - made.len, data, size, 1 + (int)i);
        REQUIRE(!ZSTD_isError(len));
        made.len += len;
    }
    return made;
}

static pith_status unpack(const frame *from, size_t output_max, pith_buffer *out,
                          pith_error *err)
{
    pith_options options = {0};
    options.output_max = output_max;
    char *copy = fuzz_copy((const uint8_t *)from->data, from->len);
    pith_status status =
        pith_unpack(copy, from->len, &options, pith_sink_buffer(out), err);
    free(copy);
    if (status != PITH_OK) {
        REQUIRE(status == PITH_BAD_INPUT || status == PITH_LIMIT);
        REQUIRE(err->code != NULL && err->message[0] != '\0');
    }
    REQUIRE(out->len <= output_max);
    return status;
}

/* Whole frames give the bytes, once for each frame. */
static void check_whole(const frame *from, const uint8_t *data, size_t size, size_t times)
{
    pith_buffer out = {0};
    pith_error err = {0};
    if (size * times > 0) {
        REQUIRE(unpack(from, size * times, &out, &err) == PITH_OK);
        REQUIRE(out.len == size * times);
        for (size_t i = 0; i < times; i++)
            REQUIRE(memcmp(out.data + i * size, data, size) == 0);
    }
    pith_buffer_free(&out);
    if (size * times > 1) {
        REQUIRE(unpack(from, size * times - 1, &out, &err) == PITH_LIMIT);
        REQUIRE(strcmp(err.code, "output_limit") == 0);
    }
    pith_buffer_free(&out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 2)
        return 0;
    unsigned how = data[0] & 3;
    frame from = {fuzz_copy(data + 2, size - 2), size - 2};
    bool untouched = how > 0 && !(data[0] & 12);
    if (how > 0) {
        free(from.data);
        from = pack(how, data + 2, size - 2);
    }
    if (untouched)
        check_whole(&from, data + 2, size - 2, how == 3 ? 2 : 1);
    if ((data[0] & 4) && from.len)
        from.data[data[1] % from.len] ^= (char)(1 + (data[0] >> 4));
    bool cut = (data[0] & 8) && how > 0 && from.len;
    from.len = cut ? data[1] % from.len : from.len;
    pith_buffer out = {0};
    pith_error err = {0};
    pith_status status = unpack(&from, OUTPUT_MOST, &out, &err);
    if (cut && how != 3)
        REQUIRE(status != PITH_OK);
    pith_buffer_free(&out);
    free(from.data);
    return 0;
}

#else

/* Without the libraries a frame is known for what it is, and refused. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    pith_buffer out = {0};
    REQUIRE(pith_unpack((const char *)data, size, NULL, pith_sink_buffer(&out), NULL) !=
            PITH_OK);
    pith_buffer_free(&out);
    return 0;
}

#endif
