/*
 * conformance_toon.c - the fixtures of the TOON specification, read with our own JSON
 * reader.
 *
 * They are not part of this project: see support/fixtures.h.
 *
 * A fixture's numbers outside [1e-6, 1e21) may be spelled in several ways, so numbers
 * are compared by value where their texts differ. `toon-4.0` predates 4.4, which made
 * four lenient readings errors; those cases must fail here.
 */
#include "compare.h"
#include "fixtures.h"
#include "suite.h"

enum { WORDS_MOST = 1024 };

typedef struct suite {
    const char *version; /* the setting */
    bool encode;
    size_t ran;
    size_t passed;
} suite;

/* --------------------------------------------------------------------- comparing */

static bool is_number(pith_kind kind)
{
    return kind == PITH_INTEGER || kind == PITH_DECIMAL;
}

/* ---------------------------------------------------------------------- settings */

static void add_word(char *words, const char *word, pith_text value)
{
    size_t len = strlen(words);
    snprintf(words + len, WORDS_MOST - len, " %s=%.*s", word, (int)value.len, value.ptr);
}

static pith_text text_of_word(const char *word)
{
    pith_text text = {word, strlen(word)};
    return text;
}

static pith_text delimiter_word(pith_text value)
{
    assert_int_equal(value.len, 1);
    return text_of_word(value.ptr[0] == ','   ? "comma"
                        : value.ptr[0] == '|' ? "pipe"
                                              : "tab");
}

/* The fixture's options as our settings. */
static void settings_of(pith_value test, const char *version, char *words)
{
    snprintf(words, WORDS_MOST, "version=%s", version);
    pith_value options = pith_value_get(test, "options", 7);
    for (pith_value v = pith_value_first(options); v.doc; v = pith_value_next(v)) {
        pith_text name = pith_value_key(v);
        pith_text value = pith_value_text(v);
        if (same_pith_text(name, text_of_word("delimiter"))) {
            add_word(words, "delimiter", delimiter_word(value));
        } else if (same_pith_text(name, text_of_word("indent")) ||
                   same_pith_text(name, text_of_word("indentSize"))) {
            add_word(words, "indent", value);
        } else if (same_pith_text(name, text_of_word("strict"))) {
            add_word(words, "strict",
                     text_of_word(pith_value_kind(v) == PITH_TRUE ? "true" : "false"));
        } else if (same_pith_text(name, text_of_word("keyFolding"))) {
            add_word(words, "fold", value);
        } else if (same_pith_text(name, text_of_word("flattenDepth"))) {
            add_word(words, "flatten-depth", value);
        } else if (same_pith_text(name, text_of_word("expandPaths"))) {
            add_word(words, "expand", value);
        } else {
            fail_msg("a fixture has the option %.*s", (int)name.len, name.ptr);
        }
    }
}

/* ------------------------------------------------------------------------- tests */

/* Read leniently in 4.0, errors since 4.4. */
static bool is_error_since(const char *version, pith_text input)
{
    static const char *const inputs[] = {"foo[1][bar]: 10", "key[]: 1,2",
                                         "foo[bar][1]: 20", "foo[2]extra: a,b"};
    for (size_t i = 0; i < ROWS(inputs) && strcmp(version, "4") == 0; i++)
        if (same_pith_text(input, text_of_word(inputs[i])))
            return true;
    return false;
}

static bool run_encode(pith_value test, const char *words)
{
    pith_value input = pith_value_get(test, "input", 5);
    pith_text expected = pith_value_text(pith_value_get(test, "expected", 8));
    pith_options options = with_settings(NULL, words);
    pith_buffer out = {0};
    pith_error err;
    pith_status status =
        pith_value_write(input, "toon", &options, pith_sink_buffer(&out), &err);
    bool wanted = pith_value_kind(pith_value_get(test, "shouldError", 11)) != PITH_TRUE;
    bool right = (status == PITH_OK) == wanted;
    if (right && wanted && !same_pith_text(expected, (pith_text){out.data, out.len})) {
        pith_doc *number = pith_doc_parse("json", expected.ptr, expected.len, NULL, NULL);
        right = number && is_number(pith_value_kind(input)) &&
                same_in_order(input, pith_doc_root(number));
        pith_doc_free(number);
        if (!right)
            same_bytes("written", out.data, out.len, expected.ptr, expected.len);
    } else if (!right) {
        show_bytes("message", err.message, status == PITH_OK ? 0 : strlen(err.message));
    }
    pith_buffer_free(&out);
    return right;
}

static bool run_decode(pith_value test, const char *version, const char *words)
{
    pith_text input = pith_value_text(pith_value_get(test, "input", 5));
    pith_value expected = pith_value_get(test, "expected", 8);
    pith_options options = with_settings(words, NULL);
    pith_error err;
    bool refuse = pith_value_kind(pith_value_get(test, "shouldError", 11)) == PITH_TRUE ||
                  is_error_since(version, input);
    pith_doc *doc = pith_doc_parse("toon", input.ptr, input.len, &options, &err);
    bool right = refuse ? !doc && err.status == PITH_BAD_INPUT
                        : doc && same_in_order(pith_doc_root(doc), expected);
    if (!right) {
        show_bytes("input", input.ptr, input.len);
        if (doc) {
            pith_buffer json = must_write(pith_doc_root(doc), "json", NULL);
            show_bytes("read as", json.data, json.len);
            pith_buffer_free(&json);
        } else {
            fprintf(stderr, "    %s: %s\n", err.code, err.message);
        }
    }
    pith_doc_free(doc);
    return right;
}

static void run_file(void *ctx, const char *file, pith_value root)
{
    suite *run = ctx;
    char words[WORDS_MOST];
    pith_value tests = pith_value_get(root, "tests", 5);
    for (pith_value t = pith_value_first(tests); t.doc; t = pith_value_next(t)) {
        settings_of(t, run->version, words);
        bool right =
            run->encode ? run_encode(t, words) : run_decode(t, run->version, words);
        run->ran++;
        run->passed += right;
        if (!right) {
            pith_text name = pith_value_text(pith_value_get(t, "name", 4));
            fprintf(stderr, "    %s: %.*s (%s)\n", file, (int)name.len, name.ptr, words);
        }
    }
}

static void run_suite(const char *folder, const char *version, bool encode)
{
    char path[SUITE_PATH_MOST];
    suite run = {version, encode, 0, 0};
    const char *side = encode ? "encode" : "decode";
    if (!suite_find(path, folder))
        fixtures_skip(folder);
    assert_true(suite_each(path, side, run_file, &run));
    printf("%s %s: %zu ran, %zu passed\n", folder, side, run.ran, run.passed);
    assert_true(run.ran > 0);
    assert_int_equal(run.ran, run.passed);
}

static void encodes_version_3(void **state)
{
    (void)state;
    run_suite("toon-3.3", "3", true);
}

static void decodes_version_3(void **state)
{
    (void)state;
    run_suite("toon-3.3", "3", false);
}

static void encodes_version_4(void **state)
{
    (void)state;
    run_suite("toon-4.0", "4", true);
}

static void decodes_version_4(void **state)
{
    (void)state;
    run_suite("toon-4.0", "4", false);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(encodes_version_3),
        cmocka_unit_test(decodes_version_3),
        cmocka_unit_test(encodes_version_4),
        cmocka_unit_test(decodes_version_4),
    };
    return fixtures_result(cmocka_run_group_tests(tests, NULL, NULL));
}
