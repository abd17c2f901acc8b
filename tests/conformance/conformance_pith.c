/*
 * conformance_pith.c - the vectors of the Pith notation, read with our own JSON reader.
 *
 * `encode` gives a JSON text and the bytes that must be written for it, `decode` a text
 * and the JSON that it means, `reject` a text and the category of its error.
 *
 * What is written is also read back, and written again; and it is never longer than
 * compact JSON. A text that is read is also checked, and read in pieces, and one that is rejected must be
 * rejected for the same reason when problems are collected.
 */
#define _POSIX_C_SOURCE 200809L

#include "fixtures.h"
#include "testing.h"

/* --------------------------------------------------------------------- the vectors */

static bool is_word(pith_text text, const char *word)
{
    return text.len == strlen(word) && memcmp(text.ptr, word, text.len) == 0;
}

static pith_text text_in(pith_value vector, const char *key)
{
    return pith_value_text(pith_value_get(vector, key, strlen(key)));
}

/* The text of a vector: as it stands, or as hexadecimal digits. */
static pith_buffer text_of_vector(pith_value vector)
{
    pith_buffer text = {0};
    pith_sink sink = pith_sink_buffer(&text);
    pith_text plain = text_in(vector, "text");
    pith_text hex = text_in(vector, "hex");
    assert_int_equal(sink.write(sink.ctx, plain.ptr ? plain.ptr : "", plain.len),
                     PITH_OK);
    for (size_t i = 0; i + 1 < hex.len; i += 2) {
        char pair[3] = {hex.ptr[i], hex.ptr[i + 1], '\0'};
        char byte = (char)strtoul(pair, NULL, 16);
        assert_int_equal(sink.write(sink.ctx, &byte, 1), PITH_OK);
    }
    return text;
}

/* Writes the value of a vector, reads that back and writes it again. */
static bool write_and_back(pith_value vector, pith_value value, const char *words)
{
    pith_text expected = text_in(vector, "text");
    pith_options options = with_settings(NULL, words);
    pith_buffer text = must_write(value, "pith", &options);
    bool fine = same_bytes("written", text.data, text.len, expected.ptr, expected.len);
    pith_error err = {0};
    pith_doc *back = pith_doc_parse("pith", text.data, text.len, NULL, &err);
    fine = back && pith_value_equal(value, pith_doc_root(back)) && fine;
    if (back) {
        pith_buffer again = must_write(pith_doc_root(back), "pith", &options);
        fine = same_bytes("again", again.data, again.len, text.data, text.len) && fine;
        pith_buffer_free(&again);
    }
    pith_buffer_free(&text);
    pith_doc_free(back);
    return fine;
}

static bool run_encode(pith_value vector)
{
    pith_text json = text_in(vector, "json");
    pith_doc *doc = must_parse("json", json.ptr, json.len, NULL);
    pith_buffer compact = must_write(pith_doc_root(doc), "json", NULL);
    bool fine = write_and_back(vector, pith_doc_root(doc), NULL);
    /* Layout is not counted: the line feeds of the root and before a bracket. */
    pith_options inlined = with_settings(NULL, "rows=inline");
    pith_buffer line = must_write(pith_doc_root(doc), "pith", &inlined);
    fine = line.len <= compact.len && fine;
    pith_buffer_free(&line);
    pith_buffer_free(&compact);
    pith_doc_free(doc);
    return fine;
}

/* Turns the features off that the vector does not list; `words` has room for them. */
static void take_features(pith_value vector, char *words, size_t room)
{
    static const char *const all[] = {"names", "stems", "models", "fill", "templates"};
    pith_value features = pith_value_get(vector, "features", 8);
    size_t len = (size_t)snprintf(words, room, "level=2");
    for (size_t i = 0; features.doc && i < sizeof all / sizeof *all; i++) {
        bool on = false;
        for (pith_value v = pith_value_first(features); v.doc; v = pith_value_next(v))
            on = on || is_word(pith_value_text(v), all[i]);
        if (!on)
            len += (size_t)snprintf(words + len, room - len, " %s=false", all[i]);
    }
}

static bool run_dense_encode(pith_value vector)
{
    char words[160];
    pith_text json = text_in(vector, "json");
    pith_doc *doc = must_parse("json", json.ptr, json.len, NULL);
    take_features(vector, words, sizeof words);
    bool fine = write_and_back(vector, pith_doc_root(doc), words);
    pith_doc_free(doc);
    return fine;
}

/* Takes the rows that have come; `*expected` moves on with them. */
static bool take_rows(pith_reader *reader, pith_value *expected)
{
    pith_value row = {0};
    bool fine = pith_reader_next(reader, &row, NULL) == PITH_OK;
    while (fine && row.doc) {
        fine = expected->doc && pith_value_equal(row, *expected);
        *expected = expected->doc ? pith_value_next(*expected) : *expected;
        fine = fine && pith_reader_next(reader, &row, NULL) == PITH_OK;
    }
    return fine;
}

/* True when the rows, read from pieces of so many bytes, are the elements of the array;
 * what is no array has no rows. */
static bool same_in_pieces(const pith_buffer *text, size_t size, pith_value array)
{
    if (pith_value_kind(array) != PITH_ARRAY)
        return true;
    pith_reader *reader = pith_reader_open("pith", NULL, NULL);
    pith_value expected = pith_value_first(array);
    bool fine = true;
    for (size_t at = 0; at < text->len && fine; at += size) {
        size_t piece = text->len - at < size ? text->len - at : size;
        fine = pith_reader_feed(reader, text->data + at, piece, NULL) == PITH_OK &&
               take_rows(reader, &expected);
    }
    fine = fine && pith_reader_end(reader, NULL) == PITH_OK &&
           take_rows(reader, &expected) && !expected.doc;
    pith_reader_free(reader);
    return fine;
}

static bool run_decode(pith_value vector)
{
    pith_text json = text_in(vector, "json");
    pith_buffer text = text_of_vector(vector);
    pith_error err = {0};
    pith_doc *doc = pith_doc_parse("pith", text.data, text.len, NULL, &err);
    pith_doc *expected = must_parse("json", json.ptr, json.len, NULL);
    bool fine = doc && pith_value_equal(pith_doc_root(doc), pith_doc_root(expected));
    fine = fine &&
           pith_check("pith", text.data, text.len, NULL, NULL, NULL, NULL) == PITH_OK;
    for (size_t size = 1; size <= 64 && fine; size *= 4)
        fine = same_in_pieces(&text, size, pith_doc_root(expected));
    if (!fine) {
        show_bytes("text", text.data, text.len);
        fprintf(stderr, "  %s: %s\n", doc ? "another value" : err.code,
                doc ? "" : err.message);
    }
    pith_doc_free(expected);
    pith_doc_free(doc);
    pith_buffer_free(&text);
    return fine;
}

static bool note_first(void *ctx, const pith_error *problem)
{
    pith_error *first = ctx;
    if (!first->code)
        *first = *problem;
    return true;
}

static bool run_reject(pith_value vector)
{
    pith_text category = text_in(vector, "error");
    pith_buffer text = text_of_vector(vector);
    pith_error err = {0};
    pith_error noted = {0};
    pith_doc *doc = pith_doc_parse("pith", text.data, text.len, NULL, &err);
    bool fine = !doc && is_word(category, err.code);
    pith_check("pith", text.data, text.len, NULL, note_first, &noted, NULL);
    fine = fine && noted.code && is_word(category, noted.code);
    fine = fine && noted.offset == err.offset && noted.line == err.line;
    if (!fine) {
        show_bytes("text", text.data, text.len);
        fprintf(stderr, "  expected %.*s, found %s (%s); collected %s\n",
                (int)category.len, category.ptr, doc ? "a value" : err.code,
                doc ? "" : err.message, noted.code ? noted.code : "nothing");
    }
    pith_doc_free(doc);
    pith_buffer_free(&text);
    return fine;
}

/* Runs the vectors of a file; `write` runs those of the encoder. */
static void run_vectors(const char *name, bool (*write)(pith_value vector))
{
    size_t ran = 0;
    size_t failures = 0;
    pith_buffer file = fixtures_own(name);
    pith_doc *doc = must_parse("json", file.data, file.len, NULL);
    pith_value vectors = pith_value_get(pith_doc_root(doc), LIT("vectors"));
    for (pith_value v = pith_value_first(vectors); v.doc; v = pith_value_next(v)) {
        pith_text op = text_in(v, "op");
        bool fine = is_word(op, "encode")   ? write(v)
                    : is_word(op, "decode") ? run_decode(v)
                    : is_word(op, "reject") ? run_reject(v)
                                            : false;
        ran++;
        if (!fine) {
            failures++;
            fprintf(stderr, "vector %zu (%.*s) failed\n", ran, (int)op.len, op.ptr);
        }
    }
    fprintf(stderr, "%s: %zu vectors, %zu failed\n", name, ran, failures);
    assert_true(ran > 0);
    assert_int_equal(failures, 0);
    pith_doc_free(doc);
    pith_buffer_free(&file);
}

static void test_vectors(void **state)
{
    (void)state;
    run_vectors("pith-vectors.json", run_encode);
}

static void test_dense_vectors(void **state)
{
    (void)state;
    run_vectors("pith-dense-vectors.json", run_dense_encode);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_vectors),
        cmocka_unit_test(test_dense_vectors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
