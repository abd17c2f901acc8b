/*
 * toon.h - Token-Oriented Object Notation, versions 4 and 3, and the table dialect
 * that Seamless-RAG prints.
 *
 * One implementation serves every version and the dialect; what differs is gathered in
 * toon_rules for the reader and in toon_pen for the writer, so that both ask about
 * behaviour and never about a version number.
 */
#ifndef FORMAT_TOON_TOON_H
#define FORMAT_TOON_TOON_H

#include "format/format.h"

extern const codec toon_format;
extern const codec toon_rows_format;

/* As deep as anything can be: no limit. */
#define TOON_FLATTEN_ALL "1000000"

/* The settings of `toon`; see settings.h. `toon-rows` has the delimiter and the indent. */
#define TOON_SETTINGS(row)                                                               \
    row(TOON_VERSION, "version", PITH_SETTING_CHOICE, PITH_READ | PITH_WRITE, "4|3|3.0", \
        0, 0, "4", "the specification: 4.4, 3.3, or 3.0 for older readers"),             \
        row(TOON_DELIMITER, "delimiter", PITH_SETTING_CHOICE, PITH_WRITE,                \
            "comma|tab|pipe", 0, 0, "comma", "what stands between values"),              \
        row(TOON_INDENT, "indent", PITH_SETTING_NUMBER, PITH_READ | PITH_WRITE, NULL, 1, \
            16, "2", "spaces for each level"),                                           \
        row(TOON_STRICT, "strict", PITH_SETTING_BOOL, PITH_READ, NULL, 0, 0, "true",     \
            "refuse what does not fit its header; false recovers as the "                \
            "specification allows"),                                                     \
        row(TOON_FOLD, "fold", PITH_SETTING_CHOICE, PITH_WRITE, "off|safe", 0, 0, "off", \
            "version 3: write nested objects with one member as a dotted key"),          \
        row(TOON_FLATTEN_DEPTH, "flatten-depth", PITH_SETTING_NUMBER, PITH_WRITE, NULL,  \
            0, PITH_DEPTH_MOST, TOON_FLATTEN_ALL,                                        \
            "version 3: the most keys to fold into one"),                                \
        row(TOON_EXPAND, "expand", PITH_SETTING_CHOICE, PITH_READ, "off|safe", 0, 0,     \
            "off", "version 3: read a dotted key as nested objects")

enum { TOON_SETTINGS(SETTINGS_NAME), TOON_SETTING_COUNT };

typedef enum toon_version { TOON_4, TOON_3, TOON_3_0 } toon_version;

/* True for the settings of `toon-rows`. */
static inline bool toon_is_dialect(const settings *set)
{
    return set->count < TOON_SETTING_COUNT;
}

/* A setting of `toon`, also where the format is `toon-rows`, which has its own mind about
 * most of them. */
uint64_t toon_setting(const settings *set, unsigned which);

/* Reading is for both; each has its own way to write a value. */
void toon_decode(decode_job *job);
extern const read_codec toon_read;
pith_status toon_encode(encode_job *job);

pith_status toon_rows_encode(encode_job *job);

/* Tables that leave row by row, for both. Their columns must be known. */
extern const struct row_format toon_row_format;

#endif
