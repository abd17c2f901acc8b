/*
 * oom_cells.c - values in batches without memory; see sweep.h.
 */
#include "sweep.h"
#include "named.h"

static pith_cell text_cell(pith_cell_kind kind, const char *text)
{
    return (pith_cell){
        .kind = (uint8_t)kind, .len = (uint32_t)strlen(text), .u.text = text};
}

/* Rows of a shape, some with a gap, and objects whose keys come with them: more of these
 * than a tree of shapes begins with, and one that is too wide for it. */
static void add_rows(pith_doc *doc, uint32_t shape)
{
    pith_cell cells[8] = {{.kind = PITH_CELL_ARRAY}};
    pith_doc_add_cells(doc, cells, 1);
    for (size_t i = 0; i < 300; i++) {
        char name[16];
        snprintf(name, sizeof name, "key %zu", i);
        cells[0] = (pith_cell){.kind = PITH_CELL_SHAPED, .u.natural = shape};
        cells[1] = (pith_cell){.kind = PITH_CELL_DOUBLE, .u.number = (double)i / 8};
        cells[2] = text_cell(i % 7 ? PITH_CELL_TEXT : PITH_CELL_ABSENT,
                             "a \"text\" that is long");
        cells[3] = (pith_cell){.kind = PITH_CELL_OBJECT};
        cells[4] = text_cell(PITH_CELL_KEY, name);
        cells[5] = text_cell(PITH_CELL_BYTES, name);
        cells[6] = (pith_cell){.kind = PITH_CELL_CLOSE};
        pith_doc_add_cells(doc, cells, 7);
    }
    cells[0] = (pith_cell){.kind = PITH_CELL_OBJECT};
    pith_doc_add_cells(doc, cells, 1);
    for (size_t i = 0; i < 260; i++) {
        char name[16];
        snprintf(name, sizeof name, "%zu", i);
        cells[0] = text_cell(PITH_CELL_KEY, name);
        cells[1] = text_cell(PITH_CELL_DIGITS, name);
        pith_doc_add_cells(doc, cells, 2);
    }
    cells[0] = cells[1] = (pith_cell){.kind = PITH_CELL_CLOSE};
    pith_doc_add_cells(doc, cells, 2);
}

/* A walk needs no memory. */
static void walk_all(const pith_doc *doc, bytes *result)
{
    pith_walk walk;
    pith_event events[100];
    pith_text key;
    size_t count;
    pith_walk_begin(&walk, pith_doc_root(doc), 0);
    while ((count = pith_walk_next(&walk, events, ROWS(events))) > 0)
        for (size_t i = 0; i < count; i++)
            bytes_print(result, "%d %zu,", events[i].kind,
                        pith_walk_keys(&walk, &events[i], &key, 1));
}

static pith_status run_cells(const void *job, pith_options *options, bytes *result)
{
    (void)job;
    const pith_text keys[] = {{"a", 1}, {"b", 1}, {"c", 1}};
    pith_error err = {0};
    pith_doc *doc = pith_doc_new(options);
    if (!doc)
        return PITH_NO_MEMORY;
    uint32_t shape = pith_doc_shape(doc, keys, ROWS(keys));
    if (shape == 0) {
        pith_doc_free(doc);
        return PITH_NO_MEMORY;
    }
    add_rows(doc, shape);
    pith_status status = pith_doc_finish(doc, &err);
    if (sweep_again(options, status, &err)) {
        pith_doc_reset(doc);
        add_rows(doc, pith_doc_shape(doc, keys, ROWS(keys)));
        status = pith_doc_finish(doc, &err);
    }
    sweep_add_value(result, pith_doc_root(doc));
    walk_all(doc, result);
    pith_doc_free(doc);
    return status;
}

static void cells_without_memory(void **state)
{
    (void)state;
    assert_int_equal(sweep_run("cells", run_cells, NULL, NULL), 0);
}

static pith_status run_rows(const void *job, pith_options *options, bytes *result)
{
    const char *const columns[] = {"a", "b", "c"};
    pith_error err = {0};
    pith_buffer out = {.alloc = options->alloc};
    pith_rows *rows = rows_open_named((const char *)job, columns, ROWS(columns), options,
                                      pith_sink_buffer(&out), &err);
    if (!rows)
        return sweep_failure(&err);
    pith_status status = PITH_OK;
    for (size_t i = 0; i < 200; i++) {
        pith_cell cells[5] = {{.kind = PITH_CELL_INT64, .u.integer = (int64_t)i},
                              text_cell(PITH_CELL_TEXT, "a text that is longer"),
                              {.kind = PITH_CELL_ARRAY},
                              {.kind = PITH_CELL_CLOSE}};
        if (i % 9 == 0)
            cells[1].kind = PITH_CELL_ABSENT;
        pith_rows_add_cells(rows, cells, 1 + i % 3, NULL);
        status = pith_rows_add_cells(rows, cells + 1 + i % 3, 3 - i % 3, NULL);
    }
    if (status == PITH_OK)
        status = pith_rows_close(rows, &err);
    else
        pith_rows_abandon(rows);
    sweep_add_output(result, &out);
    return status;
}

static void rows_of_cells_without_memory(void **state)
{
    (void)state;
    assert_int_equal(sweep_run("rows of ndjson", run_rows, "ndjson", NULL), 0);
    assert_int_equal(sweep_run("rows of gcf", run_rows, "gcf", NULL), 0);
    assert_int_equal(sweep_run("rows of pith", run_rows, "pith", NULL), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cells_without_memory),
        cmocka_unit_test(rows_of_cells_without_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
