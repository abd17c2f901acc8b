/*
 * cases.c - see cases.h.
 *
 * The inputs are as small as they can be while they need every kind of memory: a run is
 * repeated for each allocation it makes. Where tokens are counted, a tiny vocabulary
 * saves unpacking a large one each time.
 */
#include "faults/cases.h"

#include "small_vocab.h"
#include "testing.h"

#include "cli/context.h"

#define TINY "--tokenizer", "./tiny.json"
#define DB "--db", "sqlite:shop.db"

/* A path of more bytes than a line usually has. */
#define DOTS_32 "././././././././././././././././"
#define DOTS_256 DOTS_32 DOTS_32 DOTS_32 DOTS_32 DOTS_32 DOTS_32 DOTS_32 DOTS_32
#define LONG_PATH DOTS_256 DOTS_256 "t.csv"

static const tool_case cases[] = {
    /* convert: whole, by rows, from a pipe, into files, with every kind of care */
    {.words = {"convert", "rows.json", "--to", "gcf"}},
    {.words = {"convert", "rows.json", "--set", "to.indent=2", "--to", "json", "-o",
               "out.json"},
     .output = "out.json"},
    {.words = {"rows.json", "-v", "--set", "json.duplicates=last", TINY}},
    {.words = {"rows.ndjson", "--to", "csv"}, .parts = PARTS_FIRST},
    {.words = {"rows.ndjson", "--to", "csv", "-o", "out.csv"}, .output = "out.csv"},
    {.words = {"--to", "ndjson"}, .input = "rows.json", .parts = PARTS_FIRST},
    {.words = {"--to", "toon"}, .input = "rows.ndjson"},
    {.words = {"--from", "json", "--to", "csv", "-o", "out.csv"},
     .input = "rows.json",
     .output = "out.csv"},
    {.words = {"rows.zst", "--from", "json", "--to", "soch"}},
    {.words = {"rows.zst", "--to", "gcf"}},
    {.words = {"rows.json", "--to", "soch-bin", "-o", "out.bin"}, .output = "out.bin"},
    {.words = {"rows.json", "--to", "gcf", "--budget", "60", "--keep", "spread", TINY}},
    {.words = {"rows.json", "--to", "auto", "--allow", "json,gcf", "--optimize", "tokens",
               TINY}},
    {.words = {"rows.json", "--to", "toon", "--set", "guard=true", "--set", "verify=true",
               TINY}},
    {.words = {"t.csv", "--to", "json", "-o", "."}, .output = "t.json"},
    {.words = {"graph.json", "--to", "gcf-graph", "--session", "new.state"},
     .state = "new.state"},
    {.words = {"graph.json", "--to", "gcf-graph", "--session", "new.state", "-o",
               "out.gcf"},
     .output = "out.gcf",
     .state = "new.state",
     .state_from = "old.state"},
    {.words = {"graph.gcf", "--to", "json", "--session", "new.state", "-o", "out.json"},
     .output = "out.json",
     .state = "new.state"},
    {.words = {"bad.json", "--errors=json", "--to", "json"}},
    /* check */
    {.words = {"check", "rows.json", "rows.ndjson"}},
    {.words = {"check", "bad.json"}},
    {.words = {"check", "--errors=json", "--from", "json", "-v"}, .input = "bad.json"},
    /* count */
    {.words = {"count", "t.csv"}},
    {.words = {"count", "rows.json", "t.csv", TINY}, .parts = PARTS_OTHERS},
    {.words = {"count", "--json", TINY}, .input = "t.csv", .parts = PARTS_OTHERS},
    {.words = {"count", LONG_PATH, TINY}},
    {.words = {"count", "--ids", "t.csv", TINY}},
    {.words = {"count", "--show", "t.csv", TINY}, .parts = PARTS_FIRST},
    /* compare */
    {.words = {"compare", "t.csv", TINY}},
    {.words = {"compare", "t.csv", "--json", "--curve", "--optimize", "tokens", TINY}},
    {.words = {"compare", "t.csv", "--markdown", "--curve", "--price", "2.5", TINY}},
    /* why, schema, prompt, mcp */
    {.words = {"why", "rows.json", TINY}, .parts = PARTS_FIRST},
    {.words = {"schema", "rows.json"}, .parts = PARTS_FIRST},
    {.words = {"prompt", "pith"}, .parts = PARTS_FIRST},
    {.words = {"mcp", "--help"}, .parts = PARTS_FIRST},

    /* pack */
    {.words = {"pack", "rows.ndjson", "--tokens", "60", TINY}, .parts = PARTS_FIRST},
    /* query and tables */
    {.words = {"query", DB, "SELECT * FROM t"}, .parts = PARTS_FIRST},
    {.words = {"query", DB, "--to", "csv", "-p", "1", "-o", "out.csv",
               "SELECT * FROM t WHERE id >= ?"},
     .output = "out.csv"},
    {.words = {"query", "--db", "sqlite::memory:", "--import", "u=t.csv", "--to", "json",
               "-"},
     .input = "query.sql",
     .parts = PARTS_FIRST},
    {.words = {"query", "--db", "sqlite::memory:", "--import", "u=rows", "--to", "json",
               "SELECT * FROM u"},
     .parts = PARTS_FIRST},
    {.words = {"query", DB, "--limit", "1", "SELECT hex(zeroblob(99 * id)) AS h FROM t"},
     .parts = PARTS_FIRST},
    {.words = {"query", DB, "--budget", "60", "SELECT * FROM t", TINY}},
    {.words = {"tables", DB}, .parts = PARTS_FIRST},
    {.words = {"tables", DB, "--to", "json", "-o", "out.json"}, .output = "out.json"},
    /* root, delta and apply */
    {.words = {"root", "rows.json", "new.json", "--key", "id"}, .parts = PARTS_OTHERS},
    {.words = {"root", "graph.json"}},
    {.words = {"root", "full.gcf"}},
    {.words = {"delta", "rows.json", "new.json", "--key", "id"}},
    {.words = {"delta", "rows.json", "new.json", "--key", "id", "-o", "out.gcf"},
     .output = "out.gcf"},
    {.words = {"apply", "rows.json", "step.gcf", "--key", "id"}},
    {.words = {"apply", "rows.json", "step.gcf", "--to", "gcf", "-v", "-o", "out.gcf"},
     .output = "out.gcf"},
    /* what is known without any input */
    {.words = {"formats"}},
    {.words = {"formats", "--json"}},
    {.words = {"formats", "--names"}},
    {.words = {"help"}},
    {.words = {"help", "convert"}},
    {.words = {"help", "--man"}},
    {.words = {"help", "--completions", "zsh"}},
    {.words = {"--version"}},
    {.words = {"convert", "--set"}},
    {.words = {"convret", "--errors=json"}},
};

const tool_case *case_at(size_t index)
{
    return index < ROWS(cases) ? &cases[index] : NULL;
}

/* ------------------------------------------------------------------------- inputs */

static void put_text(const char *name, const char *text)
{
    tool_put(name, text, strlen(text));
}

/* A frame of ZSTD with the text in it as it is: magic, header, one block. */
static void put_frame(const char *name, const char *text)
{
    size_t len = strlen(text);
    bytes frame = {0};
    assert_true(len < 256);
    unsigned block = (unsigned)len << 3 | 1;
    const char front[] = {
        '\x28', '\xB5',    '\x2F',        '\xFD',
        '\x20', (char)len, (char)(block), (char)(block >> 8),
        '\0',
    };
    bytes_add(&frame, front, sizeof front);
    bytes_add(&frame, text, len);
    tool_put(name, frame.ptr, frame.len);
    bytes_free(&frame);
}

/* Keeps what the tool makes, under a name, as an input. */
static void put_made(const char *name, const tool_case *one)
{
    tool_result made = tool_run(one, NULL, TOOL_TO_FILE, NULL);
    if (made.code != 0)
        show_bytes(tool_line(one), made.err.ptr, made.err.len);
    assert_int_equal(made.code, 0);
    const bytes *content = one->output  ? &made.file
                           : one->state ? &made.state
                                        : &made.out;
    tool_put(name, content->ptr, content->len);
    tool_free(&made);
}

static void put_graph(void)
{
    put_text("graph.json",
             "{\"tool\":\"t\",\"symbols\":["
             "{\"qualified_name\":\"a\",\"kind\":\"function\",\"score\":0.9,"
             "\"provenance\":\"p\",\"distance\":0},"
             "{\"qualified_name\":\"b\",\"kind\":\"type\",\"score\":0.5,"
             "\"provenance\":\"p\",\"distance\":1}],\"edges\":["
             "{\"source\":\"a\",\"target\":\"b\",\"edge_type\":\"uses\"}]}");
    static const tool_case graph = {.words = {"graph.json", "--to", "gcf-graph"}};
    static const tool_case state = {
        .words = {"graph.json", "--to", "gcf-graph", "--session", "s.state"},
        .state = "s.state"};
    put_made("graph.gcf", &graph);
    put_made("old.state", &state);
}

/* More problems than fit into what `check` takes at first. */
static void put_bad(void)
{
    bytes bad = {0};
    bytes_put(&bad, "[\n");
    for (int i = 0; i < 20; i++)
        bytes_put(&bad, "{\"a\" 1},\n");
    bytes_put(&bad, "1]\n");
    tool_put("bad.json", bad.ptr, bad.len);
    bytes_free(&bad);
}

int cases_begin(void **state)
{
    (void)state;
    tool_begin();
    bytes tiny = small_vocab_json();
    tool_put("tiny.json", tiny.ptr, tiny.len);
    bytes_free(&tiny);
    static const char rows[] = "[{\"id\":1,\"name\":\"a\\nb\"},{\"id\":2,\"name\":null},"
                               "{\"id\":3,\"name\":\"\xc3\xa9, x\"}]";
    put_text("rows.json", rows);
    put_text("new.json",
             "[{\"id\":1,\"name\":\"a\\nb\"},{\"id\":2,\"name\":\"b\"},"
             "{\"id\":3,\"name\":\"\xc3\xa9, x\"},{\"id\":4,\"name\":\"n\"}]");
    put_text("rows.ndjson", "{\"id\":1,\"name\":\"a\\nb\"}\n{\"id\":2,\"name\":null}\n"
                            "{\"id\":3,\"name\":\"x, y\"}\n");
    put_text("rows", "{\"id\":1}\n{\"id\":2}\n");
    put_text("none.json", "[]");
    put_text("t.csv", "id,name\n1,first\n2,\"second, \xe2\x82\xac\"\n");
    put_text("query.sql", "SELECT id, name FROM u ORDER BY id");
    put_frame("rows.zst", rows);
    put_bad();
    put_graph();
    static const tool_case step = {
        .words = {"delta", "rows.json", "new.json", "--key", "id"}};
    put_made("step.gcf", &step);
    static const tool_case full = {
        .words = {"delta", "none.json", "rows.json", "--key", "id"}};
    put_made("full.gcf", &full);
    static const tool_case shop = {
        .words = {"query", "--write", "--db", "sqlite:shop.db",
                  "CREATE TABLE t AS SELECT 1 AS id, 'a' AS name "
                  "UNION ALL SELECT 2, 'b, c'"},
        .output = "shop.db"};
    put_made("shop.db", &shop);
    return 0;
}

int cases_end(void **state)
{
    (void)state;
    tool_end();
    return 0;
}

void every_command_has_a_case(void **state)
{
    (void)state;
    for (size_t i = 0; command_at(i) != NULL; i++) {
        bool found = false;
        for (size_t k = 0; k < ROWS(cases); k++)
            found = found || strcmp(cases[k].words[0], command_at(i)->name) == 0;
        if (!found)
            fprintf(stderr, "no case for 'pith %s'\n", command_at(i)->name);
        assert_true(found);
    }
}
