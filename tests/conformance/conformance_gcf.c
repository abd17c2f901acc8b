/*
 * conformance_gcf.c - the fixtures of the GCF specification, generic profile, read with
 * our own JSON reader.
 *
 * They are not part of this project (see fixtures.h); when they are nowhere the test says
 * so and is skipped. Each file is one case, and its `operation` says what to do. Cases of the graph profile, of sessions and of deltas
 * are counted and left alone.
 *
 * What is written must be the same bytes; what is read the same value, in whatever order
 * its members stand. Every text that is written is also read back, and written again.
 */
#include "compare.h"
#include "fixtures.h"
#include "suite.h"

typedef struct tally {
    size_t ran;
    size_t passed;
} tally;

typedef struct operation {
    const char *name;
    bool (*run)(pith_value test);
    tally count;
} operation;

/* --------------------------------------------------------------------- comparing */

static pith_text text_of(const char *string)
{
    pith_text text = {string, strlen(string)};
    return text;
}

static bool starts_with(pith_text text, const char *start)
{
    size_t len = strlen(start);
    return text.len >= len && memcmp(text.ptr, start, len) == 0;
}

/* -------------------------------------------------------------------- operations */

static pith_text member_text(pith_value test, const char *name)
{
    return pith_value_text(pith_value_get(test, name, strlen(name)));
}

/* The document of a GCF text; NULL, having said why, when it cannot be read. */
static pith_doc *read_gcf(pith_text text)
{
    pith_error err;
    pith_doc *doc = pith_doc_parse("gcf", text.ptr, text.len, NULL, &err);
    if (!doc) {
        show_bytes("input", text.ptr, text.len);
        fprintf(stderr, "    %s: %s\n", err.code, err.message);
    }
    return doc;
}

static bool writes(pith_value value, pith_text expected)
{
    pith_buffer out = {0};
    pith_error err;
    pith_status status =
        pith_value_write(value, "gcf", NULL, pith_sink_buffer(&out), &err);
    bool right = status == PITH_OK &&
                 same_bytes("written", out.data, out.len, expected.ptr, expected.len);
    if (status != PITH_OK)
        fprintf(stderr, "    %s: %s\n", err.code, err.message);
    pith_buffer_free(&out);
    return right;
}

static bool reads(pith_text text, pith_value expected, bool write_again)
{
    pith_doc *doc = read_gcf(text);
    bool right = doc && same_in_any_order(pith_doc_root(doc), expected);
    if (doc && !right) {
        pith_buffer json = must_write(pith_doc_root(doc), "json", NULL);
        show_bytes("input", text.ptr, text.len);
        show_bytes("read as", json.data, json.len);
        pith_buffer_free(&json);
    }
    right = right && (!write_again || writes(pith_doc_root(doc), text));
    pith_doc_free(doc);
    return right;
}

static bool run_encode(pith_value test)
{
    pith_value input = pith_value_get(test, "input", 5);
    pith_text expected = member_text(test, "expected");
    return writes(input, expected) && reads(expected, input, true);
}

static bool run_decode(pith_value test)
{
    return reads(member_text(test, "input"), pith_value_get(test, "expected", 8), false);
}

static bool run_roundtrip_wire(pith_value test)
{
    pith_doc *doc = read_gcf(member_text(test, "input"));
    bool right = doc && writes(pith_doc_root(doc), member_text(test, "expected"));
    pith_doc_free(doc);
    return right;
}

static bool run_encode_error(pith_value test)
{
    pith_buffer out = {0};
    pith_error err;
    pith_text expected = member_text(test, "expectedError");
    pith_value input = pith_value_get(test, "input", 5);
    pith_status status =
        pith_value_write(input, "gcf", NULL, pith_sink_buffer(&out), &err);
    pith_buffer_free(&out);
    return status == PITH_UNREPRESENTABLE && same_pith_text(text_of(err.code), expected);
}

/* The bytes of Base64, at most `most`. */
static size_t decode_base64(pith_text text, char *to, size_t most)
{
    static const char letters[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    unsigned bits = 0;
    unsigned held = 0;
    size_t len = 0;
    for (size_t i = 0; i < text.len && text.ptr[i] != '='; i++) {
        const char *letter = strchr(letters, text.ptr[i]);
        assert_non_null(letter);
        bits = (bits << 6 | (unsigned)(letter - letters)) & 0xFFFFFF;
        held += 6;
        if (held >= 8) {
            held -= 8;
            assert_true(len < most);
            to[len++] = (char)(bits >> held & 0xFF);
        }
    }
    return len;
}

/* The category is our code, but for a few fixtures that quote a message instead. */
static bool run_error(pith_value test)
{
    char bytes[4096];
    pith_error err;
    pith_text input = member_text(test, "input");
    pith_text base64 = member_text(test, "inputBase64");
    pith_text expected = member_text(test, "expectedError");
    if (base64.len > 0) {
        input.ptr = bytes;
        input.len = decode_base64(base64, bytes, sizeof bytes);
    }
    char wanted[256];
    snprintf(wanted, sizeof wanted, "%.*s", (int)expected.len, expected.ptr);
    pith_doc *doc = pith_doc_parse("gcf", input.ptr, input.len, NULL, &err);
    if (doc) {
        pith_doc_free(doc);
        show_bytes("read though wrong", input.ptr, input.len);
        return false;
    }
    bool right = strcmp(err.code, wanted) == 0 || strstr(err.message, wanted) != NULL;
    if (!right) {
        show_bytes("input", input.ptr, input.len);
        fprintf(stderr, "    expected %s, found %s: %s\n", wanted, err.code, err.message);
    }
    return right;
}

static bool is_graph(pith_value test)
{
    pith_text error = member_text(test, "expectedError");
    static const char *const categories[] = {
        "invalid_node_line",   "invalid_symbol_id",      "invalid_score",
        "invalid_edge_syntax", "unknown_edge_reference", "malformed_delta"};
    for (size_t i = 0; i < ROWS(categories); i++)
        if (same_pith_text(error, text_of(categories[i])))
            return true;
    return starts_with(member_text(test, "input"), "GCF profile=graph") ||
           starts_with(member_text(test, "expected"), "GCF profile=graph");
}

/* ---------------------------------------------------------------------- running */

typedef struct run {
    operation *operations;
    size_t count;
    size_t others; /* of other profiles */
} run;

static void run_case(void *ctx, const char *file, pith_value test)
{
    run *all = ctx;
    pith_text name = member_text(test, "operation");
    operation *found = NULL;
    for (size_t i = 0; i < all->count; i++)
        if (same_pith_text(name, text_of(all->operations[i].name)))
            found = &all->operations[i];
    if (!found || is_graph(test)) {
        all->others++;
        return;
    }
    bool right = found->run(test);
    found->count.ran++;
    found->count.passed += right;
    if (!right)
        fprintf(stderr, "    in %s\n", file);
}

static void generic_profile(void **state)
{
    (void)state;
    operation operations[] = {
        {"encode", run_encode, {0, 0}},
        {"decode", run_decode, {0, 0}},
        {"error", run_error, {0, 0}},
        {"roundtrip", run_encode, {0, 0}},
        {"roundtrip-wire", run_roundtrip_wire, {0, 0}},
        {"encode-error", run_encode_error, {0, 0}},
    };
    char path[SUITE_PATH_MOST];
    run all = {operations, ROWS(operations), 0};
    if (!suite_find(path, "gcf-3.5"))
        fixtures_skip("gcf-3.5");
    suite_all(path, run_case, &all);
    size_t failures = 0;
    size_t ran = 0;
    for (size_t i = 0; i < ROWS(operations); i++) {
        const tally *t = &operations[i].count;
        printf("gcf-3.5 %s: %zu ran, %zu passed\n", operations[i].name, t->ran,
               t->passed);
        failures += t->ran - t->passed;
        ran += t->ran;
    }
    assert_true(ran > 0);
    printf("gcf-3.5: %zu of other profiles left alone\n", all.others);
    assert_int_equal(failures, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(generic_profile),
    };
    return fixtures_result(cmocka_run_group_tests(tests, NULL, NULL));
}
