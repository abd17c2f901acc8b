/*
 * test_gcf_take.c - rows of a GCF table as its bytes arrive.
 *
 * Whatever the pieces, the rows must be those of the whole text: each text is fed in
 * pieces of every size, from single bytes to all at once, and the rows written as JSON
 * lines are compared. Texts with a problem must have it at the same place as when they
 * are read whole.
 */
#include "bytes.h"
#include "meter.h"
#include "taking.h"
#include "testing.h"

#define FIRST "GCF profile=generic\n"

static bool gives(const char *text, const char *expected)
{
    size_t len = strlen(text);
    bool right = true;
    for (size_t size = 1; size <= len + 1 && right; size++) {
        bytes rows = {0};
        pith_error err = {0};
        bool fine = take_rows("gcf", NULL, text, len, size, &rows, &err);
        if (!fine)
            fprintf(stderr, "%s at %zu:%zu: %s\n", err.code, err.line, err.column,
                    err.message);
        right = fine && same_bytes("rows", rows.ptr ? rows.ptr : "", rows.len, expected,
                                   strlen(expected));
        if (!right)
            fprintf(stderr, "  in pieces of %zu of\n%s\n", size, text);
        bytes_free(&rows);
    }
    return right;
}

static void rows_of_tables(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        const char *rows;
    } all[] = {
        {FIRST "## [2]{id,n}\n1|Ada\n2|~\n", "{\"id\":1,\"n\":\"Ada\"}\n{\"id\":2}\n"},
        {FIRST "# c\n\n## t [?]{id,n=7}\n1\n# c\n\n2\n##! summary counts=2\n# c\n",
         "{\"id\":1,\"n\":7}\n{\"id\":2,\"n\":7}\n"},
        {FIRST "## \"a b\" [1]{x}\r\n\"\\n\"\r\n", "{\"x\":\"\\n\"}\n"},
        {FIRST "## [0]{x}\n", ""},
        {FIRST "## [?]{x}\n", ""},
        /* attachments, in and out of order, under rows with and without */
        {FIRST "## o [4]{id,c,l}\n@0 1|^|^\n.c {}\n    n=Ada\n    ## d\n      x=1\n"
               ".l [2]{a,b}\n    1|2\n    3|4\n2|-|~\n@2 3|^|^\n  .l [1]\n    5|6\n"
               "# c\n.c {}\n@3 4|^|^\n.l [2]\n    @0 =1\n    @1 {}\n      a=2\n.c {}\n",
         "{\"id\":1,\"c\":{\"n\":\"Ada\",\"d\":{\"x\":1}},\"l\":[{\"a\":1,\"b\":2},"
         "{\"a\":3,\"b\":4}]}\n{\"id\":2,\"c\":null}\n"
         "{\"id\":3,\"c\":{},\"l\":[{\"a\":5,\"b\":6}]}\n"
         "{\"id\":4,\"c\":{},\"l\":[1,{\"a\":2}]}\n"},
        /* bodies look like rows */
        {FIRST "## o [3]{id,c,d}\n@0 1|^{x,y}|^{z}\n1|2\n3\n@1 2|^|^\n4|5\n6\n7|-|~\n",
         "{\"id\":1,\"c\":{\"x\":1,\"y\":2},\"d\":{\"z\":3}}\n"
         "{\"id\":2,\"c\":{\"x\":4,\"y\":5},\"d\":{\"z\":6}}\n{\"id\":7,\"c\":null}\n"},
        {FIRST "## o [2]{c}\n@0 ^{x}\n1\n@1 ^\n.c {}\n    q=\"\\u0041\"\n",
         "{\"c\":{\"x\":1}}\n{\"c\":{\"q\":\"A\"}}\n"},
        {FIRST "## o [2]{\"p>q\",\"p>r\"}\n@0 1|2\n.\"a>b\" =3\n-|-\n##! summary\n",
         "{\"p\":{\"q\":1,\"r\":2},\"a>b\":3}\n{\"p\":null}\n"},
        {FIRST
         "## o [3]{i}\n@0 1\n.\"a>\" [1]{x,y}\n    1|2\n.\"b>\" [1]{z}\n    3\n@1 2\n"
         ".\"b>\" [1]\n    4\n.\"a>\" [2]\n    5|6\n    7|~\n@2 3\n.\"b>\" [1]\n    5\n",
         "{\"i\":1,\"a>\":[{\"x\":1,\"y\":2}],\"b>\":[{\"z\":3}]}\n"
         "{\"i\":2,\"b>\":[{\"z\":4}],\"a>\":[{\"x\":5,\"y\":6},{\"x\":7}]}\n"
         "{\"i\":3,\"b>\":[{\"z\":5}]}\n"},
        /* no table, or one whose keys must be compared: when all of it is there */
        {FIRST "## [2]\n@0 =1\n@1 {}\n  a=2\n", "1\n{\"a\":2}\n"},
        {FIRST "## [3]: 1,x,-\n", "1\n\"x\"\nnull\n"},
        {FIRST "a=1\n## t [1]{x}\n2\n", "{\"a\":1,\"t\":[{\"x\":2}]}\n"},
        {FIRST "## [2:]{key,x}\na|1\nb|2\n", "{\"a\":{\"x\":1},\"b\":{\"x\":2}}\n"},
        {FIRST "## [2]{@id,d} group=d\nd=x [2]\n1\n2\n",
         "{\"id\":1,\"d\":\"x\"}\n{\"id\":2,\"d\":\"x\"}\n"},
        {FIRST "=7\n", "7\n"},
        {FIRST "", "{}\n"},
        {FIRST "## [0]\n", ""},
    };
    size_t failures = 0;
    for (size_t i = 0; i < ROWS(all); i++)
        failures += !gives(all[i].text, all[i].rows);
    assert_int_equal(failures, 0);
}

static void problems(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        expected_error error;
    } all[] = {
        {"a=1\n", {PITH_BAD_INPUT, "missing_header", 1, 1}},
        {"\xEF\xBB\xBF" FIRST "## t [1]{a}\n1\n",
         {PITH_BAD_INPUT, "missing_header", 1, 1}},
        {"GCF profile=other\n## t [1]{a}\n1\n",
         {PITH_BAD_INPUT, "unknown_profile", 1, 5}},
        {"GCF profile=graph\n## t [1]{a}\n1\n", {PITH_BAD_INPUT, "invalid_line", 2, 6}},
        {FIRST " ## t [1]{a}\n1\n", {PITH_BAD_INPUT, "invalid_indent", 2, 2}},
        {FIRST "## t [1]{a}\n1\n ##! summary\n",
         {PITH_BAD_INPUT, "invalid_indent", 4, 2}},
        {FIRST "\t# c\n## t [1]{a}\n1\n", {PITH_BAD_INPUT, "tab_indentation", 2, 1}},
        {FIRST "## t [2]{a}\n1\n\t# c\n2\n", {PITH_BAD_INPUT, "tab_indentation", 4, 1}},
        {FIRST "## t [1]{a}\n1\n##! summary\n\t# c\n",
         {PITH_BAD_INPUT, "tab_indentation", 5, 1}},
        {FIRST "## t [1]{a,a}\n", {PITH_BAD_INPUT, "duplicate_field_name", 2, 12}},
        {FIRST "## t [3]{a}\n1\n2\n", {PITH_BAD_INPUT, "count_mismatch", 5, 1}},
        {FIRST "## t [1]{a}\n1\n2\n", {PITH_BAD_INPUT, "count_mismatch", 4, 1}},
        {FIRST "## t [2]{a}\n1\n##! summary\n", {PITH_BAD_INPUT, "count_mismatch", 4, 1}},
        {FIRST "## t [?]{a}\n1\n##! summary counts=2\n",
         {PITH_BAD_INPUT, "count_mismatch", 4, 20}},
        {FIRST "## t [?]{a}\n1\n##! summary counts=1\nb=1\n",
         {PITH_BAD_INPUT, "invalid_line", 5, 1}},
        {FIRST "## t [2]{a,b}\n1|2\n3\n", {PITH_BAD_INPUT, "row_width_mismatch", 4, 2}},
        {FIRST "## t [2]{a,b}\n1|2\n3|\"\\q\"\n",
         {PITH_BAD_INPUT, "invalid_escape", 4, 4}},
        {FIRST "## t [2]{a}\n1\n\xC3(\n", {PITH_BAD_INPUT, "invalid_utf8", 4, 1}},
        {FIRST "## t [2]{a}\n1\n@7 2\n", {PITH_BAD_INPUT, "invalid_item_id", 4, 1}},
        {FIRST "## t [2]{a}\n@0 ^\n.a [2]: 1\n",
         {PITH_BAD_INPUT, "count_mismatch", 4, 10}},
        {FIRST "## t [2]{a}\n@0 ^\n@1 1\n", {PITH_BAD_INPUT, "missing_attachment", 3, 4}},
        {FIRST "## t [1]{a}\n1\n.a {}\n", {PITH_BAD_INPUT, "orphan_attachment", 4, 1}},
        {FIRST "## t [1]{a}\n1\n  2\n", {PITH_BAD_INPUT, "invalid_indent", 4, 3}},
        {FIRST "## t [1]{a}\n1\n## u\n", {PITH_BAD_INPUT, "not_a_table", 4, 1}},
        {FIRST "## t [1]{a}\n1\nb=1\n", {PITH_BAD_INPUT, "not_a_table", 4, 1}},
        {FIRST "## t [2]{a}\n@0 ^\n.a {}\n    b=1\n    b=2\n@1 3\n",
         {PITH_BAD_INPUT, "duplicate_key", 6, 5}},
        {FIRST "a=1\na=2\n", {PITH_BAD_INPUT, "duplicate_key", 3, 1}},
    };
    size_t failures = 0;
    for (size_t i = 0; i < ROWS(all); i++) {
        size_t len = strlen(all[i].text);
        for (size_t size = 1; size <= len + 1; size++) {
            bytes rows = {0};
            pith_error err = {0};
            bool fine = take_rows("gcf", NULL, all[i].text, len, size, &rows, &err);
            if (fine || !same_error(all[i].text, &err, &all[i].error)) {
                fprintf(stderr, "  in pieces of %zu%s\n", size, fine ? ": accepted" : "");
                failures++;
            }
            bytes_free(&rows);
        }
    }
    assert_int_equal(failures, 0);
}

static bool has_row(pith_reader *reader)
{
    pith_value row;
    pith_error err = {0};
    if (pith_reader_next(reader, &row, &err) != PITH_OK)
        fail_msg("%s at %zu:%zu: %s", err.code, err.line, err.column, err.message);
    return row.doc != NULL;
}

static void feed(pith_reader *reader, const char *text)
{
    assert_int_equal(pith_reader_feed(reader, text, strlen(text), NULL), PITH_OK);
}

/* A row is handed out as soon as it is known to be whole. */
static void rows_come_at_once(void **state)
{
    (void)state;
    pith_reader *reader = pith_reader_open("gcf", NULL, NULL);
    feed(reader, FIRST "## t [?]{a,l}\n1|");
    assert_false(has_row(reader));
    feed(reader, "x\n");
    assert_true(has_row(reader));
    feed(reader, "@1 2|^\n.l [1]: 5\n");
    assert_false(has_row(reader));
    feed(reader, "@");
    assert_true(has_row(reader));
    feed(reader, "2 3|x\n");
    assert_false(has_row(reader));
    feed(reader, "##! summary counts=3\n");
    assert_true(has_row(reader));
    assert_false(has_row(reader));
    assert_int_equal(pith_reader_end(reader, NULL), PITH_OK);
    assert_false(has_row(reader));
    pith_reader_free(reader);
}

/* Many rows, one after the other, in the memory of one. */
static void memory_is_bounded(void **state)
{
    (void)state;
    enum { COUNT = 20000, PIECE = 1000 };
    bytes text = {0};
    bytes_put(&text, FIRST "## t [?]{id,c,l,\"p>q\"}\n");
    for (int i = 0; i < COUNT; i++) {
        bytes_print(&text, "@%d %d|^%s|^|x\n1|2|3\n", i, i, i ? "" : "{x,y,z}");
        bytes_print(&text, ".l [1]%s\n    %d\n", i ? "" : "{a}", i);
    }
    bytes_print(&text, "##! summary counts=%d\n", COUNT);
    meter counts = {0};
    pith_options options = {0};
    options.alloc = meter_alloc(&counts);
    pith_reader *reader = pith_reader_open("gcf", &options, NULL);
    size_t rows = 0;
    for (size_t at = 0; at < text.len; at += PIECE) {
        size_t len = text.len - at < PIECE ? text.len - at : PIECE;
        assert_int_equal(pith_reader_feed(reader, text.ptr + at, len, NULL), PITH_OK);
        while (has_row(reader))
            rows++;
    }
    pith_reader_end(reader, NULL);
    while (has_row(reader))
        rows++;
    assert_int_equal(rows, COUNT);
    assert_true(counts.peak_bytes < 100000);
    pith_reader_free(reader);
    assert_true(meter_clean(&counts));
    bytes_free(&text);
}

/* One row of many lines, fed byte by byte, must not be looked at again and again. */
static void long_rows_stay_linear(void **state)
{
    (void)state;
    enum { LINES = 20000 };
    bytes text = {0};
    bytes_put(&text, FIRST "## t [?]{l}\n@0 ^\n.l [?]{a,b}\n");
    for (int i = 0; i < LINES; i++)
        bytes_print(&text, "    %d|some text\n", i);
    bytes rows = {0};
    assert_true(take_rows("gcf", NULL, text.ptr, text.len, 3, &rows, NULL));
    assert_true(rows.len > LINES * 20);
    bytes_free(&rows);
    bytes_free(&text);
}

/* Rows with ever new keys make shapes be forgotten; the layout is worked out anew. */
static void take_new_keys(size_t piece)
{
    enum { COUNT = 1200, KEYS = 60 };
    bytes text = {0};
    bytes expected = {0};
    bytes_put(&text, FIRST "## t [?]{id,o,c}\n");
    for (int i = 0; i < COUNT; i++) {
        bytes_print(&text, "@%d %d|^|^%s\n.o {}\n", i, i, i ? "" : "{x,y}");
        bytes_print(&expected, "{\"id\":%d,\"o\":{", i);
        for (int k = 0; k < KEYS; k++) {
            bytes_print(&text, "    k%d_%d=1\n", i, k);
            bytes_print(&expected, "%s\"k%d_%d\":1", k ? "," : "", i, k);
        }
        bytes_put(&text, "7|8\n");
        bytes_put(&expected, "},\"c\":{\"x\":7,\"y\":8}}\n");
    }
    bytes rows = {0};
    pith_error err = {0};
    bool fine = take_rows("gcf", NULL, text.ptr, text.len, piece, &rows, &err);
    if (!fine)
        fprintf(stderr, "%s at %zu: %s\n", err.code, err.line, err.message);
    assert_true(fine);
    assert_true(same_bytes("rows", rows.ptr, rows.len, expected.ptr, expected.len));
    bytes_free(&rows);
    bytes_free(&expected);
    bytes_free(&text);
}

static void shapes_are_renewed(void **state)
{
    (void)state;
    take_new_keys(10000);
}

/* When shapes were forgotten after a part of a row had been tried in vain, that was once
 * missed, and the rows behind had keys of others. */
static void shapes_are_renewed_within_a_row(void **state)
{
    (void)state;
    take_new_keys(61);
    take_new_keys(331);
}

/* A reader that was given nothing. */
static void nothing_is_fed(void **state)
{
    (void)state;
    for (int ended = 0; ended < 2; ended++) {
        meter counts = {0};
        pith_options options = {.alloc = meter_alloc(&counts)};
        pith_error err = {0};
        pith_value row = {0};
        pith_reader *reader = pith_reader_open("gcf", &options, NULL);
        assert_non_null(reader);
        if (ended) {
            assert_int_equal(pith_reader_end(reader, &err), PITH_OK);
            assert_int_equal(pith_reader_next(reader, &row, &err), PITH_BAD_INPUT);
            assert_string_equal(err.code, "missing_header");
        }
        pith_reader_free(reader);
        assert_true(meter_clean(&counts));
    }
}

static void out_of_memory(void **state)
{
    (void)state;
    static const char text[] = FIRST
        "## t [3]{id,c,l,k=5}\n@0 1|^{x,y}|^\n1|2\n.l [1]{a}\n    1\n2|-|~\n@2 3|^|^\n"
        ".l [1]\n    2\n3|4\n";
    meter counts = {0};
    pith_options options = {0};
    options.alloc = meter_alloc(&counts);
    size_t failed = 0;
    for (size_t fail_at = 1;; fail_at++) {
        size_t before = counts.failures;
        counts.fail_at = fail_at;
        counts.requests = 0;
        pith_error err = {0};
        pith_reader *reader = pith_reader_open("gcf", &options, &err);
        pith_value row = {0};
        bool fine = reader != NULL;
        for (size_t at = 0; fine && at < sizeof text - 1; at += 20) {
            size_t left = sizeof text - 1 - at;
            fine = pith_reader_feed(reader, text + at, left < 20 ? left : 20, &err) ==
                   PITH_OK;
            do {
                fine = fine && pith_reader_next(reader, &row, &err) == PITH_OK;
            } while (fine && row.doc);
        }
        if (!fine)
            assert_int_equal(err.status, PITH_NO_MEMORY);
        failed += !fine;
        pith_reader_free(reader);
        assert_true(meter_clean(&counts));
        if (counts.failures == before) {
            assert_true(fine);
            break;
        }
    }
    assert_true(failed > 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_of_tables),
        cmocka_unit_test(problems),
        cmocka_unit_test(rows_come_at_once),
        cmocka_unit_test(memory_is_bounded),
        cmocka_unit_test(long_rows_stay_linear),
        cmocka_unit_test(shapes_are_renewed),
        cmocka_unit_test(shapes_are_renewed_within_a_row),
        cmocka_unit_test(nothing_is_fed),
        cmocka_unit_test(out_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
