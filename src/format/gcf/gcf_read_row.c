/*
 * gcf_read_row.c - cells, and rows without attachments.
 *
 * The cells of a row are read into their places after the last slot of the tape, as its
 * layout says; then the template is put over them. A row that lacks cells has a template
 * too, if others lacked the same. Any other row goes to gcf_open_row.c.
 */
#include "base/lex.h"
#include "format/cell.h"
#include "format/gcf/gcf_read.h"

#include <assert.h>

/* ---------------------------------------------------------------------- cells */

/* The delimiter that ends the cell at `at`, which has no white space before it; or
 * `end`. Quotes count where a value starts, and, in a table, in the names
 * of ^{a,"b|c"}. */
static const char *gcf_cell_end(const char *at, const char *end, char delimiter)
{
    assert(at <= end);
    if (at < end && *at == '"') {
        const char *after = lex_skip_quoted(at, end);
        at = after ? after : end;
    } else if (delimiter == '|' && end - at > 1 && at[0] == '^' && at[1] == '{') {
        const char *p = at + 1;
        while (p && p < end && (*p == '{' || *p == ','))
            p = gcf_skip_key(p + 1, end);
        at = p ? p : at;
    }
    const char *stop = (const char *)memchr(at, delimiter, (size_t)(end - at));
    return stop ? stop : end;
}

/* Any cell, with care. */
static NEVER_INLINE const char *gcf_odd_cell(gcf_reader *r, const char *at,
                                             const char *end, char delimiter,
                                             pith_slot *slot, bool *fine)
{
    while (at < end && *at != delimiter && gcf_is_blank(*at))
        at++;
    const char *stop = gcf_cell_end(at, end, delimiter);
    const char *last = gcf_trim_end(at, stop);
    if (at == last || *at != '"') {
        uint8_t flags = build_text_flags(at, (size_t)(last - at));
        *fine = gcf_sort_token(r, at, last, flags, slot) && *fine;
        return stop;
    }
    const char *after = gcf_read_quoted(r, at, last, slot);
    if (after && after != last) {
        read_bad(&r->in, after, "trailing_characters",
                 "expected nothing more after the closing '\"', found '%s'",
                 error_quote(after, (size_t)(last - after)).text);
    }
    if (after != last) {
        slot_set_word(slot, PITH_NULL);
        *fine = false;
    }
    return stop;
}

/* Reads the cell at `at` into a slot; where it ends: at a delimiter or at `end`. Marks
 * are left to the caller, and so is SLOT_NEAR_END. */
static inline const char *gcf_read_cell(gcf_reader *r, const char *at, const char *end,
                                        char delimiter, pith_slot *slot, bool *fine)
{
    if (at == end) {
        slot_set(slot, PITH_STRING, 0, at, 0);
        return at;
    }
    unsigned char first = (unsigned char)*at;
    if ((first == '~' || first == '-') && (at + 1 == end || at[1] == delimiter)) {
        if (first == '-')
            slot_set_word(slot, PITH_NULL);
        else
            gcf_put_mark(slot, GCF_ABSENT, text_of(at, 1));
        return at + 1;
    }
    bool unsure = false;
    const char *stop = cell_read(at, end, r->end, delimiter, false, slot, &unsure);
    if (!stop || first == '^')
        return gcf_odd_cell(r, at, end, delimiter, slot, fine);
    if (unsure)
        *fine = gcf_check_number(r, slot) && *fine;
    return stop;
}

static inline void gcf_mark_tail(const gcf_reader *r, pith_slot *slot)
{
    if (slot->kind < PITH_ARRAY)
        slot->flags |= gcf_tail_flag(r, slot->u.text);
}

/* A mark where only a value can be. */
static bool gcf_bad_mark(gcf_reader *r, pith_slot *slot)
{
    const char *at = slot->u.text;
    if (slot->kind == GCF_ABSENT) {
        read_bad(&r->in, at, "invalid_missing",
                 "~ (no such field) can only be a cell of a table; the text is \"~\"");
    } else {
        read_bad(&r->in, at, "invalid_attachment_marker",
                 "^ (see the attachment) can only be a cell of a table; the text is "
                 "written in quotes");
    }
    slot_set_word(slot, PITH_NULL);
    return false;
}

/* The same, if it is one: reported, and null in its place. */
static inline bool gcf_refuse_mark(gcf_reader *r, pith_slot *slot)
{
    return slot->kind < GCF_ABSENT || gcf_bad_mark(r, slot);
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
    if (!room)
        return read_failed(&r->in);
    *room = *slot;
    build_count(r->doc);
    return true;
}

bool gcf_add_null(gcf_reader *r)
{
    pith_slot null;
    slot_set_word(&null, PITH_NULL);
    return gcf_add_slot(r, &null);
}

bool gcf_read_values(gcf_reader *r, pith_text text, uint64_t wanted, uint64_t *count,
                     const char **extra)
{
    const char *end = text.ptr + text.len;
    const char *p = gcf_skip_blanks(text.ptr, end);
    bool fine = true;
    *count = 0;
    *extra = NULL;
    if (p == end)
        return true;
    while (p && !read_stopped(&r->in)) {
        if (*count == wanted)
            *extra = p;
        pith_slot *slot = build_slot(r->doc);
        if (!slot)
            return read_failed(&r->in);
        const char *stop = gcf_read_cell(r, p, end, ',', slot, &fine);
        fine = gcf_refuse_mark(r, slot) && fine;
        if (end > r->tail)
            gcf_mark_tail(r, slot);
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
        at = gcf_cell_end(gcf_skip_blanks(at + 1, end), end, '|');
        found++;
    }
    return read_bad(&r->in, more ? extra : end,
                    t->schema ? "inline_width_mismatch" : "row_width_mismatch",
                    "expected %zu %s, found %zu", t->width,
                    read_plural(t->schema ? "value" : "cell",
                                t->schema ? "values" : "cells", t->width),
                    found);
}

/* The same; true when the row goes on: what it lacks is absent, what it has too much is
 * lost. */
static bool gcf_keeps_row(gcf_reader *r, const gcf_layout *t, size_t found,
                          const char *at, const char *end)
{
    gcf_bad_width(r, t, found, at, end);
    return r->report->keeps_rows && !t->schema && !read_stopped(&r->in);
}

/* Reads the cells into slots that `place` gives, from `base` on. */
static inline bool gcf_read_cells(gcf_reader *r, const gcf_layout *t, const char *at,
                                  const char *end, pith_slot *base, bool *fine)
{
    const uint32_t *place = t->rows.place;
    size_t width = t->width;
    const char *p = at;
    for (size_t c = 0;;) {
        p = gcf_read_cell(r, p, end, '|', base + place[c], fine);
        c++;
        if (c == width)
            break;
        if (p == end && gcf_keeps_row(r, t, c, p, end)) {
            for (; c < width; c++)
                gcf_put_mark(base + place[c], GCF_ABSENT, text_of(end, 0));
            break;
        }
        if (p == end)
            return false;
        p++;
    }
    if (p != end && !gcf_keeps_row(r, t, width, p, end))
        return false;
    if (end > r->tail)
        for (size_t c = 0; c < width; c++)
            gcf_mark_tail(r, base + place[c]);
    return true;
}

/* True when some cell is a mark, or null where it may mean that an object is. */
static inline bool gcf_has_odd_cells(const gcf_layout *t, const pith_slot *base)
{
    bool odd = false;
    for (size_t c = 0; c < t->width; c++) {
        const pith_slot *slot = base + t->rows.place[c];
        odd |= slot->kind >= GCF_ABSENT;
        odd |= t->paths && slot->kind == PITH_NULL && t->fields.at[t->cells[c]].path;
    }
    return odd;
}

static inline pith_slot *gcf_row_room(gcf_reader *r, const gcf_layout *t)
{
    pith_slot *base = layout_room(&t->rows, r->doc);
    if (!base)
        read_failed(&r->in);
    return base;
}

bool gcf_read_body(gcf_reader *r, const gcf_layout *schema, const char *at,
                   const char *end)
{
    assert(schema->schema);
    pith_doc *doc = r->doc;
    bool fine = true;
    if (doc->depth >= doc->depth_max)
        return read_built(&r->in, BUILD_TOO_DEEP, at);
    pith_slot *base = gcf_row_room(r, schema);
    if (!base || !gcf_read_cells(r, schema, at, end, base, &fine))
        return false;
    for (size_t c = 0; c < schema->width; c++)
        fine = gcf_refuse_mark(r, base + schema->rows.place[c]) && fine;
    layout_put(&schema->rows.full, doc);
    return fine;
}

/* -------------------------------------------------------------- rows of tables */

/* The identity of a row, to be compared with the others when the table ends. */
static bool gcf_note_identity(gcf_reader *r, gcf_layout *t, pith_slot *base,
                              const char *at)
{
    assert(t->identity != SLOT_NONE);
    pith_slot *id = &base[t->rows.place[t->fields.at[t->identity].cell]];
    if (id->kind != PITH_NULL && id->kind < GCF_ABSENT)
        return gcf_add_value_name(r, t->ids, id, at);
    return read_bad(&r->in, at,
                    t->group != SLOT_NONE ? "invalid_group_header" : "invalid_missing",
                    "expected a value for the field marked with @");
}

bool gcf_member_key(gcf_reader *r, pith_slot *cell, const char *at)
{
    if (!gcf_refuse_mark(r, cell))
        return false;
    if (cell->kind != PITH_STRING) {
        /* The text of a null is not in the input. */
        pith_text found =
            cell->kind == PITH_NULL ? text_of("-", 1) : text_of(cell->u.text, cell->n);
        return read_bad(&r->in, at, "invalid_key",
                        "expected a text as the key of a member; write \"%s\" in quotes",
                        error_quote(found.ptr, found.len).text);
    }
    pith_key key = {cell->u.text, cell->n, cell->flags, 0};
    return gcf_add_key(r, &key);
}

/* A row without a number that lacks something. Mostly others have lacked the same. */
static bool gcf_read_sparse_row(gcf_reader *r, gcf_scope *scope, const char *at)
{
    gcf_layout *t = scope->layout;
    pith_slot *base = r->doc->slots + r->doc->count;
    const row_template *known = NULL;
    unsigned met = gcf_note_states(t, base);
    if (!(met & GCF_CELL_MARKED) && !r->keep_key_places)
        known = layout_find_sparse(&t->rows, r->doc);
    if (!known)
        return gcf_start_row(r, scope, at, false, met);
    if (t->keyed && !gcf_member_key(r, base + t->rows.place[0], at))
        return false;
    layout_put_sparse(known, r->doc);
    return true;
}

bool gcf_read_row(gcf_reader *r, gcf_scope *scope, const char *at, const char *end,
                  bool numbered)
{
    pith_doc *doc = r->doc;
    gcf_layout *t = scope->layout;
    assert(!t->row.open);
    bool fine = true;
    pith_slot *base = gcf_row_room(r, t);
    if (!base || !gcf_read_cells(r, t, at, end, base, &fine) || read_stopped(&r->in))
        return false;
    if (fine && t->identity != SLOT_NONE && !gcf_note_identity(r, t, base, at))
        return false;
    if (t->group != SLOT_NONE)
        base[t->rows.place[t->width]] = scope->group_value;
    if (numbered || t->rows.levels > doc->depth_max - doc->depth) {
        unsigned met = gcf_note_states(t, base);
        return gcf_start_row(r, scope, at, numbered, met) && fine;
    }
    if (gcf_has_odd_cells(t, base))
        return gcf_read_sparse_row(r, scope, at) && fine;
    if (t->keyed && !gcf_member_key(r, base + t->rows.place[0], at))
        return false;
    layout_put(&t->rows.full, doc);
    return fine;
}
