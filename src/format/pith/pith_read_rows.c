/*
 * pith_read_rows.c - rows of a table at the root, one by one.
 *
 *     [?{id,tags}         the header is kept
 *     1,[a,b]             a row is whole when the separator after it has come
 *     2,[]
 *     ]2                  then the counts are compared
 *
 * What is no table at the root (an object, a map, a plain array) is read whole.
 */
#include "format/pith/pith_read.h"

#include <assert.h>

typedef enum pn_phase {
    PN_AT_START, /* no header has come */
    PN_AT_ROW,   /* after the header or a row */
    PN_AT_TOTAL, /* after the bracket */
    PN_AT_END    /* after everything */
} pn_phase;

typedef struct pn_row_state {
    pn_phase phase;
    pn_reader reader; /* its lists stay from row to row */
    pith_arena texts; /* of the header */
    pith_text header;
    size_t renewed; /* of the document's shapes, when the header was learned */
    bool broken;    /* a line has ended since the bracket */

    /* What a row may change, as it was before it. */
    LIST(pn_header) headers;
    size_t op_count;
    size_t constants;
} pn_row_state;

/* The byte outside quotes and brackets that ends a row, or, of a header that begins after
 * its bracket, the brace that closes it; NULL when it has not come. Only what is wrong is
 * searched like this. */
static const char *pn_find_end(const char *p, const char *end, bool header)
{
    size_t depth = 0;
    bool quoted = false;
    for (; p < end; p++) {
        if (quoted) {
            if ((unsigned char)*p < 0x20)
                return p;
            quoted = *p != '"';
            p += *p == '\\' && end - p > 1 && (unsigned char)p[1] >= 0x20;
        } else if (*p == '"') {
            quoted = true;
        } else if (*p == '[' || *p == '{') {
            depth++;
        } else if (*p == ']' || *p == '}') {
            if (depth == 0 || (header && depth == 1))
                return p;
            depth--;
        } else if (!header && depth == 0 && (*p == ';' || *p == '\n' || *p == '\r')) {
            return p;
        }
    }
    return NULL;
}

/* -------------------------------------------------------------------------- headers */

/* Reads the header that begins with the count at `p`; NULL when there is a problem. Its
 * frame has no table. */
static const char *pn_learn_header(pn_row_state *rows, const char *p)
{
    pn_reader *r = &rows->reader;
    r->ops.count = 0;
    r->headers.count = 0;
    r->frames.count = 0;
    r->bare.count = 0;
    p = pn_read_header(r, p, SLOT_NONE, false, 1);
    rows->renewed = r->doc->shapes.renewed;
    return p;
}

static bool pn_save_row(pn_row_state *rows)
{
    pn_reader *r = &rows->reader;
    rows->headers.count = 0;
    if (!LIST_RESERVE(&rows->headers, &r->doc->alloc, r->headers.count))
        return read_failed(&r->in);
    rows->headers.count = r->headers.count;
    memcpy(rows->headers.at, r->headers.at, r->headers.count * sizeof(pn_header));
    rows->op_count = r->ops.count;
    rows->constants = r->constants;
    return true;
}

/* Everything is as it was before the row. */
static void pn_restore_row(pn_row_state *rows)
{
    assert(rows->headers.count > 0);
    pn_reader *r = &rows->reader;
    pith_doc_reset(r->doc);
    r->headers.count = rows->headers.count;
    memcpy(r->headers.at, rows->headers.at, r->headers.count * sizeof(pn_header));
    r->ops.count = rows->op_count;
    r->constants = rows->constants;
    r->frames.count = 1;
    pn_frame_top(r)->rows = (uint32_t)pn_header_at(r, 0)->rows;
    r->quiet = false;
}

/* Shapes that the document has forgotten have to be learned again: the header is read
 * once more, from the copy, and keeps its counts. */
static bool pn_relearn_header(pn_row_state *rows)
{
    pn_reader *r = &rows->reader;
    text_reader in = r->in;
    if (!pn_save_row(rows))
        return false;
    r->start = rows->header.ptr;
    r->end = r->start + rows->header.len;
    bool fine = pn_learn_header(rows, r->start) != NULL;
    for (size_t i = 0; i < r->headers.count && fine; i++) {
        pn_header *header = pn_header_at(r, (uint32_t)i);
        header->rows = rows->headers.at[i].rows;
        header->line = rows->headers.at[i].line;
        header->reported = rows->headers.at[i].reported;
    }
    r->in = in;
    return fine;
}

static read_event pn_start_rows(pn_row_state *rows, read_job *job)
{
    pn_reader *r = &rows->reader;
    const char *at = scan_spaces(job->input.ptr, r->end);
    if (at == r->end && r->waits)
        return READ_MORE;
    if (at == r->end || *at != '[')
        return READ_COLLECT;
    const char *count = at + 1;
    const char *rest =
        count < r->end && *count == '?' ? count + 1 : scan_digits(count, r->end);
    if (rest == r->end && r->waits)
        return READ_MORE;
    if (!pn_is_counted(count, r->end))
        return READ_COLLECT;
    arena_reset(&rows->texts);
    const char *after = pn_learn_header(rows, count);
    if (!after) {
        if (!pn_find_end(rest, r->end, true) && report_undo(r->report))
            return r->waits ? READ_MORE : READ_COLLECT;
        return READ_FAILED;
    }
    rows->header.len = (size_t)(after - count);
    rows->header.ptr = arena_copy(&rows->texts, count, rows->header.len);
    if (!rows->header.ptr) {
        read_failed(&r->in);
        return READ_FAILED;
    }
    job->used = (size_t)(after - job->input.ptr);
    rows->phase = PN_AT_ROW;
    return READ_ROW;
}

/* ----------------------------------------------------------------------------- rows */

/* The separator after the header or a row, at `at`: where the next row begins, or NULL
 * when it has not come, or there is none, or the table has ended. */
static const char *pn_pass_separator(pn_row_state *rows, const char *at, read_job *job)
{
    pn_reader *r = &rows->reader;
    at = pn_skip_blank(at, r->end);
    bool semicolon = at < r->end && *at == ';';
    bool feed = at < r->end && (*at == '\n' || *at == '\r');
    at = scan_spaces(at + semicolon, r->end);
    if (at == r->end) {
        if (!r->waits)
            pn_bad_end(r, "a table", ']');
        return NULL;
    }
    if (*at == ']' && !semicolon) {
        if (pn_check_table(r, at)) {
            job->used = (size_t)(at + 1 - job->input.ptr);
            rows->phase = PN_AT_TOTAL;
        }
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

/* Reads the row at `row`; what is after it, or NULL. */
static const char *pn_try_row(pn_row_state *rows, const char *row)
{
    pn_reader *r = &rows->reader;
    const char *rest = pn_read_row(r, row);
    rest = rest && r->report->count == 0 ? pn_skip_blank(rest, r->end) : NULL;
    if (rest && rest < r->end && !strchr(";\n\r]}", *rest)) {
        pn_structure(r, "expected_separator", rest,
                     "expected ',' or the end of the row after a cell");
        return NULL;
    }
    return rest;
}

static read_event pn_next_row(pn_row_state *rows, read_job *job)
{
    pn_reader *r = &rows->reader;
    const char *row = pn_pass_separator(rows, job->input.ptr + job->used, job);
    if (!row)
        return job->report->count > 0 ? READ_FAILED : READ_MORE;
    if (r->doc->shapes.renewed != rows->renewed && !pn_relearn_header(rows))
        return READ_FAILED;
    if (!pn_save_row(rows))
        return READ_FAILED;
    const char *rest = pn_try_row(rows, row);
    bool cut = rest ? rest == r->end : !pn_find_end(row, r->end, false);
    if (r->report->again || (cut && r->waits && report_undo(r->report))) {
        pn_restore_row(rows);
        return READ_MORE;
    }
    if (!rest)
        return READ_FAILED;
    job->used = (size_t)(rest - job->input.ptr);
    return READ_ROW;
}

/* -------------------------------------------------------------------------- the end */

static read_event pn_read_total(pn_row_state *rows, read_job *job)
{
    pn_reader *r = &rows->reader;
    const char *at = job->input.ptr + job->used;
    if (scan_digits(at, r->end) == r->end && r->waits)
        return READ_MORE;
    if (!pn_check_total(r, pn_header_at(r, 0), &at))
        return READ_FAILED;
    job->used = (size_t)(at - job->input.ptr);
    rows->phase = PN_AT_END;
    return READ_DONE;
}

/* Whole lines only, as far as they have come: a note is read in one go. */
static read_event pn_read_notes(pn_row_state *rows, read_job *job)
{
    pn_reader *r = &rows->reader;
    const char *at = job->input.ptr + job->used;
    while (r->waits && r->end > at && r->end[-1] != '\n')
        r->end--;
    if (!pn_read_rest(r, at, &rows->broken))
        return READ_FAILED;
    job->used = (size_t)(r->end - job->input.ptr);
    return r->waits ? READ_MORE : READ_DONE;
}

static void pn_place_rows(pn_row_state *rows, const read_job *job)
{
    pn_reader *r = &rows->reader;
    if (!r->keep) {
        arena_init(&rows->texts, job->doc->alloc);
        r->keep = &rows->texts;
    }
    read_init(&r->in, job->doc, job->report->input, job->report);
    r->waits = !job->ended;
    r->quiet = false;
}

static read_event pn_read_next(void *state, read_job *job)
{
    pn_row_state *rows = (pn_row_state *)state;
    read_event event = READ_ROW;
    pn_place_rows(rows, job);
    if (rows->phase == PN_AT_START)
        event = pn_start_rows(rows, job);
    if (rows->phase == PN_AT_ROW)
        event = pn_next_row(rows, job);
    if (rows->phase == PN_AT_TOTAL)
        event = pn_read_total(rows, job);
    if (rows->phase == PN_AT_END && event != READ_FAILED)
        event = pn_read_notes(rows, job);
    return event;
}

static void pn_close_rows(void *state, const pith_alloc *alloc)
{
    pn_row_state *rows = (pn_row_state *)state;
    if (rows->reader.keep) {
        pn_reader_free(&rows->reader, alloc);
        LIST_FREE(&rows->headers, alloc);
        arena_free(&rows->texts);
    }
}

const read_codec pn_read = {.state_size = sizeof(pn_row_state),
                            .read = pn_read_next,
                            .close = pn_close_rows,
                            .ends = ";\n\r]}"};
