/*
 * alike.h - objects side by side: do they have the same keys?
 */
#ifndef DOC_ALIKE_H
#define DOC_ALIKE_H

#include "doc/doc.h"

/* True when two objects have the same keys in the same order. */
static inline bool doc_same_keys(const pith_doc *doc, const pith_slot *a,
                                 const pith_slot *b)
{
    if (a->shape == b->shape && a->shape != SHAPE_NONE)
        return true;
    if (a->n != b->n)
        return false;
    const pith_key *left = doc_keys(doc, a);
    const pith_key *right = doc_keys(doc, b);
    for (uint32_t i = 0; i < a->n; i++)
        if (!key_equal(&left[i], &right[i]))
            return false;
    return true;
}

typedef enum doc_likeness {
    DOC_UNLIKE,
    DOC_REORDERED, /* perhaps the same keys in another order */
    DOC_ALIKE      /* the same keys in the same order, at every level */
} doc_likeness;

/* The usual case: both take the same slots, and every object in them has the shape of its
 * counterpart. */
static inline bool doc_same_shapes(const pith_slot *a, const pith_slot *b, uint32_t size,
                                   bool *nulls)
{
    unsigned seen = 0;
    for (uint32_t i = 0; i < size; i++)
        if (a[i].kind < PITH_ARRAY && b[i].kind < PITH_ARRAY)
            seen |= b[i].kind == PITH_NULL;
        else if (a[i].kind != b[i].kind || b[i].kind != PITH_OBJECT ||
                 a[i].shape != b[i].shape || a[i].shape == SHAPE_NONE)
            return false;
    *nulls = seen != 0;
    return true;
}

/* See doc_compare. */
doc_likeness doc_compare_slots(const pith_doc *doc, const pith_slot *a,
                               const pith_slot *b, bool *nulls);

/* How two objects compare, of which the first holds nothing but scalars and objects of
 * such: under each key there must be either a scalar in both or an object in both. Tells
 * whether there is a null in the second, if they are alike. */
static inline doc_likeness doc_compare(const pith_doc *doc, const pith_slot *a,
                                       const pith_slot *b, bool *nulls)
{
    uint32_t a_size = a->u.link.next - (uint32_t)(a - doc->slots);
    uint32_t b_size = b->u.link.next - (uint32_t)(b - doc->slots);
    assert(a->kind == PITH_OBJECT && b->kind == PITH_OBJECT);
    return a_size == b_size && doc_same_shapes(a, b, a_size, nulls)
               ? DOC_ALIKE
               : doc_compare_slots(doc, a, b, nulls);
}

#endif
