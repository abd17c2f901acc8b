/*
 * fuzz_gcf.c - any bytes as GCF, whole and in pieces, and any JSON through GCF and back.
 *
 *     byte 0   bit 0     write level 3.6
 *              bit 1     flatten=false
 *              bit 2     inline-schema=false
 *              bit 3     shared-schema=false
 *              bit 4     the text is the body: the first line goes before it
 *              bit 5     the text is JSON, if it is
 *     byte 1   the size of the pieces that the rows are taken from
 *     the rest is the text
 *
 * What must hold: a text is refused with a place and a reason, and pith_check finds that
 * reason first; or it is accepted, and then pith_check finds nothing, and the value
 * survives JSON, and GCF with any settings. Rows may order their keys as the header
 * does, and numbers are written in their canonical digits: so keys are compared without
 * regard to order and numbers by value, but what GCF gives back must be written as the
 * same GCF. Rows that are taken off the stream are the elements of the array that the
 * whole text holds, or it is refused either way.
 */
#include "pieces.h"

enum { DEPTH_MOST = ROWS_DEPTH_MOST };

static const char first_line[] = "GCF profile=generic\n";

/* Through GCF and back. A number that GCF has no place for is refused. */
static void check_writing(const char *settings, pith_value root)
{
    pith_options options = {0};
    options.write = settings;
    pith_buffer gcf = {0};
    pith_error err = {0};
    pith_status status =
        pith_value_write(root, "gcf", &options, pith_sink_buffer(&gcf), &err);
    if (status == PITH_UNREPRESENTABLE) {
        REQUIRE(strcmp(err.code, "out_of_range") == 0);
        pith_buffer_free(&gcf);
        return;
    }
    REQUIRE(status == PITH_OK);
    pith_doc *doc = fuzz_read("gcf", &gcf, NULL);
    REQUIRE(fuzz_same_value(root, pith_doc_root(doc)));
    pith_buffer again = fuzz_write(pith_doc_root(doc), "gcf", settings);
    REQUIRE(fuzz_same_bytes(&again, &gcf));
    pith_buffer_free(&again);
    pith_buffer_free(&gcf);
    pith_doc_free(doc);
}

/* The rows of the text: what a reader should hand out. A table under a name is one too,
 * if there is nothing else. */
static pith_value first_row(pith_value root, bool named)
{
    pith_value table = named ? pith_value_first(root) : root;
    return pith_value_kind(table) == PITH_ARRAY ? pith_value_first(table) : root;
}

static void check_rows(const char *text, size_t len, size_t size, const pith_doc *doc)
{
    pith_error err = {0};
    pith_value none = {0};
    pith_value root = doc ? pith_doc_root(doc) : none;
    bool same = true;
    if (!doc) {
        fuzz_take_rows("gcf", text, len, size, none, &same, &err);
        REQUIRE(err.status != PITH_OK);
        fuzz_is_whole_error(&err, len);
        return;
    }
    fuzz_take_rows("gcf", text, len, size, first_row(root, false), &same, &err);
    if (err.status != PITH_OK) {
        REQUIRE(strcmp(err.code, "not_a_table") == 0);
    } else if (!same) {
        bool named = true;
        REQUIRE(pith_value_kind(root) == PITH_OBJECT && pith_value_count(root) == 1);
        fuzz_take_rows("gcf", text, len, size, first_row(root, true), &named, &err);
        REQUIRE(named);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 2)
        return 0;
    char settings[96];
    snprintf(settings, sizeof settings,
             "level=%s flatten=%s inline-schema=%s shared-schema=%s",
             data[0] & 1 ? "3.6" : "3.5", data[0] & 2 ? "false" : "true",
             data[0] & 4 ? "false" : "true", data[0] & 8 ? "false" : "true");
    size_t head = data[0] & 16 ? sizeof first_line - 1 : 0;
    size_t len = head + size - 2;
    char *text = malloc(len ? len : 1);
    REQUIRE(text != NULL);
    memcpy(text, first_line, head);
    memcpy(text + head, data + 2, size - 2);
    pith_options options = {0};
    options.depth_max = DEPTH_MOST;
    pith_error err = {0};
    pith_doc *doc = pith_doc_parse("gcf", text, len, &options, &err);
    if (doc) {
        fuzz_accepted("gcf", text, len, &options, pith_doc_root(doc));
        check_writing(settings, pith_doc_root(doc));
    } else {
        fuzz_refused("gcf", text, len, &options, &err);
    }
    check_rows(text, len, (size_t)data[1] + 1, doc);
    pith_doc_free(doc);
    if (data[0] & 32) {
        doc = pith_doc_parse("json", text + head, len - head, &options, NULL);
        if (doc)
            check_writing(settings, pith_doc_root(doc));
        pith_doc_free(doc);
    }
    free(text);
    return 0;
}
