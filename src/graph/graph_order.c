/*
 * graph_order.c - in which order a graph is written.
 *
 * Symbols are merged: their keys, distance and score, lie side by side in memory. Edges
 * are counted into place, by target and then by source, which keeps the first order within
 * the second and takes time in proportion to edges and symbols; only runs of edges between
 * the same two symbols are compared by the bytes of their type.
 */
#include "graph/graph.h"

#include "base/num.h"
#include "base/sort.h"

#ifndef PITH_OMIT_GRAPHS

/* --------------------------------------------------------------------- symbols */

typedef struct order_key {
    uint64_t distance;
    double score;
} order_key;

static bool order_before(const void *ctx, uint32_t a, uint32_t b)
{
    const order_key *left = (const order_key *)ctx + a;
    const order_key *right = (const order_key *)ctx + b;
    if (left->distance != right->distance)
        return left->distance < right->distance;
    return left->score > right->score;
}

bool graph_order_symbols(const code_graph *graph, uint32_t *order)
{
    size_t bytes = (graph->symbols.count + 1) * sizeof(order_key);
    order_key *keys = (order_key *)alloc_resize(&graph->alloc, NULL, 0, bytes);
    if (!keys)
        return false;
    for (size_t i = 0; i < graph->symbols.count; i++) {
        keys[i].distance = graph->symbols.at[i].distance;
        keys[i].score = num_to_double(graph_score(&graph->symbols.at[i]));
    }
    bool fine =
        sort_indexes(&graph->alloc, order, graph->symbols.count, order_before, keys);
    alloc_free(&graph->alloc, keys, bytes);
    return fine;
}

/* ----------------------------------------------------------------------- edges */

static uint32_t order_end(const graph_edge *edge, const uint32_t *ids, bool source)
{
    uint32_t symbol = source ? edge->source : edge->target;
    return ids ? ids[symbol] : symbol;
}

/* Puts the edges of `from` into `to` by one of their ends; what was equal stays in order.
 * `starts` has room for one more than the largest id. */
static void order_count(const code_graph *graph, const uint32_t *ids, bool source,
                        const uint32_t *from, uint32_t *to, uint32_t *starts,
                        size_t id_count)
{
    memset(starts, 0, (id_count + 1) * sizeof *starts);
    for (size_t i = 0; i < graph->edges.count; i++)
        starts[order_end(&graph->edges.at[i], ids, source) + 1]++;
    for (size_t i = 0; i < id_count; i++)
        starts[i + 1] += starts[i];
    for (size_t i = 0; i < graph->edges.count; i++) {
        uint32_t edge = from ? from[i] : (uint32_t)i;
        to[starts[order_end(&graph->edges.at[edge], ids, source)]++] = edge;
    }
}

static bool order_type_before(const void *ctx, uint32_t a, uint32_t b)
{
    const code_graph *graph = (const code_graph *)ctx;
    return text_order(graph_word_text(graph, graph->edges.at[a].type),
                      graph_word_text(graph, graph->edges.at[b].type)) < 0;
}

/* Runs of edges between the same symbols, by their type. */
static void order_types(const code_graph *graph, uint32_t *order, uint32_t *spare)
{
    size_t start = 0;
    for (size_t i = 1; i <= graph->edges.count; i++) {
        const graph_edge *first = &graph->edges.at[order[start]];
        const graph_edge *edge =
            i < graph->edges.count ? &graph->edges.at[order[i]] : NULL;
        if (edge && edge->source == first->source && edge->target == first->target)
            continue;
        if (i - start > 1)
            sort_merging(order + start, spare, i - start, order_type_before, graph);
        start = i;
    }
}

bool graph_order_edges(const code_graph *graph, const uint32_t *ids, uint32_t *order)
{
    size_t id_count = graph->symbols.count;
    if (graph->edges.count == 0)
        return true;
    for (size_t i = 0; ids && i < graph->symbols.count; i++)
        id_count = ids[i] < id_count ? id_count : (size_t)ids[i] + 1;
    size_t bytes = (graph->edges.count + id_count + 1) * sizeof(uint32_t);
    uint32_t *spare = (uint32_t *)alloc_resize(&graph->alloc, NULL, 0, bytes);
    if (!spare)
        return false;
    uint32_t *starts = spare + graph->edges.count;
    order_count(graph, ids, false, NULL, spare, starts, id_count);
    order_count(graph, ids, true, spare, order, starts, id_count);
    order_types(graph, order, spare);
    alloc_free(&graph->alloc, spare, bytes);
    return true;
}

#endif
