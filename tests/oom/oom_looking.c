/*
 * oom_looking.c - what takes no memory gives the same when there is none, and rows that
 * are announced and flushed.
 *
 * Values, formats, settings and words are looked at with every allocation of the C
 * library's allocator out of reach: the calls have no options to take one from, so a
 * document that was made under the meter shows it if they tried.
 */
#include "doc/cut.h"
#include "sweep.h"
#include "base/nearest.h"
#include "named.h"

static void add_text(bytes *result, pith_text text)
{
    bytes_add(result, text.ptr, text.len);
    bytes_put(result, " ");
}

static void add_scalar(bytes *result, pith_value value)
{
    int64_t whole = 0;
    uint64_t natural = 0;
    double number = 0;
    bytes_print(result, "%d %d %d%d%d ", (int)pith_value_kind(value),
                pith_value_kind(value) == PITH_TRUE, pith_value_int64(value, &whole),
                pith_value_uint64(value, &natural), pith_value_double(value, &number));
    add_text(result, pith_value_text(value));
    bytes_print(result, "%lld %llu %g ", (long long)whole, (unsigned long long)natural,
                number);
}

/* Reading takes memory once; everything after it is looking. */
static pith_status run_look(const void *job, pith_options *options, bytes *result)
{
    const char *text = job;
    pith_error err = {0};
    pith_doc *doc = pith_doc_parse("json", text, strlen(text), options, &err);
    if (!doc)
        return sweep_failure(&err);
    meter *counts = options->alloc.ctx;
    size_t asked = counts->requests;
    pith_value root = pith_doc_root(doc);
    for (pith_value v = pith_value_first(root); v.doc; v = pith_value_next(v)) {
        add_text(result, pith_value_key(v));
        add_scalar(result, v);
        assert_true(pith_value_equal(v, v));
        bytes_print(result, "%zu ", pith_value_count(v));
    }
    add_scalar(result, pith_value_get(root, LIT("n")));
    add_scalar(result, pith_value_get(root, "s", 1));
    add_scalar(result, pith_value_at(root, 2));
    add_scalar(result, doc_find_rows(root));
    bytes_print(result, "%d %zu", (int)pith_value_type(root),
                pith_value_bytes(root, NULL, 0) + pith_value_vector(root, NULL, 0));
    assert_false(pith_value_ref(root, NULL, NULL));
    assert_int_equal(counts->requests, asked);
    pith_doc_free(doc);
    return PITH_OK;
}

static void values_are_looked_at(void **state)
{
    (void)state;
    static const char text[] = "{\"a\":[{\"b\":1},{\"b\":2}],\"n\":-12,\"d\":1.50,"
                               "\"s\":\"x\\ny\",\"t\":true,\"z\":null}";
    assert_int_equal(sweep_run("look", run_look, text, NULL), 0);
}

/* These know no allocator at all. */
static void words_need_no_memory(void **state)
{
    (void)state;
    static const char *const words[] = {"json", "toon"};
    assert_string_equal(pith_version(), PITH_VERSION_TEXT);
    assert_string_equal(pith_status_name(PITH_NO_MEMORY), "no_memory");
    assert_string_equal(pith_format_find("json")->name, "json");
    assert_string_equal(pith_format_of("a.json", NULL, 0)->name, "json");
    assert_string_equal(pith_format_of(NULL, LIT("{\"a\":1}"))->name, "json");
    assert_string_equal(nearest_word("jsn", words, 2), "json");
    assert_non_null(pith_setting_common(0));
    assert_non_null(pith_vocab_name_at(0));
    assert_null(pith_packing(NULL, LIT("none")));
}

/* --- rows whose number is known, and that are sent on their way */

static pith_status run_expected(const void *job, pith_options *options, bytes *result)
{
    static const char *const columns[] = {"id", "name"};
    const char *format = job;
    pith_error err = {0};
    pith_buffer out = {.alloc = options->alloc};
    pith_rows *rows =
        rows_open_named(format, columns, 2, options, pith_sink_buffer(&out), &err);
    if (!rows) {
        pith_buffer_free(&out);
        return sweep_failure(&err);
    }
    pith_rows_expect(rows, 30);
    pith_status status = PITH_OK;
    for (uint64_t i = 0; i < 30 && status == PITH_OK; i++) {
        pith_doc_add_uint64(pith_rows_row(rows), i);
        pith_doc_add_text(pith_rows_row(rows), LIT("name, \"quoted\""));
        status = pith_rows_end_row(rows, &err);
        if (status == PITH_OK && i % 10 == 0)
            status = pith_rows_flush(rows, &err);
    }
    pith_status closed = pith_rows_close(rows, &err);
    sweep_add_output(result, &out);
    assert_true(status == PITH_OK || closed == status); /* it sticks */
    return closed == PITH_OK ? PITH_OK : sweep_failure(&err);
}

static void rows_are_expected(void **state)
{
    (void)state;
    size_t failures = 0;
    for (size_t i = 0; pith_format_at(i); i++) {
        const pith_format *format = pith_format_at(i);
        if (format->direction & PITH_WRITE)
            failures += sweep_run(format->name, run_expected, format->name, NULL);
    }
    assert_int_equal(failures, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_are_looked_at),
        cmocka_unit_test(words_need_no_memory),
        cmocka_unit_test(rows_are_expected),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
