/*
 * graph.c - a code graph by calls, told twice in one conversation.
 *
 * The first turn declares every symbol; the second only says what is new and refers to the
 * rest. The reader at the other end has the whole graph both times.
 */
#include "pith.h"

#include <stdio.h>
#include <string.h>

static pith_text text(const char *string)
{
    pith_text span = {string, strlen(string)};
    return span;
}

static size_t add(pith_graph *graph, const char *kind, const char *name, double score,
                  uint64_t distance)
{
    pith_symbol symbol = {0};
    symbol.kind = text(kind);
    symbol.name = text(name);
    symbol.provenance = text("lsp_resolved");
    symbol.score = score;
    symbol.distance = distance;
    return pith_graph_add_symbol(graph, &symbol);
}

/* One turn: written, printed, and read at the other end. */
static pith_status turn(pith_session *writer, pith_session *reader,
                        const pith_graph *graph, uint64_t now, pith_error *err)
{
    pith_buffer out = {0};
    pith_graph *understood = pith_graph_new(NULL);
    pith_status status =
        pith_session_write(writer, graph, now, NULL, pith_sink_buffer(&out), err);
    if (status == PITH_OK) {
        fwrite(out.data, 1, out.len, stdout);
        status = pith_session_read(reader, understood, out.data, out.len, now, err);
    }
    if (status == PITH_OK) {
        printf("-> %zu symbols, %zu edges\n\n", pith_graph_symbol_count(understood),
               pith_graph_edge_count(understood));
    }
    pith_graph_free(understood);
    pith_buffer_free(&out);
    return status;
}

int main(void)
{
    pith_error err = {0};
    pith_graph *graph = pith_graph_new(NULL);
    pith_session *writer = pith_session_new(NULL, NULL);
    pith_session *reader = pith_session_new(NULL, NULL);

    size_t auth = add(graph, "function", "pkg.Auth", 0.78, 0);
    size_t server = add(graph, "function", "pkg.NewServer", 0.54, 1);
    pith_graph_add_edge(graph, server, auth, "calls", NULL);
    pith_status status = turn(writer, reader, graph, 0, &err);

    size_t config = add(graph, "type", "pkg.Config", 0.61, 0);
    pith_graph_add_edge(graph, auth, config, "references", NULL);
    if (status == PITH_OK)
        status = turn(writer, reader, graph, 60, &err); /* a minute later */
    if (status != PITH_OK)
        fprintf(stderr, "%s: %s\n", err.code, err.message);
    pith_session_free(writer);
    pith_session_free(reader);
    pith_graph_free(graph);
    return status == PITH_OK ? 0 : 1;
}
