/*
 * test_fit.c - as many rows as fit, and the truth about the rest.
 */
#include "small_vocab.h"
#include "fitting.h"
#include "graphs.h"
#include "testing.h"

static pith_doc *table(size_t rows)
{
    pith_doc *doc = pith_doc_new(NULL);
    assert_non_null(doc);
    pith_doc_open_object(doc);
    pith_doc_add_key(doc, LIT("page"));
    pith_doc_add_int64(doc, 1);
    pith_doc_add_key(doc, LIT("data"));
    pith_doc_open_object(doc);
    pith_doc_add_key(doc, LIT("rows"));
    pith_doc_open_array(doc);
    for (size_t i = 0; i < rows; i++) {
        pith_doc_open_object(doc);
        pith_doc_add_key(doc, LIT("id"));
        pith_doc_add_uint64(doc, i);
        pith_doc_add_key(doc, LIT("name"));
        pith_doc_add_text(doc, LIT("somebody or other"));
        pith_doc_close(doc);
    }
    pith_doc_close(doc);
    pith_doc_add_key(doc, LIT("more"));
    pith_doc_add_bool(doc, true);
    pith_doc_close(doc);
    pith_doc_add_key(doc, LIT("tags"));
    pith_doc_open_array(doc);
    pith_doc_add_text(doc, LIT("a"));
    pith_doc_close(doc);
    pith_doc_close(doc);
    assert_int_equal(pith_doc_finish(doc, NULL), PITH_OK);
    return doc;
}

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

/* The first fields of the rows that stayed, as "0,3,6". */
static void list_ids(const pith_buffer *text, const char *format, char *into)
{
    pith_doc *doc = must_parse(format, text->data, text->len, NULL);
    pith_value rows = doc_find_rows(pith_doc_root(doc));
    into[0] = '\0';
    for (pith_value row = pith_value_first(rows); row.doc; row = pith_value_next(row)) {
        pith_text id = pith_value_text(pith_value_first(row));
        sprintf(into + strlen(into), "%s%.*s", into[0] ? "," : "", (int)id.len, id.ptr);
    }
    pith_doc_free(doc);
}

static void the_rows_are_the_largest_array(void **state)
{
    (void)state;
    pith_doc *doc =
        must_parse_json("{\"a\":[1],\"b\":{\"c\":[[1,2,3,4,5,6],2]},\"d\":[]}");
    pith_value rows = doc_find_rows(pith_doc_root(doc));
    assert_int_equal(pith_value_count(rows), 2);
    assert_memory_equal(pith_value_key(rows).ptr, "c", 1);
    pith_doc_free(doc);
    doc = must_parse_json("{\"a\":{\"b\":1},\"d\":[]}");
    assert_null(doc_find_rows(pith_doc_root(doc)).doc);
    pith_doc_free(doc);
    doc = must_parse_json("[[1,2,3],[4]]");
    assert_int_equal(pith_value_count(doc_find_rows(pith_doc_root(doc))), 2);
    pith_doc_free(doc);
    pith_value none = {0};
    assert_null(doc_find_rows(none).doc);
}

static void a_cut_copy_keeps_everything_else(void **state)
{
    (void)state;
    static const struct {
        size_t count;
        rows_keep keep;
        const char *ids;
    } cuts[] = {
        {3, ROWS_KEEP_FIRST, "0,1,2"},
        {3, ROWS_KEEP_LAST, "7,8,9"},
        {3, ROWS_KEEP_SPREAD, "0,4,7"},
        {1, ROWS_KEEP_SPREAD, "0"},
        {10, ROWS_KEEP_SPREAD, "0,1,2,3,4,5,6,7,8,9"},
        {0, ROWS_KEEP_LAST, ""},
        {10, ROWS_KEEP_LAST, "0,1,2,3,4,5,6,7,8,9"},
    };
    pith_doc *doc = table(10);
    pith_value root = pith_doc_root(doc);
    for (size_t i = 0; i < ROWS(cuts); i++) {
        pith_doc *cut = pith_doc_new(NULL);
        assert_non_null(cut);
        doc_copy_rows(cut, root, doc_find_rows(root), cuts[i].count, cuts[i].keep);
        assert_int_equal(pith_doc_finish(cut, NULL), PITH_OK);
        pith_buffer text = must_write(pith_doc_root(cut), "json", NULL);
        char ids[128];
        list_ids(&text, "json", ids);
        if (cuts[i].count > 0)
            assert_string_equal(ids, cuts[i].ids);
        assert_memory_equal(text.data, "{\"page\":1,\"data\":{\"rows\":[", 26);
        assert_non_null(strstr(text.data, "],\"more\":true},\"tags\":[\"a\"]}"));
        pith_buffer_free(&text);
        pith_doc_free(cut);
    }
    pith_doc_free(doc);
}

/* The most rows that fit: one more would be too much. */
static void as_many_rows_as_fit(void **state)
{
    (void)state;
    static const char *const formats[] = {"json", "toon", "gcf", "auto"};
    static const size_t budgets[] = {60, 100, 333, 1000};
    pith_doc *doc = table(300);
    pith_value root = pith_doc_root(doc);
    for (size_t f = 0; f < ROWS(formats); f++) {
        for (size_t b = 0; b < ROWS(budgets); b++) {
            pith_outcome outcome = {0};
            pith_options options = {.outcome = &outcome};
            fitting fit = {.tokens_max = budgets[b]};
            pith_buffer text = {0};
            assert_int_equal(fit_value(root, formats[f], &fit, &options,
                                       pith_sink_buffer(&text), NULL),
                             PITH_OK);
            assert_int_equal(tokens_of(&text), fit.tokens);
            assert_true(fit.tokens <= budgets[b]);
            assert_int_equal(fit.rows + fit.rows_left_out, 300);
            pith_doc *back = must_parse(outcome.format, text.data, text.len, NULL);
            assert_int_equal(pith_value_count(doc_find_rows(pith_doc_root(back))),
                             fit.rows);
            pith_doc_free(back);
            pith_buffer_free(&text);
            if (fit.rows_left_out == 0)
                continue;
            pith_doc *more = pith_doc_new(NULL);
            assert_non_null(more);
            doc_copy_rows(more, root, doc_find_rows(root), fit.rows + 1, ROWS_KEEP_FIRST);
            assert_int_equal(pith_doc_finish(more, NULL), PITH_OK);
            text = must_write(pith_doc_root(more), outcome.format, NULL);
            /* a comment of up to 12 tokens is part of the GCF that was measured */
            assert_true(tokens_of(&text) + 12 > budgets[b]);
            pith_buffer_free(&text);
            pith_doc_free(more);
        }
    }
    pith_doc_free(doc);
}

static void what_fits_is_written_whole(void **state)
{
    (void)state;
    pith_doc *doc = table(3);
    fitting fit = {.tokens_max = 10000, .newline = true};
    pith_buffer text = {0};
    assert_int_equal(
        fit_value(pith_doc_root(doc), "gcf", &fit, NULL, pith_sink_buffer(&text), NULL),
        PITH_OK);
    pith_buffer whole = must_write(pith_doc_root(doc), "gcf", NULL);
    assert_string_equal(text.data, whole.data);
    assert_int_equal(fit.rows, 3);
    assert_int_equal(fit.rows_left_out, 0);
    pith_buffer_free(&whole);
    pith_buffer_free(&text);
    pith_doc_free(doc);
}

static void a_comment_says_what_is_missing(void **state)
{
    (void)state;
    pith_doc *doc = table(300);
    fitting fit = {.tokens_max = 200, .keep = ROWS_KEEP_LAST, .newline = true};
    pith_buffer text = {0};
    assert_int_equal(
        fit_value(pith_doc_root(doc), "gcf", &fit, NULL, pith_sink_buffer(&text), NULL),
        PITH_OK);
    char remark[64];
    snprintf(remark, sizeof remark, "\n# %zu of 300 rows left out\n", fit.rows_left_out);
    assert_non_null(strstr(text.data, remark));
    assert_int_equal(text.data[text.len - 1], '\n');
    assert_int_equal(tokens_of(&text), fit.tokens);
    pith_doc_free(must_parse("gcf", text.data, text.len, NULL));
    pith_buffer_free(&text);
    pith_doc_free(doc);
}

static void too_little_is_an_error_with_the_size(void **state)
{
    (void)state;
    pith_doc *doc = table(300);
    pith_doc *scalar = must_parse_json("\"a text of a few words, not a table\"");
    pith_buffer text = {0};
    pith_error err = {0};
    fitting fit = {.tokens_max = 5};
    assert_int_equal(
        fit_value(pith_doc_root(doc), "json", &fit, NULL, pith_sink_buffer(&text), &err),
        PITH_LIMIT);
    assert_string_equal(err.code, "budget_exceeded");
    assert_non_null(strstr(err.message, "even with 1 of the"));
    assert_int_equal(fit_value(pith_doc_root(scalar), "json", &fit, NULL,
                               pith_sink_buffer(&text), &err),
                     PITH_LIMIT);
    assert_non_null(strstr(err.message, "there are no rows to leave out"));
    assert_int_equal(text.len, 0);
    pith_value none = {0};
    assert_int_equal(fit_value(none, "json", &fit, NULL, pith_sink_buffer(&text), &err),
                     PITH_BAD_USE);
    pith_buffer_free(&text);
    pith_doc_free(doc);
    pith_doc_free(scalar);
}

/* Of a graph the best symbols stay, with the edges between them, and its first line
 * states the budget and the tokens as they are. */
static void graphs_lose_their_weakest_symbols(void **state)
{
    (void)state;
    code_graph *graph = made_graph_new(NULL);
    assert_non_null(graph);
    for (size_t i = 0; i < 50; i++) {
        char name[32];
        int len = snprintf(name, sizeof name, "pkg.F%zu", i);
        made_symbol symbol = {.kind = {"function", 8},
                              .name = {name, (size_t)len},
                              .provenance = {"ast", 3},
                              .score = (double)(i * 37 % 50) / 50,
                              .distance = i % 3};
        assert_int_equal(made_graph_add_symbol(graph, &symbol), i);
    }
    for (size_t i = 1; i < 50; i++)
        made_graph_add_edge(graph, i, i - 1, "calls", NULL);
    pith_doc *doc = pith_doc_new(NULL);
    assert_non_null(doc);
    assert_int_equal(made_graph_to_doc(graph, doc, NULL), PITH_OK);
    for (size_t budget = 100; budget < 1400; budget += 131) {
        fitting fit = {.tokens_max = budget, .newline = true};
        pith_buffer text = {0};
        assert_int_equal(fit_value(pith_doc_root(doc), "gcf-graph", &fit, NULL,
                                   pith_sink_buffer(&text), NULL),
                         PITH_OK);
        assert_string_equal(fit.unit, "symbols");
        assert_true(fit.tokens <= budget);
        assert_int_equal(tokens_of(&text), fit.tokens);
        assert_int_equal(made_graph_read(graph, "gcf", text.data, text.len, NULL, NULL),
                         PITH_OK);
        assert_int_equal(graph->symbols.count, fit.rows);
        assert_int_equal(made_graph_head(graph).budget, budget);
        assert_int_equal(made_graph_head(graph).tokens, fit.tokens);
        for (size_t i = 0; i < fit.rows; i++) {
            double lowest = (double)(50 - fit.rows) / 50;
            assert_true(made_graph_symbol(graph, i).score > lowest - 0.005);
        }
        pith_buffer_free(&text);
    }
    /* The older wire, too: its rows are those of the value that is read back. */
    fitting fit = {.tokens_max = 500, .newline = true};
    pith_options options = with_settings(NULL, "tool=t");
    pith_buffer text = {0};
    assert_int_equal(fit_value(pith_doc_root(doc), "gcf1-graph", &fit, &options,
                               pith_sink_buffer(&text), NULL),
                     PITH_OK);
    assert_string_equal(fit.unit, "symbols");
    assert_int_equal(tokens_of(&text), fit.tokens);
    assert_true(fit.tokens <= 500 && fit.rows > 0 && fit.rows < 50);
    pith_doc *back = must_parse("gcf1-graph", text.data, text.len, NULL);
    assert_int_equal(
        pith_value_count(pith_value_get(pith_doc_root(back), LIT("symbols"))), fit.rows);
    pith_doc_free(back);
    pith_buffer_free(&text);
    pith_doc_free(doc);
    made_graph_free(graph);
}

/* Of symbols with equal scores the first stay, and their places with them. */
static void of_equal_symbols_the_first_stay(void **state)
{
    (void)state;
    code_graph *graph = made_graph_new(NULL);
    assert_non_null(graph);
    for (size_t i = 0; i < 40; i++) {
        char name[32];
        int len = snprintf(name, sizeof name, "pkg.F%02zu", i);
        made_symbol symbol = {.kind = {"function", 8},
                              .name = {name, (size_t)len},
                              .provenance = {"ast", 3},
                              .score = 0.5,
                              .file = {"a.c", 3},
                              .line = i + 1,
                              .column = 2};
        assert_int_equal(made_graph_add_symbol(graph, &symbol), i);
    }
    pith_doc *doc = pith_doc_new(NULL);
    assert_non_null(doc);
    assert_int_equal(made_graph_to_doc(graph, doc, NULL), PITH_OK);
    pith_options options = with_settings(NULL, "level=3.6");
    fitting fit = {.tokens_max = 400};
    pith_buffer text = {0};
    assert_int_equal(fit_value(pith_doc_root(doc), "gcf-graph", &fit, &options,
                               pith_sink_buffer(&text), NULL),
                     PITH_OK);
    assert_true(fit.rows > 3 && fit.rows_left_out > 3);
    assert_int_equal(made_graph_read(graph, "gcf", text.data, text.len, NULL, NULL),
                     PITH_OK);
    assert_int_equal(graph->symbols.count, fit.rows);
    for (size_t i = 0; i < fit.rows; i++) {
        char name[32];
        snprintf(name, sizeof name, "pkg.F%02zu", i);
        made_symbol symbol = made_graph_symbol(graph, i);
        assert_memory_equal(symbol.name.ptr, name, symbol.name.len);
        assert_int_equal(symbol.line, i + 1);
    }
    pith_buffer_free(&text);
    pith_doc_free(doc);
    made_graph_free(graph);
}

/* With some vocabularies no number is true of the text it stands in: "217" is a token less
 * than 216, so the text that says 217 has 216, and the other way round. Then the text
 * states none. */
static void a_number_that_cannot_be_true_is_not_stated(void **state)
{
    (void)state;
    static const char json[] =
        "{\"symbols\":[{\"qualified_name\":\"first.of.a.few\",\"kind\":\"function\","
        "\"score\":0.5,\"provenance\":\"ast\",\"distance\":0},{\"qualified_name\":"
        "\"second.of.a.few\",\"kind\":\"function\",\"score\":0.5,\"provenance\":"
        "\"ast\",\"distance\":0}],\"edges\":[]}";
    pith_doc *doc = must_parse_json(json);
    code_graph *graph = made_graph_new(NULL);
    size_t unstated = 0;
    for (unsigned digits = 0; digits < 100; digits++) {
        bytes file = small_vocab_json_joining(digits);
        pith_vocab *vocab = pith_vocab_read(file.ptr, file.len, NULL, NULL);
        pith_options options = {.vocab = vocab};
        fitting fit = {.tokens_max = 5555};
        pith_buffer text = {0};
        size_t count = 0;
        assert_non_null(vocab);
        assert_int_equal(fit_value(pith_doc_root(doc), "gcf-graph", &fit, &options,
                                   pith_sink_buffer(&text), NULL),
                         PITH_OK);
        assert_int_equal(pith_vocab_count(vocab, text.data, text.len, NULL, &count, NULL),
                         PITH_OK);
        assert_int_equal(count, fit.tokens);
        assert_int_equal(made_graph_read(graph, "gcf", text.data, text.len, NULL, NULL),
                         PITH_OK);
        uint64_t stated = made_graph_head(graph).tokens;
        assert_true(stated == 0 || stated == count);
        unstated += stated == 0;
        pith_buffer_free(&text);
        pith_vocab_free(vocab);
        bytes_free(&file);
    }
    assert_true(unstated > 0 && unstated < 10);
    made_graph_free(graph);
    pith_doc_free(doc);
}

/* The number of tokens that was asked for is that of the rows which stayed. */
static void a_cut_table_states_its_own_tokens(void **state)
{
    (void)state;
    pith_doc *doc =
        must_parse_json("[{\"a\":1,\"b\":\"x\"},{\"a\":2,\"b\":\"y\"},{\"a\":3,"
                        "\"b\":\"z\"},{\"a\":4,\"b\":\"w\"}]");
    pith_options options = with_settings(NULL, "tokens=exact");
    const size_t one_row = 30; /* tokens, with what says that three are left out */
    for (size_t budget = 24; budget < 60; budget += 4) {
        fitting fit = {.tokens_max = budget};
        pith_buffer text = {0};
        char line[64];
        pith_status status = fit_value(pith_doc_root(doc), "gcf", &fit, &options,
                                       pith_sink_buffer(&text), NULL);
        assert_int_equal(status, budget < one_row ? PITH_LIMIT : PITH_OK);
        if (status != PITH_OK)
            continue;
        int len =
            snprintf(line, sizeof line, "GCF profile=generic tokens=%zu\n", fit.tokens);
        assert_true(fit.tokens <= budget);
        assert_memory_equal(text.data, line, (size_t)len);
        pith_buffer_free(&text);
    }
    pith_doc_free(doc);
}

/* A graph has three levels. */
static void a_graph_beyond_the_depth_is_a_limit(void **state)
{
    (void)state;
    pith_doc *doc = must_parse_json(
        "{\"symbols\":[{\"qualified_name\":\"a\",\"kind\":\"type\",\"score\":1,"
        "\"provenance\":\"p\",\"distance\":0}]}");
    fitting fit = {.tokens_max = 1000};
    pith_options options = {.depth_max = 2};
    pith_buffer text = {0};
    pith_error err = {0};
    assert_int_equal(fit_value(pith_doc_root(doc), "gcf-graph", &fit, &options,
                               pith_sink_buffer(&text), &err),
                     PITH_LIMIT);
    assert_string_equal(err.code, "depth_limit");
    options.depth_max = 3;
    assert_int_equal(fit_value(pith_doc_root(doc), "gcf-graph", &fit, &options,
                               pith_sink_buffer(&text), &err),
                     PITH_OK);
    pith_buffer_free(&text);
    pith_doc_free(doc);
}

/* Indentation costs hardly any tokens, and grows with the square of the depth. */
static void indentation_is_not_counted_to_its_end(void **state)
{
    (void)state;
    enum { DEPTH = 4000 };
    static const char *const formats[] = {"toon", "gcf"};
    pith_doc *doc = pith_doc_new(&(pith_options){.depth_max = DEPTH + 1});
    for (size_t i = 0; i < DEPTH; i++) {
        pith_doc_open_object(doc);
        pith_doc_add_key(doc, LIT("a"));
    }
    pith_doc_add_null(doc);
    for (size_t i = 0; i < DEPTH; i++)
        pith_doc_close(doc);
    assert_int_equal(pith_doc_finish(doc, NULL), PITH_OK);
    for (size_t i = 0; i < ROWS(formats); i++) {
        pith_error err = {0};
        fitting fit = {.tokens_max = 100};
        pith_buffer text = {0};
        assert_int_equal(fit_value(pith_doc_root(doc), formats[i], &fit, NULL,
                                   pith_sink_buffer(&text), &err),
                         PITH_LIMIT);
        assert_string_equal(err.code, "budget_exceeded");
        assert_non_null(strstr(err.message, "this takes more than "));
        pith_buffer_free(&text);
    }
    pith_doc_free(doc);
}

/* Rows that come one by one are not held when they cannot fit; what is said is the same. */
static void rows_beyond_the_budget_are_counted(void **state)
{
    (void)state;
    static const char *const formats[] = {"json", "toon", "gcf", "pith", "auto"};
    enum { COUNT = 20000 };
    pith_doc *doc = table(COUNT);
    pith_value rows = doc_find_rows(pith_doc_root(doc));
    for (size_t f = 0; f < ROWS(formats); f++) {
        pith_outcome outcome = {0};
        pith_options options = with_settings(NULL, "budget=200");
        options.outcome = &outcome;
        pith_buffer whole = must_write(rows, formats[f], &options);
        pith_buffer text = {0};
        pith_rows *out =
            pith_rows_open(formats[f], NULL, 0, &options, pith_sink_buffer(&text), NULL);
        assert_non_null(out);
        for (pith_value row = pith_value_first(rows); row.doc; row = pith_value_next(row))
            assert_int_equal(pith_rows_add_row(out, row, NULL), PITH_OK);
        assert_int_equal(pith_rows_close(out, NULL), PITH_OK);
        assert_int_equal(outcome.rows + outcome.rows_left_out, COUNT);
        assert_true(outcome.tokens <= 200);
        assert_int_equal(text.len, whole.len);
        assert_memory_equal(text.data, whole.data, whole.len);
        pith_buffer_free(&text);
        pith_buffer_free(&whole);
    }
    pith_doc_free(doc);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_rows_are_the_largest_array),
        cmocka_unit_test(a_cut_copy_keeps_everything_else),
        cmocka_unit_test(as_many_rows_as_fit),
        cmocka_unit_test(what_fits_is_written_whole),
        cmocka_unit_test(a_comment_says_what_is_missing),
        cmocka_unit_test(graphs_lose_their_weakest_symbols),
        cmocka_unit_test(of_equal_symbols_the_first_stay),
        cmocka_unit_test(a_number_that_cannot_be_true_is_not_stated),
        cmocka_unit_test(a_cut_table_states_its_own_tokens),
        cmocka_unit_test(a_graph_beyond_the_depth_is_a_limit),
        cmocka_unit_test(too_little_is_an_error_with_the_size),
        cmocka_unit_test(indentation_is_not_counted_to_its_end),
        cmocka_unit_test(rows_beyond_the_budget_are_counted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
