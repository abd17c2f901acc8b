/*
 * gcf1_pen.h - how GCF 1 spells a scalar, and when a string needs quotes.
 */
#ifndef FORMAT_GCF1_GCF1_PEN_H
#define FORMAT_GCF1_GCF1_PEN_H

#include "base/out.h"
#include "doc/slot.h"

/* Where a scalar stands: what is read there as something else differs. */
typedef enum gcf1_place {
    GCF1_ALONE,  /* after key= or @0 */
    GCF1_CELL,   /* of a row, but the first */
    GCF1_FIRST,  /* the first cell of a row, at the start of a line */
    GCF1_LISTED, /* between commas */
    GCF1_ROOT    /* all of the text */
} gcf1_place;

/* Writes a scalar. `seed`: quotes where the table of the 1.1 document has them and
 * nowhere else, so that "12" is read as a number. */
void gcf1_put_value(pith_out *out, const pith_slot *slot, gcf1_place place, bool seed);

/* What a text without quotes is read as: PITH_NULL, PITH_FALSE, PITH_TRUE, PITH_INTEGER,
 * PITH_DECIMAL or PITH_STRING. */
pith_kind gcf1_bare_kind(pith_text text);

#endif
