/*
 * copy_rows.h - a value with fewer rows.
 */
#ifndef DOC_COPY_ROWS_H
#define DOC_COPY_ROWS_H

#include "doc/doc.h"

/* Which rows stay when some have to go. */
typedef enum rows_keep {
    ROWS_KEEP_FIRST,
    ROWS_KEEP_LAST,
    ROWS_KEEP_SPREAD /* the first, and then at even steps */
} rows_keep;

/* The array whose elements count as the rows of a value: itself when it is an array, else
 * the largest that is reached through objects alone. No value when there is none. */
pith_value doc_find_rows(pith_value value);

/* Adds a copy of `value` in which `rows`, an array as doc_find_rows gives it, has only
 * `count` of its elements. */
void doc_copy_rows(pith_doc *doc, pith_value value, pith_value rows, size_t count,
                   rows_keep keep);

#endif
