/*
 * pith_take.c - rows off the front of a stream, one small document each.
 *
 *     [?{id,tags}         the header is kept
 *     1,[a,b]             a row is whole when the separator behind it has come
 *     2,[]
 *     ]2                  then the counts are compared
 *
 * Where a row ends is found by a scanner that knows quotes and brackets and nothing else,
 * and that goes on where it stopped when more has arrived; so the work stays linear in
 * whatever pieces the bytes come, and memory holds one row. The row itself is read by the
 * same code that reads whole texts.
 *
 * Everything that is no table at the root (an object, a map, a plain array) is collected
 * and, when the input has ended, handed out as from a whole document: the elements of an
 * array, or the one value.
 */
#include "format/parts.h"
#include "format/pith/pith_read.h"

typedef enum pn_phase {
    PN_AT_START, /* no header has come */
    PN_AT_ROW,   /* behind the header or a row */
    PN_AT_TOTAL, /* behind the bracket */
    PN_AT_END,   /* behind everything */
    PN_AT_WHOLE, /* no table: everything is collected */
    PN_AT_PARTS  /* of what was collected, values are handed out */
} pn_phase;

/* How far the end of a row or header has been looked for. */
typedef struct pn_scanner {
    size_t at; /* counted from the bytes that are not used yet */
    size_t depth;
    bool quoted;
    bool escaped;
} pn_scanner;

typedef struct pn_taker {
    pith_alloc alloc;
    pn_phase phase;
    pn_scanner scanner;
    size_t blank;      /* what stands before the header, as far as it has come */
    size_t counted;    /* and how far its count has been looked at */
    pn_reader reader;  /* its lists stay from row to row */
    pith_doc stand_in; /* for freeing them: only its allocator counts */
    pith_arena texts;  /* of the header */
    pith_text header;
    size_t renewed;      /* of the document's shapes, when the header was learned */
    size_t header_count; /* of the reader's lists, what is the header's */
    size_t op_count;
    bool broken; /* a line has ended since the bracket */

    row_parts parts; /* of a text that had to be collected */
} pn_taker;

/* ---------------------------------------------------------------------- scanning */

/* Goes on to the first byte outside quotes and brackets that ends a row, or, for a
 * header, to the brace that closes it. False when it has not come yet. */
static bool pn_scan_on(pn_scanner *scan, pith_text text, bool header)
{
    for (; scan->at < text.len; scan->at++) {
        char byte = text.ptr[scan->at];
        if (scan->quoted) {
            bool closes = byte == '"' && !scan->escaped;
            scan->escaped = byte == '\\' && !scan->escaped;
            if ((unsigned char)byte < 0x20) {
                return true; /* an error, and the reader will say so */
            }
            scan->quoted = !closes;
        } else if (byte == '"') {
            scan->quoted = true;
        } else if (byte == '[' || byte == '{') {
            scan->depth++;
        } else if (byte == ']' || byte == '}') {
            if (scan->depth == 0 || (header && scan->depth == 1)) {
                return true;
            }
            scan->depth--;
        } else if (!header && scan->depth == 0 &&
                   (byte == ';' || byte == '\n' || byte == '\r')) {
            return true;
        }
    }
    return false;
}

static void pn_scan_from(pn_scanner *scan, size_t at)
{
    memset(scan, 0, sizeof *scan);
    scan->at = at;
}

/* ------------------------------------------------------------------------ the reader */

/* The reader over these bytes, with everything it has learned. */
static void pn_taker_ready(pn_taker *taker, pith_doc *doc, pith_text input, size_t end,
                           reporter *report)
{
    pn_reader *r = &taker->reader;
    r->doc = doc;
    r->report = report;
    r->start = input.ptr;
    r->end = input.ptr + end;
    r->keep = &taker->texts;
    r->careful = report->callback != NULL;
    r->restart = false;
    r->quiet = false;
    r->strings.doc = doc;
    r->strings.report = report;
    r->strings.start = r->start;
    r->strings.end = r->end;
    r->strings.endless = "unterminated_quote";
}

/* Reads the header that begins with the count at `p`; NULL when there is a problem. Its
 * frame has no table. */
static const char *pn_taker_header(pn_taker *taker, const char *p)
{
    pn_reader *r = &taker->reader;
    r->ops.count = 0;
    r->headers.count = 0;
    r->frames.count = 0;
    r->bare.count = 0;
    p = pn_read_header(r, p, SLOT_NONE, false, 1);
    taker->renewed = r->doc->shapes.renewed;
    return p;
}

/* Shapes that the document has forgotten have to be learned again: the header is read
 * once more, from the copy, and keeps its counts. */
static bool pn_taker_relearn(pn_taker *taker)
{
    pn_reader *r = &taker->reader;
    pn_reader now = *r;
    size_t size = r->headers.count * sizeof(pn_header);
    pn_header *old = (pn_header *)alloc_resize(&taker->alloc, NULL, 0, size);
    if (!old) {
        report_no_memory(r->report);
        return false;
    }
    memcpy(old, r->headers.at, size);
    r->start = taker->header.ptr;
    r->end = r->start + taker->header.len;
    r->strings.start = r->start;
    r->strings.end = r->end;
    bool fine = pn_taker_header(taker, r->start) != NULL;
    for (size_t i = 0; i < r->headers.count && fine; i++) {
        pn_header *header = pn_header_at(r, (uint32_t)i);
        header->rows = old[i].rows;
        header->line = old[i].line;
        header->reported = old[i].reported;
    }
    r->start = now.start;
    r->end = now.end;
    r->strings = now.strings;
    alloc_free(&taker->alloc, old, size);
    return fine;
}

/* ------------------------------------------------------------------------- the start */

/* Looks at the count of a header, digits or a question mark, and makes the scanner ready
 * for what is behind it. False when it has not all come yet, or there is none. */
static bool pn_taker_count(pn_taker *taker, pith_text input, const char *count,
                           bool ended)
{
    const char *end = input.ptr + input.len;
    size_t before = (size_t)(count - input.ptr);
    size_t from = taker->counted > before ? taker->counted : before;
    bool open = count < end && *count == '?';
    const char *behind = open ? count + 1 : scan_digits(input.ptr + from, end);
    if (behind == end && !ended) {
        taker->counted = open ? 0 : input.len;
        return false;
    }
    if (!pn_is_counted(count, end)) {
        taker->phase = PN_AT_WHOLE;
        return false;
    }
    pn_scan_from(&taker->scanner, (size_t)(behind - input.ptr));
    return true;
}

static void pn_taker_start(pn_taker *taker, pith_doc *doc, pith_text input, bool ended,
                           size_t *used, reporter *report)
{
    const char *end = input.ptr + input.len;
    const char *at = scan_spaces(input.ptr + taker->blank, end);
    taker->blank = (size_t)(at - input.ptr);
    if (at == end && !ended) {
        return;
    }
    if (at == end || *at != '[') {
        taker->phase = PN_AT_WHOLE;
        return;
    }
    const char *count = at + 1;
    if (taker->scanner.at == 0 && !pn_taker_count(taker, input, count, ended)) {
        return;
    }
    if (!pn_scan_on(&taker->scanner, input, true)) {
        if (ended) {
            taker->phase = PN_AT_WHOLE; /* it is cut short: the whole will say so */
        }
        return;
    }
    size_t header_end = taker->scanner.at + 1;
    taker->header.len = header_end - (size_t)(count - input.ptr);
    taker->header.ptr = arena_copy(&taker->texts, count, taker->header.len);
    if (!taker->header.ptr) {
        report_no_memory(report);
        return;
    }
    pn_taker_ready(taker, doc, input, header_end, report);
    const char *rest = pn_taker_header(taker, count);
    if (rest) {
        *used = (size_t)(rest - input.ptr);
        taker->phase = PN_AT_ROW;
        pn_scan_from(&taker->scanner, 0);
    }
}

/* -------------------------------------------------------------------------- the rows */

/* The separator at the front of the input, behind the header or a row: where the next row
 * begins, or NULL when it is not there yet or was the last. */
static const char *pn_taker_separator(pn_taker *taker, pith_text input, bool ended,
                                      size_t *used)
{
    pn_reader *r = &taker->reader;
    const char *end = input.ptr + input.len;
    const char *at = pn_skip_blank(input.ptr + *used, end);
    bool semicolon = at < end && *at == ';';
    bool feed = at < end && (*at == '\n' || *at == '\r');
    at = semicolon ? scan_spaces(at + 1, end) : scan_spaces(at, end);
    if (at == end) {
        if (ended) {
            pn_bad_end(r, "a table", ']');
        }
        return NULL;
    }
    if (*at == ']' && !semicolon) {
        if (!pn_check_table(r, at)) {
            return NULL;
        }
        *used = (size_t)(at - input.ptr) + 1;
        taker->phase = PN_AT_TOTAL;
        return NULL;
    }
    if (!semicolon && !feed) {
        bool first = pn_header_at(r, 0)->rows == 0;
        pn_structure(r, first ? "expected_rows" : "expected_separator", at,
                     first ? "expected ';', a line break or the bracket after the header"
                           : "expected ',' or the end of the row after a cell");
        return NULL;
    }
    return at;
}

/* Reads the row from `row` to `stop`. */
static bool pn_taker_read(pn_taker *taker, const char *row, const char *stop)
{
    pn_reader *r = &taker->reader;
    const char *rest = pn_read_row(r, row);
    if (!rest && r->restart) {
        /* Some keys are equal: once more, to say where they stand. */
        pith_doc_reset(r->doc);
        r->headers.count = taker->header_count;
        r->ops.count = taker->op_count;
        r->frames.count = 1;
        pn_frame_top(r)->rows--;
        pn_header_at(r, 0)->rows--;
        r->restart = false;
        r->careful = true;
        rest = pn_read_row(r, row);
    }
    rest = rest ? pn_skip_blank(rest, r->end) : stop;
    if (rest < stop) {
        pn_structure(r, "expected_separator", rest,
                     "expected ',' or the end of the row after a cell");
    }
    return r->report->count == 0;
}

static void pn_taker_row(pn_taker *taker, pith_doc *doc, pith_text input, bool ended,
                         size_t *used, reporter *report)
{
    pn_taker_ready(taker, doc, input, input.len, report);
    const char *row = pn_taker_separator(taker, input, ended, used);
    if (!row) {
        return;
    }
    size_t start = (size_t)(row - input.ptr) - *used;
    pn_scanner *scan = &taker->scanner;
    if (scan->at < start) {
        pn_scan_from(scan, start);
    }
    bool whole = pn_scan_on(scan, text_of(input.ptr + *used, input.len - *used), false);
    if (!whole && !ended) {
        return;
    }
    size_t stop = *used + scan->at;
    pn_taker_ready(taker, doc, input, whole ? stop + 1 : stop, report);
    if (doc->shapes.renewed != taker->renewed && !pn_taker_relearn(taker)) {
        return;
    }
    taker->header_count = taker->reader.headers.count;
    taker->op_count = taker->reader.ops.count;
    if (!pn_taker_read(taker, row, input.ptr + stop)) {
        pith_doc_reset(doc);
        return;
    }
    doc_mark_tail(doc, input, taker->reader.constants);
    doc->finished = true;
    *used = stop;
    pn_scan_from(scan, 0);
}

/* ------------------------------------------------------------------------- the end */

static void pn_taker_total(pn_taker *taker, pith_doc *doc, pith_text input, bool ended,
                           size_t *used, reporter *report)
{
    pn_reader *r = &taker->reader;
    const char *end = input.ptr + input.len;
    const char *at = input.ptr + *used;
    if (scan_digits(at, end) == end && !ended) {
        return;
    }
    pn_taker_ready(taker, doc, input, input.len, report);
    if (!pn_check_total(r, pn_header_at(r, 0), &at)) {
        return;
    }
    *used = (size_t)(at - input.ptr);
    taker->phase = PN_AT_END;
    pn_scan_from(&taker->scanner, 0);
}

/* Whole lines only, as far as they have come: a note is read in one go. */
static void pn_taker_rest(pn_taker *taker, pith_doc *doc, pith_text input, bool ended,
                          size_t *used, reporter *report)
{
    pn_scanner *scan = &taker->scanner;
    size_t stop = input.len;
    while (!ended && stop > *used + scan->at && input.ptr[stop - 1] != '\n') {
        stop--;
    }
    if (!ended && stop == *used + scan->at) {
        scan->at = input.len - *used;
        return;
    }
    pn_taker_ready(taker, doc, input, stop, report);
    if (pn_read_rest(&taker->reader, input.ptr + *used, &taker->broken)) {
        *used = stop;
        pn_scan_from(scan, 0);
    }
}

/* ------------------------------------------------------------------------ the taker */

static void pn_taker_step(pn_taker *taker, pith_doc *doc, pith_text input, bool ended,
                          size_t *used, reporter *report)
{
    switch (taker->phase) {
    case PN_AT_START:
        pn_taker_start(taker, doc, input, ended, used, report);
        break;
    case PN_AT_ROW:
        pn_taker_row(taker, doc, input, ended, used, report);
        break;
    case PN_AT_TOTAL:
        pn_taker_total(taker, doc, input, ended, used, report);
        break;
    case PN_AT_END:
        pn_taker_rest(taker, doc, input, ended, used, report);
        break;
    case PN_AT_WHOLE:
        if (parts_read(&taker->parts, pn_decode, NULL, doc, input, ended, used, report)) {
            taker->phase = PN_AT_PARTS;
        }
        break;
    case PN_AT_PARTS:
        parts_next(&taker->parts, doc, report);
        break;
    }
}

void pn_take(row_source *source, pith_doc *doc, pith_text input, bool ended, size_t *used,
             reporter *report)
{
    *used = 0;
    if (!source->state) {
        pn_taker *made = (pn_taker *)alloc_zeroed(&source->alloc, sizeof *made);
        if (!made) {
            report_no_memory(report);
            return;
        }
        made->alloc = source->alloc;
        made->stand_in.alloc = source->alloc;
        arena_init(&made->texts, source->alloc);
        source->state = made;
    }
    pn_taker *taker = (pn_taker *)source->state;
    pn_phase phase;
    do {
        phase = taker->phase;
        pn_taker_step(taker, doc, input, ended, used, report);
    } while (report->count == 0 && !doc->finished && taker->phase != phase);
}

void pn_forget(row_source *source)
{
    pn_taker *taker = (pn_taker *)source->state;
    taker->reader.doc = &taker->stand_in;
    pn_reader_free(&taker->reader);
    arena_free(&taker->texts);
    pith_doc_free(taker->parts.whole);
    alloc_free(&source->alloc, taker, sizeof *taker);
    source->state = NULL;
}
