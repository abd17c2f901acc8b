/*
 * typed.c - what a value is beyond its JSON.
 */
#include "doc/typed.h"
#include "base/num.h"

#include <math.h>

pith_type typed_of(const pith_slot *slot)
{
    bool typed = slot->flags & SLOT_TYPED;
    switch (slot->kind) {
    case PITH_FALSE:
    case PITH_TRUE:
        return PITH_TYPE_BOOL;
    case PITH_INTEGER:
        return PITH_TYPE_INT;
    case PITH_DECIMAL:
        return PITH_TYPE_FLOAT;
    case PITH_STRING:
        if (!typed) {
            return PITH_TYPE_TEXT;
        }
        return slot->n >= TYPED_BYTES_PREFIX_LEN && slot->u.text[0] == 'b'
                   ? PITH_TYPE_BYTES
                   : PITH_TYPE_FLOAT;
    case PITH_ARRAY:
        return typed ? PITH_TYPE_VEC : PITH_TYPE_ARRAY;
    case PITH_OBJECT:
        return typed ? PITH_TYPE_REF : PITH_TYPE_OBJECT;
    default:
        return PITH_TYPE_ANY;
    }
}

double typed_double(const pith_slot *slot)
{
    if (slot->kind != PITH_STRING) {
        return num_to_double(slot_text(slot));
    }
    if (slot->n == 3 && slot->u.text[0] == 'N') {
        return (double)NAN;
    }
    return slot->u.text[0] == '-' ? -(double)INFINITY : (double)INFINITY;
}

const char *typed_odd_float(double number)
{
    if (isnan(number)) {
        return "NaN";
    }
    return isinf(number) ? number < 0 ? "-Inf" : "Inf" : NULL;
}
