/*
 * test_gcf1_answers.c - changes of graphs as GCF 1, and graphs that leave as they are found.
 */
#include "bytes.h"
#include "graphs.h"
#include "testing.h"

#define LINE(text) text "\n"

/* A graph of forty symbols, most of them of distance 1, and `more` after them. */
static pith_doc *graph_with(const char *score, const char *more, const char *edge)
{
    bytes text = {0};
    bytes_put(&text, "{\"tool\":\"t\",\"symbols\":[");
    for (int i = 0; i < 40; i++) {
        bytes_print(&text,
                    "%s{\"qualified_name\":\"pkg.F%d\",\"kind\":\"function\","
                    "\"score\":%s,\"provenance\":\"lsp\",\"distance\":%d}",
                    i ? "," : "", i, i == 7 ? score : "0.5", i > 3);
    }
    bytes_print(&text, "%s],\"edges\":[%s]}", more, edge);
    pith_doc *borrows = pith_doc_parse("json", text.ptr, text.len, NULL, NULL);
    pith_doc *doc = pith_doc_new(NULL);
    pith_doc_add_value(doc, pith_doc_root(borrows));
    assert_int_equal(pith_doc_finish(doc, NULL), PITH_OK);
    pith_doc_free(borrows);
    bytes_free(&text);
    return doc;
}

#define EDGE(source, target)                                                             \
    "{\"source\":\"" source "\",\"target\":\"" target "\",\"edge_type\":\"calls\"}"
#define NEW(distance)                                                                    \
    ",{\"qualified_name\":\"pkg.New\",\"kind\":\"type\",\"score\":0.25,"                 \
    "\"provenance\":\"ast\",\"distance\":" distance "}"

/* The answer from one to the other, which is applied and must lead there. */
static pith_delta_kind answer_of(pith_doc *base, pith_doc *now, pith_buffer *text)
{
    pith_delta_kind answer;
    pith_error err = {0};
    char root[PITH_ROOT_SIZE];
    pith_policy policy = {.format = "gcf1-graph"};
    pith_vocab *vocab = pith_vocab_open("estimate", NULL, NULL);
    pith_options options = {.vocab = vocab};
    pith_snapshot *ours = pith_snapshot_new(&policy, &options, &err);
    pith_snapshot *theirs = pith_snapshot_new(&policy, &options, &err);
    assert_non_null(ours);
    assert_int_equal(pith_snapshot_set(ours, pith_doc_root(base), NULL), PITH_OK);
    assert_int_equal(pith_snapshot_set(theirs, pith_doc_root(base), NULL), PITH_OK);
    strcpy(root, pith_snapshot_root(ours));
    if (pith_snapshot_write(ours, root, pith_doc_root(now), pith_sink_buffer(text),
                            &answer, &err) != PITH_OK ||
        pith_snapshot_apply(theirs, text->data, text->len, NULL, &err) != PITH_OK)
        fail_msg("%s: %s", err.code, err.message);
    assert_string_equal(pith_snapshot_root(ours), pith_snapshot_root(theirs));
    pith_snapshot_free(ours);
    pith_snapshot_free(theirs);
    pith_vocab_free(vocab);
    return answer;
}

static void a_change_goes_both_ways(void **state)
{
    (void)state;
    pith_buffer text = {0};
    pith_doc *base = graph_with("0.5", "", EDGE("pkg.F1", "pkg.F2"));
    pith_doc *now = graph_with("0.75", NEW("0"), EDGE("pkg.F1", "pkg.New"));
    assert_int_equal(answer_of(base, now, &text), PITH_DELTA_CHANGES);
    assert_memory_equal(text.data, "GCF tool=t delta=true base_root=", 32);
    assert_non_null(strstr(text.data, " tokens="));
    assert_non_null(strstr(text.data, " savings="));
    assert_null(strstr(text.data, "sha256:"));
    const char *body = strchr(text.data, '\n') + 1;
    assert_string_equal(
        body, LINE("## removed") LINE("fn pkg.F7") LINE("## added")
                  LINE("@0 fn pkg.F7 0.75 lsp") LINE("@1 type pkg.New 0.25 ast")
                      LINE("## edges_removed") LINE("pkg.F1 -> pkg.F2 calls")
                          LINE("## edges_added") LINE("pkg.F1 -> pkg.New calls"));
    pith_buffer_free(&text);
    pith_doc_free(base);
    pith_doc_free(now);
}

/* A change does not say how far away a new symbol is. */
static void a_distance_that_cannot_be_told(void **state)
{
    (void)state;
    pith_buffer text = {0};
    pith_doc *base = graph_with("0.5", "", "");
    pith_doc *now = graph_with("0.5", NEW("1"), "");
    assert_int_equal(answer_of(base, now, &text), PITH_DELTA_FULL);
    pith_buffer_free(&text);
    pith_doc_free(base);
    pith_doc_free(now);
}

static void nothing_has_changed(void **state)
{
    (void)state;
    pith_buffer text = {0};
    pith_doc *base = graph_with("0.5", "", "");
    assert_int_equal(answer_of(base, base, &text), PITH_DELTA_CHANGES);
    assert_ptr_equal(strchr(text.data, '\n'), text.data + text.len - 1);
    pith_buffer_free(&text);
    pith_doc_free(base);
}

static void what_is_not_a_change_is_refused(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        const char *code;
    } rows[] = {
        {"GCF tool=t delta=true base_root=aa new_root=bb tokens=1 savings=1%\n",
         "base_mismatch"},
        {"GCF tool=t delta=true base_root=aa\n", "malformed_delta"},
        {"GCF tool=t base_root=aa new_root=bb\n", "invalid_header_field"},
        {"GCF tool=t delta=true base_root=aa new_root=bb\n## gone\n", "malformed_delta"},
        {"GCF tool=t delta=true base_root=aa new_root=bb\n## added\n@0 fn a 0.5 x 1\n",
         "malformed_delta"},
        {"GCF tool=t\n## targets\n@0 fn a 0.50 x\n", "malformed_delta"},
    };
    pith_doc *base = graph_with("0.5", "", "");
    pith_snapshot *held = pith_snapshot_new(NULL, NULL, NULL);
    assert_int_equal(pith_snapshot_set(held, pith_doc_root(base), NULL), PITH_OK);
    for (size_t i = 0; i < ROWS(rows); i++) {
        pith_error err = {0};
        assert_int_not_equal(
            pith_snapshot_apply(held, rows[i].text, strlen(rows[i].text), NULL, &err),
            PITH_OK);
        assert_string_equal(err.code, rows[i].code);
    }
    pith_snapshot_free(held);
    pith_doc_free(base);
}

/* -------------------------------------------------------------------- streams */

static const char streamed[] =
    "{\"tool\":\"t\",\"token_budget\":50,\"symbols\":["
    "{\"qualified_name\":\"a.A\",\"kind\":\"function\",\"score\":0.5,"
    "\"provenance\":\"x\",\"distance\":0},"
    "{\"qualified_name\":\"a.B\",\"kind\":\"type\",\"score\":0.25,"
    "\"provenance\":\"x\",\"distance\":5}],"
    "\"edges\":[{\"source\":\"a.B\",\"target\":\"a.A\",\"edge_type\":\"calls\"}]}";

static void streams_of_both_levels(void **state)
{
    (void)state;
    static const char *const rows[][2] = {
        {"level=1.1", "GCF tool=t budget=50\n## targets\n@0 fn a.A 0.50 x\n"
                      "## distance_5\n@1 type a.B 0.25 x\n## edges\n@0<@1 calls\n"},
        {"level=1.4", "GCF tool=t budget=50\n## targets\n@0 fn a.A 0.50 x\n"
                      "## distance_5\n@1 type a.B 0.25 x\n## edges [?]\n@0<@1 calls\n"
                      "## _summary symbols=2 edges=1 "
                      "sections=targets:1,distance_5:1,edges:1\n"},
    };
    pith_doc *doc = must_parse_json(streamed);
    for (size_t i = 0; i < ROWS(rows); i++) {
        pith_buffer out = {0};
        pith_options options = {.write = rows[i][0]};
        assert_int_equal(made_value_stream(pith_doc_root(doc), "gcf1-graph", &options,
                                           pith_sink_buffer(&out), NULL),
                         PITH_OK);
        assert_string_equal(out.data, rows[i][1]);
        pith_doc *again = pith_doc_parse("gcf1-graph", out.data, out.len, NULL, NULL);
        assert_non_null(again);
        pith_doc_free(again);
        pith_buffer_free(&out);
    }
    pith_doc_free(doc);
}

static void streams_lose_nothing_in_silence(void **state)
{
    (void)state;
    static const struct {
        const char *settings;
        const char *symbol;
        const char *edge;
        const char *code;
    } rows[] = {
        {"strict=true", "\"score\":0.123", "", "lossy"},
        {"strict=true", "\"score\":2", "", "lossy"},
        {"", "\"score\":0.5", ",\"status\":\"odd\"", "invalid_edge_status"},
        {"pack_root=exact", "\"score\":0.5", "", "unused_setting"},
    };
    for (size_t i = 0; i < ROWS(rows); i++) {
        char text[400];
        pith_error err = {0};
        pith_buffer out = {0};
        pith_options options = {.write = rows[i].settings};
        snprintf(text, sizeof text,
                 "{\"tool\":\"t\",\"symbols\":[{\"qualified_name\":\"a.A\","
                 "\"kind\":\"function\",%s,\"provenance\":\"x\",\"distance\":0}],"
                 "\"edges\":[{\"source\":\"a.A\",\"target\":\"a.A\","
                 "\"edge_type\":\"calls\"%s}]}",
                 rows[i].symbol, rows[i].edge);
        pith_doc *doc = must_parse_json(text);
        assert_int_not_equal(made_value_stream(pith_doc_root(doc), "gcf1-graph", &options,
                                               pith_sink_buffer(&out), &err),
                             PITH_OK);
        assert_string_equal(err.code, rows[i].code);
        pith_doc_free(doc);
        pith_buffer_free(&out);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_change_goes_both_ways),
        cmocka_unit_test(a_distance_that_cannot_be_told),
        cmocka_unit_test(nothing_has_changed),
        cmocka_unit_test(what_is_not_a_change_is_refused),
        cmocka_unit_test(streams_of_both_levels),
        cmocka_unit_test(streams_lose_nothing_in_silence),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
