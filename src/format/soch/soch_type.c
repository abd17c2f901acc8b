/*
 * soch_type.c - types: their words, and what a value on the tape is.
 */
#include "base/num.h"
#include "format/soch/soch.h"

#include <math.h>

typedef struct soch_type_name {
    const char *word;
    pith_type type;
    bool basic; /* part of the seed's grammar */
} soch_type_name;

/* The word to write comes before its aliases. */
static const soch_type_name soch_type_names[] = {
    {"int", PITH_TYPE_INT, true},        {"uint", PITH_TYPE_UINT, true},
    {"float", PITH_TYPE_FLOAT, true},    {"text", PITH_TYPE_TEXT, true},
    {"bool", PITH_TYPE_BOOL, true},      {"bytes", PITH_TYPE_BYTES, true},
    {"vec", PITH_TYPE_VEC, true},        {"array", PITH_TYPE_ARRAY, false},
    {"object", PITH_TYPE_OBJECT, false}, {"ref", PITH_TYPE_REF, false},
    {"i64", PITH_TYPE_INT, false},       {"u64", PITH_TYPE_UINT, false},
    {"f64", PITH_TYPE_FLOAT, false},     {"string", PITH_TYPE_TEXT, false},
    {"binary", PITH_TYPE_BYTES, false},
};

enum { SOCH_TYPE_NAMES = sizeof soch_type_names / sizeof *soch_type_names };

const char *soch_type_word(pith_type type)
{
    for (size_t i = 0; i < SOCH_TYPE_NAMES; i++) {
        if (soch_type_names[i].type == type) {
            return soch_type_names[i].word;
        }
    }
    return NULL;
}

pith_type soch_type_named(pith_text word, bool *basic)
{
    for (size_t i = 0; i < SOCH_TYPE_NAMES; i++) {
        if (text_is(word, soch_type_names[i].word)) {
            *basic = soch_type_names[i].basic;
            return soch_type_names[i].type;
        }
    }
    return PITH_TYPE_ANY;
}

pith_type soch_type_of(const pith_slot *slot)
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
        return slot->n >= SOCH_BYTES_PREFIX_LEN && slot->u.text[0] == 'b'
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

double soch_double(const pith_slot *slot)
{
    if (slot->kind != PITH_STRING) {
        return num_to_double(slot_text(slot));
    }
    if (slot->n == 3 && slot->u.text[0] == 'N') {
        return (double)NAN;
    }
    return slot->u.text[0] == '-' ? -(double)INFINITY : (double)INFINITY;
}

const char *soch_odd_float(double number)
{
    if (isnan(number)) {
        return "NaN";
    }
    return isinf(number) ? number < 0 ? "-Inf" : "Inf" : NULL;
}
