/*
 * small.c - the limits that stand at four billion, in a build where they are small.
 *
 * The whole library is compiled once more for this program, with a few hundred where it
 * otherwise has what 32 bits can count (cmake/tests.cmake sets the numbers). So it can be
 * seen what happens at each of them, one before it and one after: see docs/limits.md.
 * Compression is left out here, so that it can be seen how that is told.
 */
#include "tables.h"
#include "bytes.h"
#include "graphs.h"
#include "testing.h"

#include "doc/slot.h"
#include "graph/graph.h"
#include "tokens/bpe.h"
#include "named.h"

static bool ended(const char *what, size_t n, pith_status status, const pith_error *err,
                  const char *code)
{
    bool fine =
        code ? status != PITH_OK && strcmp(err->code, code) == 0 : status == PITH_OK;
    if (!fine) {
        fprintf(stderr, "%s with %zu: expected %s, found %s: %s\n", what, n,
                code ? code : "ok", status == PITH_OK ? "ok" : err->code,
                status == PITH_OK ? "" : err->message);
    }
    return fine;
}

static bytes repeated(const char *before, const char *unit, size_t n, const char *after)
{
    bytes text = {0};
    bytes_put(&text, before);
    bytes_repeat(&text, unit, n);
    bytes_put(&text, after);
    return text;
}

/* ---------------------------------------------------------------------------- texts */

/* What stands around a text, a name or the digits of a number; and how many bytes more
 * the limit counts, where it is one of the whole line. */
static const struct {
    const char *format;
    const char *before;
    const char *unit;
    const char *after;
    size_t more;
} texts[] = {
    {"json", "[\"", "x", "\"]", 0},
    {"json", "{\"a\":\"", "x", "\"}", 0},
    {"json", "{\"", "x", "\":1}", 0},
    {"json", "[", "1", "]", 0},
    {"json", "[0.", "1", "]", 2},
    {"ndjson", "\"", "x", "\"\n", 0},
    {"csv", "a\n", "x", "\n", 0},
    {"csv", "a\n\"", "x", "\"\n", 0},
    {"csv", "a,b\n1,", "1", "\n", 0},
    {"csv", "", "x", ",b\n1,2\n", 0},
    {"tsv", "a\n", "x", "\n", 0},
    {"toon", "a: ", "x", "\n", 3},
    {"toon", "a: \"", "x", "\"\n", 5},
    {"toon", "", "x", ": 1\n", 3},
    {"toon", "r[1]{a,b}:\n  ", "x", ",2\n", 2},
    {"toon-rows", "[1,]{a}:\n  ", "x", "\n", 0},
    {"gcf", "GCF profile=generic\na=", "x", "\n", 2},
    {"gcf", "GCF profile=generic\na=\"", "x", "\"\n", 4},
    {"gcf", "GCF profile=generic\n", "x", "=1\n", 2},
    {"gcf", "GCF profile=generic\n## r [1]{a,b}\n", "x", "|2\n", 2},
    {"gcf1", "a=", "x", "\n", 2},
    {"gcf1", "## r [1]{a,b}\n", "x", "|2\n", 2},
    {"soch", "t[1]{a}:", "x", "", 0},
    {"soch", "t[1]{a}:\"", "x", "\"", 0},
    {"soch", "t[1]{", "x", "}:1", 0},
    {"soch", "t[1]{a:text}:", "x", "", 0},
    {"soch", "t[1]{a:float}:0.", "1", "", 2},
    {"soch", "t[1]{a}:[[0.", "1", ",2]]", 2},
    {"soch", "t[1]{a}:ref(", "x", ",1)", 0},
    {"pith", "{a:", "x", "}", 0},
    {"pith", "{a:\"", "x", "\"}", 0},
    {"pith", "{", "x", ":1}", 0},
    {"pith", "[", "1", "]", 0},
    {"pith", "[1{a,b}\n", "x", ",2\n]", 0},
};

static void long_texts(void **state)
{
    (void)state;
    int failures = 0;
    for (size_t i = 0; i < ROWS(texts); i++) {
        for (int step = -1; step <= 1; step++) {
            pith_error err = {0};
            size_t n = (size_t)((int)SLOT_TEXT_MOST + step) - texts[i].more;
            bytes text = repeated(texts[i].before, texts[i].unit, n, texts[i].after);
            pith_doc *doc =
                pith_doc_parse(texts[i].format, text.ptr, text.len, NULL, &err);
            char what[64];
            snprintf(what, sizeof what, "%s %zu", texts[i].format, i);
            failures += !ended(what, n, doc ? PITH_OK : err.status, &err,
                               step > 0 ? "too_large" : NULL);
            pith_doc_free(doc);
            bytes_free(&text);
        }
    }
    assert_int_equal(failures, 0);
}

/* Tables of bytes: lengths before what they measure. */
static const struct {
    const char *what;
    const char *before; /* after the header, up to the length */
    size_t before_len;
    bool long_length; /* four bytes, not a varint */
    const char *after;
    size_t after_len;
} binaries[] = {
    {"text", LIT("\1t\1\1x\0\x62"), true, LIT("")},
    {"key", LIT("\1t\1\1x\0\x71\1"), false, LIT("\0")},
    {"table referred to", LIT("\1t\1\1x\0\x80"), false, LIT("\1")},
    {"name", LIT(""), false, LIT("\1\1x\0\0")},
    {"field", LIT("\1t\1"), false, LIT("\0\0")},
    {"table of a column", LIT("\1t\1\1x\x8A"), false, LIT("\0")},
};

static void long_binary_texts(void **state)
{
    (void)state;
    int failures = 0;
    for (size_t i = 0; i < ROWS(binaries); i++) {
        for (int step = -1; step <= 1; step++) {
            pith_error err = {0};
            size_t n = (size_t)((int)SLOT_TEXT_MOST + step);
            char length[] = {(char)(n % 256), (char)(n / 256), 0, 0};
            char varint[] = {(char)(n % 128 + 128), (char)(n / 128)};
            bytes file = {0};
            bytes_add(&file, LIT("TOON\1\0\10\0\1\0\0\0\0\0\0\0"));
            bytes_add(&file, binaries[i].before, binaries[i].before_len);
            bytes_add(&file, binaries[i].long_length ? length : varint,
                      binaries[i].long_length ? sizeof length : sizeof varint);
            bytes_repeat(&file, "x", n);
            bytes_add(&file, binaries[i].after, binaries[i].after_len);
            pith_doc *doc = pith_doc_parse("soch-bin", file.ptr, file.len, NULL, &err);
            failures += !ended(binaries[i].what, n, doc ? PITH_OK : err.status, &err,
                               step > 0 ? "too_large" : NULL);
            pith_doc_free(doc);
            bytes_free(&file);
        }
    }
    assert_int_equal(failures, 0);
}

/* Bytes are kept as base64 with a prefix, whatever they are in the input. */
static void long_bytes(void **state)
{
    (void)state;
    enum { MOST = (SLOT_TEXT_MOST - 4) / 4 * 3 };
    static const char *const heads[] = {"t[1]{a:bytes}:", "t[1]{a}:b64:", "t[1]{a}:0x"};
    int failures = 0;
    for (size_t n = MOST - 3; n <= MOST + 3; n += 3) {
        const char *code = n > MOST ? "too_large" : NULL;
        pith_error err = {0};
        for (size_t i = 0; i < ROWS(heads); i++) {
            bool hex = i == 2;
            bytes text = repeated(heads[i], hex ? "0f" : "AAAA", hex ? n : n / 3, "");
            pith_options options = with_settings(hex ? "compat=sochdb" : "", "");
            pith_doc *doc = pith_doc_parse("soch", text.ptr, text.len, &options, &err);
            failures += !ended(heads[i], n, doc ? PITH_OK : err.status, &err, code);
            pith_doc_free(doc);
            bytes_free(&text);
        }
        char varint[] = {(char)(n % 128 + 128), (char)(n / 128)};
        bytes file = {0};
        bytes_add(&file, LIT("TOON\1\0\10\0\1\0\0\0\0\0\0\0\1t\1\1x\0\xA0"));
        bytes_add(&file, varint, sizeof varint);
        bytes_repeat(&file, "x", n);
        pith_doc *doc = pith_doc_parse("soch-bin", file.ptr, file.len, NULL, &err);
        failures += !ended("bytes", n, doc ? PITH_OK : err.status, &err, code);
        pith_doc_free(doc);
        bytes_free(&file);
    }
    assert_int_equal(failures, 0);
}

static void built_texts(void **state)
{
    (void)state;
    int failures = 0;
    for (int step = -1; step <= 1; step++) {
        size_t n = (size_t)((int)SLOT_TEXT_MOST + step);
        const char *code = step > 0 ? "too_large" : NULL;
        pith_error err = {0};
        bytes text = repeated("", "1", n, "");
        for (int kind = 0; kind < 3; kind++) {
            static const char *const kinds[] = {"text", "number", "key"};
            pith_doc *doc = pith_doc_new(NULL);
            if (kind == 0) {
                pith_doc_add_text(doc, text.ptr, text.len);
            } else if (kind == 1) {
                pith_doc_add_number(doc, text.ptr, text.len);
            } else {
                pith_doc_open_object(doc);
                pith_doc_add_key(doc, text.ptr, text.len);
                pith_doc_add_null(doc);
                pith_doc_close(doc);
            }
            pith_status status = pith_doc_finish(doc, &err);
            failures += !ended(kinds[kind], n, status, &err, code);
            pith_doc_free(doc);
        }
        bytes_free(&text);
    }
    assert_int_equal(failures, 0);
}

static pith_status add_member(const bytes *text, pith_error *err)
{
    pith_buffer out = {0};
    pith_doc *doc = must_parse_json("1");
    pith_rows *rows = pith_rows_open_object("json", NULL, pith_sink_buffer(&out), err);
    rows_add_named(rows, text->ptr, pith_doc_root(doc), NULL);
    pith_status status = pith_rows_close(rows, err);
    pith_doc_free(doc);
    pith_buffer_free(&out);
    return status;
}

/* A table of one column and one cell; what is NULL is short. */
static pith_status make_table(const char *name, const char *field, const char *cell,
                              pith_error *err)
{
    typed_table *table = table_new(name ? name : "t", NULL);
    table_add_field(table, field ? field : "f", PITH_TYPE_TEXT, false);
    pith_doc_add_text(table_row(table), cell ? cell : "c", cell ? strlen(cell) : 1);
    table_end_row(table, NULL);
    pith_status status = table_finish(table, err);
    table_free(table);
    return status;
}

static pith_status add_table_name(const bytes *text, pith_error *err)
{
    return make_table(text->ptr, NULL, NULL, err);
}

static pith_status add_field_name(const bytes *text, pith_error *err)
{
    return make_table(NULL, text->ptr, NULL, err);
}

static pith_status add_cell(const bytes *text, pith_error *err)
{
    return make_table(NULL, NULL, text->ptr, err);
}

/* They are kept as text, four letters for three of them and a few in front. */
static pith_status add_cell_of_bytes(const bytes *text, pith_error *err)
{
    typed_table *table = table_new("t", NULL);
    table_add_field(table, "f", PITH_TYPE_BYTES, false);
    pith_doc_add_bytes(table_row(table), text->ptr, strlen(text->ptr));
    table_end_row(table, NULL);
    pith_status status = table_finish(table, err);
    table_free(table);
    return status;
}

static void texts_of_rows_and_tables(void **state)
{
    (void)state;
    static const struct {
        const char *what;
        pith_status (*add)(const bytes *text, pith_error *err);
        size_t most;
    } all[] = {
        {"member", add_member, SLOT_TEXT_MOST},
        {"name of a table", add_table_name, SLOT_TEXT_MOST},
        {"name of a field", add_field_name, SLOT_TEXT_MOST},
        {"cell", add_cell, SLOT_TEXT_MOST},
        {"bytes", add_cell_of_bytes, SLOT_TEXT_MOST / 4 * 3 - 8},
    };
    int failures = 0;
    for (size_t i = 0; i < ROWS(all); i++) {
        for (int step = -1; step <= 1; step++) {
            pith_error err = {0};
            size_t n = (size_t)((int)all[i].most + step);
            bytes text = repeated("", "x", n, "");
            bytes_add(&text, "", 1);
            pith_status status = all[i].add(&text, &err);
            failures +=
                !ended(all[i].what, n, status, &err, step > 0 ? "too_large" : NULL);
            bytes_free(&text);
        }
    }
    assert_int_equal(failures, 0);
}

/* --------------------------------------------------------------------------- values */

static void built_values(void **state)
{
    (void)state;
    int failures = 0;
    for (int step = -1; step <= 1; step++) {
        pith_error err = {0};
        pith_doc *doc = pith_doc_new(NULL);
        size_t n = (size_t)((int)SLOT_COUNT_MOST + step);
        pith_doc_open_array(doc);
        for (size_t i = 1; i < n; i++)
            pith_doc_add_null(doc);
        pith_doc_close(doc);
        pith_status status = pith_doc_finish(doc, &err);
        failures += !ended("values", n, status, &err, step > 0 ? "no_memory" : NULL);
        pith_doc_free(doc);
    }
    assert_int_equal(failures, 0);
}

/* Readers keep a little room free, so that they need not ask for each value: they stop
 * up to READ_ROOM before the limit, and never after it. */
static void read_values(void **state)
{
    (void)state;
    enum { READ_ROOM = 300 };
    static const struct {
        const char *format;
        const char *before;
        const char *unit;
        const char *after;
        size_t each; /* slots for each unit */
    } lists[] = {
        {"json", "[0", ",1", "]", 1},
        {"json", "[[]", ",[1]", "]", 2},
        {"json", "[{\"a\":1}", ",{\"a\":1}", "]", 2},
        {"ndjson", "1\n", "1\n", "", 1},
        {"csv", "a\n1\n", "1\n", "", 2},
        {"toon", "r[%zu]{a}:\n", "  1\n", "", 2},
        {"toon", "r[%zu]:\n", "  - 1\n", "", 1},
        {"gcf", "GCF profile=generic\n## r [%zu]{a}\n", "1\n", "", 2},
        {"gcf1", "## r [%zu]{a}\n", "1\n", "", 2},
        {"soch", "t[%zu]{a}:", "1\n", "", 2},
        {"pith", "[0", ",1", "]", 1},
        {"pith", "[[]", ",[1]", "]", 2},
    };
    int failures = 0;
    for (size_t i = 0; i < ROWS(lists); i++) {
        const char *format = lists[i].format;
        size_t most = SLOT_COUNT_MOST / lists[i].each;
        bool over = false;
        for (size_t n = most - READ_ROOM; n < most + 5; n++) {
            pith_error err = {0};
            char before[64];
            const char *count = strstr(lists[i].before, "%zu");
            snprintf(before, sizeof before, "%s", lists[i].before);
            if (count) {
                size_t at = (size_t)(count - lists[i].before);
                bool one =
                    strchr(count, '0') != NULL; /* the first stands there already */
                snprintf(before + at, sizeof before - at, "%zu%s", n, count + 3);
            }
            bytes text = repeated(before, lists[i].unit, n, lists[i].after);
            pith_doc *doc = pith_doc_parse(format, text.ptr, text.len, NULL, &err);
            /* once too many, always too many; and never the first, nor beyond the end */
            bool must = n == most - READ_ROOM || over || n >= most;
            over = !doc;
            bool fine = !must || (n == most - READ_ROOM ? doc != NULL : over);
            if (!fine || (over && strcmp(err.code, "no_memory") != 0)) {
                fprintf(stderr, "%s: %zu values: %s\n", format, n, doc ? "ok" : err.code);
                failures++;
            }
            pith_doc_free(doc);
            bytes_free(&text);
        }
    }
    assert_int_equal(failures, 0);
}

/* A text that begins with many values and goes on with few must not be refused for what
 * its beginning lets one expect. */
static void a_guess_is_no_limit(void **state)
{
    (void)state;
    bytes text = {0};
    bytes_put(&text, "[");
    bytes_repeat(&text, "1,", 1000);
    bytes_repeat(&text, " ", 20000);
    bytes_put(&text, "1]");
    pith_doc *doc = must_parse("json", text.ptr, text.len, NULL);
    assert_int_equal(pith_value_count(pith_doc_root(doc)), 1001);
    pith_doc_free(doc);
    bytes_free(&text);
}

static void columns(void **state)
{
    (void)state;
    int failures = 0;
    enum { MOST = SLOT_COUNT_MOST / 2 };
    static char names[MOST + 1][8];
    const char *list[MOST + 1];
    for (size_t i = 0; i <= MOST; i++) {
        snprintf(names[i], sizeof names[i], "c%zu", i);
        list[i] = names[i];
    }
    for (int step = -1; step <= 1; step++) {
        pith_error err = {0};
        pith_buffer out = {0};
        size_t n = (size_t)(MOST + step);
        pith_rows *rows =
            rows_open_named("csv", list, n, NULL, pith_sink_buffer(&out), &err);
        failures += !ended("columns", n, rows ? PITH_OK : err.status, &err,
                           step > 0 ? "no_memory" : NULL);
        pith_rows_abandon(rows);
        pith_buffer_free(&out);
    }
    assert_int_equal(failures, 0);
}

/* As many columns in a header as there may be values at all are too many. One less are
 * read, and found to be called the same. */
static void read_columns(void **state)
{
    (void)state;
    int failures = 0;
    for (int step = -1; step <= 0; step++) {
        pith_error err = {0};
        size_t n = (size_t)((int)SLOT_COUNT_MOST + step);
        bytes text = repeated("", "a,", n - 1, "a\n");
        pith_doc *doc = pith_doc_parse("csv", text.ptr, text.len, NULL, &err);
        failures += !ended("columns", n, doc ? PITH_OK : err.status, &err,
                           step < 0 ? "duplicate_key" : "no_memory");
        pith_doc_free(doc);
        bytes_free(&text);
    }
    assert_int_equal(failures, 0);
}

/* --------------------------------------------------------------------------- graphs */

static made_symbol symbol_named(const char *name, size_t len)
{
    made_symbol symbol = {0};
    symbol.name = (pith_text){name, len};
    symbol.kind = (pith_text){"k", 1};
    symbol.provenance = (pith_text){"p", 1};
    return symbol;
}

static void graph_symbols(void **state)
{
    (void)state;
    int failures = 0;
    for (int step = -1; step <= 1; step++) {
        code_graph *graph = made_graph_new(NULL);
        pith_error err = {0};
        size_t n = (size_t)((int)GRAPH_MOST + step);
        for (size_t i = 0; i < n; i++) {
            char name[16];
            int len = snprintf(name, sizeof name, "f%zu", i);
            made_symbol symbol = symbol_named(name, (size_t)len);
            made_graph_add_symbol(graph, &symbol);
        }
        pith_status status = made_graph_finish(graph, &err);
        failures += !ended("symbols", n, status, &err, step > 0 ? "no_memory" : NULL);
        made_graph_free(graph);
    }
    assert_int_equal(failures, 0);
}

/* Edges of one word, and edges of a word each: the kind and the provenance are two. */
static void graph_edges(void **state)
{
    (void)state;
    int failures = 0;
    for (int words = 0; words < 2; words++) {
        for (int step = -1; step <= 1; step++) {
            code_graph *graph = made_graph_new(NULL);
            pith_error err = {0};
            made_symbol symbol = symbol_named("f", 1);
            size_t self = made_graph_add_symbol(graph, &symbol);
            size_t n = (size_t)((int)GRAPH_MOST + step) - (words ? 2 : 0);
            for (size_t i = 0; i < n; i++) {
                char word[16];
                snprintf(word, sizeof word, words ? "e%zu" : "e", i);
                made_graph_add_edge(graph, self, self, word, NULL);
            }
            pith_status status = made_graph_finish(graph, &err);
            failures += !ended(words ? "words" : "edges", n, status, &err,
                               step > 0 ? "no_memory" : NULL);
            made_graph_free(graph);
        }
    }
    assert_int_equal(failures, 0);
}

static void graph_names(void **state)
{
    (void)state;
    int failures = 0;
    for (int step = -1; step <= 1; step++) {
        size_t n = (size_t)((int)GRAPH_TEXT_MOST + step);
        const char *code = step > 0 ? "too_large" : NULL;
        pith_error err = {0};
        bytes name = repeated("", "x", n, "");
        code_graph *graph = made_graph_new(NULL);
        made_symbol symbol = symbol_named(name.ptr, name.len);
        made_graph_add_symbol(graph, &symbol);
        pith_status status = made_graph_finish(graph, &err);
        failures += !ended("name", n, status, &err, code);
        bytes text =
            repeated("GCF profile=graph\n## targets\n@0 function ", "x", n, " 0.50 p\n");
        graph_reset(graph);
        status = made_graph_read(graph, "gcf-graph", text.ptr, text.len, NULL, &err);
        failures += !ended("name that is read", n, status, &err, code);
        made_graph_free(graph);
        bytes_free(&name);
        bytes_free(&text);
    }
    assert_int_equal(failures, 0);
}

/* --------------------------------------------------------------------------- tokens */

static void long_words(void **state)
{
    (void)state;
    int failures = 0;
    pith_vocab *vocab = pith_vocab_open(NULL, NULL, NULL);
    assert_non_null(vocab);
    for (int step = -1; step <= 1; step++) {
        size_t n = (size_t)((int)BPE_PIECE_MOST + step), count = 0;
        const char *code = step > 0 ? "piece_limit" : NULL;
        pith_error err = {0};
        pith_tokens tokens = {0};
        bytes text = repeated("", "x", n, "");
        pith_status status =
            pith_vocab_count(vocab, text.ptr, text.len, NULL, &count, &err);
        failures += !ended("counted", n, status, &err, code);
        status = pith_vocab_encode(vocab, text.ptr, text.len, PITH_SPECIAL_IS_TEXT,
                                   &tokens, &err);
        failures += !ended("encoded", n, status, &err, code);
        pith_tokens_free(&tokens);
        bytes_free(&text);
    }
    pith_vocab_free(vocab);
    assert_int_equal(failures, 0);
}

/* --------------------------------------------------------------------- what is left out */

/* This build has neither LZ4 nor ZSTD, and says so wherever one is asked for. */
static void compression_that_is_not_built_in(void **state)
{
    (void)state;
    static const char *const words[] = {"compress=lz4", "compress=zstd"};
    static const char *const columns[] = {"a"};
    pith_doc *doc = must_parse_json("[{\"a\":1}]");
    for (size_t i = 0; i < ROWS(words); i++) {
        pith_options options = with_settings(NULL, words[i]);
        pith_buffer out = {0};
        pith_error err = {0};
        assert_int_equal(pith_value_write(pith_doc_root(doc), "soch-bin", &options,
                                          pith_sink_buffer(&out), &err),
                         PITH_BAD_USE);
        assert_string_equal(err.code, "not_built_in");
        assert_int_equal(out.len, 0);
        err = (pith_error){0};
        assert_null(rows_open_named("soch-bin", columns, 1, &options,
                                    pith_sink_buffer(&out), &err));
        assert_string_equal(err.code, "not_built_in");
        char file[] = "TOON\1\0\10\0\0\0\0\0\0\0\0\0\3\4\x30\1t";
        file[6] = (char)(file[6] + 1 + (int)i);
        err = (pith_error){0};
        assert_null(pith_doc_parse("soch-bin", file, sizeof file, NULL, &err));
        assert_int_equal(err.status, PITH_BAD_USE);
        assert_string_equal(err.code, "not_built_in");
        assert_int_equal(err.offset, 16);
        pith_buffer_free(&out);
    }
    pith_doc_free(doc);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(long_texts),
        cmocka_unit_test(built_texts),
        cmocka_unit_test(long_binary_texts),
        cmocka_unit_test(long_bytes),
        cmocka_unit_test(built_values),
        cmocka_unit_test(read_values),
        cmocka_unit_test(a_guess_is_no_limit),
        cmocka_unit_test(columns),
        cmocka_unit_test(read_columns),
        cmocka_unit_test(graph_symbols),
        cmocka_unit_test(graph_edges),
        cmocka_unit_test(graph_names),
        cmocka_unit_test(long_words),
        cmocka_unit_test(compression_that_is_not_built_in),
        cmocka_unit_test(texts_of_rows_and_tables),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
