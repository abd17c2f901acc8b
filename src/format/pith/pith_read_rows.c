/*
 * pith_read_rows.c - rows of a table at the root, one by one.
 *
 *     [?{id,tags}         the header is kept
 *     1,[a,b]             a row is whole when the separator after it has come
 *     2,[]
 *     ]2                  then the counts are compared
 *
 * The rows are read as those of any table (pith_rows.c), but the table has no slot, and
 * reading stops after each. When the bytes run out inside of one, all is put back to
 * where it was before that row.
 *
 * A row may refer to what was named in rows before it, and to the row above. So after each
 * row its named values move to a document of the reader's own, and those of its ditto
 * columns to one of two that take turns. All else is forgotten.
 *
 * What is no table at the root (an object, a map, a plain array) is read whole.
 */
#include "format/pith/pith_read.h"

#include <assert.h>

typedef struct pn_row_state {
    pn_reader reader; /* its lists stay from row to row; the frame is gone at the end */
    bool begun;       /* the header has come */
    bool broken;      /* a line has ended since the bracket */
    pith_arena texts; /* of the header */
    pith_text header;
    size_t renewed;          /* of the document's shapes, when the header was learned, */
    size_t op_count;         /* and how many ops it has, */
    uint16_t shape;          /* and the shape of its rows */
    LIST(pn_header) headers; /* with their counts, as they were before the row */
    LIST(pn_mark) marks;     /* likewise */
    size_t name_count;       /* likewise: all of these have been kept */
    pith_doc *names;         /* where, or NULL when there are none */
    pith_doc *above[2];      /* the same for ditto columns: the first is in use */
} pn_row_state;

/* -------------------------------------------------------------------------- headers */

/* Reads the header that begins with the count at `p`; what follows it, or NULL when there
 * is a problem. Its frame has no table. */
static const char *pn_learn_header(pn_row_state *rows, const char *p)
{
    pn_reader *r = &rows->reader;
    r->ops.count = 0;
    r->headers.count = 0;
    r->frames.count = 0;
    r->marks.count = 0;
    r->bare.count = 0;
    p = pn_read_header(r, p, SLOT_NONE, false, 1);
    rows->renewed = r->doc->shapes.renewed;
    rows->op_count = r->ops.count;
    rows->shape = p ? pn_header_at(r, 0)->shape : SHAPE_NONE;
    return p;
}

/* The first time: the header is read from the input, and copied. */
static read_event pn_start_rows(pn_row_state *rows, read_job *job)
{
    pn_reader *r = &rows->reader;
    const char *at = scan_spaces(job->input.ptr, r->end);
    const char *count = at + (at < r->end);
    bool cut = at == r->end || (*at == '[' && pn_count_end(count, r->end) == r->end);
    if (cut && r->waits)
        return READ_MORE;
    if (cut || *at != '[' || !pn_is_counted(count, r->end))
        return READ_COLLECT;
    arena_reset(&rows->texts);
    const char *after = pn_learn_header(rows, count);
    if (!after)
        return r->starved ? READ_MORE : READ_FAILED;
    rows->header.len = (size_t)(after - count);
    rows->header.ptr = arena_copy(&rows->texts, count, rows->header.len);
    if (!rows->header.ptr ||
        !LIST_RESERVE(&rows->headers, &r->doc->alloc, r->headers.count) ||
        !LIST_RESERVE(&rows->marks, &r->doc->alloc, r->marks.count)) {
        read_failed(&r->in);
        return READ_FAILED;
    }
    rows->headers.count = r->headers.count;
    rows->marks.count = r->marks.count;
    job->used = (size_t)(after - job->input.ptr);
    rows->begun = true;
    return READ_ROW;
}

static void pn_copy_marks(pn_mark *to, const pn_mark *from, size_t count)
{
    if (count > 0)
        memcpy(to, from, count * sizeof *to);
}

/* Remembers the counts before a row. Shapes that the document has forgotten have to be
 * learned again: the header is read once more, from the copy, and keeps its counts. */
static bool pn_keep_header(pn_row_state *rows)
{
    pn_reader *r = &rows->reader;
    memcpy(rows->headers.at, r->headers.at, rows->headers.count * sizeof(pn_header));
    pn_copy_marks(rows->marks.at, r->marks.at, rows->marks.count);
    if (r->doc->shapes.renewed == rows->renewed)
        return true;
    text_reader in = r->in;
    r->start = rows->header.ptr;
    r->end = r->start + rows->header.len;
    bool fine = pn_learn_header(rows, r->start) != NULL;
    for (size_t i = 0; i < rows->headers.count && fine; i++) {
        r->headers.at[i].rows = rows->headers.at[i].rows;
        r->headers.at[i].line = rows->headers.at[i].line;
    }
    if (fine)
        pn_copy_marks(r->marks.at, rows->marks.at, rows->marks.count);
    r->in = in;
    return fine;
}

/* ----------------------------------------------------------------------------- rows */

/* Everything is as it was before the row. */
static void pn_restore_row(pn_row_state *rows)
{
    pn_reader *r = &rows->reader;
    r->headers.count = rows->headers.count;
    memcpy(r->headers.at, rows->headers.at, r->headers.count * sizeof(pn_header));
    r->ops.count = rows->op_count;
    r->marks.count = rows->marks.count;
    pn_copy_marks(r->marks.at, rows->marks.at, rows->marks.count);
    r->names.count = rows->name_count;
    r->likes.count = 0;
    r->frames.count = 1;
    pn_frame_top(r)->rows = (uint32_t)pn_header_at(r, 0)->rows;
}

/* A document to keep values in: `*doc`, which is made if it is not there. */
static pith_doc *pn_keeper(pn_reader *r, pith_doc **doc)
{
    pith_options options = {.alloc = r->doc->alloc};
    if (!*doc)
        *doc = pith_doc_new(&options);
    if (!*doc)
        read_failed(&r->in);
    return *doc;
}

/* Moves what the row named. */
static bool pn_keep_names(pn_row_state *rows)
{
    pn_reader *r = &rows->reader;
    if (r->names.count > rows->name_count && !pn_keeper(r, &rows->names))
        return false;
    for (; rows->name_count < r->names.count; rows->name_count++)
        if (!pn_move_held(r, r->names.at + rows->name_count, rows->names))
            return false;
    return true;
}

/* Moves what the row has in ditto columns, if that is new in any of them. */
static bool pn_keep_above(pn_row_state *rows)
{
    pn_reader *r = &rows->reader;
    bool changed = false;
    for (size_t i = 0; i < rows->marks.count; i++)
        changed = changed || r->marks.at[i].value.doc == r->doc;
    if (!changed)
        return true;
    pith_doc *doc = pn_keeper(r, &rows->above[1]);
    if (!doc)
        return false;
    pith_doc_reset(doc);
    for (size_t i = 0; i < rows->marks.count; i++) {
        pn_held *held = &r->marks.at[i].value;
        if (held->doc && !pn_move_held(r, held, doc))
            return false;
    }
    rows->above[1] = rows->above[0];
    rows->above[0] = doc;
    return true;
}

/* READ_DONE: the table has ended. */
static read_event pn_next_row(pn_row_state *rows, read_job *job)
{
    pn_reader *r = &rows->reader;
    const char *at = job->input.ptr + job->used;
    if (!pn_keep_header(rows))
        return READ_FAILED;
    const char *rest = pn_read_row(r, at);
    if (!rest && (r->starved || r->report->again)) {
        pn_restore_row(rows);
        return READ_MORE;
    }
    if (!rest || !pn_keep_names(rows) || !pn_keep_above(rows))
        return READ_FAILED;
    job->used = (size_t)(rest - job->input.ptr);
    return r->frames.count > 0 ? READ_ROW : READ_DONE;
}

/* Whole lines only, as far as they have come: a note is read in one go. */
static read_event pn_read_notes(pn_row_state *rows, read_job *job)
{
    pn_reader *r = &rows->reader;
    const char *at = job->input.ptr + job->used;
    while (r->waits && r->end > at && r->end[-1] != '\n')
        r->end--;
    if (!pn_read_rest(r, at, &rows->broken))
        return r->starved ? READ_MORE : READ_FAILED;
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
    if (!rows->begun)
        event = pn_start_rows(rows, job);
    bool open = rows->reader.frames.count > 0;
    if (event == READ_ROW && job->head)
        return !open || pn_keep_header(rows) ? READ_HEAD : READ_FAILED;
    if (event == READ_ROW)
        event = open ? pn_next_row(rows, job) : READ_DONE;
    return event == READ_DONE ? pn_read_notes(rows, job) : event;
}

/* They are those of the header's shape, as long as the document remembers it. */
static size_t pn_columns(const void *state, const pith_doc *doc, pith_text *names,
                         size_t room)
{
    const pn_row_state *rows = (const pn_row_state *)state;
    if (!rows->begun || rows->renewed != doc->shapes.renewed)
        return 0;
    uint16_t shape = rows->shape;
    size_t count = shape == SHAPE_NONE ? 0 : shapes_width(&doc->shapes, shape);
    for (size_t i = count; i-- > 0; shape = doc->shapes.nodes[shape].parent)
        if (i < room)
            names[i] = key_text(&doc->shapes.nodes[shape].key);
    return count;
}

static void pn_close_rows(void *state, const pith_alloc *alloc)
{
    pn_row_state *rows = (pn_row_state *)state;
    if (rows->reader.keep) {
        pn_reader_free(&rows->reader, alloc);
        LIST_FREE(&rows->headers, alloc);
        LIST_FREE(&rows->marks, alloc);
        arena_free(&rows->texts);
        pith_doc_free(rows->names);
        pith_doc_free(rows->above[0]);
        pith_doc_free(rows->above[1]);
    }
}

const read_codec pn_read = {.state_size = sizeof(pn_row_state),
                            .read = pn_read_next,
                            .close = pn_close_rows,
                            .columns = pn_columns,
                            .ends = ";\n\r]}"};
