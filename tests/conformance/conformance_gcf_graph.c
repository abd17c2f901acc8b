/*
 * conformance_gcf_graph.c - the fixtures of the GCF specification, graph profile: graphs,
 * streams, sessions, roots and deltas.
 *
 * They are found as conformance_gcf.c finds them, and each file is one case whose
 * `operation` says what to do. Cases of the generic profile are left to that program.
 *
 * What is written must be the same bytes. What is read is compared as a graph: the
 * expected object is read as one too, so that both are written the same way. Every text of
 * a whole graph is also read back and written again.
 */
#include "fixtures.h"
#include "graphs.h"
#include "suite.h"

#include "base/text.h"
#include "format/gcf/gcf_graph.h"

typedef struct operation {
    const char *name;
    bool (*run)(pith_value test);
    size_t least; /* so many cases there are, at least */
    size_t ran;
    size_t passed;
} operation;

/* ---------------------------------------------------------------------- helpers */

static pith_text member(pith_value test, const char *name)
{
    return pith_value_text(pith_value_get(test, name, strlen(name)));
}

static bool starts_with(pith_text text, const char *start)
{
    size_t len = strlen(start);
    return text.len >= len && memcmp(text.ptr, start, len) == 0;
}

static void say(const char *what, const pith_error *err)
{
    fprintf(stderr, "    %s: %s: %s\n", what, err->code, err->message);
}

/* The graph of an object; fixtures have members of their own beside it, which are left
 * out here and nowhere else. */
static code_graph *graph_of(pith_value value)
{
    code_graph *graph = made_graph_new(NULL);
    assert_non_null(graph);
    if (graph_from_doc(graph, value.doc, value.at, GRAPH_REFUSE_EXTRA) != PITH_OK) {
        say("not a graph", &graph->fault);
        fail();
    }
    return graph;
}

/* Both as the object they are in JSON, 0.60 and 0.6 being the same score. */
static bool same_graph(code_graph *found, code_graph *expected)
{
    pith_buffer texts[2] = {{0}, {0}};
    assert_true(graph_settle(found));
    assert_true(graph_settle(expected));
    assert_int_equal(
        made_graph_write(found, "json", NULL, pith_sink_buffer(&texts[0]), NULL),
        PITH_OK);
    assert_int_equal(
        made_graph_write(expected, "json", NULL, pith_sink_buffer(&texts[1]), NULL),
        PITH_OK);
    bool same =
        same_bytes("graph", texts[0].data, texts[0].len, texts[1].data, texts[1].len);
    pith_buffer_free(&texts[0]);
    pith_buffer_free(&texts[1]);
    return same;
}

/* ----------------------------------------------------------------- whole graphs */

static bool run_encode(pith_value test)
{
    pith_buffer out = {0};
    pith_buffer again = {0};
    pith_error err;
    pith_text expected = member(test, "expected");
    pith_status status = pith_value_write(pith_value_get(test, "input", 5), "gcf-graph",
                                          NULL, pith_sink_buffer(&out), &err);
    if (status != PITH_OK) {
        say("not written", &err);
        pith_buffer_free(&out);
        return false;
    }
    bool right = same_bytes("written", out.data, out.len, expected.ptr, expected.len);
    pith_doc *doc = must_parse("gcf", expected.ptr, expected.len, NULL);
    again = must_write(pith_doc_root(doc), "gcf-graph", NULL);
    right =
        same_bytes("again", again.data, again.len, expected.ptr, expected.len) && right;
    pith_doc_free(doc);
    pith_buffer_free(&out);
    pith_buffer_free(&again);
    return right;
}

static bool run_decode(pith_value test)
{
    pith_error err;
    pith_text input = member(test, "input");
    code_graph *expected = graph_of(pith_value_get(test, "expected", 8));
    pith_doc *doc = pith_doc_parse("gcf", input.ptr, input.len, NULL, &err);
    bool right = doc != NULL;
    if (doc) {
        code_graph *found = graph_of(pith_doc_root(doc));
        right = same_graph(found, expected);
        made_graph_free(found);
    } else {
        say("not read", &err);
    }
    pith_doc_free(doc);
    made_graph_free(expected);
    return right;
}

static bool run_error(pith_value test)
{
    pith_error err;
    pith_text input = member(test, "input");
    pith_text expected = member(test, "expectedError");
    pith_doc *doc = pith_doc_parse(NULL, input.ptr, input.len, NULL, &err);
    if (doc) {
        pith_doc_free(doc);
        show_bytes("read though wrong", input.ptr, input.len);
        return false;
    }
    bool right = text_is(expected, err.code) && err.line > 0 && err.column > 0;
    if (!right)
        say("refused otherwise", &err);
    return right;
}

/* --------------------------------------------------------------------- sessions */

/* What the writer says, the reader must understand: to the same graph, but for the order
 * in which it was given. */
static bool run_call(pith_session *writer, pith_session *reader, pith_value call)
{
    pith_buffer out = {0};
    pith_buffer texts[2] = {{0}, {0}};
    pith_error err;
    pith_text expected = member(call, "expected");
    code_graph *graph = graph_of(pith_value_get(call, "input", 5));
    code_graph *found = made_graph_new(NULL);
    bool right = made_graph_tell(writer, graph, 0, NULL, pith_sink_buffer(&out), &err) ==
                     PITH_OK &&
                 same_bytes("written", out.data, out.len, expected.ptr, expected.len);
    if (right && made_graph_hear(reader, found, out.data, out.len, 0, &err) != PITH_OK) {
        say("not understood", &err);
        right = false;
    }
    if (right) {
        made_graph_write(graph, "gcf-graph", NULL, pith_sink_buffer(&texts[0]), NULL);
        made_graph_write(found, "gcf-graph", NULL, pith_sink_buffer(&texts[1]), NULL);
        right = same_bytes("understood", texts[1].data, texts[1].len, texts[0].data,
                           texts[0].len);
    }
    made_graph_free(graph);
    made_graph_free(found);
    pith_buffer_free(&out);
    pith_buffer_free(&texts[0]);
    pith_buffer_free(&texts[1]);
    return right;
}

static bool run_session(pith_value test)
{
    pith_session *writer = pith_session_new(NULL, NULL);
    pith_session *reader = pith_session_new(NULL, NULL);
    pith_value calls = pith_value_get(test, "calls", 5);
    bool right = pith_value_count(calls) > 0;
    for (pith_value call = pith_value_first(calls); call.doc;
         call = pith_value_next(call))
        right = run_call(writer, reader, call) && right;
    pith_session_free(writer);
    pith_session_free(reader);
    return right;
}

/* ---------------------------------------------------------------------- streams */

static bool run_stream(pith_value test)
{
    pith_buffer out = {0};
    pith_text expected = member(test, "expected");
    pith_value labels =
        pith_value_get(pith_value_get(test, "options", 7), "labeledTrailerCounts", 20);
    pith_options options =
        with_settings(NULL, pith_value_kind(labels) == PITH_TRUE ? "labels=true" : NULL);
    code_graph *graph = graph_of(pith_value_get(test, "input", 5));
    assert_int_equal(made_graph_stream(graph, &options, pith_sink_buffer(&out), NULL),
                     PITH_OK);
    bool right = same_bytes("stream", out.data, out.len, expected.ptr, expected.len);
    pith_doc *doc = must_parse("gcf", out.data, out.len, NULL);
    code_graph *found = graph_of(pith_doc_root(doc));
    right = same_graph(found, graph) && right;
    made_graph_free(found);
    pith_doc_free(doc);
    made_graph_free(graph);
    pith_buffer_free(&out);
    return right;
}

/* ------------------------------------------------------------------------ roots */

static void collect(void *ctx, const char *bytes, size_t len)
{
    pith_sink sink = pith_sink_buffer((pith_buffer *)ctx);
    assert_int_equal(sink.write(sink.ctx, bytes, len), PITH_OK);
}

static bool run_root(pith_value test)
{
    char root[GRAPH_ROOT_LEN];
    pith_buffer bytes = {0};
    pith_text expected = member(test, "expected");
    pith_text hashed = member(test, "canonicalBytes");
    code_graph *graph = graph_of(pith_value_get(test, "input", 5));
    assert_true(graph_root(graph, root));
    assert_true(graph_root_bytes(graph, collect, &bytes));
    bool right = same_bytes("root", root, sizeof root, expected.ptr, expected.len);
    right = same_bytes("hashed", bytes.data, bytes.len, hashed.ptr, hashed.len) && right;
    made_graph_free(graph);
    pith_buffer_free(&bytes);
    return right;
}

/* ----------------------------------------------------------------------- deltas */

static graph_node node_of(pith_value value)
{
    graph_node node;
    pith_text score = member(value, "score");
    uint64_t distance = 0;
    pith_value_uint64(pith_value_get(value, "distance", 8), &distance);
    node.kind = member(value, "kind");
    node.name = member(value, "qualifiedName");
    node.score = score.len > 0 ? score : text_from("0");
    node.provenance = member(value, "provenance");
    node.distance = distance;
    return node;
}

static bool write_delta(pith_value input, pith_text expected)
{
    pith_buffer bytes = {0};
    pith_out out;
    graph_delta delta;
    delta_init(&delta, alloc_from(NULL));
    delta.tool = member(input, "tool");
    delta.base_root = member(input, "baseRoot");
    delta.new_root = member(input, "newRoot");
    pith_value_uint64(pith_value_get(input, "deltaTokens", 11), &delta.tokens);
    pith_value_uint64(pith_value_get(input, "fullTokens", 10), &delta.full_tokens);
    pith_value at = pith_value_first(pith_value_get(input, "removed", 7));
    for (; at.doc; at = pith_value_next(at)) {
        graph_node node = node_of(at);
        assert_true(delta_add_node(&delta, &delta.removed, &node));
    }
    at = pith_value_first(pith_value_get(input, "added", 5));
    for (; at.doc; at = pith_value_next(at)) {
        graph_node node = node_of(at);
        assert_true(delta_add_node(&delta, &delta.added, &node));
    }
    out_init(&out, pith_sink_buffer(&bytes), NULL);
    gcf_graph_write_delta(&out, &delta);
    assert_int_equal(out_finish(&out, NULL), PITH_OK);
    bool right = same_bytes("delta", bytes.data, bytes.len, expected.ptr, expected.len);
    delta_free(&delta);
    pith_buffer_free(&bytes);
    return right;
}

static bool same_root(const code_graph *a, const code_graph *b)
{
    char roots[2][GRAPH_ROOT_LEN];
    assert_true(graph_root(a, roots[0]));
    assert_true(graph_root(b, roots[1]));
    return same_bytes("root", roots[0], sizeof roots[0], roots[1], sizeof roots[1]);
}

static bool run_delta(pith_value test)
{
    pith_error err;
    pith_value input = pith_value_get(test, "input", 5);
    if (pith_value_kind(input) == PITH_OBJECT)
        return write_delta(input, member(test, "expected"));
    code_graph *base = graph_of(pith_value_get(test, "base_snapshot", 13));
    code_graph *expected = graph_of(pith_value_get(test, "expected_snapshot", 17));
    code_graph *next = made_graph_new(NULL);
    pith_status status = made_graph_apply(next, base, pith_value_text(input).ptr,
                                          pith_value_text(input).len, &err);
    if (status != PITH_OK)
        say("not applied", &err);
    bool right = status == PITH_OK && same_root(next, expected) &&
                 text_equal(next->pack_root, member(test, "new_root"));
    if (right) {
        /* And the way from the one to the other is what was read. */
        graph_delta delta;
        delta_init(&delta, alloc_from(NULL));
        right = graph_diff(&delta, base, expected, &err) == PITH_OK &&
                delta.removed.count == 1 && delta.added.count == 1 &&
                delta.edges_removed.count == 1 && delta.edges_added.count == 1;
        delta_free(&delta);
    }
    made_graph_free(base);
    made_graph_free(expected);
    made_graph_free(next);
    return right;
}

static bool run_delta_verify(pith_value test)
{
    pith_error err;
    code_graph *base = graph_of(pith_value_get(test, "base_snapshot", 13));
    code_graph *next = made_graph_new(NULL);
    pith_status status = made_graph_apply(next, base, member(test, "input").ptr,
                                          member(test, "input").len, &err);
    bool right = status == PITH_BAD_INPUT &&
                 text_is(member(test, "expectedError"), err.code) &&
                 next->symbols.count == 0;
    made_graph_free(base);
    made_graph_free(next);
    return right;
}

/* ---------------------------------------------------------------------- running */

static bool is_graph_case(pith_value test, const char *name)
{
    static const char *const shared[] = {"encode", "decode", "error"};
    for (size_t i = 0; i < ROWS(shared); i++) {
        if (strcmp(name, shared[i]) == 0) {
            return starts_with(member(test, "input"), "GCF profile=graph") ||
                   starts_with(member(test, "expected"), "GCF profile=graph");
        }
    }
    return true;
}

typedef struct run {
    operation *operations;
    size_t count;
} run;

static void run_case(void *ctx, const char *file, pith_value test)
{
    const run *all = ctx;
    for (size_t i = 0; i < all->count; i++) {
        operation *found = &all->operations[i];
        if (!text_is(member(test, "operation"), found->name) ||
            !is_graph_case(test, found->name))
            continue;
        bool right = found->run(test);
        found->ran++;
        found->passed += right;
        if (!right)
            fprintf(stderr, "    in %s\n", file);
    }
}

static void graph_profile(void **state)
{
    (void)state;
    operation operations[] = {
        {"encode", run_encode, 4, 0, 0},
        {"decode", run_decode, 4, 0, 0},
        {"error", run_error, 7, 0, 0},
        {"session", run_session, 3, 0, 0},
        {"graph-stream-encode", run_stream, 7, 0, 0},
        {"pack-root", run_root, 4, 0, 0},
        {"delta", run_delta, 2, 0, 0},
        {"delta-verify", run_delta_verify, 1, 0, 0},
    };
    char path[SUITE_PATH_MOST];
    run all = {operations, ROWS(operations)};
    if (!suite_find(path, "gcf-3.5"))
        fixtures_skip("gcf-3.5 graphs");
    suite_all(path, run_case, &all);
    size_t failures = 0;
    for (size_t i = 0; i < ROWS(operations); i++) {
        const operation *done = &operations[i];
        printf("gcf-3.5 graph %s: %zu ran, %zu passed\n", done->name, done->ran,
               done->passed);
        failures += done->ran - done->passed;
        failures += done->ran < done->least;
    }
    assert_int_equal(failures, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(graph_profile),
    };
    return fixtures_result(cmocka_run_group_tests(tests, NULL, NULL));
}
