/*
 * fuzz_trip_session.c - a conversation of drawn graphs, told by one session and heard by
 * another.
 *
 *     byte 0   the most symbols a session may know, if not 0
 *     the rest is up to eight turns with a newline between them, see drawn_graph.h; a `u`
 *     at the start of one says that the text before it did not arrive, an `r` that both
 *     ends are saved and restored first
 *
 * What must hold: every graph arrives with its root, whatever was told before it; and a
 * session that was saved and restored saves the same bytes.
 */
#include "drawn_graph.h"
#include "graphs.h"

enum { TURNS_MOST = 8 };

static pith_session *restored(pith_session *session, const pith_session_limits *limits)
{
    pith_buffer saved = {0};
    pith_buffer again = {0};
    REQUIRE(pith_session_save(session, pith_sink_buffer(&saved), NULL) == PITH_OK);
    pith_session *other = pith_session_new(limits, NULL);
    REQUIRE(other != NULL);
    REQUIRE(pith_session_restore(other, saved.data, saved.len, NULL) == PITH_OK);
    REQUIRE(pith_session_save(other, pith_sink_buffer(&again), NULL) == PITH_OK);
    REQUIRE(again.len == saved.len && memcmp(again.data, saved.data, saved.len) == 0);
    pith_buffer_free(&saved);
    pith_buffer_free(&again);
    pith_session_free(session);
    return other;
}

static void tell(pith_session *writer, pith_session *reader, code_graph *graph,
                 uint64_t now, bool lost)
{
    pith_buffer text = {0};
    pith_error err = {0};
    pith_options options = {0};
    options.write = now % 180 ? "level=3.6 turns=true" : "level=3.6";
    REQUIRE(made_graph_tell(writer, graph, now, &options, pith_sink_buffer(&text),
                            &err) == PITH_OK);
    if (lost) {
        pith_session_lost(writer);
    } else {
        code_graph *heard = made_graph_new(NULL);
        pith_status status =
            made_graph_hear(reader, heard, text.data, text.len, now, &err);
        if (status != PITH_OK) {
            fprintf(stderr, "%zu: %s: %s\n%s\n", err.line, err.code, err.message,
                    text.data);
        }
        REQUIRE(status == PITH_OK);
        require_same_root(graph, heard);
        made_graph_free(heard);
    }
    pith_buffer_free(&text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    draw from = draw_from(data, size);
    pith_session_limits limits = {.ids_max = draw_byte(&from)};
    pith_session *writer = pith_session_new(&limits, NULL);
    pith_session *reader = pith_session_new(&limits, NULL);
    code_graph *graph = made_graph_new(NULL);
    REQUIRE(writer != NULL && reader != NULL && graph != NULL);
    for (uint64_t turn = 1; turn <= TURNS_MOST && from.at < from.end; turn++) {
        bool lost = *from.at == 'u';
        if (*from.at == 'r') {
            writer = restored(writer, &limits);
            reader = restored(reader, &limits);
        }
        if (draw_graph(&from, graph))
            tell(writer, reader, graph, turn * 60, lost);
    }
    made_graph_free(graph);
    pith_session_free(writer);
    pith_session_free(reader);
    return 0;
}
