/*
 * toon_read_rows.c - rows of a table at the root, one by one.
 *
 *     [2]{id,name}:      the header is kept
 *       1,Ada            a row is whole when its line is
 *       2,Bob
 *
 * What is no table at the root, or has dotted keys that are paths, is read whole; so is a
 * header in which something is wrong. Once a strict table has the rows it declares, nothing
 * but its end may follow, and whatever does is looked at when all of it is there.
 *
 * A row is used up to the end of its content. The line break stays, so that the end of the
 * last row, where missing rows are reported, is the beginning of what is left.
 */
#include "base/utf8.h"
#include "format/toon/toon_read.h"

#include <assert.h>

typedef struct toon_row_state {
    toon_reader
        reader;       /* its layout and its one scope, the table, stay from row to row */
    bool begun;       /* the header has come */
    pith_arena texts; /* of the header, from then on */
    size_t checked;   /* unused bytes whose UTF-8 is known to be right */
} toon_row_state;

/* ------------------------------------------------------------------------ the input */

/* Reads on at the front of what is not used. */
static void toon_place_rows(toon_row_state *rows, const read_job *job)
{
    toon_reader *r = &rows->reader;
    const char *front = job->input.ptr + job->used;
    if (!rows->begun)
        front += utf8_bom(job->input.ptr, job->input.len);
    read_init(&r->in, job->doc, job->report->input, job->report);
    r->last_wins = !r->rules.strict;
    r->waits = !job->ended;
    toon_read_from(r, front, front + rows->checked);
    if (rows->begun) {
        text_line last = {.at = front};
        lines_cut(&r->lines, &last); /* the rest of it */
    }
}

/* The next line; false when there is none, or not all of it. */
static bool toon_whole_line(toon_reader *r, text_line *line)
{
    if (!lines_next(&r->lines, line))
        return false;
    return !r->waits || r->lines.next < r->end || r->end[-1] == '\n';
}

static void toon_use_line(toon_row_state *rows, read_job *job, const text_line *line)
{
    const ahead_check *ahead = &rows->reader.ahead;
    const char *known = ahead->bad ? ahead->bad : ahead->checked;
    rows->checked = known > line->end ? (size_t)(known - line->end) : 0;
    job->used = (size_t)(line->end - job->input.ptr);
}

/* ------------------------------------------------------------------------- the header */

/* Copies what the header says, which is needed longer than its line is there. */
static bool toon_keep_header(toon_row_state *rows)
{
    toon_reader *r = &rows->reader;
    row_layout *layout = &r->layout.rows;
    toon_count *wanted = &r->scopes.at[0].wanted;
    bool fine = true;
    for (size_t i = 0; i < layout->columns.count && fine; i++) {
        layout_column *column = &layout->columns.at[i];
        pith_key *key = &column->key;
        column->keys = NULL; /* the lists of keys are made of the copies */
        key->text = arena_copy(&rows->texts, key->text, key->len);
        key->flags &= (uint8_t)~SLOT_NEAR_END;
        fine = key->text != NULL;
    }
    wanted->digits.ptr = arena_copy(&rows->texts, wanted->digits.ptr, wanted->digits.len);
    r->layout.declared.len = 0;
    if (!fine || !wanted->digits.ptr)
        return read_failed(&r->in);
    return toon_plan_fields(r, &rows->texts);
}

/* Reads the header, if it is one of a table. */
static bool toon_begin_rows(toon_row_state *rows, const text_line *line)
{
    toon_reader *r = &rows->reader;
    toon_header header;
    toon_fault fault;
    bool found = toon_check_line(r, line) && *line->at == '[' &&
                 (line->depth == 0 || r->rules.deep_start) &&
                 toon_read_header(r, line->at, line->end, line->at, &header, &fault) &&
                 header.fields && !header.keyed;
    r->doc->depth = 1; /* as deep as it would be with the table */
    return found && toon_open_scope(r, TOON_TABLE, &header, line->depth);
}

/* What is wrong with a header is found again when the text is read whole. */
static read_event toon_start_rows(toon_row_state *rows, read_job *job)
{
    toon_reader *r = &rows->reader;
    text_line line;
    r->rules = toon_rules_from(job->set);
    r->rows = true;
    toon_place_rows(rows, job);
    if (r->rules.expand)
        return READ_COLLECT;
    bool bom = job->input.len >= UTF8_BOM_LEN || job->ended; /* or none is to come */
    if (!bom || !toon_whole_line(r, &line))
        return job->ended ? READ_COLLECT : READ_MORE;
    if (!toon_begin_rows(rows, &line)) {
        r->scopes.count = 0;
        return report_undo(job->report) ? READ_COLLECT : READ_FAILED;
    }
    rows->begun = true;
    arena_init(&rows->texts, job->doc->alloc);
    if (!toon_keep_header(rows))
        return READ_FAILED;
    toon_use_line(rows, job, &line);
    return READ_ROW;
}

/* --------------------------------------------------------------------------- the rows */

/* No row is to come: what is left is the end, or a problem. */
static read_event toon_end_rows(toon_reader *r)
{
    text_line line;
    while (!read_stopped(&r->in) && lines_next(&r->lines, &line))
        toon_next_line(r, &line);
    toon_end_text(r);
    return r->report->count > 0 ? READ_FAILED : READ_DONE;
}

/* The text is at its end, or should be. */
static bool toon_is_full(const toon_reader *r)
{
    const toon_scope *table = &r->scopes.at[0];
    return r->rules.strict && table->count == table->wanted.value;
}

static read_event toon_next_row(toon_row_state *rows, read_job *job)
{
    toon_reader *r = &rows->reader;
    text_line line;
    if (r->scopes.count == 0)
        return READ_DONE;
    toon_place_rows(rows, job);
    if (!layout_is_current(&r->layout.rows, r->doc) && !toon_plan_fields(r, &rows->texts))
        return READ_FAILED;
    if (toon_is_full(r) || !toon_whole_line(r, &line))
        return job->ended ? toon_end_rows(r) : READ_MORE;
    toon_next_line(r, &line);
    if (r->doc->has_duplicates && !doc_merge_duplicates(r->doc))
        read_failed(&r->in);
    if (r->report->count > 0)
        return READ_FAILED;
    toon_use_line(rows, job, &line);
    return READ_ROW;
}

static read_event toon_read_next(void *state, read_job *job)
{
    toon_row_state *rows = (toon_row_state *)state;
    if (!rows->begun) {
        read_event event = toon_start_rows(rows, job);
        if (event != READ_ROW)
            return event;
    }
    return job->head ? READ_HEAD : toon_next_row(rows, job);
}

static size_t toon_columns(const void *state, const pith_doc *doc, pith_text *names,
                           size_t room)
{
    const toon_row_state *rows = (const toon_row_state *)state;
    (void)doc;
    return rows->begun ? layout_names(&rows->reader.layout.rows, names, room) : 0;
}

static void toon_close_rows(void *state, const pith_alloc *alloc)
{
    toon_row_state *rows = (toon_row_state *)state;
    if (rows->begun)
        arena_free(&rows->texts);
    toon_reader_free(&rows->reader, alloc);
}

const read_codec toon_read = {.state_size = sizeof(toon_row_state),
                              .read = toon_read_next,
                              .close = toon_close_rows,
                              .columns = toon_columns,
                              .ends = "\n"};
