/*
 * schema.h - what is known of a document's tables beyond their rows.
 *
 * Some formats name the type of each column. That is no value, so it is not on the tape:
 * a document has a list of its tables beside it, made by whoever read or built them and
 * used by the formats that can say such things. All others see arrays of objects.
 */
#ifndef DOC_SCHEMA_H
#define DOC_SCHEMA_H

#include "pith.h"

typedef struct doc_table {
    pith_text name;
    bool unnamed; /* the document's value, which has no name; `name` is "_" */
    bool single;  /* unnamed, with one cell, and that is the value */
    bool loose;   /* cells may have to be made to fit the fields */
    bool typed;   /* loose, and yet the fields are its own, not only wished for */
    bool mixed;   /* rows may have the fields in another order */
    uint32_t at;  /* the array of its rows; of a single one, the value */
    const pith_field *fields; /* in the document's arena, like their names */
    size_t field_count;
} doc_table;

/* Room for one more table after the last, all zero; NULL when out of memory. */
doc_table *doc_add_table(pith_doc *doc);

#endif
