/*
 * gcf_open_row.c - a row that waits for attachments, or lacks something.
 *
 * The cells of such a row wait in its gcf_open_row, and the columns of its layout are
 * followed one by one:
 *
 *     ## orders [1]{id,customer,items,total}      columns  id customer items total
 *     @0 7|^|^|9.5                                tape     { 7
 *     .customer {}                                         { 7 {...}
 *         name=Ada
 *     .items [2]: a,b                                      { 7 {...} [a b]
 *     (the next row)                                       { 7 {...} [a b] 9.5 }
 *
 * They stop at a cell whose attachment has not come and go on when it has. A table has
 * one open row at most, and a table inside an attachment has a layout of its own: nothing
 * recurses and nothing is read twice.
 *
 * Attachments may come in any order. One that comes too early is put on the tape where
 * the tape is, and the row remembers the order its children should have, in which it puts
 * them when it ends. What is inside moves once for each such row around it: not more often
 * than values may be nested.
 */
#include "format/gcf/gcf_read.h"

#include <assert.h>

/* ---------------------------------------------------------------------- marks */

static bool gcf_refuse_cell(gcf_reader *r, pith_slot *cell, const char *code,
                            const char *sentence)
{
    read_bad(&r->in, cell->u.text, code, "%s", sentence);
    slot_set_word(cell, PITH_NULL);
    return false;
}

/* ^{a,b,c}: declares the layout of the bodies of a field. */
static bool gcf_learn_schema(gcf_reader *r, gcf_layout *t, gcf_field *field,
                             pith_slot *cell)
{
    gcf_layout *schema = gcf_read_schema(r, cell);
    if (!schema) {
        slot_set_word(cell, PITH_NULL);
        return false;
    }
    if (field->schema)
        gcf_layout_drop(r, field->schema);
    else
        t->learned++;
    field->schema = schema;
    return true;
}

/* Looks at a cell that holds a mark other than ~. */
static bool gcf_check_mark(gcf_reader *r, const gcf_scope *scope, size_t number,
                           bool numbered)
{
    gcf_layout *t = scope->layout;
    gcf_field *field = &t->fields.at[t->cells[number]];
    pith_slot *cell = &t->row.cells.at[number];
    assert(number < t->width && cell->kind > GCF_ABSENT);
    if (field->path) {
        return gcf_refuse_cell(r, cell, "invalid_attachment_marker",
                               "a column with > in its name has no attachments");
    }
    if (t->group != SLOT_NONE) {
        return gcf_refuse_cell(r, cell, "invalid_group_header",
                               "a table with groups has no attachments");
    }
    if (!numbered) {
        read_bad(&r->in, cell->u.text, "invalid_item_id",
                 "expected @%llu before a row with attachments",
                 (unsigned long long)(scope->count - 1)); /* this row is counted */
    }
    if (cell->kind == GCF_SCHEMA && !gcf_learn_schema(r, t, field, cell))
        return false;
    t->row.waiting += field->schema != NULL;
    return numbered;
}

static bool gcf_check_marks(gcf_reader *r, const gcf_scope *scope, bool numbered)
{
    gcf_layout *t = scope->layout;
    bool fine = true;
    for (size_t c = t->keyed ? 1 : 0; c < t->width && !read_stopped(&r->in); c++)
        if (t->row.cells.at[c].kind > GCF_ABSENT)
            fine = gcf_check_mark(r, scope, c, numbered) && fine;
    return fine && !read_stopped(&r->in);
}

/* ------------------------------------------------------------------- the start */

unsigned gcf_note_states(gcf_layout *t, const pith_slot *base)
{
    uint8_t *states = t->rows.states;
    unsigned met = 0;
    layout_reset_states(&t->rows);
    for (size_t c = t->keyed ? 1 : 0; c < t->width; c++) {
        unsigned kind = base[t->rows.place[c]].kind;
        if (kind == GCF_ABSENT) {
            states[c] = CELL_ABSENT;
            met |= CELL_ABSENT;
        } else if (kind > GCF_ABSENT) {
            met |= GCF_CELL_MARKED;
        } else if (kind == PITH_NULL && t->fields.at[t->cells[c]].path) {
            states[c] = CELL_NULL;
            met |= CELL_NULL;
        }
    }
    return met;
}

/* Opens the row, and puts on the tape what can be. */
static bool gcf_open_on_tape(gcf_reader *r, gcf_layout *t, const char *at, unsigned met)
{
    gcf_open_row *row = &t->row;
    const uint8_t *groups = layout_group_states(&t->rows);
    bool full = !(met & CELL_ABSENT) &&
                (!(met & CELL_NULL) || !memchr(groups, CELL_NULL, t->rows.group_count));
    uint16_t shape = r->keep_key_places ? (uint16_t)SHAPE_NONE : (uint16_t)SHAPE_EMPTY;
    row->shaped = full && !r->keep_key_places && !t->rows.loose;
    row->slot = (uint32_t)r->doc->count;
    shape = row->shaped ? t->rows.columns.at[0].shape : shape;
    if (!read_built(&r->in, build_open_shaped(r->doc, PITH_OBJECT, shape), at))
        return false;
    row->open = true;
    row->moved = false;
    row->group = 0;
    row->step = 0;
    row->body = 0;
    row->order.count = 0;
    row->extras.count = 0;
    return gcf_emit(r, t);
}

/* The cells of the row, from their places. */
static bool gcf_hold_cells(gcf_reader *r, gcf_layout *t)
{
    size_t count = t->rows.cell_count;
    t->row.cells.count = 0;
    if (!LIST_RESERVE(&t->row.cells, &r->doc->alloc, count))
        return read_failed(&r->in);
    const pith_slot *base = r->doc->slots + r->doc->count;
    for (size_t c = 0; c < count; c++)
        t->row.cells.at[c] = base[t->rows.place[c]];
    t->row.cells.count = count;
    return true;
}

bool gcf_start_row(gcf_reader *r, gcf_scope *scope, const char *at, bool numbered,
                   unsigned met)
{
    gcf_layout *t = scope->layout;
    if (!gcf_hold_cells(r, t))
        return false;
    if (met & (CELL_ABSENT | CELL_NULL))
        layout_weigh_groups(&t->rows);
    t->row.waiting = 0;
    bool fine = !(met & GCF_CELL_MARKED) || gcf_check_marks(r, scope, numbered);
    t->row.bodies = t->row.waiting > 0;
    if (read_stopped(&r->in) || (t->keyed && !gcf_member_key(r, &t->row.cells.at[0], at)))
        return false;
    fine = gcf_open_on_tape(r, t, at, met) && fine;
    bool waits = numbered || !t->row.open || t->row.step < t->rows.order.count;
    return waits ? fine : gcf_end_row(r, t) && fine;
}

/* ------------------------------------------------------------ column by column */

/* The slot of the next child of a row that has to be put in order. */
static bool gcf_note_order(gcf_reader *r, gcf_open_row *row, uint32_t slot)
{
    uint32_t *next = LIST_ADD(&row->order, &r->doc->alloc);
    if (!next)
        return read_failed(&r->in);
    *next = slot;
    return true;
}

/* Adds the key of a column to the innermost object. Rows that lack the same cells go from
 * shape to shape in the same way, so the last way is remembered. */
static inline bool gcf_add_column_key(gcf_reader *r, layout_column *column)
{
    assert(r->doc->open != SLOT_NONE);
    pith_slot *object = &r->doc->slots[r->doc->open];
    uint16_t from = object->shape;
    if (from != SHAPE_NONE && from == column->from) {
        object->shape = column->to;
        return true;
    }
    if (!gcf_add_key(r, &column->key))
        return false;
    column->to = r->doc->slots[r->doc->open].shape;
    column->from = column->to == SHAPE_NONE ? (uint16_t)SHAPE_NONE : from;
    return true;
}

/* The next value, at the end of the tape, gets its key and its place. */
static bool gcf_next_child(gcf_reader *r, gcf_open_row *row, layout_column *column,
                           uint32_t slot)
{
    if (!row->shaped && !gcf_add_column_key(r, column))
        return false;
    return !row->moved || column->parent || gcf_note_order(r, row, slot);
}

/* A value; true in `*wait` when its attachment has not come. */
static bool gcf_emit_value(gcf_reader *r, gcf_open_row *row, layout_column *column,
                           bool *wait)
{
    assert(column->kind != COLUMN_GROUP);
    const pith_slot *slot =
        column->kind == COLUMN_FIXED ? &column->value : &row->cells.at[column->number];
    *wait = slot->kind == GCF_MARK || slot->kind == GCF_SCHEMA;
    if (*wait)
        return true;
    row->step++;
    if (slot->kind == GCF_ABSENT || slot->kind == GCF_FILLED)
        return true;
    if (slot->kind == GCF_MOVED)
        return gcf_next_child(r, row, column, slot->n);
    return gcf_next_child(r, row, column, (uint32_t)r->doc->count) &&
           gcf_add_slot(r, slot);
}

/* An object of a path: absent, null, or there. */
static bool gcf_emit_group(gcf_reader *r, gcf_layout *t, uint32_t number)
{
    gcf_open_row *row = &t->row;
    layout_column *column = &t->rows.columns.at[number];
    assert(column->kind == COLUMN_GROUP);
    unsigned state = layout_state(&t->rows, column);
    if (state == CELL_ABSENT) {
        row->step = column->end;
        return true;
    }
    if (!gcf_next_child(r, row, column, (uint32_t)r->doc->count))
        return false;
    if (state == CELL_NULL) {
        row->step = column->end;
        return gcf_add_null(r);
    }
    row->step++;
    row->group = number;
    uint16_t shape = row->shaped ? column->shape : (uint16_t)SHAPE_EMPTY;
    return read_built(&r->in, build_open_shaped(r->doc, PITH_OBJECT, shape), r->last_end);
}

/* Closes the objects whose last column has been passed. */
static bool gcf_close_groups(gcf_reader *r, gcf_layout *t)
{
    const layout_column *columns = t->rows.columns.at;
    gcf_open_row *row = &t->row;
    while (row->group && columns[row->group].end == row->step) {
        if (!read_built(&r->in, build_close(r->doc), r->last_end))
            return false;
        row->group = columns[row->group].parent;
    }
    return true;
}

bool gcf_emit(gcf_reader *r, gcf_layout *t)
{
    bool fine = true;
    bool wait = false;
    while (fine && !wait && t->row.step < t->rows.order.count) {
        uint32_t number = t->rows.order.at[t->row.step];
        layout_column *column = &t->rows.columns.at[number];
        fine = column->kind == COLUMN_GROUP ? gcf_emit_group(r, t, number)
                                            : gcf_emit_value(r, &t->row, column, &wait);
        fine = fine && gcf_close_groups(r, t);
    }
    return fine;
}

/* ---------------------------------------------------------------- attachments */

/* From here on the order of the row's children is written down. */
static bool gcf_start_order(gcf_reader *r, gcf_open_row *row)
{
    if (row->moved)
        return true;
    row->moved = true;
    uint32_t at = row->slot + 1;
    for (uint32_t n = r->doc->slots[row->slot].n; n > 0; n--) {
        if (!gcf_note_order(r, row, at))
            return false;
        at = doc_after_at(r->doc, at);
    }
    return true;
}

static bool gcf_place_extra(gcf_reader *r, gcf_layout *t, const pith_key *key)
{
    gcf_open_row *row = &t->row;
    uint32_t slot = (uint32_t)r->doc->count;
    if (row->step == t->rows.order.count)
        return gcf_add_key(r, key) && (!row->moved || gcf_note_order(r, row, slot));
    /* Such fields are last, so this one has come too early. */
    if (!gcf_start_order(r, row))
        return false;
    gcf_extra *extra = LIST_ADD(&row->extras, &r->doc->alloc);
    if (!extra)
        return read_failed(&r->in);
    extra->key = *key;
    extra->slot = slot;
    return true;
}

/* The column whose attachment the row waits for. */
static layout_column *gcf_awaited(const gcf_layout *t)
{
    assert(t->row.step < t->rows.order.count);
    return &t->rows.columns.at[t->rows.order.at[t->row.step]];
}

bool gcf_place_attachment(gcf_reader *r, gcf_layout *t, uint32_t cell,
                          const pith_key *key)
{
    gcf_open_row *row = &t->row;
    if (cell == SLOT_NONE)
        return gcf_place_extra(r, t, key);
    assert(row->open && cell < t->width);
    layout_column *column = gcf_awaited(t);
    pith_slot *held = &row->cells.at[cell];
    row->waiting -= t->fields.at[t->cells[cell]].schema != NULL;
    if (column->number == cell) {
        held->kind = GCF_FILLED;
        row->step++;
        return gcf_next_child(r, row, column, (uint32_t)r->doc->count);
    }
    held->kind = GCF_MOVED;
    held->n = (uint32_t)r->doc->count;
    return gcf_start_order(r, row);
}

uint32_t gcf_awaited_field(const gcf_layout *t)
{
    bool any = t->row.step < t->rows.order.count;
    return any ? t->cells[gcf_awaited(t)->number] : SLOT_NONE;
}

/* --------------------------------------------------------------------- the end */

/* The attachment of the cell the row waits for never came. */
static bool gcf_miss_attachment(gcf_reader *r, gcf_layout *t)
{
    const layout_column *column = gcf_awaited(t);
    pith_slot *cell = &t->row.cells.at[column->number];
    read_bad(&r->in, cell->u.text, "missing_attachment",
             "expected an attachment for \"%s\" after this row, found none",
             error_quote(column->key.text, column->key.len).text);
    slot_set_word(cell, PITH_NULL);
    return !read_stopped(&r->in);
}

/* Fields with > in their name that had come too early go last. */
static bool gcf_add_extras(gcf_reader *r, gcf_open_row *row)
{
    for (size_t i = 0; i < row->extras.count; i++)
        if (!gcf_add_key(r, &row->extras.at[i].key) ||
            !gcf_note_order(r, row, row->extras.at[i].slot))
            return false;
    return true;
}

/* Puts the children of the row in their order. Everything in it has been closed. */
static bool gcf_put_in_order(gcf_reader *r, const gcf_open_row *row)
{
    pith_doc *doc = r->doc;
    uint32_t first = row->slot + 1;
    uint32_t to = first;
    size_t count = doc->count - first;
    pith_slot *copy = LIST_ROOM(&r->reordered, &doc->alloc, count);
    if (!copy)
        return read_failed(&r->in);
    memcpy(copy, doc->slots + first, count * sizeof *copy);
    for (size_t i = 0; i < row->order.count; i++) {
        uint32_t from = row->order.at[i];
        const pith_slot *child = copy + (from - first);
        uint32_t end = slot_is_container(child) ? child->u.link.next : from + 1;
        uint32_t moved = to - from; /* modulo 2^32 */
        for (uint32_t at = from; at < end; at++, to++) {
            pith_slot *slot = &doc->slots[to];
            *slot = copy[at - first];
            if (slot_is_container(slot)) {
                slot->u.link.next += moved;
                slot->u.link.parent += at > from ? moved : 0;
            }
        }
    }
    assert(to == doc->count);
    return true;
}

bool gcf_end_row(gcf_reader *r, gcf_layout *t)
{
    gcf_open_row *row = &t->row;
    assert(row->open);
    bool fine = gcf_emit(r, t);
    while (fine && row->step < t->rows.order.count)
        fine = gcf_miss_attachment(r, t) && gcf_emit(r, t);
    row->open = false;
    /* With a problem nothing is kept, and something may be missing. */
    bool reordered = row->moved && r->report->count == 0;
    return fine && gcf_add_extras(r, row) && (!reordered || gcf_put_in_order(r, row)) &&
           read_close(&r->in, "duplicate_attachment", "duplicate attachment");
}
