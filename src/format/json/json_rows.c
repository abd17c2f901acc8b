/*
 * json_rows.c - JSON that leaves row by row: an array of rows, or an object of members
 * and tables.
 *
 *     [row,row]        {"member":value,"table":[row,row],"keyed":{"key":row,"key":row}}
 *
 * What has been written already follows from the counts that the caller keeps, so there
 * is no state.
 */
#include "format/json/json.h"

static void json_rows_break(const row_stream *stream, unsigned depth)
{
    unsigned indent = (unsigned)settings_number(stream->set, JSON_INDENT);
    if (indent) {
        out_byte(stream->out, '\n');
        out_indent(stream->out, (uint64_t)indent * depth);
    }
}

static void json_rows_key(const row_stream *stream, pith_text key)
{
    json_write_text(stream->out, key, settings_bool(stream->set, JSON_ASCII));
    out_string(stream->out, settings_number(stream->set, JSON_INDENT) ? ": " : ":");
}

static pith_status json_rows_begin(row_stream *stream, pith_error *err)
{
    (void)err;
    out_byte(stream->out, stream->object ? '{' : '[');
    return PITH_OK;
}

static pith_status json_rows_row(row_stream *stream, const pith_doc *doc, uint32_t at,
                                 pith_error *err)
{
    unsigned depth = stream->object ? 2 : 1;
    (void)err;
    if (stream->rows > 0) {
        out_byte(stream->out, ',');
    }
    json_rows_break(stream, depth);
    if (stream->key) {
        json_rows_key(stream, slot_text(stream->key));
    }
    json_write(stream->out, stream->set, doc, at, depth);
    return PITH_OK;
}

/* Ends a table of the object, if there is one. */
static void json_rows_leave(const row_stream *stream)
{
    if (stream->in_table) {
        if (stream->rows > 0) {
            json_rows_break(stream, 1);
        }
        out_byte(stream->out, stream->keyed ? '}' : ']');
    }
}

/* Begins one member more. */
static void json_rows_next(const row_stream *stream, pith_text key)
{
    if (stream->members > 0) {
        out_byte(stream->out, ',');
    }
    json_rows_break(stream, 1);
    json_rows_key(stream, key);
}

static pith_status json_rows_member(row_stream *stream, pith_text key,
                                    const pith_doc *doc, uint32_t at, pith_error *err)
{
    (void)err;
    json_rows_leave(stream);
    json_rows_next(stream, key);
    json_write(stream->out, stream->set, doc, at, 1);
    return PITH_OK;
}

static pith_status json_rows_table(row_stream *stream, pith_text key, bool keyed,
                                   pith_error *err)
{
    (void)err;
    json_rows_leave(stream);
    json_rows_next(stream, key);
    out_byte(stream->out, keyed ? '{' : '[');
    return PITH_OK;
}

static pith_status json_rows_end(row_stream *stream, pith_error *err)
{
    (void)err;
    json_rows_leave(stream);
    if (stream->object ? stream->members > 0 : stream->rows > 0) {
        json_rows_break(stream, 0);
    }
    out_byte(stream->out, stream->object ? '}' : ']');
    return PITH_OK;
}

const row_codec json_rows = {
    .begin = json_rows_begin,
    .row = json_rows_row,
    .end = json_rows_end,
    .member = json_rows_member,
    .table = json_rows_table,
};
