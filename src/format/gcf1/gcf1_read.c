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
 * Nothing in this format can be misspelled but a count, a row's width and the end of a
 * quote: whatever is no header and has an equals sign is a member, whatever is no
 * number is a text. So there are few errors, and they do not hide each other.
 */
#include "format/gcf1/gcf1.h"

#include "base/lines.h"
#include "base/utf8.h"
#include "doc/build.h"

typedef enum gcf1_scope_kind {
    GCF1_OBJECT,
    GCF1_ITEM, /* @0 without a value: an object, unless an array follows */
    GCF1_LIST,
    GCF1_ROWS,
    GCF1_ROW
} gcf1_scope_kind;

typedef struct gcf1_scope {
    gcf1_scope_kind kind;
    bool beside;  /* an object of layout B */
    bool pending; /* an ITEM whose container is not open yet */
    size_t depth; /* of its lines */
    size_t line;  /* of its header */
    uint64_t count;
    uint64_t wanted;
    bool open_count; /* [?] */
    pith_key *fields;
    size_t field_count, field_cap;
    uint16_t shape;
} gcf1_scope;

typedef struct gcf1_reader {
    pith_doc *doc;
    reporter *report;
    pith_text input;
    bool lax;
    bool stop;
    gcf1_scope *scopes;
    size_t count, cap;
    size_t used; /* scopes that have been open; their lists of fields are kept */
    line_reader lines;
    const char *last_end;
} gcf1_reader;

/* [N] as a header has it. */
typedef struct gcf1_head {
    pith_text name;
    bool counted;
    bool fields_given;
    bool values; /* [N]: v,v */
    bool open_count;
    uint64_t count;
    pith_text fields;
    pith_text rest;
} gcf1_head;

static size_t gcf1_at(const gcf1_reader *r, const char *at)
{
    return (size_t)(at - r->input.ptr);
}

static bool gcf1_stopped(const gcf1_reader *r)
{
    return r->stop || r->report->stopped;
}

static bool gcf1_no_memory(gcf1_reader *r)
{
    report_no_memory(r->report);
    r->stop = true;
    return false;
}

static bool gcf1_built(gcf1_reader *r, build_result result, const char *at)
{
    if (!build_reported(r->doc, result, r->report, gcf1_at(r, at))) {
        r->stop = true;
        return false;
    }
    return true;
}

/* ----------------------------------------------------------------------- values */

/* Behind the quoted text at `at`, if it ends before `end`; else NULL. */
static const char *gcf1_skip_quoted(const char *at, const char *end)
{
    for (at++; at < end; at++) {
        if (*at == '\\' && at + 1 < end) {
            at++;
        } else if (*at == '"') {
            return at + 1;
        }
    }
    return NULL;
}

/* The text between quotes; its escapes are those of quote, backslash and line feed. */
static bool gcf1_unquote(gcf1_reader *r, const char *at, const char *end, pith_slot *slot)
{
    size_t len = (size_t)(end - at);
    if (len == 0 || !memchr(at, '\\', len)) {
        slot_set(slot, PITH_STRING, build_text_flags(at, len), at, len);
        return true;
    }
    char *text = arena_take(&r->doc->arena, len);
    if (!text) {
        return gcf1_no_memory(r);
    }
    char *to = text;
    while (at < end) {
        if (*at == '\\' && at + 1 < end) {
            at++;
            *to++ = *at == 'n' ? '\n' : *at;
        } else {
            *to++ = *at;
        }
        at++;
    }
    size_t kept = (size_t)(to - text);
    arena_trim(&r->doc->arena, text, kept);
    slot_set(slot, PITH_STRING, build_text_flags(text, kept), text, kept);
    return true;
}

static bool gcf1_read_value(gcf1_reader *r, const char *at, const char *end,
                            pith_slot *slot)
{
    static const char words[3][16] = {"null", "false", "true"};
    pith_text text = text_of(at, (size_t)(end - at));
    if (text_is(text, "-") || text_is(text, "true") || text_is(text, "false")) {
        unsigned which = *at == '-' ? 0 : *at == 'f' ? 1 : 2;
        slot_set(slot, (pith_kind)(PITH_NULL + which), 0, words[which],
                 strlen(words[which]));
        return true;
    }
    if (text.len > 1 && *at == '"' && gcf1_skip_quoted(at, end) == end) {
        return gcf1_unquote(r, at + 1, end - 1, slot);
    }
    /* 007 is no number anywhere else, so it is none here. */
    size_t sign = text.len > 0 && *at == '-' ? 1 : 0;
    bool zero = text.len > sign + 1 && at[sign] == '0' && at[sign + 1] != '.';
    if (gcf1_is_plain(text) && !zero) {
        bool point = memchr(at, '.', text.len) != NULL;
        slot_set(slot, point ? PITH_DECIMAL : PITH_INTEGER,
                 build_number_flags(at, text.len), at, text.len);
        return true;
    }
    slot_set(slot, PITH_STRING, build_text_flags(at, text.len), at, text.len);
    return true;
}

static bool gcf1_add(gcf1_reader *r, const pith_slot *slot, const char *at)
{
    return gcf1_built(
        r, build_text(r->doc, (pith_kind)slot->kind, slot->flags, slot->u.text, slot->n),
        at);
}

/* Where the cell at `at` ends: before `between`, unless that is inside quotes. */
static const char *gcf1_cell_end(const char *at, const char *end, char between)
{
    if (at < end && *at == '"') {
        const char *behind = gcf1_skip_quoted(at, end);
        if (behind && (behind == end || *behind == between)) {
            return behind;
        }
    }
    const char *hit =
        at < end ? (const char *)memchr(at, between, (size_t)(end - at)) : NULL;
    return hit ? hit : end;
}

/* ------------------------------------------------------------------------- keys */

static bool gcf1_add_key(gcf1_reader *r, pith_text name)
{
    uint8_t flags = build_text_flags(name.ptr, name.len);
    flags = (uint8_t)(flags | doc_tail_flag(r->input, name.ptr));
    return gcf1_built(r, build_key(r->doc, flags, name.ptr, name.len), name.ptr);
}

typedef struct gcf1_pair {
    gcf1_reader *reader;
    const pith_key *keys;
} gcf1_pair;

static bool gcf1_equal_keys(void *ctx, uint32_t first, uint32_t later)
{
    const gcf1_pair *pair = (const gcf1_pair *)ctx;
    const pith_key *key = &pair->keys[later];
    gcf1_reader *r = pair->reader;
    (void)first;
    return report_bad(r->report, "duplicate_key", gcf1_at(r, r->last_end),
                      "the object that ends here has the key \"%s\" twice",
                      error_quote(key->text, key->len).text);
}

static bool gcf1_close(gcf1_reader *r)
{
    pith_doc *doc = r->doc;
    uint32_t count = doc->slots[doc->open].n;
    pith_key *keys = build_unchecked_keys(doc);
    gcf1_pair pair = {r, keys};
    if (keys && count > 1 &&
        !doc_find_equal_keys(doc, keys, count, gcf1_equal_keys, &pair)) {
        return gcf1_no_memory(r);
    }
    return !gcf1_stopped(r) && gcf1_built(r, build_close(doc), r->input.ptr);
}

/* ----------------------------------------------------------------------- scopes */

static gcf1_scope *gcf1_top(gcf1_reader *r)
{
    return &r->scopes[r->count - 1];
}

static gcf1_scope *gcf1_push_scope(gcf1_reader *r, gcf1_scope_kind kind, size_t depth)
{
    void *scopes = r->scopes;
    if (!alloc_grow(&r->doc->alloc, &scopes, &r->cap, r->count + 1, sizeof *r->scopes)) {
        gcf1_no_memory(r);
        return NULL;
    }
    r->scopes = (gcf1_scope *)scopes;
    gcf1_scope *scope = &r->scopes[r->count];
    pith_key *fields = r->count < r->used ? scope->fields : NULL;
    size_t field_cap = r->count < r->used ? scope->field_cap : 0;
    r->count++;
    r->used = r->used < r->count ? r->count : r->used;
    memset(scope, 0, sizeof *scope);
    scope->fields = fields;
    scope->field_cap = field_cap;
    scope->kind = kind;
    scope->depth = depth;
    scope->line = r->lines.number;
    return scope;
}

static void gcf1_check_count(gcf1_reader *r, const gcf1_scope *scope)
{
    bool counted = scope->kind == GCF1_LIST || scope->kind == GCF1_ROWS;
    if (counted && !scope->open_count && !r->lax && scope->count != scope->wanted) {
        const char *what = scope->kind == GCF1_ROWS ? "rows" : "items";
        report_bad(r->report, "count_mismatch", gcf1_at(r, r->last_end),
                   "%llu %s declared in line %zu, found %llu",
                   (unsigned long long)scope->wanted, what, scope->line,
                   (unsigned long long)scope->count);
    }
}

static bool gcf1_pop(gcf1_reader *r)
{
    gcf1_scope *scope = gcf1_top(r);
    gcf1_check_count(r, scope);
    if (scope->pending && !gcf1_built(r, build_open(r->doc, PITH_OBJECT), r->last_end)) {
        r->count--;
        return false;
    }
    r->count--;
    return !gcf1_stopped(r) && gcf1_close(r);
}

static bool gcf1_open_object(gcf1_reader *r, const char *at, size_t depth, bool beside)
{
    if (!gcf1_built(r, build_open(r->doc, PITH_OBJECT), at)) {
        return false;
    }
    gcf1_scope *scope = gcf1_push_scope(r, GCF1_OBJECT, depth);
    if (scope) {
        scope->beside = beside;
    }
    return scope != NULL;
}

/* ---------------------------------------------------------------------- headers */

/* Finds [N] or [?] in `text`, with a space before it or at its start, and {fields} or a
 * colon or nothing behind it. */
static bool gcf1_find_count(pith_text text, bool spaced, gcf1_head *head)
{
    const char *end = text.ptr + text.len;
    for (const char *at = text.ptr; at < end; at++) {
        at = (const char *)memchr(at, '[', (size_t)(end - at));
        if (!at) {
            return false;
        }
        const char *digits = at + 1;
        const char *p = scan_digits(digits, end);
        head->open_count = p == digits && p < end && *p == '?';
        p += head->open_count ? 1 : 0;
        if (p == digits || p == end || *p != ']' || p - digits > 19 ||
            (spaced && at > text.ptr && at[-1] != ' ')) {
            continue;
        }
        p++;
        head->values = p < end && *p == ':' && (p + 1 == end || p[1] == ' ');
        head->fields_given = p < end && *p == '{' && end[-1] == '}';
        if (p != end && !head->values && !head->fields_given) {
            continue;
        }
        head->count = 0;
        for (const char *d = digits; !head->open_count && d < p - 1; d++) {
            head->count = head->count * 10 + (uint64_t)(*d - '0');
        }
        size_t name = (size_t)(at - text.ptr);
        head->name = text_of(text.ptr, spaced && name > 0 ? name - 1 : name);
        head->counted = true;
        head->fields =
            head->fields_given ? text_of(p + 1, (size_t)(end - p) - 2) : text_of(end, 0);
        const char *rest = p + 1 < end ? p + 2 : end;
        head->rest = head->values ? text_of(rest, (size_t)(end - rest)) : text_of(end, 0);
        return true;
    }
    return false;
}

/* {a,b}: names as they are. */
static bool gcf1_read_fields(gcf1_reader *r, gcf1_scope *scope, pith_text fields)
{
    uint16_t shape = SHAPE_EMPTY;
    bool more = true;
    while (more) {
        pith_text rest = fields;
        pith_text name = text_split(&rest, ',');
        more = name.len < fields.len;
        fields = rest;
        void *list = scope->fields;
        if (!alloc_grow(&r->doc->alloc, &list, &scope->field_cap, scope->field_count + 1,
                        sizeof *scope->fields)) {
            return gcf1_no_memory(r);
        }
        scope->fields = (pith_key *)list;
        uint8_t flags = build_text_flags(name.ptr, name.len);
        flags = (uint8_t)(flags | doc_tail_flag(r->input, name.ptr));
        pith_key key = {name.ptr, (uint32_t)name.len, flags, 0};
        scope->fields[scope->field_count++] = key;
        if (shape != SHAPE_NONE) {
            shape = shapes_step(&r->doc->shapes, shape, name.ptr, name.len, flags);
            shape = shape == SHAPE_DUPLICATE ? (uint16_t)SHAPE_NONE : shape;
        }
    }
    /* The list of keys is made when the first row closes. */
    scope->shape = shape;
    return true;
}

static bool gcf1_read_values(gcf1_reader *r, const gcf1_head *head)
{
    const char *at = head->rest.ptr;
    const char *end = at + head->rest.len;
    uint64_t count = 0;
    pith_slot slot;
    if (!gcf1_built(r, build_open(r->doc, PITH_ARRAY), at)) {
        return false;
    }
    bool more = head->rest.len > 0 || head->count == 1;
    while (more) {
        const char *stop = gcf1_cell_end(at, end, ',');
        if (!gcf1_read_value(r, at, stop, &slot) || !gcf1_add(r, &slot, at)) {
            return false;
        }
        count++;
        more = stop < end;
        at = more ? stop + 1 : end;
    }
    if (!head->open_count && !r->lax && count != head->count) {
        report_bad(r->report, "count_mismatch", gcf1_at(r, end),
                   "%llu values declared, found %llu", (unsigned long long)head->count,
                   (unsigned long long)count);
    }
    return !gcf1_stopped(r) && gcf1_built(r, build_close(r->doc), end);
}

/* The array of a header; its lines stand at `depth`. */
static bool gcf1_open_array(gcf1_reader *r, const gcf1_head *head, const text_line *line)
{
    if (head->values) {
        return gcf1_read_values(r, head);
    }
    if (!gcf1_built(r, build_open(r->doc, PITH_ARRAY), line->at)) {
        return false;
    }
    gcf1_scope *scope =
        gcf1_push_scope(r, head->fields_given ? GCF1_ROWS : GCF1_LIST, line->depth);
    if (!scope) {
        return false;
    }
    scope->wanted = head->count;
    scope->open_count = head->open_count;
    return !head->fields_given || gcf1_read_fields(r, scope, head->fields);
}

/* ------------------------------------------------------------------------ lines */

static bool gcf1_is_header(const text_line *line)
{
    return line->end - line->at >= 3 && memcmp(line->at, "## ", 3) == 0;
}

static pith_text gcf1_behind(const text_line *line, size_t skip)
{
    return text_of(line->at + skip, (size_t)(line->end - line->at) - skip);
}

/* `@7` and a space or the end of the line: what is behind it; NULL otherwise. */
static const char *gcf1_behind_id(const text_line *line, uint64_t wanted)
{
    char id[24];
    size_t len = 1;
    uint64_t left = wanted;
    char digits[20];
    size_t count = 0;
    do {
        digits[count++] = (char)('0' + left % 10);
        left /= 10;
    } while (left > 0);
    id[0] = '@';
    while (count > 0) {
        id[len++] = digits[--count];
    }
    size_t room = (size_t)(line->end - line->at);
    if (room < len || memcmp(line->at, id, len) != 0 ||
        (room > len && line->at[len] != ' ')) {
        return NULL;
    }
    return line->at + len + (room > len ? 1 : 0);
}

/* A member: ## name, ## name [N], name[N]: values, .name, name=value. `beside` says that
 * the line stands one level deeper than members do. */
static bool gcf1_read_member(gcf1_reader *r, const text_line *line, bool beside)
{
    gcf1_head head;
    pith_slot slot;
    memset(&head, 0, sizeof head);
    if (gcf1_is_header(line)) {
        pith_text rest = gcf1_behind(line, 3);
        if (gcf1_find_count(rest, true, &head) && !head.values) {
            return gcf1_add_key(r, head.name) && gcf1_open_array(r, &head, line);
        }
        return gcf1_add_key(r, rest) &&
               gcf1_open_object(r, line->at, line->depth + (beside ? 0 : 1), beside);
    }
    pith_text whole = gcf1_behind(line, 0);
    const char *equals = (const char *)memchr(whole.ptr, '=', whole.len);
    bool inline_array = gcf1_find_count(whole, false, &head) && head.values &&
                        (!equals || equals > head.name.ptr + head.name.len);
    if (inline_array) {
        return gcf1_add_key(r, head.name) && gcf1_read_values(r, &head);
    }
    if (!equals) {
        report_bad(r->report, "invalid_line", gcf1_at(r, line->at),
                   "expected name=value, ## name or name[N]: values, found '%s'",
                   error_quote(whole.ptr, whole.len).text);
        return false;
    }
    pith_text name = text_of(line->at, (size_t)(equals - line->at));
    return gcf1_add_key(r, name) && gcf1_read_value(r, equals + 1, line->end, &slot) &&
           gcf1_add(r, &slot, equals);
}

static bool gcf1_read_item(gcf1_reader *r, gcf1_scope *list, const text_line *line)
{
    const char *at = gcf1_behind_id(line, list->count);
    pith_slot slot;
    if (!at) {
        report_bad(r->report, "invalid_item_id", gcf1_at(r, line->at),
                   "expected '@%llu', found '%s'", (unsigned long long)list->count,
                   error_quote(line->at, (size_t)(line->end - line->at)).text);
        return false;
    }
    list->count++;
    if (at < line->end) {
        return gcf1_read_value(r, at, line->end, &slot) && gcf1_add(r, &slot, at);
    }
    gcf1_scope *item = gcf1_push_scope(r, GCF1_ITEM, line->depth + 1);
    if (item) {
        item->pending = true;
    }
    return item != NULL;
}

static bool gcf1_open_row(gcf1_reader *r, const gcf1_scope *table, const char *at)
{
    if (table->shape != SHAPE_NONE) {
        return gcf1_built(r, build_open_shaped(r->doc, PITH_OBJECT, table->shape), at);
    }
    bool fine = gcf1_built(r, build_open(r->doc, PITH_OBJECT), at);
    for (size_t i = 0; fine && i < table->field_count; i++) {
        const pith_key *key = &table->fields[i];
        fine = gcf1_built(r, build_key(r->doc, key->flags, key->text, key->len), at);
    }
    return fine;
}

static bool gcf1_bad_width(gcf1_reader *r, const gcf1_scope *table, const char *at,
                           size_t found)
{
    report_bad(r->report, "row_width_mismatch", gcf1_at(r, at),
               "expected %zu cells, found %zu", table->field_count, found);
    return false;
}

static bool gcf1_read_row(gcf1_reader *r, gcf1_scope *table, const text_line *line)
{
    const char *numbered = gcf1_behind_id(line, table->count);
    const char *at = numbered ? numbered : line->at;
    const char *end = line->end;
    pith_slot slot;
    size_t cells = 0;
    table->count++;
    for (const char *p = at;; p++) {
        cells++;
        p = gcf1_cell_end(p, end, '|');
        if (p == end) {
            break;
        }
    }
    size_t depth = table->depth;
    if (cells != table->field_count) {
        return gcf1_bad_width(r, table, at, cells);
    }
    if (!gcf1_open_row(r, table, at)) {
        return false;
    }
    for (size_t i = 0; i < cells; i++) {
        const char *stop = gcf1_cell_end(at, end, '|');
        if (!gcf1_read_value(r, at, stop, &slot) || !gcf1_add(r, &slot, at)) {
            return false;
        }
        at = stop + 1;
    }
    return gcf1_push_scope(r, GCF1_ROW, depth + 1) != NULL;
}

/* A line of an item that has none yet: an array of its own, or a member. */
static bool gcf1_start_item(gcf1_reader *r, gcf1_scope *item, const text_line *line,
                            bool beside)
{
    gcf1_head head;
    memset(&head, 0, sizeof head);
    item->pending = false;
    if (gcf1_is_header(line) && gcf1_find_count(gcf1_behind(line, 3), true, &head) &&
        head.name.len == 0 && line->at[3] == '[') {
        r->count--; /* the array takes its place */
        return gcf1_open_array(r, &head, line);
    }
    return gcf1_built(r, build_open(r->doc, PITH_OBJECT), line->at) &&
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
        if (*line->at == '.' && line->end - line->at > 1) {
            return gcf1_add_key(r, gcf1_behind(line, 1)) &&
                   gcf1_open_object(r, line->at, line->depth + 1, false);
        }
        /* Below a row a header without a count is of layout B. */
        return gcf1_read_member(r, line, true);
    case GCF1_ITEM:
        if (scope->pending) {
            return gcf1_start_item(r, scope, line, beside);
        }
        break;
    case GCF1_OBJECT:
        break;
    }
    return gcf1_read_member(r, line, beside);
}

static bool gcf1_has_count(const text_line *line)
{
    gcf1_head head;
    memset(&head, 0, sizeof head);
    return gcf1_find_count(gcf1_behind(line, 3), true, &head) && !head.values;
}

/* Whether a line that is as deep as the scope's lines ends the scope all the same. */
static bool gcf1_ends(const gcf1_scope *scope, const text_line *line)
{
    switch (scope->kind) {
    case GCF1_LIST:
        return *line->at != '@' || (!scope->open_count && scope->count >= scope->wanted);
    case GCF1_ROWS:
        return gcf1_is_header(line) ||
               (!scope->open_count && scope->count >= scope->wanted);
    case GCF1_OBJECT:
        return scope->beside &&
               ((gcf1_is_header(line) && !gcf1_has_count(line)) || *line->at == '.');
    default:
        return false;
    }
}

static bool gcf1_place_line(gcf1_reader *r, const text_line *line)
{
    while (r->count > 0) {
        gcf1_scope *scope = gcf1_top(r);
        bool holds = scope->kind == GCF1_OBJECT || scope->kind == GCF1_ITEM ||
                     scope->kind == GCF1_ROW;
        bool beside = holds && line->depth == scope->depth + 1 && gcf1_is_header(line) &&
                      !gcf1_has_count(line);
        if (beside || (line->depth == scope->depth && !gcf1_ends(scope, line))) {
            return gcf1_take_line(r, scope, line, beside);
        }
        if (line->depth > scope->depth) {
            report_bad(r->report, "invalid_indent", gcf1_at(r, line->at),
                       "expected at most %zu spaces here, found %zu", scope->depth * 2,
                       (size_t)(line->at - line->start));
            return false;
        }
        if (r->count == 1) {
            break;
        }
        if (!gcf1_pop(r)) {
            return false;
        }
    }
    report_bad(r->report, "invalid_line", gcf1_at(r, line->at),
               "expected the end of the text after the array at its root");
    r->stop = true;
    return false;
}

/* ------------------------------------------------------------------------- root */

/* Whether a line could be one of an object. */
static bool gcf1_is_member(const text_line *line)
{
    gcf1_head head;
    memset(&head, 0, sizeof head);
    pith_text whole = gcf1_behind(line, 0);
    return gcf1_is_header(line) || memchr(whole.ptr, '=', whole.len) ||
           (gcf1_find_count(whole, false, &head) && head.values && head.name.len > 0);
}

/* The first line tells what the root is. */
static bool gcf1_read_root(gcf1_reader *r, const text_line *line)
{
    gcf1_head head;
    pith_slot slot;
    memset(&head, 0, sizeof head);
    pith_text rest = gcf1_is_header(line) ? gcf1_behind(line, 3) : text_of(NULL, 0);
    if (rest.len > 0 && *rest.ptr == '[' && gcf1_find_count(rest, true, &head) &&
        head.name.len == 0) {
        return gcf1_open_array(r, &head, line);
    }
    if (!gcf1_is_member(line)) {
        return gcf1_read_value(r, line->at, line->end, &slot) &&
               gcf1_add(r, &slot, line->at);
    }
    return gcf1_open_object(r, line->at, 0, false) && gcf1_place_line(r, line);
}

static bool gcf1_is_skipped(const text_line *line)
{
    static const char summary[] = "## _summary";
    size_t len = (size_t)(line->end - line->at);
    if (*line->at != '#') {
        return false;
    }
    return len == 1 || line->at[1] == ' ' ||
           (len >= sizeof summary - 1 &&
            memcmp(line->at, summary, sizeof summary - 1) == 0 &&
            (len == sizeof summary - 1 || line->at[sizeof summary - 1] == ' '));
}

static bool gcf1_check_line(gcf1_reader *r, const text_line *line)
{
    if (line->tabs || line->odd) {
        report_bad(r->report, line->tabs ? "tab_indentation" : "invalid_indent",
                   gcf1_at(r, line->start), "expected two spaces for each level%s",
                   line->tabs ? ", found a tab" : "");
        return false;
    }
    if ((size_t)(line->end - line->at) > SLOT_TEXT_MOST) {
        report_problem(r->report, PITH_LIMIT, "too_large", gcf1_at(r, line->at),
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
    while (!gcf1_stopped(r) && lines_next(&r->lines, &line)) {
        pith_doc *doc = r->doc;
        if (doc->progress && (line.number & 1023) == 0 &&
            !doc->progress(doc->progress_ctx, gcf1_at(r, line.at))) {
            report_problem(r->report, PITH_BAD_USE, "cancelled", gcf1_at(r, line.at),
                           "cancelled");
            return;
        }
        if (!gcf1_check_line(r, &line) || gcf1_is_skipped(&line)) {
            continue;
        }
        if (started) {
            gcf1_place_line(r, &line);
        } else {
            gcf1_read_root(r, &line);
        }
        started = true;
        r->last_end = line.end;
    }
    if (!started && !gcf1_stopped(r)) {
        gcf1_open_object(r, r->last_end, 0, false);
    }
    while (!gcf1_stopped(r) && r->count > 0) {
        gcf1_pop(r);
    }
}

void gcf1_decode(decode_job *job)
{
    gcf1_reader r;
    size_t bom = utf8_bom(job->input.ptr, job->input.len);
    pith_text text = text_of(job->input.ptr + bom, job->input.len - bom);
    memset(&r, 0, sizeof r);
    r.doc = job->doc;
    r.report = job->report;
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
    for (size_t i = 0; i < r.used; i++) {
        alloc_free(&r.doc->alloc, r.scopes[i].fields,
                   r.scopes[i].field_cap * sizeof *r.scopes[i].fields);
    }
    alloc_free(&r.doc->alloc, r.scopes, r.cap * sizeof *r.scopes);
    if (job->report->count == 0) {
        doc_mark_tail(job->doc, job->input, 0);
        job->doc->finished = true;
    } else {
        pith_doc_reset(job->doc);
    }
}
