/*
 * soch_decode.c - tables of text, row by row.
 *
 *     users[3]{id,name}:          rows end at a semicolon, at line feeds, or at both
 *     1,Alice;
 *     2,Bob;
 *     3,Carol
 *     # a comment: only here, where a header may follow
 *     orders[1]{id}:1
 *
 * After the declared number of rows there must be another header or the end. Every row is
 * an object of one shape, found when the header was read, so a row costs its cells.
 *
 * A row with a mistake is taken off the tape again; when problems are collected, reading
 * goes on with the next. A header with a mistake ends it.
 */
#include "base/utf8.h"
#include "format/soch/soch_read.h"

enum { SOCH_PROGRESS_ROWS = 4096 };

void soch_reader_init(soch_reader *r, pith_doc *doc, pith_text input, reporter *report,
                      const settings *set)
{
    memset(r, 0, sizeof *r);
    read_init(&r->in, doc, input, report);
    r->names = &doc->arena;
    r->at = input.ptr;
    r->seed_only = settings_bool(set, SOCH_SEED_ONLY);
    r->refs = settings_number(set, SOCH_REFS) != 0;
    r->compat = settings_number(set, SOCH_COMPAT) != 0 && !r->seed_only;
    r->strict = (settings_bool(set, SOCH_STRICT) || r->seed_only) && !r->compat;
    soch_set_quoted_rules(r);
}

/* ------------------------------------------------------------------------- rows */

static bool soch_bad_width(soch_reader *r, size_t found, const char *at)
{
    report_bad(r->report, "row_width_mismatch", soch_offset(r, at),
               "row %llu: expected %zu values, found %s%zu",
               (unsigned long long)r->rows + 1, r->layout.count,
               found > r->layout.count ? "more than " : "",
               found > r->layout.count ? r->layout.count : found);
    return false;
}

/* Whether a row may end here. */
static bool soch_at_row_end(const soch_reader *r, bool bracketed)
{
    if (r->at == r->end) {
        return true;
    }
    if (r->seed_only && *r->at == '\r' && r->end - r->at > 1) {
        return r->at[1] == '\n';
    }
    return bracketed ? *r->at == ']' : *r->at == ';' || *r->at == '\n';
}

static bool soch_bad_cell_end(soch_reader *r)
{
    report_bad(r->report, "syntax", soch_offset(r, r->at),
               "%s: expected ',' or the end of the row, found '%s'", soch_here(r).text,
               error_quote(r->at, 1).text);
    return false;
}

/* Behind the bracket that closes the one at `at`, as far as quotes and brackets tell;
 * `end` when there is none. */
static const char *soch_match_bracket(const char *at, const char *end)
{
    size_t depth = 0;
    for (; at < end; at++) {
        if (*at == '"') {
            for (at++; at < end && *at != '"'; at++) {
                at += *at == '\\' && end - at > 1;
            }
        } else if (*at == '[' || *at == '{') {
            depth++;
        } else if ((*at == ']' || *at == '}') && --depth == 0) {
            return at + 1;
        }
    }
    return end;
}

/* Rows of SochDB's client stand in brackets. A first cell that is an array has a comma
 * behind it, which the row as a whole has not. */
static bool soch_is_bracketed(const soch_reader *r)
{
    if (r->at == r->end || *r->at != '[' || r->layout.count < 2) {
        return false;
    }
    const char *behind = soch_skip_blanks(soch_match_bracket(r->at, r->end), r->end);
    return behind == r->end || *behind != ',';
}

bool soch_read_row(soch_reader *r)
{
    const char *from = r->at;
    bool bracketed = r->compat && soch_is_bracketed(r);
    r->at += bracketed;
    if (!soch_built(r, soch_open_row(r->doc, &r->layout))) {
        return false;
    }
    for (size_t i = 0; i < r->layout.count; i++) {
        r->column = i;
        if (!soch_read_cell(r, &r->layout.fields[i])) {
            return false;
        }
        if (i + 1 == r->layout.count) {
            break;
        }
        if (r->at == r->end || *r->at != ',') {
            return soch_at_row_end(r, bracketed) ? soch_bad_width(r, i + 1, from)
                                                 : soch_bad_cell_end(r);
        }
        r->at++;
    }
    if (!soch_at_row_end(r, bracketed)) {
        return *r->at == ',' ? soch_bad_width(r, r->layout.count + 1, from)
                             : soch_bad_cell_end(r);
    }
    if (bracketed && r->at < r->end) {
        r->at = soch_skip_blanks(r->at + 1, r->end);
    }
    return soch_built(r, soch_close_row(r->doc, &r->layout));
}

/* Goes to the end of a row that cannot be read, as far as brackets and quotes tell. */
static void soch_skip_row(soch_reader *r, const char *from)
{
    size_t depth = 0;
    const char *at = from;
    for (; at < r->end; at++) {
        if (*at == '"') {
            const char *quote = at;
            for (at++; at < r->end && *at != '"'; at++) {
                at += *at == '\\' && r->end - at > 1;
            }
            at = at < r->end ? at : quote; /* never closed: it hides nothing */
        } else if (*at == '[' || *at == '{') {
            depth++;
        } else if ((*at == ']' || *at == '}') && depth > 0) {
            depth--;
        } else if (depth == 0 && (*at == ';' || *at == '\n')) {
            break;
        }
    }
    r->at = at > r->at ? at : r->at;
}

/* Line feeds, with or without carriage returns: all that may stand before a row in the
 * original grammar, whose examples have them there. */
static void soch_skip_line_ends(soch_reader *r)
{
    for (;;) {
        const char *at = r->at + (r->at < r->end && *r->at == '\r');
        if (at == r->end || *at != '\n') {
            return;
        }
        r->at = at + 1;
    }
}

/* What may stand before a row. */
static void soch_skip_to_row(soch_reader *r)
{
    if (r->seed_only) {
        soch_skip_line_ends(r);
    } else {
        r->at = scan_spaces(r->at, r->end);
    }
}

/* In the original grammar a row ends at a semicolon and nothing else, but for the last
 * one. */
static void soch_check_semicolon(soch_reader *r)
{
    const char *behind = scan_spaces(r->at, r->end);
    if (behind < r->end && *r->at != ';' && r->rows < r->count) {
        report_bad(r->report, "syntax", soch_offset(r, r->at),
                   "expected ';' behind row %llu: rows that end at a line feed alone are "
                   "an extension, which seed-only refuses",
                   (unsigned long long)r->rows);
        r->at = behind;
    }
}

/* Behind a row: a semicolon, line feeds, or both. False when a second semicolon says
 * that a row is empty. */
static bool soch_skip_separator(soch_reader *r)
{
    r->at = scan_spaces(r->at, r->end);
    if (r->at < r->end && *r->at == ';') {
        r->at++;
        soch_skip_to_row(r);
    }
    if (r->at < r->end && *r->at == ';') {
        report_bad(r->report, "empty_row", soch_offset(r, r->at),
                   "row %llu is empty; the row before ended with the last ';'",
                   (unsigned long long)r->rows + 1);
        r->at++;
        return false;
    }
    return true;
}

/* Takes an unfinished row off the tape, and off the `kept` rows of its table. */
static void soch_drop_row(soch_reader *r, uint32_t table, uint32_t kept, size_t count,
                          size_t depth)
{
    pith_doc *doc = r->doc;
    doc->slots[table].n = kept;
    doc->count = count;
    doc->open = table;
    doc->depth = depth;
    doc->loose_count = 0;
}

static bool soch_tell_progress(soch_reader *r)
{
    pith_doc *doc = r->doc;
    if (!doc->progress || r->rows % SOCH_PROGRESS_ROWS != 0 ||
        doc->progress(doc->progress_ctx, soch_offset(r, r->at))) {
        return true;
    }
    report_problem(r->report, PITH_LIMIT, "cancelled", soch_offset(r, r->at),
                   "the reading was cancelled");
    r->stop = true;
    return false;
}

/* ------------------------------------------------------------------------ tables */

void soch_bad_count(soch_reader *r, const char *more)
{
    size_t line = r->header_line
                      ? r->header_line
                      : report_place(r->report, soch_offset(r, r->header)).line;
    report_bad(r->report, "count_mismatch", soch_offset(r, r->at),
               "%llu row%s declared in line %zu, found %s%llu",
               (unsigned long long)r->count, r->count == 1 ? "" : "s", line, more,
               (unsigned long long)r->rows);
}

/* Whether a row begins here, or so it looks: soch_read_row may meet a header. */
static bool soch_row_follows(const soch_reader *r)
{
    if (r->at == r->end) {
        return false;
    }
    return r->rows < r->count || (!r->strict && *r->at != '#');
}

/* The rows behind a header. */
static void soch_read_rows(soch_reader *r)
{
    pith_doc *doc = r->doc;
    uint32_t table = doc->open;
    size_t depth = doc->depth;
    bool fine = true;
    r->met_header = false;
    soch_skip_to_row(r);
    while (fine && soch_row_follows(r)) {
        size_t count = doc->count;
        uint32_t kept = doc->slots[table].n;
        const char *from = r->at;
        if (*r->at == ';') {
            report_bad(r->report, "empty_row", soch_offset(r, r->at), "row %llu is empty",
                       (unsigned long long)r->rows + 1);
            r->rows++;
            r->at++;
            fine = !read_stopped(&r->in);
            continue;
        }
        if (!soch_read_row(r)) {
            soch_drop_row(r, table, kept, count, depth);
            if (r->met_header) {
                r->at = from;
                break;
            }
            soch_skip_row(r, from);
            fine = !read_stopped(&r->in);
        }
        r->rows++;
        if (fine && r->seed_only) {
            soch_check_semicolon(r);
            fine = !read_stopped(&r->in);
        }
        if (fine && !soch_skip_separator(r)) {
            fine = !read_stopped(&r->in);
            r->rows++;
        }
        fine = fine && soch_tell_progress(r);
    }
    if (fine && r->strict && r->rows != r->count) {
        soch_bad_count(r, "");
    }
}

static bool soch_skip_comment(soch_reader *r)
{
    if (r->at == r->end || *r->at != '#') {
        return false;
    }
    const char *feed = (const char *)memchr(r->at, '\n', (size_t)(r->end - r->at));
    r->at = feed ? feed + 1 : r->end;
    return true;
}

void soch_skip_to_header(soch_reader *r)
{
    if (r->seed_only) {
        return; /* neither comments nor blanks are in the original grammar */
    }
    do {
        r->at = scan_spaces(r->at, r->end);
    } while (soch_skip_comment(r));
}

static bool soch_read_table(soch_reader *r)
{
    pith_doc *doc = r->doc;
    if (!soch_read_header(r)) {
        return false;
    }
    r->lent_depth += soch_lend_depth(doc);
    if (!soch_built(r, build_open(doc, PITH_ARRAY))) {
        return false;
    }
    doc->tables[doc->table_count - 1].at = doc->open;
    soch_read_rows(r);
    if (read_stopped(&r->in) || !soch_built(r, build_close(doc))) {
        return false;
    }
    doc_table *table = &doc->tables[doc->table_count - 1];
    table->single = table->single && r->rows == 1;
    return true;
}

/* Behind the last row of a table: another header, or the end. */
static bool soch_next_table(soch_reader *r)
{
    soch_skip_to_header(r);
    if (r->seed_only) {
        r->at = scan_spaces(r->at, r->end);
    }
    if (r->at == r->end) {
        return false;
    }
    if (r->seed_only && (*r->at == '#' || soch_at_header(r))) {
        report_bad(
            r->report, "trailing_content", soch_offset(r, r->at),
            "a second table or a comment is an extension, which seed-only refuses");
        return false;
    }
    if (!soch_at_header(r)) {
        soch_bad_count(r, "more than ");
        return false;
    }
    return true;
}

static bool soch_check_utf8(soch_reader *r)
{
    size_t bad = utf8_find_invalid(r->report->input.ptr, r->report->input.len);
    if (bad == r->report->input.len) {
        return true;
    }
    report_bad(r->report, "invalid_utf8", bad, "the text is not UTF-8 here");
    return false;
}

/* The first table tells whether the root is needed: see soch_root.c. */
static bool soch_first_is_unnamed(soch_reader *r)
{
    const char *at = r->at;
    if (at == r->end || *at != '_') {
        return false;
    }
    at = scan_spaces(at + 1, r->end);
    return at < r->end && *at == '[';
}

static void soch_read_tables(soch_reader *r)
{
    pith_doc *doc = r->doc;
    soch_skip_to_header(r);
    if (r->at == r->end) {
        report_bad(r->report, "empty_input", soch_offset(r, r->at),
                   "expected a table such as users[2]{id,name}:, found nothing");
        return;
    }
    bool wrapped = !soch_first_is_unnamed(r);
    if (!doc_reserve_for(doc, r->report->input, ",;[]\n") ||
        (wrapped && build_open(doc, PITH_ARRAY) != BUILD_DONE)) {
        report_no_memory(r->report);
        return;
    }
    do {
        if (!soch_read_table(r)) {
            return;
        }
    } while (soch_next_table(r));
    if (r->report->count > 0) {
        return;
    }
    if ((wrapped && build_close(doc) != BUILD_DONE) || !soch_make_root(doc, wrapped)) {
        report_no_memory(r->report);
        return;
    }
    doc_mark_tail(doc, r->report->input, 0);
    doc->finished = true;
}

/* What SochDB prints for a result without rows. */
static bool soch_is_empty_list(const soch_reader *r)
{
    const char *at = scan_spaces(r->at, r->end);
    return r->end - at >= 2 && memcmp(at, "[]", 2) == 0 &&
           scan_spaces(at + 2, r->end) == r->end;
}

void soch_decode(decode_job *job)
{
    soch_reader r;
    soch_reader_init(&r, job->doc, job->input, job->report, job->set);
    r.at += utf8_bom(job->input.ptr, job->input.len);
    if (!soch_check_utf8(&r)) {
        return;
    }
    if (r.compat && soch_is_empty_list(&r)) {
        bool done = soch_built(&r, build_open(job->doc, PITH_ARRAY)) &&
                    soch_built(&r, build_close(job->doc));
        job->doc->finished = done;
        return;
    }
    soch_read_tables(&r);
    job->doc->depth_max -= r.lent_depth;
    if (job->doc->finished && soch_is_too_deep(job->doc, r.lent_depth)) {
        r.lent_depth = 0;
        soch_built(&r, BUILD_TOO_DEEP);
    }
}

/* ----------------------------------------------------------------------------- rows */

/* Rows of a text that is one table and nothing else, one by one. When something follows
 * such a table, the rows before it are out already, and that is an error: "not_a_table".
 * A lone value, and everything that is read leniently, has to be read whole. */
typedef struct soch_row_state {
    soch_reader reader; /* its layout and counts stay */
    pith_arena names;
    bool begun;     /* the header has been read */
    bool named;     /* the table has a name */
    bool semicolon; /* one has come since the last row */
    size_t renewed; /* of the document's shapes, when that of the rows was found */
} soch_row_state;

static bool soch_rows_utf8(soch_reader *r, const char *from, const char *end)
{
    size_t len = (size_t)(end - from);
    size_t bad = utf8_find_invalid(from, len);
    if (bad < len && report_undo(r->report)) {
        report_bad(r->report, "invalid_utf8", soch_offset(r, from + bad),
                   "the text is not UTF-8 here");
    }
    return bad == len;
}

/* What has gone wrong before all bytes are there is no problem yet. */
static read_event soch_rows_failed(soch_reader *r, const char *end)
{
    bool cut = r->waits && end == r->end && report_undo(r->report);
    return cut ? READ_MORE : READ_FAILED;
}

/* A header with a mistake ends with its brace, and if it has none, with the text. */
static read_event soch_rows_bad_header(soch_reader *r, const char *from,
                                       const char *header)
{
    size_t left = (size_t)(r->end - header);
    const char *brace = (const char *)memchr(header, '}', left);
    const char *after = brace ? scan_spaces(brace + 1, r->end) : r->end;
    after = r->at < r->end ? after : r->end;
    if (after == r->end && report_undo(r->report)) {
        return r->waits ? READ_MORE : READ_COLLECT;
    }
    soch_rows_utf8(r, from, after);
    return READ_FAILED;
}

/* The header; READ_ROW when rows may follow. */
static read_event soch_rows_start(soch_row_state *rows, read_job *job)
{
    soch_reader *r = &rows->reader;
    pith_doc *doc = job->doc;
    const char *from = r->at;
    if (!r->strict || r->seed_only) {
        return READ_COLLECT;
    }
    if (r->waits && job->input.len < UTF8_BOM_LEN) {
        return READ_MORE;
    }
    arena_reset(&rows->names);
    r->at += utf8_bom(job->input.ptr, job->input.len);
    soch_skip_to_header(r);
    const char *header = r->at;
    size_t line = report_place(r->report, soch_offset(r, header)).line;
    if (!soch_read_header(r)) {
        return soch_rows_bad_header(r, from, header);
    }
    if (!soch_rows_utf8(r, from, r->at)) {
        return READ_FAILED;
    }
    const doc_table *table = &doc->tables[doc->table_count - 1];
    if (table->single) {
        return READ_COLLECT;
    }
    r->header_line = line;
    rows->named = !table->unnamed;
    rows->renewed = doc->shapes.renewed;
    rows->begun = true;
    doc->table_count = 0;
    job->used = (size_t)(r->at - job->input.ptr);
    return READ_ROW;
}

/* After a row: white space and one semicolon. True when something else is there. */
static bool soch_rows_gap(soch_row_state *rows)
{
    soch_reader *r = &rows->reader;
    for (;;) {
        r->at = scan_spaces(r->at, r->end);
        if (r->at == r->end || *r->at != ';') {
            return r->at < r->end;
        }
        if (rows->semicolon || r->rows == 0) {
            report_bad(r->report, "empty_row", soch_offset(r, r->at), "row %llu is empty",
                       (unsigned long long)r->rows + 1);
            return false;
        }
        rows->semicolon = true;
        r->at++;
    }
}

static read_event soch_rows_row(soch_row_state *rows, read_job *job)
{
    soch_reader *r = &rows->reader;
    pith_doc *doc = job->doc;
    const char *from = r->at;
    if (rows->renewed != doc->shapes.renewed && !soch_layout_renew(&r->layout, doc)) {
        read_failed(&r->in);
        return READ_FAILED;
    }
    rows->renewed = doc->shapes.renewed;
    doc->depth = rows->named ? 2 : 1; /* as deep as it would be in the table */
    r->met_header = false;
    bool fine = soch_read_row(r);
    if (!fine && r->met_header) {
        r->at = from;
        soch_bad_count(r, "");
    }
    const char *end = r->at;
    if (!fine && !r->met_header && end < r->end) {
        soch_skip_row(r, from);
        end = r->at;
    }
    if (!fine || (r->waits && end == r->end)) {
        read_event event = soch_rows_failed(r, end);
        if (event == READ_FAILED) {
            soch_rows_utf8(r, from, end);
        }
        return event;
    }
    if (!soch_rows_utf8(r, from, end)) {
        return READ_FAILED;
    }
    r->rows++;
    rows->semicolon = false;
    job->used = (size_t)(r->at - job->input.ptr);
    return READ_ROW;
}

/* After the last row: comments, and nothing else. */
static read_event soch_rows_end(soch_reader *r, read_job *job)
{
    for (;;) {
        r->at = scan_spaces(r->at, r->end);
        job->used = (size_t)(r->at - job->input.ptr);
        if (r->at == r->end) {
            return r->waits ? READ_MORE : READ_DONE;
        }
        const char *feed = (const char *)memchr(r->at, '\n', soch_left(r));
        const char *end = feed ? feed : r->end;
        /* What it is shows in its line, and in the beginning of that. */
        if (!feed && r->waits && (*r->at == '#' || soch_left(r) < 4096)) {
            return READ_MORE;
        }
        if (*r->at != '#') {
            break;
        }
        if (!soch_rows_utf8(r, r->at, end)) {
            return READ_FAILED;
        }
        r->at = end;
    }
    if (soch_at_header(r)) {
        soch_not_a_table(job->report, soch_offset(r, r->at));
    } else {
        soch_bad_count(r, "more than ");
    }
    return READ_FAILED;
}

static read_event soch_read_next(void *state, read_job *job)
{
    soch_row_state *rows = (soch_row_state *)state;
    soch_reader *r = &rows->reader;
    if (!r->names) {
        soch_reader_init(r, job->doc, job->report->input, job->report, job->set);
        arena_init(&rows->names, job->doc->alloc);
        r->names = &rows->names;
    }
    read_init(&r->in, job->doc, job->report->input, job->report);
    r->waits = !job->ended;
    r->at = job->input.ptr;
    r->ref_shape = SHAPE_NONE;
    if (!rows->begun) {
        read_event event = soch_rows_start(rows, job);
        if (!rows->begun) {
            return event;
        }
    }
    bool more = soch_rows_gap(rows);
    job->used = (size_t)(r->at - job->input.ptr);
    if (job->report->count > 0) {
        return READ_FAILED;
    }
    if (r->rows == r->count) {
        return soch_rows_end(r, job);
    }
    if (!more && job->ended) {
        soch_bad_count(r, "");
        return READ_FAILED;
    }
    return more ? soch_rows_row(rows, job) : READ_MORE;
}

static void soch_close_rows(void *state, const pith_alloc *alloc)
{
    soch_row_state *rows = (soch_row_state *)state;
    (void)alloc;
    if (rows->reader.names) {
        arena_free(&rows->names);
    }
}

const read_codec soch_read = {.state_size = sizeof(soch_row_state),
                              .read = soch_read_next,
                              .close = soch_close_rows,
                              .ends = ";\n}"};
