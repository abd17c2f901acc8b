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
#include "format/format.h"
#include "graph/graph_delta.h"
#include "graph/graph_doc.h"
#include "graph/graph_session.h"

extern const codec gcf_graph_format;

/* The settings, in the order of the table. */
enum {
    GCF_GRAPH_LEVEL,
    GCF_GRAPH_EXTRA,
    GCF_GRAPH_LABELS,
    GCF_GRAPH_TOKENS,
    GCF_GRAPH_TURNS
};

/* True for a text whose first line says profile=graph. */
bool gcf_is_graph(pith_text text);

/* A text of the graph profile as a document: what gcf_decode does with one. */
void gcf_graph_decode(decode_job *job);

/* ---------------------------------------------------------------------- reading */

/* Fills an empty graph, which borrows from the input if it is set to. `session` may be
 * NULL; it is only looked at. What becomes of it is for the caller to do, who reads
 * `*in_session`, the text was part of one, and `place`, which turn it said it was.
 * `progress` is asked now and then, if `doc` is not NULL. */
typedef struct gcf_graph_source {
    pith_text input;
    reporter *report;
    const pith_doc *doc;
    const pith_session *session;
    bool in_session;
    session_place place;
} gcf_graph_source;

void gcf_graph_read(pith_graph *graph, gcf_graph_source *source);

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
    bool turns;                     /* it says which turn it is */
    char comment[SESSION_LINE_MAX]; /* the line after the first; empty: none */
} gcf_graph_form;

/* False when out of memory; other failures stick to `out`. */
bool gcf_graph_write(pith_out *out, const pith_graph *graph, const gcf_graph_form *form);

/* The answer that nothing changed: a first line alone. */
void gcf_graph_write_unchanged(pith_out *out, pith_text tool, pith_text pack_root,
                               uint64_t symbols);

/* The form that settings ask for; PITH_UNREPRESENTABLE when the graph has something that
 * they say neither to write nor to drop. */
pith_status gcf_graph_choose_form(gcf_graph_form *form, const pith_graph *graph,
                                  const settings *set, pith_error *err);

/* --- streams */

typedef struct gcf_graph_group {
    uint64_t distance;
    uint64_t count;
} gcf_graph_group;

/* Symbols and edges as they come. Groups are remembered for the trailer, in the order in
 * which they first came. */
typedef struct gcf_graph_stream {
    pith_out *out;
    pith_alloc alloc;
    bool labels;
    bool places_may; /* level 3.6 */
    bool in_edges;
    bool in_group;
    size_t group; /* the one that is open */
    LIST(gcf_graph_group) groups;
    hash_table table; /* groups by distance */
    uint64_t seed;
    uint64_t symbols;
    uint64_t edges;
} gcf_graph_stream;

void gcf_graph_stream_begin(gcf_graph_stream *stream, pith_text tool, uint64_t budget,
                            uint64_t tokens, pith_text pack_root);

/* The node has been checked. False when out of memory. */
bool gcf_graph_stream_symbol(gcf_graph_stream *stream, const graph_node *node);
void gcf_graph_stream_edge(gcf_graph_stream *stream, uint64_t source, uint64_t target,
                           pith_text type, pith_text status);
void gcf_graph_stream_end(gcf_graph_stream *stream);
void gcf_graph_stream_free(gcf_graph_stream *stream);

/* ----------------------------------------------------------------------- deltas */

/* True for a text of the graph profile whose first line says delta=true or
 * unchanged=true. */
bool gcf_is_graph_delta(pith_text text);

/* Writes a delta: with savings when its full_tokens are known. */
void gcf_graph_write_delta(pith_out *out, const graph_delta *delta);

/* Fills an empty delta, which borrows from the input. Without delta=true in the first
 * line it is refused ("malformed_delta"). */
void gcf_graph_read_delta(graph_delta *delta, pith_text input, reporter *report);

#endif
