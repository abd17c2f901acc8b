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
#include "graphs.h"

static const char plain[] = "level=3.6";

static pith_buffer write_graph(code_graph *graph, const char *format, const char *words)
{
    pith_options options = {0};
    pith_buffer out = {0};
    pith_error err = {0};
    options.write = words;
    pith_status status =
        made_graph_write(graph, format, &options, pith_sink_buffer(&out), &err);
    if (status != PITH_OK)
        fprintf(stderr, "%s: %s\n", err.code, err.message);
    REQUIRE(status == PITH_OK);
    return out;
}

static void read_graph(code_graph *graph, const char *format, const pith_buffer *text)
{
    pith_error err = {0};
    pith_status status =
        made_graph_read(graph, format, text->data, text->len, NULL, &err);
    if (status != PITH_OK)
        fprintf(stderr, "%zu: %s\n%s\n", err.line, err.message, text->data);
    REQUIRE(status == PITH_OK);
}

static void there_and_back(code_graph *graph, const char *format, const char *words)
{
    code_graph *back = made_graph_new(NULL);
    pith_buffer text = write_graph(graph, format, words);
    read_graph(back, format, &text);
    require_same_root(graph, back);
    pith_buffer again = write_graph(back, format, words);
    REQUIRE(again.len == text.len && memcmp(again.data, text.data, text.len) == 0);
    pith_buffer_free(&again);
    pith_buffer_free(&text);
    made_graph_free(back);
}

static void as_stream(const code_graph *graph)
{
    pith_buffer text = {0};
    pith_options options = {0};
    options.write = "lossy=true"; /* a stream has no room for places */
    REQUIRE(made_graph_stream(graph, &options, pith_sink_buffer(&text), NULL) == PITH_OK);
    code_graph *back = made_graph_new(NULL);
    read_graph(back, NULL, &text);
    require_same_root(graph, back);
    made_graph_free(back);
    pith_buffer_free(&text);
}

static void as_delta(code_graph *base, code_graph *next)
{
    pith_buffer text = {0};
    pith_error err = {0};
    pith_options options = {0};
    options.write = plain;
    pith_status status =
        made_graph_delta(base, next, &options, pith_sink_buffer(&text), &err);
    /* What a delta cannot say is told whole. */
    REQUIRE(status == PITH_OK || strcmp(err.code, "no_delta") == 0);
    status = made_graph_apply(base, base, text.data, text.len, &err);
    if (status != PITH_OK)
        fprintf(stderr, "%zu: %s\n%s\n", err.line, err.message, text.data);
    REQUIRE(status == PITH_OK);
    require_same_root(base, next);
    pith_buffer_free(&text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    draw from = draw_from(data, size);
    code_graph *base = made_graph_new(NULL);
    code_graph *next = made_graph_new(NULL);
    REQUIRE(base != NULL && next != NULL);
    bool good = draw_graph(&from, base);
    good = draw_graph(&from, next) && good;
    if (good) {
        there_and_back(base, "gcf-graph", plain);
        there_and_back(base, "json", NULL);
        there_and_back(base, "gcf-graph", "level=3.5 lossy=true");
        as_stream(base);
        as_delta(base, next);
    }
    made_graph_free(base);
    made_graph_free(next);
    return 0;
}
