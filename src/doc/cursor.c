/*
 * cursor.c - walking a document: the read half of the public document API.
 *
 * A handle knows its container and its index there: a scalar's slot has no room to
 * say where its container ends, and keys are found by index.
 */
#include "base/base64.h"
#include "base/num.h"
#include "doc/doc.h"
#include "doc/spelled.h"
#include "doc/typed.h"

#include <assert.h>

static const pith_value value_none = {NULL, 0, 0, 0};

static const pith_slot *value_slot(pith_value value)
{
    assert(value.doc && value.at < value.doc->count);
    return &value.doc->slots[value.at];
}

static bool value_is(pith_value value, pith_kind kind)
{
    return value.doc && value_slot(value)->kind == kind;
}

static bool value_has_children(pith_value value)
{
    return value.doc && slot_is_container(value_slot(value)) && value_slot(value)->n > 0;
}

static bool value_is_member(pith_value value)
{
    return value.doc && value.parent != SLOT_NONE &&
           value.doc->slots[value.parent].kind == PITH_OBJECT;
}

pith_kind pith_value_kind(pith_value value)
{
    return value.doc ? (pith_kind)value_slot(value)->kind : PITH_NONE;
}

bool pith_value_partial(pith_value value)
{
    return value.doc && (value_slot(value)->flags & SLOT_PARTIAL) != 0;
}

size_t pith_value_count(pith_value value)
{
    return value_has_children(value) ? value_slot(value)->n : 0;
}

pith_value pith_value_first(pith_value container)
{
    if (!value_has_children(container))
        return value_none;
    return doc_value(container.doc, container.at + 1, container.at, 0);
}

pith_value pith_value_next(pith_value value)
{
    if (!value.doc || value.parent == SLOT_NONE ||
        value.index + 1 >= value.doc->slots[value.parent].n)
        return value_none;
    return doc_value(value.doc, doc_after_at(value.doc, value.at), value.parent,
                     value.index + 1);
}

pith_text pith_value_key(pith_value member)
{
    if (!value_is_member(member))
        return text_of("", 0);
    return key_text(
        &doc_keys(member.doc, &member.doc->slots[member.parent])[member.index]);
}

pith_value pith_value_get(pith_value object, const char *key, size_t len)
{
    if (!value_is(object, PITH_OBJECT))
        return value_none;
    const pith_slot *slot = value_slot(object);
    const pith_key *keys = doc_keys(object.doc, slot);
    for (uint32_t i = 0; i < slot->n; i++)
        if (text_equal(key_text(&keys[i]), text_of(key, len)))
            return pith_value_at(object, i);
    return value_none;
}

pith_value pith_value_at(pith_value container, size_t index)
{
    if (index >= pith_value_count(container))
        return value_none;
    uint32_t first = container.at + 1;
    if (doc_children_end(value_slot(container)) - first == value_slot(container)->n)
        return doc_value(container.doc, first + (uint32_t)index, container.at,
                         (uint32_t)index); /* all of them are scalars */
    pith_value value = pith_value_first(container);
    for (; index > 0; index--)
        value = pith_value_next(value);
    return value;
}

static bool value_is_number(pith_value value)
{
    return value_is(value, PITH_INTEGER) || value_is(value, PITH_DECIMAL);
}

pith_text pith_value_text(pith_value value)
{
    if (value_is(value, PITH_DECIMAL) && slot_is_double(value_slot(value)))
        return doc_digits(value.doc, value_slot(value));
    if (value_is(value, PITH_STRING) || value_is_number(value))
        return slot_text(value_slot(value));
    return text_of("", 0);
}

bool pith_value_int64(pith_value value, int64_t *out)
{
    return value_is(value, PITH_INTEGER) && num_to_int64(pith_value_text(value), out);
}

bool pith_value_uint64(pith_value value, uint64_t *out)
{
    return value_is(value, PITH_INTEGER) && num_to_uint64(pith_value_text(value), out);
}

bool pith_value_double(pith_value value, double *out)
{
    bool odd = value_is(value, PITH_STRING) && pith_value_type(value) == PITH_TYPE_FLOAT;
    if (!value_is_number(value) && !odd)
        return false;
    *out = typed_double(value_slot(value));
    return true;
}

/* ------------------------------------------------------------------ typed values */

pith_type pith_value_type(pith_value value)
{
    return value.doc ? typed_of(value_slot(value)) : PITH_TYPE_ANY;
}

size_t pith_value_bytes(pith_value value, void *to, size_t room)
{
    size_t len = 0;
    if (pith_value_type(value) != PITH_TYPE_BYTES)
        return 0;
    pith_text base64 = typed_base64(value_slot(value));
    base64_check(base64.ptr, base64.len, &len);
    base64_read(to, room < len ? room : len, base64.ptr, base64.len);
    return len;
}

size_t pith_value_vector(pith_value value, double *to, size_t room)
{
    if (pith_value_type(value) != PITH_TYPE_VEC)
        return 0;
    const pith_slot *vector = value_slot(value);
    for (size_t i = 0; i < vector->n && i < room; i++)
        to[i] = typed_double(vector + 1 + i);
    return vector->n;
}

bool pith_value_ref(pith_value value, pith_text *table, uint64_t *id)
{
    if (pith_value_type(value) != PITH_TYPE_REF)
        return false;
    const pith_slot *ref = value_slot(value);
    *table = slot_text(ref + 1);
    return num_to_uint64(slot_text(ref + 2), id);
}

static bool keys_same(const pith_doc *a_doc, const pith_slot *a, const pith_doc *b_doc,
                      const pith_slot *b)
{
    if (a_doc == b_doc && a->shape == b->shape && a->shape != SHAPE_NONE)
        return true;
    const pith_key *a_keys = doc_keys(a_doc, a);
    const pith_key *b_keys = doc_keys(b_doc, b);
    for (uint32_t i = 0; i < a->n; i++)
        if (!text_equal(key_text(&a_keys[i]), key_text(&b_keys[i])))
            return false;
    return true;
}

static bool scalars_same(const pith_slot *a, const pith_slot *b)
{
    char a_digits[SPELLED_MAX_LEN];
    char b_digits[SPELLED_MAX_LEN];
    return text_equal(slot_spell(a, a_digits), slot_spell(b, b_digits));
}

static bool slots_same(const pith_doc *a_doc, const pith_slot *a, const pith_doc *b_doc,
                       const pith_slot *b)
{
    if (a->kind != b->kind)
        return false;
    switch (a->kind) {
    case PITH_OBJECT:
        return a->n == b->n && keys_same(a_doc, a, b_doc, b);
    case PITH_ARRAY:
        return a->n == b->n;
    default:
        return scalars_same(a, b);
    }
}

/* Equal values are equal tapes: the same values in the same order, wherever they
 * start. Only the slots that hold keys may be on one and not on the other. */
bool pith_value_equal(pith_value a, pith_value b)
{
    if (!a.doc || !b.doc)
        return !a.doc && !b.doc;
    uint32_t a_end = doc_after_at(a.doc, a.at);
    uint32_t b_end = doc_after_at(b.doc, b.at);
    uint32_t i = a.at;
    uint32_t j = b.at;
    for (;;) {
        while (i < a_end && a.doc->slots[i].kind == SLOT_KEYS)
            i++;
        while (j < b_end && b.doc->slots[j].kind == SLOT_KEYS)
            j++;
        if (i == a_end || j == b_end)
            return i == a_end && j == b_end;
        if (!slots_same(a.doc, &a.doc->slots[i++], b.doc, &b.doc->slots[j++]))
            return false;
    }
}
