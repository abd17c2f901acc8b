/*
 * oom_tables.c - typed tables, built, read, walked and written without memory; see
 * sweep.h. The first failure sticks in a table, so it is freed and built anew.
 */
#include "sweep.h"
#include "named.h"

/* One row of every kind of cell. */
static void add_row(pith_table *table, pith_value value, bool nulls)
{
    static const double numbers[] = {1.5, -2};
    pith_table_add_int64(table, -7);
    pith_table_add_uint64(table, UINT64_MAX);
    pith_table_add_double(table, 0.1);
    if (nulls)
        pith_table_add_null(table);
    else
        pith_table_add_text(table, LIT("a text, with\na line"));
    pith_table_add_bool(table, true);
    pith_table_add_bytes(table, "\0\1\2", 3);
    pith_table_add_vector(table, numbers, 2);
    pith_table_add_ref(table, "users", 42);
    pith_table_add_value(table, value);
}

static void add_fields(pith_table *table)
{
    static const pith_field vector = {.name = {LIT("v")}, .type = PITH_TYPE_VEC, .size = 2};
    static const pith_field to_users = {.name = {LIT("r")}, .type = PITH_TYPE_REF, .target = {LIT("users")}};
    pith_table_add_field(table, "i", PITH_TYPE_INT, false);
    pith_table_add_field(table, "u", PITH_TYPE_UINT, false);
    pith_table_add_field(table, "f", PITH_TYPE_FLOAT, false);
    pith_table_add_field(table, "t", PITH_TYPE_TEXT, true);
    pith_table_add_field(table, "b", PITH_TYPE_BOOL, false);
    pith_table_add_field(table, "raw", PITH_TYPE_BYTES, false);
    pith_table_add_column(table, &vector);
    pith_table_add_column(table, &to_users);
    pith_table_add_field(table, "any", PITH_TYPE_ANY, true);
}

static pith_status build(pith_table **made, pith_options *options, pith_value value,
                         pith_error *err)
{
    pith_table *table = pith_table_new("all", options);
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
        pith_status status = pith_table_end_row(table, err);
        assert_true(ended == PITH_OK || status == ended); /* it sticks */
        ended = status;
    }
    pith_status status = pith_table_finish(table, err);
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
static void add_table(bytes *result, const pith_table *table)
{
    pith_text name = pith_table_name(table);
    bytes_add(result, name.ptr, name.len);
    size_t fields = pith_table_field_count(table);
    for (size_t i = 0; i < fields; i++) {
        const pith_field *field = pith_table_field(table, i);
        bytes_print(result, " %.*s/%d", (int)field->name.len, field->name.ptr,
                    (int)field->type);
    }
    bytes_print(result, " %zu ", pith_table_find(table, fields > 2 ? "u" : "id"));
    for (size_t row = 0; row < pith_table_row_count(table); row++) {
        for (size_t i = 0; i < fields; i++)
            add_cell(result, pith_table_cell(table, row, i));
        add_cell(result, pith_table_get(table, row, "raw"));
    }
}

static void write_table(const pith_table *table, const char *format,
                        pith_options *options, bytes *result)
{
    pith_error err = {0};
    pith_buffer out = {.alloc = options->alloc};
    pith_status status =
        pith_table_write(table, format, options, pith_sink_buffer(&out), &err);
    if (sweep_again(options, status, &err)) {
        out.len = 0;
        status = pith_table_write(table, format, options, pith_sink_buffer(&out), &err);
    }
    assert_int_equal(status, PITH_OK);
    sweep_add_output(result, &out);
}

static pith_status run_built(const void *job, pith_options *options, bytes *result)
{
    pith_value value = pith_doc_root(job);
    pith_error err = {0};
    pith_table *table;
    pith_status status = build(&table, options, value, &err);
    if (sweep_again(options, status, &err)) {
        pith_table_free(table);
        status = build(&table, options, value, &err);
    }
    add_table(result, table);
    write_table(table, "soch", options, result);
    write_table(table, "soch-bin", options, result);
    write_table(table, "json", options, result);
    pith_table_free(table);
    return status;
}

/* Many columns, and cells each of which is longer than what memory is left over. */
static pith_status build_wide(pith_table **made, pith_options *options, size_t columns,
                              pith_error *err)
{
    static const pith_field vector = {.name = {LIT("v")}, .type = PITH_TYPE_VEC, .size = 3};
    static const double numbers[] = {0.5, 1.5, 2.5};
    static const char zeros[40000] = {0};
    char spaces[20000];
    memset(spaces, ' ', sizeof spaces);
    pith_table *table = *made = pith_table_new("wide", options);
    if (!table) {
        *err = (pith_error){.status = PITH_NO_MEMORY, .code = "no_memory"};
        err->message[0] = '-';
        return PITH_NO_MEMORY;
    }
    for (size_t i = 0; i < columns; i++) {
        char name[24];
        snprintf(name, sizeof name, "f%zu", i);
        pith_table_add_field(table, name, PITH_TYPE_BOOL, false);
    }
    pith_table_add_field(table, "text", PITH_TYPE_TEXT, false);
    pith_table_add_field(table, "raw", PITH_TYPE_BYTES, false);
    pith_table_add_column(table, &vector);
    for (size_t row = 0; row < 3; row++) {
        for (size_t i = 0; i < columns; i++)
            pith_table_add_bool(table, i & 1);
        pith_table_add_text(table, spaces, row ? 1 : sizeof spaces);
        pith_table_add_bytes(table, zeros, row ? 1 : sizeof zeros);
        pith_table_add_vector(table, numbers, 3);
        pith_table_end_row(table, NULL);
    }
    return pith_table_finish(table, err);
}

static pith_status run_wide(const void *job, pith_options *options, bytes *result)
{
    const size_t *columns = job;
    pith_error err = {0};
    pith_table *table;
    pith_status status = build_wide(&table, options, *columns, &err);
    if (sweep_again(options, status, &err)) {
        pith_table_free(table);
        status = build_wide(&table, options, *columns, &err);
    }
    assert_int_equal(pith_table_row_count(table), 3);
    add_table(result, table);
    pith_table_free(table);
    return status;
}

static pith_status run_parsed(const void *job, pith_options *options, bytes *result)
{
    const char *text = job;
    pith_error err = {0};
    pith_table *table = pith_table_parse("soch", text, strlen(text), options, &err);
    if (!table && sweep_again(options, sweep_failure(&err), &err))
        table = pith_table_parse("soch", text, strlen(text), options, &err);
    assert_non_null(table);
    add_table(result, table);
    pith_table_free(table);
    return PITH_OK;
}

static pith_status run_several(const void *job, pith_options *options, bytes *result)
{
    const char *text = job;
    pith_error err = {0};
    pith_tables *tables = pith_tables_parse("soch", text, strlen(text), options, &err);
    if (!tables && sweep_again(options, sweep_failure(&err), &err))
        tables = pith_tables_parse("soch", text, strlen(text), options, &err);
    assert_non_null(tables);
    for (size_t i = 0; i < pith_tables_count(tables); i++)
        add_table(result, pith_tables_at(tables, i));
    pith_buffer out = {.alloc = options->alloc};
    pith_status status =
        pith_tables_write(tables, "json", options, pith_sink_buffer(&out), &err);
    if (sweep_again(options, status, &err)) {
        out.len = 0;
        status = pith_tables_write(tables, "json", options, pith_sink_buffer(&out), &err);
    }
    sweep_add_output(result, &out);
    pith_tables_free(tables);
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
    pith_table *table = pith_table_new("t", NULL);
    pith_table_add_field(table, "f", PITH_TYPE_FLOAT, false);
    for (int i = 0; i < 500; i++) {
        pith_table_add_double(table, i / 7.0);
        pith_table_end_row(table, NULL);
    }
    assert_int_equal(pith_table_finish(table, NULL), PITH_OK);
    pith_buffer text = {0};
    assert_int_equal(
        pith_table_write(table, "soch-bin", NULL, pith_sink_buffer(&text), NULL),
        PITH_OK);
    assert_int_equal(sweep_run("read doubles", run_doubles, &text, NULL), 0);
    pith_doc *late = must_parse("soch-bin", text.data, text.len, NULL);
    assert_int_equal(sweep_run("member of doubles", run_member, late, NULL), 0);
    pith_doc_free(late);
    pith_buffer_free(&text);
    pith_table_free(table);
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
