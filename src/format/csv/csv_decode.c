/*
 * csv_decode.c - the two ways of reading: a whole text, and one that comes in pieces.
 *
 *     byte order mark   sep=; line   blank lines   header   rows
 *
 * Both go through these in this order. In pieces, each has to be there whole before it
 * is used; the header waits until enough is there to decide about the types as well.
 */
#include "base/utf8.h"
#include "format/csv/csv_read.h"

static const char *csv_skip_blank(const char *at, const char *end)
{
    while (at < end && (*at == '\n' || *at == '\r')) {
        at++;
    }
    return at;
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
        at = csv_read_row(r, at, r->end);
        if (!at) {
            return false;
        }
        if (r->rows % csv_tick == 0 && doc->progress &&
            !doc->progress(doc->progress_ctx, (size_t)(at - r->start))) {
            report_problem(r->report, PITH_BAD_USE, "cancelled", (size_t)(at - r->start),
                           "cancelled");
            return false;
        }
    }
    return true;
}

static bool csv_read_text(csv_reader *r, const char *at)
{
    csv_finder finder;
    size_t len = 0;
    bool fine = true;
    memset(&finder, 0, sizeof finder);
    pith_text rest = text_of(at, (size_t)(r->end - at));
    if (!r->options.delimiter && csv_find_record(&finder, rest, true, '\0', &len)) {
        at += csv_read_sep(text_of(at, len), &r->options.delimiter);
    }
    at = csv_skip_blank(at, r->end);
    rest = text_of(at, (size_t)(r->end - at));
    if (!csv_find_header(r, &finder, rest, true, &len)) {
        return true; /* no header, no rows */
    }
    at += csv_read_header(r, rest, len, true, &fine);
    return fine && csv_read_rows(r, at);
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
    if (csv_read_text(&r, r.start + utf8_bom(r.start, job->input.len))) {
        (void)build_close(doc); /* an array: that takes no memory */
    }
    doc->finished = job->report->count == 0;
}

/* --------------------------------------------------------------------------- pieces */

typedef enum csv_phase {
    CSV_PHASE_MARK, /* the byte order mark */
    CSV_PHASE_SEP,
    CSV_PHASE_BLANK,
    CSV_PHASE_HEADER,
    CSV_PHASE_ROWS
} csv_phase;

typedef struct csv_taker {
    csv_reader reader;
    pith_arena names;
    csv_finder finder;
    csv_phase phase;
    size_t record; /* the length of the header, once it is whole; else 0 */
} csv_taker;

static csv_taker *csv_taker_new(row_source *source, const csv_options *options)
{
    csv_taker *taker = (csv_taker *)alloc_zeroed(&source->alloc, sizeof *taker);
    if (taker) {
        arena_init(&taker->names, source->alloc);
        taker->reader.names = &taker->names;
        taker->reader.options = *options;
    }
    return taker;
}

void csv_forget(row_source *source)
{
    csv_taker *taker = (csv_taker *)source->state;
    if (taker) {
        arena_free(&taker->names);
        alloc_free(&source->alloc, taker, sizeof *taker);
        source->state = NULL;
    }
}

/* Takes the header, when it is whole and so is what decides about types. */
static bool csv_take_header(csv_taker *taker, pith_text rest, bool ended, size_t *used)
{
    csv_reader *r = &taker->reader;
    bool fine = true;
    if (taker->record == 0 &&
        !csv_find_header(r, &taker->finder, rest, ended, &taker->record)) {
        return false;
    }
    if (r->options.types == CSV_TYPES_INFER && rest.len <= CSV_LOOK && !ended) {
        return false;
    }
    *used += csv_read_header(r, rest, taker->record, ended, &fine);
    taker->phase = CSV_PHASE_ROWS;
    return fine;
}

/* Takes what stands before the first row. False: there is nothing more to do yet. */
static bool csv_take_start(csv_taker *taker, pith_text input, bool ended, size_t *used)
{
    csv_reader *r = &taker->reader;
    size_t len;
    if (taker->phase == CSV_PHASE_MARK) {
        if (input.len < UTF8_BOM_LEN && !ended) {
            return false;
        }
        *used = utf8_bom(input.ptr, input.len);
        taker->phase = r->options.delimiter ? CSV_PHASE_BLANK : CSV_PHASE_SEP;
    }
    pith_text rest = text_of(input.ptr + *used, input.len - *used);
    if (taker->phase == CSV_PHASE_SEP) {
        if (!csv_find_record(&taker->finder, rest, ended, '\0', &len)) {
            return false;
        }
        *used += csv_read_sep(text_of(rest.ptr, len), &r->options.delimiter);
        taker->phase = CSV_PHASE_BLANK;
    }
    if (taker->phase == CSV_PHASE_BLANK) {
        const char *end = input.ptr + input.len;
        *used = (size_t)(csv_skip_blank(input.ptr + *used, end) - input.ptr);
        if (*used == input.len) {
            return false;
        }
        taker->phase = CSV_PHASE_HEADER;
    }
    return csv_take_header(taker, text_of(input.ptr + *used, input.len - *used), ended,
                           used);
}

static void csv_take_row(csv_taker *taker, pith_text input, bool ended, size_t *used)
{
    csv_reader *r = &taker->reader;
    size_t len;
    while (*used < input.len) {
        const char *at = input.ptr + *used;
        if (!csv_find_record(&taker->finder, text_of(at, input.len - *used), ended,
                             r->options.delimiter, &len)) {
            return;
        }
        *used += len;
        if (!csv_is_blank(r, at)) {
            r->doc->depth = 1; /* as deep as it would stand in the array of all rows */
            bool fine = csv_find_shape(r) && csv_read_row(r, at, at + len);
            r->doc->depth = 0;
            r->doc->finished = fine;
            return;
        }
    }
}

void csv_take(row_source *source, const csv_options *options, pith_doc *doc,
              pith_text input, bool ended, size_t *used, reporter *report)
{
    *used = 0;
    if (!source->state) {
        source->state = csv_taker_new(source, options);
    }
    csv_taker *taker = (csv_taker *)source->state;
    if (!taker) {
        report_no_memory(report);
        return;
    }
    csv_reader *r = &taker->reader;
    read_init(&r->in, doc, input, report);
    if (taker->phase == CSV_PHASE_ROWS || csv_take_start(taker, input, ended, used)) {
        csv_take_row(taker, input, ended, used);
    }
}
