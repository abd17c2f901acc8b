/*
 * toon_decode.c - TOON to a document: which line belongs to what.
 *
 * The text is read line by line, once. Open objects and arrays whose members stand on
 * lines of their own are scopes on a stack of ours; each is an open container on the
 * tape, and each knows at which depth its lines stand.
 *
 *     users[2]:            list   items at depth 1
 *       - name: Ada        object fields at depth 2 (the first on the hyphen's line)
 *         tags[1]: x
 *         pets[1]{id}:     table  rows at depth 3
 *           7
 *       - name: Bob        ends the table and the object
 *
 * A line ends every scope that stands deeper than itself and must then stand exactly
 * at the depth of the innermost one left, which says how to read it:
 *
 *     object   key: value   key:   key: []   key[N]...:
 *     list     - item
 *     table    cell,cell
 *     keyed    key: cell,cell
 *
 * Only the first line of a scope may stand deeper than expected, and only when the
 * rules forgive it (a jump); then that is the scope's depth. What is less deep than a
 * scope's first line but deeper than what should have been belongs to nobody.
 *
 * Declared counts are compared when a scope ends and never used for anything else, so
 * a text cannot make us reserve memory by claiming to be large.
 *
 * Problems. Normally the first ends the reading. When problems are being collected, a
 * line that cannot be read is passed over together with all deeper lines under it
 * (`skip_depth`), and whether it was meant to be an item or row stays open
 * (`doubtful`), so that it does not make a count wrong as well. Duplicate keys are
 * found when an object closes; to say where both are, the text is read again with
 * keep_key_places (doc/read.h).
 *
 * Speed. Data repeats its keys, so a line mostly holds the key that stood there in the
 * last object of this shape (shape.h). toon_ordinary_line compares it with that key,
 * reads the value up to the line feed and is done, without having looked for the end of
 * the line first. Whatever it does not expect it leaves to the functions that read any
 * line; when problems are being collected they read all of them.
 */
#include "base/scan.h"
#include "base/utf8.h"
#include "format/toon/toon_read.h"

#include <assert.h>

static const size_t toon_no_skip = SIZE_MAX;

/* ------------------------------------------------------------------ containers */

static bool toon_close(toon_reader *r)
{
    return read_close(&r->in, "duplicate_key", "duplicate key");
}

static bool toon_add_empty(toon_reader *r, pith_kind kind, const char *at)
{
    return read_open(&r->in, kind, at) && toon_close(r);
}

/* ---------------------------------------------------------------------- scopes */

static inline toon_scope *toon_top(toon_reader *r)
{
    assert(r->scopes.count > 0);
    return &r->scopes.at[r->scopes.count - 1];
}

/* Opens a scope for the container that was opened last. */
static bool toon_push_scope(toon_reader *r, toon_scope_kind kind, size_t depth)
{
    assert(r->rows || r->doc->open != SLOT_NONE);
    toon_scope *scope = LIST_ADD(&r->scopes, &r->doc->alloc);
    if (!scope)
        return read_failed(&r->in);
    memset(scope, 0, sizeof *scope);
    scope->kind = kind;
    scope->fresh = true;
    scope->depth = depth;
    scope->least = depth;
    if (r->scopes.count > 1) {
        const pith_slot *slots = r->doc->slots;
        const pith_slot *around = &slots[slots[r->doc->open].u.link.parent];
        scope->spanned = scope[-1].spanned || scope[-1].kind != TOON_OBJECT;
        scope->owner = around->kind == PITH_OBJECT ? around->shape : scope[-1].owner;
    }
    return true;
}

static void toon_check_count(toon_reader *r, const toon_scope *scope)
{
    static const char *const words[][2] = {
        {"field", "fields"}, {"item", "items"}, {"row", "rows"}, {"entry", "entries"}};
    uint64_t wanted = scope->wanted.value;
    bool right = wanted <= scope->count && wanted >= scope->count - scope->doubtful;
    if (scope->kind == TOON_OBJECT || right || !r->rules.strict)
        return;
    const char *at = scope->extra ? scope->extra : r->last_end;
    read_bad_count(&r->in, at, scope->wanted.digits,
                   read_plural(words[scope->kind][0], words[scope->kind][1], wanted),
                   scope->line, scope->count);
}

static bool toon_pop_scope(toon_reader *r)
{
    toon_check_count(r, toon_top(r));
    r->scopes.count--;
    return !read_stopped(&r->in) && (r->rows || toon_close(r));
}

/* One more item, row or entry, which starts at `at`. */
static void toon_count_one(toon_scope *scope, const char *at)
{
    assert(scope->kind != TOON_OBJECT);
    if (scope->count == scope->wanted.value)
        scope->extra = at;
    scope->count++;
}

/* ---------------------------------------------------------------------- fields */

static bool toon_inline_array(toon_reader *r, const toon_header *header)
{
    uint64_t count;
    const char *extra;
    const toon_count *wanted = &header->count;
    if (!read_open(&r->in, PITH_ARRAY, header->at))
        return false;
    bool fine = toon_read_values(r, header->rest, header->delimiter, wanted->value,
                                 &count, &extra);
    if (count != wanted->value && r->rules.strict) {
        const char *at = extra ? extra : header->rest.ptr + header->rest.len;
        report_bad(
            r->report, "count_mismatch", toon_at(r, at), "%s %s declared, found %llu",
            error_quote(wanted->digits.ptr, wanted->digits.len).text,
            read_plural("value", "values", wanted->value), (unsigned long long)count);
        fine = false;
    }
    return !read_stopped(&r->in) && toon_close(r) && fine;
}

bool toon_open_scope(toon_reader *r, toon_scope_kind kind, const toon_header *header,
                     size_t depth)
{
    if (header->fields && r->layout.rows.levels > r->doc->depth_max - r->doc->depth)
        return read_built(&r->in, BUILD_TOO_DEEP, header->at);
    if (!toon_push_scope(r, kind, depth + 1))
        return false;
    toon_scope *scope = toon_top(r);
    scope->wanted = header->count;
    scope->line = r->lines.number;
    return true;
}

/* Adds the value of a header that is at `depth`. */
static bool toon_open_header(toon_reader *r, const toon_header *header, size_t depth)
{
    if (header->rest.len > 0)
        return toon_inline_array(r, header);
    toon_scope_kind kind = !header->fields ? TOON_LIST
                           : header->keyed ? TOON_KEYED
                                           : TOON_TABLE;
    return read_open(&r->in, kind == TOON_KEYED ? PITH_OBJECT : PITH_ARRAY, header->at) &&
           toon_open_scope(r, kind, header, depth);
}

static bool toon_bad_header(toon_reader *r, const toon_fault *fault)
{
    if (fault->code)
        report_bad(r->report, fault->code, toon_at(r, fault->at), "%s", fault->sentence);
    return false;
}

/* `key: value` of the innermost open object, which stands at `depth`. */
static bool toon_read_pair(toon_reader *r, const char *at, const char *colon,
                           const char *end, size_t depth)
{
    if (!toon_add_key_token(r, toon_trim(r, at, colon)))
        return false;
    pith_text value = toon_trim(r, colon + 1, end);
    if (value.len == 0) {
        return read_open(&r->in, PITH_OBJECT, at) &&
               toon_push_scope(r, TOON_OBJECT, depth + 1);
    }
    if (text_is(value, "[]"))
        return toon_add_empty(r, PITH_ARRAY, value.ptr);
    return toon_add_value(r, value.ptr, end);
}

/* A field of the innermost open object. */
static bool toon_read_field(toon_reader *r, const char *at, const char *end, size_t depth)
{
    const char *bracket;
    const char *colon = toon_find_colon(r, at, end, &bracket);
    if (!colon) {
        report_bad(r->report, "expected_colon", toon_at(r, end),
                   "expected a key and ':', found '%s'",
                   error_quote(at, (size_t)(end - at)).text);
        return false;
    }
    if (!bracket)
        return toon_read_pair(r, at, colon, end, depth);
    toon_header header;
    toon_fault fault;
    bool found = toon_read_header(r, at, end, bracket, &header, &fault);
    if (found && !header.key.ptr) {
        fault.code = "invalid_header";
        fault.at = bracket;
        fault.sentence = "expected a key before '['";
        found = false;
    }
    if (!found && fault.code && r->rules.lax_headers)
        return toon_read_pair(r, at, colon, end, depth);
    if (!found)
        return toon_bad_header(r, &fault);
    return toon_add_key_token(r, header.key) && toon_open_header(r, &header, depth);
}

/* ----------------------------------------------------------------------- items */

static bool toon_item_object(toon_reader *r, const char *at, const char *end,
                             size_t depth)
{
    if (!read_open(&r->in, PITH_OBJECT, at) ||
        !toon_push_scope(r, TOON_OBJECT, depth + 1))
        return false;
    toon_top(r)->fresh = false;
    if (!toon_read_field(r, at, end, depth + 1))
        r->skip_depth = depth + 2;
    return true;
}

/* An item that is an array; true in `*none` when it is no header after all. */
static bool toon_item_array(toon_reader *r, const char *at, const char *end, size_t depth,
                            bool *none)
{
    assert(at < end && *at == '[');
    toon_header header;
    toon_fault fault;
    bool found = toon_read_header(r, at, end, at, &header, &fault);
    if (found && header.fields && (header.keyed || !r->rules.item_tables)) {
        fault.code = "invalid_header";
        fault.at = at;
        fault.sentence =
            "expected a list: an array with field names has no place in an item";
        found = false;
    }
    if (!found && fault.code && r->rules.lax_headers) {
        *none = true;
        return true;
    }
    return found ? toon_open_header(r, &header, depth) : toon_bad_header(r, &fault);
}

/* True for `[N]: values`, the usual item that is an array. */
static bool toon_plain_array(const toon_reader *r, const char *at, const char *end,
                             toon_header *header)
{
    assert(at < end && *at == '[');
    const char *p = at + 1;
    uint64_t count = 0;
    while (p < end && p - at <= 18 && scan_is_digit((unsigned char)*p))
        count = count * 10 + (uint64_t)(*p++ - '0');
    if (end - p < 4 || at[1] == '0' || p == at + 1 || p[0] != ']' || p[1] != ':')
        return false;
    header->count.digits = text_of(at + 1, (size_t)(p - (at + 1)));
    header->count.value = count;
    header->delimiter = ',';
    header->at = at;
    header->rest = toon_trim(r, p + 2, end);
    return header->rest.len > 0;
}

/* What stands after the hyphen. */
static bool toon_read_item(toon_reader *r, const char *at, const char *end, size_t depth)
{
    while (at < end && *at == ' ')
        at++;
    if (at == end)
        return toon_add_empty(r, PITH_OBJECT, at);
    toon_header header;
    if (*at == '[' && toon_plain_array(r, at, end, &header))
        return toon_inline_array(r, &header);
    pith_text item = text_of(at, (size_t)(end - at));
    if (r->rules.empty_items && text_is(item, "[]"))
        return toon_add_empty(r, PITH_ARRAY, at);
    const char *bracket;
    if (!toon_find_colon(r, at, end, &bracket))
        return toon_add_value(r, at, end);
    bool none = false;
    if (bracket == at) {
        bool fine = toon_item_array(r, at, end, depth, &none);
        if (!none)
            return fine;
    }
    return toon_item_object(r, at, end, depth);
}

/* ----------------------------------------------------------------------- lines */

static bool toon_list_line(toon_reader *r, toon_scope *scope, const text_line *line)
{
    const char *at = line->at;
    toon_count_one(scope, at);
    if (*at != '-' || (line->end - at > 1 && at[1] != ' ')) {
        report_bad(r->report, "invalid_list_item", toon_at(r, at),
                   "expected '- ' and an item, found '%s'",
                   error_quote(at, (size_t)(line->end - at)).text);
        scope->doubtful++;
        return false;
    }
    return toon_read_item(r, at + 1, line->end, line->depth);
}

static bool toon_table_line(toon_reader *r, toon_scope *scope, const text_line *line)
{
    toon_count_one(scope, line->at);
    if (!r->rules.rows_only && !toon_is_row(r, line->at, line->end)) {
        report_bad(r->report, "invalid_row", toon_at(r, line->at),
                   "expected a row: a ':' before the first delimiter must be in quotes");
        scope->doubtful++;
        return false;
    }
    return toon_read_row(r, line->at, line->end);
}

static bool toon_entry_line(toon_reader *r, toon_scope *scope, const text_line *line)
{
    const char *bracket;
    const char *colon = toon_find_colon(r, line->at, line->end, &bracket);
    toon_count_one(scope, line->at);
    if (!colon) {
        report_bad(r->report, "expected_colon", toon_at(r, line->end),
                   "expected a key, ':' and cells, found '%s'",
                   error_quote(line->at, (size_t)(line->end - line->at)).text);
        scope->doubtful++;
        return false;
    }
    if (!toon_add_key_token(r, toon_trim(r, line->at, colon)))
        return false;
    /* A row that fails leaves nothing on the tape, so its key gets something made up;
     * nobody sees it. */
    pith_text cells = toon_trim(r, colon + 1, line->end);
    uint32_t before = r->doc->slots[r->doc->open].n;
    bool fine = toon_read_row(r, cells.ptr, cells.ptr + cells.len);
    if (!read_stopped(&r->in) && r->doc->slots[r->doc->open].n == before)
        return toon_add_value(r, line->end, line->end) && fine;
    return fine;
}

/* The scope the line belongs to, with all that it ends ended; NULL when none. */
static toon_scope *toon_find_scope(toon_reader *r, const text_line *line)
{
    while (r->scopes.count > 0) {
        toon_scope *scope = toon_top(r);
        if (scope->fresh && line->depth > scope->depth) {
            bool allowed =
                !r->rules.strict || (r->rules.deep_objects && scope->kind == TOON_OBJECT);
            if (!allowed &&
                !report_bad(r->report, "depth_jump", toon_at(r, line->at),
                            "expected depth %zu (%zu spaces), found depth %zu",
                            scope->depth, scope->depth * r->rules.indent, line->depth))
                return NULL;
            scope->depth = line->depth;
        }
        if (line->depth == scope->depth)
            return scope;
        if (line->depth >= scope->least) {
            report_bad(
                r->report, "unexpected_indent", toon_at(r, line->at),
                line->depth > scope->depth
                    ? "expected at most depth %zu (%zu spaces) here, found depth %zu"
                    : "expected depth %zu (%zu spaces) as before, found depth %zu",
                scope->depth, scope->depth * r->rules.indent, line->depth);
            r->skip_depth = line->depth;
            return NULL;
        }
        if (!toon_pop_scope(r))
            return NULL;
    }
    report_bad(r->report, "trailing_content", toon_at(r, line->at),
               "expected the end of the text after the array or table at its root");
    r->stop = true;
    return NULL;
}

static void toon_check_blank(toon_reader *r, const toon_scope *scope)
{
    bool inside = scope->spanned || (scope->kind != TOON_OBJECT && scope->count > 0);
    if (r->lines.blank && inside && r->rules.strict) {
        report_bad(r->report, "blank_line", toon_at(r, r->lines.blank),
                   "expected no blank line between the items or rows of an array");
    }
}

/* A line of that scope. */
static void toon_scope_line(toon_reader *r, toon_scope *scope, const text_line *line)
{
    bool fine = true;
    scope->fresh = false;
    switch (scope->kind) {
    case TOON_OBJECT:
        fine = toon_read_field(r, line->at, line->end, line->depth);
        break;
    case TOON_LIST:
        fine = toon_list_line(r, scope, line);
        break;
    case TOON_TABLE:
        fine = toon_table_line(r, scope, line);
        break;
    case TOON_KEYED:
        fine = toon_entry_line(r, scope, line);
        break;
    }
    if (!fine)
        r->skip_depth = line->depth + 1;
}

/* A line that is not the first. */
static void toon_read_line(toon_reader *r, const text_line *line)
{
    toon_scope *scope = toon_find_scope(r, line);
    if (!scope)
        return;
    toon_check_blank(r, scope);
    if (!read_stopped(&r->in))
        toon_scope_line(r, scope, line);
}

/* -------------------------------------------------------------- ordinary lines */

/* A line of 4 GiB would not fit a slot. */
static bool toon_check_length(toon_reader *r, const text_line *line)
{
    if ((size_t)(line->end - line->at) <= SLOT_TEXT_MOST)
        return true;
    report_problem(r->report, PITH_LIMIT, "too_large", toon_at(r, line->at),
                   "a line of 4 GiB or more");
    r->stop = true;
    return false;
}

/* Goes after the line that ends at `feed`. */
static inline void toon_pass_line(toon_reader *r, const char *feed)
{
    assert(feed > r->start);
    lines_pass(&r->lines, feed);
    while (feed[-1] == ' ')
        feed--;
    r->last_end = feed;
}

/* The colon after the key at `at` if that is, without quotes, the last of the shape
 * `guess`. Else NULL. */
static inline const char *toon_expected_key(const toon_reader *r, uint16_t guess,
                                            const char *at)
{
    assert(guess < r->doc->shapes.count);
    const shape_node *node = &r->doc->shapes.nodes[guess];
    const char *colon = toon_scan_mark(at, r->end);
    /* White space before the colon is not part of the key. Paths look like keys that
     * were quoted, so they are not guessed. */
    bool found = colon < r->end && *colon == ':' && colon > at &&
                 (unsigned char)colon[-1] > ' ' && guess != SHAPE_NONE &&
                 !r->rules.expand &&
                 toon_is_key_of(r, node, text_of(at, (size_t)(colon - at)));
    return found ? colon : NULL;
}

/* Reads the rest of a line: the pair at `at`, which stands at `depth` and whose key is
 * the last of `shape`, into the innermost open object. */
static inline void toon_expected_pair(toon_reader *r, text_line *line, const char *at,
                                      const char *colon, uint16_t shape, size_t depth)
{
    pith_doc *doc = r->doc;
    uint32_t object = doc->open;
    if (r->end - colon > 2 && colon[1] == ' ' && colon[2] != '[') {
        const char *feed = toon_add_plain(r, colon + 2);
        if (feed) {
            doc->slots[object].shape = shape;
            toon_pass_line(r, feed);
            return;
        }
    } else if (r->end - colon > 1 && colon[1] == '\n') {
        doc->slots[object].shape = shape;
        toon_pass_line(r, colon + 1);
        if (read_open(&r->in, PITH_OBJECT, at))
            toon_push_scope(r, TOON_OBJECT, depth + 1);
        return;
    }
    lines_cut(&r->lines, line);
    if (toon_check_length(r, line) && !toon_read_pair(r, at, colon, line->end, depth))
        r->skip_depth = depth + 1;
    r->last_end = line->end;
}

/* A field of the innermost open object, if it has the key that is expected there. */
static bool toon_expected_field(toon_reader *r, text_line *line)
{
    uint16_t guess = toon_guess(r);
    const char *colon = toon_expected_key(r, guess, line->at);
    if (!colon)
        return false;
    toon_expected_pair(r, line, line->at, colon, guess, line->depth);
    return true;
}

/* An item, if it starts with such a field. */
static bool toon_expected_item(toon_reader *r, toon_scope *scope, text_line *line)
{
    if (r->end - line->at < 2 || line->at[0] != '-' || line->at[1] != ' ')
        return false;
    const char *at = line->at + 2;
    uint16_t guess = r->doc->shapes.nodes[scope->owner].inner;
    const char *colon = toon_expected_key(r, guess, at);
    if (!colon)
        return false;
    size_t depth = line->depth + 1;
    toon_count_one(scope, line->at);
    if (read_open(&r->in, PITH_OBJECT, at) && toon_push_scope(r, TOON_OBJECT, depth)) {
        toon_top(r)->fresh = false;
        toon_expected_pair(r, line, at, colon, guess, depth);
    }
    return true;
}

/* Reads the next line if it is an ordinary one, which goes without most of the care
 * that toon_next_line takes. Fields, and items that start with one, mostly have the key
 * that stood there last time; then a line is read from left to right, once, and its end
 * is found on the way. False when the line is not ordinary, or not even there. */
static bool toon_ordinary_line(toon_reader *r)
{
    /* The UTF-8 of the line: */
    bool checked = r->lines.next < r->ahead.checked && !r->ahead.bad;
    if (r->keep_key_places || !checked || r->scopes.count == 0)
        return false;
    text_line line;
    toon_scope *scope = toon_top(r);
    if (!lines_peek(&r->lines, &line, scope->depth) || line.odd ||
        line.depth > scope->depth)
        return false;
    if (line.depth < scope->depth) {
        scope = toon_find_scope(r, &line);
        if (!scope)
            return false;
    }
    scope->fresh = false;
    if ((scope->kind == TOON_OBJECT && toon_expected_field(r, &line)) ||
        (scope->kind == TOON_LIST && toon_expected_item(r, scope, &line)))
        return true;
    lines_cut(&r->lines, &line);
    if (toon_check_length(r, &line))
        toon_scope_line(r, scope, &line);
    r->last_end = line.end;
    return true;
}

/* ------------------------------------------------------------------------ root */

static bool toon_is_last(const toon_reader *r)
{
    line_reader rest = r->lines;
    text_line line;
    return !lines_next(&rest, &line);
}

/* Opens the object at the root, which only the end of the text closes. */
static bool toon_open_root(toon_reader *r, const text_line *line)
{
    if (!read_open(&r->in, PITH_OBJECT, line->at) ||
        !toon_push_scope(r, TOON_OBJECT, line->depth))
        return false;
    toon_top(r)->least = 0;
    toon_top(r)->fresh = false;
    return true;
}

static void toon_root_object(toon_reader *r, const text_line *line)
{
    if (!toon_open_root(r, line))
        return;
    if (!toon_read_field(r, line->at, line->end, line->depth))
        r->skip_depth = line->depth + 1;
}

/* The dialect knows one thing: a table. */
static void toon_root_rows(toon_reader *r, const text_line *line)
{
    toon_header header;
    toon_fault fault = {"invalid_header", line->at,
                        "expected [N,]{names}: in the first line"};
    bool found = *line->at == '[' &&
                 toon_read_header(r, line->at, line->end, line->at, &header, &fault);
    if (found && header.fields) {
        toon_open_header(r, &header, line->depth);
        return;
    }
    if (found && header.count.value == 0 && header.rest.len == 0) {
        toon_add_empty(r, PITH_ARRAY, line->at);
        return;
    }
    if (found) {
        fault.code = "invalid_header";
        fault.at = header.at;
        fault.sentence = "expected field names in braces after [N,]";
    }
    toon_bad_header(r, &fault);
    r->stop = true;
}

/* A root that starts with a bracket; false when it is no header but a key. */
static bool toon_root_array(toon_reader *r, const text_line *line)
{
    toon_header header;
    toon_fault fault;
    if (toon_read_header(r, line->at, line->end, line->at, &header, &fault)) {
        toon_open_header(r, &header, line->depth);
        return true;
    }
    if (fault.code && r->rules.lax_headers)
        return false;
    toon_bad_header(r, &fault);
    toon_open_root(r, line);
    r->skip_depth = line->depth + 1;
    return true;
}

static void toon_read_root(toon_reader *r, const text_line *line)
{
    const char *bracket;
    pith_text text = text_of(line->at, (size_t)(line->end - line->at));
    if (line->depth > 0 && !r->rules.deep_start &&
        !report_bad(r->report, "unexpected_indent", toon_at(r, line->at),
                    "expected the first line without indentation"))
        return;
    if (r->rules.rows_only)
        toon_root_rows(r, line);
    else if (text_is(text, "[]"))
        toon_add_empty(r, PITH_ARRAY, line->at);
    else if (!toon_find_colon(r, line->at, line->end, &bracket))
        if (toon_is_last(r))
            toon_add_value(r, line->at, line->end);
        else
            toon_root_object(r, line);
    else if (bracket != line->at || !toon_root_array(r, line))
        toon_root_object(r, line);
}

/* ----------------------------------------------------------------- whole texts */

/* Reports ill-formed UTF-8 up to `until`. */
static bool toon_check_utf8(toon_reader *r, const char *until)
{
    if (read_stopped(&r->in))
        return false;
    r->stop = !ahead_until(&r->ahead, r->report, until);
    return !r->stop;
}

/* What the indentation is made of; a problem is reported, and the depth stands. */
static bool toon_check_indent(toon_reader *r, const text_line *line)
{
    if (!r->rules.strict)
        return true;
    if (line->tabs) {
        return report_bad(r->report, "tab_indentation", toon_at(r, line->start),
                          "expected spaces only, found a tab in the indentation");
    }
    if (line->odd) {
        size_t spaces = (size_t)(line->at - line->start);
        return report_bad(r->report, "invalid_indent", toon_at(r, line->at),
                          "expected a multiple of %u spaces, found %zu", r->rules.indent,
                          spaces);
    }
    return true;
}

bool toon_check_line(toon_reader *r, const text_line *line)
{
    /* Without content it is of tabs, which was reported. */
    return toon_check_utf8(r, line->end) && toon_check_indent(r, line) &&
           line->at < line->end && toon_check_length(r, line);
}

void toon_next_line(toon_reader *r, const text_line *line)
{
    if (!toon_check_line(r, line) || line->depth >= r->skip_depth)
        return;
    r->skip_depth = toon_no_skip;
    if (r->started || r->rows) {
        toon_read_line(r, line);
    } else {
        r->started = true;
        toon_read_root(r, line);
    }
    r->last_end = line->end;
}

void toon_read_from(toon_reader *r, const char *front, const char *checked)
{
    lines_init(&r->lines, text_of(front, (size_t)(r->end - front)), r->rules.indent);
    r->lines.comments = r->rules.comments;
    r->lines.tabs_are_blank = !r->rules.strict || r->rules.trim_tabs;
    r->last_end = front;
    r->skip_depth = toon_no_skip;
    ahead_init(&r->ahead, text_of(r->start, (size_t)(r->end - r->start)), checked);
}

void toon_end_text(toon_reader *r)
{
    toon_check_utf8(r, r->end);
    while (!read_stopped(&r->in) && r->scopes.count > 0)
        toon_pop_scope(r);
}

static void toon_read_lines(toon_reader *r)
{
    text_line line;
    while (!read_stopped(&r->in)) {
        if (toon_ordinary_line(r))
            continue;
        if (read_stopped(&r->in) || !lines_next(&r->lines, &line))
            break;
        toon_next_line(r, &line);
    }
    toon_end_text(r);
    if (read_stopped(&r->in) || r->started)
        return;
    if (r->rules.rows_only) {
        report_bad(r->report, "empty_input", toon_at(r, r->end),
                   "expected [N,]{names}: in the first line, but there is nothing");
    } else {
        toon_add_empty(r, PITH_OBJECT, r->end);
    }
}

static void toon_finish(toon_reader *r)
{
    pith_doc *doc = r->doc;
    if (r->report->count > 0)
        return;
    doc_mark_near_end(doc, r->report->input, 0);
    if (doc->has_duplicates && !doc_merge_duplicates(doc)) {
        read_failed(&r->in);
        return;
    }
    if (r->rules.expand && !toon_expand(r))
        return;
    doc->finished = r->report->count == 0;
}

void toon_reader_free(toon_reader *r, const pith_alloc *alloc)
{
    LIST_FREE(&r->scopes, alloc);
    layout_free(&r->layout.rows, alloc);
    LIST_FREE(&r->layout.repeated, alloc);
}

toon_rules toon_rules_from(const settings *set)
{
    bool dialect = toon_is_dialect(set);
    bool strict = toon_setting(set, TOON_STRICT);
    bool four = toon_setting(set, TOON_VERSION) == TOON_4;
    bool three = !four && !dialect;
    return (toon_rules){
        .indent = (unsigned)toon_setting(set, TOON_INDENT),
        .strict = strict,
        .comments = four,
        .groups = four,
        .empty_items = four,
        .lax_headers = three && !strict,
        .lax_widths = three && !strict,
        .deep_objects = three,
        .deep_start = three,
        .item_tables = three,
        .key_spaces = three,
        .trim_tabs = !four,
        .expand = toon_setting(set, TOON_EXPAND),
        .rows_only = dialect,
    };
}

void toon_decode(decode_job *job)
{
    size_t bom = utf8_bom(job->input.ptr, job->input.len);
    toon_reader r = {.rules = toon_rules_from(job->set)};
    if (r.rules.expand && r.rules.groups) {
        report_problem(job->report, PITH_BAD_USE, "bad_setting", 0,
                       "version 4 knows no folded keys; expand needs version=3");
        return;
    }
    read_init(&r.in, job->doc, job->input, job->report);
    r.last_wins = !r.rules.strict;
    /* A line has a row and a cell, or a key's object and value. Without the room, reading
     * will ask again and say so. */
    (void)doc_reserve_for(job->doc, job->input, ",\t|\n\n");
    toon_read_from(&r, r.start + bom, r.start + bom);
    toon_read_lines(&r);
    if (!job->report->again)
        toon_finish(&r);
    if (r.rules.comments && job->report->count == 0)
        report_last_comments(job->report);
    toon_reader_free(&r, &job->doc->alloc);
}
