/*
 * test_row_writer.c - where the rows of a format go, and when each hook is called.
 *
 * The format here writes a word for every hook, so that the order can be read off.
 */
#include "testing.h"

#include "format/rows.h"
#include "meter.h"

typedef struct toy {
    size_t passed; /* bytes */
} toy;

static unsigned toy_rules_now;

static unsigned toy_rules(const settings *set)
{
    (void)set;
    return toy_rules_now;
}

static pith_status toy_open(row_table *table, pith_out *out, pith_error *err)
{
    (void)table;
    (void)err;
    out_string(out, "open ");
    return PITH_OK;
}

static pith_status toy_header(row_table *table, pith_out *out, uint64_t count,
                              pith_error *err)
{
    char text[8];
    memset(text, '-', sizeof text);
    (void)table;
    (void)err;
    if (count != ROWS_UNKNOWN) {
        memset(text, 0, sizeof text);
        text[0] = (char)('0' + count);
    }
    out_string(out, "header=");
    out_bytes(out, text, sizeof text);
    return PITH_OK;
}

static pith_status toy_begin(row_table *table, pith_out *out, pith_error *err)
{
    (void)table;
    (void)err;
    out_string(out, " begin");
    return PITH_OK;
}

static pith_status toy_row(row_table *table, pith_out *out, const row_cells *row,
                           pith_error *err)
{
    const pith_slot *at = row->row + 1;
    (void)err;
    out_string(out, table->key ? " key" : " row");
    for (size_t i = 0; i < table->column_count; i++) {
        const pith_slot *cell = row_next_cell(row, i, &at);
        out_byte(out, i ? ',' : ':');
        if (!cell)
            out_byte(out, '~');
        else if (slot_is_container(cell))
            out_string(out, "[]");
        else
            out_text(out, slot_text(cell));
    }
    return PITH_OK;
}

static pith_status toy_footer(row_table *table, pith_out *out, pith_error *err)
{
    const toy *state = table->state;
    char text[32];
    (void)err;
    snprintf(text, sizeof text, " footer=%zu", state->passed);
    out_string(out, text);
    return PITH_OK;
}

static void toy_passed(row_table *table, const char *data, size_t len)
{
    toy *state = table->state;
    (void)data;
    state->passed += len;
}

static pith_status toy_block(row_table *table, pith_out *out, pith_text rows,
                             pith_error *err)
{
    (void)table;
    (void)err;
    out_string(out, "block<");
    out_text(out, rows);
    out_byte(out, '>');
    return PITH_OK;
}

static pith_status toy_member(row_table *table, pith_out *out, pith_text key,
                              const pith_doc *doc, uint32_t at, pith_error *err)
{
    (void)table;
    (void)err;
    out_byte(out, ' ');
    out_text(out, key);
    out_byte(out, '=');
    out_text(out, slot_text(&doc->slots[at]));
    return PITH_OK;
}

static pith_status toy_end(row_table *table, pith_out *out, pith_error *err)
{
    (void)table;
    (void)err;
    out_string(out, " end");
    return PITH_OK;
}

static const row_format toy_format = {
    .state_size = sizeof(toy),
    .count_offset = sizeof "open header=" - 1,
    .missing = {"missing_cell", ": column", " is missing"},
    .nested = {"nested_value", " has a list in", ""},
    .rules = toy_rules,
    .open = toy_open,
    .header = toy_header,
    .begin = toy_begin,
    .row = toy_row,
    .footer = toy_footer,
    .passed = toy_passed,
    .block = toy_block,
    .member = toy_member,
    .end = toy_end,
};

/* ------------------------------------------------------------------- the harness */

static bool patch_buffer(pith_sink sink, uint64_t back, const char *data, size_t len)
{
    pith_buffer *buffer = sink.ctx;
    memcpy(buffer->data + buffer->len - back, data, len);
    return true;
}

static const pith_key columns[] = {{"a", 1, SLOT_NEAR_END, 0},
                                   {"b", 1, SLOT_NEAR_END, 0}};

typedef struct writing {
    row_writer w;
    pith_out out;
    pith_buffer text;
    settings set;
} writing;

static void writing_open(writing *t, unsigned rules, pith_alloc alloc)
{
    pith_options options = {.alloc = alloc};
    memset(t, 0, sizeof *t);
    toy_rules_now = rules;
    t->text.alloc = alloc;
    out_init(&t->out, pith_sink_buffer(&t->text), &options);
    t->w.format = &toy_format;
    t->w.out = &t->out;
    t->w.hold_max = 4; /* so that what is held goes through a file */
    t->w.table.set = &t->set;
    t->w.table.alloc = alloc_from(&options);
    t->w.table.columns = columns;
    t->w.table.column_count = ROWS(columns);
}

static pith_status put(writing *t, const char *json, pith_error *err)
{
    pith_doc *doc = must_parse_json(json);
    pith_status status = row_writer_put(&t->w, doc, 0, err);
    pith_doc_free(doc);
    return status;
}

/* Writes all, NULL after the last; the first failure. */
static pith_status put_all(writing *t, const char *const *rows, pith_error *err)
{
    pith_status status = row_writer_open(&t->w, err);
    for (; *rows && status == PITH_OK; rows++)
        status = put(t, *rows, err);
    if (status == PITH_OK)
        status = row_writer_end(&t->w, err);
    row_writer_free(&t->w);
    if (status == PITH_OK)
        return out_finish(&t->out, err);
    out_abandon(&t->out);
    return status;
}

/* The count is 8 bytes, of which those after the first are 0 and shown as points. */
static void must_be(writing *t, const char *expected)
{
    for (size_t i = 0; i < t->text.len; i++)
        t->text.data[i] = t->text.data[i] ? t->text.data[i] : '.';
    bool same = t->text.len == strlen(expected) &&
                memcmp(t->text.data, expected, t->text.len) == 0;
    if (!same) {
        fprintf(stderr, "expected %s\nfound    %.*s\n", expected, (int)t->text.len,
                t->text.data);
    }
    pith_buffer_free(&t->text);
    assert_true(same);
}

static const char *const two_rows[] = {"{\"a\":1,\"b\":[]}", "{\"b\":2}", NULL};
static const char *const no_rows[] = {NULL};

/* ----------------------------------------------------------------------- the ways */

static void rows_go_where_their_count_allows(void **state)
{
    (void)state;
    static const struct {
        unsigned rules;
        bool told;
        bool patch;
        const char *const *rows;
        const char *expected;
    } ways[] = {
        {0, false, false, two_rows, "open header=-------- row:1,[] row:~,2 footer=0 end"},
        {ROWS_COUNT_FIRST, true, false, two_rows,
         "open header=2....... begin row:1,[] row:~,2 footer=23 end"},
        {ROWS_COUNT_FIRST, false, false, two_rows,
         "open header=2....... begin row:1,[] row:~,2 footer=23 end"},
        {ROWS_COUNT_FIRST | ROWS_PATCH, false, true, two_rows,
         "open header=\2....... begin row:1,[] row:~,2 footer=23 end"},
        {ROWS_COUNT_FIRST | ROWS_PATCH, false, false, two_rows,
         "open header=2....... begin row:1,[] row:~,2 footer=23 end"},
        {ROWS_COUNT_FIRST | ROWS_BLOCK, true, true, two_rows,
         "open block< begin row:1,[] row:~,2> end"},
        {ROWS_COUNT_FIRST, false, false, no_rows,
         "open header=0....... begin footer=6 end"},
    };
    for (size_t i = 0; i < ROWS(ways); i++) {
        pith_error err = {0};
        writing t;
        writing_open(&t, ways[i].rules, (pith_alloc){0});
        t.w.expects = ways[i].told;
        t.w.expected = 2;
        t.w.patch = ways[i].patch ? patch_buffer : NULL;
        assert_int_equal(put_all(&t, ways[i].rows, &err), PITH_OK);
        must_be(&t, ways[i].expected);
    }
}

static void rows_can_be_collected(void **state)
{
    (void)state;
    pith_error err = {0};
    pith_buffer json = {0};
    writing t;
    writing_open(&t, 0, (pith_alloc){0});
    t.w.all = pith_doc_new(NULL);
    assert_int_equal(row_writer_open(&t.w, &err), PITH_OK);
    assert_int_equal(put(&t, two_rows[0], &err), PITH_OK);
    assert_int_equal(put(&t, two_rows[1], &err), PITH_OK);
    assert_int_equal(row_writer_end(&t.w, &err), PITH_OK);
    assert_int_equal(pith_value_write(pith_doc_root(t.w.all), "json", NULL,
                                      pith_sink_buffer(&json), &err),
                     PITH_OK);
    assert_int_equal(json.len, strlen("[{\"a\":1,\"b\":[]},{\"b\":2}]"));
    assert_memory_equal(json.data, "[{\"a\":1,\"b\":[]},{\"b\":2}]", json.len);
    pith_buffer_free(&json);
    row_writer_free(&t.w);
    out_abandon(&t.out);
}

/* --------------------------------------------------------------------- refusals */

static void bad_rows_are_refused(void **state)
{
    (void)state;
    static const char *const one_more[] = {"{\"a\":1,\"b\":1}", "{\"a\":1,\"b\":1}",
                                           "{\"a\":1,\"b\":1}", NULL};
    static const struct {
        unsigned rules;
        bool told;
        const char *const *rows;
        const char *message;
    } bad[] = {
        {ROWS_ALL, false, two_rows, "row 2: column \"a\" is missing"},
        {ROWS_SCALARS, false, two_rows, "row 1 has a list in \"b\""},
        {ROWS_ALL | ROWS_SCALARS, false, two_rows + 1, "row 1: column \"a\" is missing"},
        {0, true, one_more, "2 rows were expected, and there are more than 2"},
        {0, true, two_rows + 1, "2 rows were expected, and there are only 1"},
    };
    for (size_t i = 0; i < ROWS(bad); i++) {
        pith_error err = {0};
        writing t;
        writing_open(&t, bad[i].rules, (pith_alloc){0});
        t.w.expects = bad[i].told;
        t.w.expected = 2;
        assert_int_not_equal(put_all(&t, bad[i].rows, &err), PITH_OK);
        assert_string_equal(err.message, bad[i].message);
        pith_buffer_free(&t.text);
    }
}

/* ---------------------------------------------------------------------- objects */

static void objects_have_members_and_tables(void **state)
{
    (void)state;
    pith_error err = {0};
    pith_doc *value = must_parse_json("7");
    pith_doc *key = must_parse_json("\"k\"");
    writing t;
    writing_open(&t, 0, (pith_alloc){0});
    t.w.table.object = true;
    assert_int_equal(row_writer_open(&t.w, &err), PITH_OK);
    assert_int_equal(row_writer_member(&t.w, text_from("m"), pith_doc_root(value), &err),
                     PITH_OK);
    assert_int_equal(row_writer_enter(&t.w, text_from("t"), true, &err), PITH_OK);
    t.w.table.key = &key->slots[0];
    assert_int_equal(put(&t, "{\"a\":1,\"b\":2}", &err), PITH_OK);
    assert_int_equal(row_writer_leave(&t.w, &err), PITH_OK);
    assert_int_equal(t.w.table.members, 2);
    assert_int_equal(row_writer_end(&t.w, &err), PITH_OK);
    row_writer_free(&t.w);
    assert_int_equal(out_finish(&t.out, &err), PITH_OK);
    must_be(&t, "open  m=7header=-------- key:1,2 footer=0 end");
    pith_doc_free(key);
    pith_doc_free(value);
}

/* ------------------------------------------------------------------------ memory */

static void every_allocation_of_a_writer_may_fail(void **state)
{
    (void)state;
    static const unsigned rules[] = {0, ROWS_COUNT_FIRST, ROWS_COUNT_FIRST | ROWS_BLOCK};
    for (size_t i = 0; i < ROWS(rules); i++) {
        pith_status status = PITH_NO_MEMORY;
        for (size_t fail = 1; status != PITH_OK; fail++) {
            meter counts = {.fail_at = fail};
            pith_error err = {0};
            writing t;
            writing_open(&t, rules[i], meter_alloc(&counts));
            status = put_all(&t, two_rows, &err);
            pith_buffer_free(&t.text);
            assert_true(status == PITH_OK || status == PITH_NO_MEMORY);
            assert_true(meter_clean(&counts));
            assert_true(fail < 100);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_go_where_their_count_allows),
        cmocka_unit_test(rows_can_be_collected),
        cmocka_unit_test(bad_rows_are_refused),
        cmocka_unit_test(objects_have_members_and_tables),
        cmocka_unit_test(every_allocation_of_a_writer_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
