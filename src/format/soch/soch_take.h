/*
 * soch_take.h - rows of a table that arrives in pieces: what text and binary share.
 *
 * A taker hands out the rows of a text that is one table and nothing else, named or not,
 * and keeps what they have in common; the bytes are the caller's and come again until they
 * are used. When something follows such a table, the rows before it are out already, and
 * that is an error: "not_a_table". Where rows cannot be told from each other before
 * everything is there (a lone value, a compressed body, a lenient reading) it is collected
 * and, when the input has ended, handed out as from a whole document: the elements of an
 * array, or the one value.
 */
#ifndef FORMAT_SOCH_SOCH_TAKE_H
#define FORMAT_SOCH_SOCH_TAKE_H

#include "format/parts.h"
#include "format/soch/soch.h"

typedef enum soch_phase {
    SOCH_AT_START, /* the header is not there yet */
    SOCH_IN_ROWS,
    SOCH_IN_WHOLE, /* no rows to be told apart: everything is collected */
    SOCH_IN_PARTS, /* of what was collected, values are handed out */
    SOCH_AT_END
} soch_phase;

/* Something follows the table. */
static inline void soch_not_a_table(reporter *report, size_t offset)
{
    report_bad(report, "not_a_table", offset,
               "expected nothing behind the table: rows are handed out one by one only "
               "of a text that is one table; read this one whole");
}

/* How many bytes there must be before something is tried again that was not whole in
 * `len`: every new one counts at first, and twice as many later, so that the work stays
 * linear in whatever pieces they come. */
static inline size_t soch_try_again(size_t len)
{
    const size_t few = 256;
    return len < few ? len + 1 : len * 2;
}

void soch_take(row_source *source, pith_doc *doc, pith_text input, bool ended,
               size_t *used, reporter *report);
void soch_forget(row_source *source);

void soch_bin_take_row(row_source *source, pith_doc *doc, pith_text input, bool ended,
                       size_t *used, reporter *report);
void soch_bin_forget(row_source *source);

#endif
