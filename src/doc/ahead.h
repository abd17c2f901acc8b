/*
 * ahead.h - UTF-8 checked ahead of the lines that are read, a stretch at a time, while
 * the bytes are near.
 *
 *     start            until      checked                 end
 *       +----------------+-----------+---------------------+
 *       | read           | known     | not looked at yet   |
 *       +----------------+-----------+---------------------+
 *
 * What is wrong is reported only when the reading comes there, once a line, so that
 * problems are told in the order of the text.
 */
#ifndef DOC_AHEAD_H
#define DOC_AHEAD_H

#include "base/error.h"
#include "doc/doc.h"

typedef struct ahead_check {
    const char *start; /* of the input */
    const char *end;
    const char *checked; /* UTF-8 is known to be right or wrong up to here */
    const char *bad;     /* the first ill-formed byte before that, or NULL */
    bool surrogates;     /* half a surrogate pair is called by its name */
} ahead_check;

/* From `from` on. */
void ahead_init(ahead_check *ahead, pith_text input, const char *from);

/* Reports ill-formed UTF-8 up to `until`. False when the reading must stop: too much was
 * found, or the progress function said so. */
bool ahead_until(ahead_check *ahead, reporter *report, const char *until);

#endif
