/*
 * form.h - how a text is put into a file of vectors, so that everything in it can be seen.
 *
 *     --- [escaped] [newline] HEAD
 *     the text
 *
 * The text has no newline at its end unless the line above it says `newline`. After
 * `escaped`, what cannot be seen is written as \t, \r or \xHH, and a backslash as two.
 */
#ifndef PITH_VECTORS_FORM_H
#define PITH_VECTORS_FORM_H

#include "bytes.h"

/* Adds the `---` line and the text below it. */
void form_put(bytes *to, const char *head, const char *text, size_t len);

/* Adds the text that escapes stand for. */
void form_put_unescaped(bytes *to, const char *text, size_t len);

#endif /* PITH_VECTORS_FORM_H */
