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

/* Rows whose keys are columns, one after the other into the innermost open array, or one in
 * a document of its own. Set the first three, zero the rest. */
struct cells_rows {
    const pith_key *columns; /* different, and UTF-8 */
    size_t column_count;
    bool keyed; /* each row begins with a key of its own */

    bool open;            /* a row has begun */
    uint32_t around;      /* the array that it is in */
    uint32_t row;         /* and its own slot */
    size_t at;            /* without a shape: columns that it has had */
    uint32_t shape;       /* of the columns, or 0, */
    const pith_doc *made; /* in that document, */
    size_t renewed;       /* as long as that forgets no shapes */
    bool has_key;
    pith_slot key; /* of this row, in the document's arena */
};

/* True when the innermost open container is a row whose columns have no shape: then they
 * are not in its slot. */
static inline bool cells_in_wide_row(const pith_doc *doc)
{
    return doc->rows && doc->rows->shape == SHAPE_NONE && doc->rows->open &&
           doc->open == doc->rows->row;
}

/* True when the innermost open container is filled and has all its values. */
static inline bool cells_are_complete(const pith_doc *doc)
{
    if (doc->open == SLOT_NONE)
        return false;
    if (cells_in_wide_row(doc))
        return doc->rows->at == doc->rows->column_count && !doc->key_pending;
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

/* Begins a row of those columns. */
void cells_open_row(pith_doc *doc, cells_rows *rows);

/* In a wide row: the key of the value that follows. */
void cells_add_column(pith_doc *doc);

/* Adds cells to one row, which begins if none has; how many there were. The row is whole
 * when it is not open any more. Failures are in the document. */
size_t cells_add_row(pith_doc *doc, cells_rows *rows, const pith_cell *cells,
                     size_t count);

#endif
