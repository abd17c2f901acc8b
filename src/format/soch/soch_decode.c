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

void soch_set_rules(soch_reader *r, const settings *set)
{
    r->seed_only = settings_bool(set, SOCH_SEED_ONLY);
    r->refs = settings_number(set, SOCH_REFS) != 0;
    r->compat = settings_number(set, SOCH_COMPAT) != 0 && !r->seed_only;
    r->strict = (settings_bool(set, SOCH_STRICT) || r->seed_only) && !r->compat;
    soch_set_quoted_rules(r);
}

/* ------------------------------------------------------------------------- rows */

static bool soch_bad_width(soch_reader *r, size_t found, const char *at)
{
    return read_bad(&r->in, at, "row_width_mismatch",
                    "row %llu: expected %zu values, found %s%zu",
                    (unsigned long long)r->rows + 1, r->layout.count,
                    found > r->layout.count ? "more than " : "",
                    found > r->layout.count ? r->layout.count : found);
}

/* Whether a row may end here. */
static bool soch_at_row_end(const soch_reader *r, bool bracketed)
{
    if (r->at == r->end)
        return true;
    if (r->seed_only && *r->at == '\r' && r->end - r->at > 1)
        return r->at[1] == '\n';
    return bracketed ? *r->at == ']' : *r->at == ';' || *r->at == '\n';
}

static bool soch_bad_cell_end(soch_reader *r)
{
    return soch_bad_cell(r, r->at, "syntax",
                         "expected ',' or the end of the row, found '%s'",
                         error_quote(r->at, 1).text);
}

/* The end of the row at `at`, as far as brackets and quotes tell; where it begins with a
 * bracket and `closed`, the one that closes it. */
static const char *soch_search_end(const char *at, const char *end, bool closed)
{
    size_t depth = 0;
    bool closes = true; /* quotes do: after one that does not, no other can */
    for (; at < end; at++) {
        if (*at == '"' && closes) {
            const char *quote = soch_closing_quote(at, end);
            closes = quote < end;
            at = closes ? quote : at; /* never closed: it hides nothing */
        } else if (*at == '[' || *at == '{') {
            depth++;
        } else if ((*at == ']' || *at == '}') && depth > 0) {
            if (--depth == 0 && closed)
                break;
        } else if (depth == 0 && (*at == ';' || *at == '\n')) {
            break;
        }
    }
    return at;
}

/* Rows of SochDB's client stand in brackets. A first cell that is an array has a comma
 * after it, which the row as a whole has not. */
static bool soch_is_bracketed(const soch_reader *r)
{
    if (r->at == r->end || *r->at != '[' || r->layout.count < 2)
        return false;
    const char *close = soch_search_end(r->at, r->end, true);
    const char *after = close < r->end ? soch_skip_blanks(close + 1, r->end) : close;
    return after == r->end || *after != ',';
}

/* One row, as an object after everything on the tape. */
static bool soch_read_row(soch_reader *r)
{
    const char *from = r->at;
    bool bracketed = r->compat && soch_is_bracketed(r);
    r->at += bracketed;
    if (!soch_built(r, soch_open_row(r->doc, &r->layout)))
        return false;
    for (size_t i = 0; i < r->layout.count; i++) {
        r->column = i;
        if (!soch_read_cell(r, &r->layout.fields[i]))
            return false;
        if (i + 1 == r->layout.count)
            break;
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
    if (bracketed && r->at < r->end)
        r->at = soch_skip_blanks(r->at + 1, r->end);
    return soch_built(r, soch_close_row(r->doc, &r->layout));
}

/* Goes to the end of a row that cannot be read. */
static void soch_skip_row(soch_reader *r, const char *from)
{
    const char *end = soch_search_end(from, r->end, false);
    r->at = end > r->at ? end : r->at;
}

/* Line feeds, with or without carriage returns: all that may stand before a row in the
 * original grammar, whose examples have them there. */
static void soch_skip_line_ends(soch_reader *r)
{
    for (;;) {
        const char *at = r->at + (r->at < r->end && *r->at == '\r');
        if (at == r->end || *at != '\n')
            return;
        r->at = at + 1;
    }
}

/* What may stand before a row. */
static void soch_skip_to_row(soch_reader *r)
{
    if (r->seed_only)
        soch_skip_line_ends(r);
    else
        r->at = scan_spaces(r->at, r->end);
}

/* In the original grammar a row ends at a semicolon and nothing else, but for the last
 * one. */
static void soch_check_semicolon(soch_reader *r)
{
    const char *after = scan_spaces(r->at, r->end);
    if (after < r->end && *r->at != ';' && r->rows < r->count) {
        read_bad(&r->in, r->at, "syntax",
                 "expected ';' after row %llu: rows that end at a line feed alone are "
                 "an extension, which seed-only refuses",
                 (unsigned long long)r->rows);
        r->at = after;
    }
}

/* After a row: a semicolon, line feeds, or both. False when a second semicolon says
 * that a row is empty. */
static bool soch_skip_separator(soch_reader *r)
{
    r->at = scan_spaces(r->at, r->end);
    if (r->at < r->end && *r->at == ';') {
        r->at++;
        soch_skip_to_row(r);
    }
    if (r->at < r->end && *r->at == ';') {
        read_bad(&r->in, r->at, "empty_row",
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
    doc->unshaped_count = 0;
}

/* ------------------------------------------------------------------------ tables */

/* More or fewer rows than declared: `more` is "more than " or nothing. */
static void soch_bad_count(soch_reader *r, const char *more)
{
    size_t line = r->header_line
                      ? r->header_line
                      : report_place(r->report, read_at(&r->in, r->header)).line;
    read_bad(&r->in, r->at, "count_mismatch",
             "%llu row%s declared in line %zu, found %s%llu",
             (unsigned long long)r->count, r->count == 1 ? "" : "s", line, more,
             (unsigned long long)r->rows);
}

/* Whether a row begins here, or so it looks: soch_read_row may meet a header. */
static bool soch_row_follows(const soch_reader *r)
{
    if (r->at == r->end)
        return false;
    return r->rows < r->count || (!r->strict && *r->at != '#');
}

/* Counts the row before `at`, and goes to the next one. */
static void soch_end_row(soch_reader *r)
{
    r->rows++;
    if (r->seed_only)
        soch_check_semicolon(r);
    if (!read_stopped(&r->in) && !soch_skip_separator(r))
        r->rows++; /* an empty one */
    if (!read_stopped(&r->in))
        soch_tell_progress(r);
}

/* The rows after a header. */
static void soch_read_rows(soch_reader *r)
{
    pith_doc *doc = r->doc;
    uint32_t table = doc->open;
    size_t depth = doc->depth;
    r->met_header = false;
    soch_skip_to_row(r);
    while (!read_stopped(&r->in) && !r->met_header && soch_row_follows(r)) {
        size_t count = doc->count;
        uint32_t kept = doc->slots[table].n;
        const char *from = r->at;
        bool empty = *r->at == ';';
        if (empty) {
            read_bad(&r->in, r->at, "empty_row", "row %llu is empty",
                     (unsigned long long)r->rows + 1);
            r->rows++;
            r->at++;
        } else if (!soch_read_row(r)) {
            soch_drop_row(r, table, kept, count, depth);
            if (r->met_header)
                r->at = from;
            else
                soch_skip_row(r, from);
        }
        if (!empty && !r->met_header && !read_stopped(&r->in))
            soch_end_row(r);
    }
    if (!read_stopped(&r->in) && r->strict && r->rows != r->count)
        soch_bad_count(r, "");
}

static bool soch_skip_comment(soch_reader *r)
{
    if (r->at == r->end || *r->at != '#')
        return false;
    const char *feed = (const char *)memchr(r->at, '\n', (size_t)(r->end - r->at));
    const char *end = feed ? feed + 1 : r->end;
    report_comment(r->in.report, r->at, end);
    r->at = end;
    return true;
}

/* Skips white space and, before a header, lines that begin with #. */
static void soch_skip_to_header(soch_reader *r)
{
    if (r->seed_only)
        return; /* neither comments nor blanks are in the original grammar */
    do {
        r->at = scan_spaces(r->at, r->end);
    } while (soch_skip_comment(r));
}

static bool soch_read_table(soch_reader *r)
{
    pith_doc *doc = r->doc;
    if (!soch_read_header(r) || !soch_open_table(r))
        return false;
    soch_read_rows(r);
    if (read_stopped(&r->in) || !soch_built(r, build_close(doc)))
        return false;
    doc_table *table = &doc->tables[doc->table_count - 1];
    table->single = table->single && r->rows == 1;
    return true;
}

/* After the last row of a table: another header, or the end. */
static bool soch_next_table(soch_reader *r)
{
    soch_skip_to_header(r);
    if (r->seed_only)
        r->at = scan_spaces(r->at, r->end);
    if (r->at == r->end)
        return false;
    if (r->seed_only && (*r->at == '#' || soch_at_header(r))) {
        return read_bad(
            &r->in, r->at, "trailing_content",
            "a second table or a comment is an extension, which seed-only refuses");
    }
    if (!soch_at_header(r)) {
        soch_bad_count(r, "more than ");
        return false;
    }
    return true;
}

/* The table at `at`; true when another one follows. */
static bool soch_read_one(soch_reader *r)
{
    return soch_read_table(r) && soch_next_table(r);
}

/* The first table tells whether the root is needed: see soch_root.c. */
static bool soch_first_is_unnamed(soch_reader *r)
{
    const char *at = r->at;
    if (at == r->end || *at != '_')
        return false;
    at = scan_spaces(at + 1, r->end);
    return at < r->end && *at == '[';
}

/* What SochDB prints for a result without rows. */
static bool soch_is_empty_list(const soch_reader *r)
{
    const char *at = scan_spaces(r->at, r->end);
    return r->end - at >= 2 && memcmp(at, "[]", 2) == 0 &&
           scan_spaces(at + 2, r->end) == r->end;
}

static bool soch_check_utf8(soch_reader *r, const char *from, const char *end)
{
    size_t len = (size_t)(end - from);
    size_t bad = utf8_find_invalid(from, len);
    if (bad < len && (r->report->count == 0 || report_undo(r->report)))
        read_bad(&r->in, from + bad, "invalid_utf8", "the text is not UTF-8 here");
    return bad == len;
}

void soch_decode(decode_job *job)
{
    pith_doc *doc = job->doc;
    soch_reader r = {.at = job->input.ptr, .names = &doc->arena};
    read_init(&r.in, doc, job->input, job->report);
    soch_set_rules(&r, job->set);
    if (!soch_check_utf8(&r, r.start, r.end))
        return;
    r.at += utf8_bom(job->input.ptr, job->input.len);
    if (r.compat && soch_is_empty_list(&r)) {
        doc->finished = soch_built(&r, build_open(doc, PITH_ARRAY)) &&
                        soch_built(&r, build_close(doc));
        return;
    }
    soch_skip_to_header(&r);
    if (r.at == r.end) {
        read_bad(&r.in, r.at, "empty_input",
                 "expected a table such as users[2]{id,name}:, found nothing");
    } else if (!doc_reserve_for(doc, job->input, ",;[]\n")) {
        read_failed(&r.in);
    } else {
        soch_read_tables(&r, !soch_first_is_unnamed(&r), soch_read_one);
    }
}

/* ----------------------------------------------------------------------------- rows */

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
    if (after == r->end && report_undo(r->report))
        return r->waits ? READ_MORE : READ_COLLECT;
    soch_check_utf8(r, from, after);
    return READ_FAILED;
}

/* The header; READ_ROW when rows may follow. What is read leniently has to be read whole. */
static read_event soch_rows_start(soch_rows *rows, read_job *job)
{
    soch_reader *r = &rows->reader;
    const char *from = r->at;
    if (!r->strict || r->seed_only)
        return READ_COLLECT;
    if (r->waits && job->input.len < UTF8_BOM_LEN)
        return READ_MORE;
    arena_reset(&rows->names);
    r->at += utf8_bom(job->input.ptr, job->input.len);
    soch_skip_to_header(r);
    const char *header = r->at;
    size_t line = report_place(r->report, read_at(&r->in, header)).line;
    if (!soch_read_header(r))
        return soch_rows_bad_header(r, from, header);
    if (!soch_check_utf8(r, from, r->at))
        return READ_FAILED;
    r->header_line = line;
    read_event event = soch_rows_begin(rows, job);
    job->used = rows->begun ? (size_t)(r->at - job->input.ptr) : 0;
    return event;
}

/* After a row: white space and one semicolon. True when something else is there. */
static bool soch_rows_gap(soch_rows *rows)
{
    soch_reader *r = &rows->reader;
    for (;;) {
        r->at = scan_spaces(r->at, r->end);
        if (r->at == r->end || *r->at != ';')
            return r->at < r->end;
        if (rows->semicolon || r->rows == 0) {
            return read_bad(&r->in, r->at, "empty_row", "row %llu is empty",
                            (unsigned long long)r->rows + 1);
        }
        rows->semicolon = true;
        r->at++;
    }
}

static read_event soch_rows_row(soch_rows *rows, read_job *job)
{
    soch_reader *r = &rows->reader;
    const char *from = r->at;
    if (!soch_rows_renew(rows))
        return READ_FAILED;
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
        if (event == READ_FAILED)
            soch_check_utf8(r, from, end);
        return event;
    }
    if (!soch_check_utf8(r, from, end))
        return READ_FAILED;
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
        if (r->at == r->end)
            return r->waits ? READ_MORE : READ_DONE;
        const char *feed = (const char *)memchr(r->at, '\n', soch_left(r));
        const char *end = feed ? feed : r->end;
        /* What it is shows in its line, and in the beginning of that. */
        if (!feed && r->waits && (*r->at == '#' || soch_left(r) < 4096))
            return READ_MORE;
        if (*r->at != '#')
            break;
        if (!soch_check_utf8(r, r->at, end))
            return READ_FAILED;
        r->at = end;
    }
    if (soch_at_header(r))
        soch_not_a_table(r);
    else
        soch_bad_count(r, "more than ");
    return READ_FAILED;
}

static read_event soch_read_next(void *state, read_job *job)
{
    soch_rows *rows = (soch_rows *)state;
    soch_reader *r = &rows->reader;
    soch_rows_place(rows, job);
    if (!rows->begun) {
        soch_set_rules(r, job->set);
        read_event event = soch_rows_start(rows, job);
        if (!rows->begun)
            return event;
    }
    if (job->head)
        return READ_HEAD;
    bool more = soch_rows_gap(rows);
    job->used = (size_t)(r->at - job->input.ptr);
    if (job->report->count > 0)
        return READ_FAILED;
    if (r->rows == r->count)
        return soch_rows_end(r, job);
    if (!more && job->ended) {
        soch_bad_count(r, "");
        return READ_FAILED;
    }
    return more ? soch_rows_row(rows, job) : READ_MORE;
}

const read_codec soch_read = {.state_size = sizeof(soch_rows),
                              .read = soch_read_next,
                              .close = soch_rows_close,
                              .columns = soch_rows_columns,
                              .ends = ";\n}"};
