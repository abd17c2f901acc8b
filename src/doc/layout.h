/*
 * layout.h - what the rows of a table become on the tape.
 *
 *     {id, customer: {name, city}, region = "eu", total}
 *
 * Rows are flat lists of cells, but the objects they become may have objects in them, and
 * values that no cell is needed for. So the columns of a table are a tree of groups, cells
 * and fixed values. From the tree a template is made, once: the slots of a row that are
 * known beforehand, and the place of each cell, counted from the row.
 *
 *     0 OBJECT n=4 next=7         {id,customer,region,total}
 *     1 cell 0                    id
 *     2 OBJECT n=2 next=5 in 0    {name,city}
 *     3 cell 1                    name
 *     4 cell 2                    city
 *     5 "eu"                      region
 *     6 cell 3                    total
 *
 * A row is read into its places after the last slot of the tape; then the template is
 * put over it, and it is done. An object that can have no shape ends with a slot that
 * points at its keys, the same list in all rows.
 *
 * Sparse rows. A row may lack cells: absent ones have no key, a group is absent if all
 * its cells are, and null if all that are there are null. Such a row has other keys than
 * the full one; but there are few ways to lack something, and thousands of rows for each.
 * So there is a template for each of those ways, and the cells, read into the places of a
 * full row, move up.
 *
 *     7|~|~|500       lacks .xx., becomes { 0 "eu" 3 }
 *
 * Texts are borrowed: those of keys must stay as long as the layout does, and for rows
 * without a shape as long as the documents.
 */
#ifndef DOC_LAYOUT_H
#define DOC_LAYOUT_H

#include "base/list.h"
#include "doc/build.h"

#include <assert.h>

/* What a cell is in a row. A group is what its cells are, or-ed together. */
enum { CELL_ABSENT = 1, CELL_NULL = 2, CELL_VALUE = 4 };

/* Wider rows have no templates for what they lack; others have at most so many. */
enum { LAYOUT_SPARSE_MOST = 256, LAYOUT_PATTERNS = 48, LAYOUT_INDEX = 64 };

typedef enum column_kind { COLUMN_GROUP, COLUMN_CELL, COLUMN_FIXED } column_kind;

typedef struct layout_column {
    column_kind kind;
    bool loose;     /* GROUP: it is not to have a shape */
    uint16_t shape; /* GROUP: with all its members; SHAPE_NONE: it has none */
    uint16_t from; /* the shape to which the key was added last in a row that was built */
    uint16_t to;   /* column by column, and what it became; SHAPE_NONE: none yet */
    uint32_t number; /* CELL: as given; GROUP: its place in row_layout.states */
    uint32_t parent; /* the group around it */
    uint32_t first;  /* GROUP: its members: first, last; 0 for none */
    uint32_t last;
    uint32_t next;  /* the member after it, or 0 */
    uint32_t depth; /* GROUP: objects around it, itself included */
    uint32_t end;   /* GROUP: where, in `order`, the column after its last member is */
    uint32_t stamp; /* GROUP: its slot in the template that is being made */
    pith_key key;
    pith_slot value;      /* FIXED */
    const pith_key *keys; /* GROUP: those of its members, if it has no shape */
} layout_column;

/* A slot of every row that is known beforehand. Links count from the row. */
typedef struct layout_stamp {
    uint32_t at;
    uint32_t column;
    pith_slot slot;
} layout_stamp;

typedef struct layout_move {
    uint32_t from; /* the place of a cell in a full row */
    uint32_t to;
} layout_move;

typedef struct row_template {
    LIST(layout_stamp) stamps;
    LIST(layout_move) moves; /* of cells, in a sparse row */
    size_t slots;            /* of a row */
} row_template;

typedef struct row_layout {
    LIST(layout_column) columns; /* the first is the row itself, a group */
    LIST(uint32_t) order;        /* all others in the order of the tape */
    size_t cell_count;           /* one more than the largest number */
    size_t group_count;          /* the row not counted */
    size_t levels;               /* of objects in a row */
    size_t renewed;              /* of the shapes, when the layout was planned */
    bool loose;                  /* the row, or an object in it, has no shape */
    uint32_t *place;             /* of each cell: its slot, from the row */
    size_t place_cap;
    uint8_t *states; /* what cells and groups are in a row: see layout_reset_states */
    size_t state_cap;
    row_template full;
    LIST(row_template)
    patterns; /* of sparse rows; those from pattern_count on are spare */
    size_t pattern_count;
    LIST(uint8_t) pattern_states; /* of the cells, for each pattern */
    uint8_t index[LAYOUT_INDEX];  /* patterns by hash: number + 1; 0: empty */
} row_layout;

/* Begins a new layout; memory stays. A zeroed one may be cleared and freed. False when out
 * of memory. */
bool layout_clear(row_layout *layout, const pith_alloc *alloc);
void layout_free(row_layout *layout, const pith_alloc *alloc);

/* One more column, the last of the group `parent`; 0 is the row. Its number, or 0 when out
 * of memory. */
uint32_t layout_group(row_layout *layout, const pith_alloc *alloc, uint32_t parent,
                      const pith_key *key);
uint32_t layout_cell(row_layout *layout, const pith_alloc *alloc, uint32_t parent,
                     const pith_key *key, uint32_t cell);
uint32_t layout_fixed(row_layout *layout, const pith_alloc *alloc, uint32_t parent,
                      const pith_key *key, const pith_slot *value);

/* Makes the template. Lists of keys go to the arena, which the documents must not outlive.
 * To be done again after shapes were renewed. False when out of memory. */
bool layout_plan(row_layout *layout, pith_doc *doc, pith_arena *arena);

/* The first `room` keys of the row itself; how many it has. */
size_t layout_names(const row_layout *layout, pith_text *names, size_t room);

static inline bool layout_is_current(const row_layout *layout, const pith_doc *doc)
{
    return layout->renewed == doc->shapes.renewed;
}

/* The states of cells are compared eight at a time; those of groups come after them. */
static inline size_t layout_state_width(const row_layout *layout)
{
    return (layout->cell_count + 7) / 8 * 8;
}

static inline uint8_t *layout_group_states(const row_layout *layout)
{
    return layout->states + layout_state_width(layout);
}

/* All cells and groups are there; the states of those that are not can be set then. */
static inline void layout_reset_states(row_layout *layout)
{
    memset(layout->states, CELL_VALUE, layout_state_width(layout) + layout->group_count);
}

/* Finds out, from what the cells are, what the groups are; both in layout->states. */
void layout_weigh_groups(row_layout *layout);

/* What a column is in the row with those states. */
static inline unsigned layout_state(const row_layout *layout, const layout_column *column)
{
    return column->kind == COLUMN_FIXED ? (unsigned)CELL_VALUE
                                        : layout->states[column->number];
}

/* The template of rows whose cells are as layout->states says. NULL when there is none: the
 * row has to be built column by column. */
const row_template *layout_find_sparse(row_layout *layout, pith_doc *doc);

/* Room for a row, and a slot more, after the last slot of the tape; NULL when out of
 * memory. A cell goes to its place there. */
static inline pith_slot *layout_room(const row_layout *layout, pith_doc *doc)
{
    assert(layout_is_current(layout, doc));
    size_t slots = layout->full.slots;
    if (doc->cap - doc->count <= slots && !doc_reserve(doc, slots + 1))
        return NULL;
    return doc->slots + doc->count;
}

/* Puts a template over the row whose cells are in their places there. */
static inline void layout_put(const row_template *from, pith_doc *doc)
{
    uint32_t row = (uint32_t)doc->count;
    assert(doc->cap - doc->count >= from->slots);
    pith_slot *base = doc->slots + row;
    for (size_t i = 0; i < from->stamps.count; i++) {
        const layout_stamp *stamp = &from->stamps.at[i];
        pith_slot *slot = base + stamp->at;
        *slot = stamp->slot;
        if (slot->kind == PITH_OBJECT) {
            uint32_t parent = slot->u.link.parent;
            slot->u.link.next += row;
            slot->u.link.parent = parent == SLOT_NONE ? doc->open : row + parent;
        }
    }
    doc->count = row + from->slots;
    build_count(doc);
}

/* The same with the template of a sparse row. */
static inline void layout_put_sparse(const row_template *from, pith_doc *doc)
{
    pith_slot *base = doc->slots + doc->count;
    for (size_t i = 0; i < from->moves.count; i++) {
        const layout_move *move = &from->moves.at[i];
        assert(move->to <= move->from);
        base[move->to] = base[move->from];
    }
    layout_put(from, doc);
}

#endif
