/*
 * test_family.c - the format of a file: by its suffix, and by its content where several
 * formats go by that.
 */
#include "testing.h"
#include "graphs.h"
#include "named.h"

#define GRAPH_1                                                                          \
    "GCF tool=context_for_task budget=5000 tokens=1847 symbols=10 pack_root=a1b2c3\n"    \
    "## targets\n@0 fn pkg.AuthMiddleware 0.78 lsp_resolved\n"
#define TABLE_1 "## employees [2]{id,name}\n1|Alice Smith\n2|Bob Jones\n"
#define SECTIONS_1 "## database\n  host=db.example\n  port=5432\n## cache\n  ttl=3600\n"
#define MEMBERS_1 "config=production\nversion=2.1.0\nport=5432\nactive=true\n"
#define GRAPH_3 "GCF profile=graph tool=t symbols=1 edges=0\n## targets\n@0 fn a 0.50 p\n"
#define GENERIC_3 "GCF profile=generic\n## [1]{id}\n1\n"
#define SOCH "users[2]{id,name}:\n1,Alice;\n2,Bob\n"
#define SOCH_BIN "TOON\1\0\x0C\0\0\0\0\0\0\0\0\0\1t\0"
#define TOON "users[2]{id,name}:\n  1,Alice\n  2,Bob\n"
#define TOON_ROWS "[2,]{id,name}:\n  1,Widget\n  2,Gadget\n"

typedef struct named_text {
    const char *path;
    const char *text;
    size_t len;
    const char *format; /* NULL: none */
} named_text;

static size_t failures_of(const named_text *rows, size_t count)
{
    size_t failures = 0;
    for (size_t i = 0; i < count; i++) {
        const pith_format *found =
            pith_format_of(rows[i].path, rows[i].text, rows[i].len);
        const char *name = found ? found->name : "none";
        const char *wanted = rows[i].format ? rows[i].format : "none";
        if (strcmp(name, wanted) != 0) {
            fprintf(stderr, "%s: %s, expected %s\n",
                    rows[i].path ? rows[i].path : "without a name", name, wanted);
            show_bytes("  text", rows[i].text, rows[i].len);
            failures++;
        }
    }
    return failures;
}

static void seed_01_a_suffix_names_a_family_and_the_content_decides(void **state)
{
    (void)state;
    static const named_text rows[] = {
        {"a.gcf", LIT(GRAPH_1), "gcf1-graph"},
        {"a.gcf", LIT(TABLE_1), "gcf1"},
        {"a.gcf", LIT(SECTIONS_1), "gcf1"},
        {"a.gcf", LIT(MEMBERS_1), "gcf1"},
        {"a.gcf", LIT(GRAPH_3), "gcf-graph"},
        {"a.gcf", LIT(GENERIC_3), "gcf"},
        {"A.GCF", LIT(TABLE_1), "gcf1"},
        {"a.gcf1", LIT(GRAPH_1), "gcf1-graph"},
        {"a.gcf1", LIT(TABLE_1), "gcf1"},
        {"a.gcf1", LIT(MEMBERS_1), "gcf1"},
        {"a.gcf1", LIT(GENERIC_3), "gcf1"},
        {"a.toon", LIT(TOON), "toon"},
        {"a.toon", LIT(SOCH), "soch"},
        {"a.toon", LIT(SOCH_BIN), "soch-bin"},
        {"a.toon", LIT(TOON_ROWS), "toon-rows"},
        /* what is of no member is the first one's to refuse */
        {"a.gcf", LIT("{\"a\":1}"), "gcf"},
        {"a.gcf1", LIT("{\"a\":1}"), "gcf1"},
        {"a.toon", LIT("{\"a\":1}"), "toon"},
        {"a.toon", LIT(GENERIC_3), "toon"},
        {"a.gcf", LIT(""), "gcf"},
        {"a.gcf1", LIT(""), "gcf1"},
        {"a.toon", LIT(""), "toon"},
    };
    assert_int_equal(failures_of(rows, ROWS(rows)), 0);
}

static void seed_01_a_suffix_of_one_format_means_that(void **state)
{
    (void)state;
    static const named_text rows[] = {
        {"a.graph.gcf", LIT(GRAPH_1), "gcf-graph"},
        {"a.graph.gcf1", LIT(TABLE_1), "gcf1-graph"},
        {"a.toonb", LIT(TOON), "soch-bin"},
        {"a.soch", LIT(TOON), "soch"},
        {"a.toonrows", LIT(TOON), "toon-rows"},
        {"a.json", LIT(GENERIC_3), "json"},
        {"a.csv", LIT("{\"a\":1}\n{\"a\":2}\n"), "csv"},
    };
    assert_int_equal(failures_of(rows, ROWS(rows)), 0);
}

static void seed_01_without_a_suffix_the_content_tells(void **state)
{
    (void)state;
    static const named_text rows[] = {
        {NULL, LIT(GRAPH_1), "gcf1-graph"},
        {"-", LIT(TABLE_1), "gcf1"},
        {"a", LIT(SECTIONS_1), "gcf1"},
        {"a.txt", LIT(MEMBERS_1), "gcf1"},
        {NULL, LIT(GRAPH_3), "gcf-graph"},
        {NULL, LIT(SOCH_BIN), "soch-bin"},
        {NULL, LIT("\xEF\xBB\xBF" MEMBERS_1), "gcf1"},
        {NULL, LIT("config=production\r\nport=5432\r\n"), "gcf1"},
        {NULL, LIT("# settings\n\nport=5432\n"), "gcf1"},
        {NULL, LIT("key=value"), "gcf1"},
        {NULL, LIT("## key"), "gcf1"},
        {NULL, LIT("name=web\n## hosts [1]{id}\n1\n"), "gcf1"},
        {NULL, LIT("## a\n  id=1\n## b\n  id=2\n"), "gcf1"},
        {NULL, LIT("## a b\n  id=1\n"), "gcf1"},
        {NULL, LIT("# found by\n" GRAPH_1), "gcf1-graph"},
        {NULL, LIT(""), NULL},
        {"a", NULL, 0, NULL},
    };
    assert_int_equal(failures_of(rows, ROWS(rows)), 0);
}

/* Lines like these stand in many files that are no GCF. */
static void seed_01_nothing_is_taken_from_others(void **state)
{
    (void)state;
    static const named_text rows[] = {
        {NULL, LIT("x=1,y=2\nz=3,w=4\n"), "csv"},
        {NULL, LIT("x=1\ty\nz=3\tw\n"), "tsv"},
        {NULL, LIT("## a remark\nname: Ada\n"), "toon"},
        {NULL, LIT("tags[2]: a,b\n"), "toon"},
        {NULL, LIT("{a=1}"), "pith"},
        {NULL, LIT("SGVsbG8gd29ybGQ=\n"), NULL},
        {NULL, LIT("a==b\n"), NULL},
        {NULL, LIT("a = 1\n"), NULL},
        {NULL, LIT("a=\n"), NULL},
        {NULL, LIT("=1\n"), NULL},
        {NULL, LIT("#!/bin/sh\nA=1\n"), NULL},
        {NULL, LIT("export A=1\n"), NULL},
        {NULL, LIT("; settings\nport=1\n"), NULL},
        {NULL, LIT("port=1\n[server]\nport=2\n"), NULL},
        {NULL, LIT("level=info msg=a\nlevel=warn msg=b\n"), NULL},
        {NULL, LIT("E=mc2 is known\nto everybody.\n"), NULL},
        {NULL, LIT("E=mc2 is known\nto everybody."), NULL},
        {NULL, LIT("# Title\n\nProse, with x=1 in it.\n"), NULL},
        {NULL, LIT("## Usage\n\nCall it with x=1.\n"), NULL},
        {NULL, LIT("## What it is\n\n## How it works\n"), NULL},
        {NULL, LIT("https://example.com/?a=1\n"), NULL},
    };
    assert_int_equal(failures_of(rows, ROWS(rows)), 0);
}

/* A piece of a text is enough, wherever it was cut after its second line. */
static void seed_01_the_beginning_is_enough(void **state)
{
    (void)state;
    static const named_text rows[] = {
        {"a.gcf", LIT(GRAPH_1), "gcf1-graph"}, {"a.gcf", LIT(TABLE_1), "gcf1"},
        {"a.gcf", LIT(GRAPH_3), "gcf-graph"},  {"a.toon", LIT(SOCH), "soch"},
        {"a.toon", LIT(TOON), "toon"},         {"a.toon", LIT(TOON_ROWS), "toon-rows"},
    };
    size_t failures = 0;
    for (size_t i = 0; i < ROWS(rows); i++) {
        named_text piece = rows[i];
        size_t first = strcspn(piece.text, "\n") + 3;
        for (piece.len = first; piece.len <= rows[i].len; piece.len++)
            failures += failures_of(&piece, 1);
    }
    assert_int_equal(failures, 0);
}

static void seed_01_the_beginning_of_many_members_is_enough(void **state)
{
    (void)state;
    char text[8192];
    size_t len = 0;
    for (int i = 0; i < 200; i++)
        len += (size_t)snprintf(text + len, sizeof text - len, "member_%d=%d\n", i, i);
    for (size_t cut = 1500; cut < 1600; cut++) {
        const pith_format *found = pith_format_of("a.gcf", text, cut);
        assert_non_null(found);
        assert_string_equal(found->name, "gcf1");
    }
}

/* --------------------------------------------------------------------- reading */

static void must_read(const char *format, const char *text, const char *json)
{
    pith_doc *doc = must_parse(format, text, strlen(text), NULL);
    must_write_as(pith_doc_root(doc), "json", NULL, json);
    pith_doc_free(doc);
}

static void must_refuse(const char *format, const char *text, const char *code,
                        const char *way_out)
{
    pith_error err;
    assert_null(pith_doc_parse(format, text, strlen(text), NULL, &err));
    assert_string_equal(err.code, code);
    assert_non_null(strstr(err.message, way_out));
}

static void seed_01_gcf1_reads_graphs(void **state)
{
    (void)state;
    static const char json[] =
        "{\"tool\":\"t\",\"symbols\":[{\"qualified_name\":\"a\",\"kind\":\"function\","
        "\"score\":0.5,\"provenance\":\"p\",\"distance\":0}],\"edges\":[]}";
    static const char text[] = "GCF tool=t\n## targets\n@0 fn a 0.50 p\n";
    must_read("gcf1", text, json);
    must_read("gcf1-graph", text, json);
    must_read(NULL, text, json);
    code_graph *graph = made_graph_new(NULL);
    assert_non_null(graph);
    assert_int_equal(made_graph_read(graph, "gcf1", LIT(text), NULL, NULL), PITH_OK);
    assert_int_equal(graph->symbols.count, 1);
    made_graph_free(graph);
}

static void seed_01_the_wrong_version_names_the_right_one(void **state)
{
    (void)state;
    must_refuse("gcf", GRAPH_1, "missing_profile", "gcf1");
    must_refuse("gcf-graph", GRAPH_1, "missing_profile", "gcf1");
    must_refuse("gcf", TABLE_1, "missing_header", "gcf1");
    must_refuse("gcf", SECTIONS_1, "missing_header", "gcf1");
    must_refuse("gcf", MEMBERS_1, "missing_header", "gcf1");
    must_refuse("gcf1", GENERIC_3, "invalid_line", "read as gcf");
    pith_error err;
    assert_null(pith_doc_parse("gcf", LIT("hello"), NULL, &err));
    assert_null(strstr(err.message, "gcf1"));
}

/* ------------------------------------------------------------------- toon-rows */

static void seed_32_toon_rows_knows_five_escapes(void **state)
{
    (void)state;
    pith_doc *doc = must_parse_json("[{\"a\\u0002\":\"\\\\ \\\" \\n \\r \\t\","
                                    "\"b\":\"x\\u0001\\u0008\\u000b\\u000c\\u001f\"}]");
    static const char text[] = "[1,]{\"a\002\",b}:\n  \"\\\\ \\\" \\n \\r \\t\","
                               "\"x\001\b\v\f\037\"";
    must_write_as(pith_doc_root(doc), "toon-rows", NULL, text);
    must_write_as(pith_doc_root(doc), "toon-rows", "verify=true", text);
    pith_buffer json = must_write(pith_doc_root(doc), "json", NULL);
    must_read("toon-rows", text, json.data);
    pith_buffer_free(&json);
    pith_doc_free(doc);
}

static void seed_32_rows_that_leave_one_by_one_are_escaped_alike(void **state)
{
    (void)state;
    static const char *const columns[] = {"a"};
    pith_buffer out = {0};
    pith_error err;
    pith_rows *rows =
        rows_open_named("toon-rows", columns, 1, NULL, pith_sink_buffer(&out), &err);
    assert_non_null(rows);
    pith_doc_add_text(pith_rows_row(rows), LIT("x\001\n"));
    assert_int_equal(pith_rows_end_row(rows, &err), PITH_OK);
    assert_int_equal(pith_rows_close(rows, &err), PITH_OK);
    assert_string_equal(out.data, "[1,]{a}:\n  \"x\001\\n\"");
    pith_buffer_free(&out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(seed_01_a_suffix_names_a_family_and_the_content_decides),
        cmocka_unit_test(seed_01_a_suffix_of_one_format_means_that),
        cmocka_unit_test(seed_01_without_a_suffix_the_content_tells),
        cmocka_unit_test(seed_01_nothing_is_taken_from_others),
        cmocka_unit_test(seed_01_the_beginning_is_enough),
        cmocka_unit_test(seed_01_the_beginning_of_many_members_is_enough),
        cmocka_unit_test(seed_01_gcf1_reads_graphs),
        cmocka_unit_test(seed_01_the_wrong_version_names_the_right_one),
        cmocka_unit_test(seed_32_toon_rows_knows_five_escapes),
        cmocka_unit_test(seed_32_rows_that_leave_one_by_one_are_escaped_alike),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
