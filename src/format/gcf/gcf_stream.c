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
 *
 * An object has members and several tables:
 *
 *     GCF profile=generic
 *     station=OSL-3
 *     tags[2]: a,b
 *     ## readings [?]{time,degrees}
 *     06:00|-3.5
 *     ## sensors [?:]{key,kind}   a row is a member, under the key in its first cell
 *     s1|wind
 *     ##! summary counts=1,1
 *
 * Nothing but a ## tells where a table without a count ends: key=value behind one would
 * be read as a row. So members that begin otherwise must come before the first table, or
 * behind one that begins with ##.
 */
#include "format/gcf/gcf_encode.h"

typedef struct gcf_stream {
    LIST(uint64_t) counts; /* of the tables that have ended */
} gcf_stream;

static char *gcf_stream_put_name(gcf_pen *pen, char *to, pith_text name)
{
    pith_key key = {name.ptr, (uint32_t)name.len, SLOT_TAIL, 0};
    return gcf_put_key(pen, to, &key);
}

static char *gcf_stream_put_label(const row_stream *stream, char *to)
{
    gcf_label label = {0, 0};
    do {
        for (size_t i = 0; i < stream->column_count; i++) {
            gcf_label_meet(&label, stream->columns[i].ptr, stream->columns[i].len);
        }
    } while (!gcf_label_decide(&label));
    return gcf_put_label(stream->out, to, &label);
}

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

/* ---------------------------------------------------------------------- headers */

/* The header of a table; `name` is NULL at the root. */
static pith_status gcf_stream_open(const row_stream *stream, const pith_text *name,
                                   bool keyed)
{
    pith_out *out = stream->out;
    gcf_pen pen = {out, NULL};
    char *to = gcf_make_room(out, out->at);
    memcpy(to, "## ", 3);
    to += 3;
    if (name) {
        to = gcf_stream_put_name(&pen, to, *name);
        *to++ = ' ';
    }
    memcpy(to, keyed ? "[?:]{" : "[?]{", 5);
    to += keyed ? 5 : 4;
    if (keyed) {
        to = gcf_stream_put_label(stream, to);
    }
    for (size_t i = 0; i < stream->column_count; i++) {
        to = gcf_make_room(out, gcf_stream_put_name(&pen, to, stream->columns[i]));
        *to++ = ',';
    }
    to[-1] = '}';
    *to++ = '\n';
    out->at = to;
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
    if (status != PITH_OK) {
        return status;
    }
    stream->state = alloc_zeroed(&stream->alloc, sizeof(gcf_stream));
    if (!stream->state) {
        return error_no_memory(err);
    }
    char *to = gcf_make_room(stream->out, stream->out->at);
    stream->out->at = gcf_put_first_line(&pen, to, stream->set);
    return stream->object ? PITH_OK : gcf_stream_open(stream, NULL, false);
}

static void gcf_stream_release(row_stream *stream)
{
    gcf_stream *state = (gcf_stream *)stream->state;
    if (state) {
        LIST_FREE(&state->counts, &stream->alloc);
        alloc_free(&stream->alloc, state, sizeof *state);
        stream->state = NULL;
    }
}

/* ----------------------------------------------------------------- members, tables */

/* Ends the table, if there is one: what it held is told at the end of the text. */
static pith_status gcf_stream_leave(row_stream *stream, pith_error *err)
{
    gcf_stream *state = (gcf_stream *)stream->state;
    if (stream->object && !stream->in_table) {
        return PITH_OK;
    }
    uint64_t *count = LIST_ADD(&state->counts, &stream->alloc);
    if (!count) {
        return error_no_memory(err);
    }
    *count = stream->rows;
    return PITH_OK;
}

static pith_status gcf_stream_table(row_stream *stream, pith_text key, bool keyed,
                                    pith_error *err)
{
    pith_status status = gcf_stream_leave(stream, err);
    if (status == PITH_OK) {
        status = gcf_stream_check_columns(stream, err);
    }
    return status == PITH_OK ? gcf_stream_open(stream, &key, keyed) : status;
}

static pith_status gcf_stream_member(row_stream *stream, pith_text key,
                                     const pith_doc *doc, uint32_t at, pith_error *err)
{
    if (stream->in_table && !gcf_starts_section(doc, &doc->slots[at])) {
        return error_set(err, PITH_UNREPRESENTABLE, "member_behind_table",
                         "behind a table whose rows are not counted, the member \"%s\" "
                         "would be read as a row of it; add it before the first table",
                         error_quote(key.ptr, key.len).text);
    }
    pith_status status = gcf_stream_leave(stream, err);
    return status == PITH_OK
               ? gcf_write_member(stream->out, stream->set, key, doc, at, err)
               : status;
}

/* ------------------------------------------------------------------------- rows */

static pith_status gcf_stream_refuse(const row_stream *stream, size_t column,
                                     pith_error *err)
{
    pith_text name = stream->columns[column];
    unsigned long long row = stream->rows + 1;
    return error_set(err, PITH_UNREPRESENTABLE, "nested_value",
                     "row %llu: column \"%s\" is an array or object, and rows that "
                     "arrive one by one hold scalars only",
                     row, error_quote(name.ptr, name.len).text);
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
    if (stream->key) {
        to = gcf_make_room(out, gcf_put_scalar(&pen, to, stream->key));
        *to++ = '|';
    }
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

/* The counts of all tables, in their order. Without a table there is nothing to tell. */
static pith_status gcf_stream_end(row_stream *stream, pith_error *err)
{
    pith_out *out = stream->out;
    const gcf_stream *state = (const gcf_stream *)stream->state;
    pith_status status = gcf_stream_leave(stream, err);
    if (status != PITH_OK || state->counts.count == 0 ||
        !settings_bool(stream->set, GCF_SUMMARY)) {
        return status;
    }
    for (size_t i = 0; i < state->counts.count; i++) {
        out_string(out, i == 0 ? "##! summary counts=" : ",");
        out_reserve(out, NUM_UINT64_MAX_LEN);
        out->at += num_write_uint64(out->at, state->counts.at[i]);
    }
    out_byte(out, '\n');
    return PITH_OK;
}

const row_codec gcf_rows = {
    .begin = gcf_stream_begin,
    .row = gcf_stream_row,
    .end = gcf_stream_end,
    .release = gcf_stream_release,
    .take = gcf_take,
    .forget = gcf_forget,
    .member = gcf_stream_member,
    .table = gcf_stream_table,
};
