/*
 * graphs.c - how long a large code graph takes.
 *
 * What should be seen is that everything grows as the graph does: ten times the symbols and
 * edges, ten times the time, and a little more where there is sorting. Names are long and
 * begin alike, as names in a code base do.
 */
#include "graphs.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "measure.h"
#include "pith.h"
#include "seeded.h"

enum { EDGES_EACH = 3, CHANGED_ONE_IN = 100 };

typedef struct timings {
    double build;
    double encode;
    double decode;
    double root;
    double diff;
    double apply;
    size_t bytes;
    size_t delta_bytes;
} timings;

static bool failed(const char *what, const pith_error *err)
{
    fprintf(stderr, "pith-bench: %s: %s [%s]\n", what, err->message, err->code);
    return false;
}

static pith_text text_of(const char *string)
{
    pith_text text = {string, strlen(string)};
    return text;
}

/* In the `changed` graph some symbols have another score and some edges another end. */
static pith_graph *make_graph(size_t symbols, bool changed, pith_error *err)
{
    static const char *const kinds[] = {"function", "method", "type", "interface"};
    seeded random = {1};
    seeded changes = {2};
    pith_graph *graph = pith_graph_new(NULL);
    if (graph == NULL) {
        err->message[0] = '\0';
        return NULL;
    }
    for (size_t i = 0; i < symbols; i++) {
        char name[96];
        pith_symbol symbol;
        bool other = changed && seeded_between(&changes, 1, CHANGED_ONE_IN) == 1;
        uint64_t score = seeded_between(&random, 0, 100);
        memset(&symbol, 0, sizeof symbol);
        snprintf(name, sizeof name, "github.com/org/repo/pkg%zu.Symbol%zu", i % 997, i);
        symbol.kind = text_of(kinds[seeded_between(&random, 0, 3)]);
        symbol.name = text_of(name);
        symbol.provenance = text_of(i % 3 != 0 ? "lsp_resolved" : "ast_inferred");
        symbol.score = (double)(other ? (score + 1) % 101 : score) / 100;
        symbol.distance = seeded_between(&random, 0, 4);
        pith_graph_add_symbol(graph, &symbol);
    }
    for (size_t i = 0; i < symbols * EDGES_EACH; i++) {
        bool other = changed && seeded_between(&changes, 1, CHANGED_ONE_IN) == 1;
        size_t target = (size_t)seeded_between(&random, 0, symbols - 1);
        pith_graph_add_edge(graph, i / EDGES_EACH,
                            other ? (target + 1) % symbols : target,
                            i % EDGES_EACH == 0   ? "calls"
                            : i % EDGES_EACH == 1 ? "references"
                                                  : "imports",
                            NULL);
    }
    if (pith_graph_finish(graph, err) != PITH_OK) {
        pith_graph_free(graph);
        return NULL;
    }
    return graph;
}

static bool time_text(pith_graph *graph, pith_graph *again, timings *took,
                      pith_error *err)
{
    pith_buffer out = {0};
    double start = measure_now();
    bool fine = pith_graph_write(graph, "gcf-graph", NULL, pith_sink_buffer(&out), err) ==
                PITH_OK;
    took->encode = measure_now() - start;
    took->bytes = out.len;
    start = measure_now();
    fine = fine &&
           pith_graph_read(again, "gcf-graph", out.data, out.len, NULL, err) == PITH_OK;
    took->decode = measure_now() - start;
    pith_buffer_free(&out);
    return fine;
}

static bool time_change(pith_graph *graph, pith_graph *next, timings *took,
                        pith_error *err)
{
    pith_buffer out = {0};
    pith_root root;
    double start = measure_now();
    bool fine = pith_graph_root(graph, &root, err) == PITH_OK;
    took->root = measure_now() - start;
    start = measure_now();
    fine = fine &&
           pith_graph_delta(graph, next, NULL, pith_sink_buffer(&out), err) == PITH_OK;
    took->diff = measure_now() - start;
    took->delta_bytes = out.len;
    start = measure_now();
    fine = fine && pith_graph_apply(graph, out.data, out.len, err) == PITH_OK;
    took->apply = measure_now() - start;
    pith_buffer_free(&out);
    return fine;
}

bool graphs_measure(size_t symbols)
{
    timings took = {0};
    pith_error err = {0};
    double start = measure_now();
    pith_graph *graph = make_graph(symbols, false, &err);
    took.build = measure_now() - start;
    pith_graph *next = make_graph(symbols, true, &err);
    pith_graph *again = pith_graph_new(NULL);
    bool fine = graph != NULL && next != NULL && again != NULL &&
                time_text(graph, again, &took, &err) &&
                time_change(graph, next, &took, &err);
    pith_graph_free(graph);
    pith_graph_free(next);
    pith_graph_free(again);
    if (!fine)
        return failed("the graph could not be measured", &err);
    printf("{\"symbols\":%zu,\"edges\":%zu,\"build_s\":%.3f,\"encode_s\":%.3f,"
           "\"decode_s\":%.3f,\"root_s\":%.3f,\"diff_s\":%.3f,\"apply_s\":%.3f,"
           "\"bytes\":%zu,\"delta_bytes\":%zu}\n",
           symbols, symbols * EDGES_EACH, took.build, took.encode, took.decode, took.root,
           took.diff, took.apply, took.bytes, took.delta_bytes);
    return fflush(stdout) == 0;
}
