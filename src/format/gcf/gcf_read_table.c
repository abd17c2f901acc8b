/*
 * gcf_read_table.c - the lines of a table.
 *
 *     ## orders [2]{id,customer,items}    the rows are as deep as the header
 *     @0 7|^{name,city,zip}|^             a row with attachments has its number
 *     Ada|Rome|"00184"                    a positional body: no field, no name
 *     .items [2]{sku,qty}                 an attachment, by the name of its field
 *         A1|2                            and its rows, two levels beneath the row
 *         B7|1
 *     @1 8|^|^
 *     Bob|Oslo|"0150"                     the names are those of row 0
 *     .items [1]                          and so are these
 *         C3|5
 *
 * Which line is what follows from its first character and from what the row still
 * waits for: a body if some cell can have one, else the next row. Once all rows that
 * were declared are there, the next line belongs to the object around the table, if it
 * can; if it cannot it is a row too many. Attachments and bodies may also be one
 * level beneath the row.
 *
 * A table may be cut into groups, each with a line of its own:
 *
 *     ## [3]{@id,name,dept} group=dept
 *     dept=Sales [2]
 *     1|Ada
 *     2|Bob
 *     dept=Tax [1]
 *     3|Eve
 */
#include "format/gcf/gcf_read.h"

#include <assert.h>

/* ----------------------------------------------------------------- attachments */

/* What something is attached to. A field with > in its name is no column, and has no
 * cell: both numbers are SLOT_NONE. */
typedef struct gcf_target {
    uint32_t cell;
    uint32_t field;
    pith_key key;
} gcf_target;

static bool gcf_bad_orphan(gcf_reader *r, const char *at, const char *sentence)
{
    return read_bad(&r->in, at, "orphan_attachment", "%s", sentence);
}

/* The field an attachment is for: mostly the one the row waits for. */
static bool gcf_find_target(gcf_reader *r, const gcf_layout *t, const char *at,
                            gcf_target *target)
{
    if (target->field == SLOT_NONE || t->fields.at[target->field].path) {
        target->field = target->cell = SLOT_NONE;
        return memchr(target->key.text, '>', target->key.len) != NULL ||
               gcf_bad_orphan(r, at, "expected the name of a field whose cell is ^");
    }
    const gcf_field *field = &t->fields.at[target->field];
    target->cell = field->cell;
    unsigned kind =
        field->role == GCF_CELL ? t->row.cells.at[field->cell].kind : (unsigned)PITH_NULL;
    if (kind == GCF_MARK)
        return true;
    if (kind == GCF_FILLED || kind == GCF_MOVED) {
        return read_bad(&r->in, at, "duplicate_attachment",
                        "\"%s\" has an attachment in this row already",
                        error_quote(target->key.text, target->key.len).text);
    }
    return gcf_bad_orphan(r, at,
                          kind == GCF_SCHEMA
                              ? "expected a positional body for a cell with ^{fields}"
                              : "the cell of this field is not ^ in this row");
}

/* .field [N]... */
static bool gcf_attach_array(gcf_reader *r, gcf_scope *scope, const gcf_target *target,
                             const char *at, const char *end)
{
    gcf_head head;
    size_t depth = scope->depth + 2;
    gcf_layout **shared = gcf_find_shared(r, scope->layout, target->field, &target->key);
    return gcf_read_head(r, at, end, GCF_MAY_LIST, shared ? *shared : NULL, &head) &&
           gcf_share_layout(r, scope, shared, target->field, &target->key, &head) &&
           gcf_place_attachment(r, scope->layout, target->cell, &target->key) &&
           gcf_open_head(r, &head, depth, false);
}

/* .field =value, which only a field with > in its name can have */
static bool gcf_attach_value(gcf_reader *r, gcf_scope *scope, const gcf_target *target,
                             const char *at, const char *end)
{
    pith_slot slot;
    if (target->cell != SLOT_NONE) {
        return read_bad(&r->in, at, "invalid_line",
                        "expected {} or [N] after the name: a value stands in its cell");
    }
    bool fine = gcf_read_value(r, at + 1, end, &slot);
    return gcf_place_attachment(r, scope->layout, SLOT_NONE, &target->key) &&
           gcf_add_slot(r, &slot) && fine;
}

/* What is after the name of an attachment. */
static bool gcf_attach(gcf_reader *r, gcf_scope *scope, const gcf_target *target,
                       const char *at, const char *end)
{
    size_t depth = scope->depth + 2;
    if (at < end && *at == '[')
        return gcf_attach_array(r, scope, target, at, end);
    if (at < end && *at == '=')
        return gcf_attach_value(r, scope, target, at, end);
    if (text_is(text_between(at, end), "{}")) {
        return gcf_place_attachment(r, scope->layout, target->cell, &target->key) &&
               read_open(&r->in, PITH_OBJECT, at) && gcf_push_scope(r, GCF_OBJECT, depth);
    }
    return read_bad(&r->in, at, "invalid_line",
                    "expected {} or [N] after the name of an attachment");
}

/* An attachment that cannot be read counts as there. */
static void gcf_stand_in(gcf_reader *r, gcf_layout *t, const gcf_target *target)
{
    if (target->cell != SLOT_NONE && t->row.cells.at[target->cell].kind == GCF_MARK &&
        gcf_place_attachment(r, t, target->cell, &target->key))
        gcf_add_null(r);
}

static bool gcf_read_attachment(gcf_reader *r, gcf_scope *scope, const text_line *line)
{
    gcf_layout *t = scope->layout;
    const char *at = line->at;
    const char *end = line->end;
    gcf_target target;
    assert(*at == '.');
    if (scope->broken)
        return false;
    if (!t->row.open)
        return gcf_bad_orphan(r, at, "expected a row with an @ number right before it");
    const char *p = gcf_read_key(r, at + 1, end, &target.key);
    if (!p)
        return false;
    if (p == end || *p != ' ') {
        return read_bad(&r->in, p, p[-1] == '"' ? "trailing_characters" : "invalid_key",
                        "expected a space, then {} or [N], after the name");
    }
    if (!gcf_emit(r, t) ||
        !gcf_find_name(r, &t->names, &target.key, gcf_awaited_field(t), &target.field) ||
        !gcf_find_target(r, t, at, &target))
        return false;
    size_t before = r->report->count;
    if (gcf_attach(r, scope, &target, p + 1, end))
        return true;
    if (!read_stopped(&r->in) && r->report->count > before)
        gcf_stand_in(r, t, &target);
    return false;
}

/* --------------------------------------------------------------------- bodies */

/* The next cell that can have a positional body; SLOT_NONE for none. */
static uint32_t gcf_next_body(gcf_layout *t)
{
    gcf_open_row *row = &t->row;
    for (; row->body < t->width; row->body++) {
        unsigned kind = row->cells.at[row->body].kind;
        if ((kind == GCF_MARK || kind == GCF_SCHEMA) &&
            t->fields.at[t->cells[row->body]].schema)
            return (uint32_t)row->body;
    }
    return SLOT_NONE;
}

static bool gcf_bad_body(gcf_reader *r, const text_line *line)
{
    return read_bad(&r->in, line->at, "orphan_inline_attachment",
                    "no cell of the row before waits for a positional body");
}

static bool gcf_read_body_line(gcf_reader *r, gcf_layout *t, const text_line *line)
{
    if (!gcf_emit(r, t))
        return false;
    uint32_t cell = gcf_next_body(t);
    if (cell == SLOT_NONE)
        return gcf_bad_body(r, line);
    const gcf_layout *schema = t->fields.at[t->cells[cell]].schema;
    if (!gcf_place_attachment(r, t, cell, NULL))
        return false;
    size_t count = r->doc->count;
    bool fine = gcf_read_body(r, schema, line->at, line->end);
    if (!read_stopped(&r->in) && r->doc->count == count)
        gcf_add_null(r);
    return fine;
}

/* --------------------------------------------------------------------- groups */

/* The last ` [` of a line, or NULL. */
static const char *gcf_find_count(const char *at, const char *end)
{
    for (const char *p = end; p - at > 1; p--)
        if (p[-1] == '[' && p[-2] == ' ')
            return p - 2;
    return NULL;
}

/* field=value [N] */
static bool gcf_read_group(gcf_reader *r, gcf_scope *scope, const text_line *line)
{
    gcf_layout *t = scope->layout;
    assert(t->group != SLOT_NONE);
    const char *end = line->end;
    const char *bracket = gcf_find_count(line->at, end);
    gcf_count count;
    pith_key name;
    scope->group_left = 0;
    if (!bracket || end[-1] != ']') {
        return read_bad(&r->in, end, "invalid_group_header",
                        "expected field=value [N] at the start of a group");
    }
    const char *p = gcf_read_key(r, line->at, end, &name);
    if (!p)
        return false;
    if (!text_equal(key_text(&name), key_text(&t->names.keys.at[t->group])) ||
        *p != '=') {
        return read_bad(&r->in, line->at, "invalid_group_header",
                        "expected the field that group= names, then '='");
    }
    if (!gcf_read_count(r, bracket + 2, end - 1, &count))
        return false;
    if (count.deferred || count.value == 0) {
        return read_bad(&r->in, bracket + 2, "invalid_count",
                        "expected the number of rows of the group, at least 1");
    }
    if (bracket <= p)
        return read_bad(&r->in, p, "invalid_group_header", "expected a value after '='");
    if (!gcf_read_fixed(r, p + 1, bracket, &scope->group_value))
        return false;
    scope->group_left = count.value;
    return gcf_add_value_name(r, t->groups, &scope->group_value, p + 1);
}

/* ---------------------------------------------------------------------- lines */

static bool gcf_is_full(const gcf_scope *scope)
{
    return scope->wanted.unknown ||
           (!scope->wanted.deferred && scope->count >= scope->wanted.value);
}

static bool gcf_is_subheader(const gcf_layout *t, const char *at, const char *end)
{
    assert(t->group != SLOT_NONE);
    const char *after = gcf_skip_key(at, end);
    pith_text name = text_of(at, after ? (size_t)(after - at) : 0);
    return text_equal(name, key_text(&t->names.keys.at[t->group])) && end[-1] == ']' &&
           gcf_find_count(at, end);
}

bool gcf_table_ends(const gcf_reader *r, const gcf_scope *scope, const text_line *line)
{
    const char *at = line->at;
    const char *end = line->end;
    const gcf_layout *t = scope->layout;
    if (!scope->shares || *at == '.' || *at == '@')
        return false;
    if (*at == '#' && end - at > 1 && at[1] == '#')
        return true;
    bool in_object = r->scopes.count > 1;
    if (!in_object || !gcf_is_full(scope) || (t->row.open && t->row.waiting > 0) ||
        scope->group_left > 0)
        return false;
    return gcf_is_member(at, end) &&
           (t->group == SLOT_NONE || !gcf_is_subheader(t, at, end));
}

/* A line after the last row. */
static bool gcf_read_surplus(gcf_reader *r, gcf_scope *scope, const text_line *line)
{
    const gcf_open_row *row = &scope->layout->row;
    bool body = row->open && row->bodies && *line->at != '@';
    bool fine = gcf_finish_row(r, scope->layout);
    scope->broken = true;
    if (fine && body && !scope->surplus) {
        scope->surplus = true;
        return gcf_bad_body(r, line);
    }
    return fine && gcf_bad_surplus(r, scope, line->at);
}

bool gcf_read_table_line(gcf_reader *r, gcf_scope *scope, const text_line *line)
{
    const char *at = line->at;
    gcf_layout *t = scope->layout;
    if (*at == '.')
        return gcf_read_attachment(r, scope, line);
    if (*at == '#' && line->end - at > 1 && at[1] == '#') {
        return read_bad(
            &r->in, at, "invalid_line",
            "expected a row: there is no object around for a section to be in");
    }
    bool numbered = *at == '@';
    if (t->row.open && t->row.waiting > 0 && !numbered)
        return gcf_read_body_line(r, t, line);
    bool grouped = t->group != SLOT_NONE;
    if (!scope->wanted.unknown && gcf_is_full(scope) && !(grouped && scope->group_left))
        return gcf_read_surplus(r, scope, line);
    if (!gcf_finish_row(r, t))
        return false;
    if (grouped && scope->group_left == 0) {
        scope->broken = !gcf_read_group(r, scope, line);
        return !scope->broken;
    }
    scope->broken = false;
    scope->group_left -= grouped ? 1 : 0;
    uint64_t index = scope->count++;
    if (numbered)
        at = gcf_read_id(r, at, line->end, index);
    if (!at || !gcf_read_row(r, scope, at, line->end, numbered)) {
        scope->broken = !t->row.open;
        return false;
    }
    return true;
}

bool gcf_read_child_line(gcf_reader *r, gcf_scope *scope, const text_line *line)
{
    if (scope->broken)
        return false;
    return *line->at == '.' ? gcf_read_attachment(r, scope, line)
                            : gcf_read_body_line(r, scope->layout, line);
}

/* -------------------------------------------------------------------- the end */

typedef struct gcf_value_pair {
    gcf_reader *reader;
    const gcf_names *names;
    const char *code;
    const char *what;
} gcf_value_pair;

static bool gcf_equal_values(void *ctx, uint32_t first, uint32_t later)
{
    assert(first < later);
    const gcf_value_pair *pair = (const gcf_value_pair *)ctx;
    gcf_reader *r = pair->reader;
    const pith_key *name = &pair->names->at[later];
    text_place place =
        report_place(r->report, read_text_offset(&r->in, pair->names->at[first].text));
    return report_bad(r->report, pair->code, read_text_offset(&r->in, name->text),
                      "duplicate %s \"%s\"; it first stands in line %zu", pair->what,
                      error_quote(name->text, name->len).text, place.line);
}

static bool gcf_check_values(gcf_reader *r, const gcf_names lists[2], const char *code,
                             const char *what)
{
    for (int i = 0; i < 2; i++) {
        gcf_value_pair pair = {r, &lists[i], code, what};
        if (lists[i].count > 1 &&
            !doc_find_equal_keys(r->doc, lists[i].at, lists[i].count, gcf_equal_values,
                                 &pair))
            return read_failed(&r->in);
    }
    return !read_stopped(&r->in);
}

bool gcf_check_table(gcf_reader *r, gcf_scope *scope)
{
    gcf_layout *t = scope->layout;
    if (!gcf_finish_row(r, t))
        return false;
    if (scope->group_left > 0) {
        read_bad(&r->in, r->last_end, "count_mismatch",
                 "the last group declares %llu more %s than it has",
                 (unsigned long long)scope->group_left,
                 read_plural("row", "rows", scope->group_left));
    }
    return !read_stopped(&r->in) &&
           gcf_check_values(r, t->ids, "duplicate_key", "identity") &&
           gcf_check_values(r, t->groups, "duplicate_group", "group");
}
