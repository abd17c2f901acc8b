/*
 * sweep.c - see sweep.h.
 */
#include "sweep.h"

enum { FAILURES_SHOWN = 5 };

void sweep_memory_is_back(pith_options *options)
{
    meter *counts = options->alloc.ctx;
    counts->fail_at = 0;
}

pith_status sweep_failure(const pith_error *err)
{
    if (err->status == PITH_NO_MEMORY) {
        assert_string_equal(err->code, "no_memory");
        assert_int_equal(err->line, 0);
        assert_true(err->message[0] != '\0');
    }
    return err->status == PITH_OK ? PITH_BAD_USE : err->status;
}

bool sweep_again(pith_options *options, pith_status status, const pith_error *err)
{
    if (status != PITH_NO_MEMORY)
        return false;
    if (err)
        assert_int_equal(sweep_failure(err), PITH_NO_MEMORY);
    sweep_memory_is_back(options);
    return true;
}

void sweep_add_value(bytes *result, pith_value value)
{
    pith_buffer out = must_write(value, "json", NULL);
    bytes_add(result, out.data, out.len);
    pith_buffer_free(&out);
}

void sweep_add_output(bytes *result, pith_buffer *out)
{
    bytes_add(result, out->data, out->len);
    pith_buffer_free(out);
}

/* What came of one run. */
typedef struct outcome {
    pith_status status;
    bytes result;
    meter counts;
} outcome;

static outcome run_metered(sweep_operation run, const void *job, const pith_options *base,
                           size_t fail_at, bool onwards)
{
    outcome out = {PITH_OK, {0}, {0}};
    out.counts.fail_at = fail_at;
    out.counts.fail_onwards = onwards;
    pith_options options = base ? *base : (pith_options){0};
    options.alloc = meter_alloc(&out.counts);
    out.status = run(job, &options, &out.result);
    return out;
}

static bool same_outcome(const outcome *a, const outcome *b)
{
    return a->status == b->status && a->result.len == b->result.len &&
           (a->result.len == 0 ||
            memcmp(a->result.ptr, b->result.ptr, a->result.len) == 0);
}

/* Prints what is wrong with one run; true when nothing is. */
static bool judge(const char *label, const outcome *found, const outcome *plain,
                  size_t fail_at, bool onwards)
{
    const meter *counts = &found->counts;
    bool told = counts->failures > 0 && found->status == PITH_NO_MEMORY;
    if ((told || same_outcome(found, plain)) && meter_clean(counts))
        return true;
    fprintf(stderr,
            "%s, allocation %zu%s: %s, or another result; "
            "%zu bytes in %zu blocks left, %zu wrong sizes\n",
            label, fail_at, onwards ? " and all after" : "",
            pith_status_name(found->status), counts->live_bytes, counts->live_blocks,
            counts->wrong_sizes);
    show_bytes("  expected", plain->result.ptr, plain->result.len);
    show_bytes("  found", found->result.ptr, found->result.len);
    return false;
}

static size_t sweep_one_way(const char *label, sweep_operation run, const void *job,
                            const pith_options *base, bool onwards)
{
    outcome plain = run_metered(run, job, base, 0, false);
    size_t failures = !judge(label, &plain, &plain, 0, false);
    for (size_t n = 1; failures < FAILURES_SHOWN; n++) {
        outcome found = run_metered(run, job, base, n, onwards);
        bool all_given = found.counts.failures == 0;
        failures += !judge(label, &found, &plain, n, onwards);
        bytes_free(&found.result);
        if (all_given)
            break;
    }
    bytes_free(&plain.result);
    return failures;
}

size_t sweep_run(const char *label, sweep_operation run, const void *job,
                 const pith_options *base)
{
    return sweep_one_way(label, run, job, base, false) +
           sweep_one_way(label, run, job, base, true);
}

/* ---------------------------------------------------------------------- operations */

/* Without memory it depends on the moment how far a call came, so that is not told. */
static void add_problem(bytes *result, const pith_error *err)
{
    if (err->status != PITH_NO_MEMORY)
        bytes_print(result, "%s %zu:%zu\n", err->code, err->line, err->column);
}

/* The status of a call, with which `err` has to agree. */
static pith_status told(bytes *result, pith_status status, const pith_error *err)
{
    if (status != PITH_OK) {
        assert_int_equal(sweep_failure(err), status);
        add_problem(result, err);
    }
    return status;
}

/* A text of no bytes is one too. */
static const char *start_of(const sweep_job *job)
{
    return job->text.ptr ? job->text.ptr : "";
}

pith_status sweep_parse(const void *job, pith_options *options, bytes *result)
{
    const sweep_job *given = job;
    pith_error err = {0};
    pith_doc *doc =
        pith_doc_parse(given->format, start_of(given), given->text.len, options, &err);
    if (!doc)
        return told(result, sweep_failure(&err), &err);
    sweep_add_value(result, pith_doc_root(doc));
    pith_doc_free(doc);
    return PITH_OK;
}

static bool note_problem(void *result, const pith_error *problem)
{
    assert_true(problem->status != PITH_OK);
    add_problem(result, problem);
    return true;
}

pith_status sweep_check(const void *job, pith_options *options, bytes *result)
{
    const sweep_job *given = job;
    pith_error err = {0};
    pith_status status = pith_check(given->format, start_of(given), given->text.len,
                                    options, note_problem, result, &err);
    return told(result, status, &err);
}

pith_status sweep_write(const void *job, pith_options *options, bytes *result)
{
    const sweep_job *given = job;
    pith_buffer out = {.alloc = options->alloc};
    pith_error err = {0};
    pith_status status = pith_value_write(pith_doc_root(given->doc), given->format,
                                          options, pith_sink_buffer(&out), &err);
    sweep_add_output(result, &out);
    return told(result, status, &err);
}

/* The rows that are there, of every other piece in batches. */
static pith_status take_some(pith_reader *reader, bool batches, bytes *result,
                             pith_error *err)
{
    pith_status status = PITH_OK;
    pith_value row = {0};
    bool done;
    do {
        if (batches) {
            pith_reader_columns(reader, NULL, 0);
            status = pith_reader_batch(reader, 3, &row, &done, err);
            for (pith_value one = pith_value_first(row); one.doc;
                 one = pith_value_next(one))
                sweep_add_value(result, one);
        } else {
            status = pith_reader_next(reader, &row, err);
            if (status == PITH_OK && row.doc)
                sweep_add_value(result, row);
        }
    } while (status == PITH_OK && row.doc);
    return status;
}

pith_status sweep_read_pieces(const void *job, pith_options *options, bytes *result)
{
    enum { PIECE = 61 };
    const sweep_job *given = job;
    const char *text = start_of(given);
    size_t len = given->text.len;
    pith_error err = {0};
    pith_reader *reader = pith_reader_open(given->format, options, &err);
    pith_status status = reader ? PITH_OK : sweep_failure(&err);
    for (size_t at = 0; status == PITH_OK && at <= len; at += PIECE) {
        bool last = len - at < PIECE;
        status = pith_reader_feed(reader, text + at, last ? len - at : PIECE, &err);
        if (status == PITH_OK && last)
            status = pith_reader_end(reader, &err);
        if (status == PITH_OK)
            status = take_some(reader, at / PIECE % 2, result, &err);
    }
    pith_reader_free(reader);
    return told(result, status, &err);
}
