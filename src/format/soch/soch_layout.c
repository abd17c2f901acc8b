/*
 * soch_layout.c - finding the shape of a table's rows.
 */
#include "format/soch/soch_layout.h"

#include <assert.h>

bool soch_layout_renew(soch_layout *layout, pith_doc *doc)
{
    uint16_t shape = SHAPE_EMPTY;
    for (size_t i = 0; i < layout->count && shape != SHAPE_NONE; i++) {
        const pith_key *key = &layout->keys[i];
        shape = shapes_step(&doc->shapes, shape, key->text, key->len, key->flags);
        if (shape == SHAPE_DUPLICATE)
            shape = SHAPE_NONE;
    }
    layout->shape = shape;
    return shape == SHAPE_NONE || shapes_list(&doc->shapes, shape) != NULL;
}

static bool soch_note_twin(void *ctx, uint32_t first, uint32_t later)
{
    (void)first;
    *(size_t *)ctx = later;
    return false;
}

bool soch_find_twin(pith_doc *doc, const pith_key *keys, size_t count, size_t *twin)
{
    *twin = SIZE_MAX;
    return doc_find_equal_keys(doc, keys, count, soch_note_twin, twin);
}

bool soch_layout_make(soch_layout *layout, pith_doc *doc, pith_arena *arena,
                      const pith_field *fields, size_t count, size_t *twin)
{
    pith_field *kept =
        (pith_field *)arena_take_aligned(arena, (count + 1) * sizeof *kept);
    pith_key *keys = (pith_key *)arena_take_aligned(arena, (count + 1) * sizeof *keys);
    *twin = SIZE_MAX;
    if (!kept || !keys)
        return false;
    for (size_t i = 0; i < count; i++) {
        pith_text name = fields[i].name;
        kept[i] = fields[i];
        keys[i].text = name.ptr;
        keys[i].len = (uint32_t)name.len;
        keys[i].flags = build_text_flags(name.ptr, name.len);
        keys[i].dead = 0;
    }
    layout->fields = kept;
    layout->count = count;
    layout->keys = keys;
    if (!soch_layout_renew(layout, doc))
        return false;
    return layout->shape != SHAPE_NONE || soch_find_twin(doc, keys, count, twin);
}
