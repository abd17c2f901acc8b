/*
 * test_write.c - guard and verify: what is written instead, and what is not written.
 */
#include "api/api.h"
#include "testing.h"
#include "named.h"

static const char uniform[] = "[{\"id\":1,\"name\":\"Ada\"},{\"id\":2,\"name\":\"Bob\"},"
                              "{\"id\":3,\"name\":\"Cy\"}]";

static pith_buffer convert(const char *text, const char *to, const char *words,
                           pith_outcome *outcome)
{
    pith_buffer out = {0};
    pith_options options = with_settings(NULL, words);
    options.outcome = outcome;
    pith_error err;
    pith_status status = pith_convert("json", to, text, strlen(text), &options,
                                      pith_sink_buffer(&out), &err);
    if (status != PITH_OK)
        fprintf(stderr, "%s: %s\n", err.code, err.message);
    assert_int_equal(status, PITH_OK);
    return out;
}

static void a_smaller_text_passes_the_guard(void **state)
{
    (void)state;
    pith_outcome outcome = {0};
    pith_buffer out = convert(uniform, "gcf", "guard=true", &outcome);
    assert_string_equal(outcome.format, "gcf");
    assert_int_equal(outcome.bytes, out.len);
    assert_true(outcome.tokens < outcome.json_tokens);
    assert_memory_equal(out.data, "GCF ", 4);
    pith_buffer_free(&out);
}

static void a_larger_text_gives_way_to_json(void **state)
{
    (void)state;
    pith_outcome outcome = {0};
    pith_buffer out = convert(" { \"a\" : [ 1.0 ] } ", "gcf", "guard=true", &outcome);
    assert_string_equal(out.data, "{\"a\":[1.0]}");
    assert_string_equal(outcome.format, "json");
    assert_int_equal(outcome.bytes, out.len);
    assert_int_equal(outcome.tokens, outcome.json_tokens);
    pith_buffer_free(&out);
}

/* Indentation is what takes TOON over a limit that JSON keeps. */
static void a_text_beyond_its_limit_gives_way_too(void **state)
{
    (void)state;
    pith_buffer deep = {0};
    pith_sink sink = pith_sink_buffer(&deep);
    for (int i = 0; i < 300; i++)
        assert_int_equal(sink.write(sink.ctx, LIT("{\"k\":")), PITH_OK);
    assert_int_equal(sink.write(sink.ctx, LIT("1")), PITH_OK);
    for (int i = 0; i < 300; i++)
        assert_int_equal(sink.write(sink.ctx, LIT("}")), PITH_OK);
    pith_outcome outcome = {0};
    pith_options options = {
        .write = "guard=true", .output_max = deep.len, .outcome = &outcome};
    pith_buffer out = {0};
    assert_int_equal(pith_convert("json", "toon", deep.data, deep.len, &options,
                                  pith_sink_buffer(&out), NULL),
                     PITH_OK);
    assert_string_equal(outcome.format, "json");
    assert_int_equal(out.len, deep.len);
    pith_buffer_free(&out);
    pith_buffer_free(&deep);
}

static void what_reads_back_is_verified(void **state)
{
    (void)state;
    static const struct {
        const char *format;
        const char *words;
    } targets[] = {
        {"json", "verify=true indent=2"},
        {"toon", "verify=value"},
        {"toon", "verify=value version=3 fold=safe indent=4"},
        {"toon", "verify=value delimiter=pipe"},
        {"gcf", "verify=value"},
        {"gcf", "verify=value level=3.6 guard=true"},
    };
    const char *text = "{\"a\":{\"b\":{\"c\":[{\"x\":1.50,\"y\":null},{\"y\":\"-\"}]}},"
                       "\"n\":-0,\"e\":1e3,\"long text\":\"a very long text indeed\"}";
    for (size_t i = 0; i < ROWS(targets); i++) {
        pith_buffer out = convert(text, targets[i].format, targets[i].words, NULL);
        assert_true(out.len > 0);
        pith_buffer_free(&out);
    }
}

/* A format that writes less than it is given, to be caught. */
static pith_status forgetful_encode(encode_job *job)
{
    (void)job->doc;
    out_string(job->out, "[1]");
    return PITH_OK;
}

static pith_status broken_encode(encode_job *job)
{
    out_string(job->out, "[1");
    return PITH_OK;
}

static pith_status written_by(pith_status (*encode)(encode_job *job), pith_buffer *out,
                              pith_error *err)
{
    const codec *json = format_find("json");
    codec lossy = *json;
    lossy.encode = encode;
    api_side to;
    to.format = &lossy;
    assert_int_equal(settings_read(&to.set, &lossy.info, PITH_WRITE, "verify=true", NULL),
                     PITH_OK);
    pith_doc *doc = must_parse_json("[1,2]");
    pith_status status = write_value(&to, doc, 0, NULL, pith_sink_buffer(out), err);
    pith_doc_free(doc);
    return status;
}

static void what_does_not_read_back_is_not_written(void **state)
{
    (void)state;
    pith_buffer out = {0};
    pith_error err = {0};
    assert_int_equal(written_by(forgetful_encode, &out, &err), PITH_UNREPRESENTABLE);
    assert_string_equal(err.code, "not_verified");
    assert_non_null(strstr(err.message, "another value"));
    assert_int_equal(written_by(broken_encode, &out, &err), PITH_UNREPRESENTABLE);
    assert_string_equal(err.code, "not_verified");
    assert_non_null(strstr(err.message, "does not read back"));
    assert_int_equal(out.len, 0);
    pith_buffer_free(&out);
}

static void rows_are_collected_for_care(void **state)
{
    (void)state;
    static const char *const columns[] = {"a"};
    pith_buffer out = {0};
    pith_outcome outcome = {0};
    pith_options options = {.write = "guard=true verify=true", .outcome = &outcome};
    pith_rows *rows =
        rows_open_named("gcf", columns, 1, &options, pith_sink_buffer(&out), NULL);
    assert_non_null(rows);
    pith_doc_add_int64(pith_rows_row(rows), 7);
    assert_int_equal(pith_rows_end_row(rows, NULL), PITH_OK);
    assert_int_equal(pith_rows_close(rows, NULL), PITH_OK);
    assert_string_equal(out.data, "[{\"a\":7}]");
    assert_string_equal(outcome.format, "json");
    pith_buffer_free(&out);
}

static void objects_of_tables_are_collected_for_care(void **state)
{
    (void)state;
    static const char *const columns[] = {"a"};
    pith_buffer out = {0};
    pith_options options = {.write = "verify=true"};
    pith_rows *rows =
        pith_rows_open_object("json", &options, pith_sink_buffer(&out), NULL);
    assert_non_null(rows);
    assert_int_equal(rows_begin_named(rows, "t", columns, 1, NULL), PITH_OK);
    pith_doc_add_int64(pith_rows_row(rows), 7);
    assert_int_equal(pith_rows_end_row(rows, NULL), PITH_OK);
    assert_int_equal(out.len, 0);
    assert_int_equal(pith_rows_close(rows, NULL), PITH_OK);
    assert_string_equal(out.data, "{\"t\":[{\"a\":7}]}");
    pith_buffer_free(&out);
}

static void every_writer_tells_its_outcome(void **state)
{
    (void)state;
    pith_outcome outcome = {0};
    pith_buffer out = convert("[1]", "ndjson", NULL, &outcome);
    assert_string_equal(outcome.format, "ndjson");
    assert_int_equal(outcome.bytes, 2);
    assert_int_equal(outcome.tokens, 0);
    pith_buffer_free(&out);
    pith_options options = {.outcome = &outcome};
    pith_rows *rows =
        pith_rows_open("json", NULL, 0, &options, pith_sink_buffer(&out), NULL);
    assert_non_null(rows);
    assert_int_equal(pith_rows_close(rows, NULL), PITH_OK);
    assert_string_equal(outcome.format, "json");
    assert_int_equal(outcome.bytes, 2);
    pith_buffer_free(&out);
}

static void common_words_are_checked_like_others(void **state)
{
    (void)state;
    pith_error err = {0};
    pith_buffer out = {0};
    pith_options options = with_settings(NULL, "gaurd=true");
    assert_int_equal(
        pith_convert("json", "gcf", LIT("1"), &options, pith_sink_buffer(&out), &err),
        PITH_BAD_USE);
    assert_non_null(strstr(err.message, "did you mean 'guard'"));
    options = with_settings(NULL, "guard=yes");
    assert_int_equal(
        pith_convert("json", "gcf", LIT("1"), &options, pith_sink_buffer(&out), &err),
        PITH_BAD_USE);
    options = with_settings("guard=true", NULL);
    assert_int_equal(
        pith_convert("json", "gcf", LIT("1"), &options, pith_sink_buffer(&out), &err),
        PITH_BAD_USE);
    assert_string_equal(pith_setting_common(0)->word, "guard");
    assert_null(pith_setting_common(SETTINGS_COMMON_COUNT));
    pith_buffer_free(&out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_smaller_text_passes_the_guard),
        cmocka_unit_test(a_larger_text_gives_way_to_json),
        cmocka_unit_test(a_text_beyond_its_limit_gives_way_too),
        cmocka_unit_test(what_reads_back_is_verified),
        cmocka_unit_test(what_does_not_read_back_is_not_written),
        cmocka_unit_test(rows_are_collected_for_care),
        cmocka_unit_test(objects_of_tables_are_collected_for_care),
        cmocka_unit_test(every_writer_tells_its_outcome),
        cmocka_unit_test(common_words_are_checked_like_others),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
