/*
 * test_pith_encode.c - what the Pith encoder writes, where it takes code to show: deep and
 * wide values, rows one by one, long headers. The rules are in tests/vectors/pith.
 */
#include "bytes.h"
#include "testing.h"
#include "named.h"

typedef struct written {
    const char *settings;
    const char *json;
    const char *text;
} written;

static bool runs(const written *row)
{
    pith_options options = with_settings(NULL, row->settings);
    pith_doc *doc = must_parse_json(row->json);
    pith_buffer out = must_write(pith_doc_root(doc), "pith", &options);
    bool right = same_bytes("written", out.data, out.len, row->text, strlen(row->text));
    bool loose = row->settings && (strstr(row->settings, "order=free") ||
                                   strstr(row->settings, "numbers=shortest"));
    pith_error err = {0};
    pith_doc *back = pith_doc_parse("pith", out.data, out.len, NULL, &err);
    if (!back) {
        fprintf(stderr, "%s at %zu:%zu: %s\n", err.code, err.line, err.column,
                err.message);
        right = false;
    } else {
        if (!loose && !pith_value_equal(pith_doc_root(doc), pith_doc_root(back))) {
            fputs("another value\n", stderr);
            right = false;
        }
        pith_buffer again = must_write(pith_doc_root(back), "pith", &options);
        right = same_bytes("again", again.data, again.len, out.data, out.len) && right;
        pith_buffer_free(&again);
    }
    if (!right)
        fprintf(stderr, "  of %s (%s)\n", row->json, row->settings ? row->settings : "");
    pith_doc_free(back);
    pith_buffer_free(&out);
    pith_doc_free(doc);
    return right;
}

static void run_all(const written *rows, size_t count)
{
    size_t failures = 0;
    for (size_t i = 0; i < count; i++)
        failures += !runs(&rows[i]);
    assert_int_equal(failures, 0);
}

/* ---------------------------------------------------------------------- deep and wide */

/* Objects in objects: `depth` of them, in two rows. */
static void put_nested(bytes *json, size_t depth, int value)
{
    bytes_put(json, "{\"name\":1");
    for (size_t i = 0; i < depth; i++)
        bytes_put(json, ",\"inner\":{\"name\":1");
    bytes_print(json, ",\"v\":%d", value);
    bytes_repeat(json, "}", depth + 1);
}

static size_t count_text(const char *text, const char *word)
{
    size_t count = 0;
    for (text = strstr(text, word); text; text = strstr(text + 1, word))
        count++;
    return count;
}

/* Columns stand at most eight levels deep. */
static void eight_levels(void **state)
{
    (void)state;
    bytes json = {0};
    bytes_put(&json, "[");
    put_nested(&json, 12, 1);
    bytes_put(&json, ",");
    put_nested(&json, 12, 2);
    bytes_put(&json, "]");
    bytes_add(&json, "", 1);
    pith_doc *doc = must_parse_json(json.ptr);
    pith_buffer text = must_write(pith_doc_root(doc), "pith", NULL);
    char *end = strchr(text.data, '\n');
    assert_non_null(end);
    *end = '\0';
    assert_int_equal(count_text(text.data, "inner{"), 7);
    assert_int_equal(count_text(text.data, "inner}"), 1);
    pith_buffer_free(&text);
    pith_doc_free(doc);
    bytes_free(&json);
}

/* The text must come back as the same value. */
static void must_return(const bytes *json)
{
    pith_options options = {0};
    options.depth_max = PITH_DEPTH_MOST;
    pith_doc *doc = must_parse("json", json->ptr, json->len, &options);
    pith_buffer text = must_write(pith_doc_root(doc), "pith", NULL);
    assert_true(text.len <= json->len);
    pith_doc *back = must_parse("pith", text.data, text.len, &options);
    assert_true(pith_value_equal(pith_doc_root(doc), pith_doc_root(back)));
    pith_doc_free(back);
    pith_buffer_free(&text);
    pith_doc_free(doc);
}

/* More columns than a shape has room for, some absent. */
static void ten_thousand_columns(void **state)
{
    (void)state;
    bytes json = {0};
    bytes_put(&json, "[");
    for (size_t row = 0; row < 5; row++) {
        bytes_put(&json, row > 0 ? ",{" : "{");
        bytes_put(&json, "\"first\":{\"x\":1,\"y\":[]}");
        for (size_t i = 0; i < 10000; i++)
            if (i % 7 != row)
                bytes_print(&json, ",\"column%zu\":%zu", i, i * row);
        bytes_put(&json, "}");
    }
    bytes_put(&json, "]");
    must_return(&json);
    bytes_free(&json);
}

static void hundred_thousand_levels(void **state)
{
    (void)state;
    bytes json = {0};
    bytes_repeat(&json, "[{\"a\":1,\"b\":[{\"c\":", 25000);
    bytes_put(&json, "2");
    bytes_repeat(&json, "}]}]", 25000);
    must_return(&json);
    json.len = 0;
    bytes_repeat(&json, "[{\"a\":1},{\"a\":", 50000);
    bytes_put(&json, "2");
    bytes_repeat(&json, "}]", 50000);
    must_return(&json);
    bytes_free(&json);
}

/* Keys that do not fit into what is reserved for one: of a member, of a column, of a
 * row. */
static void long_keys(void **state)
{
    (void)state;
    enum { LENGTH = 3000 };
    char key[LENGTH + 1];
    memset(key, 'k', LENGTH);
    key[LENGTH] = '\0';
    static const char *const pairs[][2] = {
        {"{\"@\":1}", "{@:1}"},
        {"[{\"@\":1},{\"@\":2}]", "[2{@}\n1\n2\n]"},
        {"{\"@\":{\"a\":1},\"b\":{\"a\":2}}", "{2{a}\n@:1\nb:2\n}"},
    };
    for (size_t i = 0; i < ROWS(pairs); i++) {
        bytes texts[2] = {{0}, {0}};
        for (size_t side = 0; side < 2; side++) {
            bytes_put_filled(&texts[side], pairs[i][side], '@', key);
            bytes_add(&texts[side], "", 1);
        }
        const written row = {NULL, texts[0].ptr, texts[1].ptr};
        assert_true(runs(&row));
        bytes_free(&texts[0]);
        bytes_free(&texts[1]);
    }
}

/* Key sequences by the thousand, and objects too many for shapes. */
static void many_sequences(void **state)
{
    (void)state;
    bytes json = {0};
    uint32_t mix = 1;
    bytes_put(&json, "[");
    for (size_t row = 0; row < 20000; row++) {
        bytes_put(&json, row > 0 ? ",{\"id\":1" : "{\"id\":1");
        for (unsigned i = 0; i < 20; i++) {
            mix = mix * 1664525u + 1013904223u;
            if (mix >> 31)
                bytes_print(&json, ",\"c%u\":%zu", i, row);
        }
        bytes_put(&json, "}");
    }
    bytes_put(&json, "]");
    must_return(&json);
    bytes_free(&json);
}

/* Rows that are alike all the way down are measured another way than rows of which one
 * differs: in its own keys, in those of a group, or in those of a table column. Apart from
 * that one, nothing may differ in what is written. */
static void one_row_differs(void **state)
{
    (void)state;
    static const struct {
        const char *in_row, *in_group, *in_table;
        const char *header, *cell, *group, *table;
    } ways[] = {
        {"", "", "",
         "id at{x y=1 to{lo hi=2}} tags[80{k v}] none=[] app=api by=the-orders-service",
         "", "", ""},
        {",\"z\":0", "", "",
         "id at{x y=1 to{lo hi=2}} tags[80{k v}] none=[] app=api by=the-orders-service z",
         "0", "", ""},
        {"", ",\"z\":0", "",
         "id at{x y=1 to{lo hi=2 z}} tags[80{k v}] none=[] app=api by=the-orders-service",
         "", "0", ""},
        {"", "", ",\"z\":0",
         "id at{x y=1 to{lo hi=2}} tags[80{k v z}] none=[] app=api by=the-orders-service",
         "", "", "0"},
    };
    for (size_t w = 0; w < ROWS(ways); w++) {
        bytes json = {0};
        bytes text = {0};
        const char *cell = *ways[w].cell ? "," : "";
        const char *group = *ways[w].group ? "," : "";
        const char *table = *ways[w].table ? "," : "";
        bytes_print(&text, "[40{:%s}", ways[w].header);
        for (int i = 0; i < 40; i++) {
            bool odd = i == 39;
            bytes_print(&json, "%c{\"id\":%d,\"at\":{\"x\":%d,\"y\":1,\"to\":{\"lo\":%d,",
                        i > 0 ? ',' : '[', i, i, i);
            bytes_print(&json, "\"hi\":2%s}},\"tags\":[", odd ? ways[w].in_group : "");
            bytes_print(&json, "{\"k\":\"a\",\"v\":%d},{\"k\":\"b\",\"v\":3%s}],", i,
                        odd ? ways[w].in_table : "");
            bytes_put(&json, "\"none\":[],\"app\":\"api\",\"by\":\"the-orders-service\"");
            bytes_print(&json, "%s}", odd ? ways[w].in_row : "");
            bytes_print(&text, "\n%d,%d,%d%s%s,[a,%d%s;b,3%s%s]%s%s", i, i, i, group,
                        odd ? ways[w].group : "", i, table, table,
                        odd ? ways[w].table : "", cell, odd ? ways[w].cell : "");
        }
        bytes_put(&json, "]");
        bytes_put(&text, "\n]");
        bytes_add(&json, "", 1);
        bytes_add(&text, "", 1);
        const written row = {NULL, json.ptr, text.ptr};
        assert_true(runs(&row));
        bytes_free(&json);
        bytes_free(&text);
    }
}

/* ------------------------------------------------------------------------------ rows */

static void rows_out(void **state)
{
    (void)state;
    static const char *const columns[] = {"id", "a,b", "v"};
    static const char *const layouts[] = {NULL, "rows=inline"};
    static const char *const expected[] = {
        "[?{id,\"a,b\",v}\n1,x,[2{p,q};1,2;3,4]\n2,,\"\"\n]2",
        "[?{id,\"a,b\",v};1,x,[2{p,q};1,2;3,4];2,,\"\"]2",
    };
    pith_doc *nested = must_parse_json("[{\"p\":1,\"q\":2},{\"p\":3,\"q\":4}]");
    for (size_t i = 0; i < ROWS(layouts); i++) {
        pith_options options = with_settings(NULL, layouts[i]);
        pith_buffer out = {0};
        pith_rows *rows =
            rows_open_named("pith", columns, 3, &options, pith_sink_buffer(&out), NULL);
        assert_non_null(rows);
        pith_doc_add_int64(pith_rows_row(rows), 1);
        pith_doc_add_text(pith_rows_row(rows), "x", 1);
        pith_doc_add_value(pith_rows_row(rows), pith_doc_root(nested));
        assert_int_equal(pith_rows_end_row(rows, NULL), PITH_OK);
        pith_doc_add_int64(pith_rows_row(rows), 2);
        pith_doc_skip(pith_rows_row(rows));
        pith_doc_add_text(pith_rows_row(rows), "", 0);
        assert_int_equal(pith_rows_end_row(rows, NULL), PITH_OK);
        assert_int_equal(pith_rows_close(rows, NULL), PITH_OK);
        assert_true(
            same_bytes("rows", out.data, out.len, expected[i], strlen(expected[i])));
        pith_doc *back = must_parse("pith", out.data, out.len, NULL);
        must_hold_json(back, "[{\"id\":1,\"a,b\":\"x\",\"v\":[{\"p\":1,\"q\":2},{\"p\":3,"
                             "\"q\":4}]},{\"id\":2,\"v\":\"\"}]");
        pith_doc_free(back);
        pith_buffer_free(&out);
    }
    pith_doc_free(nested);
}

static pith_status refuse(void *ctx, const char *data, size_t len)
{
    (void)data;
    *(size_t *)ctx += len;
    return PITH_IO;
}

/* The sink fails at the long cell; those after it in the row are not tried. */
static void rows_out_of_a_sink_that_fails(void **state)
{
    (void)state;
    static const char *const columns[] = {"long", "list"};
    size_t offered = 0;
    pith_sink sink = {.write = refuse, .ctx = &offered};
    bytes text = {0};
    bytes_repeat(&text, "x", 200000);
    pith_doc *list = must_parse_json("[1,[2,3]]");
    pith_rows *rows = rows_open_named("pith", columns, 2, NULL, sink, NULL);
    assert_non_null(rows);
    pith_error err = {0};
    pith_doc_add_text(pith_rows_row(rows), text.ptr, text.len);
    pith_doc_add_value(pith_rows_row(rows), pith_doc_root(list));
    assert_int_equal(pith_rows_end_row(rows, &err), PITH_IO);
    assert_string_equal(err.code, "write_failed");
    size_t before = offered;
    assert_int_equal(pith_rows_close(rows, &err), PITH_IO);
    assert_int_equal(offered, before);
    pith_doc_free(list);
    bytes_free(&text);
}

/* Rows of a table with the given keys, as JSON. */
static void two_rows(bytes *json, const char *const keys[], size_t count)
{
    bytes_put(json, "[");
    for (size_t row = 0; row < 2; row++) {
        for (size_t i = 0; i < count; i++) {
            char value[8];
            snprintf(value, sizeof value, ":%d", (int)(row * count + i));
            bytes_put(json, i > 0 ? ",\"" : row > 0 ? ",{\"" : "{\"");
            bytes_put(json, keys[i]);
            bytes_put(json, "\"");
            bytes_put(json, value);
        }
        bytes_put(json, "}");
    }
    bytes_put(json, "]");
}

static void long_headers(void **state)
{
    (void)state;
    static const char *const keys[] = {"a", "b", "c", "d", "e", "f"};
    static const char *const spaced[] = {"a", "b", "c", "d e", "f", "g"};
    static const char *const quoted[] = {"a", "b", "c", "d:e", "f", "g"};
    static const written nested[] = {
        {NULL,
         "[{\"a\":1,\"g\":{\"x\":1,\"y\":2},\"t\":[{\"p\":1,\"q\":2},{\"p\":3,\"q\":4}],"
         "\"c\":\"k\",\"d\":5},{\"a\":2,\"g\":{\"x\":3,\"y\":4},\"t\":[{\"p\":1,\"q\":2}],"
         "\"c\":\"k\",\"d\":6}]",
         "[2{:a g{x y} t[3{p q}] c=k d}\n1,1,2,[1,2;3,4],5\n2,3,4,[1,2],6\n]"},
        {NULL,
         "[{\"a\":1,\"b\":2,\"c\":\"two words\",\"d\":3,\"e\":4,\"f\":5},"
         "{\"a\":2,\"b\":2,\"c\":\"two words\",\"d\":6,\"e\":7,\"f\":8}]",
         "[2{a,b=2,c=two words,d,e,f}\n1,3,4,5\n2,6,7,8\n]"},
        {NULL,
         "[{\"a\":1,\"b\":2,\"c\":\"two, words\",\"d\":3,\"e\":4,\"f\":5},"
         "{\"a\":2,\"b\":2,\"c\":\"two, words\",\"d\":6,\"e\":7,\"f\":8}]",
         "[2{:a b=2 c=\"two, words\" d e f}\n1,3,4,5\n2,6,7,8\n]"},
        {NULL,
         "{\"x\":{\"a\":1,\"b\":2,\"c\":3,\"d\":4,\"e\":5,\"f\":6},"
         "\"y\":{\"a\":7,\"b\":8,\"c\":9,\"d\":0,\"e\":1,\"f\":2}}",
         "{2{:a b c d e f}\nx:1,2,3,4,5,6\ny:7,8,9,0,1,2\n}"},
    };
    static const struct {
        const char *const *keys;
        size_t count;
        const char *text;
    } tables[] = {
        {keys, 5, "[2{a,b,c,d,e}\n0,1,2,3,4\n5,6,7,8,9\n]"},
        {keys, 6, "[2{:a b c d e f}\n0,1,2,3,4,5\n6,7,8,9,10,11\n]"},
        {spaced, 6, "[2{a,b,c,d e,f,g}\n0,1,2,3,4,5\n6,7,8,9,10,11\n]"},
        {quoted, 6, "[2{a,b,c,\"d:e\",f,g}\n0,1,2,3,4,5\n6,7,8,9,10,11\n]"},
    };
    run_all(nested, ROWS(nested));
    for (size_t i = 0; i < ROWS(tables); i++) {
        bytes json = {0};
        two_rows(&json, tables[i].keys, tables[i].count);
        bytes_add(&json, "", 1);
        written row = {NULL, json.ptr, tables[i].text};
        assert_true(runs(&row));
        bytes_free(&json);
    }
}

/* Rows that leave one at a time have the same header. */
static void long_headers_out(void **state)
{
    (void)state;
    static const char *const columns[] = {"a", "b", "c", "d", "e", "f g"};
    static const char *const expected[] = {
        "[?{a,b,c,d,e}\n1,,,,\n]1",
        "[?{a,b,c,d,e,f g}\n1,,,,,\n]1",
        "[?{:a b c d e f}\n1,,,,,\n]1",
    };
    for (size_t i = 0; i < ROWS(expected); i++) {
        const char *names[] = {columns[0], columns[1], columns[2],
                               columns[3], columns[4], i == 2 ? "f" : columns[5]};
        size_t count = i == 0 ? 5 : 6;
        pith_buffer out = {0};
        pith_rows *rows =
            rows_open_named("pith", names, count, NULL, pith_sink_buffer(&out), NULL);
        assert_non_null(rows);
        pith_doc_add_int64(pith_rows_row(rows), 1);
        for (size_t c = 1; c < count; c++)
            pith_doc_skip(pith_rows_row(rows));
        assert_int_equal(pith_rows_end_row(rows, NULL), PITH_OK);
        assert_int_equal(pith_rows_close(rows, NULL), PITH_OK);
        assert_true(
            same_bytes("rows", out.data, out.len, expected[i], strlen(expected[i])));
        pith_buffer_free(&out);
    }
}

static void blank_row_is_refused(void **state)
{
    (void)state;
    static const char *const columns[] = {"only"};
    pith_buffer out = {0};
    pith_error err = {0};
    pith_rows *rows =
        rows_open_named("pith", columns, 1, NULL, pith_sink_buffer(&out), NULL);
    assert_non_null(rows);
    pith_doc_skip(pith_rows_row(rows));
    assert_int_equal(pith_rows_end_row(rows, &err), PITH_UNREPRESENTABLE);
    assert_string_equal(err.code, "blank_row");
    pith_rows_abandon(rows);
    pith_buffer_free(&out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(eight_levels),
        cmocka_unit_test(ten_thousand_columns),
        cmocka_unit_test(hundred_thousand_levels),
        cmocka_unit_test(long_keys),
        cmocka_unit_test(many_sequences),
        cmocka_unit_test(one_row_differs),
        cmocka_unit_test(rows_out),
        cmocka_unit_test(rows_out_of_a_sink_that_fails),
        cmocka_unit_test(long_headers),
        cmocka_unit_test(long_headers_out),
        cmocka_unit_test(blank_row_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
