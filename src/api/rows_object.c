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

/* Ends the table, if there is one: no more rows until the next. */
static void rows_leave_table(pith_rows *rows)
{
    pith_error fault;
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
    return row_writer_enter(&rows->writer, name, keyed, err);
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
