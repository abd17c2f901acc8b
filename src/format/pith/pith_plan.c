/*
 * pith_plan.c - the pass that measures: one record for each container, backwards.
 */
#include "format/pith/pith_plan.h"

void *pn_list_reserve(pn_list *list, const pith_alloc *alloc, size_t more, size_t size)
{
    list->size = size;
    if (list->cap - list->count < more &&
        !alloc_grow(alloc, &list->at, &list->cap, list->count + more, size)) {
        return NULL;
    }
    return (char *)list->at + list->count * size;
}

void pn_list_free(pn_list *list, const pith_alloc *alloc)
{
    alloc_free(alloc, list->at, list->cap * list->size);
}

pn_mark pn_set_mark(const pn_plan *plan)
{
    pn_mark mark = {plan->levels.count, plan->columns.count, plan->sequences.count,
                    plan->numbers.count};
    return mark;
}

void pn_back_to_mark(pn_plan *plan, pn_mark mark)
{
    plan->levels.count = mark.levels;
    plan->columns.count = mark.columns;
    plan->sequences.count = mark.sequences;
    plan->numbers.count = mark.numbers;
}

/* ------------------------------------------------------------------------ keys */

/* Makes the table twice as large. */
static bool pn_widen_shapes(pn_plan *plan)
{
    pn_plan old = *plan;
    size_t room = old.shape_room > 0 ? 2 * old.shape_room : 64;
    plan->shapes = (pn_shape *)alloc_zeroed(&plan->alloc, room * sizeof *plan->shapes);
    if (!plan->shapes) {
        plan->shapes = old.shapes;
        return false;
    }
    plan->shape_room = room;
    for (size_t i = 0; i < old.shape_room; i++) {
        if (old.shapes[i].shape != SHAPE_NONE) {
            *pn_shape_at(plan, old.shapes[i].shape) = old.shapes[i];
        }
    }
    alloc_free(&plan->alloc, old.shapes, old.shape_room * sizeof *old.shapes);
    return true;
}

/* Looks at the keys of a shape once. False when out of memory. */
static bool pn_know_shape(pn_plan *plan, uint16_t shape)
{
    if (2 * plan->shape_count >= plan->shape_room && !pn_widen_shapes(plan)) {
        return false;
    }
    pn_shape *known = pn_shape_at(plan, shape);
    if (known->shape == shape) {
        return true;
    }
    const shape_node *node = &plan->doc->shapes.nodes[shape];
    int64_t len = 0;
    known->shape = shape;
    known->bare = true;
    plan->shape_count++;
    for (size_t i = 0; i < node->width; i++) {
        len += pn_key_len(&node->keys[i]) + 1;
        known->bare = known->bare && pn_is_bare_key(&node->keys[i]);
    }
    known->keys = (uint32_t)len;
    return true;
}

int64_t pn_keys_len(const pn_plan *plan, const pith_slot *object)
{
    if (object->shape != SHAPE_NONE) {
        return (int64_t)pn_shape_at(plan, object->shape)->keys;
    }
    const pith_key *keys = doc_keys(plan->doc, object);
    int64_t len = 0;
    for (uint32_t i = 0; i < object->n; i++) {
        len += pn_key_len(&keys[i]) + 1;
    }
    return len;
}

/* ------------------------------------------------------------------- containers */

/* The containers in a container: adds their extra bytes, counts the objects, and puts
 * their numbers on the list of refs. */
static bool pn_add_children(pn_plan *plan, pn_record *record, uint32_t end,
                            uint32_t *objects)
{
    const pn_record *records = pn_records(plan);
    uint32_t number = record->behind;
    while (number != UINT32_MAX && records[number].slot < end) {
        uint32_t *ref =
            (uint32_t *)pn_list_reserve(&plan->refs, &plan->alloc, 1, sizeof *ref);
        if (!ref) {
            return false;
        }
        *ref = number;
        plan->refs.count++;
        *objects += records[number].object;
        record->extra += records[number].extra;
        number = records[number].behind;
    }
    record->behind = number;
    return true;
}

/* Makes the record a table or a map if that is shorter. Its children are the refs from
 * `from` on. */
static bool pn_try_table(pn_plan *plan, const pith_slot *container, size_t from,
                         pn_record *record)
{
    int64_t extra = 0;
    uint32_t level = PN_PLAIN;
    pn_mark mark = pn_set_mark(plan);
    if (!pn_find_table(plan, from, container->n, &level, &extra)) {
        return false;
    }
    if (level != PN_PLAIN) {
        extra += 4 + pn_digits_of(container->n); /* [N{} and ] */
        extra += record->object ? pn_keys_len(plan, container) : 0;
        if (extra < record->extra) {
            bool few = container->n < PN_FEW_ROWS;
            record->extra = extra;
            record->level = few ? PN_LATER : level;
            if (!few) {
                return true;
            }
        }
    }
    pn_back_to_mark(plan, mark);
    return true;
}

uint32_t pn_plan_table(pn_plan *plan, uint32_t number, uint32_t rows)
{
    const pn_record *records = pn_records(plan);
    uint32_t level = PN_PLAIN;
    int64_t extra;
    size_t from = plan->refs.count;
    uint32_t *refs =
        (uint32_t *)pn_list_reserve(&plan->refs, &plan->alloc, rows, sizeof *refs);
    if (!refs) {
        return PN_PLAIN;
    }
    for (uint32_t at = number - 1; at != records[number].behind;
         at = records[at].behind) {
        *refs++ = at;
    }
    plan->refs.count += rows;
    bool made = pn_find_table(plan, from, rows, &level, &extra);
    plan->refs.count = from;
    return made ? level : PN_PLAIN;
}

static bool pn_measure(pn_plan *plan, const pith_slot *container)
{
    uint32_t number = (uint32_t)plan->records.count;
    uint32_t objects = 0;
    size_t from = plan->refs.count;
    pn_record record;
    if (!pn_list_reserve(&plan->records, &plan->alloc, 1, sizeof record)) {
        return false;
    }
    memset(&record, 0, sizeof record);
    record.slot = (uint32_t)(container - plan->doc->slots);
    record.end = container->u.link.next;
    record.n = container->n;
    record.shape = container->shape;
    record.object = container->kind == PITH_OBJECT;
    record.level = PN_PLAIN;
    record.behind = number - 1;
    record.extra = 2 + (container->n > 0 ? (int64_t)container->n - 1 : 0);
    if (record.object) {
        if (container->shape != SHAPE_NONE && !pn_know_shape(plan, container->shape)) {
            return false;
        }
        record.extra += pn_keys_len(plan, container);
    }
    if (!pn_add_children(plan, &record, container->u.link.next, &objects)) {
        return false;
    }
    record.rows = !record.object && objects == container->n;
    if (objects > 1 && objects == container->n && (!record.object || plan->maps) &&
        !pn_try_table(plan, container, from, &record)) {
        return false;
    }
    plan->refs.count = from;
    pn_records(plan)[number] = record;
    plan->records.count = (size_t)number + 1;
    return true;
}

/* ------------------------------------------------------------------------ the plan */

bool pn_plan_make(pn_plan *plan, const pith_doc *doc, uint32_t root, const settings *set,
                  pith_alloc alloc)
{
    memset(plan, 0, sizeof *plan);
    plan->doc = doc;
    plan->alloc = alloc;
    plan->groups = settings_bool(set, PN_SET_GROUPS);
    plan->table_columns = settings_bool(set, PN_SET_TABLE_COLUMNS);
    plan->constants = settings_bool(set, PN_SET_CONSTANTS);
    plan->maps = settings_bool(set, PN_SET_MAPS);
    plan->shortest = settings_number(set, PN_SET_NUMBERS) == PN_NUMBERS_SHORTEST;
    plan->order_free = settings_number(set, PN_SET_ORDER) == PN_ORDER_FREE;
    for (uint32_t at = doc_behind(doc, root); at-- > root;) {
        const pith_slot *slot = &doc->slots[at];
        if (slot_is_container(slot) && !pn_measure(plan, slot)) {
            return false;
        }
    }
    return true;
}

void pn_plan_free(pn_plan *plan)
{
    const pith_alloc *alloc = &plan->alloc;
    alloc_free(alloc, plan->shapes, plan->shape_room * sizeof *plan->shapes);
    pn_list_free(&plan->records, alloc);
    pn_list_free(&plan->levels, alloc);
    pn_list_free(&plan->columns, alloc);
    pn_list_free(&plan->sequences, alloc);
    pn_list_free(&plan->numbers, alloc);
    pn_list_free(&plan->refs, alloc);
    pn_list_free(&plan->stats, alloc);
    pn_list_free(&plan->items, alloc);
    pn_list_free(&plan->found, alloc);
    pn_list_free(&plan->table, alloc);
    pn_list_free(&plan->work, alloc);
}
