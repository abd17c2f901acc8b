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
 *     step 0   [3{id,items...          refs: the three rows
 *     step 1      items[4{sku,...      refs: behind them, the four items
 *
 * A step first looks at all members of its objects at once (`stats`: one for each
 * column), then takes its columns one by one. Objects that may become a group or inner
 * rows were noted on the way (`items`) and are sorted by column onto `refs`, so no row is
 * looked at twice. When a step is done, its parent compares the two lengths. All of it
 * is in bytes beyond those of the scalars (pith_plan.h).
 *
 * Most tables do not come here: those whose rows are alike all the way down need neither
 * lists nor steps (pith_survey.c).
 */
#include "format/pith/pith_plan.h"

enum { PN_SAW_CHANGE = 32 /* two that differ */ };

typedef struct pn_step {
    uint32_t level;
    uint32_t column;   /* the one that is looked at */
    uint64_t rows;     /* of the table, or of the table column; some may be absent */
    size_t refs;       /* its objects */
    size_t refs_inner; /* those of its columns */
    size_t stats;
    int64_t bytes;  /* of the cells */
    int64_t header; /* of the list of columns, with a comma behind each */

    pn_mark mark; /* before it */
} pn_step;

typedef struct pn_finder {
    pn_plan *plan;
    pn_step steps[PN_LEVELS_MOST];
    size_t depth;
} pn_finder;

static pn_stat *pn_stats(const pn_plan *plan, const pn_step *step)
{
    return plan->stats.at + step->stats;
}

/* ----------------------------------------------------------------- looking at members */

/* Notes a container. False when out of memory. */
static bool pn_look_container(pn_plan *plan, pn_stat *stat, pn_item item)
{
    const pn_record *record = &pn_records(plan)[item.number];
    stat->extra += record->extra;
    stat->containers++;
    if (record->object) {
        stat->seen |= record->n > 0 ? PN_SAW_OBJECT : PN_SAW_EMPTY;
        if (record->n == 0) {
            return true;
        }
        pn_kin_add(&stat->kin, record->shape, record->n);
    } else if (record->rows) {
        stat->seen |= PN_SAW_ROWS;
        stat->total += record->n;
        stat->filled += record->n > 0;
    } else {
        stat->seen |= PN_SAW_LIST;
        return true;
    }
    pn_item *room = LIST_ADD(&plan->items, &plan->alloc);
    if (!room) {
        return false;
    }
    *room = item;
    room->object = record->object;
    stat->items++;
    return true;
}

/* The members of one object, wherever their columns are. */
static bool pn_look_row(pn_plan *plan, pn_stat *stats, uint32_t row, const uint32_t *map)
{
    const pn_record *records = pn_records(plan);
    const pith_slot *slots = plan->doc->slots;
    const pith_slot *object = &slots[records[row].slot];
    const pith_slot *at = object + 1;
    uint32_t number = row - 1;
    for (uint32_t i = 0; i < object->n; i++) {
        pn_stat *stat = &stats[map[i]];
        if (stat->present++ == 0) {
            stat->sample = at;
        } else if (!(stat->seen & PN_SAW_CHANGE) &&
                   !pn_same_constant(stat->sample, at, plan->shortest)) {
            stat->seen |= PN_SAW_CHANGE;
        }
        if (!slot_is_container(at)) {
            at++;
            continue;
        }
        pn_item item = {number, map[i], false};
        if (!pn_look_container(plan, stat, item)) {
            return false;
        }
        at = slots + records[number].end;
        number = records[number].behind;
    }
    return true;
}

/* ------------------------------------------------------------ objects of one shape */

/* Objects of one shape have a member in every column, and which of them are containers
 * can be told from the records, without a look at the slots. What needs one are only the
 * columns of which the shape does not tell whether they change, and that have not changed
 * yet; those are few after the second row. */
typedef struct pn_alike {
    pn_plan *plan;
    pn_stat *stats;
    uint32_t *steady; /* the columns to look at that have not changed, in order */
    uint32_t count;   /* of them */
    uint32_t kept;    /* of them, after this row */
    uint32_t next;    /* the one to look at next */
    bool first;       /* row */
} pn_alike;

/* Looks at the steady columns before `column`. The slot of a column is as far behind
 * `base` as its number says. */
static inline void pn_look_until(pn_alike *look, const pith_slot *base, uint32_t column)
{
    for (; look->next < look->count && look->steady[look->next] < column; look->next++) {
        uint32_t at = look->steady[look->next];
        const pith_slot *sample = look->stats[at].sample;
        if (look->first || pn_same_constant(sample, base + at, look->plan->shortest)) {
            look->steady[look->kept++] = at;
        }
    }
}

/* The members of one object. */
static bool pn_look_alike(pn_alike *look, uint32_t row)
{
    const pn_record *records = pn_records(look->plan);
    const pith_slot *base = look->plan->doc->slots + records[row].slot + 1;
    uint32_t slot = records[row].slot + 1; /* of the column 0, if nothing before it were
                                            * larger than one slot */
    uint32_t end = records[row].behind;
    look->next = 0;
    look->kept = 0;
    for (uint32_t number = row - 1; number != end; number = records[number].behind) {
        const pn_record *inner = &records[number];
        pn_item item = {number, inner->slot - slot, false};
        pn_look_until(look, base, item.column + 1);
        if (!pn_look_container(look->plan, &look->stats[item.column], item)) {
            return false;
        }
        uint32_t more = inner->end - inner->slot - 1;
        slot += more;
        base += more;
    }
    pn_look_until(look, base, UINT32_MAX);
    look->count = look->kept;
    return true;
}

/* Asks for the record and the slots that a later row will need, and, for its first steady
 * column, the text that the row before will be compared with. */
static inline void pn_look_ahead(const pn_alike *look, const uint32_t *refs)
{
    const pn_record *records = pn_records(look->plan);
    const pith_slot *slots = look->plan->doc->slots;
    pn_prefetch(&records[refs[PN_AHEAD]]);
    if (look->count > 0) {
        uint32_t column = look->steady[look->count - 1];
        const pith_slot *near = &slots[records[refs[PN_AHEAD / 3]].slot + 1 + column];
        pn_prefetch(&slots[records[refs[2 * PN_AHEAD / 3]].slot + 1 + column]);
        if (!slot_is_container(near)) {
            pn_prefetch(near->u.text);
        }
    }
}

/* Lists the columns that have to be looked at, and notes the constants that are known
 * already. Where rows are absent there are none. */
static void pn_list_unknown(pn_alike *look, const pn_shape *shape, const uint32_t *refs,
                            uint32_t count, bool absent)
{
    const pith_slot *slots = look->plan->doc->slots;
    const pith_slot *object = slots + pn_records(look->plan)[refs[0]].slot;
    const pith_slot *at = object + 1;
    look->count = 0;
    for (uint32_t i = 0; i < object->n; i++) {
        pn_change change = absent ? PN_CHANGES_SURELY : pn_change_of(shape, i, count);
        look->stats[i].present = count;
        look->stats[i].sample = at;
        look->stats[i].seen |= change == PN_CHANGES_NEVER ? 0 : PN_SAW_CHANGE;
        if (change == PN_CHANGES_PERHAPS) {
            look->steady[look->count++] = i;
        }
        at = pn_behind(slots, at);
    }
}

static bool pn_look_at_alikes(pn_plan *plan, pn_stat *stats, uint32_t columns,
                              const uint32_t *refs, uint32_t count, bool absent)
{
    const pn_shape *shape = pn_shape_at(plan, pn_records(plan)[refs[0]].shape);
    pn_alike look;
    plan->work.count = 0;
    look.plan = plan;
    look.stats = stats;
    look.steady = LIST_ROOM(&plan->work, &plan->alloc, columns);
    if (!look.steady) {
        return false;
    }
    pn_list_unknown(&look, shape, refs, count, absent);
    look.first = true;
    for (uint32_t i = 0; i < count && (shape->nested || look.count > 0); i++) {
        if (i + PN_AHEAD < count) {
            pn_look_ahead(&look, &refs[i]);
        }
        if (!pn_look_alike(&look, refs[i])) {
            return false;
        }
        look.first = false;
    }
    for (uint32_t i = 0; i < look.count; i++) {
        stats[look.steady[i]].seen &= (uint8_t)~PN_SAW_CHANGE;
    }
    return true;
}

/* Looks at everything in the step's objects. */
static bool pn_look(pn_plan *plan, const pn_step *step, uint32_t count)
{
    const pn_level *level = pn_level_at(plan, step->level);
    const uint32_t *refs = plan->refs.at + step->refs;
    const pn_record *records = pn_records(plan);
    pn_stat *stats = pn_stats(plan, step);
    bool absent = count < step->rows;
    plan->items.count = 0;
    if (level->shape != SHAPE_NONE) {
        if (!pn_look_at_alikes(plan, stats, level->count, refs, count, absent)) {
            return false;
        }
    }
    for (uint32_t i = 0; i < level->count && level->shape == SHAPE_NONE; i++) {
        stats[i].seen = absent ? PN_SAW_CHANGE : 0;
    }
    for (uint32_t i = 0; i < count && level->shape == SHAPE_NONE; i++) {
        const pith_slot *object = &plan->doc->slots[records[refs[i]].slot];
        if (!pn_look_row(plan, stats, refs[i], pn_map_of(plan, level, object))) {
            return false;
        }
    }
    for (uint32_t i = 0; i < level->count; i++) {
        stats[i].seen |= stats[i].containers < stats[i].present ? PN_SAW_SCALAR : 0;
    }
    return true;
}

/* ----------------------------------------------------------------- the inner objects */

static bool pn_may_group(const pn_plan *plan, const pn_stat *stat)
{
    return pn_may_be_group(plan, stat->seen & (uint8_t)~PN_SAW_CHANGE);
}

static bool pn_may_tabulate(const pn_plan *plan, const pn_stat *stat)
{
    return pn_may_be_table(plan, stat->seen & (uint8_t)~PN_SAW_CHANGE, stat->total);
}

/* Puts the elements of an array on the list. */
static uint32_t *pn_ref_elements(const pn_plan *plan, uint32_t *to, uint32_t array,
                                 pn_kin *kin)
{
    const pn_record *records = pn_records(plan);
    uint32_t number = array - 1;
    uint32_t end = records[array].behind;
    for (; number != end; number = records[number].behind) {
        pn_kin_add(kin, records[number].shape, records[number].n);
        *to++ = number;
    }
    return to;
}

/* Sorts what was noted by column, for the columns that may have use for it. */
static bool pn_sort_items(pn_plan *plan, pn_step *step, uint32_t columns)
{
    pn_stat *stats = pn_stats(plan, step);
    size_t need = 0;
    for (uint32_t i = 0; i < columns; i++) {
        stats[i].refs = (uint32_t)need;
        if (pn_may_group(plan, &stats[i])) {
            need += stats[i].items;
        } else if (pn_may_tabulate(plan, &stats[i])) {
            need += stats[i].total;
        } else {
            stats[i].items = 0;
        }
    }
    step->refs_inner = plan->refs.count;
    uint32_t *refs = LIST_ROOM(&plan->refs, &plan->alloc, need + 1);
    if (!refs) {
        return false;
    }
    const pn_item *items = plan->items.at;
    for (size_t i = 0; i < plan->items.count; i++) {
        pn_stat *stat = &stats[items[i].column];
        if (stat->items == 0) {
            continue;
        }
        if (items[i].object) {
            refs[stat->refs++] = items[i].number;
        } else {
            uint32_t *end =
                pn_ref_elements(plan, &refs[stat->refs], items[i].number, &stat->kin);
            stat->refs = (uint32_t)(end - refs);
        }
    }
    plan->refs.count += need;
    return true;
}

/* The objects of a column, counted from where its list ends. */
static uint32_t pn_inner_count(const pn_stat *stat)
{
    return stat->seen & PN_SAW_ROWS ? stat->total : stat->items;
}

/* ------------------------------------------------------------------------------ steps */

/* Begins a step for objects on the list of refs. `*begun` is false when they have no
 * columns that would do. */
static bool pn_step_down(pn_finder *finder, size_t refs, uint32_t count, uint64_t rows,
                         pn_kin kin, bool *begun)
{
    pn_plan *plan = finder->plan;
    pn_step *step = &finder->steps[finder->depth];
    memset(step, 0, sizeof *step);
    step->rows = rows;
    step->refs = refs;
    step->level = (uint32_t)plan->levels.count;
    step->stats = plan->stats.count;
    step->mark = pn_set_mark(plan);
    pn_level *level = LIST_ROOM(&plan->levels, &plan->alloc, 1);
    *begun = false;
    if (!level || !pn_find_columns(plan, refs, count, rows, kin, level, begun)) {
        return false;
    }
    if (!*begun) {
        pn_back_to_mark(plan, step->mark);
        return true;
    }
    plan->levels.count++;
    level->steady = level->shape != SHAPE_NONE;
    uint32_t columns = level->count;
    pn_stat *stats = LIST_ROOM(&plan->stats, &plan->alloc, columns);
    if (!stats) {
        return false;
    }
    memset(stats, 0, columns * sizeof *stats);
    plan->stats.count += columns;
    finder->depth++;
    return pn_look(plan, step, count) && pn_sort_items(plan, step, columns);
}

/* Ends the innermost step; what it made stays only if it is of use. */
static void pn_step_up(pn_finder *finder, bool keep)
{
    pn_plan *plan = finder->plan;
    const pn_step *step = &finder->steps[--finder->depth];
    plan->refs.count = step->refs_inner;
    plan->stats.count = step->stats;
    if (!keep) {
        pn_back_to_mark(plan, step->mark);
    }
}

/* ---------------------------------------------------------------------------- columns */

static pn_column *pn_step_column(const pn_plan *plan, const pn_step *step)
{
    return pn_columns_of(plan, pn_level_at(plan, step->level)) + step->column;
}

/* The column is decided: `header` bytes in the list of columns, `bytes` in the rows. */
static void pn_decide(const pn_plan *plan, pn_step *step, pn_kind kind, int64_t header,
                      int64_t bytes)
{
    pn_level *level = pn_level_at(plan, step->level);
    pn_column *column = pn_step_column(plan, step);
    column->kind = (uint8_t)kind;
    step->header += level->bare ? (int64_t)column->key->len : pn_key_len(column->key);
    step->header += 1 + header;
    step->bytes += bytes;
    if (kind == PN_LEAF || kind == PN_TABLE) {
        level->width++;
    }
    step->column++;
}

static void pn_decide_leaf(const pn_plan *plan, pn_step *step)
{
    const pn_stat *stat = &pn_stats(plan, step)[step->column];
    pn_level *level = pn_level_at(plan, step->level);
    level->steady = level->steady && (stat->seen & ~PN_SAW_CHANGE) == PN_SAW_SCALAR;
    pn_decide(plan, step, PN_LEAF, 0, stat->extra);
}

static void pn_decide_constant(const pn_plan *plan, pn_step *step)
{
    const pith_slot *sample = pn_stats(plan, step)[step->column].sample;
    pn_step_column(plan, step)->constant = sample;
    if (slot_is_container(sample)) {
        pn_decide(plan, step, PN_CONSTANT, 3, 0);
        return;
    }
    int64_t len = pn_scalar_len(sample, plan->shortest);
    pn_decide(plan, step, PN_CONSTANT, 1 + len, -len * (int64_t)step->rows);
}

/* The innermost step is a group of the one above it, if that is shorter. */
static void pn_decide_group(pn_finder *finder)
{
    pn_plan *plan = finder->plan;
    const pn_step *inner = &finder->steps[finder->depth - 1];
    pn_step *step = &finder->steps[finder->depth - 2];
    const pn_level *level = pn_level_at(plan, inner->level);
    const pn_stat *stat = &pn_stats(plan, step)[step->column];
    int64_t width = level->width;
    int64_t header = inner->header - 1;
    bool shorter =
        inner->bytes + (width - 1) * (int64_t)step->rows + header + 2 < stat->extra;
    uint32_t index = inner->level;
    bool steady = level->steady;
    int64_t bytes = inner->bytes;
    pn_step_up(finder, shorter);
    if (!shorter) {
        pn_decide_leaf(plan, step);
        return;
    }
    pn_step_column(plan, step)->level = index;
    pn_level_at(plan, step->level)->width += (uint32_t)width;
    pn_level_at(plan, step->level)->steady &= steady;
    pn_decide(plan, step, PN_GROUP, header + 2, bytes);
}

/* Rows with one cell must have it, and there must be a cell at all. */
static bool pn_is_wide_enough(const pn_level *level)
{
    return level->width > 1 || (level->width == 1 && level->sure);
}

/* The innermost step is a table column of the one above it, if that will do and is
 * shorter. */
static void pn_decide_table(pn_finder *finder)
{
    pn_plan *plan = finder->plan;
    const pn_step *inner = &finder->steps[finder->depth - 1];
    pn_step *step = &finder->steps[finder->depth - 2];
    const pn_level *level = pn_level_at(plan, inner->level);
    const pn_stat *stat = &pn_stats(plan, step)[step->column];
    uint32_t total = stat->total;
    int64_t header = inner->header - 1 + 4 + pn_digits_of(total);
    int64_t commas = ((int64_t)level->width - 1) * (int64_t)total;
    int64_t brackets = 2 * (int64_t)stat->items + (int64_t)(total - stat->filled);
    int64_t bytes = inner->bytes + commas + brackets;
    uint32_t index = inner->level;
    bool shorter = pn_is_wide_enough(level) && bytes + header < stat->extra;
    pn_step_up(finder, shorter);
    if (!shorter) {
        pn_decide_leaf(plan, step);
        return;
    }
    pn_step_column(plan, step)->level = index;
    pn_step_column(plan, step)->total = total;
    pn_level_at(plan, step->level)->steady = false;
    pn_decide(plan, step, PN_TABLE, header, bytes);
}

static bool pn_is_constant(const pn_plan *plan, const pn_step *step, const pn_stat *stat)
{
    return plan->constants && step->rows >= 2 && stat->present == step->rows &&
           !(stat->seen & PN_SAW_CHANGE);
}

/* Looks at the next column of the innermost step. False when out of memory. */
static bool pn_next_column(pn_finder *finder)
{
    pn_plan *plan = finder->plan;
    pn_step *step = &finder->steps[finder->depth - 1];
    const pn_stat *stat = &pn_stats(plan, step)[step->column];
    bool inner = pn_may_group(plan, stat) || pn_may_tabulate(plan, stat);
    bool begun = false;
    if (pn_is_constant(plan, step, stat)) {
        pn_decide_constant(plan, step);
        return true;
    }
    if (inner && finder->depth < PN_LEVELS_MOST) {
        uint32_t count = pn_inner_count(stat);
        uint64_t rows = stat->seen & PN_SAW_ROWS ? stat->total : step->rows;
        size_t refs = step->refs_inner + stat->refs - count;
        if (!pn_step_down(finder, refs, count, rows, stat->kin, &begun)) {
            return false;
        }
    }
    if (!begun) {
        pn_decide_leaf(plan, step);
    }
    return true;
}

/* ------------------------------------------------------------------------- the level */

bool pn_list_cells(pn_plan *plan, pn_level *level)
{
    uint32_t *cells = LIST_ROOM(&plan->numbers, &plan->alloc, (size_t)level->width + 1);
    const pn_column *columns = pn_columns_of(plan, level);
    if (!cells || plan->numbers.count > UINT32_MAX - level->width) {
        return false;
    }
    level->cells = (uint32_t)plan->numbers.count;
    level->span = 1;
    for (uint32_t i = 0; i < level->count; i++) {
        if (columns[i].kind == PN_GROUP) {
            const pn_level *inner = pn_level_at(plan, columns[i].level);
            for (uint32_t j = 0; j < inner->width; j++) {
                *cells++ = level->span + *pn_numbers(plan, inner->cells + j);
            }
            level->span += inner->span;
        } else {
            *cells = level->span++;
            cells += columns[i].kind == PN_LEAF;
        }
    }
    plan->numbers.count += level->width;
    return true;
}

/* All columns of the step are decided. False when out of memory. */
static bool pn_finish_level(pn_plan *plan, const pn_step *step)
{
    pn_level *level = pn_level_at(plan, step->level);
    const pn_column *columns = pn_columns_of(plan, level);
    const pn_stat *stats = pn_stats(plan, step);
    for (uint32_t i = 0; i < level->count && level->width == 1; i++) {
        bool cell = columns[i].kind == PN_LEAF || columns[i].kind == PN_TABLE;
        bool group = columns[i].kind == PN_GROUP;
        level->sure |= cell && stats[i].present == step->rows;
        level->sure |= group && pn_level_at(plan, columns[i].level)->sure;
    }
    return !level->steady || pn_list_cells(plan, level);
}

/* Asks for the texts of the first two rows, which are about to be compared. One by one
 * each would be waited for. */
static void pn_ask_for_texts(const pn_plan *plan, const uint32_t *refs)
{
    enum { SLOTS_MOST = 40 };
    for (size_t row = 0; row < 2; row++) {
        const pn_record *record = &pn_records(plan)[refs[row]];
        const pith_slot *at = &plan->doc->slots[record->slot];
        uint32_t span = record->end - record->slot;
        for (uint32_t i = 1; i < span && i < SLOTS_MOST; i++) {
            if (at[i].kind <= PITH_STRING) {
                pn_prefetch(at[i].u.text);
            }
        }
    }
}

bool pn_find_table(pn_plan *plan, size_t from, uint32_t count, pn_kin kin,
                   uint32_t *level, int64_t *extra)
{
    pn_finder finder;
    bool begun;
    pn_ask_for_texts(plan, plan->refs.at + from);
    finder.plan = plan;
    finder.depth = 0;
    *level = PN_PLAIN;
    if (!pn_step_down(&finder, from, count, count, kin, &begun)) {
        return false;
    }
    while (finder.depth > 0) {
        const pn_step *step = &finder.steps[finder.depth - 1];
        if (step->column < pn_level_at(plan, step->level)->count) {
            if (!pn_next_column(&finder)) {
                return false;
            }
            continue;
        }
        if (!pn_finish_level(plan, step)) {
            return false;
        }
        if (finder.depth > 1) {
            const pn_step *outer = &finder.steps[finder.depth - 2];
            bool rows = pn_stats(plan, outer)[outer->column].seen & PN_SAW_ROWS;
            if (rows) {
                pn_decide_table(&finder);
            } else {
                pn_decide_group(&finder);
            }
            continue;
        }
        const pn_level *top = pn_level_at(plan, step->level);
        bool fits = pn_is_wide_enough(top);
        *level = fits ? step->level : PN_PLAIN;
        *extra = step->header - 1 + step->bytes + (int64_t)step->rows * top->width;
        pn_step_up(&finder, fits);
    }
    return true;
}
