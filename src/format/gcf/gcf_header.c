/*
 * gcf_header.c - headers taken apart: counts, fields, schemas.
 *
 *     ## orders [2]{id,"customer>name",region=eu} group=region
 *               count  fields                     clause
 *
 * The same brackets are after ## and a name, after the number of an item and
 * after the name of an attachment; what is allowed in them differs (GCF_MAY_LIST,
 * GCF_MAY_FIX). What the fields mean for the rows is worked out in gcf_layout.c.
 */
#include "base/lex.h"
#include "format/gcf/gcf_read.h"

#include <assert.h>

/* --------------------------------------------------------------------- fields */

/* True for names such as a>b whose parts are all there. */
static bool gcf_is_path(const pith_key *name)
{
    size_t part = 0;
    bool cut = false;
    for (size_t i = 0; i < name->len; i++) {
        if (name->text[i] != '>') {
            part++;
        } else if (part == 0) {
            return false;
        } else {
            part = 0;
            cut = true;
        }
    }
    return cut && part > 0;
}

static bool gcf_add_field(gcf_reader *r, gcf_layout *t, const char *at, pith_key name)
{
    gcf_field *field = LIST_ADD(&t->fields, &r->doc->alloc);
    if (!field)
        return read_failed(&r->in);
    memset(field, 0, sizeof *field);
    field->at = at;
    field->role = t->keyed && t->fields.count == 1 ? GCF_KEY : GCF_CELL;
    field->path =
        !t->schema && field->role == GCF_CELL && *at == '"' && gcf_is_path(&name);
    t->paths = t->paths || field->path;
    return names_add(&t->names, &name) || read_failed(&r->in);
}

bool gcf_read_fixed(gcf_reader *r, const char *at, const char *end, pith_slot *slot)
{
    at = gcf_skip_blanks(at, end);
    end = gcf_trim_end(at, end);
    if (at == end) {
        return read_bad(&r->in, at, "invalid_const_value",
                        "expected a value after '='; the empty text is \"\"");
    }
    if (*at == '"')
        return gcf_read_value(r, at, end, slot);
    uint8_t flags = build_text_flags(at, (size_t)(end - at));
    if (!gcf_sort_token(r, at, end, flags, slot))
        return false;
    return slot->kind < GCF_ABSENT ||
           read_bad(&r->in, at, "invalid_const_value",
                    "expected a value: ~ and ^ are marks for cells of rows");
}

/* The end of the value of name=value in a header. */
static const char *gcf_fixed_end(const char *at, const char *end)
{
    bool mark = end - at > 1 && at[0] == '^' && at[1] == '{';
    if (at < end && *at == '"') {
        const char *after = lex_skip_quoted(at, end);
        at = after ? after : end;
    }
    while (at < end && *at != ',' && *at != '}')
        at++;
    /* ^{a} is no value; it is taken whole so that it can be called by its name. */
    return mark && end - at > 1 && *at == '}' && (at[1] == '}' || at[1] == ',') ? at + 1
                                                                                : at;
}

/* The value of the field read last, from `at` on; what is after it, or NULL. */
static const char *gcf_fix_field(gcf_reader *r, gcf_layout *t, const char *at,
                                 const char *end, unsigned may)
{
    assert(t->fields.count > 0);
    gcf_field *field = &t->fields.at[t->fields.count - 1];
    const char *stop = gcf_fixed_end(at, end);
    if (!(may & GCF_MAY_FIX) || field->path || t->keyed) {
        read_bad(&r->in, field->at, "invalid_const_value",
                 "only a plain column of a table that is no attachment, no item and "
                 "not keyed can be constant");
        return NULL;
    }
    if (!gcf_read_fixed(r, at, stop, &field->fixed))
        return NULL;
    field->role = GCF_FIXED;
    return stop;
}

/* One field at `at`; what is after it, or NULL. */
static const char *gcf_read_field(gcf_reader *r, gcf_layout *t, const char *at,
                                  const char *end, unsigned may)
{
    pith_key name;
    bool identity = at < end && *at == '@' && (may & GCF_MAY_FIX);
    const char *name_at = at + (identity ? 1 : 0);
    const char *p = gcf_read_key(r, name_at, end, &name);
    if (!p || !gcf_add_field(r, t, name_at, name))
        return NULL;
    if (identity) {
        if (t->identity != SLOT_NONE) {
            read_bad(&r->in, at, "invalid_header",
                     "expected one field marked with @, found another");
            return NULL;
        }
        t->identity = (uint32_t)(t->fields.count - 1);
    }
    return p < end && *p == '=' && !t->schema ? gcf_fix_field(r, t, p + 1, end, may) : p;
}

/* The fields between the braces, the first of which is at `at`; what is after the
 * closing one, or NULL. */
static const char *gcf_read_fields(gcf_reader *r, gcf_layout *t, const char *at,
                                   const char *end, unsigned may)
{
    for (;;) {
        at = gcf_read_field(r, t, at + 1, end, may);
        if (!at)
            return NULL;
        if (at < end && *at == '}')
            return at + 1;
        if (at == end || *at != ',') {
            bool bare = at[-1] != '"';
            read_bad(&r->in, at, bare && at < end ? "invalid_key" : "invalid_header",
                     bare && at < end
                         ? "expected ',' or '}': other characters need a name in quotes"
                         : "expected ',' or '}' after the name of a field");
            return NULL;
        }
    }
}

/* Where rows are read one by one, the texts of the header must outlive it. */
static bool gcf_keep_fields(gcf_reader *r, gcf_layout *t)
{
    bool kept = true;
    for (size_t i = 0; i < t->fields.count && kept; i++) {
        pith_key *name = &t->names.keys.at[i];
        pith_slot *fixed = &t->fields.at[i].fixed;
        kept = gcf_keep_text(r, t, &name->text, name->len, &name->flags) &&
               (t->fields.at[i].role != GCF_FIXED ||
                gcf_keep_text(r, t, &fixed->u.text, fixed->n, &fixed->flags));
    }
    return kept;
}

/* What only the whole list of fields can tell, and its plan. */
static bool gcf_end_fields(gcf_reader *r, gcf_layout *t)
{
    return read_check_keys(&r->in, t->names.keys.at, t->fields.count, true,
                           "duplicate_field_name", "duplicate field") &&
           (!r->rows || gcf_keep_fields(r, t)) && gcf_layout_plan(r, t);
}

/* ---------------------------------------------------------------------- heads */

/* The field of ` group=field` after the fields; what is after it, or NULL. */
static const char *gcf_read_group_clause(gcf_reader *r, gcf_layout *t,
                                         const char *name_at, const char *end)
{
    pith_key name;
    const char *after = gcf_read_key(r, name_at, end, &name);
    if (!after || !gcf_find_name(r, &t->names, &name, SLOT_NONE, &t->group))
        return NULL;
    const char *wrong = NULL;
    if (t->identity == SLOT_NONE)
        wrong = "expected a field marked with @ in a table with groups";
    else if (t->group == SLOT_NONE)
        wrong = "expected the name of a field of this table";
    else if (t->group == t->identity)
        wrong = "expected another field than the one marked with @";
    else if (t->fields.at[t->group].role != GCF_CELL || t->fields.at[t->group].path)
        wrong = "expected a plain column";
    if (wrong) {
        t->group = SLOT_NONE;
        read_bad(&r->in, name_at, "invalid_group_header", "%s", wrong);
        return NULL;
    }
    t->fields.at[t->group].role = GCF_GROUPED;
    return after;
}

/* Keeps the names of a table whose key is marked for those who read an answer. */
static bool gcf_note_fields(gcf_reader *r, const name_list *names)
{
    gcf_answer *answer = r->answer;
    size_t bytes = names->keys.count * sizeof *names->keys.at;
    pith_key *list = (pith_key *)arena_take_aligned(&r->doc->arena, bytes);
    if (!list)
        return read_failed(&r->in);
    memcpy(list, names->keys.at, bytes);
    if (answer->table_count < GCF_ANSWER_TABLES) {
        answer->tables[answer->table_count].fields = list;
        answer->tables[answer->table_count].count = names->keys.count;
    }
    answer->table_count++;
    return true;
}

static bool gcf_check_fields(gcf_reader *r, const gcf_layout *t, const char *at)
{
    if (t->keyed && t->fields.count < 2) {
        return read_bad(&r->in, at, "keyed_map",
                        "a keyed table has at least two fields: the key and a value");
    }
    size_t bare = 0;
    for (size_t i = 0; i < t->fields.count; i++)
        bare += t->fields.at[i].role == GCF_CELL;
    if (bare == 0) {
        return read_bad(&r->in, at, "no_bare_column",
                        "expected at least one column that rows have a cell for");
    }
    if (t->identity == SLOT_NONE && r->answer && r->answer->delta) {
        return read_bad(&r->in, at, "malformed_delta",
                        "expected the field that key= names, marked with @");
    }
    if (t->identity == SLOT_NONE || t->group != SLOT_NONE)
        return true;
    const pith_key *name = &t->names.keys.at[t->identity];
    if (!text_equal(key_text(name), r->identity)) {
        return read_bad(&r->in, t->fields.at[t->identity].at - 1, "invalid_key",
                        "a field marked with @ must be the one that key= in the first "
                        "line names, or have group= after the fields");
    }
    if (t->fields.at[t->identity].role == GCF_FIXED) {
        return read_bad(&r->in, t->fields.at[t->identity].at, "invalid_const_value",
                        "an identity cannot be constant");
    }
    return !r->answer || gcf_note_fields(r, &t->names);
}

/* True when the fields at `at` are these, letter by letter. */
static bool gcf_is_declared(const gcf_layout *t, bool keyed, const char *at,
                            const char *end)
{
    return t->keyed == keyed && t->declared.len <= (size_t)(end - at) &&
           memcmp(at, t->declared.ptr, t->declared.len) == 0;
}

/* {fields}, and what may be after them. */
static const char *gcf_read_layout(gcf_reader *r, const char *at, const char *end,
                                   unsigned may, gcf_head *head)
{
    static const char clause[] = " group=";
    if (head->known && gcf_is_declared(head->known, head->keyed, at, end)) {
        head->layout = head->known;
        return at + head->known->declared.len;
    }
    gcf_layout *t = gcf_layout_new(r);
    if (!t)
        return NULL;
    head->layout = t;
    t->keyed = head->keyed;
    const char *after = gcf_read_fields(r, t, at, end, may);
    if (after && (may & GCF_MAY_FIX) && !t->keyed &&
        end - after >= (ptrdiff_t)sizeof clause &&
        memcmp(after, clause, sizeof clause - 1) == 0)
        after = gcf_read_group_clause(r, t, after + sizeof clause - 1, end);
    if (!after || !gcf_check_fields(r, t, at) || !gcf_end_fields(r, t))
        return NULL;
    uint8_t none = 0;
    t->declared = text_between(at, after);
    return gcf_keep_text(r, t, &t->declared.ptr, t->declared.len, &none) ? after : NULL;
}

bool gcf_read_count(gcf_reader *r, const char *at, const char *end, gcf_count *count)
{
    memset(count, 0, sizeof *count);
    count->digits = text_between(at, end);
    if (text_is(count->digits, "?")) {
        count->deferred = true;
        return true;
    }
    if (at < end && (*at != '0' || end - at == 1) && scan_digits(at, end) == end) {
        count->value = read_count(count->digits);
        return true;
    }
    count->unknown = true;
    return read_bad(&r->in, at, "invalid_count",
                    "expected 0, a number that does not start with 0, or ?, found '%s'",
                    error_quote(at, (size_t)(end - at)).text);
}

/* [N] or [N:]; what is after it, or NULL. An ill-formed count is reported and then
 * forgotten, so that what follows can be looked at too. */
static const char *gcf_read_bracket(gcf_reader *r, const char *at, const char *end,
                                    gcf_head *head)
{
    const char *close = at; /* not far away */
    while (close < end && *close != ']')
        close++;
    if (close == end) {
        read_bad(&r->in, at, "invalid_header", "expected [N] with its closing bracket");
        return NULL;
    }
    head->keyed = close[-1] == ':';
    gcf_read_count(r, at + 1, close - (head->keyed ? 1 : 0), &head->count);
    if (read_stopped(&r->in))
        return NULL;
    if (head->keyed && !head->count.deferred && !head->count.unknown &&
        head->count.value == 0) {
        read_bad(&r->in, at, "keyed_map",
                 "a keyed table with a zero count: an empty object has no table");
        return NULL;
    }
    return close + 1;
}

bool gcf_read_head(gcf_reader *r, const char *at, const char *end, unsigned may,
                   gcf_layout *known, gcf_head *head)
{
    *head = (gcf_head){.at = at, .known = known};
    const char *p = gcf_read_bracket(r, at, end, head);
    if (p && p < end && *p == '{') {
        p = gcf_read_layout(r, p, end, may, head);
    } else if (p && head->keyed) {
        return read_bad(&r->in, p, "keyed_map",
                        "expected {key,field} with at least two fields after [N:]");
    } else if (p && p < end && *p == ':' && (may & GCF_MAY_LIST)) {
        if (p + 1 < end && p[1] != ' ') {
            return read_bad(&r->in, p + 1, "invalid_header",
                            "expected a space between ':' and the values");
        }
        head->values = true;
        head->rest = text_between(p + 1, end);
        p = end;
    }
    if (!p || p == end)
        return p != NULL;
    bool list = *p == ':' && !head->layout;
    return read_bad(&r->in, p, "invalid_header",
                    list ? "expected name[N]: values in a line of its own, without ##"
                         : "expected nothing more in this line");
}

/* -------------------------------------------------------------------- schemas */

/* True for {name,name} and nothing more. */
static bool gcf_is_declaration(const char *at, const char *end)
{
    while (at && at < end && (*at == '{' || *at == ','))
        at = gcf_skip_key(at + 1, end);
    return at && end - at == 1 && *at == '}';
}

gcf_layout *gcf_read_schema(gcf_reader *r, const pith_slot *cell)
{
    const char *at = cell->u.text + 1;
    const char *end = cell->u.text + cell->n;
    if (!gcf_is_declaration(at, end)) {
        read_bad(&r->in, at, "invalid_attachment_marker",
                 "expected ^{name,name}: the names of the fields of the body");
        return NULL;
    }
    gcf_layout *t = gcf_layout_new(r);
    if (!t)
        return NULL;
    t->schema = true;
    return gcf_read_fields(r, t, at, end, 0) && gcf_end_fields(r, t) ? t : NULL;
}
