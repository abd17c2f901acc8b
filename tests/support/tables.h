/*
 * tables.h - a typed table by itself, as tests build, read and compare them: a document, the
 * rows that go into it, and the view of it.
 */
#ifndef PITH_TEST_TABLES_H
#define PITH_TEST_TABLES_H

#include "named.h"

enum { TABLE_FIELDS_MOST = 128 };

typedef struct typed_table {
    pith_doc *doc;
    bool shares; /* the document is that of a list of tables */
    pith_table view;

    /* While it is built. */
    const pith_options *options;
    char *name;
    pith_rows *rows;
    pith_field fields[TABLE_FIELDS_MOST];
    size_t count;
    pith_error fault; /* of the beginning */
} typed_table;

static inline char *table_copy_text(const char *text, size_t len)
{
    char *copy = (char *)calloc(len + 1, 1);
    if (copy && len > 0)
        memcpy(copy, text, len);
    return copy;
}

static inline typed_table *table_new(const char *name, const pith_options *options)
{
    typed_table *made = (typed_table *)calloc(1, sizeof *made);
    made->options = options;
    made->name = table_copy_text(name, strlen(name));
    made->doc = pith_doc_new(options);
    if (!made->doc) {
        free(made->name);
        free(made);
        return NULL;
    }
    return made;
}

static inline void table_free(typed_table *t)
{
    if (!t)
        return;
    pith_rows_abandon(t->rows);
    if (!t->shares)
        pith_doc_free(t->doc);
    for (size_t i = 0; i < t->count; i++) {
        free((void *)t->fields[i].name.ptr);
        free((void *)t->fields[i].target.ptr);
    }
    free(t->name);
    free(t);
}

static inline void table_add_column(typed_table *t, const pith_field *column)
{
    pith_field *added = &t->fields[t->count++];
    *added = *column;
    added->name.ptr = table_copy_text(column->name.ptr, column->name.len);
    added->target.ptr = table_copy_text(column->target.ptr, column->target.len);
}

static inline void table_add_field(typed_table *t, const char *name, pith_type type,
                                   bool nullable)
{
    pith_field field = {.name = named(name), .type = type, .nullable = nullable};
    table_add_column(t, &field);
}

/* The rows, which begin with the first call. */
static inline pith_rows *table_rows(typed_table *t)
{
    pith_text columns[TABLE_FIELDS_MOST];
    if (t->rows || t->fault.status != PITH_OK)
        return t->rows;
    for (size_t i = 0; i < t->count; i++)
        columns[i] = t->fields[i].name;
    t->rows = pith_rows_into(t->doc, t->options, &t->fault);
    if (!t->rows)
        return NULL;
    pith_rows_begin_table(t->rows, named(t->name), columns, t->count, false, NULL);
    for (size_t i = 0; i < t->count; i++)
        pith_rows_declare(t->rows, i, &t->fields[i]);
    return t->rows;
}

/* Where the cells of the row go, which is nowhere when the table could not begin. */
static inline pith_doc *table_row(typed_table *t)
{
    return table_rows(t) ? pith_rows_row(t->rows) : t->doc;
}

static inline pith_status table_fault(const typed_table *t, pith_error *err)
{
    if (err)
        *err = t->fault;
    return t->fault.status;
}

static inline pith_status table_end_row(typed_table *t, pith_error *err)
{
    return table_rows(t) ? pith_rows_end_row(t->rows, err) : table_fault(t, err);
}

static inline pith_status table_finish(typed_table *t, pith_error *err)
{
    if (!table_rows(t))
        return table_fault(t, err);
    pith_status status = pith_rows_close(t->rows, err);
    t->rows = NULL;
    if (status == PITH_OK)
        pith_doc_table(t->doc, 0, &t->view);
    return status;
}

static inline pith_value table_cell(const typed_table *t, size_t row, size_t column)
{
    pith_table view = t->view;
    return pith_table_cell(&view, row, column);
}

static inline size_t table_find(const typed_table *t, const char *name)
{
    size_t i = 0;
    while (i < t->view.field_count &&
           (t->view.fields[i].name.len != strlen(name) ||
            memcmp(t->view.fields[i].name.ptr, name, strlen(name)) != 0))
        i++;
    return i;
}

static inline pith_value table_get(const typed_table *t, size_t row, const char *name)
{
    return table_cell(t, row, table_find(t, name));
}

/* The document of a text, with tables. */
static inline pith_doc *tables_read(const char *format, const char *text, size_t len,
                                    const pith_options *options, pith_error *err)
{
    pith_doc *doc = pith_doc_parse(format, text, len, options, err);
    if (doc && pith_doc_make_tables(doc, err) != PITH_OK) {
        pith_doc_free(doc);
        return NULL;
    }
    return doc;
}

/* The first table of a text. */
static inline typed_table *table_parse(const char *format, const char *text, size_t len,
                                       const pith_options *options, pith_error *err)
{
    typed_table *made = (typed_table *)calloc(1, sizeof *made);
    made->doc = tables_read(format, text, len, options, err);
    if (!made->doc || !pith_doc_table(made->doc, 0, &made->view)) {
        table_free(made);
        return NULL;
    }
    return made;
}

/* A document with nothing but that table. */
static inline typed_table *table_alone(const typed_table *t)
{
    char *name = table_copy_text(t->view.name.ptr, t->view.name.len);
    typed_table *made = table_new(name, NULL);
    free(name);
    for (size_t i = 0; i < t->view.field_count; i++)
        table_add_column(made, &t->view.fields[i]);
    for (pith_value row = pith_value_first(t->view.rows); row.doc;
         row = pith_value_next(row))
        pith_rows_add_row(table_rows(made), row, NULL);
    if (table_finish(made, NULL) != PITH_OK) {
        table_free(made);
        return NULL;
    }
    return made;
}

/* Writes the table alone. */
static inline pith_status table_write(const typed_table *t, const char *format,
                                      const pith_options *options, pith_sink sink,
                                      pith_error *err)
{
    if (pith_doc_table_count(t->doc) <= 1)
        return pith_value_write(pith_doc_root(t->doc), format, options, sink, err);
    typed_table *alone = table_alone(t);
    pith_status status =
        alone ? pith_value_write(pith_doc_root(alone->doc), format, options, sink, err)
              : PITH_BAD_USE;
    table_free(alone);
    return status;
}

/* The table of a document at that index. */
static inline typed_table table_at(pith_doc *doc, size_t index)
{
    typed_table t = {.doc = doc, .shares = true};
    pith_doc_table(doc, index, &t.view);
    return t;
}

#endif /* PITH_TEST_TABLES_H */
