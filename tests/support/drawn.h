/*
 * drawn.h - a value drawn from any bytes, so that a fuzzer that changes bytes changes
 * values.
 *
 * Every sequence of bytes is a value: a small notation without mistakes. It is made to be
 * written by hand too, so that a corpus can be read:
 *
 *     [ ... ]        an array; what the end of the input leaves open is closed
 *     { ... }        an object, of keys and values by turns
 *     (abc|123|4-6)  a table: its keys, then its rows. A `-` leaves the cell out, and so
 *                    does an early end; after the last cell come more members. A row that
 *                    begins with `!` is one value of any kind, with `~` has its members in
 *                    the other order
 *     <abc|x123|y456>  the same as an object of objects: each row begins with its key
 *     0 to 9         one of ten numbers that are easy to get wrong
 *     +digits;       these digits, if they are a number, else the text of them
 *     'text'         this text, made well-formed where it is not
 *     n t f          null, true, false
 *     anything else  one of the texts that mean something to some format
 *
 * A key is a byte: one of those texts, or a short name for a small letter. A key that is
 * there already gets a number after it.
 */
#ifndef PITH_TEST_DRAWN_H
#define PITH_TEST_DRAWN_H

#include "pith.h"

/* The bytes that are not yet used. After the last come zeros. */
typedef struct draw {
    const uint8_t *at;
    const uint8_t *end;
} draw;

/* No bytes at all may be NULL. */
static inline draw draw_from(const uint8_t *data, size_t size)
{
    static const uint8_t none = 0;
    draw from = {size ? data : &none, size ? data + size : &none};
    return from;
}

static inline uint8_t draw_byte(draw *from)
{
    return from->at < from->end ? *from->at++ : 0;
}

/* The document of the value; never NULL, and yours. */
pith_doc *draw_doc(draw *from);

/* Adds a value to a document that takes one now, at most `levels` deep. */
void draw_value(draw *from, pith_doc *doc, unsigned levels);

/* A text such as keys and strings are made from. Static. */
pith_text draw_piece(uint8_t byte);

#endif /* PITH_TEST_DRAWN_H */
