/*
 * fuzz_csv.c - any bytes as CSV or TSV, whole and in pieces.
 *
 *     byte 0   bits 0-1  types=infer, cells, text; 3: infer with a depth limit of 1
 *              bit 2     take rows after each piece, or only at the end
 *              bit 3     TSV
 *              bit 4     header=false
 *              bit 5     duplicates=number
 *              bits 6-7  of CSV, the delimiter: auto, comma, semicolon, pipe
 *     byte 1   the size of the pieces; 0 changes it from piece to piece
 *     the rest is the text
 *
 * What must hold: the rows that come out of the pieces are the elements of the
 * document that the whole text is, or both ways fail with the same error at the same
 * place, and the rows before it are right; what is accepted survives being written, with
 * all text in quotes, and without where cells are read one by one.
 */
#include "pieces.h"

/* What was written with `write` is read with `read` as the same value. */
static void round_trip(const char *format, const char *write, const char *read,
                       pith_value value)
{
    pith_options options = {0};
    options.read = read;
    pith_buffer text = fuzz_write(value, format, write);
    pith_error err = {0};
    pith_doc *doc = pith_doc_parse(format, text.data, text.len, &options, &err);
    REQUIRE(doc != NULL);
    REQUIRE(pith_value_equal(pith_doc_root(doc), value));
    pith_doc_free(doc);
    pith_buffer_free(&text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 2)
        return 0;
    static const char *const types[] = {"infer", "cells", "text", "infer"};
    static const char *const delimiters[] = {"", " delimiter=comma",
                                             " delimiter=semicolon", " delimiter=pipe"};
    char read[128];
    const char *format = data[0] & 8 ? "tsv" : "csv";
    snprintf(read, sizeof read, "types=%s%s%s%s", types[data[0] & 3],
             data[0] & 16 ? " header=false" : "",
             data[0] & 32 ? " duplicates=number" : "",
             data[0] & 8 ? "" : delimiters[data[0] >> 6]);
    pith_options options = {0};
    options.read = read;
    options.depth_max = (data[0] & 3) == 3 ? 1 : 0;
    size_t len = size - 2;
    char *text = fuzz_copy(data + 2, len);
    pieces p = {text, len, 0, data[1] ? data[1] : 1, data[1] == 0};

    pith_error err = {0}, row_err = {0};
    size_t count = 0;
    pith_doc *doc = pith_doc_parse(format, text, len, &options, &err);
    pith_value root = doc ? pith_doc_root(doc) : (pith_value){0};
    pith_status status =
        read_in_pieces(format, &options, &p, data[0] & 4, root, &count, &row_err);
    if (!doc) {
        fuzz_refused(format, text, len, &options, &err);
        REQUIRE(status == err.status && fuzz_same_error(&row_err, &err));
    } else {
        REQUIRE(status == PITH_OK && count == pith_value_count(root));
        fuzz_accepted(format, text, len, &options, root);
        round_trip("csv", NULL, NULL, root);
        round_trip("tsv", "newline=crlf", NULL, root);
        round_trip("csv", "quote=needed", "types=cells", root);
        round_trip("csv", "delimiter=semicolon", NULL, root);
    }
    pith_doc_free(doc);
    free(text);
    return 0;
}
