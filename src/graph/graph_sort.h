/*
 * graph_sort.h - sorting of numbers, for the parts of the graph that need it.
 */
#ifndef GRAPH_GRAPH_SORT_H
#define GRAPH_GRAPH_SORT_H

#include "graph/graph.h"

/* True when the first must come before the second. */
typedef bool (*graph_before)(const void *ctx, uint32_t a, uint32_t b);

/* Sorts, keeping equals in order; `spare` has room for as many. n log n in any case. */
void graph_sort(uint32_t *numbers, uint32_t *spare, size_t count, graph_before before,
                const void *ctx);

/* Below, equal or above 0 as `a` comes before, with or after `b` by unsigned bytes. */
static inline int graph_text_order(pith_text a, pith_text b)
{
    size_t len = a.len < b.len ? a.len : b.len;
    int order = len ? memcmp(a.ptr, b.ptr, len) : 0;
    return order != 0 ? order : (a.len > b.len) - (a.len < b.len);
}

/* The numbers of the symbols by the bytes of their kind, abbreviated, and name. False
 * when out of memory. */
bool graph_order_identities(const pith_graph *graph, uint32_t *order);

#endif
