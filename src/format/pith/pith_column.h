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
    uint32_t column; /* the one that is looked at */
    size_t sums;
    size_t items; /* those of its columns */
    pn_mark mark; /* before it */
} pn_step;

/* A sequence of keys that was found; see pn_sequence. */
typedef struct pn_found {
    uint64_t id;
    uint32_t map;
    uint32_t count;
} pn_found;

typedef struct pn_search {
    pn_plan *plan;
    bool keep; /* the level is wanted, not only what it costs */
    size_t depth;
    pn_step steps[PN_LEVELS_MOST];
    LIST(pn_item) items;
    LIST(pn_column_sums) sums;
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

/* Finds the columns of the rows and appends them, fills in the level and begins its cost.
 * `*found` is false when there are none that would do. False when out of memory. */
bool pn_find_columns(pn_search *search, const pn_row_list *rows, pn_level *level,
                     pn_cost *cost, bool *found);

#endif
