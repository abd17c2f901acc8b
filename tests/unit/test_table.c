/*
 * test_table.c - building tables: what fits, what is made to fit, what is refused.
 */
#include "tables.h"
#include "testing.h"

#include <math.h>

typedef struct attempt {
    pith_type type;
    bool nullable;
    void (*add)(typed_table *table);
    const char *code;    /* NULL: it fits */
    const char *written; /* and this is its text, with types */
} attempt;

static void add_null(typed_table *t)
{
    pith_doc_add_null(table_row(t));
}
static void add_true(typed_table *t)
{
    pith_doc_add_bool(table_row(t), true);
}
static void add_seven(typed_table *t)
{
    pith_doc_add_int64(table_row(t), 7);
}
static void add_minus(typed_table *t)
{
    pith_doc_add_int64(table_row(t), -7);
}
static void add_huge(typed_table *t)
{
    pith_doc_add_uint64(table_row(t), UINT64_MAX);
}
static void add_half(typed_table *t)
{
    pith_doc_add_double(table_row(t), 0.5);
}
static void add_two(typed_table *t)
{
    pith_doc_add_double(table_row(t), 2.0);
}
static void add_nan(typed_table *t)
{
    pith_doc_add_double(table_row(t), (double)NAN);
}
static void add_text(typed_table *t)
{
    pith_doc_add_text(table_row(t), "42", 2);
}
static void add_broken(typed_table *t)
{
    pith_doc_add_text(table_row(t), "\xFF", 1);
}
static void add_bytes(typed_table *t)
{
    pith_doc_add_bytes(table_row(t), "\0\1", 2);
}
static void add_ref(typed_table *t)
{
    pith_doc_add_ref(table_row(t), named("users"), 42);
}
static void add_other_ref(typed_table *t)
{
    pith_doc_add_ref(table_row(t), named("orders"), 42);
}

static void add_pair(typed_table *t)
{
    static const double numbers[] = {1, 0.5};
    pith_doc_add_vector(table_row(t), numbers, 2);
}

static void add_triple(typed_table *t)
{
    static const double numbers[] = {1, 0.5, 2};
    pith_doc_add_vector(table_row(t), numbers, 3);
}

static void add_json(typed_table *t, const char *json)
{
    pith_doc *doc = must_parse_json(json);
    pith_doc_add_value(table_row(t), pith_doc_root(doc));
    pith_doc_free(doc);
}

static void add_array(typed_table *t)
{
    add_json(t, "[1,2]");
}
static void add_mixed(typed_table *t)
{
    add_json(t, "[1,\"x\"]");
}
static void add_longer_array(typed_table *t)
{
    add_json(t, "[1,2,3]");
}
static void add_object(typed_table *t)
{
    add_json(t, "{\"a\":[null]}");
}
static void add_json_text(typed_table *t)
{
    add_json(t, "\"b64:AA==\"");
}
static void add_json_huge(typed_table *t)
{
    add_json(t, "18446744073709551616");
}
static void add_json_inf(typed_table *t)
{
    add_json(t, "1e999");
}
static void add_json_huge_inside(typed_table *t)
{
    add_json(t, "[{\"a\":[18446744073709551616]}]");
}
static void add_json_inf_inside(typed_table *t)
{
    add_json(t, "{\"a\":-1e999}");
}
static void add_json_far_pair(typed_table *t)
{
    add_json(t, "[1,1e999]");
}
static void add_json_ref(typed_table *t)
{
    add_json(t, "{\"$ref\":\"users\",\"id\":42}");
}

static void add_json_null(typed_table *t)
{
    add_json(t, "null");
}
static void add_json_true(typed_table *t)
{
    add_json(t, "true");
}
static void add_json_seven(typed_table *t)
{
    add_json(t, "7");
}
static void add_json_minus(typed_table *t)
{
    add_json(t, "-7");
}
static void add_json_large(typed_table *t)
{
    add_json(t, "18446744073709551615");
}
static void add_json_half(typed_table *t)
{
    add_json(t, "0.5");
}
static void add_nothing(typed_table *t)
{
    pith_value nothing = {0};
    pith_doc_add_value(table_row(t), nothing);
}

/* A reference as another table has it. */
static void add_cell_ref(typed_table *t)
{
    static const char text[] = "o[1]{r:ref}:ref(users,42)";
    typed_table *other = table_parse("soch", text, strlen(text), NULL, NULL);
    assert_non_null(other);
    pith_doc_add_value(table_row(t), table_cell(other, 0, 0));
    table_free(other);
}
static void add_cell_other_ref(typed_table *t)
{
    static const char text[] = "o[1]{r:ref}:ref(orders,42)";
    typed_table *other = table_parse("soch", text, strlen(text), NULL, NULL);
    assert_non_null(other);
    pith_doc_add_value(table_row(t), table_cell(other, 0, 0));
    table_free(other);
}

static const attempt attempts[] = {
    {PITH_TYPE_INT, true, add_json_null, NULL, "t[1]{c:int?}:\xE2\x88\x85"},
    {PITH_TYPE_INT, false, add_json_null, "null_not_allowed", NULL},
    {PITH_TYPE_BOOL, false, add_json_true, NULL, "t[1]{c:bool}:T"},
    {PITH_TYPE_INT, false, add_json_true, "type_mismatch", NULL},
    {PITH_TYPE_INT, false, add_json_minus, NULL, "t[1]{c:int}:-7"},
    {PITH_TYPE_UINT, false, add_json_seven, NULL, "t[1]{c:uint}:7"},
    {PITH_TYPE_UINT, false, add_json_large, NULL, "t[1]{c:uint}:18446744073709551615"},
    {PITH_TYPE_INT, false, add_json_large, "out_of_range", NULL},
    {PITH_TYPE_FLOAT, false, add_json_half, NULL, "t[1]{c:float}:0.5"},
    {PITH_TYPE_INT, false, add_json_half, "type_mismatch", NULL},
    {PITH_TYPE_INT, false, add_nothing, "no_value", NULL},
    {PITH_TYPE_REF, false, add_cell_ref, NULL, "t[1]{c:ref(users)}:ref(users,42)"},
    {PITH_TYPE_REF, false, add_cell_other_ref, "type_mismatch", NULL},
    {PITH_TYPE_ANY, false, add_cell_other_ref, NULL, "t[1]{c}:ref(orders,42)"},
    {PITH_TYPE_ANY, false, add_null, NULL, "t[1]{c}:\xE2\x88\x85"},
    {PITH_TYPE_INT, false, add_null, "null_not_allowed", NULL},
    {PITH_TYPE_INT, true, add_null, NULL, "t[1]{c:int?}:\xE2\x88\x85"},
    {PITH_TYPE_INT, false, add_minus, NULL, "t[1]{c:int}:-7"},
    {PITH_TYPE_INT, false, add_huge, "out_of_range", NULL},
    {PITH_TYPE_INT, false, add_two, "type_mismatch", NULL},
    {PITH_TYPE_INT, false, add_text, "type_mismatch", NULL},
    {PITH_TYPE_UINT, false, add_huge, NULL, "t[1]{c:uint}:18446744073709551615"},
    {PITH_TYPE_UINT, false, add_seven, NULL, "t[1]{c:uint}:7"},
    {PITH_TYPE_UINT, false, add_minus, "type_mismatch", NULL},
    {PITH_TYPE_FLOAT, false, add_seven, NULL, "t[1]{c:float}:7.0"},
    {PITH_TYPE_FLOAT, false, add_huge, NULL, "t[1]{c:float}:1.8446744073709552e19"},
    {PITH_TYPE_FLOAT, false, add_half, NULL, "t[1]{c:float}:0.5"},
    {PITH_TYPE_FLOAT, false, add_nan, NULL, "t[1]{c:float}:NaN"},
    {PITH_TYPE_FLOAT, false, add_true, "type_mismatch", NULL},
    {PITH_TYPE_FLOAT, false, add_json_inf, "out_of_range", NULL},
    {PITH_TYPE_TEXT, false, add_text, NULL, "t[1]{c:text}:42"},
    {PITH_TYPE_TEXT, false, add_seven, "type_mismatch", NULL},
    {PITH_TYPE_TEXT, false, add_broken, "invalid_utf8", NULL},
    {PITH_TYPE_TEXT, false, add_bytes, "type_mismatch", NULL},
    {PITH_TYPE_TEXT, false, add_json_text, NULL, "t[1]{c:text}:b64:AA=="},
    {PITH_TYPE_ANY, false, add_json_text, NULL, "t[1]{c}:\"b64:AA==\""},
    {PITH_TYPE_ANY, false, add_json_huge, "out_of_range", NULL},
    {PITH_TYPE_ANY, false, add_json_huge_inside, "out_of_range", NULL},
    {PITH_TYPE_ARRAY, false, add_json_huge_inside, "out_of_range", NULL},
    {PITH_TYPE_OBJECT, false, add_json_inf_inside, "out_of_range", NULL},
    {PITH_TYPE_VEC, false, add_json_far_pair, "out_of_range", NULL},
    {PITH_TYPE_BOOL, false, add_true, NULL, "t[1]{c:bool}:T"},
    {PITH_TYPE_BOOL, false, add_seven, "type_mismatch", NULL},
    {PITH_TYPE_BYTES, false, add_bytes, NULL, "t[1]{c:bytes}:AAE="},
    {PITH_TYPE_BYTES, false, add_json_text, "type_mismatch", NULL},
    {PITH_TYPE_ANY, false, add_bytes, NULL, "t[1]{c}:b64:AAE="},
    {PITH_TYPE_VEC, false, add_pair, NULL, "t[1]{c:vec(2)}:[1.0,0.5]"},
    {PITH_TYPE_VEC, false, add_triple, "vector_size_mismatch", NULL},
    {PITH_TYPE_VEC, false, add_array, NULL, "t[1]{c:vec(2)}:[1.0,2.0]"},
    {PITH_TYPE_VEC, false, add_mixed, "type_mismatch", NULL},
    {PITH_TYPE_VEC, false, add_longer_array, "vector_size_mismatch", NULL},
    {PITH_TYPE_VEC, true, add_null, NULL, "t[1]{c:vec(2)?}:\xE2\x88\x85"},
    {PITH_TYPE_ANY, false, add_pair, NULL, "t[1]{c}:[1.0,0.5]"},
    {PITH_TYPE_ARRAY, false, add_pair, NULL, "t[1]{c:array}:[1.0,0.5]"},
    {PITH_TYPE_ARRAY, false, add_mixed, NULL, "t[1]{c:array}:[1,x]"},
    {PITH_TYPE_ARRAY, false, add_object, "type_mismatch", NULL},
    {PITH_TYPE_OBJECT, false, add_object, NULL, "t[1]{c:object}:{a:[\xE2\x88\x85]}"},
    {PITH_TYPE_OBJECT, false, add_ref, "type_mismatch", NULL},
    {PITH_TYPE_OBJECT, false, add_json_ref, NULL,
     "t[1]{c:object}:{\"$ref\":users,id:42}"},
    {PITH_TYPE_REF, false, add_ref, NULL, "t[1]{c:ref(users)}:ref(users,42)"},
    {PITH_TYPE_REF, false, add_other_ref, "type_mismatch", NULL},
    {PITH_TYPE_REF, false, add_json_ref, "type_mismatch", NULL},
    {PITH_TYPE_ANY, false, add_other_ref, NULL, "t[1]{c}:ref(orders,42)"},
};

static typed_table *one_column(const attempt *a)
{
    typed_table *table = table_new("t", NULL);
    assert_non_null(table);
    pith_field field = {0};
    field.name.ptr = "c";
    field.name.len = 1;
    field.type = a->type;
    field.nullable = a->nullable;
    field.size = 2;
    field.target.ptr = "users";
    field.target.len = 5;
    table_add_column(table, &field);
    return table;
}

static void cells_fit_or_not(void **state)
{
    (void)state;
    size_t failures = 0;
    for (size_t i = 0; i < ROWS(attempts); i++) {
        const attempt *a = &attempts[i];
        pith_error err = {0};
        typed_table *table = one_column(a);
        a->add(table);
        table_end_row(table, NULL);
        pith_status status = table_finish(table, &err);
        if (a->code) {
            bool typed = status == PITH_UNREPRESENTABLE && a->code[0] != 'n';
            failures += status == PITH_OK || strcmp(err.code, a->code) != 0 ||
                        (typed && !strstr(err.message, "field \"c\""));
            if (status == PITH_OK || strcmp(err.code, a->code) != 0)
                fprintf(stderr, "%zu: expected %s, found %s\n", i, a->code, err.message);
        } else if (status != PITH_OK) {
            fprintf(stderr, "%zu: %s\n", i, err.message);
            failures++;
        } else {
            pith_options options = with_settings(NULL, "types=all");
            pith_buffer out = {0};
            assert_int_equal(
                table_write(table, "soch", &options, pith_sink_buffer(&out), NULL),
                PITH_OK);
            failures +=
                !same_bytes("cell", out.data, out.len, a->written, strlen(a->written));
            pith_buffer_free(&out);
        }
        table_free(table);
    }
    assert_int_equal(failures, 0);
}

/* Calls out of order. */
static void misuse(void **state)
{
    (void)state;
    pith_error err = {0};
    typed_table *table = table_new("t", NULL);
    table_add_field(table, "a", PITH_TYPE_ANY, false);
    table_add_field(table, "a", PITH_TYPE_ANY, false);
    pith_doc_add_null(table_row(table));
    assert_int_equal(table_finish(table, &err), PITH_BAD_INPUT);
    assert_string_equal(err.code, "duplicate_key");
    assert_int_equal(table_write(table, "soch", NULL, pith_sink_fd(1), &err),
                     PITH_BAD_USE);
    table_free(table);

    table = table_new("t", NULL);
    table_add_field(table, "a", PITH_TYPE_ANY, false);
    pith_doc_add_null(table_row(table));
    pith_doc_add_null(table_row(table));
    assert_int_equal(table_end_row(table, &err), PITH_BAD_USE);
    assert_string_equal(err.code, "row_width_mismatch");
    table_free(table);

    table = table_new("t", NULL);
    table_add_field(table, "a", PITH_TYPE_ANY, false);
    table_add_field(table, "b", PITH_TYPE_ANY, false);
    pith_doc_add_null(table_row(table));
    assert_int_equal(table_end_row(table, &err), PITH_BAD_USE);
    assert_string_equal(err.code, "row_width_mismatch");
    table_free(table);

    table = table_new("t", NULL);
    table_add_field(table, "a", PITH_TYPE_ANY, false);
    pith_doc_add_null(table_row(table));
    table_end_row(table, NULL);
    pith_rows_declare(table->rows, 0, &table->fields[0]);
    assert_int_equal(table_finish(table, &err), PITH_BAD_USE);
    assert_string_equal(err.code, "late_field");
    table_free(table);

    table = table_new("t", NULL);
    table_add_field(table, "a", PITH_TYPE_ANY, false);
    pith_doc_add_null(table_row(table));
    assert_int_equal(table_finish(table, &err), PITH_BAD_USE);
    assert_string_equal(err.code, "row_unfinished");
    table_free(table);
    table_free(NULL);
}

static void refused_names_and_types(void **state)
{
    (void)state;
    pith_error err = {0};
    typed_table *table = table_new("\xFF", NULL);
    table_add_field(table, "a", PITH_TYPE_ANY, false);
    assert_int_equal(table_finish(table, &err), PITH_BAD_INPUT);
    assert_string_equal(err.code, "invalid_utf8");
    table_free(table);

    table = table_new("t", NULL);
    table_add_field(table, "\xC3", PITH_TYPE_ANY, false);
    assert_int_equal(table_finish(table, &err), PITH_BAD_INPUT);
    assert_string_equal(err.code, "invalid_utf8");
    table_free(table);

    table = table_new("t", NULL);
    table_add_field(table, "a", (pith_type)(PITH_TYPE_REF + 1), false);
    assert_int_equal(table_finish(table, &err), PITH_BAD_USE);
    assert_string_equal(err.code, "unknown_type");
    table_free(table);
}

/* Tables go with the value of the document, and a table without rows is one. */
static void tables_go_with_the_document(void **state)
{
    (void)state;
    pith_error err = {0};
    typed_table *table = table_new("t", NULL);
    table_add_field(table, "a", PITH_TYPE_ANY, false);
    assert_int_equal(table_finish(table, &err), PITH_OK);
    assert_int_equal(pith_doc_table_count(table->doc), 1);
    assert_int_equal(table->view.row_count, 0);
    pith_doc_reset(table->doc);
    assert_int_equal(pith_doc_table_count(table->doc), 0);
    assert_int_equal(pith_doc_make_tables(table->doc, &err), PITH_BAD_USE);
    assert_string_equal(err.code, "unfinished");
    table_free(table);
}

/* What is abandoned or refused leaves an empty document. */
static void failures_leave_nothing(void **state)
{
    (void)state;
    typed_table *table = table_new("t", NULL);
    table_add_field(table, "a", PITH_TYPE_INT, false);
    pith_doc_add_text(table_row(table), "x", 1);
    table_end_row(table, NULL);
    pith_rows_abandon(table->rows);
    table->rows = NULL;
    assert_null(pith_doc_root(table->doc).doc);
    pith_doc_add_null(table->doc);
    assert_int_equal(pith_doc_finish(table->doc, NULL), PITH_OK);
    pith_doc_add_text(table_row(table), "x", 1);
    table_end_row(table, NULL);
    assert_int_equal(table_finish(table, NULL), PITH_UNREPRESENTABLE);
    assert_null(pith_doc_root(table->doc).doc);
    table_free(table);
}

/* Without one of its cells a row is checked all the same, but there is no table. */
static void rows_that_lack_cells(void **state)
{
    (void)state;
    pith_error err = {0};
    for (int wrong = 0; wrong < 2; wrong++) {
        typed_table *table = table_new("t", NULL);
        table_add_field(table, "a", PITH_TYPE_TEXT, false);
        table_add_field(table, "b", PITH_TYPE_INT, false);
        pith_doc_skip(table_row(table));
        if (wrong)
            pith_doc_add_text(table_row(table), "x", 1);
        else
            pith_doc_add_int64(table_row(table), 7);
        table_end_row(table, NULL);
        assert_int_equal(table_finish(table, &err),
                         wrong ? PITH_UNREPRESENTABLE : PITH_OK);
        assert_int_equal(pith_doc_table_count(table->doc), 0);
        if (wrong)
            assert_string_equal(err.code, "type_mismatch");
        table_free(table);
    }
}

/* The table, its row and the cell are levels too. */
static void cells_are_limited_in_depth(void **state)
{
    (void)state;
    pith_doc *doc = must_parse_json("[[[1]]]");
    for (size_t most = 1; most <= 8; most++) {
        pith_options options = {.depth_max = most};
        pith_error err = {0};
        typed_table *table = table_new("t", &options);
        table_add_field(table, "a", PITH_TYPE_ANY, false);
        pith_doc_add_value(table_row(table), pith_doc_root(doc));
        table_end_row(table, NULL);
        pith_status status = table_finish(table, &err);
        assert_int_equal(status, most < 6 ? PITH_LIMIT : PITH_OK);
        assert_true(status == PITH_OK || strcmp(err.code, "depth_limit") == 0);
        table_free(table);
    }
    pith_doc_free(doc);
}

static void walking(void **state)
{
    (void)state;
    pith_error err = {0};
    static const char text[] = "a[1]{x,y:vec(2)}:[1],[1,2]\na[2]{z:bytes?}:AAE=;null";
    pith_doc *tables = tables_read("soch", text, strlen(text), NULL, &err);
    assert_non_null(tables);
    assert_int_equal(pith_doc_table_count(tables), 2);
    pith_table none;
    assert_false(pith_doc_table(tables, 2, &none));
    const typed_table views[] = {table_at(tables, 0), table_at(tables, 1)};
    const typed_table *first = &views[0];
    const typed_table *second = &views[1];
    double numbers[2] = {0};
    assert_int_equal(pith_value_vector(table_get(first, 0, "y"), numbers, 2), 2);
    assert_true(numbers[0] > 0.5 && numbers[1] > 1.5);
    assert_int_equal(table_find(first, "y"), 1);
    assert_int_equal(table_find(first, "q"), 2);
    assert_null(table_get(first, 0, "q").doc);
    assert_null(table_cell(first, 1, 0).doc);
    assert_int_equal(first->view.field_count, 2);
    char bytes[2] = {9, 9};
    assert_int_equal(pith_value_bytes(table_cell(second, 0, 0), bytes, 2), 2);
    assert_memory_equal(bytes, "\0\1", 2);
    assert_int_equal(pith_value_type(table_cell(second, 1, 0)), PITH_TYPE_ANY);
    /* all of them as one document, and one of them alone */
    pith_buffer out = {0};
    assert_int_equal(pith_value_write(pith_doc_root(tables), "json", NULL,
                                      pith_sink_buffer(&out), NULL),
                     PITH_OK);
    assert_string_equal(out.data, "[{\"a\":[{\"x\":[1],\"y\":[1.0,2.0]}]},"
                                  "{\"a\":[{\"z\":\"b64:AAE=\"},{\"z\":null}]}]");
    pith_buffer_free(&out);
    assert_int_equal(table_write(second, "json", NULL, pith_sink_buffer(&out), NULL),
                     PITH_OK);
    assert_string_equal(out.data, "{\"a\":[{\"z\":\"b64:AAE=\"},{\"z\":null}]}");
    pith_buffer_free(&out);
    pith_doc_free(tables);
    pith_doc_free(NULL);
}

/* A format without tables gives some all the same. */
static void from_json(void **state)
{
    (void)state;
    static const char text[] = "[{\"a\":1,\"b\":\"x\"},{\"b\":\"y\",\"a\":2}]";
    typed_table *table = table_parse("json", text, strlen(text), NULL, NULL);
    assert_non_null(table);
    assert_int_equal(table->view.row_count, 2);
    pith_text name = pith_value_text(table_get(table, 1, "b"));
    assert_true(name.len == 1 && name.ptr[0] == 'y');
    table_free(table);
    table = table_parse("json", "5", 1, NULL, NULL);
    assert_non_null(table);
    int64_t five = 0;
    assert_true(pith_value_int64(table_cell(table, 0, 0), &five));
    assert_int_equal(five, 5);
    table_free(table);
    /* what no table can hold is refused as it would be when written */
    pith_error err = {0};
    assert_null(table_parse("json", LIT("[{\"a\":18446744073709551616}]"), NULL, &err));
    assert_int_equal(err.status, PITH_UNREPRESENTABLE);
    assert_string_equal(err.code, "out_of_range");
    assert_null(tables_read("json", LIT("[1e999]"), NULL, &err));
    assert_string_equal(err.code, "out_of_range");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cells_fit_or_not),
        cmocka_unit_test(misuse),
        cmocka_unit_test(refused_names_and_types),
        cmocka_unit_test(tables_go_with_the_document),
        cmocka_unit_test(failures_leave_nothing),
        cmocka_unit_test(rows_that_lack_cells),
        cmocka_unit_test(cells_are_limited_in_depth),
        cmocka_unit_test(walking),
        cmocka_unit_test(from_json),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
