/*
 * tables.c - a typed table: built, written as text and as bytes, read back, walked.
 *
 * This is the example of the format's own specification, in C.
 */
#include <stdio.h>
#include <string.h>

#include "pith.h"

/* users[2]{id,name}:1,Alice;2,Bob */
static pith_table *make_users(pith_error *err)
{
    static const char *const names[] = {"Alice", "Bob"};
    pith_table *users = pith_table_new("users", NULL);
    if (!users)
        return NULL;
    pith_table_add_field(users, "id", PITH_TYPE_UINT, false);
    pith_table_add_field(users, "name", PITH_TYPE_TEXT, false);
    for (size_t i = 0; i < 2; i++) {
        pith_table_add_uint64(users, i + 1);
        pith_table_add_text(users, names[i], strlen(names[i]));
        pith_table_end_row(users, NULL);
    }
    if (pith_table_finish(users, err) != PITH_OK) {
        pith_table_free(users);
        return NULL;
    }
    return users;
}

static void print_rows(const pith_table *table)
{
    for (size_t row = 0; row < pith_table_row_count(table); row++) {
        uint64_t id = 0;
        pith_value_uint64(pith_table_get(table, row, "id"), &id);
        pith_text name = pith_value_text(pith_table_get(table, row, "name"));
        printf("%llu %.*s\n", (unsigned long long)id, (int)name.len, name.ptr);
    }
}

/* Reads what was written, text or bytes. */
static int read_back(const char *format, const pith_buffer *written, pith_error *err)
{
    pith_table *table = pith_table_parse(format, written->data, written->len, NULL, err);
    if (!table)
        return 1;
    print_rows(table);
    pith_table_free(table);
    return 0;
}

int main(void)
{
    static const char *const formats[] = {"soch", "soch-bin"};
    pith_error err = {0};
    int failed = 0;
    pith_table *users = make_users(&err);
    for (size_t i = 0; i < 2 && users && !failed; i++) {
        pith_buffer out = {0};
        failed = pith_table_write(users, formats[i], NULL, pith_sink_buffer(&out),
                                  &err) != PITH_OK;
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
    failed = failed || !users;
    if (failed)
        fprintf(stderr, "tables: %s\n", err.message);
    pith_table_free(users);
    return failed;
}
