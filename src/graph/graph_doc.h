/*
 * graph_doc.h - a graph as the object it is in JSON, and back.
 *
 *     {"tool": "context_for_task", "tokens_used": 1847, "token_budget": 5000,
 *      "symbols": [{"qualified_name": "pkg.Auth", "kind": "function", "score": 0.78,
 *                   "provenance": "lsp_resolved", "distance": 0}],
 *      "edges":   [{"source": "pkg.Server", "target": "pkg.Auth", "edge_type": "calls"}]}
 *
 * tool, tokens_used, token_budget and pack_root are there when they say something; other
 * fields of a first line are members of an object "header". There when needed are also
 * an edge's status, and, where several kinds have one name, source_kind and target_kind.
 * A symbol with a place has file, line, column and perhaps end_line and end_column too.
 */
#ifndef GRAPH_GRAPH_DOC_H
#define GRAPH_GRAPH_DOC_H

#include "doc/build.h"
#include "graph/graph.h"

/* The members of the objects: of a symbol, of an edge, and of the graph. */
typedef enum graph_member {
    MEMBER_NAME,
    MEMBER_KIND,
    MEMBER_SCORE,
    MEMBER_PROVENANCE,
    MEMBER_DISTANCE,
    MEMBER_FILE,
    MEMBER_LINE,
    MEMBER_COLUMN,
    MEMBER_END_LINE,
    MEMBER_END_COLUMN,
    MEMBER_SOURCE,
    MEMBER_TARGET,
    MEMBER_TYPE,
    MEMBER_STATUS,
    MEMBER_SOURCE_KIND,
    MEMBER_TARGET_KIND,
    MEMBER_TOOL,
    MEMBER_TOKENS,
    MEMBER_BUDGET,
    MEMBER_ROOT,
    MEMBER_HEADER,
    MEMBER_SYMBOLS,
    MEMBER_EDGES,
    MEMBER_COUNT,
    MEMBER_UNKNOWN = MEMBER_COUNT
} graph_member;

/* Both spellings of a member's key, the one with capitals only where it differs. The
 * other stands in documents, where 16 bytes must be readable from any place of a text. */
typedef struct graph_member_name {
    char plain[32];
    const char *camel;
} graph_member_name;

extern const graph_member_name graph_members[MEMBER_COUNT];

/* What to do with members that a graph has no place for, and with edges to symbols that
 * are not there. */
typedef enum graph_extra {
    GRAPH_REFUSE_EXTRA, /* the message names lossy=true */
    GRAPH_DROP_EXTRA,
    GRAPH_DROP_EDGES /* the edges go, the members are refused */
} graph_extra;

/* Fills an empty graph from the value at `at`. The failure is the graph's, and so is the
 * first thing that was dropped. */
pith_status graph_from_doc(code_graph *graph, const pith_doc *doc, uint32_t at,
                           graph_extra extra);

/* The same in parts, for a graph that comes piece by piece: a member of the object other
 * than symbols and edges; then one symbol or edge, of which `index` others came before. */
pith_status graph_add_member(code_graph *graph, pith_text key, const pith_doc *doc,
                             uint32_t at, graph_extra extra);
pith_status graph_add_part(code_graph *graph, bool symbol, size_t index,
                           const pith_doc *doc, const pith_slot *slot, graph_extra extra);

/* Makes the object in an empty document. Names and scores are copied, or borrowed from
 * `input` when that is not NULL: the graph's texts then lie in it. The names of the graph
 * are learned on the way. */
pith_status graph_make_doc(code_graph *graph, pith_doc *doc, const pith_text *input,
                           pith_error *err);

/* The same for a graph that was read: nothing when there was a problem, and else its own
 * problem is reported. */
void graph_finish_read(code_graph *graph, pith_doc *doc, const pith_text *input,
                       reporter *report);

#endif
