/*
 * pith_plan.c - the pass that measures: one record for each container, backwards.
 */
#include "format/pith/pith_column.h"
#include "format/pith/pith_dense.h"

#include <assert.h>

/* What has been measured of a container that has not: the containers in it. Those of its
 * last child come first, so the one whose turn it is is always the last on its list. */
typedef struct pn_family {
    int64_t extra;
    uint32_t parent; /* its slot */
    uint32_t count;  /* of the containers, and all in them */
    uint32_t objects;
    uint16_t shape; /* of all of them; SHAPE_NONE when they differ */
} pn_family;

typedef struct pn_measuring {
    pn_plan *plan;
    LIST(pn_family) families; /* of containers that wait to be measured */
} pn_measuring;

/* ------------------------------------------------------------------------ keys */

/* Makes the table twice as large. */
static bool pn_widen_shapes(pn_plan *plan)
{
    pn_plan old = *plan;
    size_t room = old.shape_room > 0 ? 2 * old.shape_room : 16;
    plan->shapes = (pn_shape *)alloc_zeroed(&plan->alloc, room * sizeof *plan->shapes);
    if (!plan->shapes) {
        plan->shapes = old.shapes;
        return false;
    }
    plan->shape_room = room;
    for (size_t i = 0; i < old.shape_room; i++)
        if (old.shapes[i].shape != SHAPE_NONE)
            *pn_shape_at(plan, old.shapes[i].shape) = old.shapes[i];
    alloc_free(&plan->alloc, old.shapes, old.shape_room * sizeof *old.shapes);
    return true;
}

static uint64_t pn_hash_keys(const pith_doc *doc, const pith_key *keys, uint32_t n)
{
    uint64_t hash = 0;
    for (uint32_t i = 0; i < n; i++)
        hash = pn_mix(hash, hash_quick(doc->shapes.seed, keys[i].text, keys[i].len));
    return hash;
}

/* Looks at the keys of a shape once. */
pn_shape *pn_know_shape(pn_plan *plan, uint16_t shape)
{
    if (2 * plan->shape_count >= plan->shape_room && !pn_widen_shapes(plan))
        return NULL;
    pn_shape *known = pn_shape_at(plan, shape);
    if (known->shape == shape)
        return known;
    const shape_node *node = &plan->doc->shapes.nodes[shape];
    int64_t len = 0;
    known->shape = shape;
    known->bare = true;
    plan->shape_count++;
    for (size_t i = 0; i < node->width; i++) {
        len += pn_key_len(&node->keys[i]) + 1;
        known->bare = known->bare && pn_is_bare_key(&node->keys[i]);
        known->weight += plan->dense ? pn_weigh_key(&node->keys[i]) : 0;
    }
    if (plan->dense) {
        known->hash = pn_hash_keys(plan->doc, node->keys, node->width);
        known->as_json = (uint32_t)pn_json_keys(node->keys, node->width);
    }
    known->keys = (uint32_t)len;
    return known;
}

/* A bit for each of so many columns. */
static uint64_t pn_column_bits(uint32_t columns)
{
    return columns < PN_COMPARED_MOST ? (UINT64_C(1) << columns) - 1 : UINT64_MAX;
}

/* Meets the first object of a shape. Long texts are left out: that one of them never
 * changes is rare, and where they begin alike each would have to be fetched. */
static void pn_know_first(const pn_plan *plan, pn_shape *known, const pith_slot *object)
{
    const pith_slot *slots = plan->doc->slots;
    const pith_slot *at = object + 1;
    uint64_t all = plan->constants ? pn_column_bits(object->n) : 0;
    known->sample = (uint32_t)(object - slots);
    for (uint64_t bit = 1; bit != 0 && bit <= all; bit <<= 1) {
        if (!slot_is_container(at) && at->n > PN_SHORT)
            known->skipped |= bit;
        at = pn_after(slots, at);
    }
    known->same = all & ~known->skipped;
}

/* Compares an object with the first of its shape, in the columns that have been the same
 * so far. */
static void pn_know_object(const pn_plan *plan, pn_shape *known, const pith_slot *object)
{
    const pith_slot *slots = plan->doc->slots;
    if (known->count++ == 0)
        pn_know_first(plan, known, object);
    const pith_slot *first = slots + known->sample + 1;
    const pith_slot *at = object + 1;
    uint64_t same = known->same;
    for (uint64_t bit = 1; bit != 0 && bit <= same; bit <<= 1) {
        if ((same & bit) && !pn_same_constant(first, at, plan->shortest))
            same &= ~bit;
        first = pn_after(slots, first);
        at = pn_after(slots, at);
    }
    known->same = same;
}

/* --------------------------------------------------------------- keys without a shape */

static const pn_key_list *pn_list_of(const pn_plan *plan, const pith_slot *object)
{
    uint32_t number = key_lists_find(&plan->lists, doc_keys(plan->doc, object));
    assert(number != HASH_NONE);
    return &plan->known_lists.at[number];
}

/* Finds the first list with the keys of the last one. */
static void pn_find_first_list(pn_plan *plan, pn_key_list *list)
{
    const pith_key *const *keys = plan->lists.list.at;
    hash_table *table = &plan->same_table;
    size_t at = hash_first(table, list->hash);
    for (; table->at[at] != HASH_NONE; at = hash_next(table, at)) {
        uint32_t i = 0;
        uint32_t other = table->at[at];
        const pn_key_list *known = &plan->known_lists.at[other];
        if (known->hash != list->hash || known->n != list->n)
            continue;
        while (i < list->n && key_equal(&keys[other][i], &keys[list->same][i]))
            i++;
        if (i == list->n)
            list->same = other;
        if (i == list->n)
            return;
    }
    table->at[at] = list->same;
}

static bool pn_know_list(pn_plan *plan, const pith_key *keys, uint32_t n)
{
    bool moved;
    size_t count = plan->known_lists.count;
    if (key_lists_find(&plan->lists, keys) != HASH_NONE)
        return true;
    if (!hash_table_reserve(&plan->same_table, &plan->alloc, count + 1, &moved) ||
        !LIST_RESERVE(&plan->known_lists, &plan->alloc, 1) ||
        !key_lists_add(&plan->lists, keys))
        return false;
    for (uint32_t i = 0; moved && i < count; i++)
        if (plan->known_lists.at[i].same == i)
            hash_enter(&plan->same_table, plan->known_lists.at[i].hash, i);
    pn_key_list *list = &plan->known_lists.at[plan->known_lists.count++];
    *list = (pn_key_list){.n = n, .same = (uint32_t)count};
    for (uint32_t i = 0; i < n; i++) {
        list->len += pn_key_len(&keys[i]) + 1;
        list->weight += plan->dense ? pn_weigh_key(&keys[i]) : 0;
    }
    list->as_json = plan->dense ? pn_json_keys(keys, n) : 0;
    list->hash = pn_hash_keys(plan->doc, keys, n);
    pn_find_first_list(plan, list);
    return true;
}

bool pn_know_keys(pn_plan *plan, const pith_slot *object)
{
    return object->shape != SHAPE_NONE
               ? pn_know_shape(plan, object->shape) != NULL
               : pn_know_list(plan, doc_keys(plan->doc, object), object->n);
}

int64_t pn_keys_len(const pn_plan *plan, const pith_slot *object)
{
    return object->shape != SHAPE_NONE ? (int64_t)pn_shape_at(plan, object->shape)->keys
                                       : pn_list_of(plan, object)->len;
}

int64_t pn_keys_weight(const pn_plan *plan, const pith_slot *object)
{
    return object->shape != SHAPE_NONE ? pn_shape_at(plan, object->shape)->weight
                                       : pn_list_of(plan, object)->weight;
}

size_t pn_keys_json(const pn_plan *plan, const pith_slot *object)
{
    return object->shape != SHAPE_NONE ? pn_shape_at(plan, object->shape)->as_json
                                       : pn_list_of(plan, object)->as_json;
}

uint64_t pn_keys_hash(const pn_plan *plan, const pith_slot *object)
{
    return object->shape != SHAPE_NONE ? pn_shape_at(plan, object->shape)->hash
                                       : pn_list_of(plan, object)->hash;
}

bool pn_same_keys(const pn_plan *plan, const pith_slot *a, const pith_slot *b)
{
    if (a->n != b->n || (a->shape != SHAPE_NONE && b->shape != SHAPE_NONE))
        return a->shape == b->shape && a->n == b->n;
    if (a->shape == b->shape)
        return pn_list_of(plan, a)->same == pn_list_of(plan, b)->same;
    const pith_key *first = doc_keys(plan->doc, a);
    const pith_key *second = doc_keys(plan->doc, b);
    for (uint32_t i = 0; i < a->n; i++) /* as many as `b` has */
        if (!key_equal(&first[i], &second[i]))
            return false;
    return true;
}

/* ------------------------------------------------------------------- containers */

/* The family of the container at `slot`, taken off the list if it is there; else it has
 * none. */
static pn_family pn_take_family(pn_measuring *m, uint32_t slot)
{
    size_t count = m->families.count;
    if (count == 0 || m->families.at[count - 1].parent != slot)
        return (pn_family){.shape = SHAPE_NONE};
    return m->families.at[--m->families.count];
}

/* Adds a container with `inside` others in it to its parent's family; false when out of
 * memory. */
static bool pn_join_family(pn_measuring *m, const pn_record *record, uint32_t parent,
                           uint32_t inside)
{
    size_t count = m->families.count;
    pn_family *family = count > 0 ? m->families.at + count - 1 : NULL;
    if (!family || family->parent != parent) {
        family = LIST_ADD(&m->families, &m->plan->alloc);
        if (!family)
            return false;
        *family = (pn_family){.parent = parent, .shape = record->shape};
    }
    if (family->shape != record->shape)
        family->shape = SHAPE_NONE;
    family->extra += record->extra;
    family->count += 1 + inside;
    family->objects += record->object;
    return true;
}

/* True for a few rows that all have the same keys and hold nothing but scalars. What they
 * cost as a table then follows from the shape and from the columns that do not change. */
static bool pn_are_flat(const pn_plan *plan, const pn_record *record, uint32_t number)
{
    assert(record->n > 0);
    const pith_slot *row = &plan->doc->slots[record->slot + 1];
    uint32_t span = row->n + 1;
    uint16_t shape = row->shape;
    if (shape == SHAPE_NONE || row->n == 0 || record->n >= PN_FEW_ROWS ||
        record->end - record->slot != 1 + record->n * span ||
        number - record->after != 1 + record->n)
        return false;
    for (uint32_t i = 1; i < record->n; i++) {
        row += span;
        if (row->shape != shape)
            return false;
    }
    return true;
}

/* True when the column with its first cell at `cell` holds the same in all rows. */
static bool pn_never_changes(const pn_plan *plan, const pith_slot *cell, uint32_t rows,
                             uint32_t span)
{
    for (uint32_t i = 1; i < rows; i++)
        if (!pn_same_scalar(cell, cell + (size_t)i * span, plan->shortest))
            return false;
    return plan->constants;
}

/* The extra bytes of such rows as a table, as pn_find_table would find them. False when
 * nothing but constants would be left. */
static bool pn_cost_flat(const pn_plan *plan, const pn_record *record, int64_t *extra)
{
    const pith_slot *row = &plan->doc->slots[record->slot + 1];
    const pn_shape *shape = pn_shape_at(plan, row->shape);
    pn_cost cost = {.header = shape->keys};
    for (uint32_t i = 1; i <= row->n; i++) {
        pn_change change = pn_change_of(shape, i - 1, record->n);
        if (change == PN_CHANGES_NEVER ||
            (change == PN_CHANGES_PERHAPS &&
             pn_never_changes(plan, row + i, record->n, row->n + 1)))
            pn_cost_constant(&cost, row + i, record->n, plan->shortest);
        else
            pn_cost_leaf(&cost, 0);
    }
    *extra = pn_cost_rows(&cost, record->n);
    return cost.width > 0;
}

/* Makes the record a table or a map if that is shorter. Its own number is `number`, its
 * children have the shape. */
static bool pn_try_table(pn_plan *plan, const pith_slot *container, uint32_t number,
                         uint16_t shape, pn_record *record)
{
    pn_table_cost cost = {0, 0};
    uint32_t level = PN_PLAIN;
    bool keep = container->n >= PN_FEW_ROWS;
    if (!plan->dense && pn_are_flat(plan, record, number))
        level = pn_cost_flat(plan, record, &cost.extra) ? PN_LATER : PN_PLAIN;
    else if (!pn_find_table(plan, number, shape, keep, &level, &cost))
        return false;
    cost.extra += 4 + pn_digits_of(container->n); /* [N{} and ] */
    cost.extra += record->object ? pn_keys_len(plan, container) : 0;
    if (level != PN_PLAIN && cost.extra < record->extra) {
        record->extra = cost.extra;
        record->level = keep ? level : PN_LATER;
        if (plan->dense && record->object)
            cost.weight += pn_keys_weight(plan, container) + container->n;
        if (plan->dense)
            pn_set_weight(plan->dense, record->slot, cost.weight);
    }
    if (level < PN_LATER && record->level != level)
        pn_drop_level(plan, pn_level_at(plan, level));
    return true;
}

uint32_t pn_plan_table(pn_plan *plan, uint32_t number)
{
    assert(number > 0 && number < plan->records.count);
    const pn_record *records = pn_records(plan);
    uint16_t shape = records[number - 1].shape;
    uint32_t level = PN_PLAIN;
    pn_table_cost cost;
    for (uint32_t at = number - 1; at != records[number].after; at = records[at].after)
        shape = shape == records[at].shape ? shape : (uint16_t)SHAPE_NONE;
    return pn_find_table(plan, number, shape, true, &level, &cost) ? level : PN_PLAIN;
}

static bool pn_measure(pn_measuring *m, const pith_slot *container)
{
    pn_plan *plan = m->plan;
    uint32_t number = (uint32_t)plan->records.count;
    pn_record *record = LIST_ROOM(&plan->records, &plan->alloc, 1);
    if (!record)
        return false;
    record->slot = (uint32_t)(container - plan->doc->slots);
    record->end = container->u.link.next;
    record->n = container->n;
    record->shape = container->shape;
    record->object = container->kind == PITH_OBJECT;
    record->level = PN_PLAIN;
    record->rows = false;
    pn_family family = pn_take_family(m, record->slot);
    int64_t extra = 2 + (container->n > 0 ? (int64_t)container->n - 1 : 0);
    if (record->object && record->shape != SHAPE_NONE) {
        pn_shape *shape = pn_know_shape(plan, record->shape);
        if (!shape)
            return false;
        extra += shape->keys;
        pn_know_object(plan, shape, container);
        shape->nested |= family.count > 0;
    } else if (record->object) {
        if (!pn_know_keys(plan, container))
            return false;
        extra += pn_keys_len(plan, container);
    }
    record->extra = extra + family.extra;
    record->after = number - 1 - family.count;
    if (!record->object && family.objects == record->n) {
        record->rows = true;
        record->shape = family.shape;
    }
    plan->records.count = (size_t)number + 1;
    if (plan->dense)
        pn_set_weight(plan->dense, record->slot,
                      pn_weigh_plain(plan->dense, record->slot));
    bool rows = family.objects > 1 && family.objects == record->n;
    return (!rows || (record->object && !plan->maps) ||
            pn_try_table(plan, container, number, family.shape, record)) &&
           pn_join_family(m, record, container->u.link.parent, family.count);
}

/* ------------------------------------------------------------------------ the plan */

void pn_plan_begin(pn_plan *plan, const pith_doc *doc, const settings *set,
                   pith_alloc alloc)
{
    memset(plan, 0, sizeof *plan);
    plan->doc = doc;
    plan->alloc = alloc;
    plan->lists = (key_lists){.alloc = alloc, .seed = doc->shapes.seed};
    plan->groups = settings_bool(set, PN_SET_GROUPS);
    plan->table_columns = settings_bool(set, PN_SET_TABLE_COLUMNS);
    plan->constants = settings_bool(set, PN_SET_CONSTANTS);
    plan->maps = settings_bool(set, PN_SET_MAPS);
    plan->shortest = settings_number(set, PN_SET_NUMBERS) == PN_NUMBERS_SHORTEST;
    plan->order_free = settings_number(set, PN_SET_ORDER) == PN_ORDER_FREE;
}

bool pn_plan_make(pn_plan *plan, uint32_t root)
{
    const pith_doc *doc = plan->doc;
    pn_measuring measuring = {.plan = plan};
    bool fine = true;
    for (uint32_t at = doc_after_at(doc, root); at-- > root && fine;) {
        const pith_slot *slot = &doc->slots[at];
        fine = !slot_is_container(slot) || pn_measure(&measuring, slot);
    }
    LIST_FREE(&measuring.families, &plan->alloc);
    return fine;
}

void pn_drop_level(pn_plan *plan, const pn_level *level)
{
    plan->levels.count = (size_t)(level - plan->levels.at);
    plan->columns.count = level->first;
    plan->sequences.count = level->sequences;
    plan->numbers.count = level->numbers;
}

void pn_plan_free(pn_plan *plan)
{
    const pith_alloc *alloc = &plan->alloc;
    alloc_free(alloc, plan->shapes, plan->shape_room * sizeof *plan->shapes);
    key_lists_free(&plan->lists);
    LIST_FREE(&plan->known_lists, alloc);
    hash_table_free(&plan->same_table, alloc);
    LIST_FREE(&plan->records, alloc);
    LIST_FREE(&plan->levels, alloc);
    LIST_FREE(&plan->columns, alloc);
    LIST_FREE(&plan->sequences, alloc);
    LIST_FREE(&plan->numbers, alloc);
    pn_search_free(plan);
}
