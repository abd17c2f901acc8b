/*
 * fuzz_ndjson.c - any bytes as lines of JSON, whole and in pieces.
 *
 *     byte 0   bit 0     duplicates=last
 *              bit 1     surrogates=replace
 *              bit 2     take rows after each piece, or only at the end
 *              bit 3     a depth limit of 3
 *     byte 1   the size of the pieces; 0 changes it from piece to piece
 *     the rest is the text
 *
 * What must hold: the rows that come out of the pieces are the elements of the
 * document that the whole text is, or both ways fail with the same error at the same
 * place, and the rows before it are right; and what is accepted survives being written.
 */
#include "pieces.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 2)
        return 0;
    static const char *const read[] = {NULL, "duplicates=last", "surrogates=replace",
                                       "surrogates=replace duplicates=last"};
    pith_options options = {0};
    options.read = read[data[0] & 3];
    options.depth_max = data[0] & 8 ? 3 : 0;
    size_t len = size - 2;
    char *text = fuzz_copy(data + 2, len);
    pieces p = {text, len, 0, data[1] ? data[1] : 1, data[1] == 0};
    bool early = data[0] & 4;

    pith_error err = {0}, row_err = {0};
    size_t count = 0;
    pith_doc *doc = pith_doc_parse("ndjson", text, len, &options, &err);
    pith_value root = doc ? pith_doc_root(doc) : (pith_value){0};
    pith_status status =
        read_in_pieces("ndjson", &options, &p, early, root, &count, &row_err);
    if (!doc) {
        fuzz_refused("ndjson", text, len, &options, &err);
        REQUIRE(status == err.status && row_err.offset == err.offset);
        REQUIRE(row_err.line == err.line && row_err.column == err.column);
        REQUIRE(strcmp(row_err.code, err.code) == 0);
    } else {
        REQUIRE(status == PITH_OK && count == pith_value_count(root));
        fuzz_accepted("ndjson", text, len, &options, root);
        pith_buffer lines = fuzz_write(root, "ndjson", NULL);
        fuzz_reads_back("ndjson", &lines, root);
        pith_buffer_free(&lines);
        lines = fuzz_write(root, "ndjson", "ascii=true");
        fuzz_reads_back("ndjson", &lines, root);
        pith_buffer_free(&lines);
    }
    pith_doc_free(doc);
    free(text);
    return 0;
}
