/*
 * cmd_tables.c - `pith tables`: what is in a database, before a query can be written.
 */
#include "context.h"
#include "database.h"
#include "table_out.h"

static void run_tables(session *with)
{
    static const char *const columns[] = {DB_TABLE_COLUMNS};
    table_out table;
    pith_error err = {0};
    if (with->operand_count > 0) {
        diag_usage(&with->errors, "unexpected_operand",
                   with->given.value[OPTION_DB] ? NULL : DATABASE_HINT,
                   "'pith tables' takes no arguments, found '%s'", with->operands[0]);
        return;
    }
    db *from = NULL;
    if (table_out_open(&table, with))
        from = database_open(with, false);
    if (from != NULL) {
        pith_status status =
            table_out_begin(&table, columns, DB_TABLE_COLUMN_COUNT, false, &err);
        if (status == PITH_OK)
            status = db_tables(from, table.rows, &err);
        table_out_end(&table, status, &err);
    } else {
        table_out_drop(&table);
    }
    database_close(with, from);
    progress_stop(&with->line);
}

const command command_tables = {
    .name = "tables",
    .operands = "",
    .takes = OPERAND_TEXT,
    .summary = "list the tables of a database with their columns",
    .about = "Lists the columns of all tables and views of a database: the table, how "
             "many rows it has, the column, its type, whether it may be null and "
             "whether it is part of the primary key. That is what a model has to know "
             "before it can write a query.\n"
             "Rows are counted by the database, which may take a while where there are "
             "many; those of views are not.",
    .examples =
        (const example[]){
            {"pith tables --db sqlite:shop.db", "as gcf"},
            {"pith tables --db mariadb://ada@localhost/shop --to json", "as JSON"},
            {NULL, NULL},
        },
    .options =
        (const option_id[]){OPTION_DB, OPTION_TIMEOUT, OPTION_MAX_VALUE,
                            OPTION_MAX_MEMORY, OPTION_TRUST_URI, OPTION_IMPORT, OPTION_TO,
                            OPTION_SET, OPTION_OUTPUT, OPTION_NO_NEWLINE, OPTION_ERRORS,
                            OPTION_COLOR, OPTION_NO_PROGRESS, OPTION_VERBOSE, OPTION_HELP,
                            OPTION_VERSION, OPTION_END},
    .run = run_tables,
};
