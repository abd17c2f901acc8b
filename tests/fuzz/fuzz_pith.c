/*
 * fuzz_pith.c - any bytes as Pith, whole and in pieces, any JSON through Pith and back,
 * and values made from a seed.
 *
 *     byte 0   bits 0-2  settings to write with
 *              bit 3     the text is JSON, if it is
 *              bit 4     the bytes are a seed: the text is a value made from it
 *     byte 1   the size of the pieces that the rows are taken from
 *     the rest is the text
 *
 * What must hold: a text is refused with a place and a reason, and pith_check finds that
 * reason first; or it is accepted, and then pith_check finds nothing, and the value
 * survives JSON, and Pith with any settings that keep order and digits, and is written
 * the same when it has come back, in no more bytes than JSON. Every JSON text that is
 * accepted as JSON is accepted as Pith, as the same value. Rows that are taken off the
 * stream are the elements of the array that the whole text holds, or it is refused either
 * way.
 */
#include "fuzzing.h"
#include "making.h"

enum { DEPTH_MOST = 60 };

static const char *const settings[8] = {
    NULL,
    "rows=inline",
    "groups=false",
    "table-columns=false",
    "constants=false",
    "maps=false",
    "groups=false table-columns=false constants=false maps=false",
    "rows=inline maps=false",
};

static void check_refused(const char *text, size_t len, const pith_options *options,
                          const pith_error *err)
{
    fuzz_is_whole_error(err, len);
    fuzz_problems problems = {{0}, 0};
    pith_error verdict = {0};
    pith_check("pith", text, len, options, fuzz_note, &problems, &verdict);
    REQUIRE(problems.count >= 1);
    REQUIRE(fuzz_same_error(&problems.first, err));
    REQUIRE(fuzz_same_error(&verdict, err));
}

/* Through Pith and back. */
static void check_writing(const char *words, pith_value root)
{
    pith_buffer json = fuzz_write(root, "json", NULL);
    pith_buffer text = fuzz_write(root, "pith", words);
    REQUIRE(text.len <= json.len);
    fuzz_reads_back("pith", &text, root);
    fuzz_reads_back("pith", &json, root);
    pith_options options = {0};
    options.depth_max = PITH_DEPTH_MOST;
    pith_doc *doc = pith_doc_parse("pith", text.data, text.len, &options, NULL);
    REQUIRE(doc != NULL);
    pith_buffer again = fuzz_write(pith_doc_root(doc), "pith", words);
    REQUIRE(again.len == text.len && memcmp(again.data, text.data, text.len) == 0);
    pith_doc_free(doc);
    pith_buffer_free(&again);
    pith_buffer_free(&text);
    pith_buffer_free(&json);

    /* Order and digits may change here, so only that it can be read is asked. */
    pith_buffer loose = fuzz_write(root, "pith", "order=free numbers=shortest");
    doc = pith_doc_parse("pith", loose.data, loose.len, &options, NULL);
    REQUIRE(doc != NULL);
    REQUIRE(pith_value_count(pith_doc_root(doc)) == pith_value_count(root));
    pith_doc_free(doc);
    pith_buffer_free(&loose);
}

static void check_accepted(const char *text, size_t len, const pith_options *options,
                           const char *words, pith_value root)
{
    fuzz_problems problems = {{0}, 0};
    REQUIRE(pith_check("pith", text, len, options, fuzz_note, &problems, NULL) ==
            PITH_OK);
    REQUIRE(problems.count == 0);
    check_writing(words, root);
}

/* Takes the rows in pieces and compares them with those from `row` on. False in `*same`
 * when they differ. */
static void take_rows(const char *text, size_t len, size_t size, pith_value row,
                      bool *same, pith_error *err)
{
    pith_options options = {0};
    options.depth_max = DEPTH_MOST;
    pith_reader *reader = pith_reader_open("pith", &options, NULL);
    pith_status status = PITH_OK;
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
        }
    }
    err->status = status;
    *same = *same && !row.doc;
    pith_reader_free(reader);
}

static void check_rows(const char *text, size_t len, size_t size, const pith_doc *doc,
                       const pith_error *whole)
{
    pith_error err = {0};
    pith_value none = {0};
    pith_value root = doc ? pith_doc_root(doc) : none;
    bool array = pith_value_kind(root) == PITH_ARRAY;
    bool same = true;
    take_rows(text, len, size, array ? pith_value_first(root) : root, &same, &err);
    if (doc) {
        REQUIRE(err.status == PITH_OK);
        REQUIRE(same);
        return;
    }
    REQUIRE(err.status == whole->status);
    fuzz_is_whole_error(&err, len);
}

static void check_text(const char *text, size_t len, const char *words, size_t piece,
                       bool json)
{
    pith_options options = {0};
    options.depth_max = DEPTH_MOST;
    pith_error err = {0};
    pith_doc *doc = pith_doc_parse("pith", text, len, &options, &err);
    if (doc) {
        check_accepted(text, len, &options, words, pith_doc_root(doc));
    } else {
        check_refused(text, len, &options, &err);
    }
    check_rows(text, len, piece, doc, &err);
    pith_doc *other = json ? pith_doc_parse("json", text, len, &options, NULL) : NULL;
    bool marked = len >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0;
    if (other && !marked) {
        REQUIRE(doc != NULL);
        REQUIRE(pith_value_equal(pith_doc_root(doc), pith_doc_root(other)));
    }
    pith_doc_free(other);
    pith_doc_free(doc);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 2)
        return 0;
    const char *words = settings[data[0] & 7];
    size_t piece = (size_t)data[1] + 1;
    if (data[0] & 16) {
        bytes json = {0};
        uint64_t state = 0;
        for (size_t i = 0; i < size; i++)
            state = state * 31 + data[i];
        make_json(&json, &state, MAKE_ANY);
        check_text(json.ptr, json.len, words, piece, true);
        bytes_free(&json);
        return 0;
    }
    char *text = fuzz_copy(data + 2, size - 2);
    check_text(text, size - 2, words, piece, (data[0] & 8) != 0);
    free(text);
    return 0;
}
