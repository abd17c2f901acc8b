/*
 * soch_text.h - which texts must be quoted.
 */
#ifndef FORMAT_SOCH_SOCH_TEXT_H
#define FORMAT_SOCH_SOCH_TEXT_H

#include "format/soch/soch.h"

/* Must be quoted in every column: it would end, be trimmed, be null or a reference. */
bool soch_must_quote(pith_text text);

/* Would be read as something else than text where no type is known: a number, a bool,
 * bytes. In a column of texts it needs no quotes. */
bool soch_looks_like(pith_text text);

/* A name that needs no quotes. */
bool soch_is_identifier(pith_text name);

#endif
