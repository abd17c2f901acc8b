/*
 * oom_arrow.c - tables of Arrow without memory; see sweep.h.
 */
#include "arrays.h"
#include "sweep.h"

static const char text[] =
    "[{\"id\":1,\"name\":\"a\",\"list\":[1,2,{\"x\":1}],\"s\":{\"a\":{\"b\":0.5}},"
    "\"n\":0.12345678901234567891,\"mixed\":1,\"day\":\"2024-02-29\",\"m\":{\"k\":1},"
    "\"bytes\":\"b64:AAEC\",\"word\":\"red\"},"
    "{\"id\":2,\"name\":null,\"list\":[],\"s\":null,\"n\":1,\"mixed\":\"b\","
    "\"day\":\"1969-07-20\",\"m\":[[\"k\",1],[\"k\",2]],\"bytes\":\"b64:\","
    "\"word\":\"blue and long enough\"}]";

static struct ArrowSchema *wanted(void)
{
    return make_schema(
        "+s", "", make_schema("i", "id", NULL), make_schema("vu", "name", NULL),
        extend_schema(make_schema("u", "list", NULL), "arrow.json"),
        make_schema("+s", "s", make_schema("+s", "a", make_schema("f", "b", NULL), NULL),
                    NULL),
        make_schema("d:38,20", "n", NULL), make_schema("U", "mixed", NULL),
        make_schema("tdD", "day", NULL),
        make_schema("+m", "m",
                    make_schema("+s", "", make_schema("u", "k", NULL),
                                make_schema("l", "v", NULL), NULL),
                    NULL),
        make_schema("z", "bytes", NULL),
        make_dictionary_schema("c", "word", make_schema("u", "", NULL)), NULL);
}

/* There and back. */
static pith_status run_stream(const void *job, pith_options *options, bytes *result)
{
    pith_arrow_plan plan = {.want = (const struct ArrowSchema *)job, .batch_rows = 1};
    struct ArrowArrayStream stream;
    pith_buffer out = {.alloc = options->alloc};
    pith_error err = {0};
    pith_status status =
        pith_arrow_read("json", text, sizeof text - 1, &plan, options, &stream, &err);
    if (status == PITH_OK)
        status = pith_arrow_write(&stream, "toon", options, pith_sink_buffer(&out), &err);
    else
        assert_null(stream.release);
    if (status == PITH_OK)
        sweep_add_output(result, &out);
    pith_buffer_free(&out);
    return status == PITH_OK ? PITH_OK : sweep_failure(&err);
}

static void streams_without_memory(void **state)
{
    (void)state;
    struct ArrowSchema *want = wanted();
    assert_int_equal(sweep_run("guessed", run_stream, NULL, NULL), 0);
    assert_int_equal(sweep_run("wanted", run_stream, want, NULL), 0);
    drop_schema(want);
}

static pith_status take_part(void *ctx, const pith_part *part)
{
    bytes_add((bytes *)ctx, part->text, part->len);
    return PITH_OK;
}

typedef struct handed {
    pith_vocab *vocab;
    pith_doc *doc;
    struct ArrowSchema *schema;
    struct ArrowArray *batch;
} handed;

/* Batches of another program, as rows and as parts. */
static pith_status run_batches(const void *job, pith_options *options, bytes *result)
{
    const handed *given = (const handed *)job;
    pith_buffer out = {.alloc = options->alloc};
    pith_error err = {0};
    options->vocab = given->vocab;
    pith_rows *rows =
        pith_rows_open_arrow("csv", given->schema, options, pith_sink_buffer(&out), &err);
    pith_status status =
        rows ? pith_rows_add_arrow(rows, given->batch, &err) : err.status;
    if (rows && status == PITH_OK)
        status = pith_rows_close(rows, &err);
    else
        pith_rows_abandon(rows);
    if (status == PITH_OK)
        sweep_add_output(result, &out);
    pith_buffer_free(&out);
    if (status != PITH_OK)
        return sweep_failure(&err);
    bytes texts = {0};
    pith_parts *parts = pith_parts_open_arrow("toon", given->schema, 30, options,
                                              take_part, &texts, &err);
    status = parts ? pith_parts_add_arrow(parts, given->batch, &err) : err.status;
    if (parts && status == PITH_OK)
        status = pith_parts_close(parts, &err);
    else
        pith_parts_abandon(parts);
    if (status == PITH_OK)
        bytes_add(result, texts.ptr, texts.len);
    bytes_free(&texts);
    return status == PITH_OK ? PITH_OK : sweep_failure(&err);
}

static pith_status run_value(const void *job, pith_options *options, bytes *result)
{
    const handed *given = (const handed *)job;
    struct ArrowArrayStream stream;
    struct ArrowSchema schema = {0};
    pith_error err = {0};
    pith_status status =
        pith_value_arrow(pith_doc_root(given->doc), NULL, options, &stream, &err);
    if (status != PITH_OK)
        return sweep_failure(&err);
    status = stream.get_schema(&stream, &schema) ? PITH_NO_MEMORY : PITH_OK;
    if (status == PITH_OK) {
        bytes_put(result, schema.children[4]->format);
        schema.release(&schema);
    }
    stream.release(&stream);
    return status;
}

static void batches_without_memory(void **state)
{
    (void)state;
    const int32_t numbers[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17};
    const int8_t indexes[17] = {0, 1, 1};
    const int32_t offsets[] = {0, 1, 3};
    struct ArrowArray *batch = make_array(17, 0, 0, BUFFERS(NULL));
    add_child(batch, make_array(17, 0, 0, BUFFERS(NULL, numbers)));
    add_child(batch, make_array(17, 0, 0, BUFFERS(NULL, numbers)));
    add_child(batch, add_dictionary(make_array(17, 0, 0, BUFFERS(NULL, indexes)),
                                    make_array(2, 0, 0, BUFFERS(NULL, offsets, "abb"))));
    handed given = {
        pith_vocab_open("estimate", NULL, NULL), must_parse_json(text),
        make_schema("+s", "", make_schema("i", "id", NULL), make_schema("tdD", "d", NULL),
                    make_dictionary_schema("c", "w", make_schema("z", "", NULL)), NULL),
        batch};
    assert_int_equal(sweep_run("batches", run_batches, &given, NULL), 0);
    assert_int_equal(sweep_run("value", run_value, &given, NULL), 0);
    drop_array(batch);
    drop_schema(given.schema);
    pith_doc_free(given.doc);
    pith_vocab_free(given.vocab);
    assert_int_equal(arrays_alive(), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(streams_without_memory),
        cmocka_unit_test(batches_without_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
