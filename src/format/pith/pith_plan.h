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
 * own, and `behind` is the number of the one behind its end; so whoever walks slots walks
 * the records along with them. Whoever asks about containers alone walks only the records,
 * which lie closer together than the slots do.
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

#include "base/list.h"
#include "format/pith/pith_scalar.h"

typedef struct pn_record {
    int64_t extra;   /* bytes of the one-line form beyond those of its scalars */
    uint32_t behind; /* the number of the container behind it */
    uint32_t level;  /* of a table or map; PN_PLAIN for an array or object */
    uint32_t slot;
    uint32_t end; /* the slot behind it */
    uint32_t n;   /* its children */
    uint16_t shape;
    bool object;
    bool rows; /* an array of nothing but objects */
} pn_record;

#define PN_PLAIN UINT32_MAX

/* A table or map of few rows, whose level is made again when it is written. Most of those
 * never are: they become rows of a table column further up, and keeping what was found
 * out about each would take more memory than the text. */
#define PN_LATER (UINT32_MAX - 1)

enum { PN_FEW_ROWS = 32 };

/* How long the lists of a plan were at some moment. */
typedef struct pn_mark {
    size_t levels, columns, sequences, numbers;
} pn_mark;

typedef enum pn_kind { PN_LEAF, PN_CONSTANT, PN_GROUP, PN_TABLE } pn_kind;

typedef struct pn_column {
    const pith_key *key;
    const pith_slot *constant;
    uint32_t level; /* of a group or table column */
    uint32_t total; /* the inner rows of a table column */
    uint8_t kind;
} pn_column;

typedef struct pn_level {
    uint32_t first; /* of its columns */
    uint32_t count;
    uint32_t width;     /* cells in a row */
    uint32_t sequences; /* where they are kept; their number is a power of two */
    uint32_t mask;
    uint32_t cells; /* steady: where its cells lie in the row's run of slots */
    uint32_t span;  /* steady: slots in a row */
    uint16_t shape; /* of all objects here, or SHAPE_NONE when they differ */
    bool steady;    /* every row is laid out alike, and its cells are scalars */
    bool sure;      /* it has one cell, and no row lacks it */
    bool bare;      /* all have one shape, and none of its keys needs quotes */
    bool crossed;   /* there are rows whose members are not in the order of the columns */
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
    uint64_t steady; /* a bit for each of the first 64 columns: the same in all of them */
    uint64_t unsure; /* and for those that were not compared: the first is a long text */
    uint32_t count;  /* of them */
    uint32_t sample; /* the slot of the first */
    uint32_t keys;   /* bytes of its keys with their colons */
    uint32_t stamp;  /* the search for columns that met it last */
    uint16_t shape;  /* SHAPE_NONE for an empty place */
    bool bare;       /* no key needs quotes */
    bool nested;     /* there is a container in one of them */
} pn_shape;

enum { PN_STEADY_MOST = 64, PN_SHORT = 16 };

/* What that says about a column of a table with `rows` rows of the shape. */
typedef enum pn_change {
    PN_CHANGES_NEVER,
    PN_CHANGES_SURELY,
    PN_CHANGES_PERHAPS
} pn_change;

static inline pn_change pn_change_of(const pn_shape *shape, uint32_t column,
                                     uint32_t rows)
{
    if (column >= PN_STEADY_MOST || (shape->unsure >> column & 1)) {
        return PN_CHANGES_PERHAPS;
    }
    if (shape->steady >> column & 1) {
        return PN_CHANGES_NEVER;
    }
    return shape->count == rows ? PN_CHANGES_SURELY : PN_CHANGES_PERHAPS;
}

/* True when both can be the constant of one column. */
static inline bool pn_same_constant(const pith_slot *a, const pith_slot *b, bool shortest)
{
    if (slot_is_container(a)) {
        return a->kind == b->kind && a->n == 0 && b->n == 0;
    }
    return pn_same_scalar(a, b, shortest);
}

/* The slot behind a value. */
static inline const pith_slot *pn_behind(const pith_slot *slots, const pith_slot *value)
{
    return slot_is_container(value) ? slots + value->u.link.next : value + 1;
}

/* What objects have in common. */
typedef struct pn_kin {
    uint64_t members; /* of all of them */
    uint16_t shape;   /* SHAPE_NONE when they differ */
    bool met;         /* there is one at least */
} pn_kin;

static inline void pn_kin_add(pn_kin *kin, uint16_t shape, uint32_t members)
{
    kin->shape = !kin->met || kin->shape == shape ? shape : (uint16_t)SHAPE_NONE;
    kin->met = true;
    kin->members += members;
}

/* What has been measured of a container that has not: the containers in it. Those of its
 * last child come first, so the one whose turn it is is always the last on its list. */
typedef struct pn_family {
    int64_t extra;
    uint32_t parent; /* its slot */
    uint32_t count;  /* of the containers, and all in them */
    uint32_t objects;
    pn_kin kin;
} pn_family;

/* ------------------------------------------------------- scratch of the search */

/* What the values of a column are like. */
typedef struct pn_stat {
    const pith_slot *sample; /* the first of them */
    int64_t extra;
    uint32_t present;
    uint32_t containers; /* among them */
    uint32_t items;      /* of `items`, those of this column */
    uint32_t total;      /* objects in its arrays */
    uint32_t filled;     /* arrays that are not empty */
    uint32_t refs;       /* where their list ends, counted from the step's */
    pn_kin kin;          /* of its objects, or those in its arrays */
    uint8_t seen;
} pn_stat;

/* A container in a column. */
typedef struct pn_item {
    uint32_t number;
    uint32_t column;
    bool object; /* not an array */
} pn_item;

/* A sequence of keys that was found; see pn_sequence. */
typedef struct pn_found {
    uint64_t id;
    uint32_t map;
    uint32_t count;
} pn_found;

/* ------------------------------------------------------- scratch of the survey */

/* A column. */
typedef struct pn_spot {
    const pith_slot *sample; /* the first value */
    int64_t extra;
    uint32_t containers; /* among the values */
    uint32_t arrays;     /* of nothing but objects */
    uint32_t total;      /* objects in those */
    uint32_t filled;     /* of those arrays, the ones that are not empty */
    uint32_t node;       /* of its objects, or those in its arrays; 0 for none yet */
    uint8_t seen;
    uint8_t kind;
    bool changes;
} pn_spot;

/* Objects of one shape that become a level. */
typedef struct pn_node {
    int64_t bytes;    /* of the cells */
    int64_t header;   /* of the list of columns, with a comma behind each */
    uint32_t first;   /* of its spots */
    uint32_t columns; /* how many those are */
    uint32_t count;   /* objects */
    uint32_t rows;    /* how many there will be, if that is known, else 0 */
    uint32_t unknown; /* where the columns are listed that have not changed so far */
    uint32_t steady;  /* how many those are */
    uint32_t width;   /* cells */
    uint32_t level;
    uint16_t shape;
    bool nested; /* there may be containers in the objects */
    bool bare;   /* no key needs quotes */
    bool even;   /* all rows are laid out alike, and hold scalars */
    bool used;   /* it becomes a level */
} pn_node;

/* ------------------------------------------------------------------- the plan */

typedef struct pn_plan {
    const pith_doc *doc;
    pith_alloc alloc;
    bool groups, table_columns, constants, maps, shortest, order_free;

    /* What stays. */
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

    /* Containers that wait to be measured: see pith_plan.c. */
    LIST(pn_family) families;

    /* Scratch: see pith_column.c and pith_order.c. */
    LIST(uint32_t) refs; /* numbers of containers */
    LIST(pn_stat) stats;
    LIST(pn_item) items;
    LIST(pn_found) found;
    LIST(uint32_t) table;
    LIST(uint32_t) work;
    LIST(pn_node) nodes; /* see pith_survey.c */
    LIST(pn_spot) spots;
    uint32_t stamp;
} pn_plan;

/* Plans the value at `root`; false when out of memory. Free it either way. */
bool pn_plan_make(pn_plan *plan, const pith_doc *doc, uint32_t root, const settings *set,
                  pith_alloc alloc);
void pn_plan_free(pn_plan *plan);

/* Makes the level of a table again; PN_PLAIN when out of memory. */
uint32_t pn_plan_table(pn_plan *plan, uint32_t number, uint32_t count);

pn_mark pn_set_mark(const pn_plan *plan);
void pn_back_to_mark(pn_plan *plan, pn_mark mark);

/* What was seen among the values of a column. */
enum {
    PN_SAW_SCALAR = 1,
    PN_SAW_EMPTY = 2,  /* {} */
    PN_SAW_OBJECT = 4, /* any other object */
    PN_SAW_ROWS = 8,   /* an array of nothing but objects */
    PN_SAW_LIST = 16   /* any other array */
};

static inline bool pn_may_be_group(const pn_plan *plan, uint8_t seen)
{
    return plan->groups && seen == PN_SAW_OBJECT;
}

static inline bool pn_may_be_table(const pn_plan *plan, uint8_t seen, uint32_t total)
{
    return plan->table_columns && seen == PN_SAW_ROWS && total > 0;
}

/* Objects that follow each other: the numbers of the first and of what is behind them. */
typedef struct pn_chain {
    uint32_t first;
    uint32_t end;
    uint32_t count;
} pn_chain;

/* Decides whether the objects make a table, if they are alike, and all objects and arrays
 * in them; else `*alike` is false. The level is made only to `keep` it, else it is
 * PN_LATER; for the rest see pn_find_table. */
bool pn_survey_table(pn_plan *plan, pn_chain rows, bool keep, bool *alike,
                     uint32_t *level, int64_t *extra);

/* The keys of the shape as columns, behind those there are; and where the cells of a
 * steady level lie. Both are false when out of memory. */
bool pn_take_shape(pn_plan *plan, uint16_t shape);
bool pn_list_cells(pn_plan *plan, pn_level *level);

/* Decides whether the objects whose numbers are refs [from, from + count) make a table;
 * its level and its extra bytes but for the brackets, the count and the rows' keys.
 * PN_PLAIN when they do not. False when out of memory. */
bool pn_find_table(pn_plan *plan, size_t from, uint32_t count, pn_kin kin,
                   uint32_t *level, int64_t *extra);

/* Finds the columns of those objects, which stand in `rows` rows, and appends them;
 * fills in the level. `*found` is false when there are none that would do. */
bool pn_find_columns(pn_plan *plan, size_t from, uint32_t count, uint64_t rows,
                     pn_kin kin, pn_level *level, bool *found);

static inline pn_record *pn_records(const pn_plan *plan)
{
    return plan->records.at;
}

static inline pn_level *pn_level_at(const pn_plan *plan, uint32_t index)
{
    return plan->levels.at + index;
}

static inline pn_column *pn_columns_of(const pn_plan *plan, const pn_level *level)
{
    return plan->columns.at + level->first;
}

static inline uint32_t *pn_numbers(const pn_plan *plan, uint32_t from)
{
    return plan->numbers.at + from;
}

/* The place of a shape in the table: where it is, or where it would go. */
static inline pn_shape *pn_shape_at(const pn_plan *plan, uint16_t shape)
{
    size_t mask = plan->shape_room - 1;
    size_t at = hash_small(plan->doc->shapes.seed, shape) & mask;
    while (plan->shapes[at].shape != shape && plan->shapes[at].shape != SHAPE_NONE) {
        at = (at + 1) & mask;
    }
    return &plan->shapes[at];
}

/* Bytes of the keys of an object that has been measured, colons included. */
int64_t pn_keys_len(const pn_plan *plan, const pith_slot *object);

/* Large tables are looked at level by level, and each level jumps through memory: what
 * will be wanted a few rows later is asked for beforehand. */
enum { PN_AHEAD = 24 };

static inline void pn_prefetch(const void *address)
{
#if defined(__GNUC__)
    __builtin_prefetch(address);
#else
    (void)address;
#endif
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
    while (all[at].id != id) {
        at = (at + 1) & level->mask;
    }
    return all[at].map;
}

/* The columns of the object's members. */
static inline const uint32_t *pn_map_of(const pn_plan *plan, const pn_level *level,
                                        const pith_slot *object)
{
    return pn_numbers(plan, pn_map_index(plan, level, object));
}

#endif
