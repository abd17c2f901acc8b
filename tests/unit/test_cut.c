/*
 * test_cut.c - which lists of a value can lose something, and copies without it.
 */
#include "doc/cut.h"
#include "testing.h"

/* A copy of the JSON at a step of its plan must be this. */
static void must_cut(const char *json, rows_keep keep, const char *field, size_t step,
                     size_t clip, const char *expected, cut_tally *tally)
{
    pith_doc *doc = must_parse_json(json);
    pith_doc *copy = pith_doc_new(NULL);
    cut_plan plan;
    cut_plan_init(&plan, keep, text_from(field), alloc_from(NULL));
    assert_true(cut_plan_lists(&plan, pith_doc_root(doc)));
    memset(tally, 0, sizeof *tally);
    cut_copy(copy, pith_doc_root(doc), &plan, step, clip, false, tally);
    assert_int_equal(pith_doc_finish(copy, NULL), PITH_OK);
    must_write_as(pith_doc_root(copy), "json", NULL, expected);
    cut_plan_free(&plan);
    pith_doc_free(copy);
    pith_doc_free(doc);
}

static void each_way_of_keeping_has_its_elements(void **state)
{
    (void)state;
    static const struct {
        rows_keep keep;
        const char *json;
        const char *expected;
    } cuts[] = {
        {ROWS_KEEP_FIRST, "[1,2,3,4,5,6]", "[1,2,3]"},
        {ROWS_KEEP_LAST, "[1,2,3,4,5,6]", "[4,5,6]"},
        {ROWS_KEEP_SPREAD, "[1,2,3,4,5,6]", "[1,3,5]"},
        {ROWS_KEEP_BEST, "[{\"s\":1},{\"s\":\"z\"},{\"s\":9},{\"s\":null},{\"s\":5},{}]",
         "[{\"s\":1},{\"s\":9},{\"s\":5}]"},
    };
    cut_tally tally;
    for (size_t i = 0; i < ROWS(cuts); i++) {
        must_cut(cuts[i].json, cuts[i].keep, "s", 3, 0, cuts[i].expected, &tally);
        assert_int_equal(tally.rows, 3);
        assert_int_equal(tally.rows_left_out, 3);
    }
}

/* Six and three elements: both lose in the same proportion, and one always stays. */
static void lists_lose_in_proportion(void **state)
{
    (void)state;
    static const char json[] = "{\"a\":[1,2,3,4,5,6],\"n\":0,\"b\":[7,8,9]}";
    static const struct {
        size_t step;
        const char *expected;
    } cuts[] = {
        {1, "{\"a\":[1],\"n\":0,\"b\":[7]}"},
        {3, "{\"a\":[1,2,3],\"n\":0,\"b\":[7,8]}"},
        {4, "{\"a\":[1,2,3,4],\"n\":0,\"b\":[7,8]}"},
        {6, json},
    };
    cut_tally tally;
    for (size_t i = 0; i < ROWS(cuts); i++)
        must_cut(json, ROWS_KEEP_FIRST, "", cuts[i].step, 0, cuts[i].expected, &tally);
    must_cut(json, ROWS_KEEP_FIRST, "", 1, 0, cuts[0].expected, &tally);
    assert_int_equal(tally.name_count, 2);
    assert_string_equal(tally.named[0].name, "a");
    assert_int_equal(tally.named[0].gone, 5);
    assert_string_equal(tally.named[1].name, "b");
    assert_int_equal(tally.named[1].gone, 2);
}

/* Only the outermost lists are in a plan: rows stay whole. */
static void rows_stay_whole(void **state)
{
    (void)state;
    cut_tally tally;
    must_cut("[{\"l\":[1,2,3]},{\"l\":[4,5]}]", ROWS_KEEP_FIRST, "", 1, 0,
             "[{\"l\":[1,2,3]}]", &tally);
    must_cut("[[1,2,3]]", ROWS_KEEP_FIRST, "", 2, 0, "[[1,2]]", &tally);
}

/* Objects of a kind are the members of a map; a record loses nothing. */
static void maps_lose_members_and_records_do_not(void **state)
{
    (void)state;
    cut_tally tally;
    must_cut("{\"x\":{\"v\":1},\"y\":{\"v\":2},\"z\":{\"v\":3}}", ROWS_KEEP_LAST, "", 1,
             0, "{\"z\":{\"v\":3}}", &tally);
    assert_int_equal(tally.members, 1);
    assert_int_equal(tally.members_left_out, 2);
    assert_int_equal(tally.rows_left_out, 0);
    static const char record[] = "{\"id\":1,\"name\":\"n\",\"ok\":true}";
    must_cut(record, ROWS_KEEP_FIRST, "", 1, 0, record, &tally);
    assert_int_equal(tally.members_left_out, 0);
}

/* Characters are counted, not bytes, and the mark says how many went. */
static void texts_are_clipped_at_characters(void **state)
{
    (void)state;
    cut_tally tally;
    must_cut("{\"a\":\"\xC3\xA4\xC3\xB6\xC3\xBC!\",\"b\":\"abc\"}", ROWS_KEEP_FIRST, "",
             1, 3, "{\"a\":\"\xC3\xA4\xC3\xB6\xC3\xBC\xE2\x80\xA6[+1]\",\"b\":\"abc\"}",
             &tally);
    assert_int_equal(tally.texts_clipped, 1);
}

static void weight_is_slots_and_text(void **state)
{
    (void)state;
    pith_doc *doc = must_parse_json("[1,[2],\"0123456789abcdef\"]");
    assert_int_equal(cut_weight(doc, 0), 5 + 2);
    assert_int_equal(cut_weight(doc, 1), 1);
    pith_doc_free(doc);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_way_of_keeping_has_its_elements),
        cmocka_unit_test(lists_lose_in_proportion),
        cmocka_unit_test(rows_stay_whole),
        cmocka_unit_test(maps_lose_members_and_records_do_not),
        cmocka_unit_test(texts_are_clipped_at_characters),
        cmocka_unit_test(weight_is_slots_and_text),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
