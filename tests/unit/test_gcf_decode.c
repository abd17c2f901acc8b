/*
 * test_gcf_decode.c - GCF as it is read, where it takes code to show: long numbers, a text
 * without each of its parts, rows that lack any of their cells, sizes and failing memory.
 * The rules are in tests/vectors/gcf.
 */
#include "bytes.h"
#include "meter.h"
#include "testing.h"

#define FIRST "GCF profile=generic\n"

static char *exact_copy(const char *text, size_t len)
{
    char *copy = malloc(len ? len : 1);
    assert_non_null(copy);
    if (len)
        memcpy(copy, text, len);
    return copy;
}

/* ------------------------------------------------------------------ scalars: 2 */

/* Numbers of so many digits that it takes all of them to tell whether they fit. */
static void long_numbers(void **state)
{
    (void)state;
    static const struct {
        const char *before;
        const char *digit;
        size_t count;
        const char *after;
        bool fits;
    } rows[] = {
        {"0.", "1", 300, "", true},    {"1", "0", 300, ".5", true},
        {"-1", "0", 300, ".5", true},  {"1", "0", 400, ".5", false},
        {"-1", "0", 400, ".5", false}, {"1", "0", 400, "e-200", true},
        {"0.", "0", 300, "1e9", true}, {"9", "0", 300, "e99", false},
        {"1", "0", 300, "", false},
    };
    for (size_t i = 0; i < ROWS(rows); i++) {
        bytes number = {0}, text = {0};
        bytes_put(&number, rows[i].before);
        bytes_repeat(&number, rows[i].digit, rows[i].count);
        bytes_put(&number, rows[i].after);
        bytes_add(&number, "", 1);
        bytes_put(&text, FIRST "=");
        bytes_add(&text, number.ptr, number.len - 1);
        pith_error err = {0};
        pith_doc *doc = pith_doc_parse("gcf", text.ptr, text.len, NULL, &err);
        assert_int_equal(doc != NULL, rows[i].fits);
        if (doc)
            must_hold_json(doc, number.ptr);
        else
            assert_string_equal(err.code, "out_of_range");
        pith_doc_free(doc);
        bytes_free(&text);
        bytes_free(&number);
    }
}

/* ------------------------------------------------------------- mutated wire */

/* Wire in which anything that is lost must show. */
static const char wire[] = FIRST "title=all\n"
                                 "## t [3]{id,name,l}\n"
                                 "@0 1|Ada|^\n"
                                 ".l [2]{a,b}\n"
                                 "    1|2\n"
                                 "    3|4\n"
                                 "2|Bob|~\n"
                                 "@2 3|Eve|^\n"
                                 ".l [1]\n"
                                 "    5|6\n"
                                 "## m [2]\n"
                                 "@0 =1\n"
                                 "@1 {}\n"
                                 "  x=1\n"
                                 "## k [2:]{key,v}\n"
                                 "p|1\n"
                                 "q|2\n"
                                 "n[2]: 1,2\n";

static bool is_accepted(const char *text, size_t len)
{
    char *copy = exact_copy(text, len);
    pith_doc *doc = pith_doc_parse("gcf", copy, len, NULL, NULL);
    bool fine = pith_check("gcf", copy, len, NULL, NULL, NULL, NULL) == PITH_OK;
    assert_int_equal(fine, doc != NULL);
    pith_doc_free(doc);
    free(copy);
    return fine;
}

/* Each line but these can neither go nor stand twice. */
static bool may_go(const char *line)
{
    return strncmp(line, "title", 5) == 0 || strncmp(line, "  x=1", 5) == 0 ||
           strncmp(line, "n[2]", 4) == 0;
}

static void mutated_wire(void **state)
{
    (void)state;
    assert_true(is_accepted(wire, sizeof wire - 1));
    size_t failures = 0;
    for (const char *line = wire; *line;) {
        const char *next = strchr(line, '\n') + 1;
        bytes without = {0};
        bytes twice = {0};
        bytes_add(&without, wire, (size_t)(line - wire));
        bytes_put(&without, next);
        bytes_add(&twice, wire, (size_t)(next - wire));
        bytes_put(&twice, line);
        if (is_accepted(without.ptr, without.len) != may_go(line) ||
            is_accepted(twice.ptr, twice.len)) {
            show_bytes("line", line, (size_t)(next - line));
            failures++;
        }
        bytes_free(&without);
        bytes_free(&twice);
        line = next;
    }
    /* every digit in a bracket is a count */
    for (size_t i = 0; i + 2 < sizeof wire; i++) {
        if (wire[i] == '[' && wire[i + 1] >= '0' && wire[i + 1] <= '9') {
            for (char digit = '0'; digit <= '9'; digit++) {
                char changed[sizeof wire];
                memcpy(changed, wire, sizeof wire);
                changed[i + 1] = digit;
                failures +=
                    is_accepted(changed, sizeof wire - 1) != (digit == wire[i + 1]);
            }
        }
    }
    /* a tail that is cut leaves too few rows, items or members */
    static const char *const cuts[][2] = {
        {"]{id,name", "|^\n.l [1]\n"}, {"\n@0 =1", "{}\n  x=1"}, {"]{key", "2\nn[2]"}};
    for (size_t i = 0; i < ROWS(cuts); i++) {
        size_t from = (size_t)(strstr(wire, cuts[i][0]) - wire) + 1;
        size_t to = (size_t)(strstr(wire, cuts[i][1]) - wire);
        assert_true(from + 5 < to);
        for (size_t len = from; len < to; len++) {
            if (is_accepted(wire, len)) {
                show_bytes("cut", wire, len);
                failures++;
            }
        }
    }
    assert_int_equal(failures, 0);
}

/* ---------------------------------------------------------- several problems */

/* Rows lack cells in every way, in every order, more than once: what is remembered of
 * one row must be right for the next. The expected text is put together here. */
static void rows_that_lack_cells(void **state)
{
    (void)state;
    /* the cell, what its key and value become; the second stands in an object */
    static const char *const cells[] = {"1", "~", "-"};
    bytes text = {0};
    bytes expected = {0};
    bytes_put(&text, FIRST "## [?]{a,\"o>x\",k=7,\"o>y\",z}\n");
    bytes_put(&expected, "[");
    for (int round = 0; round < 3; round++) {
        for (int i = 0; i < 81; i++) {
            int a = i % 3, x = i / 3 % 3, y = i / 9 % 3, z = i / 27;
            bytes_print(&text, "%s|%s|%s|%s\n", cells[a], cells[x], cells[y], cells[z]);
            bytes_print(&expected, "%s{", i || round ? "," : "");
            if (a != 1)
                bytes_print(&expected, "\"a\":%s,", a ? "null" : "1");
            if (x == 2 && y == 2)
                bytes_put(&expected, "\"o\":null,");
            else if (x != 1 || y != 1) {
                bytes_put(&expected, "\"o\":{");
                if (x != 1)
                    bytes_print(&expected, "\"x\":%s%s", x ? "null" : "1",
                                y != 1 ? "," : "");
                if (y != 1)
                    bytes_print(&expected, "\"y\":%s", y ? "null" : "1");
                bytes_put(&expected, "},");
            }
            bytes_put(&expected, "\"k\":7");
            if (z != 1)
                bytes_print(&expected, ",\"z\":%s", z ? "null" : "1");
            bytes_put(&expected, "}");
        }
    }
    bytes_put(&expected, "]");
    pith_doc *doc = must_parse("gcf", text.ptr, text.len, NULL);
    pith_buffer out = must_write(pith_doc_root(doc), "json", NULL);
    assert_true(same_bytes("rows", out.data, out.len, expected.ptr, expected.len));
    pith_buffer_free(&out);
    pith_doc_free(doc);
    bytes_free(&text);
    bytes_free(&expected);
}

/* When there is no room for more shapes, what is remembered of a row that lacks cells must
 * not be its keys, which then stand with the row. */
static void rows_that_lack_cells_and_a_shape(void **state)
{
    (void)state;
    enum { SHAPES_MOST = 65534, KEYS = 250 };
    bytes text = {0};
    bytes_put(&text, FIRST "## [5]{a,b,o,c}\n@0 1|2|^|3\n.o {}\n");
    for (int i = 0; i * KEYS <= SHAPES_MOST; i++) {
        bytes_print(&text, "    ## s%d\n", i);
        for (int k = 0; k < KEYS; k++)
            bytes_print(&text, "      k%d_%d=1\n", i, k);
    }
    bytes_put(&text, "~|4|5|6\n~|7|8|~\n~|9|10|11\n~|12|13|~\n");
    pith_doc *doc = must_parse("gcf", text.ptr, text.len, NULL);
    static const char *const expected[] = {
        "{\"b\":4,\"o\":5,\"c\":6}", "{\"b\":7,\"o\":8}", "{\"b\":9,\"o\":10,\"c\":11}",
        "{\"b\":12,\"o\":13}"};
    pith_value row = pith_value_first(pith_doc_root(doc));
    for (size_t i = 0; i < ROWS(expected); i++) {
        row = pith_value_next(row);
        must_write_as(row, "json", NULL, expected[i]);
    }
    pith_doc_free(doc);
    bytes_free(&text);
}

/* ------------------------------------------------------------------- sizes */

/* A table of this many columns, of which the row has all, half or none. */
static void wide_tables(void **state)
{
    (void)state;
    enum { COLUMNS = 10000 };
    bytes text = {0};
    bytes_put(&text, FIRST "## [3]{");
    for (int i = 0; i < COLUMNS; i++)
        bytes_print(&text, "%sc%d", i ? "," : "", i);
    bytes_put(&text, "}\n");
    for (int i = 0; i < COLUMNS; i++)
        bytes_print(&text, "%s%d", i ? "|" : "", i);
    bytes_put(&text, "\n");
    for (int i = 0; i < COLUMNS; i++)
        bytes_print(&text, "%s%s", i ? "|" : "", i % 2 ? "x" : "~");
    bytes_put(&text, "\n@2 ");
    for (int i = 0; i < COLUMNS; i++)
        bytes_print(&text, "%s^", i ? "|" : "");
    bytes_put(&text, "\n");
    for (int i = COLUMNS; i-- > 0;)
        bytes_print(&text, ".c%d [1]: %d\n", i, i);
    pith_doc *doc = must_parse("gcf", text.ptr, text.len, NULL);
    pith_value row = pith_value_first(pith_doc_root(doc));
    assert_int_equal(pith_value_count(row), COLUMNS);
    row = pith_value_next(row);
    assert_int_equal(pith_value_count(row), COLUMNS / 2);
    row = pith_value_next(row);
    int64_t number = 0;
    assert_int_equal(pith_value_count(row), COLUMNS);
    pith_value cell = pith_value_first(row);
    for (int i = 0; i < COLUMNS; i++) {
        assert_true(pith_value_int64(pith_value_first(cell), &number));
        assert_int_equal(number, i);
        cell = pith_value_next(cell);
    }
    pith_doc_free(doc);
    bytes_free(&text);
}

static void declared_counts_cost_nothing(void **state)
{
    (void)state;
    static const char *const texts[] = {
        FIRST "## t [4000000000]{a}\n1\n",
        FIRST "## t [4000000000]\n@0 =1\n",
        FIRST "## t [4000000000:]{key,a}\nx|1\n",
        FIRST "t[4000000000]: 1\n",
        FIRST "## t [1]{@id,d} group=d\nd=x [4000000000]\n1\n",
    };
    for (size_t i = 0; i < ROWS(texts); i++) {
        meter counts = {0};
        pith_options options = {0};
        options.alloc = meter_alloc(&counts);
        pith_error err = {0};
        pith_doc *doc = pith_doc_parse("gcf", texts[i], strlen(texts[i]), &options, &err);
        assert_null(doc);
        assert_string_equal(err.code, "count_mismatch");
        assert_true(counts.peak_bytes < 1000000);
        assert_true(meter_clean(&counts));
    }
}

/* Sections, items, attachments and paths nest as deep as the options allow. */
static void deep_texts(void **state)
{
    (void)state;
    enum { DEPTH = 600 };
    bytes sections = {0}, lists = {0}, attached = {0}, path = {0}, body = {0};
    bytes_put(&sections, FIRST);
    bytes_put(&lists, FIRST "## [1]\n");
    bytes_put(&attached, FIRST "## [1]{a}\n");
    bytes_put(&path, FIRST "## [1]{\"a");
    for (int i = 0; i < DEPTH; i++) {
        bytes_repeat(&sections, "  ", (size_t)i);
        bytes_put(&sections, "## a\n");
        bytes_repeat(&lists, "  ", (size_t)i);
        bytes_put(&lists, "@0 [1]\n");
        bytes_repeat(&attached, "    ", (size_t)i);
        bytes_put(&attached, "@0 ^\n");
        bytes_repeat(&attached, "    ", (size_t)i);
        bytes_put(&attached, i + 1 < DEPTH ? ".a [1]{a}\n" : ".a [0]\n");
        bytes_put(&path, ">a");
    }
    bytes_repeat(&lists, "  ", DEPTH);
    bytes_put(&lists, "@0 =1\n");
    bytes_put(&path, "\"}\n1\n");
    bytes_put(&body, FIRST "## [1]{a,b}\n@0 1|^{x,y}\n2|3\n");
    bytes *const all[] = {&sections, &lists, &attached, &path, &body};
    static const size_t deepest[] = {DEPTH + 1, DEPTH + 1, 2 * DEPTH + 1, DEPTH + 2, 3};
    for (size_t i = 0; i < ROWS(all); i++) {
        pith_options options = {0};
        pith_error err = {0};
        options.depth_max = deepest[i];
        pith_doc *doc = must_parse("gcf", all[i]->ptr, all[i]->len, &options);
        pith_doc_free(doc);
        options.depth_max--;
        assert_null(pith_doc_parse("gcf", all[i]->ptr, all[i]->len, &options, &err));
        assert_int_equal(err.status, PITH_LIMIT);
        assert_string_equal(err.code, "depth_limit");
        bytes_free(all[i]);
    }
}

static void out_of_memory(void **state)
{
    (void)state;
    static const char text[] = FIRST
        "a=\"\\n\"\n## t [3]{id,\"p>q\",\"p>r\",c,l}\n@0 1|2|3|^{x,y}|^\n4|5\n"
        ".l [1]{m}\n    @0 ^\n    .m [2]: 1,2\n1|-|-|~|-\n@2 1|2|3|^|^\n.l [1]\n    5\n"
        "4|5\n.\"u>v\" =1\n## k [2:]{key,v}\nx|1\ny|2\n## m [2]\n@0 =1\n@1 {}\n"
        "## g [2]{@id,d} group=d\nd=1.0 [2]\n1\n2\n##! summary\n";
    meter counts = {0};
    pith_options options = {0};
    options.alloc = meter_alloc(&counts);
    size_t failed = 0;
    for (size_t fail_at = 1;; fail_at++) {
        size_t before = counts.failures;
        counts.fail_at = fail_at;
        counts.requests = 0;
        pith_error err = {0};
        pith_doc *doc = pith_doc_parse("gcf", text, sizeof text - 1, &options, &err);
        /* Without the room it asks for first, reading asks again. */
        if (!doc)
            assert_int_equal(err.status, PITH_NO_MEMORY);
        failed += doc == NULL;
        pith_doc_free(doc);
        assert_true(meter_clean(&counts));
        if (counts.failures == before) {
            assert_non_null(doc);
            break;
        }
    }
    assert_true(failed > 30);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(long_numbers),
        cmocka_unit_test(mutated_wire),
        cmocka_unit_test(rows_that_lack_cells),
        cmocka_unit_test(rows_that_lack_cells_and_a_shape),
        cmocka_unit_test(wide_tables),
        cmocka_unit_test(declared_counts_cost_nothing),
        cmocka_unit_test(deep_texts),
        cmocka_unit_test(out_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
