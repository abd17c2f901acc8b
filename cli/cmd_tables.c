/*
 * cmd_tables.c - `pith tables`: what is in a database, before a query can be written.
 */
#include "context.h"
#include "database.h"
#include "rows_out.h"

static void run_tables(context *ctx)
{
    static const pith_text columns[] = {DB_TABLE_COLUMNS};
    rows_out table;
    pith_error err = {0};
    size_t sample = args_number(&ctx->given, OPTION_SAMPLE);
    if (ctx->operand_count > 0) {
        diag_usage(&ctx->errors, "unexpected_operand",
                   ctx->given.value[OPTION_DB] ? NULL : DATABASE_HINT,
                   "'pith tables' takes no arguments, found '%s'", ctx->operands[0]);
        return;
    }
    db *from = NULL;
    if (rows_out_open(&table, ctx))
        from = database_open(ctx, false);
    if (from != NULL) {
        pith_status status = rows_out_begin(
            &table, columns, DB_TABLE_COLUMN_COUNT + (sample > 0), sample > 0, &err);
        if (status == PITH_OK)
            status = db_tables(from, table.rows, sample, &err);
        rows_out_end(&table, status, &err);
    } else {
        rows_out_drop(&table);
    }
    database_close(ctx, from);
    progress_stop(&ctx->line);
}

const command command_tables = {
    .name = "tables",
    .operands = "",
    .takes = OPERAND_TEXT,
    .summary = "list the tables of a database with their columns",
    .about =
        "Lists the tables and views of a database, one line each: the name, how many "
        "rows there are, and the columns with their types, the primary key, what "
        "may not be null, and what they refer to. That is what a model has to know "
        "before it can write a query, in fewer tokens than the statements that "
        "made the tables. --sample N adds the first rows of each table.\n"
        "Rows are counted by the database, which may take a while where there are "
        "many; those of views are not.",
    .examples =
        EXAMPLES({"pith tables --db sqlite:shop.db", "in the cheapest form"},
                 {"pith tables --db sqlite:shop.db --sample 2", "with two rows of each"},
                 {"pith tables --db mariadb://ada@localhost/shop --to json", "as JSON"}),
    .options = OPTIONS(OPTION_DB, OPTION_TIMEOUT, OPTION_MAX_VALUE, OPTION_MAX_MEMORY,
                       OPTION_TRUST_URI, OPTION_IMPORT, OPTION_SAMPLE, OPTION_TO,
                       OPTION_SET, OPTION_ALLOW, OPTION_OUTPUT, OPTION_NO_NEWLINE,
                       OPTION_ERRORS, OPTION_COLOR, OPTION_NO_PROGRESS, OPTION_QUIET,
                       OPTION_VERBOSE, OPTION_HELP, OPTION_VERSION),
    .run = run_tables,
};
