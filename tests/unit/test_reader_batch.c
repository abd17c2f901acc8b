/*
 * test_reader_batch.c - rows that arrive in pieces, taken several at a time, and columns
 * before the first of them.
 */
#include "bytes.h"
#include "testing.h"

static const char *const formats[] = {"json", "ndjson",    "csv", "tsv",
                                      "toon", "toon-rows", "gcf", "pith",
                                      "soch", "soch-bin",  "gcf1"};

static const char sample[] =
    "[{\"id\":1,\"name\":\"Ada \\\"L\\\"\",\"tags\":\"x\"},{\"id\":2,\"name\":\"\xc3\xa9\",\"tags\":"
    "null},{\"id\":3,\"name\":\"a, b\",\"tags\":\"\"},{\"id\":4,\"name\":\"d\",\"tags\":\"x|y\"},"
    "{\"id\":5,\"name\":\"e\",\"tags\":\"long enough for more than sixteen bytes\"}]";

static pith_buffer written(const char *format)
{
    pith_buffer out = {0};
    pith_error err = {0};
    if (pith_convert("json", format, sample, sizeof sample - 1, NULL,
                     pith_sink_buffer(&out), &err) != PITH_OK)
        fail_msg("%s: %s", format, err.message);
    return out;
}

static void put_row(bytes *rows, pith_value row)
{
    pith_buffer json = must_write(row, "json", NULL);
    bytes_add(rows, json.data, json.len);
    bytes_put(rows, "\n");
    pith_buffer_free(&json);
}

/* Feeds pieces of `size`, takes `most` rows at a time, 0: one by one. */
static pith_status taken(const char *format, const char *text, size_t len, size_t size,
                         size_t most, bytes *rows, pith_error *err)
{
    pith_reader *reader = pith_reader_open(format, NULL, err);
    pith_status status = PITH_OK;
    bool done = false;
    assert_non_null(reader);
    for (size_t at = 0; status == PITH_OK && at <= len; at += size) {
        size_t piece = len - at < size ? len - at : size;
        pith_value row;
        assert_int_equal(pith_reader_feed(reader, text + at, piece, NULL), PITH_OK);
        if (at + size > len)
            pith_reader_end(reader, NULL);
        do {
            status = most ? pith_reader_batch(reader, most, &row, &done, err)
                          : pith_reader_next(reader, &row, err);
            if (!most && row.doc)
                put_row(rows, row);
            assert_true(!most || pith_value_count(row) <= most);
            for (pith_value one = pith_value_first(row); most && one.doc;
                 one = pith_value_next(one))
                put_row(rows, one);
            assert_true(!done || at + size > len);
        } while (status == PITH_OK && row.doc);
    }
    assert_true(!most || status != PITH_OK || done);
    pith_reader_free(reader);
    return status;
}

static void batches_are_the_same_rows(void **state)
{
    (void)state;
    static const size_t sizes[] = {1, 7, 64, 100000};
    for (size_t f = 0; f < ROWS(formats); f++) {
        pith_buffer text = written(formats[f]);
        for (size_t s = 0; s < ROWS(sizes); s++) {
            for (size_t most = 1; most < 8; most++) {
                bytes one = {0};
                bytes many = {0};
                pith_error err = {0};
                assert_int_equal(
                    taken(formats[f], text.data, text.len, sizes[s], 0, &one, &err),
                    PITH_OK);
                assert_int_equal(
                    taken(formats[f], text.data, text.len, sizes[s], most, &many, &err),
                    PITH_OK);
                assert_true(same_bytes(formats[f], many.ptr, many.len, one.ptr, one.len));
                bytes_free(&one);
                bytes_free(&many);
            }
        }
        pith_buffer_free(&text);
    }
}

/* The rows before a problem are handed out first. */
static void problems_come_after_rows(void **state)
{
    (void)state;
    static const char text[] = "{\"a\":1}\n{\"a\":2}\n{\"a\":\n{\"a\":4}\n";
    for (size_t most = 0; most < 5; most++) {
        bytes rows = {0};
        pith_error err = {0};
        assert_int_equal(taken("ndjson", text, sizeof text - 1, 5, most, &rows, &err),
                         PITH_BAD_INPUT);
        assert_int_equal(err.line, 3);
        assert_true(
            same_bytes("rows", rows.ptr, rows.len, LIT("{\"a\":1}\n{\"a\":2}\n")));
        bytes_free(&rows);
    }
}

/* Rows that differ make more lists of keys than a stream remembers; in a batch all of them
 * are still there. */
static void a_batch_forgets_no_keys(void **state)
{
    (void)state;
    enum { COUNT = 30000 };
    bytes text = {0};
    for (int i = 0; i < COUNT; i++)
        bytes_print(&text, "{\"key%d\":%d,\"\\u0041%d\":{}}\n", i, i, i);
    pith_reader *reader = pith_reader_open("ndjson", NULL, NULL);
    pith_reader_feed(reader, text.ptr, text.len, NULL);
    pith_reader_end(reader, NULL);
    for (int i = 0; i < COUNT;) {
        pith_value rows;
        bool done;
        assert_int_equal(pith_reader_batch(reader, 20000, &rows, &done, NULL), PITH_OK);
        assert_true(rows.doc != NULL);
        for (pith_value row = pith_value_first(rows); row.doc;
             row = pith_value_next(row)) {
            char key[16];
            int64_t number = -1;
            snprintf(key, sizeof key, "key%d", i);
            assert_true(
                pith_value_int64(pith_value_get(row, key, strlen(key)), &number) &&
                number == i);
            snprintf(key, sizeof key, "A%d", i);
            assert_int_equal(pith_value_kind(pith_value_get(row, key, strlen(key))),
                             PITH_OBJECT);
            i++;
        }
    }
    pith_reader_free(reader);
    bytes_free(&text);
}

static void more_is_not_done(void **state)
{
    (void)state;
    pith_value rows;
    bool done = true;
    pith_reader *reader = pith_reader_open("ndjson", NULL, NULL);
    assert_int_equal(pith_reader_batch(reader, 9, &rows, &done, NULL), PITH_OK);
    assert_true(!rows.doc && !done);
    pith_reader_feed(reader, LIT("{\"a\":1}\n{\"a\""), NULL);
    assert_int_equal(pith_reader_batch(reader, 9, &rows, &done, NULL), PITH_OK);
    assert_true(pith_value_count(rows) == 1 && !done);
    assert_int_equal(pith_reader_batch(reader, 9, &rows, &done, NULL), PITH_OK);
    assert_true(!rows.doc && !done);
    pith_reader_feed(reader, LIT(":2}"), NULL);
    pith_reader_end(reader, NULL);
    assert_int_equal(pith_reader_batch(reader, 9, &rows, &done, NULL), PITH_OK);
    assert_true(pith_value_count(rows) == 1 && done);
    assert_int_equal(pith_reader_batch(reader, 9, &rows, &done, NULL), PITH_OK);
    assert_true(!rows.doc && done);
    pith_reader_free(reader);
}

/* ------------------------------------------------------------------------ columns */

static void columns_come_before_rows(void **state)
{
    (void)state;
    static const struct {
        const char *format;
        const char *text;
        const char *settings;
        const char *columns; /* "" for none yet; NULL for never */
    } cases[] = {
        {"csv", "id,na", "types=cells", ""},
        {"csv", "id,name\n", "types=cells", "id name"},
        {"csv", "id,name\n1,Ada\n", "types=cells", "id name"},
        {"tsv", "id\tname\n", "types=cells", "id name"},
        {"toon", "[2]{id,na", NULL, ""},
        {"toon", "[2]{id,name}:\n", NULL, "id name"},
        {"toon", "a: 1\n", NULL, ""},
        {"gcf", "GCF profile=generic\n## [?]{id,name}\n", NULL, "id name"},
        {"gcf", "GCF profile=generic\n", NULL, ""},
        {"pith", "[?{id,name}\n1,", NULL, "id name"},
        {"pith", "[?{id", NULL, ""},
        {"soch", "users[2]{id,name}:\n", NULL, "id name"},
        {"ndjson", "{\"id\":1}\n", NULL, ""},
        {"json", "[{\"id\":1}", NULL, ""},
    };
    size_t failures = 0;
    for (size_t i = 0; i < ROWS(cases); i++) {
        pith_options options = with_settings(cases[i].settings, NULL);
        pith_reader *reader = pith_reader_open(cases[i].format, &options, NULL);
        pith_text columns[4];
        bytes found = {0};
        assert_int_equal(pith_reader_columns(reader, columns, 4), 0);
        pith_reader_feed(reader, cases[i].text, strlen(cases[i].text), NULL);
        size_t count = pith_reader_columns(reader, columns, 4);
        assert_int_equal(pith_reader_columns(reader, columns, 0), count);
        for (size_t c = 0; c < count && c < 4; c++) {
            bytes_put(&found, c ? " " : "");
            bytes_add(&found, columns[c].ptr, columns[c].len);
        }
        failures += !same_bytes(cases[i].text, found.ptr, found.len, cases[i].columns,
                                strlen(cases[i].columns));
        bytes_free(&found);
        pith_reader_free(reader);
    }
    assert_int_equal(failures, 0);
}

/* Asking for them between any two pieces changes nothing about the rows. */
static void asking_for_columns_changes_nothing(void **state)
{
    (void)state;
    for (size_t f = 0; f < ROWS(formats); f++) {
        pith_buffer text = written(formats[f]);
        bytes one = {0};
        bytes asked = {0};
        pith_error err = {0};
        assert_int_equal(taken(formats[f], text.data, text.len, 3, 0, &one, &err),
                         PITH_OK);
        pith_reader *reader = pith_reader_open(formats[f], NULL, NULL);
        size_t count = 0;
        for (size_t at = 0; at <= text.len; at += 3) {
            size_t piece = text.len - at < 3 ? text.len - at : 3;
            pith_value row;
            pith_reader_feed(reader, text.data + at, piece, NULL);
            if (at + 3 > text.len)
                pith_reader_end(reader, NULL);
            do {
                pith_text columns[3];
                size_t found = pith_reader_columns(reader, columns, 3);
                assert_true(found >= count && (found == 0 || found == 3));
                count = found;
                if (pith_reader_next(reader, &row, &err) != PITH_OK)
                    fail_msg("%s at %zu: %s", formats[f], at, err.message);
                if (row.doc)
                    put_row(&asked, row);
            } while (row.doc);
        }
        assert_true(same_bytes(formats[f], asked.ptr, asked.len, one.ptr, one.len));
        pith_reader_free(reader);
        bytes_free(&one);
        bytes_free(&asked);
        pith_buffer_free(&text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(batches_are_the_same_rows),
        cmocka_unit_test(problems_come_after_rows),
        cmocka_unit_test(a_batch_forgets_no_keys),
        cmocka_unit_test(more_is_not_done),
        cmocka_unit_test(columns_come_before_rows),
        cmocka_unit_test(asking_for_columns_changes_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
