/*
 * test_settle.c - the cheapest form, chosen by counting.
 */
#include "small_vocab.h"
#include "testing.h"
#include "named.h"

static const char uniform[] =
    "[{\"id\":1,\"name\":\"Ada\",\"team\":\"core\"},{\"id\":2,\"name\":\"Bob\",\"team\":"
    "\"core\"},{\"id\":3,\"name\":\"Cy\",\"team\":\"core\"}]";

static size_t tokens_of(const pith_buffer *text)
{
    pith_vocab *vocab = pith_vocab_open(NULL, NULL, NULL);
    size_t count = 0;
    assert_non_null(vocab);
    assert_int_equal(pith_vocab_count(vocab, text->data, text->len, NULL, &count, NULL),
                     PITH_OK);
    pith_vocab_free(vocab);
    return count;
}

static pith_buffer convert(const char *text, const char *to, const char *words,
                           pith_outcome *outcome)
{
    pith_buffer out = {0};
    pith_options options = with_settings(NULL, words);
    pith_error err = {0};
    options.outcome = outcome;
    pith_status status = pith_convert("json", to, text, strlen(text), &options,
                                      pith_sink_buffer(&out), &err);
    if (status != PITH_OK)
        fprintf(stderr, "%s: %s\n", err.code, err.message);
    assert_int_equal(status, PITH_OK);
    return out;
}

static void auto_is_the_cheapest_of_those_allowed(void **state)
{
    (void)state;
    static const char *const formats[] = {"json", "toon", "gcf"};
    pith_outcome outcome = {0};
    pith_buffer best = convert(uniform, "auto", NULL, &outcome);
    size_t least = tokens_of(&best);
    assert_string_not_equal(outcome.format, "json");
    for (size_t i = 0; i < ROWS(formats); i++) {
        pith_buffer other = convert(uniform, formats[i], NULL, NULL);
        assert_true(least <= tokens_of(&other));
        pith_buffer_free(&other);
    }
    pith_buffer_free(&best);
    best = convert(uniform, "auto", "allow=json", &outcome);
    assert_string_equal(outcome.format, "json");
    assert_string_equal(best.data, uniform);
    pith_buffer_free(&best);
}

static void of_equals_the_first_is_taken(void **state)
{
    (void)state;
    pith_outcome outcome = {0};
    pith_buffer out = convert("{\"a\":{\"b\":1}}", "auto", "allow=toon,pith", &outcome);
    assert_string_equal(outcome.format, "toon");
    pith_buffer_free(&out);
    out = convert("{\"a\":{\"b\":1}}", "auto", "allow=pith,toon", &outcome);
    assert_string_equal(outcome.format, "pith");
    pith_buffer_free(&out);
}

/* Whoever reads it has only the text to tell the format. */
static void what_the_content_does_not_show_is_taken_last(void **state)
{
    (void)state;
    static const struct {
        const char *json;
        const char *words;
        const char *format;
        const char *text;
    } rows[] = {
        {"{}", NULL, "json", "{}"},
        {"{}", "allow=toon", "toon", ""},
        {"{}", "allow=toon,gcf", "gcf", "GCF profile=generic\n"},
        {"{}", "allow=gcf,toon", "gcf", "GCF profile=generic\n"},
        {"7", "allow=toon,json", "json", "7"},
        {"\"hello\"", NULL, "json", "\"hello\""},
        {"\"hello\"", "allow=pith", "pith", "hello"},
        {"[\"NaN\",\"None\"]", NULL, "json", "[\"NaN\",\"None\"]"},
        {"[{\"ok\":\"c\"}]", NULL, "pith", "[{ok:c}]"},
        {"[[1,\"a\"]]", NULL, "pith", "[[1,a]]"},
        {"{\"symbols\":[{\"qualified_name\":\"a\",\"kind\":\"function\",\"score\":1,"
         "\"provenance\":\"p\",\"distance\":0}],\"edges\":[]}",
         "allow=json,gcf-graph", "gcf-graph",
         "GCF profile=graph symbols=1\n"
         "## targets\n"
         "@0 fn a 1.00 p\n"},
    };
    for (size_t i = 0; i < ROWS(rows); i++) {
        pith_outcome outcome = {0};
        pith_buffer out = convert(rows[i].json, "auto", rows[i].words, &outcome);
        assert_string_equal(outcome.format, rows[i].format);
        assert_true(same_bytes(rows[i].json, out.data, out.len, rows[i].text,
                               strlen(rows[i].text)));
        pith_buffer_free(&out);
    }
}

/* toon-rows holds one table of flat rows and nothing else. */
static void what_cannot_hold_the_value_is_no_choice(void **state)
{
    (void)state;
    pith_outcome outcome = {0};
    pith_buffer out = convert("{\"a\":1}", "auto", "allow=toon-rows,json", &outcome);
    assert_string_equal(outcome.format, "json");
    pith_buffer_free(&out);
    pith_error err = {0};
    pith_options options = with_settings(NULL, "allow=toon-rows");
    assert_int_equal(pith_convert("json", "auto", LIT("{\"a\":1}"), &options,
                                  pith_sink_buffer(&out), &err),
                     PITH_UNREPRESENTABLE);
    pith_buffer_free(&out);
}

static void a_wrong_list_is_refused(void **state)
{
    (void)state;
    static const char *const lists[] = {"allow=jsn", "allow=auto", "allow=json,,toon"};
    for (size_t i = 0; i < ROWS(lists); i++) {
        pith_buffer out = {0};
        pith_error err = {0};
        pith_options options = with_settings(NULL, lists[i]);
        assert_int_equal(pith_convert("json", "auto", LIT("1"), &options,
                                      pith_sink_buffer(&out), &err),
                         PITH_BAD_USE);
        assert_string_equal(err.code, "bad_setting");
        pith_buffer_free(&out);
    }
}

static void optimize_never_costs_more_and_says_the_same(void **state)
{
    (void)state;
    static const char *const texts[] = {
        uniform,
        "[{\"a\":{\"x\":1,\"y\":2,\"z\":3}},{\"a\":{\"x\":4,\"y\":5,\"z\":6}}]",
        "{\"rows\":[{\"k\":\"a,b\",\"v\":1},{\"k\":\"c,d\",\"v\":2}]}",
        "[{\"items\":[{\"q\":1},{\"q\":2}]},{\"items\":[{\"q\":3}]}]",
        "[]",
        "\"text\"",
    };
    static const char *const formats[] = {"json", "toon", "gcf", "auto"};
    for (size_t i = 0; i < ROWS(texts); i++) {
        for (size_t j = 0; j < ROWS(formats); j++) {
            pith_outcome outcome = {0};
            pith_buffer plain = convert(texts[i], formats[j], NULL, NULL);
            pith_buffer least =
                convert(texts[i], formats[j], "optimize=tokens verify=true", &outcome);
            assert_true(tokens_of(&least) <= tokens_of(&plain));
            pith_buffer back = {0};
            assert_int_equal(pith_convert(outcome.format, "json", least.data, least.len,
                                          NULL, pith_sink_buffer(&back), NULL),
                             PITH_OK);
            assert_string_equal(back.data, texts[i]);
            pith_buffer_free(&back);
            pith_buffer_free(&plain);
            pith_buffer_free(&least);
        }
    }
}

/* Commas in every cell: another delimiter saves the quotes. */
static void optimize_chooses_among_delimiters(void **state)
{
    (void)state;
    const char *text = "[{\"k\":\"a, b\",\"v\":\"c, d\"},{\"k\":\"e, f\",\"v\":\"g, h\"},"
                       "{\"k\":\"i, j\",\"v\":\"k, l\"},{\"k\":\"m, n\",\"v\":\"o, p\"}]";
    pith_buffer plain = convert(text, "toon", NULL, NULL);
    pith_buffer least = convert(text, "toon", "optimize=tokens", NULL);
    assert_true(tokens_of(&least) < tokens_of(&plain));
    pith_buffer_free(&least);
    least = convert(text, "toon", "optimize=tokens delimiter=comma", NULL);
    assert_string_equal(least.data, plain.data);
    pith_buffer_free(&least);
    pith_buffer_free(&plain);
}

/* Groups gather equal rows, so they may only be used where those stand together. */
static void groups_keep_the_order_of_rows(void **state)
{
    (void)state;
    pith_buffer sorted = {0};
    pith_buffer mixed = {0};
    pith_sink sinks[] = {pith_sink_buffer(&sorted), pith_sink_buffer(&mixed)};
    for (int i = 0; i < 60; i++) {
        char row[128];
        for (int s = 0; s < 2; s++) {
            int len = snprintf(row, sizeof row,
                               "%s{\"id\":%d,\"department\":\"the long name of "
                               "department number %d\"}",
                               i ? "," : "[", i, s ? i % 3 : i / 20);
            assert_int_equal(sinks[s].write(sinks[s].ctx, row, (size_t)len), PITH_OK);
        }
    }
    for (int s = 0; s < 2; s++)
        assert_int_equal(sinks[s].write(sinks[s].ctx, LIT("]")), PITH_OK);
    pith_buffer out = convert(sorted.data, "gcf", "level=3.6 optimize=tokens", NULL);
    assert_non_null(strstr(out.data, "group=department"));
    pith_buffer_free(&out);
    out = convert(mixed.data, "gcf", "level=3.6 optimize=tokens verify=true", NULL);
    assert_null(strstr(out.data, "group="));
    pith_buffer_free(&out);
    /* Nor where a row holds something else than the others, or an array before the field,
     * or where there are too many groups to look at. */
    static const char *const last[] = {",{\"id\":60}]",
                                       ",{\"id\":[],\"department\":\"x\"}]", ",null]",
                                       ",{\"department\":\"x\",\"id\":60}]"};
    for (size_t i = 0; i < ROWS(last); i++) {
        sorted.len--;
        assert_int_equal(sinks[0].write(sinks[0].ctx, last[i], strlen(last[i])), PITH_OK);
        out = convert(sorted.data, "gcf", "level=3.6 optimize=tokens verify=true", NULL);
        assert_null(strstr(out.data, "group="));
        pith_buffer_free(&out);
        sorted.len -= strlen(last[i]) - 1;
        sorted.data[sorted.len - 1] = ']';
    }
    mixed.len = 0;
    for (int i = 0; i < 520; i++) {
        char row[64];
        int len = snprintf(row, sizeof row, "%s{\"id\":%d,\"pair\":\"number %d\"}",
                           i ? "," : "[", i, i / 2);
        assert_int_equal(sinks[1].write(sinks[1].ctx, row, (size_t)len), PITH_OK);
    }
    assert_int_equal(sinks[1].write(sinks[1].ctx, LIT("]")), PITH_OK);
    out = convert(mixed.data, "gcf", "level=3.6 optimize=tokens verify=true", NULL);
    assert_null(strstr(out.data, "group="));
    pith_buffer_free(&out);
    pith_buffer_free(&sorted);
    pith_buffer_free(&mixed);
}

/* The number in the first line is that of the text, first line included. */
static void a_text_can_state_its_own_tokens(void **state)
{
    (void)state;
    for (size_t rows = 1; rows < 400; rows += 7) {
        pith_doc *doc = pith_doc_new(NULL);
        assert_non_null(doc);
        pith_doc_open_array(doc);
        for (size_t i = 0; i < rows; i++)
            pith_doc_add_uint64(doc, i);
        pith_doc_close(doc);
        assert_int_equal(pith_doc_finish(doc, NULL), PITH_OK);
        pith_options options = with_settings(NULL, "tokens=exact optimize=tokens");
        pith_outcome outcome = {0};
        options.outcome = &outcome;
        pith_buffer out = must_write(pith_doc_root(doc), "gcf", &options);
        char line[64];
        int len = snprintf(line, sizeof line, "GCF profile=generic tokens=%zu\n",
                           tokens_of(&out));
        assert_memory_equal(out.data, line, (size_t)len);
        assert_int_equal(outcome.tokens, tokens_of(&out));
        pith_buffer_free(&out);
        pith_doc_free(doc);
    }
}

/* With some vocabularies no number is true of the text it stands in; see test_fit.c. */
static void a_number_that_cannot_be_true_is_not_stated(void **state)
{
    (void)state;
    pith_doc *doc = must_parse_json(
        "[\"a text of many letters and of no digits at all, since they are counted one by "
        "one\",\"and another one, so that there are more than a hundred of them in it\"]");
    size_t unstated = 0;
    for (unsigned digits = 0; digits < 100; digits++) {
        bytes file = small_vocab_json_joining(digits);
        pith_vocab *vocab = pith_vocab_read(file.ptr, file.len, NULL, NULL);
        pith_outcome outcome = {0};
        pith_options options = with_settings(NULL, "tokens=exact");
        options.vocab = vocab;
        options.outcome = &outcome;
        assert_non_null(vocab);
        pith_buffer out = must_write(pith_doc_root(doc), "gcf", &options);
        size_t count = 0;
        assert_int_equal(pith_vocab_count(vocab, out.data, out.len, NULL, &count, NULL),
                         PITH_OK);
        assert_int_equal(outcome.tokens, count);
        char line[64];
        snprintf(line, sizeof line, "GCF profile=generic tokens=%zu\n", count);
        if (strncmp(out.data, line, strlen(line)) != 0) {
            static const char plain[] = "GCF profile=generic\n";
            assert_memory_equal(out.data, plain, sizeof plain - 1);
            unstated++;
        }
        pith_buffer_free(&out);
        pith_vocab_free(vocab);
        bytes_free(&file);
    }
    assert_true(unstated > 0 && unstated < 10);
    pith_doc_free(doc);
}

static void rows_can_be_settled_too(void **state)
{
    (void)state;
    static const char *const columns[] = {"id", "name"};
    pith_buffer out = {0};
    pith_outcome outcome = {0};
    pith_options options = {.outcome = &outcome};
    pith_rows *rows =
        rows_open_named("auto", columns, 2, &options, pith_sink_buffer(&out), NULL);
    assert_non_null(rows);
    for (int i = 0; i < 20; i++) {
        pith_doc_add_int64(pith_rows_row(rows), i);
        pith_doc_add_text(pith_rows_row(rows), LIT("somebody"));
        assert_int_equal(pith_rows_end_row(rows, NULL), PITH_OK);
    }
    assert_int_equal(pith_rows_close(rows, NULL), PITH_OK);
    assert_string_not_equal(outcome.format, "auto");
    assert_string_not_equal(outcome.format, "json");
    pith_buffer_free(&out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(auto_is_the_cheapest_of_those_allowed),
        cmocka_unit_test(of_equals_the_first_is_taken),
        cmocka_unit_test(what_the_content_does_not_show_is_taken_last),
        cmocka_unit_test(what_cannot_hold_the_value_is_no_choice),
        cmocka_unit_test(a_wrong_list_is_refused),
        cmocka_unit_test(optimize_never_costs_more_and_says_the_same),
        cmocka_unit_test(optimize_chooses_among_delimiters),
        cmocka_unit_test(groups_keep_the_order_of_rows),
        cmocka_unit_test(a_text_can_state_its_own_tokens),
        cmocka_unit_test(a_number_that_cannot_be_true_is_not_stated),
        cmocka_unit_test(rows_can_be_settled_too),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
