/*
 * quoted.c - escapes, and everything that can be wrong in quotes.
 *
 * A text is decoded in silence first. Only if something is wrong in it is it gone through
 * character by character, and all problems are told, in the order of the text.
 */
#include "format/quoted.h"

#include "base/lex.h"
#include "base/text.h"
#include "base/utf8.h"

#include <assert.h>

/* --------------------------------------------------------------------- characters */

/* The problem of the escape at `at`, NULL when there is none; its character, and the bytes
 * to go on by. */
static const quoted_problem *quoted_escape(const quoted_rules *rules, const char *at,
                                           const char *end, uint32_t *code, size_t *used)
{
    assert(at < end && *at == '\\');
    lex_fault fault = lex_read_escape(at, end, code, used);
    if (fault == LEX_LONE_SURROGATE ||
        (fault == LEX_FINE && *code > 0xFFFF && rules->no_pairs))
        return rules->replace ? NULL : &rules->surrogate;
    if (fault == LEX_FINE && strchr(rules->letters, at[1]))
        return NULL;
    *used = end - at > 1 ? 2 : 1;
    return end - at > 1 && at[1] == 'u' ? &rules->hex : &rules->escape;
}

/* True when the text ends inside an escape that is right as far as it goes: then it is
 * only cut short, as the whole text is. */
static bool quoted_is_cut(const char *at, const char *end)
{
    assert(at < end);
    size_t left = (size_t)(end - at);
    if (left == 1)
        return true;
    bool cut = at[1] == 'u' && left < 6;
    for (size_t i = 2; i < left && cut; i++) {
        unsigned char digit = (unsigned char)at[i];
        unsigned char letter = digit | 0x20;
        cut = scan_is_digit(digit) || (letter >= 'a' && letter <= 'f');
    }
    return cut;
}

/* ----------------------------------------------------------------------- problems */

/* Reports a problem with the character at `at`; false to stop. */
static bool quoted_bad(text_reader *r, const quoted_problem *problem, const char *at)
{
    return read_problem(r, at, problem->code, problem->sentence, at);
}

static bool quoted_bad_control(text_reader *r, const quoted_rules *rules, const char *at)
{
    unsigned byte = (unsigned char)*at;
    bool line_break = rules->line_break.code && (byte == '\n' || byte == '\r');
    const quoted_problem *problem = line_break ? &rules->line_break : &rules->control;
    return read_problem(r, at, problem->code, problem->sentence, byte, byte);
}

/* Reports what is wrong with the character at `at`, if anything is: `*fine` says. The bytes
 * to go on by; 0 to stop. */
static size_t quoted_check(text_reader *r, const quoted_rules *rules, const char *at,
                           const char *end, bool *fine)
{
    assert(at < end);
    uint32_t code = 0;
    size_t used = 1;
    if (*at == '\\') {
        const quoted_problem *problem = quoted_escape(rules, at, end, &code, &used);
        if (problem && rules->unchecked && quoted_is_cut(at, end))
            return (size_t)(end - at);
        *fine = !problem;
        return *fine || quoted_bad(r, problem, at) ? used : 0;
    }
    if ((unsigned char)*at < 0x20) {
        *fine = rules->raw_controls;
        return *fine || quoted_bad_control(r, rules, at) ? 1 : 0;
    }
    if (!rules->unchecked)
        return 1;
    used = utf8_decode(at, (size_t)(end - at), NULL);
    *fine = used > 0;
    return *fine ? used : read_bad_utf8(r, at) ? 1 : 0;
}

/* Goes through a text with something wrong in it and reports that. `close` is NULL if it is
 * not known. Returns what quoted_read_text does. */
static const char *quoted_report(text_reader *r, const quoted_rules *rules,
                                 const char *open, const char *close, const char *end)
{
    const char *at = open + 1;
    while (close ? at < close : at < end && *at != '"') {
        bool fine = true;
        size_t used = quoted_check(r, rules, at, end, &fine);
        if (used == 0 || (!fine && rules->one_problem))
            return NULL;
        at += used;
    }
    if (at >= end) {
        quoted_bad(r, &rules->unclosed, open);
        return NULL;
    }
    return rules->unchecked ? at + 1 : NULL;
}

/* ------------------------------------------------------------------------ reading */

/* The closing quote; `end` when there is none. An unchecked text ends at a control too,
 * since the quote may be missing. */
static const char *quoted_find_close(const quoted_rules *rules, const char *at,
                                     const char *end, bool *escapes)
{
    for (;;) {
        at = scan_stop(at, end);
        if (at == end)
            return end;
        if (*at == '"') {
            if (!rules->doubled || end - at < 2 || at[1] != '"')
                return at;
            *escapes = true;
            at += 2;
        } else if (*at == '\\') {
            *escapes = true;
            at += end - at > 1 ? 2 : 1;
        } else if (rules->unchecked) {
            return at;
        } else {
            *escapes = *escapes || !rules->raw_controls;
            at++;
        }
    }
}

/* Decodes what is between the quotes into `to`; the end of it, or NULL when something is
 * wrong. */
static char *quoted_decode(const quoted_rules *rules, const char *at, const char *end,
                           char *to)
{
    for (;;) {
        uint32_t code = 0;
        size_t used = 0;
        to = lex_unescape(&at, end, rules->letters, to);
        if (at == end)
            return to;
        if (*at == '\\') {
            if (quoted_escape(rules, at, end, &code, &used))
                return NULL;
            to += utf8_encode(code, to);
            at += used;
        } else if (*at == '"' || rules->raw_controls) {
            at += *at == '"'; /* the first of two */
            *to++ = *at++;
        } else {
            return NULL;
        }
    }
}

/* Decodes the text into the arena; false when something is wrong or memory ran out. */
static bool quoted_store(text_reader *r, const quoted_rules *rules, const char *open,
                         const char *close, pith_text *text)
{
    assert(open < close && *close == '"');
    bool placed =
        (uintptr_t)open >= (uintptr_t)r->start && (uintptr_t)open < (uintptr_t)r->end;
    char *to =
        build_place_text(r->doc, placed ? read_at(r, open) : 0, (size_t)(close - open));
    if (!to)
        return read_failed(r);
    char *to_end = quoted_decode(rules, open + 1, close, to);
    if (!to_end) {
        build_drop_text(r->doc, to);
        return false;
    }
    *text = text_of(to, (size_t)(to_end - to));
    build_end_text(r->doc, to, text->len);
    return true;
}

const char *quoted_read_text(text_reader *r, const quoted_rules *rules, const char *open,
                             const char *end, pith_text *text, uint8_t *flags)
{
    assert(open < end && *open == '"');
    bool escapes = false;
    const char *close = quoted_find_close(rules, open + 1, end, &escapes);
    bool closed = close < end && *close == '"';
    *text = text_of(open + 1, (size_t)(close - (open + 1)));
    *flags = 0;
    if (close == end && rules->unchecked && read_starved(r))
        return NULL;
    if (!closed && !rules->unchecked) {
        quoted_bad(r, &rules->unclosed, open);
        return NULL;
    }
    if (closed && rules->unchecked && text->len > SLOT_TEXT_MOST) {
        report_problem(r->report, PITH_LIMIT, "too_large", read_at(r, open),
                       "a string of 4 GiB or more");
        return NULL;
    }
    bool fine = closed && (!rules->unchecked ||
                           utf8_find_invalid(text->ptr, text->len) == text->len);
    if (fine && escapes)
        fine = quoted_store(r, rules, open, close, text);
    if (!fine) {
        text->len = rules->unchecked ? 0 : text->len;
        return r->report->stopped
                   ? NULL
                   : quoted_report(r, rules, open, closed ? close : NULL, end);
    }
    *flags = build_text_flags(text->ptr, text->len);
    return close + 1;
}

const char *quoted_read(text_reader *r, const quoted_rules *rules, const char *open,
                        const char *end, pith_slot *slot)
{
    pith_text text;
    uint8_t flags;
    const char *after = quoted_read_text(r, rules, open, end, &text, &flags);
    slot_set(slot, PITH_STRING, flags, text.ptr, text.len);
    return after;
}
