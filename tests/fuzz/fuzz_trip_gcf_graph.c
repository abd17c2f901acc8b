/*
 * fuzz_trip_gcf_graph.c - drawn graphs through GCF, as a whole and as a stream, and back.
 *
 *     the bytes are two graphs with a newline between them, see drawn_graph.h
 *
 * What must hold: a graph that was written is read as one with the same root, and written
 * as the same text again, in GCF and in JSON; the stream of its symbols and edges is read
 * as the same graph; and the delta from the first graph to the second leads there.
 */
#include "drawn_graph.h"

static const char plain[] = "level=3.6";

static pith_buffer write_graph(pith_graph *graph, const char *format, const char *words)
{
    pith_options options = {0};
    pith_buffer out = {0};
    pith_error err = {0};
    options.write = words;
    pith_status status =
        pith_graph_write(graph, format, &options, pith_sink_buffer(&out), &err);
    if (status != PITH_OK)
        fprintf(stderr, "%s: %s\n", err.code, err.message);
    REQUIRE(status == PITH_OK);
    return out;
}

static void read_graph(pith_graph *graph, const char *format, const pith_buffer *text)
{
    pith_error err = {0};
    pith_status status =
        pith_graph_read(graph, format, text->data, text->len, NULL, &err);
    if (status != PITH_OK)
        fprintf(stderr, "%zu: %s\n%s\n", err.line, err.message, text->data);
    REQUIRE(status == PITH_OK);
}

static void there_and_back(pith_graph *graph, const char *format, const char *words)
{
    pith_graph *back = pith_graph_new(NULL);
    pith_buffer text = write_graph(graph, format, words);
    read_graph(back, format, &text);
    require_same_root(graph, back);
    pith_buffer again = write_graph(back, format, words);
    REQUIRE(again.len == text.len && memcmp(again.data, text.data, text.len) == 0);
    pith_buffer_free(&again);
    pith_buffer_free(&text);
    pith_graph_free(back);
}

static void as_stream(const pith_graph *graph)
{
    pith_buffer text = {0};
    pith_options options = {0};
    options.write = "extra=drop"; /* a stream has no room for places */
    pith_graph_info info = pith_graph_get_info(graph);
    pith_graph_stream *stream =
        pith_graph_stream_open(&info, &options, pith_sink_buffer(&text), NULL);
    REQUIRE(stream != NULL);
    for (size_t i = 0; i < pith_graph_symbol_count(graph); i++) {
        pith_symbol symbol = pith_graph_symbol(graph, i);
        REQUIRE(pith_graph_stream_add_symbol(stream, &symbol) == i);
    }
    for (size_t i = 0; i < pith_graph_edge_count(graph); i++) {
        pith_edge edge = pith_graph_edge(graph, i);
        char type[32];
        snprintf(type, sizeof type, "%.*s", (int)edge.type.len, edge.type.ptr);
        pith_graph_stream_add_edge(stream, edge.source, edge.target, type, NULL);
    }
    REQUIRE(pith_graph_stream_close(stream, NULL) == PITH_OK);
    pith_graph *back = pith_graph_new(NULL);
    read_graph(back, NULL, &text);
    require_same_root(graph, back);
    pith_graph_free(back);
    pith_buffer_free(&text);
}

static void as_delta(pith_graph *base, pith_graph *next)
{
    pith_buffer text = {0};
    pith_error err = {0};
    pith_options options = {0};
    options.write = plain;
    pith_status status =
        pith_graph_delta(base, next, &options, pith_sink_buffer(&text), &err);
    if (status == PITH_OK) {
        status = pith_graph_apply(base, text.data, text.len, &err);
        if (status != PITH_OK)
            fprintf(stderr, "%zu: %s\n%s\n", err.line, err.message, text.data);
        REQUIRE(status == PITH_OK);
        require_same_root(base, next);
    } else {
        REQUIRE(status == PITH_UNREPRESENTABLE);
        REQUIRE(strcmp(err.code, "ambiguous_edge") == 0 ||
                strcmp(err.code, "duplicate_edge") == 0);
    }
    pith_buffer_free(&text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    draw from = draw_from(data, size);
    pith_graph *base = pith_graph_new(NULL);
    pith_graph *next = pith_graph_new(NULL);
    REQUIRE(base != NULL && next != NULL);
    bool good = draw_graph(&from, base);
    good = draw_graph(&from, next) && good;
    if (good) {
        there_and_back(base, "gcf-graph", plain);
        there_and_back(base, "json", NULL);
        there_and_back(base, "gcf-graph", "level=3.5 extra=drop");
        as_stream(base);
        as_delta(base, next);
    }
    pith_graph_free(base);
    pith_graph_free(next);
    return 0;
}
