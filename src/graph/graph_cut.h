/*
 * graph_cut.h - the best part of a graph.
 */
#ifndef GRAPH_GRAPH_CUT_H
#define GRAPH_GRAPH_CUT_H

#include "graph/graph_doc.h"

/* What to keep of a graph, and what its first line says then. */
typedef struct graph_cut {
    size_t keep; /* symbols; all of them when there are fewer */
    uint64_t budget;
    uint64_t tokens;
} graph_cut;

/* Puts the graph at `at` into the empty document, cut down to its best symbols and the
 * edges between them. `*count` is the number of symbols that it had. */
pith_status graph_cut_doc(const pith_doc *doc, uint32_t at, graph_extra extra,
                          const graph_cut *cut, pith_doc *into, size_t *count,
                          pith_error *err);

#endif
