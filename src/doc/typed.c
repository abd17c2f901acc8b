/*
 * typed.c - what a value is beyond its JSON.
 */
#include "doc/typed.h"
#include "base/num.h"
#include "doc/spelled.h"

#include <assert.h>
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
        if (!typed)
            return PITH_TYPE_TEXT;
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
    if (slot_is_double(slot))
        return slot->u.number;
    if (slot->kind != PITH_STRING)
        return num_to_double(slot_text(slot));
    assert(slot->n >= 3);
    if (slot->n == 3 && slot->u.text[0] == 'N')
        return (double)NAN;
    return slot->u.text[0] == '-' ? -(double)INFINITY : (double)INFINITY;
}

size_t typed_write_double(char *to, double number)
{
    assert(isfinite(number));
    num_decimal shortest = num_shortest(number);
    char *from = to;
    int point = shortest.exponent + 1; /* digits before the point */
    if (shortest.negative)
        *to++ = '-';
    if (shortest.count == 0) {
        memcpy(to, "0.0", 3);
        return (size_t)(to + 3 - from);
    }
    bool scientific = shortest.exponent <= -5 || shortest.exponent >= 16;
    if (scientific)
        point = 1;
    if (point <= 0) {
        memcpy(to, "0.0000", 6);
        to += 2 - point;
        point = 0;
    }
    for (int i = 0; i < shortest.count || i <= point; i++) {
        if (i == point && point > 0)
            *to++ = '.';
        *to++ = i < shortest.count ? shortest.digits[i] : '0';
    }
    if (scientific) {
        *to++ = 'e';
        to += num_write_int64(to, shortest.exponent);
    }
    return (size_t)(to - from);
}

const char *typed_odd_float(double number)
{
    if (isnan(number))
        return "NaN";
    return isinf(number) ? number < 0 ? "-Inf" : "Inf" : NULL;
}
