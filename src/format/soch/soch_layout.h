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
        if (!slot) {
            return BUILD_NO_MEMORY;
        }
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

/* Reports that something follows the table whose rows were handed out. */
static inline void soch_not_a_table(reporter *report, size_t offset)
{
    report_bad(report, "not_a_table", offset,
               "expected nothing behind the table: rows are handed out one by one only "
               "of a text that is one table; read this one whole");
}

/* Opens the object of a reference, with its keys. `*shape` is that of the last one, or
 * SHAPE_NONE before the first; it stays so in a document that has no room for more shapes,
 * where the keys are a list. */
build_result soch_open_ref(pith_doc *doc, uint16_t *shape);

/* Makes the reference at `at`, the last value on the tape, the text ref(users,42); one to
 * a table whose name needs quotes stays as it is. */
build_result soch_spell_ref(pith_doc *doc, size_t at);

#endif
