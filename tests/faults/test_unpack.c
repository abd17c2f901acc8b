/*
 * test_unpack.c - frames, when the libraries that unpack them have no memory.
 *
 * They take it from the C library themselves, where no layer of ours is below. So it is
 * their own calls that the linker leads through here, and that say what they say then.
 */
#define LZ4F_STATIC_LINKING_ONLY /* for the numbers of its errors */

#include "faults/layer.h"
#include "testing.h"

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

/* The call that gets no memory; NULL for none. */
static const char *starved;

#if defined(PITH_LZ4) || defined(PITH_ZSTD) || defined(PITH_GZIP)
static bool is_starved(const char *call)
{
    return starved && strcmp(starved, call) == 0;
}
#endif

#ifdef PITH_ZSTD
ZSTD_DCtx *__real_ZSTD_createDCtx(void);
ZSTD_DCtx *__wrap_ZSTD_createDCtx(void);
size_t __real_ZSTD_decompressStream(ZSTD_DCtx *context, ZSTD_outBuffer *out,
                                    ZSTD_inBuffer *in);
size_t __wrap_ZSTD_decompressStream(ZSTD_DCtx *context, ZSTD_outBuffer *out,
                                    ZSTD_inBuffer *in);

ZSTD_DCtx *__wrap_ZSTD_createDCtx(void)
{
    return is_starved("ZSTD_createDCtx") ? NULL : __real_ZSTD_createDCtx();
}

size_t __wrap_ZSTD_decompressStream(ZSTD_DCtx *context, ZSTD_outBuffer *out,
                                    ZSTD_inBuffer *in)
{
    return is_starved("ZSTD_decompressStream")
               ? (size_t)0 - (size_t)ZSTD_error_memory_allocation
               : __real_ZSTD_decompressStream(context, out, in);
}
#endif

#ifdef PITH_LZ4
size_t __real_LZ4F_createDecompressionContext(LZ4F_dctx **context, unsigned version);
size_t __wrap_LZ4F_createDecompressionContext(LZ4F_dctx **context, unsigned version);
size_t __real_LZ4F_decompress(LZ4F_dctx *context, void *to, size_t *made,
                              const void *from, size_t *taken,
                              const LZ4F_decompressOptions_t *options);
size_t __wrap_LZ4F_decompress(LZ4F_dctx *context, void *to, size_t *made,
                              const void *from, size_t *taken,
                              const LZ4F_decompressOptions_t *options);

static size_t lz4_no_memory(void)
{
    return (size_t)0 - (size_t)LZ4F_ERROR_allocation_failed;
}

size_t __wrap_LZ4F_createDecompressionContext(LZ4F_dctx **context, unsigned version)
{
    return is_starved("LZ4F_createDecompressionContext")
               ? lz4_no_memory()
               : __real_LZ4F_createDecompressionContext(context, version);
}

size_t __wrap_LZ4F_decompress(LZ4F_dctx *context, void *to, size_t *made,
                              const void *from, size_t *taken,
                              const LZ4F_decompressOptions_t *options)
{
    return is_starved("LZ4F_decompress")
               ? lz4_no_memory()
               : __real_LZ4F_decompress(context, to, made, from, taken, options);
}
#endif

#ifdef PITH_GZIP
int __real_inflateInit2_(z_stream *stream, int bits, const char *version, int size);
int __wrap_inflateInit2_(z_stream *stream, int bits, const char *version, int size);
int __real_inflate(z_stream *stream, int flush);
int __wrap_inflate(z_stream *stream, int flush);

int __wrap_inflateInit2_(z_stream *stream, int bits, const char *version, int size)
{
    return is_starved("inflateInit2_")
               ? Z_MEM_ERROR
               : __real_inflateInit2_(stream, bits, version, size);
}

int __wrap_inflate(z_stream *stream, int flush)
{
    return is_starved("inflate") ? Z_MEM_ERROR : __real_inflate(stream, flush);
}
#endif

typedef struct packed {
    const char *frame; /* "hello", as it is */
    size_t len;
    const char *calls[2];
} packed;

static const packed frames[] = {
#ifdef PITH_ZSTD
    {LIT("\x28\xB5\x2F\xFD\x20\x05\x29\0\0hello"),
     {"ZSTD_createDCtx", "ZSTD_decompressStream"}},
#endif
#ifdef PITH_LZ4
    {LIT("\x04\x22\x4D\x18\x60\x40\x82\x05\0\0\x80hello\0\0\0\0"),
     {"LZ4F_createDecompressionContext", "LZ4F_decompress"}},
#endif
#ifdef PITH_GZIP
    {LIT("\x1F\x8B\x08\0\0\0\0\0\0\3\1\5\0\xFA\xFF"
         "hello\x86\xA6\x10\x36\5\0\0\0"),
     {"inflateInit2_", "inflate"}},
#endif
    {NULL, 0, {NULL, NULL}},
};

/* Unpacks with one of the calls starved, or none; nothing stays after. */
static pith_status unpack(const packed *one, const char *call, pith_buffer *out,
                          pith_error *err)
{
    faults_set(NULL);
    starved = call;
    pith_status status =
        pith_unpack(one->frame, one->len, NULL, pith_sink_buffer(out), err);
    starved = NULL;
    assert_int_equal(faults_seen().live_blocks, out->data ? 1 : 0);
    return status;
}

static void without_memory_nothing_is_damaged(void **state)
{
    (void)state;
    for (size_t i = 0; frames[i].frame; i++) {
        pith_buffer out = {0};
        pith_error err = {0};
        for (size_t k = 0; k < 2; k++) {
            assert_int_equal(unpack(&frames[i], frames[i].calls[k], &out, &err),
                             PITH_NO_MEMORY);
            assert_string_equal(err.code, "no_memory");
            assert_null(out.data);
        }
        assert_int_equal(unpack(&frames[i], NULL, &out, &err), PITH_OK);
        assert_string_equal(out.data, "hello");
        pith_buffer_free(&out);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(without_memory_nothing_is_damaged),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
