/*
 * read.c - when to try for a row, and what has to be collected.
 */
#include "format/read.h"

#include <assert.h>

static const pith_value no_row = {NULL, 0, 0, 0};

/* ---------------------------------------------------------------------- whole texts */

bool read_again(pith_doc *doc, reporter *report)
{
    if (!report->again || report->count > 0)
        return false;
    report->again = false;
    report->stopped = false;
    report->keep_key_places = true;
    pith_doc_reset(doc);
    return true;
}

void read_whole(const codec *from, decode_job *job)
{
    do
        from->decode(job);
    while (read_again(job->doc, job->report));
}

void read_count_memory(decode_job *job, alloc_meter *meter, size_t memory_max)
{
    meter->inner = job->doc->alloc;
    meter->most = alloc_limit(memory_max, job->input.len);
    meter->fixed = memory_max > 0;
    job->meter = meter;
    doc_use_alloc(job->doc, alloc_counted(meter));
}

void read_memory_counted(decode_job *job)
{
    const alloc_meter *meter = job->meter;
    doc_use_alloc(job->doc, meter->inner);
    if (meter->refused && report_result(job->report, NULL) == PITH_NO_MEMORY)
        report_memory_limit(job->report, doc_reached(job->doc, job->input), meter->most);
}

/* ------------------------------------------------------------------------ collected */

/* Reads all that was collected, into a document with the limits of the rows' own. The
 * bytes stay where they are, for nothing moves them any more. */
static bool row_reader_read_whole(row_reader *reader, read_job *job)
{
    assert(job->ended && !reader->whole);
    pith_options options;
    memset(&options, 0, sizeof options);
    options.alloc = reader->alloc;
    options.depth_max = job->doc->depth_max;
    reader->whole = pith_doc_new(&options);
    if (!reader->whole) {
        report_no_memory(job->report);
        return false;
    }
    assert(job->input.ptr == job->report->input.ptr);
    decode_job whole = {reader->whole, job->input, job->set, job->report, job->meter};
    read_whole(reader->from, &whole);
    if (job->report->count > 0)
        return false;
    if (reader->select && !select_in_document(reader->select, reader->whole)) {
        report_no_memory(job->report);
        return false;
    }
    pith_value root = pith_doc_root(reader->whole);
    bool array = pith_value_kind(root) == PITH_ARRAY &&
                 !(reader->whole->slots[0].flags & SLOT_TYPED);
    reader->part = array ? pith_value_first(root) : root;
    job->used = job->input.len;
    return true;
}

static pith_value row_reader_next_part(row_reader *reader, read_job *job)
{
    if (!job->ended || (!reader->whole && !row_reader_read_whole(reader, job)))
        return no_row;
    pith_value part = reader->part;
    reader->part = pith_value_next(part);
    return part;
}

/* ----------------------------------------------------------------------------- rows */

/* Whether one of `text` may end a row. */
static bool row_reader_sees_end(const char *ends, pith_text text)
{
    for (size_t i = 0; i < text.len && ends; i++)
        if (text.ptr[i] != '\0' && strchr(ends, text.ptr[i]))
            return true;
    return ends == NULL;
}

enum { ROW_READER_WORTH = 3 /* bytes to read again, of each that arrives */ };

/* Whether to try again after a try that was in vain. */
static bool row_reader_tries(row_reader *reader, const read_job *job)
{
    assert(reader->tried <= job->input.len);
    size_t fresh = job->input.len - reader->tried;
    pith_text more = text_of(job->input.ptr + reader->tried, fresh);
    reader->credit += ROW_READER_WORTH * fresh;
    reader->due = reader->due || row_reader_sees_end(reader->from->read_rows->ends, more);
    reader->tried = job->input.len;
    if (!reader->due || fresh == 0 || reader->credit < job->input.len)
        return false;
    reader->credit -= job->input.len;
    return true;
}

/* Nothing came of it. */
static void row_reader_wait(row_reader *reader, const read_job *job)
{
    assert(job->used <= job->input.len);
    size_t left = job->input.len - job->used;
    assert(!job->ended);
    if (reader->tried == 0)
        reader->credit = ROW_READER_WORTH * left;
    reader->tried = left;
    reader->due = false;
}

static bool row_reader_start(row_reader *reader, read_job *job)
{
    if (!reader->from->read_rows) {
        reader->collects = true;
    } else if (!reader->state) {
        reader->state = alloc_zeroed(&reader->alloc, reader->from->read_rows->state_size);
        if (!reader->state) {
            report_no_memory(job->report);
            return false;
        }
    }
    return true;
}

static read_event row_reader_read(const row_reader *reader, read_job *job)
{
    const read_codec *format = reader->from->read_rows;
    read_event event = format->read(reader->state, job);
    if (read_again(job->doc, job->report)) {
        pith_text input = job->input;
        size_t before = job->used; /* a header, say, which is done with */
        job->input = text_of(input.ptr + before, input.len - before);
        job->used = 0;
        event = format->read(reader->state, job);
        job->input = input;
        job->used += before;
    }
    return event;
}

/* The next row of the text. */
static pith_value row_reader_next_row(row_reader *reader, read_job *job)
{
    job->used = 0;
    if (!row_reader_start(reader, job))
        return no_row;
    if (reader->collects)
        return row_reader_next_part(reader, job);
    if (reader->tried > 0 && !job->ended && !row_reader_tries(reader, job))
        return no_row;
    switch (row_reader_read(reader, job)) {
    case READ_ROW:
        assert(job->used <= job->input.len);
        assert(job->report->count == 0 && job->used > 0);
        reader->tried = 0;
        job->doc->finished = true;
        if (job->input.len - job->used < 16)
            doc_mark_near_end(job->doc, job->report->input, SIZE_MAX);
        return pith_doc_root(job->doc);
    case READ_COLLECT:
        assert(job->used == 0);
        reader->collects = true;
        pith_doc_reset(job->doc);
        return row_reader_next_part(reader, job);
    case READ_MORE:
        row_reader_wait(reader, job);
        break;
    case READ_FAILED:
        assert(job->report->count > 0);
        break;
    case READ_HEAD: /* was not asked for */
    case READ_DONE:
        break;
    }
    pith_doc_reset(job->doc);
    return no_row;
}

/* What is asked for of a row. */
static pith_value row_reader_select(row_reader *reader, read_job *job)
{
    switch (select_in_row(reader->select, job->doc)) {
    case SELECT_ONE:
        return pith_doc_root(job->doc);
    case SELECT_ELEMENTS: {
        pith_value first = pith_value_first(pith_doc_root(job->doc));
        reader->part = pith_value_next(first);
        return first;
    }
    default:
        if (reader->select->refused)
            report_no_memory(job->report);
        pith_doc_reset(job->doc);
        return no_row;
    }
}

/* After the last row: says what came of the selection. */
static void row_reader_end(row_reader *reader, read_job *job)
{
    bool ended = job->ended || reader->select->done;
    if (ended && job->report->count == 0 && !reader->selected) {
        reader->selected = true;
        select_end(reader->select, job->report);
    }
}

/* Rows until one has something of what is asked for. */
static pith_value row_reader_next_selected(row_reader *reader, read_job *job)
{
    pith_text input = job->input;
    size_t used = 0;
    pith_value row = no_row;
    if (row_reader_holds(reader, job->doc)) {
        row = reader->part;
        reader->part = pith_value_next(row);
        return row;
    }
    while (!reader->select->done) {
        job->input = text_of(input.ptr + used, input.len - used);
        row = row_reader_next_row(reader, job);
        used += job->used;
        if (!row.doc || reader->collects)
            break;
        row = row_reader_select(reader, job);
        if (row.doc || job->report->count > 0)
            break;
    }
    if (!row.doc)
        row_reader_end(reader, job);
    job->input = input;
    job->used = used;
    return row;
}

pith_value row_reader_next(row_reader *reader, read_job *job)
{
    return reader->select ? row_reader_next_selected(reader, job)
                          : row_reader_next_row(reader, job);
}

static size_t row_reader_all_columns(row_reader *reader, read_job *job, pith_text *names,
                                     size_t room)
{
    job->used = 0;
    const read_codec *read = reader->from->read_rows;
    if (!read || !read->columns || !row_reader_start(reader, job) || reader->collects)
        return 0;
    size_t count = read->columns(reader->state, job->doc, names, room);
    if (count > 0)
        return count;
    if (reader->tried > 0 && !job->ended && !row_reader_tries(reader, job))
        return 0;
    job->head = true;
    read_event event = row_reader_read(reader, job);
    if (event == READ_MORE)
        row_reader_wait(reader, job);
    if (event == READ_HEAD)
        reader->tried = 0;
    reader->collects = event == READ_COLLECT;
    return event == READ_HEAD ? read->columns(reader->state, job->doc, names, room) : 0;
}

/* All of them are needed before some can be left out. */
static size_t row_reader_some_columns(row_reader *reader, read_job *job, pith_text *names,
                                      size_t room)
{
    size_t all = row_reader_all_columns(reader, job, NULL, 0);
    size_t bytes = all * sizeof *names;
    pith_text *list =
        all > 0 ? (pith_text *)alloc_resize(&reader->alloc, NULL, 0, bytes) : NULL;
    if (all > 0 && !list)
        report_no_memory(job->report);
    if (!list)
        return 0;
    const read_codec *read = reader->from->read_rows;
    all = read->columns(reader->state, job->doc, list, all);
    size_t kept = select_columns(reader->select, list, all);
    for (size_t i = 0; i < kept && i < room; i++)
        names[i] = list[i];
    alloc_free(&reader->alloc, list, bytes);
    return kept;
}

size_t row_reader_columns(row_reader *reader, read_job *job, pith_text *names,
                          size_t room)
{
    return reader->select ? row_reader_some_columns(reader, job, names, room)
                          : row_reader_all_columns(reader, job, names, room);
}

void row_reader_free(row_reader *reader)
{
    if (reader->state) {
        const read_codec *read = reader->from->read_rows;
        if (read->close)
            read->close(reader->state, &reader->alloc);
        alloc_free(&reader->alloc, reader->state, read->state_size);
    }
    pith_doc_free(reader->whole);
}
