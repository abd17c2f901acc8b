/*
 * test_accepted.c - what is written with default settings is read with default settings.
 *
 * Every format of the registry writes values drawn at random, those of the golden files,
 * and tables of which nearly all could be left unsaid: columns that never change, objects
 * that only lead to others. The text must be read within the normal limits. A few bytes
 * that stand for much are refused then, so a writer must not write them.
 */
#include "drawn.h"
#include "fuzz/fuzzing.h"
#include "random.h"
#include "testing.h"

/* True when the value is refused by the writer, or read back from what it wrote. */
static bool is_accepted(const pith_format *format, const char *words, pith_value value,
                        const char *what)
{
    pith_buffer text = {0};
    pith_error err = {0};
    pith_options options = with_settings(NULL, words);
    if (pith_value_write(value, format->name, &options, pith_sink_buffer(&text), &err) !=
        PITH_OK) {
        pith_buffer_free(&text);
        return err.status == PITH_UNREPRESENTABLE;
    }
    pith_doc *back = pith_doc_parse(format->name, text.data, text.len, NULL, &err);
    if (!back)
        fprintf(stderr, "%s %s: %s: %s\n", format->name, words ? words : "", what,
                err.message);
    bool fine = back && fuzz_same_value(value, pith_doc_root(back));
    pith_doc_free(back);
    pith_buffer_free(&text);
    return fine;
}

static bool all_accept(pith_value value, const char *what)
{
    bool fine = true;
    const pith_format *format;
    for (size_t i = 0; (format = pith_format_at(i)) != NULL; i++) {
        bool both = format->direction == (PITH_READ | PITH_WRITE) && !format->chooses;
        bool graph = strstr(format->name, "graph") != NULL; /* not any value */
        fine = (!both || graph || is_accepted(format, NULL, value, what)) && fine;
    }
    return fine;
}

static void drawn_values_are_accepted(void **state)
{
    (void)state;
    static const char marks[] = "[]{}(ab|12)<cd|x1>!~-'t'n+5;09";
    uint64_t random = 7;
    size_t failures = 0;
    for (size_t i = 0; i < OFTEN(3000); i++) {
        uint8_t bytes[160];
        size_t len = 1 + random_below(&random, sizeof bytes);
        for (size_t k = 0; k < len; k++)
            bytes[k] = random_below(&random, 4)
                           ? (uint8_t)marks[random_below(&random, sizeof marks - 1)]
                           : (uint8_t)random_next(&random);
        draw from = draw_from(bytes, len);
        pith_doc *doc = draw_doc(&from);
        failures += !all_accept(pith_doc_root(doc), "a drawn value");
        pith_doc_free(doc);
    }
    assert_int_equal(failures, 0);
}

/* The corpus of the golden files. */
static void corpora_are_accepted(void **state)
{
    (void)state;
    static const char *const names[] = {"config", "numbers", "orders", "service", "text"};
    size_t read = 0;
    for (size_t i = 0; i < ROWS(names); i++) {
        char path[512];
        snprintf(path, sizeof path, "%s/golden/%s.in.json", PITH_TESTS_DIR, names[i]);
        FILE *file = fopen(path, "rb");
        if (!file)
            continue;
        static char text[1 << 20];
        size_t len = fread(text, 1, sizeof text, file);
        fclose(file);
        pith_doc *doc = must_parse("json", text, len, NULL);
        assert_true(all_accept(pith_doc_root(doc), names[i]));
        pith_doc_free(doc);
        read++;
    }
    assert_int_equal(read, ROWS(names));
}

/* ---------------------------------------------------------------- much in few bytes */

enum { WIDE_ROWS = 110000, WIDE_COLUMNS = 60, DEEP_ROWS = 40000, DEEP_LEVELS = 120 };

/* One column that changes and many that never do. */
static pith_doc *build_wide(void)
{
    pith_doc *doc = pith_doc_new(NULL);
    char key[8];
    pith_doc_open_array(doc);
    for (int i = 0; i < WIDE_ROWS; i++) {
        pith_doc_open_object(doc);
        for (int k = 0; k <= WIDE_COLUMNS; k++) {
            pith_doc_add_key(doc, key, (size_t)snprintf(key, sizeof key, "c%d", k));
            pith_doc_add_int64(doc, k == 0 ? i % 10 : 1);
        }
        pith_doc_close(doc);
    }
    pith_doc_close(doc);
    assert_int_equal(pith_doc_finish(doc, NULL), PITH_OK);
    return doc;
}

/* Rows of one number, after so many objects that hold nothing else. */
static pith_doc *build_deep(void)
{
    pith_doc *doc = pith_doc_new(NULL);
    pith_doc_open_array(doc);
    for (int i = 0; i < DEEP_ROWS; i++) {
        for (int k = 0; k < DEEP_LEVELS; k++) {
            pith_doc_open_object(doc);
            pith_doc_add_key(doc, "g", 1);
        }
        pith_doc_add_int64(doc, i % 10);
        for (int k = 0; k < DEEP_LEVELS; k++)
            pith_doc_close(doc);
    }
    pith_doc_close(doc);
    assert_int_equal(pith_doc_finish(doc, NULL), PITH_OK);
    return doc;
}

/* The forms that can leave most of a value unsaid. */
static void must_accept(pith_doc *doc, const char *what)
{
    static const struct {
        const char *format;
        const char *words;
    } forms[] = {{"pith", NULL}, {"gcf", NULL}, {"gcf", "level=3.6"}, {"toon", NULL}};
    size_t failures = 0;
    for (size_t i = 0; i < ROWS(forms); i++)
        failures += !is_accepted(pith_format_find(forms[i].format), forms[i].words,
                                 pith_doc_root(doc), what);
    assert_int_equal(failures, 0);
    pith_doc_free(doc);
}

static void many_constants_are_accepted(void **state)
{
    (void)state;
    if (SLOWNESS == 1)
        must_accept(build_wide(), "constants");
}

static void deep_paths_are_accepted(void **state)
{
    (void)state;
    if (SLOWNESS == 1)
        must_accept(build_deep(), "paths");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(drawn_values_are_accepted),
        cmocka_unit_test(corpora_are_accepted),
        cmocka_unit_test(many_constants_are_accepted),
        cmocka_unit_test(deep_paths_are_accepted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
