/*
 * test_columns.c - the columns of rows: their order, the maps of rows, tables in tables.
 */
#include "testing.h"

#include "doc/columns.h"
#include "meter.h"

/* The columns of the rows of `json`, and the cells of each, as text: "a b|1 2|3 ~" */
static void describe(const char *json, const pith_alloc *alloc, char *to, size_t room)
{
    pith_doc *doc = must_parse_json(json);
    doc_columns columns;
    column_table table;
    size_t len = 0;
    bool failed = false;
    columns_init(&columns, doc, *alloc);
    columns_open(&columns, &table);
    const pith_slot *row = doc->slots + 1;
    for (uint32_t i = 0; i < doc->slots->n && !failed; i++, row = doc_after(doc, row))
        failed = columns_meet(&columns, &table, row, COLUMNS_ADD) > COLUMNS_MAPPED;
    for (uint32_t i = 0; i < table.count && !failed; i++) {
        const pith_key *name = columns_name(&columns, &table, i);
        len += (size_t)snprintf(to + len, room - len, "%s%.*s", i ? " " : "",
                                (int)name->len, name->text);
    }
    row = doc->slots + 1;
    for (uint32_t i = 0; i < doc->slots->n && !failed; i++, row = doc_after(doc, row)) {
        const pith_slot *const *cells = columns_arrange(&columns, &table, row);
        failed = !cells;
        for (uint32_t k = 0; k < table.count && !failed; k++) {
            pith_text cell = cells[k] ? slot_text(cells[k]) : (pith_text){"~", 1};
            len += (size_t)snprintf(to + len, room - len, "%s%.*s", k ? " " : "|",
                                    (int)cell.len, cell.ptr);
        }
    }
    snprintf(to + len, room - len, "%s", failed ? "!" : "");
    columns_close(&columns, &table);
    columns_free(&columns);
    pith_doc_free(doc);
}

typedef struct columns_row {
    const char *json;
    const char *expected;
} columns_row;

static const columns_row tables[] = {
    {"[{\"a\":1,\"b\":2},{\"a\":3,\"b\":4}]", "a b|1 2|3 4"},
    {"[{\"a\":1,\"b\":2},{\"b\":3,\"a\":4}]", "a b|1 2|4 3"},
    {"[{\"a\":1,\"b\":2},{\"b\":3},{\"a\":4},{\"b\":5}]", "a b|1 2|~ 3|4 ~|~ 5"},
    {"[{\"a\":1},{\"b\":2,\"a\":3},{\"c\":4}]", "a b c|1 ~ ~|3 2 ~|~ ~ 4"},
    {"[{\"a\":1},{\"a\":2,\"b\":3},{\"a\":4,\"b\":5}]", "a b|1 ~|2 3|4 5"},
    {"[{},{\"a\":1},{},{\"b\":2}]", "a b|~ ~|1 ~|~ ~|~ 2"},
    {"[{\"\":1},{\"a\":2,\"\":3}]", " a|1 ~|3 2"},
};

static void columns_are_the_union_of_keys(void **state)
{
    (void)state;
    char found[256];
    size_t failures = 0;
    for (size_t i = 0; i < ROWS(tables); i++) {
        meter counts = {0};
        pith_alloc alloc = meter_alloc(&counts);
        describe(tables[i].json, &alloc, found, sizeof found);
        failures += !same_bytes(tables[i].json, found, strlen(found), tables[i].expected,
                                strlen(tables[i].expected));
        assert_true(meter_clean(&counts));
    }
    assert_int_equal(failures, 0);
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    char found[256];
    for (size_t fail = 1; fail < 12; fail++) {
        meter counts = {0};
        counts.fail_at = fail;
        pith_alloc alloc = meter_alloc(&counts);
        describe(tables[3].json, &alloc, found, sizeof found);
        assert_int_equal(strchr(found, '!') != NULL, counts.failures > 0);
        assert_true(meter_clean(&counts));
    }
}

/* Rows of one shape need no memory at all. */
static void one_shape_needs_nothing(void **state)
{
    (void)state;
    meter counts = {0};
    pith_doc *doc = must_parse_json("[{\"a\":1,\"b\":2},{\"a\":3,\"b\":4}]");
    doc_columns columns;
    column_table table;
    columns_init(&columns, doc, meter_alloc(&counts));
    columns_open(&columns, &table);
    const pith_slot *row = doc->slots + 1;
    for (uint32_t i = 0; i < doc->slots->n; i++, row = doc_after(doc, row)) {
        columns_new fresh = i == 0 ? COLUMNS_ADD : COLUMNS_REFUSE;
        assert_int_equal(columns_meet(&columns, &table, row, fresh), COLUMNS_IN_ORDER);
    }
    assert_int_equal(table.count, 2);
    assert_memory_equal(columns_name(&columns, &table, 1)->text, "b", 1);
    assert_int_equal(counts.requests, 0);
    columns_close(&columns, &table);
    columns_free(&columns);
    pith_doc_free(doc);
    assert_true(meter_clean(&counts));
}

static void unknown_keys_can_be_refused(void **state)
{
    (void)state;
    meter counts = {0};
    pith_doc *doc = must_parse_json("[{\"a\":1},{\"b\":2},{\"a\":3,\"b\":4}]");
    doc_columns columns;
    column_table table;
    columns_init(&columns, doc, meter_alloc(&counts));
    columns_open(&columns, &table);
    const pith_slot *row = doc->slots + 1;
    columns_meet(&columns, &table, row, COLUMNS_ADD);
    for (uint32_t i = 1; i < doc->slots->n; i++) {
        row = doc_after(doc, row);
        assert_int_equal(columns_meet(&columns, &table, row, COLUMNS_REFUSE),
                         COLUMNS_STRAY);
        assert_null(columns_arrange(&columns, &table, row));
    }
    assert_int_equal(table.count, 1);
    columns_close(&columns, &table);
    columns_free(&columns);
    pith_doc_free(doc);
    assert_true(meter_clean(&counts));
}

/* An outer table keeps its columns and maps while inner ones come and go, also if these
 * have the same shapes. */
static void tables_may_be_in_tables(void **state)
{
    (void)state;
    meter counts = {0};
    pith_doc *doc = must_parse_json("[{\"a\":1,\"b\":2},{\"b\":3,\"a\":4},{\"b\":5}]");
    doc_columns columns;
    column_table outer;
    columns_init(&columns, doc, meter_alloc(&counts));
    columns_open(&columns, &outer);
    const pith_slot *first = doc->slots + 1;
    const pith_slot *second = doc_after(doc, first);
    const pith_slot *third = doc_after(doc, second);
    assert_int_equal(columns_meet(&columns, &outer, first, COLUMNS_ADD),
                     COLUMNS_IN_ORDER);
    for (unsigned round = 0; round < 50; round++) {
        column_table inner;
        assert_int_equal(columns_meet(&columns, &outer, second, COLUMNS_ADD),
                         COLUMNS_MAPPED);
        size_t held = columns_hold(&columns, &outer, second);
        columns_open(&columns, &inner);
        columns_meet(&columns, &inner, third, COLUMNS_ADD);
        assert_int_equal(columns_meet(&columns, &inner, first, COLUMNS_ADD),
                         COLUMNS_MAPPED);
        assert_int_equal(columns_map(&columns, &inner)[0], 1);
        assert_int_equal(columns_map(&columns, &inner)[1], 0);
        assert_int_equal(inner.count, 2);
        assert_int_equal(columns_map(&columns, &outer)[0], 1);
        columns_close(&columns, &inner);
        columns_release(&columns, held);
        assert_int_equal(columns_map(&columns, &outer)[0], 1);
        assert_int_equal(columns_map(&columns, &outer)[1], 0);
        assert_int_equal(outer.count, 2);
    }
    columns_close(&columns, &outer);
    columns_free(&columns);
    pith_doc_free(doc);
    assert_true(meter_clean(&counts));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(columns_are_the_union_of_keys),
        cmocka_unit_test(every_allocation_may_fail),
        cmocka_unit_test(one_shape_needs_nothing),
        cmocka_unit_test(unknown_keys_can_be_refused),
        cmocka_unit_test(tables_may_be_in_tables),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
