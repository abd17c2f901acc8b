/*
 * gcf_take.c - rows off the front of a stream, one small document each.
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
 * number ends where the next row, the trailer or the input does. It is read by the
 * same code that reads whole texts: tried when the beginning of a next row is in sight,
 * and tried again, with twice as many bytes, if it turns out that that line was still
 * part of it (a positional body looks like a row). So the work stays linear in whatever
 * pieces the bytes come, and memory holds one row.
 *
 * What is handed out piece by piece is a text that is one table and nothing else, at
 * the root or under one name; counted or [?]. When something follows such a table, the
 * rows before it are out already, and that is an error: "not_a_table". Everything else
 * (keyed tables and tables with an identity, whose keys have to be compared with each
 * other; lists; objects) is collected and, when the input has ended, handed out as from
 * a whole document: the elements of an array, or the one value.
 */
#include "format/gcf/gcf_take.h"
#include "format/gcf/gcf_graph.h"
#include "format/gcf/gcf_read.h"
#include "format/parts.h"

typedef enum gcf_phase {
    GCF_AT_START, /* neither the first line nor a header has come */
    GCF_IN_ROWS,
    GCF_IN_WHOLE, /* no table: everything is collected */
    GCF_IN_PARTS, /* of what was collected, values are handed out */
    GCF_AT_END
} gcf_phase;

struct gcf_taker {
    pith_alloc alloc;
    gcf_reader reader; /* its layouts and stacks stay from row to row */
    gcf_phase phase;
    gcf_layout *layout;
    bool used_reader;

    gcf_count wanted;
    char digits[24]; /* of `wanted`, as declared */
    size_t line;     /* of the header */
    uint64_t count;
    bool named;

    size_t lines_end; /* of the input, the bytes that are whole lines */
    size_t looked;    /* behind them, the bytes that hold no line feed */
    size_t try_again; /* not before the input has this many bytes */
    size_t tried;     /* lines_end when the start was looked for last */
    size_t peeked;    /* where a line begins behind the row that waits to be whole; 0:
                       * no row waits */
    size_t checked;   /* of the whole lines, the bytes whose UTF-8 is known to be right */
    size_t renewed;   /* of the document's shapes, when the layout was planned */

    row_parts parts; /* of a text that had to be collected */
};

gcf_taker *gcf_taker_new(const pith_alloc *alloc)
{
    gcf_taker *taker = (gcf_taker *)alloc_zeroed(alloc, sizeof *taker);
    if (taker) {
        taker->alloc = *alloc;
    }
    return taker;
}

void gcf_taker_free(gcf_taker *taker)
{
    gcf_reader *r = &taker->reader;
    if (taker->used_reader) {
        /* All that the reader needs of its document from here on is the allocator. */
        pith_doc stand_in;
        memset(&stand_in, 0, sizeof stand_in);
        stand_in.alloc = taker->alloc;
        r->doc = &stand_in;
        r->scopes.count = 0;
        if (taker->layout) {
            gcf_layout_forget(r, taker->layout);
            gcf_layout_drop(r, taker->layout);
        }
        gcf_reader_free(r);
    }
    pith_doc_free(taker->parts.whole);
    pith_alloc own = taker->alloc;
    alloc_free(&own, taker, sizeof *taker);
}

/* -------------------------------------------------------------------- the input */

/* Finds the line feeds that are new. */
static void gcf_taker_look(gcf_taker *taker, pith_text input, bool ended)
{
    /* Nothing is used yet: the front of the input is where the lines begin. */
    size_t from = taker->lines_end + taker->looked;
    for (;;) {
        const char *feed = from < input.len ? (const char *)memchr(input.ptr + from, '\n',
                                                                   input.len - from)
                                            : NULL;
        if (!feed) {
            break;
        }
        from = (size_t)(feed - input.ptr) + 1;
        taker->lines_end = from;
    }
    taker->looked = input.len - taker->lines_end;
    if (ended) {
        taker->lines_end = input.len;
        taker->looked = 0;
    }
}

/* The lines up to `end` are done with. What is known of the whole lines after them stays
 * known: a piece of many rows is looked through once, not once for each row. */
static void gcf_taker_use(gcf_taker *taker, size_t end, size_t *used)
{
    const gcf_reader *r = &taker->reader;
    size_t lines_end = *used + taker->lines_end;
    size_t known = gcf_at(r, r->ahead.bad ? r->ahead.bad : r->ahead.checked);
    known = known < lines_end ? known : lines_end;
    taker->checked = known > end ? known - end : 0;
    taker->lines_end -= end - *used;
    taker->try_again = 0;
    taker->peeked = 0;
    *used = end;
}

/* The reader at the front of the lines, with everything it has learned. */
static void gcf_taker_ready(gcf_taker *taker, pith_doc *doc, pith_text input, size_t used,
                            reporter *report)
{
    gcf_reader *r = &taker->reader;
    const char *front = input.ptr + used;
    r->doc = doc;
    r->report = report;
    r->start = input.ptr;
    r->end = input.ptr + input.len;
    r->tail = input.len > 16 ? r->end - 16 : r->start;
    ahead_init(&r->ahead, input, front + taker->checked);
    r->ahead.surrogates = true;
    r->last_end = front;
    r->skip_depth = GCF_NO_SKIP;
    r->rows = true;
    r->moved.count = 0;
    gcf_unpark_layouts(r);
    r->deferred.count = 0;
    r->stop = false;
    r->restart = false;
    lines_init(&r->lines, text_of(front, taker->lines_end), 2);
    r->lines.tabs_are_blank = true;
}

/* The next line that is no comment; false when it is not there yet. */
static bool gcf_taker_line(gcf_reader *r, text_line *line)
{
    while (lines_next(&r->lines, line)) {
        if (!gcf_is_comment(r, line)) {
            return true;
        }
    }
    return false;
}

/* -------------------------------------------------------------------- the start */

/* True for the header of a table at the root or under a name; `*head` is its bracket. */
static bool gcf_is_table_header(const text_line *line, const char **head)
{
    const char *at = line->at + 3;
    if (line->at != line->start || line->end - line->at < 4 ||
        memcmp(line->at, "## ", 3) != 0) {
        return false;
    }
    if (*at != '[') {
        const char *behind = gcf_skip_key(at, line->end);
        if (!behind || line->end - behind < 2 || behind[0] != ' ' || behind[1] != '[') {
            return false;
        }
        at = behind + 1;
    }
    const char *close = (const char *)memchr(at, ']', (size_t)(line->end - at));
    *head = at;
    return close && close[-1] != ':' && close + 1 < line->end && close[1] == '{';
}

/* Keeps what the header says for the rows to come. */
static bool gcf_taker_begin(gcf_taker *taker, const text_line *line, gcf_head *head,
                            const char *bracket)
{
    gcf_reader *r = &taker->reader;
    size_t len = head->count.digits.len;
    taker->layout = head->layout;
    taker->renewed = r->doc->shapes.renewed;
    taker->wanted = head->count;
    taker->named = bracket != line->at + 3;
    taker->line = report_place(r->report, gcf_at(r, line->at)).line;
    len = len < sizeof taker->digits ? len : sizeof taker->digits;
    memcpy(taker->digits, head->count.digits.ptr, len);
    taker->wanted.digits = text_of(taker->digits, len);
    taker->phase = GCF_IN_ROWS;
    return true;
}

/* Waits for more of the start. Few lines can stand before the header without being
 * comments, so looking again at each is fine until there are many. */
static void gcf_taker_wait(gcf_taker *taker, pith_text input, bool ended)
{
    const size_t many = 4096;
    taker->phase = ended ? GCF_IN_WHOLE : GCF_AT_START;
    taker->tried = taker->lines_end;
    taker->try_again = input.len > many ? input.len * 2 : 0;
}

static void gcf_trim_line(text_line *line)
{
    while (line->end > line->at && gcf_is_blank(line->end[-1])) {
        line->end--;
    }
}

/* Reads the first line and the header of the table, if it is one. */
static void gcf_taker_start(gcf_taker *taker, pith_doc *doc, pith_text input, bool ended,
                            size_t *used, reporter *report)
{
    gcf_reader *r = &taker->reader;
    text_line first, line;
    const char *bracket;
    gcf_head head;
    if (!ended && (taker->lines_end == taker->tried || input.len < taker->try_again)) {
        return;
    }
    taker->used_reader = true;
    gcf_taker_ready(taker, doc, input, 0, report);
    if (!lines_next(&r->lines, &first)) {
        gcf_taker_wait(taker, input, ended);
        return;
    }
    if (first.number != 1 || first.at != first.start || gcf_is_graph(input)) {
        taker->phase = GCF_IN_WHOLE; /* a graph; or it will be said what is wrong */
        return;
    }
    if (!gcf_taker_line(r, &line)) {
        gcf_taker_wait(taker, input, ended);
        return;
    }
    gcf_trim_line(&first);
    gcf_trim_line(&line);
    if (!gcf_is_table_header(&line, &bracket)) {
        taker->phase = GCF_IN_WHOLE;
        return;
    }
    if (!gcf_check_utf8(r, line.end) || !gcf_read_first_line(r, first.at, first.end) ||
        !gcf_read_head(r, bracket, line.end, GCF_MAY_FIX, NULL, &head)) {
        return;
    }
    if (head.layout->identity != SLOT_NONE) {
        gcf_layout_drop(r, head.layout);
        taker->phase = GCF_IN_WHOLE;
        return;
    }
    if (gcf_taker_begin(taker, &line, &head, bracket)) {
        gcf_taker_use(taker, gcf_at(r, r->lines.next), used);
    }
}

/* ---------------------------------------------------------------------- the rows */

/* Shapes may have been forgotten since the last row. */
static bool gcf_taker_reshape(gcf_taker *taker)
{
    gcf_reader *r = &taker->reader;
    size_t renewed = r->doc->shapes.renewed;
    if (renewed != taker->renewed && !gcf_replan(r, taker->layout)) {
        return false;
    }
    taker->renewed = renewed;
    return true;
}

/* True when a line behind the row at the front begins another row, or none. Each line
 * is looked at once; of one that is not whole the first two bytes tell. */
static bool gcf_sees_next(gcf_taker *taker, pith_text rest)
{
    for (;;) {
        const char *at = rest.ptr + taker->peeked;
        size_t left = rest.len - taker->peeked;
        if (left == 0) {
            return false;
        }
        bool belongs = *at == '.' || *at == ' ' || *at == '\t' || *at == '\r' ||
                       *at == '\n' || (*at == '#' && left > 1 && at[1] == ' ');
        if (!belongs && (*at != '#' || left > 1)) {
            return true;
        }
        if (taker->peeked >= taker->lines_end) {
            return false;
        }
        const char *feed = (const char *)memchr(at, '\n', left);
        taker->peeked = (size_t)(feed - rest.ptr) + 1;
    }
}

static bool gcf_not_a_table(gcf_reader *r, const char *at)
{
    report_bad(r->report, "not_a_table", gcf_at(r, at),
               "expected nothing behind the table: rows are handed out one by one only "
               "of a text that is one table; read this one whole");
    return false;
}

/* What is behind the last row: the trailer, or what should not be there. */
static void gcf_taker_end(gcf_taker *taker, const text_line *line)
{
    gcf_reader *r = &taker->reader;
    uint64_t count = taker->count;
    taker->phase = GCF_AT_END;
    if (!taker->wanted.deferred && count != taker->wanted.value) {
        read_bad_count(&r->in, line ? line->at : r->end, taker->wanted.digits,
                       read_plural("row", "rows", taker->wanted.value), taker->line,
                       count);
        return;
    }
    if (!line) {
        return;
    }
    if (line->end - line->at < 3 || line->at[2] != '!') {
        gcf_not_a_table(r, line->at);
        return;
    }
    uint64_t *before = r->deferred.at;
    r->deferred.at = &count;
    r->deferred.count = taker->wanted.deferred ? 1 : 0;
    gcf_read_summary(r, line->at, line->end);
    r->deferred.at = before;
    r->deferred.count = 0;
}

/* The table, as it stands around the next row. */
static bool gcf_taker_scope(gcf_taker *taker)
{
    gcf_reader *r = &taker->reader;
    r->doc->depth = taker->named ? 2 : 1; /* as deep as it would be in the table */
    if (!gcf_push_scope(r, GCF_TABLE, 0)) {
        return false;
    }
    gcf_scope *scope = gcf_top(r);
    scope->shares = true;
    scope->layout = taker->layout;
    scope->layout->row.open = false;
    scope->wanted = taker->wanted;
    scope->line = taker->line;
    scope->count = taker->count;
    return true;
}

/* True when the line begins another row, or none. */
static bool gcf_is_behind_row(const gcf_reader *r, const gcf_scope *scope,
                              const text_line *line)
{
    if (r->scopes.count > 1 && line->depth > 0) {
        return false;
    }
    const gcf_open_row *row = &scope->layout->row;
    bool body = row->open && row->waiting > 0 && *line->at != '@' && *line->at != '#';
    return line->depth == 0 && *line->at != '.' && !body;
}

/* True when the line that is not whole yet begins another row, or none. */
static bool gcf_is_cut_behind(const gcf_taker *taker)
{
    const gcf_reader *r = &taker->reader;
    const char *at = r->lines.end;
    /* Whoever looked for a next row found it there. */
    return at < r->end && taker->peeked >= taker->lines_end &&
           (*at == '@' || *at == '#' || r->scopes.at[0].layout->row.waiting == 0);
}

/* Reads the row at the front, with what belongs to it. True when it is whole; `*end`
 * is where it ends. */
static bool gcf_taker_try(gcf_taker *taker, text_line *line, bool ended, size_t *end)
{
    gcf_reader *r = &taker->reader;
    gcf_next_line(r, line);
    bool whole = false;
    while (!read_stopped(&r->in)) {
        *end = gcf_at(r, r->lines.next);
        if (!gcf_taker_line(r, line)) {
            whole = ended || gcf_is_cut_behind(taker);
            break;
        }
        /* Deeper scopes end before the table's own state can be asked. */
        while (line->depth == 0 && r->scopes.count > 1 && gcf_pop_scope(r)) {
        }
        if (read_stopped(&r->in) || gcf_is_behind_row(r, &r->scopes.at[0], line)) {
            whole = true;
            break;
        }
        gcf_next_line(r, line);
    }
    while (whole && !read_stopped(&r->in) && r->scopes.count > 1) {
        gcf_pop_scope(r);
    }
    return whole && !read_stopped(&r->in) && gcf_finish_row(r, taker->layout);
}

static bool gcf_taker_row(gcf_taker *taker, text_line *line, bool ended, size_t *used)
{
    gcf_reader *r = &taker->reader;
    pith_doc *doc = r->doc;
    size_t end = gcf_at(r, r->lines.next);
    if (!gcf_taker_scope(taker)) {
        return false;
    }
    bool whole;
    if (*line->at == '@') {
        whole = gcf_taker_try(taker, line, ended, &end);
    } else {
        gcf_next_line(r, line);
        whole = !read_stopped(&r->in) && gcf_finish_row(r, taker->layout);
    }
    if (whole) {
        taker->count = r->scopes.at[0].count;
    }
    gcf_drop_scopes(r, 1);
    r->scopes.count = 0;
    if (whole && gcf_put_in_order(r) && r->report->count == 0) {
        doc->finished = true;
        gcf_taker_use(taker, end, used);
        return true;
    }
    return false;
}

static void gcf_taker_rows(gcf_taker *taker, pith_doc *doc, pith_text input, bool ended,
                           size_t *used, reporter *report)
{
    gcf_reader *r = &taker->reader;
    text_line line;
    pith_text rest = text_of(input.ptr + *used, input.len - *used);
    if (taker->peeked > 0 && !ended &&
        (rest.len < taker->try_again || !gcf_sees_next(taker, rest))) {
        return;
    }
    gcf_taker_ready(taker, doc, input, *used, report);
    if (!gcf_taker_reshape(taker)) {
        return;
    }
    if (!gcf_taker_line(r, &line)) {
        /* Comments and blank lines, whole ones, are done with. */
        if (gcf_check_utf8(r, r->lines.next)) {
            gcf_taker_use(taker, gcf_at(r, r->lines.next), used);
            if (ended) {
                gcf_taker_end(taker, NULL);
            }
        }
        return;
    }
    if (line.at == line.start && *line.at == '#' && line.end - line.at > 1 &&
        line.at[1] == '#') {
        if (gcf_check_utf8(r, line.end)) {
            gcf_taker_end(taker, &line);
        }
        gcf_taker_use(taker, gcf_at(r, r->lines.next), used);
        return;
    }
    bool full = !taker->wanted.deferred && taker->count >= taker->wanted.value;
    if (full && taker->named && line.at == line.start &&
        gcf_is_member(line.at, line.end)) {
        gcf_not_a_table(r, line.at);
        return;
    }
    if (*line.at == '@' && !ended && taker->peeked == 0) {
        taker->peeked = gcf_at(r, r->lines.next) - *used;
        if (!gcf_sees_next(taker, rest)) {
            return;
        }
    }
    if (gcf_taker_row(taker, &line, ended, used) || report->count > 0) {
        return;
    }
    pith_doc_reset(doc);
    if (r->restart && !r->careful) {
        /* Some keys are equal: once more, to say where they stand. */
        r->careful = true;
        gcf_taker_rows(taker, doc, input, ended, used, report);
        return;
    }
    taker->try_again = rest.len * 2;
}

/* ----------------------------------------------------------------- anything else */

/* Nothing but comments may follow the trailer. */
static void gcf_taker_rest(gcf_taker *taker, pith_doc *doc, pith_text input, size_t *used,
                           reporter *report)
{
    gcf_reader *r = &taker->reader;
    text_line line;
    gcf_taker_ready(taker, doc, input, *used, report);
    if (gcf_taker_line(r, &line)) {
        gcf_next_line(r, &line); /* which says what is wrong with it */
        return;
    }
    if (gcf_check_utf8(r, r->lines.end)) {
        gcf_taker_use(taker, gcf_at(r, r->lines.next), used);
    }
}

static void gcf_taker_step(gcf_taker *taker, pith_doc *doc, pith_text input, bool ended,
                           size_t *used, reporter *report)
{
    switch (taker->phase) {
    case GCF_AT_START:
        gcf_taker_start(taker, doc, input, ended, used, report);
        break;
    case GCF_IN_ROWS:
        gcf_taker_rows(taker, doc, input, ended, used, report);
        break;
    case GCF_IN_WHOLE:
        if (parts_read(&taker->parts, gcf_decode, NULL, doc, input, ended, used,
                       report)) {
            taker->phase = GCF_IN_PARTS;
        }
        break;
    case GCF_IN_PARTS:
        parts_next(&taker->parts, doc, report);
        break;
    case GCF_AT_END:
        gcf_taker_rest(taker, doc, input, used, report);
        break;
    }
}

void gcf_taker_next(gcf_taker *taker, pith_doc *doc, pith_text input, bool ended,
                    size_t *used, reporter *report)
{
    gcf_phase phase;
    size_t before;
    *used = 0;
    gcf_taker_look(taker, input, ended);
    do {
        phase = taker->phase;
        before = *used;
        gcf_taker_step(taker, doc, input, ended, used, report);
    } while (report->count == 0 && !doc->finished &&
             (taker->phase != phase || *used > before));
}

void gcf_take(row_source *source, pith_doc *doc, pith_text input, bool ended,
              size_t *used, reporter *report)
{
    *used = 0;
    if (!source->state) {
        source->state = gcf_taker_new(&source->alloc);
        if (!source->state) {
            report_no_memory(report);
            return;
        }
    }
    gcf_taker_next((gcf_taker *)source->state, doc, input, ended, used, report);
}

void gcf_forget(row_source *source)
{
    gcf_taker_free((gcf_taker *)source->state);
    source->state = NULL;
}
