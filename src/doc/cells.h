/*
 * cells.h - values in batches: what the rest of building knows of them.
 *
 * An object of a shape that is known beforehand is filled: its slot has that shape, with
 * all keys, from the start, and SLOT_FILLING; it counts its values as they come, and the
 * last one closes it. A value that is absent has a slot of its own meanwhile (SLOT_ABSENT),
 * which goes when the object closes:
 *
 *      0 OBJECT  n=2 FILLING GAPS  shape: id, name, mail       0 OBJECT n=2 shape: id, mail
 *      1 INTEGER "7"                                      ->   1 INTEGER "7"
 *      2 ABSENT                                                2 STRING "a@b"
 *        ... and then "a@b" comes
 */
#ifndef DOC_CELLS_H
#define DOC_CELLS_H

#include "doc/build.h"

/* True when the innermost open container is filled and has all its values. */
static inline bool cells_are_complete(const pith_doc *doc)
{
    if (doc->open == SLOT_NONE)
        return false;
    const pith_slot *open = &doc->slots[doc->open];
    return open->kind == PITH_OBJECT && (open->flags & SLOT_FILLING) &&
           open->n == shapes_width(&doc->shapes, open->shape);
}

/* Closes such objects, from the innermost on. */
build_result cells_close_filled(pith_doc *doc);

static inline build_result cells_end_filled(pith_doc *doc)
{
    return cells_are_complete(doc) ? cells_close_filled(doc) : BUILD_DONE;
}

/* Rows whose keys are columns, one after the other into the innermost open array. Set the
 * first two, zero the rest. */
typedef struct cells_rows {
    const pith_key *columns; /* different, and UTF-8 */
    size_t column_count;

    bool open;            /* a row has begun */
    uint32_t around;      /* the array that it is in */
    uint32_t row;         /* and its own slot */
    size_t at;            /* without a shape: columns that it has had */
    uint32_t shape;       /* of the columns, or 0, */
    const pith_doc *made; /* in that document, */
    size_t renewed;       /* as long as that forgets no shapes */
} cells_rows;

/* Adds cells to one row, which begins if none has; how many there were. The row is whole
 * when it is not open any more. Failures are in the document. */
size_t cells_add_row(pith_doc *doc, cells_rows *rows, const pith_cell *cells,
                     size_t count);

#endif
