/*
 * pith_survey.c - tables whose rows are alike all the way down.
 *
 * Most tables are: their rows have one shape, and so have the objects in each column and
 * the elements of the arrays there. What such a table costs is found in one pass through
 * its records, in the order in which they lie in memory, however many levels it has:
 *
 *     [{id:1,at:{x:2,y:3},tags:[{k:a}]},...]
 *
 *     node 0    the rows              spots: id, at -> node 1, tags -> node 2
 *     node 1    the objects in `at`   spots: x, y
 *     node 2    those in `tags`       spots: k
 *
 * A node is a place where objects stand, a spot is one of its columns, with sums over all
 * that stands there. No row is put on a list, and none is looked at again: what each
 * column becomes then follows from the sums, the innermost nodes first. As soon as two
 * objects of one node differ in shape the survey ends, and the table is left to
 * pith_column.c, which finds the same.
 *
 * The survey goes down at most PN_LEVELS_MOST levels, so its way back is an array. Here no
 * member is ever absent: a column lacks a value only where its object is absent, and where
 * one is, something else stands there, which makes the column a leaf.
 */
#include "format/pith/pith_plan.h"

/* Where the survey is on a level: objects, and the containers in the one before the next.
 */
typedef struct pn_stop {
    uint32_t node;
    uint32_t object, object_end;
    uint32_t inner, inner_end;
    uint32_t
        slot; /* of the column 0, if nothing before `inner` were larger than a slot */
} pn_stop;

typedef enum pn_sight {
    PN_SIGHT_ALIKE,
    PN_SIGHT_DEEPER,
    PN_SIGHT_MIXED,
    PN_SIGHT_NO_MEMORY
} pn_sight;

static pn_node *pn_nodes(const pn_plan *plan)
{
    return plan->nodes.at;
}

static pn_spot *pn_spots(const pn_plan *plan, const pn_node *node)
{
    return plan->spots.at + node->first;
}

/* ----------------------------------------------------------------------- nodes */

/* Notes the first object of a node: a sample for each column, and a list of those of
 * which it is open whether they change. */
static void pn_survey_first(pn_plan *plan, pn_node *node, const pith_slot *object,
                            const pn_shape *shape)
{
    const pith_slot *slots = plan->doc->slots;
    const pith_slot *at = object + 1;
    pn_spot *spots = pn_spots(plan, node);
    uint32_t *unknown = plan->work.at + node->unknown;
    for (uint32_t i = 0; i < node->columns; i++) {
        pn_change change = pn_change_of(shape, i, node->rows);
        bool filled = slot_is_container(at) && at->n > 0;
        memset(&spots[i], 0, sizeof spots[i]);
        spots[i].sample = at;
        spots[i].changes = !plan->constants || filled || change != PN_CHANGES_NEVER;
        if (plan->constants && !filled && change == PN_CHANGES_PERHAPS) {
            unknown[node->steady++] = i;
        }
        at = pn_behind(slots, at);
    }
}

/* Begins a node with its first object; false when out of memory. */
static bool pn_survey_begin(pn_plan *plan, uint32_t first, uint32_t rows)
{
    const pn_record *record = &pn_records(plan)[first];
    const pn_shape *shape = pn_shape_at(plan, record->shape);
    pn_node *node = LIST_ROOM(&plan->nodes, &plan->alloc, 1);
    if (!node || !LIST_RESERVE(&plan->spots, &plan->alloc, record->n + 1) ||
        !LIST_RESERVE(&plan->work, &plan->alloc, record->n + 1)) {
        return false;
    }
    memset(node, 0, sizeof *node);
    node->first = (uint32_t)plan->spots.count;
    node->unknown = (uint32_t)plan->work.count;
    node->columns = record->n;
    node->rows = rows;
    node->header = shape->keys;
    node->shape = record->shape;
    node->nested = shape->nested;
    node->bare = shape->bare;
    plan->nodes.count++;
    plan->spots.count += record->n;
    plan->work.count += record->n;
    pn_survey_first(plan, node, &plan->doc->slots[record->slot], shape);
    return true;
}

/* Compares an object with the first, in the columns that have been the same so far. */
static void pn_survey_compare(pn_plan *plan, pn_node *node, const pith_slot *object)
{
    const pith_slot *slots = plan->doc->slots;
    const pith_slot *at = object + 1;
    const pn_spot *spots = pn_spots(plan, node);
    uint32_t *unknown = plan->work.at + node->unknown;
    uint32_t kept = 0;
    uint32_t column = 0;
    for (uint32_t i = 0; i < node->steady; i++) {
        if (node->nested) {
            for (; column < unknown[i]; column++) {
                at = pn_behind(slots, at);
            }
        } else {
            at = object + 1 + unknown[i];
        }
        if (pn_same_constant(spots[unknown[i]].sample, at, plan->shortest)) {
            unknown[kept++] = unknown[i];
        }
    }
    node->steady = kept;
}

/* ------------------------------------------------------------------------ the pass */

/* Counts an object; false when it is not like the others of its node. */
static inline bool pn_survey_object(pn_plan *plan, pn_node *node, const pn_record *record)
{
    if (record->shape != node->shape) {
        return false;
    }
    if (node->steady > 0 && node->count > 0) {
        pn_survey_compare(plan, node, &plan->doc->slots[record->slot]);
    }
    node->count++;
    return true;
}

/* Counts objects in which there are no containers. */
static inline bool pn_survey_flat(pn_plan *plan, pn_node *node, uint32_t from,
                                  uint32_t to)
{
    const pn_record *records = pn_records(plan);
    for (; from != to; from = records[from].behind) {
        if (!pn_survey_object(plan, node, &records[from])) {
            return false;
        }
    }
    return true;
}

/* Adds a container to what is known of its column. True when it holds objects that are
 * worth a look, from number `*from` on. */
static inline bool pn_survey_inner(const pn_plan *plan, const pn_record *inner,
                                   pn_spot *spot, uint32_t *from)
{
    spot->extra += inner->extra;
    spot->containers++;
    if (inner->object) {
        spot->seen |= inner->n > 0 ? PN_SAW_OBJECT : PN_SAW_EMPTY;
        return pn_may_be_group(plan, spot->seen);
    }
    spot->seen |= inner->rows ? PN_SAW_ROWS : PN_SAW_LIST;
    spot->arrays++;
    spot->total += inner->n;
    spot->filled += inner->n > 0;
    --*from;
    return pn_may_be_table(plan, spot->seen, inner->n);
}

/* The node of a spot, begun with the object `from` if there is none yet; its objects will
 * be `rows`. NULL when out of memory. */
static inline pn_node *pn_survey_node(pn_plan *plan, size_t index, uint32_t from,
                                      uint32_t rows)
{
    pn_spot *spot = plan->spots.at + index;
    if (spot->node == 0) {
        spot->node = (uint32_t)plan->nodes.count;
        if (!pn_survey_begin(plan, from, rows)) {
            return NULL;
        }
        spot = plan->spots.at + index;
    }
    return &pn_nodes(plan)[spot->node];
}

/* Looks at the containers in an object, up to one that has to be gone into: `below` then
 * stands there. It is NULL where that would be too deep. */
static pn_sight pn_survey_inners(pn_plan *plan, pn_stop *stop, pn_stop *below)
{
    const pn_record *records = pn_records(plan);
    const pn_node *around = &pn_nodes(plan)[stop->node];
    const size_t first = around->first;
    const uint32_t rows = around->rows;
    uint32_t slot = stop->slot;
    uint32_t at = stop->inner;
    while (at != stop->inner_end) {
        const pn_record *inner = &records[at];
        size_t index = first + (inner->slot - slot);
        uint32_t from = at;
        slot += inner->end - inner->slot - 1;
        at = inner->behind;
        pn_spot *spot = plan->spots.at + index;
        if (!pn_survey_inner(plan, inner, spot, &from) || !below) {
            continue;
        }
        if (records[from].shape == SHAPE_NONE) {
            return PN_SIGHT_MIXED;
        }
        pn_node *node = pn_survey_node(plan, index, from, inner->object ? rows : 0);
        if (!node) {
            return PN_SIGHT_NO_MEMORY;
        }
        if (node->nested) {
            stop->inner = at;
            stop->slot = slot;
            below->node = (uint32_t)(node - pn_nodes(plan));
            below->object = from;
            below->object_end = at;
            below->inner = below->inner_end = at;
            return PN_SIGHT_DEEPER;
        }
        if (!pn_survey_flat(plan, node, from, at)) {
            return PN_SIGHT_MIXED;
        }
    }
    stop->inner = at;
    return PN_SIGHT_ALIKE;
}

/* Surveys the objects of a level up to one in which something has to be gone into. */
static pn_sight pn_survey_objects(pn_plan *plan, pn_stop *stop, pn_stop *below)
{
    const pn_record *records = pn_records(plan);
    for (;;) {
        pn_sight sight = pn_survey_inners(plan, stop, below);
        if (sight != PN_SIGHT_ALIKE || stop->object == stop->object_end) {
            return sight;
        }
        const pn_record *record = &records[stop->object];
        if (!pn_survey_object(plan, &pn_nodes(plan)[stop->node], record)) {
            return PN_SIGHT_MIXED;
        }
        stop->inner = stop->object - 1;
        stop->inner_end = record->behind;
        stop->slot = record->slot + 1;
        stop->object = record->behind;
    }
}

/* Surveys the rows, and all that is in them. */
static pn_sight pn_survey_all(pn_plan *plan, pn_chain rows)
{
    pn_stop stops[PN_LEVELS_MOST];
    size_t depth = 0;
    plan->nodes.count = 0;
    plan->spots.count = 0;
    plan->work.count = 0;
    if (!pn_survey_begin(plan, rows.first, rows.count)) {
        return PN_SIGHT_NO_MEMORY;
    }
    memset(&stops[0], 0, sizeof stops[0]);
    stops[0].object = rows.first;
    stops[0].object_end = rows.end;
    for (;;) {
        pn_stop *below = depth + 1 < PN_LEVELS_MOST ? &stops[depth + 1] : NULL;
        pn_sight sight = pn_survey_objects(plan, &stops[depth], below);
        if (sight == PN_SIGHT_DEEPER) {
            depth++;
        } else if (sight != PN_SIGHT_ALIKE || depth-- == 0) {
            return sight;
        }
    }
}

/* ----------------------------------------------------------------- what it comes to */

static void pn_weigh_leaf(pn_node *node, pn_spot *spot)
{
    spot->kind = PN_LEAF;
    node->width++;
    node->bytes += spot->extra;
    node->even = node->even && spot->containers == 0;
}

static void pn_weigh_constant(const pn_plan *plan, pn_node *node, pn_spot *spot)
{
    spot->kind = PN_CONSTANT;
    if (slot_is_container(spot->sample)) {
        node->header += 3;
        return;
    }
    int64_t len = pn_scalar_len(spot->sample, plan->shortest);
    node->header += 1 + len;
    node->bytes -= len * (int64_t)node->count;
}

static void pn_weigh_group(const pn_plan *plan, pn_node *node, pn_spot *spot)
{
    const pn_node *inner = &pn_nodes(plan)[spot->node];
    int64_t commas = ((int64_t)inner->width - 1) * (int64_t)node->count;
    if (inner->bytes + commas + inner->header - 1 + 2 >= spot->extra) {
        pn_weigh_leaf(node, spot);
        return;
    }
    spot->kind = PN_GROUP;
    node->width += inner->width;
    node->bytes += inner->bytes;
    node->header += inner->header - 1 + 2;
    node->even = node->even && inner->even;
}

static void pn_weigh_table(const pn_plan *plan, pn_node *node, pn_spot *spot)
{
    const pn_node *inner = &pn_nodes(plan)[spot->node];
    int64_t header = inner->header - 1 + 4 + pn_digits_of(spot->total);
    int64_t commas = ((int64_t)inner->width - 1) * (int64_t)spot->total;
    int64_t brackets = 2 * (int64_t)spot->arrays + (int64_t)(spot->total - spot->filled);
    int64_t bytes = inner->bytes + commas + brackets;
    if (inner->width == 0 || bytes + header >= spot->extra) {
        pn_weigh_leaf(node, spot);
        return;
    }
    spot->kind = PN_TABLE;
    node->width++;
    node->bytes += bytes;
    node->header += header;
    node->even = false;
}

/* Decides about the columns of a node; those of the nodes in it are decided. */
static void pn_weigh_node(const pn_plan *plan, pn_node *node)
{
    pn_spot *spots = pn_spots(plan, node);
    const uint32_t *steady = plan->work.at + node->unknown;
    for (uint32_t i = 0; i < node->steady; i++) {
        spots[steady[i]].changes = false;
    }
    node->even = true;
    for (uint32_t i = 0; i < node->columns; i++) {
        pn_spot *spot = &spots[i];
        spot->seen |= spot->containers < node->count ? PN_SAW_SCALAR : 0;
        if (!spot->changes && node->count >= 2) {
            pn_weigh_constant(plan, node, spot);
        } else if (spot->node != 0 && pn_may_be_group(plan, spot->seen)) {
            pn_weigh_group(plan, node, spot);
        } else if (spot->node != 0 && pn_may_be_table(plan, spot->seen, spot->total)) {
            pn_weigh_table(plan, node, spot);
        } else {
            pn_weigh_leaf(node, spot);
        }
    }
}

/* -------------------------------------------------------------------------- levels */

/* Makes the level of a node; those in it are made. False when out of memory. */
static bool pn_keep_node(pn_plan *plan, pn_node *node)
{
    const pn_spot *spots = pn_spots(plan, node);
    pn_level *level = LIST_ROOM(&plan->levels, &plan->alloc, 1);
    if (!level) {
        return false;
    }
    memset(level, 0, sizeof *level);
    level->first = (uint32_t)plan->columns.count;
    level->count = node->columns;
    level->width = node->width;
    level->shape = node->shape;
    level->steady = node->even;
    level->sure = node->width == 1;
    level->bare = node->bare;
    if (!pn_take_shape(plan, node->shape)) {
        return false;
    }
    pn_column *columns = pn_columns_of(plan, level);
    for (uint32_t i = 0; i < node->columns; i++) {
        columns[i].kind = spots[i].kind;
        columns[i].constant = spots[i].sample;
        columns[i].total = spots[i].total;
        columns[i].level = pn_nodes(plan)[spots[i].node].level;
    }
    node->level = (uint32_t)plan->levels.count++;
    return !level->steady || pn_list_cells(plan, level);
}

/* Makes levels of the nodes that became any, the innermost first. */
static bool pn_keep_nodes(pn_plan *plan, uint32_t *level)
{
    pn_node *nodes = pn_nodes(plan);
    nodes[0].used = true;
    for (size_t i = 0; i < plan->nodes.count; i++) {
        const pn_spot *spots = pn_spots(plan, &nodes[i]);
        for (uint32_t j = 0; j < nodes[i].columns && nodes[i].used; j++) {
            bool inner = spots[j].kind == PN_GROUP || spots[j].kind == PN_TABLE;
            nodes[spots[j].node].used |= inner;
        }
    }
    for (size_t i = plan->nodes.count; i-- > 0;) {
        if (nodes[i].used && !pn_keep_node(plan, &nodes[i])) {
            return false;
        }
    }
    *level = nodes[0].level;
    return true;
}

bool pn_survey_table(pn_plan *plan, pn_chain rows, bool keep, bool *alike,
                     uint32_t *level, int64_t *extra)
{
    pn_sight sight = pn_survey_all(plan, rows);
    *level = PN_PLAIN;
    *alike = sight == PN_SIGHT_ALIKE;
    if (!*alike) {
        return sight == PN_SIGHT_MIXED;
    }
    pn_node *nodes = pn_nodes(plan);
    for (size_t i = plan->nodes.count; i-- > 0;) {
        pn_weigh_node(plan, &nodes[i]);
    }
    if (nodes[0].width == 0) {
        return true;
    }
    *level = PN_LATER;
    *extra = nodes[0].header - 1 + nodes[0].bytes + (int64_t)rows.count * nodes[0].width;
    return !keep || pn_keep_nodes(plan, level);
}
