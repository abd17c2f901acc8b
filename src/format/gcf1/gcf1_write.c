/*
 * gcf1_write.c - GCF 1, in the layout of its specification.
 *
 * An array is a table when all its elements are objects and the first five have most of
 * their keys in common (seven of ten, each with the first; keys that hold an array or
 * object somewhere do not count). Its columns are the keys that every row has and that
 * hold no array or object in any of them. Everything else stands below its row, which
 * then has its number before it:
 *
 *     ## orders [3]{id,total}
 *     @0 1001|249.99
 *       .customer
 *         name=Alice
 *         .address
 *           city=Oslo
 *       ## items [1]{sku}
 *       A1
 *     @1 1002|89.5
 *       customer=-
 *     1003|12
 *
 * So null and absent differ: the third order has no customer.
 *
 * An empty object is nothing but its header, and what follows would be taken for one of
 * its members if no line of the whole text were indented (see gcf1_unindented.c). A
 * comment that is indented prevents that:
 *
 *     ## cache
 *       # empty
 *     port=80
 *
 * The walk is a stack of frames on the heap, one for each open object, array, table and
 * row.
 */
#include "format/gcf1/gcf1.h"

#include "base/list.h"
#include "base/num.h"
#include "doc/shape.h"
#include "format/gcf1/gcf1_pen.h"

#include <assert.h>

enum {
    GCF1_SAMPLE = 5,
    GCF1_SPARSE_MOST = 64,
    GCF1_SPARSE_FREE = 1 << 20,
    GCF1_SPARES = 8,      /* columns that are kept to be used again, */
    GCF1_SPARE_MOST = 256 /* if they are no more than about half as many */
};

/* ---------------------------------------------------------------------- columns */

typedef struct gcf1_column {
    pith_key key;
    uint32_t rows; /* that have it */
    bool nested;   /* some row has an array or object there */
    bool below;    /* it is written below its row, and is no column then */
} gcf1_column;

typedef struct gcf1_columns {
    LIST(gcf1_column) list;
    uint32_t *table; /* open addressing */
    size_t table_size;
    size_t flat; /* of them those that are not below */

    /* Where the members of a row of this shape go. */
    uint32_t *places;
    size_t place_cap;
    uint16_t shape;

    const pith_slot **cells; /* of one row */
    size_t cell_cap;
} gcf1_columns;

static uint32_t *gcf1_place_of(const gcf1_columns *c, const pith_doc *doc, pith_text name)
{
    size_t mask = c->table_size - 1;
    size_t at = (size_t)hash_text(doc->shapes.seed, name.ptr, name.len) & mask;
    while (c->table[at] != SLOT_NONE &&
           !text_equal(key_text(&c->list.at[c->table[at]].key), name)) {
        at = (at + 1) & mask;
    }
    return &c->table[at];
}

static bool gcf1_grow_table(gcf1_columns *c, const pith_doc *doc, const pith_alloc *alloc)
{
    size_t size = c->table_size ? c->table_size * 2 : 16;
    uint32_t *table = (uint32_t *)alloc_resize(alloc, NULL, 0, size * sizeof *table);
    if (!table) {
        return false;
    }
    alloc_free(alloc, c->table, c->table_size * sizeof *c->table);
    memset(table, 0xFF, size * sizeof *table);
    c->table = table;
    c->table_size = size;
    for (size_t i = 0; i < c->list.count; i++) {
        *gcf1_place_of(c, doc, key_text(&c->list.at[i].key)) = (uint32_t)i;
    }
    return true;
}

/* The number of a column, new or old; SLOT_NONE when out of memory. */
static uint32_t gcf1_add_column(gcf1_columns *c, const pith_doc *doc,
                                const pith_alloc *alloc, const pith_key *key)
{
    if (c->list.count * 2 >= c->table_size && !gcf1_grow_table(c, doc, alloc)) {
        return SLOT_NONE;
    }
    uint32_t *place = gcf1_place_of(c, doc, key_text(key));
    if (*place == SLOT_NONE) {
        gcf1_column *added = LIST_ADD(&c->list, alloc);
        if (!added) {
            return SLOT_NONE;
        }
        gcf1_column column = {*key, 0, false, false};
        *added = column;
        *place = (uint32_t)(c->list.count - 1);
    }
    return *place;
}

static void gcf1_free_columns(gcf1_columns *c, const pith_alloc *alloc)
{
    LIST_FREE(&c->list, alloc);
    alloc_free(alloc, c->table, c->table_size * sizeof *c->table);
    alloc_free(alloc, c->places, c->place_cap * sizeof *c->places);
    alloc_free(alloc, (void *)c->cells, c->cell_cap * sizeof *c->cells);
    memset(c, 0, sizeof *c);
}

/* The columns of a row's members in c->places; false when out of memory. */
static bool gcf1_find_places(gcf1_columns *c, const pith_doc *doc,
                             const pith_alloc *alloc, const pith_slot *row)
{
    if (row->shape != SHAPE_NONE && row->shape == c->shape) {
        return true;
    }
    if (!list_grow(alloc, (void *)&c->places, &c->place_cap, row->n, sizeof *c->places)) {
        return false;
    }
    const pith_key *keys = doc_keys(doc, row);
    for (uint32_t i = 0; i < row->n; i++) {
        c->places[i] = gcf1_add_column(c, doc, alloc, &keys[i]);
        if (c->places[i] == SLOT_NONE) {
            return false;
        }
    }
    c->shape = row->shape;
    return true;
}

/* ------------------------------------------------------------------- what it is */

typedef enum gcf1_form { GCF1_EMPTY, GCF1_LINE, GCF1_TABLE, GCF1_ITEMS } gcf1_form;

typedef enum gcf1_frame_kind {
    GCF1_IN_OBJECT,
    GCF1_IN_ITEMS,
    GCF1_IN_TABLE,
    GCF1_IN_ROW
} gcf1_frame_kind;

typedef struct gcf1_frame {
    gcf1_frame_kind kind;
    uint32_t at;  /* the next child */
    uint32_t end; /* behind the last */
    uint32_t index;
    uint32_t container;
    uint64_t depth; /* of its lines */
    bool dotted;    /* an object below a row: objects in it are .name */
    gcf1_columns columns;
} gcf1_frame;

typedef struct gcf1_writer {
    pith_out *out;
    const pith_doc *doc;
    pith_alloc alloc;
    gcf1_style style;
    bool after_empty; /* the line before is an object without members */
    bool failed;
    LIST(gcf1_frame) frames;
    gcf1_columns spare[GCF1_SPARES]; /* to be used again, empty */
    size_t spare_count;
} gcf1_writer;

static gcf1_columns gcf1_new_columns(gcf1_writer *w)
{
    gcf1_columns none = {0};
    return w->spare_count > 0 ? w->spare[--w->spare_count] : none;
}

/* Empties the columns and keeps their memory, unless that is a lot. */
static void gcf1_drop_columns(gcf1_writer *w, gcf1_columns *c)
{
    if (c->table_size == 0 || c->table_size > GCF1_SPARE_MOST ||
        w->spare_count == GCF1_SPARES) {
        gcf1_free_columns(c, &w->alloc);
        return;
    }
    memset(c->table, 0xFF, c->table_size * sizeof *c->table);
    c->list.count = 0;
    c->flat = 0;
    c->shape = SHAPE_NONE;
    w->spare[w->spare_count++] = *c;
    memset(c, 0, sizeof *c);
}

static bool gcf1_all_scalars(const gcf1_writer *w, uint32_t at)
{
    const pith_slot *array = &w->doc->slots[at];
    for (uint32_t child = at + 1; child <= at + array->n; child++) {
        if (slot_is_container(&w->doc->slots[child])) {
            return false;
        }
    }
    return true;
}

static bool gcf1_all_objects(const gcf1_writer *w, uint32_t at)
{
    uint32_t end = w->doc->slots[at].u.link.next;
    for (uint32_t row = at + 1; row < end; row = doc_behind(w->doc, row)) {
        if (w->doc->slots[row].kind != PITH_OBJECT) {
            return false;
        }
    }
    return true;
}

/* The columns of all rows, and which of them are nested; false when there are far too
 * many, and when memory runs out. */
static bool gcf1_find_columns(gcf1_writer *w, uint32_t at, gcf1_columns *c)
{
    const pith_doc *doc = w->doc;
    const pith_slot *array = &doc->slots[at];
    uint64_t most = (uint64_t)doc->count * GCF1_SPARSE_MOST + GCF1_SPARSE_FREE;
    for (uint32_t row = at + 1; row < array->u.link.next; row = doc_behind(doc, row)) {
        const pith_slot *slot = &doc->slots[row];
        if (slot->n == 0) {
            continue;
        }
        if (!gcf1_find_places(c, doc, &w->alloc, slot)) {
            w->failed = true;
            return false;
        }
        if ((uint64_t)c->list.count * array->n > most) {
            return false;
        }
        uint32_t child = row + 1;
        for (uint32_t i = 0; i < slot->n; i++) {
            gcf1_column *column = &c->list.at[c->places[i]];
            column->rows++;
            column->nested = column->nested || slot_is_container(&doc->slots[child]);
            child = doc_behind(doc, child);
        }
    }
    return true;
}

/* Whether the row has seven of ten keys in common with the first, whose keys are the
 * first of the columns. Nested ones do not count: not every order has a customer. */
static bool gcf1_resembles(const gcf1_writer *w, const gcf1_columns *c, uint32_t own,
                           const pith_slot *row)
{
    uint64_t common = 0;
    uint64_t all = 0;
    const pith_key *keys = row->n > 0 ? doc_keys(w->doc, row) : NULL;
    assert(own == 0 || c->list.at);
    for (uint32_t i = 0; i < own; i++) {
        all += !c->list.at[i].nested;
    }
    for (uint32_t i = 0; i < row->n; i++) {
        uint32_t place = *gcf1_place_of(c, w->doc, key_text(&keys[i]));
        bool counts = !c->list.at[place].nested;
        common += counts && place < own;
        all += counts && place >= own;
    }
    return common * 10 >= all * 7;
}

/* Whether the first few rows are alike. */
static bool gcf1_are_alike(const gcf1_writer *w, const gcf1_columns *c, uint32_t at)
{
    const pith_slot *array = &w->doc->slots[at];
    uint32_t own = w->doc->slots[at + 1].n;
    uint32_t row = at + 1;
    bool alike = true;
    for (uint32_t i = 0; alike && i < array->n && i < GCF1_SAMPLE; i++) {
        alike = gcf1_resembles(w, c, own, &w->doc->slots[row]);
        row = doc_behind(w->doc, row);
    }
    return alike;
}

/* Tells what stands below its row from what is a column; false when nothing is one. */
static bool gcf1_divide_columns(gcf1_columns *c, uint32_t rows)
{
    for (size_t i = 0; i < c->list.count; i++) {
        c->list.at[i].below = c->list.at[i].nested || c->list.at[i].rows < rows;
        c->flat += !c->list.at[i].below;
    }
    return c->flat > 0;
}

static gcf1_form gcf1_choose(gcf1_writer *w, uint32_t at, gcf1_columns *c)
{
    const pith_slot *array = &w->doc->slots[at];
    if (array->n == 0) {
        return GCF1_EMPTY;
    }
    if (gcf1_all_scalars(w, at)) {
        return w->style.newer ? GCF1_LINE : GCF1_ITEMS;
    }
    if (gcf1_all_objects(w, at) && gcf1_find_columns(w, at, c) &&
        gcf1_are_alike(w, c, at) && gcf1_divide_columns(c, array->n)) {
        return GCF1_TABLE;
    }
    return GCF1_ITEMS;
}

/* ----------------------------------------------------------------------- frames */

static gcf1_frame *gcf1_push(gcf1_writer *w, gcf1_frame_kind kind, uint32_t at,
                             uint64_t depth)
{
    gcf1_frame *frame = LIST_ADD(&w->frames, &w->alloc);
    if (!frame) {
        w->failed = true;
        return NULL;
    }
    memset(frame, 0, sizeof *frame);
    frame->kind = kind;
    frame->container = at;
    frame->at = at + 1;
    frame->end = doc_children_end(&w->doc->slots[at]);
    frame->depth = depth;
    return frame;
}

/* The start of a line. */
static void gcf1_indent(gcf1_writer *w, uint64_t depth)
{
    w->after_empty = false;
    out_indent(w->out, 2 * depth);
}

/* The start of a line that would be taken for a member of the empty object before it. */
static void gcf1_indent_member(gcf1_writer *w, uint64_t depth)
{
    if (w->after_empty && w->out->indented == 0) {
        out_indent(w->out, 2);
        out_string(w->out, "# empty\n");
    }
    gcf1_indent(w, depth);
}

/* Goes on with the members of an object, which stand at `depth`. */
static void gcf1_enter_object(gcf1_writer *w, uint32_t at, uint64_t depth, bool dotted)
{
    gcf1_frame *frame = gcf1_push(w, GCF1_IN_OBJECT, at, depth);
    if (frame) {
        frame->dotted = dotted;
        w->after_empty = w->doc->slots[at].n == 0;
    }
}

static void gcf1_put_count(pith_out *out, uint64_t count)
{
    out_byte(out, '[');
    out_reserve(out, NUM_UINT64_MAX_LEN);
    out->at += num_write_uint64(out->at, count);
    out_byte(out, ']');
}

static void gcf1_put_line(gcf1_writer *w, uint32_t at)
{
    const pith_slot *array = &w->doc->slots[at];
    out_string(w->out, ": ");
    for (uint32_t i = 0; i < array->n; i++) {
        if (i > 0) {
            out_byte(w->out, ',');
        }
        gcf1_put_value(w->out, &w->doc->slots[at + 1 + i], GCF1_LISTED, w->style.seed);
    }
    out_byte(w->out, '\n');
}

/* {a,b} */
static void gcf1_put_fields(pith_out *out, const gcf1_columns *c)
{
    bool first = true;
    out_byte(out, '{');
    for (size_t i = 0; i < c->list.count; i++) {
        if (!c->list.at[i].below) {
            if (!first) {
                out_byte(out, ',');
            }
            out_text(out, key_text(&c->list.at[i].key));
            first = false;
        }
    }
    out_string(out, "}\n");
}

/* An array under its name, or without one. */
static void gcf1_put_array(gcf1_writer *w, const pith_key *name, uint32_t at,
                           uint64_t depth)
{
    pith_out *out = w->out;
    gcf1_columns columns = gcf1_new_columns(w);
    gcf1_form form = gcf1_choose(w, at, &columns);
    if (form != GCF1_TABLE) {
        gcf1_drop_columns(w, &columns);
    }
    uint32_t count = w->doc->slots[at].n;
    if (form == GCF1_LINE && name) {
        gcf1_indent_member(w, depth);
        out_text(out, key_text(name));
        gcf1_put_count(out, count);
        gcf1_put_line(w, at);
        return;
    }
    gcf1_indent(w, depth);
    out_string(out, "## ");
    if (name) {
        out_text(out, key_text(name));
        out_byte(out, ' ');
    }
    gcf1_put_count(out, count);
    if (form == GCF1_LINE) {
        gcf1_put_line(w, at);
        return;
    }
    if (form == GCF1_TABLE) {
        gcf1_put_fields(out, &columns);
    } else {
        out_byte(out, '\n');
    }
    if (form == GCF1_EMPTY) {
        return;
    }
    gcf1_frame *frame =
        gcf1_push(w, form == GCF1_TABLE ? GCF1_IN_TABLE : GCF1_IN_ITEMS, at, depth);
    if (frame) {
        frame->columns = columns;
    } else {
        gcf1_free_columns(&columns, &w->alloc);
    }
}

/* A member of an object, or of a row below it; `dotted` if objects are .name there. */
static void gcf1_put_member(gcf1_writer *w, const pith_key *key, uint32_t at,
                            uint64_t depth, bool dotted)
{
    const pith_slot *slot = &w->doc->slots[at];
    if (slot->kind == PITH_ARRAY) {
        gcf1_put_array(w, key, at, depth);
        return;
    }
    if (slot->kind == PITH_OBJECT) {
        gcf1_indent(w, depth);
        out_string(w->out, dotted ? "." : "## ");
        out_text(w->out, key_text(key));
        out_byte(w->out, '\n');
        gcf1_enter_object(w, at, depth + 1, dotted);
        return;
    }
    gcf1_indent_member(w, depth);
    out_text(w->out, key_text(key));
    out_byte(w->out, '=');
    gcf1_put_value(w->out, slot, GCF1_ALONE, w->style.seed);
    out_byte(w->out, '\n');
}

static void gcf1_put_id(gcf1_writer *w, uint32_t index, uint64_t depth)
{
    gcf1_indent(w, depth);
    out_byte(w->out, '@');
    out_reserve(w->out, NUM_UINT64_MAX_LEN);
    w->out->at += num_write_uint64(w->out->at, index);
}

static void gcf1_put_item(gcf1_writer *w, uint32_t at, uint32_t index, uint64_t depth)
{
    const pith_slot *slot = &w->doc->slots[at];
    gcf1_put_id(w, index, depth);
    if (!slot_is_container(slot)) {
        out_byte(w->out, ' ');
        gcf1_put_value(w->out, slot, GCF1_ALONE, w->style.seed);
    }
    out_byte(w->out, '\n');
    if (slot->kind == PITH_OBJECT) {
        gcf1_enter_object(w, at, depth + 1, false);
    } else if (slot->kind == PITH_ARRAY) {
        gcf1_put_array(w, NULL, at, depth + 1);
    }
}

/* Where the values of the row are, by column, in c->cells. True in `*below` if some stand
 * below it; false when memory runs out. */
static bool gcf1_find_cells(gcf1_writer *w, gcf1_columns *c, uint32_t row, bool *below)
{
    const pith_slot *slot = &w->doc->slots[row];
    if (!gcf1_find_places(c, w->doc, &w->alloc, slot) ||
        !list_grow(&w->alloc, (void *)&c->cells, &c->cell_cap, c->list.count,
                   sizeof *c->cells)) {
        return false;
    }
    uint32_t child = row + 1;
    *below = false;
    for (uint32_t i = 0; i < slot->n; i++) {
        c->cells[c->places[i]] = &w->doc->slots[child];
        *below = *below || c->list.at[c->places[i]].below;
        child = doc_behind(w->doc, child);
    }
    return true;
}

/* The line of a row; what stands below it follows from a frame of its own. */
static void gcf1_put_row(gcf1_writer *w, size_t frame_at, uint32_t row, uint32_t index)
{
    gcf1_frame *frame = &w->frames.at[frame_at];
    gcf1_columns *c = &frame->columns;
    uint64_t depth = frame->depth;
    bool below;
    if (!gcf1_find_cells(w, c, row, &below)) {
        w->failed = true;
        return;
    }
    if (below) {
        gcf1_put_id(w, index, depth);
        out_byte(w->out, ' ');
    } else {
        gcf1_indent(w, depth);
    }
    gcf1_place place = GCF1_FIRST;
    for (size_t i = 0; i < c->list.count; i++) {
        if (c->list.at[i].below) {
            continue;
        }
        if (place != GCF1_FIRST) {
            out_byte(w->out, '|');
        }
        gcf1_put_value(w->out, c->cells[i], place, w->style.seed);
        place = GCF1_CELL;
    }
    out_byte(w->out, '\n');
    if (below) {
        gcf1_push(w, GCF1_IN_ROW, row, depth + 1);
    }
}

/* The next member of a row, if it stands below it; the frame of the table is beneath. */
static void gcf1_put_below(gcf1_writer *w, uint32_t at, uint32_t index)
{
    const gcf1_frame *frame = &w->frames.at[w->frames.count - 1];
    const gcf1_columns *c = &w->frames.at[w->frames.count - 2].columns;
    const pith_key *key = &doc_keys(w->doc, &w->doc->slots[frame->container])[index];
    uint32_t column = *gcf1_place_of(c, w->doc, key_text(key));
    if (c->list.at[column].below) {
        gcf1_put_member(w, key, at, frame->depth, true);
    }
}

/* The next child of the innermost frame. */
static void gcf1_step(gcf1_writer *w)
{
    size_t top = w->frames.count - 1;
    gcf1_frame *frame = &w->frames.at[top];
    uint32_t at = frame->at;
    uint32_t index = frame->index;
    if (at == frame->end) {
        gcf1_drop_columns(w, &frame->columns);
        w->frames.count--;
        return;
    }
    frame->at = doc_behind(w->doc, at);
    frame->index++;
    const pith_key *key;
    switch (frame->kind) {
    case GCF1_IN_OBJECT:
        key = &doc_keys(w->doc, &w->doc->slots[frame->container])[index];
        gcf1_put_member(w, key, at, frame->depth, frame->dotted);
        break;
    case GCF1_IN_ITEMS:
        gcf1_put_item(w, at, index, frame->depth);
        break;
    case GCF1_IN_TABLE:
        gcf1_put_row(w, top, at, index);
        break;
    case GCF1_IN_ROW:
        gcf1_put_below(w, at, index);
        break;
    }
}

pith_status gcf1_write(pith_out *out, const pith_doc *doc, uint32_t at, gcf1_style style,
                       pith_error *err)
{
    gcf1_writer w = {.out = out, .doc = doc, .alloc = out->alloc, .style = style};
    const pith_slot *root = &doc->slots[at];
    if (root->kind == PITH_OBJECT) {
        gcf1_push(&w, GCF1_IN_OBJECT, at, 0);
    } else if (root->kind == PITH_ARRAY) {
        gcf1_put_array(&w, NULL, at, 0);
    } else {
        gcf1_put_value(out, root, GCF1_ROOT, style.seed);
    }
    while (w.frames.count > 0 && !w.failed && out->status == PITH_OK) {
        gcf1_step(&w);
    }
    for (size_t i = 0; i < w.frames.count; i++) {
        gcf1_free_columns(&w.frames.at[i].columns, &w.alloc);
    }
    for (size_t i = 0; i < w.spare_count; i++) {
        gcf1_free_columns(&w.spare[i], &w.alloc);
    }
    LIST_FREE(&w.frames, &w.alloc);
    return w.failed ? error_no_memory(err) : PITH_OK;
}
