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

#include "base/num.h"
#include "doc/columns.h"
#include "format/gcf1/gcf1_pen.h"

#include <assert.h>

enum { GCF1_SAMPLE = 5, GCF1_SPARSE_MOST = 64, GCF1_SPARSE_FREE = 1 << 20 };

/* ---------------------------------------------------------------------- columns */

/* What the rows have in a column. */
typedef struct gcf1_column {
    uint32_t rows; /* that have it */
    bool nested;   /* some row has an array or object there */
    bool below;    /* it is written below its row, and is no column then */
} gcf1_column;

typedef struct gcf1_table {
    column_table is;
    size_t first; /* of its columns in the writer's list */
} gcf1_table;

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
    uint32_t end; /* after the last */
    uint32_t index;
    uint32_t container;
    uint64_t depth; /* of its lines */
    bool dotted;    /* an object below a row: objects in it are .name */
    gcf1_table table;
} gcf1_frame;

typedef struct gcf1_writer {
    pith_out *out;
    const pith_doc *doc;
    pith_alloc alloc;
    gcf1_style style;
    gcf1_search *search; /* or NULL */
    uint32_t line_of;    /* the value whose line begins next */
    bool after_empty;    /* the line before is an object without members */
    bool failed;
    LIST(gcf1_frame) frames;
    doc_columns names;         /* of the columns of open tables, */
    LIST(gcf1_column) columns; /* and what is known of these */
} gcf1_writer;

static void gcf1_open_table(gcf1_writer *w, gcf1_table *table)
{
    columns_open(&w->names, &table->is);
    table->first = w->columns.count;
}

static void gcf1_close_table(gcf1_writer *w, const gcf1_table *table)
{
    assert(table->first <= w->columns.count);
    columns_close(&w->names, &table->is);
    w->columns.count = table->first;
}

/* The columns of the table, which was opened last when there are new ones. */
static gcf1_column *gcf1_columns(gcf1_writer *w, const gcf1_table *table)
{
    assert(table->first + table->is.count <= w->columns.count);
    return w->columns.at + table->first;
}

/* The columns of a row's members; NULL: 0, 1, 2 and so on. False when out of memory. */
static bool gcf1_find_map(gcf1_writer *w, gcf1_table *table, const pith_slot *row,
                          columns_new fresh, const uint32_t **map)
{
    columns_met met = columns_meet(&w->names, &table->is, row, fresh);
    *map = met == COLUMNS_MAPPED ? columns_map(&w->names, &table->is) : NULL;
    return met == COLUMNS_MAPPED || met == COLUMNS_IN_ORDER;
}

/* Makes the list of columns as long as that of their names; false when out of memory. */
static bool gcf1_add_columns(gcf1_writer *w, const gcf1_table *table)
{
    assert(table->first + table->is.count >= w->columns.count);
    size_t more = table->first + table->is.count - w->columns.count;
    gcf1_column *added = LIST_ROOM(&w->columns, &w->alloc, more + 1);
    if (!added)
        return false;
    memset(added, 0, more * sizeof *added);
    w->columns.count += more;
    return true;
}

static bool gcf1_all_scalars(const gcf1_writer *w, uint32_t at)
{
    const pith_slot *array = &w->doc->slots[at];
    for (uint32_t child = at + 1; child <= at + array->n; child++)
        if (slot_is_container(&w->doc->slots[child]))
            return false;
    return true;
}

/* One row more for the columns; false when out of memory. */
static bool gcf1_count_row(gcf1_writer *w, gcf1_table *table, const pith_slot *row)
{
    const uint32_t *map;
    if (!gcf1_find_map(w, table, row, COLUMNS_ADD, &map) || !gcf1_add_columns(w, table))
        return false;
    gcf1_column *columns = gcf1_columns(w, table);
    const pith_slot *cell = row + 1;
    for (uint32_t i = 0; i < row->n; i++) {
        gcf1_column *column = &columns[map ? map[i] : i];
        column->rows++;
        column->nested = column->nested || slot_is_container(cell);
        cell = doc_after(w->doc, cell);
    }
    return true;
}

/* The columns of all rows, and which of them are nested; false when there are far too
 * many, and when memory runs out. */
static bool gcf1_find_columns(gcf1_writer *w, const pith_slot *array, gcf1_table *table)
{
    uint64_t most = (uint64_t)w->doc->count * GCF1_SPARSE_MOST + GCF1_SPARSE_FREE;
    const pith_slot *row = array + 1;
    for (uint32_t i = 0; i < array->n; i++, row = doc_after(w->doc, row)) {
        if (!gcf1_count_row(w, table, row)) {
            w->failed = true;
            return false;
        }
        if ((uint64_t)table->is.count * array->n > most)
            return false;
    }
    return true;
}

/* Whether the row has seven of ten keys in common with the first, whose keys are the
 * first of the columns. Nested ones do not count: not every order has a customer. */
static bool gcf1_resembles(gcf1_writer *w, gcf1_table *table, uint32_t own,
                           const pith_slot *row)
{
    uint64_t common = 0;
    uint64_t all = 0;
    const gcf1_column *columns = gcf1_columns(w, table);
    const uint32_t *map;
    if (!gcf1_find_map(w, table, row, COLUMNS_REFUSE, &map)) {
        w->failed = true;
        return false;
    }
    for (uint32_t i = 0; i < own; i++)
        all += !columns[i].nested;
    for (uint32_t i = 0; i < row->n; i++) {
        uint32_t column = map ? map[i] : i;
        bool counts = !columns[column].nested;
        common += counts && column < own;
        all += counts && column >= own;
    }
    return common * 10 >= all * 7;
}

/* Whether the first few rows are alike. */
static bool gcf1_are_alike(gcf1_writer *w, const pith_slot *array, gcf1_table *table)
{
    assert(array->n > 0);
    const pith_slot *row = array + 1;
    uint32_t own = row->n;
    bool alike = true;
    for (uint32_t i = 0; alike && i < array->n && i < GCF1_SAMPLE; i++) {
        alike = gcf1_resembles(w, table, own, row);
        row = doc_after(w->doc, row);
    }
    return alike;
}

/* Tells what is written below its row from what is a column; false when nothing is one. */
static bool gcf1_divide_columns(gcf1_writer *w, const gcf1_table *table, uint32_t rows)
{
    gcf1_column *columns = gcf1_columns(w, table);
    bool any = false;
    for (size_t i = 0; i < table->is.count; i++) {
        columns[i].below = columns[i].nested || columns[i].rows < rows;
        any = any || !columns[i].below;
    }
    return any;
}

static gcf1_form gcf1_choose(gcf1_writer *w, uint32_t at, gcf1_table *table)
{
    const pith_slot *array = &w->doc->slots[at];
    assert(array->kind == PITH_ARRAY);
    if (array->n == 0)
        return GCF1_EMPTY;
    if (gcf1_all_scalars(w, at))
        return w->style.newer ? GCF1_LINE : GCF1_ITEMS;
    if (doc_all_objects(w->doc, at) && gcf1_find_columns(w, array, table) &&
        gcf1_are_alike(w, array, table) && gcf1_divide_columns(w, table, array->n))
        return GCF1_TABLE;
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
    const pith_out *out = w->out;
    if (w->search && out->sent + (uint64_t)(out->at - out->start) <= w->search->offset)
        w->search->found = w->line_of;
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
    out_number(out, count);
    out_byte(out, ']');
}

static void gcf1_put_line(gcf1_writer *w, uint32_t at)
{
    const pith_slot *array = &w->doc->slots[at];
    out_string(w->out, ": ");
    for (uint32_t i = 0; i < array->n; i++) {
        if (i > 0)
            out_byte(w->out, ',');
        gcf1_put_value(w->out, &w->doc->slots[at + 1 + i], GCF1_LISTED, w->style.seed);
    }
    out_byte(w->out, '\n');
}

/* {a,b} */
static void gcf1_put_fields(gcf1_writer *w, const gcf1_table *table)
{
    const gcf1_column *columns = gcf1_columns(w, table);
    char before = '{';
    for (size_t i = 0; i < table->is.count; i++) {
        if (!columns[i].below) {
            out_byte(w->out, before);
            out_text(w->out, key_text(columns_name(&w->names, &table->is, i)));
            before = ',';
        }
    }
    out_string(w->out, "}\n");
}

/* An array under its name, or without one. */
static void gcf1_put_array(gcf1_writer *w, const pith_key *name, uint32_t at,
                           uint64_t depth)
{
    pith_out *out = w->out;
    gcf1_table table;
    gcf1_open_table(w, &table);
    gcf1_form form = gcf1_choose(w, at, &table);
    if (form != GCF1_TABLE)
        gcf1_close_table(w, &table);
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
    if (form == GCF1_TABLE)
        gcf1_put_fields(w, &table);
    else
        out_byte(out, '\n');
    if (form == GCF1_EMPTY)
        return;
    gcf1_frame *frame =
        gcf1_push(w, form == GCF1_TABLE ? GCF1_IN_TABLE : GCF1_IN_ITEMS, at, depth);
    if (frame)
        frame->table = table;
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
    out_number(w->out, index);
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
    if (slot->kind == PITH_OBJECT)
        gcf1_enter_object(w, at, depth + 1, false);
    else if (slot->kind == PITH_ARRAY)
        gcf1_put_array(w, NULL, at, depth + 1);
}

/* The values of the row by column. True in `*below` if some are written below it; NULL
 * when memory runs out. */
static const pith_slot *const *gcf1_find_cells(gcf1_writer *w, gcf1_table *table,
                                               uint32_t row, bool *below)
{
    const pith_slot *const *cells =
        columns_arrange(&w->names, &table->is, &w->doc->slots[row]);
    const gcf1_column *columns = gcf1_columns(w, table);
    *below = false;
    for (size_t i = 0; cells && i < table->is.count; i++)
        *below = *below || (cells[i] && columns[i].below);
    return cells;
}

/* The line of a row; what stands below it follows from a frame of its own. */
static void gcf1_put_row(gcf1_writer *w, size_t frame_at, uint32_t row, uint32_t index)
{
    gcf1_frame *frame = &w->frames.at[frame_at];
    gcf1_table *table = &frame->table;
    uint64_t depth = frame->depth;
    bool below;
    const pith_slot *const *cells = gcf1_find_cells(w, table, row, &below);
    if (!cells) {
        w->failed = true;
        return;
    }
    if (below) {
        gcf1_put_id(w, index, depth);
        out_byte(w->out, ' ');
    } else {
        gcf1_indent(w, depth);
    }
    const gcf1_column *columns = gcf1_columns(w, table);
    gcf1_place place = GCF1_FIRST;
    for (size_t i = 0; i < table->is.count; i++) {
        if (columns[i].below)
            continue;
        if (place != GCF1_FIRST)
            out_byte(w->out, '|');
        gcf1_put_value(w->out, cells[i], place, w->style.seed);
        place = GCF1_CELL;
    }
    out_byte(w->out, '\n');
    if (below)
        gcf1_push(w, GCF1_IN_ROW, row, depth + 1);
}

/* The next member of a row, if it stands below it; the frame of the table is beneath. */
static void gcf1_put_below(gcf1_writer *w, uint32_t at, uint32_t index)
{
    const gcf1_frame *frame = &w->frames.at[w->frames.count - 1];
    gcf1_table *table = &w->frames.at[w->frames.count - 2].table;
    const pith_key *key = &doc_keys(w->doc, &w->doc->slots[frame->container])[index];
    uint32_t column = columns_find(&w->names, &table->is, key, index);
    if (column == NAMES_NONE)
        w->failed = true;
    else if (gcf1_columns(w, table)[column].below)
        gcf1_put_member(w, key, at, frame->depth, true);
}

/* The next child of the innermost frame. */
static void gcf1_step(gcf1_writer *w)
{
    size_t top = w->frames.count - 1;
    gcf1_frame *frame = &w->frames.at[top];
    uint32_t at = frame->at;
    uint32_t index = frame->index;
    if (at == frame->end) {
        if (frame->kind == GCF1_IN_TABLE)
            gcf1_close_table(w, &frame->table);
        w->frames.count--;
        return;
    }
    frame->at = doc_after_at(w->doc, at);
    frame->index++;
    w->line_of = at;
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
                       gcf1_search *search, pith_error *err)
{
    gcf1_writer w = {.out = out,
                     .doc = doc,
                     .alloc = out->alloc,
                     .style = style,
                     .search = search,
                     .line_of = at};
    columns_init(&w.names, doc, out->alloc);
    const pith_slot *root = &doc->slots[at];
    if (root->kind == PITH_OBJECT)
        gcf1_push(&w, GCF1_IN_OBJECT, at, 0);
    else if (root->kind == PITH_ARRAY)
        gcf1_put_array(&w, NULL, at, 0);
    else
        gcf1_put_value(out, root, GCF1_ROOT, style.seed);
    while (w.frames.count > 0 && !w.failed && out->status == PITH_OK)
        gcf1_step(&w);
    columns_free(&w.names);
    LIST_FREE(&w.columns, &w.alloc);
    LIST_FREE(&w.frames, &w.alloc);
    return w.failed ? error_no_memory(err) : PITH_OK;
}
