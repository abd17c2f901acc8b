/*
 * soch_type.c - the words for types.
 */
#include "format/soch/soch.h"

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
    for (size_t i = 0; i < SOCH_TYPE_NAMES; i++)
        if (soch_type_names[i].type == type)
            return soch_type_names[i].word;
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
