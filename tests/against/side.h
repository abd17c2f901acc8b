/*
 * side.h - one library among the two that are compared: what it does with an input.
 *
 * side.c is compiled twice, with SIDE defined as `old` and as `new`, each time with the
 * header of its own library. In the finished program nothing else of either is visible.
 */
#ifndef PITH_AGAINST_SIDE_H
#define PITH_AGAINST_SIDE_H

#include <stddef.h>
#include <stdint.h>

#include "bytes.h"

/* A way to read and write, and the bytes to begin with: a JSON text if `is_json`, which is
 * then converted, else a text of the format. */
typedef struct side_input {
    const char *format;
    const char *write; /* settings */
    const char *read;
    const char *other; /* a second format, to write what was read */
    const char *text;
    size_t len;
    int is_json;
    uint64_t seed; /* of the sizes of pieces */
} side_input;

/* What the library makes of the input: each value, row, text and error, in `record`. If
 * the input is JSON, `made` gets the text of the format. */
void old_run(const side_input *in, bytes *record, bytes *made);
void new_run(const side_input *in, bytes *record, bytes *made);
/* Valid settings of the format for reading (1) or writing (2), by chance. 0 when the
 * format has no such side. */
int old_settings(const char *format, unsigned side, uint64_t *seed, char words[256]);
int new_settings(const char *format, unsigned side, uint64_t *seed, char words[256]);

#endif /* PITH_AGAINST_SIDE_H */
