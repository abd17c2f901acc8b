/*
 * gcf_graph.h - the graph profile of GCF.
 *
 *     gcf_graph.c         the format gcf-graph: settings, documents in and out
 *     gcf_graph_lines.c   lines, fields, the first line, the trailer
 *     gcf_graph_read.c    a text becomes a graph
 *     gcf_graph_write.c   a graph becomes a text; streams of symbols and edges
 *     gcf_graph_delta.c   changes, written and read
 */
#ifndef FORMAT_GCF_GCF_GRAPH_H
#define FORMAT_GCF_GCF_GRAPH_H

#include "base/list.h"
#include "format/session.h"
#include "format/snapshot.h"

extern const codec gcf_graph_format;

/* The settings, in the order of the table. */
enum {
    GCF_GRAPH_LEVEL,
    GCF_GRAPH_LOSSY,
    GCF_GRAPH_LABELS,
    GCF_GRAPH_TOKENS,
    GCF_GRAPH_TURNS
};

/* True for a text whose first line says profile=graph. */
bool gcf_is_graph(pith_text text);

/* A text of the graph profile as a document: what gcf_decode does with one. */
void gcf_graph_decode(decode_job *job);

/* ---------------------------------------------------------------------- reading */

/* Fills an empty graph, which borrows from the input if it is set to. */
void gcf_graph_read(graph_in *source);

/* ---------------------------------------------------------------------- writing */

/* How to write. All zero is a graph of level 3.5 without a session. */
typedef struct gcf_graph_form {
    bool places;           /* level 3.6: with ## loc */
    const uint32_t *order; /* of the symbols; NULL: the canonical one */

    /* A text that is part of a session: the id of each symbol, and whether it is only
     * referred to; NULL otherwise. */
    const uint32_t *ids;
    const uint8_t *bare;

    bool states; /* `tokens` are stated, whatever the graph says; none where it is 0 */
    uint64_t tokens;
    const char *comment; /* the line after the first; NULL: none */
} gcf_graph_form;

/* False when out of memory; other failures stick to `out`. */
bool gcf_graph_write(pith_out *out, const code_graph *graph, const gcf_graph_form *form);

/* The form that settings ask for; PITH_UNREPRESENTABLE when the graph has something that
 * they say neither to write nor to drop. */
pith_status gcf_graph_choose_form(gcf_graph_form *form, const code_graph *graph,
                                  const settings *set, pith_error *err);

extern const struct row_format gcf_graph_rows;

/* What becomes of what a graph has no place for. */
graph_extra gcf_graph_extra(const settings *set);

/* ----------------------------------------------------------------------- deltas */

/* Writes a delta: with savings when its full_tokens are known. */
void gcf_graph_write_delta(pith_out *out, const graph_delta *delta);

/* Fills an empty delta, which borrows from the input. Without delta=true in the first
 * line it is refused ("malformed_delta"). */
void gcf_graph_read_delta(graph_delta *delta, pith_text input, reporter *report);

extern const delta_codec gcf_graph_answers;

#endif
