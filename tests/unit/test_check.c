/*
 * test_check.c - every problem of a text, each at its place, none twice.
 *
 * A row is a text and the list of problems a reader would want to hear about, in
 * the order of the text. What merely follows from an earlier problem is no problem.
 */
#include "bytes.h"
#include "meter.h"
#include "testing.h"

enum { MOST = 8 };

typedef struct problem {
    const char *code;
    size_t line;
    size_t column;
} problem;

typedef struct collected {
    size_t count;
    size_t stop_after; /* 0: never */
    pith_error problems[64];
} collected;

static bool collect(void *ctx, const pith_error *found)
{
    collected *all = ctx;
    if (all->count < ROWS(all->problems))
        all->problems[all->count] = *found;
    all->count++;
    return all->count != all->stop_after;
}

typedef struct check_row {
    const char *format;
    const char *text;
    problem expected[MOST];
} check_row;

static bool runs(const check_row *row)
{
    size_t len = strlen(row->text);
    char *text = malloc(len ? len : 1);
    assert_non_null(text);
    memcpy(text, row->text, len);
    collected all = {0};
    pith_error err = {0};
    pith_status status = pith_check(row->format, text, len, NULL, collect, &all, &err);
    free(text);
    size_t expected = 0;
    while (expected < MOST && row->expected[expected].code)
        expected++;
    bool right = all.count == expected;
    for (size_t i = 0; right && i < expected; i++) {
        const problem *p = &row->expected[i];
        right = strcmp(all.problems[i].code, p->code) == 0 &&
                all.problems[i].line == p->line && all.problems[i].column == p->column &&
                all.problems[i].message[0];
    }
    /* the first one is the verdict */
    if (expected == 0) {
        right = right && status == PITH_OK;
    } else {
        right = right && status == all.problems[0].status && err.status == status &&
                strcmp(err.code, all.problems[0].code) == 0 &&
                err.offset == all.problems[0].offset;
    }
    if (right)
        return true;
    show_bytes("problems of", row->text, len);
    for (size_t i = 0; i < expected; i++) {
        const problem *p = &row->expected[i];
        fprintf(stderr, "  expected %zu:%zu [%s]\n", p->line, p->column, p->code);
    }
    for (size_t i = 0; i < all.count && i < ROWS(all.problems); i++) {
        const pith_error *p = &all.problems[i];
        fprintf(stderr, "  found    %zu:%zu [%s] %s\n", p->line, p->column, p->code,
                p->message);
    }
    return false;
}

static void run(const check_row *rows, size_t count)
{
    size_t failures = 0;
    for (size_t i = 0; i < count; i++)
        failures += !runs(&rows[i]);
    assert_int_equal(failures, 0);
}

static void nothing_wrong(void **state)
{
    (void)state;
    static const check_row rows[] = {
        {NULL, "[1]", {{0}}},
        {NULL, "{\"a\":1}\n{\"a\":2}\n", {{0}}},
    };
    run(rows, ROWS(rows));
}

static void the_callback_stops(void **state)
{
    (void)state;
    static const char text[] = "[01,02,03,04]";
    for (size_t stop = 1; stop <= 4; stop++) {
        collected all = {0};
        all.stop_after = stop;
        assert_int_equal(pith_check("json", LIT(text), NULL, collect, &all, NULL),
                         PITH_BAD_INPUT);
        assert_int_equal(all.count, stop);
    }
}

/* Without a callback it is a plain verdict. */
static void no_callback(void **state)
{
    (void)state;
    pith_error err = {0};
    assert_int_equal(pith_check("json", LIT("[1,2]"), NULL, NULL, NULL, &err), PITH_OK);
    assert_int_equal(pith_check("json", LIT("[1,02]"), NULL, NULL, NULL, &err),
                     PITH_BAD_INPUT);
    assert_string_equal(err.code, "invalid_number");
    assert_int_equal(err.column, 4);
    assert_int_equal(pith_check("json", LIT("[1,02]"), NULL, NULL, NULL, NULL),
                     PITH_BAD_INPUT);
    assert_int_equal(pith_check(NULL, LIT("<a>"), NULL, NULL, NULL, &err),
                     PITH_BAD_INPUT);
    assert_int_equal(pith_check("nope", LIT("[]"), NULL, NULL, NULL, &err), PITH_BAD_USE);
}

/* Settings and limits hold as they do for reading. */
static void options_hold(void **state)
{
    (void)state;
    pith_options options = with_settings("duplicates=last surrogates=replace", NULL);
    assert_int_equal(pith_check("json", LIT("{\"a\":\"\\ud800\",\"a\":2}"), &options,
                                NULL, NULL, NULL),
                     PITH_OK);
    options = with_settings("duplicate=last", NULL);
    assert_int_equal(pith_check("json", LIT("[]"), &options, NULL, NULL, NULL),
                     PITH_BAD_USE);
    options = (pith_options){0};
    options.depth_max = 2;
    collected all = {0};
    pith_error err = {0};
    assert_int_equal(
        pith_check("json", LIT("[01,[[3]],04]"), &options, collect, &all, &err),
        PITH_BAD_INPUT);
    assert_true(all.count >= 2);
    assert_string_equal(all.problems[0].code, "invalid_number");
    assert_string_equal(all.problems[1].code, "depth_limit");
    assert_int_equal(all.problems[1].status, PITH_LIMIT);
    assert_int_equal(all.problems[1].column, 6);
}

/* Nothing is kept, however many problems there were. */
static void keeps_nothing(void **state)
{
    (void)state;
    meter counts = {0};
    pith_options options = {0};
    options.alloc = meter_alloc(&counts);
    bytes text = {0};
    bytes_put(&text, "[");
    bytes_repeat(&text, "\"\\q\",01,{\"a\" 1},", 5000);
    collected all = {0};
    assert_int_equal(
        pith_check("json", text.ptr, text.len, &options, collect, &all, NULL),
        PITH_BAD_INPUT);
    assert_true(all.count >= 100);
    assert_true(meter_clean(&counts));
    bytes_free(&text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_wrong), cmocka_unit_test(the_callback_stops),
        cmocka_unit_test(no_callback),   cmocka_unit_test(options_hold),
        cmocka_unit_test(keeps_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
