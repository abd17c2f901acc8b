/*
 * typed.h - what a value is beyond its JSON: see SLOT_TYPED.
 */
#ifndef DOC_TYPED_H
#define DOC_TYPED_H

#include "base/text.h"
#include "doc/slot.h"

#include <assert.h>

/* What bytes begin with on the tape; base64 follows. */
#define TYPED_BYTES_PREFIX "b64:"
enum { TYPED_BYTES_PREFIX_LEN = 4 };

/* The keys of a reference on the tape. */
#define TYPED_REF_KEY "$ref"
#define TYPED_REF_ID_KEY "id"

/* What a value is: PITH_TYPE_ANY for null, PITH_TYPE_INT for every whole number. */
pith_type typed_of(const pith_slot *slot);

/* The double of a number on the tape, or of a string that stands for one. */
double typed_double(const pith_slot *slot);

/* The canonical float of a document: the fewest digits that read back as the same double,
 * always with a point; an exponent below 0.0001 and from 1e16 on. Returns the length. */
enum { TYPED_FLOAT_MAX_LEN = 32 };
size_t typed_write_double(char *to, double number);

/* The words for NaN and the infinities; NULL for a finite number. */
const char *typed_odd_float(double number);

/* The base64 of bytes. */
static inline pith_text typed_base64(const pith_slot *bytes)
{
    assert(bytes->n >= TYPED_BYTES_PREFIX_LEN);
    return text_of(bytes->u.text + TYPED_BYTES_PREFIX_LEN,
                   bytes->n - TYPED_BYTES_PREFIX_LEN);
}

#endif
