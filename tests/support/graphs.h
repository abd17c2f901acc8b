/*
 * graphs.h - graphs that tests build by hand, look into, and send through the library.
 *
 * A graph of the model (graph/graph.h) is easier to build and to compare than a value.
 * What it goes through are the public calls, as a value.
 */
#ifndef PITH_TEST_GRAPHS_H
#define PITH_TEST_GRAPHS_H

#include "graph/graph_session.h"
#include "pith.h"

typedef struct made_symbol {
    pith_text kind;
    pith_text name;
    pith_text provenance;
    double score;
    uint64_t distance;
    pith_text file; /* empty: no place */
    uint64_t line, column, end_line, end_column;
} made_symbol;

typedef struct made_edge {
    size_t source;
    size_t target;
    pith_text type;
    pith_text status;
} made_edge;

typedef struct made_head {
    pith_text tool;
    uint64_t budget;
    uint64_t tokens;
    pith_text pack_root;
} made_head;

#define MADE_NONE SIZE_MAX

code_graph *made_graph_new(const pith_options *options);
void made_graph_free(code_graph *graph);

/* The first failure sticks; made_graph_finish returns it. */
void made_graph_set_head(code_graph *graph, const made_head *head);
size_t made_graph_add_symbol(code_graph *graph, const made_symbol *symbol);
void made_graph_add_edge(code_graph *graph, size_t source, size_t target,
                         const char *type, const char *status);
pith_status made_graph_finish(const code_graph *graph, pith_error *err);

made_head made_graph_head(const code_graph *graph);
made_symbol made_graph_symbol(const code_graph *graph, size_t index);
made_edge made_graph_edge(const code_graph *graph, size_t index);
size_t made_graph_find(const code_graph *graph, const char *kind, const char *name);

/* From and to values and texts; the graph is emptied first, and after a failure. */
pith_status made_graph_from_value(code_graph *graph, pith_value value, bool drop,
                                  pith_error *err);
pith_status made_graph_to_doc(code_graph *graph, pith_doc *doc, pith_error *err);
pith_status made_graph_read(code_graph *graph, const char *format, const char *text,
                            size_t len, const pith_options *options, pith_error *err);
pith_status made_graph_write(code_graph *graph, const char *format,
                             const pith_options *options, pith_sink sink,
                             pith_error *err);

/* As pith_session_write with gcf-graph, and pith_session_read. */
pith_status made_graph_tell(pith_session *session, const code_graph *graph, uint64_t now,
                            const pith_options *options, pith_sink sink, pith_error *err);
pith_status made_graph_hear(pith_session *session, code_graph *graph, const char *text,
                            size_t len, uint64_t now, pith_error *err);

/* The symbols that a session knows. */
static inline size_t made_graph_known(const pith_session *session)
{
    return session->known.symbols.count;
}

/* What pith_snapshot_write says of the change, which must be a delta; what it cannot say
 * is PITH_UNREPRESENTABLE. And what pith_snapshot_apply makes of the base,
 * which may be the same graph. */
pith_status made_graph_delta(const code_graph *base, const code_graph *next,
                             const pith_options *options, pith_sink sink,
                             pith_error *err);
pith_status made_graph_apply(code_graph *next, const code_graph *base, const char *text,
                             size_t len, pith_error *err);
pith_status made_graph_root(const code_graph *graph, pith_root *root, pith_error *err);

/* Writes the graph, or the value that is one, piece by piece. */
pith_status made_graph_stream(const code_graph *graph, const pith_options *options,
                              pith_sink sink, pith_error *err);
pith_status made_value_stream(pith_value graph, const char *format,
                              const pith_options *options, pith_sink sink,
                              pith_error *err);

#endif
