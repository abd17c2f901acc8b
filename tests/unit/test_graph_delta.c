/*
 * test_graph_delta.c - from one graph to the next and back: what changes is said, sent,
 * understood and done, or refused.
 *
 * The histories are random and the same in every run. At each turn the producer changes
 * its graph and answers; the consumer, who has nothing but the answers, must hold the same
 * snapshot. Every answer is then damaged byte by byte: the consumer must refuse it and
 * hold what it held.
 */
#include "random.h"
#include "graphs.h"
#include "testing.h"

#include "base/sha256.h"
#include "base/text.h"
#include "format/gcf/gcf_graph.h"

enum { TURNS = 200, NAMES = 40 };

/* ---------------------------------------------------------------------- helpers */

static code_graph *graph_from(const char *json)
{
    pith_error err;
    code_graph *graph = made_graph_new(NULL);
    if (made_graph_read(graph, "json", json, strlen(json), NULL, &err) != PITH_OK) {
        fprintf(stderr, "%s: %s\n", err.code, err.message);
        fail();
    }
    return graph;
}

static bool has_root_of(const code_graph *a, const code_graph *b)
{
    char roots[2][GRAPH_ROOT_LEN];
    assert_true(graph_root(a, roots[0]));
    assert_true(graph_root(b, roots[1]));
    return memcmp(roots[0], roots[1], GRAPH_ROOT_LEN) == 0;
}

/* -------------------------------------------------------------------- one change */

#define SYMBOL(name, kind, score)                                                        \
    "{\"qualified_name\":\"" name "\",\"kind\":\"" kind "\",\"score\":" score            \
    ",\"provenance\":\"p\",\"distance\":0}"
#define EDGE(source, target)                                                             \
    "{\"source\":\"" source "\",\"target\":\"" target "\",\"edge_type\":\"calls\"}"

static void changed_symbol(void **state)
{
    (void)state;
    code_graph *base = graph_from("{\"symbols\":[" SYMBOL("a", "fn", "0.5") "," SYMBOL(
        "b", "fn", "0.5") "],\"edges\":[" EDGE("a", "b") "]}");
    code_graph *next = graph_from("{\"symbols\":[" SYMBOL("a", "fn", "0.50") "," SYMBOL(
        "b", "fn", "0.75") "],\"edges\":[" EDGE("a", "b") "]}");
    code_graph *found = made_graph_new(NULL);
    graph_delta delta;
    pith_error err;
    delta_init(&delta, alloc_from(NULL));
    assert_int_equal(graph_diff(&delta, base, next, &err), PITH_OK);
    /* 0.5 and 0.50 are the same; b is taken out and put in again, its edge stays. */
    assert_int_equal(delta.removed.count, 1);
    assert_int_equal(delta.added.count, 1);
    assert_int_equal(delta.edges_removed.count, 0);
    assert_int_equal(delta.edges_added.count, 0);
    assert_int_equal(graph_apply(found, base, &delta, &err), PITH_OK);
    assert_true(has_root_of(found, next));
    assert_int_equal(found->edges.count, 1);
    delta_free(&delta);
    made_graph_free(base);
    made_graph_free(next);
    made_graph_free(found);
}

/* A root is that of the records: here of one with a name that fills many blocks, and a
 * score of which nothing is left. */
static void root_of_records(void **state)
{
    (void)state;
    static char name[20000];
    static char json[sizeof name + 200];
    static char record[sizeof name + 100];
    unsigned char digest[SHA256_BYTES];
    char expected[GRAPH_ROOT_LEN + 1] = "sha256:";
    char found[GRAPH_ROOT_LEN];
    memset(name, 'n', sizeof name - 1);
    snprintf(json, sizeof json,
             "{\"symbols\":[{\"qualified_name\":\"%s\",\"kind\":\"function\","
             "\"score\":-0.004,\"provenance\":\"p\",\"distance\":3}]}",
             name);
    int len = snprintf(record, sizeof record, "S\tfn\t%s\t0\tp\t3\n", name);
    sha256 hash;
    sha256_init(&hash);
    sha256_add(&hash, record, (size_t)len);
    sha256_end(&hash, digest);
    for (size_t i = 0; i < SHA256_BYTES; i++)
        snprintf(expected + 7 + 2 * i, 3, "%02x", digest[i]);
    code_graph *graph = graph_from(json);
    assert_true(graph_settle(graph));
    assert_true(graph_root(graph, found));
    assert_memory_equal(found, expected, GRAPH_ROOT_LEN);
    made_graph_free(graph);
}

static void no_delta(void **state)
{
    (void)state;
    static const struct {
        const char *base;
        const char *next;
        const char *code;
    } all[] = {
        {"{\"symbols\":[" SYMBOL("a", "fn", "1") "," SYMBOL("a", "type", "1") "," SYMBOL(
             "b", "fn", "1") "]}",
         "{\"symbols\":[" SYMBOL("a", "fn", "1") "," SYMBOL("a", "type", "1") "," SYMBOL(
             "b", "fn", "1") "],\"edges\":[{\"source\":\"b\",\"target\":\"a\","
                             "\"target_kind\":\"type\",\"edge_type\":\"t\"}]}",
         "ambiguous_edge"},
        {"{\"symbols\":[" SYMBOL("a", "fn", "1") "]}",
         "{\"symbols\":[" SYMBOL("a", "fn", "1") "],\"edges\":[" EDGE("a", "a") "," EDGE(
             "a", "a") "]}",
         "duplicate_edge"},
        {"{\"symbols\":[" SYMBOL("a", "fn", "1") "],\"edges\":[" EDGE("a", "a") "," EDGE(
             "a", "a") "]}",
         "{\"symbols\":[" SYMBOL("a", "fn", "1") "]}", "duplicate_edge"},
        /* lines that would be read as a heading, a summary, a comment */
        {"{\"symbols\":[" SYMBOL("##", "fn", "1") "]}",
         "{\"symbols\":[" SYMBOL("##", "fn", "1") "],\"edges\":[" EDGE("##", "##") "]}",
         "ambiguous_edge"},
        {"{\"symbols\":[" SYMBOL("##!", "fn", "1") "]}",
         "{\"symbols\":[" SYMBOL("##!", "fn", "1") "],\"edges\":[" EDGE("##!",
                                                                        "##!") "]}",
         "ambiguous_edge"},
        {"{\"symbols\":[" SYMBOL("#", "fn", "1") "],\"edges\":[" EDGE("#", "#") "]}",
         "{\"symbols\":[" SYMBOL("#", "fn", "1") "]}", "ambiguous_edge"},
    };
    for (size_t i = 0; i < ROWS(all); i++) {
        code_graph *base = graph_from(all[i].base);
        code_graph *next = graph_from(all[i].next);
        graph_delta delta;
        pith_error err = {0};
        delta_init(&delta, alloc_from(NULL));
        assert_int_equal(graph_diff(&delta, base, next, &err), PITH_UNREPRESENTABLE);
        assert_string_equal(err.code, all[i].code);
        delta_free(&delta);
        made_graph_free(base);
        made_graph_free(next);
    }
}

/* --------------------------------------------------------------- contradictions */

static void contradictions(void **state)
{
    (void)state;
    static const struct {
        const char *body;
        const char *code;
        const char *says; /* part of the message */
    } all[] = {
        {"## removed\nfn gone\n", "delta_invalid",
         "fn gone is removed and does not exist"},
        {"## removed\nfn c\nfn c\n", "delta_invalid", "fn c is removed twice"},
        {"## added\n@0 fn a 1.00 p 0\n", "delta_invalid",
         "fn a is added and already exists"},
        {"## added\n@0 fn x 1.00 p 0\n@1 fn x 1.00 p 0\n", "delta_invalid",
         "fn x is added twice"},
        {"## removed\nfn a\n", "delta_invalid", "one of its ends is removed"},
        {"## edges_removed\na -> c calls\n", "delta_invalid",
         "a -> c calls is removed and does not exist"},
        {"## edges_removed\na -> b uses\n", "delta_invalid", "does not exist"},
        {"## edges_removed\na -> b calls\na -> b calls\n", "delta_invalid",
         "is removed twice"},
        {"## edges_removed\na -> gone calls\n", "delta_invalid",
         "names a symbol that does not exist"},
        {"## edges_added\na -> b calls\n", "delta_invalid",
         "is added and already exists"},
        {"## edges_added\na -> c calls\na -> c calls\n", "delta_invalid",
         "is added twice"},
        {"## edges_added\na -> gone calls\n", "delta_invalid", "does not exist"},
        {"## edges_added\na -> d calls\n", "delta_invalid", "several kinds are called"},
        {"## removed\nfn c\n", "root_mismatch", ""},
        {"", "root_mismatch", ""},
        {"## removed\nfn\n", "malformed_delta", ""},
        {"## removed\nfn a b\n", "malformed_delta", ""},
        {"## added\n@0 fn x 1.00 p\n", "malformed_delta", ""},
        {"## added\n@0 fn x 1.00 p 0 0\n", "malformed_delta", ""},
        {"## added\n@0 fn x 1.00 p z\n", "malformed_delta", ""},
        {"## added\n@1 fn x 1.00 p 0\n", "invalid_symbol_id", ""},
        {"## added\n@0 fn x 1 p 0\n", "invalid_score", ""},
        {"## edges_added\na <- c calls\n", "malformed_delta", ""},
        {"## edges_added\na -> c\n", "malformed_delta", ""},
        {"## targets\n", "malformed_delta", ""},
        {"fn a\n", "malformed_delta", ""},
        {"## removed [2]\nfn c\n", "count_mismatch", ""},
        {"##! summary symbols=1\n", "invalid_line", ""},
    };
    static const char json[] =
        "{\"symbols\":[" SYMBOL("a", "fn", "1") "," SYMBOL("b", "fn", "1") "," SYMBOL(
            "c", "fn",
            "1") "," SYMBOL("d", "fn",
                            "1") "," SYMBOL("d", "type",
                                            "1") "],\"edges\":[" EDGE("a", "b") "]}";
    code_graph *base = graph_from(json);
    char root[GRAPH_ROOT_LEN];
    assert_true(graph_root(base, root));
    size_t failures = 0;
    for (size_t i = 0; i < ROWS(all); i++) {
        char text[1024];
        pith_error err = {0};
        code_graph *next = made_graph_new(NULL);
        int len =
            snprintf(text, sizeof text,
                     "GCF profile=graph delta=true base_root=%.*s new_root=sha256:0\n%s",
                     (int)GRAPH_ROOT_LEN, root, all[i].body);
        pith_status status = made_graph_apply(next, base, text, (size_t)len, &err);
        bool right = status == PITH_BAD_INPUT && strcmp(err.code, all[i].code) == 0 &&
                     strstr(err.message, all[i].says) && next->symbols.count == 0;
        if (!right)
            fprintf(stderr, "%s: %s: %s\n", all[i].body, err.code, err.message);
        failures += !right;
        made_graph_free(next);
    }
    assert_int_equal(failures, 0);
    made_graph_free(base);
}

static void heads(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        const char *code;
    } all[] = {
        {"GCF profile=graph\n", "malformed_delta"},
        {"GCF profile=graph delta=true\n", "malformed_delta"},
        {"GCF profile=graph delta=true base_root=a\n", "malformed_delta"},
        {"GCF profile=graph delta=true base_root=a new_root=b\n", "base_mismatch"},
        {"GCF profile=generic delta=true base_root=a new_root=b\n", "malformed_delta"},
        {"", "missing_header"},
    };
    code_graph *base = graph_from("{\"symbols\":[]}");
    for (size_t i = 0; i < ROWS(all); i++) {
        pith_error err = {0};
        code_graph *next = made_graph_new(NULL);
        made_graph_apply(next, base, all[i].text, strlen(all[i].text), &err);
        assert_string_equal(err.code, all[i].code);
        made_graph_free(next);
    }
    made_graph_free(base);
}

static void unchanged(void **state)
{
    (void)state;
    code_graph *graph = graph_from("{\"symbols\":[" SYMBOL("a", "fn", "0.5") "]}");
    pith_buffer out = {0};
    pith_root root;
    char expected[256];
    assert_int_equal(made_graph_root(graph, &root, NULL), PITH_OK);
    snprintf(expected, sizeof expected,
             "GCF profile=graph unchanged=true pack_root=%s symbols=1\n", root.text);
    assert_int_equal(made_graph_delta(graph, graph, NULL, pith_sink_buffer(&out), NULL),
                     PITH_OK);
    assert_true(same_bytes("unchanged", out.data, out.len, expected, strlen(expected)));
    assert_int_equal(made_graph_apply(graph, graph, out.data, out.len, NULL), PITH_OK);
    pith_buffer_free(&out);
    made_graph_free(graph);
}

/* -------------------------------------------------------------------- histories */

/* What the producer has: for each name and kind a score, or none; for each pair of names
 * whether an edge is there. */
typedef struct world {
    uint64_t random;
    int scores[NAMES]; /* in hundredths; -1: no such symbol */
    int twins[NAMES];  /* the same name as a type */
    unsigned char edges[NAMES][NAMES];
} world;

static void world_step(world *now)
{
    size_t changes = 1 + random_below(&now->random, 6);
    for (size_t i = 0; i < changes; i++) {
        size_t a = random_below(&now->random, NAMES);
        size_t b = random_below(&now->random, NAMES);
        switch (random_below(&now->random, 8)) {
        case 0:
            now->scores[a] = -1;
            break;
        case 1:
        case 2:
            now->scores[a] = (int)random_below(&now->random, 101);
            break;
        case 3:
            now->twins[a] = random_below(&now->random, 6) ? -1 : 50;
            break;
        default:
            now->edges[a][b] ^= 1;
        }
    }
}

static void world_add(code_graph *graph, const char *kind, size_t name, int score)
{
    char text[32];
    made_symbol symbol;
    memset(&symbol, 0, sizeof symbol);
    snprintf(text, sizeof text, "pkg.n%zu", name);
    symbol.kind = text_from(kind);
    symbol.name = text_from(text);
    symbol.provenance = text_from(name % 3 ? "lsp" : "ast");
    symbol.score = (double)score / 100;
    symbol.distance = name % 4;
    assert_true(made_graph_add_symbol(graph, &symbol) != MADE_NONE);
}

static code_graph *world_graph(const world *now)
{
    size_t numbers[NAMES];
    code_graph *graph = made_graph_new(NULL);
    for (size_t i = 0; i < NAMES; i++) {
        numbers[i] = graph->symbols.count;
        if (now->scores[i] >= 0)
            world_add(graph, "fn", i, now->scores[i]);
        if (now->twins[i] >= 0)
            world_add(graph, "type", i, now->twins[i]);
    }
    for (size_t a = 0; a < NAMES; a++) {
        for (size_t b = 0; b < NAMES; b++) {
            if (now->edges[a][b] && now->scores[a] >= 0 && now->scores[b] >= 0) {
                made_graph_add_edge(graph, numbers[a], numbers[b],
                                    b % 2 ? "calls" : "uses", NULL);
            }
        }
    }
    assert_int_equal(made_graph_finish(graph, NULL), PITH_OK);
    assert_true(graph_settle(graph));
    return graph;
}

/* Damages one byte of a delta with another printable one: it must be refused. With a
 * blank, it may mean the same; but then it must mean the same. */
static void damage(const pith_buffer *wire, code_graph *base, const code_graph *next,
                   uint64_t *random)
{
    char *copy = (char *)malloc(wire->len);
    assert_non_null(copy);
    for (int attempt = 0; attempt < 12; attempt++) {
        memcpy(copy, wire->data, wire->len);
        size_t at = random_below(random, wire->len);
        char byte = (char)('!' + random_below(random, 94));
        bool blank = attempt == 0;
        byte = blank ? " \t\r\n"[random_below(random, 4)] : byte;
        if (byte == copy[at])
            continue;
        copy[at] = byte;
        pith_error err = {0};
        code_graph *found = made_graph_new(NULL);
        pith_status status = made_graph_apply(found, base, copy, wire->len, &err);
        if (status == PITH_OK && (!blank || !has_root_of(found, next))) {
            show_bytes("accepted", copy, wire->len);
            fail();
        }
        assert_true(status == PITH_OK || found->symbols.count == 0);
        made_graph_free(found);
    }
    free(copy);
}

static void histories(void **state)
{
    (void)state;
    size_t deltas = 0;
    size_t fulls = 0;
    for (uint64_t seed = 1; seed <= 3; seed++) {
        world now;
        memset(&now, 0, sizeof now);
        now.random = seed;
        memset(now.scores, 0xFF, sizeof now.scores);
        memset(now.twins, 0xFF, sizeof now.twins);
        code_graph *told = world_graph(&now); /* what the producer told last */
        code_graph *held = world_graph(&now); /* what the consumer has */
        for (int turn = 0; turn < TURNS; turn++) {
            world_step(&now);
            code_graph *next = world_graph(&now);
            code_graph *found = made_graph_new(NULL);
            pith_buffer wire = {0};
            pith_error err;
            if (made_graph_delta(told, next, NULL, pith_sink_buffer(&wire), &err) ==
                PITH_OK) {
                if (turn % SLOWNESS == 0 && !has_root_of(told, next))
                    damage(&wire, held, next, &now.random);
                assert_true(has_root_of(held, told));
                assert_int_equal(made_graph_apply(found, held, wire.data, wire.len, &err),
                                 PITH_OK);
                deltas++;
            } else {
                assert_string_equal(err.code, "no_delta");
                pith_buffer full = {0};
                made_graph_write(next, "gcf-graph", NULL, pith_sink_buffer(&full), NULL);
                assert_int_equal(
                    made_graph_read(found, NULL, full.data, full.len, NULL, &err),
                    PITH_OK);
                pith_buffer_free(&full);
                fulls++;
            }
            pith_buffer_free(&wire);
            assert_true(has_root_of(found, next));
            made_graph_free(told);
            made_graph_free(held);
            told = next;
            held = found;
        }
        made_graph_free(told);
        made_graph_free(held);
    }
    /* Both kinds of answers were met. */
    assert_true(deltas > 100 && fulls > 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(changed_symbol),  cmocka_unit_test(no_delta),
        cmocka_unit_test(contradictions),  cmocka_unit_test(heads),
        cmocka_unit_test(unchanged),       cmocka_unit_test(histories),
        cmocka_unit_test(root_of_records),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
