/*
 * cmd_query.c - `pith query`: what a database answers, in any format.
 */
#define _POSIX_C_SOURCE 200809L

#include "context.h"
#include "database.h"
#include "load.h"
#include "rows_out.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* What standard input says, from malloc; NULL after a complaint. */
static char *read_statement(context *ctx)
{
    input text;
    char *sql = NULL;
    if (!load_text(ctx, &text, "-", input_open)) {
        /* It has been said. */
    } else if (text.len > 0 && memchr(text.text, '\0', text.len) != NULL) {
        diag_usage(&ctx->errors, "bad_statement", NULL,
                   "the statement has NUL bytes in it");
    } else {
        sql = strndup(text.len > 0 ? text.text : "", text.len);
        if (sql == NULL)
            diag_system(&ctx->errors, text.name, "cannot read", "no_memory", ENOMEM);
    }
    input_close(&text);
    return sql;
}

/* The statement: the operand, or what standard input says, which is then `*owned`. */
static const char *statement(context *ctx, char **owned)
{
    if (ctx->operand_count == 0) {
        diag_usage(&ctx->errors, "missing_operand", "'-' reads it from standard input",
                   "the statement is missing");
        return NULL;
    }
    if (ctx->operand_count > 1) {
        diag_usage(&ctx->errors, "unexpected_operand",
                   ctx->given.value[OPTION_DB] ? "put the statement in quotes"
                                               : DATABASE_HINT,
                   "expected one statement, found %zu arguments", ctx->operand_count);
        return NULL;
    }
    if (strcmp(ctx->operands[0], "-") != 0)
        return ctx->operands[0];
    *owned = read_statement(ctx);
    return *owned;
}

static pith_status begin(db *from, rows_out *table, pith_error *err)
{
    size_t count = db_column_count(from);
    pith_text *names = calloc(count + 1, sizeof *names);
    bool nested = false;
    if (names == NULL)
        return error_no_memory(err);
    for (size_t i = 0; i < count; i++) {
        names[i] = text_from(db_column_at(from, i)->name);
        nested = nested || db_column_at(from, i)->nested;
    }
    pith_status status = rows_out_begin(table, names, count, nested, err);
    for (size_t i = 0; i < count && status == PITH_OK; i++) {
        pith_field holds = db_column_holds(from, i);
        pith_rows_declare(table->rows, i, &holds);
    }
    free(names);
    return status;
}

/* Whether there is a row after the last one that is written. That the next row is an
 * error does not matter to those before it: it is there, or would be. */
static pith_status look_for_more(db *from, bool *more, pith_error *err)
{
    pith_status status = db_next(from, NULL, more, err);
    if (status == PITH_BAD_INPUT || status == PITH_LIMIT) {
        *more = true;
        return PITH_OK;
    }
    return status;
}

/* Writes rows until there are no more, or as many as were asked for. */
static pith_status pass_rows(context *ctx, db *from, rows_out *table, pith_error *err)
{
    unsigned long long limit = args_number(&ctx->given, OPTION_LIMIT);
    unsigned long long rows = 0;
    bool more = true;
    while (more && (limit == 0 || rows < limit)) {
        pith_status status = db_next(from, table->rows, &more, err);
        if (status != PITH_OK)
            return status;
        rows += more;
    }
    pith_status status = more ? look_for_more(from, &more, err) : PITH_OK;
    if (status != PITH_OK)
        return status;
    if (more) {
        progress_clear(&ctx->line);
        diag_note(&ctx->errors, "stopped after %llu row%s, as --limit says", rows,
                  rows == 1 ? "" : "s");
    } else if (args_has(&ctx->given, OPTION_VERBOSE)) {
        diag_note(&ctx->errors, "%llu row%s", rows, rows == 1 ? "" : "s");
    }
    return PITH_OK;
}

/* A statement without columns has no rows to write; a note says what it did. */
static pith_status run_without_rows(context *ctx, db *from, pith_error *err)
{
    bool more = false;
    pith_status status = db_next(from, NULL, &more, err);
    if (status == PITH_OK) {
        unsigned long long changed = db_changed(from);
        diag_note(&ctx->errors, "done; %llu row%s changed", changed,
                  changed == 1 ? "" : "s");
    }
    return status;
}

/* --- parameters */

/* The length of the name in NAME=VALUE; 0 in a value alone. */
static size_t name_length(const char *given)
{
    size_t len = 0;
    while (given[len] == '_' || isalpha((unsigned char)given[len]) ||
           (len > 0 && isdigit((unsigned char)given[len])))
        len++;
    return given[len] == '=' ? len : 0;
}

/* Takes NAME=VALUE and =VALUE apart, and starts the statement with them. */
static pith_status start_with(db *from, const char *sql, const args *given,
                              pith_error *err)
{
    size_t count = given->param_count;
    const char **values = calloc(count + 1, sizeof *values);
    char **names = calloc(count + 1, sizeof *names);
    bool fine = values != NULL && names != NULL;
    for (size_t i = 0; i < count && fine; i++) {
        size_t len = name_length(given->params[i]);
        bool equals = len > 0 || given->params[i][0] == '=';
        values[i] = given->params[i] + len + equals;
        names[i] = len > 0 ? strndup(given->params[i], len) : NULL;
        fine = len == 0 || names[i] != NULL;
    }
    pith_status status =
        fine ? db_start_named(from, sql, (const char *const *)names, values, count, err)
             : error_no_memory(err);
    for (size_t i = 0; names != NULL && i < count; i++)
        free(names[i]);
    free(names);
    free(values);
    return status;
}

static void run_statement(context *ctx, db *from, const char *sql, rows_out *table)
{
    pith_error err = {0};
    pith_status status = start_with(from, sql, &ctx->given, &err);
    if (status == PITH_OK && db_column_count(from) == 0) {
        status = run_without_rows(ctx, from, &err);
    } else if (status == PITH_OK) {
        status = begin(from, table, &err);
        if (status == PITH_OK)
            status = pass_rows(ctx, from, table, &err);
    }
    rows_out_end(table, status, &err);
}

static void run_query(context *ctx)
{
    char *owned = NULL;
    const char *sql = statement(ctx, &owned);
    db *from = NULL;
    rows_out table;
    if (sql != NULL) {
        if (rows_out_open(&table, ctx))
            from = database_open(ctx, table.to->numbers == PITH_NUMBERS_64);
        if (from != NULL)
            run_statement(ctx, from, sql, &table);
        else
            rows_out_drop(&table);
    }
    database_close(ctx, from);
    free(owned);
    progress_stop(&ctx->line);
}

const command command_query = {
    .name = "query",
    .operands = "SQL|-",
    .takes = OPERAND_TEXT,
    .summary = "run a statement in a database and write the rows",
    .about = "Runs one SQL statement and writes the rows in the format of --to or of the "
             "suffix of OUT, or else as JSON or Pith, whichever takes fewer tokens: "
             "that is known when all of them are there. In a format that streams, such "
             "as ndjson, csv and gcf, they leave as they come. With '-' the statement is "
             "read from standard input.\n"
             "The database is only read: a SQLite file is opened read-only with an "
             "authorizer that allows nothing else, and the servers are sent statements "
             "that begin with a word of reading, in a read-only transaction. With "
             "--write one statement may change something, and takes effect at once. "
             "The rights of the account are the only real boundary.\n"
             "Parameters are bound to the statement by the database, never pasted into "
             "it. SQLite and MariaDB write them as ?, PostgreSQL as $1, $2 and so on. In "
             "SQLite they may have names: -p id=7 is for :id, @id and $id. A value that "
             "itself looks like that is written =id=7.\n"
             "A password in the URL is refused, because everybody on the machine could "
             "read it. It comes from PITH_DB_PASSWORD, from PGPASSWORD or MYSQL_PWD, "
             "from ~/.pgpass or ~/.my.cnf, or from the terminal, where it is asked "
             "for.\n"
             "With --budget as many rows are written as fit into a number of tokens; "
             "for that they are collected first, so a --limit is a good companion.\n"
             "When a statement fails after some rows, the exit status says so, and a "
             "file named by -o is left as it was.",
    .examples = EXAMPLES(
        {"pith query --db sqlite:shop.db 'SELECT * FROM orders'",
         "rows, in the cheapest form"},
        {"pith query --db postgres://ada@localhost/shop -p 7 "
         "'SELECT * FROM orders WHERE id = $1'",
         "with a parameter"},
        {"pith query --db sqlite:shop.db --budget 2000 'SELECT * FROM orders'",
         "what fits into a prompt"},
        {"pith query --db sqlite::memory: --import t=t.csv 'SELECT count(*) FROM t'",
         "SQL over a file"}),
    .options =
        OPTIONS(OPTION_DB, OPTION_PARAM, OPTION_LIMIT, OPTION_TIMEOUT, OPTION_MAX_VALUE,
                OPTION_MAX_MEMORY, OPTION_TRUST_URI, OPTION_WRITE, OPTION_IMPORT,
                OPTION_TO, OPTION_SET, OPTION_ALLOW, OPTION_DENSE, OPTION_BUDGET,
                OPTION_KEEP, OPTION_CLIP, OPTION_NOTE, OPTION_TOKENIZER, OPTION_OUTPUT,
                OPTION_NO_NEWLINE, OPTION_ERRORS, OPTION_COLOR, OPTION_NO_PROGRESS,
                OPTION_QUIET, OPTION_VERBOSE, OPTION_HELP, OPTION_VERSION),
    .run = run_query,
};
