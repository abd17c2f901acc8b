/*
 * json_rows.c - JSON that leaves row by row: an array of rows, or an object of members
 * and tables.
 *
 *     [row,row]        {"member":value,"table":[row,row],"keyed":{"key":row,"key":row}}
 *
 * What has been written already follows from the counts of the table, so there is no
 * state.
 */
#include "format/json/json.h"
#include "format/pen.h"
#include "format/rows.h"

static void json_rows_break(const row_table *table, pith_out *out, unsigned depth)
{
    unsigned indent = (unsigned)settings_number(table->set, JSON_INDENT);
    if (indent) {
        out_byte(out, '\n');
        out_indent(out, (uint64_t)indent * depth);
    }
}

static void json_rows_key(const row_table *table, pith_out *out, pith_text key)
{
    pen_write_quoted(out, key, settings_bool(table->set, JSON_ASCII) ? PEN_ASCII : 0);
    out_string(out, settings_number(table->set, JSON_INDENT) ? ": " : ":");
}

/* Begins one member more. */
static void json_rows_next(const row_table *table, pith_out *out, pith_text key)
{
    if (table->members > 0)
        out_byte(out, ',');
    json_rows_break(table, out, 1);
    json_rows_key(table, out, key);
}

static pith_status json_rows_open(row_table *table, pith_out *out, pith_error *err)
{
    (void)err;
    if (table->object)
        out_byte(out, '{');
    return PITH_OK;
}

static pith_status json_rows_header(row_table *table, pith_out *out, uint64_t count,
                                    pith_error *err)
{
    (void)count;
    (void)err;
    if (table->object)
        json_rows_next(table, out, table->name);
    out_byte(out, table->keyed ? '{' : '[');
    return PITH_OK;
}

static pith_status json_rows_row(row_table *table, pith_out *out, const row_cells *row,
                                 pith_error *err)
{
    unsigned depth = table->object ? 2 : 1;
    (void)err;
    if (table->rows > 0)
        out_byte(out, ',');
    json_rows_break(table, out, depth);
    if (table->key)
        json_rows_key(table, out, slot_text(table->key));
    json_write(out, table->set, row->doc, (uint32_t)(row->row - row->doc->slots), depth);
    return PITH_OK;
}

static pith_status json_rows_footer(row_table *table, pith_out *out, pith_error *err)
{
    (void)err;
    if (table->rows > 0)
        json_rows_break(table, out, table->object ? 1 : 0);
    out_byte(out, table->keyed ? '}' : ']');
    return PITH_OK;
}

static pith_status json_rows_member(row_table *table, pith_out *out, pith_text key,
                                    const pith_doc *doc, uint32_t at, pith_error *err)
{
    (void)err;
    json_rows_next(table, out, key);
    json_write(out, table->set, doc, at, 1);
    return PITH_OK;
}

static pith_status json_rows_end(row_table *table, pith_out *out, pith_error *err)
{
    (void)err;
    if (table->object) {
        if (table->members > 0)
            json_rows_break(table, out, 0);
        out_byte(out, '}');
    }
    return PITH_OK;
}

const row_format json_rows = {
    .open = json_rows_open,
    .header = json_rows_header,
    .row = json_rows_row,
    .footer = json_rows_footer,
    .member = json_rows_member,
    .end = json_rows_end,
};
