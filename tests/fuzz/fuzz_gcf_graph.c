/*
 * fuzz_gcf_graph.c - any bytes as a graph of GCF, as a change to one, and as a turn of a
 * session.
 *
 *     byte 0   bit 0     the text is the body: a first line goes before it
 *              bit 1     the text is a delta
 *              bit 2     the text is a turn of a session
 *     byte 1   nothing
 *     the rest is the text
 *
 * What must hold: a text is refused with a place and a reason, and pith_check finds that
 * reason first; or it is accepted, and then pith_check finds nothing, the graph is written
 * as one text in all ways, and that text is read as the same graph. A delta is refused and
 * leaves nothing, or leads to the root it promised. A turn is refused and leaves the
 * session as it was, or the session can be saved and restored.
 */
#include "fuzzing.h"
#include "graphs.h"

#include "base/text.h"
#include "format/gcf/gcf_graph.h"

static const char base_text[] =
    "GCF profile=graph\n## targets\n@0 fn a 0.50 p\n"
    "@1 fn b 0.25 p\n@2 type b 0.25 p\n## edges\n@0<@1 calls\n";

static const char first_line[] = "GCF profile=graph session=true\n";

static pith_buffer write_graph(code_graph *graph)
{
    pith_buffer out = {0};
    pith_options options = {0};
    options.write = "level=3.6";
    REQUIRE(made_graph_write(graph, "gcf-graph", &options, pith_sink_buffer(&out),
                             NULL) == PITH_OK);
    return out;
}

/* ----------------------------------------------------------------- whole graphs */

static void check_accepted(const char *text, size_t len, pith_doc *doc)
{
    code_graph *graph = made_graph_new(NULL);
    code_graph *again = made_graph_new(NULL);
    REQUIRE(made_graph_read(graph, "gcf", text, len, NULL, NULL) == PITH_OK);
    pith_buffer once = write_graph(graph);
    REQUIRE(made_graph_read(again, NULL, once.data, once.len, NULL, NULL) == PITH_OK);
    pith_buffer twice = write_graph(again);
    REQUIRE(once.len == twice.len && memcmp(once.data, twice.data, once.len) == 0);
    pith_buffer other = fuzz_write(pith_doc_root(doc), "gcf-graph", "level=3.6");
    REQUIRE(once.len == other.len && memcmp(once.data, other.data, once.len) == 0);
    pith_buffer json = fuzz_write(pith_doc_root(doc), "json", NULL);
    fuzz_reads_back("json", &json, pith_doc_root(doc));
    pith_buffer_free(&once);
    pith_buffer_free(&twice);
    pith_buffer_free(&other);
    pith_buffer_free(&json);
    made_graph_free(graph);
    made_graph_free(again);
}

static void as_graph(const char *text, size_t len)
{
    pith_error err = {0};
    fuzz_problems problems = {0};
    pith_doc *doc = pith_doc_parse("gcf-graph", text, len, NULL, &err);
    pith_check("gcf-graph", text, len, NULL, fuzz_note, &problems, NULL);
    if (doc) {
        REQUIRE(problems.count == 0);
        check_accepted(text, len, doc);
        pith_doc_free(doc);
    } else {
        fuzz_is_whole_error(&err, len);
        REQUIRE(problems.count > 0 && fuzz_same_error(&problems.first, &err));
    }
}

/* ----------------------------------------------------------------------- deltas */

static void as_delta(const char *text, size_t len)
{
    code_graph *base = made_graph_new(NULL);
    code_graph *next = made_graph_new(NULL);
    pith_text input = text_of(text, len);
    pith_error err = {0};
    graph_delta delta;
    reporter report;
    char root[GRAPH_ROOT_LEN];
    REQUIRE(made_graph_read(base, NULL, base_text, sizeof base_text - 1, NULL, NULL) ==
            PITH_OK);
    REQUIRE(graph_root(base, root));
    delta_init(&delta, alloc_from(NULL));
    report_init(&report, input);
    gcf_graph_read_delta(&delta, input, &report);
    if (report_result(&report, &err) != PITH_OK) {
        fuzz_is_whole_error(&err, len);
    } else {
        /* Nobody finds a root by chance: they are not looked at here. */
        pith_status status = graph_apply(next, base, &delta, &err);
        REQUIRE(status != PITH_OK || graph_root(next, root));
        REQUIRE(status == PITH_OK || next->symbols.count == 0);
    }
    delta_free(&delta);
    made_graph_free(base);
    made_graph_free(next);
}

/* --------------------------------------------------------------------- sessions */

static pith_buffer save(const pith_session *session)
{
    pith_buffer out = {0};
    REQUIRE(pith_session_save(session, pith_sink_buffer(&out), NULL) == PITH_OK);
    return out;
}

static void as_turn(const char *text, size_t len)
{
    static const char start[] = "GCF profile=graph session=true\n## targets\n"
                                "@0 fn a 0.50 p\n@1 fn b 0.25 p\n";
    pith_session *reader = pith_session_new(NULL, NULL);
    pith_session *other = pith_session_new(NULL, NULL);
    code_graph *graph = made_graph_new(NULL);
    pith_error err = {0};
    REQUIRE(made_graph_hear(reader, graph, start, sizeof start - 1, 1, NULL) == PITH_OK);
    pith_buffer before = save(reader);
    if (made_graph_hear(reader, graph, text, len, 2, &err) == PITH_OK) {
        pith_buffer after = save(reader);
        REQUIRE(pith_session_restore(other, after.data, after.len, NULL) == PITH_OK);
        REQUIRE(made_graph_known(other) == made_graph_known(reader));
        pith_buffer_free(&after);
    } else {
        pith_buffer after = save(reader);
        fuzz_is_whole_error(&err, len);
        REQUIRE(after.len == before.len &&
                memcmp(after.data, before.data, after.len) == 0);
        REQUIRE(graph->symbols.count == 0);
        pith_buffer_free(&after);
    }
    pith_buffer_free(&before);
    pith_session_free(reader);
    pith_session_free(other);
    made_graph_free(graph);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 2)
        return 0;
    unsigned choice = data[0];
    size_t front = (choice & 1) ? sizeof first_line - 1 : 0;
    size_t len = size - 2 + front;
    uint8_t *joined = (uint8_t *)malloc(len + 1);
    REQUIRE(joined != NULL);
    memcpy(joined, first_line, front);
    memcpy(joined + front, data + 2, size - 2);
    char *text = fuzz_copy(joined, len);
    free(joined);
    as_graph(text, len);
    if (choice & 2)
        as_delta(text, len);
    if (choice & 4)
        as_turn(text, len);
    free(text);
    return 0;
}
