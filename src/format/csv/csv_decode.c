/*
 * csv_decode.c - a text, step by step.
 *
 *     byte order mark   sep=; line   blank lines   header   rows
 *
 * A step ends with a row. A whole text is read in steps too, all bytes being there; in a
 * text that arrives in pieces the header waits until enough is there to decide about the
 * types as well.
 */
#include "base/utf8.h"
#include "format/csv/csv_read.h"

static void csv_reader_init(csv_reader *r, const settings *set, pith_arena *names)
{
    r->types = (csv_types)settings_number(set, CSV_TYPES);
    r->has_header = settings_bool(set, CSV_HEADER);
    r->pads = settings_bool(set, CSV_RAGGED);
    r->number_duplicates = settings_bool(set, CSV_DUPLICATES);
    r->skips = settings_number(set, CSV_BAD) != 0;
    r->delimiter = csv_delimiter(set);
    r->rows_tell = set->count == CSV_SETTING_COUNT &&
                   settings_number(set, CSV_DELIMITER) == CSV_DELIMITER_ROWS;
    r->names = names;
}

/* ------------------------------------------------------------------------- the steps */

static const char *csv_skip_blank(const char *at, const char *end)
{
    while (at < end && (*at == '\n' || *at == '\r'))
        at++;
    return at;
}

/* Finds the header, over what may be before it, and the delimiter if that is not known, by
 * the header or, if `rows_tell`, by the first row as well: then `*text` begins with the
 * header, which has `*len` bytes. False when it is not whole. */
static bool csv_find_header(pith_text *text, bool ended, bool rows_tell, char *delimiter,
                            size_t *len)
{
    const char *end = text->ptr + text->len;
    const char *at = text->ptr + utf8_bom(text->ptr, text->len);
    if (!*delimiter) {
        if (!csv_find_record(text_of(at, (size_t)(end - at)), ended, '\0', len))
            return false;
        at += csv_read_sep(text_of(at, *len), delimiter);
    }
    at = csv_skip_blank(at, end);
    *text = text_of(at, (size_t)(end - at));
    if (!*delimiter) {
        if (!csv_find_record(*text, ended, '\0', len))
            return false;
        pith_text header = text_of(at, *len);
        pith_text rest = text_of(at + *len, text->len - *len);
        if (rows_tell && !ended && rest.len <= CSV_LOOK && csv_is_mixed(header))
            return false;
        *delimiter =
            rows_tell ? csv_find_delimiter(header, rest) : csv_guess_delimiter(header);
    }
    return csv_find_record(*text, ended, *delimiter, len);
}

/* Reads what is before the first row, when the header is whole and so is what decides
 * about types; READ_ROW when rows may follow, at `*at`. */
static read_event csv_start(csv_reader *r, const char **at)
{
    pith_text text = text_of(*at, (size_t)(r->end - *at));
    char delimiter = r->delimiter;
    size_t len;
    bool infer = r->types == CSV_TYPES_INFER;
    size_t least = infer ? CSV_LOOK + 1 : UTF8_BOM_LEN;
    if (r->waits && text.len < least)
        return READ_MORE;
    if (!csv_find_header(&text, !r->waits, r->rows_tell, &delimiter, &len) ||
        (infer && text.len <= CSV_LOOK && r->waits))
        return r->waits ? READ_MORE : READ_DONE;
    r->delimiter = delimiter;
    size_t used = csv_read_header(r, text, len, !r->waits, &r->begun);
    *at = text.ptr + used;
    return r->begun ? READ_ROW : READ_FAILED;
}

/* After the last row. */
static read_event csv_end_rows(csv_reader *r)
{
    if (r->waits)
        return READ_MORE;
    if (!r->told)
        report_skipped(r->report, &r->skipped);
    r->told = true;
    return READ_DONE;
}

/* Passes over the bad row at `*at`: the record, or where a quote is never closed the line. */
static bool csv_skip_row(csv_reader *r, const char **at)
{
    const char *end = r->end;
    size_t len;
    bool unclosed = strcmp(r->report->first.code, "unterminated_string") == 0;
    pith_text rest = text_of(*at, (size_t)(end - *at));
    if (!csv_find_record(rest, !r->waits, r->delimiter, &len))
        return false;
    if (unclosed) {
        const char *stop = scan_to(SCAN_SET('\n', '\r', '\n', '\r'), *at, end);
        len = (size_t)(csv_skip_break(stop, end) - *at);
    }
    if (!report_skip(r->report, &r->skipped))
        return false;
    *at += len;
    return true;
}

/* Reads the next row, which is at `*at` or, over what is no row, after that. */
static read_event csv_step(csv_reader *r, const char **at)
{
    if (!r->begun) {
        read_event event = csv_start(r, at);
        if (event != READ_ROW)
            return event;
    }
    for (;;) {
        while (*at < r->end && csv_is_blank(r, *at))
            *at = csv_skip_break(*at, r->end);
        if (*at == r->end)
            return csv_end_rows(r);
        const char *after = csv_find_shape(r) ? csv_read_row(r, *at) : NULL;
        if (after) {
            *at = after;
            return READ_ROW;
        }
        if (r->starved) {
            r->rows--;
            return READ_MORE;
        }
        if (!r->skips || r->report->count == 0 || !csv_skip_row(r, at))
            return READ_FAILED;
    }
}

/* ---------------------------------------------------------------------- a whole text */

void csv_decode(decode_job *job)
{
    pith_doc *doc = job->doc;
    csv_reader r = {0};
    const char *at = job->input.ptr;
    read_event event = READ_ROW;
    csv_reader_init(&r, job->set, &doc->arena);
    read_init(&r.in, doc, job->input, job->report);
    if (build_open(doc, PITH_ARRAY) != BUILD_DONE) {
        report_no_memory(job->report);
        return;
    }
    while (event == READ_ROW && report_goes_on(job->report, read_at(&r.in, at)))
        event = csv_step(&r, &at);
    if (event == READ_DONE)
        (void)build_close(doc); /* an array: that takes no memory */
    doc->finished = job->report->count == 0;
}

/* ------------------------------------------------------------------ rows, one by one */

typedef struct csv_row_state {
    csv_reader reader;
    pith_arena names;
} csv_row_state;

static read_event csv_read_head(csv_reader *r, const char **at)
{
    read_event event = r->begun ? READ_ROW : csv_start(r, at);
    return event == READ_ROW ? READ_HEAD : event;
}

static read_event csv_read_next(void *state, read_job *job)
{
    csv_row_state *rows = (csv_row_state *)state;
    csv_reader *r = &rows->reader;
    const char *at = job->input.ptr;
    if (!r->names) {
        arena_init(&rows->names, job->doc->alloc);
        csv_reader_init(r, job->set, &rows->names);
    }
    read_init(&r->in, job->doc, job->report->input, job->report);
    r->waits = !job->ended;
    r->doc->depth = 1; /* as deep as it would be in the array of all rows */
    read_event event = job->head ? csv_read_head(r, &at) : csv_step(r, &at);
    r->doc->depth = 0;
    job->used = (size_t)(at - job->input.ptr);
    return event;
}

static size_t csv_columns(const void *state, const pith_doc *doc, pith_text *names,
                          size_t room)
{
    const csv_reader *r = &((const csv_row_state *)state)->reader;
    (void)doc;
    size_t count = r->begun ? r->count : 0;
    for (size_t i = 0; i < count && i < room; i++)
        names[i] = key_text(&r->columns[i]);
    return count;
}

static void csv_close_rows(void *state, const pith_alloc *alloc)
{
    csv_row_state *rows = (csv_row_state *)state;
    (void)alloc;
    if (rows->reader.names)
        arena_free(&rows->names);
}

const read_codec csv_read = {.state_size = sizeof(csv_row_state),
                             .read = csv_read_next,
                             .close = csv_close_rows,
                             .columns = csv_columns,
                             .ends = "\n\r"};
