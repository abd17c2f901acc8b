/*
 * toon_table.c - the questions of toon_table.h, answered without recursion.
 */
#include "format/toon/toon_table.h"

#include <assert.h>

void toon_table_init(toon_table *table, const pith_doc *doc, pith_alloc alloc)
{
    memset(table, 0, sizeof *table);
    table->alloc = alloc;
    table->doc = doc;
}

void toon_table_free(toon_table *table)
{
    const pith_alloc *alloc = &table->alloc;
    LIST_FREE(&table->columns, alloc);
    alloc_free(alloc, table->lookup, table->lookup_cap * sizeof *table->lookup);
    alloc_free(alloc, (void *)table->row, table->row_cap * sizeof *table->row);
    LIST_FREE(&table->places, alloc);
}

static inline bool toon_is_scalar(const pith_slot *slot)
{
    return slot->kind < PITH_ARRAY;
}

static const pith_slot *toon_end(const toon_table *table, const pith_slot *container)
{
    return table->doc->slots + container->u.link.next;
}

/* ------------------------------------------------------------- at first sight */

/* True when every row is an object of one and the same shape with nothing nested: one
 * look at each slot and none at a key. */
static bool toon_is_flat(const toon_table *table)
{
    const pith_slot *row = table->first;
    uint16_t shape = row->shape;
    uint32_t width = row->n;
    if (shape == SHAPE_NONE || row->kind != PITH_OBJECT || width == 0) {
        return false;
    }
    for (uint32_t i = 0; i < table->count; i++) {
        const pith_slot *end = row + 1 + width;
        if (row->kind != PITH_OBJECT || row->shape != shape ||
            toon_end(table, row) != end) {
            return false;
        }
        unsigned kinds = 0;
        for (row++; row < end; row++) {
            kinds |= row->kind >= PITH_ARRAY;
        }
        if (kinds) {
            return false;
        }
    }
    return true;
}

/* True unless the rows cannot be alike: all objects, with as many members, and of one
 * size. Every object without a shape takes a slot for its keys, and the same keys may
 * have a shape elsewhere, so of like rows one may be up to twice as large. */
static bool toon_may_be_alike(const toon_table *table)
{
    const pith_slot *row = table->first;
    uint32_t width = row->n;
    uint64_t least = UINT64_MAX;
    uint64_t most = 0;
    for (uint32_t i = 0; i < table->count; i++) {
        if (row->kind != PITH_OBJECT || row->n != width || width == 0) {
            return false;
        }
        const pith_slot *end = toon_end(table, row);
        uint64_t size = (uint64_t)(end - row);
        least = size < least ? size : least;
        most = size > most ? size : most;
        if (most > 2 * least) {
            return false;
        }
        row = end;
    }
    return true;
}

/* The cells of a row in which everything is a scalar or an object with members (and
 * with `groups` false, a scalar); 0 when something else is in it. */
static uint32_t toon_count_cells(const toon_table *table, const pith_slot *row,
                                 bool groups)
{
    const pith_slot *end = toon_end(table, row);
    uint32_t cells = 0;
    for (row++; row < end; row++) {
        if (toon_is_scalar(row)) {
            cells++;
        } else if (row->kind == PITH_ARRAY ||
                   (row->kind == PITH_OBJECT && (row->n == 0 || !groups))) {
            return 0;
        }
    }
    return cells;
}

/* ------------------------------------------------------------- straight rows */

static bool toon_same_key(const pith_key *a, const pith_key *b)
{
    return a->len == b->len && (a->len == 0 || memcmp(a->text, b->text, a->len) == 0);
}

/* How a row compares with the first. */
typedef enum toon_likeness {
    TOON_STRAIGHT, /* the same keys in the same order, at every level */
    TOON_CROOKED,  /* perhaps the same keys in another order */
    TOON_UNLIKE
} toon_likeness;

/* A number that depends on the keys but not on their order, cheap to find. */
static uint64_t toon_sum_keys(const pith_key *keys, uint32_t count)
{
    uint64_t sum = 0;
    for (uint32_t i = 0; i < count; i++) {
        uint64_t len = keys[i].len;
        if (len > 0) {
            uint64_t first = (unsigned char)keys[i].text[0];
            uint64_t last = (unsigned char)keys[i].text[len - 1];
            sum += (len << 16 | first << 8 | last) * UINT64_C(0x9E3779B97F4A7C15) >> 8;
        }
    }
    return sum;
}

static toon_likeness toon_compare_keys(const toon_table *table, const pith_slot *a,
                                       const pith_slot *b)
{
    if (a->n != b->n) {
        return TOON_UNLIKE;
    }
    if (a->shape == b->shape && a->shape != SHAPE_NONE) {
        return TOON_STRAIGHT;
    }
    const pith_key *left = doc_keys(table->doc, a);
    const pith_key *right = doc_keys(table->doc, b);
    for (uint32_t i = 0; i < a->n; i++) {
        if (!toon_same_key(&left[i], &right[i])) {
            return toon_sum_keys(left, a->n) == toon_sum_keys(right, b->n) ? TOON_CROOKED
                                                                           : TOON_UNLIKE;
        }
    }
    return TOON_STRAIGHT;
}

/* Goes through the first row and another side by side. The slots for keys, which one
 * may have where the other has none, are passed over. */
static toon_likeness toon_compare(const toon_table *table, const pith_slot *row)
{
    const pith_slot *first = table->first;
    const pith_slot *first_end = toon_end(table, first);
    const pith_slot *end = toon_end(table, row);
    while (first < first_end && row < end) {
        if (first->kind == SLOT_KEYS) {
            first++;
            continue;
        }
        if (row->kind == SLOT_KEYS) {
            row++;
            continue;
        }
        if (toon_is_scalar(first) != toon_is_scalar(row) || row->kind == PITH_ARRAY) {
            return TOON_UNLIKE;
        }
        if (row->kind == PITH_OBJECT) {
            toon_likeness likeness = toon_compare_keys(table, first, row);
            if (likeness != TOON_STRAIGHT) {
                return likeness;
            }
        }
        first++;
        row++;
    }
    return TOON_STRAIGHT;
}

/* --------------------------------------------------------------------- walking */

static toon_place toon_enter(const toon_table *table, const pith_slot *object,
                             uint32_t group)
{
    toon_place place;
    place.at = object + 1;
    place.end = table->doc->slots + doc_children_end(object);
    place.key = doc_keys(table->doc, object);
    place.index = 0;
    place.group = group;
    return place;
}

/* Puts away the place behind `here`, whose value is about to be entered. There must be
 * room. */
static void toon_put_away(toon_table *table, const toon_place *here)
{
    assert(table->places.count < table->places.cap);
    toon_place *saved = &table->places.at[table->places.count++];
    *saved = *here;
    saved->at = toon_end(table, here->at);
    saved->key++;
    saved->index++;
}

/* The same, with room made for it; false when out of memory. */
static bool toon_push(toon_table *table, const toon_place *here)
{
    if (!LIST_RESERVE(&table->places, &table->alloc, 1)) {
        return false;
    }
    toon_put_away(table, here);
    return true;
}

/* -------------------------------------------------------------------- the plan */

static size_t toon_lookup_start(const toon_table *table, uint32_t group,
                                const pith_key *key)
{
    uint64_t seed = hash_seed_of(table->doc->shapes.seed, group);
    return (size_t)hash_text(seed, key->text, key->len) & (table->lookup_size - 1);
}

static const toon_column *toon_table_find(const toon_table *table, uint32_t group,
                                          const pith_key *key, uint32_t guess)
{
    size_t likely = (size_t)group + guess;
    if (likely < table->columns.count) {
        const toon_column *column = &table->columns.at[likely];
        if (column->group == group && toon_same_key(column->key, key)) {
            return column;
        }
    }
    size_t mask = table->lookup_size - 1;
    size_t at = toon_lookup_start(table, group, key);
    for (; table->lookup[at]; at = (at + 1) & mask) {
        const toon_column *column = &table->columns.at[table->lookup[at] - 1];
        if (column->group == group && toon_same_key(column->key, key)) {
            return column;
        }
    }
    return NULL;
}

static void toon_index_columns(toon_table *table)
{
    size_t mask = table->lookup_size - 1;
    memset(table->lookup, 0, table->lookup_size * sizeof *table->lookup);
    for (uint32_t i = 0; i < table->columns.count; i++) {
        const toon_column *column = &table->columns.at[i];
        size_t at = toon_lookup_start(table, column->group, column->key);
        while (table->lookup[at]) {
            at = (at + 1) & mask;
        }
        table->lookup[at] = i + 1;
    }
}

static bool toon_list_columns(toon_table *table)
{
    toon_place place = toon_enter(table, table->first, 0);
    uint32_t cells = 0;
    size_t count = table->first->n;
    table->places.count = 0;
    for (;;) {
        while (place.at == place.end) {
            if (table->places.count == 0) {
                table->columns.count = count;
                return true;
            }
            place = table->places.at[--table->places.count];
        }
        toon_column *column = &table->columns.at[place.group + place.index];
        column->value = place.at;
        column->key = place.key;
        column->group = place.group;
        if (place.at->kind == PITH_OBJECT) {
            column->place = (uint32_t)count;
            if (!toon_push(table, &place)) {
                return false;
            }
            place = toon_enter(table, place.at, (uint32_t)count);
            count += column->value->n;
        } else {
            column->place = cells++;
            place.at = toon_behind(table->doc, place.at);
            place.key++;
            place.index++;
        }
    }
}

static bool toon_table_plan(toon_table *table)
{
    size_t most = (size_t)(toon_end(table, table->first) - table->first);
    size_t size = 16;
    while (size < 2 * most) {
        size *= 2;
    }
    const pith_alloc *alloc = &table->alloc;
    table->columns.count = 0;
    if (!LIST_RESERVE(&table->columns, alloc, most) ||
        !list_grow(alloc, (void *)&table->lookup, &table->lookup_cap, size,
                   sizeof *table->lookup) ||
        !list_grow(alloc, (void *)&table->row, &table->row_cap, most,
                   sizeof *table->row) ||
        !toon_list_columns(table)) {
        return false;
    }
    table->lookup_size = size;
    toon_index_columns(table);
    table->planned = true;
    return true;
}

/* Finds every cell of a row by its name; false when it is not like the first. The plan
 * went as deep into the first row, so there are places enough. */
static bool toon_match(toon_table *table, const pith_slot *row)
{
    toon_place place = toon_enter(table, row, 0);
    table->places.count = 0;
    for (;;) {
        while (place.at == place.end) {
            if (table->places.count == 0) {
                return true;
            }
            place = table->places.at[--table->places.count];
        }
        const toon_column *column =
            toon_table_find(table, place.group, place.key, place.index);
        if (!column || toon_is_scalar(column->value) != toon_is_scalar(place.at)) {
            return false;
        }
        if (toon_is_scalar(place.at)) {
            table->row[column->place] = place.at++;
            place.key++;
            place.index++;
            continue;
        }
        const pith_slot *object = place.at;
        if (object->kind != PITH_OBJECT || object->n != column->value->n) {
            return false;
        }
        toon_put_away(table, &place);
        place = toon_enter(table, object, column->place);
    }
}

/* ----------------------------------------------------------------- the verdict */

static toon_verdict toon_try_row(toon_table *table, const pith_slot *row)
{
    toon_likeness likeness = toon_compare(table, row);
    if (likeness != TOON_CROOKED) {
        return likeness == TOON_STRAIGHT ? TOON_IS_TABLE : TOON_NO_TABLE;
    }
    table->straight = false;
    if (!table->planned && !toon_table_plan(table)) {
        return TOON_NO_MEMORY;
    }
    return toon_match(table, row) ? TOON_IS_TABLE : TOON_NO_TABLE;
}

toon_verdict toon_table_try(toon_table *table, const pith_slot *rows, uint32_t count,
                            bool groups)
{
    table->first = rows;
    table->count = count;
    table->straight = true;
    table->planned = false;
    table->flat = toon_is_flat(table);
    if (table->flat) {
        table->cells = rows->n;
        return TOON_IS_TABLE;
    }
    table->cells = toon_may_be_alike(table) ? toon_count_cells(table, rows, groups) : 0;
    if (table->cells == 0) {
        return TOON_NO_TABLE;
    }
    toon_verdict verdict = TOON_IS_TABLE;
    for (uint32_t i = 1; i < count && verdict == TOON_IS_TABLE; i++) {
        rows = toon_end(table, rows);
        verdict = toon_try_row(table, rows);
    }
    return verdict;
}

/* --------------------------------------------------------------------- writing */

char *toon_put_fields(toon_table *table, toon_pen *pen, char *to)
{
    toon_place place = toon_enter(table, table->first, 0);
    table->places.count = 0;
    *to++ = '{';
    for (;;) {
        while (place.at == place.end) {
            to = toon_make_room(pen->out, to);
            *to++ = '}';
            if (table->places.count == 0) {
                return to;
            }
            place = table->places.at[--table->places.count];
        }
        if (place.index > 0) {
            *to++ = pen->delimiter;
        }
        to = toon_make_room(pen->out, toon_put_key(pen, to, place.key));
        if (place.at->kind == PITH_OBJECT) {
            *to++ = '{';
            const pith_slot *object = place.at;
            if (!toon_push(table, &place)) {
                return NULL;
            }
            place = toon_enter(table, object, 0);
        } else {
            place.at++;
            place.key++;
            place.index++;
        }
    }
}

char *toon_put_row(toon_table *table, toon_pen *pen, char *to, const pith_slot *row)
{
    if (table->straight) {
        return toon_put_cells(pen, to, row + 1, toon_end(table, row));
    }
    bool found = toon_match(table, row);
    assert(found); /* as it was when the row was tried */
    (void)found;
    return toon_put_row_cells(pen, to, table->row, table->cells);
}
