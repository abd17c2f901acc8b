/*
 * soch_bin_take.c - rows of the binary form off the front of a stream.
 *
 * There are no marks between rows: where one ends is known when it has been read. So a row
 * is read as far as the bytes go, and if they do not go far enough, once more when there
 * are more (see soch_try_again). The checksum goes along with the bytes that are used, and
 * is compared at the end, when the rows are out: whoever needs to know first whether a file
 * is whole reads it whole.
 */
#include "base/crc32c.h"
#include "format/soch/soch_bin_read.h"
#include "format/soch/soch_take.h"

typedef struct soch_bin_taker {
    soch_phase phase;
    soch_bin_reader reader; /* its layout stays from row to row */
    pith_arena names;
    row_parts parts;
    soch_bin_header header;
    bool named;
    bool summed; /* the checksum has been compared, or there is none */
    uint32_t sum;
    size_t try_again; /* not before the input has this many bytes */
    size_t renewed;   /* of the document's shapes, when that of the rows was found */
} soch_bin_taker;

static void soch_bin_taker_place(soch_bin_taker *taker, pith_doc *doc, pith_text input,
                                 bool ended, size_t used, reporter *report)
{
    soch_bin_reader *r = &taker->reader;
    r->doc = doc;
    r->report = report;
    r->start = input.ptr;
    r->at = input.ptr + used;
    r->end = input.ptr + input.len;
    r->digits = NULL; /* they were in the document's arena */
    r->digits_end = NULL;
    r->ref_shape = SHAPE_NONE;
    r->waits = !ended;
    r->starved = false;
}

/* Finds the shape of the rows again where the document has forgotten it; false when out of
 * memory. */
static bool soch_bin_taker_shape(soch_bin_taker *taker)
{
    soch_bin_reader *r = &taker->reader;
    size_t seen = taker->renewed;
    taker->renewed = r->doc->shapes.renewed;
    return taker->renewed == seen || soch_layout_renew(&r->layout, r->doc) ||
           read_failed(&r->in);
}

/* The bytes up to where the reader stands are done with. */
static void soch_bin_taker_use(soch_bin_taker *taker, size_t *used)
{
    const soch_bin_reader *r = &taker->reader;
    const char *from = r->report->input.ptr + *used;
    taker->sum = crc32c(taker->sum, from, (size_t)(r->at - from));
    taker->try_again = 0;
    *used = (size_t)(r->at - r->report->input.ptr);
}

static void soch_bin_taker_wait(soch_bin_taker *taker, pith_doc *doc, size_t len)
{
    if (taker->reader.starved && taker->reader.waits) {
        pith_doc_reset(doc);
        taker->try_again = soch_try_again(len);
    }
}

/* ---------------------------------------------------------------------- the header */

static void soch_bin_taker_start(soch_bin_taker *taker, pith_doc *doc, pith_text input,
                                 bool ended, size_t *used, reporter *report)
{
    soch_bin_reader *r = &taker->reader;
    if (!ended && input.len < SOCH_BIN_HEADER_LEN) {
        return;
    }
    arena_reset(&taker->names);
    soch_bin_taker_place(taker, doc, input, ended, 0, report);
    if (!soch_bin_find_header(r, &taker->header)) {
        return;
    }
    if (taker->header.flags & SOCH_BIN_PACKED) {
        taker->phase = SOCH_IN_WHOLE;
        return;
    }
    if (!soch_bin_schema(r, taker->header.rows)) {
        soch_bin_taker_wait(taker, doc, input.len);
        return;
    }
    const doc_table *table = &doc->tables[doc->table_count - 1];
    taker->named = !table->unnamed;
    taker->phase = table->single ? SOCH_IN_WHOLE : SOCH_IN_ROWS;
    taker->summed = !(taker->header.flags & SOCH_BIN_SUMMED);
    taker->renewed = doc->shapes.renewed;
    doc->table_count = 0;
    r->row = 0;
    if (taker->phase == SOCH_IN_ROWS) {
        soch_bin_taker_use(taker, used);
    }
}

/* ------------------------------------------------------------------------ the rows */

static void soch_bin_taker_rows(soch_bin_taker *taker, pith_doc *doc, pith_text input,
                                bool ended, size_t *used, reporter *report)
{
    soch_bin_reader *r = &taker->reader;
    if (r->row == taker->header.rows) {
        taker->phase = SOCH_AT_END;
        return;
    }
    if (input.len == *used && !ended) {
        return;
    }
    soch_bin_taker_place(taker, doc, input, ended, *used, report);
    if (!soch_bin_taker_shape(taker)) {
        return;
    }
    doc->depth = taker->named ? 2 : 1; /* as deep as it would be in the table */
    if (!soch_bin_row(r)) {
        soch_bin_taker_wait(taker, doc, input.len - *used);
        return;
    }
    r->row++;
    soch_bin_taker_use(taker, used);
    doc_mark_tail(doc, input, 0);
    doc->finished = true;
}

/* The checksum, and nothing behind it. */
static void soch_bin_taker_end(soch_bin_taker *taker, pith_doc *doc, pith_text input,
                               bool ended, size_t *used, reporter *report)
{
    soch_bin_reader *r = &taker->reader;
    soch_bin_taker_place(taker, doc, input, ended, *used, report);
    if (!taker->summed) {
        if (!ended && soch_bin_left(r) < SOCH_BIN_FOOTER_LEN) {
            return;
        }
        if (!soch_bin_footer(r, taker->sum)) {
            return;
        }
        taker->summed = true;
        *used = (size_t)(r->at - input.ptr);
    }
    size_t left = soch_bin_left(r);
    if (left == 0 || (left < 4 && !ended)) {
        return;
    }
    if (left >= 4 && memcmp(r->at, SOCH_BIN_MAGIC, 4) == 0) {
        soch_not_a_table(report, *used);
    } else {
        soch_bin_trailing(r);
    }
}

/* ------------------------------------------------------------------------- taking */

static void soch_bin_taker_step(soch_bin_taker *taker, row_source *source, pith_doc *doc,
                                pith_text input, bool ended, size_t *used,
                                reporter *report)
{
    switch (taker->phase) {
    case SOCH_AT_START:
        soch_bin_taker_start(taker, doc, input, ended, used, report);
        break;
    case SOCH_IN_ROWS:
        soch_bin_taker_rows(taker, doc, input, ended, used, report);
        break;
    case SOCH_IN_WHOLE:
        if (parts_read(&taker->parts, soch_bin_decode, source->set, doc, input, ended,
                       used, report)) {
            taker->phase = SOCH_IN_PARTS;
        }
        break;
    case SOCH_IN_PARTS:
        parts_next(&taker->parts, doc, report);
        break;
    case SOCH_AT_END:
        soch_bin_taker_end(taker, doc, input, ended, used, report);
        break;
    }
}

void soch_bin_take_row(row_source *source, pith_doc *doc, pith_text input, bool ended,
                       size_t *used, reporter *report)
{
    *used = 0;
    if (!source->state) {
        soch_bin_taker *fresh =
            (soch_bin_taker *)alloc_zeroed(&source->alloc, sizeof *fresh);
        if (!fresh) {
            report_no_memory(report);
            return;
        }
        arena_init(&fresh->names, source->alloc);
        fresh->reader.names = &fresh->names;
        fresh->reader.refs = settings_number(source->set, SOCH_BIN_REFS) != 0;
        source->state = fresh;
    }
    soch_bin_taker *taker = (soch_bin_taker *)source->state;
    if (!ended && input.len < taker->try_again) {
        return;
    }
    soch_phase phase;
    do {
        phase = taker->phase;
        soch_bin_taker_step(taker, source, doc, input, ended, used, report);
    } while (report->count == 0 && !doc->finished && taker->phase != phase);
}

void soch_bin_forget(row_source *source)
{
    soch_bin_taker *taker = (soch_bin_taker *)source->state;
    pith_alloc alloc = source->alloc;
    LIST_FREE(&taker->reader.left, &alloc);
    arena_free(&taker->names);
    pith_doc_free(taker->parts.whole);
    alloc_free(&alloc, taker, sizeof *taker);
    source->state = NULL;
}
