/*
 * test_soch_text.c - SochDB's tables as text, where it takes code to show: parts of values,
 * width and depth, and what the content looks like. The examples of its documentation, what
 * is read, refused and written is in tests/vectors/soch.
 */
#include "testing.h"

#define NONE "\xE2\x88\x85"

/* The value in both forms, each read again as text. */
static void must_become(pith_value value, const char *expected)
{
    static const char *const formats[] = {"soch", "soch-bin"};
    for (size_t i = 0; i < ROWS(formats); i++) {
        pith_buffer form = must_write(value, formats[i], NULL);
        pith_doc *doc = must_parse(formats[i], form.data, form.len, NULL);
        pith_buffer text = must_write(pith_doc_root(doc), "soch", NULL);
        assert_true(
            same_bytes(formats[i], text.data, text.len, expected, strlen(expected)));
        pith_buffer_free(&text);
        pith_doc_free(doc);
        pith_buffer_free(&form);
    }
}

/* A part of a file has no header of its own; its columns are looked at. */
static void vectors_of_a_part(void **state)
{
    (void)state;
    static const char text[] =
        "t[2]{v:vec(2),n,o:vec(1)?}:[1,2],5,[3];[3,NaN],6," NONE "\n"
        "u[1]{v:vec(1),n,o:vec(1)}:[1],[2],[3]\n";
    pith_doc *doc = must_parse("soch", text, sizeof text - 1, NULL);
    pith_value t = pith_value_get(pith_doc_root(doc), LIT("t"));
    pith_value u = pith_value_get(pith_doc_root(doc), LIT("u"));
    must_become(t, "_[2]{v:vec(2),n,o:vec(1)?}:[1.0,2.0],5,[3.0];[3.0,NaN],6," NONE);
    /* of one size only where they all are */
    pith_doc *both = pith_doc_new(NULL);
    pith_doc_open_array(both);
    pith_doc_add_value(both, pith_value_at(t, 0));
    pith_doc_add_value(both, pith_value_at(u, 0));
    pith_doc_close(both);
    assert_int_equal(pith_doc_finish(both, NULL), PITH_OK);
    must_become(pith_doc_root(both),
                "_[2]{v,n,o:vec(1)}:[1.0,2.0],5,[3.0];[1.0],[2],[3.0]");
    pith_doc_free(both);
    pith_doc_free(doc);
}

static void what_it_looks_like(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        const char *format;
    } looks[] = {
        {"users[2]{id,name}:1,Alice;2,Bob", "soch"},
        {"users[2]{id,name}:\n1,Alice;\n2,Bob", "soch"},
        {"# x\nusers[2]{id:uint,name:text}: 1,a;2,b", "soch"},
        {"\"a b\"[1]{\"c}\"}:1", "soch"},
        {"t[1]{\"\\\"}\"}:1", "soch"},
        {"t[1]{a,b{c,d}}: 1", "toon"},
        {"_[1]{_}:{}", "soch"},
        {"users[2]{id,name}:\n  1,Alice\n  2,Bob", "toon"},
        {"users[0]{id}:\nname: x", "toon"},
        {"users[2]: 1,2", "toon"},
        {"[{\"a\":1}]", "json"},
    };
    for (size_t i = 0; i < ROWS(looks); i++) {
        const pith_format *found =
            pith_format_of(NULL, looks[i].text, strlen(looks[i].text));
        assert_non_null(found);
        if (strcmp(found->name, looks[i].format) != 0)
            fail_msg("%s: %s", looks[i].text, found->name);
    }
    const pith_format *binary =
        pith_format_of(NULL, LIT("TOON\1\0\x0C\0\0\0\0\0\0\0\0\0\1t\0"));
    assert_non_null(binary);
    assert_string_equal(binary->name, "soch-bin");
    assert_null(pith_format_of(NULL, LIT("TOON\1p\2\xB0\1b\1\0\0\0\0\0\0\0\0\0\0")));
}

/* Wide tables share one list of keys; deep values need no stack. */
static void wide_and_deep(void **state)
{
    (void)state;
    enum { WIDE = 5000, DEEP = 100000 };
    pith_buffer text = {0};
    pith_sink sink = pith_sink_buffer(&text);
    sink.write(sink.ctx, "t[3]{", 5);
    for (int i = 0; i < WIDE; i++) {
        char name[16];
        int len = snprintf(name, sizeof name, "%sc%d", i ? "," : "", i);
        sink.write(sink.ctx, name, (size_t)len);
    }
    sink.write(sink.ctx, "}:", 2);
    for (int i = 0; i < 3 * WIDE; i++)
        sink.write(sink.ctx, i % WIDE ? ",7" : i ? ";7" : "7", i ? 2 : 1);
    pith_doc *doc = must_parse("soch", text.data, text.len, NULL);
    pith_buffer again = must_write(pith_doc_root(doc), "soch", NULL);
    assert_true(same_bytes("wide", again.data, again.len, text.data, text.len));
    pith_buffer bytes = must_write(pith_doc_root(doc), "soch-bin", NULL);
    pith_doc_free(doc);
    doc = must_parse("soch-bin", bytes.data, bytes.len, NULL);
    pith_buffer_free(&again);
    again = must_write(pith_doc_root(doc), "soch", NULL);
    assert_true(same_bytes("wide", again.data, again.len, text.data, text.len));
    pith_doc_free(doc);
    pith_buffer_free(&bytes);
    pith_buffer_free(&again);
    pith_buffer_free(&text);

    sink.write(sink.ctx, "_[1]{_}:", 8);
    for (int i = 0; i < DEEP; i++)
        sink.write(sink.ctx, "[", 1);
    for (int i = 0; i < DEEP; i++)
        sink.write(sink.ctx, "]", 1);
    pith_error err = {0};
    assert_null(pith_doc_parse("soch", text.data, text.len, NULL, &err));
    assert_string_equal(err.code, "depth_limit");
    pith_options options = {0};
    options.depth_max = PITH_DEPTH_MOST;
    doc = must_parse("soch", text.data, text.len, &options);
    again = must_write(pith_doc_root(doc), "soch", NULL);
    assert_true(same_bytes("deep", again.data, again.len, text.data, text.len));
    bytes = must_write(pith_doc_root(doc), "soch-bin", NULL);
    pith_doc_free(doc);
    doc = must_parse("soch-bin", bytes.data, bytes.len, &options);
    pith_doc_free(doc);
    pith_buffer_free(&bytes);
    pith_buffer_free(&again);
    pith_buffer_free(&text);
}

/* Empty arrays in one another. */
static void add_nested(pith_buffer *text, const char *before, size_t count)
{
    pith_sink sink = pith_sink_buffer(text);
    sink.write(sink.ctx, before, strlen(before));
    for (size_t i = 0; i < 2 * count; i++)
        sink.write(sink.ctx, i < count ? "[" : "]", 1);
}

/* The text in that format, however deep it is, in all dialects. */
static pith_buffer converted(const char *text, size_t len, const char *format)
{
    pith_options options = with_settings("compat=sochdb", "");
    pith_buffer out = {0};
    options.depth_max = PITH_DEPTH_MOST;
    assert_int_equal(
        pith_convert("soch", format, text, len, &options, pith_sink_buffer(&out), NULL),
        PITH_OK);
    return out;
}

/* What stands around a lone value is not part of it, so it does not count as depth. */
static void lone_value_may_be_as_deep_as_the_limit(void **state)
{
    static const char *const forms[][2] = {
        {"soch", NULL}, {"soch-bin", NULL}, {"soch-bin", "compress=zstd"}};
    (void)state;
    for (size_t i = 0; i < 3 * 2 * 2; i++) {
        bool table = i >= 3 * 2; /* of one row, without a name */
        const char *format = forms[i / 2 % 3][0];
        size_t depth = PITH_DEPTH_DEFAULT + i % 2;
        pith_options options = {0};
        options.depth_max = PITH_DEPTH_MOST;
        options.write = forms[i / 2 % 3][1];
        pith_buffer json = {0};
        add_nested(&json, table ? "[{\"a\":" : "", table ? depth - 2 : depth);
        pith_sink sink = pith_sink_buffer(&json);
        sink.write(sink.ctx, "}]", table ? 2 : 0);
        pith_doc *doc = must_parse("json", json.data, json.len, &options);
        pith_buffer text = {0};
        pith_error err = {0};
        pith_status status = pith_value_write(pith_doc_root(doc), format, &options,
                                              pith_sink_buffer(&text), &err);
        if (status != PITH_OK) {
            assert_string_equal(err.code, "not_built_in");
            pith_doc_free(doc);
            pith_buffer_free(&text);
            pith_buffer_free(&json);
            continue;
        }
        pith_doc *back = pith_doc_parse(format, text.data, text.len, NULL, &err);
        if (depth > PITH_DEPTH_DEFAULT) {
            assert_null(back);
            assert_string_equal(err.code, "depth_limit");
            assert_non_null(strstr(err.message, "limit of 512"));
        } else {
            assert_non_null(back);
            assert_true(pith_value_equal(pith_doc_root(doc), pith_doc_root(back)));
        }
        pith_doc_free(back);
        pith_doc_free(doc);
        pith_buffer_free(&text);
        pith_buffer_free(&json);
    }
}

/* A cell that looks like a lone value is none when a second table follows: then what is
 * around it counts, list, object, array and row. */
static void depth_around_several_tables_counts(void **state)
{
    (void)state;
    for (size_t i = 0; i < 4; i++) {
        size_t extra = i % 2;
        const char *format = i < 2 ? "soch" : "soch-bin";
        pith_buffer text = {0};
        add_nested(&text, "_[1]{_}:", PITH_DEPTH_DEFAULT - 4 + extra);
        add_nested(&text, "\n_[1]{_}:1", 0);
        pith_buffer file = converted(text.data, text.len, format);
        pith_error err = {0};
        pith_doc *doc = pith_doc_parse(format, file.data, file.len, NULL, &err);
        assert_true((doc == NULL) == (extra > 0));
        if (extra) {
            assert_string_equal(err.code, "depth_limit");
            assert_non_null(strstr(err.message, "limit of 512"));
        }
        pith_doc_free(doc);
        pith_buffer_free(&file);
        pith_buffer_free(&text);
    }
}

/* Root, array and row are one level each, and so is whatever is a container in a cell. */
static void every_level_counts(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        size_t depth;
    } all[] = {
        {"t[1]{a}:1", 3},        {"t[1]{a}:[]", 4},       {"t[1]{a}:{k:[1]}", 5},
        {"t[1]{a}:ref(u,1)", 4}, {"t[1]{a}:[@u:1]", 5},   {"t[1]{v:vec(1)}:[1]", 4},
        {"_[2]{a}:1;2", 2},      {"_[1]{a}:ref(u,1)", 3}, {"_[1]{_}:[[1]]", 2},
    };
    for (size_t i = 0; i < 2 * ROWS(all); i++) {
        const char *format = i % 2 ? "soch-bin" : "soch";
        pith_options options = with_settings(i % 2 ? "" : "compat=sochdb", "");
        pith_buffer file = converted(all[i / 2].text, strlen(all[i / 2].text), format);
        for (size_t limit = 1; limit <= all[i / 2].depth; limit++) {
            pith_error err = {0};
            options.depth_max = limit;
            pith_doc *doc = pith_doc_parse(format, file.data, file.len, &options, &err);
            if ((doc != NULL) != (limit == all[i / 2].depth))
                fail_msg("%s, %s, limit %zu", format, all[i / 2].text, limit);
            if (!doc)
                assert_string_equal(err.code, "depth_limit");
            pith_doc_free(doc);
        }
        pith_buffer_free(&file);
    }
}

/* The sequences of keys that a document remembers are bounded. A reference after more of
 * them was once refused for want of memory. */
static void references_after_many_sequences_of_keys(void **state)
{
    (void)state;
    enum { MANY = 65600 };
    pith_buffer text = {0};
    pith_sink sink = pith_sink_buffer(&text);
    sink.write(sink.ctx, "t[1]{a,b,c}:[", 13);
    for (int i = 0; i < MANY; i++) {
        char object[32];
        int len = snprintf(object, sizeof object, "%s{k%d:1}", i ? "," : "", i);
        sink.write(sink.ctx, object, (size_t)len);
    }
    static const char refs[] = "],ref(users,42),[ref(u,7)]";
    sink.write(sink.ctx, refs, sizeof refs - 1);
    for (size_t i = 0; i < 2; i++) {
        const char *format = i ? "soch-bin" : "soch";
        pith_buffer file = converted(text.data, text.len, format);
        pith_doc *doc = must_parse(format, file.data, file.len, NULL);
        pith_value row = pith_value_at(pith_value_get(pith_doc_root(doc), LIT("t")), 0);
        pith_text table = {0};
        uint64_t id = 0;
        assert_true(pith_value_ref(pith_value_get(row, LIT("b")), &table, &id));
        assert_int_equal(table.len, 5);
        assert_memory_equal(table.ptr, "users", 5);
        assert_int_equal(id, 42);
        pith_buffer json = must_write(pith_value_get(row, LIT("c")), "json", NULL);
        assert_string_equal(json.data, "[{\"$ref\":\"u\",\"id\":7}]");
        pith_buffer again = must_write(pith_doc_root(doc), "soch", NULL);
        assert_true(same_bytes(format, again.data, again.len, text.data, text.len));
        pith_buffer_free(&again);
        pith_buffer_free(&json);
        pith_doc_free(doc);
        pith_buffer_free(&file);
    }
    pith_buffer_free(&text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(vectors_of_a_part),
        cmocka_unit_test(what_it_looks_like),
        cmocka_unit_test(wide_and_deep),
        cmocka_unit_test(lone_value_may_be_as_deep_as_the_limit),
        cmocka_unit_test(depth_around_several_tables_counts),
        cmocka_unit_test(every_level_counts),
        cmocka_unit_test(references_after_many_sequences_of_keys),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
