/*
 * pith_plan.h - what the encoder has decided before it writes.
 *
 * Which form a container takes is a question of length, and the answer for a table
 * depends on everything in it. So one pass goes through the tape backwards, children
 * before parents, and gives every container a record:
 *
 *     tape      [ { 1 2 } { 3 [ 4 ] } ]        slots, in document order
 *     records   3 2       1   0                containers, numbered from the end
 *
 * A record holds a length, but not that of the text. Two forms of one value write the
 * same scalars, so what decides between them is only the rest: brackets, commas, keys,
 * headers. That rest is `extra`; it needs no look at any scalar. A constant column is
 * the one exception, for its value is written once instead of once a row; it is measured
 * when it is found.
 *
 * The container that follows a container's bracket on the tape has the number below its
 * own, and `after` is the number of the one after its end; so a walk through the slots
 * takes the records along. A walk that asks about containers alone needs only the
 * records, which lie closer together than the slots do.
 *
 * A table, a map, a group and a table column each have a level: the columns, and how the
 * members of an object find theirs.
 *
 *     [3{id,customer{name,city},paid}      level 0: id, customer, paid
 *                                          level 1: name, city
 *
 * Objects of one shape need no finding. Otherwise each sequence of keys that occurs has
 * a list that says for every member which column it is in.
 */
#ifndef FORMAT_PITH_PITH_PLAN_H
#define FORMAT_PITH_PITH_PLAN_H

#include "doc/key_lists.h"
#include "format/pith/pith_scalar.h"

#include <assert.h>

typedef struct pn_record {
    int64_t extra;  /* bytes of the one-line form beyond those of its scalars */
    uint32_t after; /* the number of the container after it */
    uint32_t level; /* of a table or map; PN_PLAIN for an array or object */
    uint32_t slot;
    uint32_t end;   /* the slot after it */
    uint32_t n;     /* its children */
    uint16_t shape; /* of an object; of an array of objects, the shape they all have */
    bool object;
    bool rows; /* an array of nothing but objects */
} pn_record;

#define PN_PLAIN UINT32_MAX

/* A table or map of few rows, whose level is made again when it is written. Most of those
 * never are: they become rows of a table column further up, and keeping what was found
 * out about each would take more memory than the text. */
#define PN_LATER (UINT32_MAX - 1)

enum { PN_FEW_ROWS = 32 };

typedef enum pn_kind { PN_LEAF, PN_CONSTANT, PN_GROUP, PN_TABLE } pn_kind;

/* What level 2 leaves out of the cells of a leaf column. */
typedef enum pn_mark_kind { PN_NO_MARK, PN_DITTO, PN_DEFAULT, PN_TEMPLATE } pn_mark_kind;

typedef struct pn_column {
    const pith_key *key;
    const pith_slot *constant; /* or the default, or a string made of the template */
    uint32_t level;            /* of a group or table column */
    uint32_t total;            /* the inner rows of a table column */
    uint32_t above;            /* ditto: the slot of this column in the row above */
    uint32_t saved;            /* the weight that its mark saves, in 32 bits */
    uint32_t bytes;            /* template: those that it saves, in 32 bits */
    uint8_t begin, end;        /* template: bytes before and after the star */
    uint8_t kind;
    uint8_t mark;
} pn_column;

typedef struct pn_level {
    uint32_t first; /* of its columns */
    uint32_t count;
    uint32_t width;      /* cells in a row */
    uint32_t sequences;  /* where they begin; their number is a power of two, */
    uint32_t mask;       /* this one more */
    uint32_t numbers;    /* where its maps begin */
    uint32_t cells;      /* uniform: where its cells lie in the row's run of slots */
    uint32_t span;       /* uniform: slots in a row */
    uint16_t shape;      /* of all objects here, or SHAPE_NONE when they differ */
    bool uniform;        /* every row is laid out alike, and its cells are scalars */
    bool always_present; /* it has one cell, and no row lacks it */
    bool crossed; /* there are rows whose members are not in the order of the columns */
} pn_level;

/* The columns of the members of objects with these keys. `id` is the shape, or beyond
 * the shapes the slot of an object that has none; 0 for an empty place. */
typedef struct pn_sequence {
    uint64_t id;
    uint32_t map;
} pn_sequence;

/* What is known of a shape, and of the objects that have it and have been measured. Each
 * of them is compared with the first when it is measured, for then it is at hand; tables
 * that are made of them later need not fetch them from memory again. */
typedef struct pn_shape {
    uint64_t same;    /* a bit for each of the first 64 columns: the same in all */
    uint64_t skipped; /* and for those that were not compared: the first is a long text */
    uint64_t hash;    /* of its keys, for level 2 */
    uint32_t count;   /* of them */
    uint32_t sample;  /* the slot of the first */
    uint32_t keys;    /* bytes of its keys with their colons */
    uint32_t weight;  /* of its keys: see pith_dense.h */
    uint32_t as_json; /* bytes of its keys in JSON, or any number beyond PN_REPEAT_MOST */
    uint32_t stamp;   /* the search for columns that met it last */
    uint16_t shape;   /* SHAPE_NONE for an empty place */
    bool bare;        /* no key needs quotes */
    bool nested;      /* there is a container in one of them */
} pn_shape;

/* What is known of a list of keys of objects that have no shape. */
typedef struct pn_key_list {
    uint64_t hash;
    int64_t len;    /* of the keys with their colons */
    size_t as_json; /* the same in JSON, or any number beyond PN_REPEAT_MOST */
    uint32_t n;
    uint32_t weight;
    uint32_t same; /* the first list with these keys */
} pn_key_list;

/* ------------------------------------------------------------------- the plan */

typedef struct pn_plan {
    const pith_doc *doc;
    pith_alloc alloc;
    bool groups, table_columns, constants, maps, shortest, order_free;

    LIST(pn_record) records;
    LIST(pn_level) levels;
    LIST(pn_column) columns;
    LIST(pn_sequence) sequences;
    LIST(uint32_t) numbers; /* maps and cells */

    /* The shapes that occur in the value: a hash table, for the document may know many
     * more of them. */
    pn_shape *shapes;
    size_t shape_room; /* a power of two, or 0 */
    size_t shape_count;

    key_lists lists;
    LIST(pn_key_list) known_lists; /* what is known of each */
    hash_table same_table;         /* the first of equal ones */

    struct pn_dense *dense;   /* level 2; NULL when level 1 is written */
    struct pn_search *search; /* see pith_column.h; made for the first table */
} pn_plan;

/* Begins a plan with these settings; it is of level 1 unless `dense` is set then. */
void pn_plan_begin(pn_plan *plan, const pith_doc *doc, const settings *set,
                   pith_alloc alloc);

/* Plans the value at `root`; false when out of memory. Free it either way. */
bool pn_plan_make(pn_plan *plan, uint32_t root);
void pn_plan_free(pn_plan *plan);

/* What is known of a shape; NULL when out of memory. */
pn_shape *pn_know_shape(pn_plan *plan, uint16_t shape);

static inline uint64_t pn_mix(uint64_t hash, uint64_t more)
{
    hash = (hash ^ more) * UINT64_C(0x9E3779B97F4A7C15);
    return hash ^ hash >> 29;
}

/* Looks at the keys of an object once; false when out of memory. */
bool pn_know_keys(pn_plan *plan, const pith_slot *object);

/* Of keys that are known: their bytes with the colons, for level 2 their weight, their size
 * in JSON and their hash, and whether two objects have the same. */
int64_t pn_keys_len(const pn_plan *plan, const pith_slot *object);
int64_t pn_keys_weight(const pn_plan *plan, const pith_slot *object);
size_t pn_keys_json(const pn_plan *plan, const pith_slot *object);
uint64_t pn_keys_hash(const pn_plan *plan, const pith_slot *object);
bool pn_same_keys(const pn_plan *plan, const pith_slot *a, const pith_slot *b);

/* Makes the level of a table again; PN_PLAIN when out of memory. */
uint32_t pn_plan_table(pn_plan *plan, uint32_t number);

/* Takes a level off the plan, with all that was added after it. */
void pn_drop_level(pn_plan *plan, const pn_level *level);

static inline pn_record *pn_records(const pn_plan *plan)
{
    return plan->records.at;
}

static inline pn_level *pn_level_at(const pn_plan *plan, uint32_t index)
{
    assert(index < plan->levels.count);
    return plan->levels.at + index;
}

static inline pn_column *pn_columns_of(const pn_plan *plan, const pn_level *level)
{
    assert(level->first <= plan->columns.count);
    return plan->columns.at + level->first;
}

static inline uint32_t *pn_numbers(const pn_plan *plan, uint32_t from)
{
    assert(from <= plan->numbers.count);
    return plan->numbers.at + from;
}

/* The place of a shape in the table: where it is, or where it would go. */
static inline pn_shape *pn_shape_at(const pn_plan *plan, uint16_t shape)
{
    assert(plan->shape_room > 0 && shape != SHAPE_NONE);
    size_t mask = plan->shape_room - 1;
    size_t at = hash_small(plan->doc->shapes.seed, shape) & mask;
    while (plan->shapes[at].shape != shape && plan->shapes[at].shape != SHAPE_NONE)
        at = (at + 1) & mask;
    return &plan->shapes[at];
}

static inline uint64_t pn_sequence_id(const pith_slot *slots, const pith_slot *object)
{
    return object->shape != SHAPE_NONE ? (uint64_t)object->shape
                                       : UINT64_C(0x10000) + (uint64_t)(object - slots);
}

/* Where the columns of the object's members are listed. */
static inline uint32_t pn_map_index(const pn_plan *plan, const pn_level *level,
                                    const pith_slot *object)
{
    const pn_sequence *all = plan->sequences.at + level->sequences;
    uint64_t id = pn_sequence_id(plan->doc->slots, object);
    uint32_t at = hash_small(plan->doc->shapes.seed, id) & level->mask;
    while (all[at].id != id)
        at = (at + 1) & level->mask;
    return all[at].map;
}

/* The columns of the object's members. */
static inline const uint32_t *pn_map_of(const pn_plan *plan, const pn_level *level,
                                        const pith_slot *object)
{
    return pn_numbers(plan, pn_map_index(plan, level, object));
}

#endif
