/*
 * pith_write.c - the pass that writes.
 *
 * All choices have been made (pith_plan.h); what is left is a walk. Where it is stands in
 * a place, and the places around that one are on a stack:
 *
 *     PN_IN_ARRAY, PN_IN_OBJECT   between children
 *     PN_IN_TABLE                 between the rows of a table or map
 *     PN_IN_ROW                   between the columns of a row or group
 *     PN_IN_CELL                  between the rows in a cell of a table column
 *
 *     [2{id,items[3{s,q}]}       table
 *     1,[a,1;b,2]                table > row > cell > row
 *
 * Everything writes its separator after itself, and what closes goes over the last one: a
 * value writes a comma, a row turns that into a line feed or a semicolon, a bracket
 * overwrites what it finds. So nothing asks whether it is the first. Rows that
 * are all laid out alike and hold scalars are written without any walk, cell by cell.
 */
#include "format/pith/pith_write.h"

#include "format/pith/pith_dense.h"

#include <assert.h>

typedef enum pn_form {
    PN_IN_NOTHING,
    PN_IN_ARRAY,
    PN_IN_OBJECT,
    PN_IN_TABLE,
    PN_IN_ROW,
    PN_IN_CELL
} pn_form;

typedef struct pn_place {
    const pith_slot *at; /* the next child, row or member */
    const pith_slot *end;
    const pith_key *key; /* of the next member, or the next row of a map; NULL for none */
    uint32_t number;     /* of the next container */
    uint32_t level;
    uint32_t column; /* the next one of a row */
    uint8_t form;
    bool in_row; /* tables stay on this line */
    bool bare;   /* no key of the object needs quotes */
    bool root;
    bool made;    /* its level was made only now, and goes when it is written */
    char row_end; /* what ends a row */
    bool found;   /* the row's members have been found: they are in `cells` */
    bool gaps;    /* the row may lack members: `map` tells the columns of the next ones */
    size_t cells; /* where */
    uint32_t map;
    uint32_t left; /* so many members are still to come */
} pn_place;

/* A member of a row, and the number of the next container from there on. */
typedef struct pn_ref {
    uint32_t slot;
    uint32_t number;
} pn_ref;

typedef struct pn_writer {
    pn_plan *plan;
    pn_dense *dense; /* of the plan; NULL for level 1 */
    pn_pen pen;
    bool lines;
    pn_place in;
    LIST(pn_place) stack; /* those around it */
    LIST(pn_ref) cells;   /* the members of rows whose order differs, by column */
} pn_writer;

/* ------------------------------------------------------------------------- headers */

/* A scalar or an empty container. */
static char *pn_put_constant(pn_writer *w, char *to, const pith_slot *value)
{
    if (slot_is_container(value)) {
        *to++ = value->kind == PITH_OBJECT ? '{' : '[';
        *to++ = value->kind == PITH_OBJECT ? '}' : ']';
        return to;
    }
    return pn_put_scalar(&w->pen, to, value);
}

/* What the mark of a column says: = or =[open] or =[*@x.org] */
static char *pn_put_mark(pn_writer *w, char *to, const pn_column *column)
{
    const pith_slot *value = column->constant;
    pith_out *out = w->pen.out;
    *to++ = '=';
    if (column->mark == PN_DITTO)
        return to;
    *to++ = '[';
    if (column->mark == PN_TEMPLATE) {
        to = pen_put_text(out, to, value->u.text, column->begin, SLOT_NEAR_END);
        *to++ = '*';
        to = pen_put_text(out, to, value->u.text + value->n - column->end, column->end,
                          SLOT_NEAR_END);
    } else if (value->kind == PITH_STRING && memchr(value->u.text, '*', value->n)) {
        to = pen_put_quoted(out, to, value->u.text, value->n, 0);
    } else {
        to = pn_put_constant(w, to, value);
    }
    *to++ = ']';
    return to;
}

/* True when neither the column's name nor its constant would need other quotes if a space
 * ended them. */
static bool pn_is_word(const pn_column *column)
{
    const pith_slot *value = column->kind == PN_CONSTANT ? column->constant : NULL;
    return pn_is_bare_word(column->key) &&
           (!value || value->kind != PITH_STRING ||
            !memchr(value->u.text, ' ', value->n) ||
            !pn_is_bare(value->u.text, value->n, value->flags));
}

/* A walk through the columns of a level and of all levels in it. */
typedef struct pn_header_walk {
    const pn_plan *plan;
    size_t depth; /* open levels */
    const pn_column *at[PN_LEVELS_MOST];
    const pn_column *end[PN_LEVELS_MOST];
} pn_header_walk;

static const pn_level *pn_walk_into(pn_header_walk *walk, uint32_t index)
{
    const pn_level *level = pn_level_at(walk->plan, index);
    assert(walk->depth < PN_LEVELS_MOST);
    walk->at[walk->depth] = pn_columns_of(walk->plan, level);
    walk->end[walk->depth] = walk->at[walk->depth] + level->count;
    walk->depth++;
    return level;
}

/* The next column of the innermost level; NULL at its end, which is left then. */
static const pn_column *pn_walk_on(pn_header_walk *walk)
{
    assert(walk->depth > 0);
    size_t here = walk->depth - 1;
    if (walk->at[here] == walk->end[here]) {
        walk->depth--;
        return NULL;
    }
    return walk->at[here]++;
}

static bool pn_has_level(const pn_column *column)
{
    return column->kind == PN_GROUP || column->kind == PN_TABLE;
}

/* True when spaces go between the columns of a level, and of all in it: there are enough
 * commas to save, and nothing would have to be quoted for it. */
static bool pn_is_spaced(const pn_plan *plan, uint32_t level)
{
    pn_header_walk walk = {.plan = plan};
    uint32_t commas = pn_walk_into(&walk, level)->count - 1;
    while (walk.depth > 0) {
        const pn_column *column = pn_walk_on(&walk);
        if (column && !pn_is_word(column))
            return false;
        if (column && pn_has_level(column))
            commas += pn_walk_into(&walk, column->level)->count - 1;
    }
    return commas >= PN_SPACED_LEAST;
}

/* The columns of a level with everything in them. */
static char *pn_put_columns(pn_writer *w, char *to, uint32_t level)
{
    pn_header_walk walk = {.plan = w->plan};
    const char separator = pn_is_spaced(w->plan, level) ? ' ' : ',';
    pn_walk_into(&walk, level);
    if (separator == ' ')
        *to++ = ':';
    while (walk.depth > 0) {
        const pn_column *column = pn_walk_on(&walk);
        if (column) {
            to = pen_room(w->pen.out, pn_put_key(&w->pen, to, column->key));
            if (column->kind == PN_TABLE) {
                *to++ = '[';
                to = pen_put_number(to, column->total);
            }
            if (pn_has_level(column)) {
                *to++ = '{';
                pn_walk_into(&walk, column->level);
                continue;
            }
            if (column->kind == PN_CONSTANT) {
                *to++ = '=';
                to = pn_put_constant(w, to, column->constant);
            } else if (column->mark != PN_NO_MARK) {
                to = pn_put_mark(w, to, column);
            }
        } else {
            to[-1] = '}';
            if (walk.depth > 0 && walk.at[walk.depth - 1][-1].kind == PN_TABLE)
                *to++ = ']';
        }
        to = pen_room_after(w->pen.out, to);
        *to++ = separator;
    }
    return to - 1;
}

/* --------------------------------------------------------------------------- places */

static void pn_out_of_memory(pn_writer *w)
{
    out_fail(w->pen.out, PITH_NO_MEMORY, "no_memory");
}

/* Puts the place away to go into another. False when out of memory. */
static inline bool pn_go_in(pn_writer *w)
{
    pn_place *room = LIST_ADD(&w->stack, &w->plan->alloc);
    if (!room) {
        pn_out_of_memory(w);
        return false;
    }
    *room = w->in;
    return true;
}

static inline void pn_go_out(pn_writer *w)
{
    assert(w->stack.count > 0);
    w->in = w->stack.at[--w->stack.count];
}

/* True when at least half of the object's keys are bare. Each saves two quotes, which
 * pays for the line feeds between all members: the text stays within that of JSON. */
static bool pn_has_bare_half(const pn_plan *plan, const pith_slot *object)
{
    const pith_key *keys = doc_keys(plan->doc, object);
    uint32_t bare = 0;
    for (uint32_t i = 0; i < object->n; i++)
        bare += pn_is_bare_key(&keys[i]);
    return bare >= object->n - bare;
}

/* Opens a container and goes into it. One that is `like` another has no keys. */
static char *pn_open(pn_writer *w, char *to, const pith_slot *container, uint32_t number,
                     bool like)
{
    assert(container->n > 0 && number < w->plan->records.count);
    pn_plan *plan = w->plan;
    bool in_row = w->in.in_row;
    bool root = w->in.form == PN_IN_NOTHING;
    bool object = container->kind == PITH_OBJECT;
    uint32_t level = pn_records(plan)[number].level;
    if (!pn_go_in(w))
        return to;
    pn_place *in = &w->in;
    in->at = container + 1;
    in->end = plan->doc->slots + doc_children_end(container);
    in->key = object && !like ? doc_keys(plan->doc, container) : NULL;
    in->number = number - 1;
    in->level = level;
    in->in_row = in_row;
    in->root = root && w->lines && object && pn_has_bare_half(plan, container);
    in->bare =
        container->shape != SHAPE_NONE && pn_shape_at(plan, container->shape)->bare;
    *to++ = object ? '{' : '[';
    if (level == PN_PLAIN) {
        in->form = object ? PN_IN_OBJECT : PN_IN_ARRAY;
        return to;
    }
    in->form = PN_IN_TABLE;
    in->made = level == PN_LATER;
    if (in->made) {
        level = in->level = pn_plan_table(plan, number);
        if (level == PN_PLAIN) {
            pn_out_of_memory(w);
            return to;
        }
    }
    in->row_end = in_row || !w->lines ? ';' : '\n';
    to = pen_put_number(to, container->n);
    *to++ = '{';
    to = pn_put_columns(w, to, level);
    *to++ = in->row_end;
    return to;
}

/* The key of the next member, or row of a map, and its colon. */
static inline char *pn_put_next_key(pn_writer *w, char *to)
{
    const pith_key *key = w->in.key++;
    to = w->in.bare ? pn_put_bare_key(&w->pen, to, key) : pn_put_key(&w->pen, to, key);
    to = pen_room_after(w->pen.out, to);
    *to++ = ':';
    return to;
}

/* ----------------------------------------------------------------- names of level 2 */

static char *pn_put_name(char *to, uint32_t name)
{
    *to++ = '\\';
    return pen_put_number(to, name);
}

/* Defines the next name, which is put in `*name`. */
static char *pn_put_definition(pn_writer *w, char *to, uint32_t *name)
{
    *name = ++w->dense->defined;
    to = pn_put_name(to, *name);
    *to++ = '=';
    return to;
}

/* The rest of a string after its stem; `split` where a backslash has to be between. */
static char *pn_put_tail(pn_writer *w, char *to, const char *text, size_t len, bool split)
{
    if (!pn_is_bare_cell(text, len))
        return pen_put_quoted(w->pen.out, to, text, len, 0);
    if (split || *text == '=' || scan_is_digit((unsigned char)*text))
        *to++ = '\\';
    return pen_put_text(w->pen.out, to, text, len, SLOT_NEAR_END);
}

/* A string that begins with a stem, which is defined if it has no name yet. */
static char *pn_put_stemmed(pn_writer *w, char *to, const pith_slot *slot, pn_stem *stem)
{
    bool known = stem->name != 0;
    if (known) {
        to = pn_put_name(to, stem->name);
    } else {
        to = pn_put_definition(w, to, &stem->name);
        to = pen_put_text(w->pen.out, to, slot->u.text, stem->len, SLOT_NEAR_END);
        to = pen_room(w->pen.out, to);
    }
    return pn_put_tail(w, to, slot->u.text + stem->len, slot->n - stem->len, !known);
}

/* A scalar of level 2, which may be left out. */
static char *pn_put_dense(pn_writer *w, char *to, const pith_slot *slot)
{
    pn_dense *dense = w->dense;
    uint32_t word = *pn_word(dense, (uint32_t)(slot - dense->doc->slots));
    if (word & PN_EMPTY)
        return to;
    if (!(word & PN_CLASS))
        return pn_put_scalar(&w->pen, to, slot);
    pn_class *class = &dense->classes.at[word & PN_WEIGHT_MOST];
    if (class->named && class->name != 0)
        return pn_put_name(to, class->name);
    if (class->named)
        to = pn_put_definition(w, to, &class->name);
    if (class->stem != PN_NO_STEM) {
        pn_stem *stem = &dense->stem_list.at[class->stem];
        if (stem->name != 0 || !class->named)
            return pn_put_stemmed(w, to, slot, stem);
    }
    return pn_put_scalar(&w->pen, to, slot);
}

/* A cell of a template. */
static char *pn_put_filling(pn_writer *w, char *to, const pith_slot *slot,
                            const pn_column *column)
{
    const char *text = slot->u.text + column->begin;
    size_t len = (size_t)slot->n - column->begin - column->end;
    return pn_is_bare_cell(text, len)
               ? pen_put_text(w->pen.out, to, text, len, SLOT_NEAR_END)
               : pen_put_quoted(w->pen.out, to, text, len, 0);
}

static inline char *pn_put_either(pn_writer *w, char *to, const pith_slot *slot)
{
    return w->dense ? pn_put_dense(w, to, slot) : pn_put_scalar(&w->pen, to, slot);
}

/* The model of the object, if it is one or is like one. */
static pn_model *pn_find_model(const pn_writer *w, const pith_slot *value,
                               uint32_t number)
{
    if (value->kind != PITH_OBJECT || value->n == 0 || w->in.form == PN_IN_NOTHING ||
        pn_records(w->plan)[number].level != PN_PLAIN)
        return NULL;
    return pn_model_of(w->dense, value);
}

/* What comes before a container of level 2: its name, or all of it where that is enough,
 * as `*done` tells. `*like` tells that it goes without keys. */
static char *pn_put_before(pn_writer *w, char *to, const pith_slot *value,
                           uint32_t number, bool *done, bool *like)
{
    pn_dense *dense = w->dense;
    uint32_t at = (uint32_t)(value - dense->doc->slots);
    pn_class *class = pn_class_of(dense, at);
    pn_model *model = pn_find_model(w, value, number);
    bool named = class && class->named;
    *done = *pn_word(dense, at) & PN_EMPTY;
    *like = model && at >= model->end;
    if (*done)
        return to;
    if (named && class->name != 0) {
        *done = true;
        return pn_put_name(to, class->name);
    }
    if (named || (model && model->slot == at)) {
        uint32_t name;
        to = pn_put_definition(w, to, &name);
        if (named)
            class->name = name;
        if (model && model->slot == at)
            model->name = name;
    }
    if (*like) {
        *done = pn_leave_out(dense, model, at) && pn_is_small(dense, at);
        to = pn_put_name(to, model->name);
    }
    return to;
}

/* -------------------------------------------------------------------------- values */

/* A value and its comma; the comma of a container comes when it closes. */
static inline char *pn_put_value(pn_writer *w, char *to, const pith_slot *value,
                                 uint32_t number)
{
    bool done = false;
    bool like = false;
    if (w->dense && slot_is_container(value))
        to = pn_put_before(w, to, value, number, &done, &like);
    if (done) {
        /* the name was enough */
    } else if (!slot_is_container(value)) {
        to = pen_room_after(w->pen.out, pn_put_either(w, to, value));
    } else if (value->n > 0) {
        return pn_open(w, to, value, number, like);
    } else {
        *to++ = value->kind == PITH_OBJECT ? '{' : '[';
        *to++ = value->kind == PITH_OBJECT ? '}' : ']';
    }
    *to++ = ',';
    return to;
}

/* ------------------------------------------------------------------ arrays, objects */

static inline void pn_step_over(pn_writer *w, const pith_slot *value)
{
    if (slot_is_container(value)) {
        w->in.number = pn_records(w->plan)[w->in.number].after;
        w->in.at = w->plan->doc->slots + value->u.link.next;
    } else {
        w->in.at = value + 1;
    }
}

static char *pn_put_elements(pn_writer *w, char *to)
{
    pith_out *out = w->pen.out;
    const pith_slot *at = w->in.at;
    const pith_slot *end = w->in.end;
    for (; at < end && !slot_is_container(at); at++) {
        to = pen_room_after(out, pn_put_either(w, to, at));
        *to++ = ',';
    }
    w->in.at = at;
    if (at < end) {
        uint32_t number = w->in.number;
        pn_step_over(w, at);
        return pn_put_value(w, pen_room_after(out, to), at, number);
    }
    to[-1] = ']';
    pn_go_out(w);
    *to++ = ',';
    return to;
}

static char *pn_put_members(pn_writer *w, char *to)
{
    pith_out *out = w->pen.out;
    while (w->in.at < w->in.end) {
        const pith_slot *at = w->in.at;
        uint32_t number = w->in.number;
        if (w->in.root && to[-1] == ',')
            *to++ = '\n';
        if (w->in.key)
            to = pn_put_next_key(w, to);
        pn_step_over(w, at);
        size_t depth = w->stack.count;
        to = pn_put_value(w, to, at, number);
        if (w->stack.count != depth || out->status != PITH_OK)
            return to;
        to = pen_room_after(out, to);
    }
    to[-1] = '}';
    pn_go_out(w);
    *to++ = ',';
    return to;
}

/* ---------------------------------------------------------------------------- rows */

/* The cells of an object that is laid out like all others here. */
static inline char *pn_put_uniform(pn_writer *w, char *to, const pn_level *level,
                                   const pith_slot *object)
{
    const uint32_t *cell = pn_numbers(w->plan, level->cells);
    const uint32_t *end = cell + level->width;
    for (; cell < end; cell++) {
        to = pen_room_after(w->pen.out, pn_put_either(w, to, object + *cell));
        *to++ = ',';
    }
    return to;
}

/* Puts the members of the row that was just entered where their columns are. */
static bool pn_find_members(pn_writer *w, const pn_level *level, const pith_slot *object)
{
    const pn_plan *plan = w->plan;
    const pn_record *records = pn_records(plan);
    const pith_slot *slots = plan->doc->slots;
    const uint32_t *map = pn_map_of(plan, level, object);
    pn_ref *cells = LIST_ROOM(&w->cells, &plan->alloc, level->count);
    if (!cells) {
        pn_out_of_memory(w);
        return false;
    }
    w->in.cells = w->cells.count;
    w->in.found = true;
    w->cells.count += level->count;
    memset(cells, 0xFF, level->count * sizeof *cells);
    uint32_t at = (uint32_t)(object - slots) + 1;
    uint32_t number = w->in.number;
    for (uint32_t i = 0; i < object->n; i++) {
        cells[map[i]].slot = at;
        cells[map[i]].number = number;
        if (slot_is_container(&slots[at])) {
            number = records[number].after;
            at = slots[at].u.link.next;
        } else {
            at++;
        }
    }
    return true;
}

/* Goes into a row, or into the object of a group. */
static void pn_enter_row(pn_writer *w, const pith_slot *object, uint32_t number,
                         uint32_t level)
{
    if (!pn_go_in(w))
        return;
    const pn_level *here = pn_level_at(w->plan, level);
    w->in.form = PN_IN_ROW;
    w->in.in_row = true;
    w->in.at = object + 1;
    w->in.number = number - 1;
    w->in.level = level;
    w->in.column = 0;
    w->in.found = false;
    w->in.gaps = here->shape == SHAPE_NONE && !here->crossed;
    if (w->in.gaps) {
        w->in.map = pn_map_index(w->plan, here, object);
        w->in.left = object->n;
    } else if (here->crossed) {
        pn_find_members(w, here, object);
    }
}

/* The object of the next column, with its number in `*number`; NULL when it is absent.
 * Moves on. */
static inline const pith_slot *pn_next_member(pn_writer *w, uint32_t *number)
{
    pn_place *in = &w->in;
    uint32_t column = in->column++;
    if (in->found) {
        const pn_ref *cell = w->cells.at + in->cells + column;
        *number = cell->number;
        return cell->slot == SLOT_NONE ? NULL : &w->plan->doc->slots[cell->slot];
    }
    *number = in->number;
    if (in->gaps) {
        if (in->left == 0 || *pn_numbers(w->plan, in->map) != column)
            return NULL;
        in->left--;
        in->map++;
    }
    const pith_slot *member = in->at;
    pn_step_over(w, member);
    return member;
}

static char *pn_put_absent(pn_writer *w, char *to, uint32_t cells)
{
    for (; cells > 0; cells--) {
        to = pen_room_after(w->pen.out, to);
        *to++ = ',';
    }
    return to;
}

/* A cell, or the cells of a group, each with its comma. What is more than that is gone
 * into. */
static char *pn_put_cell(pn_writer *w, char *to, const pn_column *column,
                         const pith_slot *value, uint32_t number)
{
    if (column->kind == PN_LEAF)
        return value ? pn_put_value(w, to, value, number) : pn_put_absent(w, to, 1);
    const pn_level *inner = pn_level_at(w->plan, column->level);
    if (column->kind == PN_GROUP) {
        if (!value)
            return pn_put_absent(w, to, inner->width);
        if (inner->uniform)
            return pn_put_uniform(w, to, inner, value);
        pn_enter_row(w, value, number, column->level);
        return to;
    }
    if (!value)
        return pn_put_absent(w, to, 1);
    *to++ = '[';
    if (value->n == 0) {
        *to++ = ']';
        *to++ = ',';
        return to;
    }
    if (!pn_go_in(w))
        return to;
    w->in.form = PN_IN_CELL;
    w->in.at = value + 1;
    w->in.end = w->plan->doc->slots + value->u.link.next;
    w->in.number = number - 1;
    w->in.level = column->level;
    w->in.row_end = ';';
    w->in.key = NULL;
    return to;
}

/* The row has ended: what follows its last cell is no comma. */
static char *pn_end_row(pn_writer *w, char *to)
{
    assert(w->in.form == PN_IN_ROW);
    if (w->in.found)
        w->cells.count = w->in.cells;
    pn_go_out(w);
    if (w->in.form != PN_IN_ROW)
        to[-1] = w->in.row_end;
    return to;
}

static char *pn_put_row(pn_writer *w, char *to)
{
    const pn_level *level = pn_level_at(w->plan, w->in.level);
    const pn_column *columns = pn_columns_of(w->plan, level);
    size_t depth = w->stack.count;
    while (w->in.column < level->count) {
        uint32_t number;
        const pn_column *column = &columns[w->in.column];
        const pith_slot *value = pn_next_member(w, &number);
        if (column->kind == PN_CONSTANT)
            continue;
        if (column->kind == PN_LEAF && value && !slot_is_container(value)) {
            to = column->mark == PN_TEMPLATE ? pn_put_filling(w, to, value, column)
                                             : pn_put_either(w, to, value);
            to = pen_room_after(w->pen.out, to);
            *to++ = ',';
            continue;
        }
        to = pn_put_cell(w, to, column, value, number);
        if (w->stack.count != depth || w->pen.out->status != PITH_OK)
            return to;
        to = pen_room_after(w->pen.out, to);
    }
    return pn_end_row(w, to);
}

/* The rows of a table or a cell, up to the first that has to be gone into. */
static char *pn_put_rows(pn_writer *w, char *to)
{
    const pn_record *records = pn_records(w->plan);
    const pn_level *level = pn_level_at(w->plan, w->in.level);
    while (w->in.at < w->in.end) {
        const pith_slot *row = w->in.at;
        uint32_t number = w->in.number;
        to = pen_room_after(w->pen.out, to);
        if (w->in.key)
            to = pn_put_next_key(w, to);
        w->in.number = records[number].after;
        w->in.at = w->plan->doc->slots + row->u.link.next;
        if (!level->uniform) {
            pn_enter_row(w, row, number, w->in.level);
            return to;
        }
        to = pn_put_uniform(w, to, level, row);
        to[-1] = w->in.row_end;
        if (w->pen.out->status != PITH_OK)
            return to;
    }
    bool map = w->in.form == PN_IN_TABLE && w->in.key;
    if (w->in.row_end == '\n')
        to++;
    to[-1] = map ? '}' : ']';
    if (w->in.form == PN_IN_TABLE && w->in.made)
        pn_drop_level(w->plan, level);
    pn_go_out(w);
    *to++ = ',';
    return to;
}

/* ---------------------------------------------------------------------- everything */

static char *pn_put_next(pn_writer *w, char *to)
{
    switch (w->in.form) {
    case PN_IN_ARRAY:
        return pn_put_elements(w, to);
    case PN_IN_OBJECT:
        return pn_put_members(w, to);
    case PN_IN_ROW:
        return pn_put_row(w, to);
    default:
        return pn_put_rows(w, to);
    }
}

void pn_write(pn_plan *plan, pith_out *out, uint32_t root, bool lines, bool in_row)
{
    pn_writer w;
    if (out->status != PITH_OK)
        return;
    memset(&w, 0, sizeof w);
    w.plan = plan;
    w.dense = plan->dense;
    w.pen.out = out;
    w.pen.shortest = plan->shortest;
    w.lines = lines;
    w.in.form = PN_IN_NOTHING;
    w.in.in_row = in_row;
    char *to = pen_room(out, out->at);
    uint32_t number = (uint32_t)plan->records.count - 1;
    to = pn_put_value(&w, to, &plan->doc->slots[root], number);
    while (w.in.form != PN_IN_NOTHING && out->status == PITH_OK)
        to = pn_put_next(&w, pen_room_after(out, to));
    /* No comma follows the root. */
    out->at = out->status == PITH_OK ? to - 1 : out->start;
    LIST_FREE(&w.stack, &plan->alloc);
    LIST_FREE(&w.cells, &plan->alloc);
}

/* ------------------------------------------------------------------------- encoding */

static pith_status pn_count_bytes(void *ctx, const char *data, size_t len)
{
    (void)ctx;
    (void)data;
    (void)len;
    return PITH_OK;
}

/* The bytes of the text; UINT64_MAX when it cannot be written. */
static uint64_t pn_length(pn_plan *plan, uint32_t root, bool lines)
{
    pith_out out;
    pith_options options = {.alloc = plan->alloc};
    pith_sink sink = {.write = pn_count_bytes};
    out_init(&out, sink, &options);
    pn_write(plan, &out, root, lines, false);
    uint64_t len = out.sent + (uint64_t)(out.at - out.start);
    bool fine = out.status == PITH_OK;
    out_abandon(&out);
    return fine ? len : UINT64_MAX;
}

/* The bytes that a reader keeps for a value, at most, and those that it allows itself by
 * default for a text (docs/limits.md). */
static bool pn_is_readable(const pn_dense *dense, uint64_t len)
{
    uint64_t slots = dense->end - dense->root;
    return 40 * slots + dense->texts <= 64 * len + 67108864;
}

/* Writes level 2; `*written` is false when level 1 is to be written instead. */
static bool pn_encode_dense(encode_job *job, pn_plan *plan, bool lines, bool *written)
{
    pn_dense dense;
    plan->dense = &dense;
    bool fine = pn_dense_make(&dense, plan, job->at, job->set) &&
                pn_plan_make(plan, job->at) && pn_dense_settle(&dense);
    bool same = fine && !dense.used && dense.refused == 0;
    *written =
        fine &&
        (same || (pn_surely_saves(&dense) && pn_is_readable(&dense, dense.written)));
    if (fine && !*written) {
        pn_plan first;
        pn_plan_begin(&first, job->doc, job->set, plan->alloc);
        uint64_t len = pn_length(plan, job->at, lines);
        uint64_t most = pn_plan_make(&first, job->at) ? pn_length(&first, job->at, lines)
                                                      : UINT64_MAX;
        fine = len != UINT64_MAX && most != UINT64_MAX;
        *written = fine && pn_is_readable(&dense, len) && len < most;
        pn_plan_free(&first);
        pn_write_again(&dense);
    }
    if (*written)
        pn_write(plan, job->out, job->at, lines, false);
    pn_dense_free(&dense);
    plan->dense = NULL;
    return fine;
}

pith_status pn_encode(encode_job *job)
{
    pn_plan plan;
    bool lines = settings_number(job->set, PN_SET_ROWS) == PN_ROWS_LINES;
    bool written = false;
    bool fine = true;
    pn_plan_begin(&plan, job->doc, job->set, job->out->alloc);
    if (settings_number(job->set, PN_SET_LEVEL) == 2) {
        fine = pn_encode_dense(job, &plan, lines, &written);
        pn_plan_free(&plan);
        pn_plan_begin(&plan, job->doc, job->set, job->out->alloc);
    }
    if (fine && !written) {
        fine = pn_plan_make(&plan, job->at);
        if (fine)
            pn_write(&plan, job->out, job->at, lines, false);
    }
    if (!fine)
        out_fail(job->out, PITH_NO_MEMORY, "no_memory");
    pn_plan_free(&plan);
    return PITH_OK;
}
