/*
 * graph_delta.h - what changed from one graph to the next.
 *
 *     removed         symbols of the base that are gone          by identity
 *     added           symbols that are new                       whole
 *     edges_removed   edges of the base that are gone            by names and type
 *     edges_added     edges that are new                         by names and type
 *
 * A symbol whose score, provenance or distance changed is in both of the first lists: it
 * is taken out and put in again, and its edges stay. Edges say their ends by name alone,
 * which is all the wire has room for; where two kinds share a name such an edge cannot be
 * said, and there is no delta (the whole graph is sent instead). Nor is there one for a
 * graph that has an edge twice, because lists are sets here.
 *
 * Applying is all or nothing: a new graph is made beside the base, which is never touched.
 */
#ifndef GRAPH_GRAPH_DELTA_H
#define GRAPH_GRAPH_DELTA_H

#include "base/list.h"
#include "graph/graph.h"

typedef struct graph_link {
    pith_text source;
    pith_text target;
    pith_text type;
} graph_link;

typedef LIST(graph_node) graph_nodes; /* of removed symbols only kind and name count */
typedef LIST(graph_link) graph_links;

/* Texts are borrowed: from both graphs, or from the text it was read from. Kinds are in
 * full form. */
typedef struct graph_delta {
    pith_alloc alloc;
    pith_text tool;
    pith_text base_root;
    pith_text new_root;
    uint64_t tokens;      /* of the delta, for the first line */
    uint64_t full_tokens; /* of the whole graph; 0 when unknown: then no savings */
    graph_nodes removed;
    graph_nodes added;
    graph_links edges_removed;
    graph_links edges_added;
} graph_delta;

void delta_init(graph_delta *delta, pith_alloc alloc);
void delta_free(graph_delta *delta);

/* Appending; false when out of memory. */
bool delta_add_node(graph_delta *delta, graph_nodes *list, const graph_node *node);
bool delta_add_link(graph_delta *delta, graph_links *list, const graph_link *link);

/* Fills an empty delta with the way from `base` to `next`, without their roots, every list
 * sorted by the bytes of its lines. The tool is that of `next`. PITH_UNREPRESENTABLE when
 * there is none: "ambiguous_edge", "duplicate_edge". Linear but for the sorting. The names
 * of both graphs are learned on the way, hence not const. */
pith_status graph_diff(graph_delta *delta, code_graph *base, code_graph *next,
                       pith_error *err);

/* Makes the graph that the delta leads to in `next`, which is empty. "delta_invalid" when a
 * symbol or edge is removed that is not there, added that is there already, or named
 * twice, or an edge is left without one of its ends. That the base is the one the delta was
 * made for, and the result the promised one, is for the caller to see by their roots.
 *
 * After a failure `next` is empty. Tool, budget and tokens come from the base, the tool
 * from the delta if it has one; pack_root becomes new_root. */
pith_status graph_apply(code_graph *next, code_graph *base, const graph_delta *delta,
                        pith_error *err);

/* True when two scores are the same number. */
bool graph_same_score(pith_text a, pith_text b);

#endif
