/*
 * soch_layout.c - finding the shape of a table's rows, and of references.
 */
#include "format/soch/soch_layout.h"
#include "format/soch/soch_text.h"

#include <assert.h>

bool soch_layout_renew(soch_layout *layout, pith_doc *doc)
{
    uint16_t shape = SHAPE_EMPTY;
    for (size_t i = 0; i < layout->count && shape != SHAPE_NONE; i++) {
        const pith_key *key = &layout->keys[i];
        shape = shapes_step(&doc->shapes, shape, key->text, key->len, key->flags);
        if (shape == SHAPE_DUPLICATE) {
            shape = SHAPE_NONE;
        }
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

bool soch_layout_make(soch_layout *layout, pith_doc *doc, pith_arena *arena,
                      const pith_field *fields, size_t count, size_t *twin)
{
    pith_field *kept =
        (pith_field *)arena_take_aligned(arena, (count + 1) * sizeof *kept);
    pith_key *keys = (pith_key *)arena_take_aligned(arena, (count + 1) * sizeof *keys);
    *twin = SIZE_MAX;
    if (!kept || !keys) {
        return false;
    }
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
    if (!soch_layout_renew(layout, doc)) {
        return false;
    }
    return layout->shape != SHAPE_NONE ||
           doc_find_equal_keys(doc, keys, count, soch_note_twin, twin);
}

build_result soch_open_ref(pith_doc *doc, uint16_t *shape)
{
    static const char *const keys[] = {TYPED_REF_KEY, TYPED_REF_ID_KEY};
    bool known = *shape != SHAPE_NONE;
    uint16_t start = known ? *shape : (uint16_t)SHAPE_EMPTY;
    build_result result = build_open_shaped(doc, PITH_OBJECT, start);
    for (size_t i = 0; i < 2 && !known && result == BUILD_DONE; i++) {
        result = build_key(doc, SLOT_TAIL, keys[i], strlen(keys[i]));
    }
    if (result == BUILD_DONE) {
        *shape = doc->slots[doc->open].shape;
        doc->slots[doc->open].flags = SLOT_TYPED;
    }
    return result;
}

build_result soch_spell_ref(pith_doc *doc, size_t at)
{
    assert(at + 2 < doc->count && doc->slots[at].kind == PITH_OBJECT);
    pith_text table = slot_text(&doc->slots[at + 1]);
    pith_text id = slot_text(&doc->slots[at + 2]);
    if (!soch_is_identifier(table)) {
        return BUILD_DONE;
    }
    size_t len = table.len + id.len + strlen("ref(,)");
    if (len > SLOT_TEXT_MOST) {
        return BUILD_TOO_LARGE;
    }
    char *text = arena_take(&doc->arena, len);
    if (!text) {
        return BUILD_NO_MEMORY;
    }
    memcpy(text, "ref(", 4);
    memcpy(text + 4, table.ptr, table.len);
    text[4 + table.len] = ',';
    memcpy(text + 5 + table.len, id.ptr, id.len);
    text[len - 1] = ')';
    slot_set(&doc->slots[at], PITH_STRING, build_text_flags(text, len), text, len);
    doc->count = at + 1;
    return BUILD_DONE;
}
