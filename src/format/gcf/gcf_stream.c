/*
 * gcf_stream.c - rows that leave one at a time.
 *
 *     GCF profile=generic
 *     ## [?]{id,name}             how many there will be is not known yet
 *     1|Ada
 *     2|~
 *     ##! summary counts=2        and is told at the end
 *
 * A row is written and forgotten, so nothing can stand below it: cells are scalars. That
 * also rules out columns whose name holds a >, which would be read as paths.
 */
#include "format/gcf/gcf_encode.h"

static pith_status gcf_stream_check_columns(const row_stream *stream, pith_error *err)
{
    for (size_t i = 0; i < stream->column_count; i++) {
        pith_text name = stream->columns[i];
        if (name.len > 0 && memchr(name.ptr, '>', name.len)) {
            return error_set(err, PITH_UNREPRESENTABLE, "invalid_column",
                             "the column \"%s\" holds a >, which would be read as a path "
                             "into nested objects; rename it",
                             error_quote(name.ptr, name.len).text);
        }
    }
    return PITH_OK;
}

static pith_status gcf_stream_begin(row_stream *stream, pith_error *err)
{
    gcf_pen pen = {stream->out, NULL};
    pith_status status = gcf_check_settings(stream->set, err);
    if (status == PITH_OK && settings_text(stream->set, GCF_GROUP).len > 0) {
        status = error_set(err, PITH_BAD_USE, "bad_setting",
                           "rows that arrive one by one cannot be put in groups");
    }
    if (status == PITH_OK) {
        status = gcf_stream_check_columns(stream, err);
    }
    if (status != PITH_OK || stream->out->status != PITH_OK) {
        return status;
    }
    char *to = gcf_make_room(stream->out, stream->out->at);
    to = gcf_put_first_line(&pen, to, stream->set);
    memcpy(to, "## [?]{", 7);
    to += 7;
    for (size_t i = 0; i < stream->column_count; i++) {
        pith_text name = stream->columns[i];
        pith_key key = {name.ptr, (uint32_t)name.len, SLOT_TAIL, 0};
        to = gcf_make_room(stream->out, gcf_put_key(&pen, to, &key));
        *to++ = ',';
    }
    to[-1] = '}';
    *to++ = '\n';
    stream->out->at = to;
    return PITH_OK;
}

static pith_status gcf_stream_refuse(const row_stream *stream, size_t column,
                                     pith_error *err)
{
    pith_text name = stream->columns[column];
    return error_set(
        err, PITH_UNREPRESENTABLE, "nested_value",
        "row %llu: column \"%s\" is an array or object, and rows that arrive "
        "one by one hold scalars only",
        (unsigned long long)(stream->rows + 1), error_quote(name.ptr, name.len).text);
}

/* A row has the columns in their order, but some may be missing. */
static pith_status gcf_stream_row(row_stream *stream, const pith_doc *doc, uint32_t at,
                                  pith_error *err)
{
    pith_out *out = stream->out;
    gcf_pen pen = {out, NULL};
    const pith_slot *row = &doc->slots[at];
    const pith_key *keys = doc_keys(doc, row);
    bool whole = row->n == stream->column_count;
    char *to = gcf_make_room(out, out->at);
    uint32_t member = 0;
    for (size_t i = 0; i < stream->column_count; i++) {
        const pith_slot *cell = NULL;
        if (member < row->n &&
            (whole || text_equal(key_text(&keys[member]), stream->columns[i]))) {
            cell = &row[1 + member++];
        }
        if (cell && slot_is_container(cell)) {
            return gcf_stream_refuse(stream, i, err);
        }
        if (cell) {
            to = gcf_put_scalar(&pen, to, cell);
        } else {
            *to++ = '~';
        }
        to = gcf_make_room(out, to);
        *to++ = i + 1 < stream->column_count ? '|' : '\n';
    }
    out->at = to;
    return pen.refused ? gcf_refuse_number(pen.refused, err) : PITH_OK;
}

static pith_status gcf_stream_end(row_stream *stream, pith_error *err)
{
    pith_out *out = stream->out;
    (void)err;
    if (settings_bool(stream->set, GCF_SUMMARY)) {
        out_string(out, "##! summary counts=");
        out_reserve(out, NUM_UINT64_MAX_LEN);
        out->at += num_write_uint64(out->at, stream->rows);
        out_byte(out, '\n');
    }
    return PITH_OK;
}

const row_codec gcf_rows = {gcf_stream_begin, gcf_stream_row, gcf_stream_end, NULL,
                            gcf_take,         gcf_forget};
