/*
 * test_csv.c - CSV and TSV: depth, how far is looked ahead, wide tables, rows one by one.
 * What cells mean, what is refused and the way back is in tests/vectors/csv.
 */
#include "testing.h"
#include "named.h"

static unsigned failures;

/* Rows from the reader, in pieces of `piece` bytes, as NDJSON. */
static pith_status read_in_pieces(const char *format, const char *text, size_t len,
                                  const pith_options *options, size_t piece,
                                  pith_buffer *out, pith_error *err)
{
    pith_reader *reader = pith_reader_open(format, options, err);
    assert_non_null(reader);
    pith_status status = PITH_OK;
    size_t at = 0;
    for (bool ended = false; status == PITH_OK;) {
        pith_value row;
        status = pith_reader_next(reader, &row, err);
        if (status == PITH_OK && row.doc) {
            status = pith_value_write(row, "json", NULL, pith_sink_buffer(out), err);
            pith_sink_buffer(out).write(out, "\n", 1);
        } else if (status == PITH_OK && ended) {
            break;
        } else if (status == PITH_OK) {
            size_t take = len - at < piece ? len - at : piece;
            status = pith_reader_feed(reader, text + at, take, err);
            at += take;
            if (at == len && status == PITH_OK) {
                ended = true;
                status = pith_reader_end(reader, err);
            }
        }
    }
    pith_reader_free(reader);
    return status;
}

static void as_lines(pith_value root, pith_buffer *out)
{
    pith_error err;
    assert_int_equal(pith_value_write(root, "ndjson", NULL, pith_sink_buffer(out), &err),
                     PITH_OK);
}

static void check_pieces(const char *format, const char *text, size_t len,
                         const pith_options *options, const pith_doc *doc,
                         const pith_error *whole)
{
    static const size_t sizes[] = {SIZE_MAX, 1, 7};
    pith_buffer lines = {0};
    if (doc)
        as_lines(pith_doc_root(doc), &lines);
    for (size_t i = 0; i < ROWS(sizes); i++) {
        pith_buffer out = {0};
        pith_error err = {0};
        pith_sink_buffer(&out).write(&out, "", 0);
        pith_status status =
            read_in_pieces(format, text, len, options, sizes[i], &out, &err);
        if (doc) {
            if (status != PITH_OK) {
                show_bytes(err.message, text, len);
                failures++;
            } else if (!same_bytes("pieces", out.data, out.len, lines.data, lines.len)) {
                show_bytes("text", text, len);
                failures++;
            }
        } else if (status != whole->status || strcmp(err.code, whole->code) != 0 ||
                   err.offset != whole->offset || err.line != whole->line ||
                   err.column != whole->column ||
                   strcmp(err.message, whole->message) != 0) {
            fprintf(stderr, "pieces: %zu:%zu %s, whole: %zu:%zu %s\n", err.line,
                    err.column, err.message, whole->line, whole->column, whole->message);
            show_bytes("text", text, len);
            failures++;
        }
        pith_buffer_free(&out);
    }
    pith_buffer_free(&lines);
}

/* ------------------------------------------------------------------------ reading */

static void test_depth(void **state)
{
    (void)state;
    pith_options options = {.depth_max = 1};
    pith_error err;
    assert_null(pith_doc_parse("csv", LIT("a\n1\n"), &options, &err));
    assert_string_equal(err.code, "depth_limit");
    assert_int_equal(err.line, 2);
    options.depth_max = 2;
    pith_doc *doc = pith_doc_parse("csv", LIT("a\n1\n"), &options, &err);
    assert_non_null(doc);
    pith_doc_free(doc);
}

/* The look ahead ends at a mebibyte, and does so alike whole and in pieces. */
static void test_look_ahead_is_bounded(void **state)
{
    (void)state;
    enum { LOOK = 1024 * 1024, EXTRA = 64, ROW = 1024 };
    char *text = (char *)malloc(LOOK + EXTRA);
    assert_non_null(text);
    /* The last row that counts ends one byte before, at, or one byte after the bound. */
    for (int shift = -1; shift <= 1; shift++) {
        size_t len = 0;
        memcpy(text, "a,b\n", 4);
        len = 4;
        size_t last = (size_t)(LOOK + shift) - 4;
        while (len < last) { /* long rows, because few are fast */
            size_t row = last - len < 2 * ROW ? last - len : ROW;
            memset(text + len, 'z', row);
            memcpy(text + len, "1,", 2);
            text[len + row - 1] = '\n';
            len += row;
        }
        memcpy(text + last, "x,2\n1,3\n", 8);
        len = last + 8;
        pith_error err;
        pith_doc *doc = pith_doc_parse("csv", text, len, NULL, &err);
        if (!doc)
            fail_msg("%s", err.message);
        pith_value first = pith_value_first(pith_value_first(pith_doc_root(doc)));
        /* "x" is seen only if its whole row lies before the bound. */
        pith_kind kind = shift <= 0 ? PITH_STRING : PITH_INTEGER;
        assert_int_equal(pith_value_kind(first), kind);
        check_pieces("csv", text, len, NULL, doc, &err);
        pith_doc_free(doc);
    }
    free(text);
}

/* More columns than a shape holds. */
static void test_wide_tables(void **state)
{
    (void)state;
    enum { WIDTH = 5000 };
    pith_buffer text = {0};
    pith_sink sink = pith_sink_buffer(&text);
    for (int row = 0; row < 3; row++) {
        for (int i = 0; i < WIDTH; i++) {
            char cell[32];
            int len = snprintf(cell, sizeof cell, row ? "%d%s" : "c%d%s", i,
                               i + 1 < WIDTH ? "," : "\n");
            sink.write(sink.ctx, cell, (size_t)len);
        }
    }
    pith_error err;
    pith_doc *doc = pith_doc_parse("csv", text.data, text.len, NULL, &err);
    assert_non_null(doc);
    assert_int_equal(pith_value_count(pith_value_first(pith_doc_root(doc))), WIDTH);
    check_pieces("csv", text.data, text.len, NULL, doc, &err);
    pith_buffer again = must_write(pith_doc_root(doc), "csv", NULL);
    assert_true(same_bytes("again", again.data, again.len, text.data, text.len));
    pith_buffer_free(&again);
    pith_doc_free(doc);
    pith_buffer_free(&text);
}

/* ------------------------------------------------------------------------ writing */

static void test_rows_out(void **state)
{
    (void)state;
    static const char *const columns[] = {"id", "name"};
    pith_buffer out = {0};
    pith_error err;
    pith_rows *rows =
        rows_open_named("csv", columns, 2, NULL, pith_sink_buffer(&out), &err);
    assert_non_null(rows);
    pith_doc_add_int64(pith_rows_row(rows), 1);
    pith_doc_add_text(pith_rows_row(rows), LIT("Ada"));
    assert_int_equal(pith_rows_end_row(rows, &err), PITH_OK);
    pith_doc_add_null(pith_rows_row(rows));
    pith_doc_skip(pith_rows_row(rows));
    assert_int_equal(pith_rows_end_row(rows, &err), PITH_UNREPRESENTABLE);
    assert_string_equal(err.code, "missing_field");
    pith_rows_flush(rows, NULL);
    pith_rows_abandon(rows);
    pith_buffer_free(&out);

    /* No rows: the header is there all the same. */
    rows = rows_open_named("csv", columns, 2, NULL, pith_sink_buffer(&out), &err);
    assert_int_equal(pith_rows_close(rows, &err), PITH_OK);
    assert_string_equal(out.data, "id,name\n");
    pith_buffer_free(&out);
}

/* Columns in another order than the header's cost no more than their number. */
static void test_reordered_rows(void **state)
{
    (void)state;
    pith_doc *doc =
        must_parse_json("[{\"a\":1,\"b\":2,\"c\":3},{\"c\":4,\"a\":5,\"b\":6},"
                        "{\"b\":7,\"c\":8,\"a\":9}]");
    must_write_as(pith_doc_root(doc), "csv", NULL, "a,b,c\n1,2,3\n5,6,4\n9,7,8\n");
    pith_doc_free(doc);
}

static void test_sniffing(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        const char *format;
    } rows[] = {
        {"id,name\n1,Ada\n", "csv"},
        {"id;name\n1;Ada\n2;Bob", "csv"},
        {"id\tname\n1\tAda\n", "tsv"},
        {"\"id\",\"name\"\n\"1\",\"Ada, L\"\n", "csv"},
        {"\xEF\xBB\xBFid,name\r\n1,Ada\r\n", "csv"},
        {"Dear Ada, thank you.\nI saw it, and it works.\n", NULL},
        {"one line, no more\n", NULL},
        {"id,name\n", NULL},
        {"id,name\n1\n", NULL},
        {"1,2\n3,4\n", NULL},
        {"1.5e3,-2\n3,4\n", NULL},
        {"2024_sales,1st,-\n3,4,5\n", "csv"},
        {"just words\nand words\n", NULL},
        {"", NULL},
        {"[1,2]\n[3,4]\n", "ndjson"},
    };
    for (size_t i = 0; i < ROWS(rows); i++) {
        const pith_format *found =
            pith_format_of(NULL, rows[i].text, strlen(rows[i].text));
        const char *name = found ? found->name : "none";
        assert_string_equal(name, rows[i].format ? rows[i].format : "none");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_depth),
        cmocka_unit_test(test_look_ahead_is_bounded),
        cmocka_unit_test(test_wide_tables),
        cmocka_unit_test(test_rows_out),
        cmocka_unit_test(test_reordered_rows),
        cmocka_unit_test(test_sniffing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
