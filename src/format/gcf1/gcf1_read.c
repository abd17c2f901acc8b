/*
 * gcf1_read.c - GCF 1 to a document, in both of the layouts that were in use.
 *
 *     A  ## server             B    ## server         one level deeper than what it is
 *          host=0.0.0.0             host=0.0.0.0      in, and its members beside it
 *          ## tls                     ## tls
 *            cert=/x                  cert=/x
 *
 * The indentation of a header tells which it is: in A it stands among the members of
 * what it is in, in B one level deeper. Open objects, arrays and rows are scopes on a
 * stack of ours, each with an open container on the tape. A line ends every scope that
 * stands deeper than itself; a table also ends when its rows are all there, a list of
 * items at the first line that is no item, and an object of layout B at the next
 * header beside it.
 *
 * Little in this format can be misspelled: a count, a row's width or number, and what is
 * in quotes. Whatever is no header and has an equals sign is a member, whatever is no
 * number is a text. So there are few errors, and they do not hide each other.
 */
#include "format/gcf1/gcf1_read.h"

#include "base/utf8.h"
#include "doc/build.h"

#include <assert.h>

/* Adds a value whose quotes are right. */
static bool gcf1_add_value(gcf1_reader *r, const char *at, const char *end)
{
    pith_slot slot = {0};
    return gcf1_read_value(r, at, end, &slot) &&
           read_built(
               &r->in,
               build_text(r->doc, (pith_kind)slot.kind, slot.flags, slot.u.text, slot.n),
               at);
}

/* ------------------------------------------------------------------------- keys */

static pith_key gcf1_key(const gcf1_reader *r, pith_text name)
{
    uint8_t flags = build_text_flags(name.ptr, name.len);
    flags = (uint8_t)(flags | doc_near_end_flag(r->input, name.ptr));
    return (pith_key){name.ptr, (uint32_t)name.len, flags, 0};
}

static bool gcf1_add_key(gcf1_reader *r, pith_text name)
{
    pith_key key = gcf1_key(r, name);
    return read_built(&r->in, build_key(r->doc, key.flags, key.text, key.len), key.text);
}

typedef struct gcf1_pair {
    gcf1_reader *reader;
    const pith_key *keys;
} gcf1_pair;

static bool gcf1_equal_keys(void *ctx, uint32_t first, uint32_t later)
{
    assert(first < later);
    const gcf1_pair *pair = (const gcf1_pair *)ctx;
    const pith_key *key = &pair->keys[later];
    gcf1_reader *r = pair->reader;
    (void)first;
    return report_bad(r->report, "duplicate_key", read_at(&r->in, r->last_end),
                      "the object that ends here has the key \"%s\" twice",
                      error_quote(key->text, key->len).text);
}

static bool gcf1_close(gcf1_reader *r)
{
    assert(r->doc->open != SLOT_NONE);
    pith_doc *doc = r->doc;
    uint32_t count = doc->slots[doc->open].n;
    pith_key *keys = build_unchecked_keys(doc);
    gcf1_pair pair = {r, keys};
    if (keys && count > 1 &&
        !doc_find_equal_keys(doc, keys, count, gcf1_equal_keys, &pair))
        return read_failed(&r->in);
    return !read_stopped(&r->in) && read_built(&r->in, build_close(doc), r->input.ptr);
}

/* ----------------------------------------------------------------------- scopes */

static gcf1_scope *gcf1_top(gcf1_reader *r)
{
    assert(r->scopes.count > 0);
    return &r->scopes.at[r->scopes.count - 1];
}

static gcf1_scope *gcf1_push_scope(gcf1_reader *r, gcf1_scope_kind kind, size_t depth)
{
    gcf1_scope *scope = LIST_ADD(&r->scopes, &r->doc->alloc);
    if (!scope) {
        read_failed(&r->in);
        return NULL;
    }
    gcf1_scope begun = {0};
    if (r->scopes.count <= r->used) {
        begun.fields = scope->fields;
        begun.fields.count = 0;
    } else {
        r->used = r->scopes.count;
    }
    begun.kind = kind;
    begun.depth = depth;
    begun.line = r->lines.number;
    *scope = begun;
    return scope;
}

static void gcf1_check_count(gcf1_reader *r, const gcf1_scope *scope)
{
    bool counted = scope->kind == GCF1_LIST || scope->kind == GCF1_ROWS;
    if (counted && !scope->open_count && !r->lax && scope->count != scope->wanted) {
        const char *what = scope->kind == GCF1_ROWS ? "rows" : "items";
        report_bad(r->report, "count_mismatch", read_at(&r->in, r->last_end),
                   "%llu %s declared in line %zu, found %llu",
                   (unsigned long long)scope->wanted, what, scope->line,
                   (unsigned long long)scope->count);
    }
}

static bool gcf1_pop(gcf1_reader *r)
{
    gcf1_scope *scope = gcf1_top(r);
    gcf1_check_count(r, scope);
    if (scope->pending &&
        !read_built(&r->in, build_open(r->doc, PITH_OBJECT), r->last_end)) {
        r->scopes.count--;
        return false;
    }
    r->scopes.count--;
    return !read_stopped(&r->in) && gcf1_close(r);
}

static bool gcf1_open_object(gcf1_reader *r, const char *at, size_t depth, bool beside)
{
    if (!read_built(&r->in, build_open(r->doc, PITH_OBJECT), at))
        return false;
    gcf1_scope *scope = gcf1_push_scope(r, GCF1_OBJECT, depth);
    if (scope)
        scope->beside = beside;
    return scope != NULL;
}

/* ---------------------------------------------------------------------- headers */

/* {a,b}: names as they are, but for blanks around them. */
static bool gcf1_read_fields(gcf1_reader *r, gcf1_scope *scope, pith_text fields)
{
    uint16_t shape = SHAPE_EMPTY;
    bool more = true;
    while (more) {
        pith_text rest = fields;
        pith_text name = text_split(&rest, ',');
        more = name.len < fields.len;
        name = gcf1_trim(name.ptr, name.ptr + name.len);
        fields = rest;
        pith_key *added = LIST_ADD(&scope->fields, &r->doc->alloc);
        if (!added)
            return read_failed(&r->in);
        *added = gcf1_key(r, name);
        if (shape != SHAPE_NONE) {
            shape = shapes_step(&r->doc->shapes, shape, name.ptr, name.len, added->flags);
            shape = shape == SHAPE_DUPLICATE ? (uint16_t)SHAPE_NONE : shape;
        }
    }
    /* The list of keys is made when the first row closes. */
    scope->shape = shape;
    return true;
}

/* name[N]: a,b with its name, or without one when there is no key. */
static bool gcf1_read_values(gcf1_reader *r, const gcf1_head *head, bool keyed)
{
    const char *at = head->rest.ptr;
    const char *end = at + head->rest.len;
    size_t count = 0;
    if (head->rest.len > 0 || head->count == 1) {
        count = gcf1_count_cells(r, at, end, ',');
        if (count == 0)
            return false;
    }
    if ((keyed && !gcf1_add_key(r, head->name)) ||
        !read_built(&r->in, build_open(r->doc, PITH_ARRAY), at))
        return false;
    for (size_t i = 0; i < count; i++) {
        const char *stop = gcf1_cell_end(r, at, end, ',');
        if (!gcf1_add_value(r, at, stop))
            return false;
        at = stop < end ? stop + 1 : end;
    }
    if (!head->open_count && !r->lax && count != head->count) {
        report_bad(r->report, "count_mismatch", read_at(&r->in, end),
                   "%llu values declared, found %llu", (unsigned long long)head->count,
                   (unsigned long long)count);
    }
    return !read_stopped(&r->in) && read_built(&r->in, build_close(r->doc), end);
}

/* The array of a header; its lines stand at `depth`. */
static bool gcf1_open_array(gcf1_reader *r, const gcf1_head *head, const text_line *line)
{
    if (head->values)
        return gcf1_read_values(r, head, false);
    if (!read_built(&r->in, build_open(r->doc, PITH_ARRAY), line->at))
        return false;
    gcf1_scope *scope =
        gcf1_push_scope(r, head->fields_given ? GCF1_ROWS : GCF1_LIST, line->depth);
    if (!scope)
        return false;
    scope->wanted = head->count;
    scope->open_count = head->open_count;
    return !head->fields_given || gcf1_read_fields(r, scope, head->fields);
}

/* ------------------------------------------------------------------------ lines */

/* Whether the line is the first one of a graph, which is another profile of GCF 1. */
static bool gcf1_is_graph(gcf1_reader *r, const text_line *line)
{
    pith_text text = text_of(line->at, (size_t)(line->end - line->at));
    if (text.len < 5 || !text_begins(text, "GCF "))
        return false;
    report_bad(r->report, "graph_header", read_at(&r->in, line->at),
               "expected name=value or ## name, found the first line of a graph; read "
               "such a text as gcf1-graph");
    return true;
}

/* name=value */
static bool gcf1_read_pair(gcf1_reader *r, const text_line *line)
{
    size_t len = (size_t)(line->end - line->at);
    const char *equals = (const char *)memchr(line->at, '=', len);
    if (!equals) {
        return report_expected(r->report, "invalid_line", text_of(line->at, len),
                               "name=value, ## name or name[N]: values");
    }
    return !gcf1_is_graph(r, line) && gcf1_check_value(r, equals + 1, line->end) &&
           gcf1_add_key(r, gcf1_trim(line->at, equals)) &&
           gcf1_add_value(r, equals + 1, line->end);
}

/* A member: ## name, ## name [N], name[N]: values, .name, name=value. `beside` says that
 * the line stands one level deeper than members do. */
static bool gcf1_read_member(gcf1_reader *r, const text_line *line, bool beside)
{
    gcf1_head head = {0};
    if (gcf1_is_header(line)) {
        pith_text rest = gcf1_after(line, 3);
        if (gcf1_find_count(rest, true, &head) && !head.values)
            return gcf1_add_key(r, head.name) && gcf1_open_array(r, &head, line);
        return gcf1_add_key(r, rest) &&
               gcf1_open_object(r, line->at, line->depth + (beside ? 0 : 1), beside);
    }
    return gcf1_is_inline_array(line, &head) ? gcf1_read_values(r, &head, true)
                                             : gcf1_read_pair(r, line);
}

/* .name below a row */
static bool gcf1_read_dotted(gcf1_reader *r, const text_line *line)
{
    if (!gcf1_add_key(r, gcf1_after(line, 1)) ||
        !gcf1_open_object(r, line->at, line->depth + 1, false))
        return false;
    gcf1_top(r)->dotted = true;
    return true;
}

/* Goes after the number of an item or row; NULL when it is another, which is then
 * reported. */
static const char *gcf1_after_id(gcf1_reader *r, const text_line *line, uint64_t wanted)
{
    pith_text id = gcf1_find_id(line);
    if (id.len == 0 || !gcf1_is_id(id, wanted)) {
        report_bad(r->report, "invalid_item_id", read_at(&r->in, line->at),
                   "expected '@%llu', found '%s'", (unsigned long long)wanted,
                   error_quote(line->at, (size_t)(line->end - line->at)).text);
        return NULL;
    }
    return id.ptr + id.len;
}

static bool gcf1_read_item(gcf1_reader *r, gcf1_scope *list, const text_line *line)
{
    assert(list->kind == GCF1_LIST);
    const char *at = gcf1_after_id(r, line, list->count);
    if (!at)
        return false;
    list->count++;
    if (at < line->end)
        return gcf1_check_value(r, at, line->end) && gcf1_add_value(r, at, line->end);
    gcf1_scope *item = gcf1_push_scope(r, GCF1_ITEM, line->depth + 1);
    if (item)
        item->pending = true;
    return item != NULL;
}

static bool gcf1_open_row(gcf1_reader *r, const gcf1_scope *table, const char *at)
{
    if (table->shape != SHAPE_NONE) {
        return read_built(&r->in, build_open_shaped(r->doc, PITH_OBJECT, table->shape),
                          at);
    }
    bool fine = read_built(&r->in, build_open(r->doc, PITH_OBJECT), at);
    for (size_t i = 0; fine && i < table->fields.count; i++) {
        const pith_key *key = &table->fields.at[i];
        fine = read_built(&r->in, build_key(r->doc, key->flags, key->text, key->len), at);
    }
    return fine;
}

static bool gcf1_bad_width(gcf1_reader *r, const gcf1_scope *table, const char *at,
                           size_t found)
{
    report_bad(r->report, "row_width_mismatch", read_at(&r->in, at),
               "expected %zu cells, found %zu", table->fields.count, found);
    return false;
}

/* A row, after its number if it has one. A number that is not that of the row is never
 * data: a string that looks like one is in quotes. */
static bool gcf1_read_row(gcf1_reader *r, gcf1_scope *table, const text_line *line)
{
    assert(table->kind == GCF1_ROWS);
    bool numbered = gcf1_find_id(line).len > 0;
    const char *at = numbered ? gcf1_after_id(r, line, table->count) : line->at;
    size_t cells = at ? gcf1_count_cells(r, at, line->end, '|') : 0;
    size_t depth = table->depth;
    table->count++;
    if (cells != table->fields.count)
        return cells > 0 && gcf1_bad_width(r, table, at, cells);
    if (!gcf1_open_row(r, table, at))
        return false;
    for (size_t i = 0; i < cells; i++) {
        const char *stop = gcf1_cell_end(r, at, line->end, '|');
        if (!gcf1_add_value(r, at, stop))
            return false;
        at = stop + 1;
    }
    gcf1_scope *row = gcf1_push_scope(r, GCF1_ROW, depth + 1);
    if (row)
        row->numbered = numbered;
    return row != NULL;
}

/* A line of an item that has none yet: an array of its own, or a member. */
static bool gcf1_start_item(gcf1_reader *r, gcf1_scope *item, const text_line *line,
                            bool beside)
{
    assert(item->kind == GCF1_ITEM && item->pending);
    gcf1_head head = {0};
    item->pending = false;
    if (gcf1_is_header(line) && gcf1_find_count(gcf1_after(line, 3), true, &head) &&
        head.name.len == 0) {
        r->scopes.count--; /* the array takes its place */
        return gcf1_open_array(r, &head, line);
    }
    return read_built(&r->in, build_open(r->doc, PITH_OBJECT), line->at) &&
           gcf1_read_member(r, line, beside);
}

/* A line at the depth of the innermost scope, which it does not end. */
static bool gcf1_take_line(gcf1_reader *r, gcf1_scope *scope, const text_line *line,
                           bool beside)
{
    switch (scope->kind) {
    case GCF1_LIST:
        return gcf1_read_item(r, scope, line);
    case GCF1_ROWS:
        return gcf1_read_row(r, scope, line);
    case GCF1_ROW:
        /* Below a row a header without a count is of layout B. */
        return gcf1_is_dotted(line) ? gcf1_read_dotted(r, line)
                                    : gcf1_read_member(r, line, true);
    case GCF1_ITEM:
        if (scope->pending)
            return gcf1_start_item(r, scope, line, beside);
        break;
    case GCF1_OBJECT:
        if (scope->dotted && gcf1_is_dotted(line))
            return gcf1_read_dotted(r, line);
        break;
    }
    return gcf1_read_member(r, line, beside);
}

bool gcf1_ends(const gcf1_scope *scope, const text_line *line)
{
    switch (scope->kind) {
    case GCF1_LIST:
        return *line->at != '@' || (!scope->open_count && scope->count >= scope->wanted);
    case GCF1_ROWS:
        return gcf1_is_header(line) ||
               (!scope->open_count && scope->count >= scope->wanted);
    case GCF1_OBJECT:
        return scope->beside &&
               ((gcf1_is_header(line) && !gcf1_has_count(line)) || gcf1_is_dotted(line));
    default:
        return false;
    }
}

static bool gcf1_place_line(gcf1_reader *r, const text_line *line)
{
    while (r->scopes.count > 0) {
        gcf1_scope *scope = gcf1_top(r);
        bool holds = scope->kind == GCF1_OBJECT || scope->kind == GCF1_ITEM ||
                     scope->kind == GCF1_ROW;
        bool beside = holds && line->depth == scope->depth + 1 && gcf1_is_header(line) &&
                      !gcf1_has_count(line);
        if (beside || (line->depth == scope->depth && !gcf1_ends(scope, line)))
            return gcf1_take_line(r, scope, line, beside);
        if (line->depth < scope->depth && gcf1_lost_indent(r, line)) {
            text_line indented = *line;
            indented.depth = scope->depth;
            return gcf1_take_line(r, scope, &indented, false);
        }
        if (line->depth > scope->depth) {
            report_bad(r->report, "invalid_indent", read_at(&r->in, line->at),
                       "expected at most %zu spaces here, found %zu", scope->depth * 2,
                       (size_t)(line->at - line->start));
            return false;
        }
        if (r->scopes.count == 1)
            break;
        if (!gcf1_pop(r))
            return false;
    }
    report_bad(r->report, "invalid_line", read_at(&r->in, line->at),
               "expected the end of the text after the array at its root");
    r->stop = true;
    return false;
}

/* ------------------------------------------------------------------------- root */

/* Whether a line could be one of an object. */
static bool gcf1_is_member(const text_line *line)
{
    gcf1_head head = {0};
    size_t len = (size_t)(line->end - line->at);
    return gcf1_is_header(line) || memchr(line->at, '=', len) ||
           (gcf1_is_inline_array(line, &head) && head.name.len > 0);
}

/* The first line tells what the root is. */
static bool gcf1_read_root(gcf1_reader *r, const text_line *line)
{
    gcf1_head head = {0};
    pith_text rest = gcf1_is_header(line) ? gcf1_after(line, 3) : text_of(NULL, 0);
    if (gcf1_is_graph(r, line)) {
        r->stop = true;
        return false;
    }
    if (rest.len > 0 && *rest.ptr == '[' && gcf1_find_count(rest, true, &head) &&
        head.name.len == 0)
        return gcf1_open_array(r, &head, line);
    if (gcf1_is_quoted(line->at, line->end) || !gcf1_is_member(line)) {
        return gcf1_check_value(r, line->at, line->end) &&
               gcf1_add_value(r, line->at, line->end);
    }
    return gcf1_open_object(r, line->at, 0, false) && gcf1_place_line(r, line);
}

static bool gcf1_is_skipped(const text_line *line)
{
    pith_text text = text_of(line->at, (size_t)(line->end - line->at));
    return *text.ptr == '#' &&
           (text_is(text, "#") || text_begins(text, "# ") ||
            text_is(text, "## _summary") || text_begins(text, "## _summary "));
}

static bool gcf1_check_line(gcf1_reader *r, const text_line *line)
{
    if (line->tabs || line->odd) {
        report_bad(r->report, line->tabs ? "tab_indentation" : "invalid_indent",
                   read_at(&r->in, line->start), "expected two spaces for each level%s",
                   line->tabs ? ", found a tab" : "");
        return false;
    }
    if ((size_t)(line->end - line->at) > SLOT_TEXT_MOST) {
        report_problem(r->report, PITH_LIMIT, "too_large", read_at(&r->in, line->at),
                       "a line of 4 GiB or more");
        r->stop = true;
        return false;
    }
    return true;
}

static void gcf1_read_lines(gcf1_reader *r)
{
    text_line line;
    bool started = false;
    while (!read_stopped(&r->in) && lines_next(&r->lines, &line)) {
        if (!report_goes_on(r->report, read_at(&r->in, line.at)))
            return;
        if (!gcf1_check_line(r, &line) || gcf1_is_skipped(&line))
            continue;
        if (started)
            gcf1_place_line(r, &line);
        else
            gcf1_read_root(r, &line);
        started = true;
        r->last_end = line.end;
    }
    if (!started && !read_stopped(&r->in))
        gcf1_open_object(r, r->last_end, 0, false);
    while (!read_stopped(&r->in) && r->scopes.count > 0)
        gcf1_pop(r);
}

void gcf1_decode(decode_job *job)
{
    gcf1_reader r = {0};
    size_t bom = utf8_bom(job->input.ptr, job->input.len);
    pith_text text = text_of(job->input.ptr + bom, job->input.len - bom);
    read_init(&r.in, job->doc, job->input, job->report);
    r.input = job->input;
    r.last_end = text.ptr;
    r.lax = settings_number(job->set, GCF1_COUNTS) == GCF1_COUNTS_LAX;
    size_t bad = utf8_find_invalid(text.ptr, text.len);
    if (bad < text.len) {
        report_bad(r.report, "invalid_utf8", bom + bad,
                   "byte 0x%02X is not well-formed UTF-8 here",
                   (unsigned char)text.ptr[bad]);
        return;
    }
    lines_init(&r.lines, text, 2);
    r.lines.tabs_are_blank = true;
    gcf1_read_lines(&r);
    for (size_t i = 0; i < r.used; i++)
        LIST_FREE(&r.scopes.at[i].fields, &r.doc->alloc);
    LIST_FREE(&r.scopes, &r.doc->alloc);
    if (job->report->count == 0) {
        gcf1_tell_lost_indent(&r);
        doc_mark_near_end(job->doc, job->input, 0);
        job->doc->finished = true;
    }
}
