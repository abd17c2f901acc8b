/*
 * soch_put.c - a cell and everything in it, one walk without recursion.
 *
 * The walk is the same as text and as bytes; what it meets is written by a script.
 */
#include "format/soch/soch_fit.h"
#include "format/soch/soch_write.h"

/* A text that stands for a reference; false when it does not. */
static bool soch_put_ref_text(soch_pen *pen, pith_text text)
{
    soch_fitted made;
    pith_text table;
    uint64_t id;
    if (!soch_is_ref_text(text, &table, &id))
        return false;
    soch_make_ref(&made, table, id);
    pen->script->ref(pen, made.cell);
    return true;
}

/* A value that is no array or object, in a column of that type. */
static inline void soch_put_scalar(soch_pen *pen, const pith_slot *slot, pith_type column)
{
    assert(!slot_is_container(slot));
    if (slot->kind == PITH_INTEGER)
        pen->script->integer(pen, slot);
    else if (slot->kind == PITH_DECIMAL)
        pen->script->number(pen, slot);
    else if (slot->kind != PITH_STRING)
        pen->script->word(pen, (pith_kind)slot->kind);
    else if (slot->flags & SLOT_TYPED)
        if (typed_of(slot) == PITH_TYPE_BYTES)
            pen->script->bytes(pen, typed_base64(slot), column);
        else
            pen->script->number(pen, slot);
    else if (!(column == PITH_TYPE_REF || (pen->refs && column != PITH_TYPE_TEXT)) ||
             !soch_put_ref_text(pen, slot_text(slot)))
        pen->script->text(pen, slot, column);
}

/* An array or object with everything in it. */
static void soch_put_nested(soch_pen *pen, const pith_doc *doc, const pith_slot *root)
{
    doc_walk walk = walk_begin(&pen->levels, doc, root);
    bool marked = pen->script->marked;
    do {
        const pith_slot *value = walk.at;
        pen->at = value;
        if (marked && !walk.first)
            out_byte(pen->out, ',');
        if (walk.level.key)
            pen->script->key(pen, walk.level.key++);
        if (!slot_is_container(value)) {
            soch_put_scalar(pen, value, PITH_TYPE_ANY);
            walk_pass(&walk);
        } else if (typed_of(value) == PITH_TYPE_REF) {
            pen->script->ref(pen, value);
            walk_pass(&walk);
        } else {
            pen->script->open(pen, value);
            if (!walk_enter(&walk)) {
                soch_lack_memory(pen);
                return;
            }
        }
        while (walk_at_end(&walk)) {
            if (marked)
                out_byte(pen->out, walk.level.container->kind == PITH_ARRAY ? ']' : '}');
            walk_leave(&walk);
        }
    } while (walk.level.container);
}

/* A cell that its column may hold in another spelling. */
static void soch_put_fitted(soch_pen *pen, const pith_doc *doc, const pith_slot *cell,
                            const pith_field *field)
{
    soch_fitted fitted;
    if (pen->status == PITH_OK)
        pen->status = soch_fit(field, cell, pen->row, &fitted, pen->err);
    if (pen->status != PITH_OK)
        return;
    cell = fitted.cell;
    if (!cell || cell->kind == PITH_NULL)
        pen->script->word(pen, PITH_NULL);
    else if (fitted.base64.ptr)
        pen->script->bytes(pen, fitted.base64, field->type);
    else if (field->type == PITH_TYPE_FLOAT)
        pen->script->number(pen, cell);
    else if (field->type == PITH_TYPE_VEC)
        pen->script->vector(pen, cell);
    else if (slot_is_container(cell))
        soch_put_nested(pen, doc, cell);
    else
        soch_put_scalar(pen, cell, field->type);
}

void soch_put_cell(soch_pen *pen, const pith_doc *doc, const pith_slot *cell,
                   const pith_field *field)
{
    pen->at = cell;
    if (pen->fits)
        soch_put_fitted(pen, doc, cell, field);
    else if (!cell)
        pen->script->word(pen, PITH_NULL);
    else if (!slot_is_container(cell))
        soch_put_scalar(pen, cell, field->type);
    else if (field->type == PITH_TYPE_VEC && typed_of(cell) == PITH_TYPE_VEC)
        pen->script->vector(pen, cell);
    else
        soch_put_nested(pen, doc, cell);
}
