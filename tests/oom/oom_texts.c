/*
 * oom_texts.c - texts and values of one format alone, without memory; see sweep.h.
 *
 * oom_sweep.c takes every format through the same samples. Here are those that make one
 * format ask for memory where the samples do not: a list that grows just there, a block
 * that is just full. They are long and regular, so they are written as patterns:
 *
 *     ~3(k#:1,)      k0:1,k1:1,k2:1,        # is the number of the repetition
 *     ~$(x)          a run for each number up to `most`
 */
#include "sweep.h"

typedef struct text_case {
    const char *format;
    const char *settings;
    const char *pattern;
    size_t most; /* of $ */
} text_case;

/* ------------------------------------------------------------------------- patterns */

static const char *close_of(const char *open)
{
    size_t depth = 0;
    for (const char *at = open;; at++) {
        depth += *at == '(';
        depth -= *at == ')';
        assert_true(*at != '\0');
        if (depth == 0)
            return at;
    }
}

static void put_pattern(bytes *text, const char *at, const char *end, size_t number,
                        size_t any)
{
    for (; at < end; at++) {
        if (*at == '#') {
            bytes_print(text, "%zu", number);
        } else if (*at != '~') {
            bytes_add(text, at, 1);
        } else {
            const char *open = strchr(at, '(');
            size_t count = at[1] == '$' ? any : (size_t)atoi(at + 1);
            assert_non_null(open);
            for (size_t i = 0; i < count; i++)
                put_pattern(text, open + 1, close_of(open), i, any);
            at = close_of(open);
        }
    }
}

static bytes spelled(const text_case *given, size_t any)
{
    bytes text = {0};
    put_pattern(&text, given->pattern, given->pattern + strlen(given->pattern), 0, any);
    return text;
}

/* --------------------------------------------------------------------------- sweeps */

static size_t read_text(const text_case *given, bytes text)
{
    pith_options options = with_settings(given->settings, NULL);
    sweep_job job = {.format = given->format, .text = text};
    return sweep_run(given->pattern, sweep_parse, &job, &options) +
           sweep_run(given->pattern, sweep_check, &job, &options) +
           sweep_run(given->pattern, sweep_read_pieces, &job, &options);
}

static void read_all(const text_case *cases, size_t count)
{
    size_t failures = 0;
    for (size_t i = 0; i < count; i++) {
        for (size_t any = 0; any <= cases[i].most; any++) {
            bytes text = spelled(&cases[i], any);
            failures += read_text(&cases[i], text);
            bytes_free(&text);
        }
    }
    assert_int_equal(failures, 0);
}

/* The patterns are those of JSON texts, whose values are written. */
static void write_all(const text_case *cases, size_t count)
{
    size_t failures = 0;
    for (size_t i = 0; i < count; i++) {
        for (size_t any = 0; any <= cases[i].most; any++) {
            pith_options options = with_settings(NULL, cases[i].settings);
            sweep_job job = {.format = cases[i].format, .text = spelled(&cases[i], any)};
            job.doc = must_parse("json", job.text.ptr, job.text.len, NULL);
            failures += sweep_run(cases[i].pattern, sweep_write, &job, &options);
            pith_doc_free(job.doc);
            bytes_free(&job.text);
        }
    }
    assert_int_equal(failures, 0);
}

/* ------------------------------------------------------------------------ the cases */

static void pith_is_read(void **state)
{
    (void)state;
    static const text_case cases[] = {
        /* many columns; some are absent in the second row */
        {"pith", NULL, "[2{~250(c#,)z}\n~250(#,)1\n,~249(#,)1\n]", 0},
        {"pith", NULL, "[2{g{~250(c#,)z},y}\n~250(#,)1,2\n,~249(#,)1,2\n]", 0},
        {"pith", NULL, "[?{~900(c#,)z}\n~900(#,)1\n]1", 0},
        {"pith", NULL, "[1{~$(c#,)g{x}}\n~$(#,)1\n]", 16},
        {"pith", NULL, "[1{~20(t#[1{x}],)z}\n~20([1],)1\n]", 0},
        {"pith", NULL, "[1{~20(t[1{)x~20(}])}\n~20([)1~20(])\n]", 0},
        /* names too long for a shape, under keys that are too */
        {"pith", NULL, "{40{a,b}\n~40(~300(k)#:1,2\n)}", 0},
        {"pith", NULL, "{40{~300(x),y}\n~40(~300(k)#:1,\n)}", 0},
        {"pith", NULL, "{40{y,~300(x)=1}\n~40(~300(k)#:\n)}", 0},
        {"pith", NULL, "{40{~300(x){a,b},y}\n~40(~300(k)#:,1,\n)}", 0},
        {"pith", NULL, "{40{~300(x){a,c=1},y}\n~40(~300(k)#:1,\n)}", 0},
        {"pith", NULL, "{40{~300(x)[?{a}],y}\n~40(~300(k)#:[1],\n)}", 0},
        {"pith", NULL, "{250{a,b}\n~250(k#:1,2\n)}", 0},
        {"pith", NULL, "[1{~300(x),c={}}\n1\n]", 0},
        {"pith", NULL, "[2{~300(x),~300(y)}\n1\n1,2\n]", 0},
        /* few values, and then many */
        {"pith", NULL, "{a:~5000(x),~400(k#:1,)z:1}", 0},
        {"pith", NULL, "{~40(:1,)z:1}", 0},
    };
    read_all(cases, ROWS(cases));
}

/* So many shapes that the reader forgets them and learns those of the header anew. */
static void pith_is_learned_again(void **state)
{
    (void)state;
    enum { COLUMNS = 30, LINES = 500 };
    static const text_case given = {"pith", NULL, "many shapes", 0};
    bytes text = {0};
    uint32_t mix = 7;
    bytes_put(&text, "[?{id");
    for (unsigned i = 0; i < COLUMNS; i++)
        bytes_print(&text, ",c%u", i);
    bytes_put(&text, "}");
    for (unsigned row = 0; row < LINES; row++) {
        bytes_print(&text, "\n%u", row);
        for (unsigned i = 0; i < COLUMNS; i++) {
            mix = mix * 1664525u + 1013904223u;
            bytes_put(&text, mix >> 31 ? ",v" : ",");
        }
    }
    bytes_put(&text, "\n]500");
    assert_int_equal(read_text(&given, text), 0);
    bytes_free(&text);
}

static void pith_is_written(void **state)
{
    (void)state;
    static const text_case cases[] = {
        /* rows of one shape with objects of many */
        {"pith", NULL,
         "[~40({\"id\":#,\"long\":\"a text that never changes\",\"o\":{\"k#\":1}},)"
         "{\"id\":1,\"long\":\"a text that never changes\",\"o\":{\"k\":1}}]",
         0},
        /* rows of many shapes with objects of one */
        {"pith", NULL,
         "[{\"a\":1,\"g\":{~20(\"key#\":#,)\"z\":1}},{\"b\":1,\"g\":{~20(\"key#\":1#,)"
         "\"z\":2}}]",
         0},
        {"pith", NULL,
         "[{\"a\":1,\"g\":{~20(\"key#\":#,)\"z\":1}},{\"a\":1,\"g\":{~20(\"key#\":1#,)"
         "\"z\":2}}]",
         0},
        /* columns that were not seen in order, or contradict each other */
        {"pith", NULL, "[{~12(\"key#\":#,)\"z\":1},{~12(\"key#\":1#,)\"y\":2,\"z\":3}]",
         0},
        {"pith", "order=free",
         "[{~12(\"key#\":#,)\"y\":1,\"z\":1},{~12(\"key#\":1#,)\"z\":2,\"y\":3}]", 0},
        /* one level deeper each time, so that some time the stack ends at a row, and
         * some time at a cell */
        {"pith", NULL,
         "~$([)[{\"id\":1,\"tags\":[{\"key\":1,\"value\":2},{\"key\":3,\"value\":4}]},"
         "{\"id\":2,\"tags\":[{\"key\":5,\"value\":6},{\"key\":7,\"value\":8}]}]~$(])",
         20},
    };
    write_all(cases, ROWS(cases));
}

static void toon_is_read(void **state)
{
    (void)state;
    static const text_case cases[] = {
        {"toon", NULL, "[2]{~250(c#,)z}:\n~2(  ~250(#,)1\n)", 0},
        {"toon", NULL, "[1]{~$(g#{~300(x)},)z}:\n  ~$(1,)1\n", 8},
        {"toon", NULL, "[1]{~40(c#,)c0}:\n  ~40(#,)1\n", 0},
        {"toon", "strict=false", "[80]{a,b,a}:\n~80(  1,2,3\n)", 0},
        {"toon", "version=3 strict=false", "[2]{~120(c#,)z}:\n  ~110(#,)1\n  1\n", 0},
        {"toon", NULL, "a: ~5000(x)\nb[401]: ~400(1,)1\n", 0},
        {"toon", NULL, "a: ~5000(x)\n~400(k#: 1\n)", 0},
        {"toon", NULL, "a: ~5000(x)\nb[200]:\n~200(  - k: 1\n    v: 2\n)", 0},
        {"toon", "version=3 expand=safe", "~40(a#.b#: 1\n)", 0},
        {"toon", "version=3 expand=safe", "~250(a.k#: 1\n)", 0},
    };
    read_all(cases, ROWS(cases));
}

static void toon_is_written(void **state)
{
    (void)state;
    static const char crooked[] = "[{\"a\":1,\"b\":{\"x\":2,\"y\":3}},"
                                  "{\"b\":{\"y\":4,\"x\":5},\"a\":6}]";
    static const text_case cases[] = {
        {"toon", NULL, crooked, 0},
        {"toon-rows", NULL, "[{\"a\":1,\"b\":2},{\"b\":3,\"a\":4}]", 0},
        {"toon-rows", NULL, "[{\"a\":1,\"b\":2},{\"b\":3,\"c\":4}]", 0},
    };
    write_all(cases, ROWS(cases));
}

static void csv_is_read(void **state)
{
    (void)state;
    static const text_case cases[] = {
        {"csv", NULL, "~150(column number #,)z\n~150(#,)1\n", 0},
        {"csv", "header=false", "~180(#,)1\n", 0},
        {"csv", "duplicates=number", "~250(the same,)z\n~250(#,)1\n", 0},
    };
    read_all(cases, ROWS(cases));
}

static void csv_and_json_are_written(void **state)
{
    (void)state;
    static const text_case cases[] = {
        {"csv", NULL, "[{\"a\":1,\"b\":2},{\"b\":3,\"a\":4}]", 0},
        {"csv", "nested=json", "[{\"a\":~40([)1~40(])}]", 0},
        {"json", "indent=2", "~40([)1~40(])", 0},
    };
    write_all(cases, ROWS(cases));
}

/* Keys that are made up, because there are none where they must be. */
static void json_is_checked(void **state)
{
    (void)state;
    static const text_case cases[] = {{"json", NULL, "{~40(:1,)\"z\":1}", 0}};
    read_all(cases, ROWS(cases));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pith_is_read),
        cmocka_unit_test(pith_is_learned_again),
        cmocka_unit_test(pith_is_written),
        cmocka_unit_test(toon_is_read),
        cmocka_unit_test(toon_is_written),
        cmocka_unit_test(csv_is_read),
        cmocka_unit_test(csv_and_json_are_written),
        cmocka_unit_test(json_is_checked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
