/*
 * rows_state.c - tables that travel before they are written.
 *
 * A table that is held has no sink: its rows wait in memory, as lines of JSON. Saved, it is
 * those lines with one before them that says what they are:
 *
 *     {"pith_rows":1,"columns":["id","name"],"rows":2,"crc32c":1234567}
 *     {"id":1,"name":"Ada"}
 *     {"id":2}
 *
 * Merging such a state into a held table is a copy of its lines. Any other table is given
 * its rows one by one.
 */
#include "api/rows.h"
#include "base/crc32c.h"

enum { ROWS_STATE_VERSION = 1 };

/* A state that was read. */
typedef struct rows_state {
    pith_doc *head; /* the first line */
    pith_text lines;
    uint64_t rows;
    pith_alloc alloc;
} rows_state;

/* The checksum of everything in a state: of its lines first, then of the names, each with
 * its end, and then of the number of rows. */
static uint32_t rows_state_sum_name(uint32_t sum, pith_text name)
{
    return crc32c(crc32c(sum, name.ptr, name.len), "", 1);
}

static uint32_t rows_state_sum_rows(uint32_t sum, uint64_t rows)
{
    unsigned char bytes[8];
    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = (unsigned char)(rows >> (8 * i));
    return crc32c(sum, bytes, sizeof bytes);
}

/* -------------------------------------------------------------------------- saving */

static void rows_state_number(pith_doc *doc, const char *key, uint64_t number)
{
    pith_doc_add_key(doc, key, strlen(key));
    pith_doc_add_uint64(doc, number);
}

static void rows_state_build(pith_doc *doc, const pith_rows *rows)
{
    const row_table *table = &rows->writer.table;
    uint32_t sum = crc32c(0, rows->held.data, rows->held.len);
    pith_doc_open_object(doc);
    rows_state_number(doc, "pith_rows", ROWS_STATE_VERSION);
    pith_doc_add_key(doc, "columns", 7);
    pith_doc_open_array(doc);
    for (size_t i = 0; i < table->column_count; i++) {
        pith_text name = key_text(&table->columns[i]);
        pith_doc_add_text(doc, name.ptr, name.len);
        sum = rows_state_sum_name(sum, name);
    }
    pith_doc_close(doc);
    rows_state_number(doc, "rows", table->rows);
    rows_state_number(doc, "crc32c", rows_state_sum_rows(sum, table->rows));
    pith_doc_close(doc);
}

static pith_status rows_state_write(const pith_rows *rows, pith_sink sink,
                                    pith_error *err)
{
    pith_options options;
    memset(&options, 0, sizeof options);
    options.alloc = rows->alloc;
    options.write = "final-newline=true";
    pith_doc *head = pith_doc_new(&options);
    if (!head)
        return error_no_memory(err);
    rows_state_build(head, rows);
    pith_status status = pith_doc_finish(head, err);
    if (status == PITH_OK)
        status = pith_value_write(pith_doc_root(head), "json", &options, sink, err);
    if (status == PITH_OK && rows->held.len > 0)
        status = out_hand(sink, rows->held.data, rows->held.len, err);
    pith_doc_free(head);
    return status;
}

pith_status pith_rows_save(pith_rows *rows, pith_sink sink, pith_error *err)
{
    if (rows->fault.status == PITH_OK && !rows->holds)
        return error_set(err, PITH_BAD_USE, "not_held",
                         "only a table without a format can be saved; rows of others "
                         "may have left already");
    rows_check_between(rows, "the last row has not been ended");
    pith_status status = pith_rows_flush(rows, err);
    return status == PITH_OK ? rows_state_write(rows, sink, err) : status;
}

/* ------------------------------------------------------------------------- reading */

static pith_status rows_state_bad(pith_error *err, const char *what)
{
    return error_set(err, PITH_BAD_INPUT, "bad_state",
                     "this is not the state of a table: %s", what);
}

static void rows_state_close(rows_state *state)
{
    pith_doc_free(state->head);
}

static uint32_t rows_state_sum(const rows_state *state, pith_value columns)
{
    uint32_t sum = crc32c(0, state->lines.ptr, state->lines.len);
    pith_value name = pith_value_first(columns);
    for (; name.doc; name = pith_value_next(name))
        sum = rows_state_sum_name(sum, pith_value_text(name));
    return rows_state_sum_rows(sum, state->rows);
}

static pith_status rows_state_check(rows_state *state, pith_error *err)
{
    pith_value head = pith_doc_root(state->head);
    pith_value columns = pith_value_get(head, "columns", 7);
    uint64_t version = 0;
    uint64_t sum = 0;
    if (!pith_value_uint64(pith_value_get(head, "pith_rows", 9), &version) ||
        version != ROWS_STATE_VERSION)
        return rows_state_bad(err, "its first line has no version that is known here");
    if (!pith_value_uint64(pith_value_get(head, "rows", 4), &state->rows) ||
        !pith_value_uint64(pith_value_get(head, "crc32c", 6), &sum) ||
        pith_value_kind(columns) != PITH_ARRAY)
        return rows_state_bad(err, "its first line lacks something");
    if (sum != rows_state_sum(state, columns))
        return rows_state_bad(err, "it is cut off or damaged");
    return PITH_OK;
}

/* The text is borrowed. Close it whatever the outcome. */
static pith_status rows_state_open(rows_state *state, const char *text, size_t len,
                                   pith_alloc alloc, pith_error *err)
{
    pith_options options;
    pith_error local;
    memset(&options, 0, sizeof options);
    memset(state, 0, sizeof *state);
    options.alloc = alloc;
    state->alloc = alloc;
    const char *end = len > 0 ? (const char *)memchr(text, '\n', len) : NULL;
    if (!end)
        return rows_state_bad(err, "it has no first line");
    size_t head = (size_t)(end - text);
    state->lines = text_of(end + 1, len - head - 1);
    state->head = pith_doc_parse("json", text, head, &options, &local);
    if (!state->head && local.status == PITH_NO_MEMORY)
        return error_no_memory(err);
    return state->head ? rows_state_check(state, err)
                       : rows_state_bad(err, "its first line is not JSON");
}

/* ------------------------------------------------------------------------- merging */

static bool rows_state_fits(const pith_rows *rows, const rows_state *state)
{
    const row_table *table = &rows->writer.table;
    pith_value names = pith_value_get(pith_doc_root(state->head), "columns", 7);
    pith_value name = pith_value_first(names);
    if (table->object || pith_value_count(names) != table->column_count)
        return false;
    for (size_t i = 0; i < table->column_count; i++, name = pith_value_next(name))
        if (!text_equal(key_text(&table->columns[i]), pith_value_text(name)))
            return false;
    return true;
}

static pith_status rows_state_copy(pith_rows *rows, const rows_state *state,
                                   pith_error *err)
{
    pith_status status = pith_rows_flush(rows, err);
    if (status == PITH_OK && state->lines.len > 0) {
        status =
            out_hand(rows->out.sink, state->lines.ptr, state->lines.len, &rows->fault);
    }
    if (status == PITH_OK)
        rows->writer.table.rows += state->rows;
    return rows_result(rows, err);
}

/* Whether a table can take the rows: a checksum can be right and the rest a lie. */
static pith_status rows_state_check_rows(pith_rows *rows, const rows_state *state,
                                         pith_value list, pith_error *err)
{
    pith_text stray;
    if (pith_value_count(list) != state->rows)
        return rows_state_bad(err, "it has another number of rows than it says");
    if (rows->writer.table.column_count == 0)
        return PITH_OK;
    for (pith_value row = pith_value_first(list); row.doc; row = pith_value_next(row)) {
        if (pith_value_kind(row) == PITH_OBJECT &&
            api_columns_arrange(&rows->columns, row, &stray))
            continue;
        return rows->columns.names.failed
                   ? error_no_memory(err)
                   : rows_state_bad(err, "a row of it does not have its columns");
    }
    return PITH_OK;
}

static pith_status rows_state_add(pith_rows *rows, const rows_state *state,
                                  pith_error *err)
{
    pith_options options;
    memset(&options, 0, sizeof options);
    options.alloc = state->alloc;
    options.depth_max = PITH_DEPTH_MOST;
    pith_doc *doc =
        pith_doc_parse("ndjson", state->lines.ptr, state->lines.len, &options, err);
    if (!doc) {
        return err->status == PITH_BAD_INPUT
                   ? rows_state_bad(err, "its rows are not lines of JSON")
                   : err->status;
    }
    pith_value list = pith_doc_root(doc);
    pith_status status = rows_state_check_rows(rows, state, list, err);
    pith_value row = pith_value_first(list);
    for (; status == PITH_OK && row.doc; row = pith_value_next(row))
        status = pith_rows_add_row(rows, row, err);
    pith_doc_free(doc);
    return status;
}

static pith_status rows_state_merge(pith_rows *rows, const rows_state *state,
                                    pith_error *err)
{
    if (!rows_state_fits(rows, state)) {
        return error_set(err, PITH_BAD_USE, "schema_mismatch",
                         "the columns of the state are not those of the table");
    }
    rows_check_between(rows, "the row before has not been ended");
    if (rows->fault.status != PITH_OK)
        return rows_result(rows, err);
    return rows->holds ? rows_state_copy(rows, state, err)
                       : rows_state_add(rows, state, err);
}

pith_status pith_rows_merge(pith_rows *rows, const char *state, size_t len,
                            pith_error *err)
{
    rows_state from;
    pith_error local;
    err = err ? err : &local;
    pith_status status = rows_state_open(&from, state, len, rows->alloc, err);
    if (status == PITH_OK)
        status = rows_state_merge(rows, &from, err);
    rows_state_close(&from);
    return status;
}

/* The names of the columns, which live as long as the state does. */
static pith_text *rows_state_columns(const rows_state *state, size_t *count)
{
    pith_value names = pith_value_get(pith_doc_root(state->head), "columns", 7);
    *count = pith_value_count(names);
    pith_text *columns =
        (pith_text *)alloc_zeroed(&state->alloc, (*count ? *count : 1) * sizeof *columns);
    pith_value name = pith_value_first(names);
    for (size_t i = 0; columns && name.doc; name = pith_value_next(name))
        columns[i++] = pith_value_text(name);
    return columns;
}

pith_rows *pith_rows_restore(const char *format, const char *state, size_t len,
                             const pith_options *options, pith_sink sink, pith_error *err)
{
    rows_state from;
    pith_error local;
    size_t count = 0;
    pith_rows *rows = NULL;
    err = err ? err : &local;
    pith_status status = rows_state_open(&from, state, len, alloc_from(options), err);
    if (status == PITH_OK) {
        pith_text *columns = rows_state_columns(&from, &count);
        if (columns)
            rows = pith_rows_open(format, columns, count, options, sink, err);
        else
            error_no_memory(err);
        alloc_free(&from.alloc, columns, (count ? count : 1) * sizeof *columns);
    }
    if (rows && rows_state_merge(rows, &from, err) != PITH_OK) {
        pith_rows_abandon(rows);
        rows = NULL;
    }
    rows_state_close(&from);
    return rows;
}
