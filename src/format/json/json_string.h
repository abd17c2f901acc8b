/*
 * json_string.h - JSON strings that are more than a run of plain ASCII.
 */
#ifndef FORMAT_JSON_JSON_STRING_H
#define FORMAT_JSON_JSON_STRING_H

#include "format/json/json.h"

/* What the string reader needs to know of its surroundings. */
typedef struct json_strings {
    pith_doc *doc;
    reporter *report;
    const char *start;   /* of the report's input: offsets count from here */
    const char *end;     /* of the text */
    bool replace;        /* a lone surrogate becomes U+FFFD */
    const char *endless; /* the code word for a string without its closing quote */
} json_strings;

/* Reads the string whose opening quote is at `open` into `slot` (text, length and
 * flags). Returns what stands behind the closing quote, or NULL when reading has to
 * stop. */
const char *json_read_string(const json_strings *strings, const char *open,
                             pith_slot *slot);

#endif
