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

enum { EDGES_EACH = 3, CHANGED_ONE_IN = 100, NAME_ROOM = 96 };

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

static void add_text(pith_doc *doc, const char *key, const char *text)
{
    pith_doc_add_key(doc, key, strlen(key));
    pith_doc_add_text(doc, text, strlen(text));
}

static const char *name_of(char name[NAME_ROOM], size_t symbol)
{
    snprintf(name, NAME_ROOM, "github.com/org/repo/pkg%zu.Symbol%zu", symbol % 997,
             symbol);
    return name;
}

static void add_symbols(pith_doc *doc, size_t symbols, seeded *random, seeded *changes)
{
    static const char *const kinds[] = {"function", "method", "type", "interface"};
    for (size_t i = 0; i < symbols; i++) {
        char name[NAME_ROOM];
        bool other = changes != NULL && seeded_between(changes, 1, CHANGED_ONE_IN) == 1;
        uint64_t score = seeded_between(random, 0, 100);
        pith_doc_open_object(doc);
        add_text(doc, "qualified_name", name_of(name, i));
        add_text(doc, "kind", kinds[seeded_between(random, 0, 3)]);
        pith_doc_add_key(doc, "score", 5);
        pith_doc_add_double(doc, (double)(other ? (score + 1) % 101 : score) / 100);
        add_text(doc, "provenance", i % 3 != 0 ? "lsp_resolved" : "ast_inferred");
        pith_doc_add_key(doc, "distance", 8);
        pith_doc_add_uint64(doc, seeded_between(random, 0, 4));
        pith_doc_close(doc);
    }
}

static void add_edges(pith_doc *doc, size_t symbols, seeded *random, seeded *changes)
{
    static const char *const types[EDGES_EACH] = {"calls", "references", "imports"};
    for (size_t i = 0; i < symbols * EDGES_EACH; i++) {
        char name[NAME_ROOM];
        bool other = changes != NULL && seeded_between(changes, 1, CHANGED_ONE_IN) == 1;
        size_t target = (size_t)seeded_between(random, 0, symbols - 1);
        pith_doc_open_object(doc);
        add_text(doc, "source", name_of(name, i / EDGES_EACH));
        add_text(doc, "target", name_of(name, other ? (target + 1) % symbols : target));
        add_text(doc, "edge_type", types[i % EDGES_EACH]);
        pith_doc_close(doc);
    }
}

/* In the `changed` graph some symbols have another score and some edges another end. */
static pith_doc *make_graph(size_t symbols, bool changed, pith_error *err)
{
    seeded random = {1};
    seeded differences = {2};
    seeded *changes = changed ? &differences : NULL;
    pith_doc *doc = pith_doc_new(NULL);
    if (doc == NULL) {
        err->message[0] = '\0';
        return NULL;
    }
    pith_doc_open_object(doc);
    pith_doc_add_key(doc, "symbols", 7);
    pith_doc_open_array(doc);
    add_symbols(doc, symbols, &random, changes);
    pith_doc_close(doc);
    pith_doc_add_key(doc, "edges", 5);
    pith_doc_open_array(doc);
    add_edges(doc, symbols, &random, changes);
    pith_doc_close(doc);
    pith_doc_close(doc);
    if (pith_doc_finish(doc, err) != PITH_OK) {
        pith_doc_free(doc);
        return NULL;
    }
    return doc;
}

static bool time_text(const pith_doc *graph, pith_doc *again, timings *took,
                      pith_error *err)
{
    pith_buffer out = {0};
    double start = measure_now();
    bool fine = pith_value_write(pith_doc_root(graph), "gcf-graph", NULL,
                                 pith_sink_buffer(&out), err) == PITH_OK;
    took->encode = measure_now() - start;
    took->bytes = out.len;
    start = measure_now();
    fine = fine &&
           pith_doc_read(again, "gcf-graph", out.data, out.len, NULL, err) == PITH_OK;
    took->decode = measure_now() - start;
    pith_buffer_free(&out);
    return fine;
}

static bool time_change(const pith_doc *graph, const pith_doc *next, timings *took,
                        pith_error *err)
{
    pith_buffer out = {0};
    pith_root root;
    pith_text no_key = {"", 0};
    pith_delta_kind answer = PITH_DELTA_FULL;
    pith_snapshot *ours = pith_snapshot_new(NULL, NULL, err);
    pith_snapshot *theirs = pith_snapshot_new(NULL, NULL, err);
    double start = measure_now();
    bool fine =
        ours != NULL && theirs != NULL &&
        pith_value_root(pith_doc_root(graph), no_key, NULL, &root, err) == PITH_OK;
    took->root = measure_now() - start;
    fine = fine && pith_snapshot_set(ours, pith_doc_root(graph), err) == PITH_OK &&
           pith_snapshot_set(theirs, pith_doc_root(graph), err) == PITH_OK;
    start = measure_now();
    fine =
        fine && pith_snapshot_write(ours, pith_snapshot_root(theirs), pith_doc_root(next),
                                    pith_sink_buffer(&out), &answer, err) == PITH_OK;
    took->diff = measure_now() - start;
    took->delta_bytes = out.len;
    start = measure_now();
    fine = fine && answer == PITH_DELTA_CHANGES &&
           pith_snapshot_apply(theirs, out.data, out.len, NULL, err) == PITH_OK;
    took->apply = measure_now() - start;
    pith_snapshot_free(ours);
    pith_snapshot_free(theirs);
    pith_buffer_free(&out);
    return fine;
}

bool graphs_measure(size_t symbols)
{
    timings took = {0};
    pith_error err = {0};
    double start = measure_now();
    pith_doc *graph = make_graph(symbols, false, &err);
    took.build = measure_now() - start;
    pith_doc *next = make_graph(symbols, true, &err);
    pith_doc *again = pith_doc_new(NULL);
    bool fine = graph != NULL && next != NULL && again != NULL &&
                time_text(graph, again, &took, &err) &&
                time_change(graph, next, &took, &err);
    pith_doc_free(graph);
    pith_doc_free(next);
    pith_doc_free(again);
    if (!fine)
        return failed("the graph could not be measured", &err);
    printf("{\"symbols\":%zu,\"edges\":%zu,\"build_s\":%.3f,\"encode_s\":%.3f,"
           "\"decode_s\":%.3f,\"root_s\":%.3f,\"diff_s\":%.3f,\"apply_s\":%.3f,"
           "\"bytes\":%zu,\"delta_bytes\":%zu}\n",
           symbols, symbols * EDGES_EACH, took.build, took.encode, took.decode, took.root,
           took.diff, took.apply, took.bytes, took.delta_bytes);
    return fflush(stdout) == 0;
}
