/*
 * toon_table.h - which values make a table, and in what order its cells stand.
 *
 * A run of objects (the elements of an array, or the members of an object) is a table
 * when all of them have the same keys, in whatever order, and under each key either
 * only scalars or only objects that agree in the same way. The first object gives the
 * order of the columns:
 *
 *     {"id":1,"at":{"lat":1.5,"lon":2}}      {id,at{lat,lon}}:
 *     {"at":{"lon":4,"lat":3},"id":2}          1,1.5,2
 *                                              2,3,4
 *
 * A row whose keys come in the order of the first, at every level, is straight: its
 * cells are simply its scalars in tape order. Nearly all rows of nearly all tables are,
 * and then nothing about the columns is written down anywhere. Only when the first
 * crooked row turns up is a plan made of the columns, in which its cells find their
 * places by name.
 *
 * The question is asked of every array and object, and the answer "no" may come late,
 * after which the same question is asked of what is inside. That stays linear but for a
 * logarithm at the very worst: rows that differ much in size are refused before anything
 * inside them is looked at, so whatever is looked at in vain lies in one of several parts
 * of like size, and a value can lie in only so many of those, one inside the other.
 */
#ifndef FORMAT_TOON_TOON_TABLE_H
#define FORMAT_TOON_TOON_TABLE_H

#include "doc/levels.h"
#include "doc/names.h"
#include "format/toon/toon_scalar.h"

/* A member of the first row or of an object in it. It has the number of its name, whose
 * parent is the number of the object it is in, and 1; 0 is the row. */
typedef struct toon_column {
    const pith_slot *value;
    uint32_t place; /* its number among the cells, if it is one */
} toon_column;

typedef struct toon_table {
    pith_alloc alloc;
    const pith_doc *doc;
    const pith_slot *first; /* the first row */
    uint32_t count;         /* rows */
    uint32_t cells;         /* in each of them */
    bool flat;              /* no groups */
    bool straight;          /* every row has the order of the first */

    /* The plan, made when a row is not straight. */
    bool planned;
    name_list names;
    LIST(toon_column) columns;
    LIST(const pith_slot *) row; /* the cells of one row, in order */

    doc_levels levels; /* the objects a walk has entered */
} toon_table;

typedef enum toon_verdict { TOON_NO_TABLE, TOON_IS_TABLE, TOON_NO_MEMORY } toon_verdict;

void toon_table_init(toon_table *table, const pith_doc *doc, pith_alloc alloc);
void toon_table_free(toon_table *table);

/* Whether the `count` values from `rows` on are a table; with `groups`, a column may
 * hold objects. */
toon_verdict toon_table_try(toon_table *table, const pith_slot *rows, uint32_t count,
                            bool groups);

/* The field list, braces and all. NULL when out of memory. */
char *toon_put_fields(toon_table *table, toon_pen *pen, char *to);

/* The cells of a row of the table. */
char *toon_put_row(toon_table *table, toon_pen *pen, char *to, const pith_slot *row);

#endif
