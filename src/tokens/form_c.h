/*
 * form_c.h - whether text is in Normalization Form C as it stands.
 */
#ifndef TOKENS_FORM_C_H
#define TOKENS_FORM_C_H

#include "pith.h"

/* The first character in well-formed text that form C might change or move, NULL when
 * there is none. In front of the text must be no combining mark. */
const char *form_c_find(const char *at, const char *end);

#endif
