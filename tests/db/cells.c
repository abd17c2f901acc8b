/*
 * cells.c - how values are spelled, for which no database is needed.
 */
#include "db/db_driver.h"

#include "testing.h"
#include "named.h"

#include <float.h>
#include <math.h>

/* A connection to nothing, with one column. */
typedef struct bench {
    db from;
    db_column column;
    pith_buffer text;
    pith_rows *rows;
} bench;

static void bench_begin(bench *on, bool narrow)
{
    static const char *const names[] = {"v"};
    *on = (bench){.column = {.name = "v", .type = ""}};
    on->from.options.narrow = narrow;
    on->from.columns = &on->column;
    on->from.column_count = 1;
    on->rows = rows_open_named("json", names, 1, NULL, pith_sink_buffer(&on->text), NULL);
    assert_non_null(on->rows);
}

/* Ends the row and compares what it was written as. */
static bool bench_gives(bench *on, const char *label, const char *json)
{
    char expected[700];
    assert_int_equal(pith_rows_end_row(on->rows, NULL), PITH_OK);
    assert_int_equal(pith_rows_close(on->rows, NULL), PITH_OK);
    snprintf(expected, sizeof expected, "[{\"v\":%s}]", json);
    bool same =
        same_bytes(label, on->text.data, on->text.len, expected, strlen(expected));
    pith_buffer_free(&on->text);
    pith_doc_free(on->from.scratch);
    free(on->from.buffer);
    return same;
}

/* ------------------------------------------------------------------------- numbers */

typedef struct number_row {
    const char *digits;
    const char *wide;   /* as JSON */
    const char *narrow; /* where numbers are 64-bit integers and doubles; NULL: as wide */
} number_row;

static const number_row numbers[] = {
    {"0", "0", NULL},
    {"-0", "-0", NULL},
    {"7", "7", NULL},
    {"007", "7", NULL},
    {"000", "0", NULL},
    {"0.50", "0.50", NULL},
    {"-12.5e3", "-12.5e3", NULL},
    {"1E-5", "1E-5", NULL},
    {"1e+5", "1e+5", NULL},
    /* what is no number is text */
    {"", "\"\"", NULL},
    {"-", "\"-\"", NULL},
    {".5", "\".5\"", NULL},
    {"1.", "\"1.\"", NULL},
    {"1e", "\"1e\"", NULL},
    {"1e+", "\"1e+\"", NULL},
    {"1e5x", "\"1e5x\"", NULL},
    {"NaN", "\"NaN\"", NULL},
    /* the edges of 64 bits */
    {"9223372036854775807", "9223372036854775807", NULL},
    {"9223372036854775808", "9223372036854775808", "\"9223372036854775808\""},
    {"-9223372036854775808", "-9223372036854775808", NULL},
    {"-9223372036854775809", "-9223372036854775809", "\"-9223372036854775809\""},
    /* digits that a double has, and one more than it has */
    {"0.1", "0.1", NULL},
    {"123456789012345.5", "123456789012345.5", NULL},
    {"0.1000000000000000055511151231257827", "0.1000000000000000055511151231257827",
     "\"0.1000000000000000055511151231257827\""},
    {"0.12345678901234567", "0.12345678901234567", "\"0.12345678901234567\""},
    {"0.12345678901234568", "0.12345678901234568", NULL},
    {"0.123456789012345678", "0.123456789012345678", "\"0.123456789012345678\""},
    {"1000000000000000000000.0", "1000000000000000000000.0", NULL},
    {"1000000000000000000001.0", "1000000000000000000001.0",
     "\"1000000000000000000001.0\""},
    {"1.00000000000000000000000", "1.00000000000000000000000", NULL},
    {"0.00000000000000000000001", "0.00000000000000000000001", NULL},
    /* the edges of doubles */
    {"1.7976931348623157e308", "1.7976931348623157e308", NULL},
    {"1e309", "1e309", "\"1e309\""},
    {"-1e400", "-1e400", "\"-1e400\""},
    {"5e-324", "5e-324", NULL},
    {"4e-324", "4e-324", "\"4e-324\""},
    {"1e-400", "1e-400", "\"1e-400\""},
    {"0e9", "0e9", NULL},
    {"0.0e-400", "0.0e-400", NULL},
    {"10e9223372036854775807", "10e9223372036854775807", "\"10e9223372036854775807\""},
    {"0.1e-9223372036854775808", "0.1e-9223372036854775808",
     "\"0.1e-9223372036854775808\""},
};

static void numbers_keep_their_digits(void **state)
{
    (void)state;
    size_t failures = 0;
    for (size_t i = 0; i < ROWS(numbers); i++) {
        const number_row *row = &numbers[i];
        bench on;
        for (int narrow = 0; narrow < 2; narrow++) {
            bench_begin(&on, narrow);
            db_put_number(&on.from, on.rows, 0, row->digits, strlen(row->digits));
            const char *json = narrow && row->narrow ? row->narrow : row->wide;
            failures += !bench_gives(&on, row->digits, json);
        }
    }
    assert_int_equal(failures, 0);
}

/* More digits than anybody looks at. */
static void very_long_numbers_are_text_where_they_must_be(void **state)
{
    (void)state;
    char digits[500], quoted[503];
    memset(digits, '7', sizeof digits);
    digits[sizeof digits - 1] = '\0';
    snprintf(quoted, sizeof quoted, "\"%s\"", digits);
    bench on;
    bench_begin(&on, true);
    db_put_number(&on.from, on.rows, 0, digits, strlen(digits));
    assert_true(bench_gives(&on, "narrow", quoted));
    bench_begin(&on, false);
    db_put_number(&on.from, on.rows, 0, digits, strlen(digits));
    assert_true(bench_gives(&on, "wide", digits));
}

typedef struct double_row {
    double number;
    bool single;
    const char *json;
} double_row;

static void floats_have_the_fewest_digits(void **state)
{
    (void)state;
    static const double_row rows[] = {
        {NAN, false, "\"NaN\""},
        {NAN, true, "\"NaN\""},
        {INFINITY, false, "\"Infinity\""},
        {-INFINITY, true, "\"-Infinity\""},
        {0.1, false, "0.1"},
        {(double)0.1f, true, "0.1"},
        {(double)(1.0f / 3), true, "0.33333334"},
        {(double)16777217.0f, true, "16777216"},
        {(double)FLT_MAX, true, "3.4028235e+38"},
        {1.401298464324817e-45, true, "1.4013e-45"},
        {-0.0, true, "-0"},
        {5e-324, false, "5e-324"},
        {DBL_MAX, false, "1.7976931348623157e+308"},
    };
    size_t failures = 0;
    for (size_t i = 0; i < ROWS(rows); i++) {
        bench on;
        bench_begin(&on, false);
        db_put_double(on.rows, rows[i].number, rows[i].single);
        failures += !bench_gives(&on, rows[i].json, rows[i].json);
    }
    assert_int_equal(failures, 0);
}

/* --------------------------------------------------------------------------- texts */

static void times_are_iso_8601(void **state)
{
    (void)state;
    static const char *const rows[][2] = {
        {"2024-01-02 03:04:05.5+02", "2024-01-02T03:04:05.5+02:00"},
        {"2024-01-02 03:04:05-03:30", "2024-01-02T03:04:05-03:30"},
        {"1880-01-01 00:00:00+00:19:32", "1880-01-01T00:00:00+00:19:32"},
        {"2024-01-02", "2024-01-02"},
        {"0044-03-15 BC", "-0043-03-15"},
        {"0001-01-01 00:00:00+00 BC", "0000-01-01T00:00:00+00:00"},
        {"4714-11-24 BC", "-4713-11-24"},
        {"10000-01-01", "+10000-01-01"},
        {"294276-12-31 23:59:59.999999", "+294276-12-31T23:59:59.999999"},
        {"0000-00-00 00:00:00", "0000-00-00T00:00:00"},
        {"03:04:05-08", "03:04:05-08:00"},
        {"-838:59:59", "-838:59:59"},
        {"infinity", "infinity"},
        {"-infinity", "-infinity"},
        {"", ""},
        {" BC", " BC"},
        {"2024", "2024"},
        {"2024/01", "2024/01"},
        {"2024-01-02 ", "2024-01-02 "},
        {"2024-01-02 noon", "2024-01-02 noon"},
    };
    size_t failures = 0;
    for (size_t i = 0; i < ROWS(rows); i++) {
        char made[64];
        size_t len = strlen(rows[i][0]);
        assert_true(len + DB_TIME_EXTRA <= sizeof made);
        size_t made_len = db_write_time(made, rows[i][0], len);
        assert_true(made_len <= len + DB_TIME_EXTRA);
        failures +=
            !same_bytes(rows[i][0], made, made_len, rows[i][1], strlen(rows[i][1]));
    }
    assert_int_equal(failures, 0);
}

static void bytes_are_base64(void **state)
{
    (void)state;
    static const char *const rows[] = {"\"\"", "\"AA==\"", "\"AP8=\"", "\"AP8Q\"",
                                       "\"AP8Qgw==\""};
    for (size_t len = 0; len < ROWS(rows); len++) {
        bench on;
        bench_begin(&on, false);
        assert_int_equal(db_put_binary(&on.from, on.rows, "\x00\xff\x10\x83", len, NULL),
                         PITH_OK);
        assert_true(bench_gives(&on, rows[len], rows[len]));
    }
}

static void json_that_is_none_is_text(void **state)
{
    (void)state;
    static const char *const rows[][2] = {
        {"{\"a\":[1,{}]}", "{\"a\":[1,{}]}"},
        {"{\"a\":1,\"a\":2}", "{\"a\":2}"},
        {"{\"a\":", "\"{\\\"a\\\":\""},
        {"", "\"\""},
        {" 7 ", "7"},
        {"nul", "\"nul\""},
    };
    for (size_t i = 0; i < ROWS(rows); i++) {
        bench on;
        bench_begin(&on, false);
        assert_int_equal(
            db_put_json(&on.from, on.rows, 0, rows[i][0], strlen(rows[i][0]), NULL),
            PITH_OK);
        assert_true(bench_gives(&on, rows[i][0], rows[i][1]));
    }
}

/* ------------------------------------------------------------------------ messages */

/* A message is one line, and ends between two characters, wherever it is cut. */
static void messages_are_cut_between_characters(void **state)
{
    (void)state;
    char text[700];
    pith_error err;
    for (size_t front = 0; front < 8; front++) {
        size_t len = front;
        memset(text, 'x', front);
        for (; len + 4 < sizeof text; len += 4)
            memcpy(text + len, "\xf0\x9f\x98\x80", 4);
        text[len] = '\0';
        db_fail(&err, PITH_IO, "word", "%s", text);
        size_t kept = strlen(err.message);
        assert_true(kept > 100 && kept < sizeof err.message);
        assert_int_equal((kept - front) % 4, 0);
        assert_memory_equal(err.message, text, kept);
    }
    db_fail(&err, PITH_IO, "word", "one\ntwo\t\n \n");
    assert_string_equal(err.message, "one two");
    db_fail(&err, PITH_IO, "word", "%s", "\n\n");
    assert_string_equal(err.message, "");
    assert_int_equal(db_fail(NULL, PITH_IO, "word", "nobody reads it"), PITH_IO);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_keep_their_digits),
        cmocka_unit_test(very_long_numbers_are_text_where_they_must_be),
        cmocka_unit_test(floats_have_the_fewest_digits),
        cmocka_unit_test(times_are_iso_8601),
        cmocka_unit_test(bytes_are_base64),
        cmocka_unit_test(json_that_is_none_is_text),
        cmocka_unit_test(messages_are_cut_between_characters),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
