/*
 * test_same.c - two spellings of one meaning, and two meanings.
 */
#include "doc/same.h"
#include "meter.h"
#include "testing.h"

typedef struct same_row {
    const char *a;
    const char *b;
    bool same;
} same_row;

static const same_row rows[] = {
    {"null", "null", true},
    {"null", "false", false},
    {"\"1\"", "1", false},
    {"1", "1.0", true},
    {"1e3", "1000", true},
    {"-0", "0.0", true},
    {"0.5", "5e-1", true},
    {"1", "-1", false},
    {"9007199254740993", "9007199254740992", false},
    {"123456789012345678901234567890", "123456789012345678901234567891", false},
    {"0.1", "0.1000000000000000055511151231257827", true},
    {"0.1", "0.10000000000000001", true},
    {"0.1", "0.100000000000001", false},
    {"1e400", "1e400", true},
    {"1e400", "10e399", true},
    {"1e400", "1e401", false},
    {"1e400", "-1e400", false},
    {"[]", "{}", false},
    {"[1,2]", "[1,2]", true},
    {"[1,2]", "[2,1]", false},
    {"[1,2]", "[1,2,3]", false},
    {"[1,2,3]", "[1,2]", false},
    {"[[1],2]", "[[1,2]]", false},
    {"{}", "{}", true},
    {"{\"a\":1,\"b\":2}", "{\"b\":2,\"a\":1}", true},
    {"{\"a\":1,\"b\":2}", "{\"b\":1,\"a\":2}", false},
    {"{\"a\":1,\"b\":2}", "{\"a\":1,\"c\":2}", false},
    {"{\"a\":1}", "{\"a\":1,\"b\":2}", false},
    {"{\"a\":{\"x\":1,\"y\":[1,{\"p\":1,\"q\":2}]},\"b\":2,\"c\":3}",
     "{\"c\":3,\"a\":{\"y\":[1,{\"q\":2,\"p\":1}],\"x\":1},\"b\":2}", true},
    {"{\"a\":{\"x\":1,\"y\":[1,{\"p\":1,\"q\":2}]},\"b\":2,\"c\":3}",
     "{\"c\":3,\"a\":{\"y\":[1,{\"q\":1,\"p\":2}],\"x\":1},\"b\":2}", false},
    {"[{\"a\":1,\"b\":2},{\"a\":3,\"b\":4}]", "[{\"b\":2,\"a\":1},{\"b\":4,\"a\":3}]",
     true},
    {"{\"a\":[{\"x\":1,\"y\":2},7],\"b\":[8]}", "{\"b\":[8],\"a\":[{\"y\":2,\"x\":1},7]}",
     true},
};

static bool compared(const char *a, const char *b)
{
    pith_doc *left = must_parse_json(a);
    pith_doc *right = must_parse_json(b);
    bool known = false;
    bool same = doc_same(left, 0, right, 0, &known);
    assert_true(known);
    pith_doc_free(left);
    pith_doc_free(right);
    return same;
}

/* The text of the value at which the second differs first. */
static void differs_at(const char *a, const char *b, const char *expected)
{
    pith_doc *left = must_parse_json(a);
    pith_doc *right = must_parse_json(b);
    bool known = false;
    uint32_t at = doc_find_difference(left, 0, right, 0, &known);
    assert_true(known);
    if (!expected)
        assert_int_equal(at, SLOT_NONE);
    else if (slot_is_container(&left->slots[at]))
        assert_string_equal(left->slots[at].kind == PITH_ARRAY ? "[" : "{", expected);
    else
        assert_true(text_is(slot_text(&left->slots[at]), expected));
    pith_doc_free(left);
    pith_doc_free(right);
}

static void the_first_difference_is_found(void **state)
{
    (void)state;
    differs_at("[1,2,3]", "[1,2,3]", NULL);
    differs_at("[1,2,3]", "[1,5,4]", "2");
    differs_at("[1,2,3]", "[1,2]", "[");
    differs_at("{\"a\":1,\"b\":2}", "{\"b\":3,\"a\":4}", "1");
    differs_at("{\"a\":1,\"b\":2,\"c\":3}", "{\"c\":4,\"x\":2,\"a\":1}", "2");
    differs_at("{\"a\":{\"p\":7},\"b\":2}", "{\"b\":2,\"a\":{\"p\":8}}", "7");
}

static void meanings_are_compared(void **state)
{
    (void)state;
    size_t failures = 0;
    for (size_t i = 0; i < ROWS(rows); i++) {
        const same_row *row = &rows[i];
        if (compared(row->a, row->b) != row->same ||
            compared(row->b, row->a) != row->same) {
            fprintf(stderr, "%s beside %s must be %s\n", row->a, row->b,
                    row->same ? "the same" : "different");
            failures++;
        }
    }
    assert_int_equal(failures, 0);
}

/* {"k0":[],"k1":[] ...}, or from the last to the first. */
static pith_doc *wide(size_t count, bool backwards)
{
    pith_doc *doc = pith_doc_new(NULL);
    assert_non_null(doc);
    pith_doc_open_object(doc);
    for (size_t i = 0; i < count; i++) {
        char key[32];
        int len = snprintf(key, sizeof key, "k%zu", backwards ? count - 1 - i : i);
        pith_doc_add_key(doc, key, (size_t)len);
        pith_doc_open_array(doc);
        pith_doc_close(doc);
    }
    pith_doc_close(doc);
    assert_int_equal(pith_doc_finish(doc, NULL), PITH_OK);
    return doc;
}

static void wide_objects_are_matched_by_key(void **state)
{
    (void)state;
    pith_doc *forwards = wide(20000, false);
    pith_doc *backwards = wide(20000, true);
    bool known = false;
    assert_true(doc_same(forwards, 0, backwards, 0, &known));
    assert_true(known);
    pith_doc_free(forwards);
    pith_doc_free(backwards);
}

static void depth_is_no_danger(void **state)
{
    (void)state;
    enum { DEEP = 100000 };
    pith_options options = {.depth_max = DEEP + 1};
    char *text = malloc(DEEP * 2 + 1);
    assert_non_null(text);
    memset(text, '[', DEEP);
    memset(text + DEEP, ']', DEEP);
    pith_doc *a = must_parse("json", text, DEEP * 2, &options);
    pith_doc *b = must_parse("json", text, DEEP * 2, &options);
    bool known = false;
    assert_true(doc_same(a, 0, b, 0, &known));
    pith_doc_free(a);
    pith_doc_free(b);
    free(text);
}

/* Without memory it is not known whether they are the same, and that is said. */
static void without_memory_nothing_is_known(void **state)
{
    (void)state;
    static const char left[] = "[{\"a\":1,\"b\":[2],\"c\":3}]";
    static const char right[] = "[{\"c\":3,\"a\":1,\"b\":[2]}]";
    meter counts = {0};
    pith_options options = {.alloc = meter_alloc(&counts)};
    pith_doc *a = must_parse("json", left, strlen(left), &options);
    pith_doc *b = must_parse_json(right);
    size_t refused = 0;
    bool known = false;
    while (!known) {
        counts.fail_at = counts.requests + 1 + refused;
        counts.failures = 0;
        bool same = doc_same(b, 0, a, 0, &known);
        assert_int_equal(same, known);
        assert_int_equal(counts.failures, !known);
        refused += !known;
    }
    assert_true(refused >= 3); /* levels, places, keys */
    pith_doc_free(a);
    pith_doc_free(b);
    assert_true(meter_clean(&counts));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(meanings_are_compared),
        cmocka_unit_test(the_first_difference_is_found),
        cmocka_unit_test(wide_objects_are_matched_by_key),
        cmocka_unit_test(depth_is_no_danger),
        cmocka_unit_test(without_memory_nothing_is_known),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
