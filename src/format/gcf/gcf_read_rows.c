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
    gcf_reader reader; /* in which the table stays open, with all that it has learned */
    bool placed;       /* it has been used */
    size_t lines;      /* that have been used */
    size_t checked;    /* unused bytes whose UTF-8 is known to be right */
    const gcf_layout *layout; /* of the table, once its header has been read */
} gcf_row_state;

/* ------------------------------------------------------------------------ the input */

/* The reader at the front of what is unused. */
static void gcf_place_rows(gcf_row_state *rows, const read_job *job)
{
    gcf_reader *r = &rows->reader;
    pith_text input = text_after(job->input, job->used);
    rows->placed = true;
    read_init(&r->in, job->doc, job->report->input, job->report);
    r->waits = !job->ended;
    r->rows = true;
    gcf_unpark_layouts(r);
    gcf_reader_place(r, input, input.ptr + rows->checked);
    r->lines.number = rows->lines;
}

/* The lines up to there are done with. What is known of those after them stays known: a
 * piece of many rows is looked through once, not once for each row. */
static void gcf_use_lines(gcf_row_state *rows, read_job *job, const line_reader *until)
{
    const char *end = until->next;
    const ahead_check *ahead = &rows->reader.ahead;
    const char *known = ahead->bad ? ahead->bad : ahead->checked;
    assert(end >= job->input.ptr + job->used);
    rows->checked = known > end ? (size_t)(known - end) : 0;
    rows->lines = until->number;
    job->used = (size_t)(end - job->input.ptr);
}

/* The next line that is no comment; false when it has not come, or not to its end. */
static bool gcf_next_content(gcf_reader *r, text_line *line)
{
    do {
        if (!lines_next(&r->lines, line) || (r->waits && r->lines.next[-1] != '\n'))
            return false;
    } while (gcf_is_comment(r, line));
    return true;
}

/* The same line when it has not come: what there is of it. */
static const char *gcf_cut_line(const gcf_reader *r, const char *from)
{
    const char *at = r->end;
    while (r->waits && at > from && at[-1] != '\n')
        at--;
    return at;
}

/* ------------------------------------------------------------------------ the start */

/* Reads the first line and the header of the table, if it is one, which then stays open
 * while its rows come and go. */
static read_event gcf_start_rows(gcf_row_state *rows, read_job *job)
{
    gcf_reader *r = &rows->reader;
    text_line first, line;
    if (!gcf_next_content(r, &first) || !gcf_next_content(r, &line))
        return job->ended ? READ_COLLECT : READ_MORE;
    if (first.number != 1 || first.at != first.start || gcf_is_graph(job->input) ||
        !text_begins(text_between(line.start, line.end), "## "))
        return READ_COLLECT; /* no table; or it will be said what is wrong */
    first.end = gcf_trim_end(first.at, first.end);
    if (gcf_check_utf8(r, first.end) && gcf_read_first_line(r, first.at, first.end))
        gcf_next_line(r, &line);
    if (job->report->count > 0)
        return READ_FAILED;
    gcf_scope *table = r->scopes.count > 0 ? gcf_top(r) : NULL;
    if (!table || table->kind != GCF_TABLE || table->layout->keyed ||
        table->layout->identity != SLOT_NONE) {
        gcf_drop_scopes(r, 0);
        return READ_COLLECT;
    }
    pith_text *digits = &table->wanted.digits;
    uint8_t none = 0;
    if (!gcf_keep_text(r, table->layout, &digits->ptr, digits->len, &none) ||
        !gcf_keep_text(r, table->layout, &r->identity.ptr, r->identity.len, &none))
        return READ_FAILED;
    r->around_row = r->scopes.count;
    rows->layout = table->layout;
    gcf_use_lines(rows, job, &r->lines);
    pith_doc_reset(r->doc);
    return READ_ROW;
}

/* ------------------------------------------------------------------------- the rows */

/* Whether the line at `at`, which is not indented and may not have come whole, ends the
 * row before it. */
static bool gcf_ends_row(const gcf_reader *r, const char *at)
{
    size_t left = (size_t)(r->end - at);
    if (left == 0 || memchr(". \t\r", *at, 4))
        return false;
    if (*at == '#')
        return left > 1 ? at[1] != ' ' : !r->waits;
    return *at == '@' || r->scopes.at[r->around_row - 1].layout->row.waiting == 0;
}

/* The row has no more lines. */
static read_event gcf_end_of_row(gcf_row_state *rows, read_job *job,
                                 const line_reader *until)
{
    gcf_reader *r = &rows->reader;
    while (!read_stopped(&r->in) && r->scopes.count > r->around_row)
        gcf_pop_scope(r);
    if (read_stopped(&r->in) || !gcf_finish_row(r, gcf_top(r)->layout))
        return READ_FAILED;
    gcf_use_lines(rows, job, until);
    return READ_ROW;
}

/* There are no more lines, and no row has begun. */
static read_event gcf_no_row(gcf_row_state *rows, read_job *job)
{
    gcf_reader *r = &rows->reader;
    const char *cut = gcf_cut_line(r, job->input.ptr + job->used);
    if (!gcf_check_utf8(r, cut))
        return READ_FAILED;
    r->lines.number -= cut < r->lines.next;
    r->lines.next = cut;
    gcf_use_lines(rows, job, &r->lines);
    if (r->waits)
        return READ_MORE;
    r->last_end = r->end;
    return gcf_pop_all(r) ? READ_DONE : READ_FAILED;
}

/* Reads lines as the decoder does, until a row has ended. */
static read_event gcf_read_one_row(gcf_row_state *rows, read_job *job)
{
    gcf_reader *r = &rows->reader;
    text_line line;
    r->doc->depth = r->around_row; /* as deep as it would be in the table */
    while (!read_stopped(&r->in)) {
        line_reader before = r->lines;
        bool begun = r->doc->count > 0;
        bool more = gcf_next_content(r, &line);
        bool ends = more       ? line.depth == 0 && gcf_ends_row(r, line.at)
                    : r->waits ? gcf_ends_row(r, gcf_cut_line(r, before.next))
                               : true;
        if (begun && ends)
            return gcf_end_of_row(rows, job, &before);
        if (!more)
            return begun ? READ_MORE : gcf_no_row(rows, job);
        if (!begun)
            r->last_end = line.at;
        gcf_next_line(r, &line);
        if (r->doc->count > 0 && r->scopes.count == r->around_row &&
            !gcf_top(r)->layout->row.open)
            return gcf_end_of_row(rows, job, &r->lines);
    }
    return READ_FAILED;
}

/* The same with the table as it is between two rows. */
static read_event gcf_next_row(gcf_row_state *rows, read_job *job)
{
    gcf_reader *r = &rows->reader;
    if (r->scopes.count == 0) /* the trailer has come */
        return gcf_read_one_row(rows, job);
    if (!gcf_replan(r, gcf_top(r)->layout))
        return READ_FAILED;
    uint64_t count = gcf_top(r)->count;
    size_t deferred = r->deferred.count;
    read_event event = gcf_read_one_row(rows, job);
    if (event == READ_FAILED && r->report->count == 0)
        event = READ_MORE; /* it has to be read again */
    if (event != READ_MORE)
        return event;
    gcf_drop_scopes(r, r->around_row);
    r->deferred.count = deferred;
    if (r->scopes.count > 0) {
        gcf_top(r)->count = count;
        gcf_top(r)->layout->row.open = false;
    }
    return event;
}

static read_event gcf_read_next(void *state, read_job *job)
{
    gcf_row_state *rows = (gcf_row_state *)state;
    gcf_place_rows(rows, job);
    read_event event = rows->reader.around_row > 0 ? READ_ROW : gcf_start_rows(rows, job);
    if (event == READ_ROW)
        event = job->head ? READ_HEAD : gcf_next_row(rows, job);
    return event;
}

static size_t gcf_columns(const void *state, const pith_doc *doc, pith_text *names,
                          size_t room)
{
    const gcf_row_state *rows = (const gcf_row_state *)state;
    (void)doc;
    return rows->layout ? layout_names(&rows->layout->rows, names, room) : 0;
}

static void gcf_close_rows(void *state, const pith_alloc *alloc)
{
    gcf_row_state *rows = (gcf_row_state *)state;
    if (rows->placed) {
        /* All that the reader needs of its document from here on is the allocator. */
        pith_doc stand_in;
        memset(&stand_in, 0, sizeof stand_in);
        stand_in.alloc = *alloc;
        rows->reader.doc = &stand_in;
        gcf_reader_free(&rows->reader);
    }
}

const read_codec gcf_read = {.state_size = sizeof(gcf_row_state),
                             .read = gcf_read_next,
                             .close = gcf_close_rows,
                             .columns = gcf_columns,
                             .ends = "\n@#"};
