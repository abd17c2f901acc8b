/*
 * gcf1.h - the first GCF: specification 1.1, and the forms that 1.4 added.
 *
 *     name=web                        a member
 *     ## limits                       an object; its members are indented
 *       cpu=2
 *     ## hosts [2]{id,city}           a table
 *     1|Oslo
 *     2|Rome
 *     ## mixed [2]                    any other array
 *     @0 seven
 *     @1
 *       a=1
 *
 * There is no first line. Keys are never quoted, so not every value survives: one with
 * an equals sign in a key does not. Writing refuses those (see gcf1.c).
 */
#ifndef FORMAT_GCF1_GCF1_H
#define FORMAT_GCF1_GCF1_H

#include "format/format.h"

extern const codec gcf1_format;

/* The settings, in the order of the table. */
enum { GCF1_LEVEL, GCF1_QUOTE, GCF1_LOSSY, GCF1_COUNTS };
enum { GCF1_LEVEL_1_1, GCF1_LEVEL_1_4 };
enum { GCF1_QUOTE_NEEDED, GCF1_QUOTE_SEED };
enum { GCF1_COUNTS_STRICT, GCF1_COUNTS_LAX };

void gcf1_decode(decode_job *job);

/* True for a text that begins with a table. */
bool gcf1_sniff(pith_text text);

/* True for a text of GCF 2 or later, whose first line names one of its profiles. */
bool gcf1_is_later(pith_text text);

/* True for a text that begins with members and sections, as far as such lines tell: to be
 * asked when every other format has been. */
bool gcf1_may_be(pith_text text);

/* How to write. */
typedef struct gcf1_style {
    bool newer; /* 1.4 */
    bool seed;  /* quotes as in the table of the 1.1 document, and no others */
} gcf1_style;

/* Whose line it is that has the byte at `offset`. */
typedef struct gcf1_search {
    uint64_t offset;
    uint32_t found;
} gcf1_search;

/* Writes the value; whether it will be read as the same is another matter. A search, or
 * NULL, is answered on the way. */
pith_status gcf1_write(pith_out *out, const pith_doc *doc, uint32_t at, gcf1_style style,
                       gcf1_search *search, pith_error *err);

#endif
