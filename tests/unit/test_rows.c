/*
 * test_rows.c - tables on their way out and in, one row at a time.
 *
 * The reader's tests feed one text cut at every place, and in pieces of every
 * size: what comes out must not depend on how it came in.
 */
#define _POSIX_C_SOURCE 200809L

#include "bytes.h"
#include "meter.h"
#include "testing.h"
#include "named.h"

#include <unistd.h>

/* ------------------------------------------------------------------------- out */

static const char *const columns[] = {"id", "name", "extra"};

/* What closing the table must give, which may be bytes. */
static void must_close_as_bytes(pith_rows *rows, pith_buffer *out, const char *expected,
                                size_t len)
{
    pith_error err = {0};
    pith_status status = pith_rows_close(rows, &err);
    if (status != PITH_OK)
        fprintf(stderr, "%s\n", err.message);
    assert_int_equal(status, PITH_OK);
    bool same = same_bytes("table", out->data, out->len, expected, len);
    pith_buffer_free(out);
    assert_true(same);
}

static void must_close_as(pith_rows *rows, pith_buffer *out, const char *expected)
{
    must_close_as_bytes(rows, out, expected, strlen(expected));
}

static pith_rows *must_open(const char *format, size_t count, const char *settings,
                            pith_buffer *out)
{
    pith_options options = with_settings(NULL, settings);
    *out = (pith_buffer){0};
    pith_rows *rows = rows_open_named(format, count ? columns : NULL, count, &options,
                                      pith_sink_buffer(out), NULL);
    assert_non_null(rows);
    return rows;
}

/* Two rows with cells of every kind. */
static void fill(pith_rows *rows)
{
    pith_doc *doc = must_parse_json("{\"x\":[1,\"\\n\"]}");
    pith_error err = {0};
    pith_doc_add_int64(pith_rows_row(rows), -1);
    pith_doc_add_text(pith_rows_row(rows), LIT("a\"\0"));
    pith_doc_add_value(pith_rows_row(rows), pith_doc_root(doc));
    assert_int_equal(pith_rows_end_row(rows, &err), PITH_OK);
    pith_doc_free(doc);
    pith_doc_add_uint64(pith_rows_row(rows), UINT64_MAX);
    pith_doc_add_null(pith_rows_row(rows));
    pith_doc_skip(pith_rows_row(rows));
    assert_int_equal(pith_rows_end_row(rows, &err), PITH_OK);
    pith_doc_skip(pith_rows_row(rows));
    pith_doc_add_bool(pith_rows_row(rows), true);
    pith_doc_add_double(pith_rows_row(rows), 0.5);
    assert_int_equal(pith_rows_end_row(rows, &err), PITH_OK);
    pith_doc_add_number(pith_rows_row(rows), LIT("1.50e7"));
    pith_doc_add_bool(pith_rows_row(rows), false);
    pith_doc_add_text(pith_rows_row(rows), "", 0);
    assert_int_equal(pith_rows_end_row(rows, NULL), PITH_OK);
}

static void cells(void **state)
{
    (void)state;
    pith_buffer out;
    pith_rows *rows = must_open("json", 3, NULL, &out);
    fill(rows);
    must_close_as(rows, &out,
                  "[{\"id\":-1,\"name\":\"a\\\"\\u0000\",\"extra\":{\"x\":[1,\"\\n\"]}},"
                  "{\"id\":18446744073709551615,\"name\":null},"
                  "{\"name\":true,\"extra\":0.5},"
                  "{\"id\":1.50e7,\"name\":false,\"extra\":\"\"}]");
    rows = must_open("ndjson", 3, NULL, &out);
    fill(rows);
    must_close_as(rows, &out,
                  "{\"id\":-1,\"name\":\"a\\\"\\u0000\",\"extra\":{\"x\":[1,\"\\n\"]}}\n"
                  "{\"id\":18446744073709551615,\"name\":null}\n"
                  "{\"name\":true,\"extra\":0.5}\n"
                  "{\"id\":1.50e7,\"name\":false,\"extra\":\"\"}\n");
}

/* Row by row is the same text as the whole document written at once. */
static void same_as_whole(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "[]",
        "[[]]",
        "[{}]",
        "[1]",
        "[1,\"a\",null,[2,[3]],{\"a\":{\"b\":[]}},{}]",
        "[{\"a\":1,\"b\":\"\xc3\xa9\"},{\"a\":2}]",
    };
    static const char *const settings[] = {NULL, "ascii=true", "indent=2",
                                           "indent=1 ascii=true"};
    for (size_t f = 0; pith_format_at(f); f++) {
        const pith_format *format = pith_format_at(f);
        if (!(format->direction & PITH_WRITE))
            continue;
        for (size_t s = 0; s < ROWS(settings); s++) {
            bool json = strcmp(format->name, "json") == 0;
            if (settings[s] && !json)
                continue;
            pith_options options = with_settings(NULL, settings[s]);
            for (size_t t = 0; t < ROWS(texts); t++) {
                pith_doc *doc = must_parse_json(texts[t]);
                pith_buffer whole = {0};
                pith_status status =
                    pith_value_write(pith_doc_root(doc), format->name, &options,
                                     pith_sink_buffer(&whole), NULL);
                if (status == PITH_OK) {
                    pith_buffer out = {0};
                    pith_rows *rows = pith_rows_open(format->name, NULL, 0, &options,
                                                     pith_sink_buffer(&out), NULL);
                    assert_non_null(rows);
                    for (pith_value v = pith_value_first(pith_doc_root(doc)); v.doc;
                         v = pith_value_next(v))
                        assert_int_equal(pith_rows_add_row(rows, v, NULL), PITH_OK);
                    must_close_as_bytes(rows, &out, whole.len ? whole.data : "",
                                        whole.len);
                }
                pith_buffer_free(&whole);
                pith_doc_free(doc);
            }
        }
    }
}

static void empty_tables(void **state)
{
    (void)state;
    pith_buffer out;
    for (size_t count = 0; count <= 3; count++) {
        pith_rows *rows = must_open("json", count, NULL, &out);
        must_close_as(rows, &out, "[]");
        rows = must_open("json", count, "indent=2", &out);
        must_close_as(rows, &out, "[]");
        rows = must_open("ndjson", count, NULL, &out);
        must_close_as(rows, &out, "");
    }
    /* a row in which every column is absent is still a row */
    pith_rows *rows = must_open("ndjson", 2, NULL, &out);
    pith_doc_skip(pith_rows_row(rows));
    pith_doc_skip(pith_rows_row(rows));
    assert_int_equal(pith_rows_end_row(rows, NULL), PITH_OK);
    must_close_as(rows, &out, "{}\n");
}

static void whole_rows_with_columns(void **state)
{
    (void)state;
    pith_buffer out;
    pith_rows *rows = must_open("json", 3, NULL, &out);
    static const char *const texts[] = {"{\"id\":1,\"name\":\"a\",\"extra\":[]}",
                                        "{\"extra\":2,\"id\":1}", "{}",
                                        "{\"name\":null}"};
    for (size_t i = 0; i < ROWS(texts); i++) {
        pith_doc *doc = must_parse_json(texts[i]);
        assert_int_equal(pith_rows_add_row(rows, pith_doc_root(doc), NULL), PITH_OK);
        pith_doc_free(doc);
    }
    /* the columns' order rules, and cells and whole rows mix */
    pith_doc_add_int64(pith_rows_row(rows), 9);
    pith_doc_skip(pith_rows_row(rows));
    pith_doc_skip(pith_rows_row(rows));
    assert_int_equal(pith_rows_end_row(rows, NULL), PITH_OK);
    must_close_as(rows, &out,
                  "[{\"id\":1,\"name\":\"a\",\"extra\":[]},{\"id\":1,\"extra\":2},{},"
                  "{\"name\":null},{\"id\":9}]");
}

/* Each script ends in a failure of that status; afterwards nothing helps. */
typedef void (*script)(pith_rows *rows);

static void too_few(pith_rows *rows)
{
    pith_doc_add_null(pith_rows_row(rows));
    pith_doc_add_null(pith_rows_row(rows));
    pith_rows_end_row(rows, NULL);
}

static void none_at_all(pith_rows *rows)
{
    pith_rows_end_row(rows, NULL);
}

static void too_many(pith_rows *rows)
{
    for (int i = 0; i < 4; i++)
        pith_doc_add_int64(pith_rows_row(rows), i);
    pith_rows_end_row(rows, NULL);
}

static void too_many_skipped(pith_rows *rows)
{
    for (int i = 0; i < 4; i++)
        pith_doc_skip(pith_rows_row(rows));
    pith_rows_end_row(rows, NULL);
}

static void bad_text(pith_rows *rows)
{
    pith_doc_add_text(pith_rows_row(rows), "\xff", 1);
    pith_doc_skip(pith_rows_row(rows));
    pith_doc_skip(pith_rows_row(rows));
    pith_rows_end_row(rows, NULL);
}

static void bad_number(pith_rows *rows)
{
    pith_doc_add_number(pith_rows_row(rows), "1.", 2);
    pith_doc_skip(pith_rows_row(rows));
    pith_doc_skip(pith_rows_row(rows));
    pith_rows_end_row(rows, NULL);
}

static void no_value(pith_rows *rows)
{
    pith_doc_add_value(pith_rows_row(rows), (pith_value){0});
    pith_doc_skip(pith_rows_row(rows));
    pith_doc_skip(pith_rows_row(rows));
    pith_rows_end_row(rows, NULL);
}

static void no_row(pith_rows *rows)
{
    pith_rows_add_row(rows, (pith_value){0}, NULL);
}

static void add_json_row(pith_rows *rows, const char *text)
{
    pith_doc *doc = must_parse_json(text);
    pith_rows_add_row(rows, pith_doc_root(doc), NULL);
    pith_doc_free(doc);
}

static void other_column(pith_rows *rows)
{
    add_json_row(rows, "{\"id\":1,\"other\":2}");
}

static void no_object(pith_rows *rows)
{
    add_json_row(rows, "[1,2,3]");
}

static void row_inside_row(pith_rows *rows)
{
    pith_doc_add_null(pith_rows_row(rows));
    add_json_row(rows, "{\"id\":1}");
}

static void unfinished(pith_rows *rows)
{
    pith_doc_add_null(pith_rows_row(rows));
}

static void misuse(void **state)
{
    (void)state;
    static const struct {
        script run;
        pith_status status;
    } rows[] = {
        {too_few, PITH_BAD_USE},
        {none_at_all, PITH_BAD_USE},
        {too_many, PITH_BAD_USE},
        {too_many_skipped, PITH_BAD_USE},
        {bad_text, PITH_BAD_INPUT},
        {bad_number, PITH_BAD_INPUT},
        {no_value, PITH_BAD_USE},
        {no_row, PITH_BAD_USE},
        {other_column, PITH_UNREPRESENTABLE},
        {no_object, PITH_UNREPRESENTABLE},
        {row_inside_row, PITH_BAD_USE},
        {unfinished, PITH_BAD_USE},
    };
    size_t failures = 0;
    static const char *const formats[] = {"json", "ndjson"};
    for (size_t i = 0; i < ROWS(rows); i++) {
        for (size_t f = 0; f < ROWS(formats); f++) {
            pith_buffer out;
            pith_rows *table = must_open(formats[f], 3, NULL, &out);
            rows[i].run(table);
            /* sticks: a right row does not make it good */
            if (rows[i].run != unfinished) {
                pith_doc_add_null(pith_rows_row(table));
                pith_doc_add_null(pith_rows_row(table));
                pith_doc_add_null(pith_rows_row(table));
                pith_error err = {0};
                pith_status again = pith_rows_end_row(table, &err);
                if (again != rows[i].status || err.status != again || !err.code)
                    failures++;
            }
            pith_error err = {0};
            pith_status status = pith_rows_close(table, &err);
            if (status != rows[i].status || err.status != status || !err.message[0]) {
                fprintf(stderr, "script %zu: %s %s\n", i, pith_status_name(status),
                        err.message);
                failures++;
            }
            pith_buffer_free(&out);
        }
    }
    assert_int_equal(failures, 0);

    /* without columns a row is one value */
    pith_buffer out;
    pith_rows *table = must_open("json", 0, NULL, &out);
    pith_doc_add_null(pith_rows_row(table));
    assert_int_equal(pith_rows_end_row(table, NULL), PITH_OK);
    pith_doc_open_array(pith_rows_row(table));
    pith_doc_add_int64(pith_rows_row(table), 7);
    pith_doc_close(pith_rows_row(table));
    assert_int_equal(pith_rows_end_row(table, NULL), PITH_OK);
    assert_int_equal(pith_rows_close(table, NULL), PITH_OK);
    assert_string_equal(out.data, "[null,[7]]");
    pith_buffer_free(&out);
    table = must_open("json", 0, NULL, &out);
    pith_doc_add_null(pith_rows_row(table));
    pith_doc_add_null(pith_rows_row(table));
    assert_int_equal(pith_rows_end_row(table, NULL), PITH_BAD_USE);
    assert_int_equal(pith_rows_close(table, NULL), PITH_BAD_USE);
    pith_buffer_free(&out);
    assert_int_equal(pith_rows_close(NULL, NULL), PITH_OK);
}

static void columns_that_cannot_be(void **state)
{
    (void)state;
    static const char *const twice[] = {"a", "b", "a"};
    static const char *const broken[] = {"a", "\xff"};
    pith_buffer out = {0};
    pith_error err = {0};
    assert_null(rows_open_named("json", twice, 3, NULL, pith_sink_buffer(&out), &err));
    assert_string_equal(err.code, "duplicate_key");
    assert_null(rows_open_named("json", broken, 2, NULL, pith_sink_buffer(&out), &err));
    assert_string_equal(err.code, "invalid_utf8");
    pith_options options = with_settings(NULL, "bogus=1");
    assert_null(
        rows_open_named("json", columns, 3, &options, pith_sink_buffer(&out), &err));
    assert_int_equal(err.status, PITH_BAD_USE);
    assert_int_equal(out.len, 0);
    pith_buffer_free(&out);
    /* an empty name is a name */
    static const char *const empty[] = {""};
    pith_rows *rows =
        rows_open_named("json", empty, 1, NULL, pith_sink_buffer(&out), NULL);
    assert_non_null(rows);
    pith_doc_add_null(pith_rows_row(rows));
    assert_int_equal(pith_rows_end_row(rows, NULL), PITH_OK);
    must_close_as(rows, &out, "[{\"\":null}]");
}

static void names_hold_any_character(void **state)
{
    (void)state;
    static const pith_text names[] = {PITH_TEXT("a\0b"), PITH_TEXT("a"), PITH_TEXT("")};
    pith_buffer out = {0};
    pith_rows *rows = pith_rows_open_object("json", NULL, pith_sink_buffer(&out), NULL);
    pith_rows_begin_table(rows, names[0], names, 3, false, NULL);
    for (int i = 0; i < 3; i++)
        pith_doc_add_int64(pith_rows_row(rows), i);
    assert_int_equal(pith_rows_end_row(rows, NULL), PITH_OK);
    must_close_as(rows, &out, "{\"a\\u0000b\":[{\"a\\u0000b\":0,\"a\":1,\"\":2}]}");
}

static void names_are_copied(void **state)
{
    (void)state;
    char name[] = "name";
    const char *names[] = {name};
    pith_buffer out = {0};
    pith_rows *rows =
        rows_open_named("json", names, 1, NULL, pith_sink_buffer(&out), NULL);
    assert_non_null(rows);
    memset(name, '#', 4);
    names[0] = NULL;
    pith_doc_add_int64(pith_rows_row(rows), 1);
    assert_int_equal(pith_rows_end_row(rows, NULL), PITH_OK);
    must_close_as(rows, &out, "[{\"name\":1}]");
}

static pith_status refuse(void *ctx, const char *data, size_t len)
{
    (void)data;
    size_t *room = ctx;
    if (len > *room)
        return PITH_IO;
    *room -= len;
    return PITH_OK;
}

/* A sink that has room for a megabyte: the failure is told while rows are added, not
 * only at the end, and memory does not grow with the number of rows. */
static void sinks_that_fail(void **state)
{
    (void)state;
    static const char *const formats[] = {"json", "ndjson"};
    for (size_t f = 0; f < ROWS(formats); f++) {
        size_t room = 1 << 20;
        meter counts = {0};
        pith_options options = {0};
        options.alloc = meter_alloc(&counts);
        pith_error err = {0};
        pith_rows *rows = rows_open_named(formats[f], columns, 3, &options,
                                          (pith_sink){refuse, &room}, &err);
        assert_non_null(rows);
        pith_status status = PITH_OK;
        size_t sent = 0;
        size_t settled = 0;
        for (; status == PITH_OK && sent < 100000; sent++) {
            pith_doc_add_uint64(pith_rows_row(rows), sent);
            pith_doc_add_text(pith_rows_row(rows),
                              LIT("some text that takes a little room"));
            pith_doc_add_double(pith_rows_row(rows), (double)sent / 4);
            status = pith_rows_end_row(rows, &err);
            if (sent == 100)
                settled = counts.live_bytes;
        }
        assert_int_equal(status, PITH_IO);
        assert_true(sent < 100000);
        assert_true(counts.peak_bytes <= settled + 1024);
        assert_int_equal(pith_rows_close(rows, &err), PITH_IO);
        assert_true(meter_clean(&counts));
    }
}

/* The number of rows belongs where a header was, and the header is gone. */
static void a_header_that_is_gone(void **state)
{
    (void)state;
    FILE *file = tmpfile();
    assert_non_null(file);
    for (int to_file = 0; to_file < 2; to_file++) {
        pith_buffer out = {0};
        pith_error err = {0};
        int fd = fileno(file);
        pith_sink sink = to_file ? pith_sink_fd(fd) : pith_sink_buffer(&out);
        pith_rows *rows = rows_open_named("soch-bin", columns, 1, NULL, sink, &err);
        assert_non_null(rows);
        pith_doc_add_uint64(pith_rows_row(rows), 1);
        assert_int_equal(pith_rows_end_row(rows, &err), PITH_OK);
        assert_int_equal(pith_rows_flush(rows, &err), PITH_OK);
        if (to_file) {
            assert_true(lseek(fd, 0, SEEK_CUR) > 8);
            assert_int_equal(lseek(fd, 0, SEEK_SET), 0);
        } else {
            assert_true(out.len > 8);
            out.len = 0;
        }
        assert_int_equal(pith_rows_close(rows, &err), PITH_IO);
        assert_string_equal(err.code, "write_failed");
        assert_non_null(strstr(err.message, "header"));
        pith_buffer_free(&out);
    }
    fclose(file);
}

static void output_limit(void **state)
{
    (void)state;
    pith_options options = {0};
    options.output_max = 20;
    pith_buffer out = {0};
    pith_rows *rows =
        rows_open_named("json", columns, 1, &options, pith_sink_buffer(&out), NULL);
    assert_non_null(rows);
    pith_status status = PITH_OK;
    for (int i = 0; i < 10 && status == PITH_OK; i++) {
        pith_doc_add_int64(pith_rows_row(rows), i);
        status = pith_rows_end_row(rows, NULL);
    }
    pith_error err = {0};
    assert_int_equal(pith_rows_close(rows, &err), PITH_LIMIT);
    assert_string_equal(err.code, "output_limit");
    assert_true(out.len <= 20);
    pith_buffer_free(&out);
}

static void abandoned(void **state)
{
    (void)state;
    meter counts = {0};
    pith_options options = {0};
    options.alloc = meter_alloc(&counts);
    pith_buffer out = {0};
    out.alloc = options.alloc;
    pith_rows *rows =
        rows_open_named("json", columns, 3, &options, pith_sink_buffer(&out), NULL);
    assert_non_null(rows);
    pith_doc_add_null(pith_rows_row(rows));
    pith_rows_abandon(rows);
    pith_buffer_free(&out);
    assert_true(meter_clean(&counts));
}

/* -------------------------------------------------------------------------- in */

/* Adds the rows that are there, each as compact JSON and a `;`, to `*all`. */
static pith_status take_rows(pith_reader *reader, bytes *all, pith_error *err)
{
    for (;;) {
        pith_value row = {0};
        pith_status status = pith_reader_next(reader, &row, err);
        if (status != PITH_OK || !row.doc)
            return status;
        pith_buffer out = must_write(row, "json", NULL);
        bytes_add(all, out.data, out.len);
        bytes_put(all, ";");
        pith_buffer_free(&out);
    }
}

/* Feeds a piece from a block of its own that is gone afterwards: nothing may be kept
 * of it. */
static pith_status feed_piece(pith_reader *reader, const char *text, size_t size,
                              pith_error *err)
{
    char *data = malloc(size ? size : 1);
    assert_non_null(data);
    memcpy(data, text, size);
    pith_status status = pith_reader_feed(reader, data, size, err);
    memset(data, '#', size);
    free(data);
    return status;
}

/* Reads a text: a first piece, then the rest in pieces of that size. */
static pith_status read_rows(const char *format, const char *text, size_t len,
                             size_t first, size_t piece, bytes *all, pith_error *err)
{
    pith_reader *reader = pith_reader_open(format, NULL, err);
    assert_non_null(reader);
    pith_status status = feed_piece(reader, text, first, err);
    if (status == PITH_OK)
        status = take_rows(reader, all, err);
    for (size_t at = first; status == PITH_OK && at < len; at += piece) {
        size_t size = piece < len - at ? piece : len - at;
        status = feed_piece(reader, text + at, size, err);
        if (status == PITH_OK)
            status = take_rows(reader, all, err);
    }
    if (status == PITH_OK)
        status = pith_reader_end(reader, err);
    if (status == PITH_OK)
        status = take_rows(reader, all, err);
    /* what is over stays over */
    if (status != PITH_OK) {
        pith_error again = {0};
        pith_value row = {0};
        assert_int_equal(pith_reader_next(reader, &row, &again), status);
        assert_null(row.doc);
        assert_string_equal(again.code, err->code);
        assert_int_equal(again.offset, err->offset);
        assert_int_equal(pith_reader_feed(reader, "1\n", 2, &again), status);
    } else {
        pith_value row = {0};
        assert_int_equal(pith_reader_next(reader, &row, NULL), PITH_OK);
        assert_null(row.doc);
    }
    pith_reader_free(reader);
    return status;
}

typedef struct stream {
    const char *text;
    size_t len;
    const char *rows; /* what comes out before the end or the failure */
    expected_error error;
    size_t offset;
} stream;

#define GOOD(text, rows)                                                                 \
    {                                                                                    \
        LIT(text), rows, {PITH_OK, NULL, 0, 0}, 0                                        \
    }
#define BAD(text, rows, code, line, column, offset)                                      \
    {                                                                                    \
        LIT(text), rows, {PITH_BAD_INPUT, code, line, column}, offset                    \
    }

static bool runs_stream(const char *format, const stream *s, size_t first, size_t piece)
{
    bytes all = {0};
    pith_error err = {0};
    pith_status status = read_rows(format, s->text, s->len, first, piece, &all, &err);
    bool right = status == s->error.status;
    if (!right)
        fprintf(stderr, "%s %s\n", pith_status_name(status), err.message);
    if (right && status != PITH_OK) {
        right = same_error("stream", &err, &s->error) && err.offset == s->offset;
        if (err.offset != s->offset)
            fprintf(stderr, "offset %zu\n", err.offset);
    }
    if (right)
        right = same_bytes("rows", all.ptr, all.len, s->rows, strlen(s->rows));
    if (!right) {
        fprintf(stderr, "  %s, %zu bytes first, then pieces of %zu\n", format, first,
                piece);
        show_bytes("  of", s->text, s->len);
    }
    bytes_free(&all);
    return right;
}

/* Every size of piece, and every place for one cut. */
static void run_streams(const char *format, const stream *rows, size_t count)
{
    size_t failures = 0;
    for (size_t i = 0; i < count && failures < 10; i++) {
        for (size_t piece = 1; piece <= rows[i].len + 1; piece++)
            failures += !runs_stream(format, &rows[i], 0, piece);
        for (size_t cut = 0; cut <= rows[i].len; cut++)
            failures += !runs_stream(format, &rows[i], cut, rows[i].len + 1);
    }
    assert_int_equal(failures, 0);
}

static void lines_in_pieces(void **state)
{
    (void)state;
    static const stream rows[] = {
        GOOD("", ""),
        GOOD("\n", ""),
        GOOD("\r\n \t\n\n", ""),
        GOOD("1", "1;"),
        GOOD("1\n", "1;"),
        GOOD("1\n2", "1;2;"),
        GOOD("\n1\n\n\n2\n\n", "1;2;"),
        GOOD("1\r\n2\r\n", "1;2;"),
        GOOD("1\r\n2\r", "1;2;"),
        GOOD(" {\"a\" : 1} \n\t[ ] \n", "{\"a\":1};[];"),
        GOOD("\"\\u000a\xf0\x9f\x98\x80\"\n\"\xc3\xa9\"\nnull",
             "\"\\n\xf0\x9f\x98\x80\";\"\xc3\xa9\";null;"),
        GOOD("{\"a\":{\"b\":[1,2]}}\n{\"a\":{\"b\":[]}}\n",
             "{\"a\":{\"b\":[1,2]}};{\"a\":{\"b\":[]}};"),
        /* a byte order mark at the start of the stream is dropped */
        GOOD("\xef\xbb\xbf", ""),
        GOOD("\xef\xbb\xbf{}\n[]", "{};[];"),
        GOOD("\xef\xbb\xbf\n1", "1;"),
    };
    run_streams("ndjson", rows, ROWS(rows));
}

static void faults_in_lines(void **state)
{
    (void)state;
    static const stream rows[] = {
        BAD("x", "", "invalid_literal", 1, 1, 0),
        BAD("1\n2\ntru\n4\n", "1;2;", "invalid_literal", 3, 1, 4),
        BAD("1\r\n[2 3]\r\n", "1;", "expected_separator", 2, 4, 6),
        BAD("1\n\n\n  [1,]\n", "1;", "expected_value", 4, 6, 9),
        BAD("{\"a\":1}\n{\"a\":\n1}\n", "{\"a\":1};", "unclosed", 2, 6, 13),
        BAD("1\n[1", "1;", "unclosed", 2, 3, 4),
        BAD("1\n\"abc", "1;", "unterminated_string", 2, 1, 2),
        BAD("1\n1 2\n3", "1;", "trailing_content", 2, 3, 4),
        BAD("[\"\xc3\xa9\"]\n[\"\xc3\xa9\" 1]\n", "[\"\xc3\xa9\"];", "expected_separator",
            2, 6, 13),
        BAD("1\n\"\xff\"\n", "1;", "invalid_utf8", 2, 2, 3),
        BAD("{\"a\":1,\"b\":2}\n{\"a\":1,\n", "{\"a\":1,\"b\":2};", "unclosed", 2, 8, 21),
        BAD("{\"a\":1}\n{\"a\":1,\"a\":2}\n", "{\"a\":1};", "duplicate_key", 2, 8, 15),
        /* a byte order mark anywhere else is no white space */
        BAD("1\n\xef\xbb\xbf"
            "2\n",
            "1;", "expected_value", 2, 1, 2),
        BAD("\xef\xbb\xbf\xef\xbb\xbf"
            "1\n",
            "", "expected_value", 1, 1, 3),
    };
    run_streams("ndjson", rows, ROWS(rows));
}

/* JSON has no rows to take off the front: it is collected, and its elements come at
 * the end; or the root itself when it is no array. */
static void json_in_pieces(void **state)
{
    (void)state;
    static const stream rows[] = {
        GOOD("[]", ""),
        GOOD(" [ ] ", ""),
        GOOD("[1,\n2, [3]]", "1;2;[3];"),
        GOOD("{\"a\":[1,2]}", "{\"a\":[1,2]};"),
        GOOD("7", "7;"),
        GOOD("\"\xc3\xa9\\n\"", "\"\xc3\xa9\\n\";"),
        GOOD("\xef\xbb\xbf[null]", "null;"),
        BAD("", "", "empty_input", 1, 1, 0),
        BAD("[1,\n2 3]", "", "expected_separator", 2, 3, 6),
        BAD("[1", "", "unclosed", 1, 3, 2),
        BAD("[1]\n[2]", "", "trailing_content", 2, 1, 4),
    };
    run_streams("json", rows, ROWS(rows));
}

/* A long stream with a fault far inside: line, column and offset count from its start. */
static void faults_deep_in_a_stream(void **state)
{
    (void)state;
    bytes text = {0};
    for (int i = 0; i < 5000; i++)
        bytes_print(&text, "{\"id\":%d,\"t\":\"\xe2\x82\xac\"}\n", i);
    size_t fault = text.len;
    bytes_put(&text, "{\"\xe2\x82\xac\":01}\n1\n");
    static const size_t pieces[] = {1, 7, 100, 4096, 1000000};
    for (size_t i = 0; i < ROWS(pieces); i++) {
        bytes all = {0};
        pith_error err = {0};
        pith_status status =
            read_rows("ndjson", text.ptr, text.len, 0, pieces[i], &all, &err);
        bytes_free(&all);
        assert_int_equal(status, PITH_BAD_INPUT);
        expected_error expected = {PITH_BAD_INPUT, "invalid_number", 5001, 6};
        assert_true(same_error("deep in the stream", &err, &expected));
        assert_int_equal(err.offset, fault + 7);
    }
    bytes_free(&text);
}

/* Rows of bounded size need bounded memory, however many there are. */
static void memory_is_bounded(void **state)
{
    (void)state;
    meter counts = {0};
    pith_options options = {0};
    options.alloc = meter_alloc(&counts);
    pith_reader *reader = pith_reader_open("ndjson", &options, NULL);
    assert_non_null(reader);
    size_t seen = 0, settled = 0;
    for (size_t i = 0; i < 20000; i++) {
        char line[64];
        int len = snprintf(line, sizeof line, "{\"id\":%zu,\"text\":\"a\\nb\"}\n", i);
        assert_int_equal(pith_reader_feed(reader, line, (size_t)len, NULL), PITH_OK);
        for (;;) {
            pith_value row = {0};
            assert_int_equal(pith_reader_next(reader, &row, NULL), PITH_OK);
            if (!row.doc)
                break;
            uint64_t id = 0;
            assert_true(pith_value_uint64(pith_value_get(row, LIT("id")), &id));
            assert_int_equal(id, seen);
            seen++;
        }
        if (i == 100)
            settled = counts.live_bytes;
    }
    assert_int_equal(pith_reader_end(reader, NULL), PITH_OK);
    assert_int_equal(seen, 20000);
    assert_true(counts.peak_bytes <= 2 * settled);
    pith_reader_free(reader);
    assert_true(meter_clean(&counts));
}

static void reader_order(void **state)
{
    (void)state;
    pith_error err = {0};
    pith_value row = {0};
    /* nothing was fed: nothing comes; fed after the end: a mistake */
    pith_reader *reader = pith_reader_open("ndjson", NULL, &err);
    assert_non_null(reader);
    assert_int_equal(pith_reader_next(reader, &row, &err), PITH_OK);
    assert_null(row.doc);
    assert_int_equal(pith_reader_feed(reader, NULL, 0, &err), PITH_OK);
    assert_int_equal(pith_reader_feed(reader, "1\n2", 3, &err), PITH_OK);
    assert_int_equal(pith_reader_next(reader, &row, &err), PITH_OK);
    assert_non_null(row.doc);
    assert_int_equal(pith_reader_next(reader, &row, &err), PITH_OK);
    assert_null(row.doc); /* "2" may go on */
    assert_int_equal(pith_reader_feed(reader, "3", 1, &err), PITH_OK);
    assert_int_equal(pith_reader_end(reader, &err), PITH_OK);
    assert_int_equal(pith_reader_next(reader, &row, &err), PITH_OK);
    int64_t number = 0;
    assert_true(pith_value_int64(row, &number));
    assert_int_equal(number, 23);
    assert_int_equal(pith_reader_next(reader, &row, &err), PITH_OK);
    assert_null(row.doc);
    assert_int_equal(pith_reader_feed(reader, "4", 1, &err), PITH_BAD_USE);
    assert_non_null(err.code);
    pith_reader_free(reader);

    /* a reader may be freed at any time */
    reader = pith_reader_open("ndjson", NULL, NULL);
    assert_non_null(reader);
    assert_int_equal(pith_reader_feed(reader, "[1,2", 4, NULL), PITH_OK);
    pith_reader_free(reader);
    pith_options options = with_settings("bogus=1", NULL);
    assert_null(pith_reader_open("ndjson", &options, &err));
    assert_int_equal(err.status, PITH_BAD_USE);
}

/* Settings and the depth limit hold for rows, which stand as deep as in the array of
 * all rows; the words may go after opening. */
static void reader_options(void **state)
{
    (void)state;
    char words[] = "duplicates=last";
    pith_options options = with_settings(words, NULL);
    options.depth_max = 3;
    pith_reader *reader = pith_reader_open("ndjson", &options, NULL);
    assert_non_null(reader);
    memset(words, '#', strlen(words));
    static const char text[] = "{\"a\":1,\"b\":[],\"a\":2}\n[[[]]]\n";
    assert_int_equal(pith_reader_feed(reader, LIT(text), NULL), PITH_OK);
    pith_value row = {0};
    assert_int_equal(pith_reader_next(reader, &row, NULL), PITH_OK);
    must_write_as(row, "json", NULL, "{\"a\":2,\"b\":[]}");
    pith_error err = {0};
    assert_int_equal(pith_reader_next(reader, &row, &err), PITH_LIMIT);
    assert_string_equal(err.code, "depth_limit");
    assert_int_equal(err.line, 2);
    assert_int_equal(err.column, 3);
    pith_reader_free(reader);
}

/* NDJSON as a whole document. */
static void lines_as_a_document(void **state)
{
    (void)state;
    pith_doc *doc =
        must_parse("ndjson", LIT("\xef\xbb\xbf{\"a\":1}\r\n\r\n[2]\n3"), NULL);
    must_hold_json(doc, "[{\"a\":1},[2],3]");
    must_write_as(pith_doc_root(doc), "ndjson", NULL, "{\"a\":1}\n[2]\n3\n");
    pith_doc_free(doc);
    doc = must_parse("ndjson", LIT(""), NULL);
    must_hold_json(doc, "[]");
    pith_doc_free(doc);
    doc = must_parse_json("[\"\xc3\xa9\\n\"]");
    must_write_as(pith_doc_root(doc), "ndjson", "ascii=true", "\"\\u00e9\\n\"\n");
    pith_doc_free(doc);
    /* only an array has lines */
    static const char *const others[] = {"{\"a\":1}", "1", "null", "\"a\""};
    for (size_t i = 0; i < ROWS(others); i++) {
        doc = must_parse_json(others[i]);
        pith_buffer out = {0};
        pith_error err = {0};
        assert_int_equal(pith_value_write(pith_doc_root(doc), "ndjson", NULL,
                                          pith_sink_buffer(&out), &err),
                         PITH_UNREPRESENTABLE);
        assert_non_null(err.code);
        assert_int_equal(out.len, 0);
        pith_buffer_free(&out);
        pith_doc_free(doc);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cells),
        cmocka_unit_test(same_as_whole),
        cmocka_unit_test(empty_tables),
        cmocka_unit_test(whole_rows_with_columns),
        cmocka_unit_test(misuse),
        cmocka_unit_test(columns_that_cannot_be),
        cmocka_unit_test(names_hold_any_character),
        cmocka_unit_test(names_are_copied),
        cmocka_unit_test(sinks_that_fail),
        cmocka_unit_test(a_header_that_is_gone),
        cmocka_unit_test(output_limit),
        cmocka_unit_test(abandoned),
        cmocka_unit_test(lines_in_pieces),
        cmocka_unit_test(faults_in_lines),
        cmocka_unit_test(json_in_pieces),
        cmocka_unit_test(faults_deep_in_a_stream),
        cmocka_unit_test(memory_is_bounded),
        cmocka_unit_test(reader_order),
        cmocka_unit_test(reader_options),
        cmocka_unit_test(lines_as_a_document),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
