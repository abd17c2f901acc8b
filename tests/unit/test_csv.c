/*
 * test_csv.c - CSV and TSV: what cells mean, what is refused, and the way back.
 *
 * Every text that is read is read three times: whole, in one piece through the reader
 * of rows, and byte by byte. All three must give the same rows or the same error.
 */
#include "testing.h"

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
    if (doc) {
        as_lines(pith_doc_root(doc), &lines);
    }
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

typedef struct reading {
    const char *text;
    size_t len;
    const char *settings;
    const char *json; /* NULL: an error */
    expected_error error;
    const char *says; /* part of the message */
} reading;

static void check_reading(const char *format, const reading *row)
{
    pith_options options = with_settings(row->settings, NULL);
    pith_error err = {0};
    pith_doc *doc = pith_doc_parse(format, row->text, row->len, &options, &err);
    if (doc && row->json) {
        pith_buffer out = must_write(pith_doc_root(doc), "json", NULL);
        if (!same_bytes("read", out.data, out.len, row->json, strlen(row->json))) {
            show_bytes("text", row->text, row->len);
            failures++;
        }
        pith_buffer_free(&out);
    } else if (doc || row->json) {
        show_bytes(doc ? "should be refused" : err.message, row->text, row->len);
        failures++;
    } else if (!same_error("error", &err, &row->error) ||
               (row->says && !strstr(err.message, row->says))) {
        fprintf(stderr, "message: %s\n", err.message);
        failures++;
    }
    check_pieces(format, row->text, row->len, &options, doc, &err);
    pith_doc_free(doc);
}

/* Tables keep their own size, so the count is not lost on the way. */
#define CHECK_READINGS(format, rows)                                                     \
    do {                                                                                 \
        failures = 0;                                                                    \
        for (size_t row_index = 0; row_index < ROWS(rows); row_index++) {                \
            check_reading(format, &(rows)[row_index]);                                   \
        }                                                                                \
        assert_int_equal(failures, 0);                                                   \
    } while (0)

#define READS(text, settings, json)                                                      \
    {                                                                                    \
        LIT(text), settings, json, {PITH_OK, NULL, 0, 0}, NULL                           \
    }
#define REFUSES(text, settings, code, line, column, says)                                \
    {                                                                                    \
        LIT(text), settings, NULL, {PITH_BAD_INPUT, code, line, column}, says            \
    }

/* ------------------------------------------------------------------------ reading */

static void test_shapes_of_files(void **state)
{
    (void)state;
    static const reading rows[] = {
        READS("a,b\n1,2\n", NULL, "[{\"a\":1,\"b\":2}]"),
        READS("a,b\r\n1,2\r\n", NULL, "[{\"a\":1,\"b\":2}]"),
        READS("a,b\r1,2\r", NULL, "[{\"a\":1,\"b\":2}]"),
        READS("a,b\n1,2", NULL, "[{\"a\":1,\"b\":2}]"),
        READS("\xEF\xBB\xBF"
              "a,b\n1,2",
              NULL, "[{\"a\":1,\"b\":2}]"),
        READS("\n\r\na,b\n\n1,2\n\n\n", NULL, "[{\"a\":1,\"b\":2}]"),
        READS("", NULL, "[]"),
        READS("\xEF\xBB\xBF", NULL, "[]"),
        READS("\n\n", NULL, "[]"),
        READS("a,b", NULL, "[]"),
        READS("a,b\n", NULL, "[]"),
        READS("\"a\",\"b\"\"c\",\"d,e\",\"f\ng\"\n1,2,3,4", NULL,
              "[{\"a\":1,\"b\\\"c\":2,\"d,e\":3,\"f\\ng\":4}]"),
        READS("a,b\n\"x\r\ny\",\"p,q\"\n", NULL, "[{\"a\":\"x\\r\\ny\",\"b\":\"p,q\"}]"),
        READS("a,b\n\"\"\"\",\"say \"\"hi\"\"\"\n", NULL,
              "[{\"a\":\"\\\"\",\"b\":\"say \\\"hi\\\"\"}]"),
        READS("size,b\n5\" disk,a\"b\n", NULL,
              "[{\"size\":\"5\\\" disk\",\"b\":\"a\\\"b\"}]"),
        READS("a,b\nx\0y,\"p\0q\"\n", NULL,
              "[{\"a\":\"x\\u0000y\",\"b\":\"p\\u0000q\"}]"),
        READS("a,\n1,2\n", NULL, "[{\"a\":1,\"\":2}]"),
        READS("a,b\n\xF0\x9F\x98\x80,\"\xC3\xA9\"\n", NULL,
              "[{\"a\":\"\xF0\x9F\x98\x80\",\"b\":\"\xC3\xA9\"}]"),
    };
    CHECK_READINGS("csv", rows);
}

static void test_delimiters(void **state)
{
    (void)state;
    static const reading rows[] = {
        READS("a;b\n1;2,5\n", NULL, "[{\"a\":1,\"b\":\"2,5\"}]"),
        READS("a\tb\n1\t2\n", NULL, "[{\"a\":1,\"b\":2}]"),
        READS("a;b,c\n1;2,3\n", NULL, "[{\"a;b\":\"1;2\",\"c\":3}]"),
        READS("\"a,b\";c\n1;2\n", NULL, "[{\"a,b\":1,\"c\":2}]"),
        READS("a|b\n1|2\n", NULL, "[{\"a|b\":\"1|2\"}]"),
        READS("a|b\n1|2\n", "delimiter=pipe", "[{\"a\":1,\"b\":2}]"),
        READS("a;b\n1;2\n", "delimiter=comma", "[{\"a;b\":\"1;2\"}]"),
        READS("a,b\n1;2\n", "delimiter=semicolon", NULL),
        READS("sep=;\r\na;b\r\n1;2\r\n", NULL, "[{\"a\":1,\"b\":2}]"),
        READS("sep=|\na|b\n1|2\n", NULL, "[{\"a\":1,\"b\":2}]"),
        READS("\"sep=;\"\n1\n", NULL, "[{\"sep=;\":1}]"),
        READS("sep=;", NULL, "[]"),
        READS("sep=;\n1;2\n", "delimiter=comma", "[{\"sep=;\":\"1;2\"}]"),
        /* The quote is none where the comma turns out to cut. */
        READS("a,b;\"x\ny\",2\n", NULL, "[{\"a\":\"y\\\"\",\"b;\\\"x\":2}]"),
        /* And it is one behind the comma, so that the header is longer than it seemed. */
        READS(":\"a;\",\"b,c\r\n\"\n1,2\n", "types=cells",
              "[{\":\\\"a;\\\"\":1,\"b,c\\r\\n\":2}]"),
    };
    failures = 0;
    for (size_t i = 0; i < ROWS(rows); i++) {
        reading row = rows[i];
        if (!row.json) { /* one column, then a row of one cell: not what it seems */
            row.error = (expected_error){PITH_BAD_INPUT, "row_width_mismatch", 2, 3};
        }
        check_reading("csv", &row);
    }
    assert_int_equal(failures, 0);
    static const reading tabs[] = {
        READS("a\tb\n1\t\"x\ty\"\n", NULL, "[{\"a\":1,\"b\":\"x\\ty\"}]"),
        READS("a,b\n1,2\n", NULL, "[{\"a,b\":\"1,2\"}]"),
    };
    CHECK_READINGS("tsv", tabs);
}

static void test_types(void **state)
{
    (void)state;
    static const reading rows[] = {
        READS("a\n1\n-0\n1.50\n1e5\n-2E+3\n123456789012345678901234567890\n", NULL,
              "[{\"a\":1},{\"a\":-0},{\"a\":1.50},{\"a\":1e5},{\"a\":-2E+3},"
              "{\"a\":123456789012345678901234567890}]"),
        /* One text and the column is text, but for what is empty. */
        READS("a,b\n1,1\n1e5,2\n007,3\n,4\n", NULL,
              "[{\"a\":\"1\",\"b\":1},{\"a\":\"1e5\",\"b\":2},{\"a\":\"007\",\"b\":3},"
              "{\"a\":null,\"b\":4}]"),
        READS("a,b\ntrue,1\nTRUE,2\n", NULL,
              "[{\"a\":\"true\",\"b\":1},{\"a\":\"TRUE\",\"b\":2}]"),
        READS("a,b\ntrue,1\n12,2\nfalse,\n", NULL,
              "[{\"a\":true,\"b\":1},{\"a\":12,\"b\":2},{\"a\":false,\"b\":null}]"),
        /* What is quoted is text and has no say. */
        READS("a,b\n1,\"1\"\n\"x\",2\n\"\",\n", NULL,
              "[{\"a\":1,\"b\":\"1\"},{\"a\":\"x\",\"b\":2},{\"a\":\"\",\"b\":null}]"),
        READS("a\n+1\n", NULL, "[{\"a\":\"+1\"}]"),
        READS("a\n 1\n", NULL, "[{\"a\":\" 1\"}]"),
        READS("a\n1 \n", NULL, "[{\"a\":\"1 \"}]"),
        READS("a\n.5\n", NULL, "[{\"a\":\".5\"}]"),
        READS("a\n5.\n", NULL, "[{\"a\":\"5.\"}]"),
        READS("a\n0x1F\n", NULL, "[{\"a\":\"0x1F\"}]"),
        READS("a\nnull\n", NULL, "[{\"a\":\"null\"}]"),
        READS("a\nNaN\n", NULL, "[{\"a\":\"NaN\"}]"),
        READS("a\n-\n", NULL, "[{\"a\":\"-\"}]"),
        /* A row that is one empty cell is a line with nothing in it. */
        READS("a\n1\n\n2\n", NULL, "[{\"a\":1},{\"a\":null},{\"a\":2}]"),
        READS("a,b\n1,x\n2,3\n007,4\n", "types=cells",
              "[{\"a\":1,\"b\":\"x\"},{\"a\":2,\"b\":3},{\"a\":\"007\",\"b\":4}]"),
        READS("a,b\n1,\ntrue,\"\"\n", "types=text",
              "[{\"a\":\"1\",\"b\":\"\"},{\"a\":\"true\",\"b\":\"\"}]"),
        READS(
            "1,2\n3,x\n", "header=false",
            "[{\"column_1\":1,\"column_2\":\"2\"},{\"column_1\":3,\"column_2\":\"x\"}]"),
        READS("a,b,a\n1,2,3\n", "duplicates=number", "[{\"a\":1,\"b\":2,\"a_3\":3}]"),
    };
    CHECK_READINGS("csv", rows);
}

static void test_refusals(void **state)
{
    (void)state;
    static const reading rows[] = {
        REFUSES("a,b\n1,2\n1,2,3\n", NULL, "row_width_mismatch", 3, 5,
                "row 2: expected 2 cells, as in the header, found 3"),
        REFUSES("a,b,c\n1\n", NULL, "row_width_mismatch", 2, 2,
                "row 1: expected 3 cells, as in the header, found 1"),
        REFUSES("a,b\n1,2,3,4", NULL, "row_width_mismatch", 2, 5, "found 4"),
        REFUSES("a\n1,2\n", NULL, "row_width_mismatch", 2, 3, "expected 1 cell,"),
        REFUSES("a,b\n\n\n\"x\ny\",2,3\n", NULL, "row_width_mismatch", 5, 6, "row 1"),
        REFUSES("a,b\n1,\"2\n3,4\n", NULL, "unterminated_string", 2, 3, NULL),
        REFUSES("a,\"b\n", NULL, "unterminated_string", 1, 3, NULL),
        REFUSES("a,b\n\"1\"x,2\n", NULL, "expected_separator", 2, 4, NULL),
        REFUSES("a,b\n\"1\" ,2\n", NULL, "expected_separator", 2, 4, NULL),
        REFUSES("a,b\n1,x\xFFy\n", NULL, "invalid_utf8", 2, 4, "0xFF"),
        REFUSES("a,b\n1,\"\"\"\xC3\"\n", NULL, "invalid_utf8", 2, 6, "0xC3"),
        REFUSES("a,\xC0\n1,2\n", NULL, "invalid_utf8", 1, 3, NULL),
        REFUSES("a,b,a\n1,2,3\n", NULL, "duplicate_key", 1, 1, "columns 1 and 3"),
        REFUSES(",\n", NULL, "duplicate_key", 1, 1, "columns 1 and 2"),
        REFUSES("a_3,a,a\n1,2,3\n", "duplicates=number", "duplicate_key", 1, 1,
                "columns 1 and 3"),
    };
    CHECK_READINGS("csv", rows);
}

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

static bool note_code(void *ctx, const pith_error *problem)
{
    pith_buffer *codes = (pith_buffer *)ctx;
    char text[96];
    int len = snprintf(text, sizeof text, "%zu:%zu %s\n", problem->line, problem->column,
                       problem->code);
    pith_sink_buffer(codes).write(codes, text, (size_t)len);
    return true;
}

static void test_every_problem_is_reported(void **state)
{
    (void)state;
    const char *text = "a,b,a\n1,2\n\"x\"y,2,3\n4,5,6\n7,\xFF,9\n1,2,3,4\n5,\"";
    const char *expected = "1:1 duplicate_key\n2:4 row_width_mismatch\n"
                           "3:4 expected_separator\n5:3 invalid_utf8\n"
                           "6:7 row_width_mismatch\n7:3 unterminated_string\n";
    pith_buffer codes = {0};
    pith_error err;
    pith_status status =
        pith_check("csv", text, strlen(text), NULL, note_code, &codes, &err);
    assert_int_equal(status, PITH_BAD_INPUT);
    assert_string_equal(codes.data, expected);
    pith_buffer_free(&codes);
}

/* The look ahead ends at a mebibyte, and does so alike whole and in pieces. */
static void test_look_ahead_is_bounded(void **state)
{
    (void)state;
    enum { LOOK = 1024 * 1024, EXTRA = 64, ROW = 1024 };
    char *text = (char *)malloc(LOOK + EXTRA);
    assert_non_null(text);
    /* The last row that counts ends one byte before, at, or one byte behind the bound. */
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
        if (!doc) {
            fail_msg("%s", err.message);
        }
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

typedef struct writing {
    const char *json;
    const char *settings;
    const char *text; /* NULL: an error */
    const char *code;
    const char *says;
} writing;

static void test_writing(void **state)
{
    (void)state;
    static const writing rows[] = {
        {"[]", NULL, "", NULL, NULL},
        {"[{\"a\":1,\"b\":\"x\"}]", NULL, "a,b\n1,\"x\"\n", NULL, NULL},
        {"[{\"a\":null,\"b\":\"\"},{\"a\":true,\"b\":\"q\\\"r\"}]", NULL,
         "a,b\n,\"\"\ntrue,\"q\"\"r\"\n", NULL, NULL},
        {"[{\"a\":\"1\",\"b\":\"x,y\"},{\"a\":\"p\",\"b\":\"l\\nm\"}]", "quote=needed",
         "a,b\n\"1\",\"x,y\"\np,\"l\nm\"\n", NULL, NULL},
        {"[{\"a\":\"true\",\"b\":\" x\"},{\"a\":\"True\",\"b\":\"x\\t\"}]",
         "quote=needed", "a,b\n\"true\",\" x\"\nTrue,\"x\t\"\n", NULL, NULL},
        {"[{\"a\":\"1;2\",\"b\":\"1,2\"}]", "quote=needed delimiter=semicolon",
         "a;b\n\"1;2\";1,2\n", NULL, NULL},
        {"[{\"a\":1}]", "newline=crlf", "a\r\n1\r\n", NULL, NULL},
        {"[{\"a\":1}]", "header=false", "1\n", NULL, NULL},
        {"[{\"a\":1,\"b\":2},{\"b\":3,\"a\":4}]", NULL, "a,b\n1,2\n4,3\n", NULL, NULL},
        {"[{\"\":1,\"x,y\":2,\"1\":3}]", NULL, "\"\",\"x,y\",\"1\"\n1,2,3\n", NULL, NULL},
        {"[{\"a;b\":1}]", NULL, "\"a;b\"\n1\n", NULL, NULL},
        {"[{\"sep=;\":1}]", NULL, "\"sep=;\"\n1\n", NULL, NULL},
        {"[{\"\xEF\xBB\xBFx\":1}]", NULL, "\"\xEF\xBB\xBFx\"\n1\n", NULL, NULL},
        {"[{\"a\":null},{\"a\":2}]", NULL, "a\n\n2\n", NULL, NULL},
        {"[{\"a\":[1,{\"k\":\"v\\\"w\"}],\"b\":{}}]", "nested=json",
         "a,b\n\"[1,{\"\"k\"\":\"\"v\\\"\"w\"\"}]\",\"{}\"\n", NULL, NULL},
        {"[{\"a\":1,\"b\":2},{\"b\":3}]", "absent=null", "a,b\n1,2\n,3\n", NULL, NULL},
        {"[{\"a\":1,\"b\":2},{\"b\":3}]", NULL, NULL, "missing_field", "row 2"},
        {"[{\"a\":1},{\"a\":2,\"b\":3}]", "absent=null", NULL, "extra_field", "\"b\""},
        {"[{\"a\":1,\"tags\":[1]}]", NULL, NULL, "nested_value", "\"tags\""},
        {"{\"a\":1}", NULL, NULL, "not_an_array", NULL},
        {"[{\"a\":1},2]", NULL, NULL, "not_an_object", "row 2"},
        {"[{}]", NULL, NULL, "no_fields", "row 1"},
    };
    for (size_t i = 0; i < ROWS(rows); i++) {
        const writing *row = &rows[i];
        pith_doc *doc = must_parse_json(row->json);
        pith_options options = with_settings(NULL, row->settings);
        pith_buffer out = {0};
        pith_error err = {0};
        pith_status status = pith_value_write(pith_doc_root(doc), "csv", &options,
                                              pith_sink_buffer(&out), &err);
        if (row->text) {
            assert_int_equal(status, PITH_OK);
            assert_true(
                same_bytes(row->json, out.data, out.len, row->text, strlen(row->text)));
        } else {
            assert_int_equal(status, PITH_UNREPRESENTABLE);
            assert_string_equal(err.code, row->code);
            assert_true(!row->says || strstr(err.message, row->says));
        }
        pith_buffer_free(&out);
        pith_doc_free(doc);
    }
}

/* Types survive the way there and back, in both formats and with either quoting where
 * the column is of one kind. */
static void test_round_trip(void **state)
{
    (void)state;
    static const char *const tables[] = {
        "[{\"a\":1,\"b\":\"1\"},{\"a\":\"x\",\"b\":2}]",
        "[{\"a\":\"007\"},{\"a\":7},{\"a\":true},{\"a\":\"true\"},{\"a\":null},{\"a\":\"\"}]",
        "[{\"a\":\"null\",\"b\":\"\\u0000\\r\\n\\t\"},{\"a\":1.50,\"b\":\" \"}]",
        "[{\"a\":-0.0,\"b\":1e400},{\"a\":1E-9,\"b\":12345678901234567890123}]",
        "[{\"\":null}]",
        "[{\"\\n\":1,\"\\\"\":2,\";\":3}]",
        "[{\"a;b\":1},{\"a;b\":2}]",
    };
    static const char *const formats[] = {"csv", "tsv"};
    for (size_t i = 0; i < ROWS(tables) * ROWS(formats); i++) {
        const char *format = formats[i % ROWS(formats)];
        pith_doc *doc = must_parse_json(tables[i / ROWS(formats)]);
        pith_buffer text = must_write(pith_doc_root(doc), format, NULL);
        pith_doc *back = must_parse(format, text.data, text.len, NULL);
        must_hold_json(back, tables[i / ROWS(formats)]);
        pith_doc_free(back);
        pith_buffer_free(&text);
        pith_doc_free(doc);
    }
}

static void test_rows_out(void **state)
{
    (void)state;
    static const char *const columns[] = {"id", "name"};
    pith_buffer out = {0};
    pith_error err;
    pith_rows *rows =
        pith_rows_open("csv", columns, 2, NULL, pith_sink_buffer(&out), &err);
    assert_non_null(rows);
    pith_rows_add_int64(rows, 1);
    pith_rows_add_text(rows, LIT("Ada"));
    assert_int_equal(pith_rows_end_row(rows, &err), PITH_OK);
    pith_rows_add_null(rows);
    pith_rows_skip(rows);
    assert_int_equal(pith_rows_end_row(rows, &err), PITH_UNREPRESENTABLE);
    assert_string_equal(err.code, "missing_field");
    pith_rows_flush(rows, NULL);
    pith_rows_abandon(rows);
    pith_buffer_free(&out);

    /* No rows: the header is there all the same. */
    rows = pith_rows_open("csv", columns, 2, NULL, pith_sink_buffer(&out), &err);
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
        const pith_format *found = pith_format_sniff(rows[i].text, strlen(rows[i].text));
        const char *name = found ? found->name : "none";
        assert_string_equal(name, rows[i].format ? rows[i].format : "none");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_shapes_of_files),
        cmocka_unit_test(test_delimiters),
        cmocka_unit_test(test_types),
        cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_depth),
        cmocka_unit_test(test_every_problem_is_reported),
        cmocka_unit_test(test_look_ahead_is_bounded),
        cmocka_unit_test(test_wide_tables),
        cmocka_unit_test(test_writing),
        cmocka_unit_test(test_round_trip),
        cmocka_unit_test(test_rows_out),
        cmocka_unit_test(test_reordered_rows),
        cmocka_unit_test(test_sniffing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
