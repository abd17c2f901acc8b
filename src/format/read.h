/*
 * read.h - rows of a text that arrives in pieces.
 *
 * A format that can tell rows apart has a read_codec. Its `read` is given all bytes that
 * have arrived and were not used, and returns after one row. When they end inside of a
 * row it says READ_MORE, and that row is read again from its start when there is more:
 * nothing has to be able to stop in the middle, and there is one grammar.
 *
 *     | a row | a row | half a r|          READ_ROW  READ_ROW  READ_MORE
 *                     | half a row | an    READ_ROW  READ_MORE
 *
 * That stays linear. A try that is in vain is repeated only when a byte has come that may
 * end a row, and costs credit, of which every byte that arrives brings a little.
 *
 * A text whose rows cannot be told apart before everything is there is collected, read
 * whole at its end, and its values are handed out: the elements of an array, or the one
 * value.
 *
 * Where only a part is asked for (doc/select.h), that is done to each row, or to what was
 * collected. Of one row several may be made, which are then handed out one by one.
 */
#ifndef FORMAT_READ_H
#define FORMAT_READ_H

#include "format/format.h"

/* Whether the text, or the row, has to be read once more, to say where two equal keys are.
 * The document is empty then. */
bool read_again(pith_doc *doc, reporter *report);

/* Reads a whole text. */
void read_whole(const codec *from, decode_job *job);

/* Before and after a text is read: counts the memory that its document asks for, in the
 * zeroed `meter`, up to pith_options.memory_max or the default for such a text. */
void read_count_memory(decode_job *job, alloc_meter *meter, size_t memory_max);
void read_memory_counted(decode_job *job);

/* Zero-initialise, set the first three, and free when done. */
typedef struct row_reader {
    const codec *from;
    pith_alloc alloc;
    selection *select; /* the part that is asked for; NULL for all */

    void *state;   /* the format's */
    size_t tried;  /* unused bytes that were there when no row was found; 0 after a row */
    size_t credit; /* bytes that may be read again */
    bool due;      /* a byte that may end a row has come since */
    bool collects;
    pith_doc *whole; /* what was collected, */
    pith_value part; /* and what is to be handed out next, of it or of a row */
    bool selected;   /* it was told what came of the selection */
} row_reader;

/* The columns, as read_codec has them; what is before the first row is read for that, if it
 * has come and has not been read. 0 when there are none, or none yet. */
size_t row_reader_columns(row_reader *reader, read_job *job, pith_text *names,
                          size_t room);

/* The next row, or a value without a document when there is none yet, or, once the input
 * has ended, no more. Problems go to the report. The row is in job->doc, which is empty at
 * first and borrows from the input, or in a document of the reader. */
pith_value row_reader_next(row_reader *reader, read_job *job);

/* Whether the document of the last row holds more rows: it must stay as it is. */
static inline bool row_reader_holds(const row_reader *reader, const pith_doc *doc)
{
    return reader->part.doc == doc;
}

/* Whether nothing that may yet come is asked for. */
static inline bool row_reader_is_done(const row_reader *reader)
{
    return reader->select && reader->select->done && !reader->part.doc;
}

void row_reader_free(row_reader *reader);

#endif
