/*
 * tables.c - a typed table: built, written as text and as bytes, read back, walked.
 *
 * This is the example of the format's own specification, in C.
 */
#include <stdio.h>
#include <string.h>

#include "pith.h"

/* users[2]{id,name}:1,Alice;2,Bob */
static pith_status make_users(pith_doc *doc, pith_error *err)
{
    static const pith_text columns[] = {PITH_TEXT("id"), PITH_TEXT("name")};
    static const pith_field fields[] = {{.type = PITH_TYPE_UINT},
                                        {.type = PITH_TYPE_TEXT}};
    static const char *const names[] = {"Alice", "Bob"};
    pith_text table = PITH_TEXT("users");
    pith_rows *rows = pith_rows_into(doc, NULL, err);
    if (!rows)
        return err->status;
    pith_rows_begin_table(rows, table, columns, 2, false, NULL);
    for (size_t i = 0; i < 2; i++)
        pith_rows_declare(rows, i, &fields[i]);
    for (size_t i = 0; i < 2; i++) {
        pith_doc *row = pith_rows_row(rows);
        pith_doc_add_uint64(row, i + 1);
        pith_doc_add_text(row, names[i], strlen(names[i]));
        pith_rows_end_row(rows, NULL);
    }
    return pith_rows_close(rows, err);
}

static void print_rows(pith_table *table)
{
    for (size_t row = 0; row < table->row_count; row++) {
        uint64_t id = 0;
        pith_value_uint64(pith_table_cell(table, row, 0), &id);
        pith_text name = pith_value_text(pith_table_cell(table, row, 1));
        printf("%llu %.*s\n", (unsigned long long)id, (int)name.len, name.ptr);
    }
}

/* Reads what was written, text or bytes. */
static int read_back(const char *format, const pith_buffer *written, pith_error *err)
{
    pith_doc *doc = pith_doc_parse(format, written->data, written->len, NULL, err);
    if (!doc)
        return 1;
    for (size_t i = 0; i < pith_doc_table_count(doc); i++) {
        pith_table table;
        pith_doc_table(doc, i, &table);
        printf("%.*s\n", (int)table.name.len, table.name.ptr);
        print_rows(&table);
    }
    pith_doc_free(doc);
    return 0;
}

/* Any value has tables once they are made of it. */
static int show_columns(const char *json, pith_error *err)
{
    pith_table table;
    pith_doc *doc = pith_doc_parse("json", json, strlen(json), NULL, err);
    int failed = !doc || pith_doc_make_tables(doc, err) != PITH_OK;
    if (!failed && pith_doc_table(doc, 0, &table)) {
        for (size_t i = 0; i < table.field_count; i++) {
            pith_text name = table.fields[i].name;
            printf("%.*s: type %d\n", (int)name.len, name.ptr, (int)table.fields[i].type);
        }
    }
    pith_doc_free(doc);
    return failed;
}

/* Bytes, vectors and references are what they are in a table, and texts elsewhere. */
static void print_cell(pith_value cell)
{
    unsigned char bytes[2];
    double numbers[2];
    pith_text table;
    uint64_t row;
    if (pith_value_type(cell) == PITH_TYPE_BYTES)
        printf("%zu bytes\n", pith_value_bytes(cell, bytes, sizeof bytes));
    else if (pith_value_vector(cell, numbers, 2) == 2)
        printf("[%g %g]\n", numbers[0], numbers[1]);
    else if (pith_value_ref(cell, &table, &row))
        printf("row %llu of %.*s\n", (unsigned long long)row, (int)table.len, table.ptr);
}

static int show_types(pith_doc *doc, pith_error *err)
{
    static const pith_text columns[] = {PITH_TEXT("raw"), PITH_TEXT("at"),
                                        PITH_TEXT("owner")};
    static const pith_field at = {.type = PITH_TYPE_VEC, .size = 2};
    static const double numbers[] = {59.9, 10.75};
    pith_text name = PITH_TEXT("places");
    pith_text users = PITH_TEXT("users");
    pith_table places;
    pith_rows *rows = pith_rows_into(doc, NULL, err);
    if (!rows)
        return 1;
    pith_rows_begin_table(rows, name, columns, 3, false, NULL);
    pith_rows_declare(rows, 1, &at);
    pith_doc *row = pith_rows_row(rows);
    pith_doc_add_bytes(row, "\x00\x01", 2);
    pith_doc_add_vector(row, numbers, 2);
    pith_doc_add_ref(row, users, 1);
    pith_rows_end_row(rows, NULL);
    if (pith_rows_close(rows, err) != PITH_OK || !pith_doc_table(doc, 0, &places))
        return 1;
    for (size_t i = 0; i < places.field_count; i++)
        print_cell(pith_table_cell(&places, 0, i));
    return 0;
}

int main(void)
{
    static const char *const formats[] = {"soch", "soch-bin"};
    pith_error err = {0};
    pith_doc *users = pith_doc_new(NULL);
    int failed = !users || make_users(users, &err) != PITH_OK;
    for (size_t i = 0; i < 2 && !failed; i++) {
        pith_buffer out = {0};
        failed = pith_value_write(pith_doc_root(users), formats[i], NULL,
                                  pith_sink_buffer(&out), &err) != PITH_OK;
        if (!failed && i == 0) {
            printf("%s\n", out.data);
            failed = strcmp(out.data, "users[2]{id,name}:1,Alice;2,Bob") != 0;
        } else if (!failed) {
            printf("%zu bytes\n", out.len);
        }
        if (!failed)
            failed = read_back(formats[i], &out, &err);
        pith_buffer_free(&out);
    }
    failed = failed || show_columns("[{\"id\":7,\"sum\":0.5}]", &err);
    failed = failed || show_types(users, &err);
    if (failed)
        fprintf(stderr, "tables: %s\n", err.message);
    pith_doc_free(users);
    return failed;
}
