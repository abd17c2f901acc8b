/*
 * fuzz_pith.c - any bytes as Pith, whole and in pieces, any JSON through Pith and back,
 * and values made from a seed.
 *
 *     byte 0   bits 0-2  settings to write with
 *              bit 5     in level 2
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
#include "making.h"
#include "pieces.h"

enum { DEPTH_MOST = ROWS_DEPTH_MOST };

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

static const char *const dense_settings[8] = {
    "level=2",
    "level=2 rows=inline",
    "level=2 names=false",
    "level=2 stems=false",
    "level=2 models=false",
    "level=2 fill=false",
    "level=2 templates=false",
    "level=2 names=false stems=false models=false",
};

/* Through Pith and back. */
static void check_writing(const char *words, pith_value root)
{
    pith_buffer json = fuzz_write(root, "json", NULL);
    pith_buffer text = fuzz_write(root, "pith", words);
    REQUIRE(text.len <= json.len);
    fuzz_reads_back("pith", &text, root);
    fuzz_reads_back("pith", &json, root);
    pith_doc *doc = fuzz_read("pith", &text, NULL);
    pith_buffer again = fuzz_write(pith_doc_root(doc), "pith", words);
    REQUIRE(fuzz_same_bytes(&again, &text));
    pith_doc_free(doc);
    pith_buffer_free(&again);
    pith_buffer_free(&text);
    pith_buffer_free(&json);

    /* Order and digits may change here, so only that it can be read is asked. */
    bool dense = words && strncmp(words, "level=2", 7) == 0;
    pith_buffer loose = fuzz_write(root, "pith",
                                   dense ? "level=2 order=free numbers=shortest"
                                         : "order=free numbers=shortest");
    doc = fuzz_read("pith", &loose, NULL);
    REQUIRE(pith_value_count(pith_doc_root(doc)) == pith_value_count(root));
    pith_doc_free(doc);
    pith_buffer_free(&loose);
}

static void check_rows(const char *text, size_t len, size_t size, const pith_doc *doc,
                       const pith_error *whole)
{
    pith_error err = {0};
    pith_value none = {0};
    pith_value root = doc ? pith_doc_root(doc) : none;
    bool array = pith_value_kind(root) == PITH_ARRAY;
    bool same = true;
    fuzz_take_rows("pith", text, len, size, array ? pith_value_first(root) : root, &same,
                   &err);
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
        fuzz_accepted("pith", text, len, &options, pith_doc_root(doc));
        check_writing(words, pith_doc_root(doc));
    } else {
        fuzz_refused("pith", text, len, &options, &err);
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
    bool dense = data[0] & 32;
    const char *words = dense ? dense_settings[data[0] & 7] : settings[data[0] & 7];
    size_t piece = (size_t)data[1] + 1;
    if (data[0] & 16) {
        bytes json = {0};
        uint64_t state = 0;
        for (size_t i = 0; i < size; i++)
            state = state * 31 + data[i];
        make_json(&json, &state, dense ? MAKE_REPEATS : MAKE_ANY);
        check_text(json.ptr, json.len, words, piece, true);
        bytes_free(&json);
        return 0;
    }
    char *text = fuzz_copy(data + 2, size - 2);
    check_text(text, size - 2, words, piece, (data[0] & 8) != 0);
    free(text);
    return 0;
}
