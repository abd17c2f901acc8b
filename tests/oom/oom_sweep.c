/*
 * oom_sweep.c - texts and documents in every format, without memory; see sweep.h.
 *
 * The formats come from the registry, and so do their settings: a new format is
 * swept without a change here. Texts in a format are made by the format itself,
 * from documents that between them need every kind of memory: long texts, escapes,
 * many keys, many shapes of objects, depth.
 */
#include "fitting.h"
#include "sweep.h"
#include "named.h"

typedef struct operation {
    const char *name;
    unsigned sides; /* what the format must be able to do */
    sweep_operation run;
} operation;

/* ------------------------------------------------------------------- operations */

/* One handle, read into several times: after a failure it must be empty, and able
 * to succeed once there is memory again. */
static pith_status run_read_again(const void *job, pith_options *options, bytes *result)
{
    const sweep_job *given = job;
    pith_doc *doc = pith_doc_new(options);
    if (!doc)
        return PITH_NO_MEMORY;
    pith_status worst = PITH_OK;
    for (int round = 0; round < 3; round++) {
        pith_error err = {0};
        pith_status status = pith_doc_read(doc, given->format, given->text.ptr,
                                           given->text.len, options, &err);
        if (status != PITH_OK) {
            assert_int_equal(sweep_failure(&err), status);
            assert_null(pith_doc_root(doc).doc);
        } else {
            sweep_add_value(result, pith_doc_root(doc));
        }
        if (worst == PITH_OK || status == PITH_NO_MEMORY)
            worst = status;
        if (round == 1)
            pith_doc_reset(doc);
    }
    pith_doc_free(doc);
    return worst;
}

/* A text that is wrong has no document. */
static pith_status run_write(const void *job, pith_options *options, bytes *result)
{
    const sweep_job *given = job;
    return given->doc ? sweep_write(job, options, result) : PITH_OK;
}

static pith_status run_convert(const void *job, pith_options *options, bytes *result)
{
    const sweep_job *given = job;
    pith_buffer out = {0};
    out.alloc = options->alloc;
    pith_error err = {0};
    pith_status status =
        pith_convert(given->format, given->format, given->text.ptr, given->text.len,
                     options, pith_sink_buffer(&out), &err);
    if (status != PITH_OK)
        assert_int_equal(sweep_failure(&err), status);
    sweep_add_output(result, &out);
    return status;
}

/* Values of every kind, and the document's own as a copy. */
static pith_status run_build(const void *job, pith_options *options, bytes *result)
{
    const sweep_job *given = job;
    pith_doc *doc = pith_doc_new(options);
    if (!doc)
        return PITH_NO_MEMORY;
    pith_doc_open_object(doc);
    for (size_t i = 0; i < 300; i++) {
        char key[32];
        int len = snprintf(key, sizeof key, "key number %zu", i);
        pith_doc_add_key(doc, key, (size_t)len);
        pith_doc_open_array(doc);
        pith_doc_add_null(doc);
        pith_doc_add_bool(doc, i & 1);
        pith_doc_add_int64(doc, -(int64_t)i);
        pith_doc_add_uint64(doc, i);
        pith_doc_add_double(doc, (double)i / 7);
        pith_doc_add_number(doc, LIT("1.50e10"));
        pith_doc_add_text(doc, key, (size_t)len);
        pith_doc_add_bytes(doc, key, (size_t)len);
        pith_doc_add_vector(doc, (const double[]){0.5, -2}, 2);
        pith_doc_add_ref(doc, (pith_text)PITH_TEXT("users"), i);
        pith_doc_close(doc);
    }
    if (given->doc) {
        pith_doc_add_key(doc, "copy", 4);
        pith_doc_add_value(doc, pith_doc_root(given->doc));
    }
    pith_doc_close(doc);
    pith_error err = {0};
    pith_status status = pith_doc_finish(doc, &err);
    if (status != PITH_OK)
        assert_int_equal(sweep_failure(&err), status);
    else
        sweep_add_value(result, pith_doc_root(doc));
    pith_doc_free(doc);
    return status;
}

static pith_status run_rows(const void *job, pith_options *options, bytes *result)
{
    const sweep_job *given = job;
    static const char *const columns[] = {"id", "name", "score", "extra", "copy"};
    pith_buffer out = {0};
    out.alloc = options->alloc;
    pith_error err = {0};
    pith_rows *rows = rows_open_named(given->format, columns, ROWS(columns), options,
                                      pith_sink_buffer(&out), &err);
    pith_status status = rows ? PITH_OK : sweep_failure(&err);
    for (size_t i = 0; rows && status == PITH_OK && i < 40; i++) {
        pith_doc_add_uint64(pith_rows_row(rows), i);
        pith_doc_add_text(pith_rows_row(rows), LIT("a name\nwith an escape"));
        if (i % 3 == 0)
            pith_doc_add_double(pith_rows_row(rows), 0.25);
        if (i % 3 == 1)
            pith_doc_add_null(pith_rows_row(rows));
        if (i % 3 == 2)
            pith_doc_skip(pith_rows_row(rows));
        if (i % 4 == 0)
            pith_doc_add_bool(pith_rows_row(rows), true);
        if (i % 4 == 1)
            pith_doc_add_int64(pith_rows_row(rows), INT64_MIN);
        if (i % 4 == 2)
            pith_doc_add_number(pith_rows_row(rows), LIT("1e5"));
        if (i % 4 == 3)
            pith_doc_skip(pith_rows_row(rows));
        if (given->doc && i % 8 == 0)
            pith_doc_add_value(pith_rows_row(rows), pith_doc_root(given->doc));
        else
            pith_doc_skip(pith_rows_row(rows));
        status = pith_rows_end_row(rows, &err);
        if (status != PITH_OK)
            assert_int_equal(sweep_failure(&err), status);
    }
    if (rows) {
        pith_status closed = pith_rows_close(rows, &err);
        if (status == PITH_OK)
            status = closed;
    }
    sweep_add_output(result, &out);
    return status;
}

/* A table that is held, saved, and restored with another one merged into it. */
static pith_status run_states(const void *job, pith_options *options, bytes *result)
{
    const sweep_job *given = job;
    static const pith_text columns[] = {{"id", 2}, {"name", 4}};
    static const pith_cell cells[] = {{.kind = PITH_CELL_INT64, .u.integer = 7},
                                      {.kind = PITH_CELL_ABSENT},
                                      {.kind = PITH_CELL_INT64, .u.integer = 8},
                                      {.kind = PITH_CELL_TRUE}};
    pith_buffer text = {.alloc = options->alloc};
    pith_buffer out = {.alloc = options->alloc};
    pith_error err = {0};
    pith_rows *rows = pith_rows_open(NULL, columns, 2, options, (pith_sink){0}, &err);
    pith_status status =
        rows ? pith_rows_add_cells(rows, cells, ROWS(cells), &err) : sweep_failure(&err);
    if (status == PITH_OK)
        status = pith_rows_save(rows, pith_sink_buffer(&text), &err);
    if (rows)
        pith_rows_abandon(rows);
    rows = NULL;
    if (status == PITH_OK) {
        rows = pith_rows_restore(given->format, text.data, text.len, options,
                                 pith_sink_buffer(&out), &err);
        status =
            rows ? pith_rows_merge(rows, text.data, text.len, &err) : sweep_failure(&err);
    }
    pith_status closed = pith_rows_close(rows, &err);
    pith_buffer_free(&text);
    sweep_add_output(result, &out);
    return status == PITH_OK ? closed : status;
}

/* An object of members and tables, where the format has such. */
static pith_status run_object(const void *job, pith_options *options, bytes *result)
{
    const sweep_job *given = job;
    static const char *const columns[] = {"id", "name"};
    pith_buffer out = {0};
    out.alloc = options->alloc;
    pith_error err = {0};
    pith_rows *rows =
        pith_rows_open_object(given->format, options, pith_sink_buffer(&out), &err);
    pith_status status = rows ? PITH_OK : sweep_failure(&err);
    if (!rows && status == PITH_UNREPRESENTABLE)
        return PITH_OK;
    if (rows && given->doc)
        rows_add_named(rows, "whole", pith_doc_root(given->doc), NULL);
    for (size_t i = 0; rows && i < 6; i++) {
        char name[] = {'t', (char)('0' + i), '\0'};
        if (i % 2)
            rows_begin_named(rows, name, columns, 2, NULL);
        else
            rows_begin_keyed_named(rows, name, columns, 2, NULL);
        for (size_t k = 0; k < 3; k++) {
            if (i % 2 == 0)
                pith_doc_add_key(pith_rows_row(rows), &"abc"[k], 1);
            pith_doc_add_uint64(pith_rows_row(rows), k);
            pith_doc_add_text(pith_rows_row(rows), LIT("a name"));
            status = pith_rows_end_row(rows, &err);
        }
    }
    if (rows)
        status = pith_rows_close(rows, &err);
    sweep_add_output(result, &out);
    return status == PITH_OK ? PITH_OK : sweep_failure(&err);
}

/* Whole rows, any values; the handle is abandoned after a failure. */
static pith_status run_whole_rows(const void *job, pith_options *options, bytes *result)
{
    const sweep_job *given = job;
    if (!given->doc)
        return PITH_OK;
    pith_buffer out = {0};
    out.alloc = options->alloc;
    pith_error err = {0};
    pith_rows *rows =
        pith_rows_open(given->format, NULL, 0, options, pith_sink_buffer(&out), &err);
    pith_status status = rows ? PITH_OK : sweep_failure(&err);
    for (size_t i = 0; rows && status == PITH_OK && i < 5; i++)
        status = pith_rows_add_row(rows, pith_doc_root(given->doc), &err);
    if (rows && status == PITH_OK)
        status = pith_rows_close(rows, &err);
    else
        pith_rows_abandon(rows);
    sweep_add_output(result, &out);
    return status;
}

static const operation operations[] = {
    {"parse", PITH_READ, sweep_parse},
    {"read again", PITH_READ, run_read_again},
    {"write", PITH_WRITE, run_write},
    {"convert", PITH_READ | PITH_WRITE, run_convert},
    {"check", PITH_READ, sweep_check},
    {"build", 0, run_build},
    {"states", PITH_WRITE, run_states},
    {"rows", PITH_WRITE, run_rows},
    {"whole rows", PITH_WRITE, run_whole_rows},
    {"object", PITH_WRITE, run_object},
    {"reader", PITH_READ, sweep_read_pieces},
};

/* ------------------------------------------------------------------------ sweeps */

static size_t sweep(const operation *op, const sweep_job *job)
{
    char label[256];
    pith_options options = with_settings(job->read, job->write);
    options.depth_max = 5000;
    snprintf(label, sizeof label, "%s %s (read %s, write %s)", job->format, op->name,
             job->read ? job->read : "-", job->write ? job->write : "-");
    return sweep_run(label, op->run, job, &options);
}

static size_t sweep_all(const sweep_job *job, unsigned sides)
{
    size_t failures = 0;
    for (size_t i = 0; i < ROWS(operations); i++) {
        if ((operations[i].sides & sides) != operations[i].sides)
            continue;
        /* building knows no format and no settings: once for each sample is enough */
        bool plain = strcmp(job->format, "json") == 0 && !job->read && !job->write;
        if (operations[i].sides == 0 && !plain)
            continue;
        failures += sweep(&operations[i], job);
    }
    return failures;
}

/* ----------------------------------------------------------------------- samples */

static bytes sample_plain(void)
{
    bytes text = {0};
    bytes_put(&text, "[{\"id\":1,\"name\":\"a\\nb\\u0000\xc3\xa9\",\"tags\":[],\"o\":{}},"
                     "{\"id\":2,\"name\":null,\"tags\":[true,false,-1.5e3]}]");
    return text;
}

static bytes sample_wide(void)
{
    bytes text = {0};
    bytes_put(&text, "[{");
    for (size_t i = 0; i < 400; i++)
        bytes_print(&text, "%s\"key%zu\":%zu", i ? "," : "", i, i);
    bytes_put(&text, "}]");
    return text;
}

static bytes sample_shapes(void)
{
    bytes text = {0};
    bytes_put(&text, "[");
    for (size_t i = 0; i < 300; i++) {
        bytes_print(&text, "%s{\"a%zu\":1,\"b\":\"\\t%zu\",\"c%zu\":[]}", i ? "," : "", i,
                    i, i % 7);
    }
    bytes_put(&text, "]");
    return text;
}

static bytes sample_deep(void)
{
    bytes text = {0};
    bytes_repeat(&text, "[{\"k\":", 150);
    bytes_put(&text, "\"\\n\"");
    bytes_repeat(&text, "}]", 150);
    return text;
}

static bytes sample_long(void)
{
    bytes text = {0};
    bytes_put(&text, "[\"");
    bytes_repeat(&text, "0123456789abcde\\n", 4500);
    bytes_put(&text, "\",");
    bytes_repeat(&text, "9", 70000);
    bytes_put(&text, ",\"");
    bytes_repeat(&text, "x", 100000);
    bytes_put(&text, "\"]");
    return text;
}

/* Rows that any format of tables can hold. */
static bytes sample_flat(void)
{
    bytes text = {0};
    bytes_put(&text, "[{\"id\":1,\"name\":\"a\"},{\"id\":2,\"name\":\"b, \\\"c\\\"\"}]");
    return text;
}

/* A code graph, for the formats that hold nothing else. */
static bytes sample_graph(void)
{
    bytes text = {0};
    bytes_put(&text, "{\"tool\":\"t\",\"token_budget\":9,\"symbols\":[");
    for (size_t i = 0; i < 90; i++) {
        bytes_print(&text,
                    "%s{\"qualified_name\":\"n%zu\",\"kind\":\"k%zu\",\"score\":0.%zu1,"
                    "\"provenance\":\"p\",\"distance\":%zu}",
                    i ? "," : "", i / 2, i, i, i % 4);
    }
    bytes_put(&text, "],\"edges\":[");
    for (size_t i = 0; i < 70; i++) {
        bytes_print(&text,
                    "%s{\"source\":\"n%zu\",\"source_kind\":\"k%zu\",\"target\":\"n0\","
                    "\"target_kind\":\"k1\",\"edge_type\":\"t%zu\"}",
                    i ? "," : "", i / 2, i, i % 3);
    }
    bytes_put(&text, "]}");
    return text;
}

typedef bytes (*sampler)(void);
static const sampler samplers[] = {sample_plain, sample_wide, sample_shapes, sample_deep,
                                   sample_long,  sample_flat, sample_graph};

/* The sample as a text of the format; false when the format cannot hold it. */
static bool make_job(sweep_job *job, const pith_format *format, bytes json)
{
    pith_options options = {0};
    options.depth_max = 5000;
    pith_doc *doc = must_parse("json", json.ptr, json.len, &options);
    pith_buffer out = {0};
    pith_status status = pith_value_write(pith_doc_root(doc), format->name, NULL,
                                          pith_sink_buffer(&out), NULL);
    pith_doc_free(doc);
    *job = (sweep_job){0};
    job->format = format->name;
    if (status == PITH_OK) {
        bytes_add(&job->text, out.data, out.len);
        job->doc = must_parse(format->name, job->text.ptr, job->text.len, &options);
    }
    pith_buffer_free(&out);
    return status == PITH_OK;
}

static void drop_job(sweep_job *job)
{
    pith_doc_free(job->doc);
    bytes_free(&job->text);
}

/* A value of the setting other than the usual one; false when there is none to try. */
static bool other_value(const pith_setting *setting, char *words, size_t size)
{
    const char *last;
    switch (setting->type) {
    case PITH_SETTING_BOOL:
        snprintf(words, size, "%s=%s", setting->word,
                 strcmp(setting->default_value, "true") == 0 ? "false" : "true");
        return true;
    case PITH_SETTING_NUMBER:
        snprintf(words, size, "%s=%llu", setting->word,
                 (unsigned long long)(setting->min + (setting->max > setting->min)));
        return true;
    case PITH_SETTING_CHOICE:
        last = strrchr(setting->choices, '|');
        if (!last)
            return false;
        snprintf(words, size, "%s=%s", setting->word, last + 1);
        return true;
    case PITH_SETTING_TEXT:
        return false;
    }
    return false;
}

/* Every sample in every format. */
static void samples_in_every_format(void **state)
{
    (void)state;
    size_t failures = 0;
    for (size_t f = 0; pith_format_at(f); f++) {
        const pith_format *format = pith_format_at(f);
        if (format->direction != (PITH_READ | PITH_WRITE))
            continue;
        for (size_t s = 0; s < ROWS(samplers); s++) {
            bytes json = samplers[s]();
            sweep_job job;
            if (make_job(&job, format, json))
                failures += sweep_all(&job, format->direction);
            drop_job(&job);
            bytes_free(&json);
        }
    }
    assert_int_equal(failures, 0);
}

/* The first sample that the format can hold. */
static void make_some_job(sweep_job *job, const pith_format *format)
{
    bool made = false;
    for (size_t s = 0; s < ROWS(samplers) && !made; s++) {
        bytes json = samplers[s]();
        made = make_job(job, format, json);
        bytes_free(&json);
    }
    assert_true(made);
}

/* Every setting of every format. */
static void settings_of_every_format(void **state)
{
    (void)state;
    size_t failures = 0;
    for (size_t f = 0; pith_format_at(f); f++) {
        const pith_format *format = pith_format_at(f);
        if (format->direction != (PITH_READ | PITH_WRITE))
            continue;
        for (size_t k = 0; k < format->setting_count; k++) {
            const pith_setting *setting = &format->settings[k];
            char words[128];
            if (!other_value(setting, words, sizeof words))
                continue;
            sweep_job job;
            make_some_job(&job, format);
            if (setting->direction & PITH_READ)
                job.read = words;
            if (setting->direction & PITH_WRITE)
                job.write = words;
            failures += sweep_all(&job, format->direction);
            drop_job(&job);
        }
    }
    assert_int_equal(failures, 0);
}

/* Writing with care, which holds the text, counts JSON beside it and reads it back. */
static void care_in_every_format(void **state)
{
    (void)state;
    size_t failures = 0;
    for (size_t f = 0; pith_format_at(f); f++) {
        const pith_format *format = pith_format_at(f);
        if (format->direction != (PITH_READ | PITH_WRITE))
            continue;
        sweep_job job;
        make_some_job(&job, format);
        job.write = "guard=true verify=true";
        failures += sweep_all(&job, format->direction);
        drop_job(&job);
    }
    assert_int_equal(failures, 0);
}

static pith_status run_fit(const void *job, pith_options *options, bytes *result)
{
    const sweep_job *given = job;
    pith_error err = {0};
    pith_doc *doc =
        pith_doc_parse(given->format, given->text.ptr, given->text.len, options, &err);
    fitting fit = {.tokens_max = 40, .newline = true};
    pith_buffer out = {.alloc = options->alloc};
    if (!doc)
        return sweep_failure(&err);
    pith_status status = fit_value(pith_doc_root(doc), "auto", &fit, options,
                                   pith_sink_buffer(&out), NULL);
    sweep_add_output(result, &out);
    pith_doc_free(doc);
    return status;
}

/* Choosing by counting: the forms of a value, and as much of it as fits. */
static void choices_are_swept(void **state)
{
    (void)state;
    static const char *const words[] = {"optimize=tokens", "optimize=tokens guard=true"};
    static const operation within_budget = {"fit", PITH_READ, run_fit};
    size_t failures = 0;
    for (size_t i = 0; i < ROWS(words); i++) {
        sweep_job job = {0};
        job.format = "json";
        job.write = words[i];
        bytes_put(&job.text, "[{\"a\":{\"x\":1,\"y\":2,\"z\":3},\"b\":\"t, u\"},"
                             "{\"a\":{\"x\":4,\"y\":5,\"z\":6},\"b\":\"v\"},"
                             "{\"a\":{\"x\":7,\"y\":8,\"z\":9},\"b\":\"w\"}]");
        failures += sweep(&within_budget, &job);
        drop_job(&job);
    }
    assert_int_equal(failures, 0);
}

/* Texts that only JSON and its lines have: duplicates that are merged, surrogates
 * that are replaced, faults of which several are reported. */
static void json_alone(void **state)
{
    (void)state;
    bytes many = {0};
    bytes_put(&many, "{\"o\":{");
    for (size_t i = 0; i < 140; i++)
        bytes_print(&many, "\"k%zu\":{\"x\":%zu,\"x\":[1,2]},", i % 70, i);
    bytes_put(&many, "\"end\":0},\"o\":{\"y\":1,\"y\":{\"z\":\"\\n\",\"z\":\"\\t\"}}}");
    bytes twice = sample_wide();
    twice.len -= 2;
    bytes_put(&twice, ",\"key77\":0}]");
    const struct {
        const char *text;
        size_t len;
        const char *read;
    } rows[] = {
        {many.ptr, many.len, "duplicates=last"},
        {many.ptr, many.len, NULL},
        {twice.ptr, twice.len, NULL},
        {twice.ptr, twice.len, "duplicates=last"},
        {LIT("[\"\\ud800\",{\"\\udfff\":\"\\n\"}]"), "surrogates=replace"},
        {LIT("[\"\\n\",01,tru,\"\\q\",{\"a\" 1},{\"a\":1,\"a\":2}]"), NULL},
        {LIT("[\"\\n\",{\"a\":[1,2"), NULL},
        {LIT(""), NULL},
    };
    size_t failures = 0;
    static const char *const formats[] = {"json", "ndjson"};
    for (size_t f = 0; f < ROWS(formats); f++) {
        for (size_t i = 0; i < ROWS(rows); i++) {
            sweep_job job = {0};
            job.format = formats[f];
            job.read = rows[i].read;
            bytes_add(&job.text, rows[i].text, rows[i].len);
            failures += sweep_all(&job, PITH_READ | PITH_WRITE);
            drop_job(&job);
        }
    }
    bytes_free(&many);
    bytes_free(&twice);
    assert_int_equal(failures, 0);
}

/* What takes memory before it takes any input. */
static void handles_alone(void **state)
{
    (void)state;
    static const char *const columns[] = {"a", "b"};
    for (size_t n = 1; n < 20; n++) {
        meter counts = {0};
        counts.fail_at = n;
        counts.fail_onwards = true;
        pith_options options = {0};
        options.alloc = meter_alloc(&counts);
        pith_buffer out = {0};
        out.alloc = options.alloc;
        pith_error err = {0};
        pith_doc *doc = pith_doc_new(&options);
        pith_reader *reader = pith_reader_open("ndjson", &options, &err);
        pith_rows *rows =
            rows_open_named("json", columns, 2, &options, pith_sink_buffer(&out), &err);
        if (counts.failures)
            assert_true(!doc || !reader || !rows);
        pith_rows_abandon(rows);
        pith_reader_free(reader);
        pith_doc_free(doc);
        pith_buffer_free(&out);
        assert_true(meter_clean(&counts));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(samples_in_every_format),
        cmocka_unit_test(settings_of_every_format),
        cmocka_unit_test(care_in_every_format),
        cmocka_unit_test(choices_are_swept),
        cmocka_unit_test(json_alone),
        cmocka_unit_test(handles_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
