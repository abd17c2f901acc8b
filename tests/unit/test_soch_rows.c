/*
 * test_soch_rows.c - SochDB's tables as streams of rows: the same bytes as at once,
 * whether the count is known or not, and in constant memory.
 */
#define _POSIX_C_SOURCE 200809L

#include "meter.h"
#include "testing.h"
#include "named.h"

#include <unistd.h>

static const char *const columns[] = {"id", "name", "tags"};
static const char *const formats[] = {"soch", "soch-bin"};

static void add_rows(pith_rows *rows, size_t count)
{
    pith_doc *tags = must_parse_json("[1,{\"a\":\"b, c\"}]");
    for (size_t i = 0; i < count; i++) {
        pith_doc_add_uint64(pith_rows_row(rows), i);
        pith_doc_add_text(pith_rows_row(rows), LIT("Zo\xC3\xAB"));
        pith_doc_add_value(pith_rows_row(rows), pith_doc_root(tags));
        assert_int_equal(pith_rows_end_row(rows, NULL), PITH_OK);
    }
    pith_doc_free(tags);
}

/* A sink that only goes forwards. */
static pith_status forward_only(void *ctx, const char *data, size_t len)
{
    pith_sink sink = pith_sink_buffer((pith_buffer *)ctx);
    return sink.write(sink.ctx, data, len);
}

static pith_buffer stream(const char *format, const char *settings, size_t count,
                          bool known, bool forward)
{
    pith_buffer out = {0};
    pith_error err = {0};
    pith_options options = with_settings(NULL, settings);
    pith_sink plain = {forward_only, &out};
    pith_rows *rows = rows_open_named(format, columns, 3, &options,
                                      forward ? plain : pith_sink_buffer(&out), &err);
    assert_non_null(rows);
    if (known)
        pith_rows_expect(rows, count);
    add_rows(rows, count);
    if (pith_rows_close(rows, &err) != PITH_OK)
        fail_msg("%s %s: %s", format, settings, err.message);
    return out;
}

static void every_way_is_the_same(void **state)
{
    (void)state;
    static const char *const settings[] = {"name=users", "name=users checksum=false"};
    static const size_t counts[] = {0, 1, 2, 5000};
    for (size_t f = 0; f < 2; f++) {
        for (size_t i = 0; i < ROWS(counts) * 2; i++) {
            const char *set = settings[f ? i % 2 : 0];
            size_t count = counts[i / 2];
            pith_buffer known = stream(formats[f], set, count, true, true);
            pith_buffer held = stream(formats[f], set, count, false, true);
            pith_buffer patched = stream(formats[f], set, count, false, false);
            assert_true(same_bytes("held", held.data, held.len, known.data, known.len));
            assert_true(
                same_bytes("patched", patched.data, patched.len, known.data, known.len));
            pith_doc *doc = must_parse(formats[f], known.data, known.len, NULL);
            pith_value users = pith_value_get(pith_doc_root(doc), LIT("users"));
            assert_int_equal(pith_value_count(users), count);
            pith_options options =
                with_settings(NULL, f && i % 2 ? "checksum=false" : "");
            pith_buffer whole = must_write(pith_doc_root(doc), formats[f], &options);
            assert_true(
                same_bytes("whole", whole.data, whole.len, known.data, known.len));
            pith_buffer_free(&whole);
            pith_doc_free(doc);
            pith_buffer_free(&patched);
            pith_buffer_free(&held);
            pith_buffer_free(&known);
        }
    }
}

/* The count is put right in a file too, wherever the table begins in it. */
static void a_file_is_patched(void **state)
{
    (void)state;
    char bytes[8192];
    FILE *file = tmpfile();
    assert_non_null(file);
    int fd = fileno(file);
    assert_int_equal(write(fd, "xyz", 3), 3);
    pith_options options = with_settings(NULL, "name=users");
    pith_rows *rows =
        rows_open_named("soch-bin", columns, 3, &options, pith_sink_fd(fd), NULL);
    assert_non_null(rows);
    add_rows(rows, 40);
    assert_int_equal(pith_rows_close(rows, NULL), PITH_OK);
    ssize_t len = pread(fd, bytes, sizeof bytes, 0);
    pith_buffer known = stream("soch-bin", "name=users", 40, true, false);
    assert_true(len > 3);
    assert_true(same_bytes("file", bytes + 3, (size_t)len - 3, known.data, known.len));
    pith_buffer_free(&known);
    fclose(file);
}

static void compressed_rows(void **state)
{
    (void)state;
    static const char *const settings[] = {"compress=lz4", "compress=zstd"};
    for (size_t i = 0; i < 2; i++) {
        pith_options options = with_settings(NULL, settings[i]);
        pith_buffer out = {0};
        pith_error err = {0};
        pith_rows *rows = rows_open_named("soch-bin", columns, 3, &options,
                                          pith_sink_buffer(&out), &err);
        if (!rows) {
            assert_string_equal(err.code, "not_built_in");
            continue;
        }
        add_rows(rows, 1000);
        assert_int_equal(pith_rows_close(rows, NULL), PITH_OK);
        pith_doc *doc = must_parse("soch-bin", out.data, out.len, NULL);
        assert_int_equal(pith_value_count(pith_doc_root(doc)), 1000);
        assert_true(out.len < 10000);
        pith_doc_free(doc);
        pith_buffer_free(&out);
    }
}

static pith_status count_bytes(void *ctx, const char *data, size_t len)
{
    (void)data;
    *(size_t *)ctx += len;
    return PITH_OK;
}

/* A known count: rows leave as they come, however many there are. */
static void constant_memory(void **state)
{
    (void)state;
    for (size_t f = 0; f < 2; f++) {
        size_t peak[2];
        for (size_t i = 0; i < 2; i++) {
            size_t count = i ? 20000 : 2000;
            size_t bytes = 0;
            meter counts = {0};
            pith_options options = {0};
            pith_sink sink = {count_bytes, &bytes};
            options.alloc = meter_alloc(&counts);
            pith_rows *rows =
                rows_open_named(formats[f], columns, 3, &options, sink, NULL);
            assert_non_null(rows);
            pith_rows_expect(rows, count);
            add_rows(rows, count);
            assert_true(bytes > 0 || count < 20000);
            assert_int_equal(pith_rows_close(rows, NULL), PITH_OK);
            assert_true(meter_clean(&counts));
            peak[i] = counts.peak_bytes;
        }
        assert_int_equal(peak[0], peak[1]);
    }
}

static void wrong_counts(void **state)
{
    (void)state;
    for (size_t f = 0; f < 2; f++) {
        for (size_t promised = 1; promised <= 3; promised += 2) {
            pith_buffer out = {0};
            pith_error err = {0};
            pith_rows *rows = rows_open_named(formats[f], columns, 3, NULL,
                                              pith_sink_buffer(&out), NULL);
            assert_non_null(rows);
            pith_rows_expect(rows, promised);
            for (size_t i = 0; i < 2; i++) {
                pith_doc_add_null(pith_rows_row(rows));
                pith_doc_add_null(pith_rows_row(rows));
                pith_doc_add_null(pith_rows_row(rows));
                pith_rows_end_row(rows, NULL);
            }
            assert_int_equal(pith_rows_close(rows, &err), PITH_BAD_USE);
            assert_string_equal(err.code, "count_mismatch");
            pith_buffer_free(&out);
        }
    }
    /* told too late */
    pith_buffer out = {0};
    pith_error err = {0};
    pith_rows *rows =
        rows_open_named("soch", columns, 3, NULL, pith_sink_buffer(&out), NULL);
    assert_non_null(rows);
    add_rows(rows, 1);
    pith_rows_expect(rows, 1);
    assert_int_equal(pith_rows_close(rows, &err), PITH_BAD_USE);
    assert_string_equal(err.code, "late_count");
    pith_buffer_free(&out);
}

static void missing_cells(void **state)
{
    (void)state;
    for (size_t f = 0; f < 2; f++) {
        for (int fill = 0; fill < 2; fill++) {
            pith_options options = with_settings(NULL, fill ? "fill-missing=true" : "");
            pith_buffer out = {0};
            pith_error err = {0};
            pith_rows *rows = rows_open_named(formats[f], columns, 3, &options,
                                              pith_sink_buffer(&out), NULL);
            assert_non_null(rows);
            pith_doc_add_int64(pith_rows_row(rows), 1);
            pith_doc_skip(pith_rows_row(rows));
            pith_doc_add_bool(pith_rows_row(rows), true);
            pith_status status = pith_rows_end_row(rows, &err);
            if (fill) {
                assert_int_equal(status, PITH_OK);
                assert_int_equal(pith_rows_close(rows, NULL), PITH_OK);
                pith_doc *doc = must_parse(formats[f], out.data, out.len, NULL);
                must_hold_json(doc, "[{\"id\":1,\"name\":null,\"tags\":true}]");
                pith_doc_free(doc);
            } else {
                assert_int_equal(status, PITH_UNREPRESENTABLE);
                assert_string_equal(err.code, "missing_cell");
                pith_rows_abandon(rows);
            }
            pith_buffer_free(&out);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_way_is_the_same), cmocka_unit_test(a_file_is_patched),
        cmocka_unit_test(compressed_rows),       cmocka_unit_test(constant_memory),
        cmocka_unit_test(wrong_counts),          cmocka_unit_test(missing_cells),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
