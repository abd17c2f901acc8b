/*
 * oom_soch.c - SochDB's tables, in both forms and in all their compressions, read and
 * written without memory; see sweep.h. Most of what they need fits into the first block
 * that a document takes, so each text has so much of one thing that this is what asks for
 * the next.
 */
#include "sweep.h"
#include "named.h"

static size_t sweep_titled(const char *label, sweep_operation run, const void *job,
                           const sweep_job *given)
{
    char title[128];
    pith_options options = with_settings(given->read, given->write);
    snprintf(title, sizeof title, "%s, %s %s", label, given->format,
             given->write ? given->write : "");
    return sweep_run(title, run, job, &options);
}

/* -------------------------------------------------------------------------- reading */

/* The text, and the binary files that are made of it. */
static size_t sweep_reading(const char *label, const char *read, const bytes *text)
{
    static const char *const words[] = {"", "compress=lz4", "compress=zstd"};
    sweep_job job = {.format = "soch", .text = *text, .read = read};
    size_t failures = sweep_titled(label, sweep_parse, &job, &job);
    for (size_t i = 0; i < ROWS(words); i++) {
        pith_options options = with_settings(read, words[i]);
        pith_buffer file = {0};
        pith_error err = {0};
        if (pith_convert("soch", "soch-bin", text->ptr, text->len, &options,
                         pith_sink_buffer(&file), &err) == PITH_OK) {
            job = (sweep_job){.format = "soch-bin",
                              .text = {file.data, file.len, file.len},
                              .write = words[i]};
            failures += sweep_titled(label, sweep_parse, &job, &job);
        } else {
            assert_string_equal(err.code, "not_built_in");
        }
        pith_buffer_free(&file);
    }
    return failures;
}

static void many_cells(void **state)
{
    (void)state;
    enum { CELLS = 400 };
    static const struct {
        const char *field;
        const char *cell;
        const char *read;
    } columns[] = {
        {"a:int", "-0123456789012345", NULL},
        {"a:uint", "18446744073709551615", NULL},
        {"a:float", "-0123456789", NULL},
        {"a:float", "-0012345.678", NULL},
        {"a:vec(2)", "[-0123456789,1.5]", NULL},
        {"a:bytes", "AAECAwQFBgcICQ==", NULL},
        {"a", "-0012345678901234", NULL},
        {"a:ref", "ref(users,42)", "refs=text"},
        {"a", "[ref(users,42)]", "refs=text"},
        {"a", "0x000102030405060708090a0b", "compat=sochdb"},
        {"a", "@users:18446744073709551615", "compat=sochdb"},
        {"a", "ref(users,18446744073709551615)", NULL},
        {"a", "{k:[{l:1},2],m:\"\\n\"}", NULL},
        {"a",
         "\"a text that is long enough, so that all of them together fill more "
         "than what is taken out of a compressed body at once; it says nothing at "
         "all, and it takes two hundred bytes to say it, again and again and again\"",
         NULL},
    };
    size_t failures = 0;
    for (size_t i = 0; i < ROWS(columns); i++) {
        bytes text = {0};
        bytes_print(&text, "t[%d]{%s}:", CELLS, columns[i].field);
        for (size_t k = 0; k < CELLS; k++) {
            bytes_put(&text, columns[i].cell);
            bytes_put(&text, "\n");
        }
        failures += sweep_reading(columns[i].cell, columns[i].read, &text);
        bytes_free(&text);
    }
    assert_int_equal(failures, 0);
}

/* Adds `count` pieces with their numbers: before, number, after. */
static void add_numbered(bytes *text, size_t count, const char *before, const char *after)
{
    for (size_t i = 0; i < count; i++) {
        bytes_put(text, before);
        bytes_print(text, "%zu", i);
        bytes_put(text, after);
    }
}

/* Objects and headers wider than shapes are, and almost so. */
static void many_names(void **state)
{
    (void)state;
    static const size_t counts[] = {200, 300};
    size_t failures = 0;
    for (size_t i = 0; i < ROWS(counts); i++) {
        bytes cell = {0};
        bytes_put(&cell, "t[1]{a}:{");
        add_numbered(&cell, counts[i], "key", ":1,");
        bytes_put(&cell, "end:1}");
        failures += sweep_reading("a wide object", NULL, &cell);
        bytes_free(&cell);
        bytes table = {0};
        bytes_put(&table, "t[2]{");
        add_numbered(&table, counts[i], "column", ",");
        bytes_put(&table, "end}:");
        for (int row = 0; row < 2; row++) {
            bytes_repeat(&table, "1,", counts[i]);
            bytes_put(&table, "1\n");
        }
        failures += sweep_reading("a wide table", NULL, &table);
        bytes_free(&table);
    }
    assert_int_equal(failures, 0);
}

/* `first`, and so many tables whose names are `name_len` bytes and their number. */
static size_t sweep_tables(const char *first, size_t count, size_t name_len)
{
    bytes name = {0};
    bytes text = {0};
    bytes_repeat(&name, "t", name_len);
    bytes_add(&name, "", 1);
    bytes_put(&text, first);
    add_numbered(&text, count, name.ptr, "[1]{x}:1\n");
    size_t failures = sweep_reading("tables", NULL, &text);
    bytes_free(&text);
    bytes_free(&name);
    return failures;
}

/* Tables with names that differ are an object, others a list of objects. */
static void many_tables(void **state)
{
    (void)state;
    static const size_t counts[] = {20, 200, 300};
    size_t failures = sweep_tables("t0[1]{x}:0\nt0[1]{x}:0\n", 1, 1);
    for (size_t i = 0; i < ROWS(counts); i++) {
        failures += sweep_tables("", counts[i], 5);
        failures += sweep_tables("_[1]{x}:0\n", counts[i], 5);
    }
    /* A name of more than 255 bytes has no shape, so that each table of a list has keys of
     * its own. What they take is little beside the names: with one of these counts it is
     * what needs another block. */
    for (size_t count = 50; count < 70; count += 2)
        failures += sweep_tables("_[1]{x}:0\n", count, 300);
    assert_int_equal(failures, 0);
}

/* -------------------------------------------------------------------------- writing */

typedef struct soch_job {
    sweep_job given;
    const char *from; /* the format of the text; the other is that of the output */
    const char *part; /* of the root, or NULL */
} soch_job;

/* A document has the allocator of its options, and so has what is written of it. */
static pith_status run_write(const void *data, pith_options *options, bytes *result)
{
    const soch_job *job = data;
    pith_buffer out = {.alloc = options->alloc};
    pith_error err = {0};
    const bytes *text = &job->given.text;
    pith_doc *doc = pith_doc_parse(job->from, text->ptr, text->len, options, &err);
    if (!doc)
        return sweep_failure(&err);
    pith_value root = pith_doc_root(doc);
    pith_value value =
        job->part ? pith_value_get(root, job->part, strlen(job->part)) : root;
    pith_status status =
        pith_value_write(value, job->given.format, options, pith_sink_buffer(&out), &err);
    if (sweep_again(options, status, &err)) {
        out.len = 0;
        status = pith_value_write(value, job->given.format, options,
                                  pith_sink_buffer(&out), &err);
    }
    sweep_add_output(result, &out);
    pith_doc_free(doc);
    return status;
}

static size_t sweep_writing(const char *label, soch_job job)
{
    static const char *const formats[] = {"soch", "soch-bin"};
    size_t failures = 0;
    for (size_t i = 0; i < ROWS(formats); i++) {
        job.given.format = formats[i];
        failures += sweep_titled(label, run_write, &job, &job.given);
    }
    return failures;
}

/* Tables that have to be found in a value. */
static void found_tables(void **state)
{
    (void)state;
    bytes json = {0};
    bytes_put(&json, "[{\"b\":1,\"a\":2},{\"a\":3,\"b\":4}");
    add_numbered(&json, 40, ",{\"key", "\":[[1]]}");
    bytes_put(&json, "]");
    soch_job rows = {.given = {.text = json, .write = ""}, .from = "json"};
    size_t failures = sweep_writing("rows that differ", rows);
    rows.given.write = "fill-missing=true";
    failures += sweep_writing("rows that are filled", rows);
    rows.given.write = "fill-missing=true types=infer fields=b:float?,a:float?";
    failures += sweep_writing("types that are found and declared", rows);
    bytes_free(&json);

    bytes text = {0};
    bytes_put(&text, "t[2]{v:vec(2),n}:[1,2],3;[4,5],6");
    soch_job part = {.given = {.text = text}, .from = "soch", .part = "t"};
    failures += sweep_writing("a part with vectors", part);
    bytes_free(&text);
    assert_int_equal(failures, 0);
}

/* ----------------------------------------------------------------------------- rows */

/* A stream of rows: so many columns and rows, their number told beforehand or not. */
typedef struct rows_job {
    size_t columns;
    size_t rows;
    bool told;
    bool forwards; /* the sink cannot go back */
    bool typed;    /* columns are declared */
    const char *write;
} rows_job;

enum { ROWS_COLUMNS_MOST = 100 };

static pith_status forwards_only(void *ctx, const char *data, size_t len)
{
    pith_sink sink = pith_sink_buffer((pith_buffer *)ctx);
    return sink.write(sink.ctx, data, len);
}

static pith_status add_rows(pith_rows *rows, const rows_job *job, pith_error *err)
{
    pith_status status = PITH_OK;
    for (size_t i = 0; i < job->rows && status == PITH_OK; i++) {
        for (size_t k = 0; k < job->columns; k++)
            if (job->typed && k == 1)
                pith_doc_add_bytes(pith_rows_row(rows), &i, sizeof i);
            else
                pith_doc_add_uint64(pith_rows_row(rows), i);
        status = pith_rows_end_row(rows, err);
    }
    return status;
}

/* Columns with names of a hundred bytes. */
static pith_status run_rows(const void *data, pith_options *options, bytes *result)
{
    const rows_job *job = data;
    static char names[ROWS_COLUMNS_MOST][104];
    const char *columns[ROWS_COLUMNS_MOST];
    for (size_t i = 0; i < job->columns; i++) {
        snprintf(names[i], sizeof names[i], "%0100zu", i);
        columns[i] = names[i];
    }
    pith_buffer out = {.alloc = options->alloc};
    pith_sink plain = {forwards_only, &out};
    pith_error err = {0};
    pith_rows *rows =
        rows_open_named("soch-bin", columns, job->columns, options,
                        job->forwards ? plain : pith_sink_buffer(&out), &err);
    if (!rows) {
        pith_buffer_free(&out);
        return sweep_failure(&err);
    }
    if (job->told)
        pith_rows_expect(rows, job->rows);
    if (job->typed) {
        pith_field field = {.type = PITH_TYPE_REF, .target = {names[0], 100}};
        pith_rows_declare(rows, 0, &field);
    }
    pith_status status = add_rows(rows, job, &err);
    if (status == PITH_OK)
        status = pith_rows_close(rows, &err);
    else
        pith_rows_abandon(rows);
    if (status != PITH_OK)
        assert_int_equal(sweep_failure(&err), status);
    sweep_add_output(result, &out);
    return status;
}

static void rows_that_leave(void **state)
{
    (void)state;
    static const rows_job ways[] = {
        {.told = true, .write = ""},
        {.write = ""},
        {.forwards = true, .write = ""},
        {.write = "compress=lz4"},
        {.write = "compress=zstd"},
        {.typed = true, .write = "types=all"},
        {.typed = true, .write = "types=infer"},
        {.typed = true, .write = "types=all optimize=tokens"},
    };
    size_t failures = 0;
    for (size_t i = 0; i < ROWS(ways); i++) {
        for (size_t size = 0; size < 4; size++) {
            char label[64];
            rows_job job = ways[i];
            pith_options options = with_settings(NULL, job.write);
            job.columns = size & 1 ? ROWS_COLUMNS_MOST : 2;
            job.rows = size & 2 ? 40 : 0;
            snprintf(label, sizeof label, "rows, way %zu, size %zu", i, size);
            failures += sweep_run(label, run_rows, &job, &options);
        }
    }
    assert_int_equal(failures, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(many_cells),      cmocka_unit_test(many_names),
        cmocka_unit_test(many_tables),     cmocka_unit_test(found_tables),
        cmocka_unit_test(rows_that_leave),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
