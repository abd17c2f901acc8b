/*
 * sqlite_rows.c - a query of your own, straight to the model: rows from SQLite, written
 * one by one through the public row API. Nothing is collected on the way.
 *
 *     cc sqlite_rows.c -lpith -lsqlite3 -o sqlite_rows && ./sqlite_rows
 */
#include <pith.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static const char *const setup =
    "CREATE TABLE orders(id INTEGER, customer TEXT, total REAL, paid BOOLEAN);"
    "INSERT INTO orders VALUES(7, 'Ada', 54.9, 1), (8, 'Bob', 71.5, 0),"
    "                         (9, NULL, 2.0, 1);";

static void add_cell(pith_rows *rows, sqlite3_stmt *query, int column)
{
    switch (sqlite3_column_type(query, column)) {
    case SQLITE_INTEGER:
        pith_doc_add_int64(pith_rows_row(rows), sqlite3_column_int64(query, column));
        break;
    case SQLITE_FLOAT:
        pith_doc_add_double(pith_rows_row(rows), sqlite3_column_double(query, column));
        break;
    case SQLITE_NULL:
        pith_doc_add_null(pith_rows_row(rows));
        break;
    default: {
        const char *text = (const char *)sqlite3_column_text(query, column);
        pith_doc_add_text(pith_rows_row(rows), text,
                          (size_t)sqlite3_column_bytes(query, column));
    }
    }
}

/* Every row, until there are no more or writing fails. */
static pith_status write_rows(pith_rows *rows, sqlite3_stmt *query, pith_error *err)
{
    while (sqlite3_step(query) == SQLITE_ROW) {
        for (int i = 0; i < sqlite3_column_count(query); i++)
            add_cell(rows, query, i);
        pith_status status = pith_rows_end_row(rows, err);
        if (status != PITH_OK)
            return status;
    }
    return PITH_OK;
}

int main(void)
{
    const pith_text columns[] = {PITH_TEXT("id"), PITH_TEXT("customer"),
                                 PITH_TEXT("total")};
    sqlite3 *db = NULL;
    sqlite3_stmt *query = NULL;
    pith_error err = {0};
    if (sqlite3_open(":memory:", &db) != SQLITE_OK ||
        sqlite3_exec(db, setup, NULL, NULL, NULL) != SQLITE_OK ||
        sqlite3_prepare_v2(db, "SELECT id, customer, total FROM orders", -1, &query,
                           NULL) != SQLITE_OK) {
        fprintf(stderr, "%s\n", sqlite3_errmsg(db));
        return EXIT_FAILURE;
    }
    pith_rows *rows =
        pith_rows_open("gcf", columns, 3, NULL, pith_sink_fd(STDOUT_FILENO), &err);
    if (rows && write_rows(rows, query, &err) == PITH_OK)
        pith_rows_close(rows, &err);
    else
        pith_rows_abandon(rows);
    sqlite3_finalize(query);
    sqlite3_close(db);
    if (err.status != PITH_OK) {
        fprintf(stderr, "%s\n", err.message);
        return EXIT_FAILURE;
    }
    return EXIT_SUCCESS;
}
