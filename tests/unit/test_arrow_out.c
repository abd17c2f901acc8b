/*
 * test_arrow_out.c - texts and values as streams of Arrow.
 */
#include "arrays.h"
#include "bytes.h"
#include "testing.h"

/* The types of a schema: id:l,tags:+l<u>,at:+s<x:g>; "!" for one that is not nullable, "?"
 * for one that is extended. */
static void describe(const struct ArrowSchema *schema, bytes *to)
{
    bytes_put(to, schema->format);
    if (schema->metadata)
        bytes_put(to, "?");
    if (!(schema->flags & ARROW_FLAG_NULLABLE))
        bytes_put(to, "!");
    for (int64_t i = 0; i < schema->n_children; i++) {
        bytes_put(to, i ? "," : "<");
        bytes_print(to, "%s:", schema->children[i]->name);
        describe(schema->children[i], to);
    }
    if (schema->n_children)
        bytes_put(to, ">");
}

/* Reads a text; what it becomes is of these types, and written as NDJSON it is that. With
 * `code`, reading or writing fails with it instead. */
static void stream_is(const char *format, const char *text, size_t len,
                      struct ArrowSchema *want, const char *types, const char *expected,
                      const char *code)
{
    pith_arrow_plan plan = {.want = want, .batch_rows = 2};
    struct ArrowArrayStream stream;
    struct ArrowSchema schema;
    pith_buffer out = {0};
    pith_error err = {0};
    bytes found = {0};
    pith_status status = pith_arrow_read(format, text, len, &plan, NULL, &stream, &err);
    drop_schema(want);
    if (status == PITH_OK) {
        assert_int_equal(stream.get_schema(&stream, &schema), 0);
        describe(&schema, &found);
        schema.release(&schema);
        if (types)
            assert_true(same_bytes(text, found.ptr, found.len, types, strlen(types)));
        status = pith_arrow_write(&stream, "ndjson", NULL, pith_sink_buffer(&out), &err);
    }
    assert_null(stream.release);
    if (code) {
        assert_int_not_equal(status, PITH_OK);
        if (!strstr(err.message, code) && strcmp(err.code, code) != 0)
            fail_msg("%s %s, and not %s", err.code, err.message, code);
    } else if (status != PITH_OK) {
        fail_msg("%s: %s: %s", text, err.code, err.message);
    } else {
        assert_true(same_bytes(text, out.data, out.len, expected, strlen(expected)));
    }
    bytes_free(&found);
    pith_buffer_free(&out);
    assert_int_equal(arrays_alive(), 0);
}

#define GUESSED(text, types, expected)                                                   \
    stream_is("json", LIT(text), NULL, types, expected, NULL)

static void types_are_found(void **state)
{
    (void)state;
    GUESSED("[]", "+s!", "");
    GUESSED("[{},{}]", "+s!", "{}\n{}\n");
    GUESSED(
        "[{\"a\":1,\"b\":\"x\"},{\"a\":-2,\"b\":\"\\u00e9\"},{\"a\":null}]",
        "+s!<a:l,b:u>",
        "{\"a\":1,\"b\":\"x\"}\n{\"a\":-2,\"b\":\"\xc3\xa9\"}\n{\"a\":null,\"b\":null}\n");
    GUESSED("[{\"b\":true},{\"a\":null,\"b\":false}]", "+s!<b:b,a:n>",
            "{\"b\":true,\"a\":null}\n{\"b\":false,\"a\":null}\n");
    GUESSED("[{\"a\":1},{\"a\":0.5}]", "+s!<a:g>", "{\"a\":1.0}\n{\"a\":0.5}\n");
    GUESSED("[{\"a\":18446744073709551615},{\"a\":1}]", "+s!<a:L>",
            "{\"a\":18446744073709551615}\n{\"a\":1}\n");
    GUESSED("[{\"a\":18446744073709551615},{\"a\":-1}]", "+s!<a:d:20,0>",
            "{\"a\":18446744073709551615}\n{\"a\":-1}\n");
    GUESSED("[{\"a\":0.12345678901234567891},{\"a\":12}]", "+s!<a:d:22,20>",
            "{\"a\":0.12345678901234567891}\n{\"a\":12.00000000000000000000}\n");
    GUESSED("[{\"a\":9007199254740993},{\"a\":0.5}]", "+s!<a:d:17,1>",
            "{\"a\":9007199254740993.0}\n{\"a\":0.5}\n");
    GUESSED("[{\"a\":1},{\"a\":\"x\"},{\"a\":[{}]}]", "+s!<a:u?>",
            "{\"a\":1}\n{\"a\":\"x\"}\n{\"a\":[{}]}\n");
    GUESSED("[{\"a\":1e400},{\"a\":{}}]", "+s!<a:u?>", "{\"a\":1e400}\n{\"a\":{}}\n");
    GUESSED("[{\"a\":{}},{}]", "+s!<a:u?>", "{\"a\":{}}\n{\"a\":null}\n");
    GUESSED("[{\"a\":[]},{\"a\":[null]}]", "+s!<a:+l<item:n>>",
            "{\"a\":[]}\n{\"a\":[null]}\n");
    GUESSED("[{\"a\":[[1],[2,null]]},{\"a\":null},{\"a\":[null,[]]}]",
            "+s!<a:+l<item:+l<item:l>>>",
            "{\"a\":[[1],[2,null]]}\n{\"a\":null}\n{\"a\":[null,[]]}\n");
    GUESSED(
        "[{\"a\":{\"x\":1}},{\"a\":null},{\"a\":{\"y\":{\"z\":\"q\"}}},{\"a\":{\"x\":3}}]",
        "+s!<a:+s<x:l,y:+s<z:u>>>",
        "{\"a\":{\"x\":1,\"y\":null}}\n{\"a\":null}\n"
        "{\"a\":{\"x\":null,\"y\":{\"z\":\"q\"}}}\n{\"a\":{\"x\":3,\"y\":null}}\n");
    GUESSED("{\"rows\":[{\"a\":1}]}", "+s!<a:l>", "{\"a\":1}\n");
    stream_is("csv", LIT("id,name\n1,a\n2,\"b,c\"\n"), NULL, "+s!<id:l,name:u>",
              "{\"id\":1,\"name\":\"a\"}\n{\"id\":2,\"name\":\"b,c\"}\n", NULL);
    stream_is("toon", LIT("[2]{id,ok}:\n  1,true\n  2,null\n"), NULL, "+s!<id:l,ok:b>",
              "{\"id\":1,\"ok\":true}\n{\"id\":2,\"ok\":null}\n", NULL);
}

static void tables_tell_their_types(void **state)
{
    (void)state;
    stream_is("soch",
              LIT("users[2]{id:uint,x:float?,b:bytes}:1,2,b64:AA==;2,null,b64:\n"), NULL,
              "+s!<id:L!,x:g,b:z!>",
              "{\"id\":1,\"x\":2.0,\"b\":\"b64:AA==\"}\n"
              "{\"id\":2,\"x\":null,\"b\":\"b64:\"}\n",
              NULL);
}

#define C(format) make_schema(format, "c", NULL)
#define TABLE(column) make_schema("+s", "", column, NULL)

static void wanted_types_hold_edges(void **state)
{
    (void)state;
    const struct {
        const char *format, *cells; /* both ways, unless */
        const char *expected;       /* they are written so */
    } rows[] = {
        {"c", "[-128,127]", NULL},
        {"C", "[0,255]", NULL},
        {"s", "[-32768,32767]", NULL},
        {"S", "[0,65535]", NULL},
        {"i", "[-2147483648,2147483647]", NULL},
        {"I", "[0,4294967295]", NULL},
        {"l", "[-9223372036854775808,9223372036854775807]", NULL},
        {"L", "[0,18446744073709551615]", NULL},
        {"e", "[0.1,65500.0,-0.0,6e-8,\"NaN\",\"-Inf\"]", NULL},
        {"f", "[0.1,3.4028235e+38,1e-45,\"Inf\"]", NULL},
        {"g", "[0.1,1.7976931348623157e+308,5e-324,\"NaN\"]", NULL},
        {"g", "[1,2]", "[1.0,2.0]"},
        {"d:5,2", "[999.99,-0.01,1.5,7,1e2]", "[999.99,-0.01,1.50,7.00,100.00]"},
        {"d:9,0,32", "[-999999999]", NULL},
        {"d:18,18,64", "[-0.999999999999999999]", NULL},
        {"d:5,-2", "[12300,-100]", NULL},
        {"d:76,0,256",
         "[9999999999999999999999999999999999999999999999999999999999999999999999999999,"
         "-9999999999999999999999999999999999999999999999999999999999999999999999999999]",
         NULL},
        {"u", "[\"\",\"a\\u0000b\",5,true]", "[\"\",\"a\\u0000b\",\"5\",\"true\"]"},
        {"U", "[\"a\",\"\"]", NULL},
        {"vu", "[\"twelve bytes\",\"thirteen byte\",\"\",\"fourteen bytes\"]", NULL},
        {"z", "[\"b64:AAE=\",\"b64:\",\"AAE=\"]", "[\"b64:AAE=\",\"b64:\",\"b64:AAE=\"]"},
        {"vz", "[\"b64:AAE=\",\"b64:AAAAAAAAAAAAAAAAAAAAAAAA\"]", NULL},
        {"w:2", "[\"b64:AAE=\"]", NULL},
        {"tdD", "[\"2024-02-29\",\"-0001-12-31\",\"+5881580-07-11\",\"-5877641-06-23\"]",
         NULL},
        {"tdm", "[\"2024-02-29\",\"1969-12-31T23:59:59.999\"]", NULL},
        {"tss:", "[\"-292277022657-01-27T08:29:52\",\"+292277026596-12-04T15:30:07\"]",
         NULL},
        {"tsn:UTC",
         "[\"1677-09-21T00:12:43.145224192Z\",\"2262-04-11T23:47:16.854775807Z\"]", NULL},
        {"tsm:+05:30", "[\"1970-01-01T05:30:00.5+05:30\"]", NULL},
        {"tsm:UTC", "[\"1970-01-01T05:30:00.5+05:30\",\"1970-01-01 00:00:00.120Z\"]",
         "[\"1970-01-01T00:00:00.5Z\",\"1970-01-01T00:00:00.12Z\"]"},
        {"tts", "[\"00:00:00\",\"24:00:00\"]", NULL},
        {"ttu", "[\"23:59:59.999999\"]", NULL},
        {"tDs", "[\"-PT2562047788015215H30M8S\",\"PT2562047788015215H30M7S\",\"PT0S\"]",
         NULL},
        {"tDn", "[\"-PT2562047H47M16.854775808S\",\"P1DT2H\"]",
         "[\"-PT2562047H47M16.854775808S\",\"PT26H\"]"},
    };
    for (size_t i = 0; i < ROWS(rows); i++) {
        bytes text = {0};
        bytes expected = {0};
        bytes_print(&text, "[{\"c\":{\"list\":%s}}]", rows[i].cells);
        bytes_print(&expected, "{\"c\":{\"list\":%s}}\n",
                    rows[i].expected ? rows[i].expected : rows[i].cells);
        bytes_add(&expected, "", 1);
        struct ArrowSchema *list =
            make_schema("+l", "list", make_schema(rows[i].format, "item", NULL), NULL);
        stream_is("json", text.ptr, text.len, TABLE(make_schema("+s", "c", list, NULL)),
                  NULL, expected.ptr, NULL);
        bytes_free(&text);
        bytes_free(&expected);
    }
}

static void cells_that_do_not_fit_are_told(void **state)
{
    (void)state;
    const struct {
        const char *format, *cell, *code;
    } rows[] = {
        {"c", "128", "the number"},
        {"c", "1.5", "the value does not fit"},
        {"C", "-1", "the number"},
        {"c", "\"1\"", "the value does not fit"},
        {"b", "1", "the value does not fit"},
        {"n", "1", "the value does not fit"},
        {"f", "1e39", "the number"},
        {"g", "1e400", "the number"},
        {"e", "65520", "the number"},
        {"g", "\"x\"", "the value does not fit"},
        {"g", "true", "the value does not fit"},
        {"d:3,1", "100", "the number"},
        {"d:3,1", "0.25", "the number"},
        {"d:3,1", "\"1\"", "the value does not fit"},
        {"u", "[]", "the value does not fit"},
        {"z", "\"b64:A\"", "the value does not fit"},
        {"z", "5", "the value does not fit"},
        {"w:2", "\"b64:AA==\"", "fewer bytes"},
        {"tdD", "\"2023-02-29\"", "the value does not fit"},
        {"tdD", "\"2024-02-29x\"", "the value does not fit"},
        {"tdD", "\"24-02-29\"", "the value does not fit"},
        {"tdD", "20240229", "the value does not fit"},
        {"tts", "\"24:00:01\"", "the value does not fit"},
        {"tts", "\"12:00:00.5\"", "the value does not fit"},
        {"tsn:", "\"2300-01-01T00:00:00\"", "the value does not fit"},
        {"tss:", "\"1970-01-01T00:00:00Z\"", "the value does not fit"},
        {"tss:UTC", "\"1970-01-01T00:00:00\"", "the value does not fit"},
        {"tDs", "\"P\"", "the value does not fit"},
        {"tDs", "\"PT1.5S\"", "the value does not fit"},
        {"tDs", "\"PT1S1H\"", "the value does not fit"},
        {"tDs", "\"P1M\"", "the value does not fit"},
        {"vl", "1", "unknown_type"},
        {"tiM", "\"P1M\"", "unknown_type"},
    };
    for (size_t i = 0; i < ROWS(rows); i++) {
        bytes text = {0};
        bytes_print(&text, "[{\"c\":null},{\"c\":%s}]", rows[i].cell);
        stream_is("json", text.ptr, text.len, TABLE(C(rows[i].format)), NULL, "",
                  rows[i].code);
        bytes_free(&text);
    }
    struct ArrowSchema *strict = C("i");
    strict->flags = 0;
    stream_is("json", LIT("[{\"c\":1},{\"c\":null}]"), TABLE(strict), NULL, "",
              "row 2, column \"c\" of type \"i\": it is null");
    strict = C("i");
    strict->flags = 0;
    stream_is("json", LIT("[{\"c\":1},{}]"), TABLE(strict), NULL, "", "it is missing");
    stream_is("json", LIT("[{\"c\":1},{\"d\":2}]"), TABLE(C("i")), NULL, "",
              "row 2, column \"d\": there is no such column");
    stream_is("json", LIT("[{\"c\":[1,2,3]}]"),
              TABLE(make_schema("+w:2", "c", C("i"), NULL)), NULL, "",
              "more or fewer elements");
    stream_is("json", LIT("[1]"), NULL, NULL, "", "not_a_table");
    stream_is("json", LIT("{\"a\":[{}],\"b\":1}"), NULL, NULL, "", "not_a_table");
    stream_is("json", LIT("[{\"a\":}]"), NULL, NULL, "", "expected_value");
    stream_is("json", LIT("[{}]"), C("i"), NULL, "", "not_a_table");
    stream_is("json", LIT("[{}]"), make_schema("+s", "", C("i"), C("l"), NULL), NULL, "",
              "duplicate_key");
}

static void wanted_containers(void **state)
{
    (void)state;
    struct ArrowSchema *map =
        make_schema("+m", "c",
                    make_schema("+s", "entries", make_schema("u", "key", NULL),
                                make_schema("i", "value", NULL), NULL),
                    NULL);
    stream_is("json",
              LIT("[{\"c\":{\"a\":1,\"b\":null}},{\"c\":null},{\"c\":{}},"
                  "{\"c\":[[\"k\",1],[\"k\",2]]}]"),
              TABLE(map), NULL,
              "{\"c\":{\"a\":1,\"b\":null}}\n{\"c\":null}\n{\"c\":{}}\n"
              "{\"c\":[[\"k\",1],[\"k\",2]]}\n",
              NULL);
    stream_is("json", LIT("[{\"c\":[1,2]},{\"c\":null},{\"c\":[3,null]}]"),
              TABLE(make_schema("+w:2", "c", C("g"), NULL)), NULL,
              "{\"c\":[1.0,2.0]}\n{\"c\":null}\n{\"c\":[3.0,null]}\n", NULL);
    stream_is("json",
              LIT("[{\"c\":\"red\"},{\"c\":\"blue\"},{\"c\":null},{\"c\":\"red\"}]"),
              TABLE(make_dictionary_schema("c", "c", make_schema("u", "", NULL))), NULL,
              "{\"c\":\"red\"}\n{\"c\":\"blue\"}\n{\"c\":null}\n{\"c\":\"red\"}\n", NULL);
    stream_is("json", LIT("[{\"c\":{\"x\":[1.50]}},{\"c\":null}]"),
              TABLE(extend_schema(C("u"), "arrow.json")), NULL,
              "{\"c\":{\"x\":[1.50]}}\n{\"c\":null}\n", NULL);
    stream_is("json", LIT("[{\"c\":\"123E4567-e89b-12d3-a456-426614174000\"}]"),
              TABLE(extend_schema(C("w:16"), "arrow.uuid")), NULL,
              "{\"c\":\"123e4567-e89b-12d3-a456-426614174000\"}\n", NULL);
    /* Columns that the text does not have are null. */
    stream_is("json", LIT("[{\"c\":1},{\"d\":2}]"),
              make_schema("+s", "", make_schema("l", "d", NULL), C("l"), NULL), NULL,
              "{\"d\":null,\"c\":1}\n{\"d\":2,\"c\":null}\n", NULL);
}

/* Only so many rows are looked at; what comes after may not fit. */
static void few_rows_are_looked_at(void **state)
{
    (void)state;
    const char text[] = "[{\"a\":1},{\"a\":2},{\"a\":\"x\"}]";
    pith_arrow_plan plan = {.look = 2, .batch_rows = 1};
    struct ArrowArrayStream stream;
    struct ArrowArray array;
    assert_int_equal(pith_arrow_read("json", LIT(text), &plan, NULL, &stream, NULL),
                     PITH_OK);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(stream.get_next(&stream, &array), 0);
        assert_int_equal(array.length, 1);
        array.release(&array);
        assert_null(array.release);
        assert_null(stream.get_last_error(&stream));
    }
    for (int i = 0; i < 2; i++) { /* it sticks */
        assert_int_not_equal(stream.get_next(&stream, &array), 0);
        assert_string_equal(stream.get_last_error(&stream),
                            "row 3, column \"a\" of type \"l\": the value does not fit "
                            "the type");
    }
    stream.release(&stream);
    assert_null(stream.release);
}

/* Arrays outlive their stream, and children what they were in. */
static void children_can_be_taken_out(void **state)
{
    (void)state;
    pith_doc *doc = must_parse_json("[{\"a\":[7,8],\"b\":\"x\"}]");
    struct ArrowArrayStream stream;
    struct ArrowArray array;
    struct ArrowSchema schema;
    assert_int_equal(pith_value_arrow(pith_doc_root(doc), NULL, NULL, &stream, NULL),
                     PITH_OK);
    pith_doc_free(doc);
    assert_int_equal(stream.get_schema(&stream, &schema), 0);
    assert_int_equal(stream.get_next(&stream, &array), 0);
    struct ArrowArray end;
    assert_int_equal(stream.get_next(&stream, &end), 0);
    assert_null(end.release);
    stream.release(&stream);
    struct ArrowArray child = *array.children[0];
    struct ArrowSchema column = *schema.children[0];
    array.children[0]->release = NULL;
    schema.children[0]->release = NULL;
    array.release(&array);
    schema.release(&schema);
    assert_string_equal(column.format, "+l");
    assert_int_equal(((const int64_t *)child.children[0]->buffers[1])[1], 8);
    child.release(&child);
    column.release(&column);
    pith_error err = {0};
    pith_value nothing = {0};
    pith_arrow_plan small = {.size = 1};
    assert_int_equal(pith_arrow_read("json", LIT("[]"), &small, NULL, &stream, &err),
                     PITH_BAD_USE);
    assert_string_equal(err.code, "bad_size");
    assert_int_equal(pith_value_arrow(nothing, NULL, NULL, &stream, &err), PITH_BAD_USE);
    assert_string_equal(err.code, "no_value");
}

static void depth_ends_in_json(void **state)
{
    (void)state;
    bytes text = {0};
    bytes_put(&text, "[{\"a\":");
    for (int i = 0; i < 200; i++)
        bytes_put(&text, "[");
    for (int i = 0; i < 200; i++)
        bytes_put(&text, "]");
    bytes_put(&text, "}]");
    bytes line = {0};
    bytes_add(&line, text.ptr + 1, text.len - 2);
    bytes_add(&line, "\n", 2);
    stream_is("json", text.ptr, text.len, NULL, NULL, line.ptr, NULL);
    bytes_free(&text);
    bytes_free(&line);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(types_are_found),
        cmocka_unit_test(tables_tell_their_types),
        cmocka_unit_test(wanted_types_hold_edges),
        cmocka_unit_test(cells_that_do_not_fit_are_told),
        cmocka_unit_test(wanted_containers),
        cmocka_unit_test(few_rows_are_looked_at),
        cmocka_unit_test(children_can_be_taken_out),
        cmocka_unit_test(depth_ends_in_json),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
