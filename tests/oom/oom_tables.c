/*
 * oom_tables.c - typed tables, built, read, walked and written without memory; see
 * sweep.h. The first failure sticks in a table, so it is freed and built anew.
 */
#include "tables.h"
#include "sweep.h"
#include "named.h"

/* One row of every kind of cell. */
static void add_row(typed_table *table, pith_value value, bool nulls)
{
    static const double numbers[] = {1.5, -2};
    pith_doc_add_int64(table_row(table), -7);
    pith_doc_add_uint64(table_row(table), UINT64_MAX);
    pith_doc_add_double(table_row(table), 0.1);
    if (nulls)
        pith_doc_add_null(table_row(table));
    else
        pith_doc_add_text(table_row(table), LIT("a text, with\na line"));
    pith_doc_add_bool(table_row(table), true);
    pith_doc_add_bytes(table_row(table), "\0\1\2", 3);
    pith_doc_add_vector(table_row(table), numbers, 2);
    pith_doc_add_ref(table_row(table), named("users"), 42);
    pith_doc_add_value(table_row(table), value);
}

static void add_fields(typed_table *table)
{
    static const pith_field vector = {
        .name = {LIT("v")}, .type = PITH_TYPE_VEC, .size = 2};
    static const pith_field to_users = {
        .name = {LIT("r")}, .type = PITH_TYPE_REF, .target = {LIT("users")}};
    table_add_field(table, "i", PITH_TYPE_INT, false);
    table_add_field(table, "u", PITH_TYPE_UINT, false);
    table_add_field(table, "f", PITH_TYPE_FLOAT, false);
    table_add_field(table, "t", PITH_TYPE_TEXT, true);
    table_add_field(table, "b", PITH_TYPE_BOOL, false);
    table_add_field(table, "raw", PITH_TYPE_BYTES, false);
    table_add_column(table, &vector);
    table_add_column(table, &to_users);
    table_add_field(table, "any", PITH_TYPE_ANY, true);
}

static pith_status build(typed_table **made, pith_options *options, pith_value value,
                         pith_error *err)
{
    typed_table *table = table_new("all", options);
    *made = table;
    if (!table) {
        *err = (pith_error){.status = PITH_NO_MEMORY, .code = "no_memory"};
        err->message[0] = '-';
        return PITH_NO_MEMORY;
    }
    add_fields(table);
    pith_status ended = PITH_OK;
    for (size_t i = 0; i < 20; i++) {
        add_row(table, value, i & 1);
        pith_status status = table_end_row(table, err);
        assert_true(ended == PITH_OK || status == ended); /* it sticks */
        ended = status;
    }
    pith_status status = table_finish(table, err);
    assert_true(ended == PITH_OK || status == ended);
    return status;
}

static void add_cell(bytes *result, pith_value cell)
{
    char raw[8];
    double numbers[4];
    pith_text target = {0};
    uint64_t id = 0;
    bytes_print(result, "%d:%zu:%zu:%d:%llu ", (int)pith_value_type(cell),
                pith_value_bytes(cell, raw, sizeof raw),
                pith_value_vector(cell, numbers, 4), pith_value_ref(cell, &target, &id),
                (unsigned long long)id);
}

/* Looking takes no memory: it gives the same when there is none. */
static void add_table(bytes *result, const typed_table *table)
{
    pith_text name = table->view.name;
    bytes_add(result, name.ptr, name.len);
    size_t fields = table->view.field_count;
    for (size_t i = 0; i < fields; i++) {
        const pith_field *field = &table->view.fields[i];
        bytes_print(result, " %.*s/%d", (int)field->name.len, field->name.ptr,
                    (int)field->type);
    }
    bytes_print(result, " %zu ", table_find(table, fields > 2 ? "u" : "id"));
    for (size_t row = 0; row < table->view.row_count; row++) {
        for (size_t i = 0; i < fields; i++)
            add_cell(result, table_cell(table, row, i));
        add_cell(result, table_get(table, row, "raw"));
    }
}

static void write_table(const typed_table *table, const char *format,
                        pith_options *options, bytes *result)
{
    pith_error err = {0};
    pith_buffer out = {.alloc = options->alloc};
    pith_status status =
        table_write(table, format, options, pith_sink_buffer(&out), &err);
    if (sweep_again(options, status, &err)) {
        out.len = 0;
        status = table_write(table, format, options, pith_sink_buffer(&out), &err);
    }
    assert_int_equal(status, PITH_OK);
    sweep_add_output(result, &out);
}

static pith_status run_built(const void *job, pith_options *options, bytes *result)
{
    pith_value value = pith_doc_root(job);
    pith_error err = {0};
    typed_table *table;
    pith_status status = build(&table, options, value, &err);
    if (sweep_again(options, status, &err)) {
        table_free(table);
        status = build(&table, options, value, &err);
    }
    add_table(result, table);
    write_table(table, "soch", options, result);
    write_table(table, "soch-bin", options, result);
    write_table(table, "json", options, result);
    table_free(table);
    return status;
}

/* Many columns, and cells each of which is longer than what memory is left over. */
static pith_status build_wide(typed_table **made, pith_options *options, size_t columns,
                              pith_error *err)
{
    static const pith_field vector = {
        .name = {LIT("v")}, .type = PITH_TYPE_VEC, .size = 3};
    static const double numbers[] = {0.5, 1.5, 2.5};
    static const char zeros[40000] = {0};
    char spaces[20000];
    memset(spaces, ' ', sizeof spaces);
    typed_table *table = *made = table_new("wide", options);
    if (!table) {
        *err = (pith_error){.status = PITH_NO_MEMORY, .code = "no_memory"};
        err->message[0] = '-';
        return PITH_NO_MEMORY;
    }
    for (size_t i = 0; i < columns; i++) {
        char name[24];
        snprintf(name, sizeof name, "f%zu", i);
        table_add_field(table, name, PITH_TYPE_BOOL, false);
    }
    table_add_field(table, "text", PITH_TYPE_TEXT, false);
    table_add_field(table, "raw", PITH_TYPE_BYTES, false);
    table_add_column(table, &vector);
    for (size_t row = 0; row < 3; row++) {
        for (size_t i = 0; i < columns; i++)
            pith_doc_add_bool(table_row(table), i & 1);
        pith_doc_add_text(table_row(table), spaces, row ? 1 : sizeof spaces);
        pith_doc_add_bytes(table_row(table), zeros, row ? 1 : sizeof zeros);
        pith_doc_add_vector(table_row(table), numbers, 3);
        table_end_row(table, NULL);
    }
    return table_finish(table, err);
}

static pith_status run_wide(const void *job, pith_options *options, bytes *result)
{
    const size_t *columns = job;
    pith_error err = {0};
    typed_table *table;
    pith_status status = build_wide(&table, options, *columns, &err);
    if (sweep_again(options, status, &err)) {
        table_free(table);
        status = build_wide(&table, options, *columns, &err);
    }
    assert_int_equal(table->view.row_count, 3);
    add_table(result, table);
    table_free(table);
    return status;
}

static pith_status run_parsed(const void *job, pith_options *options, bytes *result)
{
    const char *text = job;
    pith_error err = {0};
    typed_table *table = table_parse("soch", text, strlen(text), options, &err);
    if (!table && sweep_again(options, sweep_failure(&err), &err))
        table = table_parse("soch", text, strlen(text), options, &err);
    assert_non_null(table);
    add_table(result, table);
    table_free(table);
    return PITH_OK;
}

static pith_status run_several(const void *job, pith_options *options, bytes *result)
{
    const char *text = job;
    pith_error err = {0};
    pith_doc *tables = tables_read("soch", text, strlen(text), options, &err);
    if (!tables && sweep_again(options, sweep_failure(&err), &err))
        tables = tables_read("soch", text, strlen(text), options, &err);
    assert_non_null(tables);
    for (size_t i = 0; i < pith_doc_table_count(tables); i++) {
        typed_table view = table_at(tables, i);
        add_table(result, &view);
    }
    pith_buffer out = {.alloc = options->alloc};
    pith_status status = pith_value_write(pith_doc_root(tables), "json", options,
                                          pith_sink_buffer(&out), &err);
    if (sweep_again(options, status, &err)) {
        out.len = 0;
        status = pith_value_write(pith_doc_root(tables), "json", options,
                                  pith_sink_buffer(&out), &err);
    }
    sweep_add_output(result, &out);
    pith_doc_free(tables);
    return status;
}

static void tables_are_built(void **state)
{
    (void)state;
    pith_doc *doc = must_parse_json("{\"a\":[1,{\"b\":\"\\n\"}],\"c\":null}");
    assert_int_equal(sweep_run("build a table", run_built, doc, NULL), 0);
    for (size_t columns = 0; columns < 120; columns += columns < 20 ? 1 : 33)
        assert_int_equal(sweep_run("build a wide table", run_wide, &columns, NULL), 0);
    pith_doc_free(doc);
}

static void tables_are_read(void **state)
{
    (void)state;
    static const char one[] = "t[2]{id:uint,raw:bytes}:1,AAE=;2,AAI=";
    static const char two[] = "t[2]{id:uint,name:text}:1,Ada;2,\"Bo\\nb\"\n"
                              "s[1]{id:int,v:vec(2)}:-1,[1,NaN]\n";
    assert_int_equal(sweep_run("read a table", run_parsed, one, NULL), 0);
    assert_int_equal(sweep_run("read tables", run_several, two, NULL), 0);
}

/* Doubles are read as bits; their digits get a place at the end, if there is any. */
static pith_status run_doubles(const void *job, pith_options *options, bytes *result)
{
    const pith_buffer *text = job;
    pith_error err = {0};
    pith_doc *doc = pith_doc_parse("soch-bin", text->data, text->len, options, &err);
    if (!doc)
        return sweep_failure(&err);
    sweep_add_value(result, pith_doc_root(doc));
    pith_doc_free(doc);
    return PITH_OK;
}

/* They get their digits when they become a member of something else. */
static pith_status run_member(const void *job, pith_options *options, bytes *result)
{
    pith_error err = {0};
    pith_buffer out = {.alloc = options->alloc};
    pith_rows *rows =
        pith_rows_open_object("json", options, pith_sink_buffer(&out), &err);
    if (!rows)
        return sweep_failure(&err);
    pith_status added = rows_add_named(rows, "m", pith_doc_root(job), &err);
    pith_status status = pith_rows_close(rows, &err);
    assert_true(added == PITH_OK || status == added); /* it sticks */
    sweep_add_output(result, &out);
    return status == PITH_OK ? PITH_OK : sweep_failure(&err);
}

static void many_doubles_are_read(void **state)
{
    (void)state;
    typed_table *table = table_new("t", NULL);
    table_add_field(table, "f", PITH_TYPE_FLOAT, false);
    for (int i = 0; i < 500; i++) {
        pith_doc_add_double(table_row(table), i / 7.0);
        table_end_row(table, NULL);
    }
    assert_int_equal(table_finish(table, NULL), PITH_OK);
    pith_buffer text = {0};
    assert_int_equal(table_write(table, "soch-bin", NULL, pith_sink_buffer(&text), NULL),
                     PITH_OK);
    assert_int_equal(sweep_run("read doubles", run_doubles, &text, NULL), 0);
    pith_doc *late = must_parse("soch-bin", text.data, text.len, NULL);
    assert_int_equal(sweep_run("member of doubles", run_member, late, NULL), 0);
    pith_doc_free(late);
    pith_buffer_free(&text);
    table_free(table);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tables_are_built),
        cmocka_unit_test(tables_are_read),
        cmocka_unit_test(many_doubles_are_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
