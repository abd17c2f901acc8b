/*
 * parts.h - the values of a text that had to be collected.
 *
 * A reader that is fed pieces hands out rows as they arrive. Where they cannot be told
 * apart before everything is there, the text is read whole at its end, and its values are
 * handed out as from a document: the elements of an array, or the one value.
 */
#ifndef FORMAT_PARTS_H
#define FORMAT_PARTS_H

#include "format/format.h"

/* Zero-initialise, and free `whole` when done. */
typedef struct row_parts {
    pith_doc *whole;
    uint32_t next; /* the part to be handed out next */
    uint32_t left;
} row_parts;

/* Once the input has ended, reads everything with `decode`, into a document of its own with
 * the limits of `doc`. All is used then; the bytes stay where they are, for nothing moves
 * them any more. False before the end, and after a problem, which has been reported. */
bool parts_read(row_parts *parts, void (*decode)(decode_job *job), const settings *set,
                const pith_doc *doc, pith_text input, bool ended, size_t *used,
                reporter *report);

/* The next part into the empty document, which stays empty when there is none. */
void parts_next(row_parts *parts, pith_doc *doc, reporter *report);

#endif
