/*
 * table_out.c - a table on its way to the user: format, settings, file.
 *
 * Rows leave as they come. Formats that have to know all rows when one holds an array or
 * object (or a name that means a path to them) are given the whole table: it is collected
 * as JSON first.
 */
#include "table_out.h"

#include "token_args.h"

#include <string.h>

static const pith_format *choose_format(session *with)
{
    const char *named = with->given.value[OPTION_TO];
    const char *path = with->given.value[OPTION_OUTPUT];
    if (named != NULL)
        return choose_named(with, named, PITH_WRITE);
    const pith_format *found = path != NULL ? pith_format_of(path, NULL, 0) : NULL;
    if (found == NULL) /* the cheapest of those whose rows leave as they come */
        found = pith_format_find("gcf");
    return choose_named(with, found->name, PITH_WRITE);
}

bool table_out_open(table_out *table, session *with)
{
    *table = (table_out){.with = with};
    table->to = choose_format(with);
    bool fine = table->to != NULL && token_args_read(&table->tokens, with) &&
                choose_settings(&table->settings, with, NULL, table->to) &&
                choose_all_used(with);
    if (fine)
        table->out = command_output(with, with->given.value[OPTION_OUTPUT]);
    if (table->out != NULL)
        table->before = table->out->written;
    return table->out != NULL;
}

bool table_out_is_narrow(table_out *table, bool *narrow)
{
    static const char probe[] =
        "[{\"a\":18446744073709551615,\"b\":0.12345678901234567890123}]";
    pith_buffer there = {0}, back = {0};
    pith_error err;
    pith_status status = pith_convert("json", table->to->name, probe, sizeof probe - 1,
                                      NULL, pith_sink_buffer(&there), &err);
    if (status == PITH_OK) {
        status = pith_convert(table->to->name, "json", there.data, there.len, NULL,
                              pith_sink_buffer(&back), &err);
    }
    *narrow = status != PITH_OK || back.len != sizeof probe - 1 ||
              memcmp(back.data, probe, back.len) != 0;
    pith_buffer_free(&there);
    pith_buffer_free(&back);
    if (status == PITH_NO_MEMORY)
        diag_problem(&table->with->errors, NULL, &err, NULL);
    return status != PITH_NO_MEMORY;
}

static bool names_a_path(const char *const *columns, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (strchr(columns[i], '>') != NULL)
            return true;
    return false;
}

pith_status table_out_begin(table_out *table, const char *const *columns, size_t count,
                            bool nested, pith_error *err)
{
    bool streams = (table->to->streams & PITH_WRITE) != 0;
    pith_options options = {.write = table->settings.write.data};
    table->collect = table->tokens.budget.tokens_max > 0 ||
                     (!streams && (nested || names_a_path(columns, count)));
    options.vocab = table->tokens.vocab;
    table->rows = table->collect ? pith_rows_open("json", columns, count, NULL,
                                                  pith_sink_buffer(&table->whole), err)
                                 : pith_rows_open(table->to->name, columns, count,
                                                  &options, output_sink(table->out), err);
    return table->rows == NULL ? err->status : PITH_OK;
}

/* Writes as much of what was collected as fits. */
static pith_status write_fitting(table_out *table, const pith_options *options,
                                 pith_error *err)
{
    pith_doc *doc =
        pith_doc_parse("json", table->whole.data, table->whole.len, options, err);
    if (doc == NULL)
        return err->status;
    pith_status status =
        pith_value_fit(pith_doc_root(doc), table->to->name, &table->tokens.budget,
                       options, output_sink(table->out), err);
    pith_doc_free(doc);
    if (status == PITH_OK) {
        progress_clear(&table->with->line);
        token_args_tell(table->with, table->out->name, &table->tokens.budget);
    }
    return status;
}

/* Writes what was collected. */
static pith_status write_whole(table_out *table, pith_error *err)
{
    pith_options options = {.write = table->settings.write.data,
                            .depth_max = PITH_DEPTH_MOST,
                            .vocab = table->tokens.vocab};
    if (table->tokens.budget.tokens_max > 0)
        return write_fitting(table, &options, err);
    return pith_convert("json", table->to->name, table->whole.data, table->whole.len,
                        &options, output_sink(table->out), err);
}

static pith_status finish_rows(table_out *table, pith_status status, pith_error *err)
{
    pith_rows *rows = table->rows;
    table->rows = NULL;
    if (rows == NULL)
        return status;
    if (status == PITH_OK) {
        status = pith_rows_close(rows, err);
        return status == PITH_OK && table->collect ? write_whole(table, err) : status;
    }
    /* The rows in front of a bad one are good, and may have left already. */
    if (!table->collect)
        pith_rows_flush(rows, NULL);
    pith_rows_abandon(rows);
    return status;
}

void table_out_drop(table_out *table)
{
    command_drop_output(table->with, table->out);
    choose_free(&table->settings);
    pith_buffer_free(&table->whole);
    token_args_free(&table->tokens);
}

void table_out_end(table_out *table, pith_status status, pith_error *err)
{
    session *with = table->with;
    output *out = table->out;
    status = finish_rows(table, status, err);
    command_end_text(with, out, table->to, table->before);
    bool kept =
        status == PITH_OK ? output_commit(out) : out == &with->out && output_flush(out);
    if (status != PITH_OK || !kept)
        command_report(with, NULL, out, err);
    table_out_drop(table);
}
