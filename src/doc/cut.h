/*
 * cut.h - a value with less in it.
 */
#ifndef DOC_CUT_H
#define DOC_CUT_H

#include "base/list.h"
#include "doc/doc.h"

/* Which elements of a list stay when some have to go. */
typedef enum rows_keep {
    ROWS_KEEP_FIRST,
    ROWS_KEEP_LAST,
    ROWS_KEEP_SPREAD, /* the first, and then at even steps */
    ROWS_KEEP_BEST    /* those with the largest value of a field */
} rows_keep;

/* A list: an array, or an object that is a map, of which a part can be left out. */
typedef struct cut_list {
    uint32_t at; /* its slot */
    uint32_t count;
    bool map;
    size_t weight;
    size_t ranks; /* where those of its elements begin, for ROWS_KEEP_BEST */
} cut_list;

/* What can be left out of a value, in document order. No list stands in another. */
typedef struct cut_plan {
    pith_alloc alloc;
    rows_keep keep;
    pith_text field; /* of ROWS_KEEP_BEST: a key, or keys with dots between them */
    LIST(cut_list) lists;
    LIST(uint32_t) ranks;
    size_t most; /* elements of the longest list */
} cut_plan;

enum { CUT_NAMES_MOST = 4, CUT_NAME_LEN = 24 };

/* The lists of one name, the key under which they stand, and what happened to them. */
typedef struct cut_named {
    char name[CUT_NAME_LEN];
    size_t kept;
    size_t gone;
} cut_named;

/* What stayed in a copy, and what did not. */
typedef struct cut_tally {
    size_t rows;
    size_t rows_left_out;
    size_t members; /* of maps */
    size_t members_left_out;
    size_t texts_clipped;
    cut_named named[CUT_NAMES_MOST]; /* the lists that lost something, */
    size_t name_count; /* if they have names and those are few; else more than there is */
} cut_tally;

/* The array whose elements count as the rows of a value: itself when it is an array, else
 * the largest that is reached through objects alone. No value when there is none. */
pith_value doc_find_rows(pith_value value);

/* How large a value is, in slots and text. */
size_t cut_weight(const pith_doc *doc, uint32_t at);

/* `field` is borrowed. Free the plan whatever becomes of it. */
void cut_plan_init(cut_plan *plan, rows_keep keep, pith_text field, pith_alloc alloc);
void cut_plan_free(cut_plan *plan);

/* Makes it a plan for the elements of one array; no value is none. False when out of
 * memory. */
bool cut_plan_rows(cut_plan *plan, pith_value rows);

/* Makes it a plan for what is large in a value: the outermost lists of two elements or more,
 * but not those that are small beside the largest. False when out of memory. */
bool cut_plan_lists(cut_plan *plan, pith_value value);

/* Adds a copy of `value` in which each list has its share of elements: `step` of the
 * longest, all of them with `plan->most`, and at least one. With `clip`, texts of more
 * characters end there, and a mark says how many are missing. What was done is added to the
 * tally. With `leave_open`, the array or object that the value is can be added to, and is
 * the caller's to close. */
void cut_copy(pith_doc *doc, pith_value value, const cut_plan *plan, size_t step,
              size_t clip, bool leave_open, cut_tally *tally);

/* Adds a copy of `value` in which `rows`, an array as doc_find_rows gives it, has only
 * `count` of its elements. */
void doc_copy_rows(pith_doc *doc, pith_value value, pith_value rows, size_t count,
                   rows_keep keep);

#endif
