/*
 * oom_graphs.c - graphs, streams of them, their deltas and sessions without memory; see
 * sweep.h. After a failure each handle is held to what pith.h says of it, and then the
 * call is tried again.
 */
#include "sweep.h"
#include "graphs.h"

enum { SYMBOLS = 30 };

static made_symbol make_symbol(size_t i, char name[32])
{
    snprintf(name, 32, "pkg.name%zu", i);
    return (made_symbol){.kind = {LIT("fn")},
                         .name = {name, strlen(name)},
                         .provenance = {LIT("lsp")},
                         .score = 0.5 + (double)(i % 7) / 20,
                         .distance = i % 3};
}

static const made_head some_info = {.tool = {LIT("trace")}, .budget = 500};

static void fill(code_graph *graph, size_t count, bool places)
{
    char name[32];
    made_graph_set_head(graph, &some_info);
    for (size_t i = 0; i < count; i++) {
        made_symbol symbol = make_symbol(i, name);
        if (places) {
            symbol.file = (pith_text){LIT("src/a.c")};
            symbol.line = i + 1;
            symbol.column = 1;
        }
        made_graph_add_symbol(graph, &symbol);
    }
    for (size_t i = 1; i < count; i++)
        made_graph_add_edge(graph, i, i / 2, "calls", NULL);
}

static code_graph *new_graph(pith_options *options)
{
    code_graph *graph = made_graph_new(options);
    if (!graph) {
        sweep_memory_is_back(options);
        graph = made_graph_new(options);
    }
    assert_non_null(graph);
    return graph;
}

static void add_graph(bytes *result, const code_graph *graph)
{
    bytes_print(result, "%zu %zu %llu ", graph->symbols.count, graph->edges.count,
                (unsigned long long)made_graph_head(graph).budget);
    for (size_t i = 0; i < graph->symbols.count; i++) {
        made_symbol symbol = made_graph_symbol(graph, i);
        bytes_add(result, symbol.name.ptr, symbol.name.len);
        bytes_print(result, " %.2f ", symbol.score);
    }
    for (size_t i = 0; i < graph->edges.count; i++) {
        made_edge edge = made_graph_edge(graph, i);
        bytes_print(result, "%zu>%zu ", edge.source, edge.target);
    }
    bytes_print(result, "%zu;", made_graph_find(graph, "function", "pkg.name3"));
}

static bool is_empty(const code_graph *graph)
{
    return graph->symbols.count == 0 && graph->edges.count == 0;
}

/* ------------------------------------------------------------------------ one graph */

static pith_status run_build(const void *job, pith_options *options, bytes *result)
{
    (void)job;
    pith_error err = {0};
    code_graph *graph = new_graph(options);
    fill(graph, SYMBOLS, true);
    if (sweep_again(options, made_graph_finish(graph, &err), &err)) {
        char name[32];
        made_symbol more = make_symbol(SYMBOLS, name);
        assert_true(made_graph_add_symbol(graph, &more) == MADE_NONE); /* it sticks */
        graph_reset(graph);
        fill(graph, SYMBOLS, true);
    }
    assert_int_equal(made_graph_finish(graph, &err), PITH_OK);
    add_graph(result, graph);
    pith_doc *doc = pith_doc_new(NULL);
    pith_status status = made_graph_to_doc(graph, doc, &err);
    if (sweep_again(options, status, &err))
        status = made_graph_to_doc(graph, doc, &err);
    assert_int_equal(status, PITH_OK);
    sweep_add_value(result, pith_doc_root(doc));
    pith_doc_free(doc);
    made_graph_free(graph);
    return PITH_OK;
}

static pith_status run_write(const void *job, pith_options *options, bytes *result)
{
    static const char *const formats[] = {"gcf-graph", "json"};
    code_graph *graph = new_graph(options);
    pith_error err = {0};
    pith_value value = pith_doc_root(job);
    pith_status status = made_graph_from_value(graph, value, true, &err);
    if (sweep_again(options, status, &err)) {
        assert_true(is_empty(graph));
        status = made_graph_from_value(graph, value, true, &err);
    }
    for (size_t i = 0; i < ROWS(formats) && status == PITH_OK; i++) {
        pith_buffer out = {.alloc = options->alloc};
        status =
            made_graph_write(graph, formats[i], options, pith_sink_buffer(&out), &err);
        if (sweep_again(options, status, &err)) {
            out.len = 0;
            status = made_graph_write(graph, formats[i], options, pith_sink_buffer(&out),
                                      &err);
        }
        sweep_add_output(result, &out);
    }
    made_graph_free(graph);
    return status;
}

static pith_status run_read(const void *job, pith_options *options, bytes *result)
{
    const pith_buffer *text = job;
    code_graph *graph = new_graph(options);
    pith_error err = {0};
    pith_status status =
        made_graph_read(graph, NULL, text->data, text->len, options, &err);
    if (sweep_again(options, status, &err)) {
        assert_true(is_empty(graph));
        status = made_graph_read(graph, NULL, text->data, text->len, options, &err);
    }
    add_graph(result, graph);
    made_graph_free(graph);
    return status;
}

/* --------------------------------------------------------------------------- deltas */

static code_graph *made_graph(size_t count)
{
    code_graph *graph = made_graph_new(NULL);
    fill(graph, count, false);
    assert_int_equal(made_graph_finish(graph, NULL), PITH_OK);
    return graph;
}

/* One symbol with texts each of which is longer than all before it, so that none fits
 * into what memory is left over. */
static code_graph *long_graph(void)
{
    bytes texts[4] = {{0}};
    for (size_t i = 0; i < ROWS(texts); i++)
        bytes_repeat(&texts[i], "x", (size_t)5000 << i);
    made_symbol symbol = {.kind = {texts[0].ptr, texts[0].len},
                          .provenance = {texts[1].ptr, texts[1].len},
                          .name = {texts[2].ptr, texts[2].len},
                          .file = {texts[3].ptr, texts[3].len},
                          .line = 1,
                          .column = 1};
    code_graph *graph = made_graph_new(NULL);
    assert_int_equal(made_graph_add_symbol(graph, &symbol), 0);
    for (size_t i = 0; i < ROWS(texts); i++)
        bytes_free(&texts[i]);
    return graph;
}

/* Scores of three hundred digits, when they are settled. */
static void fill_large(code_graph *graph, size_t count, bool places)
{
    fill(graph, 1, places);
    for (size_t i = 1; i < count; i++) {
        char name[32];
        made_symbol symbol = make_symbol(i, name);
        symbol.score *= 1e300;
        made_graph_add_symbol(graph, &symbol);
    }
}

typedef void (*graph_filler)(code_graph *graph, size_t count, bool places);

/* Its own allocator is what a graph works with, so both are filled under the meter. */
static code_graph *filled_graph(graph_filler filler, size_t count, pith_options *options)
{
    code_graph *graph = new_graph(options);
    filler(graph, count, true);
    if (made_graph_finish(graph, NULL) == PITH_NO_MEMORY) {
        sweep_memory_is_back(options);
        graph_reset(graph);
        filler(graph, count, true);
    }
    assert_int_equal(made_graph_finish(graph, NULL), PITH_OK);
    return graph;
}

static pith_root root_of(const code_graph *graph, pith_options *options)
{
    pith_root root;
    pith_error err = {0};
    pith_status status = made_graph_root(graph, &root, &err);
    if (sweep_again(options, status, &err))
        status = made_graph_root(graph, &root, &err);
    assert_int_equal(status, PITH_OK);
    return root;
}

static pith_status run_delta(const void *job, pith_options *options, bytes *result)
{
    graph_filler filler = *(const graph_filler *)job;
    pith_error err = {0};
    code_graph *base = filled_graph(filler, SYMBOLS, options);
    code_graph *next = filled_graph(filler, SYMBOLS + 2, options);
    pith_buffer delta = {.alloc = options->alloc};
    pith_status status =
        made_graph_delta(base, next, options, pith_sink_buffer(&delta), &err);
    if (sweep_again(options, status, &err)) {
        delta.len = 0;
        status = made_graph_delta(base, next, options, pith_sink_buffer(&delta), &err);
    }
    /* What a delta cannot say is told whole. */
    assert_true(status == PITH_OK || status == PITH_UNREPRESENTABLE);
    pith_root before = root_of(base, options);
    status = made_graph_apply(base, base, delta.data, delta.len, &err);
    if (sweep_again(options, status, &err)) {
        assert_string_equal(root_of(base, options).text, before.text);
        status = made_graph_apply(base, base, delta.data, delta.len, &err);
    }
    bytes_put(result, root_of(base, options).text);
    assert_string_equal(root_of(base, options).text, root_of(next, options).text);
    sweep_add_output(result, &delta);
    made_graph_free(base);
    made_graph_free(next);
    return status;
}

/* -------------------------------------------------------------------------- streams */

static pith_status run_stream(const void *job, pith_options *options, bytes *result)
{
    (void)job;
    pith_error err = {0};
    pith_buffer out = {.alloc = options->alloc};
    code_graph *graph = made_graph(SYMBOLS); /* with memory of its own */
    pith_sink sink = pith_sink_buffer(&out);
    pith_status status = made_graph_stream(graph, options, sink, &err);
    if (sweep_again(options, status, &err)) {
        out.len = 0;
        status = made_graph_stream(graph, options, sink, &err);
    }
    sweep_add_output(result, &out);
    made_graph_free(graph);
    return status;
}

/* ------------------------------------------------------------------------- sessions */

typedef struct session_job {
    const code_graph *graphs[2];
    const pith_session_limits *limits;
} session_job;

static pith_session *new_session(const pith_session_limits *limits, pith_options *options)
{
    pith_session *session = pith_session_new(limits, options);
    if (!session) {
        sweep_memory_is_back(options);
        session = pith_session_new(limits, options);
    }
    assert_non_null(session);
    return session;
}

static pith_buffer session_text(pith_session *session, const code_graph *graph,
                                pith_options *options, bytes *result)
{
    pith_error err = {0};
    size_t before = made_graph_known(session);
    pith_buffer out = {.alloc = options->alloc};
    pith_status status =
        made_graph_tell(session, graph, 100, options, pith_sink_buffer(&out), &err);
    if (sweep_again(options, status, &err)) {
        assert_int_equal(made_graph_known(session), before);
        out.len = 0;
        status =
            made_graph_tell(session, graph, 100, options, pith_sink_buffer(&out), &err);
    }
    assert_int_equal(status, PITH_OK);
    bytes_add(result, out.data, out.len);
    return out;
}

static void session_take(pith_session *session, pith_doc *doc, const pith_buffer *text,
                         pith_options *options, bytes *result)
{
    pith_error err = {0};
    size_t before = made_graph_known(session);
    pith_status status =
        pith_session_read(session, doc, text->data, text->len, 100, options, &err);
    if (sweep_again(options, status, &err)) {
        assert_int_equal(made_graph_known(session), before);
        assert_null(pith_doc_root(doc).doc);
        status =
            pith_session_read(session, doc, text->data, text->len, 100, options, &err);
    }
    assert_int_equal(status, PITH_OK);
    sweep_add_value(result, pith_doc_root(doc));
}

/* The graph, with the allocator of the options: that is what writing it takes. */
static code_graph *copied_graph(const code_graph *graph, pith_options *options)
{
    code_graph *copy = new_graph(options);
    do {
        graph_reset(copy);
        for (size_t i = 0; i < graph->symbols.count; i++) {
            made_symbol symbol = made_graph_symbol(graph, i);
            made_graph_add_symbol(copy, &symbol);
        }
    } while (sweep_again(options, made_graph_finish(copy, NULL), NULL));
    return copy;
}

/* Told once, told again, and told anew because nobody knows what arrived. */
static pith_status run_session(const void *job, pith_options *options, bytes *result)
{
    const session_job *given = job;
    pith_session *writer = new_session(given->limits, options);
    pith_session *reader = new_session(given->limits, options);
    pith_doc *found = pith_doc_new(NULL);
    for (size_t i = 0; i < 4; i++) {
        code_graph *graph = copied_graph(given->graphs[i % 2], options);
        pith_buffer text = session_text(writer, graph, options, result);
        made_graph_free(graph);
        session_take(reader, found, &text, options, result);
        pith_buffer_free(&text);
        if (i == 2)
            pith_session_lost(writer);
    }
    session_reset(reader);
    bytes_print(result, "%zu %zu", made_graph_known(writer), made_graph_known(reader));
    pith_doc_free(found);
    pith_session_free(reader);
    pith_session_free(writer);
    return PITH_OK;
}

static pith_status run_saved(const void *job, pith_options *options, bytes *result)
{
    const pith_buffer *saved = job;
    pith_error err = {0};
    pith_session *session = new_session(NULL, options);
    pith_status status = pith_session_restore(session, saved->data, saved->len, &err);
    if (sweep_again(options, status, &err)) {
        assert_int_equal(made_graph_known(session), 0);
        status = pith_session_restore(session, saved->data, saved->len, &err);
    }
    assert_int_equal(status, PITH_OK);
    pith_buffer out = {.alloc = options->alloc};
    status = pith_session_save(session, pith_sink_buffer(&out), &err);
    if (sweep_again(options, status, &err)) {
        out.len = 0;
        status = pith_session_save(session, pith_sink_buffer(&out), &err);
    }
    sweep_add_output(result, &out);
    pith_session_free(session);
    return status;
}

/* ---------------------------------------------------------------------------- tests */

static void graphs_are_built_and_read(void **state)
{
    (void)state;
    code_graph *graph = made_graph(SYMBOLS);
    pith_doc *doc = pith_doc_new(NULL);
    pith_buffer text = {0};
    pith_options places = {.write = "level=3.6"};
    code_graph *large = long_graph();
    assert_int_equal(made_graph_to_doc(large, doc, NULL), PITH_OK);
    assert_int_equal(sweep_run("write a long graph", run_write, doc, &places), 0);
    made_graph_free(large);
    assert_int_equal(made_graph_to_doc(graph, doc, NULL), PITH_OK);
    pith_buffer binary = must_write(pith_doc_root(doc), "soch-bin", NULL);
    pith_doc *late = must_parse("soch-bin", binary.data, binary.len, NULL);
    assert_int_equal(sweep_run("write a graph of doubles", run_write, late, NULL), 0);
    pith_doc_free(late);
    pith_buffer_free(&binary);
    assert_int_equal(
        made_graph_write(graph, "gcf-graph", NULL, pith_sink_buffer(&text), NULL),
        PITH_OK);
    assert_int_equal(sweep_run("build a graph", run_build, NULL, NULL), 0);
    assert_int_equal(sweep_run("write a graph", run_write, doc, NULL), 0);
    assert_int_equal(sweep_run("read a graph", run_read, &text, NULL), 0);
    pith_buffer_free(&text);
    pith_doc_free(doc);
    made_graph_free(graph);
}

static void graphs_have_deltas(void **state)
{
    (void)state;
    static const graph_filler fillers[] = {fill, fill_large};
    assert_int_equal(sweep_run("delta of graphs", run_delta, &fillers[0], NULL), 0);
    assert_int_equal(sweep_run("delta of large ones", run_delta, &fillers[1], NULL), 0);
}

static void graphs_are_streamed(void **state)
{
    (void)state;
    assert_int_equal(sweep_run("stream a graph", run_stream, NULL, NULL), 0);
}

/* Symbols of another graph, which were found in a way that takes long to say. */
static code_graph *found_otherwise(const code_graph *graph)
{
    bytes way = {0};
    bytes_repeat(&way, "way", 3000);
    code_graph *other = made_graph_new(NULL);
    for (size_t i = 0; i < 2; i++) {
        made_symbol symbol = made_graph_symbol(graph, i);
        symbol.provenance = (pith_text){way.ptr, way.len};
        assert_int_equal(made_graph_add_symbol(other, &symbol), i);
    }
    bytes_free(&way);
    return other;
}

static void sessions_go_on(void **state)
{
    (void)state;
    static const pith_session_limits few = {.ids_max = 25};
    code_graph *first = made_graph(20), *second = made_graph(SYMBOLS);
    code_graph *third = found_otherwise(first);
    const session_job jobs[] = {
        {{first, second}, NULL}, {{first, second}, &few}, {{first, third}, NULL}};
    pith_session *session = pith_session_new(NULL, NULL);
    pith_buffer ignored = {0}, saved = {0};
    assert_int_equal(
        made_graph_tell(session, first, 1, NULL, pith_sink_buffer(&ignored), NULL),
        PITH_OK);
    assert_int_equal(pith_session_save(session, pith_sink_buffer(&saved), NULL), PITH_OK);
    for (size_t i = 0; i < ROWS(jobs); i++)
        assert_int_equal(sweep_run("session", run_session, &jobs[i], NULL), 0);
    assert_int_equal(sweep_run("saved session", run_saved, &saved, NULL), 0);
    pith_session_free(session);
    pith_buffer_free(&ignored);
    pith_buffer_free(&saved);
    made_graph_free(first);
    made_graph_free(second);
    made_graph_free(third);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(graphs_are_built_and_read),
        cmocka_unit_test(graphs_have_deltas),
        cmocka_unit_test(graphs_are_streamed),
        cmocka_unit_test(sessions_go_on),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
