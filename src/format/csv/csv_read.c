/*
 * csv_read.c - records into rows.
 *
 * The header becomes a shape once, or, when it is too wide for one, a list of keys that
 * all rows share; from then on a row costs its cells. A cell is scanned once to find its
 * end and, if it is text, once more for what JSON would escape.
 */
#include "format/csv/csv_read.h"
#include "base/print.h"
#include "base/utf8.h"
#include "format/cell.h"

/* ----------------------------------------------------------------------- cells */

/* What a cell without quotes is, by itself; PITH_STRING when it is nothing else. */
static pith_kind csv_kind(pith_text text, uint8_t *flags)
{
    *flags = 0;
    if (text.len == 0)
        return PITH_NULL;
    return cell_kind(text.ptr, text.len, false, flags);
}

/* Problems of a cell that have nothing to do with its value. False: stop. */
static bool csv_check_cell(csv_reader *r, const csv_cell *cell)
{
    if (cell->unclosed && read_starved(&r->in))
        return false;
    if (cell->unclosed) {
        report_bad(r->report, "unterminated_string", read_at(&r->in, cell->text.ptr - 1),
                   "the quote that opens this cell is never closed");
        return false;
    }
    if (cell->stray) {
        return report_bad(r->report, "expected_separator", read_at(&r->in, cell->stray),
                          "expected a delimiter or the end of the line after the "
                          "closing quote; a quote inside quotes is written twice");
    }
    if (cell->text.len > SLOT_TEXT_MOST) {
        report_problem(r->report, PITH_LIMIT, "too_large",
                       read_at(&r->in, cell->text.ptr),
                       "a text of 4 GiB or more is too large");
        return false;
    }
    return true;
}

static bool csv_check_utf8(csv_reader *r, pith_text text)
{
    size_t bad = utf8_find_invalid(text.ptr, text.len);
    if (bad == text.len)
        return true;
    if (text.ptr + text.len == r->end && read_starved(&r->in))
        return false; /* it may be cut in two */
    return report_bad(r->report, "invalid_utf8", read_at(&r->in, text.ptr + bad),
                      "byte 0x%02X is not well-formed UTF-8 here",
                      (unsigned char)text.ptr[bad]);
}

/* The text a cell stands for, in `arena` if it had to change; false when out of
 * memory. */
static bool csv_cell_text(csv_reader *r, pith_arena *arena, const csv_cell *cell,
                          pith_text *text)
{
    *text = cell->text;
    if (!cell->doubled)
        return true;
    char *copy = arena_take(arena, cell->text.len);
    if (!copy)
        return read_failed(&r->in);
    *text = text_of(copy, csv_undouble(copy, cell->text));
    arena_trim(arena, copy, text->len);
    return true;
}

static bool csv_set_text(csv_reader *r, pith_slot *slot, const csv_cell *cell)
{
    pith_text text;
    if (!csv_cell_text(r, &r->doc->arena, cell, &text))
        return false;
    uint8_t flags = build_text_flags(text.ptr, text.len);
    if (!cell->doubled)
        flags |= doc_near_end_flag(r->report->input, text.ptr);
    slot_set(slot, PITH_STRING, flags, text.ptr, text.len);
    return !(flags & SLOT_WIDE) || csv_check_utf8(r, cell->text);
}

static inline bool csv_set_slot(csv_reader *r, pith_slot *slot, const csv_cell *cell,
                                bool text_column)
{
    uint8_t flags = 0;
    pith_kind kind = PITH_STRING;
    if ((cell->quoted || cell->text.len > SLOT_TEXT_MOST) && !csv_check_cell(r, cell))
        return false;
    if (!cell->quoted && r->types != CSV_TYPES_TEXT) {
        if (cell->text.len == 0) {
            slot_set_word(slot, PITH_NULL);
            return true;
        }
        kind = text_column ? PITH_STRING : csv_kind(cell->text, &flags);
    }
    if (kind == PITH_STRING)
        return csv_set_text(r, slot, cell);
    flags |= doc_near_end_flag(r->report->input, cell->text.ptr);
    slot_set(slot, kind, flags, cell->text.ptr, cell->text.len);
    return true;
}

/* ------------------------------------------------------------------------ rows */

/* The row has more or fewer cells than the header. `at` is where its cell number
 * `found` ended. */
static const char *csv_bad_width(csv_reader *r, const char *at, size_t found)
{
    const char *end = r->end;
    const char *extra = at;
    csv_cell cell;
    if (found == r->count)
        extra = at + 1; /* the cell that is one too many */
    while (at < end && *at == r->delimiter) {
        at = csv_read_cell(at + 1, end, r->delimiter, &cell);
        found++;
    }
    if (at == end && read_starved(&r->in))
        return NULL;
    bool go_on = report_bad(r->report, "row_width_mismatch", read_at(&r->in, extra),
                            "row %llu: expected %zu %s, as in the header, found %zu",
                            (unsigned long long)r->rows, r->count,
                            r->count == 1 ? "cell" : "cells", found);
    return go_on ? csv_skip_break(at, end) : NULL;
}

/* Makes a row with fewer cells than the header, or with empty ones after them, as wide as
 * that is; `*at` is where its cell number `found` ended, and then where the row does. */
static bool csv_pad(csv_reader *r, const char **at, size_t found)
{
    pith_slot *row = &r->doc->slots[r->doc->count];
    const char *stop = *at;
    for (size_t i = found; i < r->count; i++)
        slot_set_word(&row[1 + i], PITH_NULL);
    while (stop < r->end && *stop == r->delimiter) {
        csv_cell cell;
        stop = csv_read_cell(stop + 1, r->end, r->delimiter, &cell);
        if (cell.quoted || cell.text.len > 0)
            return false;
    }
    *at = stop;
    return true;
}

/* Room for a row at `at`, and its object; false when there is none. */
static bool csv_open_row(csv_reader *r, const char *at)
{
    pith_doc *doc = r->doc;
    if (doc->depth >= doc->depth_max) {
        report_problem(r->report, PITH_LIMIT, "depth_limit", read_at(&r->in, at),
                       "nested deeper than the limit of %zu", doc->depth_max);
        return false;
    }
    if (doc->cap - doc->count < r->count + 2 && !doc_reserve(doc, r->count + 2))
        return read_failed(&r->in);
    pith_slot *row = &doc->slots[doc->count];
    row->kind = PITH_OBJECT;
    row->flags = 0;
    row->shape = r->shape;
    row->n = (uint32_t)r->count;
    row->u.link.parent = doc->open;
    return true;
}

/* Puts the row whose object and cells are there on the tape. */
static void csv_close_row(csv_reader *r)
{
    pith_doc *doc = r->doc;
    pith_slot *row = &doc->slots[doc->count];
    size_t used = 1 + r->count;
    if (r->shape == SHAPE_NONE) {
        pith_slot *keys = row + used;
        memset(keys, 0, sizeof *keys);
        keys->kind = SLOT_KEYS;
        keys->n = (uint32_t)r->count;
        keys->u.keys = r->columns;
        used++;
    }
    row->u.link.next = (uint32_t)(doc->count + used);
    doc->count += used;
    build_count(doc);
}

/* Whether the row that ended at `at` has been seen to end. */
static bool csv_row_ends(csv_reader *r, const char *at)
{
    bool cut = at == r->end || (*at == '\r' && at + 1 == r->end);
    return !cut || !read_starved(&r->in);
}

const char *csv_read_row(csv_reader *r, const char *at)
{
    const char *end = r->end;
    char delimiter = r->delimiter;
    r->rows++;
    if (!csv_open_row(r, at))
        return NULL;
    pith_slot *slot = &r->doc->slots[r->doc->count];
    for (size_t i = 0; i < r->count; i++) {
        csv_cell cell;
        at = csv_read_cell(at, end, delimiter, &cell);
        if (!csv_set_slot(r, ++slot, &cell, r->is_text[i]))
            return NULL;
        bool more = at < end && *at == delimiter;
        if (more != (i + 1 < r->count)) {
            if (r->pads && csv_pad(r, &at, i + 1))
                break;
            at = csv_bad_width(r, at, i + 1);
            if (at && r->report->keeps_rows) {
                for (i++; i < r->count; i++)
                    slot_set_word(++slot, PITH_NULL);
                csv_close_row(r);
            }
            return at;
        }
        at += more;
    }
    if (!csv_row_ends(r, at))
        return NULL;
    csv_close_row(r);
    return csv_skip_break(at, end);
}

/* ---------------------------------------------------------------------- header */

size_t csv_read_sep(pith_text record, char *delimiter)
{
    const char *end = record.ptr + record.len;
    if (record.len < 5 || memcmp(record.ptr, "sep=", 4) != 0)
        return 0;
    char named = record.ptr[4];
    const char *after = csv_skip_break(record.ptr + 5, end);
    if (after != end || after == record.ptr + 5 || !strchr(",;\t|", named))
        return 0;
    *delimiter = named;
    return record.len;
}

bool csv_find_shape(csv_reader *r)
{
    pith_shapes *shapes = &r->doc->shapes;
    if (r->shapes_seen > 0 && shapes->count >= r->shapes_seen)
        return true;
    uint16_t shape = r->count <= SHAPE_WIDTH_MOST ? SHAPE_EMPTY : SHAPE_NONE;
    for (size_t i = 0; i < r->count && shape != SHAPE_NONE; i++) {
        const pith_key *key = &r->columns[i];
        shape = shapes_step(shapes, shape, key->text, key->len, key->flags);
        if (shape == SHAPE_DUPLICATE)
            shape = SHAPE_NONE; /* has been reported */
    }
    r->shape = shape;
    r->shapes_seen = shapes->count;
    return shape == SHAPE_NONE || shapes_list(shapes, shape) || read_failed(&r->in);
}

static size_t csv_count_cells(csv_reader *r, const char *at, const char *end)
{
    csv_cell cell;
    size_t count = 1;
    at = csv_read_cell(at, end, r->delimiter, &cell);
    while (at < end && *at == r->delimiter) {
        at = csv_read_cell(at + 1, end, r->delimiter, &cell);
        count++;
    }
    return count;
}

/* Names a column by its number after what it is called. */
static bool csv_name_by_number(csv_reader *r, pith_text called, size_t column)
{
    char number[32];
    size_t digits = print_into(number, sizeof number, "_%zu", column + 1);
    size_t len = called.len + digits;
    char *name = arena_take(r->names, len);
    if (!name)
        return read_failed(&r->in);
    if (called.len > 0)
        memcpy(name, called.ptr, called.len);
    memcpy(name + called.len, number, digits);
    pith_key *key = &r->columns[column];
    key->text = name;
    key->len = (uint32_t)len;
    key->flags = build_text_flags(name, len);
    return true;
}

/* Reads the names; the arena keeps them, because the header may be gone before the
 * rows are. */
static bool csv_read_names(csv_reader *r, const char *at, const char *end)
{
    for (size_t i = 0; i < r->count; i++) {
        csv_cell cell;
        pith_text text;
        at = csv_read_cell(at, end, r->delimiter, &cell);
        if (!csv_check_cell(r, &cell) || !csv_check_utf8(r, cell.text) ||
            !csv_cell_text(r, r->names, &cell, &text))
            return false;
        const char *name =
            cell.doubled ? text.ptr : arena_copy(r->names, text.ptr, text.len);
        if (!name)
            return read_failed(&r->in);
        r->columns[i].text = name;
        r->columns[i].len = (uint32_t)text.len;
        r->columns[i].flags = build_text_flags(name, text.len);
        at += at < end;
    }
    return true;
}

typedef struct csv_pairs {
    csv_reader *reader;
    size_t header; /* its offset */
    bool number;   /* rename the later one */
    bool fine;
} csv_pairs;

static bool csv_found_pair(void *ctx, uint32_t first, uint32_t later)
{
    csv_pairs *pairs = (csv_pairs *)ctx;
    csv_reader *r = pairs->reader;
    const pith_key *key = &r->columns[later];
    if (pairs->number) {
        pairs->fine = csv_name_by_number(r, key_text(key), later);
        return pairs->fine;
    }
    pairs->fine = false;
    return report_bad(r->report, "duplicate_key", pairs->header,
                      "columns %lu and %lu of the header are both called \"%s\"; "
                      "duplicates=number tells them apart",
                      (unsigned long)first + 1, (unsigned long)later + 1,
                      error_quote(key->text, key->len).text);
}

/* Sees to it that every column has a name of its own. A number may make a name that
 * is there already: then nothing helps. */
static bool csv_check_names(csv_reader *r, size_t header)
{
    csv_pairs pairs = {r, header, r->number_duplicates, true};
    for (int round = 0; round < 2; round++) {
        if (!doc_find_equal_keys(r->doc, r->columns, r->count, csv_found_pair, &pairs))
            return read_failed(&r->in);
        if (!pairs.number)
            break;
        pairs.number = false;
    }
    return pairs.fine || (r->report->callback && !r->report->stopped);
}

/* Looks at the cells of the rows from `at` on; those that are text make their column
 * so. */
static void csv_look_ahead(csv_reader *r, const char *at, const char *end)
{
    char delimiter = r->delimiter;
    uint8_t flags;
    while (at < end) {
        if (csv_is_blank(r, at)) {
            at = csv_skip_break(at, end);
            continue;
        }
        for (size_t i = 0;; i++) {
            csv_cell cell;
            at = csv_read_cell(at, end, delimiter, &cell);
            if (i < r->count && !cell.quoted && !r->is_text[i] &&
                csv_kind(cell.text, &flags) == PITH_STRING)
                r->is_text[i] = true;
            if (at == end || *at != delimiter)
                break;
            at++;
        }
        at = csv_skip_break(at, end);
    }
}

/* The end of the last record that counts. */
static size_t csv_look_end(const csv_reader *r, pith_text text, bool whole)
{
    size_t end = 0;
    size_t len;
    if (whole && text.len <= CSV_LOOK)
        return text.len;
    if (text.len > CSV_LOOK)
        text.len = CSV_LOOK;
    while (csv_find_record(text_of(text.ptr + end, text.len - end), false, r->delimiter,
                           &len))
        end += len;
    return end;
}

static bool csv_make_columns(csv_reader *r, const char *at, const char *end)
{
    r->count = csv_count_cells(r, at, end);
    if (r->count >= SLOT_COUNT_MOST || !alloc_fits(r->count, sizeof *r->columns))
        return read_failed(&r->in);
    r->columns = (pith_key *)arena_take_aligned(r->names, r->count * sizeof *r->columns);
    r->is_text = (bool *)arena_take_aligned(r->names, r->count * sizeof *r->is_text);
    if (!r->columns || !r->is_text)
        return read_failed(&r->in);
    memset(r->columns, 0, r->count * sizeof *r->columns);
    memset(r->is_text, 0, r->count * sizeof *r->is_text);
    if (r->has_header)
        return csv_read_names(r, at, end) && csv_check_names(r, read_at(&r->in, at));
    for (size_t i = 0; i < r->count; i++)
        if (!csv_name_by_number(r, text_from("column"), i))
            return false;
    return true;
}

size_t csv_read_header(csv_reader *r, pith_text text, size_t record_len, bool whole,
                       bool *fine)
{
    *fine = csv_make_columns(r, text.ptr, text.ptr + record_len);
    size_t used = r->has_header ? record_len : 0;
    if (*fine && r->types == CSV_TYPES_INFER) {
        size_t end = csv_look_end(r, text, whole);
        if (end > used)
            csv_look_ahead(r, text.ptr + used, text.ptr + end);
    }
    *fine = *fine && csv_find_shape(r);
    return used;
}
