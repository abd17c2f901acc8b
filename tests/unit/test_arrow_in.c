/*
 * test_arrow_in.c - arrays of Arrow, made by hand, as rows.
 */
#include "arrays.h"
#include "testing.h"

/* Writes one column, "c", and takes both. `expected` is NDJSON, or of a failure its code;
 * it may end in "*", for whatever follows in the message. */
static void column_is(struct ArrowSchema *schema, struct ArrowArray *array,
                      const char *expected)
{
    int64_t length = array->length;
    pith_buffer out = {0};
    pith_error err = {0};
    struct ArrowSchema *table = make_schema("+s", "", schema, NULL);
    struct ArrowArray *batch = add_child(make_array(length, 0, 0, BUFFERS(NULL)), array);
    struct ArrowArrayStream stream = make_stream(table, &batch, 1, 0);
    pith_status status =
        pith_arrow_write(&stream, "ndjson", NULL, pith_sink_buffer(&out), &err);
    assert_null(stream.release);
    if (status == PITH_OK)
        assert_true(same_bytes("column", out.data, out.len, expected, strlen(expected)));
    else if (strcmp(err.code, expected) != 0)
        fail_msg("%s: %s, and not %s", err.code, err.message, expected);
    pith_buffer_free(&out);
    assert_int_equal(arrays_alive(), 0);
}

#define COLUMN(format) make_schema(format, "c", NULL)

static const uint8_t none_of_three = 7;
static const uint8_t second_null = 5;

static void integers_of_all_widths(void **state)
{
    (void)state;
    const int8_t c[] = {-128, 0, 127};
    const uint8_t uc[] = {0, 1, 255};
    const int16_t s[] = {INT16_MIN, 0, INT16_MAX};
    const uint16_t us[] = {0, 1, UINT16_MAX};
    const int32_t i[] = {INT32_MIN, 0, INT32_MAX};
    const uint32_t ui[] = {0, 1, UINT32_MAX};
    const int64_t l[] = {INT64_MIN, 0, INT64_MAX};
    const uint64_t ul[] = {0, 1, UINT64_MAX};
    const struct {
        const char *format;
        const void *data;
        const char *expected;
    } rows[] = {
        {"c", c, "{\"c\":-128}\n{\"c\":null}\n{\"c\":127}\n"},
        {"C", uc, "{\"c\":0}\n{\"c\":null}\n{\"c\":255}\n"},
        {"s", s, "{\"c\":-32768}\n{\"c\":null}\n{\"c\":32767}\n"},
        {"S", us, "{\"c\":0}\n{\"c\":null}\n{\"c\":65535}\n"},
        {"i", i, "{\"c\":-2147483648}\n{\"c\":null}\n{\"c\":2147483647}\n"},
        {"I", ui, "{\"c\":0}\n{\"c\":null}\n{\"c\":4294967295}\n"},
        {"l", l,
         "{\"c\":-9223372036854775808}\n{\"c\":null}\n{\"c\":9223372036854775807}\n"},
        {"L", ul, "{\"c\":0}\n{\"c\":null}\n{\"c\":18446744073709551615}\n"},
    };
    for (size_t r = 0; r < ROWS(rows); r++) {
        column_is(COLUMN(rows[r].format),
                  make_array(3, 1, 0, BUFFERS(&second_null, rows[r].data)),
                  rows[r].expected);
        column_is(COLUMN(rows[r].format),
                  make_array(3, -1, 0, BUFFERS(&second_null, rows[r].data)),
                  rows[r].expected);
    }
}

/* With null_count 0 nobody looks at the bits, and with -1 they may be missing. */
static void nulls_are_counted_or_not(void **state)
{
    (void)state;
    const int32_t i[] = {1, 2, 3};
    const char *all = "{\"c\":1}\n{\"c\":2}\n{\"c\":3}\n";
    column_is(COLUMN("i"), make_array(3, 0, 0, BUFFERS(&second_null, i)), all);
    column_is(COLUMN("i"), make_array(3, -1, 0, BUFFERS(NULL, i)), all);
    column_is(COLUMN("i"), make_array(3, -1, 0, BUFFERS(&none_of_three, i)), all);
    column_is(COLUMN("i"), make_array(3, 1, 0, BUFFERS(NULL, i)), "bad_array");
    column_is(COLUMN("i"), make_array(3, 4, 0, BUFFERS(&second_null, i)), "bad_array");
    column_is(COLUMN("i"), make_array(3, -2, 0, BUFFERS(&second_null, i)), "bad_array");
    column_is(COLUMN("n"), make_array(2, 2, 0, 0, (const void *const[]){NULL}),
              "{\"c\":null}\n{\"c\":null}\n");
}

static void arrays_may_be_sliced(void **state)
{
    (void)state;
    const int16_t s[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};
    const uint8_t valid[] = {0xff, 5};
    const uint8_t bits[] = {0xaa, 0xaa};
    const int32_t offsets[] = {0, 1, 3, 6};
    column_is(COLUMN("s"), make_array(3, -1, 8, BUFFERS(valid, s)),
              "{\"c\":9}\n{\"c\":null}\n{\"c\":11}\n");
    column_is(COLUMN("b"), make_array(3, 0, 7, BUFFERS(NULL, bits)),
              "{\"c\":true}\n{\"c\":false}\n{\"c\":true}\n");
    column_is(COLUMN("u"), make_array(2, 0, 1, BUFFERS(NULL, offsets, "abbccc")),
              "{\"c\":\"bb\"}\n{\"c\":\"ccc\"}\n");
    /* The batch itself, too. */
    struct ArrowSchema *schema = make_schema("+s", "", COLUMN("s"), NULL);
    struct ArrowArray *batch = add_child(make_array(2, 0, 3, BUFFERS(NULL)),
                                         make_array(6, 0, 1, BUFFERS(NULL, s)));
    pith_buffer out = {0};
    pith_rows *rows =
        pith_rows_open_arrow("csv", schema, NULL, pith_sink_buffer(&out), NULL);
    drop_schema(schema);
    assert_int_equal(pith_rows_add_arrow(rows, batch, NULL), PITH_OK);
    assert_int_equal(pith_rows_add_arrow(rows, batch, NULL), PITH_OK);
    assert_non_null(batch->release);
    assert_int_equal(pith_rows_close(rows, NULL), PITH_OK);
    assert_string_equal(out.data, "c\n5\n6\n5\n6\n");
    pith_buffer_free(&out);
    drop_array(batch);
    assert_int_equal(arrays_alive(), 0);
}

static void floats_have_the_digits_of_their_width(void **state)
{
    (void)state;
    const double g[] = {0.1, -0.0, 1e300};
    const float f[] = {0.1f, 16777216.0f, 1e-45f};
    const uint16_t e[] = {0x2e66, 0x7bff, 0x0001, 0x8000, 0x3c00, 0x0400, 0x3555};
    const uint64_t odd[] = {UINT64_C(0x7ff8000000000000), UINT64_C(0x7ff0000000000000),
                            UINT64_C(0xfff0000000000000)};
    const uint16_t odd_half[] = {0x7e00, 0x7c00, 0xfc00};
    const uint32_t odd_float[] = {0x7fc00000, 0x7f800000, 0xff800000};
    const char *words = "{\"c\":\"NaN\"}\n{\"c\":\"Inf\"}\n{\"c\":\"-Inf\"}\n";
    column_is(COLUMN("g"), make_array(3, 0, 0, BUFFERS(NULL, g)),
              "{\"c\":0.1}\n{\"c\":-0.0}\n{\"c\":1e+300}\n");
    column_is(COLUMN("f"), make_array(3, 0, 0, BUFFERS(NULL, f)),
              "{\"c\":0.1}\n{\"c\":16777216.0}\n{\"c\":1e-45}\n");
    column_is(COLUMN("e"), make_array(7, 0, 0, BUFFERS(NULL, e)),
              "{\"c\":0.1}\n{\"c\":65500.0}\n{\"c\":6e-8}\n{\"c\":-0.0}\n{\"c\":1.0}\n"
              "{\"c\":0.00006104}\n{\"c\":0.3333}\n");
    column_is(COLUMN("g"), make_array(3, 0, 0, BUFFERS(NULL, odd)), words);
    column_is(COLUMN("f"), make_array(3, 0, 0, BUFFERS(NULL, odd_float)), words);
    column_is(COLUMN("e"), make_array(3, 0, 0, BUFFERS(NULL, odd_half)), words);
}

static void decimals_have_all_digits(void **state)
{
    (void)state;
    const uint64_t d[][2] = {{150, 0}, {UINT64_MAX, UINT64_MAX}, {0, UINT64_C(1) << 63}};
    const uint64_t d256[][4] = {{0, 0, 0, UINT64_C(1) << 63},
                                {UINT64_MAX, UINT64_MAX, UINT64_MAX, INT64_MAX}};
    const int32_t d32[] = {-7, 123456789, 0};
    column_is(COLUMN("d:38,2"), make_array(3, 0, 0, BUFFERS(NULL, d)),
              "{\"c\":1.50}\n{\"c\":-0.01}\n"
              "{\"c\":-1701411834604692317316873037158841057.28}\n");
    column_is(COLUMN("d:38,0"), make_array(2, 0, 0, BUFFERS(NULL, d)),
              "{\"c\":150}\n{\"c\":-1}\n");
    column_is(COLUMN("d:38,-3"), make_array(2, 0, 0, BUFFERS(NULL, d)),
              "{\"c\":150000}\n{\"c\":-1000}\n");
    column_is(
        COLUMN("d:76,1,256"), make_array(2, 0, 0, BUFFERS(NULL, d256)),
        "{\"c\":-5789604461865809771178549250434395392663499233282028201972879200395"
        "656481996.8}\n"
        "{\"c\":57896044618658097711785492504343953926634992332820282019728792003956"
        "56481996.7}\n");
    column_is(COLUMN("d:9,4,32"), make_array(3, 0, 0, BUFFERS(NULL, d32)),
              "{\"c\":-0.0007}\n{\"c\":12345.6789}\n{\"c\":0.0000}\n");
}

static void texts_and_bytes_in_all_forms(void **state)
{
    (void)state;
    const int32_t offsets[] = {0, 2, 2, 5};
    const int64_t large[] = {0, 2, 2, 5};
    const char *data = "hixyz";
    const char *texts = "{\"c\":\"hi\"}\n{\"c\":null}\n{\"c\":\"xyz\"}\n";
    const char *bytes = "{\"c\":\"b64:aGk=\"}\n{\"c\":null}\n{\"c\":\"b64:eHl6\"}\n";
    column_is(COLUMN("u"), make_array(3, 1, 0, BUFFERS(&second_null, offsets, data)),
              texts);
    column_is(COLUMN("U"), make_array(3, 1, 0, BUFFERS(&second_null, large, data)),
              texts);
    column_is(COLUMN("z"), make_array(3, 1, 0, BUFFERS(&second_null, offsets, data)),
              bytes);
    column_is(COLUMN("Z"), make_array(3, 1, 0, BUFFERS(&second_null, large, data)),
              bytes);
    column_is(COLUMN("w:2"), make_array(2, 0, 0, BUFFERS(NULL, data)),
              "{\"c\":\"b64:aGk=\"}\n{\"c\":\"b64:eHk=\"}\n");
    column_is(COLUMN("w:0"), make_array(1, 0, 0, BUFFERS(NULL, NULL)),
              "{\"c\":\"b64:\"}\n");
    /* Nothing but empty texts has no bytes. */
    const int32_t zeros[] = {0, 0, 0};
    column_is(COLUMN("u"), make_array(2, 0, 0, BUFFERS(NULL, zeros, NULL)),
              "{\"c\":\"\"}\n{\"c\":\"\"}\n");
    column_is(COLUMN("u"), make_array(0, 0, 0, BUFFERS(NULL, NULL, NULL)), "");
    column_is(COLUMN("u"), make_array(1, 0, 0, BUFFERS(NULL, NULL, NULL)), "bad_array");
    column_is(COLUMN("u"), make_array(3, 0, 0, BUFFERS(NULL, offsets, NULL)),
              "bad_array");
    const int32_t back[] = {0, 4, 2};
    column_is(COLUMN("u"), make_array(2, 0, 0, BUFFERS(NULL, back, data)), "bad_array");
    const int32_t broken[] = {0, 1, 2};
    column_is(COLUMN("u"), make_array(2, 0, 0, BUFFERS(NULL, broken, "\xc3\xa9")),
              "invalid_utf8");
}

static void put_view(uint8_t *view, const char *text, int32_t buffer, int32_t from)
{
    int32_t len = (int32_t)strlen(text);
    memset(view, 0, 16);
    memcpy(view, &len, 4);
    memcpy(view + 4, text, len > 12 ? 4 : (size_t)len);
    if (len > 12) {
        memcpy(view + 8, &buffer, 4);
        memcpy(view + 12, &from, 4);
    }
}

static void views_are_followed(void **state)
{
    (void)state;
    uint8_t views[3][16];
    const char *data = "..a text of many bytes";
    const int64_t sizes[] = {22};
    put_view(views[0], "twelve bytes", 0, 0);
    put_view(views[1], "garbage under a null", 77, 1);
    put_view(views[2], "a text of many bytes", 0, 2);
    column_is(
        COLUMN("vu"), make_array(3, 1, 0, BUFFERS(&second_null, views, data, sizes)),
        "{\"c\":\"twelve bytes\"}\n{\"c\":null}\n{\"c\":\"a text of many bytes\"}\n");
    column_is(COLUMN("vz"), make_array(1, 0, 2, BUFFERS(NULL, views, data, sizes)),
              "{\"c\":\"b64:YSB0ZXh0IG9mIG1hbnkgYnl0ZXM=\"}\n");
    column_is(COLUMN("vu"), make_array(1, 0, 0, BUFFERS(NULL, views, NULL)),
              "{\"c\":\"twelve bytes\"}\n");
    column_is(COLUMN("vu"), make_array(3, 0, 0, BUFFERS(NULL, views, data, sizes)),
              "bad_array");
    const int64_t short_sizes[] = {21};
    column_is(COLUMN("vu"), make_array(1, 0, 2, BUFFERS(NULL, views, data, short_sizes)),
              "bad_array");
}

static void dates_and_times_are_texts(void **state)
{
    (void)state;
    const int32_t days[] = {0, 19782, -719529, INT32_MAX, INT32_MIN};
    const int64_t millis[] = {86400000, -1, 0};
    const int64_t stamps[] = {0, 1500, -1, INT64_MAX, INT64_MIN};
    const int32_t seconds[] = {0, 86399, 86400};
    const int32_t late[] = {86401};
    const int64_t nanos[] = {1, INT64_C(43200123456000)};
    column_is(COLUMN("tdD"), make_array(5, 0, 0, BUFFERS(NULL, days)),
              "{\"c\":\"1970-01-01\"}\n{\"c\":\"2024-02-29\"}\n{\"c\":\"-0001-12-31\"}\n"
              "{\"c\":\"+5881580-07-11\"}\n{\"c\":\"-5877641-06-23\"}\n");
    column_is(COLUMN("tdm"), make_array(3, 0, 0, BUFFERS(NULL, millis)),
              "{\"c\":\"1970-01-02\"}\n{\"c\":\"1969-12-31T23:59:59.999\"}\n"
              "{\"c\":\"1970-01-01\"}\n");
    column_is(COLUMN("tsm:"), make_array(3, 0, 0, BUFFERS(NULL, stamps)),
              "{\"c\":\"1970-01-01T00:00:00\"}\n{\"c\":\"1970-01-01T00:00:01.5\"}\n"
              "{\"c\":\"1969-12-31T23:59:59.999\"}\n");
    column_is(COLUMN("tss:UTC"), make_array(5, 0, 0, BUFFERS(NULL, stamps)),
              "{\"c\":\"1970-01-01T00:00:00Z\"}\n{\"c\":\"1970-01-01T00:25:00Z\"}\n"
              "{\"c\":\"1969-12-31T23:59:59Z\"}\n"
              "{\"c\":\"+292277026596-12-04T15:30:07Z\"}\n"
              "{\"c\":\"-292277022657-01-27T08:29:52Z\"}\n");
    column_is(COLUMN("tsn:Europe/Paris"), make_array(2, 0, 3, BUFFERS(NULL, stamps)),
              "{\"c\":\"2262-04-11T23:47:16.854775807Z\"}\n"
              "{\"c\":\"1677-09-21T00:12:43.145224192Z\"}\n");
    column_is(COLUMN("tss:+05:30"), make_array(1, 0, 0, BUFFERS(NULL, stamps)),
              "{\"c\":\"1970-01-01T05:30:00+05:30\"}\n");
    column_is(COLUMN("tsu:-0900"), make_array(1, 0, 0, BUFFERS(NULL, stamps)),
              "{\"c\":\"1969-12-31T15:00:00-09:00\"}\n");
    column_is(COLUMN("tts"), make_array(3, 0, 0, BUFFERS(NULL, seconds)),
              "{\"c\":\"00:00:00\"}\n{\"c\":\"23:59:59\"}\n{\"c\":\"24:00:00\"}\n");
    column_is(COLUMN("tts"), make_array(1, 0, 0, BUFFERS(NULL, late)), "out_of_range");
    column_is(COLUMN("ttn"), make_array(2, 0, 0, BUFFERS(NULL, nanos)),
              "{\"c\":\"00:00:00.000000001\"}\n{\"c\":\"12:00:00.123456\"}\n");
}

static void durations_and_intervals_are_texts(void **state)
{
    (void)state;
    const int64_t l[] = {0, 93784, -61, INT64_MIN};
    const int32_t months[] = {14, -1, 0};
    const struct {
        int32_t days, millis;
    } days[] = {{3, 1500}, {-1, -20}};
    const struct {
        int32_t months, days;
        int64_t nanos;
    } all[] = {{1, -2, 3}, {0, 0, INT64_MIN}, {0, 5, 0}};
    column_is(COLUMN("tDs"), make_array(4, 0, 0, BUFFERS(NULL, l)),
              "{\"c\":\"PT0S\"}\n{\"c\":\"PT26H3M4S\"}\n{\"c\":\"-PT1M1S\"}\n"
              "{\"c\":\"-PT2562047788015215H30M8S\"}\n");
    column_is(COLUMN("tDn"), make_array(1, 0, 1, BUFFERS(NULL, l)),
              "{\"c\":\"PT0.000093784S\"}\n");
    column_is(COLUMN("tiM"), make_array(3, 0, 0, BUFFERS(NULL, months)),
              "{\"c\":\"P14M\"}\n{\"c\":\"P-1M\"}\n{\"c\":\"PT0S\"}\n");
    column_is(COLUMN("tiD"), make_array(2, 0, 0, BUFFERS(NULL, days)),
              "{\"c\":\"P3DT1.5S\"}\n{\"c\":\"P-1DT-0.02S\"}\n");
    column_is(COLUMN("tin"), make_array(3, 0, 0, BUFFERS(NULL, all)),
              "{\"c\":\"P1M-2DT0.000000003S\"}\n{\"c\":\"PT-9223372036.854775808S\"}\n"
              "{\"c\":\"P5D\"}\n");
}

/* ---------------------------------------------------------------------- nested */

static struct ArrowArray *ints(int64_t length, int64_t offset)
{
    static const int32_t numbers[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9};
    return make_array(length, 0, offset, BUFFERS(NULL, numbers));
}

static void lists_in_all_forms(void **state)
{
    (void)state;
    const int32_t offsets[] = {0, 2, 2, 5};
    const int64_t large[] = {0, 2, 2, 5};
    const int32_t starts[] = {3, 0, 0};
    const int32_t sizes[] = {2, 1, 5};
    const char *lists = "{\"c\":[1,2]}\n{\"c\":null}\n{\"c\":[3,4,5]}\n";
    column_is(make_schema("+l", "c", COLUMN("i"), NULL),
              add_child(make_array(3, 1, 0, BUFFERS(&second_null, offsets)), ints(5, 1)),
              lists);
    column_is(make_schema("+L", "c", COLUMN("i"), NULL),
              add_child(make_array(3, 1, 0, BUFFERS(&second_null, large)), ints(5, 1)),
              lists);
    column_is(make_schema("+vl", "c", COLUMN("i"), NULL),
              add_child(make_array(3, 0, 0, BUFFERS(NULL, starts, sizes)), ints(5, 0)),
              "{\"c\":[3,4]}\n{\"c\":[0]}\n{\"c\":[0,1,2,3,4]}\n");
    column_is(make_schema("+w:3", "c", COLUMN("i"), NULL),
              add_child(make_array(2, 0, 1, BUFFERS(NULL)), ints(9, 0)),
              "{\"c\":[3,4,5]}\n{\"c\":[6,7,8]}\n");
    column_is(make_schema("+w:0", "c", COLUMN("i"), NULL),
              add_child(make_array(2, 0, 0, BUFFERS(NULL)), ints(0, 0)),
              "{\"c\":[]}\n{\"c\":[]}\n");
    /* More elements than there are. */
    column_is(make_schema("+l", "c", COLUMN("i"), NULL),
              add_child(make_array(3, 0, 0, BUFFERS(NULL, offsets)), ints(4, 0)),
              "bad_array");
    column_is(make_schema("+vl", "c", COLUMN("i"), NULL),
              add_child(make_array(3, 0, 0, BUFFERS(NULL, starts, sizes)), ints(4, 0)),
              "bad_array");
    column_is(make_schema("+w:3", "c", COLUMN("i"), NULL),
              add_child(make_array(2, 0, 1, BUFFERS(NULL)), ints(8, 0)), "bad_array");
    column_is(make_schema("+vl", "c", COLUMN("i"), NULL),
              add_child(make_array(3, 0, 0, BUFFERS(NULL, starts, NULL)), ints(5, 0)),
              "bad_array");
}

static void lists_of_structs_of_lists(void **state)
{
    (void)state;
    const int32_t outer[] = {0, 2, 3};
    const int32_t inner[] = {0, 1, 1, 3};
    struct ArrowSchema *schema = make_schema(
        "+l", "c",
        make_schema("+s", "item", make_schema("i", "n", NULL),
                    make_schema("+l", "l", make_schema("i", "item", NULL), NULL), NULL),
        NULL);
    struct ArrowArray *structs = make_array(3, 1, 0, BUFFERS(&second_null));
    add_child(structs, ints(3, 1));
    add_child(structs, add_child(make_array(3, 0, 0, BUFFERS(NULL, inner)), ints(3, 0)));
    column_is(schema, add_child(make_array(2, 0, 0, BUFFERS(NULL, outer)), structs),
              "{\"c\":[{\"n\":1,\"l\":[0]},null]}\n{\"c\":[{\"n\":3,\"l\":[1,2]}]}\n");
    /* A struct without members. */
    column_is(COLUMN("+s"), make_array(2, 1, 0, BUFFERS(&second_null)),
              "{\"c\":{}}\n{\"c\":null}\n");
}

/* TOON passes rows of scalars on; others are collected. */
static void lists_go_to_all_formats(void **state)
{
    (void)state;
    const int32_t offsets[] = {0, 2, 3};
    static const char *const formats[] = {"json", "ndjson", "toon",
                                          "gcf",  "pith",   "soch"};
    for (size_t i = 0; i < ROWS(formats); i++) {
        struct ArrowArray *batch = make_array(2, 0, 0, BUFFERS(NULL));
        add_child(batch,
                  add_child(make_array(2, 0, 0, BUFFERS(NULL, offsets)), ints(3, 0)));
        struct ArrowArrayStream stream = make_stream(
            make_schema("+s", "", make_schema("+l", "c", COLUMN("i"), NULL), NULL),
            &batch, 1, 0);
        pith_buffer out = {0};
        pith_error err = {0};
        if (pith_arrow_write(&stream, formats[i], NULL, pith_sink_buffer(&out), &err))
            fail_msg("%s: %s", formats[i], err.message);
        pith_buffer json = {0};
        assert_int_equal(pith_convert(formats[i], "json", out.data, out.len, NULL,
                                      pith_sink_buffer(&json), NULL),
                         PITH_OK);
        assert_non_null(strstr(json.data, "[{\"c\":[0,1]},{\"c\":[2]}]"));
        pith_buffer_free(&json);
        pith_buffer_free(&out);
    }
    assert_int_equal(arrays_alive(), 0);
}

static void maps_are_objects_or_pairs(void **state)
{
    (void)state;
    const int32_t offsets[] = {0, 2, 4, 4};
    const int32_t keys[] = {0, 1, 2, 3, 4};
    for (int numbers = 0; numbers < 2; numbers++) {
        struct ArrowArray *entries = make_array(4, 0, 0, BUFFERS(NULL));
        add_child(entries, numbers ? ints(4, 0)
                                   : make_array(4, 0, 0, BUFFERS(NULL, keys, "abcc")));
        add_child(entries, ints(4, 1));
        column_is(make_schema("+m", "c",
                              make_schema("+s", "entries",
                                          make_schema(numbers ? "i" : "u", "key", NULL),
                                          make_schema("i", "value", NULL), NULL),
                              NULL),
                  add_child(make_array(3, 0, 0, BUFFERS(NULL, offsets)), entries),
                  numbers ? "{\"c\":[[0,1],[1,2]]}\n{\"c\":[[2,3],[3,4]]}\n{\"c\":[]}\n"
                          : "{\"c\":{\"a\":1,\"b\":2}}\n{\"c\":[[\"c\",3],[\"c\",4]]}\n"
                            "{\"c\":{}}\n");
    }
    column_is(make_schema("+m", "c", COLUMN("i"), NULL),
              add_child(make_array(0, 0, 0, BUFFERS(NULL, offsets)), ints(0, 0)),
              "bad_schema");
}

static void dictionaries_are_looked_up(void **state)
{
    (void)state;
    const int8_t indexes[] = {1, 0, 1};
    const uint32_t wide[] = {1, 0, 2};
    const int32_t offsets[] = {0, 2, 5};
    const char *words = "{\"c\":\"xyz\"}\n{\"c\":null}\n{\"c\":\"xyz\"}\n";
    column_is(make_dictionary_schema("c", "c", make_schema("u", "", NULL)),
              add_dictionary(make_array(3, 1, 0, BUFFERS(&second_null, indexes)),
                             make_array(2, 0, 0, BUFFERS(NULL, offsets, "hixyz"))),
              words);
    column_is(make_dictionary_schema("I", "c", make_schema("u", "", NULL)),
              add_dictionary(make_array(3, 0, 0, BUFFERS(NULL, wide)),
                             make_array(2, 0, 0, BUFFERS(NULL, offsets, "hixyz"))),
              "bad_array");
    /* A dictionary with more values than there are rows, sliced. */
    column_is(make_dictionary_schema("c", "c", make_schema("tdD", "", NULL)),
              add_dictionary(make_array(1, 0, 0, BUFFERS(NULL, indexes)), ints(5, 2)),
              "{\"c\":\"1970-01-04\"}\n");
    /* Of lists. */
    column_is(make_dictionary_schema(
                  "c", "c", make_schema("+l", "", make_schema("i", "", NULL), NULL)),
              add_dictionary(
                  make_array(3, 1, 0, BUFFERS(&second_null, indexes)),
                  add_child(make_array(2, 0, 0, BUFFERS(NULL, offsets)), ints(5, 0))),
              "{\"c\":[2,3,4]}\n{\"c\":null}\n{\"c\":[2,3,4]}\n");
    column_is(make_dictionary_schema("g", "c", make_schema("u", "", NULL)),
              make_array(0, 0, 0, BUFFERS(NULL, indexes)), "bad_schema");
}

static void runs_are_followed(void **state)
{
    (void)state;
    const int16_t ends[] = {2, 3, 6};
    struct ArrowArray *runs = make_array(4, 0, 1, 0, (const void *const[]){NULL});
    add_child(runs, make_array(3, 0, 0, BUFFERS(NULL, ends)));
    add_child(runs, ints(3, 5));
    column_is(make_schema("+r", "c", make_schema("s", "run_ends", NULL),
                          make_schema("i", "values", NULL), NULL),
              runs, "{\"c\":5}\n{\"c\":6}\n{\"c\":7}\n{\"c\":7}\n");
    runs = make_array(7, 0, 0, 0, (const void *const[]){NULL});
    add_child(runs, make_array(3, 0, 0, BUFFERS(NULL, ends)));
    add_child(runs, ints(3, 5));
    column_is(make_schema("+r", "c", make_schema("s", "run_ends", NULL),
                          make_schema("i", "values", NULL), NULL),
              runs, "bad_array");
    column_is(make_schema("+r", "c", make_schema("u", "run_ends", NULL),
                          make_schema("i", "values", NULL), NULL),
              make_array(0, 0, 0, 0, (const void *const[]){NULL}), "bad_schema");
}

static void unions_have_one_member_each(void **state)
{
    (void)state;
    const int8_t types[] = {5, 0, 5};
    const int32_t places[] = {0, 1, 1};
    const int32_t offsets[] = {0, 2, 5};
    struct ArrowArray *dense = make_array(3, 0, 0, BUFFERS(types, places));
    add_child(dense, ints(2, 3));
    add_child(dense, make_array(2, 0, 0, BUFFERS(NULL, offsets, "hixyz")));
    column_is(make_schema("+ud:0,5", "c", make_schema("i", "a", NULL),
                          make_schema("u", "b", NULL), NULL),
              dense, "{\"c\":\"hi\"}\n{\"c\":4}\n{\"c\":\"xyz\"}\n");
    struct ArrowArray *sparse = make_array(2, 0, 1, BUFFERS(types));
    add_child(sparse, ints(3, 3));
    add_child(sparse, ints(3, 6));
    column_is(make_schema("+us:0,5", "c", make_schema("i", "a", NULL),
                          make_schema("i", "b", NULL), NULL),
              sparse, "{\"c\":4}\n{\"c\":8}\n");
    struct ArrowArray *unknown = make_array(3, 0, 0, BUFFERS(types));
    add_child(unknown, ints(3, 3));
    column_is(make_schema("+us:5", "c", make_schema("i", "a", NULL), NULL), unknown,
              "bad_array");
}

static void extensions_are_known(void **state)
{
    (void)state;
    const char *json = "{\"a\":[1.50,{}],\"b\":{\"c\":null}}7[true,[\"\\u00e9\"]";
    const int32_t offsets[] = {0, 30, 31, 47};
    const uint8_t uuid[16] = {0x12, 0x3e, 0x45, 0x67, 0xe8, 0x9b, 0x12, 0xd3,
                              0xa4, 0x56, 0x42, 0x66, 0x14, 0x17, 0x40, 0x00};
    column_is(extend_schema(COLUMN("u"), "arrow.json"),
              make_array(2, 0, 0, BUFFERS(NULL, offsets, json)),
              "{\"c\":{\"a\":[1.50,{}],\"b\":{\"c\":null}}}\n{\"c\":7}\n");
    column_is(extend_schema(COLUMN("u"), "arrow.json"),
              make_array(3, 0, 0, BUFFERS(NULL, offsets, json)), "unclosed");
    column_is(extend_schema(COLUMN("w:16"), "arrow.uuid"),
              make_array(1, 0, 0, BUFFERS(NULL, uuid)),
              "{\"c\":\"123e4567-e89b-12d3-a456-426614174000\"}\n");
    column_is(extend_schema(COLUMN("w:2"), "arrow.uuid"),
              make_array(1, 0, 0, BUFFERS(NULL, uuid)), "{\"c\":\"b64:Ej4=\"}\n");
}

/* --------------------------------------------------------------------- hostile */

static void formats_are_checked(void **state)
{
    (void)state;
    const struct {
        const char *format, *code;
    } rows[] = {
        {"", "unknown_type"},       {"x", "unknown_type"},
        {"ll", "unknown_type"},     {"w:", "bad_schema"},
        {"w:-1", "bad_schema"},     {"w:99999999999", "bad_schema"},
        {"d:", "bad_schema"},       {"d:10", "bad_schema"},
        {"d:39,2", "bad_schema"},   {"d:0,0", "bad_schema"},
        {"d:5,2,17", "bad_schema"}, {"d:5,2,", "bad_schema"},
        {"d:5,9999", "bad_schema"}, {"+l", "bad_schema"},
        {"+w:", "bad_schema"},      {"+ud:1", "bad_schema"},
        {"+us:x", "bad_schema"},    {"+us:128", "bad_schema"},
        {"tsx:", "unknown_type"},   {"+r", "bad_schema"},
        {"+m", "bad_schema"},
    };
    for (size_t i = 0; i < ROWS(rows); i++) {
        struct ArrowSchema *schema = make_schema("+s", "", COLUMN(rows[i].format), NULL);
        pith_error err = {0};
        pith_buffer out = {0};
        assert_null(
            pith_rows_open_arrow("json", schema, NULL, pith_sink_buffer(&out), &err));
        if (strcmp(err.code, rows[i].code) != 0)
            fail_msg("%s: %s, and not %s", rows[i].format, err.code, rows[i].code);
        drop_schema(schema);
        pith_buffer_free(&out);
    }
    assert_int_equal(arrays_alive(), 0);
}

static void schemas_are_not_too_deep(void **state)
{
    (void)state;
    pith_error err = {0};
    pith_buffer out = {0};
    for (int deep = 60; deep < 70; deep++) {
        struct ArrowSchema *schema = COLUMN("i");
        for (int i = 0; i < deep; i++)
            schema = make_schema("+l", "c", schema, NULL);
        schema = make_schema("+s", "", schema, NULL);
        pith_rows *rows =
            pith_rows_open_arrow("json", schema, NULL, pith_sink_buffer(&out), &err);
        if ((rows != NULL) != (deep < 64))
            fail_msg("%d deep: %s %s", deep, err.code, err.message);
        assert_true(rows || strcmp(err.code, "depth_limit") == 0);
        pith_rows_abandon(rows);
        drop_schema(schema);
    }
    /* A schema that is its own child twice over. */
    struct ArrowSchema *loop = make_schema("+s", "", COLUMN("i"), COLUMN("i"), NULL);
    struct ArrowSchema *children[] = {loop->children[0], loop->children[1]};
    loop->children[0] = loop;
    loop->children[1] = loop;
    assert_null(pith_rows_open_arrow("json", loop, NULL, pith_sink_buffer(&out), &err));
    assert_string_equal(err.code, "depth_limit");
    loop->n_children = -5;
    assert_null(pith_rows_open_arrow("json", loop, NULL, pith_sink_buffer(&out), &err));
    assert_string_equal(err.code, "bad_schema");
    loop->n_children = 2;
    memcpy(loop->children, children, sizeof children);
    drop_schema(loop);
    pith_buffer_free(&out);
    assert_int_equal(arrays_alive(), 0);
}

static void what_was_released_is_refused(void **state)
{
    (void)state;
    pith_error err = {0};
    pith_buffer out = {0};
    pith_sink sink = pith_sink_buffer(&out);
    struct ArrowArrayStream stream = {0};
    assert_int_equal(pith_arrow_write(&stream, "json", NULL, sink, &err), PITH_BAD_USE);
    assert_string_equal(err.code, "released");
    struct ArrowSchema *schema = make_schema("+s", "", COLUMN("i"), NULL);
    struct ArrowArray *batch = add_child(make_array(3, 0, 0, BUFFERS(NULL)), ints(3, 0));
    pith_rows *rows = pith_rows_open_arrow("json", schema, NULL, sink, &err);
    batch->children[0]->release(batch->children[0]);
    assert_int_equal(pith_rows_add_arrow(rows, batch, &err), PITH_BAD_USE);
    assert_string_equal(err.code, "released");
    /* It sticks. */
    assert_int_equal(pith_rows_close(rows, NULL), PITH_BAD_USE);
    schema->children[0]->release(schema->children[0]);
    assert_null(pith_rows_open_arrow("json", schema, NULL, sink, &err));
    assert_string_equal(err.code, "released");
    drop_schema(schema);
    drop_array(batch);
    pith_buffer_free(&out);
    assert_int_equal(arrays_alive(), 0);
}

static void batches_must_fit_their_schema(void **state)
{
    (void)state;
    const int32_t offsets[] = {0, 1, 2, 3};
    column_is(COLUMN("i"), make_array(3, 0, 0, BUFFERS(NULL)), "bad_array");
    column_is(COLUMN("i"), make_array(3, 0, 0, BUFFERS(NULL, NULL)), "bad_array");
    column_is(COLUMN("i"), make_array(3, 0, -1, BUFFERS(NULL, offsets)), "bad_array");
    column_is(COLUMN("i"), make_array(3, 0, INT64_MAX, BUFFERS(NULL, offsets)),
              "bad_array");
    column_is(COLUMN("i"), add_child(ints(3, 0), ints(3, 0)), "bad_array");
    column_is(make_schema("+l", "c", COLUMN("i"), NULL),
              make_array(3, 0, 0, BUFFERS(NULL, offsets)), "bad_array");
    column_is(COLUMN("i"), add_dictionary(ints(3, 0), ints(3, 0)), "bad_array");
    /* A batch that is longer than its columns, and one with a row that is null. */
    pith_error err = {0};
    pith_buffer out = {0};
    struct ArrowSchema *schema = make_schema("+s", "", COLUMN("i"), NULL);
    for (int null = 0; null < 2; null++) {
        struct ArrowArray *batch = null ? make_array(3, 1, 0, BUFFERS(&second_null))
                                        : make_array(4, 0, 0, BUFFERS(NULL));
        add_child(batch, ints(3, 0));
        pith_rows *rows =
            pith_rows_open_arrow("json", schema, NULL, pith_sink_buffer(&out), &err);
        assert_int_equal(pith_rows_add_arrow(rows, batch, &err), PITH_BAD_INPUT);
        assert_string_equal(err.code, null ? "null_not_allowed" : "bad_array");
        pith_rows_abandon(rows);
        drop_array(batch);
    }
    drop_schema(schema);
    pith_buffer_free(&out);
}

static void errors_name_row_and_column(void **state)
{
    (void)state;
    const int32_t seconds[] = {1, 2, 99999};
    struct ArrowArray *batches[2];
    for (int i = 0; i < 2; i++) {
        batches[i] = make_array(i + 2, 0, 0, BUFFERS(NULL));
        add_child(batches[i], ints(3, 0));
        add_child(batches[i], make_array(3, 0, 0, BUFFERS(NULL, seconds)));
    }
    struct ArrowArrayStream stream =
        make_stream(make_schema("+s", "", make_schema("i", "id", NULL),
                                make_schema("tts", "at", NULL), NULL),
                    batches, 2, 0);
    pith_buffer out = {0};
    pith_error err = {0};
    assert_int_equal(
        pith_arrow_write(&stream, "toon", NULL, pith_sink_buffer(&out), &err),
        PITH_BAD_INPUT);
    assert_string_equal(err.message,
                        "row 5, column \"at\": there is no such time of day");
    assert_null(stream.release);
    pith_buffer_free(&out);
    assert_int_equal(arrays_alive(), 0);
}

/* Wherever a text is that is not UTF-8. */
static void errors_name_the_row_of_a_text(void **state)
{
    (void)state;
    const int32_t rows_of_one[] = {0, 1, 2, 3};
    for (int where = 0; where < 3; where++) { /* alone, beside a list, in one */
        struct ArrowArray *batch = make_array(3, 0, 0, BUFFERS(NULL));
        struct ArrowArray *texts = make_array(
            3, 0, 0, BUFFERS(NULL, rows_of_one, where == 2 ? "abc" : "ab\xff"));
        struct ArrowArray *inner = make_array(
            3, 0, 0, BUFFERS(NULL, rows_of_one, where == 2 ? "ab\xff" : "abc"));
        struct ArrowSchema *schema =
            make_schema("+s", "", make_schema("u", "t", NULL), NULL);
        add_child(batch, texts);
        if (where == 0) {
            drop_array(inner);
        } else {
            schema->children[schema->n_children++] =
                make_schema("+l", "l", make_schema("u", "", NULL), NULL);
            add_child(batch,
                      add_child(make_array(3, 0, 0, BUFFERS(NULL, rows_of_one)), inner));
        }
        struct ArrowArrayStream stream = make_stream(schema, &batch, 1, 0);
        pith_buffer out = {0};
        pith_error err = {0};
        pith_arrow_write(&stream, "json", NULL, pith_sink_buffer(&out), &err);
        assert_string_equal(err.code, "invalid_utf8");
        assert_string_equal(err.message,
                            where == 2 ? "row 3, column \"l\": the text is not UTF-8"
                                       : "row 3, column \"t\": the text is not UTF-8");
        pith_buffer_free(&out);
    }
    assert_int_equal(arrays_alive(), 0);
}

static pith_status refuse(void *ctx, const char *data, size_t len)
{
    (void)ctx;
    (void)data;
    (void)len;
    return PITH_IO;
}

static void streams_are_released_whatever_happens(void **state)
{
    (void)state;
    const struct {
        const char *format, *column;
        size_t fail_at;
        bool no_schema, no_sink;
        const char *code;
    } rows[] = {
        {"json", "i", 0, false, false, NULL},
        {"jsn", "i", 0, false, false, "unknown_format"},
        {"json", "?", 0, false, false, "unknown_type"},
        {"json", "i", 1, false, false, "stream_failed"},
        {"json", "i", 2, false, false, "stream_failed"},
        {"json", "i", 0, true, false, "stream_failed"},
        {"json", "i", 0, false, true, "write_failed"},
    };
    for (size_t i = 0; i < ROWS(rows); i++) {
        struct ArrowArray *batch =
            add_child(make_array(3, 0, 0, BUFFERS(NULL)), ints(3, 0));
        struct ArrowSchema *schema = make_schema("+s", "", COLUMN(rows[i].column), NULL);
        struct ArrowArrayStream stream =
            make_stream(rows[i].no_schema ? NULL : schema, &batch, 1, rows[i].fail_at);
        if (rows[i].no_schema)
            drop_schema(schema);
        pith_buffer out = {0};
        pith_error err = {0};
        pith_sink sink = {refuse, NULL};
        pith_arrow_write(&stream, rows[i].format, NULL,
                         rows[i].no_sink ? sink : pith_sink_buffer(&out), &err);
        if (rows[i].code)
            assert_string_equal(err.code, rows[i].code);
        else
            assert_string_equal(out.data, "[{\"c\":0},{\"c\":1},{\"c\":2}]");
        assert_null(stream.release);
        assert_int_equal(arrays_alive(), 0);
        pith_buffer_free(&out);
    }
}

static void tables_without_columns_have_rows(void **state)
{
    (void)state;
    struct ArrowArray *batch = make_array(2, 0, 0, BUFFERS(NULL));
    struct ArrowArrayStream stream =
        make_stream(make_schema("+s", "", NULL), &batch, 1, 0);
    pith_buffer out = {0};
    assert_int_equal(
        pith_arrow_write(&stream, "json", NULL, pith_sink_buffer(&out), NULL), PITH_OK);
    assert_string_equal(out.data, "[{},{}]");
    pith_buffer_free(&out);
    /* And what is no table is refused. */
    batch = ints(2, 0);
    stream = make_stream(COLUMN("i"), &batch, 1, 0);
    pith_error err = {0};
    assert_int_equal(
        pith_arrow_write(&stream, "json", NULL, pith_sink_buffer(&out), &err),
        PITH_UNREPRESENTABLE);
    assert_string_equal(err.code, "not_a_table");
    pith_buffer_free(&out);
    assert_int_equal(arrays_alive(), 0);
}

static pith_status count_rows(void *ctx, const pith_part *part)
{
    *(uint64_t *)ctx += part->rows;
    return PITH_OK;
}

static void parts_take_batches(void **state)
{
    (void)state;
    uint64_t rows = 0;
    pith_error err = {0};
    struct ArrowSchema *schema = make_schema("+s", "", COLUMN("i"), NULL);
    pith_parts *parts =
        pith_parts_open_arrow("toon", schema, 20, NULL, count_rows, &rows, &err);
    assert_non_null(parts);
    for (int i = 0; i < 10; i++) {
        struct ArrowArray *batch =
            add_child(make_array(10, 0, 0, BUFFERS(NULL)), ints(10, 0));
        assert_int_equal(pith_parts_add_arrow(parts, batch, &err), PITH_OK);
        drop_array(batch);
    }
    assert_int_equal(pith_parts_close(parts, &err), PITH_OK);
    assert_int_equal(rows, 100);
    drop_schema(schema);
    /* Without a schema there are no batches. */
    const pith_text columns[] = {PITH_TEXT("c")};
    struct ArrowArray *batch = add_child(make_array(1, 0, 0, BUFFERS(NULL)), ints(1, 0));
    parts = pith_parts_open("toon", columns, 1, 20, NULL, count_rows, &rows, &err);
    assert_int_equal(pith_parts_add_arrow(parts, batch, &err), PITH_BAD_USE);
    assert_string_equal(err.code, "no_schema");
    pith_parts_abandon(parts);
    pith_buffer out = {0};
    pith_rows *table =
        pith_rows_open("toon", columns, 1, NULL, pith_sink_buffer(&out), &err);
    assert_int_equal(pith_rows_add_arrow(table, batch, &err), PITH_BAD_USE);
    assert_string_equal(err.code, "no_schema");
    pith_rows_abandon(table);
    pith_buffer_free(&out);
    drop_array(batch);
    assert_int_equal(arrays_alive(), 0);
}

static void remember(void *ctx, const pith_error *remark)
{
    *(pith_error *)ctx = *remark;
}

static void zones_by_name_are_told(void **state)
{
    (void)state;
    pith_error remark = {0};
    pith_options options = {.notice = remember, .notice_ctx = &remark};
    struct ArrowSchema *schema = make_schema("+s", "", COLUMN("tsn:Europe/Paris"), NULL);
    pith_buffer out = {0};
    pith_rows_abandon(
        pith_rows_open_arrow("json", schema, &options, pith_sink_buffer(&out), NULL));
    assert_string_equal(remark.code, "zone");
    drop_schema(schema);
    pith_buffer_free(&out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(integers_of_all_widths),
        cmocka_unit_test(nulls_are_counted_or_not),
        cmocka_unit_test(arrays_may_be_sliced),
        cmocka_unit_test(floats_have_the_digits_of_their_width),
        cmocka_unit_test(decimals_have_all_digits),
        cmocka_unit_test(texts_and_bytes_in_all_forms),
        cmocka_unit_test(views_are_followed),
        cmocka_unit_test(dates_and_times_are_texts),
        cmocka_unit_test(durations_and_intervals_are_texts),
        cmocka_unit_test(lists_in_all_forms),
        cmocka_unit_test(lists_of_structs_of_lists),
        cmocka_unit_test(lists_go_to_all_formats),
        cmocka_unit_test(maps_are_objects_or_pairs),
        cmocka_unit_test(dictionaries_are_looked_up),
        cmocka_unit_test(runs_are_followed),
        cmocka_unit_test(unions_have_one_member_each),
        cmocka_unit_test(extensions_are_known),
        cmocka_unit_test(formats_are_checked),
        cmocka_unit_test(schemas_are_not_too_deep),
        cmocka_unit_test(what_was_released_is_refused),
        cmocka_unit_test(batches_must_fit_their_schema),
        cmocka_unit_test(errors_name_row_and_column),
        cmocka_unit_test(errors_name_the_row_of_a_text),
        cmocka_unit_test(streams_are_released_whatever_happens),
        cmocka_unit_test(tables_without_columns_have_rows),
        cmocka_unit_test(parts_take_batches),
        cmocka_unit_test(zones_by_name_are_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
