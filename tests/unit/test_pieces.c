/*
 * test_pieces.c - a text means the same in whatever pieces it arrives, in every format.
 *
 * Values are written in every format that can be read, and mistakes are made in the texts.
 * Each is fed at once, in pieces of 1, 2, 3 and 7 bytes, and cut in two at every place: the
 * rows must be the same, and so must the error, with its place. Then each reader of rows is
 * starved: it is called at every byte of every row, whether or not a row can end there.
 */
#include "bytes.h"
#include "random.h"
#include "testing.h"

#include "base/alloc.h"
#include "format/format.h"

static const char *const values[] = {
    "[]",
    "[{\"id\":1,\"name\":\"Ada\"},{\"id\":2,\"name\":\"Bob\"},{\"id\":3,\"name\":null}]",
    "[{\"a\":\"x,y;z|w\",\"b\":\"\\\"q\\\"\",\"c\":-1.5e3},"
    "{\"a\":\"\",\"b\":\"007\",\"c\":true},{\"a\":\" s \",\"b\":\"two\\nlines\",\"c\":0}]",
    "[{\"k\":\"\u00e9\u4e16\",\"n\":12},{\"k\":\"\U0001f600\",\"n\":-7},{\"k\":\"z\",\"n\":1}]",
    "[{\"id\":1,\"t\":[1,2,[]],\"o\":{\"x\":1,\"y\":{\"z\":\"[;]\"}}},"
    "{\"id\":2,\"t\":[],\"o\":{}},{\"id\":3,\"t\":[{\"p\":1},{\"p\":2}],\"o\":null}]",
    "[{\"a\":1,\"b\":2},{\"a\":3},{\"b\":4,\"c\":5},{}]",
    "[{\"only\":\"\"},{\"only\":\"x\"},{\"only\":\"\"}]",
    "{\"rows\":[{\"id\":1,\"v\":\"a\"},{\"id\":2,\"v\":\"b\"}]}",
    "{\"k\":1,\"l\":[1,2,3]}",
    "[1,\"two\",null,[3]]",
};

/* ------------------------------------------------------------------- through the calls */

typedef struct reading_result {
    bytes rows;
    pith_error err;
} reading_result;

static void take_all(pith_reader *reader, reading_result *result, pith_status *status)
{
    pith_value row = {0};
    while (*status == PITH_OK) {
        *status = pith_reader_next(reader, &row, &result->err);
        if (*status != PITH_OK || !row.doc)
            return;
        pith_buffer out = must_write(row, "json", NULL);
        bytes_add(&result->rows, out.data, out.len);
        bytes_put(&result->rows, "\n");
        pith_buffer_free(&out);
    }
}

/* The first piece has `first` bytes, each other `size`. */
static reading_result read_pieces(const char *format, const bytes *text, size_t first,
                                  size_t size)
{
    reading_result result = {0};
    pith_reader *reader = pith_reader_open(format, NULL, &result.err);
    pith_status status = PITH_OK;
    assert_non_null(reader);
    for (size_t at = 0; at < text->len && status == PITH_OK;) {
        size_t most = at == 0 ? first : size;
        size_t piece = most < text->len - at ? most : text->len - at;
        status = pith_reader_feed(reader, text->ptr + at, piece, &result.err);
        take_all(reader, &result, &status);
        at += piece;
    }
    if (status == PITH_OK)
        status = pith_reader_end(reader, &result.err);
    take_all(reader, &result, &status);
    pith_reader_free(reader);
    return result;
}

static bool is_same(const reading_result *a, const reading_result *b)
{
    return a->rows.len == b->rows.len &&
           (a->rows.len == 0 || memcmp(a->rows.ptr, b->rows.ptr, a->rows.len) == 0) &&
           a->err.status == b->err.status &&
           (a->err.status == PITH_OK ||
            (strcmp(a->err.code, b->err.code) == 0 && a->err.offset == b->err.offset &&
             a->err.line == b->err.line && a->err.column == b->err.column &&
             strcmp(a->err.message, b->err.message) == 0));
}

static size_t compare(const char *format, const bytes *text,
                      const reading_result *expected, size_t first, size_t size)
{
    reading_result found = read_pieces(format, text, first, size);
    bool same = is_same(expected, &found);
    if (!same) {
        fprintf(stderr, "%s in pieces of %zu, then %zu:\n%.*s\n", format, first, size,
                (int)text->len, text->ptr);
        fprintf(stderr, "  expected %s %zu: %s\n%.*s", expected->err.code,
                expected->err.offset, expected->err.message, (int)expected->rows.len,
                expected->rows.ptr ? expected->rows.ptr : "");
        fprintf(stderr, "  found %s %zu: %s\n%.*s", found.err.code, found.err.offset,
                found.err.message, (int)found.rows.len,
                found.rows.ptr ? found.rows.ptr : "");
    }
    bytes_free(&found.rows);
    return !same;
}

/* ----------------------------------------------------------------------------- starving */

/* Calls the format's reader with one byte more each time, in a block of its own, until the
 * row is there. Stops where the text has to be read whole. */
static bool starve(const codec *from, const settings *set, const bytes *text,
                   reading_result *result)
{
    pith_doc *doc = pith_doc_new(NULL);
    void *state = calloc(1, from->read_rows->state_size);
    read_event event = READ_MORE;
    size_t at = 0;
    size_t end = 0;
    assert_non_null(doc);
    assert_non_null(state);
    while (event == READ_MORE || event == READ_ROW) {
        reporter report;
        size_t len = end - at;
        char *block = malloc(len ? len : 1);
        assert_non_null(block);
        if (len > 0)
            memcpy(block, text->ptr + at, len);
        report_init(&report, text_of(block, len));
        report.start.offset = at;
        read_job job = {.doc = doc,
                        .set = set,
                        .report = &report,
                        .input = text_of(block, len),
                        .ended = end == text->len};
        pith_doc_reset(doc);
        event = from->read_rows->read(state, &job);
        assert_true(event != READ_MORE || end < text->len);
        if (event == READ_ROW) {
            doc->finished = true;
            doc_mark_near_end(doc, report.input, SIZE_MAX);
            pith_buffer out = must_write(pith_doc_root(doc), "json", NULL);
            bytes_add(&result->rows, out.data, out.len);
            bytes_put(&result->rows, "\n");
            pith_buffer_free(&out);
        }
        report_result(&report, &result->err);
        at += job.used;
        end = event == READ_ROW ? at : end + 1;
        free(block);
    }
    pith_alloc alloc = alloc_from(NULL);
    if (from->read_rows->close)
        from->read_rows->close(state, &alloc);
    free(state);
    pith_doc_free(doc);
    return event != READ_COLLECT;
}

static size_t compare_starved(const codec *from, const bytes *text,
                              const reading_result *expected)
{
    settings set;
    reading_result found = {0};
    assert_int_equal(settings_read(&set, &from->info, PITH_READ, NULL, NULL), PITH_OK);
    bool rows = starve(from, &set, text, &found);
    bool same =
        !rows || (found.rows.len == expected->rows.len &&
                  (found.rows.len == 0 ||
                   memcmp(found.rows.ptr, expected->rows.ptr, found.rows.len) == 0) &&
                  found.err.status == expected->err.status &&
                  (found.err.status == PITH_OK ||
                   strcmp(found.err.code, expected->err.code) == 0));
    if (!same)
        fprintf(stderr, "%s starved:\n%.*s\n  expected %s, found %s: %s\n%.*s",
                from->info.name, (int)text->len, text->ptr, expected->err.code,
                found.err.code, found.err.message, (int)found.rows.len,
                found.rows.ptr ? found.rows.ptr : "");
    bytes_free(&found.rows);
    return !same;
}

/* -------------------------------------------------------------------------------- texts */

static size_t check_text(const codec *from, const bytes *text, bool cut)
{
    static const size_t sizes[] = {1, 2, 3, 7};
    const char *format = from->info.name;
    size_t failures = 0;
    reading_result expected = read_pieces(format, text, text->len, text->len);
    for (size_t i = 0; i < ROWS(sizes); i++)
        failures += compare(format, text, &expected, sizes[i], sizes[i]);
    for (size_t at = 1; cut && at < text->len; at++)
        failures += compare(format, text, &expected, at, text->len);
    if (from->read_rows)
        failures += compare_starved(from, text, &expected);
    bytes_free(&expected.rows);
    return failures;
}

/* A copy with one byte put in, left out or replaced. */
static bytes spoil(const pith_buffer *text, uint64_t *seed)
{
    static const char marks[] = "\"\\[]{},;:|@#.^~?-0\n\r\t \xff\xe2";
    bytes spoiled = {0};
    size_t at = random_below(seed, text->len);
    size_t way = random_below(seed, 3);
    bytes_add(&spoiled, text->data, at);
    if (way > 0)
        bytes_add(&spoiled, &marks[random_below(seed, sizeof marks - 1)], 1);
    size_t after = way == 2 ? at : at + 1;
    bytes_add(&spoiled, text->data + after, text->len - after);
    return spoiled;
}

static size_t check_value(const codec *from, const char *json, uint64_t *seed)
{
    pith_options options = {0};
    pith_buffer out = {0};
    size_t failures = 0;
    if (strcmp(from->info.name, "csv") == 0 || strcmp(from->info.name, "tsv") == 0)
        options.write = "nested=json absent=null";
    if (strncmp(from->info.name, "soch", 4) == 0)
        options.write = "fill-missing=true";
    if (pith_convert("json", from->info.name, json, strlen(json), &options,
                     pith_sink_buffer(&out), NULL) == PITH_OK &&
        out.len > 0) {
        bytes text = {0};
        bytes_add(&text, out.data, out.len);
        failures += check_text(from, &text, true);
        bytes_free(&text);
        for (int i = 0; i < 24; i++) {
            text = spoil(&out, seed);
            failures += check_text(from, &text, i < 3);
            bytes_free(&text);
        }
    }
    pith_buffer_free(&out);
    return failures;
}

static void pieces_change_nothing(void **state)
{
    (void)state;
    size_t failures = 0;
    uint64_t seed = 1;
    for (size_t i = 0; format_at(i); i++) {
        const codec *from = format_at(i);
        if (!(from->info.direction & PITH_READ) || !(from->info.direction & PITH_WRITE))
            continue;
        for (size_t k = 0; k < ROWS(values); k++)
            failures += check_value(from, values[k], &seed);
    }
    assert_int_equal(failures, 0);
}

/* A table whose rows can be told apart gives them before it ends, and no more than it
 * declares. */
static void rows_of_toon_do_not_wait(void **state)
{
    (void)state;
    static const char *const texts[][2] = {{"toon", "[1]{a,b}:\n  1,2\n  3,4\n"},
                                           {"toon-rows", "[1,]{a,b}:\n  1,2\n  3,4\n"}};
    for (size_t i = 0; i < ROWS(texts); i++) {
        pith_error err;
        pith_value row;
        pith_reader *reader = pith_reader_open(texts[i][0], NULL, &err);
        assert_non_null(reader);
        const char *text = texts[i][1];
        assert_int_equal(pith_reader_feed(reader, text, strlen(text), &err), PITH_OK);
        assert_int_equal(pith_reader_next(reader, &row, &err), PITH_OK);
        assert_non_null(row.doc);
        pith_buffer out = must_write(row, "json", NULL);
        assert_string_equal(out.data, "{\"a\":1,\"b\":2}");
        pith_buffer_free(&out);
        assert_int_equal(pith_reader_next(reader, &row, &err), PITH_OK);
        assert_null(row.doc);
        assert_int_equal(pith_reader_end(reader, &err), PITH_OK);
        assert_int_equal(pith_reader_next(reader, &row, &err), PITH_BAD_INPUT);
        assert_string_equal(err.code, "count_mismatch");
        assert_int_equal(err.line, 3);
        pith_reader_free(reader);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_of_toon_do_not_wait),
        cmocka_unit_test(pieces_change_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
