/*
 * cells.c - values in batches: the calls that build a document from arrays of cells.
 *
 * Most of a call is spent on keeping the document as it has to be between two calls. Cells
 * come many at a time, so this works as readers do: the end of the tape and the open
 * container stay in local variables, and each cell writes its slot and, after the text
 * before it, its text.
 *
 *     cells    | 7 | "a" | [ | 1.5 | ] | ...
 *                v    v                         one loop, nothing checked twice
 *     tape     | INTEGER | STRING | ARRAY | DECIMAL | ...
 *     arena    7a1.5
 *
 * The loop does what is common. It stops before a cell that is anything else: a key that
 * was not guessed, an object without a shape, no memory, a mistake. Such a cell goes
 * through the same call as one that comes alone, and has the same outcome.
 */
#include "doc/cells.h"
#include "base/lex.h"
#include "base/num.h"
#include "base/utf8.h"

#include <math.h>

/* ---------------------------------------------------------------- filled objects */

/* Moves what is in `slots` from the place `from` to `to`, before it. */
static void cells_move(pith_slot *slots, uint32_t from, uint32_t end, uint32_t to,
                       uint32_t object)
{
    uint32_t back = from - to;
    for (uint32_t i = from; i < end; i++) {
        slots[i - back] = slots[i];
        if (!slot_is_container(&slots[i]))
            continue;
        slots[i - back].u.link.next -= back;
        if (slots[i].u.link.parent != object)
            slots[i - back].u.link.parent -= back;
    }
}

/* Takes the gaps out of an object that has all its values, and finds its shape. */
static build_result cells_close_gaps(pith_doc *doc)
{
    uint32_t object = doc->open;
    pith_slot *slots = doc->slots;
    uint32_t width = slots[object].n;
    const pith_key *keys = shapes_list(&doc->shapes, slots[object].shape);
    uint32_t to = object + 1;
    uint32_t from = to;
    if (!keys)
        return BUILD_NO_MEMORY;
    slots[object].shape = SHAPE_EMPTY;
    slots[object].n = 0;
    for (uint32_t i = 0; i < width; i++) {
        uint32_t end = doc_after_at(doc, from);
        if (slots[from].kind != SLOT_ABSENT) {
            cells_move(slots, from, end, to, object);
            to += end - from;
            slots[object].n++;
            build_result result =
                build_key(doc, keys[i].flags, keys[i].text, keys[i].len);
            if (result != BUILD_DONE)
                return result;
        }
        from = end;
    }
    doc->count = to;
    return BUILD_DONE;
}

build_result cells_close_filled(pith_doc *doc)
{
    build_result result = BUILD_DONE;
    while (result == BUILD_DONE && cells_are_complete(doc)) {
        if (doc->slots[doc->open].flags & SLOT_GAPS)
            result = cells_close_gaps(doc);
        doc->slots[doc->open].flags = 0;
        if (result == BUILD_DONE)
            result = build_close(doc);
    }
    return result;
}

static bool cells_is_shape(const pith_doc *doc, uint64_t shape)
{
    return shape != SHAPE_NONE && shape < doc->shapes.count;
}

static void cells_open_shaped(pith_doc *doc, uint64_t shape)
{
    if (!builder_ready(doc))
        return;
    if (!cells_is_shape(doc, shape)) {
        builder_fail(doc, PITH_BAD_USE, "unknown_shape", "there is no such shape");
        return;
    }
    build_result result = build_open_shaped(doc, PITH_OBJECT, (uint16_t)shape);
    if (result == BUILD_DONE)
        doc->slots[doc->open].flags = SLOT_FILLING;
    builder_check(doc, result);
}

void pith_doc_skip(pith_doc *doc)
{
    if (doc->fault.status != PITH_OK)
        return;
    if (cells_in_wide_row(doc)) {
        doc->rows->at++;
        builder_check(doc, BUILD_DONE);
        return;
    }
    if (doc->open == SLOT_NONE || !(doc->slots[doc->open].flags & SLOT_FILLING)) {
        builder_fail(doc, PITH_BAD_USE, "not_shaped",
                     "only the objects of a shape may lack a value");
        return;
    }
    pith_slot *slot = build_slot(doc);
    if (slot) {
        slot_set(slot, (pith_kind)SLOT_ABSENT, 0, NULL, 0);
        doc->slots[doc->open].flags |= SLOT_GAPS;
        build_count(doc);
    }
    builder_check(doc, slot ? BUILD_DONE : BUILD_NO_MEMORY);
}

uint32_t pith_doc_shape(pith_doc *doc, const pith_text *keys, size_t count)
{
    uint16_t shape = SHAPE_EMPTY;
    for (size_t i = 0; i < count && shape != SHAPE_NONE; i++) {
        const char *text = keys[i].ptr;
        size_t len = keys[i].len;
        if (utf8_find_invalid(text, len) != len) {
            builder_fail(doc, PITH_BAD_INPUT, "invalid_utf8", "the text is not UTF-8");
            return SHAPE_NONE;
        }
        shape = shapes_step(&doc->shapes, shape, text, len, build_text_flags(text, len));
        if (shape == SHAPE_DUPLICATE) {
            builder_fail(doc, PITH_BAD_INPUT, "duplicate_key", "two keys are equal");
            return SHAPE_NONE;
        }
    }
    return shape != SHAPE_NONE && shapes_list(&doc->shapes, shape) ? shape : SHAPE_NONE;
}

/* --------------------------------------------------------------------- one cell */

/* The first key of an object is the one that the object before it under the same key had:
 * that key's node remembers it, also for the objects of an array. */
static shape_node *cells_owner(const pith_doc *doc, uint32_t object)
{
    uint32_t around = doc->slots[object].u.link.parent;
    if (around != SLOT_NONE && doc->slots[around].kind == PITH_ARRAY)
        around = doc->slots[around].u.link.parent;
    uint16_t shape =
        around == SLOT_NONE ? (uint16_t)SHAPE_NONE : doc->slots[around].shape;
    return &doc->shapes.nodes[shape];
}

static void cells_learn_first(pith_doc *doc)
{
    if (doc->fault.status == PITH_OK && doc->slots[doc->open].n == 0)
        cells_owner(doc, doc->open)->inner = doc->slots[doc->open].shape;
}

static void cells_add_float(pith_doc *doc, float number)
{
    char digits[NUM_DOUBLE_MAX_LEN];
    if (isfinite(number))
        pith_doc_add_number(doc, digits, num_write_float(digits, number));
    else
        pith_doc_add_double(doc, (double)number);
}

static void cells_add_one(pith_doc *doc, const pith_cell *cell)
{
    switch ((pith_cell_kind)cell->kind) {
    case PITH_CELL_NULL:
        pith_doc_add_null(doc);
        return;
    case PITH_CELL_FALSE:
    case PITH_CELL_TRUE:
        pith_doc_add_bool(doc, cell->kind == PITH_CELL_TRUE);
        return;
    case PITH_CELL_INT64:
        pith_doc_add_int64(doc, cell->u.integer);
        return;
    case PITH_CELL_UINT64:
        pith_doc_add_uint64(doc, cell->u.natural);
        return;
    case PITH_CELL_DOUBLE:
        pith_doc_add_double(doc, cell->u.number);
        return;
    case PITH_CELL_FLOAT:
        cells_add_float(doc, cell->u.single);
        return;
    case PITH_CELL_DIGITS:
        pith_doc_add_number(doc, cell->u.text, cell->len);
        return;
    case PITH_CELL_TEXT:
        pith_doc_add_text(doc, cell->u.text, cell->len);
        return;
    case PITH_CELL_BYTES:
        pith_doc_add_bytes(doc, cell->u.text, cell->len);
        return;
    case PITH_CELL_KEY:
        pith_doc_add_key(doc, cell->u.text, cell->len);
        cells_learn_first(doc);
        return;
    case PITH_CELL_ARRAY:
        pith_doc_open_array(doc);
        return;
    case PITH_CELL_OBJECT:
        pith_doc_open_object(doc);
        return;
    case PITH_CELL_SHAPED:
        cells_open_shaped(doc, cell->u.natural);
        return;
    case PITH_CELL_ABSENT:
        pith_doc_skip(doc);
        return;
    case PITH_CELL_CLOSE:
        pith_doc_close(doc);
        return;
    case PITH_CELL_VALUE:
        pith_doc_add_value(doc,
                           cell->u.value ? *cell->u.value : doc_value(NULL, 0, 0, 0));
        return;
    case PITH_CELL_VECTOR:
        pith_doc_add_vector(doc, cell->u.numbers, cell->len);
        return;
    }
    builder_fail(doc, PITH_BAD_USE, "unknown_cell", "there is no such kind of cell");
}

/* ------------------------------------------------------------------- many cells */

/* The open container, as long as it is the innermost. */
typedef struct cells_place {
    uint32_t open; /* its slot */
    uint64_t n;    /* its children so far */
    uint64_t end;  /* so many close it: of objects that are filled */
    bool keyed;    /* it is an object that takes keys */
    bool wide;     /* it is a row that gets its keys by itself */
    bool ready;    /* a value may come */
} cells_place;

static inline cells_place cells_enter(const pith_doc *doc, uint32_t open)
{
    cells_place in = {open, 0, UINT64_MAX, false, false, false};
    if (open == SLOT_NONE)
        return in;
    const pith_slot *slot = &doc->slots[open];
    in.n = slot->n;
    in.wide = doc->rows && doc->rows->shape == SHAPE_NONE && doc->rows->row == open;
    if (slot->kind == PITH_OBJECT && (slot->flags & SLOT_FILLING))
        in.end = shapes_width(&doc->shapes, slot->shape);
    else if (slot->kind == PITH_OBJECT)
        in.keyed = !in.wide;
    in.ready = !in.keyed && !in.wide;
    return in;
}

/* Makes the slot a number of which `len` digits have been written where there was room. */
static inline void cells_take_digits(pith_doc *doc, pith_slot *slot, pith_kind kind,
                                     bool canonical, size_t len)
{
    slot_set(slot, kind, canonical ? SLOT_CANONICAL : 0, doc->arena.at, len);
    arena_keep(&doc->arena, len);
}

static inline bool cells_put_natural(pith_doc *doc, pith_slot *slot, bool negative,
                                     uint64_t size)
{
    char *to = arena_room(&doc->arena, NUM_INT64_MAX_LEN + 1);
    if (!to)
        return false;
    *to = '-';
    size_t len = negative + num_write_uint64(to + negative, size);
    cells_take_digits(doc, slot, PITH_INTEGER, size < UINT64_C(1000000000000000000), len);
    return true;
}

static inline bool cells_put_int64(pith_doc *doc, pith_slot *slot, int64_t number)
{
    uint64_t size = (uint64_t)number;
    return cells_put_natural(doc, slot, number < 0, number < 0 ? 0 - size : size);
}

static inline bool cells_put_double(pith_doc *doc, pith_slot *slot, double number)
{
    char *to = isfinite(number) ? arena_room(&doc->arena, NUM_DOUBLE_MAX_LEN) : NULL;
    if (!to)
        return false;
    size_t len = num_write_double(to, number);
    double size = fabs(number);
    bool plain =
        size >= 1e-4 && size < 1e15 && to[len - 1] != '0'; /* they are the fewest */
    cells_take_digits(doc, slot, PITH_DECIMAL, plain, len);
    return true;
}

static bool cells_put_float(pith_doc *doc, pith_slot *slot, float number)
{
    char *to = isfinite(number) ? arena_room(&doc->arena, NUM_DOUBLE_MAX_LEN) : NULL;
    if (!to)
        return false;
    size_t len = num_write_float(to, number);
    cells_take_digits(doc, slot, PITH_DECIMAL, build_number_flags(to, len) != 0, len);
    return true;
}

static bool cells_put_digits(pith_doc *doc, pith_slot *slot, const pith_cell *cell)
{
    const char *digits = cell->u.text;
    size_t len = cell->len;
    lex_number number = lex_read_number(digits, digits + len);
    char *to = number.end == digits + len && len > 0 && len <= SLOT_TEXT_MOST
                   ? arena_room(&doc->arena, len)
                   : NULL;
    if (!to)
        return false;
    memcpy(to, digits, len);
    cells_take_digits(doc, slot, number.decimal ? PITH_DECIMAL : PITH_INTEGER,
                      number.plain, len);
    return true;
}

/* The flags of a text that is not all plain; false when it is not UTF-8. */
static NEVER_INLINE bool cells_find_flags(const char *text, size_t len, bool trusted,
                                          uint8_t *flags)
{
    *flags = build_text_flags(text, len);
    return !(*flags & SLOT_WIDE) || trusted || utf8_find_invalid(text, len) == len;
}

static inline bool cells_put_text(pith_doc *doc, pith_slot *slot, const pith_cell *cell)
{
    size_t len = cell->len;
    uint8_t flags = 0;
    char *to = len <= SLOT_TEXT_MOST ? arena_room(&doc->arena, len) : NULL;
    if (!to)
        return false;
    if (scan_copy_exactly(SCAN_SPECIAL, to, cell->u.text, len) &&
        !cells_find_flags(to, len, cell->flags & PITH_CELL_TRUSTED, &flags))
        return false;
    slot_set(slot, PITH_STRING, flags, to, len);
    arena_keep(&doc->arena, len);
    return true;
}

/* Makes the slot the scalar that the cell is; false when that has to be told. */
static inline bool cells_put(pith_doc *doc, pith_slot *slot, const pith_cell *cell)
{
    switch (cell->kind) {
    case PITH_CELL_NULL:
    case PITH_CELL_FALSE:
    case PITH_CELL_TRUE:
        slot_set_word(slot, (pith_kind)(PITH_NULL + cell->kind - PITH_CELL_NULL));
        return true;
    case PITH_CELL_INT64:
        return cells_put_int64(doc, slot, cell->u.integer);
    case PITH_CELL_UINT64:
        return cells_put_natural(doc, slot, false, cell->u.natural);
    case PITH_CELL_DOUBLE:
        return cells_put_double(doc, slot, cell->u.number);
    case PITH_CELL_FLOAT:
        return cells_put_float(doc, slot, cell->u.single);
    case PITH_CELL_DIGITS:
        return cells_put_digits(doc, slot, cell);
    case PITH_CELL_TEXT:
        return cells_put_text(doc, slot, cell);
    default:
        return false;
    }
}

/* One key further, if it was guessed. */
static inline bool cells_step(pith_doc *doc, const cells_place *in, const pith_cell *cell)
{
    pith_slot *object = &doc->slots[in->open];
    uint16_t next = SHAPE_NONE;
    if (in->n == 0) {
        uint16_t inner = cells_owner(doc, in->open)->inner;
        const shape_node *node = &doc->shapes.nodes[inner];
        if (inner != SHAPE_NONE && shape_is(node, cell->u.text, cell->len))
            next = inner;
    }
    if (next == SHAPE_NONE)
        next = shapes_guess(&doc->shapes, object->shape, cell->u.text, cell->len);
    if (next == SHAPE_NONE)
        return false;
    object->shape = next;
    return true;
}

static inline void cells_put_absent(pith_doc *doc, cells_place *in, pith_slot *at)
{
    slot_set(at, (pith_kind)SLOT_ABSENT, 0, NULL, 0);
    doc->slots[in->open].flags |= SLOT_GAPS;
    in->n++;
}

/* Whether the innermost container can be closed without more ado. */
static inline bool cells_can_close(pith_doc *doc, const cells_place *in)
{
    if (in->open == SLOT_NONE || in->wide)
        return false;
    const pith_slot *slot = &doc->slots[in->open];
    if (slot->kind == PITH_ARRAY)
        return true;
    return slot->shape != SHAPE_NONE && !(slot->flags & SLOT_GAPS) &&
           !(in->keyed && in->ready) && shapes_list(&doc->shapes, slot->shape);
}

static inline void cells_close(pith_doc *doc, cells_place *in, const pith_slot *at)
{
    pith_slot *slot = &doc->slots[in->open];
    slot->flags = 0;
    slot->n = (uint32_t)in->n;
    slot->u.link.next = (uint32_t)(at - doc->slots);
    doc->depth--;
    *in = cells_enter(doc, slot->u.link.parent);
}

static inline void cells_open(pith_doc *doc, cells_place *in, pith_slot *at,
                              const pith_cell *cell)
{
    bool filling = cell->kind == PITH_CELL_SHAPED;
    if (in->open != SLOT_NONE)
        doc->slots[in->open].n = (uint32_t)in->n + 1;
    at->kind = cell->kind == PITH_CELL_ARRAY ? PITH_ARRAY : PITH_OBJECT;
    at->flags = filling ? SLOT_FILLING : 0;
    at->shape = filling                          ? (uint16_t)cell->u.natural
                : cell->kind == PITH_CELL_OBJECT ? (uint16_t)SHAPE_EMPTY
                                                 : (uint16_t)SHAPE_NONE;
    at->n = 0;
    at->u.link.next = SLOT_NONE;
    at->u.link.parent = in->open;
    doc->depth++;
    *in = cells_enter(doc, (uint32_t)(at - doc->slots));
}

static inline bool cells_can_open(const pith_doc *doc, const pith_cell *cell)
{
    return doc->depth < doc->depth_max &&
           (cell->kind != PITH_CELL_SHAPED || cells_is_shape(doc, cell->u.natural));
}

#define CELLS_ALL (SLOT_NONE - 1) /* no such slot, either */

/* Adds cells up to the first that is not common, or until `until` is the innermost open
 * container; how many those were. */
static size_t cells_add_run(pith_doc *doc, const pith_cell *cells, size_t count,
                            uint32_t until)
{
    size_t i = 0;
    if (doc->finished || doc->fault.status != PITH_OK || !doc_reserve(doc, count))
        return 0;
    pith_slot *at = doc->slots + doc->count;
    cells_place in = cells_enter(doc, doc->open);
    in.ready = in.ready || doc->key_pending || doc->count == 0;
    while (i < count) {
        const pith_cell *cell = &cells[i];
        if (cell->kind <= PITH_CELL_TEXT) {
            if (!in.ready || !cells_put(doc, at, cell))
                break;
            at++;
            in.n++;
            in.ready = !in.keyed && !in.wide && in.open != SLOT_NONE;
        } else if (cell->kind == PITH_CELL_KEY) {
            if (!in.keyed || in.ready || !cells_step(doc, &in, cell))
                break;
            in.ready = true;
        } else if (cell->kind == PITH_CELL_CLOSE) {
            if (in.end != UINT64_MAX || !cells_can_close(doc, &in))
                break;
            cells_close(doc, &in, at);
        } else if (cell->kind == PITH_CELL_ABSENT) {
            if (in.end == UINT64_MAX)
                break;
            cells_put_absent(doc, &in, at++);
        } else {
            if (cell->kind > PITH_CELL_SHAPED || cell->kind < PITH_CELL_ARRAY ||
                !in.ready || !cells_can_open(doc, cell))
                break;
            cells_open(doc, &in, at++, cell);
        }
        i++;
        while (in.n == in.end && cells_can_close(doc, &in))
            cells_close(doc, &in, at);
        if (in.n == in.end || in.open == until)
            break;
    }
    doc->count = (size_t)(at - doc->slots);
    doc->open = in.open;
    doc->key_pending = in.keyed && in.ready;
    if (in.open != SLOT_NONE)
        doc->slots[in.open].n = (uint32_t)in.n;
    builder_check(doc, BUILD_DONE); /* closes an object with gaps */
    return i;
}

static size_t cells_add(pith_doc *doc, const pith_cell *cells, size_t count,
                        uint32_t until)
{
    const size_t run_most = 4096; /* slots to reserve at once */
    size_t i = 0;
    while (i < count && doc->fault.status == PITH_OK && doc->open != until) {
        size_t most = count - i < run_most ? count - i : run_most;
        size_t done = cells_add_run(doc, cells + i, most, until);
        i += done;
        if (done < most && doc->open != until)
            cells_add_one(doc, &cells[i++]);
    }
    return i;
}

void pith_doc_add_cells(pith_doc *doc, const pith_cell *cells, size_t count)
{
    cells_add(doc, cells, count, CELLS_ALL);
}

/* -------------------------------------------------------------------------- rows */

/* The shape of the columns in this document; 0 when they have none there. */
static uint32_t cells_row_shape(pith_doc *doc, cells_rows *rows)
{
    pith_shapes *shapes = &doc->shapes;
    if (rows->made == doc && rows->renewed == shapes->renewed)
        return rows->shape;
    uint16_t shape = SHAPE_EMPTY;
    for (size_t i = 0; i < rows->column_count && shape != SHAPE_NONE; i++) {
        const pith_key *key = &rows->columns[i];
        shape = shapes_step(shapes, shape, key->text, key->len,
                            build_text_flags(key->text, key->len));
    }
    assert(shape != SHAPE_DUPLICATE);
    rows->made = doc;
    rows->renewed = shapes->renewed;
    rows->shape = shape;
    return shape;
}

void cells_add_column(pith_doc *doc)
{
    cells_rows *rows = doc->rows;
    const pith_key *key = &rows->columns[rows->at];
    const char *copy = arena_copy(&doc->arena, key->text, key->len);
    uint8_t flags = build_text_flags(key->text, key->len);
    build_result result = copy ? build_key(doc, flags, copy, key->len) : BUILD_NO_MEMORY;
    builder_check(doc, result);
    doc->key_pending = true;
    rows->at++;
}

void cells_open_row(pith_doc *doc, cells_rows *rows)
{
    uint32_t shape = cells_row_shape(doc, rows);
    rows->around = doc->open;
    rows->at = 0;
    doc->rows = NULL;
    if (shape != SHAPE_NONE)
        cells_open_shaped(doc, shape);
    else
        pith_doc_open_object(doc);
    rows->row = doc->open;
    rows->open = true;
    doc->rows = rows;
}

size_t cells_add_row(pith_doc *doc, cells_rows *rows, const pith_cell *cells,
                     size_t count)
{
    if (!rows->open)
        cells_open_row(doc, rows);
    size_t used = cells_add(doc, cells, count, rows->around);
    rows->open = doc->fault.status == PITH_OK && doc->open != rows->around;
    if (!rows->open)
        doc->rows = NULL;
    return used;
}
