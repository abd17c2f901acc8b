/*
 * test_select.c - parts of a value: what the settings at, rows, fields, drop and drop-null
 * leave, whichever way the text is read.
 */
#include "bytes.h"
#include "drawn.h"
#include "random.h"
#include "testing.h"

static const char list[] =
    "{\"kind\":\"List\",\"items\":[{\"id\":1,\"name\":\"a\",\"user\":{\"login\":\"x\","
    "\"avatar_url\":\"u\",\"n\":null},\"url\":\"q\",\"tags\":[\"p\",\"q\"]},"
    "{\"id\":2,\"name\":\"b\",\"user\":{\"login\":\"y\",\"avatar_url\":\"v\",\"n\":3},"
    "\"url\":\"q\",\"tags\":[]},{\"id\":3,\"url\":null}]}";

/* ------------------------------------------------------------------ what is left */

typedef struct selected {
    const char *json;
    const char *read;
    const char *expected;
} selected;

static const selected kept[] = {
    /* paths, as pointers and with dots */
    {list, "at=/kind", "\"List\""},
    {list, "at=kind", "\"List\""},
    {list, "at=.kind", "\"List\""},
    {list, "at=/items/1/name", "\"b\""},
    {list, "at=items[1].name", "\"b\""},
    {list, "at=items.1.name", "\"b\""},
    {list, "at=items[0].tags", "[\"p\",\"q\"]"},
    {list, "at=items[0].user.n", "null"},
    {"{\"a/b\":1,\"c~d\":2,\"e.f\":3,\"\":4,\"*\":5}", "at=/a~1b", "1"},
    {"{\"a/b\":1,\"c~d\":2,\"e.f\":3,\"\":4,\"*\":5}", "at=/c~0d", "2"},
    {"{\"a/b\":1,\"c~d\":2,\"e.f\":3,\"\":4,\"*\":5}", "at=\"[\\\"e.f\\\"]\"", "3"},
    {"{\"a/b\":1,\"c~d\":2,\"e.f\":3,\"\":4,\"*\":5}", "at=/", "4"},
    {"{\"a/b\":1,\"c~d\":2,\"e.f\":3,\"\":4,\"*\":5}", "at=\"[\\\"*\\\"]\"", "5"},
    {"{\"\\u00e9\":[7]}", "at=\"[\\\"\\\\u00e9\\\"][0]\"", "7"},
    {"{\"a,b\":1}", "at=a,b", "1"},
    {"{\"0\":1}", "at=0", "1"},
    {"{\"0\":1,\"00\":2}", "at=/00", "2"},

    /* several places */
    {list, "at=items.name", "[\"a\",\"b\"]"},
    {list, "at=items.*.name", "[\"a\",\"b\"]"},
    {list, "at=items[*].id", "[1,2,3]"},
    {list, "at=/items/*/user/login", "[\"x\",\"y\"]"},
    {list, "at=items.tags.*", "[\"p\",\"q\"]"},
    {list, "at=items[0].*l", "[\"q\"]"},
    {list, "at=items.user.*_url", "[\"u\",\"v\"]"},
    {"[[{\"a\":1}],[[{\"a\":2}]],3]", "at=a", "[1,2]"},
    {"[{\"a\":[1]},{\"a\":[2]}]", "at=a", "[[1],[2]]"},
    {"{\"x\":{\"a\":1},\"y\":{\"a\":2}}", "at=*.a", "[1,2]"},
    {"[]", "at=a.b", "[]"},
    {"{\"a\":[]}", "at=a.b", "[]"},
    {"{}", "at=*", "[]"},

    /* rows */
    {"[1,2,3,4]", "rows=1:3", "[2,3]"},
    {"[1,2,3,4]", "rows=:2", "[1,2]"},
    {"[1,2,3,4]", "rows=3:", "[4]"},
    {"[1,2,3,4]", "rows=3:99", "[4]"},
    {"[]", "rows=0:1", "[]"},
    {"{\"a\":1,\"b\":[1,2,3]}", "rows=1:2", "{\"a\":1,\"b\":[2]}"},
    {"{\"a\":1}", "rows=1:2", "{\"a\":1}"},
    {list, "at=items.id rows=1:", "[2,3]"},

    /* members */
    {list, "at=items fields=id,user.login",
     "[{\"id\":1,\"user\":{\"login\":\"x\"}},{\"id\":2,\"user\":{\"login\":\"y\"}},"
     "{\"id\":3}]"},
    {list, "fields=items.id", "{\"items\":[{\"id\":1},{\"id\":2},{\"id\":3}]}"},
    {list, "fields=/items/1",
     "{\"items\":[{\"id\":2,\"name\":\"b\",\"user\":{\"login\":"
     "\"y\",\"avatar_url\":\"v\",\"n\":3},\"url\":\"q\","
     "\"tags\":[]}]}"},
    {"[{\"b\":1,\"a\":2}]", "fields=a,b", "[{\"b\":1,\"a\":2}]"},
    {"{\"a\":{\"b\":1},\"c\":{\"d\":2}}", "fields=a.b,c.x,c.d",
     NULL /* c.x is nowhere */},
    {"[{\"a\":{\"b\":1}},{\"a\":{\"c\":1}},{\"a\":5}]", "fields=a.b",
     "[{\"a\":{\"b\":1}},{},{}]"},
    {"[{\"a_at\":1,\"b_at\":2,\"c\":3}]", "fields=*_at", "[{\"a_at\":1,\"b_at\":2}]"},
    {"[{\"a\":1},5,{\"a\":2}]", "fields=a", "[{\"a\":1},{\"a\":2}]"},

    /* members that go */
    {"{\"a_url\":1,\"b\":{\"c_url\":2,\"id\":3},\"d\":[{\"id\":4}]}", "drop=*_url,id",
     "{\"b\":{},\"d\":[{}]}"},
    {"{\"id\":1,\"b\":{\"id\":3}}", "drop=/id", "{\"b\":{\"id\":3}}"},
    {"{\"id\":1,\"b\":{\"id\":3}}", "drop=b.id", "{\"id\":1,\"b\":{}}"},
    {"[1,2,3]", "drop=[1]", "[1,3]"},
    {"{\"a\":null,\"b\":[null,{\"c\":null,\"d\":0}]}", "drop-null=true",
     "{\"b\":[null,{\"d\":0}]}"},
    {"{\"a\":{\"x\":1,\"y\":2},\"b\":3}", "fields=a drop=x", "{\"a\":{\"y\":2}}"},
    {"{\"abcabc\":1,\"abc\":2,\"ab\":3,\"xabxc\":4}", "drop=*ab*c", "{\"ab\":3}"},
    {"{\"aXbXc\":1,\"abc\":2,\"ac\":3}", "drop=a*b*c", "{\"ac\":3}"},
    {"5", "drop=x", "5"},
    {list, "at=items rows=0:2 fields=id,user,url drop=*_url drop-null=true",
     "[{\"id\":1,\"user\":{\"login\":\"x\"},\"url\":\"q\"},"
     "{\"id\":2,\"user\":{\"login\":\"y\",\"n\":3},\"url\":\"q\"}]"},
};

static bool keeps(const selected *row)
{
    pith_options options = with_settings(row->read, NULL);
    pith_buffer out = {0};
    pith_error err = {0};
    pith_status status = pith_convert("json", "json", row->json, strlen(row->json),
                                      &options, pith_sink_buffer(&out), &err);
    bool fine =
        row->expected
            ? status == PITH_OK && same_bytes(row->read, out.data, out.len, row->expected,
                                              strlen(row->expected))
            : status == PITH_BAD_INPUT && strcmp(err.code, "no_such_path") == 0;
    if (!fine)
        fprintf(stderr, "%s: %s\n", row->read, err.message);
    pith_buffer_free(&out);
    return fine;
}

static void the_part_is_left(void **state)
{
    (void)state;
    size_t failures = 0;
    for (size_t i = 0; i < ROWS(kept); i++)
        failures += !keeps(&kept[i]);
    assert_int_equal(failures, 0);
}

/* ------------------------------------------------------------ what is not there */

typedef struct missing {
    const char *json;
    const char *read;
    const char *code;
    const char *message;
} missing;

static const missing refused[] = {
    {list, "at=itmes", "no_such_path",
     "nothing is at 'itmes': there is no 'itmes', perhaps 'items'; there is kind, items"},
    {list, "at=items.nmae", "no_such_path",
     "nothing is at 'items.nmae': there is no 'nmae', perhaps 'name'; there is id, name, "
     "user, url, tags"},
    {list, "at=items[7]", "no_such_path",
     "nothing is at 'items[7]': the array there has 3 elements"},
    {list, "at=/kind/x", "no_such_path",
     "nothing is at '/kind/x': in 'kind' there is only a string"},
    {list, "at=items[0][0]", "no_such_path",
     "nothing is at 'items[0][0]': an object is there, with id, name, user, url, tags"},
    {"5", "at=x", "no_such_path", "nothing is at 'x': there is only a number"},
    {list, "fields=kind,item", "no_such_path",
     "no field is 'item': there is no 'item', perhaps 'items'; there is kind, items"},
    {"5", "fields=a", "no_such_path", "no field is 'a': there is only a number"},
    {"[5]", "fields=a", "no_such_path", "no field is 'a': there is only a number"},
    {"[1,2]", "rows=2:", "no_such_rows",
     "rows from 2 on were asked for, and there are 2"},
    {list, "at=a..b", "bad_setting", "setting at: expected a name, found '.b'"},
    {list, "at=a[", "bad_setting",
     "setting at: expected a number, * or a string in quotes after [, and it ends there"},
    {list, "at=a[x]", "bad_setting",
     "setting at: expected a number, * or a string in quotes after [, found 'x]'"},
    {list, "at=a[1", "bad_setting", "setting at: expected ], and it ends there"},
    {list, "at=a[1]b", "bad_setting", "setting at: expected a dot or [, found 'b'"},
    {list, "at=/a~2", "bad_setting",
     "setting at: expected ~0 or ~1 after a tilde, found '~2'"},
    {list, "fields=a,,b", "bad_setting", "setting fields: expected a name, found ',b'"},
    {list, "drop=a,", "bad_setting", "setting drop: expected a name, and it ends there"},
    {list, "rows=3", "bad_setting", NULL},
    {list, "rows=3:3", "bad_setting", NULL},
    {list, "rows=-1:", "bad_setting", NULL},
    {list, "rows=1:2:3", "bad_setting", NULL},
    {list, "rows=99999999999999999999:", "bad_setting", NULL},
};

static bool refuses(const missing *row)
{
    pith_options options = with_settings(row->read, NULL);
    pith_error err = {0};
    pith_doc *doc = pith_doc_parse("json", row->json, strlen(row->json), &options, &err);
    bool fine = !doc && strcmp(err.code, row->code) == 0 && err.line == 0 &&
                (!row->message || same_bytes(row->read, err.message, strlen(err.message),
                                             row->message, strlen(row->message)));
    if (!fine)
        fprintf(stderr, "%s: %s\n", row->read, doc ? "no error" : err.message);
    pith_doc_free(doc);
    return fine;
}

static void what_is_not_there_is_named(void **state)
{
    (void)state;
    size_t failures = 0;
    for (size_t i = 0; i < ROWS(refused); i++)
        failures += !refuses(&refused[i]);
    assert_int_equal(failures, 0);
}

static void keep_remark(void *ctx, const pith_error *remark)
{
    bytes *told = ctx;
    bytes_put(told, remark->code);
    bytes_put(told, ": ");
    bytes_put(told, remark->message);
    bytes_put(told, "\n");
}

static void what_is_left_out_is_told(void **state)
{
    (void)state;
    static const char *const reads[][2] = {
        {"drop=nod_id,items.usr",
         "nothing_dropped: no member is called 'nod_id', so none was dropped\n"
         "nothing_dropped: nothing to drop is at 'items.usr': there is no 'usr', perhaps "
         "'user'; there is id, name, user, url, tags\n"},
        {"at=items.name",
         "no_such_path: 1 of 3 elements have nothing at 'items.name' and are left out\n"},
        {"drop=id,items.user", ""},
    };
    for (size_t i = 0; i < ROWS(reads); i++) {
        bytes told = {0};
        pith_options options = with_settings(reads[i][0], NULL);
        options.notice = keep_remark;
        options.notice_ctx = &told;
        pith_doc_free(must_parse("json", LIT(list), &options));
        assert_true(same_bytes(reads[i][0], told.ptr ? told.ptr : "", told.len,
                               reads[i][1], strlen(reads[i][1])));
        bytes_free(&told);
    }
}

/* ------------------------------------------------- the same in every way of reading */

static const char *const ways[] = {
    "at=user",
    "at=user.login",
    "at=tags.k",
    "at=tags",
    "at=/1",
    "at=/1/tags",
    "at=/0/tags/k",
    "at=*.id",
    "rows=1:2",
    "rows=1:",
    "fields=id,tags",
    "fields=user.id",
    "drop=id",
    "drop=user.id,[0].tags",
    "drop-null=true",
    "at=tags.k rows=1:3",
    "at=tags rows=2: fields=k",
    "fields=/0/id,/2",
    "at=/7",
    "at=nothing",
    "fields=nothing,id",
    "rows=9:",
    "at=/0/user drop=id",
    "at=tags fields=k drop=[1]",
    "at=/1/tags rows=0:1",
};

static void put_value(bytes *to, pith_value value)
{
    pith_buffer json = must_write(value, "json", NULL);
    bytes_add(to, json.data, json.len);
    bytes_put(to, "\n");
    pith_buffer_free(&json);
}

/* The rows of the value, as the text is read whole. */
static pith_status whole(const char *format, const char *text, size_t len,
                         const pith_options *options, bytes *rows)
{
    pith_error err = {0};
    pith_doc *doc = pith_doc_parse(format, text, len, options, &err);
    if (!doc) {
        bytes_put(rows, err.message);
        return err.status;
    }
    pith_value root = pith_doc_root(doc);
    bool array = pith_value_kind(root) == PITH_ARRAY;
    for (pith_value row = array ? pith_value_first(root) : root; row.doc;
         row = array ? pith_value_next(row) : (pith_value){NULL, 0, 0, 0})
        put_value(rows, row);
    pith_doc_free(doc);
    return PITH_OK;
}

/* The same as it is read in pieces, taken `most` at a time, with the next piece fed
 * before all rows were taken when `early`. */
static pith_status in_pieces(const char *format, const char *text, size_t len,
                             size_t size, size_t most, bool early,
                             const pith_options *options, bytes *rows)
{
    pith_error err = {0};
    pith_reader *reader = pith_reader_open(format, options, &err);
    pith_status status = reader ? PITH_OK : err.status;
    size_t at = 0;
    bool more = true;
    while (status == PITH_OK && more) {
        pith_value row;
        bool done = false;
        size_t piece = len - at < size ? len - at : size;
        if (piece > 0)
            status = pith_reader_feed(reader, text + at, piece, &err);
        else
            status = pith_reader_end(reader, &err);
        at += piece;
        more = piece > 0;
        do {
            if (status == PITH_OK)
                status = most ? pith_reader_batch(reader, most, &row, &done, &err)
                              : pith_reader_next(reader, &row, &err);
            if (status != PITH_OK || !row.doc)
                break;
            for (pith_value one = most ? pith_value_first(row) : row; one.doc;
                 one = most ? pith_value_next(one) : (pith_value){NULL, 0, 0, 0})
                put_value(rows, one);
        } while (!early || !more);
    }
    if (status != PITH_OK) {
        rows->len = 0;
        bytes_put(rows, err.message);
    } else {
        assert_true(pith_reader_done(reader));
    }
    pith_reader_free(reader);
    return status;
}

static size_t differs(const char *format, const char *text, size_t len, const char *read)
{
    static const size_t sizes[] = {1, 7, 64, 100000};
    pith_options options = with_settings(read, NULL);
    bytes expected = {0};
    size_t failures = 0;
    pith_status status = whole(format, text, len, &options, &expected);
    for (size_t i = 0; i < 4 * ROWS(sizes); i++) {
        bytes found = {0};
        char label[128];
        size_t most = i % 4 == 0 ? 0 : i % 4 == 1 ? 1 : 3;
        bool early = i % 4 == 3;
        snprintf(label, sizeof label, "%s %s, %zu bytes, %zu rows", format, read,
                 sizes[i / 4], most);
        pith_status again =
            in_pieces(format, text, len, sizes[i / 4], most, early, &options, &found);
        failures += !same_bytes(label, found.ptr ? found.ptr : "", found.len,
                                expected.ptr ? expected.ptr : "", expected.len);
        if (again != status)
            fprintf(stderr, "%s: %d, not %d\n", label, (int)again, (int)status);
        failures += again != status;
        bytes_free(&found);
    }
    bytes_free(&expected);
    return failures;
}

static void pieces_give_the_same(void **state)
{
    (void)state;
    static const char rows[] =
        "[{\"id\":1,\"user\":{\"login\":\"\\u00e9 with an escape\",\"id\":null},"
        "\"tags\":[{\"k\":1},{\"k\":2.50}]},{\"id\":2,\"user\":{\"login\":\"y\","
        "\"id\":7},\"tags\":[{\"k\":3}]},{\"id\":3,\"user\":null,\"tags\":[]}]";
    size_t failures = 0;
    for (size_t i = 0; pith_format_at(i); i++) {
        const pith_format *format = pith_format_at(i);
        pith_options nested = with_settings(NULL, strcmp(format->name, "csv") == 0 ||
                                                          strcmp(format->name, "tsv") == 0
                                                      ? "nested=json"
                                                      : NULL);
        pith_buffer text = {0};
        if ((format->direction & PITH_READ) && (format->direction & PITH_WRITE) &&
            pith_convert("json", format->name, LIT(rows), &nested,
                         pith_sink_buffer(&text), NULL) == PITH_OK)
            for (size_t j = 0; j < ROWS(ways); j++)
                failures += differs(format->name, text.data, text.len, ways[j]);
        pith_buffer_free(&text);
    }
    assert_int_equal(failures, 0);
}

/* Wide objects have no shape, and one that loses members may get one. */
static void wide_objects_keep_what_is_asked(void **state)
{
    (void)state;
    bytes text = {0};
    bytes_put(&text, "[");
    for (int row = 0; row < 3; row++) {
        bytes_put(&text, row ? ",{" : "{");
        for (int i = 0; i < 700; i++)
            bytes_print(&text, "%s\"key%d\":%d", i ? "," : "", i, i);
        bytes_put(&text, "}");
    }
    bytes_put(&text, "]");
    pith_options few = with_settings("fields=key3,key699 rows=0:1", NULL);
    pith_doc *doc = must_parse("json", text.ptr, text.len, &few);
    must_hold_json(doc, "[{\"key3\":3,\"key699\":699}]");
    pith_doc_free(doc);
    pith_options most = with_settings("drop=key0", NULL);
    doc = must_parse("json", text.ptr, text.len, &most);
    pith_value row = pith_value_at(pith_doc_root(doc), 2);
    assert_int_equal(pith_value_count(row), 699);
    pith_text first = pith_value_key(pith_value_first(row));
    assert_true(same_bytes("first key", first.ptr, first.len, LIT("key1")));
    assert_int_equal(pith_value_text(pith_value_get(row, LIT("key699"))).len, 3);
    pith_doc_free(doc);
    bytes_free(&text);
}

/* ------------------------------------------------------------------ any values */

/* What is left is a value like any other: written and read again it is the same. */
static void what_is_left_is_whole(void **state)
{
    (void)state;
    static const char *const reads[] = {"drop=a",
                                        "drop=*b*",
                                        "fields=a,b",
                                        "at=a",
                                        "at=*",
                                        "rows=1:",
                                        "at=a.*",
                                        "drop=*.a",
                                        "drop-null=true",
                                        "fields=*.b drop=c",
                                        "at=b rows=0:2 fields=a,c drop-null=true"};
    uint64_t seed = 23;
    for (size_t i = 0; i < OFTEN(20000); i++) {
        uint8_t data[96];
        for (size_t j = 0; j < sizeof data; j++)
            data[j] = (uint8_t) "[]{}(|)<>abc123456789n'x-!~"[random_below(&seed, 27)];
        draw from = draw_from(data, random_below(&seed, sizeof data) + 1);
        pith_doc *drawn = draw_doc(&from);
        pith_buffer text = must_write(pith_doc_root(drawn), "json", NULL);
        pith_options options = with_settings(reads[i % ROWS(reads)], NULL);
        pith_error err = {0};
        pith_doc *doc = pith_doc_parse("json", text.data, text.len, &options, &err);
        if (doc) {
            pith_buffer left = must_write(pith_doc_root(doc), "json", NULL);
            pith_doc *again = must_parse("json", left.data, left.len, NULL);
            assert_true(pith_value_equal(pith_doc_root(doc), pith_doc_root(again)));
            pith_doc_free(again);
            pith_buffer_free(&left);
        } else {
            assert_int_equal(err.status, PITH_BAD_INPUT);
        }
        pith_doc_free(doc);
        pith_buffer_free(&text);
        pith_doc_free(drawn);
    }
}

/* ------------------------------------------------------------------------ columns */

static void columns_follow_the_fields(void **state)
{
    (void)state;
    static const char csv[] = "a,b_url,c\n1,2,3\n";
    static const char *const reads[][2] = {{"fields=c,a", "a c "},
                                           {"drop=*_url", "a c "},
                                           {"at=a", ""},
                                           {"drop-null=true", "a b_url c "}};
    for (size_t i = 0; i < ROWS(reads); i++) {
        pith_options options = with_settings(reads[i][0], NULL);
        pith_reader *reader = pith_reader_open("csv", &options, NULL);
        pith_text names[4];
        bytes found = {0};
        assert_int_equal(pith_reader_feed(reader, LIT(csv), NULL), PITH_OK);
        assert_int_equal(pith_reader_end(reader, NULL), PITH_OK);
        size_t count = pith_reader_columns(reader, names, 4);
        assert_int_equal(pith_reader_columns(reader, NULL, 0), count);
        for (size_t j = 0; j < count; j++) {
            bytes_add(&found, names[j].ptr, names[j].len);
            bytes_put(&found, " ");
        }
        assert_true(same_bytes(reads[i][0], found.ptr ? found.ptr : "", found.len,
                               reads[i][1], strlen(reads[i][1])));
        bytes_free(&found);
        pith_reader_free(reader);
    }
}

/* The rest of an endless input is not waited for. */
static void rows_end_the_reading(void **state)
{
    (void)state;
    pith_options options = with_settings("rows=1:2", NULL);
    pith_reader *reader = pith_reader_open("ndjson", &options, NULL);
    pith_value row;
    assert_false(pith_reader_done(reader));
    pith_reader_feed(reader, LIT("1\n2\n3\n{broken"), NULL);
    assert_int_equal(pith_reader_next(reader, &row, NULL), PITH_OK);
    must_write_as(row, "json", NULL, "2");
    assert_int_equal(pith_reader_next(reader, &row, NULL), PITH_OK);
    assert_null(row.doc);
    assert_true(pith_reader_done(reader));
    assert_int_equal(pith_reader_feed(reader, LIT("4\n"), NULL), PITH_OK);
    assert_int_equal(pith_reader_next(reader, &row, NULL), PITH_OK);
    assert_null(row.doc);
    pith_reader_free(reader);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_part_is_left),
        cmocka_unit_test(what_is_not_there_is_named),
        cmocka_unit_test(what_is_left_out_is_told),
        cmocka_unit_test(pieces_give_the_same),
        cmocka_unit_test(wide_objects_keep_what_is_asked),
        cmocka_unit_test(what_is_left_is_whole),
        cmocka_unit_test(columns_follow_the_fields),
        cmocka_unit_test(rows_end_the_reading),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
