/*
 * test_path.c - where a value is, as messages say it.
 */
#include "doc/path.h"
#include "testing.h"

typedef struct path_row {
    const char *json;
    uint32_t at; /* the slot */
    const char *message;
} path_row;

static const path_row rows[] = {
    {"[1,[2,3]]", 0, "no"},
    {"[1,[2,3]]", 1, "[0]: no"},
    {"[1,[2,3]]", 4, "[1][1]: no"},
    {"{\"a\":1}", 1, "a: no"},
    {"{\"a\":{\"b_1\":[7]}}", 3, "a.b_1[0]: no"},
    {"{\"a\":{\"b c\":1}}", 2, "a[\"b c\"]: no"},
    {"{\"\":1}", 1, "[\"\"]: no"},
    {"{\"a\\nb\":1}", 1, "[\"a?b\"]: no"},
    {"[{\"x\":[1,2]},{\"x\":[3,4]}]", 8, "[1].x[1]: no"},
};

static void a_path_leads_to_its_value(void **state)
{
    (void)state;
    for (size_t i = 0; i < ROWS(rows); i++) {
        pith_doc *doc = must_parse_json(rows[i].json);
        pith_error err;
        error_set(&err, PITH_UNREPRESENTABLE, "lossy", "no");
        error_put_path(&err, doc, 0, rows[i].at);
        error_put_path(NULL, doc, 0, rows[i].at);
        assert_string_equal(err.message, rows[i].message);
        assert_int_equal(err.status, PITH_UNREPRESENTABLE);
        assert_string_equal(err.code, "lossy");
        pith_doc_free(doc);
    }
}

/* Seen from a value inside, and not from the root of the document. */
static void a_path_begins_where_it_is_told(void **state)
{
    (void)state;
    pith_doc *doc = must_parse_json("{\"a\":[{\"b\":1}]}");
    pith_error err;
    error_set(&err, PITH_UNREPRESENTABLE, "lossy", "no");
    error_put_path(&err, doc, 1, 3);
    assert_string_equal(err.message, "[0].b: no");
    pith_doc_free(doc);
}

/* Of a deep path the end is kept, whatever the names are. */
static void a_long_path_is_cut_in_front(void **state)
{
    (void)state;
    char json[6001] = "";
    for (int i = 0; i < 300; i++)
        strcat(json, i % 2 ? "[" : "{\"\xe2\x82\xac\xe2\x82\xac\":");
    strcat(json, "1");
    for (int i = 299; i >= 0; i--)
        strcat(json, i % 2 ? "]" : "}");
    pith_doc *doc = must_parse_json(json);
    pith_error err;
    error_set(&err, PITH_UNREPRESENTABLE, "lossy", "no");
    error_put_path(&err, doc, 0, 300);
    assert_memory_equal(err.message, "...", 3);
    const char *end = "[\"\xe2\x82\xac\xe2\x82\xac\"][0]: no";
    size_t len = strlen(err.message);
    assert_true(len < 100 && strcmp(err.message + len - strlen(end), end) == 0);
    pith_doc_free(doc);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_path_leads_to_its_value),
        cmocka_unit_test(a_path_begins_where_it_is_told),
        cmocka_unit_test(a_long_path_is_cut_in_front),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
