/*
 * select.h - the part of a value that somebody asked for.
 *
 *     at=items         the value at a path, or all of them as an array
 *     rows=0:10        of its rows those with these numbers
 *     fields=id,user.login   of its objects these members
 *     drop=*_url       without these
 *     drop-null=true   and without members that are null
 *
 * It is done to a document after it was read, in this order, in place: slots are copied
 * towards the beginning of the tape, and what is not asked for is not copied. Objects that
 * lose members get the shape of those that are left. docs/selecting.md is the manual.
 *
 * A text that is read row by row is the array of its rows, whichever way it is read: a
 * selection goes through the rows one by one and remembers how many there were.
 */
#ifndef DOC_SELECT_H
#define DOC_SELECT_H

#include "doc/doc.h"
#include "doc/select_path.h"

/* What was asked for; empty texts ask for nothing. */
typedef struct select_words {
    pith_text at, fields, drop, rows;
    bool drop_null;
} select_words;

static inline bool select_is_wanted(const select_words *words)
{
    return words->at.len > 0 || words->fields.len > 0 || words->drop.len > 0 ||
           words->rows.len > 0 || words->drop_null;
}

/* A container that is being gone through. Its slot may be overwritten meanwhile. */
typedef struct select_level {
    pith_slot was;
    const pith_key *keys; /* of an object */
    uint32_t from, end;   /* its slots before: the first, and after the last child */
    uint32_t to;          /* where it goes */
    uint32_t index;       /* of the next child */
    uint32_t kept;        /* children */
    size_t kept_keys;     /* where its keys begin in the list of those that stay */
    size_t stands;        /* where the paths stand in it, in the list of those */
    bool whole;           /* everything in it was asked for */
    bool found;           /* something in it was */
} select_level;

typedef struct selection {
    pith_alloc alloc;
    path_list at, fields, drop;
    bool drop_null;
    bool drops_anywhere; /* one of `drop` may match at any depth */
    bool slices;
    uint64_t first, after; /* of the rows that are wanted */

    uint64_t numbers; /* of a text that comes row by row, the rows gone through */
    uint64_t rows;    /* of what is selected, */
    uint64_t wanted;  /* and of those the ones within the slice */
    uint64_t looked;  /* elements in which `at` was looked for, */
    uint64_t without; /* and those that had nothing there */
    bool done;        /* no later row can be asked for */
    bool refused;     /* out of memory */

    LIST(select_level) levels;
    LIST(pith_key) keys;
    LIST(uint16_t) stands;
} selection;

/* Whether the words can be understood. */
pith_status select_check(const select_words *words, const pith_alloc *alloc,
                         pith_error *err);

/* Makes a zeroed selection of words that are right; false when out of memory. */
bool select_open(selection *select, const select_words *words, pith_alloc alloc);
void select_close(selection *select);

/* Leaves what was asked for in the document; false when out of memory. */
bool select_in_document(selection *select, pith_doc *doc);

typedef enum select_result {
    SELECT_NONE,     /* nothing of the row was asked for, or memory ran out (refused) */
    SELECT_ONE,      /* the document's value is a row */
    SELECT_ELEMENTS, /* it is an array, and its elements are rows */
    SELECT_ALL       /* private */
} select_result;

/* The same for the next row of many. */
select_result select_in_row(selection *select, pith_doc *doc);

/* How many of these columns of rows stay: they move to the front. None where a path leads
 * elsewhere first. */
size_t select_columns(const selection *select, pith_text *names, size_t count);

/* After the last: reports paths that led nowhere. */
void select_end(selection *select, reporter *report);

#endif
