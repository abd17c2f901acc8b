/*
 * merge.c - the rows of several inputs as one table.
 *
 * An input that is an array brings its elements, one that streams its rows, and any other
 * the one value that it is: so files with an object each become a table of them. All rows
 * are held until the last input is read, because a header needs all fields and a budget all
 * rows; where one input is bad nothing is written.
 */
#include "merge.h"

#include "load.h"
#include "pump.h"

#include <errno.h>
#include <string.h>

/* The rows of all inputs. */
typedef struct merging {
    convert_jobs *jobs;
    pith_doc *doc;
    size_t rows;
} merging;

static pith_status merge_row(void *ctx, pith_value row, pith_error *err)
{
    merging *all = ctx;
    (void)err;
    pith_doc_add_value(all->doc, row);
    all->rows++;
    return PITH_OK; /* what went wrong is said when the document is finished */
}

static bool merge_rows(merging *all, const convert_job *job, input *in)
{
    context *ctx = all->jobs->ctx;
    pith_error err = {0};
    remarks said = {ctx, in->name};
    pith_options options = {
        .read = job->settings.read.data,
        .depth_max = args_number(&ctx->given, OPTION_DEPTH),
        .memory_max = in->memory_max,
        .notice = pass_remark,
        .notice_ctx = &said,
    };
    pith_reader *reader = pith_reader_open(job->from->name, &options, &err);
    pump rows = {
        .in = in, .reader = reader, .line = &ctx->line, .each = merge_row, .ctx = all};
    bool done = reader != NULL && pump_rows(&rows, &err) == PITH_OK;
    progress_clear(&ctx->line);
    if (!done)
        report_failure(ctx, in, NULL, &err);
    pith_reader_free(reader);
    return done;
}

static bool merge_input(merging *all, convert_job *job, merge_identify *identify)
{
    context *ctx = all->jobs->ctx;
    input in;
    bool done = false;
    if (!input_open(&in, job->path)) {
        input_explain_open(&in, &ctx->errors);
    } else {
        in.memory_max = (size_t)args_size(&ctx->given, OPTION_MEMORY_MAX);
        progress_input(&ctx->line, in.name, in.size);
        done =
            (job->settled || identify(all->jobs, job, &in)) && merge_rows(all, job, &in);
    }
    input_close(&in);
    return done;
}

static pith_status merge_write(merging *all, const convert_job *first, output *out,
                               pith_outcome *outcome, pith_error *err)
{
    context *ctx = all->jobs->ctx;
    remarks said = {ctx, out->name};
    pith_buffer words = {0};
    pith_sink into = pith_sink_buffer(&words);
    const char *given = first->settings.write.data;
    bool fine = given == NULL || into.write(into.ctx, given, strlen(given)) == PITH_OK;
    fine = fine && token_args_budget(all->jobs->budget, &words);
    pith_options options = {
        .vocab = all->jobs->vocab,
        .write = words.data,
        .output_max = (size_t)args_size(&ctx->given, OPTION_OUTPUT_MAX),
        .progress = progress_read,
        .progress_ctx = &ctx->line,
        .notice = pass_remark,
        .notice_ctx = &said,
        .outcome = outcome,
    };
    pith_status status = fine ? pith_doc_finish(all->doc, err) : error_no_memory(err);
    if (status == PITH_OK)
        status = pith_value_write(pith_doc_root(all->doc), first->to->name, &options,
                                  output_sink(out), err);
    pith_buffer_free(&words);
    return status;
}

static void merge_finish(merging *all)
{
    context *ctx = all->jobs->ctx;
    const convert_job *first = &all->jobs->list[0];
    pith_error err = {0};
    pith_outcome outcome = {.format = first->to->name};
    output *out = output_for(ctx, first->out_path);
    if (out == NULL)
        return;
    size_t before = out->written;
    pith_status status = merge_write(all, first, out, &outcome, &err);
    progress_clear(&ctx->line);
    if (status == PITH_OK)
        output_end_text(ctx, out, first->to, before);
    else if (out->failed == 0)
        report_failure(ctx, NULL, out, &err);
    if (output_keep(ctx, out, status == PITH_OK) && args_has(&ctx->given, OPTION_VERBOSE))
        diag_note(&ctx->errors, "%zu inputs, %zu rows -> %s: %s, %zu bytes",
                  all->jobs->count, all->rows,
                  first->out_path != NULL ? first->out_path : "<stdout>", outcome.format,
                  out->written - before);
    output_drop(ctx, out);
}

void merge_run(convert_jobs *jobs, merge_identify *identify)
{
    merging all = {jobs, pith_doc_new(NULL), 0};
    bool fine = all.doc != NULL;
    if (!fine)
        diag_system(&jobs->ctx->errors, NULL, "cannot merge", "no_memory", ENOMEM);
    else
        pith_doc_open_array(all.doc);
    for (size_t i = 0; i < jobs->count && fine; i++)
        fine = merge_input(&all, &jobs->list[i], identify);
    if (fine) {
        pith_doc_close(all.doc);
        merge_finish(&all);
    }
    pith_doc_free(all.doc);
}
