/*
 * test_read.c - what every text reader has in front: equal keys, counts, starving.
 */
#include "testing.h"

#include "format/read.h"

#include "doc/read.h"

typedef struct text_reading {
    reporter report;
    text_reader r;
} text_reading;

static void start_reading(text_reading *reading, const char *text)
{
    pith_text input = {text, strlen(text)};
    report_init(&reading->report, input);
    read_init(&reading->r, pith_doc_new(NULL), input, &reading->report);
    assert_non_null(reading->r.doc);
}

/* Builds an object of the keys at two places of the text. */
static bool read_two_keys(text_reading *reading, size_t first, size_t second)
{
    text_reader *r = &reading->r;
    bool fine = read_open(r, PITH_OBJECT, r->start);
    size_t places[2] = {first, second};
    for (int i = 0; i < 2 && fine; i++) {
        const char *key = r->start + places[i];
        fine = read_built(r, build_key(r->doc, SLOT_NEAR_END, key, 1), key) &&
               read_built(r, build_word(r->doc, PITH_NULL), key);
    }
    return fine && read_close(r, "duplicate_key", "duplicate key");
}

static void equal_keys_are_read_again(void **state)
{
    (void)state;
    text_reading reading;
    start_reading(&reading, "\"a\",\n \"a\"");
    assert_false(read_two_keys(&reading, 1, 7));
    assert_true(read_stopped(&reading.r));
    assert_int_equal(reading.report.count, 0);

    pith_doc *doc = reading.r.doc;
    assert_true(read_again(doc, &reading.report));
    read_init(&reading.r, doc, reading.report.input, &reading.report);
    assert_false(read_two_keys(&reading, 1, 7));
    assert_int_equal(reading.report.first.line, 2);
    assert_int_equal(reading.report.first.column, 2);
    assert_string_equal(reading.report.first.message,
                        "duplicate key \"a\"; it first stands in line 1, column 1");
    assert_false(read_again(doc, &reading.report));
    pith_doc_free(doc);
}

static void different_keys_are_fine(void **state)
{
    (void)state;
    for (int keep = 0; keep < 2; keep++) {
        text_reading reading;
        start_reading(&reading, "a b");
        reading.r.keep_key_places = keep != 0;
        assert_true(read_two_keys(&reading, 0, 2));
        pith_doc_free(reading.r.doc);
    }
}

static void the_last_of_equal_keys_may_win(void **state)
{
    (void)state;
    text_reading reading;
    start_reading(&reading, "a a");
    reading.r.last_wins = true;
    assert_true(read_two_keys(&reading, 0, 2));
    assert_true(reading.r.doc->has_duplicates);
    assert_true(doc_merge_duplicates(reading.r.doc));
    pith_doc_free(reading.r.doc);
}

static void starving_is_no_problem_while_more_may_come(void **state)
{
    (void)state;
    text_reading reading;
    start_reading(&reading, "a");
    assert_false(read_starved(&reading.r));
    assert_false(read_stopped(&reading.r));
    reading.r.waits = true;
    assert_true(read_starved(&reading.r));
    assert_true(read_stopped(&reading.r));
    pith_doc_free(reading.r.doc);
}

static void depth_counts_what_the_text_has(void **state)
{
    (void)state;
    text_reading reading;
    start_reading(&reading, "[[");
    reading.r.doc->depth_max = 2;
    reading.r.lent_depth = 1;
    assert_true(read_open(&reading.r, PITH_ARRAY, reading.r.start));
    assert_true(read_open(&reading.r, PITH_ARRAY, reading.r.start));
    assert_false(read_open(&reading.r, PITH_ARRAY, reading.r.start));
    assert_string_equal(reading.report.first.message,
                        "nested deeper than the limit of 1");
    pith_doc_free(reading.r.doc);
}

static void counts_stop_at_the_largest(void **state)
{
    (void)state;
    assert_int_equal(read_count(text_from("0")), 0);
    assert_int_equal(read_count(text_from("1234567")), 1234567);
    assert_true(read_count(text_from("18446744073709551614")) == UINT64_MAX - 1);
    assert_true(read_count(text_from("18446744073709551615")) == UINT64_MAX);
    assert_true(read_count(text_from("18446744073709551616")) == UINT64_MAX);
    assert_true(read_count(text_from("99999999999999999999999")) == UINT64_MAX);
}

static void a_wrong_count_names_its_line(void **state)
{
    (void)state;
    text_reading reading;
    start_reading(&reading, "[3]\n1\n");
    read_bad_count(&reading.r, reading.r.end, text_of(reading.r.start + 1, 1), "rows", 1,
                   1);
    assert_string_equal(reading.report.first.code, "count_mismatch");
    assert_string_equal(reading.report.first.message,
                        "3 rows declared in line 1, found 1");
    pith_doc_free(reading.r.doc);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equal_keys_are_read_again),
        cmocka_unit_test(different_keys_are_fine),
        cmocka_unit_test(the_last_of_equal_keys_may_win),
        cmocka_unit_test(starving_is_no_problem_while_more_may_come),
        cmocka_unit_test(depth_counts_what_the_text_has),
        cmocka_unit_test(counts_stop_at_the_largest),
        cmocka_unit_test(a_wrong_count_names_its_line),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
