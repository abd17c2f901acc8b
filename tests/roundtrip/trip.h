/*
 * trip.h - one value through one format and back, as the files of this program share it.
 */
#ifndef PITH_TRIP_H
#define PITH_TRIP_H

#include <stdbool.h>
#include <stdint.h>

#include "bytes.h"
#include "making.h"
#include "pith.h"

enum { WORDS_MOST = 160, WAYS_MOST = 16, CHANCES_MOST = 6 };

/* What a format promises of a value that comes back. */
typedef enum promise {
    EXACT,  /* the same digits, the same order: pith_value_equal */
    ALIKE,  /* members of rows may change places, decimals their spelling; a decimal of
               more digits than a double has may be rounded to one */
    DIGITS, /* the same, but no digit is lost */
} promise;

/* One word of the settings and the values it may be given; empty for "not at all". */
typedef struct chance {
    const char *word;
    const char *values; /* separated by spaces; "-" leaves the word out */
    bool both;          /* the reader is told as well */
} chance;

/* A format in one of the forms it has, and what goes with it. */
typedef struct way {
    const char *name; /* what the command line calls it */
    const char *format;
    promise promise;
    make_what makes; /* what it is tried with when it is tried alone */

    /* Codes with which it may refuse a value, separated by spaces. */
    const char *refuses;

    const char *fixed; /* settings it is always written with, or NULL */
    const char *read;  /* settings it is always read with, or NULL */
    chance chances[CHANCES_MOST];
} way;

extern const way ways[];
extern const size_t ways_count;

/* What became of all trips along a way. */
typedef struct tally {
    uint64_t trips;    /* values that came back */
    uint64_t refused;  /* by a code of the list */
    uint64_t damaged;  /* texts that were then damaged, */
    uint64_t accepted; /* and stood for another value */
} tally;

typedef struct trip {
    const way *way;
    uint64_t seed; /* chance for settings and damage */
    bytes json;    /* the value, as compact as JSON can be */
    pith_doc *from;
    pith_doc *back;
    pith_doc *third;
    pith_buffer text;
    pith_buffer again;
    char write[WORDS_MOST];
    char read[WORDS_MOST];
    pith_error err;
    tally tally;
} trip;

void trip_open(trip *t);
void trip_close(trip *t);

/* The settings that the way always has, and, if wanted, some others at random. */
void trip_choose_settings(trip *t, bool any);

/* Takes the value in `from` there and back with the settings of the trip. NULL when it
 * came back or was refused rightly, else what went wrong. `*refused` tells which. */
const char *trip_go(trip *t, bool *refused);

/* What is true of every text that was written, tried now and then after trip_go: the
 * value that came back is written the same, and survives JSON. */
const char *trip_go_again(trip *t);
const char *trip_go_by_json(trip *t);

/* Damages the text of a trip and reads it; NULL when that did no harm. */
const char *trip_damage(trip *t);

/* Writes and reads with the settings of the trip. */
pith_status trip_write(trip *t, pith_value value, pith_buffer *out);
pith_status trip_read(trip *t, pith_doc *doc, const pith_buffer *text);

/* True when b is what a way may make of a. */
bool trip_alike(pith_value a, pith_value b, promise made);

/* Makes the value in t->json smaller for as long as `fails` still finds the same. */
void trip_shrink(trip *t, bool (*fails)(trip *t));

#endif /* PITH_TRIP_H */
