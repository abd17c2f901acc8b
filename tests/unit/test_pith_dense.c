/*
 * test_pith_dense.c - writing level 2 where the vectors do not reach: rows one by one, the
 * limits of what is repeated, and time that grows with the value.
 */
#include "bytes.h"
#include "named.h"
#include "testing.h"

/* Writes the JSON text in level 2, reads that back and compares; the caller frees it. */
static pith_buffer dense_of(const char *json, const char *words)
{
    pith_doc *doc = must_parse_json(json);
    pith_options options = with_settings(NULL, words);
    pith_buffer text = must_write(pith_doc_root(doc), "pith", &options);
    pith_doc *back = must_parse("pith", text.data, text.len, NULL);
    assert_true(pith_value_equal(pith_doc_root(doc), pith_doc_root(back)));
    pith_doc_free(back);
    pith_doc_free(doc);
    return text;
}

static void must_be_dense(const char *json, const char *words, const char *expected)
{
    pith_buffer text = dense_of(json, words);
    bool same = same_bytes("dense", text.data, text.len, expected, strlen(expected));
    pith_buffer_free(&text);
    assert_true(same);
}

/* ------------------------------------------------------------------- rows one by one */

static pith_rows *open_declared(pith_buffer *out, bool declare)
{
    static const char *const columns[] = {"day", "zip", "note"};
    pith_options options = with_settings(NULL, "level=2");
    pith_rows *rows =
        rows_open_named("pith", columns, 3, &options, pith_sink_buffer(out), NULL);
    assert_non_null(rows);
    pith_field text = {.type = PITH_TYPE_TEXT};
    if (declare) {
        pith_rows_declare(rows, 0, &text);
        pith_rows_declare(rows, 1, &text);
    }
    return rows;
}

static void put_row(pith_rows *rows, const char *day, const char *zip, const char *note)
{
    pith_doc *row = pith_rows_row(rows);
    const char *const cells[] = {day, zip, note};
    for (size_t i = 0; i < 3; i++)
        if (cells[i])
            pith_doc_add_text(row, cells[i], strlen(cells[i]));
        else
            pith_doc_skip(row);
}

static void declared_columns_are_marked(void **state)
{
    (void)state;
    pith_buffer out = {0};
    pith_rows *rows = open_declared(&out, true);
    put_row(rows, "Monday", "01234", "x");
    assert_int_equal(pith_rows_end_row(rows, NULL), PITH_OK);
    put_row(rows, "Monday", "", NULL);
    assert_int_equal(pith_rows_end_row(rows, NULL), PITH_OK);
    put_row(rows, "Tuesday", "a,b", "x");
    assert_int_equal(pith_rows_end_row(rows, NULL), PITH_OK);
    put_row(rows, "Tuesday", "7", "x");
    assert_int_equal(pith_rows_end_row(rows, NULL), PITH_OK);
    assert_int_equal(pith_rows_close(rows, NULL), PITH_OK);
    assert_true(same_bytes("rows", out.data, out.len,
                           LIT("[?{day=,zip=[*],note}\nMonday,01234,x\n,\"\",\n"
                               "Tuesday,\"a,b\",x\n,7,x\n]4")));
    pith_doc *doc = must_parse("pith", out.data, out.len, NULL);
    must_hold_json(doc, "[{\"day\":\"Monday\",\"zip\":\"01234\",\"note\":\"x\"},"
                        "{\"day\":\"Monday\",\"zip\":\"\"},"
                        "{\"day\":\"Tuesday\",\"zip\":\"a,b\",\"note\":\"x\"},"
                        "{\"day\":\"Tuesday\",\"zip\":\"7\",\"note\":\"x\"}]");
    pith_doc_free(doc);
    pith_buffer_free(&out);
}

static void marked_columns_refuse_gaps(void **state)
{
    (void)state;
    pith_buffer out = {0};
    pith_error err = {0};
    pith_rows *rows = open_declared(&out, true);
    put_row(rows, "Monday", "01234", "x");
    assert_int_equal(pith_rows_end_row(rows, NULL), PITH_OK);
    put_row(rows, NULL, "1", "x");
    assert_int_equal(pith_rows_end_row(rows, &err), PITH_UNREPRESENTABLE);
    assert_string_equal(err.code, "null_not_allowed");
    pith_rows_abandon(rows);
    pith_buffer_free(&out);
}

static void other_columns_are_not_marked(void **state)
{
    (void)state;
    pith_buffer out = {0};
    pith_rows *rows = open_declared(&out, false);
    put_row(rows, "Monday", "01234", "x");
    assert_int_equal(pith_rows_end_row(rows, NULL), PITH_OK);
    put_row(rows, NULL, NULL, "x");
    assert_int_equal(pith_rows_end_row(rows, NULL), PITH_OK);
    assert_int_equal(pith_rows_close(rows, NULL), PITH_OK);
    assert_true(same_bytes("rows", out.data, out.len,
                           LIT("[?{day,zip,note}\nMonday,\"01234\",x\n,,x\n]2")));
    pith_buffer_free(&out);
}

/* ----------------------------------------------------------------------------- limits */

/* Adds so many letters. */
static void add_letters(bytes *to, size_t count)
{
    bytes_repeat(to, "ab cd ", count / 6);
}

/* Members of at most 4096 bytes may be left out, but an object of more may not be a
 * name. */
static void large_likeness_names_its_places(void **state)
{
    (void)state;
    bytes json = {0};
    for (size_t i = 0; i < 7; i++) {
        bytes_put(&json, i == 0 ? "[1,{\"first\":\"" : ",{\"first\":\"");
        add_letters(&json, 3000);
        bytes_put(&json, "\",\"second\":\"");
        add_letters(&json, 3000);
        bytes_put(&json, "\"}");
    }
    bytes_add(&json, "]", 2);
    pith_buffer text = dense_of(json.ptr, "level=2 names=false");
    const char *end = ",\\1{,},\\1{,}]";
    assert_true(same_bytes("end", text.data + text.len - 13, 13, end, 13));
    pith_buffer_free(&text);
    bytes_free(&json);
}

/* A string of more than 4096 bytes is no name and no default, but may have a stem. */
static void large_strings_are_written_out(void **state)
{
    (void)state;
    bytes json = {0};
    for (size_t i = 0; i < 4; i++) {
        bytes_print(&json, "%s{\"a\":%zu,\"b\":\"https://example.org/long/",
                    i ? "," : "[", i);
        add_letters(&json, 6000);
        bytes_print(&json, "%zu\"}", i / 2);
    }
    bytes_add(&json, "]", 2);
    pith_buffer text = dense_of(json.ptr, "level=2");
    pith_buffer stems = dense_of(json.ptr, "level=2 templates=false");
    assert_true(text.len > 24000 && stems.len > 24000);
    assert_non_null(memchr(stems.data, '\\', stems.len));
    pith_buffer_free(&stems);
    pith_buffer_free(&text);
    bytes_free(&json);
}

/* Where a row is one cell, an empty one would be a blank row; in a map it is not. */
static void one_cell_a_row(void **state)
{
    (void)state;
    const char *cells = "{\"a\":\"one two three four\",\"b\":1}";
    bytes json = {0};
    bytes_put(&json, "[");
    for (size_t i = 0; i < 8; i++)
        bytes_print(&json, "%s%s", i ? "," : "", cells);
    bytes_put(&json, ",{\"a\":\"x\",\"b\":1}]");
    bytes_add(&json, "", 1);
    pith_buffer text = dense_of(json.ptr, "level=2 names=false stems=false");
    assert_null(memchr(text.data, '*', text.len));
    pith_buffer_free(&text);
    bytes_free(&json);
}

/* What has a star is quoted as a default, for without quotes it would be a template. */
static void default_with_a_star(void **state)
{
    (void)state;
    must_be_dense("[{\"a\":\"x*y z w v\",\"b\":1},{\"a\":\"x*y z w v\",\"b\":2},"
                  "{\"a\":\"u\",\"b\":3},{\"a\":\"x*y z w v\",\"b\":4}]",
                  "level=2 names=false stems=false",
                  "[4{a=[\"x*y z w v\"],b}\n,1\n,2\nu,3\n,4\n]");
}

/* order=free writes members in another order than they have, so there are no names. */
static void free_order_has_no_names(void **state)
{
    (void)state;
    pith_doc *doc = must_parse_json(
        "[{\"a\":\"https://example.org/a/b\",\"b\":1},{\"b\":2,\"a\":\"https://example.org/a/b\"},"
        "{\"a\":\"https://example.org/a/c\",\"b\":\"https://example.org/a/b\"}]");
    pith_options options = with_settings(NULL, "level=2 order=free");
    pith_buffer text = must_write(pith_doc_root(doc), "pith", &options);
    assert_null(memchr(text.data, '\\', text.len));
    pith_doc_free(must_parse("pith", text.data, text.len, NULL));
    pith_buffer_free(&text);
    pith_doc_free(doc);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(declared_columns_are_marked),
        cmocka_unit_test(marked_columns_refuse_gaps),
        cmocka_unit_test(other_columns_are_not_marked),
        cmocka_unit_test(large_likeness_names_its_places),
        cmocka_unit_test(large_strings_are_written_out),
        cmocka_unit_test(one_cell_a_row),
        cmocka_unit_test(default_with_a_star),
        cmocka_unit_test(free_order_has_no_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
