/*
 * test_toon_decode.c - TOON as it is read, where it takes code to show: numbers in every
 * dialect, ill-formed UTF-8 at every place, large and deep texts, and failing memory. The
 * rules, version by version, are in tests/vectors/toon.
 */
#include "bytes.h"
#include "meter.h"
#include "testing.h"

/* Words for the settings. */
#define V4 NULL
#define LAX "strict=false"
#define V3 "version=3"
#define V3_LAX "version=3 strict=false"
#define PATHS "version=3 expand=safe"

static char *exact_copy(const char *text, size_t len)
{
    char *copy = malloc(len ? len : 1);
    assert_non_null(copy);
    if (len)
        memcpy(copy, text, len);
    return copy;
}

/* -------------------------------------------------------------- tokens: 4 and 7 */

/* Numbers are what JSON's grammar says, in every version; the rest is text. */
static void numbers_by_the_grammar(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "05",    "-05", "0001",     ".5",   "-.5", "1.",  "+5",    "0x10",
        "1_000", "1,5", "Infinity", "NaN",  "-",   "--1", "1e",    "1e+",
        "1.e5",  "00",  "-00",      "01.5", "1 2", "5-",  "1.2.3",
    };
    static const char *const settings[] = {V4, LAX, V3, V3_LAX, "version=3.0"};
    for (size_t s = 0; s < ROWS(settings); s++) {
        pith_options options = with_settings(settings[s], NULL);
        for (size_t i = 0; i < ROWS(texts); i++) {
            bytes text = {0};
            bytes_print(&text, "k: %s\na[1|]: %s\nt[1|]{c}:\n  %s", texts[i], texts[i],
                        texts[i]);
            bytes json = {0};
            bytes_print(&json, "{\"k\":\"%s\",\"a\":[\"%s\"],\"t\":[{\"c\":\"%s\"}]}",
                        texts[i], texts[i], texts[i]);
            bytes_add(&json, "", 1);
            pith_doc *doc = must_parse("toon", text.ptr, text.len, &options);
            must_hold_json(doc, json.ptr);
            pith_doc_free(doc);
            bytes_free(&text);
            bytes_free(&json);
        }
    }
}

/* ------------------------------------------------------------- objects: 8, keys */

/* A duplicate is refused with both places, also after a thousand other keys. */
static void duplicates_are_placed(void **state)
{
    (void)state;
    pith_error err = {0};
    assert_null(pith_doc_parse("toon", LIT("b: 1\n  \na:\n  k: 1\n  k: 2"), NULL, &err));
    assert_non_null(strstr(err.message, "line 4, column 3"));
    bytes text = {0};
    for (int i = 0; i < 1000; i++)
        bytes_print(&text, "k%d: %d\n", i, i);
    bytes_put(&text, "k7: again\n");
    assert_null(pith_doc_parse("toon", text.ptr, text.len, NULL, &err));
    assert_string_equal(err.code, "duplicate_key");
    assert_int_equal(err.line, 1001);
    assert_non_null(strstr(err.message, "line 8, column 1"));
    bytes_free(&text);
}

/* ------------------------------------------------------------------------ UTF-8 */

/* An ill-formed sequence in every position, in every version and mode. */
static void ill_formed_utf8(void **state)
{
    (void)state;
    static const char *const places[] = {
        "%s",
        "k: %s",
        "%s: 1",
        "\"%s\": 1",
        "k: \"%s\"",
        "a[1]: %s",
        "a[2]: x,\"%s\"",
        "%s[1]: 1",
        "\"%s\"[1]: 1",
        "a[1]{%s}:\n  1",
        "a[1]{\"%s\"}:\n  1",
        "t[1]{a}:\n  %s",
        "t[1]{a,b}:\n  x,\"%s\"",
        "l[1]:\n  - %s",
        "l[1]:\n  - k: %s",
        "l[1]:\n  - %s: 1",
        "x: 1\n\n# %s",
        "# %s\nx: 1",
        "x: 1\n%s",
    };
    static const char *const sequences[] = {
        "\xff", "\xc3", "\xc0\xaf", "\xed\xa0\x80", "\xe2\x82", "\xf4\x90\x80\x80",
        "\x80",
    };
    static const char *const settings[] = {V4, LAX, V3, V3_LAX};
    size_t failures = 0;
    for (size_t p = 0; p < ROWS(places); p++) {
        for (size_t s = 0; s < ROWS(sequences); s++) {
            bytes text = {0};
            const char *hole = strstr(places[p], "%s");
            size_t before = (size_t)(hole - places[p]);
            bytes_add(&text, places[p], before);
            bytes_put(&text, sequences[s]);
            bytes_put(&text, hole + 2);
            for (size_t i = 0; i < ROWS(settings); i++) {
                char *copy = exact_copy(text.ptr, text.len);
                pith_options options = with_settings(settings[i], NULL);
                pith_error err = {0};
                pith_doc *doc = pith_doc_parse("toon", copy, text.len, &options, &err);
                bool right =
                    !doc && strcmp(err.code, "invalid_utf8") == 0 && err.offset == before;
                if (!right)
                    show_bytes("not refused for its UTF-8", text.ptr, text.len);
                failures += !right;
                pith_doc_free(doc);
                free(copy);
            }
            bytes_free(&text);
        }
    }
    assert_int_equal(failures, 0);
}

/* --------------------------------------------------------------- several problems */

enum { MOST = 8 };

/* --------------------------------------------------------------------- large texts */

static void ten_thousand_columns(void **state)
{
    (void)state;
    enum { COLUMNS = 10000, LINES = 20 };
    bytes text = {0};
    bytes json = {0};
    bytes_print(&text, "[%d]{", LINES);
    for (int i = 0; i < COLUMNS; i++)
        bytes_print(&text, "%sc%d", i ? "," : "", i);
    bytes_put(&text, "}:");
    for (int row = 0; row < LINES; row++) {
        bytes_put(&text, "\n  ");
        bytes_put(&json, row ? ",{" : "[{");
        for (int i = 0; i < COLUMNS; i++) {
            bytes_print(&text, "%s%d", i ? "," : "", row + i);
            bytes_print(&json, "%s\"c%d\":%d", i ? "," : "", i, row + i);
        }
        bytes_put(&json, "}");
    }
    bytes_put(&json, "]");
    meter counts = {0};
    pith_options options = {0};
    options.alloc = meter_alloc(&counts);
    pith_doc *doc = must_parse("toon", text.ptr, text.len, &options);
    /* the keys are stored once, not for every row */
    assert_true(counts.peak_bytes < (size_t)COLUMNS * (LINES + 1) * 16 * 2 + (2u << 20));
    pith_buffer out = must_write(pith_doc_root(doc), "json", NULL);
    assert_true(same_bytes("columns", out.data, out.len, json.ptr, json.len));
    pith_buffer_free(&out);
    pith_doc_free(doc);
    assert_true(meter_clean(&counts));

    /* and a name that stands twice among them is found */
    bytes_free(&text);
    bytes_put(&text, "[0]{");
    for (int i = 0; i < COLUMNS; i++)
        bytes_print(&text, "c%d,", i);
    bytes_put(&text, "c77}:");
    pith_error err = {0};
    assert_null(pith_doc_parse("toon", text.ptr, text.len, NULL, &err));
    assert_string_equal(err.code, "duplicate_key");
    bytes_free(&text);
    bytes_free(&json);
}

/* Memory follows what is there, never what is declared. */
static void declared_counts_cost_nothing(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "[999999999]{a}:\n  1",
        "[1000000000000000000]:\n  - 1",
        "[999999999999]: 1",
        "[99999999999999999999999:]{a}:\n  x: 1",
    };
    static const char *const settings[] = {V4, LAX};
    for (size_t i = 0; i < ROWS(texts); i++) {
        for (size_t s = 0; s < ROWS(settings); s++) {
            meter counts = {0};
            pith_options options = with_settings(settings[s], NULL);
            options.alloc = meter_alloc(&counts);
            pith_error err = {0};
            pith_doc *doc =
                pith_doc_parse("toon", texts[i], strlen(texts[i]), &options, &err);
            assert_true((doc != NULL) == (settings[s] != NULL));
            assert_true(counts.peak_bytes < 100000);
            pith_doc_free(doc);
            assert_true(meter_clean(&counts));
        }
    }
}

static void deep_texts(void **state)
{
    (void)state;
    enum { DEPTH = 2000 };
    bytes text = {0};
    bytes_put(&text, "[1]:");
    for (int i = 1; i < DEPTH; i++) {
        bytes_put(&text, "\n");
        bytes_repeat(&text, " ", (size_t)i);
        bytes_put(&text, "- [1]:");
    }
    bytes_put(&text, " 7");
    pith_options options = with_settings("indent=1", NULL);
    options.depth_max = DEPTH;
    pith_doc *doc = must_parse("toon", text.ptr, text.len, &options);
    pith_value value = pith_doc_root(doc);
    for (int i = 0; i < DEPTH; i++)
        value = pith_value_first(value);
    assert_int_equal(pith_value_kind(value), PITH_INTEGER);
    pith_doc_free(doc);
    options.depth_max = DEPTH - 1;
    pith_error err = {0};
    assert_null(pith_doc_parse("toon", text.ptr, text.len, &options, &err));
    assert_string_equal(err.code, "depth_limit");
    assert_int_equal(err.status, PITH_LIMIT);
    bytes_free(&text);

    /* depth in a header, and in a path */
    bytes_put(&text, "[1]{a");
    bytes_repeat(&text, "{a", 99999);
    bytes_repeat(&text, "}", 100000);
    bytes_put(&text, ":\n  1");
    options = with_settings(NULL, NULL);
    options.depth_max = PITH_DEPTH_MOST;
    doc = must_parse("toon", text.ptr, text.len, &options);
    pith_doc_free(doc);
    options.depth_max = 100000;
    assert_null(pith_doc_parse("toon", text.ptr, text.len, &options, &err));
    assert_string_equal(err.code, "depth_limit");
    bytes_free(&text);
    bytes_put(&text, "a");
    bytes_repeat(&text, ".a", 5000);
    bytes_put(&text, ": 1");
    options = with_settings(PATHS, NULL);
    options.depth_max = 5000;
    assert_null(pith_doc_parse("toon", text.ptr, text.len, &options, &err));
    assert_string_equal(err.code, "depth_limit");
    options.depth_max = 5001;
    doc = must_parse("toon", text.ptr, text.len, &options);
    pith_doc_free(doc);
    bytes_free(&text);
}

/* --------------------------------------------------------------------------- memory */

/* Every allocation that can fail does, once. */
static void out_of_memory(void **state)
{
    (void)state;
    static const struct {
        const char *settings;
        const char *text;
        pith_status status; /* with all the memory it wants */
    } rows[] = {
        {V4, "a: \"x\\ny\"\nt[2]{p,q{r,s}}:\n  1,2,3\n  4,5,6\nl[1]:\n  - k:\n      m: 1",
         PITH_OK},
        {LAX, "a: 1\na: 2\nt[1]{x,x,y{z,z}}:\n  1,2,3,4", PITH_OK},
        {PATHS, "a.b.c: 1\na.d: 2\nt[1]{x.y,z}:\n  1,2", PITH_OK},
        {V4, "a: 1\nb: 2\na: 3", PITH_BAD_INPUT},
    };
    for (size_t i = 0; i < ROWS(rows); i++) {
        bool ended = false;
        for (size_t fail = 1; !ended; fail++) {
            meter counts = {0};
            counts.fail_at = fail;
            pith_options options = with_settings(rows[i].settings, NULL);
            options.alloc = meter_alloc(&counts);
            pith_error err = {0};
            pith_doc *doc = pith_doc_parse("toon", rows[i].text, strlen(rows[i].text),
                                           &options, &err);
            ended = counts.failures == 0;
            /* what was asked for in vain is missed, or it was a luxury */
            pith_status status = doc ? PITH_OK : err.status;
            assert_true(status == rows[i].status || (!ended && status == PITH_NO_MEMORY));
            pith_doc_free(doc);
            assert_true(meter_clean(&counts));
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_by_the_grammar),
        cmocka_unit_test(duplicates_are_placed),
        cmocka_unit_test(ill_formed_utf8),
        cmocka_unit_test(ten_thousand_columns),
        cmocka_unit_test(declared_counts_cost_nothing),
        cmocka_unit_test(deep_texts),
        cmocka_unit_test(out_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
