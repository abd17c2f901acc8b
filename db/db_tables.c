/*
 * db_tables.c - what is in a database: the schema a query is written from.
 *
 * A driver's SQL lists the columns of all tables; the rows of each table are counted by
 * the database, which may take a while for large ones.
 */
#define _POSIX_C_SOURCE 200809L

#include "db_driver.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* How many rows there are in what `name` names: digits in `*count`, or an empty
 * text when it is not counted. */
static pith_status count_rows(db *from, pith_value name, char count[32], pith_error *err)
{
    pith_text text = pith_value_text(name);
    count[0] = '\0';
    if (pith_value_kind(name) != PITH_STRING)
        return PITH_OK;
    size_t size = text.len + 32;
    char *sql = malloc(size);
    if (!sql)
        return error_no_memory(err);
    snprintf(sql, size, "SELECT count(*) AS n FROM %.*s", (int)text.len, text.ptr);
    pith_buffer buffer = {0};
    pith_doc *doc = db_collect(from, sql, &buffer, err);
    if (doc) {
        pith_value row = pith_value_first(pith_doc_root(doc));
        pith_text digits = pith_value_text(pith_value_first(row));
        snprintf(count, 32, "%.*s", (int)digits.len, digits.ptr);
    }
    pith_doc_free(doc);
    pith_buffer_free(&buffer);
    free(sql);
    return doc ? PITH_OK : err->status;
}

static void put_yes(pith_rows *rows, pith_value cell)
{
    pith_text text = pith_value_text(cell);
    pith_doc_add_bool(pith_rows_row(rows),
                      text.len == 3 && memcmp(text.ptr, "yes", 3) == 0);
}

/* The value of a list row at an index, from 0: its names differ in case from server to
 * server. */
static pith_value cell(pith_value row, size_t index)
{
    return pith_value_at(row, index);
}

static pith_status put_column(pith_rows *rows, pith_value row, const char *count,
                              pith_error *err)
{
    pith_doc_add_value(pith_rows_row(rows), cell(row, 0));
    if (count[0] != '\0')
        pith_doc_add_number(pith_rows_row(rows), count, strlen(count));
    else
        pith_doc_add_null(pith_rows_row(rows));
    pith_doc_add_value(pith_rows_row(rows), cell(row, 1));
    pith_doc_add_value(pith_rows_row(rows), cell(row, 2));
    put_yes(rows, cell(row, 3));
    put_yes(rows, cell(row, 4));
    return pith_rows_end_row(rows, err);
}

static bool same_text(pith_value a, pith_value b)
{
    return a.doc && pith_value_equal(a, b);
}

pith_status db_tables(db *from, pith_rows *rows, pith_error *err)
{
    pith_buffer list = {0};
    pith_doc *doc = db_collect(from, from->driver->tables, &list, err);
    pith_status status = doc ? PITH_OK : err->status;
    pith_value table = {0};
    char count[32] = "";
    pith_value row = pith_value_first(pith_doc_root(doc));
    for (; status == PITH_OK && row.doc; row = pith_value_next(row)) {
        if (!same_text(table, cell(row, 0))) {
            table = cell(row, 0);
            status = count_rows(from, cell(row, 5), count, err);
        }
        if (status == PITH_OK)
            status = put_column(rows, row, count, err);
    }
    pith_doc_free(doc);
    pith_buffer_free(&list);
    return status;
}
