/*
 * reader.c - tables that arrive in pieces.
 *
 *     buffer   | used | a row | a row | half a r...
 *                     ^ used          ^ len
 *
 * Pieces are appended to a buffer; rows are read off its front (format/read.h). The used
 * part is thrown away when more has to be appended, at a moment when it is at least as
 * large as what is left, so that moving bytes stays linear; only then are its lines
 * counted.
 */
#include "api/api.h"
#include "base/list.h"
#include "doc/batch.h"
#include "format/read.h"

struct pith_reader {
    api_side from;
    pith_alloc alloc;
    alloc_meter meter; /* of all but the buffer */
    size_t memory_max;
    size_t fed; /* bytes */
    pith_doc *doc;
    pith_doc batch; /* rows that were asked for together */
    LIST(char) buffer;
    size_t used;
    row_reader rows;
    selection select;
    void (*notice)(void *ctx, const pith_error *remark);
    void *notice_ctx;
    text_place place; /* of the buffer in the whole input */
    bool ended;
    pith_error fault;
};

void pith_reader_free(pith_reader *reader)
{
    if (!reader)
        return;
    pith_alloc alloc = reader->alloc;
    row_reader_free(&reader->rows);
    if (reader->rows.select)
        select_close(&reader->select);
    LIST_FREE(&reader->buffer, &alloc);
    pith_doc_free(reader->doc);
    batch_free(&reader->batch);
    alloc_free(&alloc, reader, sizeof *reader);
}

static bool reader_open_selection(pith_reader *reader, const pith_options *options)
{
    select_words words = settings_selected(&reader->from.set);
    reader->notice = options ? options->notice : NULL;
    reader->notice_ctx = options ? options->notice_ctx : NULL;
    if (!select_is_wanted(&words))
        return true;
    reader->rows.select = &reader->select;
    return select_open(&reader->select, &words, reader->rows.alloc);
}

pith_reader *pith_reader_open(const char *format, const pith_options *options,
                              pith_error *err)
{
    pith_text none = {NULL, 0};
    pith_alloc alloc = alloc_from(options);
    pith_reader *reader = (pith_reader *)alloc_zeroed(&alloc, sizeof *reader);
    if (!reader) {
        error_no_memory(err);
        return NULL;
    }
    reader->alloc = alloc;
    reader->place.line = 1;
    reader->place.column = 1;
    if (side_for_reading(&reader->from, format, none, options, err) != PITH_OK) {
        pith_reader_free(reader);
        return NULL;
    }
    reader->rows.from = reader->from.format;
    reader->memory_max = options ? options->memory_max : 0;
    reader->meter.inner = alloc;
    reader->meter.fixed = reader->memory_max > 0;
    reader->meter.most = alloc_limit(reader->memory_max, 0);
    reader->rows.alloc = alloc_counted(&reader->meter);
    if (!reader_open_selection(reader, options)) {
        error_no_memory(err);
        pith_reader_free(reader);
        return NULL;
    }
    pith_options counted = {.alloc = reader->rows.alloc};
    counted.depth_max = doc_depth_limit(options);
    reader->doc = pith_doc_new(&counted);
    if (!reader->doc) {
        error_no_memory(err);
        pith_reader_free(reader);
        return NULL;
    }
    return reader;
}

static pith_status reader_result(pith_reader *reader, pith_error *err)
{
    if (reader->fault.status != PITH_OK && err)
        *err = reader->fault;
    return reader->fault.status;
}

/* A report on the buffer. */
static pith_text reader_report(const pith_reader *reader, reporter *report)
{
    pith_text buffer =
        text_of(reader->buffer.at ? reader->buffer.at : "", reader->buffer.count);
    report_init(report, buffer);
    report->start = reader->place;
    report->notice = reader->notice;
    report->notice_ctx = reader->notice_ctx;
    return text_of(buffer.ptr + reader->used, buffer.len - reader->used);
}

static void reader_compact(pith_reader *reader)
{
    size_t left = reader->buffer.count - reader->used;
    if (reader->used >= left && reader->used > 0) {
        reporter report;
        reader_report(reader, &report);
        reader->place = report_place(&report, reader->used);
        memmove(reader->buffer.at, reader->buffer.at + reader->used, left);
        reader->buffer.count = left;
        reader->used = 0;
    }
}

/* Lets the buffer change. Rows of the last document that were not handed out keep their
 * texts elsewhere. */
static bool reader_release(pith_reader *reader)
{
    pith_text input = text_of(reader->buffer.at, reader->buffer.count);
    if (!row_reader_holds(&reader->rows, reader->doc)) {
        reader->doc->shapes.held = false;
        pith_doc_reset(reader->doc);
    } else if (!doc_keep_texts(reader->doc, input)) {
        error_no_memory(&reader->fault);
    }
    return reader->fault.status == PITH_OK;
}

pith_status pith_reader_feed(pith_reader *reader, const char *data, size_t len,
                             pith_error *err)
{
    if (reader->fault.status != PITH_OK)
        return reader_result(reader, err);
    if (reader->ended)
        return error_set(err, PITH_BAD_USE, "ended", "the input has been ended already");
    if (row_reader_is_done(&reader->rows))
        return PITH_OK;
    if (!reader_release(reader))
        return reader_result(reader, err);
    reader_compact(reader);
    if (!LIST_RESERVE(&reader->buffer, &reader->alloc, len)) {
        error_no_memory(&reader->fault);
        return reader_result(reader, err);
    }
    if (len > 0) {
        memcpy(reader->buffer.at + reader->buffer.count, data, len);
        reader->buffer.count += len;
    }
    reader->fed += len;
    reader->meter.most = alloc_limit(reader->memory_max, reader->fed);
    return PITH_OK;
}

pith_status pith_reader_end(pith_reader *reader, pith_error *err)
{
    reader->ended = true;
    return reader_result(reader, err);
}

/* Keeps what went wrong. Memory that was refused is told at the row that takes so much, or
 * where reading has come in what was collected. */
static bool reader_went_well(pith_reader *reader, reporter *report)
{
    if (reader->meter.refused && report_result(report, NULL) == PITH_NO_MEMORY) {
        const pith_doc *whole = reader->rows.whole;
        size_t offset = whole ? doc_reached(whole, report->input) : reader->used;
        report_memory_limit(report, offset, reader->meter.most);
    }
    return report_result(report, &reader->fault) == PITH_OK;
}

static pith_value reader_read(pith_reader *reader)
{
    reporter report;
    pith_text input = reader_report(reader, &report);
    read_job job = {.doc = reader->doc,
                    .set = &reader->from.set,
                    .report = &report,
                    .input = input,
                    .ended = reader->ended,
                    .meter = &reader->meter};
    if (!row_reader_holds(&reader->rows, reader->doc))
        pith_doc_reset(reader->doc);
    pith_value row = row_reader_next(&reader->rows, &job);
    if (!reader_went_well(reader, &report))
        row.doc = NULL;
    reader->used += job.used;
    return row;
}

pith_status pith_reader_next(pith_reader *reader, pith_value *row, pith_error *err)
{
    pith_value none = {NULL, 0, 0, 0};
    *row = none;
    reader->doc->shapes.held = row_reader_holds(&reader->rows, reader->doc);
    if (reader->fault.status == PITH_OK)
        *row = reader_read(reader);
    return reader_result(reader, err);
}

/* ---------------------------------------------------------------------- in batches */

/* The batch has no room. */
static void reader_no_memory(pith_reader *reader)
{
    reporter report;
    reader_report(reader, &report);
    report_no_memory(&report);
    reader_went_well(reader, &report);
}

/* Reads up to `most` rows into the batch; false when there is none, with `*more` saying
 * whether the last try found one. */
static bool reader_fill(pith_reader *reader, size_t most, pith_value *rows, bool *more)
{
    const pith_doc *from = reader->doc;
    size_t count = 0;
    *more = true;
    while (count < most && *more) {
        pith_value row = reader_read(reader);
        *more = row.doc != NULL;
        if (!row.doc)
            break;
        from = row.doc;
        reader->doc->shapes.held = true;
        pith_text input = text_of(reader->buffer.at, reader->buffer.count);
        if (!batch_add(&reader->batch, from, row.at, input, from != reader->doc)) {
            reader_no_memory(reader);
            return false;
        }
        count++;
    }
    if (count > 0)
        *rows = batch_end(&reader->batch, from);
    return count > 0;
}

pith_status pith_reader_batch(pith_reader *reader, size_t rows_max, pith_value *rows,
                              bool *done, pith_error *err)
{
    pith_value none = {NULL, 0, 0, 0};
    bool more = true;
    *rows = none;
    *done = false;
    reader->doc->shapes.held = row_reader_holds(&reader->rows, reader->doc);
    if (reader->fault.status == PITH_OK &&
        !batch_begin(&reader->batch, reader->rows.alloc))
        reader_no_memory(reader);
    if (reader->fault.status == PITH_OK && reader_fill(reader, rows_max, rows, &more)) {
        *done = !more && pith_reader_done(reader);
        return PITH_OK; /* what is wrong after these rows is told next time */
    }
    *done = !more && pith_reader_done(reader);
    return reader_result(reader, err);
}

bool pith_reader_done(const pith_reader *reader)
{
    return reader->fault.status == PITH_OK &&
           (reader->ended || row_reader_is_done(&reader->rows));
}

size_t pith_reader_columns(pith_reader *reader, pith_text *columns, size_t room)
{
    reporter report;
    if (reader->fault.status != PITH_OK)
        return 0;
    pith_text input = reader_report(reader, &report);
    read_job job = {.doc = reader->doc,
                    .set = &reader->from.set,
                    .report = &report,
                    .input = input,
                    .ended = reader->ended,
                    .meter = &reader->meter};
    if (!row_reader_holds(&reader->rows, reader->doc)) {
        reader->doc->shapes.held = false;
        pith_doc_reset(reader->doc);
    }
    size_t count = row_reader_columns(&reader->rows, &job, columns, room);
    bool fine = reader_went_well(reader, &report);
    reader->used += job.used;
    return fine ? count : 0;
}
