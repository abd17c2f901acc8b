/*
 * oom_tokens.c - vocabularies, counters, budgets and frames without memory; see sweep.h.
 */
#include "fitting.h"
#include "piece.h"
#include "small_vocab.h"
#include "sweep.h"

static const char sample[] = "name,id,amid <|end|> \xc3\xa9\xe2\x82\xac 12345 names";

typedef struct token_job {
    bytes json; /* of the small vocabulary */
    pith_vocab *vocab;
    const char *name; /* of a built-in one */
    const char *text; /* to be encoded */
} token_job;

static pith_status run_read(const void *job, pith_options *options, bytes *result)
{
    const token_job *given = job;
    pith_error err = {0};
    pith_vocab *vocab = pith_vocab_read(given->json.ptr, given->json.len, options, &err);
    if (!vocab && sweep_again(options, sweep_failure(&err), &err))
        vocab = pith_vocab_read(given->json.ptr, given->json.len, options, &err);
    assert_non_null(vocab);
    bytes_print(result, "%s %zu %d", pith_vocab_describe(vocab).name,
                pith_vocab_describe(vocab).size, pith_vocab_describe(vocab).exact);
    pith_vocab_free(vocab);
    return PITH_OK;
}

static pith_status run_open(const void *job, pith_options *options, bytes *result)
{
    const token_job *given = job;
    pith_error err = {0};
    size_t count = 0;
    pith_vocab *vocab = pith_vocab_open(given->name, options, &err);
    if (!vocab && sweep_again(options, sweep_failure(&err), &err))
        vocab = pith_vocab_open(given->name, options, &err);
    assert_non_null(vocab);
    pith_status status =
        pith_vocab_count(vocab, sample, sizeof sample - 1, options, &count, &err);
    if (sweep_again(options, status, &err)) {
        status =
            pith_vocab_count(vocab, sample, sizeof sample - 1, options, &count, NULL);
    }
    bytes_print(result, "%s %zu %zu", pith_vocab_describe(vocab).name,
                pith_vocab_describe(vocab).size, count);
    pith_vocab_free(vocab);
    return status;
}

/* Reads, saves and maps a vocabulary, and counts with what came of it. */
static pith_status run_save(const void *job, pith_options *options, bytes *result)
{
    const token_job *given = job;
    pith_error err = {0};
    size_t count = 0;
    pith_vocab *vocab = pith_vocab_read(given->json.ptr, given->json.len, options, &err);
    if (!vocab && sweep_again(options, sweep_failure(&err), &err))
        vocab = pith_vocab_read(given->json.ptr, given->json.len, options, &err);
    assert_non_null(vocab);
    pith_buffer image = {.alloc = options->alloc};
    pith_status status = pith_vocab_save(vocab, pith_sink_buffer(&image), &err);
    if (sweep_again(options, status, &err)) {
        image.len = 0;
        status = pith_vocab_save(vocab, pith_sink_buffer(&image), &err);
    }
    pith_vocab *mapped = pith_vocab_map(image.data, image.len, options, &err);
    if (!mapped && sweep_again(options, sweep_failure(&err), &err))
        mapped = pith_vocab_map(image.data, image.len, options, &err);
    assert_non_null(mapped);
    pith_vocab_count(mapped, sample, sizeof sample - 1, NULL, &count, NULL);
    bytes_print(result, "%s %zu", pith_vocab_describe(mapped).name, count);
    pith_vocab_free(mapped);
    pith_vocab_free(vocab);
    pith_buffer_free(&image);
    return status;
}

/* A list that holds something already: after a failure it is as before. */
static pith_status run_encode(const void *job, pith_options *options, bytes *result)
{
    const token_job *given = job;
    pith_error err = {0};
    pith_tokens tokens = {.alloc = options->alloc};
    size_t len = strlen(given->text);
    pith_status status = PITH_OK;
    for (int round = 0; round < 6; round++) {
        size_t before = tokens.count;
        pith_special special = round & 1 ? PITH_SPECIAL_IS_TOKEN : PITH_SPECIAL_IS_TEXT;
        status =
            pith_vocab_encode(given->vocab, given->text, len, special, &tokens, &err);
        if (sweep_again(options, status, &err)) {
            assert_int_equal(tokens.count, before);
            status =
                pith_vocab_encode(given->vocab, given->text, len, special, &tokens, &err);
        }
    }
    for (size_t i = 0; i < tokens.count; i++)
        bytes_print(result, "%u ", (unsigned)tokens.ids[i]);
    pith_buffer out = {.alloc = options->alloc};
    if (status == PITH_OK) {
        status = pith_vocab_decode(given->vocab, tokens.ids, tokens.count, options,
                                   pith_sink_buffer(&out), &err);
    }
    if (sweep_again(options, status, &err)) {
        out.len = 0;
        status = pith_vocab_decode(given->vocab, tokens.ids, tokens.count, options,
                                   pith_sink_buffer(&out), &err);
    }
    sweep_add_output(result, &out);
    pith_tokens_free(&tokens);
    return status;
}

/* Pieces; the first failure sticks until the total is asked for. */
static pith_status count_pieces(pith_counter *counter)
{
    pith_status status = PITH_OK;
    for (size_t at = 0; at < sizeof sample - 1; at += 3) {
        size_t left = sizeof sample - 1 - at;
        pith_status added = count_piece(counter, sample + at, left < 3 ? left : 3);
        assert_true(status == PITH_OK || added == status);
        status = added;
    }
    pith_sink sink = pith_counter_sink(counter);
    pith_status sunk = sink.write(sink.ctx, sample, sizeof sample - 1);
    assert_true(status == PITH_OK || sunk != PITH_OK);
    return sunk == PITH_OK ? status : sunk;
}

static pith_status run_counter(const void *job, pith_options *options, bytes *result)
{
    const token_job *given = job;
    pith_error err = {0};
    pith_counter *counter = pith_counter_new(given->vocab, options);
    if (!counter) {
        sweep_memory_is_back(options);
        counter = pith_counter_new(given->vocab, options);
    }
    assert_non_null(counter);
    size_t total = 0;
    for (int round = 0; round < 2; round++) {
        pith_status status = count_pieces(counter);
        pith_status counted = pith_counter_total(counter, &total, &err);
        assert_true(status == PITH_OK || counted == status);
        status = counted;
        if (sweep_again(options, status, NULL)) {
            assert_int_equal(count_pieces(counter), PITH_OK);
            status = pith_counter_total(counter, &total, &err);
        }
        assert_int_equal(status, PITH_OK);
        bytes_print(result, "%zu ", total);
    }
    pith_counter_free(counter);
    return PITH_OK;
}

static void vocabularies_are_opened(void **state)
{
    const token_job *job = *state;
    token_job named = {.name = "estimate"};
    assert_int_equal(sweep_run("read a vocabulary", run_read, job, NULL), 0);
    assert_int_equal(sweep_run("save a vocabulary", run_save, job, NULL), 0);
    assert_int_equal(sweep_run("open estimate", run_open, &named, NULL), 0);
    for (size_t i = 0; pith_vocab_name_at(i); i++) {
        named.name = pith_vocab_name_at(i);
        assert_int_equal(sweep_run(named.name, run_open, &named, NULL), 0);
    }
}

static void texts_are_encoded(void **state)
{
    token_job job = *(const token_job *)*state;
    bytes specials = {0};
    bytes_repeat(&specials, "<|end|>", 60);
    bytes_add(&specials, "", 1);
    job.text = sample;
    assert_int_equal(sweep_run("encode and decode", run_encode, &job, NULL), 0);
    job.text = specials.ptr;
    assert_int_equal(sweep_run("encode specials", run_encode, &job, NULL), 0);
    bytes_free(&specials);
}

static void texts_are_counted(void **state)
{
    assert_int_equal(sweep_run("count", run_counter, *state, NULL), 0);
}

/* ------------------------------------------------------------------------- budgets */

static pith_status run_cut(const void *job, pith_options *options, bytes *result)
{
    pith_value value = pith_doc_root(job);
    pith_value rows = doc_find_rows(value);
    pith_error err = {0};
    pith_doc *doc = pith_doc_new(options);
    if (!doc) {
        sweep_memory_is_back(options);
        doc = pith_doc_new(options);
    }
    for (int keep = ROWS_KEEP_FIRST; keep <= ROWS_KEEP_SPREAD; keep++) {
        pith_doc_reset(doc);
        doc_copy_rows(doc, value, rows, 7, (rows_keep)keep);
        if (sweep_again(options, pith_doc_finish(doc, &err), &err)) {
            pith_doc_reset(doc);
            doc_copy_rows(doc, value, rows, 7, (rows_keep)keep);
        }
        assert_int_equal(pith_doc_finish(doc, &err), PITH_OK);
        sweep_add_value(result, pith_doc_root(doc));
    }
    pith_doc_free(doc);
    return PITH_OK;
}

typedef struct fit_job {
    const pith_doc *doc;
    const char *format;
    size_t tokens_max;
} fit_job;

static pith_status run_fit(const void *job, pith_options *options, bytes *result)
{
    const fit_job *given = job;
    pith_error err = {0};
    pith_value value = pith_doc_root(given->doc);
    fitting fit = {.tokens_max = given->tokens_max, .newline = true};
    pith_buffer out = {.alloc = options->alloc};
    pith_status status =
        fit_value(value, given->format, &fit, options, pith_sink_buffer(&out), &err);
    if (sweep_again(options, status, &err)) {
        out.len = 0;
        status =
            fit_value(value, given->format, &fit, options, pith_sink_buffer(&out), &err);
    }
    bytes_print(result, "%zu %zu %zu ", fit.tokens, fit.rows, fit.rows_left_out);
    sweep_add_output(result, &out);
    return status;
}

static void budgets_are_kept(void **state)
{
    const token_job *job = *state;
    bytes text = {0};
    bytes_put(&text, "{\"title\":\"t\",\"rows\":[");
    for (int i = 0; i < 40; i++)
        bytes_print(&text, "%s{\"id\":%d,\"name\":\"name %d\"}", i ? "," : "", i, i);
    bytes_put(&text, "],\"end\":null}");
    pith_doc *doc = must_parse("json", text.ptr, text.len, NULL);
    pith_options counting = {.vocab = job->vocab};
    fit_job fit = {doc, "gcf", 150};
    assert_int_equal(sweep_run("cut", run_cut, doc, NULL), 0);
    assert_int_equal(sweep_run("fit", run_fit, &fit, &counting), 0);
    pith_doc_free(doc);
    bytes_free(&text);
}

static pith_status add_part(void *ctx, const pith_part *part)
{
    bytes_print((bytes *)ctx, "%zu %zu\n", (size_t)part->rows, part->tokens);
    bytes_add((bytes *)ctx, part->text, part->len);
    return PITH_OK;
}

static pith_status run_parts(const void *job, pith_options *options, bytes *result)
{
    static const pith_text columns[] = {{"id", 2}, {"name", 4}};
    static const char long_name[] =
        "123456789012345678901234567890123456789012345678901234567890";
    const char *format = job;
    pith_error err = {0};
    pith_parts *parts =
        pith_parts_open(format, columns, 2, 60, options, add_part, result, &err);
    if (!parts)
        return sweep_failure(&err);
    pith_doc *row = must_parse_json("{\"id\":null,\"name\":\"x\"}");
    pith_status status = pith_parts_add_row(parts, pith_doc_root(row), &err);
    for (int i = 0; i < 40 && status == PITH_OK; i++) {
        pith_cell cells[] = {
            {.kind = PITH_CELL_INT64, .u.integer = i},
            {.kind = PITH_CELL_TEXT, .len = i == 9 ? 60 : 2, .u.text = long_name}};
        status = pith_parts_add_cells(parts, cells, 2, &err);
    }
    pith_doc_free(row);
    if (status == PITH_OK)
        return pith_parts_close(parts, &err);
    pith_parts_abandon(parts);
    return status;
}

static void rows_are_cut_into_parts(void **state)
{
    const token_job *job = *state;
    pith_options counting = {.vocab = job->vocab};
    assert_int_equal(sweep_run("parts", run_parts, "toon", &counting), 0);
    assert_int_equal(sweep_run("parts of any format", run_parts, "auto", &counting), 0);
}

/* Numbers whose digits are not written yet, and graphs, which are cut in their own way. */
static void budgets_of_other_kinds(void **state)
{
    const token_job *job = *state;
    pith_doc *graph = must_parse_json(
        "{\"symbols\":[{\"qualified_name\":\"a\",\"kind\":\"type\",\"score\":0.5,"
        "\"provenance\":\"p\",\"distance\":0,\"file\":\"a.c\",\"line\":1,\"column\":1},"
        "{\"qualified_name\":\"b\",\"kind\":\"type\",\"score\":0.5,"
        "\"provenance\":\"p\",\"distance\":0,\"file\":\"b.c\",\"line\":1,\"column\":1}],"
        "\"edges\":[{\"source\":\"a\",\"target\":\"b\",\"edge_type\":\"t\"}]}");
    pith_options counting = {.vocab = job->vocab, .write = "level=3.6"};
    pith_buffer binary = must_write(pith_doc_root(graph), "soch-bin", NULL);
    pith_doc *late = must_parse("soch-bin", binary.data, binary.len, NULL);
    const fit_job jobs[] = {{graph, "gcf-graph", 100},
                            {late, "gcf-graph", 100},
                            {late, "gcf-graph", 1000},
                            {late, "gcf", 1000}};
    for (size_t i = 0; i < ROWS(jobs); i++)
        assert_int_equal(sweep_run("fit others", run_fit, &jobs[i], &counting), 0);
    pith_doc_free(late);
    pith_buffer_free(&binary);
    pith_doc_free(graph);
}

/* -------------------------------------------------------------------------- frames */

/* Content as it is, in a frame of ZSTD: magic, header, one block. */
static const char frame[] = "\x28\xB5\x2F\xFD\x20\x05\x29\0\0hello";

static pith_status run_unpack(const void *job, pith_options *options, bytes *result)
{
    (void)job;
    pith_error err = {0};
    pith_buffer out = {.alloc = options->alloc};
    assert_string_equal(pith_packing(NULL, frame, sizeof frame - 1), "ZSTD");
    pith_status status =
        pith_unpack(frame, sizeof frame - 1, options, pith_sink_buffer(&out), &err);
    if (sweep_again(options, status, &err)) {
        out.len = 0;
        status =
            pith_unpack(frame, sizeof frame - 1, options, pith_sink_buffer(&out), &err);
    }
    sweep_add_output(result, &out);
    return status;
}

static pith_status run_pack(const void *job, pith_options *options, bytes *result)
{
    pith_error err = {0};
    pith_buffer out = {.alloc = options->alloc};
    pith_packer *packer =
        pith_packer_open((const char *)job, options, pith_sink_buffer(&out), &err);
    if (!packer)
        return sweep_failure(&err);
    pith_sink sink = pith_packer_sink(packer);
    pith_status status = sink.write(sink.ctx, frame, sizeof frame);
    if (status == PITH_OK)
        status = pith_packer_close(packer, &err);
    else
        pith_packer_abandon(packer);
    sweep_add_output(result, &out);
    return status;
}

/* Where the library is not built in, that is the answer each time. */
static void frames_are_unpacked(void **state)
{
    (void)state;
    assert_int_equal(sweep_run("unpack", run_unpack, NULL, NULL), 0);
    assert_int_equal(sweep_run("pack", run_pack, pith_packing("x.zst", NULL, 0), NULL),
                     0);
    assert_int_equal(sweep_run("pack", run_pack, pith_packing("x.lz4", NULL, 0), NULL),
                     0);
    assert_int_equal(sweep_run("pack", run_pack, pith_packing("x.gz", NULL, 0), NULL), 0);
}

static int set_up(void **state)
{
    static token_job job;
    job.json = small_vocab_json();
    job.vocab = pith_vocab_read(job.json.ptr, job.json.len, NULL, NULL);
    *state = &job;
    return job.vocab ? 0 : -1;
}

static int tear_down(void **state)
{
    token_job *job = *state;
    pith_vocab_free(job->vocab);
    bytes_free(&job->json);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(vocabularies_are_opened),
        cmocka_unit_test(texts_are_encoded),
        cmocka_unit_test(texts_are_counted),
        cmocka_unit_test(budgets_are_kept),
        cmocka_unit_test(rows_are_cut_into_parts),
        cmocka_unit_test(budgets_of_other_kinds),
        cmocka_unit_test(frames_are_unpacked),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
