/*
 * answer_rows.c - the rows of an answer that is still arriving.
 *
 * Most answers that are long are an array, at the beginning of the text or of its first fenced
 * block. The elements of such an array are handed out one by one, as soon as they are there;
 * with stream=true so are the members of an object, as objects of one member. What an answer is
 * can be seen from how it begins:
 *
 *     [{            Here it is:          anything else: it is collected, and read
 *                   ```json              when all of it is there
 *                   [{
 *
 * A row is read by the same reader as everything else, so the same is mended in it.
 */
#include "base/scan.h"
#include "base/utf8.h"
#include "format/answer/answer.h"

enum { ROWS_BEGIN, ROWS_INSIDE, ROWS_AFTER };

typedef struct answer_rows {
    int phase;
    bool object; /* rows are members */
    bool some;   /* rows have come */
} answer_rows;

/* After white space; NULL when nothing else has come. */
static const char *rows_skip(const char *p, const char *end)
{
    p = scan_spaces(p, end);
    return p < end ? p : NULL;
}

/* After the line of the first fence, if only prose is before it. `*none`: there is no such
 * fence. NULL: it has not come. */
static const char *rows_fence(const char *p, const char *end, bool *none)
{
    while (p < end && *p != '`' && !strchr("{[<~>|\"", *p))
        p++;
    if (end - p < 3)
        return NULL;
    *none = memcmp(p, "```", 3) != 0;
    const char *feed = *none ? NULL : (const char *)memchr(p, '\n', (size_t)(end - p));
    if (!feed)
        return NULL;
    pith_text word = text_between(p + 3, feed);
    if (word.len > 0 && word.ptr[word.len - 1] == '\r')
        word.len--;
    *none = word.len > 0 && !text_is(word, "json") && !text_is(word, "JSON");
    return feed;
}

/* Where the first row begins. `*none`: there are no rows. NULL: more is needed. */
static const char *rows_begin(pith_text text, bool members, answer_rows *rows, bool *none)
{
    const char *const end = text.ptr + text.len;
    const char *p = rows_skip(text.ptr + utf8_bom(text.ptr, text.len), end);
    *none = false;
    if (p && *p != '[' && *p != '{')
        p = rows_fence(p, end, none);
    p = p && !*none ? rows_skip(p, end) : NULL;
    if (!p)
        return NULL;
    rows->object = *p == '{';
    *none = *p != '[' && !(rows->object && members);
    p = *none ? NULL : rows_skip(p + 1, end);
    if (p && rows->object)
        *none = !loose_quote(p, end) && *p != '}' && !answer_is_word(*p);
    else if (p) /* [2] in a sentence, or the header of a table, is no array yet */
        *none = *p != '{' && (!members || scan_is_digit((unsigned char)*p));
    return *none ? NULL : p;
}

/* Whether all that was mended may be; if not, that is reported. */
static bool rows_are_allowed(const loose *r, answer_level allowed)
{
    for (size_t i = 0; i < r->mends->list.count; i++) {
        const answer_mend *mend = &r->mends->list.at[i];
        if (answer_mend_level(mend->id) > allowed) {
            answer_refuse_mend(r->report, mend);
            return false;
        }
    }
    return true;
}

/* What stands before the next row: a comma, or the bracket that ends all. */
static read_event rows_between(loose *r, answer_rows *rows, const char **at, bool ended)
{
    const char *p = loose_skip(r, *at, r->limit);
    bool comma = p < r->limit && *p == ',';
    if (comma)
        p = loose_skip(r, p + 1, r->limit);
    if (p == r->limit && !ended)
        return READ_MORE;
    if (p == r->limit) {
        loose_mend(r, p, MEND_CUT);
        rows->phase = ROWS_AFTER;
    } else if (*p == (rows->object ? '}' : ']')) {
        rows->phase = ROWS_AFTER;
        if (comma)
            loose_mend(r, p, MEND_COMMA);
        p++;
    } else if (rows->some && !comma) {
        loose_mend(r, p, MEND_NO_COMMA);
    }
    *at = p;
    return rows->phase == ROWS_AFTER ? READ_DONE : READ_ROW;
}

/* Reads the row at `*at`. */
static read_event rows_read_one(loose *r, answer_rows *rows, const char **at, bool ended)
{
    const char *from = *at;
    r->doc->depth = 1; /* as deep as it is in the array */
    loose_end end = rows->object ? loose_read_members(r, at, true) : loose_read(r, at);
    if (end == LOOSE_STOP)
        return r->report->again ? READ_MORE : READ_FAILED;
    if (!ended && (end == LOOSE_CUT || *at == r->limit || r->bad == r->limit))
        return READ_MORE;
    if (end == LOOSE_BAD) {
        report_bad(r->report, r->bad_code, read_at(&r->in, r->bad), "%s", r->bad_why);
        return READ_FAILED;
    }
    if (end == LOOSE_CUT && !loose_complete(r))
        return READ_FAILED;
    size_t bad = utf8_find_invalid(from, (size_t)(*at - from));
    if (from + bad < *at) {
        read_bad_utf8(&r->in, from + bad);
        return READ_FAILED;
    }
    rows->some = true;
    if (rows->object && r->doc->slots[0].n == 0) {
        rows->phase = ROWS_AFTER; /* its key alone has come */
        return READ_DONE;
    }
    return READ_ROW;
}

/* What follows the array must be no data of its own. */
static read_event rows_after(answer_rows *rows, read_job *job)
{
    const char *end = job->input.ptr + job->input.len;
    const char *p = rows_skip(job->input.ptr, end);
    if (p && *p == (rows->object ? '{' : '[') && rows->some) {
        report_bad(job->report, "not_a_table", (size_t)(p - job->report->input.ptr),
                   "another %s follows the first; read the answer whole",
                   rows->object ? "object" : "array");
        return READ_FAILED;
    }
    rows->some = rows->some && !p;
    job->used = job->input.len;
    return job->ended ? READ_DONE : READ_MORE;
}

static read_event rows_next(answer_rows *rows, read_job *job, loose *r)
{
    const char *at = job->input.ptr;
    answer_rows before = *rows;
    read_event event = rows_between(r, rows, &at, job->ended);
    if (event == READ_ROW)
        event = rows_read_one(r, rows, &at, job->ended);
    if (event == READ_MORE || event == READ_FAILED) {
        *rows = before;
        return event;
    }
    if (!rows_are_allowed(r, answer_allowed(job->set)))
        return READ_FAILED;
    answer_tell(job->report, r->mends);
    job->used = (size_t)(at - job->input.ptr);
    return event;
}

read_event answer_read_row(void *state, read_job *job)
{
    answer_rows *rows = (answer_rows *)state;
    answer_mends mends = {.more = 0};
    loose r = {.mends = &mends};
    if (rows->phase == ROWS_BEGIN) {
        bool none;
        bool members = settings_number(job->set, ANSWER_STREAM) == 1;
        const char *p = rows_begin(job->input, members, rows, &none);
        if (none || (!p && job->ended) ||
            settings_number(job->set, ANSWER_PICK) != PICK_FIRST)
            return READ_COLLECT;
        if (!p)
            return READ_MORE;
        rows->phase = ROWS_INSIDE;
        job->used = (size_t)(p - job->input.ptr);
    }
    size_t before = job->used;
    pith_text whole = job->input;
    job->input = text_of(whole.ptr + before, whole.len - before);
    read_event event;
    if (rows->phase == ROWS_INSIDE) {
        read_init(&r.in, job->doc, job->report->input, job->report);
        r.last_wins = settings_number(job->set, ANSWER_DUPLICATES) == 1;
        r.replace = settings_number(job->set, ANSWER_SURROGATES) == 1;
        r.limit = job->input.ptr + job->input.len;
        while (job->ended && r.limit > job->input.ptr &&
               scan_is_space((unsigned char)r.limit[-1]))
            r.limit--;
        job->used = 0;
        event = rows_next(rows, job, &r);
        LIST_FREE(&mends.list, &job->doc->alloc);
        if (event == READ_DONE && !job->ended)
            event = READ_MORE;
    } else {
        job->used = 0;
        event = rows_after(rows, job);
    }
    job->input = whole;
    job->used += before;
    if (event == READ_ROW && job->doc->has_duplicates &&
        !doc_merge_duplicates(job->doc)) {
        report_no_memory(job->report);
        event = READ_FAILED;
    }
    return event;
}

const read_codec answer_read_rows = {
    .state_size = sizeof(answer_rows), .read = answer_read_row, .ends = "}],\n"};
