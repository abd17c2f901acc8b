/*
 * soch_text.h - which texts must be quoted.
 */
#ifndef FORMAT_SOCH_SOCH_TEXT_H
#define FORMAT_SOCH_SOCH_TEXT_H

#include "format/soch/soch.h"

/* A text that would be trimmed, be null or a reference; it is not empty. */
bool soch_is_special(pith_text text);

/* Must be quoted in every column: it is that, or empty, or would end. */
bool soch_must_quote(pith_text text);

/* Would be read as something else than text where no type is known: a number, a bool,
 * bytes. In a column of texts it needs no quotes. */
bool soch_looks_like(pith_text text);

/* A name that needs no quotes. */
bool soch_is_identifier(pith_text name);

#endif
