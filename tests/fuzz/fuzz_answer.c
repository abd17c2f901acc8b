/*
 * fuzz_answer.c - any bytes as the answer of a model, whole and while it arrives.
 *
 *     byte 0   bits 0-1  what may be mended
 *              bits 2-3  which of several finds is taken
 *     byte 1   the size of the pieces in which it arrives
 *     the rest is the text
 *
 * What must hold: an answer is refused with a place and a reason, or what is found in it
 * survives JSON. In pieces the end says the same as the whole text does. After each piece
 * there is a document that can be written (in an object that is still open two keys may be
 * equal), with at most as many complete elements as it has, and what is finished is not
 * partial.
 */
#include "fuzzing.h"

static void look(const pith_answer *answer)
{
    pith_value root = pith_answer_root(answer);
    if (!root.doc) {
        REQUIRE(pith_answer_complete(answer) == 0);
        return;
    }
    pith_buffer json = fuzz_write(root, "json", NULL);
    pith_error err = {0};
    pith_doc *back = pith_doc_parse("json", json.data, json.len, NULL, &err);
    REQUIRE(back ? pith_value_equal(pith_doc_root(back), root)
                 : strcmp(err.code, "duplicate_key") == 0);
    pith_doc_free(back);
    pith_buffer_free(&json);
    REQUIRE(pith_answer_complete(answer) <= pith_value_count(root));
    if (pith_answer_finished(answer))
        REQUIRE(!pith_value_partial(root));
}

/* What the end of all pieces says, and the value if there is one. */
static void check_pieces(const char *text, size_t len, size_t size,
                         const pith_options *options, const pith_doc *whole,
                         const pith_error *expected)
{
    pith_error err = {0};
    pith_answer *answer = pith_answer_open(options, &err);
    REQUIRE(answer != NULL);
    pith_status status = PITH_OK;
    for (size_t at = 0; at < len && status == PITH_OK; at += size) {
        size_t piece = size < len - at ? size : len - at;
        status = pith_answer_feed(answer, text + at, piece, &err);
        if (status == PITH_OK)
            look(answer);
    }
    if (status == PITH_OK)
        status = pith_answer_end(answer, &err);
    REQUIRE((status == PITH_OK) == (whole != NULL));
    if (whole)
        REQUIRE(pith_value_equal(pith_answer_root(answer), pith_doc_root(whole)));
    else
        REQUIRE(fuzz_same_error(&err, expected));
    pith_answer_free(answer);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const settings[16] = {
        "mend=none",
        "mend=safe",
        "mend=all",
        "mend=all",
        "mend=none pick=last",
        "mend=safe pick=last",
        "mend=all pick=last",
        "mend=all pick=last",
        "mend=none pick=all",
        "mend=safe pick=all",
        "mend=all pick=all",
        "mend=all pick=all",
        "duplicates=last",
        "mend=safe",
        "mend=all duplicates=last",
        "mend=all duplicates=last pick=all",
    };
    if (size < 2)
        return 0;
    size_t len = size - 2;
    char *text = fuzz_copy(data + 2, len);
    pith_options options = {0};
    options.read = settings[data[0] % 16];
    /* An answer that is looked at after each piece takes its length times the pieces. */
    size_t piece = 1 + data[1] % 64 + len / 64;

    pith_error err = {0};
    pith_doc *doc = pith_doc_parse("answer", text, len, &options, &err);
    if (doc) {
        pith_buffer json = fuzz_write(pith_doc_root(doc), "json", NULL);
        fuzz_reads_back("json", &json, pith_doc_root(doc));
        pith_buffer_free(&json);
    } else {
        fuzz_is_whole_error(&err, len);
    }
    check_pieces(text, len, piece, &options, doc, &err);
    pith_doc_free(doc);
    free(text);
    return 0;
}
