/*
 * toon_read_row.c - cells: the rows of tables and the values of inline arrays.
 *
 * The cells of a row are read into their places after the last slot of the tape, as its
 * layout says; then the template is put over them.
 */
#include "format/cell.h"
#include "format/toon/toon_read.h"

#include <assert.h>

/* The first delimiter, quote, backslash or control; or `end`. */
static inline const char *toon_scan_wide(const char *at, const char *end, char delimiter)
{
    return scan_to(SCAN_SET(SCAN_QUOTES | SCAN_CONTROLS, delimiter), at, end);
}

/* The first delimiter that is in no quoted span; or `end`. In the dialect a quote
 * opens a span only where a cell starts. */
static const char *toon_cell_end(const toon_reader *r, const char *at, const char *end,
                                 char delimiter)
{
    assert(at <= end);
    const char *start = at;
    for (;;) {
        at = toon_scan_wide(at, end, delimiter);
        if (at == end || *at == delimiter)
            return at;
        if (*at == '"' && (at == start || !r->rules.rows_only))
            at = toon_skip_quoted(at, end);
        else
            at++;
    }
}

/* Any cell, with care. */
static NEVER_INLINE const char *toon_odd_cell(toon_reader *r, const char *at,
                                              const char *end, char delimiter,
                                              pith_slot *slot, bool *fine)
{
    while (at < end && *at != delimiter && toon_is_blank(r, *at))
        at++;
    const char *stop = toon_cell_end(r, at, end, delimiter);
    *fine = toon_read_token(r, toon_trim(r, at, stop), slot) && *fine;
    return stop;
}

static inline const char *toon_plain_cell(const toon_reader *r, const char *at,
                                          const char *end, char delimiter,
                                          pith_slot *slot)
{
    bool unsure; /* all numbers are fine */
    return cell_read(at, end, r->end, delimiter, true, slot, &unsure);
}

/* Reads the cell at `at` into a slot; where it ends: at a delimiter or at `end`. */
static inline const char *toon_read_cell(toon_reader *r, const char *at, const char *end,
                                         char delimiter, pith_slot *slot, bool *fine)
{
    if (at == end) {
        slot_set(slot, PITH_STRING, 0, at, 0);
        return at;
    }
    const char *stop = toon_plain_cell(r, at, end, delimiter, slot);
    return stop ? stop : toon_odd_cell(r, at, end, delimiter, slot, fine);
}

bool toon_add_value(toon_reader *r, const char *at, const char *end)
{
    pith_slot *slot = build_slot(r->doc);
    bool fine = true;
    if (!slot)
        return read_failed(&r->in);
    /* A line feed is the delimiter that no line holds. */
    toon_read_cell(r, at, end, '\n', slot, &fine);
    build_count(r->doc);
    return fine;
}

const char *toon_add_plain(toon_reader *r, const char *at)
{
    pith_doc *doc = r->doc;
    if (at == r->end || (doc->count == doc->cap && !doc_reserve(doc, 1)))
        return NULL;
    const char *stop = toon_plain_cell(r, at, r->end, '\n', &doc->slots[doc->count]);
    if (!stop || (size_t)(stop - at) > SLOT_TEXT_MOST)
        return NULL;
    doc->count++;
    build_count(doc);
    return stop;
}

/* ---------------------------------------------------------------------- rows */

bool toon_is_row(const toon_reader *r, const char *at, const char *end)
{
    char delimiter = r->layout.delimiter;
    while (at < end && *at != delimiter) {
        if (*at == ':')
            return false;
        at = *at == '"' ? toon_skip_quoted(at, end) : at + 1;
    }
    return true;
}

static size_t toon_cells_left(const toon_reader *r, const char *at, const char *end)
{
    size_t count = 1;
    for (;;) {
        while (at < end && *at == ' ')
            at++;
        at = toon_cell_end(r, at, end, r->layout.delimiter);
        if (at == end)
            return count;
        at++;
        count++;
    }
}

/* The row has more or fewer cells than there are fields. */
static bool toon_bad_width(toon_reader *r, size_t found, const char *at)
{
    size_t wanted = r->layout.rows.cell_count;
    report_bad(r->report, "row_width_mismatch", toon_at(r, at),
               "expected %zu %s, found %zu", wanted, read_plural("cell", "cells", wanted),
               found);
    return false;
}

/* The same; true when the row goes on: what it lacks is absent, what it has too much is
 * lost. */
static bool toon_keeps_row(toon_reader *r, size_t found, const char *at)
{
    toon_bad_width(r, found, at);
    return r->report->keeps_rows && r->layout.rows.levels == 1 && !r->report->stopped;
}

/* A name is twice in this list: the row gets keys of its own, which merging will change. */
static bool toon_mark_repeated(toon_reader *r, uint32_t object, uint32_t keys_at)
{
    pith_doc *doc = r->doc;
    pith_slot *slot = &doc->slots[keys_at];
    assert(slot->kind == SLOT_KEYS);
    size_t bytes = slot->n * sizeof(pith_key);
    pith_key *keys = (pith_key *)arena_take_aligned(&doc->arena, bytes);
    if (!keys)
        return read_failed(&r->in);
    memcpy(keys, slot->u.keys, bytes);
    slot->u.keys = keys;
    return doc_mark_duplicates(doc, object, keys, slot->n) || read_failed(&r->in);
}

static bool toon_mark_row(toon_reader *r, uint32_t row)
{
    const toon_layout *t = &r->layout;
    const layout_stamp *stamps = t->rows.full.stamps.at;
    for (size_t i = 0; i < t->repeated.count; i++) {
        const layout_stamp *keys = &stamps[t->repeated.at[i]];
        uint32_t object = t->rows.columns.at[keys->column].stamp;
        if (!toon_mark_repeated(r, row + stamps[object].at, row + keys->at))
            return false;
    }
    return true;
}

/* A flat row that ended after `count` cells: an object of the first names only. */
static bool toon_end_short_row(toon_reader *r, uint32_t count)
{
    assert(count < r->layout.rows.cell_count);
    pith_doc *doc = r->doc;
    const row_template *full = &r->layout.rows.full;
    uint32_t row = (uint32_t)doc->count;
    uint32_t end = row + 1 + count;
    pith_slot *object = &doc->slots[row];
    *object = full->stamps.at[0].slot;
    object->n = count;
    object->u.link.parent = doc->open;
    if (object->shape == SHAPE_NONE) {
        doc->slots[end] = full->stamps.at[full->stamps.count - 1].slot;
        doc->slots[end++].n = count;
    } else {
        while (shapes_width(&doc->shapes, object->shape) > count)
            object->shape = doc->shapes.nodes[object->shape].parent;
        if (!shapes_list(&doc->shapes, object->shape))
            return read_failed(&r->in);
    }
    object->u.link.next = end;
    doc->count = end;
    build_count(doc);
    return r->layout.repeated.count == 0 || toon_mark_repeated(r, row, end - 1);
}

bool toon_read_row(toon_reader *r, const char *at, const char *end)
{
    const toon_layout *t = &r->layout;
    const uint32_t *place = t->rows.place;
    size_t width = t->rows.cell_count;
    char delimiter = t->delimiter;
    bool fine = true;
    uint32_t row = (uint32_t)r->doc->count;
    pith_slot *base = layout_room(&t->rows, r->doc);
    if (!base)
        return read_failed(&r->in);
    const char *p = at < end ? at : NULL;
    for (size_t c = 0; c < width; c++) {
        if (!p && !r->rules.lax_widths && !toon_keeps_row(r, c, end))
            return false;
        if (!p)
            return toon_end_short_row(r, (uint32_t)c) && fine;
        const char *stop = toon_read_cell(r, p, end, delimiter, base + place[c], &fine);
        p = stop < end ? stop + 1 : NULL;
    }
    if (p && !toon_keeps_row(r, width + toon_cells_left(r, p, end), p))
        return false;
    layout_put(&t->rows.full, r->doc);
    return t->repeated.count > 0 ? toon_mark_row(r, row) && fine : fine;
}

/* ------------------------------------------------------------- inline arrays */

bool toon_read_values(toon_reader *r, pith_text text, char delimiter, uint64_t wanted,
                      uint64_t *count, const char **extra)
{
    const char *end = text.ptr + text.len;
    const char *p = text.ptr;
    bool fine = true;
    *count = 0;
    *extra = NULL;
    while (p) {
        if (*count == wanted)
            *extra = p;
        pith_slot *slot = build_slot(r->doc);
        if (!slot)
            return read_failed(&r->in);
        const char *stop = toon_read_cell(r, p, end, delimiter, slot, &fine);
        p = stop < end ? stop + 1 : NULL;
        build_count(r->doc);
        (*count)++;
    }
    return fine;
}
