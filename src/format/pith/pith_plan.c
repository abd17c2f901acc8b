/*
 * pith_plan.c - the pass that measures: one record for each container, backwards.
 */
#include "format/pith/pith_plan.h"

void *pn_list_reserve(pn_list *list, const pith_alloc *alloc, size_t more, size_t size)
{
    if (list->cap - list->count < more &&
        !alloc_grow(alloc, &list->at, &list->cap, list->count + more, size)) {
        return NULL;
    }
    return (char *)list->at + list->count * size;
}

static void pn_list_free(pn_list *list, const pith_alloc *alloc, size_t size)
{
    alloc_free(alloc, list->at, list->cap * size);
    memset(list, 0, sizeof *list);
}

/* ------------------------------------------------------------------------ keys */

const pn_shape *pn_know_shape(pn_plan *plan, uint16_t shape)
{
    pn_shape *known = &plan->shapes[shape];
    if (known->keys == 0) {
        const shape_node *node = &plan->doc->shapes.nodes[shape];
        int64_t len = 1;
        known->bare = true;
        for (size_t i = 0; i < node->width; i++) {
            len += pn_key_len(&node->keys[i]) + 1;
            known->bare = known->bare && pn_is_bare_key(&node->keys[i]);
        }
        known->keys = (uint32_t)len;
    }
    return known;
}

int64_t pn_keys_len(pn_plan *plan, const pith_slot *object)
{
    if (object->shape != SHAPE_NONE) {
        return (int64_t)pn_know_shape(plan, object->shape)->keys - 1;
    }
    const pith_key *keys = doc_keys(plan->doc, object);
    int64_t len = 0;
    for (uint32_t i = 0; i < object->n; i++) {
        len += pn_key_len(&keys[i]) + 1;
    }
    return len;
}

/* ------------------------------------------------------------------- containers */

/* The children of a container: their extra bytes, how many are objects, and the number
 * of the container behind them. `number` is the first that may be theirs. */
static int64_t pn_add_children(const pn_plan *plan, const pith_slot *container,
                               uint32_t *number, uint32_t *objects)
{
    const pn_record *records = pn_records(plan);
    const pith_slot *slots = plan->doc->slots;
    const pith_slot *end = slots + doc_children_end(container);
    int64_t extra = 0;
    for (const pith_slot *at = container + 1; at < end;) {
        if (!slot_is_container(at)) {
            at++;
            continue;
        }
        *objects += at->kind == PITH_OBJECT;
        extra += records[*number].extra;
        *number = records[*number].behind;
        at = slots + at->u.link.next;
    }
    return extra;
}

/* Puts the children, which are all objects, on the list of refs. */
static bool pn_list_children(pn_plan *plan, const pith_slot *container, uint32_t number)
{
    const pn_record *records = pn_records(plan);
    pn_ref *ref =
        (pn_ref *)pn_list_reserve(&plan->refs, &plan->alloc, container->n, sizeof *ref);
    if (!ref) {
        return false;
    }
    uint32_t at = (uint32_t)(container - plan->doc->slots) + 1;
    for (uint32_t i = 0; i < container->n; i++) {
        ref[i].slot = at;
        ref[i].number = number;
        at = plan->doc->slots[at].u.link.next;
        number = records[number].behind;
    }
    plan->refs.count += container->n;
    return true;
}

/* Makes the record a table or a map if that is shorter. */
static bool pn_try_table(pn_plan *plan, const pith_slot *container, uint32_t number,
                         pn_record *record)
{
    int64_t extra = 0;
    uint32_t level = PN_PLAIN;
    size_t from = plan->refs.count;
    size_t levels = plan->levels.count;
    size_t columns = plan->columns.count;
    size_t sequences = plan->sequences.count;
    size_t numbers = plan->numbers.count;
    if (!pn_list_children(plan, container, number) ||
        !pn_find_table(plan, from, container->n, &level, &extra)) {
        return false;
    }
    plan->refs.count = from;
    if (level != PN_PLAIN) {
        extra += 4 + pn_digits_of(container->n); /* [N{} and ] */
        extra += container->kind == PITH_OBJECT ? pn_keys_len(plan, container) : 0;
        if (extra < record->extra) {
            record->extra = extra;
            record->level = level;
            return true;
        }
    }
    plan->levels.count = levels;
    plan->columns.count = columns;
    plan->sequences.count = sequences;
    plan->numbers.count = numbers;
    return true;
}

/* `nearest` is the slot of the container that was measured before: when it lies behind
 * this one's end, there are only scalars inside. */
static bool pn_measure(pn_plan *plan, const pith_slot *container, uint32_t nearest)
{
    uint32_t number = (uint32_t)plan->records.count;
    uint32_t objects = 0;
    pn_record record;
    if (!pn_list_reserve(&plan->records, &plan->alloc, 1, sizeof record)) {
        return false;
    }
    record.level = PN_PLAIN;
    record.behind = number - 1;
    record.extra = 2 + (container->n > 0 ? (int64_t)container->n - 1 : 0);
    if (container->kind == PITH_OBJECT) {
        record.extra += pn_keys_len(plan, container);
    }
    if (nearest < container->u.link.next) {
        record.extra += pn_add_children(plan, container, &record.behind, &objects);
    }
    bool tabular = container->n > 1 && objects == container->n &&
                   (container->kind == PITH_ARRAY || plan->maps);
    if (tabular && !pn_try_table(plan, container, number - 1, &record)) {
        return false;
    }
    pn_records(plan)[number] = record;
    plan->records.count = (size_t)number + 1;
    return true;
}

/* ------------------------------------------------------------------------ the plan */

bool pn_plan_again(pn_plan *plan, uint32_t root)
{
    plan->records.count = 0;
    plan->levels.count = 0;
    plan->columns.count = 0;
    plan->sequences.count = 0;
    plan->numbers.count = 0;
    plan->refs.count = 0;
    plan->stats.count = 0;
    uint32_t nearest = SLOT_NONE;
    for (uint32_t at = doc_behind(plan->doc, root); at-- > root;) {
        const pith_slot *slot = &plan->doc->slots[at];
        if (!slot_is_container(slot)) {
            continue;
        }
        if (!pn_measure(plan, slot, nearest)) {
            return false;
        }
        nearest = at;
    }
    return true;
}

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
    if (!slot_is_container(&doc->slots[root])) {
        return true;
    }
    plan->shape_count = doc->shapes.count;
    plan->shapes =
        (pn_shape *)alloc_zeroed(&alloc, plan->shape_count * sizeof *plan->shapes);
    return plan->shapes && pn_plan_again(plan, root);
}

void pn_plan_free(pn_plan *plan)
{
    const pith_alloc *alloc = &plan->alloc;
    alloc_free(alloc, plan->shapes, plan->shape_count * sizeof *plan->shapes);
    pn_list_free(&plan->records, alloc, sizeof(pn_record));
    pn_list_free(&plan->levels, alloc, sizeof(pn_level));
    pn_list_free(&plan->columns, alloc, sizeof(pn_column));
    pn_list_free(&plan->sequences, alloc, sizeof(pn_sequence));
    pn_list_free(&plan->numbers, alloc, sizeof(uint32_t));
    pn_list_free(&plan->refs, alloc, sizeof(pn_ref));
    pn_list_free(&plan->stats, alloc, 1);
    pn_list_free(&plan->items, alloc, 1);
    pn_list_free(&plan->found, alloc, 1);
    pn_list_free(&plan->table, alloc, sizeof(uint32_t));
    pn_list_free(&plan->work, alloc, sizeof(uint32_t));
}
