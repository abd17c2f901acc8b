/*
 * spelled.h - numbers that are doubles, until somebody asks for their digits.
 *
 * A document keeps numbers as digits, for that is what text formats hold. A binary format
 * holds doubles, and to find the 17 digits of one takes longer than all the rest of
 * reading it. So a document whose reader says so (keeps_doubles) may have decimals that
 * are doubles, marked SLOT_DOUBLE:
 *
 *     DECIMAL  SLOT_DOUBLE  n=2  3.25          double number 2 of the document
 *
 *     digits   | "0.5" | .. | ........ |       a place of 32 bytes for each of them, whose
 *     done     |   1   |  0 |    0     |       memory is not touched before it is written
 *
 * Only three doors lead to such a slot. The public calls on values (cursor.c) write the
 * digits into their place when they are asked for; no thread waits for another.
 * build_copy and doc_same look at slots one by one and ask slot_spell. Everything
 * else, and above all every encoder, is given a document without doubles: spelled_open
 * makes one of a value, and what is after it asserts doc_is_spelled.
 */
#ifndef DOC_SPELLED_H
#define DOC_SPELLED_H

#include "base/text.h"
#include "doc/doc.h"

#include <assert.h>

/* Whether documents can keep doubles at all: writing digits late, while other threads read
 * the document, takes atomic operations. Elsewhere they are written at once. */
#if defined(__GNUC__)
#define SPELLED_LATE 1
#else
#define SPELLED_LATE 0
#endif

enum { SPELLED_MAX_LEN = 31 };

static inline bool slot_is_double(const pith_slot *slot)
{
    return slot->kind == PITH_DECIMAL && (slot->flags & SLOT_DOUBLE);
}

static inline bool doc_is_spelled(const pith_doc *doc)
{
    return doc->double_count == 0;
}

/* Writes the digits that stand for a finite double in a document, SPELLED_MAX_LEN bytes at
 * most, and makes the slot that decimal. Returns their length. */
size_t slot_set_spelled(pith_slot *slot, char *to, double number);

/* Makes the slot of a decoder, which is the next one of a document that keeps doubles, a
 * finite double. */
static inline void slot_set_double(pith_slot *slot, pith_doc *doc, double number)
{
    assert(doc->keeps_doubles);
    slot->kind = PITH_DECIMAL;
    slot->flags = SLOT_DOUBLE;
    slot->shape = 0;
    slot->n = doc->double_count++;
    slot->u.number = number;
}

/* Makes room for the digits of all doubles; false when out of memory. A decoder calls it
 * once, after the last value. */
bool doc_place_digits(pith_doc *doc);

/* The digits of a double, which live as long as the document. */
pith_text doc_digits(const pith_doc *doc, const pith_slot *slot);

/* The text of any scalar, which may be written into `buffer`. */
static inline pith_text slot_spell(const pith_slot *slot, char buffer[SPELLED_MAX_LEN])
{
    pith_slot spelled = *slot;
    if (slot_is_double(slot))
        slot_set_spelled(&spelled, buffer, slot->u.number);
    return text_of(spelled.u.text, spelled.n);
}

/* A value without doubles: itself, where it has none. */
typedef struct spelled_value {
    const pith_doc *doc;
    uint32_t at;
    pith_doc own; /* else a tape and digits; the rest belongs to the other document */
} spelled_value;

/* False when out of memory; then there is nothing to close. The memory is that of the call
 * at hand, for the document may be in use by other threads. */
bool spelled_open(spelled_value *value, const pith_doc *doc, uint32_t at,
                  pith_alloc alloc);
void spelled_close(spelled_value *value);

#endif
