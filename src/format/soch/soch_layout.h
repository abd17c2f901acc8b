/*
 * soch_layout.h - the columns of a table that is being read, and the objects its rows
 * become.
 */
#ifndef FORMAT_SOCH_SOCH_LAYOUT_H
#define FORMAT_SOCH_SOCH_LAYOUT_H

#include "format/soch/soch.h"

#include <assert.h>

typedef struct soch_layout {
    const pith_field *fields;
    size_t count;
    uint16_t shape;       /* of the rows, or SHAPE_NONE: then */
    const pith_key *keys; /* this is the list they share */
} soch_layout;

/* Copies the fields, whose names are in the arena already, and finds the shape. `*twin`
 * is the index of a field named like one before it, or SIZE_MAX. False when out of
 * memory. */
bool soch_layout_make(soch_layout *layout, pith_doc *doc, pith_arena *arena,
                      const pith_field *fields, size_t count, size_t *twin);

/* Finds the shape again, in a document that has been emptied since. */
bool soch_layout_renew(soch_layout *layout, pith_doc *doc);

static inline build_result soch_open_row(pith_doc *doc, const soch_layout *layout)
{
    return build_open_shaped(doc, PITH_OBJECT, layout->shape);
}

/* Rows without a shape share their list of keys; each ends with a slot that says so. */
static inline build_result soch_close_row(pith_doc *doc, const soch_layout *layout)
{
    assert(doc->open != SLOT_NONE && doc->depth > 0);
    if (layout->shape == SHAPE_NONE) {
        pith_slot *slot = build_slot(doc);
        if (!slot)
            return BUILD_NO_MEMORY;
        memset(slot, 0, sizeof *slot);
        slot->kind = SLOT_KEYS;
        slot->n = (uint32_t)layout->count;
        slot->u.keys = layout->keys;
    }
    pith_slot *row = &doc->slots[doc->open];
    row->n = (uint32_t)layout->count; /* the fast ways do not count */
    row->u.link.next = (uint32_t)doc->count;
    doc->open = row->u.link.parent;
    doc->depth--;
    return BUILD_DONE;
}

/* Finds two equal keys in a list: `*twin` is the index of the later one, or SIZE_MAX when
 * there are none. False when out of memory. */
bool soch_find_twin(pith_doc *doc, const pith_key *keys, size_t count, size_t *twin);

#endif
