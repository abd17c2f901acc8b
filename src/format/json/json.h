/*
 * json.h - JSON (RFC 8259), and the parts of it that line-oriented JSON shares.
 */
#ifndef FORMAT_JSON_JSON_H
#define FORMAT_JSON_JSON_H

#include "format/format.h"

extern const codec json_format;

/* The settings, in the order of the table; NDJSON has the first two and `ascii`
 * under the same numbers. */
enum { JSON_DUPLICATES, JSON_SURROGATES, JSON_ASCII, JSON_INDENT, JSON_SEVERAL };
enum { JSON_DUPLICATES_REFUSE, JSON_DUPLICATES_LAST };
enum { JSON_SURROGATES_REFUSE, JSON_SURROGATES_REPLACE };

#define JSON_SETTING_DUPLICATES                                                          \
    {                                                                                    \
        "duplicates", PITH_SETTING_CHOICE, PITH_READ, "refuse|last", 0, 0, "refuse",     \
            "what a repeated key means: an error, or that the last value wins"           \
    }
#define JSON_SETTING_SURROGATES                                                          \
    {                                                                                    \
        "surrogates", PITH_SETTING_CHOICE, PITH_READ, "refuse|replace", 0, 0, "refuse",  \
            "what half a surrogate pair means: an error, or U+FFFD"                      \
    }
#define JSON_SETTING_ASCII                                                               \
    {                                                                                    \
        "ascii", PITH_SETTING_BOOL, PITH_WRITE, NULL, 0, 0, "false",                     \
            "write everything beyond ASCII as \\uXXXX"                                   \
    }

typedef struct json_read_options {
    bool last_wins; /* duplicates=last */
    bool replace;   /* surrogates=replace */
} json_read_options;

json_read_options json_read_options_from(const settings *set);

/* Reads one value, with white space around it, from all of `text`, which must lie in
 * the report's input, and appends it to the open container of `doc`, or as its root.
 * Problems go to the report. Duplicate keys are merged by json_read_finish. */
void json_read_value(pith_doc *doc, pith_text text, json_read_options options,
                     reporter *report);

/* Reads the value in front of `text` alone. Where it ends, or the white space after it;
 * NULL after a problem. */
const char *json_read_front(pith_doc *doc, pith_text text, json_read_options options,
                            reporter *report);

/* After the last value: merges duplicate keys if there were any and they may be, and
 * marks the document as finished. Empties it when there were problems. */
void json_read_finish(pith_doc *doc, pith_text input, json_read_options options,
                      reporter *report);

/* Writes a value as the settings of `json` have it; `depth` is the level at which it
 * stands. */
void json_write(pith_out *out, const settings *set, const pith_doc *doc, uint32_t at,
                size_t depth);

/* Arrays and objects row by row: json_rows.c */
extern const struct row_format json_rows;

/* Writes a value on one line. */
void json_write_compact(pith_out *out, const pith_doc *doc, uint32_t at, bool ascii);

/* Writes a value over several lines; `depth` is the level at which it stands. */
void json_write_indented(pith_out *out, const pith_doc *doc, uint32_t at, unsigned indent,
                         size_t depth, bool ascii);

/* The rules of JSON's strings. `code` is the word for one without its closing quote;
 * `replaces`: half of a surrogate pair becomes U+FFFD. */
#define JSON_QUOTED_RULES(code, replaces)                                                \
    {                                                                                    \
        .letters = LEX_LETTERS, .replace = (replaces), .unchecked = true,                \
        .unclosed = {(code), "the string that starts here has no closing '\"'"},         \
        .escape = {"invalid_escape",                                                     \
                   "expected one of \" \\ / b f n r t u after the backslash"},           \
        .hex = {"invalid_escape", "expected four hexadecimal digits after \\u"},         \
        .surrogate = {"invalid_surrogate",                                               \
                      "%.6s is half of a surrogate pair without the other half"},        \
        .control = {"control_character",                                                 \
                    "control character U+%04X in a string; write it as \\u%04x"},        \
        .line_break = {"control_character",                                              \
                       "a line break inside a string; is the closing '\"' missing?"},    \
    }

#endif
