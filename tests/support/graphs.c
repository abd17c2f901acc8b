/*
 * graphs.c - graphs that tests build by hand.
 */
#include "graphs.h"

#include "base/num.h"
#include "doc/spelled.h"
#include "graph/graph_doc.h"
#include "named.h"

#include <math.h>
#include <stdio.h>

code_graph *made_graph_new(const pith_options *options)
{
    pith_alloc alloc = alloc_from(options);
    code_graph *graph = alloc_zeroed(&alloc, sizeof *graph);
    if (graph)
        graph_init(graph, alloc);
    return graph;
}

void made_graph_free(code_graph *graph)
{
    if (graph) {
        pith_alloc alloc = graph->alloc;
        graph_free(graph);
        alloc_free(&alloc, graph, sizeof *graph);
    }
}

static pith_text made_text(pith_text text)
{
    return text.ptr ? text : text_of("", 0);
}

void made_graph_set_head(code_graph *graph, const made_head *head)
{
    if (graph_set_header(graph, made_text(head->tool), made_text(head->pack_root)) ==
        PITH_OK) {
        graph->budget = head->budget;
        graph->tokens = head->tokens;
    }
}

size_t made_graph_add_symbol(code_graph *graph, const made_symbol *symbol)
{
    char digits[NUM_DOUBLE_MAX_LEN];
    if (!isfinite(symbol->score)) {
        graph_fail(graph, PITH_BAD_USE, "not_finite", "a score must be a finite number");
        return MADE_NONE;
    }
    graph_node node = {made_text(symbol->kind), made_text(symbol->name),
                       text_of(digits, num_write_double(digits, symbol->score)),
                       made_text(symbol->provenance), symbol->distance};
    if (graph_add_symbol(graph, &node) != PITH_OK)
        return MADE_NONE;
    size_t index = graph->symbols.count - 1;
    if (symbol->file.len > 0) {
        graph_place place = {symbol->file, symbol->line, symbol->column, symbol->end_line,
                             symbol->end_column};
        graph_set_place(graph, (uint32_t)index, &place);
    }
    return graph->fault.status == PITH_OK ? index : MADE_NONE;
}

void made_graph_add_edge(code_graph *graph, size_t source, size_t target,
                         const char *type, const char *status)
{
    uint32_t from = source < GRAPH_NONE ? (uint32_t)source : (uint32_t)GRAPH_NONE;
    uint32_t to = target < GRAPH_NONE ? (uint32_t)target : (uint32_t)GRAPH_NONE;
    graph_add_edge(graph, from, to, text_from(type), text_from(status));
}

pith_status made_graph_finish(const code_graph *graph, pith_error *err)
{
    return error_copy(&graph->fault, err);
}

made_head made_graph_head(const code_graph *graph)
{
    made_head head = {graph->tool, graph->budget, graph->tokens, graph->pack_root};
    return head;
}

made_symbol made_graph_symbol(const code_graph *graph, size_t index)
{
    made_symbol symbol = {.score = 0};
    if (index >= graph->symbols.count)
        return symbol;
    graph_node node = graph_node_of(graph, (uint32_t)index);
    uint32_t place = graph->symbols.at[index].place;
    symbol.kind = node.kind;
    symbol.name = node.name;
    symbol.provenance = node.provenance;
    symbol.score = num_to_double(node.score);
    symbol.distance = node.distance;
    if (place != GRAPH_NONE) {
        const graph_place *at = &graph->places.at[place];
        symbol.file = at->file;
        symbol.line = at->line;
        symbol.column = at->column;
        symbol.end_line = at->end_line;
        symbol.end_column = at->end_column;
    }
    return symbol;
}

made_edge made_graph_edge(const code_graph *graph, size_t index)
{
    made_edge edge = {.source = 0};
    if (index < graph->edges.count) {
        const graph_edge *at = &graph->edges.at[index];
        edge.source = at->source;
        edge.target = at->target;
        edge.type = graph_word_text(graph, at->type);
        edge.status = graph_word_text(graph, at->status);
    }
    return edge;
}

size_t made_graph_find(const code_graph *graph, const char *kind, const char *name)
{
    uint32_t found = graph_find(graph, text_from(kind), text_from(name));
    return found == GRAPH_NONE ? MADE_NONE : found;
}

/* ------------------------------------------------------------- values and texts */

pith_status made_graph_from_value(code_graph *graph, pith_value value, bool drop,
                                  pith_error *err)
{
    spelled_value spelled;
    graph_reset(graph);
    if (!spelled_open(&spelled, value.doc, value.at, graph->alloc))
        return error_no_memory(err);
    graph_from_doc(graph, spelled.doc, spelled.at,
                   drop ? GRAPH_DROP_EXTRA : GRAPH_REFUSE_EXTRA);
    spelled_close(&spelled);
    pith_status status = error_copy(&graph->fault, err);
    if (status != PITH_OK)
        graph_reset(graph);
    return status;
}

pith_status made_graph_to_doc(code_graph *graph, pith_doc *doc, pith_error *err)
{
    pith_doc_reset(doc);
    if (graph->fault.status != PITH_OK)
        return error_copy(&graph->fault, err);
    pith_status status = graph_make_doc(graph, doc, NULL, err);
    if (status != PITH_OK)
        pith_doc_reset(doc);
    return status;
}

/* The graph as a document with its allocator; NULL when out of memory, or failed. */
static pith_doc *made_doc(const code_graph *graph, pith_error *err)
{
    pith_options options = {.alloc = graph->alloc};
    pith_doc *doc = pith_doc_new(&options);
    if (!doc)
        error_no_memory(err);
    else if (made_graph_to_doc((code_graph *)graph, doc, err) == PITH_OK)
        return doc;
    pith_doc_free(doc);
    return NULL;
}

pith_status made_graph_read(code_graph *graph, const char *format, const char *text,
                            size_t len, const pith_options *options, pith_error *err)
{
    pith_error local;
    err = err ? err : &local;
    graph_reset(graph);
    pith_options own = {.alloc = graph->alloc};
    if (options) {
        own = *options;
        own.alloc = graph->alloc;
    }
    pith_doc *doc = pith_doc_parse(format, text, len, &own, err);
    pith_status status =
        doc ? made_graph_from_value(graph, pith_doc_root(doc), false, err) : err->status;
    pith_doc_free(doc);
    return status;
}

pith_status made_graph_write(code_graph *graph, const char *format,
                             const pith_options *options, pith_sink sink, pith_error *err)
{
    pith_error local;
    err = err ? err : &local;
    pith_doc *doc = made_doc(graph, err);
    pith_status status =
        doc ? pith_value_write(pith_doc_root(doc), format, options, sink, err)
            : err->status;
    pith_doc_free(doc);
    return status;
}

/* --------------------------------------------------------- sessions and snapshots */

pith_status made_graph_tell(pith_session *session, const code_graph *graph, uint64_t now,
                            const pith_options *options, pith_sink sink, pith_error *err)
{
    pith_error local;
    err = err ? err : &local;
    pith_doc *doc = made_doc(graph, err);
    pith_status status = doc ? pith_session_write(session, pith_doc_root(doc), NULL, now,
                                                  options, sink, err)
                             : err->status;
    pith_doc_free(doc);
    return status;
}

pith_status made_graph_hear(pith_session *session, code_graph *graph, const char *text,
                            size_t len, uint64_t now, pith_error *err)
{
    pith_options options = {.alloc = graph->alloc};
    pith_doc *doc = pith_doc_new(&options);
    graph_reset(graph);
    pith_status status =
        doc ? pith_session_read(session, doc, text, len, now, &options, err)
            : error_no_memory(err);
    if (status == PITH_OK)
        status = made_graph_from_value(graph, pith_doc_root(doc), false, err);
    pith_doc_free(doc);
    return status;
}

pith_status made_graph_delta(const code_graph *base, const code_graph *next,
                             const pith_options *options, pith_sink sink, pith_error *err)
{
    pith_error local;
    pith_delta_kind answer = PITH_DELTA_CHANGES;
    pith_policy policy = {.anchor = PITH_ANCHOR_NEVER,
                          .guard_percent = PITH_GUARD_OFF,
                          .format = "gcf-graph"};
    err = err ? err : &local;
    pith_doc *before = made_doc(base, err);
    pith_doc *after = before ? made_doc(next, err) : NULL;
    pith_snapshot *snapshot = after ? pith_snapshot_new(&policy, options, err) : NULL;
    pith_status status =
        snapshot ? pith_snapshot_set(snapshot, pith_doc_root(before), err) : err->status;
    if (status == PITH_OK) {
        status = pith_snapshot_write(snapshot, pith_snapshot_root(snapshot),
                                     pith_doc_root(after), sink, &answer, err);
    }
    if (status == PITH_OK && answer == PITH_DELTA_FULL)
        status = error_set(err, PITH_UNREPRESENTABLE, "no_delta", "it is told whole");
    pith_snapshot_free(snapshot);
    pith_doc_free(before);
    pith_doc_free(after);
    return status;
}

pith_status made_graph_apply(code_graph *next, const code_graph *base, const char *text,
                             size_t len, pith_error *err)
{
    pith_error local;
    pith_options options = {.alloc = base->alloc};
    err = err ? err : &local;
    pith_doc *doc = made_doc(base, err);
    pith_snapshot *snapshot = doc ? pith_snapshot_new(NULL, &options, err) : NULL;
    pith_status status =
        snapshot ? pith_snapshot_set(snapshot, pith_doc_root(doc), err) : err->status;
    if (status == PITH_OK)
        status = pith_snapshot_apply(snapshot, text, len, NULL, err);
    code_graph found;
    graph_init(&found, base->alloc);
    if (status == PITH_OK)
        status = made_graph_from_value(&found, pith_snapshot_value(snapshot), false, err);
    if (status == PITH_OK) {
        graph_free(next);
        *next = found;
    } else {
        graph_free(&found);
    }
    pith_snapshot_free(snapshot);
    pith_doc_free(doc);
    return status;
}

pith_status made_graph_root(const code_graph *graph, pith_root *root, pith_error *err)
{
    pith_error local;
    err = err ? err : &local;
    pith_doc *doc = made_doc(graph, err);
    pith_status status =
        doc ? pith_value_root(pith_doc_root(doc), text_of("", 0), NULL, root, err)
            : err->status;
    pith_doc_free(doc);
    return status;
}

/* ---------------------------------------------------------------------- streams */

static void made_stream_table(pith_rows *rows, const char *name, pith_value list,
                              const char *const *columns, size_t count)
{
    if (pith_value_count(list) == 0 ||
        rows_begin_named(rows, name, columns, count, NULL) != PITH_OK)
        return;
    for (pith_value row = pith_value_first(list); row.doc; row = pith_value_next(row))
        if (pith_rows_add_row(rows, row, NULL) != PITH_OK)
            return;
}

pith_status made_value_stream(pith_value graph, const char *format,
                              const pith_options *options, pith_sink sink,
                              pith_error *err)
{
    static const char *const symbols[] = {
        "qualified_name", "kind", "score",  "provenance", "distance",
        "file",           "line", "column", "end_line",   "end_column"};
    static const char *const edges[] = {"source", "target",      "edge_type",
                                        "status", "source_kind", "target_kind"};
    pith_rows *rows = pith_rows_open_object(format, options, sink, err);
    if (!rows)
        return err ? err->status : PITH_NO_MEMORY;
    for (pith_value member = pith_value_first(graph); member.doc;
         member = pith_value_next(member)) {
        char name[32];
        pith_text key = pith_value_key(member);
        snprintf(name, sizeof name, "%.*s", (int)key.len, key.ptr);
        if (!text_is(key, "symbols") && !text_is(key, "edges"))
            rows_add_named(rows, name, member, NULL);
    }
    made_stream_table(rows, "symbols", pith_value_get(graph, "symbols", 7), symbols,
                      sizeof symbols / sizeof *symbols);
    if (pith_rows_flush(rows, err) != PITH_OK) {
        pith_status status = err ? err->status : PITH_IO;
        pith_rows_abandon(rows);
        return status;
    }
    made_stream_table(rows, "edges", pith_value_get(graph, "edges", 5), edges,
                      sizeof edges / sizeof *edges);
    return pith_rows_close(rows, err);
}

pith_status made_graph_stream(const code_graph *graph, const pith_options *options,
                              pith_sink sink, pith_error *err)
{
    pith_error local;
    err = err ? err : &local;
    pith_doc *doc = made_doc(graph, err);
    pith_status status =
        doc ? made_value_stream(pith_doc_root(doc), "gcf-graph", options, sink, err)
            : err->status;
    pith_doc_free(doc);
    return status;
}
