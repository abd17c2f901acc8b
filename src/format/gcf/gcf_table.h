/*
 * gcf_table.h - which values make a table, what its fields are, and what becomes of them.
 *
 * Any run of objects is a table, the elements of an array as well as the members of an
 * object, however different their keys are: the fields are the union of all keys in the
 * order in which they are first seen. What a row lacks is written as ~.
 *
 *     {"id":1,"at":{"x":3,"y":4},"tags":["a"]}      [2]{id,"at>x","at>y",tags,note}
 *     {"id":2,"tags":[],"note":"-"}                 @0 1|3|4|^|~
 *                                                   .tags [1]: a
 *                                                   @1 2|~|~|^|"-"
 *                                                   .tags [0]
 *
 * Nested values make the difference between fields. If all objects of a field have the
 * same keys throughout and only scalars at the bottom, the field is spread over columns
 * of its own; if that is not possible, its objects may still share a list of keys
 * (^{a,b,c}); arrays that are all tables with the same fields need only name them once.
 * Everything else is below its row, in full.
 *
 * Most tables are simple: all rows have the same shape, and nothing is nested. For them
 * nothing is looked at but one slot of each row, and nothing is written down. For any
 * other table doc/columns finds the columns, and each has a field. All lists are stacks,
 * since a table may be opened while another is being written: a table remembers where its
 * part begins, and closing it takes that part off again.
 */
#ifndef FORMAT_GCF_GCF_TABLE_H
#define FORMAT_GCF_GCF_TABLE_H

#include "doc/columns.h"
#include "format/gcf/gcf_scalar.h"

#include <assert.h>

/* How the values of a field are written. */
typedef enum gcf_form {
    GCF_PLAIN,    /* scalars in the cell, anything nested below the row */
    GCF_FLAT,     /* objects spread over columns of their own */
    GCF_INLINE,   /* objects as a line of values, their keys named in the first row */
    GCF_SHARED,   /* arrays that are tables, their fields named in the first row */
    GCF_PATHLIKE, /* named like a path column and not SHARED: always below the row */
    GCF_CONSTANT  /* the same scalar in every row: in the header */
} gcf_form;

/* The kinds of values a field has been seen with: a bit for each. */
#define GCF_SEEN(kind) (1u << (kind))

typedef struct gcf_table_field {
    const pith_key *key;
    const pith_slot *sample; /* the first object or array; the value of a constant */
    uint32_t columns;        /* 0 if it is named like a path column */
    uint32_t names;          /* of a shared field: where its list begins on the stack */
    uint32_t name_count;     /* and how long it is */
    uint8_t form;
    uint16_t seen;
    bool bare; /* the key needs no quotes */
    bool may_be_flat;
    bool may_be_inline;
    bool may_be_shared;
} gcf_table_field;

typedef struct gcf_table {
    const pith_slot *rows; /* the container they are in */
    const pith_key *key;   /* of the next row of a keyed table; NULL in an array */
    const pith_slot *row;  /* the next row */
    uint32_t index;        /* its number */
    bool simple;           /* nothing is listed; all rows have the shape of the first */
    bool has_pathlike;
    bool only_columns; /* every field has a cell in every row */

    /* The fields whose values may be below their row are among these. */
    size_t attach_from;
    size_t attach_until;

    column_table columns;
    size_t field_count;

    /* Where its parts begin on the stacks. */
    size_t fields;
    size_t names;
} gcf_table;

typedef struct gcf_options {
    bool flatten;
    bool inline_schema;
    bool shared_schema;
    bool expand_sparse;
} gcf_options;

/* What is known about all tables of a document. */
typedef struct gcf_tables {
    pith_alloc alloc;
    const pith_doc *doc;
    gcf_options options;
    doc_columns columns; /* its notes on shapes are GCF_KEYS_... */

    /* Stacks. Code that puts nothing on top asks for room all the same, so that places on
     * a stack can be computed. */
    LIST(gcf_table_field) fields; /* one for each column */
    LIST(const pith_key *) names; /* lists of shared fields */

    uint8_t *objects; /* of each slot, if it is an object, whether it can be flat */
} gcf_tables;

typedef enum gcf_verdict { GCF_NO_TABLE, GCF_IS_TABLE, GCF_NO_MEMORY } gcf_verdict;

void gcf_tables_init(gcf_tables *tables, const pith_doc *doc, const gcf_options *options,
                     pith_alloc alloc);
void gcf_tables_free(gcf_tables *tables);

/* Whether the children of the container are the rows of a table; if so
 * it is open and has to be closed, the last one first. With `constants`, columns that are
 * the same in all rows are found. */
gcf_verdict gcf_table_open(gcf_tables *tables, gcf_table *table,
                           const pith_slot *container, bool constants);
void gcf_table_close(gcf_tables *tables, const gcf_table *table);

/* The same, but only finding the fields, without asking what becomes of them. */
gcf_verdict gcf_union_open(gcf_tables *tables, gcf_table *table,
                           const pith_slot *container);

/* The fields of an open table. */
static inline gcf_table_field *gcf_fields(const gcf_tables *tables,
                                          const gcf_table *table)
{
    assert(!table->simple);
    return tables->fields.at + table->fields;
}

/* A field for each column that came with the row. False when out of memory. */
bool gcf_add_fields(gcf_tables *tables, gcf_table *table, const pith_slot *row,
                    const uint32_t *map);

/* The columns of a row's members in `*map`; NULL: 0, 1, 2 and so on. False when out of
 * memory. Good until the next call. */
static inline bool gcf_row_map(gcf_tables *tables, gcf_table *table, const pith_slot *row,
                               const uint32_t **map)
{
    columns_met met = columns_meet(&tables->columns, &table->columns, row, COLUMNS_ADD);
    *map = met == COLUMNS_MAPPED ? columns_map(&tables->columns, &table->columns) : NULL;
    return met != COLUMNS_FAILED && (table->columns.count == table->field_count ||
                                     gcf_add_fields(tables, table, row, *map));
}

/* The values of a row by fields, NULL where it has none; NULL when out of memory. Good
 * until the next call. */
static inline const pith_slot *const *gcf_row_cells(gcf_tables *tables, gcf_table *table,
                                                    const pith_slot *row)
{
    return columns_arrange(&tables->columns, &table->columns, row);
}

/* ------------------------------------------------------------- nested values */

/* What the values of a field allow, gathered one by one. False when out of memory. */
bool gcf_meet_object(gcf_tables *tables, gcf_table_field *field, const pith_slot *object);
bool gcf_meet_array(gcf_tables *tables, size_t field, const pith_slot *array);

/* The scalars inside an object that can be flat. */
uint32_t gcf_count_leaves(const gcf_tables *tables, const pith_slot *object);

/* ----------------------------------------------------------------- small things */

/* What is known of keys. */
enum {
    GCF_KEYS_KNOWN = 1,
    GCF_KEYS_BARE = 2, /* none needs quotes */
    GCF_KEYS_CLEAN = 4 /* none is empty or holds a >, so they can be parts of a path */
};

/* Of the keys of an object, as bits. Objects of one shape are asked once. */
uint8_t gcf_know_keys(gcf_tables *tables, const pith_slot *object);

static inline bool gcf_is_pathlike(const pith_key *key)
{
    return key->len > 0 && memchr(key->text, '>', key->len) != NULL;
}

/* True when nothing inside the container takes more than one slot: then it holds scalars
 * and empty containers only. */
static inline bool gcf_is_shallow(const pith_doc *doc, const pith_slot *container)
{
    return doc->slots + doc_children_end(container) == container + 1 + container->n;
}

#endif
