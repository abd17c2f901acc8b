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

/* What a driver's SQL lists, a row for each column; the names differ in case from server to
 * server. */
enum { LIST_TABLE, LIST_COLUMN, LIST_TYPE, LIST_NULLABLE, LIST_KEY, LIST_FROM, LIST_REF };

static pith_value cell(pith_value row, size_t index)
{
    return pith_value_at(row, index);
}

/* "SELECT `what` FROM `name` `end`", as a document; NULL on failure. */
static pith_doc *select_from(db *from, const char *what, pith_text name, const char *end,
                             pith_buffer *text, pith_error *err)
{
    size_t size = strlen(what) + name.len + strlen(end) + 32;
    char *sql = malloc(size);
    if (!sql) {
        error_no_memory(err);
        return NULL;
    }
    snprintf(sql, size, "SELECT %s FROM %.*s%s", what, (int)name.len, name.ptr, end);
    pith_doc *doc = db_collect(from, sql, text, err);
    free(sql);
    return doc;
}

/* Adds how many rows there are in the table; null where that is not counted. */
static pith_status put_count(db *from, pith_value table, pith_doc *row, pith_error *err)
{
    pith_value name = cell(table, LIST_FROM);
    if (pith_value_kind(name) != PITH_STRING) {
        pith_doc_add_null(row);
        return PITH_OK;
    }
    pith_buffer buffer = {0};
    pith_doc *doc =
        select_from(from, "count(*) AS n", pith_value_text(name), "", &buffer, err);
    if (doc)
        pith_doc_add_value(row, pith_value_first(pith_value_first(pith_doc_root(doc))));
    pith_doc_free(doc);
    pith_buffer_free(&buffer);
    return doc ? PITH_OK : err->status;
}

/* Adds the first rows of the table; null where that is none to be read. */
static pith_status put_sample(db *from, pith_value table, size_t sample, pith_doc *row,
                              pith_error *err)
{
    pith_value name = cell(table, LIST_FROM);
    if (pith_value_kind(name) != PITH_STRING) {
        pith_doc_add_null(row);
        return PITH_OK;
    }
    char limit[40];
    snprintf(limit, sizeof limit, " LIMIT %zu", sample);
    pith_buffer buffer = {0};
    pith_doc *doc = select_from(from, "*", pith_value_text(name), limit, &buffer, err);
    if (doc)
        pith_doc_add_value(row, pith_doc_root(doc));
    pith_doc_free(doc);
    pith_buffer_free(&buffer);
    return doc ? PITH_OK : err->status;
}

static bool is_yes(pith_value value)
{
    pith_text text = pith_value_text(value);
    return text.len == 3 && memcmp(text.ptr, "yes", 3) == 0;
}

static bool same_text(pith_value a, pith_value b)
{
    return a.doc && pith_value_equal(a, b);
}

/* A text that is made piece by piece; the first failure sticks. */
typedef struct column_pen {
    pith_sink into;
    pith_status status;
} column_pen;

static void put(column_pen *pen, const char *text, size_t len)
{
    if (pen->status == PITH_OK && len > 0)
        pen->status = pen->into.write(pen->into.ctx, text, len);
}

static void put_words(column_pen *pen, const char *words)
{
    put(pen, words, strlen(words));
}

/* "id integer key, user_id integer not null -> users.id": all columns of the table that
 * begins at `row`. Returns the row after them. */
static pith_value put_columns(column_pen *pen, pith_value row)
{
    pith_value table = cell(row, LIST_TABLE);
    for (bool first = true; row.doc && same_text(table, cell(row, LIST_TABLE));
         row = pith_value_next(row), first = false) {
        pith_text name = pith_value_text(cell(row, LIST_COLUMN));
        pith_text type = pith_value_text(cell(row, LIST_TYPE));
        pith_value reference = cell(row, LIST_REF);
        bool key = is_yes(cell(row, LIST_KEY));
        put_words(pen, first ? "" : ", ");
        put(pen, name.ptr, name.len);
        put_words(pen, type.len > 0 ? " " : "");
        put(pen, type.ptr, type.len);
        put_words(pen, key                                ? " key"
                       : is_yes(cell(row, LIST_NULLABLE)) ? ""
                                                          : " not null");
        if (pith_value_kind(reference) == PITH_STRING) {
            pith_text to = pith_value_text(reference);
            put_words(pen, " -> ");
            put(pen, to.ptr, to.len);
        }
    }
    return row;
}

/* Writes the row of the table that begins at `*row`, which moves to the next table. */
static pith_status put_table(db *from, pith_rows *rows, pith_value *row, size_t sample,
                             pith_error *err)
{
    pith_buffer columns = {0};
    column_pen pen = {pith_sink_buffer(&columns), PITH_OK};
    pith_value table = *row;
    pith_doc *into = pith_rows_row(rows);
    pith_doc_add_value(into, cell(table, LIST_TABLE));
    pith_status status = put_count(from, table, into, err);
    *row = put_columns(&pen, table);
    if (status == PITH_OK && pen.status != PITH_OK)
        status = error_no_memory(err);
    if (status == PITH_OK)
        pith_doc_add_text(into, columns.data, columns.len);
    if (status == PITH_OK && sample > 0)
        status = put_sample(from, table, sample, into, err);
    pith_buffer_free(&columns);
    return status == PITH_OK ? pith_rows_end_row(rows, err) : status;
}

pith_status db_tables(db *from, pith_rows *rows, size_t sample, pith_error *err)
{
    pith_buffer list = {0};
    pith_doc *doc = db_collect(from, from->driver->tables, &list, err);
    pith_status status = doc ? PITH_OK : err->status;
    pith_value row = pith_value_first(pith_doc_root(doc));
    while (status == PITH_OK && row.doc)
        status = put_table(from, rows, &row, sample, err);
    pith_doc_free(doc);
    pith_buffer_free(&list);
    return status;
}
