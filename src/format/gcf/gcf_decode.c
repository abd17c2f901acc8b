/*
 * gcf_decode.c - GCF to a document: which line belongs to what.
 *
 * The text is read line by line, once. Open objects and arrays whose members are on
 * lines of their own are scopes on a stack of ours; each has an open container on the
 * tape, and each knows at which depth its lines are.
 *
 *     GCF profile=generic
 *     name=Ada               object  lines at depth 0
 *     ## home                object  lines at depth 1
 *       city=Rome
 *     ## pets [2]{id,kind}   table   rows at depth 0, as deep as its header
 *     1|cat
 *     2|dog
 *     ## mixed [2]           items   at depth 0
 *     @0 =7
 *     @1 {}                  object  lines at depth 1
 *       a=1
 *     x=1                    back in the object at depth 0
 *
 * A line ends every scope that is deeper than itself. Tables and items that share
 * the depth of the object around them (`shares`) end when a line comes that cannot be
 * theirs: for items any without @, for tables a ## or, once the declared rows are all
 * there, any key=value. Nothing else could tell such a line from a row, so a table
 * without a count, [?], can only be followed by a ##.
 *
 * Declared counts are compared when a scope ends and never used for anything else, so
 * a text cannot make us reserve memory by claiming to be large. What the [?] sections
 * held is kept until the trailer tells what they should have held.
 *
 * Problems. Normally the first ends the reading. When problems are being collected, a
 * line that cannot be read is passed over together with all deeper lines under it
 * (`skip_depth`), after a section header also with the rows beside it (`skip_rows`).
 * Duplicate keys are found when an object closes; to say where both are, the text is read
 * again with keep_key_places (doc/read.h).
 */
#include "base/scan.h"
#include "base/utf8.h"
#include "format/gcf/gcf_graph.h"
#include "format/gcf/gcf_read.h"

/* ---------------------------------------------------------------------- scopes */

bool gcf_push_scope(gcf_reader *r, gcf_scope_kind kind, size_t depth)
{
    gcf_scope *scope = LIST_ADD(&r->scopes, &r->doc->alloc);
    if (!scope)
        return read_failed(&r->in);
    memset(scope, 0, sizeof *scope);
    scope->kind = kind;
    scope->depth = depth;
    return true;
}

/* What the lines of an array are called in messages. */
static const char *gcf_line_word(const gcf_scope *scope)
{
    bool table = scope->kind == GCF_TABLE;
    return read_plural(table ? "row" : "item", table ? "rows" : "items",
                       scope->wanted.value);
}

bool gcf_bad_surplus(gcf_reader *r, gcf_scope *scope, const char *at)
{
    pith_text digits = scope->wanted.digits;
    if (!scope->surplus) {
        read_bad(&r->in, at, "count_mismatch", "%s %s declared in line %zu, found more",
                 error_quote(digits.ptr, digits.len).text, gcf_line_word(scope),
                 scope->line);
    }
    scope->surplus = true;
    return false;
}

static void gcf_check_count(gcf_reader *r, const gcf_scope *scope)
{
    const gcf_count *wanted = &scope->wanted;
    if (wanted->deferred)
        r->deferred.at[scope->deferred] = scope->count;
    else if (scope->kind != GCF_OBJECT && !wanted->unknown && !scope->surplus &&
             scope->count != wanted->value)
        read_bad_count(&r->in, r->last_end, wanted->digits, gcf_line_word(scope),
                       scope->line, scope->count);
}

bool gcf_pop_scope(gcf_reader *r)
{
    gcf_scope *scope = gcf_top(r);
    bool keyed = scope->layout && scope->layout->keyed;
    bool fine = true;
    if (scope->kind == GCF_TABLE) {
        fine = gcf_check_table(r, scope);
        gcf_layout_forget(r, scope->layout);
        if (scope->owns)
            gcf_layout_drop(r, scope->layout);
    }
    if (fine)
        gcf_check_count(r, scope);
    r->scopes.count--;
    return fine && !read_stopped(&r->in) &&
           (r->scopes.count < r->around_row ||
            read_close(&r->in, "duplicate_key",
                       keyed ? "duplicate member key" : "duplicate key"));
}

/* ---------------------------------------------------------------------- arrays */

/* One more [?], which holds so many. */
static bool gcf_defer(gcf_reader *r, uint64_t count)
{
    uint64_t *held = LIST_ADD(&r->deferred, &r->doc->alloc);
    if (!held)
        return read_failed(&r->in);
    *held = count;
    return true;
}

static bool gcf_inline_array(gcf_reader *r, const gcf_head *head)
{
    const gcf_count *wanted = &head->count;
    const char *end = head->rest.ptr + head->rest.len;
    uint64_t count;
    const char *extra;
    if (!read_open(&r->in, PITH_ARRAY, head->at))
        return false;
    bool fine = gcf_read_values(r, head->rest, wanted->value, &count, &extra);
    if (read_stopped(&r->in) || (wanted->deferred && !gcf_defer(r, count)))
        return false;
    if (!wanted->deferred && !wanted->unknown && count != wanted->value) {
        read_bad(
            &r->in, extra ? extra : end, "count_mismatch", "%s %s declared, found %llu",
            error_quote(wanted->digits.ptr, wanted->digits.len).text,
            read_plural("value", "values", wanted->value), (unsigned long long)count);
        fine = false;
    }
    return !read_stopped(&r->in) && read_built(&r->in, build_close(r->doc), head->at) &&
           fine;
}

/* Adds the array or keyed table of a head; its lines will be at `depth`. */
bool gcf_open_head(gcf_reader *r, const gcf_head *head, size_t depth, bool shares)
{
    if (head->values)
        return gcf_inline_array(r, head);
    gcf_scope_kind kind = head->layout ? GCF_TABLE : GCF_ITEMS;
    if (!gcf_push_scope(r, kind, depth))
        return false;
    gcf_scope *scope = gcf_top(r);
    scope->shares = shares;
    scope->wanted = head->count;
    scope->line = r->lines.number;
    scope->layout = head->layout;
    scope->owns = head->layout && !head->borrowed;
    if (scope->layout)
        scope->layout->row.open = false;
    scope->deferred = r->deferred.count;
    if (head->count.deferred && !gcf_defer(r, 0))
        return false;
    return read_open(&r->in, head->keyed ? PITH_OBJECT : PITH_ARRAY, head->at);
}

/* --------------------------------------------------------------------- objects */

bool gcf_is_member(const char *at, const char *end)
{
    const char *after = gcf_skip_key(at, end);
    return after && after < end && (*after == '=' || *after == '[');
}

/* key=value */
static bool gcf_read_pair(gcf_reader *r, const pith_key *key, const char *at,
                          const char *end)
{
    pith_slot slot;
    bool fine = gcf_read_value(r, at, end, &slot);
    return !read_stopped(&r->in) && gcf_add_key(r, key) && gcf_add_slot(r, &slot) && fine;
}

/* name[N]: values */
static bool gcf_read_list(gcf_reader *r, const pith_key *key, const char *at,
                          const char *end)
{
    gcf_head head;
    if (!gcf_read_head(r, at, end, GCF_MAY_LIST, NULL, &head))
        return false;
    if (!head.values) {
        return read_bad(
            &r->in, at, "invalid_header",
            "expected name[N]: values; a table or list starts with '## name [N]'");
    }
    return gcf_add_key(r, key) && gcf_open_head(r, &head, 0, false);
}

/* What a line in an object should have been. */
static bool gcf_bad_member(gcf_reader *r, const char *at, const char *p, const char *end)
{
    if (*at == '.') {
        read_bad(&r->in, at, "orphan_attachment",
                 "an attachment must follow a table row");
    } else if (*at == '"' && p < end) {
        read_bad(&r->in, p, "trailing_characters",
                 "expected '=' or '[' after the key, found '%s'",
                 error_quote(p, (size_t)(end - p)).text);
    } else if (p > at && memchr(p, '=', (size_t)(end - p))) {
        read_bad(&r->in, p, "invalid_key",
                 "expected '=' after the key; a key with other characters than "
                 "letters, digits and _ needs quotes");
    } else {
        read_bad(&r->in, at, "invalid_line",
                 "expected key=value, name[N]: values or ## name, found '%s'",
                 error_quote(at, (size_t)(end - at)).text);
    }
    return false;
}

/* ## name, ## name [N]{fields}, ## name [N] */
static bool gcf_read_section(gcf_reader *r, const text_line *line)
{
    const char *end = line->end;
    const char *at = line->at + 3;
    gcf_head head;
    pith_key key;
    if (at < end && *at == '[') {
        return read_bad(&r->in, at, "invalid_header",
                        "expected a name: only a whole text can be an array without one");
    }
    const char *p = gcf_read_key(r, at, end, &key);
    if (!p)
        return false;
    if (p == end) {
        return gcf_add_key(r, &key) && read_open(&r->in, PITH_OBJECT, at) &&
               gcf_push_scope(r, GCF_OBJECT, line->depth + 1);
    }
    if (end - p < 2 || p[0] != ' ' || p[1] != '[') {
        return read_bad(
            &r->in, p, p[-1] == '"' ? "trailing_characters" : "invalid_key",
            "expected the end of the line or ' [N]' after the name, found '%s'",
            error_quote(p, (size_t)(end - p)).text);
    }
    return gcf_read_head(r, p + 1, end, GCF_MAY_FIX, NULL, &head) &&
           gcf_add_key(r, &key) && gcf_open_head(r, &head, line->depth, true);
}

static bool gcf_is_section(const text_line *line)
{
    return line->end - line->at > 1 && line->at[0] == '#' && line->at[1] == '#';
}

/* A line of an object. */
static bool gcf_read_member(gcf_reader *r, const text_line *line)
{
    const char *at = line->at;
    const char *end = line->end;
    pith_key key;
    if (gcf_is_section(line)) {
        bool fine = end - at > 3 && at[2] == ' ';
        fine = fine ? gcf_read_section(r, line) : gcf_bad_member(r, at, at, end);
        r->skip_rows = !fine;
        return fine;
    }
    const char *p = gcf_skip_key(at, end);
    if (*at == '"' && !p) {
        gcf_read_key(r, at, end, &key); /* which says why */
        return false;
    }
    if (!p || p == end || (*p != '=' && *p != '['))
        return gcf_bad_member(r, at, p ? p : at, end);
    if (!gcf_read_key(r, at, end, &key))
        return false;
    return *p == '=' ? gcf_read_pair(r, &key, p + 1, end)
                     : gcf_read_list(r, &key, p, end);
}

/* ----------------------------------------------------------------------- items */

const char *gcf_read_id(gcf_reader *r, const char *at, const char *end, uint64_t wanted)
{
    const char *digits = at + 1;
    const char *p = scan_digits(digits, end);
    uint64_t value = 0;
    bool fits = p > digits && p - digits <= 19 && (*digits != '0' || p - digits == 1);
    for (const char *d = digits; fits && d < p; d++)
        value = value * 10 + (uint64_t)(*d - '0');
    /* After the number of a row whose one cell is empty, the space ends the line. */
    bool ends = p < r->end && *p == ' ';
    if (!fits || !ends || value != wanted) {
        read_bad(&r->in, at, "invalid_item_id", "expected '@%llu ', found '%s'",
                 (unsigned long long)wanted,
                 error_quote(at, (size_t)((ends ? p : end) - at)).text);
    }
    if (!ends || p == digits || read_stopped(&r->in))
        return NULL;
    return p < end ? p + 1 : end;
}

/* What is after the number of an item. */
static bool gcf_read_item(gcf_reader *r, const char *at, const text_line *line)
{
    const char *end = line->end;
    gcf_head head;
    pith_slot slot;
    if (at < end && *at == '=') {
        bool fine = gcf_read_value(r, at + 1, end, &slot);
        return !read_stopped(&r->in) && gcf_add_slot(r, &slot) && fine;
    }
    if (at < end && *at == '[') {
        return gcf_read_head(r, at, end, GCF_MAY_LIST, NULL, &head) &&
               gcf_open_head(r, &head, line->depth + 1, false);
    }
    if (text_is(text_between(at, end), "{}")) {
        return read_open(&r->in, PITH_OBJECT, at) &&
               gcf_push_scope(r, GCF_OBJECT, line->depth + 1);
    }
    return read_bad(&r->in, at, "invalid_line",
                    "expected =value, {} or [N] after the number of an item");
}

static bool gcf_read_item_line(gcf_reader *r, gcf_scope *scope, const text_line *line)
{
    if (*line->at != '@') {
        return read_bad(&r->in, line->at, "invalid_line",
                        "expected an item: @%llu and =value, {} or [N]",
                        (unsigned long long)scope->count);
    }
    const gcf_count *wanted = &scope->wanted;
    if (!wanted->deferred && !wanted->unknown && scope->count >= wanted->value)
        return gcf_bad_surplus(r, scope, line->at);
    const char *at = gcf_read_id(r, line->at, line->end, scope->count++);
    return at && gcf_read_item(r, at, line);
}

/* ------------------------------------------------------------------------ root */

/* ## [N]... as the first line of the body */
static bool gcf_read_root_head(gcf_reader *r, const text_line *line)
{
    gcf_head head;
    r->root = GCF_ROOT_OTHER;
    if (gcf_read_head(r, line->at + 3, line->end, GCF_MAY_LIST | GCF_MAY_FIX, NULL,
                      &head))
        return gcf_open_head(r, &head, line->depth, true);
    r->stop = true; /* whatever follows belongs to it */
    return false;
}

static bool gcf_read_root(gcf_reader *r, const text_line *line)
{
    const char *at = line->at;
    pith_slot slot;
    if (r->root != GCF_ROOT_NONE) {
        read_bad(&r->in, at, "invalid_line",
                 "expected the end of the text after the value at its root");
        r->stop = true;
        return false;
    }
    if (line->depth > 0) {
        read_bad(&r->in, at, "invalid_indent",
                 "expected the first line of the body without indentation");
    }
    if (*at == '=') {
        r->root = GCF_ROOT_OTHER;
        bool fine = gcf_read_value(r, at + 1, line->end, &slot);
        return !read_stopped(&r->in) && gcf_add_slot(r, &slot) && fine;
    }
    if (gcf_is_section(line) && line->end - at > 3 && at[2] == ' ' && at[3] == '[')
        return gcf_read_root_head(r, line);
    r->root = GCF_ROOT_OBJECT;
    return read_open(&r->in, PITH_OBJECT, at) && gcf_push_scope(r, GCF_OBJECT, 0) &&
           gcf_read_member(r, line);
}

/* ----------------------------------------------------------------------- lines */

bool gcf_is_comment(const gcf_reader *r, const text_line *line)
{
    /* Spaces at the end of a line are not part of it, but they make it a comment. Tabs
     * in front are wrong there, too. */
    return !line->tabs && *line->at == '#' && r->end - line->at > 1 && line->at[1] == ' ';
}

static bool gcf_bad_indent(gcf_reader *r, const gcf_scope *scope, const text_line *line)
{
    return read_bad(&r->in, line->at, "invalid_indent",
                    "expected at most %zu spaces here, found %zu", scope->depth * 2,
                    (size_t)(line->at - line->start));
}

/* Finds out whose line it is, ends what it ends, and reads it. */
static bool gcf_place_line(gcf_reader *r, const text_line *line)
{
    while (r->scopes.count > 0 && !read_stopped(&r->in)) {
        gcf_scope *scope = gcf_top(r);
        bool ends = line->depth < scope->depth;
        if (line->depth > scope->depth) {
            bool child =
                scope->kind == GCF_TABLE && line->depth == scope->depth + 1 &&
                (scope->layout->row.open || (*line->at == '.' && scope->count > 0));
            return child ? gcf_read_child_line(r, scope, line)
                         : gcf_bad_indent(r, scope, line);
        }
        if (line->depth == scope->depth) {
            switch (scope->kind) {
            case GCF_OBJECT:
                return gcf_read_member(r, line);
            case GCF_ITEMS:
                ends = scope->shares && *line->at != '@';
                if (!ends)
                    return gcf_read_item_line(r, scope, line);
                break;
            case GCF_TABLE:
                ends = gcf_table_ends(r, scope, line);
                if (!ends)
                    return gcf_read_table_line(r, scope, line);
                break;
            }
        }
        if (!gcf_pop_scope(r))
            return false;
        if (r->scopes.count < r->around_row) {
            return read_bad(
                &r->in, line->at, "not_a_table",
                "expected nothing after the table: rows are handed out one "
                "by one only of a text that is one table; read this one whole");
        }
    }
    return !read_stopped(&r->in) && gcf_read_root(r, line);
}

bool gcf_pop_all(gcf_reader *r)
{
    while (!read_stopped(&r->in) && r->scopes.count > 0)
        gcf_pop_scope(r);
    return !read_stopped(&r->in);
}

static bool gcf_place_summary(gcf_reader *r, const text_line *line)
{
    if (r->root == GCF_ROOT_NONE) {
        r->root = GCF_ROOT_OBJECT;
        if (!read_open(&r->in, PITH_OBJECT, line->at) ||
            !gcf_push_scope(r, GCF_OBJECT, 0))
            return false;
    }
    return gcf_pop_all(r) && gcf_read_summary(r, line->at, line->end);
}

/* ----------------------------------------------------------------- whole texts */

/* Reports ill-formed UTF-8 up to `until`. */
bool gcf_check_utf8(gcf_reader *r, const char *until)
{
    if (read_stopped(&r->in))
        return false;
    r->stop = !ahead_until(&r->ahead, r->report, until);
    return !r->stop;
}

/* What the indentation is made of; false when the line cannot be placed. */
static bool gcf_check_indent(gcf_reader *r, const text_line *line)
{
    if (line->tabs) {
        return read_bad(&r->in, line->start, "tab_indentation",
                        "expected spaces only, found a tab in the indentation");
    }
    if (line->odd) {
        return read_bad(&r->in, line->at, "invalid_indent",
                        "expected two spaces for each level, found %zu",
                        (size_t)(line->at - line->start));
    }
    return true;
}

static bool gcf_is_skipped(gcf_reader *r, const text_line *line)
{
    if (line->depth >= r->skip_depth)
        return true;
    if (r->skip_rows && line->depth + 1 == r->skip_depth && !gcf_is_section(line))
        return true;
    r->skip_depth = GCF_NO_SKIP;
    r->skip_rows = false;
    return false;
}

void gcf_next_line(gcf_reader *r, text_line *line)
{
    if (!gcf_check_utf8(r, line->end) || gcf_is_comment(r, line))
        return;
    line->end = gcf_trim_end(line->at, line->end);
    if ((size_t)(line->end - line->at) > SLOT_TEXT_MOST) {
        report_problem(r->report, PITH_LIMIT, "too_large", read_at(&r->in, line->at),
                       "a line of 4 GiB or more");
        r->stop = true;
        return;
    }
    if (gcf_is_skipped(r, line) || !gcf_check_indent(r, line))
        return;
    bool fine;
    if (r->summary) {
        read_bad(&r->in, line->at, "invalid_line",
                 "expected the end of the text after the summary");
        r->stop = true;
        return;
    }
    if (line->depth == 0 && line->end - line->at > 2 && memcmp(line->at, "##!", 3) == 0)
        fine = gcf_place_summary(r, line);
    else
        fine = gcf_place_line(r, line);
    if (!fine && r->skip_depth == GCF_NO_SKIP)
        r->skip_depth = line->depth + 1;
    r->last_end = line->end;
}

static void gcf_read_lines(gcf_reader *r)
{
    text_line line;
    bool any = lines_next(&r->lines, &line);
    /* Nothing may be before the first line, be it empty. */
    bool first = any && line.number == 1 && line.at == line.start;
    const char *at = first ? line.at : r->lines.blank ? r->lines.blank : r->last_end;
    const char *end = first ? gcf_trim_end(at, line.end) : at;
    if (!gcf_check_utf8(r, end) || (!gcf_read_first_line(r, at, end) && r->stop))
        return;
    r->last_end = end;
    while (!read_stopped(&r->in) && lines_next(&r->lines, &line))
        gcf_next_line(r, &line);
    if (!gcf_check_utf8(r, r->end) || !gcf_pop_all(r))
        return;
    if (r->root == GCF_ROOT_NONE && read_open(&r->in, PITH_OBJECT, r->end))
        read_close(&r->in, "duplicate_key", "duplicate key");
}

void gcf_reader_place(gcf_reader *r, pith_text lines, const char *checked)
{
    r->tail = r->end - r->start > 16 ? r->end - 16 : r->start;
    ahead_init(&r->ahead, text_of(r->start, (size_t)(r->end - r->start)), checked);
    r->ahead.surrogates = true;
    r->last_end = lines.ptr;
    r->skip_depth = GCF_NO_SKIP;
    lines_init(&r->lines, lines, 2);
    r->lines.tabs_are_blank = true;
}

void gcf_decode(decode_job *job)
{
    gcf_decode_answer(job, NULL);
}

/* A change tells what is to become of rows; one that was cut off must not pass. */
static void gcf_check_whole(gcf_reader *r)
{
    if (r->answer && r->answer->delta && r->report->count == 0) {
        if (r->end == r->start || r->end[-1] != '\n') {
            read_bad(&r->in, r->end, "malformed_delta",
                     "expected a line feed at the end: the last line is cut off");
        } else if (r->deferred.count > 0 && !r->summary) {
            read_bad(&r->in, r->end, "malformed_delta",
                     "expected a summary: the number of rows was left open with [?]");
        }
    }
}

void gcf_decode_answer(decode_job *job, gcf_answer *answer)
{
    pith_doc *doc = job->doc;
    if (gcf_is_graph(job->input)) {
        gcf_graph_decode(job);
        return;
    }
    /* A line feed has a cell and its row, or a key's object and value, after it. Without
     * the room, reading will ask again and say so. */
    (void)doc_reserve_for(doc, job->input, "|,\n\n");
    gcf_reader r = {0};
    read_init(&r.in, doc, job->input, job->report);
    gcf_reader_place(&r, job->input, job->input.ptr);
    if (answer) {
        memset(answer, 0, sizeof *answer);
        r.answer = answer;
    }
    gcf_read_lines(&r);
    gcf_check_whole(&r);
    if (!read_stopped(&r.in) && job->report->count == 0) {
        doc->finished = true;
        report_last_comments(job->report);
    }
    if (answer)
        answer->key = r.identity;
    gcf_reader_free(&r);
}
