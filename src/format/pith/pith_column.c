/*
 * pith_column.c - which form each column of a table takes, and what the table costs.
 *
 *     constant      always the same scalar, or always empty      team=core
 *     group         objects, spread over cells                   customer{name,city}
 *     table column  arrays of objects                            items[4{sku,qty}]
 *     leaf          anything                                     id
 *
 * The objects of a group and those of a table column are rows again, with columns of
 * their own, so finding out goes down into them; PN_LEVELS_MOST is as deep as it goes,
 * and the way there and back is an array of that many steps:
 *
 *     step 0   [3{id,items...          the three rows
 *     step 1      items[4{sku,...      the four items in their arrays
 *
 * A step first looks at all members of its objects at once and sums up each column, then
 * takes its columns one by one. When a step is done, the one around it compares the two
 * lengths. All of it is in bytes beyond those of the scalars (pith_plan.h).
 *
 * Rows of one shape are nearly free: the sums come from the records, and a look at the
 * slots is only needed for columns of which it is open whether they change.
 */
#include "format/pith/pith_column.h"

#include "format/pith/pith_dense.h"

#include <assert.h>

static pn_column_sums *pn_sums_of(const pn_search *search, const pn_step *step)
{
    return search->sums.at + step->sums;
}

static bool pn_may_be_group(const pn_plan *plan, const pn_column_sums *sums)
{
    return plan->groups && sums->seen == PN_SAW_OBJECT;
}

static bool pn_may_be_table(const pn_plan *plan, const pn_column_sums *sums)
{
    return plan->table_columns && sums->seen == PN_SAW_ROWS && sums->total > 0;
}

/* ------------------------------------------------------------------- summing up */

/* Makes sure that all containers of a row can be listed. False when out of memory. */
static inline bool pn_make_items(pn_search *search, uint32_t columns)
{
    return search->items.count < UINT32_MAX - columns &&
           LIST_RESERVE(&search->items, &search->plan->alloc, columns);
}

/* Lists a container whose objects may become rows. */
static inline void pn_add_item(pn_search *search, pn_column_sums *sums, uint32_t number,
                               uint16_t shape)
{
    uint32_t at = (uint32_t)search->items.count++;
    assert(at < search->items.cap);
    search->items.at[at].number = number;
    search->items.at[at].next = PN_NO_ITEM;
    if (sums->first == PN_NO_ITEM) {
        sums->first = at;
        sums->shape = shape;
    } else {
        search->items.at[sums->last].next = at;
        sums->shape = sums->shape == shape ? shape : (uint16_t)SHAPE_NONE;
    }
    sums->last = at;
}

/* Adds a container to its column. */
static inline void pn_add_container(pn_search *search, pn_column_sums *sums,
                                    uint32_t number)
{
    const pn_record *record = &pn_records(search->plan)[number];
    sums->extra += record->extra;
    sums->containers++;
    if (record->object) {
        sums->seen |= record->n > 0 ? PN_SAW_OBJECT : PN_SAW_EMPTY;
    } else {
        sums->seen |= record->rows ? PN_SAW_ROWS : PN_SAW_LIST;
        sums->arrays++;
        sums->total += record->n;
        sums->filled += record->n > 0;
    }
    if (record->n > 0 &&
        (pn_may_be_group(search->plan, sums) || pn_may_be_table(search->plan, sums)))
        pn_add_item(search, sums, number, record->shape);
}

/* Adds the members of a row, wherever their columns are. */
static void pn_add_members(pn_search *search, pn_column_sums *sums, uint32_t row,
                           const uint32_t *map)
{
    const pn_plan *plan = search->plan;
    const pn_record *records = pn_records(plan);
    const pith_slot *slots = plan->doc->slots;
    const pith_slot *object = &slots[records[row].slot];
    const pith_slot *at = object + 1;
    uint32_t number = row - 1;
    for (uint32_t i = 0; i < object->n; i++) {
        pn_column_sums *column = &sums[map[i]];
        if (column->present++ == 0)
            column->sample = at;
        else if (!column->changes)
            column->changes = !pn_same_constant(column->sample, at, plan->shortest);
        if (!slot_is_container(at)) {
            at++;
            continue;
        }
        pn_add_container(search, column, number);
        at = slots + records[number].end;
        number = records[number].after;
    }
}

/* Sums up rows that differ in their keys. */
static bool pn_sum_mixed(pn_search *search, const pn_step *step, uint32_t columns)
{
    const pn_plan *plan = search->plan;
    const pn_level *level = pn_level_at(plan, step->level);
    pn_column_sums *sums = pn_sums_of(search, step);
    pn_cursor cursor = pn_before_rows(&step->rows);
    bool absent = step->rows.count < step->rows.rows;
    for (uint32_t i = 0; i < columns; i++)
        sums[i].changes = absent || !plan->constants;
    while (pn_cursor_next(search, &cursor)) {
        const pith_slot *object = &plan->doc->slots[pn_records(plan)[cursor.row].slot];
        if (!pn_make_items(search, columns))
            return false;
        pn_add_members(search, sums, cursor.row, pn_map_of(plan, level, object));
    }
    return true;
}

/* ---------------------------------------------------------------- rows of one shape */

/* Takes a sample of each column from the first row, and lists the columns of which it is
 * open whether they change. Returns how many those are. */
static uint32_t pn_take_samples(pn_search *search, const pn_step *step,
                                const pn_shape *shape)
{
    const pn_plan *plan = search->plan;
    const pith_slot *slots = plan->doc->slots;
    const pith_slot *object =
        &slots[pn_records(plan)[pn_first_row(search, &step->rows)].slot];
    const pith_slot *at = object + 1;
    const pn_row_list *rows = &step->rows;
    pn_column_sums *sums = pn_sums_of(search, step);
    bool constants = plan->constants && rows->count == rows->rows;
    uint32_t open = 0;
    for (uint32_t i = 0; i < object->n; i++) {
        bool filled = slot_is_container(at) && at->n > 0;
        pn_change change =
            constants && !filled ? pn_change_of(shape, i, rows->rows) : PN_CHANGES_SURELY;
        sums[i].sample = at;
        sums[i].present = rows->count;
        sums[i].changes = change != PN_CHANGES_NEVER;
        if (change == PN_CHANGES_PERHAPS)
            search->open_columns.at[open++] = i;
        at = pn_after(slots, at);
    }
    return open;
}

/* Compares a row with the samples in the open columns. Returns how many are left. */
static uint32_t pn_compare_row(pn_search *search, const pn_column_sums *sums,
                               const pith_slot *object, bool nested, uint32_t open)
{
    const pn_plan *plan = search->plan;
    const pith_slot *at = object + 1;
    uint32_t *columns = search->open_columns.at;
    uint32_t column = 0;
    uint32_t kept = 0;
    for (uint32_t i = 0; i < open; i++) {
        for (; nested && column < columns[i]; column++)
            at = pn_after(plan->doc->slots, at);
        const pith_slot *value = nested ? at : object + 1 + columns[i];
        if (pn_same_constant(sums[columns[i]].sample, value, plan->shortest))
            columns[kept++] = columns[i];
    }
    return kept;
}

/* Adds the containers in a row that has a member in every column. */
static inline void pn_add_containers(pn_search *search, pn_column_sums *sums,
                                     uint32_t row)
{
    const pn_record *records = pn_records(search->plan);
    uint32_t end = records[row].after;
    uint32_t slot = records[row].slot + 1; /* of the column 0, if nothing before it were
                                            * larger than one slot */
    for (uint32_t number = row - 1; number != end;) {
        const pn_record *inner = &records[number];
        pn_add_container(search, &sums[inner->slot - slot], number);
        slot += inner->end - inner->slot - 1;
        number = inner->after;
    }
}

/* Sums up rows of one shape. */
static bool pn_sum_alike(pn_search *search, const pn_step *step, uint32_t columns)
{
    const pn_plan *plan = search->plan;
    const pn_shape *shape = pn_shape_at(plan, step->rows.shape);
    const pn_record *records = pn_records(plan);
    pn_column_sums *sums = pn_sums_of(search, step);
    pn_cursor cursor = pn_before_rows(&step->rows);
    uint32_t open = pn_take_samples(search, step, shape);
    while ((shape->nested || open > 0) && pn_cursor_next(search, &cursor)) {
        if (open > 0) {
            const pith_slot *object = &plan->doc->slots[records[cursor.row].slot];
            open = pn_compare_row(search, sums, object, shape->nested, open);
        }
        if (!shape->nested)
            continue;
        if (!pn_make_items(search, columns))
            return false;
        pn_add_containers(search, sums, cursor.row);
    }
    for (uint32_t i = 0; i < open; i++)
        sums[search->open_columns.at[i]].changes = false;
    return true;
}

/* Sums up the columns of a step. False when out of memory. */
static bool pn_sum_up(pn_search *search, const pn_step *step, uint32_t columns)
{
    const pith_alloc *alloc = &search->plan->alloc;
    pn_column_sums *sums = LIST_ROOM(&search->sums, alloc, columns);
    if (!sums || !LIST_RESERVE(&search->open_columns, alloc, columns))
        return false;
    memset(sums, 0, columns * sizeof *sums);
    search->sums.count += columns;
    bool alike = step->rows.shape != SHAPE_NONE;
    if (!(alike ? pn_sum_alike(search, step, columns)
                : pn_sum_mixed(search, step, columns)))
        return false;
    for (uint32_t i = 0; i < columns; i++)
        sums[i].seen |= sums[i].containers < sums[i].present ? PN_SAW_SCALAR : 0;
    return !search->plan->dense || pn_mark_columns(search, step, columns);
}

/* ------------------------------------------------------------------------ columns */

static pn_column *pn_step_column(const pn_plan *plan, const pn_step *step)
{
    assert(step->column < pn_level_at(plan, step->level)->count);
    return pn_columns_of(plan, pn_level_at(plan, step->level)) + step->column;
}

/* Gives a leaf column its mark, and the table its weight. */
static void pn_decide_mark(const pn_search *search, pn_step *step, pn_column *column)
{
    const pn_column_marks *marks = search->marks.at + step->sums + step->column;
    column->mark = marks->mark;
    column->above = SLOT_NONE;
    step->cost.weight += (int64_t)step->rows.rows + marks->part;
    if (marks->mark == PN_NO_MARK)
        return;
    uint32_t sample = marks->mark == PN_DEFAULT ? marks->frequent[0] : marks->first;
    column->constant = &search->plan->doc->slots[sample];
    column->begin = (uint8_t)marks->begin;
    column->end = (uint8_t)marks->end;
    int64_t bytes = marks->bytes - marks->begin - marks->end - 4;
    column->bytes = bytes > 0 && bytes < UINT32_MAX ? (uint32_t)bytes : 1;
    column->saved = (uint32_t)(marks->prices - marks->part);
    pn_level_at(search->plan, step->level)->uniform = false;
}

static void pn_decide_leaf(const pn_search *search, pn_step *step)
{
    const pn_column_sums *sums = &pn_sums_of(search, step)[step->column];
    pn_level *level = pn_level_at(search->plan, step->level);
    level->uniform = level->uniform && sums->seen == PN_SAW_SCALAR;
    pn_column *column = pn_step_column(search->plan, step);
    column->kind = PN_LEAF;
    if (search->plan->dense)
        pn_decide_mark(search, step, column);
    pn_cost_leaf(&step->cost, sums->extra);
    step->column++;
}

static void pn_decide_constant(const pn_search *search, pn_step *step)
{
    const pith_slot *value = pn_sums_of(search, step)[step->column].sample;
    pn_column *column = pn_step_column(search->plan, step);
    column->kind = PN_CONSTANT;
    step->constants++;
    column->constant = value;
    pn_cost_constant(&step->cost, value, step->rows.rows, search->plan->shortest);
    if (search->plan->dense)
        step->cost.weight += pn_weight_of(search->plan->dense,
                                          (uint32_t)(value - search->plan->doc->slots));
    step->column++;
}

/* Begins a step for these rows, unless they have no columns that would do. False when out
 * of memory. */
static bool pn_step_down(pn_search *search, pn_row_list rows)
{
    assert(search->depth < PN_LEVELS_MOST);
    pn_plan *plan = search->plan;
    pn_step *step = &search->steps[search->depth];
    bool found = false;
    memset(step, 0, sizeof *step);
    step->rows = rows;
    step->level = (uint32_t)plan->levels.count;
    step->sums = search->sums.count;
    step->items = search->items.count;
    pn_level *level = LIST_ROOM(&plan->levels, &plan->alloc, 1);
    if (!level || !pn_find_columns(search, &rows, level, &step->cost, &found))
        return false;
    if (!found) {
        pn_drop_level(plan, level);
        return true;
    }
    level->uniform = rows.shape != SHAPE_NONE;
    plan->levels.count++;
    search->depth++;
    return pn_sum_up(search, step, level->count);
}

/* The objects of a column that may be a group or table column. */
static pn_row_list pn_inner_rows(const pn_column_sums *sums, const pn_step *step)
{
    bool table = sums->seen == PN_SAW_ROWS;
    pn_row_list rows = {table ? sums->total : step->rows.rows, sums->first,
                        table ? sums->total : sums->containers, table, sums->shape};
    return rows;
}

/* Whether one more constant of so many columns is not too much for a reader's memory. */
static bool pn_may_hide(const pn_search *search, const pn_step *step, uint32_t columns)
{
    uint32_t constants = step->constants + 1;
    return doc_may_hide(search->plan->doc, constants, columns - constants, 1);
}

/* In a large document at most two objects are hidden behind each cell. */
static size_t pn_levels_most(const pn_plan *plan)
{
    return doc_may_hide(plan->doc, PN_LEVELS_MOST, 1, 2) ? PN_LEVELS_MOST : 3;
}

/* Decides about the columns of the innermost step, up to one whose objects have to be
 * looked at first: a step for those has then begun. False when out of memory. */
static bool pn_decide_columns(pn_search *search)
{
    assert(search->depth > 0);
    const pn_plan *plan = search->plan;
    size_t depth = search->depth;
    pn_step *step = &search->steps[depth - 1];
    uint32_t count = pn_level_at(plan, step->level)->count;
    while (step->column < count) {
        const pn_column_sums *sums = &pn_sums_of(search, step)[step->column];
        if (!sums->changes && step->rows.rows >= 2 && sums->present == step->rows.rows &&
            pn_may_hide(search, step, count)) {
            pn_decide_constant(search, step);
            continue;
        }
        if (depth < pn_levels_most(plan) &&
            (pn_may_be_group(plan, sums) || pn_may_be_table(plan, sums))) {
            if (!pn_step_down(search, pn_inner_rows(sums, step)))
                return false;
            if (search->depth > depth)
                return true;
        }
        pn_decide_leaf(search, step);
    }
    return true;
}

/* -------------------------------------------------------------------------- levels */

/* Notes where the cells of a uniform level lie. */
static bool pn_list_cells(pn_plan *plan, pn_level *level)
{
    uint32_t *cells = LIST_ROOM(&plan->numbers, &plan->alloc, (size_t)level->width + 1);
    const pn_column *columns = pn_columns_of(plan, level);
    if (!cells || plan->numbers.count > UINT32_MAX - level->width)
        return false;
    level->cells = (uint32_t)plan->numbers.count;
    level->span = 1;
    for (uint32_t i = 0; i < level->count; i++) {
        if (columns[i].kind == PN_GROUP) {
            const pn_level *inner = pn_level_at(plan, columns[i].level);
            for (uint32_t j = 0; j < inner->width; j++)
                *cells++ = level->span + *pn_numbers(plan, inner->cells + j);
            level->span += inner->span;
        } else {
            *cells = level->span++;
            cells += columns[i].kind == PN_LEAF;
        }
    }
    plan->numbers.count += level->width;
    return true;
}

/* Level 2: where a row is one cell, an empty one would be a blank row. */
static void pn_drop_mark(const pn_plan *plan, const pn_level *level, pn_cost *cost)
{
    for (uint32_t i = 0; i < level->count; i++) {
        pn_column *column = pn_columns_of(plan, level) + i;
        if (column->kind == PN_GROUP && pn_level_at(plan, column->level)->width > 0) {
            level = pn_level_at(plan, column->level);
            i = UINT32_MAX; /* the first of it is next */
        } else if (column->kind == PN_LEAF && column->mark != PN_TEMPLATE) {
            column->mark = PN_NO_MARK;
            cost->weight += column->saved;
            column->saved = 0;
        }
    }
}

/* All columns of the step are decided. False when out of memory. */
static bool pn_finish_level(const pn_search *search, pn_step *step)
{
    pn_plan *plan = search->plan;
    pn_level *level = pn_level_at(plan, step->level);
    const pn_column *columns = pn_columns_of(plan, level);
    const pn_column_sums *sums = pn_sums_of(search, step);
    level->width = (uint32_t)step->cost.width;
    bool table = search->depth == 1 ? !search->map : step->rows.inside;
    if (plan->dense && table && level->width == 1)
        pn_drop_mark(plan, level, &step->cost);
    for (uint32_t i = 0; i < level->count && level->width == 1; i++) {
        bool cell = columns[i].kind == PN_LEAF || columns[i].kind == PN_TABLE;
        bool group = columns[i].kind == PN_GROUP;
        level->always_present |= cell && sums[i].present == step->rows.rows;
        level->always_present |=
            group && pn_level_at(plan, columns[i].level)->always_present;
    }
    return !level->uniform || !search->keep || pn_list_cells(plan, level);
}

/* The weight that the level has as a column of the step around it. */
static int64_t pn_part_of(const pn_step *inner, const pn_column_sums *sums)
{
    return inner->cost.weight + (inner->rows.inside ? 3 * (int64_t)sums->present : 0);
}

/* True when the level, with all in it, makes a column or a table that is of use. A group
 * or table column is added to the costs of the step around it. */
static bool pn_is_shorter(const pn_search *search, const pn_step *inner, pn_step *step)
{
    const pn_column_sums *sums = &pn_sums_of(search, step)[step->column];
    pn_dense *dense = search->plan->dense;
    pn_cost cost = step->cost;
    if (inner->rows.inside
            ? !pn_cost_table(&cost, &inner->cost, sums->total, sums->arrays, sums->filled,
                             sums->extra)
            : !pn_cost_group(&cost, &inner->cost, step->rows.rows, sums->extra))
        return false;
    if (dense) {
        int64_t part = pn_part_of(inner, sums);
        if (search->marks.at[step->sums + step->column].prices < part) {
            dense->refused += sums->extra;
            return false;
        }
        cost.weight += part;
    }
    step->cost = cost;
    return true;
}

/* Rows with one cell must have it, and there must be a cell at all. */
static bool pn_is_wide_enough(const pn_level *level)
{
    return level->width > 1 || (level->width == 1 && level->always_present);
}

/* The innermost step is done and becomes a group or table column of the one around it, if
 * that will do and is shorter than a leaf. */
static void pn_step_up(pn_search *search)
{
    assert(search->depth > 1);
    pn_plan *plan = search->plan;
    const pn_step *inner = &search->steps[--search->depth];
    pn_step *step = &search->steps[search->depth - 1];
    const pn_level *level = pn_level_at(plan, inner->level);
    bool table = inner->rows.inside;
    search->sums.count = inner->sums;
    search->marks.count = plan->dense ? inner->sums : 0;
    search->items.count = inner->items;
    if ((table && !pn_is_wide_enough(level)) || !pn_is_shorter(search, inner, step)) {
        pn_drop_level(plan, level);
        pn_decide_leaf(search, step);
        return;
    }
    pn_column *column = pn_step_column(plan, step);
    column->kind = table ? PN_TABLE : PN_GROUP;
    column->level = inner->level;
    column->total = pn_sums_of(search, step)[step->column].total;
    pn_level_at(plan, step->level)->uniform &= !table && level->uniform;
    step->column++;
}

/* ------------------------------------------------------------------------ the table */

/* What the search needs; NULL when out of memory. */
static pn_search *pn_search_begin(pn_plan *plan, bool keep)
{
    pn_search *search = plan->search;
    if (!search) {
        search = (pn_search *)alloc_zeroed(&plan->alloc, sizeof *search);
        if (!search)
            return NULL;
        names_init(&search->names, plan->alloc, plan->doc->shapes.seed);
        plan->search = search;
    }
    if (!LIST_RESERVE(&search->items, &plan->alloc, 2))
        return NULL;
    search->plan = plan;
    search->keep = keep;
    search->depth = 0;
    search->sums.count = 0;
    search->marks.count = 0;
    return search;
}

bool pn_find_table(pn_plan *plan, uint32_t number, uint16_t shape, bool keep,
                   uint32_t *level, pn_table_cost *cost)
{
    const pn_record *record = &pn_records(plan)[number];
    pn_search *search = pn_search_begin(plan, keep);
    *level = PN_PLAIN;
    if (!search)
        return false;
    search->map = record->object;
    search->items.at[1].number = number;
    search->items.at[1].next = PN_NO_ITEM;
    search->items.count = 2;
    pn_row_list rows = {record->n, 1, record->n, true, shape};
    if (!pn_step_down(search, rows))
        return false;
    while (search->depth > 0) {
        if (!pn_decide_columns(search))
            return false;
        pn_step *step = &search->steps[search->depth - 1];
        const pn_level *here = pn_level_at(plan, step->level);
        if (step->column < here->count)
            continue;
        if (!pn_finish_level(search, step))
            return false;
        if (search->depth > 1) {
            pn_step_up(search);
            continue;
        }
        search->depth = 0;
        if (pn_is_wide_enough(here))
            *level = step->level;
        else
            pn_drop_level(plan, here);
        cost->extra = pn_cost_rows(&step->cost, step->rows.rows);
        cost->weight = step->cost.weight;
    }
    return true;
}

void pn_search_free(pn_plan *plan)
{
    const pith_alloc *alloc = &plan->alloc;
    pn_search *search = plan->search;
    if (!search)
        return;
    LIST_FREE(&search->items, alloc);
    LIST_FREE(&search->sums, alloc);
    LIST_FREE(&search->marks, alloc);
    LIST_FREE(&search->open_columns, alloc);
    LIST_FREE(&search->found, alloc);
    names_free(&search->names);
    LIST_FREE(&search->work, alloc);
    alloc_free(alloc, search, sizeof *search);
}
