/*
 * soch_given.h - columns that the setting `fields` declares, "id:uint,amount:float".
 */
#ifndef FORMAT_SOCH_SOCH_GIVEN_H
#define FORMAT_SOCH_SOCH_GIVEN_H

#include "format/rows.h"
#include "format/soch/soch.h"

typedef struct soch_given {
    pith_doc *names; /* owns them; NULL when nothing was declared */
    const pith_field *fields;
    size_t count;
    bool *used; /* of each: some table has it */
} soch_given;

/* Reads what a header has between its braces. Free it whatever the outcome. */
pith_status soch_given_read(soch_given *given, pith_text words, pith_alloc alloc,
                            pith_error *err);
void soch_given_free(soch_given *given);

/* Gives the field the type that was declared for its name; false when there is none. */
bool soch_given_apply(const soch_given *given, pith_field *field);

/* Refuses a declared name that no table has. */
pith_status soch_given_check(const soch_given *given, pith_error *err);

#endif
