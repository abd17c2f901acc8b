/*
 * test_json_write.c - how JSON leaves: indented, in parts, long, within limits. What a text
 * can show is in tests/vectors/json.
 */
#include "bytes.h"
#include "testing.h"

static void every_indent(void **state)
{
    (void)state;
    pith_doc *doc = must_parse_json("{\"a\":[1]}");
    must_write_as(pith_doc_root(doc), "json", "indent=0", "{\"a\":[1]}");
    for (int indent = 1; indent <= 8; indent++) {
        char settings[32], expected[96];
        snprintf(settings, sizeof settings, "indent=%d", indent);
        snprintf(expected, sizeof expected, "{\n%*s\"a\": [\n%*s1\n%*s]\n}", indent, "",
                 2 * indent, "", indent, "");
        must_write_as(pith_doc_root(doc), "json", settings, expected);
    }
    pith_doc_free(doc);
}

/* Any value may be written, not only a root. */
static void parts_of_a_document(void **state)
{
    (void)state;
    pith_doc *doc = must_parse_json("{\"a\":[1,{\"b\":2}],\"c\":\"x\"}");
    pith_value root = pith_doc_root(doc);
    pith_value a = pith_value_get(root, LIT("a"));
    must_write_as(a, "json", NULL, "[1,{\"b\":2}]");
    must_write_as(a, "json", "indent=1", "[\n 1,\n {\n  \"b\": 2\n }\n]");
    must_write_as(pith_value_at(a, 1), "json", NULL, "{\"b\":2}");
    must_write_as(pith_value_at(a, 0), "json", NULL, "1");
    must_write_as(pith_value_get(root, LIT("c")), "json", NULL, "\"x\"");
    pith_doc_free(doc);
}

/* Numbers and texts that are longer than any buffer inside. */
static void long_scalars(void **state)
{
    (void)state;
    static const size_t sizes[] = {1000, 65535, 65536, 65537, 300000};
    for (size_t i = 0; i < ROWS(sizes); i++) {
        bytes text = {0};
        bytes_put(&text, "[-");
        bytes_repeat(&text, "7", sizes[i]);
        bytes_put(&text, ".");
        bytes_repeat(&text, "3", sizes[i]);
        bytes_put(&text, "e-77,\"");
        bytes_repeat(&text, "\\n\xc3\xa9xy", sizes[i] / 4);
        bytes_put(&text, "\",{\"");
        bytes_repeat(&text, "k", sizes[i]);
        bytes_put(&text, "\":[]}]");
        pith_doc *doc = must_parse("json", text.ptr, text.len, NULL);
        pith_buffer out = must_write(pith_doc_root(doc), "json", NULL);
        bool same = same_bytes("long", out.data, out.len, text.ptr, text.len);
        assert_int_equal(out.data[out.len], '\0');
        pith_buffer_free(&out);
        pith_doc_free(doc);
        bytes_free(&text);
        assert_true(same);
    }
}

/* ----------------------------------------------------------------------- limits */

static pith_status count_bytes(void *ctx, const char *data, size_t len)
{
    (void)data;
    *(size_t *)ctx += len;
    return PITH_OK;
}

/* Writes with a sink that only counts; `*count` is what reached it. */
static pith_status write_counting(const pith_doc *doc, const pith_options *options,
                                  size_t *count, pith_error *err)
{
    *count = 0;
    *err = (pith_error){0};
    pith_sink sink = {count_bytes, count};
    return pith_value_write(pith_doc_root(doc), "json", options, sink, err);
}

static void output_is_limited(void **state)
{
    (void)state;
    bytes text = {0};
    bytes_put(&text, "[\"");
    bytes_repeat(&text, "0123456789", 20000);
    bytes_put(&text, "\"]");
    const char *texts[] = {"1", "[1,2,3]", "{\"a\":\"b\\n\"}", "\"\xf0\x9f\x98\x80\"",
                           NULL};
    for (size_t i = 0; i < ROWS(texts); i++) {
        pith_doc *doc = texts[i] ? must_parse_json(texts[i])
                                 : must_parse("json", text.ptr, text.len, NULL);
        size_t whole, count;
        pith_error err;
        pith_options options = {0};
        assert_int_equal(write_counting(doc, &options, &whole, &err), PITH_OK);

        options.output_max = whole;
        assert_int_equal(write_counting(doc, &options, &count, &err), PITH_OK);
        assert_int_equal(count, whole);

        options.output_max = whole + 1;
        assert_int_equal(write_counting(doc, &options, &count, &err), PITH_OK);

        size_t limits[] = {whole - 1, whole / 2, 1};
        for (size_t k = 0; k < ROWS(limits); k++) {
            if (limits[k] == 0 || limits[k] >= whole)
                continue;
            options.output_max = limits[k];
            assert_int_equal(write_counting(doc, &options, &count, &err), PITH_LIMIT);
            assert_int_equal(err.status, PITH_LIMIT);
            assert_string_equal(err.code, "output_limit");
            assert_int_equal(err.line, 0);
            assert_true(count <= limits[k]);
        }
        pith_doc_free(doc);
    }
    bytes_free(&text);
}

/* `depth` arrays in each other around `inside`. */
static pith_doc *deep_document(size_t depth, const char *inside, size_t times)
{
    bytes text = {0};
    bytes_repeat(&text, "[", depth);
    bytes_put(&text, "\"");
    bytes_repeat(&text, inside, times);
    bytes_put(&text, "\"");
    bytes_repeat(&text, "]", depth);
    pith_options options = {0};
    options.depth_max = depth;
    pith_doc *doc = pith_doc_new(&options);
    assert_non_null(doc);
    assert_int_equal(pith_doc_read(doc, "json", text.ptr, text.len, &options, NULL),
                     PITH_OK);
    /* the text is borrowed: a copy of the value lives on its own */
    pith_doc *copy = pith_doc_new(&options);
    assert_non_null(copy);
    pith_doc_add_value(copy, pith_doc_root(doc));
    assert_int_equal(pith_doc_finish(copy, NULL), PITH_OK);
    pith_doc_free(doc);
    bytes_free(&text);
    return copy;
}

/* Indentation grows with the square of the depth and has a limit of its own: the
 * larger of 64 MiB and 64 times everything else. */
static void indentation_is_limited(void **state)
{
    (void)state;
    pith_options options = with_settings(NULL, "indent=8");
    pith_error err;
    size_t count;

    /* 2800 levels: 2 * 8 * (1 + 2 + ... + 2799) + 8 * 2800 spaces, below 64 MiB */
    pith_doc *doc = deep_document(2800, "x", 1);
    assert_int_equal(write_counting(doc, &options, &count, &err), PITH_OK);
    assert_int_equal(count, 8u * 2800u * 2800u + 2u * 2u * 2800u + 3u);
    pith_doc_free(doc);

    /* 3000 levels: 72 million spaces */
    doc = deep_document(3000, "x", 1);
    assert_int_equal(write_counting(doc, &options, &count, &err), PITH_LIMIT);
    assert_string_equal(err.code, "output_limit");
    assert_true(count <= 64u * 1024 * 1024 + 64u * 1024);
    /* compact, there is nothing to limit */
    options.write = NULL;
    assert_int_equal(write_counting(doc, &options, &count, &err), PITH_OK);
    /* a limit given by the caller replaces ours */
    options.write = "indent=8";
    options.output_max = 80u * 1000 * 1000;
    assert_int_equal(write_counting(doc, &options, &count, &err), PITH_OK);
    pith_doc_free(doc);

    /* the same depth is fine where the rest is large */
    options.output_max = 0;
    doc = deep_document(3000, "0123456789abcdef", 100000);
    assert_int_equal(write_counting(doc, &options, &count, &err), PITH_OK);
    pith_doc_free(doc);
}

static void nothing_to_write(void **state)
{
    (void)state;
    pith_value none = {0};
    pith_buffer out = {0};
    pith_error err = {0};
    pith_status status =
        pith_value_write(none, "json", NULL, pith_sink_buffer(&out), &err);
    assert_int_equal(status, PITH_BAD_USE);
    assert_int_equal(err.status, PITH_BAD_USE);
    assert_non_null(err.code);
    assert_int_equal(pith_value_write(none, "json", NULL, pith_sink_buffer(&out), NULL),
                     PITH_BAD_USE);
    pith_buffer_free(&out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_indent),           cmocka_unit_test(parts_of_a_document),
        cmocka_unit_test(long_scalars),           cmocka_unit_test(output_is_limited),
        cmocka_unit_test(indentation_is_limited), cmocka_unit_test(nothing_to_write),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
