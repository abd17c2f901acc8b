/*
 * rows_object.c - an object that leaves piece by piece: members, and tables under names.
 *
 *     pith_rows_open_object      {
 *     pith_rows_add_member         "station": "OSL-3",
 *     pith_rows_begin_table        "readings": [
 *     ... cells, end_row             {"time": "06:00", "degrees": -3.5},
 *                                    ...
 *                                  ],
 *     pith_rows_begin_table        "sensors": {                                keyed
 *     ... key, cells, end_row        "s1": {"kind": "wind", "ok": true},
 *                                    ...
 *     pith_rows_close              }}
 *
 * Where the format streams such objects every row is on its way as soon as it is ended,
 * and all that stays after is the names of the members, which must differ. Where it
 * does not, the object is collected and written at the end. The keys of a keyed
 * table are rows: comparing them would need memory for each, so that is left to the
 * caller, and to whoever builds or reads the object.
 */
#include "api/rows.h"
#include "base/utf8.h"

void rows_check_between(pith_rows *rows, const char *sentence)
{
    if (rows->row_handed && rows->fault.status == PITH_OK &&
        rows->row->fault.status != PITH_OK)
        rows->fault = rows->row->fault;
    if (rows->row_open)
        rows_fail(rows, "row_unfinished", sentence);
}

void rows_check_key(pith_rows *rows)
{
    if (rows->writer.table.keyed && !rows->cells.has_key)
        rows_fail(rows, "expected_key", "a row of a keyed table begins with its key");
    rows->cells.has_key = false;
}

/* True when something can be added to the object now. */
static bool rows_is_between(pith_rows *rows)
{
    if (!rows->writer.table.object) {
        rows_fail(rows, "not_an_object",
                  "this is one table; pith_rows_open_object begins an object of tables");
    }
    rows_check_between(rows, "the row before has not been ended");
    return rows->fault.status == PITH_OK;
}

/* Notes the name of one member more. False when it cannot be one. */
static bool rows_add_name(pith_rows *rows, pith_text name)
{
    if (utf8_find_invalid(name.ptr, name.len) != name.len) {
        error_set(&rows->fault, PITH_BAD_INPUT, "invalid_utf8", "the name is not UTF-8");
    } else if (name.len > SLOT_TEXT_MOST) {
        error_set(&rows->fault, PITH_LIMIT, "too_large", "a name of 4 GiB or more");
    } else if (!names_index(&rows->members.names)) {
        error_no_memory(&rows->fault);
    } else if (names_look(&rows->members.names, name) != NAMES_NONE) {
        error_set(&rows->fault, PITH_BAD_INPUT, "duplicate_key",
                  "the object has a member \"%s\" already",
                  error_quote(name.ptr, name.len).text);
    } else if (!api_columns_add(&rows->members, name)) {
        error_no_memory(&rows->fault);
    }
    return rows->fault.status == PITH_OK;
}

/* Copies what is known of the columns to the document. False when out of memory. */
static bool rows_keep_fields(pith_rows *rows, doc_table *table)
{
    pith_arena *arena = &rows->writer.all->arena;
    size_t count = rows->writer.table.column_count;
    pith_field *fields =
        (pith_field *)arena_take_aligned(arena, (count + 1) * sizeof *fields);
    for (size_t i = 0; i < count && fields; i++) {
        pith_text name = key_text(&rows->writer.table.columns[i]);
        fields[i] = rows->declared ? rows->declared[i] : (pith_field){.nullable = true};
        fields[i].name = text_of(arena_copy(arena, name.ptr, name.len), name.len);
        if (fields[i].target.len > 0)
            fields[i].target.ptr =
                arena_copy(arena, fields[i].target.ptr, fields[i].target.len);
        if (!fields[i].name.ptr || (fields[i].target.len > 0 && !fields[i].target.ptr))
            return false;
    }
    table->fields = fields;
    table->field_count = count;
    return fields != NULL;
}

/* The table that ends is one of the document's, unless a row lacks a cell. */
static bool rows_keep_table(pith_rows *rows)
{
    pith_text name = rows->writer.table.name;
    doc_table *table = doc_add_table(rows->writer.all);
    if (!table || !rows_keep_fields(rows, table))
        return false;
    table->name =
        text_of(arena_copy(&rows->writer.all->arena, name.ptr, name.len), name.len);
    table->at = rows->table_at;
    table->loose = true;
    table->typed = true;
    return table->name.ptr != NULL;
}

static void rows_forget_declared(pith_rows *rows)
{
    alloc_free(&rows->alloc, rows->declared,
               rows->writer.table.column_count * sizeof *rows->declared);
    rows->declared = NULL;
    rows->writer.table.fields = NULL;
}

/* Ends the table, if there is one: no more rows until the next. */
static void rows_leave_table(pith_rows *rows)
{
    pith_error fault;
    if (rows->into && rows->writer.table.column_count > 0) {
        rows->all_tables = rows->all_tables && !rows->skips && !rows->writer.table.keyed;
        if (!rows_keep_table(rows))
            error_no_memory(&rows->fault);
        rows_forget_declared(rows);
        if (rows->fault.status != PITH_OK)
            return;
    }
    rows_check(rows, row_writer_leave(&rows->writer, &fault), &fault);
    api_columns_reset(&rows->columns);
    rows->writer.table.column_count = 0;
    rows->cells.column_count = 0;
}

pith_status pith_rows_add_member(pith_rows *rows, pith_text name, pith_value value,
                                 pith_error *err)
{
    if (rows->fault.status == PITH_OK && !value.doc)
        rows_fail(rows, "no_value", "there is no value to add");
    if (rows->fault.status != PITH_OK || !rows_is_between(rows) ||
        !rows_add_name(rows, name))
        return rows_result(rows, err);
    rows_leave_table(rows);
    rows->all_tables = false;
    if (rows->fault.status == PITH_OK) {
        pith_error fault;
        rows_check(rows, row_writer_member(&rows->writer, name, value, &fault), &fault);
    }
    return rows_result(rows, err);
}

static pith_status rows_enter_table(pith_rows *rows, pith_text name,
                                    const pith_text *columns, size_t count, bool keyed,
                                    pith_error *err)
{
    pith_status status = rows_take_columns(rows, columns, count, err);
    rows->cells.keyed = keyed;
    if (status == PITH_OK)
        status = rows_check_columns(rows, err);
    if (status != PITH_OK)
        return status;
    status = row_writer_enter(&rows->writer, name, keyed, err);
    rows->table_at = rows->into ? rows->writer.all->open : 0;
    return status;
}

pith_status pith_rows_begin_table(pith_rows *rows, pith_text name,
                                  const pith_text *columns, size_t count, bool keyed,
                                  pith_error *err)
{
    if (rows->fault.status == PITH_OK && count == 0)
        rows_fail(rows, "no_columns", "a table in an object has columns");
    if (rows->fault.status != PITH_OK || !rows_is_between(rows) ||
        !rows_add_name(rows, name))
        return rows_result(rows, err);
    rows_leave_table(rows);
    if (rows->fault.status == PITH_OK) {
        pith_error fault;
        pith_status status = rows_enter_table(rows, name, columns, count, keyed, &fault);
        rows_check(rows, status, &fault);
    }
    return rows_result(rows, err);
}

pith_status rows_end_document(pith_rows *rows, pith_error *err)
{
    pith_doc *doc = rows->writer.all;
    const codec *format = table_codec_format();
    rows_leave_table(rows);
    if (rows->fault.status == PITH_OK)
        row_writer_end(&rows->writer, &rows->fault);
    if (rows->fault.status == PITH_OK && format)
        format->tables->check(doc, &rows->fault);
    if (rows->fault.status != PITH_OK)
        pith_doc_reset(doc);
    if (!rows->all_tables || !format)
        doc->table_count = 0;
    return rows_result(rows, err);
}
