/*
 * test_rows_state.c - tables that are held, saved, merged and restored.
 */
#include "base/crc32c.h"
#include "bytes.h"
#include "testing.h"

static const pith_text columns[] = {{"id", 2}, {"name", 4}};

/* A held table with rows that lack a cell, hold a container, and digits. */
static pith_rows *held(int from, int count)
{
    pith_error err = {0};
    pith_rows *rows = pith_rows_open(NULL, columns, 2, NULL, (pith_sink){0}, &err);
    assert_non_null(rows);
    for (int i = from; i < from + count; i++) {
        pith_cell cells[] = {
            {.kind = PITH_CELL_INT64, .u.integer = i},
            {.kind = PITH_CELL_ARRAY},
            {.kind = PITH_CELL_DIGITS, .len = 4, .u.text = "1.50"},
            {.kind = PITH_CELL_TEXT, .len = 4, .u.text = "a\n\"b"},
            {.kind = PITH_CELL_CLOSE},
        };
        if (i % 3 == 0)
            cells[1] = (pith_cell){.kind = PITH_CELL_ABSENT};
        assert_int_equal(pith_rows_add_cells(rows, cells, i % 3 == 0 ? 2 : 5, &err),
                         PITH_OK);
    }
    return rows;
}

static pith_buffer saved(pith_rows *rows)
{
    pith_buffer state = {0};
    pith_error err = {0};
    assert_int_equal(pith_rows_save(rows, pith_sink_buffer(&state), &err), PITH_OK);
    return state;
}

/* What comes of a state that is restored, with another one merged into it. */
static pith_buffer written(const char *format, const pith_buffer *state,
                           const pith_buffer *more)
{
    pith_buffer out = {0};
    pith_error err = {0};
    pith_rows *rows = pith_rows_restore(format, state->data, state->len, NULL,
                                        pith_sink_buffer(&out), &err);
    if (!rows)
        print_error("%s: %s\n", format, err.message);
    assert_non_null(rows);
    if (more)
        assert_int_equal(pith_rows_merge(rows, more->data, more->len, &err), PITH_OK);
    assert_int_equal(pith_rows_close(rows, &err), PITH_OK);
    return out;
}

static void states_are_merged(void **state)
{
    (void)state;
    static const char *const formats[] = {"json", "ndjson", "pith"};
    pith_rows *first = held(0, 400);
    pith_rows *second = held(400, 5);
    pith_rows *both = held(0, 405);
    pith_buffer a = saved(first);
    pith_buffer b = saved(second);
    pith_buffer whole = saved(both);
    for (size_t i = 0; i < ROWS(formats); i++) {
        pith_buffer one = written(formats[i], &whole, NULL);
        pith_buffer two = written(formats[i], &a, &b);
        assert_true(same_bytes(formats[i], two.data, two.len, one.data, one.len));
        pith_buffer_free(&one);
        pith_buffer_free(&two);
    }
    /* A held table takes another's rows, goes on, and is saved again. */
    assert_int_equal(pith_rows_merge(first, b.data, b.len, NULL), PITH_OK);
    pith_buffer again = saved(first);
    assert_true(same_bytes("again", again.data, again.len, whole.data, whole.len));
    pith_buffer_free(&again);
    again = saved(first);
    assert_true(same_bytes("twice", again.data, again.len, whole.data, whole.len));
    pith_buffer_free(&again);
    assert_int_equal(pith_rows_close(first, NULL), PITH_OK);
    pith_rows_abandon(second);
    pith_rows_abandon(both);
    pith_buffer_free(&a);
    pith_buffer_free(&b);
    pith_buffer_free(&whole);
}

static void empty_tables_travel(void **state)
{
    (void)state;
    pith_rows *rows = held(0, 0);
    pith_buffer nothing = saved(rows);
    static const char head[] =
        "{\"pith_rows\":1,\"columns\":[\"id\",\"name\"],\"rows\":0,\"crc32c\":";
    assert_memory_equal(nothing.data, head, sizeof head - 1);
    pith_buffer out = written("csv", &nothing, &nothing);
    assert_string_equal(out.data, "id,name\n");
    pith_buffer_free(&out);
    pith_buffer_free(&nothing);
    pith_rows_abandon(rows);

    /* Rows that are any values. */
    rows = pith_rows_open(NULL, NULL, 0, NULL, (pith_sink){0}, NULL);
    pith_doc *doc = must_parse_json("[1,\"x\"]");
    assert_int_equal(pith_rows_add_row(rows, pith_doc_root(doc), NULL), PITH_OK);
    pith_buffer any = saved(rows);
    out = written("json", &any, &any);
    assert_string_equal(out.data, "[[1,\"x\"],[1,\"x\"]]");
    pith_buffer_free(&out);
    pith_buffer_free(&any);
    pith_rows_abandon(rows);
    pith_doc_free(doc);
}

static void wrong_states_are_refused(void **state)
{
    (void)state;
    static const pith_text others[] = {{"id", 2}, {"names", 5}};
    pith_error err = {0};
    pith_rows *rows = held(1, 3);
    pith_buffer text = saved(rows);
    for (size_t len = 0; len < text.len; len++) {
        assert_int_equal(pith_rows_merge(rows, text.data, len, &err), PITH_BAD_INPUT);
        assert_string_equal(err.code, "bad_state");
    }
    for (size_t i = 0; i < text.len; i++) {
        text.data[i] ^= 4;
        assert_int_not_equal(pith_rows_merge(rows, text.data, text.len, &err), PITH_OK);
        text.data[i] ^= 4;
    }
    pith_buffer after = saved(rows);
    assert_true(same_bytes("unchanged", after.data, after.len, text.data, text.len));
    pith_buffer_free(&after);

    pith_rows *other = pith_rows_open(NULL, others, 2, NULL, (pith_sink){0}, NULL);
    assert_int_equal(pith_rows_merge(other, text.data, text.len, &err), PITH_BAD_USE);
    assert_string_equal(err.code, "schema_mismatch");
    pith_rows_abandon(other);
    assert_null(
        pith_rows_restore("no", text.data, text.len, NULL, pith_sink_fd(1), &err));
    assert_null(pith_rows_restore("csv", text.data, 9, NULL, pith_sink_fd(1), &err));

    pith_buffer out = {0};
    other = pith_rows_open("csv", columns, 2, NULL, pith_sink_buffer(&out), &err);
    assert_int_equal(pith_rows_save(other, pith_sink_buffer(&out), &err), PITH_BAD_USE);
    assert_string_equal(err.code, "not_held");
    pith_rows_abandon(other);
    pith_buffer_free(&out);

    pith_doc_add_null(pith_rows_row(rows));
    assert_int_equal(pith_rows_save(rows, pith_sink_buffer(&out), &err), PITH_BAD_USE);
    assert_string_equal(err.code, "row_unfinished");
    pith_rows_abandon(rows);
    pith_buffer_free(&text);
}

/* The state of a table of one column "a" with these lines, whose checksum is right. */
static void lie(bytes *to, unsigned rows, const char *lines)
{
    unsigned char count[8] = {(unsigned char)rows};
    uint32_t sum = crc32c(0, lines, strlen(lines));
    sum = crc32c(crc32c(crc32c(sum, "a", 1), "", 1), count, sizeof count);
    bytes_print(to,
                "{\"pith_rows\":1,\"columns\":[\"a\"],\"rows\":%u,\"crc32c\":%lu}\n%s",
                rows, (unsigned long)sum, lines);
}

static void lies_are_refused(void **state)
{
    (void)state;
    static const pith_text column = PITH_TEXT("a");
    static const struct {
        unsigned rows;
        const char *lines;
    } lies[] = {
        {2, "{\"a\":1}\n"},          {0, "{\"a\":1}\n"}, {1, "{\"a\":1,\"b\":2}\n"},
        {2, "{\"a\":1}\n[\"a\"]\n"}, {1, "{\"a\":\n"},   {1, "{\"a\":\"\xff\"}\n"},
        {1, "{\"a\":1,\"a\":2}\n"},
    };
    pith_buffer out = {0};
    pith_error err = {0};
    pith_rows *rows =
        pith_rows_open("csv", &column, 1, NULL, pith_sink_buffer(&out), &err);
    for (size_t i = 0; i < ROWS(lies); i++) {
        bytes text = {0};
        lie(&text, lies[i].rows, lies[i].lines);
        assert_int_equal(pith_rows_merge(rows, text.ptr, text.len, &err), PITH_BAD_INPUT);
        assert_string_equal(err.code, "bad_state");
        bytes_free(&text);
    }
    bytes truth = {0};
    lie(&truth, 1, "{\"a\":7}\n");
    assert_int_equal(pith_rows_merge(rows, truth.ptr, truth.len, &err), PITH_OK);
    bytes_free(&truth);
    assert_int_equal(pith_rows_close(rows, &err), PITH_OK);
    assert_string_equal(out.data, "a\n7\n");
    pith_buffer_free(&out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(states_are_merged),
        cmocka_unit_test(empty_tables_travel),
        cmocka_unit_test(wrong_states_are_refused),
        cmocka_unit_test(lies_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
