/*
 * test_soch_bin.c - binary tables byte by byte: files made by hand, the good ones and one
 * for every way in which they can be wrong.
 *
 * All begin with the header of a table without a checksum, so that what is wrong is the
 * one thing that is meant to be.
 */
#include "testing.h"

#include "format/soch/soch_compress.h"

/* "TOON", version 1, flags 8, so many rows. */
#define HEAD(rows) "TOON\1\0\10\0" rows "\0\0\0\0\0\0\0"
#define ONE_ANY HEAD("\1") "\1t\1\1x\0" /* t[1]{x} */

typedef struct sample {
    const char *bytes;
    size_t len;
    const char *expected; /* JSON, or a code word */
} sample;

#define SAMPLE(bytes, expected)                                                          \
    {                                                                                    \
        bytes, sizeof(bytes) - 1, expected                                               \
    }

static void good_files(void **state)
{
    (void)state;
    static const sample all[] = {
        SAMPLE(HEAD("\0") "\1t\0", "{\"t\":[]}"),
        SAMPLE(HEAD("\0") "\1_\1\1x\0", "[]"),
        SAMPLE(ONE_ANY "\0", "{\"t\":[{\"x\":null}]}"),
        SAMPLE(ONE_ANY "\x1F", "{\"t\":[{\"x\":15}]}"),
        SAMPLE(ONE_ANY "\x20", "{\"t\":[{\"x\":-16}]}"),
        SAMPLE(ONE_ANY "\x30\x80", "{\"t\":[{\"x\":-128}]}"),
        SAMPLE(ONE_ANY "\x31\0\x80", "{\"t\":[{\"x\":-32768}]}"),
        SAMPLE(ONE_ANY "\x32\0\0\0\x80", "{\"t\":[{\"x\":-2147483648}]}"),
        /* wider than needed */
        SAMPLE(ONE_ANY "\x33\1\0\0\0\0\0\0\0", "{\"t\":[{\"x\":1}]}"),
        SAMPLE(ONE_ANY "\x62\1\0\0\0a", "{\"t\":[{\"x\":\"a\"}]}"),
        SAMPLE(ONE_ANY "\x41\0\0\0\0\0\0\xF8\x3F", "{\"t\":[{\"x\":1.5}]}"),
        SAMPLE(ONE_ANY "\x40\0\0\0\x80", "{\"t\":[{\"x\":-0.0}]}"),
        SAMPLE(ONE_ANY "\x70\2\x50\x71\1\1k\2", "{\"t\":[{\"x\":[\"\",{\"k\":true}]}]}"),
        SAMPLE(ONE_ANY "\x90\1\x40\0\0\0\x3F", "{\"t\":[{\"x\":[0.5]}]}"),
        SAMPLE(ONE_ANY "\xB0\x80\x80\x80\x80\x80\x80\x80\x80\x80\1",
               "{\"t\":[{\"x\":9223372036854775808}]}"),
        SAMPLE(HEAD("\0") "\1t\1\1x\7\xFF\xFF\xFF\xFF\xF", "{\"t\":[]}"),
        SAMPLE(HEAD("\0") "\2\\_\0", "{\"_\":[]}"),
        SAMPLE(HEAD("\0") "\1a\0" HEAD("\0") "\1b\0", "{\"a\":[],\"b\":[]}"),
    };
    for (size_t i = 0; i < ROWS(all); i++) {
        pith_doc *doc = must_parse("soch-bin", all[i].bytes, all[i].len, NULL);
        pith_buffer text = must_write(pith_doc_root(doc), "json", NULL);
        assert_string_equal(text.data, all[i].expected);
        pith_buffer_free(&text);
        pith_doc_free(doc);
    }
}

static void ill_formed_files(void **state)
{
    (void)state;
    static const sample all[] = {
        SAMPLE("", "not_this_format"),
        SAMPLE("TOOL\1\0\10\0\0\0\0\0\0\0\0\0\1t\0", "not_this_format"),
        SAMPLE("TOON\2\0\10\0\0\0\0\0\0\0\0\0\1t\0", "unknown_version"),
        SAMPLE("TOON\1\1\10\0\0\0\0\0\0\0\0\0\1t\0", "unknown_version"),
        SAMPLE("TOON\1\0\30\0\0\0\0\0\0\0\0\0\1t\0", "unknown_flags"),
        SAMPLE("TOON\1\0\0\0\0\0\0\0\0\0\0\0\1t\0", "unknown_flags"),
        SAMPLE("TOON\1\0\13\0\0\0\0\0\0\0\0\0\1t\0", "unknown_flags"),
        SAMPLE("TOON\1\0\10\0\0", "truncated"),
        SAMPLE(HEAD("\0"), "truncated"),
        SAMPLE(HEAD("\0") "\2t", "truncated"),
        SAMPLE(HEAD("\0") "\x81\0t\0", "invalid_varint"),
        SAMPLE(HEAD("\0") "\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\2", "invalid_varint"),
        SAMPLE(HEAD("\0") "\1\xFF\0", "invalid_utf8"),
        SAMPLE(HEAD("\0") "\1t\xFF\xFF\3", "truncated"),
        SAMPLE(HEAD("\0") "\1t\1\1x\13", "unknown_type"),
        SAMPLE(HEAD("\0") "\1t\1\1x\7\x80\x80\x80\x80\x10", "unknown_type"),
        SAMPLE(HEAD("\0") "\1t\2\1x\0\1x\0", "duplicate_key"),
        SAMPLE(HEAD("\1") "\1t\0", "unrepresentable"),
        SAMPLE(HEAD("\0") "\1t\0\0", "trailing_content"),
        SAMPLE(ONE_ANY, "truncated"),
        SAMPLE(ONE_ANY "\3", "unknown_tag"),
        SAMPLE(ONE_ANY "\x34", "unknown_tag"),
        SAMPLE(ONE_ANY "\xFF", "unknown_tag"),
        SAMPLE(ONE_ANY "\x33\1\0\0\0\0\0\0", "truncated"),
        SAMPLE(ONE_ANY "\x52x", "truncated"),
        SAMPLE(ONE_ANY "\x62\xFF\xFF\xFF\xFFx", "truncated"),
        SAMPLE(ONE_ANY "\x51\xC0", "invalid_utf8"),
        SAMPLE(ONE_ANY "\x70\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\1", "truncated"),
        SAMPLE(ONE_ANY "\x71\1\1k", "truncated"),
        SAMPLE(ONE_ANY "\x71\2\1k\0\1k\0", "duplicate_key"),
        SAMPLE(ONE_ANY "\x90\1\x42\0\0\0\0", "unknown_tag"),
        SAMPLE(ONE_ANY "\x90\2\x40\0\0\0\0", "truncated"),
        SAMPLE(ONE_ANY "\xA0\2x", "truncated"),
        SAMPLE(ONE_ANY "\x80\1u", "truncated"),
        SAMPLE(HEAD("\377") "\1t\1\1x\0\0", "truncated"),
        SAMPLE(HEAD("\1") "\1t\1\1x\1\0", "null_not_allowed"),
        SAMPLE(HEAD("\1") "\1t\1\1x\1\x50", "type_mismatch"),
        SAMPLE(HEAD("\1") "\1t\1\1x\2\x2F", "type_mismatch"),
        SAMPLE(HEAD("\1") "\1t\1\1x\1\xB0\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\1",
               "out_of_range"),
        SAMPLE(HEAD("\1") "\1t\1\1x\7\2\x90\1\x40\0\0\0\0", "vector_size_mismatch"),
        SAMPLE(HEAD("\1") "\1t\1\1x\12\1u\x80\1v\0", "type_mismatch"),
        SAMPLE("TOON\1\0\14\0\0\0\0\0\0\0\0\0\1t\0", "truncated"),
        SAMPLE("TOON\1\0\14\0\0\0\0\0\0\0\0\0\1t\0\0\0\0\0", "checksum_mismatch"),
    };
    int failures = 0;
    for (size_t i = 0; i < ROWS(all); i++) {
        /* A block of its own, so that a look behind the end is found. */
        char *copy = malloc(all[i].len ? all[i].len : 1);
        pith_error err = {0};
        assert_non_null(copy);
        memcpy(copy, all[i].bytes, all[i].len);
        pith_doc *doc = pith_doc_parse("soch-bin", copy, all[i].len, NULL, &err);
        if (doc || strcmp(err.code, all[i].expected) != 0) {
            fprintf(stderr, "file %zu: %s, expected %s\n", i, doc ? "fine" : err.code,
                    all[i].expected);
            failures++;
        }
        pith_doc_free(doc);
        free(copy);
    }
    assert_int_equal(failures, 0);
}

/* Compressed bodies: lengths that lie, bytes that are none. A build without the library
 * says so instead. */
static void ill_formed_bodies(void **state)
{
    (void)state;
    static const sample all[] = {
        SAMPLE("TOON\1\0\11\0\0\0\0\0\0\0\0\0\3", "truncated"),
        SAMPLE("TOON\1\0\11\0\0\0\0\0\0\0\0\0\3\7\0", "truncated"),
        SAMPLE("TOON\1\0\11\0\0\0\0\0\0\0\0\0\3\4\x30\1t\0", "all of it"),
        SAMPLE("TOON\1\0\11\0\0\0\0\0\0\0\0\0\4\4\x30\1t\0", "invalid_compression"),
        SAMPLE("TOON\1\0\11\0\0\0\0\0\0\0\0\0\2\4\x30\1t\0", "invalid_compression"),
        SAMPLE("TOON\1\0\11\0\0\0\0\0\0\0\0\0\4\5\x40\1t\0\0", "trailing_content"),
        SAMPLE("TOON\1\0\12\0\0\0\0\0\0\0\0\0\3\3\1t\0", "invalid_compression"),
        SAMPLE("TOON\1\0\12\0\0\0\0\0\0\0\0\0\xFF\xFF\xFF\xFF\x7F\3\1t\0", "raw_limit"),
    };
    for (size_t i = 0; i < ROWS(all); i++) {
        pith_error err = {0};
        pith_doc *doc = pith_doc_parse("soch-bin", all[i].bytes, all[i].len, NULL, &err);
        const char *found = doc ? "all of it" : err.code;
        if (strcmp(found, "not_built_in") != 0)
            assert_string_equal(found, all[i].expected);
        pith_doc_free(doc);
    }
}

/* What no compression is, and what LZ4 has no length for, is left as it is: nothing is
 * read or written. */
static void what_cannot_be_compressed(void **state)
{
    (void)state;
    const size_t lz4_most = 0x7E000000; /* LZ4_MAX_INPUT_SIZE */
    soch_block block = {alloc_from(NULL), NULL, 0, 0};
    assert_int_equal(soch_compress(SOCH_PLAIN, &block, "abc", 3), SOCH_COMPRESS_DAMAGED);
    assert_int_equal(soch_expand(SOCH_PLAIN, &block, 3, "abc", 3), SOCH_COMPRESS_DAMAGED);
    assert_int_equal(soch_compress(SOCH_LZ4, &block, "abc", lz4_most + 1),
                     SOCH_COMPRESS_DAMAGED);
    assert_null(block.data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(good_files),
        cmocka_unit_test(ill_formed_files),
        cmocka_unit_test(ill_formed_bodies),
        cmocka_unit_test(what_cannot_be_compressed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
