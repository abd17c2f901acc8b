/*
 * error.c - messages, and lines and columns from offsets.
 *
 * Positions are computed only on failure, and from the last computed place when
 * the next one lies after it: a thousand problems on one long line cost one pass.
 */
#include "base/error.h"
#include "base/utf8.h"

#include <assert.h>

static const text_place text_beginning = {0, 1, 1};

void report_init(reporter *report, pith_text input)
{
    memset(report, 0, offsetof(reporter, marks));
    report->input = input;
    report->start = text_beginning;
    report->seen = text_beginning;
}

/* Where counting starts. A byte order mark is part of the bytes and of no column. */
static text_place report_beginning(const reporter *report)
{
    text_place place = text_beginning;
    if (report->start.offset == 0)
        place.offset = utf8_bom(report->input.ptr, report->input.len);
    return place;
}

/* Moves a place forward to `offset`, counting line feeds and code points. */
static text_place place_advance(text_place from, pith_text input, size_t offset)
{
    while (from.offset < offset) {
        const char *at = input.ptr + from.offset;
        size_t span = offset - from.offset;
        const char *feed = (const char *)memchr(at, '\n', span);
        if (!feed) {
            from.column += utf8_count(at, span);
            from.offset = offset;
            break;
        }
        from.offset += (size_t)(feed - at) + 1;
        from.line++;
        from.column = 1;
    }
    return from;
}

/* The last mark before an offset; marks on the way there are made. */
static text_place report_mark(reporter *report, size_t offset)
{
    size_t step = report->input.len / REPORT_MARKS + 1;
    size_t mark = offset / step;
    text_place *marks = report->marks;
    if (report->mark_count == 0)
        marks[report->mark_count++] = report_beginning(report);
    for (size_t *count = &report->mark_count; *count <= mark; ++*count)
        marks[*count] = place_advance(marks[*count - 1], report->input, *count * step);
    /* inside the byte order mark */
    return marks[mark].offset <= offset ? marks[mark] : text_beginning;
}

text_place report_place(reporter *report, size_t offset)
{
    if (offset > report->input.len)
        offset = report->input.len;
    text_place from = report_mark(report, offset);
    if (report->seen.offset > from.offset && report->seen.offset <= offset)
        from = report->seen;
    report->seen = place_advance(from, report->input, offset);

    text_place place = report->seen;
    if (place.line == 1)
        place.column += report->start.column - 1;
    place.line += report->start.line - 1;
    place.offset += report->start.offset;
    return place;
}

static void error_format(pith_error *err, const char *format, va_list args)
{
    size_t used = print_list(err->message, sizeof err->message, format, args);
    /* A sentence that had to be cut must not end inside a character. */
    err->message[utf8_find_invalid(err->message, used)] = '\0';
}

static bool report_note(reporter *report, const pith_error *problem)
{
    if (report->count == 0)
        report->first = *problem;
    report->count++;
    if (!report->callback || report->stopped) {
        report->stopped = true;
        return false;
    }
    bool wanted = report->callback(report->ctx, problem);
    if (!wanted || report->count >= REPORT_MOST)
        report->stopped = true;
    return !report->stopped;
}

static pith_error report_make(reporter *report, pith_status status, const char *code,
                              size_t offset, const char *format, va_list args)
{
    pith_error problem;
    memset(&problem, 0, sizeof problem);
    text_place place = {0, 0, 0};
    if (offset != REPORT_NOWHERE)
        place = report_place(report, offset);
    problem.status = status;
    problem.code = code;
    problem.line = place.line;
    problem.column = place.column;
    problem.offset = place.offset;
    error_format(&problem, format, args);
    return problem;
}

static bool report_add(reporter *report, pith_status status, const char *code,
                       size_t offset, const char *format, va_list args)
{
    if (report->stopped)
        return false;
    pith_error problem = report_make(report, status, code, offset, format, args);
    return report_note(report, &problem);
}

bool report_problem(reporter *report, pith_status status, const char *code, size_t offset,
                    const char *format, ...)
{
    va_list args;
    va_start(args, format);
    bool go_on = report_add(report, status, code, offset, format, args);
    va_end(args);
    return go_on;
}

bool report_bad_list(reporter *report, const char *code, size_t offset,
                     const char *format, va_list args)
{
    return report_add(report, PITH_BAD_INPUT, code, offset, format, args);
}

bool report_bad(reporter *report, const char *code, size_t offset, const char *format,
                ...)
{
    va_list args;
    va_start(args, format);
    bool go_on = report_bad_list(report, code, offset, format, args);
    va_end(args);
    return go_on;
}

bool report_expected(reporter *report, const char *code, pith_text found,
                     const char *expected)
{
    assert(found.ptr >= report->input.ptr &&
           found.ptr <= report->input.ptr + report->input.len);
    report_bad(report, code, (size_t)(found.ptr - report->input.ptr),
               "expected %s, found '%s'", expected,
               error_quote(found.ptr, found.len).text);
    return false;
}

void report_notice(reporter *report, const char *code, size_t offset, const char *format,
                   ...)
{
    if (!report->notice)
        return;
    va_list args;
    va_start(args, format);
    pith_error remark = report_make(report, PITH_OK, code, offset, format, args);
    va_end(args);
    report->notice(report->notice_ctx, &remark);
}

void report_comment(reporter *report, const char *from, const char *end)
{
    while (from < end && (*from == '#' || *from == ' '))
        from++;
    while (end > from && (end[-1] == '\n' || end[-1] == '\r' || end[-1] == ' '))
        end--;
    int len = end - from < (long)sizeof report->first.message
                  ? (int)(end - from)
                  : (int)sizeof report->first.message;
    report_notice(report, "note", (size_t)(from - report->input.ptr), "%.*s", len, from);
}

/* Where the line that ends at `end` begins. */
static const char *report_line_before(const reporter *report, const char *end)
{
    const char *at = end;
    while (at > report->input.ptr && at[-1] != '\n')
        at--;
    return at;
}

void report_last_comments(reporter *report)
{
    enum { COMMENTS_MOST = 16 };
    const char *lines[COMMENTS_MOST + 1];
    size_t count = 0;
    lines[0] = report->input.ptr + report->input.len;
    while (report->notice && count < COMMENTS_MOST) {
        const char *end = lines[count];
        end -= end > report->input.ptr && end[-1] == '\n';
        const char *at = report_line_before(report, end);
        if (end - at < 2 || at[0] != '#' || at[1] != ' ')
            break;
        lines[++count] = at;
    }
    for (; count > 0; count--)
        report_comment(report, lines[count], lines[count - 1]);
}

bool report_undo(reporter *report)
{
    if (report->count > 0 && report->first.status != PITH_BAD_INPUT)
        return false;
    assert(!report->callback);
    report->count = 0;
    report->stopped = false;
    return true;
}

bool report_skip(reporter *report, report_skips *skips)
{
    if (report->callback || report->count == 0 || report->again ||
        report->first.status != PITH_BAD_INPUT)
        return false;
    if (skips->count < REPORT_LINES_TOLD)
        skips->lines[skips->count] = report->first.line;
    if (skips->count++ == 0)
        skips->first = report->first;
    return report_undo(report);
}

/* "2 lines were skipped: 5, 12; line 5: expected ..." */
void report_skipped(reporter *report, const report_skips *skips)
{
    char lines[REPORT_LINES_TOLD * 22 + 40];
    size_t len = 0;
    size_t told = skips->count < REPORT_LINES_TOLD ? skips->count : REPORT_LINES_TOLD;
    if (skips->count == 0 || !report->notice)
        return;
    for (size_t i = 0; i < told; i++)
        len += print_into(lines + len, sizeof lines - len, "%s%zu", i > 0 ? ", " : "",
                          skips->lines[i]);
    if (skips->count > told)
        print_into(lines + len, sizeof lines - len, " and %zu more", skips->count - told);
    pith_error remark = skips->first;
    remark.status = PITH_OK;
    remark.code = "rows_skipped";
    print_into(remark.message, sizeof remark.message,
               "%zu bad row%s left out, in line%s %s; the first: %.160s", skips->count,
               skips->count == 1 ? " was" : "s were", skips->count == 1 ? "" : "s", lines,
               skips->first.message);
    remark.message[utf8_find_invalid(remark.message, strlen(remark.message))] = '\0';
    report->notice(report->notice_ctx, &remark);
}

void report_again(reporter *report)
{
    assert(!report->keep_key_places);
    report->again = true;
    report->stopped = true;
}

void report_no_memory(reporter *report)
{
    pith_error problem;
    error_no_memory(&problem);
    /* What was found before does not matter: the reading is incomplete. */
    report->first = problem;
    report->count++;
    report->stopped = true;
}

bool report_ask(reporter *report, size_t offset)
{
    if (report->progress(report->progress_ctx, offset)) {
        report->progress_due = offset + REPORT_TICK;
        return true;
    }
    error_cancelled(&report->first); /* as above */
    report->count++;
    report->stopped = true;
    return false;
}

void report_memory_limit(reporter *report, size_t offset, size_t most)
{
    report->stopped = false;
    report->count = 0;
    report_problem(report, PITH_LIMIT, "memory_limit", offset,
                   "reading further takes more than the limit of %zu bytes of memory; "
                   "memory_max allows more, if the text can be trusted",
                   most);
    report->stopped = true;
}

pith_status report_result(const reporter *report, pith_error *err)
{
    if (report->count == 0)
        return PITH_OK;
    if (err)
        *err = report->first;
    return report->first.status;
}

pith_status error_set(pith_error *err, pith_status status, const char *code,
                      const char *format, ...)
{
    if (!err)
        return status;
    memset(err, 0, sizeof *err);
    err->status = status;
    err->code = code;
    va_list args;
    va_start(args, format);
    error_format(err, format, args);
    va_end(args);
    return status;
}

pith_status error_no_memory(pith_error *err)
{
    return error_set(err, PITH_NO_MEMORY, "no_memory", "out of memory");
}

pith_status error_cancelled(pith_error *err)
{
    return error_set(err, PITH_CANCELLED, "cancelled",
                     "the progress function asked to stop");
}

static const char error_left_out[] = "this library was built without %s";

pith_status error_not_built_in(pith_error *err, const char *what)
{
    return error_set(err, PITH_BAD_USE, "not_built_in", error_left_out, what);
}

void report_not_built_in(reporter *report, const char *what)
{
    report_problem(report, PITH_BAD_USE, "not_built_in", 0, error_left_out, what);
}

pith_status error_copy(const pith_error *kept, pith_error *err)
{
    if (kept->status != PITH_OK && err)
        *err = *kept;
    return kept->status;
}

error_excerpt error_quote(const char *text, size_t len)
{
    enum { ROOM = 40 };
    error_excerpt excerpt;
    size_t used = 0;
    size_t at = 0;
    while (at < len && used < ROOM) {
        size_t size = utf8_decode(text + at, len - at, NULL);
        unsigned char byte = (unsigned char)text[at];
        if (size == 0 || byte < 0x20 || byte == 0x7F) {
            excerpt.text[used++] = '?';
            at++;
            continue;
        }
        memcpy(excerpt.text + used, text + at, size);
        used += size;
        at += size;
    }
    if (at < len) {
        memcpy(excerpt.text + used, "...", 3);
        used += 3;
    }
    excerpt.text[used] = '\0';
    return excerpt;
}
