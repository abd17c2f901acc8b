/*
 * choose.h - which formats a conversion is between, and with which settings.
 */
#ifndef PITH_CLI_CHOOSE_H
#define PITH_CLI_CHOOSE_H

#include "command.h"
#include "pith.h"

#include <stdbool.h>
#include <stddef.h>

/* The format a user named, for reading (PITH_READ) or writing (PITH_WRITE); NULL
 * after a complaint when there is none or it cannot do that. */
const pith_format *choose_named(session *with, const char *name, unsigned side);

/* What is written when nobody says: the cheapest form of data that came in an
 * exchange format, and JSON for everything else. */
const pith_format *choose_target(const pith_format *from);

/* Adds WORD=VALUE to what one side is told. False when out of memory. */
bool choose_add(pith_buffer *side, const char *word, const char *value);

/* The settings of one conversion, as the library takes them. Zero-initialise. */
typedef struct chosen_settings {
    pith_buffer read;
    pith_buffer write;
} chosen_settings;

/* Sorts the values of --set to the two sides; `from` or `to` is NULL when nothing is read
 * or written. A setting that names a format which is on neither side is passed over; the
 * others are marked as used. False after a complaint. */
bool choose_settings(chosen_settings *into, session *with, const pith_format *from,
                     const pith_format *to);
void choose_free(chosen_settings *settings);

/* Complains about the settings that no conversion used. */
bool choose_all_used(session *with);

#endif /* PITH_CLI_CHOOSE_H */
