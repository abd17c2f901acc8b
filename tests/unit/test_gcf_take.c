/*
 * test_gcf_take.c - rows of a GCF table as its bytes arrive: at once, in bounded memory, of
 * any length, and when memory fails. That the pieces make no difference is shown by every
 * text in tests/vectors/gcf.
 */
#include "bytes.h"
#include "meter.h"
#include "taking.h"
#include "testing.h"

#define FIRST "GCF profile=generic\n"

static bool has_row(pith_reader *reader)
{
    pith_value row;
    pith_error err = {0};
    if (pith_reader_next(reader, &row, &err) != PITH_OK)
        fail_msg("%s at %zu:%zu: %s", err.code, err.line, err.column, err.message);
    return row.doc != NULL;
}

static void feed(pith_reader *reader, const char *text)
{
    assert_int_equal(pith_reader_feed(reader, text, strlen(text), NULL), PITH_OK);
}

/* A row is handed out as soon as it is known to be whole. */
static void rows_come_at_once(void **state)
{
    (void)state;
    pith_reader *reader = pith_reader_open("gcf", NULL, NULL);
    feed(reader, FIRST "## t [?]{a,l}\n1|");
    assert_false(has_row(reader));
    feed(reader, "x\n");
    assert_true(has_row(reader));
    feed(reader, "@1 2|^\n.l [1]: 5\n");
    assert_false(has_row(reader));
    feed(reader, "@");
    assert_true(has_row(reader));
    feed(reader, "2 3|x\n");
    assert_false(has_row(reader));
    feed(reader, "##! summary counts=3\n");
    assert_true(has_row(reader));
    assert_false(has_row(reader));
    assert_int_equal(pith_reader_end(reader, NULL), PITH_OK);
    assert_false(has_row(reader));
    pith_reader_free(reader);
}

/* Many rows, one after the other, in the memory of one. */
static void memory_is_bounded(void **state)
{
    (void)state;
    enum { COUNT = 20000, PIECE = 1000 };
    bytes text = {0};
    bytes_put(&text, FIRST "## t [?]{id,c,l,\"p>q\"}\n");
    for (int i = 0; i < COUNT; i++) {
        bytes_print(&text, "@%d %d|^%s|^|x\n1|2|3\n", i, i, i ? "" : "{x,y,z}");
        bytes_print(&text, ".l [1]%s\n    %d\n", i ? "" : "{a}", i);
    }
    bytes_print(&text, "##! summary counts=%d\n", COUNT);
    meter counts = {0};
    pith_options options = {0};
    options.alloc = meter_alloc(&counts);
    pith_reader *reader = pith_reader_open("gcf", &options, NULL);
    size_t rows = 0;
    for (size_t at = 0; at < text.len; at += PIECE) {
        size_t len = text.len - at < PIECE ? text.len - at : PIECE;
        assert_int_equal(pith_reader_feed(reader, text.ptr + at, len, NULL), PITH_OK);
        while (has_row(reader))
            rows++;
    }
    pith_reader_end(reader, NULL);
    while (has_row(reader))
        rows++;
    assert_int_equal(rows, COUNT);
    assert_true(counts.peak_bytes < 100000);
    pith_reader_free(reader);
    assert_true(meter_clean(&counts));
    bytes_free(&text);
}

/* One row of many lines, fed byte by byte, must not be looked at again and again. */
static void long_rows_stay_linear(void **state)
{
    (void)state;
    enum { LINES = 20000 };
    bytes text = {0};
    bytes_put(&text, FIRST "## t [?]{l}\n@0 ^\n.l [?]{a,b}\n");
    for (int i = 0; i < LINES; i++)
        bytes_print(&text, "    %d|some text\n", i);
    bytes rows = {0};
    assert_true(take_rows("gcf", NULL, text.ptr, text.len, 3, &rows, NULL));
    assert_true(rows.len > LINES * 20);
    bytes_free(&rows);
    bytes_free(&text);
}

/* Rows with ever new keys make shapes be forgotten; the layout is worked out anew. */
static void take_new_keys(size_t piece)
{
    enum { COUNT = 1200, KEYS = 60 };
    bytes text = {0};
    bytes expected = {0};
    bytes_put(&text, FIRST "## t [?]{id,o,c}\n");
    for (int i = 0; i < COUNT; i++) {
        bytes_print(&text, "@%d %d|^|^%s\n.o {}\n", i, i, i ? "" : "{x,y}");
        bytes_print(&expected, "{\"id\":%d,\"o\":{", i);
        for (int k = 0; k < KEYS; k++) {
            bytes_print(&text, "    k%d_%d=1\n", i, k);
            bytes_print(&expected, "%s\"k%d_%d\":1", k ? "," : "", i, k);
        }
        bytes_put(&text, "7|8\n");
        bytes_put(&expected, "},\"c\":{\"x\":7,\"y\":8}}\n");
    }
    bytes rows = {0};
    pith_error err = {0};
    bool fine = take_rows("gcf", NULL, text.ptr, text.len, piece, &rows, &err);
    if (!fine)
        fprintf(stderr, "%s at %zu: %s\n", err.code, err.line, err.message);
    assert_true(fine);
    assert_true(same_bytes("rows", rows.ptr, rows.len, expected.ptr, expected.len));
    bytes_free(&rows);
    bytes_free(&expected);
    bytes_free(&text);
}

static void shapes_are_renewed(void **state)
{
    (void)state;
    take_new_keys(10000);
}

/* When shapes were forgotten after a part of a row had been tried in vain, that was once
 * missed, and the rows after had keys of others. */
static void shapes_are_renewed_within_a_row(void **state)
{
    (void)state;
    take_new_keys(61);
    take_new_keys(331);
}

/* A reader that was given nothing. */
static void nothing_is_fed(void **state)
{
    (void)state;
    for (int ended = 0; ended < 2; ended++) {
        meter counts = {0};
        pith_options options = {.alloc = meter_alloc(&counts)};
        pith_error err = {0};
        pith_value row = {0};
        pith_reader *reader = pith_reader_open("gcf", &options, NULL);
        assert_non_null(reader);
        if (ended) {
            assert_int_equal(pith_reader_end(reader, &err), PITH_OK);
            assert_int_equal(pith_reader_next(reader, &row, &err), PITH_BAD_INPUT);
            assert_string_equal(err.code, "missing_header");
        }
        pith_reader_free(reader);
        assert_true(meter_clean(&counts));
    }
}

static void out_of_memory(void **state)
{
    (void)state;
    static const char text[] = FIRST
        "## t [3]{id,c,l,k=5}\n@0 1|^{x,y}|^\n1|2\n.l [1]{a}\n    1\n2|-|~\n@2 3|^|^\n"
        ".l [1]\n    2\n3|4\n";
    meter counts = {0};
    pith_options options = {0};
    options.alloc = meter_alloc(&counts);
    size_t failed = 0;
    for (size_t fail_at = 1;; fail_at++) {
        size_t before = counts.failures;
        counts.fail_at = fail_at;
        counts.requests = 0;
        pith_error err = {0};
        pith_reader *reader = pith_reader_open("gcf", &options, &err);
        pith_value row = {0};
        bool fine = reader != NULL;
        for (size_t at = 0; fine && at < sizeof text - 1; at += 20) {
            size_t left = sizeof text - 1 - at;
            fine = pith_reader_feed(reader, text + at, left < 20 ? left : 20, &err) ==
                   PITH_OK;
            do {
                fine = fine && pith_reader_next(reader, &row, &err) == PITH_OK;
            } while (fine && row.doc);
        }
        if (!fine)
            assert_int_equal(err.status, PITH_NO_MEMORY);
        failed += !fine;
        pith_reader_free(reader);
        assert_true(meter_clean(&counts));
        if (counts.failures == before) {
            assert_true(fine);
            break;
        }
    }
    assert_true(failed > 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_come_at_once),
        cmocka_unit_test(memory_is_bounded),
        cmocka_unit_test(long_rows_stay_linear),
        cmocka_unit_test(shapes_are_renewed),
        cmocka_unit_test(shapes_are_renewed_within_a_row),
        cmocka_unit_test(nothing_is_fed),
        cmocka_unit_test(out_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
