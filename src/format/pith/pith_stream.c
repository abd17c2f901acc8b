/*
 * pith_stream.c - rows that leave one at a time.
 *
 *     [?{id,name}                 how many there will be is not known yet
 *     1,Ada
 *     2,
 *     ]2                          and is told at the end
 *
 * Each cell is a leaf: whatever it holds is written on one line, with tables in it where
 * they are shorter. A table of one column has no way to say that its cell is absent, so
 * such a row is refused.
 */
#include "format/pith/pith_write.h"

#include "doc/build.h"

#include <assert.h>

static bool pn_stream_is_lines(const row_stream *stream)
{
    return settings_number(stream->set, PN_SET_ROWS) == PN_ROWS_LINES;
}

static pith_key pn_stream_key(const row_stream *stream, size_t column)
{
    pith_text name = stream->columns[column];
    uint8_t flags = build_text_flags(name.ptr, name.len) | SLOT_TAIL;
    pith_key key = {name.ptr, (uint32_t)name.len, flags, 0};
    return key;
}

/* True when the header is one that is written with spaces. */
static bool pn_stream_is_spaced(const row_stream *stream)
{
    bool spaced = stream->column_count > PN_SPACED_LEAST;
    for (size_t i = 0; i < stream->column_count && spaced; i++) {
        pith_key key = pn_stream_key(stream, i);
        spaced = pn_is_bare_word(&key);
    }
    return spaced;
}

static pith_status pn_stream_begin(row_stream *stream, pith_error *err)
{
    pith_out *out = stream->out;
    pn_pen pen = {out, false};
    bool spaced = pn_stream_is_spaced(stream);
    (void)err;
    assert(out->status == PITH_OK); /* nothing has been written yet */
    char *to = pn_make_room(out, out->at);
    memcpy(to, "[?{:", 4);
    to += spaced ? 4 : 3;
    for (size_t i = 0; i < stream->column_count; i++) {
        pith_key key = pn_stream_key(stream, i);
        to = pn_make_room(out, pn_put_key(&pen, to, &key));
        char separator = spaced ? ' ' : ',';
        *to++ = i + 1 < stream->column_count ? separator : '}';
    }
    out->at = to;
    return PITH_OK;
}

/* Writes what is no scalar. */
static void pn_stream_value(row_stream *stream, const pith_doc *doc, uint32_t at)
{
    pn_plan plan;
    if (pn_plan_make(&plan, doc, at, stream->set, stream->alloc)) {
        pn_write(&plan, stream->out, at, false, true);
    } else {
        out_fail(stream->out, PITH_NO_MEMORY, "no_memory");
    }
    pn_plan_free(&plan);
}

static void pn_stream_cell(row_stream *stream, const pith_doc *doc, uint32_t at)
{
    pith_out *out = stream->out;
    pn_pen pen;
    pen.out = out;
    pen.shortest = settings_number(stream->set, PN_SET_NUMBERS) == PN_NUMBERS_SHORTEST;
    if (slot_is_container(&doc->slots[at])) {
        pn_stream_value(stream, doc, at);
    } else if (out->status == PITH_OK) {
        out->at = pn_put_scalar(&pen, pn_make_room(out, out->at), &doc->slots[at]);
    }
}

/* A row has the columns in their order, but some may be missing. */
static pith_status pn_stream_row(row_stream *stream, const pith_doc *doc, uint32_t at,
                                 pith_error *err)
{
    const pith_slot *row = &doc->slots[at];
    const pith_key *keys = doc_keys(doc, row);
    bool whole = row->n == stream->column_count;
    uint32_t member = 0;
    if (stream->column_count == 1 && row->n == 0) {
        return error_set(err, PITH_UNREPRESENTABLE, "blank_row",
                         "row %llu: a table of one column has no rows without it",
                         (unsigned long long)stream->rows + 1);
    }
    out_byte(stream->out, pn_stream_is_lines(stream) ? '\n' : ';');
    at++;
    for (size_t i = 0; i < stream->column_count; i++) {
        if (i > 0) {
            out_byte(stream->out, ',');
        }
        if (member < row->n &&
            (whole || text_equal(key_text(&keys[member]), stream->columns[i]))) {
            pn_stream_cell(stream, doc, at);
            at = doc_behind(doc, at);
            member++;
        }
    }
    return PITH_OK;
}

static pith_status pn_stream_end(row_stream *stream, pith_error *err)
{
    pith_out *out = stream->out;
    (void)err;
    if (pn_stream_is_lines(stream)) {
        out_byte(out, '\n');
    }
    out_byte(out, ']');
    out_reserve(out, NUM_UINT64_MAX_LEN);
    out->at += num_write_uint64(out->at, stream->rows);
    return PITH_OK;
}

const row_codec pn_rows = {
    .begin = pn_stream_begin,
    .row = pn_stream_row,
    .end = pn_stream_end,
    .take = pn_take,
    .forget = pn_forget,
};
