/*
 * gcf1_write.c - GCF 1, in the layout of its specification.
 *
 * An array is a table when all its elements are objects and the first five have most of
 * their keys in common (seven of ten, each with the first). Its columns are the keys
 * that hold no array or object in any row; what is in the others stands below its row,
 * and then every row has a number:
 *
 *     ## orders [2]{id,total}
 *     @0 1001|249.99
 *       .customer
 *         name=Alice
 *       ## items [1]{sku}
 *       A1
 *     @1 1002|89.5
 *
 * The walk is a stack of frames on the heap, one for each open object, array, table and
 * row. Absent cells and nulls are both a dash, and a null below a row is left out.
 */
#include "format/gcf1/gcf1.h"

#include "base/num.h"
#include "base/scan.h"
#include "doc/shape.h"

enum {
    GCF1_SAMPLE = 5,
    GCF1_DIGITS_MOST = 1100, /* of a number that is written out */
    GCF1_SPARSE_MOST = 64,
    GCF1_SPARSE_FREE = 1 << 20,
    GCF1_SPARES = 8,      /* columns that are kept to be used again, */
    GCF1_SPARE_MOST = 256 /* if they are no more than about half as many */
};

/* ----------------------------------------------------------------------- values */

static void gcf1_put_quoted(pith_out *out, pith_text text)
{
    out_byte(out, '"');
    for (size_t i = 0; i < text.len; i++) {
        char c = text.ptr[i];
        if (c == '"' || c == '\\' || c == '\n') {
            out_byte(out, '\\');
            out_byte(out, c == '\n' ? 'n' : c);
        } else {
            out_byte(out, c);
        }
    }
    out_byte(out, '"');
}

static void gcf1_put_zeros(pith_out *out, int64_t count)
{
    for (; count > 0; count--) {
        out_byte(out, '0');
    }
}

/* 1.25e3 as 1250: an exponent would make it a string. */
static void gcf1_put_number(pith_out *out, pith_text digits)
{
    num_parts parts;
    bool plain = gcf1_is_plain(digits) || !num_scan(digits, &parts);
    if (plain || parts.magnitude > GCF1_DIGITS_MOST ||
        parts.magnitude < -GCF1_DIGITS_MOST) {
        out_text(out, digits);
        return;
    }
    if (parts.zero) {
        out_byte(out, '0');
        return;
    }
    if (parts.negative) {
        out_byte(out, '-');
    }
    if (parts.magnitude < 0) {
        out_string(out, "0.");
        gcf1_put_zeros(out, -parts.magnitude - 1);
    }
    for (size_t i = 0; i < parts.significant; i++) {
        char digit =
            i < parts.high.len ? parts.high.ptr[i] : parts.low.ptr[i - parts.high.len];
        if (parts.magnitude >= 0 && i > 0 && (int64_t)i == parts.magnitude + 1) {
            out_byte(out, '.');
        }
        out_byte(out, digit);
    }
    gcf1_put_zeros(out, parts.magnitude + 1 - (int64_t)parts.significant);
}

static void gcf1_put_value(pith_out *out, const pith_slot *slot)
{
    pith_text text = slot_text(slot);
    switch (slot->kind) {
    case PITH_NULL:
        out_byte(out, '-');
        break;
    case PITH_INTEGER:
    case PITH_DECIMAL:
        gcf1_put_number(out, text);
        break;
    case PITH_STRING:
        if (text.len == 0 || memchr(text.ptr, '|', text.len) ||
            memchr(text.ptr, '\n', text.len)) {
            gcf1_put_quoted(out, text);
            break;
        }
        out_text(out, text);
        break;
    default:
        out_text(out, text);
    }
}

/* ---------------------------------------------------------------------- columns */

typedef struct gcf1_column {
    pith_key key;
    bool nested; /* some row has an array or object there */
} gcf1_column;

typedef struct gcf1_columns {
    gcf1_column *list;
    size_t count, cap;
    uint32_t *table; /* open addressing */
    size_t table_size;
    size_t flat; /* of them those that are not nested */

    /* Where the members of a row of this shape go. */
    uint32_t *places;
    size_t place_cap;
    uint16_t shape;

    const pith_slot **cells; /* of one row */
    size_t cell_cap;
} gcf1_columns;

static uint32_t *gcf1_place(const gcf1_columns *c, const pith_doc *doc, pith_text name)
{
    size_t mask = c->table_size - 1;
    size_t at = (size_t)hash_text(doc->shapes.seed, name.ptr, name.len) & mask;
    while (c->table[at] != SLOT_NONE &&
           !text_equal(key_text(&c->list[c->table[at]].key), name)) {
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
    for (size_t i = 0; i < c->count; i++) {
        *gcf1_place(c, doc, key_text(&c->list[i].key)) = (uint32_t)i;
    }
    return true;
}

/* The number of a column, new or old; SLOT_NONE when out of memory. */
static uint32_t gcf1_add_column(gcf1_columns *c, const pith_doc *doc,
                                const pith_alloc *alloc, const pith_key *key)
{
    if (c->count * 2 >= c->table_size && !gcf1_grow_table(c, doc, alloc)) {
        return SLOT_NONE;
    }
    uint32_t *place = gcf1_place(c, doc, key_text(key));
    if (*place == SLOT_NONE) {
        void *list = c->list;
        if (!alloc_grow(alloc, &list, &c->cap, c->count + 1, sizeof *c->list)) {
            return SLOT_NONE;
        }
        c->list = (gcf1_column *)list;
        gcf1_column column = {*key, false};
        c->list[c->count] = column;
        *place = (uint32_t)c->count++;
    }
    return *place;
}

static void gcf1_free_columns(gcf1_columns *c, const pith_alloc *alloc)
{
    alloc_free(alloc, c->list, c->cap * sizeof *c->list);
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
    void *places = c->places;
    if (!alloc_grow(alloc, &places, &c->place_cap, row->n, sizeof *c->places)) {
        return false;
    }
    c->places = (uint32_t *)places;
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
    gcf1_columns columns;
} gcf1_frame;

typedef struct gcf1_writer {
    pith_out *out;
    const pith_doc *doc;
    pith_alloc alloc;
    bool newer;
    bool failed;
    gcf1_frame *frames;
    size_t count, cap;
    gcf1_columns spare[GCF1_SPARES]; /* to be used again, empty */
    size_t spare_count;
} gcf1_writer;

static gcf1_columns gcf1_new_columns(gcf1_writer *w)
{
    gcf1_columns none;
    memset(&none, 0, sizeof none);
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
    c->count = 0;
    c->flat = 0;
    c->shape = SHAPE_NONE;
    w->spare[w->spare_count++] = *c;
    memset(c, 0, sizeof *c);
}

static bool gcf1_all_scalars(const gcf1_writer *w, uint32_t at)
{
    const pith_slot *array = &w->doc->slots[at];
    return array->u.link.next == at + 1 + array->n;
}

/* Whether a row has seven of ten keys in common with the first, whose keys are all the
 * columns there are. */
static bool gcf1_resembles(const gcf1_writer *w, const gcf1_columns *c,
                           const pith_slot *first, const pith_slot *row)
{
    uint64_t common = 0;
    const pith_key *keys = doc_keys(w->doc, row);
    if (row->shape != SHAPE_NONE && row->shape == first->shape) {
        return true;
    }
    for (uint32_t i = 0; i < row->n && c->table_size > 0; i++) {
        common += *gcf1_place(c, w->doc, key_text(&keys[i])) != SLOT_NONE;
    }
    return common * 10 >= ((uint64_t)first->n + row->n - common) * 7;
}

/* Whether all elements are objects, and the first few alike. */
static bool gcf1_is_table(gcf1_writer *w, uint32_t at)
{
    const pith_doc *doc = w->doc;
    const pith_slot *array = &doc->slots[at];
    const pith_slot *first = &doc->slots[at + 1];
    gcf1_columns sample = gcf1_new_columns(w);
    uint32_t number = 0;
    bool alike = true;
    for (uint32_t row = at + 1; row < array->u.link.next && alike;
         row = doc_behind(doc, row)) {
        const pith_slot *slot = &doc->slots[row];
        alike = slot->kind == PITH_OBJECT;
        if (alike && number == 0 && slot->n > 0 &&
            !gcf1_find_places(&sample, doc, &w->alloc, slot)) {
            w->failed = true;
            alike = false;
        }
        if (alike && number > 0 && number < GCF1_SAMPLE) {
            alike = gcf1_resembles(w, &sample, first, slot);
        }
        number++;
    }
    gcf1_drop_columns(w, &sample);
    return alike;
}

/* The columns of all rows, and which of them are nested; false when there is none that
 * is not, when there are far too many, and when memory runs out. */
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
        if ((uint64_t)c->count * array->n > most) {
            return false;
        }
        if (doc_children_end(slot) == row + 1 + slot->n) {
            continue; /* flat */
        }
        uint32_t child = row + 1;
        for (uint32_t i = 0; i < slot->n; i++) {
            if (slot_is_container(&doc->slots[child])) {
                c->list[c->places[i]].nested = true;
            }
            child = doc_behind(doc, child);
        }
    }
    for (size_t i = 0; i < c->count; i++) {
        c->flat += !c->list[i].nested;
    }
    return c->flat > 0;
}

static gcf1_form gcf1_choose(gcf1_writer *w, uint32_t at, gcf1_columns *c)
{
    const pith_slot *array = &w->doc->slots[at];
    if (array->n == 0) {
        return GCF1_EMPTY;
    }
    if (gcf1_all_scalars(w, at) && w->doc->slots[at + 1].kind != PITH_OBJECT) {
        return w->newer ? GCF1_LINE : GCF1_ITEMS;
    }
    if (gcf1_is_table(w, at) && gcf1_find_columns(w, at, c)) {
        return GCF1_TABLE;
    }
    gcf1_drop_columns(w, c);
    return GCF1_ITEMS;
}

/* ----------------------------------------------------------------------- frames */

static gcf1_frame *gcf1_push(gcf1_writer *w, gcf1_frame_kind kind, uint32_t at,
                             uint64_t depth)
{
    void *frames = w->frames;
    if (!alloc_grow(&w->alloc, &frames, &w->cap, w->count + 1, sizeof *w->frames)) {
        w->failed = true;
        return NULL;
    }
    w->frames = (gcf1_frame *)frames;
    gcf1_frame *frame = &w->frames[w->count++];
    memset(frame, 0, sizeof *frame);
    frame->kind = kind;
    frame->container = at;
    frame->at = at + 1;
    frame->end = doc_children_end(&w->doc->slots[at]);
    frame->depth = depth;
    return frame;
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
        gcf1_put_value(w->out, &w->doc->slots[at + 1 + i]);
    }
    out_byte(w->out, '\n');
}

/* {a,b} */
static void gcf1_put_fields(pith_out *out, const gcf1_columns *c)
{
    bool first = true;
    out_byte(out, '{');
    for (size_t i = 0; i < c->count; i++) {
        if (!c->list[i].nested) {
            if (!first) {
                out_byte(out, ',');
            }
            out_text(out, key_text(&c->list[i].key));
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
    out_indent(out, 2 * depth);
    if (form == GCF1_LINE && name) {
        out_text(out, key_text(name));
        gcf1_put_count(out, count);
        gcf1_put_line(w, at);
        return;
    }
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

/* A member of an object, or of a row below it. */
static void gcf1_put_member(gcf1_writer *w, const pith_key *key, uint32_t at,
                            uint64_t depth, bool in_row)
{
    const pith_slot *slot = &w->doc->slots[at];
    if (slot->kind == PITH_ARRAY) {
        gcf1_put_array(w, key, at, depth);
        return;
    }
    out_indent(w->out, 2 * depth);
    if (slot->kind == PITH_OBJECT) {
        out_string(w->out, in_row ? "." : "## ");
        out_text(w->out, key_text(key));
        out_byte(w->out, '\n');
        gcf1_push(w, GCF1_IN_OBJECT, at, depth + 1);
        return;
    }
    out_text(w->out, key_text(key));
    out_byte(w->out, '=');
    gcf1_put_value(w->out, slot);
    out_byte(w->out, '\n');
}

static void gcf1_put_id(gcf1_writer *w, uint32_t index, uint64_t depth)
{
    out_indent(w->out, 2 * depth);
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
        gcf1_put_value(w->out, slot);
    }
    out_byte(w->out, '\n');
    if (slot->kind == PITH_OBJECT) {
        gcf1_push(w, GCF1_IN_OBJECT, at, depth + 1);
    } else if (slot->kind == PITH_ARRAY) {
        gcf1_put_array(w, NULL, at, depth + 1);
    }
}

/* The line of a row; what is nested follows from a frame of its own. */
static void gcf1_put_row(gcf1_writer *w, size_t frame_at, uint32_t row, uint32_t index)
{
    gcf1_frame *frame = &w->frames[frame_at];
    gcf1_columns *c = &frame->columns;
    const pith_slot *slot = &w->doc->slots[row];
    uint64_t depth = frame->depth;
    bool numbered = c->flat < c->count;
    void *cells = (void *)c->cells;
    if ((slot->n > 0 && !gcf1_find_places(c, w->doc, &w->alloc, slot)) ||
        !alloc_grow(&w->alloc, &cells, &c->cell_cap, c->count, sizeof *c->cells)) {
        w->failed = true;
        return;
    }
    c->cells = (const pith_slot **)cells;
    memset((void *)c->cells, 0, c->count * sizeof *c->cells);
    uint32_t child = row + 1;
    for (uint32_t i = 0; i < slot->n; i++) {
        c->cells[c->places[i]] = &w->doc->slots[child];
        child = doc_behind(w->doc, child);
    }
    if (numbered) {
        gcf1_put_id(w, index, depth);
        out_byte(w->out, ' ');
    } else {
        out_indent(w->out, 2 * depth);
    }
    bool first = true;
    for (size_t i = 0; i < c->count; i++) {
        if (c->list[i].nested) {
            continue;
        }
        if (!first) {
            out_byte(w->out, '|');
        }
        first = false;
        if (c->cells[i]) {
            gcf1_put_value(w->out, c->cells[i]);
        } else {
            out_byte(w->out, '-');
        }
    }
    out_byte(w->out, '\n');
    if (numbered && slot->n > 0) {
        gcf1_push(w, GCF1_IN_ROW, row, depth + 1);
    }
}

/* The next member of a row that stands below it; the frame of the table is beneath. */
static void gcf1_put_below(gcf1_writer *w, uint32_t at, uint32_t index)
{
    const gcf1_frame *frame = &w->frames[w->count - 1];
    const gcf1_columns *c = &w->frames[w->count - 2].columns;
    const pith_key *key = &doc_keys(w->doc, &w->doc->slots[frame->container])[index];
    uint32_t column = *gcf1_place(c, w->doc, key_text(key));
    if (c->list[column].nested && w->doc->slots[at].kind != PITH_NULL) {
        gcf1_put_member(w, key, at, frame->depth, true);
    }
}

/* The next child of the innermost frame. */
static void gcf1_step(gcf1_writer *w)
{
    size_t top = w->count - 1;
    gcf1_frame *frame = &w->frames[top];
    uint32_t at = frame->at;
    uint32_t index = frame->index;
    if (at == frame->end) {
        gcf1_drop_columns(w, &frame->columns);
        w->count--;
        return;
    }
    frame->at = doc_behind(w->doc, at);
    frame->index++;
    const pith_key *key;
    switch (frame->kind) {
    case GCF1_IN_OBJECT:
        key = &doc_keys(w->doc, &w->doc->slots[frame->container])[index];
        gcf1_put_member(w, key, at, frame->depth, false);
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

pith_status gcf1_write(pith_out *out, const pith_doc *doc, uint32_t at, bool newer,
                       pith_error *err)
{
    gcf1_writer w;
    memset(&w, 0, sizeof w);
    w.out = out;
    w.doc = doc;
    w.alloc = out->alloc;
    w.newer = newer;
    const pith_slot *root = &doc->slots[at];
    if (root->kind == PITH_OBJECT) {
        gcf1_push(&w, GCF1_IN_OBJECT, at, 0);
    } else if (root->kind == PITH_ARRAY) {
        gcf1_put_array(&w, NULL, at, 0);
    } else {
        gcf1_put_value(out, root);
    }
    while (w.count > 0 && !w.failed && out->status == PITH_OK) {
        gcf1_step(&w);
    }
    for (size_t i = 0; i < w.count; i++) {
        gcf1_free_columns(&w.frames[i].columns, &w.alloc);
    }
    for (size_t i = 0; i < w.spare_count; i++) {
        gcf1_free_columns(&w.spare[i], &w.alloc);
    }
    alloc_free(&w.alloc, w.frames, w.cap * sizeof *w.frames);
    return w.failed ? error_no_memory(err) : PITH_OK;
}
