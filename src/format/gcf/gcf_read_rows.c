/*
 * gcf_read_rows.c - rows of a table, one by one.
 *
 *     GCF profile=generic
 *     ## orders [?]{id,items}      the columns are kept
 *     @0 7|^                       --.
 *     .items [2]{sku,qty}            |  one row: handed out once the next line that
 *         A1|2                       |  cannot belong to it has begun
 *         B7|1                     --'
 *     @1 8|^
 *     ...
 *     ##! summary counts=2
 *
 * A row without a number has no attachments and is whole when its line is. One with a
 * number ends where the next row, the trailer or the input does.
 *
 * What is handed out row by row is a text that is one table and nothing else, at the root
 * or under one name; counted or [?]. When something follows such a table, the rows before
 * it are out already, and that is an error: "not_a_table". Everything else (keyed tables
 * and tables with an identity, whose keys have to be compared with each other; lists;
 * objects) has to be read whole.
 */
#include "format/gcf/gcf_graph.h"
#include "format/gcf/gcf_read.h"

#include <assert.h>

typedef struct gcf_row_state {
    gcf_reader reader; /* its layouts and stacks stay from row to row */
    bool placed;       /* it has been used */
    bool done;         /* the trailer has come */
    gcf_scope table; /* as it is between two rows; it has a layout once the header came */
    bool named;      /* it is the one member of an object */
    char digits[24]; /* of the count, as declared */

    size_t len;     /* unused bytes when the lines were looked for, */
    size_t lines;   /* of these those that are whole lines, */
    size_t checked; /* and those whose UTF-8 is known to be right */
} gcf_row_state;

/* ------------------------------------------------------------------------ the input */

/* Finds out which bytes are whole lines, once for each piece. */
static void gcf_find_lines(gcf_row_state *rows, const read_job *job)
{
    size_t len = job->input.len;
    if (job->ended || len == rows->len) {
        rows->lines = job->ended ? len : rows->lines;
        return;
    }
    rows->len = len;
    while (len > 0 && job->input.ptr[len - 1] != '\n')
        len--;
    rows->lines = len;
}

/* The lines before `end` are done with. What is known of those after them stays known: a
 * piece of many rows is looked through once, not once for each row. */
static void gcf_use_lines(gcf_row_state *rows, read_job *job, const char *end)
{
    assert(end >= job->input.ptr + job->used);
    const gcf_reader *r = &rows->reader;
    const char *known = r->ahead.bad ? r->ahead.bad : r->ahead.checked;
    size_t used = (size_t)(end - job->input.ptr);
    rows->lines -= used - job->used;
    rows->len -= used - job->used;
    rows->checked = known > end ? (size_t)(known - end) : 0;
    job->used = used;
}

/* The reader at the front of the lines, with everything it has learned. */
static void gcf_place_rows(gcf_row_state *rows, const read_job *job)
{
    gcf_reader *r = &rows->reader;
    const char *front = job->input.ptr + job->used;
    rows->placed = true;
    read_init(&r->in, job->doc, job->report->input, job->report);
    r->waits = !job->ended;
    r->rows = true;
    r->moved.count = 0;
    r->deferred.count = 0;
    gcf_unpark_layouts(r);
    gcf_reader_place(r, text_of(front, rows->lines), front + rows->checked);
}

/* The next line that is no comment; false when it has not come. */
static bool gcf_next_content(gcf_reader *r, text_line *line)
{
    while (lines_next(&r->lines, line))
        if (!gcf_is_comment(r, line))
            return true;
    return false;
}

/* ------------------------------------------------------------------------ the start */

/* True for the header of a table at the root or under a name; `*head` is its bracket. */
static bool gcf_is_table_header(const text_line *line, const char **head)
{
    const char *at = line->at + 3;
    if (line->at != line->start || line->end - line->at < 4 ||
        memcmp(line->at, "## ", 3) != 0)
        return false;
    if (*at != '[') {
        const char *after = gcf_skip_key(at, line->end);
        if (!after || line->end - after < 2 || after[0] != ' ' || after[1] != '[')
            return false;
        at = after + 1;
    }
    const char *close = (const char *)memchr(at, ']', (size_t)(line->end - at));
    *head = at;
    return close && close[-1] != ':' && close + 1 < line->end && close[1] == '{';
}

/* Keeps what the header says for the rows to come. */
static void gcf_begin_rows(gcf_row_state *rows, const text_line *line,
                           const gcf_head *head, const char *bracket)
{
    const gcf_reader *r = &rows->reader;
    gcf_scope *table = &rows->table;
    pith_text digits = head->count.digits;
    digits.len = digits.len < sizeof rows->digits ? digits.len : sizeof rows->digits;
    memcpy(rows->digits, digits.ptr, digits.len);
    rows->named = bracket != line->at + 3;
    table->kind = GCF_TABLE;
    table->shares = true;
    table->layout = head->layout;
    table->line = report_place(r->report, gcf_at(r, line->at)).line;
    table->wanted = head->count;
    table->wanted.digits = text_of(rows->digits, digits.len);
}

static void gcf_trim_line(text_line *line)
{
    while (line->end > line->at && gcf_is_blank(line->end[-1]))
        line->end--;
}

/* Reads the first line and the header of the table, if it is one. */
static read_event gcf_start_rows(gcf_row_state *rows, read_job *job)
{
    gcf_reader *r = &rows->reader;
    text_line first, line;
    const char *bracket;
    gcf_head head;
    gcf_place_rows(rows, job);
    if (!lines_next(&r->lines, &first))
        return job->ended ? READ_COLLECT : READ_MORE;
    if (first.number != 1 || first.at != first.start || gcf_is_graph(job->input))
        return READ_COLLECT; /* a graph; or it will be said what is wrong */
    if (!gcf_next_content(r, &line))
        return job->ended ? READ_COLLECT : READ_MORE;
    gcf_trim_line(&first);
    gcf_trim_line(&line);
    if (!gcf_is_table_header(&line, &bracket))
        return READ_COLLECT;
    if (!gcf_check_utf8(r, line.end) || !gcf_read_first_line(r, first.at, first.end) ||
        !gcf_read_head(r, bracket, line.end, GCF_MAY_FIX, NULL, &head))
        return READ_FAILED;
    if (head.layout->identity != SLOT_NONE) {
        gcf_layout_drop(r, head.layout);
        return READ_COLLECT;
    }
    gcf_begin_rows(rows, &line, &head, bracket);
    gcf_use_lines(rows, job, r->lines.next);
    return READ_ROW;
}

/* ------------------------------------------------------------------------- the rows */

static read_event gcf_not_a_table(gcf_reader *r, const char *at)
{
    read_bad(&r->in, at, "not_a_table",
             "expected nothing after the table: rows are handed out one by one only "
             "of a text that is one table; read this one whole");
    return READ_FAILED;
}

/* What is after the last row: the trailer, or what should not be there. */
static read_event gcf_end_rows(gcf_row_state *rows, const text_line *line)
{
    assert(!rows->done);
    gcf_reader *r = &rows->reader;
    const gcf_count *wanted = &rows->table.wanted;
    uint64_t count = rows->table.count;
    rows->done = true;
    if (!wanted->deferred && count != wanted->value) {
        read_bad_count(&r->in, line ? line->at : r->end, wanted->digits,
                       read_plural("row", "rows", wanted->value), rows->table.line,
                       count);
        return READ_FAILED;
    }
    if (!line)
        return READ_DONE;
    if (line->end - line->at < 3 || line->at[2] != '!')
        return gcf_not_a_table(r, line->at);
    uint64_t *before = r->deferred.at;
    r->deferred.at = &count;
    r->deferred.count = wanted->deferred ? 1 : 0;
    gcf_read_summary(r, line->at, line->end);
    r->deferred.at = before;
    r->deferred.count = 0;
    return r->report->count > 0 ? READ_FAILED : READ_DONE;
}

/* The table, as it is around the next row. */
static bool gcf_push_table(gcf_row_state *rows)
{
    gcf_reader *r = &rows->reader;
    assert(r->scopes.count == 0);
    r->doc->depth = rows->named ? 2 : 1; /* as deep as it would be in the table */
    if (!gcf_push_scope(r, GCF_TABLE, 0))
        return false;
    *gcf_top(r) = rows->table;
    rows->table.layout->row.open = false;
    return true;
}

/* True when the line begins another row, or none. */
static bool gcf_is_after_row(const gcf_reader *r, const text_line *line)
{
    const gcf_open_row *row = &r->scopes.at[0].layout->row;
    if (r->scopes.count > 1 && line->depth > 0)
        return false;
    bool body = row->open && row->waiting > 0 && *line->at != '@' && *line->at != '#';
    return line->depth == 0 && *line->at != '.' && !body;
}

/* The same of a line that has not come whole, of which the first two bytes tell. */
static bool gcf_is_cut_after_row(const gcf_reader *r)
{
    const char *at = r->lines.end;
    size_t left = (size_t)(r->end - at);
    if (left == 0 || strchr(". \t\r", *at) || (*at == '#' && (left < 2 || at[1] == ' ')))
        return false;
    return *at == '@' || *at == '#' || r->scopes.at[0].layout->row.waiting == 0;
}

/* Reads the row that begins with a number, and what belongs to it. False when it has not
 * been seen to end; else `*end` is where it ends. */
static bool gcf_read_numbered(gcf_reader *r, text_line *line, const char **end)
{
    gcf_next_line(r, line);
    bool whole = false;
    while (!whole && !read_stopped(&r->in)) {
        *end = r->lines.next;
        if (!gcf_next_content(r, line)) {
            whole = !r->waits || gcf_is_cut_after_row(r);
            break;
        }
        /* Deeper scopes end before the table's own state can be asked. */
        while (line->depth == 0 && r->scopes.count > 1 && gcf_pop_scope(r)) {
        }
        whole = read_stopped(&r->in) || gcf_is_after_row(r, line);
        if (!whole)
            gcf_next_line(r, line);
    }
    while (whole && !read_stopped(&r->in) && r->scopes.count > 1)
        gcf_pop_scope(r);
    return whole;
}

static read_event gcf_read_one_row(gcf_row_state *rows, text_line *line, read_job *job)
{
    gcf_reader *r = &rows->reader;
    const char *end = r->lines.next;
    bool whole = true;
    if (!gcf_push_table(rows))
        return READ_FAILED;
    if (*line->at == '@')
        whole = gcf_read_numbered(r, line, &end);
    else
        gcf_next_line(r, line);
    bool fine = whole && !read_stopped(&r->in) && gcf_finish_row(r, rows->table.layout);
    uint64_t count = r->scopes.at[0].count;
    gcf_drop_scopes(r, 1);
    r->scopes.count = 0;
    fine = fine && gcf_put_in_order(r);
    if (r->report->count > 0)
        return READ_FAILED;
    if (fine) {
        rows->table.count = count;
        gcf_use_lines(rows, job, end);
        return READ_ROW;
    }
    return READ_MORE;
}

/* After comments and blank lines that are whole. */
static read_event gcf_no_line(gcf_row_state *rows, read_job *job)
{
    gcf_reader *r = &rows->reader;
    if (!gcf_check_utf8(r, r->lines.end))
        return READ_FAILED;
    gcf_use_lines(rows, job, r->lines.next);
    if (!job->ended)
        return READ_MORE;
    return rows->done ? READ_DONE : gcf_end_rows(rows, NULL);
}

/* Nothing but comments may follow the trailer. */
static read_event gcf_after_trailer(gcf_row_state *rows, read_job *job)
{
    gcf_reader *r = &rows->reader;
    text_line line;
    gcf_place_rows(rows, job);
    if (!gcf_next_content(r, &line))
        return gcf_no_line(rows, job);
    gcf_next_line(r, &line); /* which says what is wrong with it */
    return READ_FAILED;
}

static read_event gcf_next_row(gcf_row_state *rows, read_job *job)
{
    gcf_reader *r = &rows->reader;
    text_line line;
    gcf_place_rows(rows, job);
    if (!gcf_replan(r, rows->table.layout))
        return READ_FAILED;
    if (!gcf_next_content(r, &line))
        return gcf_no_line(rows, job);
    bool first = line.at == line.start;
    if (first && line.end - line.at > 1 && memcmp(line.at, "##", 2) == 0) {
        if (!gcf_check_utf8(r, line.end))
            return READ_FAILED;
        read_event event = gcf_end_rows(rows, &line);
        gcf_use_lines(rows, job, r->lines.next);
        return event == READ_DONE ? gcf_after_trailer(rows, job) : event;
    }
    const gcf_count *wanted = &rows->table.wanted;
    bool full = !wanted->deferred && rows->table.count >= wanted->value;
    if (full && rows->named && first && gcf_is_member(line.at, line.end))
        return gcf_not_a_table(r, line.at);
    return gcf_read_one_row(rows, &line, job);
}

static read_event gcf_read_next(void *state, read_job *job)
{
    gcf_row_state *rows = (gcf_row_state *)state;
    gcf_find_lines(rows, job);
    if (!rows->table.layout) {
        read_event event = gcf_start_rows(rows, job);
        if (!rows->table.layout)
            return event;
    }
    return rows->done ? gcf_after_trailer(rows, job) : gcf_next_row(rows, job);
}

static void gcf_close_rows(void *state, const pith_alloc *alloc)
{
    gcf_row_state *rows = (gcf_row_state *)state;
    gcf_reader *r = &rows->reader;
    if (rows->placed) {
        /* All that the reader needs of its document from here on is the allocator. */
        pith_doc stand_in;
        memset(&stand_in, 0, sizeof stand_in);
        stand_in.alloc = *alloc;
        r->doc = &stand_in;
        r->scopes.count = 0;
        if (rows->table.layout) {
            gcf_layout_forget(r, rows->table.layout);
            gcf_layout_drop(r, rows->table.layout);
        }
        gcf_reader_free(r);
    }
}

const read_codec gcf_read = {.state_size = sizeof(gcf_row_state),
                             .read = gcf_read_next,
                             .close = gcf_close_rows,
                             .ends = "\n@#"};
