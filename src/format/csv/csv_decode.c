/*
 * csv_decode.c - the two ways of reading: a whole text, and rows one by one.
 *
 *     byte order mark   sep=; line   blank lines   header   rows
 *
 * Both go through these in this order. In a text that arrives in pieces the header waits
 * until enough is there to decide about the types as well.
 */
#include "base/utf8.h"
#include "format/csv/csv_read.h"

static const char *csv_skip_blank(const char *at, const char *end)
{
    while (at < end && (*at == '\n' || *at == '\r'))
        at++;
    return at;
}

/* Finds the header, over what may be before it, and the delimiter: then `*text` begins with
 * the header, which has `*len` bytes. False when it is not whole. */
static bool csv_find_start(csv_reader *r, pith_text *text, bool ended, size_t *len)
{
    csv_finder finder;
    const char *end = text->ptr + text->len;
    const char *at = text->ptr + utf8_bom(text->ptr, text->len);
    memset(&finder, 0, sizeof finder);
    if (!r->options.delimiter) {
        pith_text rest = text_of(at, (size_t)(end - at));
        if (!csv_find_record(&finder, rest, ended, '\0', len))
            return false;
        at += csv_read_sep(text_of(at, *len), &r->options.delimiter);
    }
    at = csv_skip_blank(at, end);
    *text = text_of(at, (size_t)(end - at));
    return csv_find_header(r, &finder, *text, ended, len);
}

/* ---------------------------------------------------------------------- a whole text */

static const size_t csv_tick = 1 << 16; /* rows between two calls for progress */

static bool csv_read_rows(csv_reader *r, const char *at)
{
    pith_doc *doc = r->doc;
    while (at < r->end) {
        if (csv_is_blank(r, at)) {
            at = csv_skip_break(at, r->end);
            continue;
        }
        at = csv_read_row(r, at);
        if (!at)
            return false;
        if (r->rows % csv_tick == 0 && doc->progress &&
            !doc->progress(doc->progress_ctx, (size_t)(at - r->start))) {
            report_problem(r->report, PITH_BAD_USE, "cancelled", (size_t)(at - r->start),
                           "cancelled");
            return false;
        }
    }
    return true;
}

static bool csv_read_text(csv_reader *r, pith_text text)
{
    size_t len;
    bool fine = true;
    if (!csv_find_start(r, &text, true, &len))
        return true; /* no header, no rows */
    size_t used = csv_read_header(r, text, len, true, &fine);
    return fine && csv_read_rows(r, text.ptr + used);
}

void csv_decode(decode_job *job, const csv_options *options)
{
    pith_doc *doc = job->doc;
    csv_reader r;
    memset(&r, 0, sizeof r);
    read_init(&r.in, doc, job->input, job->report);
    r.options = *options;
    r.names = &doc->arena;
    if (build_open(doc, PITH_ARRAY) != BUILD_DONE) {
        report_no_memory(job->report);
        return;
    }
    if (csv_read_text(&r, job->input))
        (void)build_close(doc); /* an array: that takes no memory */
    doc->finished = job->report->count == 0;
}

/* ----------------------------------------------------------------------------- rows */

/* Reads what is before the first row, when the header is whole and so is what decides
 * about types; READ_ROW when rows may follow. */
static read_event csv_start_rows(csv_row_state *state, read_job *job)
{
    csv_reader *r = &state->reader;
    pith_text text = job->input;
    size_t len;
    bool infer = r->options.types == CSV_TYPES_INFER;
    size_t least = infer ? CSV_LOOK + 1 : UTF8_BOM_LEN;
    if (!job->ended && text.len < least)
        return READ_MORE;
    if (!csv_find_start(r, &text, job->ended, &len) ||
        (infer && text.len <= CSV_LOOK && !job->ended))
        return job->ended ? READ_DONE : READ_MORE;
    bool fine = true;
    size_t used = csv_read_header(r, text, len, job->ended, &fine);
    job->used = (size_t)(text.ptr - job->input.ptr) + used;
    state->begun = fine;
    return fine ? READ_ROW : READ_FAILED;
}

static read_event csv_read_next(csv_row_state *state, read_job *job)
{
    csv_reader *r = &state->reader;
    const char *at = job->input.ptr + job->used;
    while (at < r->end && csv_is_blank(r, at)) {
        at = csv_skip_break(at, r->end);
        job->used = (size_t)(at - job->input.ptr);
    }
    if (at == r->end)
        return job->ended ? READ_DONE : READ_MORE;
    r->doc->depth = 1; /* as deep as it would be in the array of all rows */
    at = csv_find_shape(r) ? csv_read_row(r, at) : NULL;
    r->doc->depth = 0;
    if (!at) {
        r->rows -= r->starved;
        return r->starved ? READ_MORE : READ_FAILED;
    }
    job->used = (size_t)(at - job->input.ptr);
    return READ_ROW;
}

read_event csv_next_row(void *state, read_job *job, const csv_options *options)
{
    csv_row_state *rows = (csv_row_state *)state;
    csv_reader *r = &rows->reader;
    read_init(&r->in, job->doc, job->report->input, job->report);
    r->waits = !job->ended;
    if (!r->names) {
        arena_init(&rows->names, job->doc->alloc);
        r->names = &rows->names;
    }
    if (!rows->begun) {
        r->options = *options;
        read_event event = csv_start_rows(rows, job);
        if (!rows->begun)
            return event;
    }
    return csv_read_next(rows, job);
}

void csv_close_rows(void *state, const pith_alloc *alloc)
{
    csv_row_state *rows = (csv_row_state *)state;
    (void)alloc;
    if (rows->reader.names)
        arena_free(&rows->names);
}
