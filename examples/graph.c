/*
 * graph.c - a code graph, told twice in one conversation.
 *
 * The first turn declares every symbol; the second only says what is new and refers to the
 * rest. The reader at the other end has the whole graph both times. Between the turns the
 * writer is saved and goes on elsewhere; and were the last text lost, it would say so.
 */
#include "graph_build.h"

#include <stdio.h>

static const graph_build_node nodes[] = {
    {.kind = "function", .name = "pkg.Auth", .provenance = "lsp", .score = 0.78},
    {.kind = "fn",
     .name = "pkg.Serve",
     .provenance = "lsp",
     .score = 0.54,
     .distance = 1},
    {.kind = "type", .name = "pkg.Config", .provenance = "lsp", .score = 0.61},
};

static pith_status build(pith_doc *doc, size_t symbols, pith_error *err)
{
    pith_doc_reset(doc);
    graph_build graph = graph_build_begin(doc, "example");
    for (size_t i = 0; i < symbols; i++)
        graph_build_symbol(&graph, &nodes[i]);
    graph_build_edge(&graph, "pkg.Serve", "pkg.Auth", "calls");
    if (symbols > 2)
        graph_build_edge(&graph, "pkg.Auth", "pkg.Config", "references");
    return graph_build_end(&graph, err);
}

/* One turn: written, printed, and read at the other end. */
static pith_status turn(pith_session *writer, pith_session *reader, pith_doc *doc,
                        uint64_t now, pith_error *err)
{
    pith_buffer out = {0};
    pith_status status = pith_session_write(writer, pith_doc_root(doc), NULL, now, NULL,
                                            pith_sink_buffer(&out), err);
    if (status == PITH_OK) {
        fwrite(out.data, 1, out.len, stdout);
        status = pith_session_read(reader, doc, out.data, out.len, now, NULL, err);
    }
    if (status == PITH_OK) {
        pith_value graph = pith_doc_root(doc);
        printf("-> %zu symbols, %zu edges\n\n",
               pith_value_count(pith_value_get(graph, "symbols", 7)),
               pith_value_count(pith_value_get(graph, "edges", 5)));
    }
    pith_buffer_free(&out);
    return status;
}

/* All a session knows, in a session that begins with it. */
static pith_session *move(pith_session *session, pith_error *err)
{
    pith_buffer saved = {0};
    pith_session *next = pith_session_new(NULL, NULL);
    pith_status status =
        next ? pith_session_save(session, pith_sink_buffer(&saved), err) : PITH_NO_MEMORY;
    if (status == PITH_OK)
        status = pith_session_restore(next, saved.data, saved.len, err);
    pith_buffer_free(&saved);
    if (status == PITH_OK) {
        pith_session_free(session);
        return next;
    }
    pith_session_free(next);
    pith_session_lost(session); /* to be sure: it declares again what it said last */
    return session;
}

int main(void)
{
    pith_error err = {0};
    pith_doc *doc = pith_doc_new(NULL);
    pith_session *writer = pith_session_new(NULL, NULL);
    pith_session *reader = pith_session_new(NULL, NULL);
    pith_status status = PITH_OK;
    for (size_t i = 0; i < 2 && status == PITH_OK; i++) {
        status = build(doc, 2 + i, &err);
        if (status == PITH_OK)
            status = turn(writer, reader, doc, 60 * i, &err); /* a minute later */
        if (status == PITH_OK)
            writer = move(writer, &err);
    }
    if (status != PITH_OK)
        fprintf(stderr, "%s: %s\n", err.code, err.message);
    pith_session_free(writer);
    pith_session_free(reader);
    pith_doc_free(doc);
    return status == PITH_OK ? 0 : 1;
}
