/*
 * json_string.c - escapes, UTF-8, and everything that can be wrong in a string.
 *
 * A string without escapes is borrowed from the input. One with escapes is decoded
 * into the arena, where it keeps its offset in the input (build_place_text).
 */
#include "format/json/json_string.h"
#include "base/lex.h"
#include "base/utf8.h"
#include "doc/build.h"

static size_t json_offset(const json_strings *strings, const char *at)
{
    return (size_t)(at - strings->start);
}

/* ------------------------------------------------------------------ problems */

static bool json_control_problem(const json_strings *strings, const char *at)
{
    unsigned byte = (unsigned char)*at;
    if (byte == '\n' || byte == '\r') {
        return report_bad(strings->report, "control_character", json_offset(strings, at),
                          "a line break inside a string; is the closing '\"' missing?");
    }
    return report_bad(strings->report, "control_character", json_offset(strings, at),
                      "control character U+%04X in a string; write it as \\u%04x", byte,
                      byte);
}

static bool json_escape_problem(const json_strings *strings, const char *at,
                                lex_fault fault)
{
    size_t offset = json_offset(strings, at);
    if (fault == LEX_LONE_SURROGATE) {
        return report_bad(strings->report, "invalid_surrogate", offset,
                          "%.6s is half of a surrogate pair without the other half", at);
    }
    if (strings->end - at > 1 && at[1] == 'u') {
        return report_bad(strings->report, "invalid_escape", offset,
                          "expected four hexadecimal digits after \\u");
    }
    return report_bad(strings->report, "invalid_escape", offset,
                      "expected one of \" \\ / b f n r t u after the backslash");
}

static bool json_utf8_problem(const json_strings *strings, const char *at)
{
    return report_bad(strings->report, "invalid_utf8", json_offset(strings, at),
                      "byte 0x%02X is not well-formed UTF-8 here", (unsigned char)*at);
}

/* True when the text ends inside an escape that is right as far as it goes: then it is
 * only cut short, as the string is. */
static bool json_is_cut(const char *at, const char *end)
{
    size_t left = (size_t)(end - at);
    if (left == 1) {
        return true;
    }
    bool cut = at[1] == 'u' && left < 6;
    for (size_t i = 2; i < left && cut; i++) {
        unsigned char digit = (unsigned char)at[i];
        unsigned char letter = digit | 0x20;
        cut = scan_is_digit(digit) || (letter >= 'a' && letter <= 'f');
    }
    return cut;
}

/* Reports one character that may be wrong and returns the bytes to go on by; 0 to
 * stop. */
static size_t json_report_character(const json_strings *strings, const char *at)
{
    unsigned char byte = (unsigned char)*at;
    if (byte == '\\') {
        uint32_t code = 0;
        size_t used = 0;
        lex_fault fault = lex_read_escape(at, strings->end, &code, &used);
        if (fault == LEX_BAD_ESCAPE && json_is_cut(at, strings->end)) {
            return (size_t)(strings->end - at);
        }
        bool fine =
            fault == LEX_FINE || (fault == LEX_LONE_SURROGATE && strings->replace);
        if (!fine && !json_escape_problem(strings, at, fault)) {
            return 0;
        }
        return fault == LEX_BAD_ESCAPE ? 2 : used;
    }
    if (byte < 0x20) {
        return json_control_problem(strings, at) ? 1 : 0;
    }
    size_t size = utf8_decode(at, (size_t)(strings->end - at), NULL);
    if (size == 0) {
        return json_utf8_problem(strings, at) ? 1 : 0;
    }
    return size;
}

/* Goes through a string that has something wrong in it and reports that, in the order
 * of the text. Returns what is behind the string, or NULL to stop. */
static const char *json_report_string(const json_strings *strings, const char *open)
{
    const char *at = open + 1;
    while (at < strings->end && *at != '"') {
        size_t used = json_report_character(strings, at);
        if (used == 0) {
            return NULL;
        }
        at += used;
    }
    if (at >= strings->end) {
        report_bad(strings->report, strings->endless, json_offset(strings, open),
                   "the string that starts here has no closing '\"'");
        return NULL;
    }
    return at + 1;
}

/* ------------------------------------------------------------------- reading */

/* The closing quote, or NULL when there is none or something is wrong before it. */
static const char *json_find_quote(const json_strings *strings, const char *open,
                                   bool *escapes)
{
    const char *end = strings->end;
    const char *at = scan_stop(open + 1, end);
    while (at < end && *at == '\\') {
        *escapes = true;
        at = end - at > 1 ? scan_stop(at + 2, end) : end;
    }
    return at < end && *at == '"' ? at : NULL;
}

/* Decodes what is between the quotes into `to`; the end of the result, or NULL when
 * an escape is wrong. */
static char *json_unescape(const json_strings *strings, const char *at, const char *end,
                           char *to)
{
    for (;;) {
        to = lex_unescape(&at, end, LEX_LETTERS, to);
        if (at == end) {
            return to;
        }
        uint32_t code = 0;
        size_t used = 0;
        lex_fault fault = lex_read_escape(at, end, &code, &used);
        if (fault == LEX_BAD_ESCAPE ||
            (fault == LEX_LONE_SURROGATE && !strings->replace)) {
            return NULL;
        }
        to += utf8_encode(code, to);
        at += used;
    }
}

/* A string with escapes; false when one of them is wrong or memory ran out. */
static bool json_store_unescaped(const json_strings *strings, const char *open,
                                 const char *close, pith_slot *slot)
{
    char *text = build_place_text(strings->doc, json_offset(strings, open),
                                  (size_t)(close - open));
    if (!text) {
        report_no_memory(strings->report);
        return false;
    }
    char *text_end = json_unescape(strings, open + 1, close, text);
    size_t len = text_end ? (size_t)(text_end - text) : 0;
    build_end_text(strings->doc, text, len);
    slot->flags = build_text_flags(text, len);
    slot->n = (uint32_t)len;
    slot->u.text = text;
    return text_end != NULL;
}

const char *json_read_string(const json_strings *strings, const char *open,
                             pith_slot *slot)
{
    bool escapes = false;
    const char *text = open + 1;
    const char *close = json_find_quote(strings, open, &escapes);
    size_t len = close ? (size_t)(close - text) : 0;
    slot->kind = PITH_STRING;
    slot->shape = SHAPE_NONE;
    slot->n = 0;
    slot->u.text = text;
    if (len > SLOT_TEXT_MOST) {
        report_problem(strings->report, PITH_LIMIT, "too_large",
                       json_offset(strings, open), "a string of 4 GiB or more");
        return NULL;
    }
    if (!close || utf8_find_invalid(text, len) != len) {
        return json_report_string(strings, open);
    }
    if (escapes) {
        if (!json_store_unescaped(strings, open, close, slot)) {
            return strings->report->stopped ? NULL : json_report_string(strings, open);
        }
        return close + 1;
    }
    slot->flags = build_text_flags(text, len);
    slot->n = (uint32_t)len;
    return close + 1;
}
