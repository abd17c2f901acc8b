/*
 * test_borders.c - sizes that no input of a test has: a text of 4 GiB, four thousand
 * million values, an array beyond the address space.
 *
 * They are refused by their length alone, so the lengths may lie: nothing after the
 * pointers here is ever read.
 */
#include "base/alloc.h"
#include "base/arena.h"
#include "base/out.h"
#include "base/utf8.h"
#include "doc/read.h"

#include "bytes.h"
#include "meter.h"
#include "testing.h"

static const size_t too_long = (size_t)SLOT_TEXT_MOST + 1;

/* Where a size has 32 bits there is no text of 4 GiB, and `too_long` is 0. */
static void skip_without_room(void)
{
    if (SIZE_MAX <= SLOT_TEXT_MOST)
        skip();
}

/* ------------------------------------------------------------------------- memory */

static void an_array_beyond_the_address_space(void **state)
{
    (void)state;
    meter counts = {0};
    pith_alloc alloc = meter_alloc(&counts);
    void *array = NULL;
    size_t cap = 0;
    assert_false(alloc_grow(&alloc, &array, &cap, SIZE_MAX / 4, 16));
    assert_int_equal(counts.requests, 0);
    assert_int_equal(cap, 0);
}

/* Growing by half would overflow; the last step goes to the border and asks for it. */
static void an_array_close_to_the_border(void **state)
{
    (void)state;
    meter counts = {.fail_at = 1};
    pith_alloc alloc = meter_alloc(&counts);
    size_t most = SIZE_MAX / 2 / 16;
    void *array = NULL;
    size_t cap = most - 1;
    assert_false(alloc_grow(&alloc, &array, &cap, most, 16));
    assert_int_equal(counts.failures, 1);
    assert_int_equal(cap, most - 1);
}

static void an_arena_beyond_the_address_space(void **state)
{
    (void)state;
    meter counts = {0};
    pith_arena arena;
    arena_init(&arena, meter_alloc(&counts));
    assert_null(arena_take(&arena, SIZE_MAX / 2));
    assert_null(arena_take_aligned(&arena, SIZE_MAX - 1));
    assert_int_equal(counts.requests, 0);
}

/* ---------------------------------------------------------------------- documents */

static void built_texts_of_4_gib(void **state)
{
    (void)state;
    skip_without_room();
    pith_error err;
    for (int kind = 0; kind < 3; kind++) {
        pith_doc *doc = pith_doc_new(NULL);
        assert_non_null(doc);
        pith_doc_open_object(doc);
        if (kind == 0) {
            pith_doc_add_key(doc, "x", too_long);
        } else if (kind == 1) {
            pith_doc_add_key(doc, LIT("x"));
            pith_doc_add_text(doc, "x", too_long);
        } else {
            pith_doc_add_key(doc, LIT("x"));
            pith_doc_add_number(doc, "1", too_long);
        }
        pith_doc_close(doc);
        assert_int_equal(pith_doc_finish(doc, &err), PITH_LIMIT);
        assert_string_equal(err.code, "too_large");
        pith_doc_free(doc);
    }
}

/* What decoders call, and the error that they make of it. */
static void read_texts_of_4_gib(void **state)
{
    (void)state;
    skip_without_room();
    pith_doc *doc = pith_doc_new(NULL);
    assert_non_null(doc);
    assert_int_equal(build_open(doc, PITH_OBJECT), BUILD_DONE);
    assert_int_equal(build_key(doc, 0, "x", too_long), BUILD_TOO_LARGE);
    assert_int_equal(build_text(doc, PITH_STRING, 0, "x", too_long), BUILD_TOO_LARGE);

    reporter report;
    pith_error err;
    text_reader r;
    pith_text text = {LIT("ab\ncd")};
    report_init(&report, text);
    read_init(&r, doc, text, &report);
    assert_true(read_built(&r, BUILD_DONE, text.ptr));
    assert_false(read_built(&r, BUILD_TOO_LARGE, text.ptr + 4));
    assert_int_equal(report_result(&report, &err), PITH_LIMIT);
    assert_string_equal(err.code, "too_large");
    assert_int_equal(err.line, 2);
    assert_int_equal(err.column, 2);
    pith_doc_free(doc);
}

static void more_values_than_can_be_counted(void **state)
{
    (void)state;
    pith_doc *doc = pith_doc_new(NULL);
    assert_non_null(doc);
    assert_false(doc_reserve(doc, (size_t)SLOT_COUNT_MOST + 1));
    pith_doc_free(doc);
}

/* ------------------------------------------------------------------------- places */

static void a_place_after_the_input(void **state)
{
    (void)state;
    reporter report;
    report_init(&report, (pith_text){LIT("ab\ncd")});
    text_place place = report_place(&report, 100);
    assert_int_equal(place.offset, 5);
    assert_int_equal(place.line, 2);
    assert_int_equal(place.column, 3);
}

static void a_character_of_nothing(void **state)
{
    (void)state;
    uint32_t code = 7;
    assert_int_equal(utf8_decode("x", 0, &code), 0);
}

/* ------------------------------------------------------------------------ stopping */

static bool stop_at_once(void *ctx, size_t done)
{
    (void)done;
    ++*(size_t *)ctx;
    return false;
}

static void every_reader_can_be_stopped(void **state)
{
    (void)state;
    static const char *const formats[] = {"json", "toon", "gcf", "gcf1",
                                          "pith", "soch", "csv", "soch-bin"};
    pith_doc *doc = pith_doc_new(NULL);
    pith_doc_open_array(doc);
    for (int i = 0; i < 300000; i++) {
        pith_doc_open_object(doc);
        pith_doc_add_key(doc, LIT("name"));
        pith_doc_add_text(doc, LIT("a text of some length"));
        pith_doc_close(doc);
    }
    pith_doc_close(doc);
    assert_int_equal(pith_doc_finish(doc, NULL), PITH_OK);
    int failures = 0;
    for (size_t i = 0; i < ROWS(formats); i++) {
        pith_buffer text = must_write(pith_doc_root(doc), formats[i], NULL);
        size_t calls = 0;
        pith_options options = {.progress = stop_at_once, .progress_ctx = &calls};
        pith_error err = {0};
        pith_doc *again = pith_doc_parse(formats[i], text.data, text.len, &options, &err);
        if (again || calls != 1 || err.status != PITH_CANCELLED ||
            strcmp(err.code, "cancelled") != 0) {
            fprintf(stderr, "%s: %zu calls, %s\n", formats[i], calls, err.code);
            failures++;
        }
        pith_doc_free(again);
        pith_buffer_free(&text);
    }
    assert_int_equal(failures, 0);
    pith_doc_free(doc);
}

/* A graph is no array of rows, so it has a text of its own. */
static void a_reader_of_graphs_can_be_stopped(void **state)
{
    (void)state;
    bytes text = {0};
    bytes_put(&text, "GCF profile=graph\n## targets\n");
    for (int i = 0; i < 20000; i++)
        bytes_print(&text, "@%d fn n%d 1.00 p\n", i, i);
    size_t calls = 0;
    pith_options options = {.progress = stop_at_once, .progress_ctx = &calls};
    pith_error err = {0};
    assert_null(pith_doc_parse("gcf-graph", text.ptr, text.len, &options, &err));
    assert_int_equal(calls, 1);
    assert_int_equal(err.status, PITH_CANCELLED);
    assert_string_equal(err.code, "cancelled");
    bytes_free(&text);
}

/* -------------------------------------------------------------------- odd requests */

/* A sink whose context is what it returns. */
static pith_status refuse(void *ctx, const char *data, size_t len)
{
    (void)data;
    (void)len;
    return (pith_status) * (const int *)ctx;
}

static void a_sink_with_a_status_of_its_own(void **state)
{
    (void)state;
    pith_doc *doc = must_parse_json("[1]");
    pith_error err;
    static const struct {
        int given;
        pith_status status;
        const char *code;
        const char *message;
    } table[] = {
        {PITH_BAD_USE, PITH_BAD_USE, "write_failed", "the sink refused the output"},
        {PITH_CANCELLED, PITH_CANCELLED, "cancelled", "the sink refused the output"},
        {99, PITH_IO, "write_failed", "the output could not be written"},
        {-1, PITH_IO, "write_failed", "the output could not be written"},
    };
    for (size_t i = 0; i < ROWS(table); i++) {
        int given = table[i].given;
        pith_sink sink = {.write = refuse, .ctx = &given};
        assert_int_equal(pith_value_write(pith_doc_root(doc), "json", NULL, sink, &err),
                         table[i].status);
        assert_int_equal(err.status, table[i].status);
        assert_string_equal(err.code, table[i].code);
        assert_string_equal(err.message, table[i].message);
    }
    pith_doc_free(doc);
}

static void typed_questions_about_plain_values(void **state)
{
    (void)state;
    pith_doc *doc = must_parse_json("[1]");
    char bytes_here[4];
    double numbers[4];
    assert_int_equal(pith_value_bytes(pith_doc_root(doc), bytes_here, 4), 0);
    assert_int_equal(pith_value_vector(pith_doc_root(doc), numbers, 4), 0);
    pith_doc_free(doc);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_array_beyond_the_address_space),
        cmocka_unit_test(an_array_close_to_the_border),
        cmocka_unit_test(an_arena_beyond_the_address_space),
        cmocka_unit_test(built_texts_of_4_gib),
        cmocka_unit_test(read_texts_of_4_gib),
        cmocka_unit_test(more_values_than_can_be_counted),
        cmocka_unit_test(a_place_after_the_input),
        cmocka_unit_test(a_character_of_nothing),
        cmocka_unit_test(every_reader_can_be_stopped),
        cmocka_unit_test(a_reader_of_graphs_can_be_stopped),
        cmocka_unit_test(a_sink_with_a_status_of_its_own),
        cmocka_unit_test(typed_questions_about_plain_values),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
