/*
 * gcf1_graph.h - code graphs in the first GCF.
 *
 *     GCF tool=context_for_task budget=5000 tokens=1847 symbols=2
 *     ## targets
 *     @0 fn pkg.Auth 0.78 lsp_resolved
 *     ## related
 *     @1 fn pkg.Server 0.54 lsp_resolved
 *     ## edges
 *     @0<@1 calls
 *
 * The first line has no profile=, which tells it from later versions. Symbols keep the
 * order they have, and a group is a run of symbols of one distance.
 */
#ifndef FORMAT_GCF1_GCF1_GRAPH_H
#define FORMAT_GCF1_GCF1_GRAPH_H

#include "format/format.h"
#include "graph/graph_delta.h"
#include "graph/graph_doc.h"

extern const codec gcf1_graph_format;

/* How to write. All zero is level 1.1 without a session. */
typedef struct gcf1_graph_form {
    bool newer;          /* level 1.4: edges are counted */
    bool session;        /* the first line says so */
    bool edges;          /* there is a section of edges though it is empty */
    const uint8_t *bare; /* of each symbol: it was told before; NULL for none */
    pith_text tool;      /* if the graph has none */
} gcf1_graph_form;

void gcf1_graph_write(pith_out *out, const pith_graph *graph,
                      const gcf1_graph_form *form);
void gcf1_graph_write_delta(pith_out *out, const graph_delta *delta);

/* True for a text whose first line begins with GCF and has no profile=. */
bool gcf1_graph_sniff(pith_text text);

/* Such a text as a document. */
void gcf1_graph_decode(decode_job *job);

/* Fills an empty graph, which must not borrow. References to what was told before are
 * passed over, and so are edges to them. */
void gcf1_graph_read(pith_graph *graph, pith_text input, reporter *report);

#endif
