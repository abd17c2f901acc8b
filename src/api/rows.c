/*
 * rows.c - tables that leave one row at a time.
 *
 * The cells of a row are collected in a small document, which is emptied and used
 * again for the next. A finished row is handed to the row writer (see format/rows.h).
 */
#include "api/rows.h"
#include "api/budget.h"
#include "api/sinks.h"
#include "doc/spelled.h"

/* The weight of rows that is counted first, and then at each doubling of it. */
enum { ROWS_FIRST_LOOK = 8192 };

/* Whether rows are handed on one by one. A format that can do so but does not claim to
 * stream can only do it for columns it knows, and some for scalars alone; care needs them
 * all. */
static bool rows_stream(const api_side *to, size_t column_count, bool nested)
{
    const row_format *format = to->format->write_rows;
    unsigned rules = format && format->rules ? format->rules(&to->set) : 0;
    return format && !side_needs_whole_value(to) && !(rules & ROWS_COLLECT) &&
           !(nested && (rules & ROWS_SCALARS)) &&
           (column_count > 0 || (to->format->info.streams & PITH_WRITE));
}

void pith_rows_abandon(pith_rows *rows)
{
    if (!rows)
        return;
    pith_alloc alloc = rows->alloc;
    arrow_in_free(rows->arrow);
    if (rows->into && rows->writer.all) {
        if (!rows->writer.all->finished)
            pith_doc_reset(rows->writer.all);
        rows->writer.all = NULL; /* it is the caller's */
    }
    row_writer_free(&rows->writer);
    out_abandon(&rows->out);
    alloc_free(&alloc, rows->declared,
               rows->writer.table.column_count * sizeof *rows->declared);
    api_columns_free(&rows->columns);
    api_columns_free(&rows->members);
    pith_doc_free(rows->row);
    pith_buffer_free(&rows->held);
    alloc_free(&alloc, rows, sizeof *rows);
}

pith_status rows_take_columns(pith_rows *rows, const pith_text *names, size_t count,
                              pith_error *err)
{
    for (size_t i = 0; i < count; i++) {
        if (!names || !names[i].ptr) {
            return error_set(err, PITH_BAD_USE, "no_columns",
                             "%zu columns are announced, and the name of number %zu is "
                             "not given",
                             count, i);
        }
    }
    for (size_t i = 0; i < count; i++)
        if (!api_columns_add(&rows->columns, names[i]))
            return error_no_memory(err);
    rows->writer.table.columns = rows->columns.names.keys.at;
    rows->writer.table.column_count = count;
    memset(&rows->cells, 0, sizeof rows->cells);
    rows->cells.columns = rows->writer.table.columns;
    rows->cells.column_count = count;
    return PITH_OK;
}

pith_status rows_check_columns(pith_rows *rows, pith_error *err)
{
    pith_doc_open_object(rows->row);
    for (size_t i = 0; i < rows->writer.table.column_count; i++) {
        pith_text name = key_text(&rows->writer.table.columns[i]);
        pith_doc_add_key(rows->row, name.ptr, name.len);
        pith_doc_add_null(rows->row);
    }
    pith_doc_close(rows->row);
    pith_status status = pith_doc_finish(rows->row, err);
    pith_doc_reset(rows->row);
    return status;
}

/* Everything but telling the format: NULL on failure. Without a sink the rows are held. */
static pith_rows *rows_new(const char *format, const pith_options *options,
                           const pith_sink *sink, pith_error *err)
{
    pith_alloc alloc = alloc_from(options);
    pith_rows *rows = (pith_rows *)alloc_zeroed(&alloc, sizeof *rows);
    if (!rows) {
        error_no_memory(err);
        return NULL;
    }
    rows->alloc = alloc;
    rows->writer.table.alloc = alloc;
    if (options) {
        rows->options = *options;
        rows->options.read = NULL;
        rows->options.write = NULL;
    }
    api_columns_init(&rows->columns, alloc);
    api_columns_init(&rows->members, alloc);
    rows->held.alloc = alloc;
    rows->holds = !sink;
    out_init(&rows->out, sink ? *sink : pith_sink_buffer(&rows->held), options);
    if (out_explain(&rows->out, err) != PITH_OK ||
        side_for_writing(&rows->to, format, options, err) != PITH_OK) {
        pith_rows_abandon(rows);
        return NULL;
    }
    return rows;
}

static pith_status rows_start(pith_rows *rows, bool streams, const pith_options *options,
                              pith_error *err)
{
    row_writer *w = &rows->writer;
    size_t hold_max = options ? options->hold_max : 0;
    w->format = rows->to.format->write_rows;
    w->out = &rows->out;
    w->hold_max = hold_max ? hold_max : (size_t)PITH_HOLD_DEFAULT;
    w->patch = sinks_patch(rows->out.sink);
    w->table.set = &rows->to.set;
    if (!streams && !w->all)
        w->all = pith_doc_new(options);
    if (w->all && !w->table.object && budget_is_of_first(&rows->to))
        rows->look_at = ROWS_FIRST_LOOK;
    rows->row = pith_doc_new(options);
    if (!rows->row || (!streams && !w->all))
        return error_no_memory(err);
    pith_status status = rows_check_columns(rows, err);
    return status == PITH_OK ? row_writer_open(w, err) : status;
}

/* Begins the array or the object, for rows that are handed on or for all of them. */
static pith_rows *rows_ready(pith_rows *rows, bool streams, const pith_options *options,
                             pith_error *err)
{
    if (rows_start(rows, streams, options, err) != PITH_OK) {
        pith_rows_abandon(rows);
        return NULL;
    }
    return rows;
}

pith_rows *rows_open(const char *format, const pith_text *columns, size_t count,
                     bool nested, const pith_options *options, const pith_sink *sink,
                     pith_error *err)
{
    pith_rows *rows = rows_new(format, options, sink, err);
    if (!rows)
        return NULL;
    if (rows_take_columns(rows, columns, count, err) != PITH_OK) {
        pith_rows_abandon(rows);
        return NULL;
    }
    return rows_ready(rows, rows_stream(&rows->to, count, nested), options, err);
}

/* Held rows are lines of JSON, whatever the settings. */
static pith_rows *rows_hold(const pith_text *columns, size_t count,
                            const pith_options *options, pith_error *err)
{
    pith_options held;
    memset(&held, 0, sizeof held);
    if (options)
        held = *options;
    held.write = NULL;
    return rows_open("ndjson", columns, count, false, &held, NULL, err);
}

pith_rows *pith_rows_open(const char *format, const pith_text *columns, size_t count,
                          const pith_options *options, pith_sink sink, pith_error *err)
{
    return format ? rows_open(format, columns, count, false, options, &sink, err)
                  : rows_hold(columns, count, options, err);
}

pith_rows *pith_rows_open_object(const char *format, const pith_options *options,
                                 pith_sink sink, pith_error *err)
{
    pith_rows *rows = rows_new(format, options, &sink, err);
    if (!rows)
        return NULL;
    const codec *to = rows->to.format;
    bool able = to->write_rows && to->write_rows->member;
    if (!able && (to->info.streams & PITH_WRITE)) {
        error_set(err, PITH_UNREPRESENTABLE, "not_an_array",
                  "%s holds rows and nothing around them, so it cannot hold an object of "
                  "tables",
                  to->info.name);
        pith_rows_abandon(rows);
        return NULL;
    }
    rows->writer.table.object = true;
    return rows_ready(rows, able && !side_needs_whole_value(&rows->to), options, err);
}

pith_rows *pith_rows_into(pith_doc *doc, const pith_options *options, pith_error *err)
{
    pith_options plain;
    memset(&plain, 0, sizeof plain);
    if (options)
        plain = *options;
    plain.write = NULL;
    pith_rows *rows = rows_new("json", &plain, NULL, err);
    if (!rows)
        return NULL;
    pith_doc_reset(doc);
    rows->into = true;
    rows->all_tables = true;
    rows->writer.all = doc;
    rows->writer.table.object = true;
    return rows_ready(rows, false, options, err);
}

void rows_fail(pith_rows *rows, const char *code, const char *sentence)
{
    if (rows->fault.status == PITH_OK)
        error_set(&rows->fault, PITH_BAD_USE, code, "%s", sentence);
}

void pith_rows_expect(pith_rows *rows, uint64_t count)
{
    if (rows->fault.status == PITH_OK && (rows->writer.table.rows > 0 || rows->row_open))
        rows_fail(rows, "late_count", "the count is told before the first row");
    rows->writer.expects = true;
    rows->writer.expected = count;
}

bool rows_have_types(const pith_rows *rows)
{
    return rows->into ||
           (rows->to.format->write_rows && rows->to.format->write_rows->typed);
}

/* Copies the names a field has. False when out of memory. */
static bool rows_keep_field(pith_rows *rows, size_t column, const pith_field *field)
{
    pith_field *kept = &rows->declared[column];
    *kept = *field;
    kept->name = key_text(&rows->writer.table.columns[column]);
    kept->nullable = field->nullable || field->type == PITH_TYPE_ANY;
    if (field->type != PITH_TYPE_REF || field->target.len == 0) {
        kept->target = text_of(NULL, 0);
        return true;
    }
    kept->target.ptr =
        arena_copy(&rows->columns.copies, field->target.ptr, field->target.len);
    return kept->target.ptr != NULL;
}

/* Room for what is said of the columns, none of which has a type yet. */
static bool rows_make_declared(pith_rows *rows)
{
    size_t count = rows->writer.table.column_count;
    rows->declared =
        (pith_field *)alloc_zeroed(&rows->alloc, count * sizeof *rows->declared);
    for (size_t i = 0; i < count && rows->declared; i++) {
        rows->declared[i].name = key_text(&rows->writer.table.columns[i]);
        rows->declared[i].nullable = true;
    }
    rows->writer.table.fields = rows->declared;
    return rows->declared != NULL;
}

void pith_rows_declare(pith_rows *rows, size_t column, const pith_field *field)
{
    const row_format *format = rows->to.format->write_rows;
    bool takes = rows->into || (format && !rows->writer.table.object &&
                                (format->typed || format->declared));
    if (rows->fault.status != PITH_OK || !takes)
        return;
    if (rows->writer.table.rows > 0 || rows->row_open)
        rows_fail(rows, "late_field", "columns are declared before the first row");
    else if (column >= rows->writer.table.column_count)
        rows_fail(rows, "no_column", "there is no column of that number");
    else if ((unsigned)field->type > PITH_TYPE_REF)
        rows_fail(rows, "unknown_type", "there is no such type");
    else if ((!rows->declared && !rows_make_declared(rows)) ||
             !rows_keep_field(rows, column, field))
        error_no_memory(&rows->fault);
}

/* ---------------------------------------------------------------------- cells */

/* Begins a row, whose keys are the columns where there are some. */
static void rows_begin_row(pith_rows *rows)
{
    pith_doc *row = rows->row;
    row->plain_bytes = !rows_have_types(rows);
    if (rows->cells.column_count > 0)
        cells_open_row(row, &rows->cells);
    rows->row_open = true;
    rows->row_handed = true;
}

pith_doc *pith_rows_row(pith_rows *rows)
{
    if (rows->fault.status == PITH_OK && rows->row_open && !rows->row_handed)
        rows_fail(rows, "row_unfinished", "the row before has not been ended");
    if (rows->fault.status == PITH_OK && rows->cells.column_count == 0 &&
        rows->writer.table.object)
        rows_fail(rows, "no_columns", "no table has been begun yet");
    if (rows->fault.status == PITH_OK && !rows->row_open)
        rows_begin_row(rows);
    if (rows->fault.status != PITH_OK)
        rows->row->fault = rows->fault; /* what is added then is not taken */
    return rows->row;
}

/* ----------------------------------------------------------------------- rows */

pith_status rows_result(const pith_rows *rows, pith_error *err)
{
    if (rows->fault.status != PITH_OK && err)
        *err = rows->fault;
    return rows->fault.status;
}

void rows_check(pith_rows *rows, pith_status status, const pith_error *fault)
{
    if (status != PITH_OK)
        rows->fault = *fault;
    else if (rows->out.status != PITH_OK)
        out_finish(&rows->out, &rows->fault);
}

/* Finds out whether the rows collected so far are too many, now that their weight has
 * doubled. */
static void rows_look(pith_rows *rows)
{
    pith_error fault;
    pith_doc *all = rows->writer.all;
    bool fits = true;
    uint32_t open = all->open;
    size_t depth = all->depth;
    pith_doc_close(all);
    pith_status status = pith_doc_finish(all, &fault);
    if (status == PITH_OK)
        status = budget_fits(&rows->to, all, &rows->options, &fits, &fault);
    all->finished = false;
    all->open = open;
    all->depth = depth;
    rows->full = !fits;
    rows->look_at = rows->weight < SIZE_MAX / 2 ? 2 * rows->weight : SIZE_MAX;
    rows_check(rows, status, &fault);
}

void rows_send(pith_rows *rows, const pith_doc *doc, uint32_t at)
{
    pith_error fault;
    assert(doc_is_spelled(doc));
    if (rows->full) {
        rows->beyond++;
        return;
    }
    rows->writer.table.key = rows->writer.table.keyed ? &rows->cells.key : NULL;
    rows_check(rows, row_writer_put(&rows->writer, doc, at, &fault), &fault);
    if (rows->look_at > 0 && rows->fault.status == PITH_OK) {
        rows->weight += cut_weight(doc, at);
        if (rows->weight >= rows->look_at)
            rows_look(rows);
    }
}

pith_status pith_rows_flush(pith_rows *rows, pith_error *err)
{
    if (rows->fault.status == PITH_OK) {
        out_flush(&rows->out, 0);
        rows_check(rows, PITH_OK, NULL);
    }
    return rows_result(rows, err);
}

/* Takes the row as it is, if it is whole. */
static void rows_end(pith_rows *rows)
{
    pith_doc *row = rows->row;
    bool lacks = row->fault.status == PITH_OK && rows->cells.column_count > 0 &&
                 row->open == rows->cells.row;
    if (!rows->row_handed || lacks) {
        rows_fail(rows, "row_width_mismatch",
                  "the row has fewer cells than there are columns");
        return;
    }
    pith_doc_finish(row, &rows->fault);
    rows_check_key(rows);
    if (rows->fault.status == PITH_OK) {
        rows->skips = rows->skips || row->slots[0].n < rows->cells.column_count;
        rows_send(rows, row, 0);
    }
}

pith_status pith_rows_end_row(pith_rows *rows, pith_error *err)
{
    if (rows->fault.status == PITH_OK)
        rows_end(rows);
    pith_doc_reset(rows->row);
    rows->cells.open = false;
    rows->row_open = false;
    rows->row_handed = false;
    return rows_result(rows, err);
}

/* Puts the members of an object in column order and adds them as cells. */
static void rows_add_members(pith_rows *rows, pith_value row)
{
    pith_text stray;
    if (pith_value_kind(row) != PITH_OBJECT) {
        error_set(&rows->fault, PITH_UNREPRESENTABLE, "not_an_object",
                  "a row of a table with columns is an object");
        return;
    }
    if (!api_columns_arrange(&rows->columns, row, &stray)) {
        if (rows->columns.names.failed) {
            error_no_memory(&rows->fault);
            return;
        }
        error_set(&rows->fault, PITH_UNREPRESENTABLE, "unknown_column",
                  "the row has a member \"%s\" that is not among the columns",
                  error_quote(stray.ptr, stray.len).text);
        return;
    }
    pith_doc *to = pith_rows_row(rows);
    for (size_t i = 0; i < rows->writer.table.column_count; i++) {
        pith_value cell = rows->columns.cells.at[i];
        if (cell.doc)
            pith_doc_add_value(to, cell);
        else
            pith_doc_skip(to);
    }
}

/* Whether the row that was begun has its key and nothing else. */
static bool rows_has_only_key(const pith_rows *rows)
{
    return rows->row_handed && rows->cells.has_key && rows->row->count == 1 &&
           rows->cells.at == 0;
}

pith_status pith_rows_add_row(pith_rows *rows, pith_value row, pith_error *err)
{
    if (rows->fault.status == PITH_OK && rows->row_open && !rows_has_only_key(rows))
        rows_fail(rows, "row_unfinished", "the row before has not been ended");
    if (rows->fault.status == PITH_OK && !row.doc)
        rows_fail(rows, "no_value", "there is no value to add");
    if (rows->fault.status == PITH_OK && rows->writer.table.column_count > 0) {
        rows_add_members(rows, row);
        return pith_rows_end_row(rows, err);
    }
    if (rows->fault.status == PITH_OK && rows->writer.table.object)
        rows_fail(rows, "no_columns", "no table has been begun yet");
    spelled_value spelled;
    if (rows->fault.status == PITH_OK &&
        !spelled_open(&spelled, row.doc, row.at, rows->alloc))
        error_no_memory(&rows->fault);
    if (rows->fault.status == PITH_OK) {
        rows_send(rows, spelled.doc, spelled.at);
        spelled_close(&spelled);
    }
    return rows_result(rows, err);
}

/* What was said of the columns goes with the document that has all rows; not where a row
 * lacks a cell, for then they are no table. False when out of memory. */
static bool rows_describe(pith_rows *rows)
{
    if (!rows->declared || rows->skips || rows->writer.table.rows == 0)
        return true;
    doc_table *table = doc_add_table(rows->writer.all);
    if (!table)
        return false;
    table->name = text_from("_");
    table->unnamed = true;
    table->loose = true;
    table->fields = rows->declared;
    table->field_count = rows->writer.table.column_count;
    return true;
}

static pith_status rows_finish(pith_rows *rows, pith_error *err)
{
    rows_check_between(rows, "the last row has not been ended");
    if (rows->fault.status != PITH_OK)
        return rows_result(rows, err);
    const pith_doc *all = rows->writer.all;
    if (rows->into)
        return rows_end_document(rows, err);
    pith_status status = row_writer_end(&rows->writer, err);
    if (status == PITH_OK && all) {
        return rows_describe(rows)
                   ? write_read_value(&rows->to, all, 0, NULL, rows->beyond,
                                      &rows->options, rows->out.sink, err)
                   : error_no_memory(err);
    }
    if (status == PITH_OK)
        status = out_finish(&rows->out, err);
    if (status == PITH_OK)
        set_streamed_outcome(&rows->options, rows->to.format, &rows->out);
    return status;
}

pith_status pith_rows_close(pith_rows *rows, pith_error *err)
{
    if (!rows)
        return PITH_OK;
    pith_status status = rows_finish(rows, err);
    pith_rows_abandon(rows);
    return status;
}
