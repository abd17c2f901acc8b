/*
 * test_rows_cells.c - rows of a table as arrays of cells.
 *
 * Whatever the format and wherever the batches end, the text is that of the same rows cell
 * by cell.
 */
#include "random.h"
#include "testing.h"
#include "named.h"

static const char *const columns[] = {"id", "name", "tags", "sum"};

enum { WIDTH = ROWS(columns), COUNT = 700, CELLS_MOST = 12 * COUNT };

static pith_cell text_cell(pith_cell_kind kind, const char *text)
{
    return (pith_cell){
        .kind = (uint8_t)kind, .len = (uint32_t)strlen(text), .u.text = text};
}

/* The cells of rows; `nested` and `absent` say what may be among them. */
static size_t draw_rows(uint64_t *seed, pith_cell *cells, bool nested, bool absent)
{
    static const char *const texts[] = {"Ada", "", "a,b", "\xc3\xa9",
                                        "longer than sixteen bytes"};
    size_t count = 0;
    for (int64_t i = 0; i < COUNT; i++) {
        cells[count++] = (pith_cell){.kind = PITH_CELL_INT64, .u.integer = i};
        cells[count++] =
            text_cell(PITH_CELL_TEXT, texts[random_small(seed, ROWS(texts))]);
        if (absent && random_small(seed, 5) == 0) {
            cells[count++] = (pith_cell){.kind = PITH_CELL_ABSENT};
        } else if (nested && random_small(seed, 3) > 0) {
            cells[count++] = (pith_cell){.kind = PITH_CELL_ARRAY};
            cells[count++] = (pith_cell){.kind = PITH_CELL_OBJECT};
            cells[count++] = text_cell(PITH_CELL_KEY, texts[random_small(seed, 2)]);
            cells[count++] = (pith_cell){.kind = PITH_CELL_TRUE};
            cells[count++] = (pith_cell){.kind = PITH_CELL_CLOSE};
            cells[count++] = (pith_cell){.kind = PITH_CELL_CLOSE};
        } else {
            cells[count++] = (pith_cell){.kind = PITH_CELL_NULL};
        }
        cells[count++] = (pith_cell){.kind = PITH_CELL_DOUBLE, .u.number = (double)i / 8};
    }
    return count;
}

/* One value as a document, and how many cells it was. */
static size_t one_value(pith_doc *doc, const pith_cell *cells)
{
    size_t count = 0;
    size_t depth = 0;
    do {
        depth +=
            cells[count].kind == PITH_CELL_ARRAY || cells[count].kind == PITH_CELL_OBJECT;
        depth -= cells[count].kind == PITH_CELL_CLOSE;
        count++;
    } while (depth > 0);
    pith_doc_reset(doc);
    pith_doc_add_cells(doc, cells, count);
    assert_int_equal(pith_doc_finish(doc, NULL), PITH_OK);
    return count;
}

static pith_status cell_by_cell(const char *format, const pith_cell *cells, size_t count,
                                pith_buffer *out, pith_error *err)
{
    pith_rows *rows =
        rows_open_named(format, columns, WIDTH, NULL, pith_sink_buffer(out), err);
    pith_doc *value = pith_doc_new(NULL);
    assert_non_null(rows);
    size_t column = 0;
    for (size_t i = 0; i < count; column++) {
        if (cells[i].kind == PITH_CELL_ABSENT) {
            pith_doc_skip(pith_rows_row(rows));
            i++;
        } else {
            i += one_value(value, cells + i);
            pith_doc_add_value(pith_rows_row(rows), pith_doc_root(value));
        }
        if ((column + 1) % WIDTH == 0)
            pith_rows_end_row(rows, NULL);
    }
    pith_doc_free(value);
    return pith_rows_close(rows, err);
}

static pith_status in_batches(const char *format, const pith_cell *cells, size_t count,
                              uint64_t *seed, size_t most, pith_buffer *out,
                              pith_error *err)
{
    pith_rows *rows =
        rows_open_named(format, columns, WIDTH, NULL, pith_sink_buffer(out), err);
    assert_non_null(rows);
    for (size_t i = 0, some; i < count; i += some) {
        some = 1 + random_small(seed, most);
        some = some < count - i ? some : count - i;
        pith_rows_add_cells(rows, cells + i, some, NULL);
    }
    return pith_rows_close(rows, err);
}

static void batches_are_rows(void **state)
{
    (void)state;
    static const char *const formats[] = {"json",     "ndjson",   "csv",  "tsv",
                                          "toon",     "gcf",      "pith", "soch",
                                          "soch-bin", "toon-rows"};
    static const size_t sizes[] = {1, 3, 20, 3000, CELLS_MOST};
    pith_cell *cells = calloc(CELLS_MOST, sizeof *cells);
    assert_non_null(cells);
    uint64_t seed = 5;
    size_t failures = 0;
    size_t written = 0;
    for (size_t f = 0; f < ROWS(formats); f++) {
        for (unsigned kind = 0; kind < 4; kind++) {
            size_t count = draw_rows(&seed, cells, kind & 1, kind & 2);
            pith_buffer one = {0};
            pith_error why = {0};
            pith_status expected = cell_by_cell(formats[f], cells, count, &one, &why);
            written += expected == PITH_OK;
            for (size_t s = 0; s < ROWS(sizes); s++) {
                pith_buffer many = {0};
                pith_error err = {0};
                pith_status status =
                    in_batches(formats[f], cells, count, &seed, sizes[s], &many, &err);
                if (status != expected ||
                    (status != PITH_OK && strcmp(err.message, why.message)))
                    failures++;
                else if (status == PITH_OK)
                    failures +=
                        !same_bytes(formats[f], many.data, many.len, one.data, one.len);
                pith_buffer_free(&many);
            }
            pith_buffer_free(&one);
        }
    }
    free(cells);
    assert_int_equal(failures, 0);
    assert_true(written > 20);
}

/* More columns than a shape has. */
static void wide_rows(void **state)
{
    (void)state;
    enum { WIDE = 300 };
    static char names[WIDE][8];
    const char *list[WIDE];
    pith_cell cells[2 * WIDE];
    for (size_t i = 0; i < WIDE; i++) {
        snprintf(names[i], sizeof names[i], "c%zu", i);
        list[i] = names[i];
        cells[i] = (pith_cell){.kind = PITH_CELL_INT64, .u.integer = (int64_t)i};
        cells[WIDE + i] =
            (pith_cell){.kind = i % 100 == 50 ? PITH_CELL_ABSENT : PITH_CELL_NULL};
    }
    pith_buffer one = {0};
    pith_rows *rows =
        rows_open_named("ndjson", list, WIDE, NULL, pith_sink_buffer(&one), NULL);
    for (size_t i = 0; i < 2 * WIDE; i++) {
        if (i < WIDE)
            pith_doc_add_int64(pith_rows_row(rows), (int64_t)i);
        else if (i % 100 == 50)
            pith_doc_skip(pith_rows_row(rows));
        else
            pith_doc_add_null(pith_rows_row(rows));
        if ((i + 1) % WIDE == 0)
            assert_int_equal(pith_rows_end_row(rows, NULL), PITH_OK);
    }
    assert_int_equal(pith_rows_close(rows, NULL), PITH_OK);
    pith_buffer many = {0};
    rows = rows_open_named("ndjson", list, WIDE, NULL, pith_sink_buffer(&many), NULL);
    for (size_t i = 0; i < 2 * WIDE; i += 40)
        assert_int_equal(pith_rows_add_cells(rows, cells + i, 40, NULL), PITH_OK);
    assert_int_equal(pith_rows_close(rows, NULL), PITH_OK);
    assert_true(same_bytes("wide", many.data, many.len, one.data, one.len));
    pith_buffer_free(&one);
    pith_buffer_free(&many);
}

/* ---------------------------------------------------------------------- mistakes */

static void mistakes(void **state)
{
    (void)state;
    pith_cell null = {.kind = PITH_CELL_NULL};
    const struct {
        pith_cell cells[5];
        size_t count;
        const char *code;
    } cases[] = {
        {{null, null}, 2, "row_unfinished"},
        {{null, null, null, null, null}, 5, "row_unfinished"},
        {{{.kind = PITH_CELL_CLOSE}}, 1, "expected_value"},
        {{{.kind = PITH_CELL_KEY}}, 1, "not_keyed"},
        {{null, null, null, {.kind = 99}}, 4, "unknown_cell"},
        {{null, null, null, {.kind = PITH_CELL_TEXT, .len = 1, .u.text = "\xff"}},
         4,
         "invalid_utf8"},
    };
    static const char *const formats[] = {"ndjson", "toon", "pith"};
    size_t failures = 0;
    for (size_t f = 0; f < ROWS(formats); f++) {
        for (size_t i = 0; i < ROWS(cases); i++) {
            pith_error err = {0};
            pith_buffer out = {0};
            pith_rows *rows = rows_open_named(formats[f], columns, WIDTH, NULL,
                                              pith_sink_buffer(&out), NULL);
            pith_rows_add_cells(rows, cases[i].cells, cases[i].count, NULL);
            if (pith_rows_close(rows, &err) == PITH_OK ||
                strcmp(err.code, cases[i].code) != 0) {
                fprintf(stderr, "%s, case %zu: %s\n", formats[f], i, err.code);
                failures++;
            }
            pith_buffer_free(&out);
        }
    }
    assert_int_equal(failures, 0);
}

static void cells_and_single_cells_do_not_mix(void **state)
{
    (void)state;
    pith_cell null = {.kind = PITH_CELL_NULL};
    pith_error err = {0};
    pith_buffer out = {0};
    pith_rows *rows =
        rows_open_named("ndjson", columns, WIDTH, NULL, pith_sink_buffer(&out), NULL);
    pith_doc_add_null(pith_rows_row(rows));
    assert_int_equal(pith_rows_add_cells(rows, &null, 1, &err), PITH_BAD_USE);
    assert_string_equal(err.code, "row_unfinished");
    pith_rows_abandon(rows);
    rows = rows_open_named("ndjson", columns, WIDTH, NULL, pith_sink_buffer(&out), NULL);
    pith_rows_add_cells(rows, &null, 1, NULL);
    assert_int_equal(pith_rows_end_row(rows, &err), PITH_BAD_USE);
    assert_string_equal(err.code, "row_width_mismatch");
    pith_rows_abandon(rows);
    rows = pith_rows_open("ndjson", NULL, 0, NULL, pith_sink_buffer(&out), NULL);
    assert_int_equal(pith_rows_add_cells(rows, &null, 1, &err), PITH_BAD_USE);
    assert_string_equal(err.code, "no_columns");
    pith_rows_abandon(rows);
    pith_buffer_free(&out);
}

/* The number that was said beforehand is held, bytes are bytes, tables in objects work. */
static void what_rows_can_do_besides(void **state)
{
    (void)state;
    pith_cell cells[] = {{.kind = PITH_CELL_BYTES, .len = 2, .u.text = "\1\2"},
                         {.kind = PITH_CELL_BYTES, .len = 2, .u.text = "\1\2"}};
    static const char *const one[] = {"b"};
    static const char *const formats[] = {"ndjson", "soch", "json"};
    static const char *const expected[] = {
        "{\"b\":\"AQI=\"}\n{\"b\":\"AQI=\"}\n",
        "_[2]{b}:\nb64:AQI=\nb64:AQI=", "[{\"b\":\"AQI=\"},{\"b\":\"AQI=\"}]"};
    for (size_t f = 0; f < ROWS(formats); f++) {
        pith_buffer out = {0};
        pith_buffer same = {0};
        pith_rows *rows =
            rows_open_named(formats[f], one, 1, NULL, pith_sink_buffer(&out), NULL);
        assert_int_equal(pith_rows_add_cells(rows, cells, 2, NULL), PITH_OK);
        assert_int_equal(pith_rows_close(rows, NULL), PITH_OK);
        rows = rows_open_named(formats[f], one, 1, NULL, pith_sink_buffer(&same), NULL);
        for (int i = 0; i < 2; i++) {
            pith_doc_add_bytes(pith_rows_row(rows), "\1\2", 2);
            pith_rows_end_row(rows, NULL);
        }
        assert_int_equal(pith_rows_close(rows, NULL), PITH_OK);
        assert_true(same_bytes(formats[f], out.data, out.len, same.data, same.len));
        if (f != 1)
            assert_string_equal(out.data, expected[f]);
        pith_buffer_free(&out);
        pith_buffer_free(&same);
    }
    static const char *const counted[] = {"gcf", "pith"};
    for (size_t f = 0; f < ROWS(counted); f++) {
        pith_error err = {0};
        pith_buffer out = {0};
        pith_rows *rows =
            rows_open_named(counted[f], one, 1, NULL, pith_sink_buffer(&out), NULL);
        pith_rows_expect(rows, 1);
        assert_int_equal(pith_rows_add_cells(rows, cells, 2, &err), PITH_BAD_USE);
        assert_string_equal(err.code, "count_mismatch");
        pith_rows_abandon(rows);
        pith_buffer_free(&out);
    }
    pith_buffer out = {0};
    pith_rows *rows = pith_rows_open_object("json", NULL, pith_sink_buffer(&out), NULL);
    rows_begin_named(rows, "t", one, 1, NULL);
    pith_rows_add_cells(rows, cells, 2, NULL);
    rows_begin_named(rows, "u", columns, WIDTH, NULL);
    pith_cell null[WIDTH] = {{.kind = PITH_CELL_NULL},
                             {.kind = PITH_CELL_TRUE},
                             {.kind = PITH_CELL_ABSENT},
                             {.kind = PITH_CELL_NULL}};
    pith_rows_add_cells(rows, null, WIDTH, NULL);
    assert_int_equal(pith_rows_close(rows, NULL), PITH_OK);
    assert_string_equal(out.data,
                        "{\"t\":[{\"b\":\"AQI=\"},{\"b\":\"AQI=\"}],\"u\":[{\"id\":null,"
                        "\"name\":true,\"sum\":null}]}");
    pith_buffer_free(&out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(batches_are_rows),
        cmocka_unit_test(wide_rows),
        cmocka_unit_test(mistakes),
        cmocka_unit_test(cells_and_single_cells_do_not_mix),
        cmocka_unit_test(what_rows_can_do_besides),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
