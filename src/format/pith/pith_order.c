/*
 * pith_order.c - the columns of a table, and their order.
 *
 * Member order is part of the value, so the columns must be in an order that every
 * row agrees with: a topological order of "is directly before in some row".
 *
 *     {a,c} {a,b,c}       a -> c, a -> b, b -> c          a,b,c
 *     {a,b} {b,a}         a -> b, b -> a                  no such order: no table
 *
 * Where the rows leave a choice, the key seen first goes first, which makes the order a
 * function of the value. Rows with the same keys in the same order are one sequence and
 * count once; shapes tell so without a look at the keys.
 *
 *     found    the sequences: what they are called, where their map is
 *     names    from key to column
 *     work     the arrays of the sort
 *
 * A column is first numbered by when it was seen. If every sequence goes through those
 * numbers upwards they are the order already, which is nearly always so; else they are
 * sorted, always taking the smallest number that nothing has to come before.
 */
#include "format/pith/pith_column.h"

#include "format/pith/pith_dense.h"

#include <assert.h>

typedef struct pn_union {
    pn_search *search;
    pn_plan *plan;
    size_t first;     /* of the columns */
    size_t count_max; /* more would be too sparse */
    bool upwards;     /* so far all sequences are */
} pn_union;

/* ------------------------------------------------------------------ finding columns */

static bool pn_is_too_sparse(const pn_union *all)
{
    return all->plan->columns.count - all->first > all->count_max;
}

/* The column of the key, most likely `guess`, numbered by when it was seen. False when out
 * of memory. */
static bool pn_column_of(pn_union *all, const pith_key *key, uint32_t guess,
                         uint32_t *number)
{
    pn_plan *plan = all->plan;
    *number = names_meet(&all->search->names, key, guess);
    if (*number == NAMES_NONE)
        return false;
    if (*number == plan->columns.count - all->first) {
        pn_column *column = LIST_ADD(&plan->columns, &plan->alloc);
        if (!column)
            return false;
        memset(column, 0, sizeof *column);
        column->key = key;
    }
    return true;
}

/* Makes the map of an object whose sequence is new. False when out of memory. */
static bool pn_add_sequence(pn_union *all, const pith_slot *object)
{
    pn_plan *plan = all->plan;
    const pith_key *keys = doc_keys(plan->doc, object);
    pn_found *found = LIST_ROOM(&all->search->found, &plan->alloc, 1);
    uint32_t *map = LIST_ROOM(&plan->numbers, &plan->alloc, (size_t)object->n + 1);
    if (!found || !map || plan->numbers.count > UINT32_MAX - object->n)
        return false;
    found->id = pn_sequence_id(plan->doc->slots, object);
    found->map = (uint32_t)plan->numbers.count;
    found->count = object->n;
    for (uint32_t i = 0; i < object->n; i++) {
        uint32_t guess = i > 0 ? map[i - 1] + 1 : 0;
        if (!pn_column_of(all, &keys[i], guess, &map[i]))
            return false;
        if (pn_is_too_sparse(all))
            return true;
        all->upwards = all->upwards && (i == 0 || map[i - 1] < map[i]);
    }
    all->search->found.count++;
    plan->numbers.count += object->n;
    return true;
}

/* Goes through the objects; false when out of memory. */
static bool pn_add_sequences(pn_union *all, const pn_row_list *rows)
{
    pn_plan *plan = all->plan;
    const pn_record *records = pn_records(plan);
    uint32_t stamp = ++all->search->stamp;
    pn_cursor cursor = pn_before_rows(rows);
    while (pn_cursor_next(all->search, &cursor)) {
        const pn_record *record = &records[cursor.row];
        if (record->shape != SHAPE_NONE) {
            pn_shape *known = pn_shape_at(plan, record->shape);
            if (known->stamp == stamp)
                continue;
            known->stamp = stamp;
        }
        if (!pn_add_sequence(all, &plan->doc->slots[record->slot]))
            return false;
        if (pn_is_too_sparse(all))
            return true;
    }
    return true;
}

/* ------------------------------------------------------------------------ sorting */

/* The arrays of the sort, all in one block. */
typedef struct pn_sort {
    uint32_t *waits;  /* how many columns must still come before this one */
    uint32_t *starts; /* where its followers begin; one more than there are columns */
    uint32_t *follow; /* the followers of all */
    uint32_t *heap;   /* columns that nothing has to come before, the smallest on top */
    uint32_t *place;  /* the result: where each column goes */
    size_t ready;     /* in the heap */
} pn_sort;

static void pn_heap_push(pn_sort *sort, uint32_t column)
{
    size_t at = sort->ready++;
    while (at > 0 && sort->heap[(at - 1) / 2] > column) {
        sort->heap[at] = sort->heap[(at - 1) / 2];
        at = (at - 1) / 2;
    }
    sort->heap[at] = column;
}

static uint32_t pn_heap_pop(pn_sort *sort)
{
    assert(sort->ready > 0);
    uint32_t top = sort->heap[0];
    uint32_t last = sort->heap[--sort->ready];
    size_t at = 0;
    for (;;) {
        size_t child = 2 * at + 1;
        if (child + 1 < sort->ready && sort->heap[child + 1] < sort->heap[child])
            child++;
        if (child >= sort->ready || sort->heap[child] >= last)
            break;
        sort->heap[at] = sort->heap[child];
        at = child;
    }
    sort->heap[at] = last;
    return top;
}

/* Lists who follows whom. */
static void pn_sort_edges(const pn_search *search, pn_sort *sort, size_t count)
{
    const pn_found *found = search->found.at;
    for (size_t s = 0; s < search->found.count; s++) {
        const uint32_t *map = pn_numbers(search->plan, found[s].map);
        for (uint32_t i = 1; i < found[s].count; i++) {
            sort->starts[map[i - 1] + 1]++;
            sort->waits[map[i]]++;
        }
    }
    for (size_t i = 0; i < count; i++) {
        sort->starts[i + 1] += sort->starts[i];
        sort->place[i] = sort->starts[i];
    }
    for (size_t s = 0; s < search->found.count; s++) {
        const uint32_t *map = pn_numbers(search->plan, found[s].map);
        for (uint32_t i = 1; i < found[s].count; i++)
            sort->follow[sort->place[map[i - 1]]++] = map[i];
    }
}

/* Fills in the places; false when the rows contradict each other. */
static bool pn_sort_columns(const pn_search *search, pn_sort *sort, size_t count)
{
    size_t placed = 0;
    pn_sort_edges(search, sort, count);
    for (uint32_t i = 0; i < count; i++)
        if (sort->waits[i] == 0)
            pn_heap_push(sort, i);
    while (sort->ready > 0) {
        uint32_t column = pn_heap_pop(sort);
        sort->place[column] = (uint32_t)placed++;
        for (uint32_t i = sort->starts[column]; i < sort->starts[column + 1]; i++)
            if (--sort->waits[sort->follow[i]] == 0)
                pn_heap_push(sort, sort->follow[i]);
    }
    return placed == count;
}

static bool pn_sort_ready(pn_search *search, pn_sort *sort, size_t count)
{
    size_t edges = 0;
    const pn_found *found = search->found.at;
    for (size_t s = 0; s < search->found.count; s++)
        edges += found[s].count;
    size_t need = 4 * count + 1 + edges;
    search->work.count = 0;
    uint32_t *block = LIST_ROOM(&search->work, &search->plan->alloc, need);
    if (!block)
        return false;
    memset(block, 0, need * sizeof(uint32_t));
    sort->waits = block;
    sort->starts = block + count;
    sort->heap = block + 2 * count + 1;
    sort->place = block + 3 * count + 1;
    sort->follow = block + 4 * count + 1;
    sort->ready = 0;
    return true;
}

/* Puts the columns where they belong and the maps right. The columns are copied to the
 * end of their list on the way; false when out of memory. */
static bool pn_move_columns(pn_search *search, const pn_sort *sort, size_t first,
                            size_t count)
{
    pn_column *copy = LIST_ROOM(&search->plan->columns, &search->plan->alloc, count);
    if (!copy)
        return false;
    pn_column *columns = search->plan->columns.at + first;
    memcpy(copy, columns, count * sizeof *copy);
    for (size_t i = 0; i < count; i++)
        columns[sort->place[i]] = copy[i];
    const pn_found *found = search->found.at;
    for (size_t s = 0; s < search->found.count; s++) {
        uint32_t *map = pn_numbers(search->plan, found[s].map);
        for (uint32_t i = 0; i < found[s].count; i++)
            map[i] = sort->place[map[i]];
    }
    return true;
}

/* Orders columns that were not seen in order. */
static bool pn_order_columns(pn_search *search, pn_level *level, bool *agreed)
{
    pn_sort sort;
    size_t first = level->first;
    size_t count = level->count;
    if (!pn_sort_ready(search, &sort, count))
        return false;
    *agreed = pn_sort_columns(search, &sort, count);
    if (!*agreed) {
        /* When order is free the columns stay as they were seen. */
        *agreed = search->plan->order_free;
        level->crossed = true;
        return true;
    }
    return pn_move_columns(search, &sort, first, count);
}

/* ---------------------------------------------------------------------- sequences */

/* Keeps the sequences where objects find theirs. */
static bool pn_keep_sequences(pn_search *search, pn_level *level)
{
    size_t size = 2;
    while (size < 2 * search->found.count)
        size *= 2;
    pn_sequence *kept = LIST_ROOM(&search->plan->sequences, &search->plan->alloc, size);
    if (!kept)
        return false;
    memset(kept, 0, size * sizeof *kept);
    assert(level->sequences == search->plan->sequences.count);
    level->mask = (uint32_t)(size - 1);
    search->plan->sequences.count += size;
    const pn_found *found = search->found.at;
    for (size_t s = 0; s < search->found.count; s++) {
        uint32_t at =
            hash_small(search->plan->doc->shapes.seed, found[s].id) & level->mask;
        while (kept[at].id != 0)
            at = (at + 1) & level->mask;
        kept[at].id = found[s].id;
        kept[at].map = found[s].map;
    }
    return true;
}

/* ------------------------------------------------------------------------ the search */

/* The keys of the shape as columns. False when out of memory. */
static bool pn_take_shape(pn_plan *plan, uint16_t shape)
{
    assert(shape != SHAPE_NONE);
    const shape_node *node = &plan->doc->shapes.nodes[shape];
    pn_column *columns = LIST_ROOM(&plan->columns, &plan->alloc, node->width);
    if (!columns)
        return false;
    memset(columns, 0, node->width * sizeof *columns);
    for (uint32_t i = 0; i < node->width; i++)
        columns[i].key = &node->keys[i];
    plan->columns.count += node->width;
    return true;
}

/* The members of all rows. */
static uint64_t pn_count_members(const pn_search *search, const pn_row_list *rows)
{
    const pn_record *records = pn_records(search->plan);
    pn_cursor cursor = pn_before_rows(rows);
    uint64_t members = 0;
    while (pn_cursor_next(search, &cursor))
        members += records[cursor.row].n;
    return members;
}

/* The columns of rows whose keys differ. */
static bool pn_find_union(pn_search *search, const pn_row_list *rows, pn_level *level,
                          bool *found)
{
    assert(rows->rows > 0);
    pn_plan *plan = search->plan;
    pn_union all;
    memset(&all, 0, sizeof all);
    all.search = search;
    all.plan = plan;
    all.first = plan->columns.count;
    all.count_max = (size_t)(4 * pn_count_members(search, rows) / rows->rows);
    all.upwards = true;
    search->found.count = 0;
    names_back(&search->names, 0);
    if (!pn_add_sequences(&all, rows))
        return false;
    level->count = (uint32_t)(plan->columns.count - all.first);
    *found = level->count > 0 && level->count <= all.count_max;
    if (*found && !all.upwards && !pn_order_columns(search, level, found))
        return false;
    return !*found || pn_keep_sequences(search, level);
}

bool pn_find_columns(pn_search *search, const pn_row_list *rows, pn_level *level,
                     pn_cost *cost, bool *found)
{
    pn_plan *plan = search->plan;
    *level = (pn_level){.first = (uint32_t)plan->columns.count,
                        .sequences = (uint32_t)plan->sequences.count,
                        .numbers = (uint32_t)plan->numbers.count,
                        .shape = rows->shape};
    if (rows->shape != SHAPE_NONE) {
        level->count = plan->doc->shapes.nodes[rows->shape].width;
        cost->header = pn_shape_at(plan, rows->shape)->keys;
        cost->weight = 2 + (int64_t)pn_shape_at(plan, rows->shape)->weight + level->count;
        *found = level->count > 0 && rows->rows <= 4 * (uint64_t)rows->count;
        return !*found || pn_take_shape(plan, rows->shape);
    }
    if (!pn_find_union(search, rows, level, found))
        return false;
    const pn_column *columns = pn_columns_of(plan, level);
    cost->weight = 2 + (int64_t)level->count;
    for (uint32_t i = 0; i < level->count && *found; i++) {
        cost->header += pn_key_len(columns[i].key) + 1;
        cost->weight += plan->dense ? pn_weigh_key(columns[i].key) : 0;
    }
    return true;
}
