/*
 * test_gcf1_graph.c - graphs of GCF 1, statement by statement of the document that
 * describes its version 1.1. What the suite of 1.4 shows is in tests/conformance, and so
 * is the document's comparison with JSON.
 */
#include "bytes.h"
#include "fitting.h"
#include "graphs.h"
#include "testing.h"

#include "base/text.h"

#define SYMBOL(name, score, distance)                                                    \
    "{\"qualified_name\":\"" name "\",\"kind\":\"function\",\"score\":" score            \
    ",\"provenance\":\"lsp\",\"distance\":" distance "}"

#define GRAPH(members, symbols, edges)                                                   \
    "{\"tool\":\"t\"," members "\"symbols\":[" symbols "],\"edges\":[" edges "]}"

#define CALLS "{\"source\":\"a.B\",\"target\":\"a.A\",\"edge_type\":\"calls\"}"

#define TWO SYMBOL("a.A", "0.78", "0") "," SYMBOL("a.B", "0.71", "1")

/* A text of one symbol, with more in its first line or after it. */
#define HEAD(fields) "GCF tool=t" fields "\n## targets\n@0 fn a.A 0.78 lsp\n"
#define BODY(lines) "GCF tool=t\n## targets\n@0 fn a.A 0.78 lsp\n" lines

/* -------------------------------------------------------------------------- helpers */

typedef struct refused_text {
    const char *text;
    expected_error error;
} refused_text;

static size_t count_accepted(const refused_text *rows, size_t count, const char *read)
{
    size_t failures = 0;
    pith_options options = with_settings(read, NULL);
    for (size_t i = 0; i < count; i++) {
        pith_error err = {0};
        pith_doc *doc = pith_doc_parse("gcf1-graph", rows[i].text, strlen(rows[i].text),
                                       &options, &err);
        failures += doc != NULL || !same_error(rows[i].text, &err, &rows[i].error);
        pith_doc_free(doc);
    }
    return failures;
}

static void must_read_as(const char *text, const char *json)
{
    pith_doc *doc = must_parse("gcf1-graph", text, strlen(text), NULL);
    must_hold_json(doc, json);
    pith_doc_free(doc);
}

/* The text is what the object is written as, and is read as it. */
static void must_be_both_ways(const char *json, const char *text)
{
    pith_doc *doc = must_parse_json(json);
    must_write_as(pith_doc_root(doc), "gcf1-graph", "strict=true", text);
    must_read_as(text, json);
    pith_doc_free(doc);
}

static void must_convert_as(const char *json, const char *settings, const char *text)
{
    pith_doc *doc = must_parse_json(json);
    must_write_as(pith_doc_root(doc), "gcf1-graph", settings, text);
    pith_doc_free(doc);
}

static void must_refuse(const char *json, const char *settings, const char *code)
{
    pith_doc *doc = must_parse_json(json);
    pith_options options = with_settings(NULL, settings);
    pith_buffer out = {0};
    pith_error err = {0};
    pith_status status = pith_value_write(pith_doc_root(doc), "gcf1-graph", &options,
                                          pith_sink_buffer(&out), &err);
    assert_int_not_equal(status, PITH_OK);
    assert_string_equal(err.code, code);
    assert_int_equal(out.len, 0);
    pith_buffer_free(&out);
    pith_doc_free(doc);
}

/* ------------------------------------------------------- the document's own examples */

/* The glance declares ten symbols and shows four: all else comes back to the byte. */
static void seed_glance_comes_back(void **state)
{
    (void)state;
    static const char glance[] =
        "GCF tool=context_for_task budget=5000 tokens=1847 symbols=10 pack_root=a1b2c3\n"
        "## targets\n"
        "@0 fn pkg.AuthMiddleware 0.78 lsp_resolved\n"
        "@1 type pkg.AuthConfig 0.71 ast_inferred\n"
        "## related\n"
        "@2 fn pkg.NewServer 0.54 lsp_resolved\n"
        "@3 method pkg.Server.Start 0.48 lsp_resolved\n"
        "## edges\n"
        "@0<@2 calls\n"
        "@1<@0 references\n";
    static const char written[] =
        "GCF tool=context_for_task budget=5000 tokens=1847 symbols=4 pack_root=a1b2c3\n";
    pith_options options = with_settings(NULL, "strict=true");
    pith_doc *doc = must_parse(NULL, LIT(glance), NULL);
    pith_buffer out = must_write(pith_doc_root(doc), "gcf1-graph", &options);
    const char *rest = strchr(glance, '\n') + 1;
    size_t head = sizeof written - 1;
    assert_int_equal(out.len, head + strlen(rest));
    assert_memory_equal(out.data, written, head);
    assert_memory_equal(out.data + head, rest, strlen(rest));
    pith_buffer_free(&out);
    pith_doc_free(doc);
}

/* The lines of sections 2, 3 and 4, with the comments that stand beside them. */
static void seed_lines_are_read(void **state)
{
    (void)state;
    static const char text[] =
        "GCF tool=context_for_task budget=5000 tokens=1847 symbols=10 pack_root=a1b2c3d4\n"
        "# This is a comment (ignored by parsers)\n"
        "## targets\n"
        "@0 fn github.com/org/repo/pkg.AuthMiddleware 0.78 lsp_resolved\n"
        "## related\n"
        "@1 type github.com/org/repo/pkg.Config 0.65 ast_inferred\n"
        "## extended\n"
        "@2 method github.com/org/repo/pkg.Server.Start 0.54 lsp_resolved\n"
        "## distance_3\n"
        "@3 fn pkg.NewServer 0.50 lsp\n"
        "## edges\n"
        "@0<@2 calls # @2 (NewServer) calls @0 (AuthMiddleware)\n"
        "@1<@0 references # @0 (AuthMiddleware) references @1 (Config)\n"
        "@3<@2 calls # @2 (NewServer) calls @3 (Server.Start)\n"
        "@0<@2 calls added # new edge\n"
        "@1<@3 imports removed # deleted edge\n";
    code_graph *graph = made_graph_new(NULL);
    assert_int_equal(made_graph_read(graph, NULL, LIT(text), NULL, NULL), PITH_OK);
    assert_int_equal(graph->symbols.count, 4);
    assert_int_equal(graph->edges.count, 5);
    assert_int_equal(made_graph_symbol(graph, 3).distance, 3);
    made_edge added = made_graph_edge(graph, 3);
    made_edge removed = made_graph_edge(graph, 4);
    assert_true(text_is(added.status, "added"));
    assert_true(text_is(removed.status, "removed"));
    assert_int_equal(removed.source, 3);
    assert_int_equal(removed.target, 1);
    made_graph_free(graph);
}

static void seed_kinds_are_abbreviated(void **state)
{
    (void)state;
    static const char *const kinds[][2] = {
        {"fn", "function"},       {"type", "type"},     {"method", "method"},
        {"iface", "interface"},   {"var", "var"},       {"const", "const"},
        {"class", "class"},       {"field", "field"},   {"route", "route_handler"},
        {"ext", "external"},      {"file", "file"},     {"pkg", "package"},
        {"svc", "service"},       {"table", "table"},   {"resource", "resource"},
        {"selector", "selector"}, {"gadget", "gadget"},
    };
    for (size_t i = 0; i < ROWS(kinds); i++) {
        char text[128];
        snprintf(text, sizeof text,
                 "GCF tool=t symbols=1\n## targets\n@0 %s a.A 0.50 x\n", kinds[i][0]);
        pith_doc *doc = must_parse(NULL, text, strlen(text), NULL);
        pith_value symbols = pith_value_get(pith_doc_root(doc), LIT("symbols"));
        pith_text kind =
            pith_value_text(pith_value_get(pith_value_first(symbols), LIT("kind")));
        assert_true(text_is(kind, kinds[i][1]));
        must_write_as(pith_doc_root(doc), "gcf1-graph", "strict=true", text);
        pith_doc_free(doc);
    }
}

/* ------------------------------------------------------------------- the first line */

static void seed_4_roots_are_hexadecimal(void **state)
{
    (void)state;
    static const refused_text rows[] = {
        {HEAD(" pack_root=NOTHEX"), {PITH_BAD_INPUT, "invalid_header_value", 1, 22}},
        {HEAD(" pack_root="), {PITH_BAD_INPUT, "invalid_header_value", 1, 22}},
        {HEAD(" pack_root=sha256:"), {PITH_BAD_INPUT, "invalid_header_value", 1, 22}},
        {HEAD(" pack_root=sha1:a1"), {PITH_BAD_INPUT, "invalid_header_value", 1, 22}},
    };
    assert_int_equal(count_accepted(rows, ROWS(rows), NULL), 0);
    must_read_as(HEAD(" pack_root=sha256:A1b2"),
                 GRAPH("\"pack_root\":\"sha256:A1b2\",", SYMBOL("a.A", "0.78", "0"), ""));
    static const char named[] =
        GRAPH("\"pack_root\":\"NOTHEX\",", SYMBOL("a.A", "0.78", "0"), "");
    must_refuse(named, "", "invalid_header_value");
    must_convert_as(named, "lossy=true", HEAD(" symbols=1"));
    must_convert_as(named, "pack_root=none", HEAD(" symbols=1"));
    must_convert_as(named, "pack_root=c0ffee", HEAD(" symbols=1 pack_root=c0ffee"));
    must_refuse(named, "pack_root=coffee", "bad_setting");
}

/* The root is that of the graph which the text is read as: scores have two decimals. */
static void seed_4_root_is_computed(void **state)
{
    (void)state;
    pith_doc *doc = must_parse_json(
        GRAPH("", SYMBOL("a.A", "0.7849", "0") "," SYMBOL("a.B", "0.71", "1"), CALLS));
    pith_options options = with_settings(NULL, "pack_root=exact");
    pith_buffer out = must_write(pith_doc_root(doc), "gcf1-graph", &options);
    code_graph *graph = made_graph_new(NULL);
    pith_root root;
    assert_int_equal(made_graph_read(graph, NULL, out.data, out.len, NULL, NULL),
                     PITH_OK);
    assert_int_equal(made_graph_root(graph, &root, NULL), PITH_OK);
    pith_text stated = made_graph_head(graph).pack_root;
    assert_int_equal(stated.len, 64);
    assert_memory_equal(stated.ptr, root.text + 7, 64);
    made_graph_free(graph);
    pith_buffer_free(&out);
    pith_doc_free(doc);
}

static void seed_5_tokens_are_those_of_the_text(void **state)
{
    (void)state;
    static const char *const formats[] = {"gcf1-graph", "gcf-graph"};
    static const char json[] = GRAPH("\"tokens_used\":1847,", TWO, CALLS);
    pith_doc *doc = must_parse_json(json);
    pith_vocab *vocab = pith_vocab_open(NULL, NULL, NULL);
    for (size_t i = 0; i < ROWS(formats); i++) {
        pith_options options = with_settings(NULL, "tokens=exact");
        pith_buffer out = must_write(pith_doc_root(doc), formats[i], &options);
        code_graph *graph = made_graph_new(NULL);
        size_t tokens = 0;
        assert_int_equal(pith_vocab_count(vocab, out.data, out.len, NULL, &tokens, NULL),
                         PITH_OK);
        assert_int_equal(made_graph_read(graph, NULL, out.data, out.len, NULL, NULL),
                         PITH_OK);
        assert_true(tokens > 0);
        assert_int_equal(made_graph_head(graph).tokens, tokens);
        made_graph_free(graph);
        pith_buffer_free(&out);
    }
    must_write_as(pith_doc_root(doc), "gcf-graph", "tokens=7",
                  "GCF profile=graph tool=t tokens=7 symbols=2 edges=1\n"
                  "## targets\n@0 fn a.A 0.78 lsp\n## related\n@1 fn a.B 0.71 lsp\n"
                  "## edges [1]\n@0<@1 calls\n");
    must_write_as(pith_doc_root(doc), "gcf-graph", "tokens=none",
                  "GCF profile=graph tool=t symbols=2 edges=1\n"
                  "## targets\n@0 fn a.A 0.78 lsp\n## related\n@1 fn a.B 0.71 lsp\n"
                  "## edges [1]\n@0<@1 calls\n");
    static const char rest[] = " symbols=2\n## targets\n@0 fn a.A 0.78 lsp\n## related\n"
                               "@1 fn a.B 0.71 lsp\n## edges\n@0<@1 calls\n";
    static const char *const asked[][2] = {
        {"", " tokens=1847"}, {"tokens=7", " tokens=7"}, {"tokens=none", ""}};
    for (size_t i = 0; i < ROWS(asked); i++) {
        char text[256];
        snprintf(text, sizeof text, "GCF tool=t%s%s", asked[i][1], rest);
        must_write_as(pith_doc_root(doc), "gcf1-graph", asked[i][0], text);
    }
    must_refuse(json, "tokens=many", "bad_setting");
    must_refuse(json, "tokens=007", "bad_setting");
    pith_vocab_free(vocab);
    pith_doc_free(doc);
}

static void seed_6_numbers_are_numbers(void **state)
{
    (void)state;
    static const refused_text rows[] = {
        {HEAD(" budget=abc"), {PITH_BAD_INPUT, "invalid_header_value", 1, 19}},
        {HEAD(" budget=-5"), {PITH_BAD_INPUT, "invalid_header_value", 1, 19}},
        {HEAD(" budget=12345678901234567890123"),
         {PITH_BAD_INPUT, "invalid_header_value", 1, 19}},
        {HEAD(" budget="), {PITH_BAD_INPUT, "invalid_header_value", 1, 19}},
        {HEAD(" tokens=1.5"), {PITH_BAD_INPUT, "invalid_header_value", 1, 19}},
        {HEAD(" symbols=zz"), {PITH_BAD_INPUT, "invalid_header_value", 1, 20}},
        {HEAD(" edges=some"), {PITH_BAD_INPUT, "invalid_header_value", 1, 18}},
    };
    assert_int_equal(count_accepted(rows, ROWS(rows), NULL), 0);
}

static void seed_6_what_is_absent_stays_absent(void **state)
{
    (void)state;
    static const char json[] = GRAPH("", SYMBOL("a.A", "0.78", "0"), "");
    must_convert_as(json, "", HEAD(" symbols=1"));
    must_convert_as(json, "level=1.4", HEAD(" budget=0 tokens=0 symbols=1"));
    must_read_as(HEAD(" budget=0 tokens=0"), json);
}

static void seed_7_fields_are_pairs(void **state)
{
    (void)state;
    static const refused_text rows[] = {
        {HEAD(" junk"), {PITH_BAD_INPUT, "malformed_header_field", 1, 12}},
        {HEAD(" =x"), {PITH_BAD_INPUT, "malformed_header_field", 1, 12}},
        {HEAD(" tool=y"), {PITH_BAD_INPUT, "duplicate_header_field", 1, 12}},
        {HEAD(" a=1 a=2"), {PITH_BAD_INPUT, "duplicate_header_field", 1, 16}},
        {HEAD(" session=maybe"), {PITH_BAD_INPUT, "invalid_header_value", 1, 20}},
        {HEAD(" delta=1"), {PITH_BAD_INPUT, "invalid_header_value", 1, 18}},
        {HEAD(" delta=true base_root=a"), {PITH_BAD_INPUT, "not_a_document", 1, 12}},
        {HEAD(" base_root=a"), {PITH_BAD_INPUT, "invalid_header_field", 1, 12}},
        {HEAD(" profile=graph"), {PITH_BAD_INPUT, "invalid_header_field", 1, 12}},
    };
    assert_int_equal(count_accepted(rows, ROWS(rows), NULL), 0);
    must_read_as("GCF session=false  budget=9 tool=t delta=false\n@0 fn a.A 0.78 lsp\n",
                 GRAPH("\"token_budget\":9,", SYMBOL("a.A", "0.78", "0"), ""));
}

static void seed_7_other_fields_are_kept(void **state)
{
    (void)state;
    static const char json[] =
        GRAPH("\"header\":{\"trace-id\":\"a=b\",\"note\":\"\",\"Tool\":\"x\"},",
              SYMBOL("a.A", "0.78", "0"), "");
    must_be_both_ways(json, HEAD(" symbols=1 trace-id=a=b note= Tool=x"));
    must_refuse(GRAPH("\"header\":{\"session\":\"true\"},", TWO, ""), "",
                "invalid_header_field");
    must_refuse(GRAPH("\"header\":{\"a=b\":\"c\"},", TWO, ""), "",
                "invalid_header_field");
    must_refuse(GRAPH("\"header\":{\"a\":\"b c\"},", TWO, ""), "",
                "invalid_header_value");
    must_refuse(GRAPH("\"header\":{\"a\":1},", TWO, ""), "", "not_a_graph");
    must_refuse(GRAPH("\"header\":[],", TWO, ""), "", "not_a_graph");
    static const char later[] = "GCF profile=graph tool=t symbols=1 trace=x\n"
                                "## targets\n@0 fn a.A 0.78 lsp\n";
    pith_doc *doc = must_parse("gcf-graph", LIT(later), NULL);
    must_hold_json(
        doc, GRAPH("\"header\":{\"trace\":\"x\"},", SYMBOL("a.A", "0.78", "0"), ""));
    must_write_as(pith_doc_root(doc), "gcf-graph", "verify=true", later);
    pith_doc_free(doc);
    doc = must_parse_json(json);
    must_write_as(pith_doc_root(doc), "gcf-graph", "lossy=true",
                  "GCF profile=graph tool=t symbols=1 Tool=x\n"
                  "## targets\n@0 fn a.A 0.78 lsp\n");
    pith_error err = {0};
    pith_buffer out = {0};
    assert_int_equal(pith_value_write(pith_doc_root(doc), "gcf-graph", NULL,
                                      pith_sink_buffer(&out), &err),
                     PITH_UNREPRESENTABLE);
    assert_string_equal(err.code, "invalid_header_field");
    pith_buffer_free(&out);
    pith_doc_free(doc);
}

static void seed_7_other_fields_have_a_limit(void **state)
{
    (void)state;
    for (int fields = 64; fields <= 65; fields++) {
        bytes text = {0};
        pith_error err = {0};
        bytes_put(&text, "GCF tool=t");
        for (int i = 0; i < fields; i++)
            bytes_print(&text, " f%d=%d", i, i);
        bytes_put(&text, "\n@0 fn a.A 0.78 lsp\n");
        pith_doc *doc = pith_doc_parse("gcf1-graph", text.ptr, text.len, NULL, &err);
        assert_int_equal(doc != NULL, fields == 64);
        if (!doc) {
            assert_int_equal(err.status, PITH_LIMIT);
            assert_string_equal(err.code, "too_many_fields");
        }
        pith_doc_free(doc);
        bytes_free(&text);
    }
}

static void seed_5_streams_state_what_they_are_told(void **state)
{
    (void)state;
    static const char *const asked[][2] = {
        {"tokens=7", "GCF profile=graph tool=t tokens=7\n"},
        {"tokens=none", "GCF profile=graph tool=t\n"},
        {"", "GCF profile=graph tool=t tokens=9\n"},
    };
    pith_doc *doc = must_parse_json("{\"tool\":\"t\",\"tokens_used\":9,\"symbols\":[]}");
    for (size_t i = 0; i < ROWS(asked); i++) {
        pith_options options = with_settings(NULL, asked[i][0]);
        pith_buffer out = {0};
        assert_int_equal(made_value_stream(pith_doc_root(doc), "gcf-graph", &options,
                                           pith_sink_buffer(&out), NULL),
                         PITH_OK);
        assert_memory_equal(out.data, asked[i][1], strlen(asked[i][1]));
        pith_buffer_free(&out);
    }
    pith_doc_free(doc);
}

/* A change says nothing of them, so they stay as they are. */
static void seed_7_other_fields_outlive_a_change(void **state)
{
    (void)state;
    static const char before[] = HEAD(" trace=x");
    static const char after[] = HEAD("") "## related\n@1 fn a.B 0.71 lsp\n";
    code_graph *base = made_graph_new(NULL);
    code_graph *next = made_graph_new(NULL);
    pith_doc *doc = pith_doc_new(NULL);
    pith_buffer delta = {0};
    assert_int_equal(made_graph_read(base, NULL, LIT(before), NULL, NULL), PITH_OK);
    assert_int_equal(made_graph_read(next, NULL, LIT(after), NULL, NULL), PITH_OK);
    assert_int_equal(made_graph_delta(base, next, NULL, pith_sink_buffer(&delta), NULL),
                     PITH_OK);
    assert_int_equal(made_graph_apply(base, base, delta.data, delta.len, NULL), PITH_OK);
    assert_int_equal(made_graph_to_doc(base, doc, NULL), PITH_OK);
    must_write_as(pith_doc_root(doc), "gcf1-graph", "pack_root=none",
                  HEAD(" symbols=2 trace=x") "## related\n@1 fn a.B 0.71 lsp\n");
    pith_buffer_free(&delta);
    pith_doc_free(doc);
    made_graph_free(base);
    made_graph_free(next);
}

/* ---------------------------------------------------------------- symbols and edges */

static void seed_8_ids_are_unique(void **state)
{
    (void)state;
    static const refused_text rows[] = {
        {BODY("@0 fn a.B 0.50 lsp\n## edges\n@0<@0 calls\n"),
         {PITH_BAD_INPUT, "duplicate_id", 4, 1}},
        {BODY("@00 fn a.B 0.50 lsp\n"), {PITH_BAD_INPUT, "invalid_symbol_id", 4, 1}},
        {BODY("@01 fn a.B 0.50 lsp\n"), {PITH_BAD_INPUT, "invalid_symbol_id", 4, 1}},
        {BODY("## edges\n@00<@0 calls\n"), {PITH_BAD_INPUT, "invalid_edge_syntax", 5, 1}},
    };
    assert_int_equal(count_accepted(rows, ROWS(rows), NULL), 0);
    static const refused_text passed[] = {
        {BODY("@1  # previously transmitted\n@1 fn a.B 0.50 lsp\n"),
         {PITH_BAD_INPUT, "duplicate_id", 5, 1}},
    };
    assert_int_equal(count_accepted(passed, ROWS(passed), "level=1.4"), 0);
}

static void seed_9_symbols_have_five_fields(void **state)
{
    (void)state;
    static const refused_text rows[] = {
        {BODY("@1 fn a.B 0.78 lsp extra\n"), {PITH_BAD_INPUT, "invalid_node_line", 4, 1}},
        {BODY("@1 fn a.B 0.78 lsp extra # why\n"),
         {PITH_BAD_INPUT, "invalid_node_line", 4, 1}},
        {BODY("@1 fn a.B 0.78\n"), {PITH_BAD_INPUT, "invalid_node_line", 4, 1}},
    };
    assert_int_equal(count_accepted(rows, ROWS(rows), NULL), 0);
    must_read_as(BODY("## related\n@1 fn a.B 0.71 lsp # why\n"), GRAPH("", TWO, ""));
    must_read_as(BODY("## related\n@1 fn a.B 0.71 lsp #why not\n"), GRAPH("", TWO, ""));
}

static bool count_problem(void *ctx, const pith_error *problem)
{
    assert_string_equal(problem->code, "invalid_score");
    ++*(size_t *)ctx;
    return true;
}

static void seed_10_scores_have_two_decimals(void **state)
{
    (void)state;
    static const char *const scores[] = {"0.7", "0.789", "1e1", "1", "-0.50", "1.01"};
    for (size_t i = 0; i < ROWS(scores); i++) {
        char text[128];
        int len =
            snprintf(text, sizeof text, "GCF tool=t\n@0 fn a.A %s lsp\n", scores[i]);
        pith_options strict = with_settings("strict=true", NULL);
        pith_error err = {0};
        size_t problems = 0;
        pith_doc_free(must_parse("gcf1-graph", text, (size_t)len, NULL));
        assert_null(pith_doc_parse("gcf1-graph", text, (size_t)len, &strict, &err));
        assert_string_equal(err.code, "invalid_score");
        assert_int_equal(err.line, 2);
        pith_check("gcf1-graph", text, (size_t)len, NULL, count_problem, &problems, NULL);
        assert_int_equal(problems, 1);
        code_graph *graph = made_graph_new(NULL);
        assert_int_equal(made_graph_read(graph, NULL, text, (size_t)len, NULL, NULL),
                         PITH_OK);
        assert_int_equal(made_graph_read(graph, NULL, text, (size_t)len, &strict, NULL),
                         PITH_BAD_INPUT);
        made_graph_free(graph);
    }
    static const char fine[] = "GCF tool=t\n@0 fn a.A 0.00 lsp\n@1 fn a.B 1.00 lsp\n";
    assert_int_equal(pith_check(NULL, LIT(fine), NULL, NULL, NULL, NULL), PITH_OK);
    must_refuse(GRAPH("", SYMBOL("a.A", "0.789", "0"), ""), "strict=true", "lossy");
    must_refuse(GRAPH("", SYMBOL("a.A", "1.5", "0"), ""), "strict=true", "lossy");
    must_convert_as(GRAPH("", SYMBOL("a.A", "0.785", "0"), ""), "",
                    "GCF tool=t symbols=1\n## targets\n@0 fn a.A 0.79 lsp\n");
}

static void seed_11_status_is_added_or_removed(void **state)
{
    (void)state;
    static const refused_text rows[] = {
        {BODY("## edges\n@0<@0 calls changed\n"),
         {PITH_BAD_INPUT, "invalid_edge_status", 5, 13}},
        {BODY("## edges\n@0<@0 calls added twice\n"),
         {PITH_BAD_INPUT, "invalid_edge_syntax", 5, 1}},
    };
    assert_int_equal(count_accepted(rows, ROWS(rows), NULL), 0);
    static const char moved[] =
        GRAPH("", SYMBOL("a.A", "0.78", "0"),
              "{\"source\":\"a.A\",\"target\":\"a.A\",\"edge_type\":\"calls\","
              "\"status\":\"moved\"}");
    must_refuse(moved, "", "invalid_edge_status");
    must_convert_as(moved, "lossy=true", HEAD(" symbols=1") "## edges\n@0<@0 calls\n");
}

/* --------------------------------------------------------------------------- groups */

static void seed_12_groups_are_known(void **state)
{
    (void)state;
    static const refused_text rows[] = {
        {BODY("## foo\n"), {PITH_BAD_INPUT, "unknown_group", 4, 1}},
        {BODY("## Targets\n"), {PITH_BAD_INPUT, "unknown_group", 4, 1}},
        {BODY("## distance_x\n"), {PITH_BAD_INPUT, "unknown_group", 4, 1}},
        {BODY("## distance_-3\n"), {PITH_BAD_INPUT, "unknown_group", 4, 1}},
        {BODY("## distance_\n"), {PITH_BAD_INPUT, "unknown_group", 4, 1}},
        {BODY("## distance_12345678901234567890123\n"),
         {PITH_BAD_INPUT, "unknown_group", 4, 1}},
        {BODY("## targets of all\n"), {PITH_BAD_INPUT, "unknown_group", 4, 1}},
    };
    assert_int_equal(count_accepted(rows, ROWS(rows), NULL), 0);
    must_read_as(BODY("## distance_18446744073709551615\n@1 fn a.B 0.71 lsp\n"
                      "## _summary symbols=2 edges=0 sections=targets:1\n"),
                 GRAPH("",
                       SYMBOL("a.A", "0.78", "0") "," SYMBOL("a.B", "0.71",
                                                             "18446744073709551615"),
                       ""));
    must_read_as(BODY("## related [1] # counted\n@1 fn a.B 0.71 lsp\n## edges [?]\n"
                      "@0<@1 calls\n"),
                 GRAPH("", TWO, CALLS));
}

static void seed_13_groups_stand_once(void **state)
{
    (void)state;
    must_convert_as(
        GRAPH("",
              SYMBOL("a.A", "0.10", "0") "," SYMBOL("a.B", "0.20", "1") "," SYMBOL(
                  "a.C", "0.30", "0") "," SYMBOL("a.D", "0.40", "3"),
              "{\"source\":\"a.C\",\"target\":\"a.B\",\"edge_type\":\"calls\"}," CALLS),
        "",
        "GCF tool=t symbols=4\n"
        "## targets\n@0 fn a.A 0.10 lsp\n@1 fn a.C 0.30 lsp\n"
        "## related\n@2 fn a.B 0.20 lsp\n"
        "## distance_3\n@3 fn a.D 0.40 lsp\n"
        "## edges\n@2<@1 calls\n@0<@2 calls\n");
    must_convert_as(
        GRAPH("", SYMBOL("a.A", "0.10", "2") "," SYMBOL("a.B", "0.20", "0"), ""), "",
        "GCF tool=t symbols=2\n## targets\n@0 fn a.B 0.20 lsp\n"
        "## extended\n@1 fn a.A 0.10 lsp\n");
}

/* ------------------------------------------------------------------------- the rest */

static void what_cannot_be_held_is_refused(void **state)
{
    (void)state;
    static const struct {
        const char *json;
        const char *code;
        const char *lossy; /* NULL: it is no graph in any case */
    } rows[] = {
        {GRAPH("\"note\":1,", SYMBOL("a.A", "0.78", "0"), ""), "unknown_member",
         HEAD(" symbols=1")},
        {GRAPH("",
               "{\"qualified_name\":\"a.A\",\"kind\":\"fn\",\"score\":0.78,"
               "\"provenance\":\"lsp\",\"color\":1}",
               ""),
         "unknown_member", HEAD(" symbols=1")},
        {GRAPH("",
               "{\"qualified_name\":\"a.A\",\"kind\":\"fn\",\"score\":0.78,"
               "\"provenance\":\"lsp\",\"file\":\"a.c\",\"line\":1,\"column\":1}",
               ""),
         "place_lost", HEAD(" symbols=1")},
        {GRAPH("", SYMBOL("a.A", "0.78", "0"), CALLS), "unknown_edge_reference",
         HEAD(" symbols=1")},
        {"{\"tool\":\"t\"}", "not_a_graph", NULL},
    };
    for (size_t i = 0; i < ROWS(rows); i++) {
        must_refuse(rows[i].json, "", rows[i].code);
        if (rows[i].lossy)
            must_convert_as(rows[i].json, "lossy=true", rows[i].lossy);
        else
            must_refuse(rows[i].json, "lossy=true", rows[i].code);
    }
    pith_error err = {0};
    pith_buffer out = {0};
    pith_doc *doc = must_parse_json(rows[0].json);
    pith_value_write(pith_doc_root(doc), "gcf1-graph", NULL, pith_sink_buffer(&out),
                     &err);
    assert_non_null(strstr(err.message, "lossy=true"));
    fitting fit = {.tokens_max = 500};
    assert_int_equal(fit_value(pith_doc_root(doc), "gcf1-graph", &fit, NULL,
                               pith_sink_buffer(&out), &err),
                     PITH_UNREPRESENTABLE);
    assert_string_equal(err.code, "unknown_member");
    pith_doc_free(doc);
}

static void count_notice(void *ctx, const pith_error *remark)
{
    (void)remark;
    ++*(size_t *)ctx;
}

/* However many texts are tried on the way, a loss is told once. */
static void a_loss_is_told_once(void **state)
{
    (void)state;
    pith_doc *doc = must_parse_json(GRAPH("", SYMBOL("a.A", "0.789", "0"), ""));
    pith_buffer out = {0};
    static const char *const settings[] = {"optimize=tokens", "guard=true",
                                           "optimize=tokens guard=true", "tokens=exact"};
    size_t notices = 0;
    pith_options options;
    for (size_t i = 0; i < ROWS(settings); i++) {
        options = with_settings(NULL, settings[i]);
        options.notice = count_notice;
        options.notice_ctx = &notices;
        notices = 0;
        assert_int_equal(pith_value_write(pith_doc_root(doc), "gcf1-graph", &options,
                                          pith_sink_buffer(&out), NULL),
                         PITH_OK);
        assert_int_equal(notices, 1);
    }
    fitting fit = {.tokens_max = 500};
    assert_int_equal(fit_value(pith_doc_root(doc), "gcf1-graph", &fit, &options,
                               pith_sink_buffer(&out), NULL),
                     PITH_OK);
    assert_int_equal(notices, 2);
    pith_buffer_free(&out);
    pith_doc_free(doc);
}

static void the_info_tells_the_first_line(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "GCF tool=t symbols=10 session=true\n@0 fn a.A 0.78 lsp\n",
        "GCF profile=graph tool=t symbols=1 session=true\n## targets\n"
        "@0 fn a.A 0.78 lsp\n",
    };
    pith_delta_info info;
    for (size_t i = 1; i < ROWS(texts); i++) {
        assert_int_equal(pith_delta_look(texts[i], strlen(texts[i]), &info, NULL),
                         PITH_OK);
        assert_true(info.session && info.has_count);
        assert_int_equal(info.kind, PITH_DELTA_FULL);
        assert_int_equal(info.count, i == 0 ? 10 : 1);
    }
    static const char *const changes[] = {
        "GCF tool=t delta=true base_root=a new_root=b\n## removed\nfn a.A\n",
        "GCF profile=graph delta=true base_root=a new_root=b\n## removed\nfn a.A\n",
    };
    for (size_t i = 1; i < ROWS(changes); i++) {
        pith_error err = {0};
        assert_null(pith_doc_parse(NULL, changes[i], strlen(changes[i]), NULL, &err));
        assert_string_equal(err.code, "not_a_document");
        assert_int_equal(pith_delta_look(changes[i], strlen(changes[i]), &info, NULL),
                         PITH_OK);
        assert_int_equal(info.kind, PITH_DELTA_CHANGES);
        assert_int_equal(info.base_root.len, 1);
    }
}

/* ------------------------------------------------------------------------- sessions */

static void must_tell(pith_session *writer, const char *json, const char *settings,
                      const char *text)
{
    pith_doc *doc = must_parse_json(json);
    pith_options options = with_settings(NULL, settings);
    pith_buffer out = {0};
    pith_error err = {0};
    pith_status status = pith_session_write(writer, pith_doc_root(doc), "gcf1-graph", 0,
                                            &options, pith_sink_buffer(&out), &err);
    assert_int_equal(status, PITH_OK);
    assert_true(same_bytes("told", out.data, out.len, text, strlen(text)));
    pith_buffer_free(&out);
    pith_doc_free(doc);
}

static void must_hear(pith_session *reader, const char *text, const char *read,
                      size_t *notices, const char *json)
{
    pith_doc *doc = pith_doc_new(NULL);
    pith_options options = with_settings(read, NULL);
    pith_error err = {0};
    options.notice = count_notice;
    options.notice_ctx = notices;
    if (pith_session_read(reader, doc, text, strlen(text), 0, &options, &err) != PITH_OK)
        fail_msg("%zu:%zu %s: %s", err.line, err.column, err.code, err.message);
    must_hold_json(doc, json);
    pith_doc_free(doc);
}

static void must_not_hear(pith_session *reader, const char *text, const char *code,
                          size_t line)
{
    pith_doc *doc = pith_doc_new(NULL);
    pith_error err = {0};
    assert_int_not_equal(
        pith_session_read(reader, doc, text, strlen(text), 0, NULL, &err), PITH_OK);
    assert_string_equal(err.code, code);
    assert_int_equal(err.line, line);
    pith_doc_free(doc);
}

/* The second graph comes in another order than the first, and has one symbol more. */
#define FIRST GRAPH("", SYMBOL("a.A", "0.78", "0") "," SYMBOL("a.B", "0.71", "1"), CALLS)
#define SECOND                                                                           \
    GRAPH("",                                                                            \
          SYMBOL("a.B", "0.71", "0") "," SYMBOL("a.C", "0.5",                            \
                                                "1") "," SYMBOL("a.A", "0.78", "2"),     \
          CALLS)

static void sessions_go_both_ways(void **state)
{
    (void)state;
    static const struct {
        const char *settings;
        const char *first;
        const char *second;
    } levels[] = {
        {"",
         "GCF tool=t symbols=2 session=true\n# turn 1\n## targets\n@0 fn a.A 0.78 lsp\n"
         "## related\n@1 fn a.B 0.71 lsp\n## edges\n@0<@1 calls\n",
         "GCF tool=t symbols=3 session=true\n# turn 2 after f6fd9cc2\n## targets\n"
         "@1  # previously transmitted\n## related\n@2 fn a.C 0.50 lsp\n## extended\n"
         "@0  # previously transmitted\n## edges\n@0<@1 calls\n"},
        {"level=1.4",
         "GCF tool=t budget=0 tokens=0 symbols=2 edges=1 session=true\n# turn 1\n"
         "## targets\n@0 fn a.A 0.78 lsp\n## related\n@1 fn a.B 0.71 lsp\n"
         "## edges [1]\n@0<@1 calls\n",
         "GCF tool=t budget=0 tokens=0 symbols=3 edges=1 session=true\n"
         "# turn 2 after f6fd9cc2\n## targets\n@1  # previously transmitted\n"
         "## related\n@2 fn a.C 0.50 lsp\n## extended\n@0  # previously transmitted\n"
         "## edges [1]\n@0<@1 calls\n"},
    };
    for (size_t i = 0; i < ROWS(levels); i++) {
        size_t notices = 0;
        pith_session *writer = pith_session_new(NULL, NULL);
        pith_session *reader = pith_session_new(NULL, NULL);
        must_tell(writer, FIRST, levels[i].settings, levels[i].first);
        must_tell(writer, SECOND, levels[i].settings, levels[i].second);
        must_not_hear(reader, levels[i].second, "out_of_turn", 2);
        must_hear(reader, levels[i].first, NULL, &notices, FIRST);
        must_hear(reader, levels[i].second, NULL, &notices, SECOND);
        must_not_hear(reader, levels[i].second, "out_of_turn", 2);
        assert_int_equal(notices, 0);
        pith_session_free(writer);
        pith_session_free(reader);
    }
}

/* Ids that count from 0 in each text cannot be resolved, whatever is known. */
static void references_by_place_are_not_guessed(void **state)
{
    (void)state;
    static const char first[] = "GCF tool=t symbols=2 session=true\n## targets\n"
                                "@0 fn a.A 0.78 lsp\n## related\n@1 fn a.B 0.71 lsp\n"
                                "## edges\n@0<@1 calls\n";
    static const char second[] =
        "GCF tool=t symbols=3 session=true\n## targets\n@0  # previously transmitted\n"
        "## related\n@1 fn a.C 0.50 lsp\n## extended\n@2  # previously transmitted\n"
        "## edges\n@2<@0 calls\n";
    size_t notices = 0;
    pith_session *writer = pith_session_new(NULL, NULL);
    pith_session *reader = pith_session_new(NULL, NULL);
    must_tell(writer, FIRST, "turns=false", first);
    must_tell(writer, SECOND, "turns=false", second);
    must_hear(reader, first, NULL, &notices, FIRST);
    must_not_hear(reader, second, "unknown_reference", 3);
    assert_int_equal(notices, 0);
    must_hear(reader, second, "level=1.4", &notices,
              GRAPH("", SYMBOL("a.C", "0.5", "1"), ""));
    assert_int_equal(notices, 1);
    pith_session_free(writer);
    pith_session_free(reader);
}

static void ids_of_a_turn_are_the_sessions(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        const char *code;
    } rows[] = {
        {"GCF tool=t session=true\n# turn 2\n@0 fn a.B 0.71 lsp\n", "invalid_symbol_id"},
        {"GCF tool=t session=true\n# turn 2\n@3 fn a.C 0.71 lsp\n", "invalid_symbol_id"},
        {"GCF tool=t session=true\n# turn 2\n@2  # as before\n", "unknown_reference"},
        {"GCF tool=t\n# turn 2\n@1  # as before\n", "unknown_reference"},
    };
    size_t notices = 0;
    pith_session *reader = pith_session_new(NULL, NULL);
    must_hear(reader,
              "GCF tool=t session=true\n# turn 1\n@0 fn a.A 0.78 lsp\n## related\n"
              "@1 fn a.B 0.71 lsp\n## edges\n@0<@1 calls\n",
              NULL, &notices, FIRST);
    for (size_t i = 0; i < ROWS(rows); i++)
        must_not_hear(reader, rows[i].text, rows[i].code, 3);
    pith_session_free(reader);
}

/* Without a session every reference is unknown. */
static void a_reference_needs_a_session(void **state)
{
    (void)state;
    static const char text[] = "GCF tool=t session=true\n@0  # previously transmitted\n"
                               "@1 fn a.A 0.78 lsp\n## edges\n@0<@1 calls\n";
    static const refused_text rows[] = {
        {text, {PITH_BAD_INPUT, "unknown_reference", 2, 1}},
        {BODY("@1  # before\n"), {PITH_BAD_INPUT, "unknown_reference", 4, 1}},
    };
    size_t notices = 0;
    assert_int_equal(count_accepted(rows, ROWS(rows), NULL), 0);
    assert_int_equal(count_accepted(rows, ROWS(rows), "strict=true"), 0);
    pith_options options = with_settings("level=1.4", NULL);
    options.notice = count_notice;
    options.notice_ctx = &notices;
    pith_doc *doc = pith_doc_parse("gcf1-graph", text, sizeof text - 1, &options, NULL);
    must_hold_json(doc, GRAPH("", SYMBOL("a.A", "0.78", "0"), ""));
    assert_int_equal(notices, 1);
    pith_doc_free(doc);
}

/* Comments before the first line, edges before symbols, ids with gaps between them. */
static void lines_may_stand_in_any_order(void **state)
{
    (void)state;
    static const char text[] = "# a comment\n\n# and one more\nGCF tool=t\n"
                               "## edges\n@9<@5 calls\n"
                               "## related\n@5 fn a.B 0.71 lsp\n"
                               "## targets\n@9 fn a.A 0.78 lsp\n";
    pith_doc *doc = must_parse(NULL, LIT(text), NULL);
    must_write_as(pith_doc_root(doc), "gcf1-graph", "",
                  "GCF tool=t symbols=2\n## targets\n@0 fn a.A 0.78 lsp\n"
                  "## related\n@1 fn a.B 0.71 lsp\n## edges\n@0<@1 calls\n");
    pith_doc_free(doc);
    static const refused_text rows[] = {
        {"# a comment\n", {PITH_BAD_INPUT, "missing_header", 1, 1}},
        {"#a comment\nGCF tool=t\n", {PITH_BAD_INPUT, "missing_header", 1, 1}},
        {"GCF\n", {PITH_BAD_INPUT, "missing_tool", 1, 1}},
        {"GCF tool=t\n## edges\n@0<@1 calls\n## targets\n@0 fn a.A 0.78 lsp\n",
         {PITH_BAD_INPUT, "unknown_edge_reference", 3, 4}},
    };
    assert_int_equal(count_accepted(rows, ROWS(rows), NULL), 0);
}

enum { CODES_MOST = 512 };

static bool note_code(void *ctx, const pith_error *problem)
{
    char *codes = (char *)ctx;
    size_t len = strlen(codes);
    snprintf(codes + len, CODES_MOST - len, "%s ", problem->code);
    return true;
}

/* What merely follows from an earlier problem is not told. */
static void every_problem_is_found(void **state)
{
    (void)state;
    static const char text[] = "GCF tool=t junk budget=x\n"
                               "## foo\nwhatever\n"
                               "## targets\n@0 fn a.A 0.78 lsp extra\n@1 fn a.B 0.7 lsp\n"
                               "@2 fn a.B 0.70 lsp\n"
                               "## edges\n@0<@1 calls\n@1<@1 calls later\n";
    char codes[CODES_MOST] = "";
    pith_check("gcf1-graph", LIT(text), NULL, note_code, codes, NULL);
    assert_string_equal(codes, "malformed_header_field invalid_header_value "
                               "unknown_group invalid_node_line invalid_score "
                               "duplicate_symbol invalid_edge_status ");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(seed_glance_comes_back),
        cmocka_unit_test(seed_lines_are_read),
        cmocka_unit_test(seed_kinds_are_abbreviated),
        cmocka_unit_test(seed_4_roots_are_hexadecimal),
        cmocka_unit_test(seed_4_root_is_computed),
        cmocka_unit_test(seed_5_tokens_are_those_of_the_text),
        cmocka_unit_test(seed_5_streams_state_what_they_are_told),
        cmocka_unit_test(seed_6_numbers_are_numbers),
        cmocka_unit_test(seed_6_what_is_absent_stays_absent),
        cmocka_unit_test(seed_7_fields_are_pairs),
        cmocka_unit_test(seed_7_other_fields_are_kept),
        cmocka_unit_test(seed_7_other_fields_have_a_limit),
        cmocka_unit_test(seed_7_other_fields_outlive_a_change),
        cmocka_unit_test(seed_8_ids_are_unique),
        cmocka_unit_test(seed_9_symbols_have_five_fields),
        cmocka_unit_test(seed_10_scores_have_two_decimals),
        cmocka_unit_test(seed_11_status_is_added_or_removed),
        cmocka_unit_test(seed_12_groups_are_known),
        cmocka_unit_test(seed_13_groups_stand_once),
        cmocka_unit_test(what_cannot_be_held_is_refused),
        cmocka_unit_test(a_loss_is_told_once),
        cmocka_unit_test(the_info_tells_the_first_line),
        cmocka_unit_test(sessions_go_both_ways),
        cmocka_unit_test(references_by_place_are_not_guessed),
        cmocka_unit_test(ids_of_a_turn_are_the_sessions),
        cmocka_unit_test(a_reference_needs_a_session),
        cmocka_unit_test(lines_may_stand_in_any_order),
        cmocka_unit_test(every_problem_is_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
