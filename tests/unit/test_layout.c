/*
 * test_layout.c - rows laid out by their columns: full, sparse, without shapes.
 */
#include "testing.h"

#include "doc/layout.h"

enum { CELLS_MOST = 300 };

typedef struct laying {
    pith_doc *doc;
    row_layout layout;
} laying;

static void start_laying(laying *l)
{
    memset(l, 0, sizeof *l);
    l->doc = pith_doc_new(NULL);
    assert_non_null(l->doc);
    assert_true(layout_clear(&l->layout, &l->doc->alloc));
}

static void stop_laying(laying *l)
{
    layout_free(&l->layout, &l->doc->alloc);
    pith_doc_free(l->doc);
}

static pith_key name(const char *text)
{
    pith_key key = {text, (uint32_t)strlen(text), SLOT_NEAR_END, 0};
    return key;
}

static uint32_t add_cell(laying *l, uint32_t group, const char *text, uint32_t cell)
{
    pith_key key = name(text);
    uint32_t column = layout_cell(&l->layout, &l->doc->alloc, group, &key, cell);
    assert_true(column > 0);
    return column;
}

static uint32_t add_group(laying *l, uint32_t group, const char *text)
{
    pith_key key = name(text);
    uint32_t column = layout_group(&l->layout, &l->doc->alloc, group, &key);
    assert_true(column > 0);
    return column;
}

static void add_fixed(laying *l, const char *text, const char *value)
{
    pith_key key = name(text);
    pith_slot slot;
    slot_set(&slot, PITH_STRING, SLOT_NEAR_END, value, strlen(value));
    assert_true(layout_fixed(&l->layout, &l->doc->alloc, 0, &key, &slot) > 0);
}

/* {id, customer: {name, city}, region = "eu", total}; city comes last in the header. */
static void lay_orders(laying *l)
{
    start_laying(l);
    add_cell(l, 0, "id", 0);
    uint32_t customer = add_group(l, 0, "customer");
    add_cell(l, customer, "name", 1);
    add_fixed(l, "region", "eu");
    add_cell(l, 0, "total", 2);
    add_cell(l, customer, "city", 3);
    assert_true(layout_plan(&l->layout, l->doc, &l->doc->arena));
}

/* Reads cells, `~` for an absent one and `-` for null, into a row. True if it is there. */
static bool put_row(laying *l, const char *cells)
{
    pith_slot *base = layout_room(&l->layout, l->doc);
    bool full = true;
    assert_non_null(base);
    layout_reset_states(&l->layout);
    for (size_t c = 0; c < l->layout.cell_count; c++) {
        pith_slot *slot = base + l->layout.place[c];
        bool null = cells[c] == '-';
        slot_set(slot, null ? PITH_NULL : PITH_STRING, SLOT_NEAR_END,
                 null ? "null" : &cells[c], null ? 4 : 1);
        if (null || cells[c] == '~') {
            full = false;
            l->layout.states[c] = null ? CELL_NULL : CELL_ABSENT;
        }
    }
    if (full) {
        layout_put(&l->layout.full, l->doc);
        return true;
    }
    const row_template *known = layout_find_sparse(&l->layout, l->doc);
    if (known)
        layout_put_sparse(known, l->doc);
    return known != NULL;
}

/* The row with these cells as JSON. */
static void gives(laying *l, const char *cells, const char *json)
{
    pith_doc_reset(l->doc);
    if (!layout_is_current(&l->layout, l->doc))
        assert_true(layout_plan(&l->layout, l->doc, &l->doc->arena));
    assert_true(put_row(l, cells));
    l->doc->finished = true;
    pith_buffer out = {0};
    pith_error err = {0};
    assert_int_equal(pith_value_write(pith_doc_root(l->doc), "json", NULL,
                                      pith_sink_buffer(&out), &err),
                     PITH_OK);
    assert_string_equal(out.data, json);
    pith_buffer_free(&out);
}

static void full_rows(void **state)
{
    (void)state;
    laying l;
    lay_orders(&l);
    assert_int_equal(l.layout.full.slots, 7);
    assert_int_equal(l.layout.levels, 2);
    gives(&l, "abcd",
          "{\"id\":\"a\",\"customer\":{\"name\":\"b\",\"city\":\"d\"},\"region\":\"eu\","
          "\"total\":\"c\"}");
    stop_laying(&l);
}

static void sparse_rows(void **state)
{
    (void)state;
    laying l;
    lay_orders(&l);
    for (int again = 0; again < 2; again++) {
        gives(&l, "a~c~", "{\"id\":\"a\",\"region\":\"eu\",\"total\":\"c\"}");
        gives(&l, "a-c-",
              "{\"id\":\"a\",\"customer\":null,\"region\":\"eu\",\"total\":\"c\"}");
        gives(
            &l, "a~c-",
            "{\"id\":\"a\",\"customer\":{\"city\":null},\"region\":\"eu\",\"total\":\"c\"}");
        gives(&l, "~b~d",
              "{\"customer\":{\"name\":\"b\",\"city\":\"d\"},\"region\":\"eu\"}");
        gives(&l, "~~~~", "{\"region\":\"eu\"}");
    }
    assert_int_equal(l.layout.pattern_count, 5);
    stop_laying(&l);
}

/* The first ways to lack something are remembered, the others are not. */
static void few_patterns(void **state)
{
    (void)state;
    laying l;
    char cells[9] = "";
    start_laying(&l);
    static const char *const names[] = {"a", "b", "c", "d", "e", "f", "g", "h"};
    for (uint32_t i = 0; i < 8; i++)
        add_cell(&l, 0, names[i], i);
    assert_true(layout_plan(&l.layout, l.doc, &l.doc->arena));
    size_t found = 0;
    for (int round = 0; round < 2; round++) {
        for (unsigned lacks = 1; lacks < 256; lacks++) {
            for (unsigned i = 0; i < 8; i++)
                cells[i] = lacks >> i & 1 ? '~' : 'x';
            pith_doc_reset(l.doc);
            found += put_row(&l, cells);
        }
    }
    assert_int_equal(found, 2 * LAYOUT_PATTERNS);
    stop_laying(&l);
}

/* An object too wide for a shape has a list of keys, and no sparse rows. */
static void wide_rows(void **state)
{
    (void)state;
    laying l;
    char cells[CELLS_MOST + 1];
    char names[CELLS_MOST][8];
    start_laying(&l);
    for (uint32_t i = 0; i < CELLS_MOST; i++) {
        snprintf(names[i], sizeof names[i], "k%u", i);
        add_cell(&l, 0, names[i], i);
    }
    memset(cells, 'x', CELLS_MOST);
    cells[CELLS_MOST] = '\0';
    assert_true(layout_plan(&l.layout, l.doc, &l.doc->arena));
    assert_true(l.layout.loose);
    assert_true(put_row(&l, cells));
    const pith_slot *row = &l.doc->slots[0];
    assert_int_equal(row->n, CELLS_MOST);
    assert_int_equal(row->shape, SHAPE_NONE);
    assert_string_equal(doc_keys(l.doc, row)[CELLS_MOST - 1].text, "k299");
    cells[7] = '~';
    assert_false(put_row(&l, cells));
    stop_laying(&l);
}

/* A layout is used again for other columns. */
static void cleared_layouts(void **state)
{
    (void)state;
    laying l;
    lay_orders(&l);
    gives(&l, "a~c~", "{\"id\":\"a\",\"region\":\"eu\",\"total\":\"c\"}");
    assert_true(layout_clear(&l.layout, &l.doc->alloc));
    add_cell(&l, 0, "x", 0);
    add_cell(&l, add_group(&l, add_group(&l, 0, "p"), "q"), "y", 1);
    assert_true(layout_plan(&l.layout, l.doc, &l.doc->arena));
    assert_int_equal(l.layout.levels, 3);
    gives(&l, "ab", "{\"x\":\"a\",\"p\":{\"q\":{\"y\":\"b\"}}}");
    gives(&l, "a~", "{\"x\":\"a\"}");
    gives(&l, "a-", "{\"x\":\"a\",\"p\":null}");
    stop_laying(&l);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(full_rows),       cmocka_unit_test(sparse_rows),
        cmocka_unit_test(few_patterns),    cmocka_unit_test(wide_rows),
        cmocka_unit_test(cleared_layouts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
