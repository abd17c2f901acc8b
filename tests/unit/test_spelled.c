/*
 * test_spelled.c - documents whose decimals are doubles, until digits are asked for.
 *
 * What a binary table says must not depend on when its digits are written. So everything
 * here is done twice, with a document that keeps doubles and with one that does not, and
 * has to come out the same: in every format, through every public call that reads values.
 */
#include "doc/same.h"
#include "graphs.h"
#include "doc/spelled.h"
#include "meter.h"
#include "fitting.h"
#include "testing.h"
#include "named.h"

#include <math.h>
#include <pthread.h>

/* Documents with decimals in places that differ: cells, lists, vectors, deep down, alone;
 * large, small, whole, beside strings and integers, in one table and in several. */
static const char *const texts[] = {
    "[{\"id\":1,\"x\":-131.04246179039464,\"y\":0.5},{\"id\":2,\"x\":1.0,\"y\":-0.0}]",
    "{\"points\":[[1.5,2.25],[1e300,5e-324],[0.1,0.30000000000000004]],\"n\":7}",
    "{\"a\":[{\"v\":1.25},{\"v\":null}],\"b\":[{\"w\":\"text\",\"z\":123456.789}]}",
    "{\"symbols\":[{\"qualified_name\":\"p.f\",\"kind\":\"function\",\"score\":0.75,"
    "\"provenance\":\"lsp\",\"distance\":0},{\"qualified_name\":\"p.g\","
    "\"kind\":\"type\",\"score\":0.5,\"provenance\":\"lsp\",\"distance\":1}],"
    "\"edges\":[{\"source\":\"p.f\",\"target\":\"p.g\",\"edge_type\":\"calls\"}]}",
    "[1e15,1e16,123456789012345680.0,1e-4,9.999e-5,1e21,1e22]",
    "2.5",
    "[{\"deep\":{\"er\":{\"still\":[{\"x\":[[[0.125]]]}]}}}]",
};

static pith_buffer as_binary(const char *json)
{
    pith_buffer out = {0};
    pith_error err = {0};
    assert_int_equal(pith_convert("json", "soch-bin", json, strlen(json), NULL,
                                  pith_sink_buffer(&out), &err),
                     PITH_OK);
    return out;
}

/* The document twice. */
typedef struct twins {
    pith_buffer binary;
    pith_buffer json;
    pith_doc *late; /* of the one, keeps doubles */
    pith_doc *text; /* of the other, has none */
} twins;

static twins make_twins(const char *json)
{
    twins both;
    pith_error err = {0};
    memset(&both, 0, sizeof both);
    both.binary = as_binary(json);
    both.late = must_parse("soch-bin", both.binary.data, both.binary.len, NULL);
    assert_int_equal(pith_convert("soch-bin", "json", both.binary.data, both.binary.len,
                                  NULL, pith_sink_buffer(&both.json), &err),
                     PITH_OK);
    both.text = must_parse_json(both.json.data);
    assert_int_equal(doc_is_spelled(both.late), !SPELLED_LATE);
    assert_true(doc_is_spelled(both.text));
    return both;
}

static void free_twins(twins *both)
{
    pith_doc_free(both->late);
    pith_doc_free(both->text);
    pith_buffer_free(&both->binary);
    pith_buffer_free(&both->json);
}

static bool same_text(pith_text a, pith_text b)
{
    return a.len == b.len && memcmp(a.ptr, b.ptr, a.len) == 0;
}

/* ---------------------------------------------------------------------- values */

/* Both have values of the same kinds in the same order, so the n-th slot is the same. */
static void compare_scalars(const twins *both)
{
    size_t count = both->late->count;
    for (uint32_t at = 0; at < count; at++) {
        const pith_slot *slot = &both->late->slots[at];
        if (slot->kind == SLOT_KEYS || slot_is_container(slot))
            continue;
        pith_value late = doc_value(both->late, at, SLOT_NONE, 0);
        pith_value text = doc_value(both->text, at, SLOT_NONE, 0);
        double number = 1;
        double expected = 2;
        assert_true(pith_value_equal(late, text) && pith_value_equal(text, late));
        if (pith_value_double(text, &expected)) {
            assert_true(pith_value_double(late, &number));
            assert_memory_equal(&number, &expected, sizeof number);
        }
        pith_text first = pith_value_text(late);
        assert_true(same_text(first, pith_value_text(text)));
        assert_ptr_equal(pith_value_text(late).ptr, first.ptr);
    }
}

static void test_values(void **state)
{
    (void)state;
    for (size_t i = 0; i < ROWS(texts); i++) {
        twins both = make_twins(texts[i]);
        bool known = false;
        if (both.late->count == both.text->count)
            compare_scalars(&both);
        assert_true(pith_value_equal(pith_doc_root(both.late), pith_doc_root(both.text)));
        assert_true(doc_same(both.text, 0, both.late, 0, &known) && known);
        assert_true(doc_same(both.late, 0, both.text, 0, &known) && known);
        free_twins(&both);
    }
}

static void test_unequal(void **state)
{
    (void)state;
    twins a = make_twins("[{\"x\":0.5,\"y\":1.5}]");
    twins b = make_twins("[{\"x\":0.5,\"y\":1.25}]");
    bool known = false;
    assert_false(pith_value_equal(pith_doc_root(a.late), pith_doc_root(b.late)));
    assert_false(doc_same(a.late, 0, b.late, 0, &known));
    free_twins(&a);
    free_twins(&b);
}

/* --------------------------------------------------------------------- writing */

static void write_both(const char *format, pith_value late, pith_value text)
{
    pith_buffer found = {0};
    pith_buffer expected = {0};
    pith_error err = {0};
    pith_status wanted =
        pith_value_write(text, format, NULL, pith_sink_buffer(&expected), &err);
    pith_status status =
        pith_value_write(late, format, NULL, pith_sink_buffer(&found), &err);
    assert_int_equal(status, wanted);
    if (status == PITH_OK) {
        assert_true(
            same_bytes(format, found.data, found.len, expected.data, expected.len));
    }
    pith_buffer_free(&found);
    pith_buffer_free(&expected);
}

/* Every format of the registry, of the whole and of each container in it. Types of
 * columns are in the one and not in the other, so the reference is a spelled copy. */
static void test_formats(void **state)
{
    (void)state;
    const pith_format *format;
    for (size_t i = 0; i < ROWS(texts); i++) {
        twins both = make_twins(texts[i]);
        spelled_value spelled;
        assert_true(spelled_open(&spelled, both.late, 0, both.late->alloc));
        for (size_t f = 0; (format = pith_format_at(f)) != NULL; f++) {
            if (!(format->direction & PITH_WRITE))
                continue;
            bool typed = strncmp(format->name, "soch", 4) == 0;
            write_both(format->name, pith_doc_root(both.late),
                       typed ? pith_doc_root(spelled.doc) : pith_doc_root(both.text));
            for (uint32_t at = 1; at < both.late->count; at++) {
                if (both.late->slots[at].kind != SLOT_KEYS) {
                    write_both(format->name, doc_value(both.late, at, SLOT_NONE, 0),
                               doc_value(spelled.doc, at, SLOT_NONE, 0));
                }
            }
        }
        spelled_close(&spelled);
        free_twins(&both);
    }
}

/* Binary to binary and to text in one step, and by way of a document. */
static void test_convert(void **state)
{
    (void)state;
    static const char *const formats[] = {"soch", "soch-bin", "json"};
    for (size_t i = 0; i < ROWS(texts) * ROWS(formats); i++) {
        twins both = make_twins(texts[i / ROWS(formats)]);
        const char *format = formats[i % ROWS(formats)];
        pith_error err = {0};
        pith_buffer out = {0};
        assert_int_equal(pith_convert("soch-bin", format, both.binary.data,
                                      both.binary.len, NULL, pith_sink_buffer(&out),
                                      &err),
                         PITH_OK);
        pith_buffer found = must_write(pith_doc_root(both.late), format, NULL);
        assert_true(same_bytes(format, found.data, found.len, out.data, out.len));
        pith_buffer_free(&found);
        pith_buffer_free(&out);
        free_twins(&both);
    }
}

/* ----------------------------------------------------------------- other readers */

static pith_buffer rows_of(pith_value table, pith_value member, const char *format)
{
    pith_buffer out = {0};
    pith_error err = {0};
    pith_rows *rows = pith_rows_open_object(format, NULL, pith_sink_buffer(&out), &err);
    static const char *const columns[] = {"id", "x", "y"};
    assert_non_null(rows);
    assert_int_equal(rows_add_named(rows, "first", member, &err), PITH_OK);
    assert_int_equal(rows_begin_named(rows, "rows", columns, 3, &err), PITH_OK);
    for (pith_value row = pith_value_first(table); row.doc; row = pith_value_next(row))
        assert_int_equal(pith_rows_add_row(rows, row, &err), PITH_OK);
    assert_int_equal(pith_rows_close(rows, &err), PITH_OK);
    return out;
}

static pith_buffer values_of(pith_value table, const char *format)
{
    pith_buffer out = {0};
    pith_error err = {0};
    pith_rows *rows = pith_rows_open(format, NULL, 0, NULL, pith_sink_buffer(&out), &err);
    assert_non_null(rows);
    for (pith_value row = pith_value_first(table); row.doc; row = pith_value_next(row))
        assert_int_equal(pith_rows_add_row(rows, row, &err), PITH_OK);
    assert_int_equal(pith_rows_close(rows, &err), PITH_OK);
    return out;
}

static void test_rows(void **state)
{
    (void)state;
    static const char *const formats[] = {"gcf", "json"};
    twins both = make_twins(texts[0]);
    pith_value late = pith_doc_root(both.late);
    pith_value text = pith_doc_root(both.text);
    for (size_t i = 0; i < ROWS(formats); i++) {
        pith_buffer found = rows_of(late, pith_value_at(late, 1), formats[i]);
        pith_buffer expected = rows_of(text, pith_value_at(text, 1), formats[i]);
        assert_true(
            same_bytes(formats[i], found.data, found.len, expected.data, expected.len));
        pith_buffer_free(&found);
        pith_buffer_free(&expected);
    }
    /* The first passes rows on, the others are given them collected. */
    static const char *const whole[] = {"ndjson", "toon", "soch-bin"};
    for (size_t i = 0; i < ROWS(whole); i++) {
        pith_buffer found = values_of(late, whole[i]);
        pith_buffer expected = values_of(text, whole[i]);
        assert_true(
            same_bytes(whole[i], found.data, found.len, expected.data, expected.len));
        pith_buffer_free(&found);
        pith_buffer_free(&expected);
    }
    free_twins(&both);
}

static void test_roots(void **state)
{
    (void)state;
    static const struct {
        size_t text;
        const char *key;
    } cases[] = {{0, "id"}, {3, NULL}};
    for (size_t i = 0; i < ROWS(cases); i++) {
        twins both = make_twins(texts[cases[i].text]);
        pith_error err = {0};
        pith_root found;
        pith_root expected;
        assert_int_equal(pith_value_root(pith_doc_root(both.late),
                                         text_from(cases[i].key), NULL, &found, &err),
                         PITH_OK);
        assert_int_equal(pith_value_root(pith_doc_root(both.text),
                                         text_from(cases[i].key), NULL, &expected, &err),
                         PITH_OK);
        assert_string_equal(found.text, expected.text);
        free_twins(&both);
    }
}

/* The graph outlives the document. */
static void test_graph(void **state)
{
    (void)state;
    twins both = make_twins(texts[3]);
    pith_error err = {0};
    pith_buffer found = {0};
    code_graph *graph = made_graph_new(NULL);
    assert_int_equal(made_graph_from_value(graph, pith_doc_root(both.late), false, &err),
                     PITH_OK);
    pith_buffer expected = must_write(pith_doc_root(both.text), "gcf-graph", NULL);
    free_twins(&both);
    pith_doc *again = pith_doc_new(NULL);
    assert_int_equal(made_graph_to_doc(graph, again, &err), PITH_OK);
    found = must_write(pith_doc_root(again), "gcf-graph", NULL);
    assert_true(same_bytes("graph", found.data, found.len, expected.data, expected.len));
    pith_buffer_free(&found);
    pith_buffer_free(&expected);
    pith_doc_free(again);
    made_graph_free(graph);
}

/* Budgets: what is cut, counted and written is the same. */
static void test_fit(void **state)
{
    (void)state;
    static const struct {
        size_t text;
        const char *format;
        size_t tokens;
    } cases[] = {{0, "gcf", 35}, {0, "json", 1000}, {3, "gcf-graph", 45}};
    for (size_t i = 0; i < ROWS(cases); i++) {
        twins both = make_twins(texts[cases[i].text]);
        const pith_doc *docs[] = {both.late, both.text};
        fitting fits[2] = {{.tokens_max = cases[i].tokens},
                           {.tokens_max = cases[i].tokens}};
        pith_buffer out[2] = {{0}, {0}};
        for (size_t k = 0; k < 2; k++) {
            pith_error err = {0};
            assert_int_equal(fit_value(pith_doc_root(docs[k]), cases[i].format, &fits[k],
                                       NULL, pith_sink_buffer(&out[k]), &err),
                             PITH_OK);
        }
        assert_true(same_bytes("fit", out[0].data, out[0].len, out[1].data, out[1].len));
        assert_int_equal(fits[0].rows, fits[1].rows);
        assert_int_equal(fits[0].tokens, fits[1].tokens);
        pith_buffer_free(&out[0]);
        pith_buffer_free(&out[1]);
        free_twins(&both);
    }
}

/* A copy has no doubles, and a document that is read again forgets those it had. */
static void test_copies(void **state)
{
    (void)state;
    twins both = make_twins(texts[1]);
    pith_error err = {0};
    pith_doc *copy = pith_doc_new(NULL);
    pith_doc_add_value(copy, pith_doc_root(both.late));
    assert_int_equal(pith_doc_finish(copy, &err), PITH_OK);
    assert_true(doc_is_spelled(copy));
    assert_true(pith_value_equal(pith_doc_root(copy), pith_doc_root(both.late)));
    pith_doc_free(copy);
    assert_int_equal(pith_doc_read(both.late, "json", LIT("[0.5]"), NULL, &err), PITH_OK);
    assert_true(doc_is_spelled(both.late));
    must_hold_json(both.late, "[0.5]");
    free_twins(&both);
}

/* --------------------------------------------------------------- threads, memory */

enum { THREADS = 4, NUMBERS = 20000 };

static void *sum_lengths(void *ctx)
{
    pith_value array = pith_doc_root((const pith_doc *)ctx);
    size_t sum = 0;
    for (pith_value v = pith_value_first(array); v.doc; v = pith_value_next(v)) {
        pith_text text = pith_value_text(v);
        sum += text.len + (unsigned char)text.ptr[text.len - 1];
    }
    return (void *)(uintptr_t)sum;
}

static pith_doc *many_numbers(pith_buffer *binary)
{
    pith_error err = {0};
    pith_doc *doc = pith_doc_new(NULL);
    pith_doc_open_array(doc);
    for (int i = 0; i < NUMBERS; i++)
        pith_doc_add_double(doc, 1.0 / (i + 3));
    pith_doc_close(doc);
    assert_int_equal(pith_doc_finish(doc, &err), PITH_OK);
    *binary = must_write(pith_doc_root(doc), "soch-bin", NULL);
    pith_doc_free(doc);
    return must_parse("soch-bin", binary->data, binary->len, NULL);
}

static void test_threads(void **state)
{
    (void)state;
    pith_buffer binary;
    pith_doc *doc = many_numbers(&binary);
    pthread_t threads[THREADS];
    void *sums[THREADS];
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, sum_lengths, doc), 0);
    for (int i = 0; i < THREADS; i++) {
        assert_int_equal(pthread_join(threads[i], &sums[i]), 0);
        assert_ptr_equal(sums[i], sums[0]);
    }
    pith_doc_free(doc);
    pith_buffer_free(&binary);
}

/* Writing with every allocation failing in turn. */
static void test_memory(void **state)
{
    (void)state;
    twins both = make_twins(texts[2]);
    pith_buffer expected = must_write(pith_doc_root(both.late), "soch", NULL);
    pith_status status = PITH_NO_MEMORY;
    for (size_t fail = 1; status != PITH_OK; fail++) {
        meter memory = {0};
        pith_options options = {0};
        pith_buffer out = {0};
        pith_error err = {0};
        memory.fail_at = fail;
        options.alloc = meter_alloc(&memory);
        status = pith_value_write(pith_doc_root(both.late), "soch", &options,
                                  pith_sink_buffer(&out), &err);
        assert_true(status == PITH_OK || status == PITH_NO_MEMORY);
        assert_true(meter_clean(&memory));
        if (status == PITH_OK) {
            assert_true(
                same_bytes("soch", out.data, out.len, expected.data, expected.len));
        }
        pith_buffer_free(&out);
    }
    pith_buffer_free(&expected);
    free_twins(&both);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_values),  cmocka_unit_test(test_unequal),
        cmocka_unit_test(test_formats), cmocka_unit_test(test_convert),
        cmocka_unit_test(test_rows),    cmocka_unit_test(test_roots),
        cmocka_unit_test(test_graph),   cmocka_unit_test(test_copies),
        cmocka_unit_test(test_threads), cmocka_unit_test(test_memory),
        cmocka_unit_test(test_fit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
