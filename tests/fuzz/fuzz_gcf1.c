/*
 * fuzz_gcf1.c - any bytes as GCF 1, and any JSON through GCF 1 and back.
 *
 *     byte 0   bit 0     write level 1.4
 *              bit 1     the text is JSON, if it is
 *              bit 2     the text is a graph
 *              bit 3     write quote=seed
 *     the rest is the text
 *
 * What must hold: a text is refused with a place and a reason, which pith_check finds
 * first; or it is accepted, and then pith_check finds nothing, but for scores of a graph
 * that are not as the format writes them. What was read as a graph is written as one, and
 * once written is the same text for ever. A value is written only if it comes back as it
 * was; and with lossy=true it is always written.
 */
#include "fuzzing.h"

/* What a byte chooses: without loss, and with it. */
static const char *const words[4][2] = {
    {NULL, "lossy=true"},
    {"level=1.4", "level=1.4 lossy=true"},
    {"quote=seed", "quote=seed lossy=true"},
    {"level=1.4 quote=seed", "level=1.4 quote=seed lossy=true"},
};

static void check_writing(pith_value root, unsigned style)
{
    pith_options options = {0};
    pith_error err = {0};
    pith_buffer text = {0};
    options.write = words[style][0];
    options.depth_max = PITH_DEPTH_MOST;
    pith_status status =
        pith_value_write(root, "gcf1", &options, pith_sink_buffer(&text), &err);
    if (status == PITH_OK) {
        pith_doc *doc = pith_doc_parse("gcf1", text.data, text.len, &options, &err);
        REQUIRE(doc != NULL);
        REQUIRE(fuzz_same_value(root, pith_doc_root(doc)));
        pith_doc_free(doc);
    } else {
        REQUIRE(status == PITH_UNREPRESENTABLE && strcmp(err.code, "lossy") == 0);
    }
    pith_buffer lossy = fuzz_write(root, "gcf1", words[style][1]);
    pith_buffer_free(&lossy);
    pith_buffer_free(&text);
}

static void check_graph(const pith_doc *doc, bool newer)
{
    const char *level = newer ? "level=1.4" : NULL;
    pith_buffer json = fuzz_write(pith_doc_root(doc), "json", NULL);
    fuzz_reads_back("json", &json, pith_doc_root(doc));
    pith_buffer first = fuzz_write(pith_doc_root(doc), "gcf1-graph", level);
    pith_doc *back = pith_doc_parse("gcf1-graph", first.data, first.len, NULL, NULL);
    REQUIRE(back != NULL);
    pith_buffer second = fuzz_write(pith_doc_root(back), "gcf1-graph", level);
    REQUIRE(first.len == second.len && memcmp(first.data, second.data, first.len) == 0);
    pith_doc_free(back);
    pith_buffer_free(&second);
    pith_buffer_free(&first);
    pith_buffer_free(&json);
}

static void check_text(const char *format, const char *text, size_t len, unsigned style)
{
    pith_options options = {0};
    pith_error err = {0};
    fuzz_problems problems = {{0}, 0};
    options.depth_max = 60;
    pith_doc *doc = pith_doc_parse(format, text, len, &options, &err);
    pith_status status =
        pith_check(format, text, len, &options, fuzz_note, &problems, NULL);
    bool graph = strcmp(format, "gcf1-graph") == 0;
    bool scores = problems.count > 0 && strcmp(problems.first.code, "invalid_score") == 0;
    if (!doc) {
        fuzz_is_whole_error(&err, len);
        REQUIRE(problems.count >= 1);
        REQUIRE(scores || fuzz_same_error(&problems.first, &err));
        return;
    }
    REQUIRE(scores || (status == PITH_OK && problems.count == 0));
    if (graph)
        check_graph(doc, style & 1);
    else
        check_writing(pith_doc_root(doc), style);
    pith_doc_free(doc);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 1)
        return 0;
    unsigned style = (data[0] & 1u) | (data[0] & 8u ? 2u : 0u);
    char *text = fuzz_copy(data + 1, size - 1);
    size_t len = size - 1;
    if (data[0] & 2) {
        pith_options options = {0};
        options.depth_max = 60;
        pith_doc *doc = pith_doc_parse("json", text, len, &options, NULL);
        if (doc)
            check_writing(pith_doc_root(doc), style);
        pith_doc_free(doc);
    } else {
        check_text(data[0] & 4 ? "gcf1-graph" : "gcf1", text, len, style);
    }
    free(text);
    return 0;
}
