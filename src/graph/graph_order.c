/*
 * graph_order.c - in which order a graph is written.
 *
 * Symbols are merged: their keys, distance and score, lie side by side in memory. Edges
 * are counted into place, by target and then by source, which keeps the first order within
 * the second and takes time in proportion to edges and symbols; only runs of edges between
 * the same two symbols are compared by the bytes of their type.
 */
#include "graph/graph_sort.h"

#include "base/num.h"

#include <assert.h>

/* ----------------------------------------------------------------- any numbers */

/* Merges the two sorted runs [0, middle) and [middle, count) of `from` into `to`. */
static void sort_merge(const uint32_t *from, uint32_t *to, size_t middle, size_t count,
                       graph_before before, const void *ctx)
{
    size_t left = 0;
    size_t right = middle;
    for (size_t i = 0; i < count; i++) {
        bool take =
            right == count || (left < middle && !before(ctx, from[right], from[left]));
        to[i] = take ? from[left++] : from[right++];
    }
}

void graph_sort(uint32_t *numbers, uint32_t *spare, size_t count, graph_before before,
                const void *ctx)
{
    uint32_t *from = numbers;
    uint32_t *to = spare;
    for (size_t width = 1; width < count; width *= 2) {
        for (size_t at = 0; at < count; at += 2 * width) {
            size_t left = count - at < 2 * width ? count - at : 2 * width;
            size_t middle = left < width ? left : width;
            sort_merge(from + at, to + at, middle, left, before, ctx);
        }
        uint32_t *swap = from;
        from = to;
        to = swap;
    }
    if (from != numbers && count > 0) {
        memcpy(numbers, from, count * sizeof *numbers);
    }
}

/* --------------------------------------------------------------------- symbols */

typedef struct order_key {
    uint64_t distance;
    double score;
} order_key;

static bool order_before(const void *ctx, uint32_t a, uint32_t b)
{
    const order_key *left = (const order_key *)ctx + a;
    const order_key *right = (const order_key *)ctx + b;
    if (left->distance != right->distance) {
        return left->distance < right->distance;
    }
    return left->score > right->score;
}

bool graph_order_symbols(const pith_graph *graph, uint32_t *order)
{
    size_t count = graph->symbol_count;
    const pith_alloc *alloc = &graph->alloc;
    if (count == 0) {
        return true;
    }
    order_key *keys = (order_key *)alloc_resize(alloc, NULL, 0, count * sizeof *keys);
    uint32_t *spare = (uint32_t *)alloc_resize(alloc, NULL, 0, count * sizeof *spare);
    bool fine = keys && spare;
    if (fine) {
        for (size_t i = 0; i < count; i++) {
            keys[i].distance = graph->symbols[i].distance;
            keys[i].score = num_to_double(graph_score(&graph->symbols[i]));
            order[i] = (uint32_t)i;
        }
        graph_sort(order, spare, count, order_before, keys);
    }
    alloc_free(alloc, keys, count * sizeof *keys);
    alloc_free(alloc, spare, count * sizeof *spare);
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
static void order_count(const pith_graph *graph, const uint32_t *ids, bool source,
                        const uint32_t *from, uint32_t *to, uint32_t *starts,
                        size_t id_count)
{
    memset(starts, 0, (id_count + 1) * sizeof *starts);
    for (size_t i = 0; i < graph->edge_count; i++) {
        starts[order_end(&graph->edges[i], ids, source) + 1]++;
    }
    for (size_t i = 0; i < id_count; i++) {
        starts[i + 1] += starts[i];
    }
    for (size_t i = 0; i < graph->edge_count; i++) {
        uint32_t edge = from ? from[i] : (uint32_t)i;
        to[starts[order_end(&graph->edges[edge], ids, source)]++] = edge;
    }
}

static bool order_type_before(const void *ctx, uint32_t a, uint32_t b)
{
    const pith_graph *graph = (const pith_graph *)ctx;
    return graph_text_order(graph_word_text(graph, graph->edges[a].type),
                            graph_word_text(graph, graph->edges[b].type)) < 0;
}

/* Runs of edges between the same symbols, by their type. */
static void order_types(const pith_graph *graph, uint32_t *order, uint32_t *spare)
{
    size_t start = 0;
    for (size_t i = 1; i <= graph->edge_count; i++) {
        const graph_edge *first = &graph->edges[order[start]];
        const graph_edge *edge = i < graph->edge_count ? &graph->edges[order[i]] : NULL;
        if (edge && edge->source == first->source && edge->target == first->target) {
            continue;
        }
        if (i - start > 1) {
            graph_sort(order + start, spare, i - start, order_type_before, graph);
        }
        start = i;
    }
}

bool graph_order_edges(const pith_graph *graph, const uint32_t *ids, uint32_t *order)
{
    const pith_alloc *alloc = &graph->alloc;
    size_t id_count = graph->symbol_count;
    if (graph->edge_count == 0) {
        return true;
    }
    for (size_t i = 0; ids && i < graph->symbol_count; i++) {
        id_count = ids[i] < id_count ? id_count : (size_t)ids[i] + 1;
    }
    size_t spare_size = graph->edge_count * sizeof(uint32_t);
    size_t starts_size = (id_count + 1) * sizeof(uint32_t);
    uint32_t *spare = (uint32_t *)alloc_resize(alloc, NULL, 0, spare_size);
    uint32_t *starts = (uint32_t *)alloc_resize(alloc, NULL, 0, starts_size);
    bool fine = spare && starts;
    if (fine) {
        order_count(graph, ids, false, NULL, spare, starts, id_count);
        order_count(graph, ids, true, spare, order, starts, id_count);
        order_types(graph, order, spare);
    }
    alloc_free(alloc, spare, spare_size);
    alloc_free(alloc, starts, starts_size);
    return fine;
}
