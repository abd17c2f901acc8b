/*
 * safe.h - safe=true: a text in which nothing is hidden.
 *
 * A reader may take U+2028 for the end of a line, a terminal turns text around at U+202E, and
 * nobody sees what is written in tag characters. With safe=true such characters (see
 * utf8_is_hidden) are escaped, and refused where the format has no escape for them.
 *
 * Writers know nothing of it. They quote what is marked SLOT_ESCAPE, so they are given a copy
 * of the value in which every text with such a character is marked; and what is quoted is
 * escaped by the pen, which looks at `safe` of its output.
 */
#ifndef FORMAT_SAFE_H
#define FORMAT_SAFE_H

#include "format/format.h"

typedef struct safe_value {
    pith_doc own; /* a tape with marks, and keys with marks */
} safe_value;

/* Refuses a value with something that the format cannot escape, with its path. */
pith_status safe_check(const codec *format, const settings *set, const pith_doc *doc,
                       uint32_t at, pith_error *err);

/* The value at `at` with marks, as the root of `own`; false when out of memory. */
bool safe_open(safe_value *value, const pith_doc *doc, uint32_t at, pith_alloc alloc);
void safe_close(safe_value *value);

#endif
