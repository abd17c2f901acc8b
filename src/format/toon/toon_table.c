/*
 * toon_table.c - the questions of toon_table.h, answered without recursion.
 */
#include "format/toon/toon_table.h"

#include "doc/alike.h"

#include <assert.h>

void toon_table_init(toon_table *table, const pith_doc *doc, pith_alloc alloc)
{
    memset(table, 0, sizeof *table);
    table->alloc = alloc;
    table->doc = doc;
    names_init(&table->names, alloc, doc->shapes.seed);
    levels_init(&table->levels, alloc);
}

void toon_table_free(toon_table *table)
{
    const pith_alloc *alloc = &table->alloc;
    names_free(&table->names);
    LIST_FREE(&table->columns, alloc);
    LIST_FREE(&table->row, alloc);
    levels_free(&table->levels);
}

static inline bool toon_is_scalar(const pith_slot *slot)
{
    return slot->kind < PITH_ARRAY;
}

static const pith_slot *toon_end(const toon_table *table, const pith_slot *container)
{
    assert(slot_is_container(container));
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
    if (shape == SHAPE_NONE || row->kind != PITH_OBJECT || width == 0)
        return false;
    for (uint32_t i = 0; i < table->count; i++) {
        const pith_slot *end = row + 1 + width;
        if (row->kind != PITH_OBJECT || row->shape != shape ||
            toon_end(table, row) != end)
            return false;
        unsigned kinds = 0;
        for (row++; row < end; row++)
            kinds |= row->kind >= PITH_ARRAY;
        if (kinds)
            return false;
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
        if (row->kind != PITH_OBJECT || row->n != width || width == 0)
            return false;
        const pith_slot *end = toon_end(table, row);
        uint64_t size = (uint64_t)(end - row);
        least = size < least ? size : least;
        most = size > most ? size : most;
        if (most > 2 * least)
            return false;
        row = end;
    }
    return true;
}

enum { TOON_GROUPS_MOST = 2 /* for each cell, in a large document */ };

/* The cells of a row in which everything is a scalar or an object with members (and
 * with `groups` false, a scalar); 0 when something else is in it, or too much that a reader
 * would have to make of a few bytes. */
static uint32_t toon_count_cells(const toon_table *table, const pith_slot *row,
                                 bool groups)
{
    const pith_slot *end = toon_end(table, row);
    uint32_t cells = 0;
    uint32_t objects = 0;
    for (row++; row < end; row++)
        if (toon_is_scalar(row))
            cells++;
        else if (row->kind == PITH_ARRAY ||
                 (row->kind == PITH_OBJECT && (row->n == 0 || !groups)))
            return 0;
        else
            objects++;
    return doc_may_hide(table->doc, objects, cells, TOON_GROUPS_MOST) ? cells : 0;
}

/* --------------------------------------------------------------------- walking */

/* A place in a row, or at the end of an object in it. */
typedef struct toon_place {
    const pith_slot *at;
    doc_level level;
    uint32_t group; /* the parent of the names here */
} toon_place;

static toon_place toon_begin(toon_table *table, const pith_slot *row)
{
    table->levels.depth = 0;
    return (toon_place){row + 1, doc_enter(table->doc, row), 0};
}

/* Goes into the object at the place. False when out of memory. */
static bool toon_enter(toon_table *table, toon_place *place, uint32_t group)
{
    if (!levels_push(&table->levels, place->level))
        return false;
    place->level = doc_enter(table->doc, place->at++);
    place->group = group;
    return true;
}

/* Leaves the object that has ended; false when it is the row. */
static bool toon_leave(toon_table *table, toon_place *place)
{
    if (table->levels.depth == 0)
        return false;
    place->at = doc_leave(&place->level);
    place->level = levels_pop(&table->levels);
    return true;
}

/* The same, if it has ended, until one goes on. */
static bool toon_leave_ended(toon_table *table, toon_place *place)
{
    while (place->at == place->level.end) {
        if (!toon_leave(table, place))
            return false;
        place->group = names_parent(&table->names, place->group - 1);
    }
    return true;
}

/* -------------------------------------------------------------------- the plan */

static bool toon_list_columns(toon_table *table)
{
    toon_place place = toon_begin(table, table->first);
    uint32_t cells = 0;
    while (toon_leave_ended(table, &place)) {
        const bool object = place.at->kind == PITH_OBJECT;
        toon_column *column = LIST_ADD(&table->columns, &table->alloc);
        if (!column || !names_add_in(&table->names, place.group, place.level.key++))
            return false;
        *column = (toon_column){place.at, object ? 0 : cells++};
        if (!object)
            place.at++;
        else if (!toon_enter(table, &place, (uint32_t)table->columns.count))
            return false;
    }
    return true;
}

/* Lists the columns of the first row. False when out of memory. */
static bool toon_table_plan(toon_table *table)
{
    names_back(&table->names, 0);
    table->columns.count = 0;
    table->planned = LIST_RESERVE(&table->row, &table->alloc, table->cells) &&
                     toon_list_columns(table) && names_index(&table->names);
    return table->planned;
}

/* Finds every cell of a row by its name; false when it is not like the first. The plan
 * went as deep into the first row, so there are levels enough. */
static bool toon_match(toon_table *table, const pith_slot *row)
{
    assert(table->planned);
    toon_place place = toon_begin(table, row);
    uint32_t name = NAMES_NONE;
    while (toon_leave_ended(table, &place)) {
        name = names_find_in(&table->names, place.group, place.level.key++, name + 1);
        if (name == NAMES_NONE)
            return false;
        const toon_column *column = &table->columns.at[name];
        if (toon_is_scalar(column->value) != toon_is_scalar(place.at))
            return false;
        if (toon_is_scalar(place.at)) {
            assert(column->place < table->cells);
            table->row.at[column->place] = place.at++;
            continue;
        }
        if (place.at->kind != PITH_OBJECT || place.at->n != column->value->n)
            return false;
        bool entered = toon_enter(table, &place, name + 1);
        assert(entered);
        (void)entered;
    }
    return true;
}

/* ----------------------------------------------------------------- the verdict */

static toon_verdict toon_try_row(toon_table *table, const pith_slot *row)
{
    bool nulls;
    doc_likeness likeness = doc_compare(table->doc, table->first, row, &nulls);
    if (likeness != DOC_REORDERED)
        return likeness == DOC_ALIKE ? TOON_IS_TABLE : TOON_NO_TABLE;
    table->straight = false;
    if (!table->planned && !toon_table_plan(table))
        return TOON_NO_MEMORY;
    return toon_match(table, row) ? TOON_IS_TABLE : TOON_NO_TABLE;
}

toon_verdict toon_table_try(toon_table *table, const pith_slot *rows, uint32_t count,
                            bool groups)
{
    assert(count > 0);
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
    if (table->cells == 0)
        return TOON_NO_TABLE;
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
    toon_place place = toon_begin(table, table->first);
    *to++ = '{';
    for (;;) {
        while (place.at == place.level.end) {
            to = toon_make_room(pen->out, to);
            *to++ = '}';
            if (!toon_leave(table, &place))
                return to;
        }
        if (place.at > place.level.container + 1)
            *to++ = pen->delimiter;
        to = toon_make_room(pen->out, toon_put_key(pen, to, place.level.key++));
        if (place.at->kind != PITH_OBJECT) {
            place.at++;
            continue;
        }
        *to++ = '{';
        if (!toon_enter(table, &place, 0))
            return NULL;
    }
}

char *toon_put_row(toon_table *table, toon_pen *pen, char *to, const pith_slot *row)
{
    if (table->straight)
        return toon_put_cells(pen, to, row + 1, toon_end(table, row));
    bool found = toon_match(table, row);
    assert(found); /* as it was when the row was tried */
    (void)found;
    return toon_put_row_cells(pen, to, table->row.at, table->cells);
}
