/*
 * gcf_read_row.c - cells, and rows on their way to the tape.
 *
 * This is where the time goes. A cell is looked at once: its first byte says whether
 * it may be a number or is quoted; otherwise one search, 16 bytes at a time, finds its
 * end, and if nothing but plain ASCII was met on the way, which is the rule, that is
 * all there is to know about it. A line feed is no plain ASCII, so the search may run
 * on to the end of the input and needs no care at the end of a line.
 *
 * A row in which nothing is absent or attached goes straight into its slots, as its
 * layout says. For any other row the cells are held on a stack first, and the layout's
 * steps are followed:
 *
 *     ## orders [1]{id,customer,items,total}      steps  id customer items total
 *     @0 7|^|^|9.5                                tape   { 7
 *     .customer {}                                       { 7 {...}
 *         name=Ada
 *     .items [2]: a,b                                    { 7 {...} [a b]
 *     (the next row)                                     { 7 {...} [a b] 9.5 }
 *
 * The steps stop at a cell whose attachment has not come and go on when it has. Rows
 * inside an attachment hold their cells above; nothing recurses and nothing is read
 * twice.
 *
 * Attachments may come in any order. One that comes too early is put on the tape where
 * the tape is, and the row remembers the order its children should have; when the text
 * has ended, all such rows are put right in one pass over the tape (gcf_reorder.c).
 * Doing it row by row would move the inner rows again for every row around them.
 */
#include "base/lex.h"
#include "format/gcf/gcf_read.h"

/* ---------------------------------------------------------------------- cells */

/* The first delimiter, quote, backslash, control or byte beyond ASCII; or `end`. */
static inline const char *gcf_scan_plain(const char *at, const char *end, char delimiter)
{
    return scan_to(SCAN_SET(SCAN_QUOTES | SCAN_CONTROLS | SCAN_WIDE, delimiter), at, end);
}

/* The delimiter that ends the cell at `at`, which has no white space before it; or
 * `end`. Quotes count where a value starts, and, in a table, in the names
 * of ^{a,"b|c"}. */
static const char *gcf_cell_end(const char *at, const char *end, char delimiter)
{
    if (at < end && *at == '"') {
        const char *behind = lex_skip_quoted(at, end);
        at = behind ? behind : end;
    } else if (delimiter == '|' && end - at > 1 && at[0] == '^' && at[1] == '{') {
        const char *p = at + 1;
        while (p && p < end && (*p == '{' || *p == ',')) {
            p = gcf_skip_key(p + 1, end);
        }
        at = p ? p : at;
    }
    const char *stop = (const char *)memchr(at, delimiter, (size_t)(end - at));
    return stop ? stop : end;
}

/* Any cell, with care. */
static const char *gcf_odd_cell(gcf_reader *r, const char *at, const char *end,
                                char delimiter, pith_slot *slot, bool *fine)
{
    while (at < end && *at != delimiter && gcf_is_blank(*at)) {
        at++;
    }
    const char *stop = gcf_cell_end(at, end, delimiter);
    const char *last = stop;
    while (last > at && gcf_is_blank(last[-1])) {
        last--;
    }
    if (at == last || *at != '"') {
        uint8_t flags = build_text_flags(at, (size_t)(last - at));
        *fine = gcf_sort_token(r, at, last, flags, slot) && *fine;
        return stop;
    }
    const char *behind = gcf_read_quoted(r, at, last, slot);
    if (behind && behind != last) {
        report_bad(r->report, "trailing_characters", gcf_at(r, behind),
                   "expected nothing more after the closing '\"', found '%s'",
                   error_quote(behind, (size_t)(last - behind)).text);
    }
    if (behind != last) {
        gcf_put_null(slot);
        *fine = false;
    }
    return stop;
}

/* Reads the cell at `at` into a slot; where it ends: at a delimiter or at `end`. Marks
 * are left to the caller, and so is SLOT_TAIL. */
static inline const char *gcf_read_cell(gcf_reader *r, const char *at, const char *end,
                                        char delimiter, pith_slot *slot, bool *fine)
{
    const char *limit = r->end;
    const char *stop;
    if (at == end) {
        gcf_put(slot, PITH_STRING, 0, at, 0);
        return at;
    }
    unsigned char first = (unsigned char)*at;
    if ((first == '~' || first == '-') && (at + 1 == end || at[1] == delimiter)) {
        if (first == '-') {
            gcf_put_null(slot);
        } else {
            gcf_put(slot, GCF_ABSENT, 0, at, 1);
        }
        return at + 1;
    }
    if (scan_is_digit(first) || first == '-') {
        lex_number number = lex_read_number(at, limit);
        stop = number.end;
        if (stop && (stop == end || *stop == delimiter)) {
            gcf_put(slot, number.decimal ? PITH_DECIMAL : PITH_INTEGER,
                    number.plain ? SLOT_PLAIN : 0, at, (size_t)(stop - at));
            if (!number.plain) {
                *fine = gcf_check_number(r, slot) && *fine;
            }
            return stop;
        }
    } else if (first == '"') {
        stop = scan_special(at + 1, limit);
        if (stop < end && *stop == '"' && (stop + 1 == end || stop[1] == delimiter)) {
            gcf_put(slot, PITH_STRING, 0, at + 1, (size_t)(stop - (at + 1)));
            return stop + 1;
        }
        return gcf_odd_cell(r, at, end, delimiter, slot, fine);
    }
    stop = gcf_scan_plain(at, limit, delimiter);
    stop = stop < end ? stop : end;
    if (first <= ' ' || first == '^' || (stop < end && *stop != delimiter) ||
        (stop > at && gcf_is_blank(stop[-1]))) {
        return gcf_odd_cell(r, at, end, delimiter, slot, fine);
    }
    size_t len = (size_t)(stop - at);
    if (first == 't' && len == 4 && memcmp(at, "true", 4) == 0) {
        gcf_put(slot, PITH_TRUE, 0, at, len);
    } else if (first == 'f' && len == 5 && memcmp(at, "false", 5) == 0) {
        gcf_put(slot, PITH_FALSE, 0, at, len);
    } else {
        gcf_put(slot, PITH_STRING, 0, at, len);
    }
    return stop;
}

static inline void gcf_mark_tail(const gcf_reader *r, pith_slot *slot)
{
    if (slot->kind < PITH_ARRAY) {
        slot->flags |= gcf_tail_flag(r, slot->u.text);
    }
}

bool gcf_read_value(gcf_reader *r, const char *at, const char *end, pith_slot *slot)
{
    bool fine = true;
    /* A line feed is the delimiter that no line holds. */
    gcf_read_cell(r, at, end, '\n', slot, &fine);
    fine = gcf_refuse_mark(r, slot) && fine;
    gcf_mark_tail(r, slot);
    return fine;
}

bool gcf_add_slot(gcf_reader *r, const pith_slot *slot)
{
    pith_slot *room = build_slot(r->doc);
    if (!room) {
        return read_failed(&r->in);
    }
    *room = *slot;
    build_count(r->doc);
    return true;
}

bool gcf_read_values(gcf_reader *r, pith_text text, uint64_t wanted, uint64_t *count,
                     const char **extra)
{
    const char *end = text.ptr + text.len;
    const char *p = text.ptr;
    bool fine = true;
    *count = 0;
    *extra = NULL;
    while (p < end && gcf_is_blank(*p)) {
        p++;
    }
    if (p == end) {
        return true;
    }
    while (p && !read_stopped(&r->in)) {
        if (*count == wanted) {
            *extra = p;
        }
        pith_slot *slot = build_slot(r->doc);
        if (!slot) {
            return read_failed(&r->in);
        }
        const char *stop = gcf_read_cell(r, p, end, ',', slot, &fine);
        fine = gcf_refuse_mark(r, slot) && fine;
        if (end > r->tail) {
            gcf_mark_tail(r, slot);
        }
        p = stop < end ? stop + 1 : NULL;
        build_count(r->doc);
        (*count)++;
    }
    return fine;
}

/* ----------------------------------------------------------------- plain rows */

/* The row has more or fewer cells than there are fields. */
static bool gcf_bad_width(gcf_reader *r, const gcf_layout *t, size_t found,
                          const char *at, const char *end)
{
    bool more = at < end;
    const char *extra = at;
    while (at < end) {
        at++; /* the delimiter */
        while (at < end && gcf_is_blank(*at)) {
            at++;
        }
        at = gcf_cell_end(at, end, '|');
        found++;
    }
    report_bad(r->report, t->schema ? "inline_width_mismatch" : "row_width_mismatch",
               gcf_at(r, more ? extra : end), "expected %zu %s, found %zu", t->width,
               read_plural(t->schema ? "value" : "cell", t->schema ? "values" : "cells",
                           t->width),
               found);
    return false;
}

/* Reads the cells into slots that `place` gives, from `base` on. */
static inline bool gcf_read_cells(gcf_reader *r, const gcf_layout *t, const char *at,
                                  const char *end, pith_slot *base, bool *fine)
{
    const uint32_t *place = t->place;
    size_t width = t->width;
    const char *p = at;
    for (size_t c = 0;;) {
        p = gcf_read_cell(r, p, end, '|', base + place[c], fine);
        c++;
        if (c == width) {
            break;
        }
        if (p == end) {
            return gcf_bad_width(r, t, c, p, end);
        }
        p++;
    }
    if (p != end) {
        return gcf_bad_width(r, t, width, p, end);
    }
    if (end > r->tail) {
        for (size_t c = 0; c < width; c++) {
            gcf_mark_tail(r, base + place[c]);
        }
    }
    return true;
}

/* True when some cell is a mark, or null where it may mean that an object is. */
static inline bool gcf_has_odd_cells(const gcf_layout *t, const pith_slot *base)
{
    bool odd = false;
    for (size_t c = 0; c < t->width; c++) {
        const pith_slot *slot = base + t->place[c];
        odd |= slot->kind >= GCF_ABSENT;
        odd |= t->paths && slot->kind == PITH_NULL && t->fields[t->cells[c]].path;
    }
    return odd;
}

/* Completes a row whose cells are in their slots behind the last one of the tape. */
static void gcf_stamp_row(gcf_reader *r, const gcf_layout *t)
{
    gcf_put_stamps(r->doc, t->stamps.at, t->stamps.count);
    r->doc->count += t->slots;
    build_count(r->doc);
}

static bool gcf_row_room(gcf_reader *r, const gcf_layout *t)
{
    pith_doc *doc = r->doc;
    return doc->cap - doc->count > t->slots || doc_reserve(doc, t->slots + 1) ||
           read_failed(&r->in);
}

bool gcf_read_body(gcf_reader *r, const gcf_layout *schema, const char *at,
                   const char *end)
{
    pith_doc *doc = r->doc;
    bool fine = true;
    if (doc->depth >= doc->depth_max) {
        return read_built(&r->in, BUILD_TOO_DEEP, at);
    }
    if (!gcf_row_room(r, schema)) {
        return false;
    }
    pith_slot *base = doc->slots + doc->count;
    if (!gcf_read_cells(r, schema, at, end, base, &fine)) {
        return false;
    }
    for (size_t c = 0; c < schema->width; c++) {
        fine = gcf_refuse_mark(r, base + schema->place[c]) && fine;
    }
    gcf_stamp_row(r, schema);
    return fine;
}

/* ------------------------------------------------------------------- any rows */

static bool gcf_hold(gcf_reader *r, size_t count)
{
    if (!LIST_RESERVE(&r->held, &r->doc->alloc, count)) {
        return read_failed(&r->in);
    }
    r->held.count += count;
    return true;
}

/* The key of a member, from the first cell of its row, which is at `at`. */
static bool gcf_member_key(gcf_reader *r, pith_slot *cell, const char *at)
{
    if (!gcf_refuse_mark(r, cell)) {
        return false;
    }
    if (cell->kind != PITH_STRING) {
        /* The text of a null is not in the input. */
        pith_text found =
            cell->kind == PITH_NULL ? text_of("-", 1) : text_of(cell->u.text, cell->n);
        report_bad(r->report, "invalid_key", gcf_at(r, at),
                   "expected a text as the key of a member; write \"%s\" in quotes",
                   error_quote(found.ptr, found.len).text);
        return false;
    }
    pith_key key = {cell->u.text, cell->n, cell->flags, 0};
    return gcf_add_key(r, &key);
}

static bool gcf_refuse_cell(gcf_reader *r, pith_slot *cell, const char *code,
                            const char *sentence)
{
    report_bad(r->report, code, gcf_at(r, cell->u.text), "%s", sentence);
    gcf_put_null(cell);
    return false;
}

/* ^{a,b,c}: declares the layout of the bodies of a field. */
static bool gcf_learn_schema(gcf_reader *r, gcf_layout *t, gcf_field *field,
                             pith_slot *cell)
{
    gcf_layout *schema = gcf_read_schema(r, cell);
    if (!schema) {
        gcf_put_null(cell);
        return false;
    }
    if (field->schema) {
        gcf_layout_drop(r, field->schema);
    } else {
        t->learned++;
    }
    field->schema = schema;
    return true;
}

/* Looks at a cell that holds a mark other than ~. */
static bool gcf_check_mark(gcf_reader *r, gcf_scope *scope, size_t number, bool numbered)
{
    gcf_layout *t = scope->layout;
    gcf_field *field = &t->fields[t->cells[number]];
    pith_slot *cell = &r->held.at[scope->held + number];
    if (field->path) {
        return gcf_refuse_cell(r, cell, "invalid_attachment_marker",
                               "a column with > in its name has no attachments");
    }
    if (t->group != SLOT_NONE) {
        return gcf_refuse_cell(r, cell, "invalid_group_header",
                               "a table with groups has no attachments");
    }
    if (!numbered) {
        report_bad(r->report, "invalid_item_id", gcf_at(r, cell->u.text),
                   "expected @%llu before a row with attachments",
                   (unsigned long long)(scope->count - 1)); /* this row is counted */
    }
    if (cell->kind == GCF_SCHEMA && !gcf_learn_schema(r, t, field, cell)) {
        return false;
    }
    scope->waiting += field->schema != NULL;
    return numbered;
}

/* Looks at the marks of a row that is held; says whether nothing is absent in it. */
static bool gcf_check_marks(gcf_reader *r, gcf_scope *scope, bool numbered, bool *full)
{
    const gcf_layout *t = scope->layout;
    bool fine = true;
    *full = true;
    scope->waiting = 0;
    for (size_t c = t->keyed ? 1 : 0; c < t->width && !read_stopped(&r->in); c++) {
        pith_slot *cell = &r->held.at[scope->held + c];
        if (cell->kind == GCF_ABSENT) {
            *full = false;
        } else if (cell->kind > GCF_ABSENT) {
            fine = gcf_check_mark(r, scope, c, numbered) && fine;
        }
    }
    scope->bodies = scope->waiting > 0;
    return fine && !read_stopped(&r->in);
}

/* Finds out for each object of a path what its leaves hold; false in `*full` when it
 * is not there or null. The steps are gone through backwards, so that the inner ones
 * are known first. */
static void gcf_weigh_objects(gcf_reader *r, const gcf_scope *scope, bool *full)
{
    const gcf_layout *t = scope->layout;
    pith_slot *cells = &r->held.at[scope->held];
    pith_slot *objects = cells + t->width;
    memset(objects, 0, t->objects * sizeof *objects);
    for (size_t i = t->steps.count; i-- > 0;) {
        const gcf_step *step = &t->steps.at[i];
        unsigned leaf = 0;
        if (step->kind == GCF_STEP_OPEN) {
            leaf = objects[step->number].kind;
            *full = *full && leaf != GCF_LEAF_NULL;
        } else if (step->kind == GCF_STEP_VALUE && step->inside != SLOT_NONE) {
            unsigned kind = cells[t->fields[step->field].cell].kind;
            leaf = kind == GCF_ABSENT  ? GCF_LEAF_ABSENT
                   : kind == PITH_NULL ? GCF_LEAF_NULL
                                       : GCF_LEAF_VALUE;
        }
        if (step->inside != SLOT_NONE) {
            objects[step->inside].kind |= (uint8_t)leaf;
        }
    }
}

/* Opens a row whose cells are held, and puts on the tape what can be. */
static bool gcf_open_row(gcf_reader *r, gcf_scope *scope, const char *at, bool full)
{
    pith_doc *doc = r->doc;
    const gcf_layout *t = scope->layout;
    uint16_t none = r->careful ? (uint16_t)SHAPE_NONE : (uint16_t)SHAPE_EMPTY;
    scope->shaped = full && t->shape != SHAPE_NONE && !r->careful;
    scope->row = (uint32_t)doc->count;
    uint16_t shape = scope->shaped ? t->shape : none;
    if (!read_built(&r->in, build_open_shaped(doc, PITH_OBJECT, shape), at)) {
        return false;
    }
    scope->open = true;
    scope->moved = false;
    scope->step = 0;
    scope->body = 0;
    scope->order = r->order.count;
    scope->extras = r->extras.count;
    return gcf_emit(r, scope);
}

static bool gcf_start_row(gcf_reader *r, gcf_scope *scope, const char *at, bool numbered)
{
    const gcf_layout *t = scope->layout;
    bool full;
    bool fine = gcf_check_marks(r, scope, numbered, &full);
    if (read_stopped(&r->in)) {
        return false;
    }
    if (t->objects > 0) {
        gcf_weigh_objects(r, scope, &full);
    }
    if (t->keyed && !gcf_member_key(r, &r->held.at[scope->held], at)) {
        return false;
    }
    return gcf_open_row(r, scope, at, full) && fine;
}

/* The row as it was read, from its slots to the stack. */
static bool gcf_hold_row(gcf_reader *r, gcf_scope *scope)
{
    const gcf_layout *t = scope->layout;
    scope->held = r->held.count;
    if (!gcf_hold(r, t->width + t->objects)) {
        return false;
    }
    const pith_slot *base = r->doc->slots + r->doc->count;
    for (size_t c = 0; c < t->width; c++) {
        r->held.at[scope->held + c] = base[t->place[c]];
    }
    return true;
}

/* The identity of a row, to be compared with the others when the table ends. */
static bool gcf_note_identity(gcf_reader *r, gcf_layout *t, pith_slot *base,
                              const char *at)
{
    pith_slot *id = &base[t->place[t->fields[t->identity].cell]];
    if (id->kind != PITH_NULL && id->kind < GCF_ABSENT) {
        return gcf_add_value_name(r, t->ids, id, at);
    }
    report_bad(r->report,
               t->group != SLOT_NONE ? "invalid_group_header" : "invalid_missing",
               gcf_at(r, at), "expected a value for the field marked with @");
    return false;
}

/* A row that has a number, or lacks something, or is too deep: step by step. */
static bool gcf_read_odd_row(gcf_reader *r, gcf_scope *scope, const char *at,
                             bool numbered)
{
    if (!gcf_hold_row(r, scope)) {
        return false;
    }
    bool fine = gcf_start_row(r, scope, at, numbered);
    if (!scope->open) {
        r->held.count = scope->held;
        return false;
    }
    bool waits = numbered || scope->step < scope->layout->steps.count;
    return waits ? fine : gcf_finish_row(r, scope) && fine;
}

/* A row without a number that lacks something. Mostly others have lacked the same. */
static bool gcf_read_sparse_row(gcf_reader *r, gcf_scope *scope, const char *at)
{
    const gcf_layout *t = scope->layout;
    const pith_slot *base = r->doc->slots + r->doc->count;
    gcf_pattern pattern;
    if (r->careful || !gcf_find_pattern(t, base, &pattern)) {
        return gcf_read_odd_row(r, scope, at, false);
    }
    if (gcf_put_sparse(r, t, &pattern)) {
        return true;
    }
    bool fine = gcf_read_odd_row(r, scope, at, false);
    if (fine) {
        gcf_learn_sparse(r, scope, &pattern);
    }
    return fine;
}

bool gcf_read_row(gcf_reader *r, gcf_scope *scope, const char *at, const char *end,
                  bool numbered)
{
    pith_doc *doc = r->doc;
    gcf_layout *t = scope->layout;
    bool fine = true;
    scope->bodies = false;
    if (!gcf_row_room(r, t)) {
        return false;
    }
    pith_slot *base = doc->slots + doc->count;
    if (!gcf_read_cells(r, t, at, end, base, &fine) || read_stopped(&r->in)) {
        return false;
    }
    if (fine && t->identity != SLOT_NONE && !gcf_note_identity(r, t, base, at)) {
        return false;
    }
    if (t->group != SLOT_NONE) {
        base[t->group_at] = scope->group_value;
    }
    if (numbered || t->levels > doc->depth_max - doc->depth) {
        return gcf_read_odd_row(r, scope, at, numbered) && fine;
    }
    if (gcf_has_odd_cells(t, base)) {
        return gcf_read_sparse_row(r, scope, at) && fine;
    }
    if (t->keyed && !gcf_member_key(r, base + t->slots, at)) {
        return false;
    }
    gcf_stamp_row(r, t);
    return fine;
}

/* ---------------------------------------------------------------------- steps */

/* The slot of the next child of a row that has to be put in order. */
static bool gcf_note_order(gcf_reader *r, uint32_t slot)
{
    uint32_t *next = LIST_ADD(&r->order, &r->doc->alloc);
    if (!next) {
        return read_failed(&r->in);
    }
    *next = slot;
    return true;
}

/* Adds the key of a step to the innermost object. Rows that lack the same cells go
 * from shape to shape in the same way, so the last way is remembered. */
static inline bool gcf_step_key(gcf_reader *r, gcf_step *step)
{
    pith_slot *object = &r->doc->slots[r->doc->open];
    uint16_t from = object->shape;
    if (from != SHAPE_NONE && from == step->from) {
        object->shape = step->to;
        return true;
    }
    if (!gcf_add_key(r, &step->key)) {
        return false;
    }
    uint16_t to = r->doc->slots[r->doc->open].shape;
    step->from = to == SHAPE_NONE ? (uint16_t)SHAPE_NONE : from;
    step->to = to;
    return true;
}

/* The next child of the row, at the end of the tape, gets its key and its place. */
static bool gcf_next_child(gcf_reader *r, const gcf_scope *scope, gcf_step *step,
                           uint32_t slot)
{
    if (!scope->shaped && !gcf_step_key(r, step)) {
        return false;
    }
    return !scope->moved || step->inside != SLOT_NONE || gcf_note_order(r, slot);
}

/* A step to a value; true in `*wait` when its attachment has not come. */
static bool gcf_emit_value(gcf_reader *r, gcf_scope *scope, gcf_step *step, bool *wait)
{
    const gcf_field *field = &scope->layout->fields[step->field];
    const pith_slot *slot = &r->held.at[scope->held + field->cell];
    if (field->role == GCF_FIXED) {
        slot = &field->fixed;
    } else if (field->role == GCF_GROUPED) {
        slot = &scope->group_value;
    } else if (slot->kind == GCF_MARK || slot->kind == GCF_SCHEMA) {
        *wait = true;
        return true;
    } else if (slot->kind == GCF_ABSENT || slot->kind == GCF_FILLED) {
        return true;
    } else if (slot->kind == GCF_MOVED) {
        return gcf_next_child(r, scope, step, slot->n);
    }
    return gcf_next_child(r, scope, step, (uint32_t)r->doc->count) &&
           gcf_add_slot(r, slot);
}

/* A step to an object of a path: absent, null, or there. */
static bool gcf_emit_object(gcf_reader *r, gcf_scope *scope, gcf_step *step)
{
    const gcf_layout *t = scope->layout;
    unsigned leaves = r->held.at[scope->held + t->width + step->number].kind;
    pith_slot null;
    if (leaves == GCF_LEAF_ABSENT) {
        scope->step = step->end;
        return true;
    }
    if (!gcf_next_child(r, scope, step, (uint32_t)r->doc->count)) {
        return false;
    }
    if (leaves == GCF_LEAF_NULL) {
        scope->step = step->end;
        gcf_put_null(&null);
        return gcf_add_slot(r, &null);
    }
    uint16_t shape = scope->shaped ? step->shape : (uint16_t)SHAPE_EMPTY;
    return read_built(&r->in, build_open_shaped(r->doc, PITH_OBJECT, shape), r->last_end);
}

bool gcf_emit(gcf_reader *r, gcf_scope *scope)
{
    const gcf_layout *t = scope->layout;
    while (scope->step < t->steps.count) {
        gcf_step *step = &t->steps.at[scope->step];
        bool wait = false;
        bool fine = false;
        switch (step->kind) {
        case GCF_STEP_VALUE:
            fine = gcf_emit_value(r, scope, step, &wait);
            break;
        case GCF_STEP_OPEN:
            fine = gcf_emit_object(r, scope, step);
            break;
        case GCF_STEP_CLOSE:
            fine = read_built(&r->in, build_close(r->doc), r->last_end);
            break;
        }
        if (!fine || wait) {
            return fine;
        }
        scope->step++;
    }
    return true;
}

/* ---------------------------------------------------------------- attachments */

/* From here on the order of the row's children is written down. */
static bool gcf_start_order(gcf_reader *r, gcf_scope *scope)
{
    if (scope->moved) {
        return true;
    }
    scope->moved = true;
    uint32_t at = scope->row + 1;
    for (uint32_t n = r->doc->slots[scope->row].n; n > 0; n--) {
        if (!gcf_note_order(r, at)) {
            return false;
        }
        at = doc_behind(r->doc, at);
    }
    return true;
}

static bool gcf_place_extra(gcf_reader *r, gcf_scope *scope, const pith_key *key)
{
    uint32_t slot = (uint32_t)r->doc->count;
    if (scope->step == scope->layout->steps.count) {
        return gcf_add_key(r, key) && (!scope->moved || gcf_note_order(r, slot));
    }
    /* Such fields stand last, so this one has come too early. */
    if (!gcf_start_order(r, scope)) {
        return false;
    }
    gcf_extra *extra = LIST_ADD(&r->extras, &r->doc->alloc);
    if (!extra) {
        return read_failed(&r->in);
    }
    extra->key = *key;
    extra->slot = slot;
    return true;
}

bool gcf_place_attachment(gcf_reader *r, gcf_scope *scope, uint32_t cell,
                          const pith_key *key)
{
    const gcf_layout *t = scope->layout;
    if (cell == SLOT_NONE) {
        return gcf_place_extra(r, scope, key);
    }
    pith_slot *held = &r->held.at[scope->held + cell];
    gcf_step *step = &t->steps.at[scope->step];
    scope->waiting -= t->fields[t->cells[cell]].schema != NULL;
    if (step->field == t->cells[cell]) {
        held->kind = GCF_FILLED;
        scope->step++;
        return gcf_next_child(r, scope, step, (uint32_t)r->doc->count);
    }
    held->kind = GCF_MOVED;
    held->n = (uint32_t)r->doc->count;
    return gcf_start_order(r, scope);
}

/* The attachment of the cell the steps wait for never came. */
static bool gcf_miss_attachment(gcf_reader *r, gcf_scope *scope)
{
    const gcf_layout *t = scope->layout;
    uint32_t number = t->steps.at[scope->step].field;
    const pith_key *name = &t->names.at[number];
    pith_slot *cell = &r->held.at[scope->held + t->fields[number].cell];
    report_bad(r->report, "missing_attachment", gcf_at(r, cell->u.text),
               "expected an attachment for \"%s\" behind this row, found none",
               error_quote(name->text, name->len).text);
    gcf_put_null(cell);
    return !read_stopped(&r->in);
}

/* Fields with > in their name that had come too early go last. */
static bool gcf_add_extras(gcf_reader *r, const gcf_scope *scope)
{
    for (size_t i = scope->extras; i < r->extras.count; i++) {
        if (!gcf_add_key(r, &r->extras.at[i].key) ||
            !gcf_note_order(r, r->extras.at[i].slot)) {
            return false;
        }
    }
    r->extras.count = scope->extras;
    return true;
}

/* Leaves word, in the row's slot, that its children are out of order. */
static bool gcf_remember_order(gcf_reader *r, const gcf_scope *scope)
{
    size_t count = r->order.count - scope->order;
    uint32_t *slots =
        (uint32_t *)arena_take_aligned(&r->doc->arena, count * sizeof *slots);
    gcf_moved_row *row = slots ? LIST_ADD(&r->moved, &r->doc->alloc) : NULL;
    if (!row) {
        return read_failed(&r->in);
    }
    memcpy(slots, r->order.at + scope->order, count * sizeof *slots);
    r->order.count = scope->order;
    row->count = (uint32_t)count;
    row->slots = slots;
    r->doc->slots[scope->row].flags = GCF_ROW_MOVED;
    r->doc->slots[scope->row].n = (uint32_t)(r->moved.count - 1);
    return true;
}

bool gcf_finish_row(gcf_reader *r, gcf_scope *scope)
{
    if (!scope->open) {
        return true;
    }
    bool fine = gcf_emit(r, scope);
    while (fine && scope->step < scope->layout->steps.count) {
        fine = gcf_miss_attachment(r, scope) && gcf_emit(r, scope);
    }
    fine = fine && gcf_add_extras(r, scope) &&
           read_close(&r->in, "duplicate_attachment", "duplicate attachment") &&
           (!scope->moved || gcf_remember_order(r, scope));
    scope->open = false;
    r->held.count = scope->held;
    return fine;
}
