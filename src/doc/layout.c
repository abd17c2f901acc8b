/*
 * layout.c - from columns to templates of rows.
 *
 * The columns are linked to a tree as they come. Planning lists them in the order of the
 * tape and then goes along that list once, for the template of a full row; and once more
 * for each new way to lack something. Nothing recurses.
 */
#include "doc/layout.h"

#include <assert.h>

/* --------------------------------------------------------------------- the tree */

static uint32_t layout_add(row_layout *t, const pith_alloc *alloc, uint32_t parent,
                           column_kind kind, const pith_key *key)
{
    uint32_t number = (uint32_t)t->columns.count;
    layout_column *column = LIST_ADD(&t->columns, alloc);
    if (!column)
        return 0;
    memset(column, 0, sizeof *column);
    column->kind = kind;
    column->key = *key;
    if (number == 0)
        return 0;
    assert(parent < number);
    layout_column *around = &t->columns.at[parent];
    assert(around->kind == COLUMN_GROUP);
    column->parent = parent;
    if (around->first)
        t->columns.at[around->last].next = number;
    else
        around->first = number;
    around->last = number;
    return number;
}

uint32_t layout_group(row_layout *t, const pith_alloc *alloc, uint32_t parent,
                      const pith_key *key)
{
    uint32_t number = layout_add(t, alloc, parent, COLUMN_GROUP, key);
    if (number) {
        uint32_t depth = t->columns.at[parent].depth + 1;
        t->columns.at[number].depth = depth;
        t->levels = depth > t->levels ? depth : t->levels;
        t->group_count++;
    }
    return number;
}

uint32_t layout_cell(row_layout *t, const pith_alloc *alloc, uint32_t parent,
                     const pith_key *key, uint32_t cell)
{
    uint32_t number = layout_add(t, alloc, parent, COLUMN_CELL, key);
    if (number) {
        t->columns.at[number].number = cell;
        t->cell_count = cell >= t->cell_count ? cell + (size_t)1 : t->cell_count;
    }
    return number;
}

uint32_t layout_fixed(row_layout *t, const pith_alloc *alloc, uint32_t parent,
                      const pith_key *key, const pith_slot *value)
{
    uint32_t number = layout_add(t, alloc, parent, COLUMN_FIXED, key);
    if (number)
        t->columns.at[number].value = *value;
    return number;
}

static void layout_forget_patterns(row_layout *t)
{
    t->pattern_count = 0;
    t->pattern_states.count = 0;
    memset(t->index, 0, sizeof t->index);
}

bool layout_clear(row_layout *t, const pith_alloc *alloc)
{
    static const pith_key none = {"", 0, 0, 0};
    t->columns.count = 0;
    t->order.count = 0;
    t->cell_count = 0;
    t->group_count = 0;
    t->levels = 1;
    layout_add(t, alloc, 0, COLUMN_GROUP, &none);
    if (t->columns.count == 0)
        return false;
    t->columns.at[0].depth = 1;
    return true;
}

static void layout_free_template(row_template *made, const pith_alloc *alloc)
{
    LIST_FREE(&made->stamps, alloc);
    LIST_FREE(&made->moves, alloc);
}

void layout_free(row_layout *t, const pith_alloc *alloc)
{
    LIST_FREE(&t->columns, alloc);
    LIST_FREE(&t->order, alloc);
    alloc_free(alloc, t->place, t->place_cap * sizeof *t->place);
    alloc_free(alloc, t->states, t->state_cap * sizeof *t->states);
    layout_free_template(&t->full, alloc);
    for (size_t i = 0; i < t->patterns.count; i++)
        layout_free_template(&t->patterns.at[i], alloc);
    LIST_FREE(&t->patterns, alloc);
    LIST_FREE(&t->pattern_states, alloc);
    memset(t, 0, sizeof *t);
}

/* -------------------------------------------------------------------- templates */

/* A template on its way. */
typedef struct layout_making {
    row_layout *layout;
    pith_doc *doc;
    pith_arena *arena; /* for lists of keys; NULL: an object without a shape ends it */
    row_template *to;
} layout_making;

static pith_slot *layout_add_stamp(layout_making *m, uint32_t column)
{
    layout_stamp *stamp = LIST_ADD(&m->to->stamps, &m->doc->alloc);
    if (!stamp)
        return NULL;
    memset(stamp, 0, sizeof *stamp);
    stamp->at = (uint32_t)m->to->slots++;
    stamp->column = column;
    return &stamp->slot;
}

static pith_slot *layout_group_slot(const layout_making *m, uint32_t group)
{
    return &m->to->stamps.at[m->layout->columns.at[group].stamp].slot;
}

/* An object begins; its slot is completed as its members come, and when it ends. */
static bool layout_open(layout_making *m, uint32_t group)
{
    layout_column *columns = m->layout->columns.at;
    layout_column *column = &columns[group];
    uint32_t parent =
        group ? m->to->stamps.at[columns[column->parent].stamp].at : SLOT_NONE;
    pith_slot *slot = layout_add_stamp(m, group);
    if (!slot)
        return false;
    slot->kind = PITH_OBJECT;
    slot->shape = column->loose ? (uint16_t)SHAPE_NONE : (uint16_t)SHAPE_EMPTY;
    slot->u.link.parent = parent;
    column->stamp = (uint32_t)(m->to->stamps.count - 1);
    return true;
}

/* The keys of an object without a shape, in a slot after its members. */
static bool layout_end_loose(layout_making *m, uint32_t group, uint32_t count)
{
    layout_column *columns = m->layout->columns.at;
    layout_column *column = &columns[group];
    if (!m->arena)
        return false;
    if (!column->keys) {
        pith_key *keys =
            (pith_key *)arena_take_aligned(m->arena, count * sizeof *column->keys);
        column->keys = keys;
        for (uint32_t i = column->first; keys && i; i = columns[i].next)
            *keys++ = columns[i].key;
    }
    pith_slot *slot = layout_add_stamp(m, group);
    if (!slot || !column->keys)
        return false;
    slot->kind = SLOT_KEYS;
    slot->n = count;
    slot->u.keys = column->keys;
    m->layout->loose = true;
    return true;
}

static bool layout_close(layout_making *m, uint32_t group)
{
    layout_column *column = &m->layout->columns.at[group];
    assert(column->kind == COLUMN_GROUP);
    const pith_slot *slot = layout_group_slot(m, group);
    if (slot->shape != SHAPE_NONE && !shapes_list(&m->doc->shapes, slot->shape))
        return false;
    if (slot->shape == SHAPE_NONE && !layout_end_loose(m, group, slot->n))
        return false;
    if (m->to == &m->layout->full)
        column->shape = layout_group_slot(m, group)->shape;
    layout_group_slot(m, group)->u.link.next = (uint32_t)m->to->slots;
    return true;
}

/* One member more for the object that a column is in. */
static void layout_add_key(const layout_making *m, const layout_column *column)
{
    pith_slot *around = layout_group_slot(m, column->parent);
    const pith_key *key = &column->key;
    around->n++;
    if (around->shape != SHAPE_NONE) {
        uint16_t shape =
            shapes_step(&m->doc->shapes, around->shape, key->text, key->len, key->flags);
        around->shape = shape == SHAPE_DUPLICATE ? (uint16_t)SHAPE_NONE : shape;
    }
}

/* The cell of a column gets the next slot. */
static bool layout_place_cell(layout_making *m, const layout_column *column)
{
    assert(column->number < m->layout->cell_count);
    uint32_t *place = &m->layout->place[column->number];
    uint32_t slot = (uint32_t)m->to->slots++;
    if (m->to == &m->layout->full) {
        *place = slot;
        return true;
    }
    layout_move *move = LIST_ADD(&m->to->moves, &m->doc->alloc);
    if (move) {
        move->from = *place;
        move->to = slot;
    }
    return move != NULL;
}

static bool layout_make_column(layout_making *m, uint32_t number, unsigned state)
{
    static const char null[16] = "null";
    const layout_column *column = &m->layout->columns.at[number];
    layout_add_key(m, column);
    if (column->kind == COLUMN_CELL)
        return layout_place_cell(m, column);
    if (column->kind == COLUMN_GROUP && state != CELL_NULL)
        return layout_open(m, number);
    pith_slot *slot = layout_add_stamp(m, number);
    if (slot && column->kind == COLUMN_FIXED)
        *slot = column->value;
    else if (slot)
        slot_set(slot, PITH_NULL, 0, null, 4);
    return slot != NULL;
}

/* Goes along the columns, as they are in a row with layout->states. */
static bool layout_make(layout_making *m)
{
    const row_layout *t = m->layout;
    const layout_column *columns = t->columns.at;
    uint32_t group = 0;
    bool fine = layout_open(m, 0);
    for (size_t i = 0; i < t->order.count && fine; i++) {
        while (columns[group].end == i && fine) {
            fine = layout_close(m, group);
            group = columns[group].parent;
        }
        uint32_t number = t->order.at[i];
        const layout_column *column = &columns[number];
        unsigned state = layout_state(t, column);
        fine = fine && (state == CELL_ABSENT || layout_make_column(m, number, state));
        if (column->kind == COLUMN_GROUP) {
            bool skipped = state == CELL_ABSENT || state == CELL_NULL;
            i = skipped ? column->end - (size_t)1 : i;
            group = skipped ? group : number;
        }
    }
    for (; group && fine; group = columns[group].parent)
        fine = layout_close(m, group);
    return fine && layout_close(m, 0);
}

/* --------------------------------------------------------------------- planning */

/* Lists the columns in the order of the tape, and numbers the groups. */
static void layout_sort(row_layout *t)
{
    layout_column *columns = t->columns.at;
    uint32_t groups = (uint32_t)layout_state_width(t);
    uint32_t at = columns[0].first;
    t->order.count = 0;
    while (at) {
        layout_column *column = &columns[at];
        assert(t->order.count < t->order.cap);
        t->order.at[t->order.count++] = at;
        column->from = SHAPE_NONE;
        if (column->kind == COLUMN_GROUP)
            column->number = groups++;
        at = column->first;
        while (!at && column != columns) {
            column->end = (uint32_t)t->order.count;
            at = column->next;
            column = &columns[column->parent];
        }
    }
    columns[0].end = (uint32_t)t->order.count;
}

bool layout_plan(row_layout *t, pith_doc *doc, pith_arena *arena)
{
    const pith_alloc *alloc = &doc->alloc;
    t->order.count = 0;
    if (!LIST_RESERVE(&t->order, alloc, t->columns.count) ||
        !list_grow(alloc, (void *)&t->place, &t->place_cap, t->cell_count + 1,
                   sizeof *t->place) ||
        !list_grow(alloc, (void *)&t->states, &t->state_cap,
                   layout_state_width(t) + t->group_count + 1, sizeof *t->states))
        return false;
    layout_sort(t);
    layout_forget_patterns(t);
    layout_reset_states(t);
    t->renewed = doc->shapes.renewed;
    t->loose = false;
    t->full.stamps.count = 0;
    t->full.slots = 0;
    layout_making making = {t, doc, arena, &t->full};
    return layout_make(&making);
}

/* ------------------------------------------------------------------ sparse rows */

void layout_weigh_groups(row_layout *t)
{
    const layout_column *columns = t->columns.at;
    memset(layout_group_states(t), 0, t->group_count);
    /* Backwards, so that the inner groups are known first. */
    for (size_t i = t->group_count > 0 ? t->order.count : 0; i-- > 0;) {
        const layout_column *column = &columns[t->order.at[i]];
        if (column->parent) {
            uint8_t *around = &t->states[columns[column->parent].number];
            *around |= (uint8_t)layout_state(t, column);
        }
    }
}

static inline bool layout_same_states(const uint8_t *a, const uint8_t *b, size_t count)
{
    size_t i = 0;
    while (i < count && memcmp(a + i, b + i, 8) == 0)
        i += 8;
    return i >= count;
}

/* The place of a pattern in the index: it is there, or the place is empty. */
static uint8_t *layout_find_pattern(row_layout *t)
{
    size_t width = layout_state_width(t);
    uint64_t hash = 0;
    for (size_t i = 0; i < width; i += 8) {
        uint64_t states;
        memcpy(&states, t->states + i, 8);
        hash = (hash ^ states) * UINT64_C(0x9E3779B97F4A7C15);
        hash ^= hash >> 32;
    }
    size_t at = (size_t)hash % LAYOUT_INDEX;
    while (t->index[at]) {
        const uint8_t *known = t->pattern_states.at + (t->index[at] - 1u) * width;
        if (layout_same_states(known, t->states, width))
            break;
        at = (at + 1) % LAYOUT_INDEX;
    }
    return &t->index[at];
}

/* Makes the template of a row that lacks something; NULL when there cannot be one. */
static const row_template *layout_add_pattern(row_layout *t, pith_doc *doc)
{
    assert(t->pattern_count < LAYOUT_PATTERNS);
    const pith_alloc *alloc = &doc->alloc;
    size_t width = layout_state_width(t);
    if (!LIST_RESERVE(&t->pattern_states, alloc, width))
        return NULL;
    if (t->pattern_count == t->patterns.count) {
        row_template *fresh = LIST_ADD(&t->patterns, alloc);
        if (!fresh)
            return NULL;
        memset(fresh, 0, sizeof *fresh);
    }
    row_template *made = &t->patterns.at[t->pattern_count];
    made->stamps.count = 0;
    made->moves.count = 0;
    made->slots = 0;
    layout_weigh_groups(t);
    layout_making making = {t, doc, NULL, made};
    if (!layout_make(&making))
        return NULL;
    memcpy(t->pattern_states.at + t->pattern_states.count, t->states, width);
    t->pattern_states.count += width;
    t->pattern_count++;
    return made;
}

const row_template *layout_find_sparse(row_layout *t, pith_doc *doc)
{
    assert(layout_is_current(t, doc));
    if (t->loose || t->cell_count > LAYOUT_SPARSE_MOST)
        return NULL;
    uint8_t *found = layout_find_pattern(t);
    if (*found)
        return &t->patterns.at[*found - 1];
    const row_template *made =
        t->pattern_count < LAYOUT_PATTERNS ? layout_add_pattern(t, doc) : NULL;
    if (made)
        *found = (uint8_t)t->pattern_count;
    return made;
}

size_t layout_names(const row_layout *layout, pith_text *names, size_t room)
{
    size_t count = 0;
    for (uint32_t at = layout->columns.at[0].first; at;
         at = layout->columns.at[at].next) {
        if (count < room)
            names[count] = key_text(&layout->columns.at[at].key);
        count++;
    }
    return count;
}
