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
#include "fuzzing.h"

enum { DEPTH_MOST = 60 };

static const char first_line[] = "GCF profile=generic\n";

static void check_refused(const char *text, size_t len, const pith_options *options,
                          const pith_error *err)
{
    fuzz_is_whole_error(err, len);
    fuzz_problems problems = {{0}, 0};
    pith_error verdict = {0};
    pith_check("gcf", text, len, options, fuzz_note, &problems, &verdict);
    REQUIRE(problems.count >= 1);
    REQUIRE(fuzz_same_error(&problems.first, err));
    REQUIRE(fuzz_same_error(&verdict, err));
}

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
    options.depth_max = PITH_DEPTH_MOST;
    pith_doc *doc = pith_doc_parse("gcf", gcf.data, gcf.len, &options, &err);
    if (!doc) {
        fprintf(stderr, "%zu:%zu: %s\n%.*s\n", err.line, err.column, err.message,
                (int)gcf.len, gcf.data);
    }
    REQUIRE(doc != NULL);
    REQUIRE(fuzz_same_value(root, pith_doc_root(doc)));
    pith_buffer again = fuzz_write(pith_doc_root(doc), "gcf", settings);
    REQUIRE(again.len == gcf.len && memcmp(again.data, gcf.data, gcf.len) == 0);
    pith_buffer_free(&again);
    pith_buffer_free(&gcf);
    pith_doc_free(doc);
}

static void check_accepted(const char *text, size_t len, const pith_options *options,
                           const char *settings, pith_value root)
{
    fuzz_problems problems = {{0}, 0};
    REQUIRE(pith_check("gcf", text, len, options, fuzz_note, &problems, NULL) == PITH_OK);
    REQUIRE(problems.count == 0);
    pith_buffer json = fuzz_write(root, "json", NULL);
    fuzz_reads_back("json", &json, root);
    pith_buffer_free(&json);
    check_writing(settings, root);
}

/* The rows of the text: what a reader should hand out. A table under a name is one too,
 * if there is nothing else. */
static pith_value first_row(pith_value root, bool named)
{
    pith_value table = named ? pith_value_first(root) : root;
    return pith_value_kind(table) == PITH_ARRAY ? pith_value_first(table) : root;
}

/* Takes the rows in pieces and compares them with those from `row` on; how many there
 * were. False in `*same` when they differ. */
static size_t take_rows(const char *text, size_t len, size_t size, pith_value row,
                        bool *same, pith_error *err)
{
    pith_options options = {0};
    options.depth_max = DEPTH_MOST;
    pith_reader *reader = pith_reader_open("gcf", &options, NULL);
    pith_status status = PITH_OK;
    size_t count = 0;
    REQUIRE(reader != NULL);
    for (size_t at = 0; status == PITH_OK && at <= len; at += size) {
        size_t piece = len - at < size ? len - at : size;
        status = pith_reader_feed(reader, text + at, piece, err);
        if (status == PITH_OK && at + size > len)
            status = pith_reader_end(reader, err);
        while (status == PITH_OK) {
            pith_value taken;
            status = pith_reader_next(reader, &taken, err);
            if (status != PITH_OK || !taken.doc)
                break;
            *same = *same && row.doc && pith_value_equal(taken, row);
            row = row.doc ? pith_value_next(row) : row;
            count++;
        }
    }
    err->status = status;
    *same = *same && !row.doc;
    pith_reader_free(reader);
    return count;
}

static void check_rows(const char *text, size_t len, size_t size, const pith_doc *doc)
{
    pith_error err = {0};
    pith_value none = {0};
    pith_value root = doc ? pith_doc_root(doc) : none;
    bool same = true;
    if (!doc) {
        take_rows(text, len, size, none, &same, &err);
        REQUIRE(err.status != PITH_OK);
        fuzz_is_whole_error(&err, len);
        return;
    }
    take_rows(text, len, size, first_row(root, false), &same, &err);
    if (err.status != PITH_OK) {
        REQUIRE(strcmp(err.code, "not_a_table") == 0);
    } else if (!same) {
        bool named = true;
        REQUIRE(pith_value_kind(root) == PITH_OBJECT && pith_value_count(root) == 1);
        take_rows(text, len, size, first_row(root, true), &named, &err);
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
        check_accepted(text, len, &options, settings, pith_doc_root(doc));
    } else {
        check_refused(text, len, &options, &err);
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
