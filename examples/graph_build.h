/*
 * graph_build.h - builds a code graph as a document: copy it into your program.
 *
 *     graph_build build = graph_build_begin(doc, "my_tool");
 *     graph_build_symbol(&build, &(graph_build_node){.kind = "function",
 *         .name = "pkg.Auth", .provenance = "lsp_resolved", .score = 0.78});
 *     graph_build_edge(&build, "pkg.Server", "pkg.Auth", "calls");
 *     status = graph_build_end(&build, &err);
 *
 * Symbols come before edges. Failures stick to the document, and graph_build_end returns
 * the first; whether the graph is a right one is seen when it is written.
 */
#ifndef GRAPH_BUILD_H
#define GRAPH_BUILD_H

#include "pith.h"

#include <string.h>

typedef struct graph_build {
    pith_doc *doc;
    bool in_edges;
} graph_build;

typedef struct graph_build_node {
    const char *kind; /* "function" or "fn", "type", ... */
    const char *name;
    const char *provenance;
    double score;
    uint64_t distance; /* 0 is a target, 1 one hop away, and so on */
    const char *file;  /* NULL: no place; lines and columns count from 1 */
    uint64_t line, column;
} graph_build_node;

static inline void graph_build_key(pith_doc *doc, const char *key)
{
    pith_doc_add_key(doc, key, strlen(key));
}

static inline void graph_build_text(pith_doc *doc, const char *key, const char *text)
{
    graph_build_key(doc, key);
    pith_doc_add_text(doc, text, strlen(text));
}

static inline void graph_build_number(pith_doc *doc, const char *key, uint64_t number)
{
    graph_build_key(doc, key);
    pith_doc_add_uint64(doc, number);
}

/* Begins a graph in the empty document. `tool` may be NULL. */
static inline graph_build graph_build_begin(pith_doc *doc, const char *tool)
{
    graph_build build = {doc, false};
    pith_doc_open_object(doc);
    if (tool)
        graph_build_text(doc, "tool", tool);
    graph_build_key(doc, "symbols");
    pith_doc_open_array(doc);
    return build;
}

static inline void graph_build_symbol(graph_build *build, const graph_build_node *node)
{
    pith_doc *doc = build->doc;
    pith_doc_open_object(doc);
    graph_build_text(doc, "qualified_name", node->name);
    graph_build_text(doc, "kind", node->kind);
    graph_build_key(doc, "score");
    pith_doc_add_double(doc, node->score);
    graph_build_text(doc, "provenance", node->provenance);
    graph_build_number(doc, "distance", node->distance);
    if (node->file) {
        graph_build_text(doc, "file", node->file);
        graph_build_number(doc, "line", node->line);
        graph_build_number(doc, "column", node->column);
    }
    pith_doc_close(doc);
}

static inline void graph_build_edge(graph_build *build, const char *source,
                                    const char *target, const char *type)
{
    pith_doc *doc = build->doc;
    if (!build->in_edges) {
        build->in_edges = true;
        pith_doc_close(doc);
        graph_build_key(doc, "edges");
        pith_doc_open_array(doc);
    }
    pith_doc_open_object(doc);
    graph_build_text(doc, "source", source);
    graph_build_text(doc, "target", target);
    graph_build_text(doc, "edge_type", type);
    pith_doc_close(doc);
}

static inline pith_status graph_build_end(graph_build *build, pith_error *err)
{
    pith_doc_close(build->doc);
    pith_doc_close(build->doc);
    return pith_doc_finish(build->doc, err);
}

#endif
