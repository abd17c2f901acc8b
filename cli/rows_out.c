/*
 * rows_out.c - a table on its way to the user: format, settings, file.
 *
 * Rows leave as they come where the format lets them; without a format it is chosen as
 * everywhere, when all of them are there. Formats that have to know all rows when one holds an array or
 * object (or a name that means a path to them) are given the whole table: it is collected
 * as JSON first.
 */
#include "rows_out.h"

#include "token_args.h"

#include <errno.h>
#include <string.h>

static const pith_format *choose_format(context *ctx)
{
    const char *named = ctx->given.value[OPTION_TO];
    const char *path = ctx->given.value[OPTION_OUTPUT];
    if (named != NULL)
        return format_named(ctx, named, PITH_WRITE);
    const pith_format *found = path != NULL ? pith_format_of(path, NULL, 0) : NULL;
    if (found == NULL)
        found = pith_format_find("auto");
    return format_named(ctx, found->name, PITH_WRITE);
}

bool rows_out_open(rows_out *table, context *ctx)
{
    *table = (rows_out){.ctx = ctx};
    table->to = choose_format(ctx);
    bool fine = table->to != NULL && token_args_read(&table->vocab, ctx) &&
                settings_sort(&table->settings, ctx, NULL, table->to) &&
                token_args_allow(ctx, table->to, &table->settings.write) &&
                token_args_dense(ctx, table->to, &table->settings.write) &&
                settings_check_used(ctx);
    if (fine && !(token_args_add(ctx, &table->settings.write) &&
                  token_args_budget(args_number(&ctx->given, OPTION_BUDGET),
                                    &table->settings.write))) {
        diag_system(&ctx->errors, NULL, "cannot start", "no_memory", ENOMEM);
        fine = false;
    }
    if (fine)
        table->out = output_for(ctx, ctx->given.value[OPTION_OUTPUT]);
    if (table->out != NULL)
        table->before = table->out->written;
    return table->out != NULL;
}

static bool names_a_path(const pith_text *columns, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (memchr(columns[i].ptr, '>', columns[i].len) != NULL)
            return true;
    return false;
}

pith_status rows_out_begin(rows_out *table, const pith_text *columns, size_t count,
                           bool nested, pith_error *err)
{
    bool streams = (table->to->streams & PITH_WRITE) != 0;
    pith_options options = {.write = table->settings.write.data};
    table->collect =
        !streams && !table->to->chooses && (nested || names_a_path(columns, count));
    options.vocab = table->vocab;
    options.outcome = &table->outcome;
    options.notice = pass_remark;
    options.notice_ctx = &table->said;
    table->said = (remarks){table->ctx, table->out->name};
    table->rows = table->collect ? pith_rows_open("json", columns, count, NULL,
                                                  pith_sink_buffer(&table->whole), err)
                                 : pith_rows_open(table->to->name, columns, count,
                                                  &options, output_sink(table->out), err);
    return table->rows == NULL ? err->status : PITH_OK;
}

/* Writes what was collected. */
static pith_status write_whole(rows_out *table, pith_error *err)
{
    pith_options options = {.write = table->settings.write.data,
                            .depth_max = PITH_DEPTH_MOST,
                            .vocab = table->vocab,
                            .notice = pass_remark,
                            .notice_ctx = &table->said,
                            .outcome = &table->outcome};
    return pith_convert("json", table->to->name, table->whole.data, table->whole.len,
                        &options, output_sink(table->out), err);
}

static pith_status finish_rows(rows_out *table, pith_status status, pith_error *err)
{
    pith_rows *rows = table->rows;
    table->rows = NULL;
    if (rows == NULL)
        return status;
    if (status == PITH_OK) {
        status = pith_rows_close(rows, err);
        return status == PITH_OK && table->collect ? write_whole(table, err) : status;
    }
    /* The rows before a bad one are good, and may have left already. */
    if (!table->collect)
        pith_rows_flush(rows, NULL);
    pith_rows_abandon(rows);
    return status;
}

void rows_out_drop(rows_out *table)
{
    output_drop(table->ctx, table->out);
    settings_free(&table->settings);
    pith_buffer_free(&table->whole);
    pith_vocab_free(table->vocab);
}

void rows_out_end(rows_out *table, pith_status status, pith_error *err)
{
    context *ctx = table->ctx;
    output *out = table->out;
    status = finish_rows(table, status, err);
    output_end_text(ctx, out, table->to, table->before);
    bool kept =
        status == PITH_OK ? output_commit(out) : out == &ctx->out && output_flush(out);
    if (status != PITH_OK || !kept)
        report_failure(ctx, NULL, out, err);
    rows_out_drop(table);
}
