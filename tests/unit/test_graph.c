/*
 * test_graph.c - graphs: built by calls, from and to JSON, written and read as GCF.
 */
#include "meter.h"
#include "graphs.h"
#include "testing.h"

#include "base/text.h"
#include "graph/graph.h"
#include "named.h"

#include <math.h>

/* ---------------------------------------------------------------------- helpers */

static made_symbol symbol_of(const char *kind, const char *name, double score,
                             uint64_t distance)
{
    made_symbol symbol;
    memset(&symbol, 0, sizeof symbol);
    symbol.kind = text_from(kind);
    symbol.name = text_from(name);
    symbol.provenance = text_from("lsp");
    symbol.score = score;
    symbol.distance = distance;
    return symbol;
}

/* JSON, written as gcf-graph with these settings, must be this text. */
static bool gives(const char *json, const char *settings, const char *expected)
{
    pith_buffer out = {0};
    pith_error err;
    pith_options options = with_settings(NULL, settings);
    pith_status status = pith_convert("json", "gcf-graph", json, strlen(json), &options,
                                      pith_sink_buffer(&out), &err);
    bool right = status == PITH_OK &&
                 same_bytes(json, out.data, out.len, expected, strlen(expected));
    if (status != PITH_OK)
        fprintf(stderr, "%s: %s: %s\n", json, err.code, err.message);
    pith_buffer_free(&out);
    return right;
}

/* GCF, read, must be this JSON. */
static bool reads(const char *gcf, const char *expected)
{
    pith_buffer out = {0};
    pith_error err;
    pith_status status =
        pith_convert("gcf", "json", gcf, strlen(gcf), NULL, pith_sink_buffer(&out), &err);
    bool right = status == PITH_OK &&
                 same_bytes(gcf, out.data, out.len, expected, strlen(expected));
    if (status != PITH_OK) {
        fprintf(stderr, "%s: %zu:%zu %s: %s\n", gcf, err.line, err.column, err.code,
                err.message);
    }
    pith_buffer_free(&out);
    return right;
}

#define AUTH                                                                             \
    "{\"qualified_name\":\"pkg.Auth\",\"kind\":\"function\",\"score\":0.78,"             \
    "\"provenance\":\"lsp\",\"distance\":0}"
#define SERVER                                                                           \
    "{\"qualified_name\":\"pkg.Server\",\"kind\":\"function\",\"score\":0.54,"           \
    "\"provenance\":\"lsp\",\"distance\":1}"
#define HEAD "GCF profile=graph symbols=2 edges=1\n"
#define NODES                                                                            \
    "## targets\n@0 fn pkg.Auth 0.78 lsp\n## related\n@1 fn pkg.Server 0.54 lsp\n"

/* ---------------------------------------------------------------- the seed's own */

/* The example that opens the description of the format, in both notations. */
static void at_a_glance(void **state)
{
    (void)state;
    static const char gcf[] =
        "GCF profile=graph tool=context_for_task budget=5000 tokens=1847 symbols=4 "
        "edges=2 pack_root=a1b2c3\n"
        "## targets\n"
        "@0 fn pkg.AuthMiddleware 0.78 lsp_resolved\n"
        "@1 type pkg.AuthConfig 0.71 ast_inferred\n"
        "## related\n"
        "@2 fn pkg.NewServer 0.54 lsp_resolved\n"
        "@3 method pkg.Server.Start 0.48 lsp_resolved\n"
        "## edges [2]\n"
        "@1<@0 references\n"
        "@0<@2 calls\n";
    static const char json[] =
        "{\"tool\":\"context_for_task\",\"tokens_used\":1847,\"token_budget\":5000,"
        "\"pack_root\":\"a1b2c3\",\"symbols\":["
        "{\"qualified_name\":\"pkg.AuthMiddleware\",\"kind\":\"function\",\"score\":0.78,"
        "\"provenance\":\"lsp_resolved\",\"distance\":0},"
        "{\"qualified_name\":\"pkg.AuthConfig\",\"kind\":\"type\",\"score\":0.71,"
        "\"provenance\":\"ast_inferred\",\"distance\":0},"
        "{\"qualified_name\":\"pkg.NewServer\",\"kind\":\"function\",\"score\":0.54,"
        "\"provenance\":\"lsp_resolved\",\"distance\":1},"
        "{\"qualified_name\":\"pkg.Server.Start\",\"kind\":\"method\",\"score\":0.48,"
        "\"provenance\":\"lsp_resolved\",\"distance\":1}],\"edges\":["
        "{\"source\":\"pkg.AuthMiddleware\",\"target\":\"pkg.AuthConfig\","
        "\"edge_type\":\"references\"},"
        "{\"source\":\"pkg.NewServer\",\"target\":\"pkg.AuthMiddleware\","
        "\"edge_type\":\"calls\"}]}";
    assert_true(gives(json, NULL, gcf));
    assert_true(reads(gcf, json));
}

/* "Comparison: the same data in JSON". */
static void comparison(void **state)
{
    (void)state;
    static const char json[] =
        "{\"tool\":\"context_for_task\",\"tokens_used\":1847,\"token_budget\":5000,"
        "\"symbols\":["
        "{\"qualified_name\":\"github.com/org/repo/pkg.AuthMiddleware\","
        "\"kind\":\"function\",\"score\":0.78,\"provenance\":\"lsp_resolved\","
        "\"distance\":0},"
        "{\"qualified_name\":\"github.com/org/repo/pkg.NewServer\","
        "\"kind\":\"function\",\"score\":0.54,\"provenance\":\"lsp_resolved\","
        "\"distance\":1}],\"edges\":["
        "{\"source\":\"github.com/org/repo/pkg.NewServer\","
        "\"target\":\"github.com/org/repo/pkg.AuthMiddleware\",\"edge_type\":\"calls\"}]}";
    static const char gcf[] =
        "GCF profile=graph tool=context_for_task budget=5000 tokens=1847 symbols=2 "
        "edges=1\n"
        "## targets\n"
        "@0 fn github.com/org/repo/pkg.AuthMiddleware 0.78 lsp_resolved\n"
        "## related\n"
        "@1 fn github.com/org/repo/pkg.NewServer 0.54 lsp_resolved\n"
        "## edges [1]\n"
        "@0<@1 calls\n";
    assert_true(gives(json, NULL, gcf));
    assert_true(reads(gcf, json));
}

/* Every abbreviation, both ways; others pass. */
static void kinds(void **state)
{
    (void)state;
    static const struct {
        const char *brief;
        const char *full;
    } all[] = {
        {"fn", "function"},       {"type", "type"},     {"method", "method"},
        {"iface", "interface"},   {"var", "var"},       {"const", "const"},
        {"class", "class"},       {"field", "field"},   {"route", "route_handler"},
        {"ext", "external"},      {"file", "file"},     {"pkg", "package"},
        {"svc", "service"},       {"table", "table"},   {"resource", "resource"},
        {"selector", "selector"}, {"widget", "widget"}, {"my-kind", "my-kind"},
    };
    size_t failures = 0;
    for (size_t i = 0; i < ROWS(all); i++) {
        char json[256];
        char gcf[256];
        snprintf(json, sizeof json,
                 "{\"symbols\":[{\"qualified_name\":\"a\",\"kind\":\"%s\",\"score\":1,"
                 "\"provenance\":\"p\",\"distance\":0}],\"edges\":[]}",
                 all[i].full);
        snprintf(gcf, sizeof gcf,
                 "GCF profile=graph symbols=1\n## targets\n@0 %s a 1.00 p\n",
                 all[i].brief);
        failures += !gives(json, NULL, gcf);
        failures += !reads(gcf, json);
        pith_text brief = text_from(all[i].brief);
        failures += !text_is(graph_expand_kind(brief), all[i].full);
    }
    assert_int_equal(failures, 0);
}

/* --------------------------------------------------------------------- building */

static void calls(void **state)
{
    (void)state;
    code_graph *graph = made_graph_new(NULL);
    made_symbol auth = symbol_of("fn", "pkg.Auth", 0.5, 1);
    made_symbol server = symbol_of("function", "pkg.Server", 1e300, 0);
    made_symbol type = symbol_of("type", "pkg.Auth", 0.25, 0);
    made_head info = {.tool = text_from("t"), .budget = 7, .tokens = 8};
    info.pack_root = text_from("r");
    server.file = text_from("a b.go");
    server.line = 3;
    server.column = 4;
    made_graph_set_head(graph, &info);
    assert_int_equal(made_graph_add_symbol(graph, &auth), 0);
    assert_int_equal(made_graph_add_symbol(graph, &server), 1);
    assert_int_equal(made_graph_add_symbol(graph, &type), 2);
    made_graph_add_edge(graph, 1, 0, "calls", NULL);
    made_graph_add_edge(graph, 0, 2, "uses", "added");
    made_graph_add_edge(graph, 0, 0, "uses", "unchanged");
    assert_int_equal(made_graph_finish(graph, NULL), PITH_OK);
    assert_int_equal(graph->symbols.count, 3);
    assert_int_equal(graph->edges.count, 3);
    assert_int_equal(made_graph_find(graph, "fn", "pkg.Auth"), 0);
    assert_int_equal(made_graph_find(graph, "type", "pkg.Auth"), 2);
    assert_int_equal(made_graph_find(graph, "var", "pkg.Auth"), MADE_NONE);
    assert_true(text_is(made_graph_symbol(graph, 0).kind, "function"));
    assert_int_equal(made_graph_symbol(graph, 1).line, 3);
    assert_int_equal(made_graph_symbol(graph, 3).name.len, 0);
    assert_true(text_is(made_graph_edge(graph, 1).status, "added"));
    assert_int_equal(made_graph_edge(graph, 2).status.len, 0);
    assert_int_equal(made_graph_head(graph).budget, 7);
    made_graph_free(graph);
}

static void refused_calls(void **state)
{
    (void)state;
    static const struct {
        const char *kind;
        const char *name;
        const char *provenance;
        double score;
        const char *code;
    } all[] = {
        {"fn", "a b", "p", 0, "invalid_symbol"},
        {"fn", "", "p", 0, "invalid_symbol"},
        {"", "a", "p", 0, "invalid_symbol"},
        {"#x", "a", "p", 0, "invalid_symbol"}, /* would be read as a reference */
        {"fn", "a", "", 0, "invalid_symbol"},
        {"fn", "a\tb", "p", 0, "invalid_symbol"},
        {"#", "a", "p", 0, "invalid_symbol"}, /* would be read as a reference */
        {"##x", "a", "p", 0, "invalid_symbol"},
        {"fn",
         "a\xC2\xA0"
         "b",
         "p", 0, "invalid_symbol"},
        {"fn", "a\x7F", "p", 0, "invalid_symbol"},
        {"fn", "a\xFF", "p", 0, "invalid_symbol"},
        {"fn", "a", "p q", 0, "invalid_symbol"},
        {"fn", "known", "p", 0, "duplicate_symbol"},
        {"function", "known", "p", 0, "duplicate_symbol"},
        {"fn", "a", "p", INFINITY, "not_finite"},
    };
    size_t failures = 0;
    for (size_t i = 0; i < ROWS(all); i++) {
        pith_error err = {0};
        code_graph *graph = made_graph_new(NULL);
        made_symbol known = symbol_of("fn", "known", 0, 0);
        made_symbol wrong = symbol_of(all[i].kind, all[i].name, all[i].score, 0);
        wrong.provenance = text_from(all[i].provenance);
        made_graph_add_symbol(graph, &known);
        bool right = made_graph_add_symbol(graph, &wrong) == MADE_NONE &&
                     made_graph_finish(graph, &err) != PITH_OK &&
                     strcmp(err.code, all[i].code) == 0 && err.message[0] != '\0';
        /* It sticks. */
        made_symbol other = symbol_of("fn", "other", 0, 0);
        right = right && made_graph_add_symbol(graph, &other) == MADE_NONE;
        if (!right)
            fprintf(stderr, "row %zu: %s: %s\n", i, err.code, err.message);
        failures += !right;
        made_graph_free(graph);
    }
    assert_int_equal(failures, 0);
}

static void end_beyond(code_graph *graph)
{
    made_graph_add_edge(graph, 0, 1, "t", NULL);
}

static void end_far_beyond(code_graph *graph)
{
    made_graph_add_edge(graph, SIZE_MAX, 0, "t", NULL);
}

static void broken_file(code_graph *graph)
{
    made_symbol symbol = symbol_of("fn", "other", 0, 0);
    symbol.file = text_from("\xFF.c");
    symbol.line = symbol.column = 1;
    assert_int_equal(made_graph_add_symbol(graph, &symbol), MADE_NONE);
}

static void wide_tool(code_graph *graph)
{
    made_head info = {.tool = text_from("a b"), .budget = 7};
    made_graph_set_head(graph, &info);
}

/* The first failure sticks: whatever is called next says it and does nothing. */
static void refused_edges_and_places(void **state)
{
    (void)state;
    static const struct {
        void (*call)(code_graph *graph);
        pith_status status;
        const char *code;
    } all[] = {
        {end_beyond, PITH_BAD_USE, "unknown_edge_reference"},
        {end_far_beyond, PITH_BAD_USE, "unknown_edge_reference"},
        {broken_file, PITH_UNREPRESENTABLE, "invalid_place"},
        {wide_tool, PITH_UNREPRESENTABLE, "invalid_header_value"},
    };
    static const char delta[] = "GCF profile=graph delta=true\n";
    for (size_t i = 0; i < ROWS(all); i++) {
        pith_error err = {0};
        code_graph *graph = made_graph_new(NULL);
        pith_doc *doc = pith_doc_new(NULL);
        made_symbol known = symbol_of("fn", "known", 0, 0);
        made_head info = {.tool = text_from("tool"), .budget = 9};
        assert_int_equal(made_graph_add_symbol(graph, &known), 0);
        all[i].call(graph);
        made_graph_set_head(graph, &info);
        made_graph_add_edge(graph, 0, 0, "t", NULL);
        assert_int_equal(made_graph_head(graph).budget, 0);
        assert_int_equal(graph->edges.count, 0);
        assert_int_equal(made_graph_finish(graph, &err), all[i].status);
        assert_string_equal(err.code, all[i].code);
        err = (pith_error){0};
        assert_int_equal(made_graph_to_doc(graph, doc, &err), all[i].status);
        assert_string_equal(err.code, all[i].code);
        assert_null(pith_doc_root(doc).doc);
        err = (pith_error){0};
        assert_int_equal(made_graph_apply(graph, graph, delta, strlen(delta), &err),
                         all[i].status);
        assert_string_equal(err.code, all[i].code);
        pith_doc_free(doc);
        made_graph_free(graph);
    }
}

/* ------------------------------------------------------------------------ scores */

static void scores(void **state)
{
    (void)state;
    static const struct {
        const char *digits;
        const char *two;
        const char *canonical;
    } all[] = {
        {"0.78", "0.78", "0.78"},
        {"0.625", "0.62", "0.625"},
        {"0.125", "0.12", "0.125"},
        {"0.375", "0.38", "0.375"},
        {"1.005", "1.00", "1.005"}, /* the double is just below */
        {"0.995", "0.99", "0.995"},
        {"0.996", "1.00", "0.996"},
        {"99.995", "100.00", "99.995"},
        {"1.0", "1.00", "1"},
        {"1", "1.00", "1"},
        {"0", "0.00", "0"},
        {"-0.0", "-0.00", "0"},
        {"-0.004", "-0.00", "-0.004"},
        {"-2.5", "-2.50", "-2.5"},
        {"1e-300", "0.00", "1e-300"},
        {"5e-324", "0.00", "5e-324"},
        {"9007199254740993", "9007199254740992.00", "9007199254740993"},
        {"123456789012345678901", "123456789012345683968.00", "1.2345678901234568e+20"},
        {"1e22", "10000000000000000000000.00", "1e+22"},
    };
    size_t failures = 0;
    for (size_t i = 0; i < ROWS(all); i++) {
        char to[GRAPH_SCORE_MAX_LEN];
        pith_text digits = text_from(all[i].digits);
        size_t len = graph_write_score(to, digits);
        failures += !same_bytes("two", to, len, all[i].two, strlen(all[i].two));
        len = graph_write_canonical(to, digits);
        failures +=
            !same_bytes("all", to, len, all[i].canonical, strlen(all[i].canonical));
    }
    assert_int_equal(failures, 0);
}

/* The same digits as the C library's, which rounds half to even as well. */
static void scores_as_printf(void **state)
{
    (void)state;
    static const double numbers[] = {0.005,      0.015,        0.025,
                                     0.105,      2.675,        1.115,
                                     0.045,      1e15 + 0.125, 4503599627370496.5,
                                     1e17,       1.7e308,      0.994999999999999995,
                                     123456.785, 3.14159};
    for (size_t i = 0; i < ROWS(numbers); i++) {
        char digits[64];
        char expected[GRAPH_SCORE_MAX_LEN];
        char to[GRAPH_SCORE_MAX_LEN];
        snprintf(digits, sizeof digits, "%.17g", numbers[i]);
        snprintf(expected, sizeof expected, "%.2f", numbers[i]);
        size_t len = graph_write_score(to, text_from(digits));
        assert_true(same_bytes(digits, to, len, expected, strlen(expected)));
    }
}

/* ----------------------------------------------------------------------- writing */

static void written(void **state)
{
    (void)state;
    size_t failures = 0;
    /* camelCase, null, what is missing */
    failures +=
        !gives("{\"tokenBudget\":5,\"tokensUsed\":null,\"packRoot\":\"x\",\"symbols\":"
               "[{\"qualifiedName\":\"a\",\"kind\":\"fn\",\"provenance\":\"p\"}]}",
               NULL,
               "GCF profile=graph budget=5 symbols=1 pack_root=x\n## targets\n"
               "@0 fn a 0.00 p\n");
    failures +=
        !gives("{\"symbols\":[],\"edges\":[]}", NULL, "GCF profile=graph symbols=0\n");
    /* equal scores stay in order; groups by distance */
    failures +=
        !gives("{\"edges\":[{\"source\":\"b\",\"target\":\"a\",\"edgeType\":\"z\","
               "\"status\":\"added\"},{\"source\":\"b\",\"target\":\"a\","
               "\"edgeType\":\"y\",\"status\":\"unchanged\"}],\"symbols\":["
               "{\"qualifiedName\":\"c\",\"kind\":\"x\",\"provenance\":\"p\","
               "\"distance\":12},"
               "{\"qualifiedName\":\"b\",\"kind\":\"x\",\"provenance\":\"p\","
               "\"distance\":2},"
               "{\"qualifiedName\":\"a\",\"kind\":\"x\",\"provenance\":\"p\","
               "\"distance\":2}]}",
               NULL,
               "GCF profile=graph symbols=3 edges=2\n## extended\n@0 x b 0.00 p\n"
               "@1 x a 0.00 p\n## distance_12\n@2 x c 0.00 p\n## edges [2]\n"
               "@1<@0 y\n@1<@0 z added\n");
    /* one name, two kinds: the edge says which */
    failures +=
        !gives("{\"symbols\":[{\"qualified_name\":\"a\",\"kind\":\"fn\","
               "\"provenance\":\"p\"},{\"qualified_name\":\"a\",\"kind\":\"type\","
               "\"provenance\":\"p\"}],\"edges\":[{\"source\":\"a\","
               "\"source_kind\":\"function\",\"target\":\"a\",\"target_kind\":"
               "\"type\",\"edge_type\":\"uses\"}]}",
               NULL,
               "GCF profile=graph symbols=2 edges=1\n## targets\n@0 fn a 0.00 p\n"
               "@1 type a 0.00 p\n## edges [1]\n@1<@0 uses\n");
    /* places */
    failures +=
        !gives("{\"symbols\":[{\"qualified_name\":\"a\",\"kind\":\"fn\","
               "\"provenance\":\"p\",\"file\":\"x/a b\\\"\\u00e9.go\",\"line\":1,"
               "\"column\":2,\"end_line\":3,\"end_column\":4},{\"qualified_name\":"
               "\"b\",\"kind\":\"fn\",\"provenance\":\"p\",\"file\":\"b.go\","
               "\"line\":5,\"column\":6}]}",
               "level=3.6",
               "GCF profile=graph symbols=2\n## targets\n@0 fn a 0.00 p\n"
               "@1 fn b 0.00 p\n## loc [2]\n@0 \"x/a b\\\"\xC3\xA9.go\" 1 2 3 4\n"
               "@1 b.go 5 6\n");
    /* dropped */
    failures +=
        !gives("{\"x\":1,\"symbols\":[{\"qualified_name\":\"a\",\"kind\":\"fn\","
               "\"provenance\":\"p\",\"signature\":\"()\",\"file\":\"f\",\"line\":1,"
               "\"column\":1}],\"edges\":[{\"source\":\"a\",\"target\":\"gone\","
               "\"edge_type\":\"t\"}]}",
               "lossy=true", "GCF profile=graph symbols=1\n## targets\n@0 fn a 0.00 p\n");
    assert_int_equal(failures, 0);
}

static void not_written(void **state)
{
    (void)state;
    static const struct {
        const char *json;
        const char *code;
    } all[] = {
        {"[]", "not_a_graph"},
        {"{}", "not_a_graph"},
        {"{\"symbols\":{}}", "not_a_graph"},
        {"{\"symbols\":[1]}", "not_a_graph"},
        {"{\"symbols\":[],\"x\":1}", "unknown_member"},
        {"{\"symbols\":[{\"qualified_name\":\"a\",\"qualifiedName\":\"a\"}]}",
         "duplicate_member"},
        {"{\"symbols\":[{\"kind\":\"fn\",\"provenance\":\"p\"}]}", "not_a_graph"},
        {"{\"symbols\":[{\"qualified_name\":\"a\",\"kind\":7,\"provenance\":\"p\"}]}",
         "not_a_graph"},
        {"{\"symbols\":[{\"qualified_name\":\"a\",\"kind\":\"fn\",\"provenance\":\"p\","
         "\"distance\":-1}]}",
         "not_a_graph"},
        {"{\"symbols\":[{\"qualified_name\":\"a\",\"kind\":\"fn\",\"provenance\":\"p\","
         "\"score\":\"1\"}]}",
         "not_a_graph"},
        {"{\"symbols\":[{\"qualified_name\":\"a\",\"kind\":\"fn\",\"provenance\":\"p\","
         "\"score\":1e999}]}",
         "out_of_range"},
        {"{\"symbols\":[{\"qualified_name\":\"a\",\"kind\":\"fn\"}]}", "invalid_symbol"},
        {"{\"tool\":\"a b\",\"symbols\":[]}", "invalid_header_value"},
        {"{\"symbols\":[" AUTH "," AUTH "]}", "duplicate_symbol"},
        {"{\"symbols\":[" AUTH "],\"edges\":[{\"source\":\"pkg.Auth\",\"target\":\"x\","
         "\"edge_type\":\"t\"}]}",
         "unknown_edge_reference"},
        {"{\"symbols\":[" AUTH "],\"edges\":[{\"source\":\"pkg.Auth\"}]}", "not_a_graph"},
        {"{\"symbols\":[" AUTH "],\"edges\":[{\"source\":\"pkg.Auth\",\"target\":"
         "\"pkg.Auth\",\"edge_type\":\"a b\"}]}",
         "invalid_edge"},
        {"{\"symbols\":[{\"qualified_name\":\"a\",\"kind\":\"fn\",\"provenance\":\"p\"},"
         "{\"qualified_name\":\"a\",\"kind\":\"type\",\"provenance\":\"p\"}],\"edges\":["
         "{\"source\":\"a\",\"target\":\"a\",\"edge_type\":\"uses\"}]}",
         "ambiguous_edge"},
        {"{\"symbols\":[{\"qualified_name\":\"a\",\"kind\":\"fn\",\"provenance\":\"p\","
         "\"file\":\"f\",\"line\":1,\"column\":1}]}",
         "place_lost"},
        {"{\"symbols\":[{\"qualified_name\":\"a\",\"kind\":\"fn\",\"provenance\":\"p\","
         "\"file\":\"f\",\"line\":0,\"column\":1}]}",
         "invalid_place"},
    };
    size_t failures = 0;
    for (size_t i = 0; i < ROWS(all); i++) {
        pith_buffer out = {0};
        pith_error err = {0};
        pith_convert("json", "gcf-graph", all[i].json, strlen(all[i].json), NULL,
                     pith_sink_buffer(&out), &err);
        bool right = err.code && strcmp(err.code, all[i].code) == 0 && err.message[0];
        if (!right) {
            fprintf(stderr, "%s: %s: %s\n", all[i].json, err.code ? err.code : "written",
                    err.message);
        }
        failures += !right;
        pith_buffer_free(&out);
    }
    assert_int_equal(failures, 0);
}

/* ----------------------------------------------------------------------- reading */

static void read_well(void **state)
{
    (void)state;
    static const char both[] = "{\"symbols\":[" AUTH "," SERVER
                               "],\"edges\":[{\"source\":\"pkg.Server\",\"target\":"
                               "\"pkg.Auth\",\"edge_type\":\"calls\"}]}";
    static const char *const all[] = {
        HEAD NODES "## edges [1]\n@0<@1 calls\n",
        HEAD NODES "## edges [1]\n@0<@1 calls",
        "GCF profile=graph\n" NODES "## edges\n@0<@1 calls\n",
        "GCF profile=graph\n" NODES "## edges [?]\n@0<@1 calls\n",
        "GCF profile=graph\n" NODES
        "## edges [?]\n@0<@1 calls\n##! summary symbols=2 edges=1 counts=1,1,1\n",
        "GCF profile=graph\n" NODES
        "## edges [?]\n@0<@1 calls\n##! summary symbols=2 edges=1 counts=nonsense:\n",
        "GCF profile=graph session=false\r\n## targets\r\n@0 fn pkg.Auth 0.78 "
        "lsp\r\n\r\n# comment\r\n  # and one more\r\n## related [1]\r\n@1  function "
        " pkg.Server 00.54 lsp \r\n## edges [1]\r\n@0<@1 calls\r\n \r\n",
    };
    size_t failures = 0;
    for (size_t i = 0; i < ROWS(all); i++)
        failures += !reads(all[i], both);
    failures += !reads("GCF profile=graph symbols=0\n", "{\"symbols\":[],\"edges\":[]}");
    failures += !reads("GCF profile=graph future=yes symbols=0\n",
                       "{\"header\":{\"future\":\"yes\"},\"symbols\":[],\"edges\":[]}");
    failures +=
        !reads("GCF profile=graph\n## distance_7\n@0 x y -0.50 p\n## edges\n"
               "@0<@0 calls active\n",
               "{\"symbols\":[{\"qualified_name\":\"y\",\"kind\":\"x\",\"score\":"
               "-0.5,\"provenance\":\"p\",\"distance\":7}],\"edges\":[{\"source\":"
               "\"y\",\"target\":\"y\",\"edge_type\":\"calls\",\"status\":"
               "\"active\"}]}");
    failures += !reads(
        "GCF profile=graph\n## targets\n@0 fn a 1.00 p\n@1 type a 0.00 p\n"
        "## edges [1]\n@1<@0 uses\n## loc [2]\n@1 \"a \\u00e9.go\" 1 2\n@0 b 3 4 5 6\n",
        "{\"symbols\":[{\"qualified_name\":\"a\",\"kind\":\"function\",\"score\":1,"
        "\"provenance\":\"p\",\"distance\":0,\"file\":\"b\",\"line\":3,\"column\":4,"
        "\"end_line\":5,\"end_column\":6},{\"qualified_name\":\"a\",\"kind\":"
        "\"type\",\"score\":0,\"provenance\":\"p\",\"distance\":0,\"file\":\"a "
        "\xC3\xA9.go\",\"line\":1,\"column\":2}],\"edges\":[{\"source\":\"a\","
        "\"source_kind\":\"function\",\"target\":\"a\",\"target_kind\":\"type\","
        "\"edge_type\":\"uses\"}]}");
    assert_int_equal(failures, 0);
}

typedef struct bad_text {
    const char *text;
    const char *code;
    size_t line;
    size_t column;
} bad_text;

static void read_badly(void **state)
{
    (void)state;
    static const bad_text all[] = {
        {"GCF\n", "missing_profile", 1, 4},
        {"GCF1 profile=graph\n", "missing_header", 1, 1},
        {"GCF profile=generic\na=1\n", "unknown_profile", 1, 13},
        {"GCF tool=x\n", "missing_profile", 1, 5},
        {"\xEF\xBB\xBFGCF profile=graph\n", "missing_header", 1, 1},
        {"GCF profile=graph tool\n", "malformed_header_field", 1, 19},
        {"GCF profile=graph tool=\n", "malformed_header_field", 1, 19},
        {"GCF profile=graph tool=a tool=b\n", "duplicate_header_field", 1, 26},
        {"GCF profile=graph profile=graph\n", "duplicate_header_field", 1, 19},
        {"GCF profile=graph symbols=x\n", "malformed_header_field", 1, 27},
        {"GCF profile=graph symbols=01\n", "malformed_header_field", 1, 27},
        {"GCF profile=graph session=1\n", "malformed_header_field", 1, 27},
        {"GCF profile=graph delta=true\n", "not_a_document", 1, 19},
        {"GCF profile=graph unchanged=true pack_root=x symbols=1\n", "not_a_document", 1,
         19},
        {"GCF profile=graph\n\xFF\n", "invalid_utf8", 2, 1},
        {"GCF profile=graph\n@0 fn a 1.00 p\n", "invalid_line", 2, 1},
        {"GCF profile=graph\n##targets\n", "invalid_line", 2, 1},
        {"GCF profile=graph\n## targets x\n", "invalid_line", 2, 12},
        {"GCF profile=graph\n## others\n", "unknown_group", 2, 4},
        {"GCF profile=graph\n## distance_\n", "unknown_group", 2, 4},
        {"GCF profile=graph\n## distance_x\n", "unknown_group", 2, 4},
        {"GCF profile=graph\n## removed\nfn a\n", "unknown_group", 2, 4},
        {"GCF profile=graph\n## targets [01]\n", "invalid_count", 2, 13},
        {"GCF profile=graph\n## targets [2]\n@0 fn a 1.00 p\n", "count_mismatch", 3, 15},
        {"GCF profile=graph\n## targets\n@0 fn a 1.00\n", "invalid_node_line", 3, 1},
        {"GCF profile=graph\n## targets\n@0 fn a 1.00 p q\n", "invalid_node_line", 3, 1},
        {"GCF profile=graph\n## targets\n0 fn a 1.00 p\n", "invalid_symbol_id", 3, 1},
        {"GCF profile=graph\n## targets\n@ fn a 1.00 p\n", "invalid_symbol_id", 3, 1},
        {"GCF profile=graph\n## targets\n@00 fn a 1.00 p\n", "invalid_symbol_id", 3, 1},
        {"GCF profile=graph\n## targets\n@1 fn a 1.00 p\n", "invalid_symbol_id", 3, 1},
        {"GCF profile=graph\n## targets\n@0 fn a 1.00 p\n@0 fn b 1.00 p\n",
         "invalid_symbol_id", 4, 1},
        {"GCF profile=graph\n## targets\n@0 fn a 1.00 p\n@1 fn a 1.00 p\n",
         "duplicate_symbol", 4, 7},
        {"GCF profile=graph\n## targets\n@0 fn a 1 p\n", "invalid_score", 3, 9},
        {"GCF profile=graph\n## targets\n@0 fn a 1.0 p\n", "invalid_score", 3, 9},
        {"GCF profile=graph\n## targets\n@0 fn a .50 p\n", "invalid_score", 3, 9},
        {"GCF profile=graph\n## targets\n@0 fn a 1.000 p\n", "invalid_score", 3, 9},
        {"GCF profile=graph\n## targets\n@0 fn a +1.00 p\n", "invalid_score", 3, 9},
        {"GCF profile=graph\n## targets\n@0 fn a -01.50 p\n", "invalid_score", 3, 9},
        {"GCF profile=graph\n## targets\n@99999999999999999999 fn a 1.00 p\n",
         "invalid_symbol_id", 3, 1},
        {"GCF profile=graph symbols=99999999999999999999\n", "count_mismatch", 1, 19},
        {"GCF profile=graph\n## distance_99999999999999999999\n", "unknown_group", 2, 4},
        {"GCF profile=graph\n## targets\n @0 fn a 1.00 p\n", "invalid_indent", 3, 2},
        {"GCF profile=graph\n## targets\n\t# c\n", "tab_indentation", 3, 1},
        {"GCF profile=graph\n## targets\n\t@0 fn a 1.00 p\n", "tab_indentation", 3, 1},
        {"GCF profile=graph\n## targets\n@0  # previously transmitted\n",
         "unknown_reference", 3, 1},
        {"GCF profile=graph\n## targets\n@0 # else\n", "invalid_node_line", 3, 4},
        {"GCF profile=graph symbols=2\n## targets\n@0 fn a 1.00 p\n", "count_mismatch", 1,
         19},
        {HEAD NODES, "count_mismatch", 1, 29},
        {HEAD NODES "## edges [2]\n@0<@1 calls\n", "count_mismatch", 7, 12},
        {HEAD NODES "## edges [1]\n@0<@1 calls\n@0<@1 uses\n", "count_mismatch", 8, 1},
        {HEAD NODES "## edges [1]\n@0<@1\n", "invalid_edge_syntax", 7, 1},
        {HEAD NODES "## edges [1]\n@0<@1 a b c\n", "invalid_edge_syntax", 7, 1},
        {HEAD NODES "## edges [1]\n@0<1 a\n", "invalid_symbol_id", 7, 4},
        {HEAD NODES "## edges [1]\n@0<@2 a\n", "unknown_edge_reference", 7, 4},
        {HEAD NODES "## edges [1]\n@9<@1 a\n", "unknown_edge_reference", 7, 1},
        {HEAD "## edges [1]\n@0<@1 a\n" NODES, "unknown_edge_reference", 3, 1},
        {"GCF profile=graph\n" NODES "##! summary symbols=3\n", "count_mismatch", 6, 13},
        {"GCF profile=graph\n" NODES "##! summary\n## edges\n", "invalid_line", 7, 1},
        {"GCF profile=graph\n" NODES "##! other\n", "invalid_line", 6, 1},
        {"GCF profile=graph\n" NODES "## loc [1]\n@0 f 0 1\n", "invalid_loc_line", 7, 6},
        {"GCF profile=graph\n" NODES "## loc [1]\n@0 f 1 1 1\n", "invalid_loc_line", 7,
         6},
        {"GCF profile=graph\n" NODES "## loc\n@0 f 1 1\n@0 f 1 1\n", "invalid_loc_line",
         8, 1},
        {"GCF profile=graph\n" NODES "## loc\n@7 f 1 1\n", "unknown_edge_reference", 7,
         1},
        {"GCF profile=graph\n" NODES "## loc\n@0 \"f 1 1\n", "unterminated_quote", 7, 4},
        {"GCF profile=graph\n" NODES "## loc\n@0 \"f\"x 1 1\n", "trailing_characters", 7,
         7},
    };
    size_t failures = 0;
    for (size_t i = 0; i < ROWS(all); i++) {
        pith_error err = {0};
        pith_doc *doc =
            pith_doc_parse("gcf-graph", all[i].text, strlen(all[i].text), NULL, &err);
        bool right = !doc && err.status == PITH_BAD_INPUT &&
                     strcmp(err.code, all[i].code) == 0 && err.line == all[i].line &&
                     err.column == all[i].column;
        if (!right) {
            fprintf(stderr, "%s\n  expected %s at %zu:%zu\n  found %s at %zu:%zu: %s\n",
                    all[i].text, all[i].code, all[i].line, all[i].column,
                    err.code ? err.code : "a graph", err.line, err.column, err.message);
        }
        failures += !right;
        pith_doc_free(doc);
    }
    assert_int_equal(failures, 0);
}

static bool collect_problem(void *ctx, const pith_error *problem)
{
    char *codes = (char *)ctx;
    strcat(codes, problem->code);
    strcat(codes, " ");
    return true;
}

static void every_problem(void **state)
{
    (void)state;
    static const char text[] =
        "GCF profile=graph tool symbols=9\n## targets\n@0 fn a 1 p\n"
        "@1 fn b 1.00 p\n## others\nx\ny\n## edges [1]\n@0<@7 calls\n"
        "@0 @1 calls\n";
    char codes[512] = "";
    pith_check(NULL, text, sizeof text - 1, NULL, collect_problem, codes, NULL);
    assert_string_equal(codes, "malformed_header_field invalid_score unknown_group "
                               "invalid_edge_syntax count_mismatch ");
}

/* ----------------------------------------------------------------------- streams */

static void streamed(void **state)
{
    (void)state;
    pith_buffer out = {0};
    pith_error err;
    pith_options options = with_settings(NULL, "labels=true");
    code_graph *graph = made_graph_new(NULL);
    made_symbol symbols[] = {symbol_of("fn", "a", 0.5, 1), symbol_of("type", "b", 1, 0),
                             symbol_of("fn", "c", 0.25, 1), symbol_of("x", "d", 0, 9)};
    for (size_t i = 0; i < ROWS(symbols); i++)
        made_graph_add_symbol(graph, &symbols[i]);
    made_graph_add_edge(graph, 0, 1, "uses", NULL);
    made_graph_add_edge(graph, 2, 3, "uses", "removed");
    made_graph_add_edge(graph, 0, 3, "uses", "unchanged"); /* as if none */
    assert_int_equal(made_graph_stream(graph, &options, pith_sink_buffer(&out), &err),
                     PITH_OK);
    static const char expected[] =
        "GCF profile=graph\n## related\n@0 fn a 0.50 lsp\n## targets\n@1 type b 1.00 lsp\n"
        "## related\n@2 fn c 0.25 lsp\n## distance_9\n@3 x d 0.00 lsp\n"
        "## edges [?]\n@1<@0 uses\n@3<@2 uses removed\n@3<@0 uses\n"
        "##! summary symbols=4 edges=3 counts=related:2,targets:1,distance_9:1,edges:3\n";
    assert_true(same_bytes("stream", out.data, out.len, expected, sizeof expected - 1));
    pith_doc *doc = must_parse("gcf", out.data, out.len, NULL);
    assert_int_equal(pith_value_count(pith_value_get(pith_doc_root(doc), LIT("edges"))),
                     3);
    pith_doc_free(doc);
    made_graph_free(graph);
    pith_buffer_free(&out);
}

/* Groups are found again by their distance, however many there are. */
static void streamed_from_far(void **state)
{
    (void)state;
    enum { FAR = 100 };
    pith_buffer out = {0};
    code_graph *graph = made_graph_new(NULL);
    for (size_t i = 0; i < 2 * FAR; i++) {
        char name[32];
        snprintf(name, sizeof name, "n%zu", i);
        made_symbol symbol = symbol_of("fn", name, 0, 10 + i % FAR);
        assert_int_equal(made_graph_add_symbol(graph, &symbol), i);
    }
    assert_int_equal(made_graph_stream(graph, NULL, pith_sink_buffer(&out), NULL),
                     PITH_OK);
    made_graph_free(graph);
    char summary[512] = "##! summary symbols=200 edges=0 counts=";
    for (size_t i = 0; i < FAR; i++)
        strcat(summary, "2,");
    strcat(summary, "0\n");
    size_t len = strlen(summary);
    assert_true(out.len > len);
    assert_true(same_bytes("summary", out.data + out.len - len, len, summary, len));
    pith_doc *doc = must_parse("gcf", out.data, out.len, NULL);
    assert_int_equal(pith_value_count(pith_value_get(pith_doc_root(doc), LIT("symbols"))),
                     2 * FAR);
    pith_doc_free(doc);
    pith_buffer_free(&out);
}

static void refused_streams(void **state)
{
    (void)state;
    static const char *const all[][3] = {
        {"{\"tool\":\"a b\",\"symbols\":[]}", "", "invalid_header_value"},
        {"{\"tool\":7,\"symbols\":[]}", "", "not_a_graph"},
        {"{\"color\":\"red\",\"symbols\":[]}", "", "unknown_member"},
        {"{\"color\":\"red\",\"symbols\":[]}", "lossy=true", NULL},
        {"{\"symbols\":[{\"qualified_name\":\"a\"}]}", "", "invalid_symbol"},
        {"{\"symbols\":[{\"qualified_name\":\"a\",\"kind\":\"fn\",\"provenance\":\"p\"},"
         "{\"qualified_name\":\"a\",\"kind\":\"function\",\"provenance\":\"p\"}]}",
         "", "duplicate_symbol"},
        {"{\"symbols\":[],\"edges\":[{\"source\":\"a\",\"target\":\"a\","
         "\"edge_type\":\"uses\"}]}",
         "", "unknown_edge_reference"},
        {"{\"symbols\":[],\"edges\":[{\"source\":\"a\",\"target\":\"a\","
         "\"edge_type\":\"uses\"}]}",
         "lossy=true", NULL},
    };
    for (size_t i = 0; i < ROWS(all); i++) {
        pith_buffer out = {0};
        pith_error err = {0};
        pith_options options = with_settings(NULL, all[i][1]);
        pith_doc *doc = must_parse_json(all[i][0]);
        made_value_stream(pith_doc_root(doc), "gcf-graph", &options,
                          pith_sink_buffer(&out), &err);
        assert_string_equal(err.code ? err.code : "", all[i][2] ? all[i][2] : "");
        pith_doc_free(doc);
        pith_buffer_free(&out);
    }
}

static void streams_of_what_is_no_graph(void **state)
{
    (void)state;
    static const char *const columns[] = {"id"};
    pith_buffer out = {0};
    pith_error err = {0};
    pith_rows *rows =
        pith_rows_open_object("gcf-graph", NULL, pith_sink_buffer(&out), &err);
    assert_int_equal(rows_begin_named(rows, "rows", columns, 1, &err),
                     PITH_UNREPRESENTABLE);
    assert_string_equal(err.code, "unknown_member");
    pith_rows_abandon(rows);
    rows = pith_rows_open_object("gcf-graph", NULL, pith_sink_buffer(&out), &err);
    assert_int_equal(rows_begin_named(rows, "symbols", columns, 1, &err), PITH_OK);
    pith_doc *doc = must_parse_json("\"t\"");
    assert_int_equal(rows_add_named(rows, "tool", pith_doc_root(doc), &err),
                     PITH_UNREPRESENTABLE);
    assert_string_equal(err.code, "member_after_table");
    pith_rows_abandon(rows);
    pith_doc_free(doc);
    assert_null(
        rows_open_named("gcf-graph", columns, 1, NULL, pith_sink_buffer(&out), &err));
    assert_string_equal(err.code, "not_a_graph");
    pith_buffer_free(&out);
}

static void a_stream_has_no_room_for_places(void **state)
{
    (void)state;
    code_graph *graph = made_graph_new(NULL);
    made_symbol symbol = symbol_of("fn", "a", 0, 0);
    symbol.file = text_from("a.c");
    symbol.line = symbol.column = 1;
    made_graph_add_symbol(graph, &symbol);
    for (int drop = 0; drop <= 1; drop++) {
        pith_buffer out = {0};
        pith_error err = {0};
        pith_options options = with_settings(NULL, drop ? "lossy=true" : "");
        pith_status status =
            made_graph_stream(graph, &options, pith_sink_buffer(&out), &err);
        assert_int_equal(status, drop ? PITH_OK : PITH_UNREPRESENTABLE);
        assert_true(drop || strcmp(err.code, "place_lost") == 0);
        pith_buffer_free(&out);
    }
    made_graph_free(graph);
}

/* No value, no such setting, no error wanted: refused, and nothing is touched. */
static void calls_without_what_they_need(void **state)
{
    (void)state;
    static const char json[] = "{\"symbols\":[],\"edges\":[]}";
    pith_value nothing = {0};
    pith_error err = {0};
    pith_root root;
    pith_buffer out = {0};
    pith_options strange = with_settings("nope=1", "nope=1");
    code_graph *graph = made_graph_new(NULL);
    pith_doc *doc = must_parse_json(json);
    assert_int_equal(pith_value_root(nothing, text_from(NULL), NULL, &root, &err),
                     PITH_BAD_USE);
    assert_string_equal(err.code, "no_value");
    assert_int_equal(made_graph_read(graph, "json", json, strlen(json), &strange, &err),
                     PITH_BAD_USE);
    assert_int_equal(made_graph_read(graph, "gcf-graph", NULL, 0, NULL, NULL),
                     PITH_BAD_INPUT);
    assert_int_equal(
        made_graph_write(graph, "gcf-graph", &strange, pith_sink_buffer(&out), &err),
        PITH_BAD_USE);
    assert_int_equal(made_graph_stream(graph, &strange, pith_sink_buffer(&out), &err),
                     PITH_BAD_USE);
    made_symbol wrong = symbol_of("fn", "a b", 0, 0);
    code_graph *failed = made_graph_new(NULL);
    made_graph_add_symbol(failed, &wrong);
    assert_int_equal(made_graph_root(failed, &root, &err), PITH_UNREPRESENTABLE);
    assert_int_equal(made_graph_delta(failed, graph, NULL, pith_sink_buffer(&out), &err),
                     PITH_UNREPRESENTABLE);
    assert_int_equal(made_graph_delta(graph, failed, NULL, pith_sink_buffer(&out), NULL),
                     PITH_UNREPRESENTABLE);
    assert_int_equal(out.len, 0);
    pith_policy policy = {0};
    policy.tool = text_from("two words");
    assert_null(pith_snapshot_new(&policy, NULL, &err));
    assert_string_equal(err.code, "bad_setting");
    policy.tool = text_from("f\xC3\xA9");
    assert_null(pith_snapshot_new(&policy, NULL, NULL));
    made_graph_free(failed);
    made_graph_free(graph);
    pith_doc_free(doc);
    pith_buffer_free(&out);
}

/* ------------------------------------------------------------------------- size */

/* Names alike and kinds alike must not make anything quadratic. */
static void many(void **state)
{
    (void)state;
    enum { COUNT = OFTEN(60000) };
    char text[64];
    char kind[32];
    code_graph *graph = made_graph_new(NULL);
    for (size_t i = 0; i < COUNT; i++) {
        snprintf(kind, sizeof kind, "k%zu", i);
        snprintf(text, sizeof text, "name%zu", i / (COUNT / 2));
        made_symbol symbol = symbol_of(kind, text, (double)(i % 100) / 100, i % 5);
        assert_int_equal(made_graph_add_symbol(graph, &symbol), i);
    }
    for (size_t i = 0; i < COUNT; i++)
        made_graph_add_edge(graph, i, 0, "t", NULL);
    pith_buffer out = {0};
    assert_int_equal(
        made_graph_write(graph, "gcf-graph", NULL, pith_sink_buffer(&out), NULL),
        PITH_OK);
    pith_doc *doc = must_parse("gcf", out.data, out.len, NULL);
    code_graph *again = made_graph_new(NULL);
    assert_int_equal(made_graph_from_value(again, pith_doc_root(doc), false, NULL),
                     PITH_OK);
    char roots[2][GRAPH_ROOT_LEN];
    assert_true(graph_root(graph, roots[0]) && graph_root(again, roots[1]));
    assert_memory_equal(roots[0], roots[1], GRAPH_ROOT_LEN);
    pith_doc_free(doc);
    made_graph_free(graph);
    made_graph_free(again);
    pith_buffer_free(&out);
}

/* Every allocation of reading and writing a graph fails once. */
static void out_of_memory(void **state)
{
    (void)state;
    static const char text[] =
        "GCF profile=graph tool=t symbols=2 edges=1 pack_root=x\n" NODES
        "## edges [1]\n@0<@1 calls added\n## loc [1]\n@0 \"a \\n\" 1 2\n";
    meter counts = {0};
    pith_options options = {0};
    options.alloc = meter_alloc(&counts);
    options.write = "level=3.6";
    size_t failed = 0;
    for (size_t fail_at = 1;; fail_at++) {
        size_t before = counts.failures;
        pith_error err = {0};
        counts.fail_at = fail_at;
        counts.requests = 0;
        pith_buffer out = {0};
        out.alloc = options.alloc;
        pith_status status = pith_convert("gcf", "gcf-graph", text, sizeof text - 1,
                                          &options, pith_sink_buffer(&out), &err);
        code_graph *graph = status == PITH_OK ? made_graph_new(&options) : NULL;
        if (status == PITH_OK) {
            status = graph
                         ? made_graph_read(graph, NULL, text, sizeof text - 1, NULL, &err)
                         : PITH_NO_MEMORY;
        }
        char root[GRAPH_ROOT_LEN];
        if (status == PITH_OK && !graph_root(graph, root))
            status = PITH_NO_MEMORY;
        if (status == PITH_OK)
            assert_int_equal(out.len, sizeof text - 1);
        assert_true(status == PITH_OK || status == PITH_NO_MEMORY);
        failed += status != PITH_OK;
        made_graph_free(graph);
        pith_buffer_free(&out);
        assert_true(meter_clean(&counts));
        if (counts.failures == before)
            break;
    }
    assert_true(failed > 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(at_a_glance),
        cmocka_unit_test(comparison),
        cmocka_unit_test(kinds),
        cmocka_unit_test(calls),
        cmocka_unit_test(refused_calls),
        cmocka_unit_test(refused_edges_and_places),
        cmocka_unit_test(scores),
        cmocka_unit_test(scores_as_printf),
        cmocka_unit_test(written),
        cmocka_unit_test(not_written),
        cmocka_unit_test(read_well),
        cmocka_unit_test(read_badly),
        cmocka_unit_test(every_problem),
        cmocka_unit_test(streamed),
        cmocka_unit_test(streamed_from_far),
        cmocka_unit_test(refused_streams),
        cmocka_unit_test(streams_of_what_is_no_graph),
        cmocka_unit_test(a_stream_has_no_room_for_places),
        cmocka_unit_test(calls_without_what_they_need),
        cmocka_unit_test(many),
        cmocka_unit_test(out_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
