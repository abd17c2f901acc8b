/*
 * test_gcf1.c - GCF 1 beside its fixtures: what it refuses, and values that make its
 * tables too wide. What the description and the suite show is in tests/conformance.
 */
#include "bytes.h"
#include "testing.h"

static void texts_are_refused(void **state)
{
    (void)state;
    static const struct {
        const char *format;
        const char *text;
        expected_error error;
    } rows[] = {
        {"gcf1-graph",
         "GCF tool=t delta=true base_root=a new_root=b\n## removed\nfn a\n",
         {PITH_BAD_INPUT, "not_a_document", 1, 12}},
        {"gcf1-graph", "GCF budget=1\n", {PITH_BAD_INPUT, "missing_tool", 1, 1}},
        {"gcf1", "## [2]\n@0\n@2\n", {PITH_BAD_INPUT, "invalid_item_id", 3, 1}},
    };
    size_t failures = 0;
    for (size_t i = 0; i < ROWS(rows); i++) {
        pith_error err = {0};
        pith_doc *doc = pith_doc_parse(rows[i].format, rows[i].text, strlen(rows[i].text),
                                       NULL, &err);
        failures += doc != NULL || !same_error(rows[i].text, &err, &rows[i].error);
        pith_doc_free(doc);
    }
    assert_int_equal(failures, 0);
}

#define SYMBOL(score)                                                                    \
    "{\"symbols\":[{\"qualified_name\":\"a\",\"kind\":\"fn\",\"score\":" score           \
    ",\"provenance\":\"p\",\"distance\":0}],\"edges\":[]}"

static void values_are_refused(void **state)
{
    (void)state;
    static const struct {
        const char *format;
        const char *settings;
        const char *json;
        pith_status status;
        const char *code;
    } rows[] = {
        {"gcf1-graph", "tool=\"a b\"", SYMBOL("0.5"), PITH_BAD_USE, "bad_setting"},
        {"gcf1-graph", "", SYMBOL("0.5"), PITH_UNREPRESENTABLE, "missing_tool"},
        {"gcf1-graph", "tool=t strict=true", SYMBOL("0.785"), PITH_UNREPRESENTABLE,
         "lossy"},
        {"gcf1-graph", "tool=t strict=true", SYMBOL("0.995"), PITH_UNREPRESENTABLE,
         "lossy"},
        {"gcf1-graph", "tool=t strict=true", SYMBOL("0.78"), PITH_OK, NULL},
        {"gcf1", "strict=true", "{\"a\":\"12\"}", PITH_UNREPRESENTABLE, "lossy"},
        {"gcf1", "strict=true",
         "[{\"a\":1,\"b\":2,\"c\":3,\"d\":null},{\"a\":1,\"b\":2,\"c\":3}]",
         PITH_UNREPRESENTABLE, "lossy"},
    };
    size_t failures = 0;
    for (size_t i = 0; i < ROWS(rows); i++) {
        pith_doc *doc = must_parse_json(rows[i].json);
        pith_options options = with_settings(NULL, rows[i].settings);
        pith_buffer out = {0};
        pith_error err = {0};
        pith_status status = pith_value_write(pith_doc_root(doc), rows[i].format,
                                              &options, pith_sink_buffer(&out), &err);
        bool right = status == rows[i].status &&
                     (!rows[i].code || strcmp(err.code, rows[i].code) == 0) &&
                     (out.len > 0) == (status == PITH_OK);
        if (!right) {
            fprintf(stderr, "%s as %s (%s): %s, %zu bytes\n", rows[i].json,
                    rows[i].format, rows[i].settings, err.code ? err.code : "written",
                    out.len);
        }
        failures += !right;
        pith_buffer_free(&out);
        pith_doc_free(doc);
    }
    assert_int_equal(failures, 0);
}

/* The first rows are alike, but each of those behind has a field of its own: as a table
 * that would be mostly gaps, and a gap is read as null. */
static void rows_without_common_fields_are_no_table(void **state)
{
    (void)state;
    bytes json = {0};
    bytes_put(&json, "[");
    for (int i = 0; i < 2000; i++) {
        bytes_print(&json, "%s{\"a%d\":%d}", i ? "," : "", i < 5 ? 0 : i, i);
    }
    bytes_put(&json, "]");
    bytes_add(&json, "", 1);
    pith_doc *doc = must_parse_json(json.ptr);
    pith_options options = with_settings(NULL, "strict=true");
    pith_buffer out = must_write(pith_doc_root(doc), "gcf1", &options);
    static const char start[] = "## [2000]\n@0\n  a0=0\n@1\n";
    assert_true(out.len > sizeof start);
    assert_memory_equal(out.data, start, sizeof start - 1);
    pith_doc *back = must_parse("gcf1", out.data, out.len, NULL);
    must_hold_json(back, json.ptr);
    pith_doc_free(back);
    pith_buffer_free(&out);
    pith_doc_free(doc);
    bytes_free(&json);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(texts_are_refused),
        cmocka_unit_test(values_are_refused),
        cmocka_unit_test(rows_without_common_fields_are_no_table),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
