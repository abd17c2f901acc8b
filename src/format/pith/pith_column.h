/*
 * pith_column.h - what the search for a table's columns keeps meanwhile.
 *
 * The rows of a level are not always one after the other: those of a group are members of
 * the rows around it, those of a table column are spread over arrays. So each column has
 * a list of its containers, as numbers of records, linked in the order of the rows:
 *
 *     items    [ customer | items | customer | items | ... ]
 *                   `----------------^
 *
 * They are taken as rows (a group) or rows are in them (a table column, the table itself).
 */
#ifndef FORMAT_PITH_PITH_COLUMN_H
#define FORMAT_PITH_PITH_COLUMN_H

#include "doc/names.h"
#include "format/pith/pith_plan.h"

#include <assert.h>

/* ----------------------------------------------------------------- what changes */

enum { PN_COMPARED_MOST = 64, PN_SHORT = 16 };

/* What that says about a column of a table with `rows` rows of the shape. */
typedef enum pn_change {
    PN_CHANGES_NEVER,
    PN_CHANGES_SURELY,
    PN_CHANGES_PERHAPS
} pn_change;

static inline pn_change pn_change_of(const pn_shape *shape, uint32_t column,
                                     uint64_t rows)
{
    if (column >= PN_COMPARED_MOST || (shape->skipped >> column & 1))
        return PN_CHANGES_PERHAPS;
    if (shape->same >> column & 1)
        return PN_CHANGES_NEVER;
    return shape->count == rows ? PN_CHANGES_SURELY : PN_CHANGES_PERHAPS;
}

/* True when both can be the constant of one column. */
static inline bool pn_same_constant(const pith_slot *a, const pith_slot *b, bool shortest)
{
    if (slot_is_container(a))
        return a->kind == b->kind && a->n == 0 && b->n == 0;
    return pn_same_scalar(a, b, shortest);
}

/* The slot after a value. */
static inline const pith_slot *pn_after(const pith_slot *slots, const pith_slot *value)
{
    return slot_is_container(value) ? slots + value->u.link.next : value + 1;
}

/* ----------------------------------------------------------------------- costs */

/* What the columns of a level cost, beyond the bytes of the scalars in its rows. It
 * begins with the names in the header, a separator after each, and each column adds to
 * that by the form it takes. */
typedef struct pn_cost {
    int64_t cells;
    int64_t header;
    int64_t width;  /* cells in a row */
    int64_t weight; /* level 2: of the table */
} pn_cost;

/* `extra` is that of all its values. */
static inline void pn_cost_leaf(pn_cost *cost, int64_t extra)
{
    cost->cells += extra;
    cost->width++;
}

/* The value moves from `rows` rows into the header: =value */
static inline void pn_cost_constant(pn_cost *cost, const pith_slot *value, uint64_t rows,
                                    bool shortest)
{
    int64_t len = slot_is_container(value) ? 0 : pn_scalar_len(value, shortest);
    cost->header += 1 + (slot_is_container(value) ? 2 : len);
    cost->cells -= len * (int64_t)rows;
}

/* {columns}; false, with nothing done, when a leaf of so many extra bytes is shorter. */
static inline bool pn_cost_group(pn_cost *cost, const pn_cost *inner, uint64_t rows,
                                 int64_t extra)
{
    int64_t header = inner->header - 1 + 2;
    if (inner->cells + (inner->width - 1) * (int64_t)rows + header >= extra)
        return false;
    cost->cells += inner->cells;
    cost->header += header;
    cost->width += inner->width;
    return true;
}

/* [total{columns}], and in the cells [row;row]: likewise. Of the arrays `filled` are not
 * empty. */
static inline bool pn_cost_table(pn_cost *cost, const pn_cost *inner, uint32_t total,
                                 uint32_t arrays, uint32_t filled, int64_t extra)
{
    int64_t header = inner->header - 1 + 4 + pn_digits_of(total);
    int64_t commas = (inner->width - 1) * (int64_t)total;
    int64_t cells = inner->cells + commas + 2 * (int64_t)arrays + (total - filled);
    if (cells + header >= extra)
        return false;
    cost->cells += cells;
    cost->header += header;
    cost->width++;
    return true;
}

/* All of a table but the brackets and the count. */
static inline int64_t pn_cost_rows(const pn_cost *cost, uint64_t rows)
{
    return cost->header - 1 + cost->cells + cost->width * (int64_t)rows;
}

/* ------------------------------------------------------------------- the search */

/* A container in a column, and the next one there. The first of all items is none. */
enum { PN_NO_ITEM = 0 };

typedef struct pn_item {
    uint32_t number;
    uint32_t next;
} pn_item;

/* The objects that become the rows of a level. */
typedef struct pn_row_list {
    uint64_t rows;  /* of the table around them; some may have no object */
    uint32_t items; /* the first of the list */
    uint32_t count; /* of the objects */
    bool inside;    /* they are in the containers of the list; else they are those */
    uint16_t shape; /* of all of them, or SHAPE_NONE when they differ */
} pn_row_list;

/* The values of a column. */
typedef struct pn_column_sums {
    const pith_slot *sample; /* the first of them */
    int64_t extra;
    uint32_t present;
    uint32_t containers; /* among them */
    uint32_t arrays;     /* among those */
    uint32_t total;      /* what is in the arrays */
    uint32_t filled;     /* arrays that are not empty */
    uint32_t first;      /* containers that are not empty: a list of items */
    uint32_t last;
    uint16_t shape; /* of its objects, or those in its arrays; SHAPE_NONE: they differ */
    uint8_t seen;
    bool changes; /* it is no constant: two differ, or there may be none */
} pn_column_sums;

/* What was seen among the values of a column. */
enum {
    PN_SAW_SCALAR = 1,
    PN_SAW_EMPTY = 2,  /* {} */
    PN_SAW_OBJECT = 4, /* any other object */
    PN_SAW_ROWS = 8,   /* an array of nothing but objects */
    PN_SAW_LIST = 16   /* any other array */
};

/* A level that is being decided about. */
typedef struct pn_step {
    pn_row_list rows;
    pn_cost cost; /* of the columns decided so far */
    uint32_t level;
    uint32_t column;    /* the one that is looked at */
    uint32_t constants; /* of those before it */
    size_t sums;
    size_t items; /* those of its columns */
} pn_step;

/* A sequence of keys that was found; see pn_sequence. */
typedef struct pn_found {
    uint64_t id;
    uint32_t map;
    uint32_t count;
} pn_found;

/* Level 2: the weight of a column, and the mark that leaves the least of it. Until that
 * is decided, what is known of its cells. */
enum { PN_FREQUENT = 4 };

typedef struct pn_column_marks {
    int64_t prices;  /* of all cells */
    int64_t part;    /* what is left of them by the mark */
    int64_t emptied; /* ditto: the prices of cells like the one above */
    uint32_t above;  /* the last cell so far */
    uint32_t equal;  /* cells like the one above */
    uint32_t present;
    uint32_t first; /* the first cell */
    uint32_t begin; /* template: bytes that all begin with, and end with */
    uint32_t end;
    int64_t bytes; /* template: what the cells take less than without it */
    int64_t cells; /* and what they weigh */
    uint32_t frequent[PN_FREQUENT]; /* default: cells that may be the most frequent, */
    uint32_t votes[PN_FREQUENT];    /* and how often, at least; then exactly */
    uint8_t voted; /* the place of the last cell in that list; PN_FREQUENT for none */
    uint8_t neighbours; /* template: the kinds of bytes next to the shared ones */
    bool strings;       /* all cells are */
    bool quoted;        /* some are in quotes */
    bool counted, trimmed, filled; /* which passes it is in */
    uint8_t mark;
} pn_column_marks;

typedef struct pn_search {
    pn_plan *plan;
    bool keep; /* the level is wanted, not only what it costs */
    bool map;
    size_t depth;
    pn_step steps[PN_LEVELS_MOST];
    LIST(pn_item) items;
    LIST(pn_column_sums) sums;
    LIST(pn_column_marks) marks; /* level 2: as many, see pith_dense_marks.c */
    LIST(uint32_t) open_columns; /* those that have not changed so far */

    /* See pith_order.c. */
    LIST(pn_found) found;
    name_list names;
    LIST(uint32_t) work;
    uint32_t stamp;
} pn_search;

/* A walk through the rows of a level. */
typedef struct pn_cursor {
    uint32_t row; /* the number of its record */
    uint32_t next, end;
    uint32_t item;
    bool inside;
} pn_cursor;

static inline pn_cursor pn_before_rows(const pn_row_list *rows)
{
    pn_cursor cursor = {0, 0, 0, rows->items, rows->inside};
    return cursor;
}

/* Goes to the next row; false when there is none. */
static inline bool pn_cursor_next(const pn_search *search, pn_cursor *cursor)
{
    const pn_record *records = pn_records(search->plan);
    if (cursor->next == cursor->end) {
        if (cursor->item == PN_NO_ITEM)
            return false;
        const pn_item *item = &search->items.at[cursor->item];
        cursor->item = item->next;
        cursor->next = item->number - cursor->inside;
        cursor->end = records[item->number].after;
    }
    cursor->row = cursor->next;
    cursor->next = records[cursor->row].after;
    return true;
}

/* The first row. */
static inline uint32_t pn_first_row(const pn_search *search, const pn_row_list *rows)
{
    assert(rows->items != PN_NO_ITEM);
    return search->items.at[rows->items].number - rows->inside;
}

/* Of a table without the brackets and the count, and without the keys of a map: the extra
 * bytes, and of level 2 the weight. */
typedef struct pn_table_cost {
    int64_t extra;
    int64_t weight;
} pn_table_cost;

/* Decides whether the children of the container `number`, which are objects, make a
 * table: `*level` is PN_PLAIN when they do not. It can be written only if it was made to
 * `keep` it. False when out of memory. */
bool pn_find_table(pn_plan *plan, uint32_t number, uint16_t shape, bool keep,
                   uint32_t *level, pn_table_cost *cost);
void pn_search_free(pn_plan *plan);

/* Level 2: weighs the columns of a step and marks them. False when out of memory. */
bool pn_mark_columns(pn_search *search, const pn_step *step, uint32_t columns);

/* Finds the columns of the rows and appends them, fills in the level and begins its cost.
 * `*found` is false when there are none that would do. False when out of memory. */
bool pn_find_columns(pn_search *search, const pn_row_list *rows, pn_level *level,
                     pn_cost *cost, bool *found);

#endif
