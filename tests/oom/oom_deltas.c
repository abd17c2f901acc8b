/*
 * oom_deltas.c - roots, producers and consumers without memory; see sweep.h. Both sides
 * promise that a call that fails leaves them as they were: so each is tried again, and
 * what comes of it must be what came of it at once.
 */
#include "base/text.h"
#include "sweep.h"

typedef struct delta_job {
    pith_doc *before;
    pith_doc *after;
    const char *key;
    const char *tool;
} delta_job;

static pith_status run_root(const void *job, pith_options *options, bytes *result)
{
    const delta_job *given = job;
    pith_error err = {0};
    pith_root root;
    pith_value value = pith_doc_root(given->before);
    pith_status status =
        pith_value_root(value, text_from(given->key), options, &root, &err);
    if (sweep_again(options, status, &err))
        status = pith_value_root(value, text_from(given->key), options, &root, &err);
    bytes_put(result, root.text);
    return status;
}

static pith_snapshot *new_producer(const delta_job *given, pith_options *options)
{
    pith_error err = {0};
    pith_policy policy = {.key = text_from(given->key), .tool = text_from(given->tool)};
    pith_snapshot *producer = pith_snapshot_new(&policy, options, &err);
    if (!producer && sweep_again(options, sweep_failure(&err), &err))
        producer = pith_snapshot_new(&policy, options, &err);
    assert_non_null(producer);
    return producer;
}

static void hold(pith_snapshot *producer, pith_doc *doc, pith_options *options)
{
    pith_error err = {0};
    char before[PITH_ROOT_SIZE];
    snprintf(before, sizeof before, "%s", pith_snapshot_root(producer));
    pith_status status = pith_snapshot_set(producer, pith_doc_root(doc), &err);
    if (sweep_again(options, status, &err)) {
        assert_string_equal(pith_snapshot_root(producer), before);
        status = pith_snapshot_set(producer, pith_doc_root(doc), &err);
    }
    assert_int_equal(status, PITH_OK);
}

static pith_buffer answer(pith_snapshot *producer, const char *held, pith_doc *doc,
                          pith_options *options, bytes *result)
{
    pith_error err = {0};
    pith_delta_kind kind = PITH_DELTA_FULL;
    pith_buffer out = {.alloc = options->alloc};
    char before[PITH_ROOT_SIZE];
    snprintf(before, sizeof before, "%s", pith_snapshot_root(producer));
    pith_status status = pith_snapshot_write(producer, held, pith_doc_root(doc),
                                             pith_sink_buffer(&out), &kind, &err);
    if (sweep_again(options, status, &err)) {
        assert_string_equal(pith_snapshot_root(producer), before);
        out.len = 0;
        status = pith_snapshot_write(producer, held, pith_doc_root(doc),
                                     pith_sink_buffer(&out), &kind, &err);
    }
    assert_int_equal(status, PITH_OK);
    bytes_print(result, "%d ", (int)kind);
    bytes_add(result, out.data, out.len);
    return out;
}

/* All three answers, and the roots between them. */
static pith_status run_producer(const void *job, pith_options *options, bytes *result)
{
    const delta_job *given = job;
    pith_snapshot *producer = new_producer(given, options);
    hold(producer, given->before, options);
    bytes_put(result, pith_snapshot_root(producer));
    static const bool after[] = {true, true, false};
    for (size_t i = 0; i < ROWS(after); i++) {
        char held[PITH_ROOT_SIZE];
        snprintf(held, sizeof held, "%s", pith_snapshot_root(producer));
        pith_buffer text =
            answer(producer, i < 2 ? held : NULL, after[i] ? given->after : given->before,
                   options, result);
        pith_delta_info info;
        assert_int_equal(pith_delta_look(text.data, text.len, &info, NULL), PITH_OK);
        bytes_add(result, info.root.ptr, info.root.len);
        pith_buffer_free(&text);
    }
    pith_snapshot_free(producer);
    return PITH_OK;
}

/* A delta, made with plenty of memory. */
static pith_buffer make_delta(const delta_job *given)
{
    pith_policy policy = {.key = text_from(given->key), .guard_percent = PITH_GUARD_OFF};
    pith_snapshot *producer = pith_snapshot_new(&policy, NULL, NULL);
    pith_buffer out = {0};
    pith_delta_kind kind;
    assert_non_null(producer);
    assert_int_equal(pith_snapshot_set(producer, pith_doc_root(given->before), NULL),
                     PITH_OK);
    assert_int_equal(pith_snapshot_write(producer, pith_snapshot_root(producer),
                                         pith_doc_root(given->after),
                                         pith_sink_buffer(&out), &kind, NULL),
                     PITH_OK);
    assert_int_equal(kind, PITH_DELTA_CHANGES);
    pith_snapshot_free(producer);
    return out;
}

static pith_status run_consumer(const void *job, pith_options *options, bytes *result)
{
    const delta_job *given = job;
    pith_error err = {0};
    pith_buffer delta = make_delta(given);
    pith_value base = pith_doc_root(given->before);
    pith_policy policy = {.key = text_from(given->key)};
    pith_snapshot *consumer = pith_snapshot_new(&policy, options, &err);
    if (!consumer && sweep_again(options, sweep_failure(&err), &err))
        consumer = pith_snapshot_new(&policy, options, &err);
    assert_non_null(consumer);
    pith_status status = pith_snapshot_set(consumer, base, &err);
    if (sweep_again(options, status, &err)) {
        assert_string_equal(pith_snapshot_root(consumer), "");
        status = pith_snapshot_set(consumer, base, &err);
    }
    assert_int_equal(status, PITH_OK);
    char held[PITH_ROOT_SIZE];
    snprintf(held, sizeof held, "%s", pith_snapshot_root(consumer));
    pith_buffer before = must_write(pith_snapshot_value(consumer), "json", NULL);
    status = pith_snapshot_apply(consumer, delta.data, delta.len, NULL, &err);
    if (sweep_again(options, status, &err)) {
        assert_string_equal(pith_snapshot_root(consumer), held);
        must_write_as(pith_snapshot_value(consumer), "json", NULL, before.data);
        status = pith_snapshot_apply(consumer, delta.data, delta.len, NULL, &err);
    }
    assert_int_equal(status, PITH_OK);
    bytes_put(result, pith_snapshot_root(consumer));
    sweep_add_value(result, pith_snapshot_value(consumer));
    pith_snapshot_free(consumer);
    pith_buffer_free(&before);
    pith_buffer_free(&delta);
    return PITH_OK;
}

static bytes make_rows(const char *name, int from, int to)
{
    bytes text = {0};
    bytes_put(&text, "[");
    for (int i = from; i < to; i++) {
        bytes_print(&text, "%s{\"id\":%d,\"name\":\"%s %d\",\"n\":%d.5}",
                    i > from ? "," : "", i, i % 9 ? "row" : name, i, i);
    }
    bytes_put(&text, "]");
    return text;
}

static bytes make_map(const char *name)
{
    bytes text = {0};
    bytes_print(&text, "{\"servers\":{\"ann\":{\"age\":7,\"of\":\"%s\"},", name);
    bytes_put(&text, "\"bob\":{\"age\":8,\"of\":\"a\\nb\"},\"eve\":{\"age\":9,"
                     "\"of\":null}}}");
    return text;
}

/* Members with so many fields that the name of their keys is one too many for the table
 * of names. */
static bytes make_wide_map(int number)
{
    bytes text = {0};
    bytes_put(&text, "{\"ann\":{\"f\":0");
    for (int i = 1; i < 16; i++)
        bytes_print(&text, ",\"f%d\":%d", i, number);
    bytes_put(&text, "},\"bob\":{\"f\":1}}");
    return text;
}

static bytes make_graph(const char *tool, double score)
{
    bytes text = {0};
    bytes_print(&text, "{%s\"symbols\":[", tool);
    for (int i = 0; i < 12; i++) {
        bytes_print(&text,
                    "%s{\"qualified_name\":\"n%d\",\"kind\":\"function\",\"score\":%.2f,"
                    "\"provenance\":\"p\",\"distance\":%d}",
                    i ? "," : "", i, i == 5 ? score : 0.5, i % 3);
    }
    bytes_put(&text, "],\"edges\":[{\"source\":\"n1\",\"target\":\"n2\","
                     "\"edge_type\":\"calls\"}]}");
    return text;
}

static void sweep_change(const char *label, bytes before, bytes after, const char *key,
                         const char *tool)
{
    delta_job job = {must_parse("json", before.ptr, before.len, NULL),
                     must_parse("json", after.ptr, after.len, NULL), key, tool};
    const struct {
        const char *name;
        sweep_operation run;
    } operations[] = {
        {"root", run_root}, {"producer", run_producer}, {"consumer", run_consumer}};
    for (size_t i = 0; i < ROWS(operations); i++) {
        char name[64];
        snprintf(name, sizeof name, "%s: %s", label, operations[i].name);
        assert_int_equal(sweep_run(name, operations[i].run, &job, NULL), 0);
    }
    pith_doc_free(job.before);
    pith_doc_free(job.after);
    bytes_free(&before);
    bytes_free(&after);
}

static void rows_change(void **state)
{
    (void)state;
    sweep_change("rows", make_rows("old", 0, 40), make_rows("new", 2, 43), "id",
                 "a-tool");
}

static void objects_change(void **state)
{
    (void)state;
    sweep_change("objects", make_map("x"), make_map("y"), NULL, "a-tool");
    sweep_change("wide objects", make_wide_map(1), make_wide_map(2), NULL, NULL);
}

static void graphs_change(void **state)
{
    (void)state;
    bytes tool = {0};
    bytes_repeat(&tool, "tool", 3000);
    bytes_add(&tool, "", 1);
    sweep_change("graphs", make_graph("\"tool\":\"t\",", 0.25),
                 make_graph("\"tool\":\"t\",", 0.75), NULL, "a-tool");
    sweep_change("graphs of a tool", make_graph("", 0.25), make_graph("", 0.75), NULL,
                 tool.ptr);
    bytes_free(&tool);
}

/* Numbers whose digits are not written yet. */
static void doubles_have_roots(void **state)
{
    (void)state;
    bytes texts[] = {make_rows("old", 0, 40), make_graph("", 0.25)};
    static const char *const keys[] = {"id", NULL};
    for (size_t i = 0; i < ROWS(texts); i++) {
        pith_doc *doc = must_parse("json", texts[i].ptr, texts[i].len, NULL);
        pith_buffer binary = must_write(pith_doc_root(doc), "soch-bin", NULL);
        delta_job job = {.before = must_parse("soch-bin", binary.data, binary.len, NULL),
                         .key = keys[i]};
        assert_int_equal(sweep_run("root of doubles", run_root, &job, NULL), 0);
        pith_doc_free(job.before);
        pith_buffer_free(&binary);
        pith_doc_free(doc);
        bytes_free(&texts[i]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_change),
        cmocka_unit_test(objects_change),
        cmocka_unit_test(graphs_change),
        cmocka_unit_test(doubles_have_roots),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
