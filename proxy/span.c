/*
 * span.c - see span.h.
 *
 * One loop goes over all tokens; what is open is a bit each, so depth costs no stack.
 */
#include "span.h"

#include "base/lex.h"

#include <assert.h>
#include <limits.h>
#include <stdint.h>
#include <string.h>

/* After the string whose quote is at `at`; NULL when it does not end or is wrong. */
static const char *string_end(const char *at, const char *end)
{
    for (at++;;) {
        at = scan_to(SCAN_STOP, at, end);
        if (at == end || (unsigned char)*at < 0x20)
            return NULL;
        if (*at == '"')
            return at + 1;
        uint32_t code;
        size_t used;
        if (lex_read_escape(at, end, &code, &used) == LEX_BAD_ESCAPE)
            return NULL;
        at += used; /* half of a pair is the receiver's to judge */
    }
}

/* After the word at `at`, or NULL when it is another. */
static const char *word_end(const char *at, const char *end, const char *word)
{
    size_t len = strlen(word);
    bool there = (size_t)(end - at) >= len && memcmp(at, word, len) == 0;
    return there ? at + len : NULL;
}

/* After the string, number or word at `at`; NULL when it is none of them. */
static const char *scalar_end(const char *at, const char *end)
{
    switch (*at) {
    case '"':
        return string_end(at, end);
    case 't':
        return word_end(at, end, "true");
    case 'f':
        return word_end(at, end, "false");
    case 'n':
        return word_end(at, end, "null");
    default:
        return lex_read_number(at, end).end;
    }
}

/* After the key at `at` and its colon, where the value begins; NULL when wrong. */
static const char *key_end(const char *at, const char *end)
{
    at = at < end && *at == '"' ? string_end(at, end) : NULL;
    at = at ? scan_spaces(at, end) : NULL;
    return at && at < end && *at == ':' ? scan_spaces(at + 1, end) : NULL;
}

/* What is open: a bit each, set for objects. */
typedef struct nesting {
    uint64_t objects[SPAN_DEPTH_MOST / 64];
    size_t depth;
} nesting;

static bool in_object(const nesting *open)
{
    size_t top = open->depth - 1;
    return open->objects[top / 64] >> top % 64 & 1;
}

static bool enter(nesting *open, bool object)
{
    if (open->depth == SPAN_DEPTH_MOST)
        return false;
    size_t top = open->depth++;
    uint64_t bit = UINT64_C(1) << top % 64;
    open->objects[top / 64] &= ~bit;
    open->objects[top / 64] |= object ? bit : 0;
    return true;
}

/* After the value at `at`, with all that is in it; NULL when it is not JSON. */
static const char *value_end(const char *at, const char *end)
{
    nesting open = {.depth = 0};
    for (;;) {
        /* A value begins here. */
        if (at == end)
            return NULL;
        if (*at == '{' || *at == '[') {
            char closing = *at == '{' ? '}' : ']';
            if (!enter(&open, *at == '{'))
                return NULL;
            at = scan_spaces(at + 1, end);
            if (at == end)
                return NULL;
            if (*at != closing) {
                at = closing == '}' ? key_end(at, end) : at;
                if (!at)
                    return NULL;
                continue;
            }
            at++;
            open.depth--;
        } else {
            at = scalar_end(at, end);
            if (!at)
                return NULL;
        }
        /* It has ended: what it is in may end too. */
        for (;;) {
            if (open.depth == 0)
                return at;
            at = scan_spaces(at, end);
            if (at == end)
                return NULL;
            if (*at == ',')
                break;
            if (*at != (in_object(&open) ? '}' : ']'))
                return NULL;
            at++;
            open.depth--;
        }
        at = scan_spaces(at + 1, end);
        if (in_object(&open) && !(at = key_end(at, end)))
            return NULL;
    }
}

bool span_parse(const char *text, size_t len, span *value)
{
    const char *end = text + len;
    const char *at = scan_spaces(text, end);
    const char *after = at < end ? value_end(at, end) : NULL;
    *value = (span){at, after};
    return after && scan_spaces(after, end) == end;
}

/* --- inside a text that was parsed: everything has its end */

/* After the value at `at`: only strings and brackets matter. */
static const char *known_end(const char *at, const char *end)
{
    size_t depth = 0;
    do {
        if (*at == '"') {
            at = string_end(at, end);
        } else if (*at == '{' || *at == '[') {
            depth++;
            at++;
        } else if (*at == '}' || *at == ']') {
            depth--;
            at++;
        } else if (depth > 0) {
            at = scan_to(SCAN_SET(SCAN_BRACKETS, '"'), at, end);
        } else {
            while (at < end && !strchr(",]} \t\r\n", *at))
                at++;
        }
        assert(at && at <= end);
    } while (depth > 0);
    return at;
}

span_walk span_walk_of(span container)
{
    assert(span_is_object(container) || span_is_array(container));
    return (span_walk){.next = container.at + 1,
                       .end = container.end,
                       .object = span_is_object(container)};
}

bool span_next(span_walk *walk)
{
    const char *at = scan_spaces(walk->next, walk->end);
    at += *at == ',';
    at = scan_spaces(at, walk->end);
    if (*at == '}' || *at == ']')
        return false;
    if (walk->object) {
        walk->key = (span){at, string_end(at, walk->end)};
        at = scan_spaces(walk->key.end, walk->end) + 1; /* the colon */
        at = scan_spaces(at, walk->end);
    }
    walk->value = (span){at, known_end(at, walk->end)};
    walk->next = walk->value.end;
    return true;
}

bool span_members(span object, const char *const *names, size_t count, span *found)
{
    for (size_t i = 0; i < count; i++)
        found[i] = (span){NULL, NULL};
    if (!span_is_object(object))
        return false;
    for (span_walk walk = span_walk_of(object); span_next(&walk);) {
        for (size_t i = 0; i < count; i++) {
            if (!span_is(walk.key, names[i]))
                continue;
            if (found[i].at)
                return false;
            found[i] = walk.value;
        }
    }
    return true;
}

span span_removal(span object, const char *name)
{
    const char *before = object.at + 1; /* where the member before it ends */
    span_walk walk = span_walk_of(object);
    while (span_next(&walk) && !span_is(walk.key, name))
        before = walk.value.end;
    if (before > object.at + 1)
        return (span){before, walk.value.end};
    const char *after = scan_spaces(walk.value.end, object.end);
    return (span){walk.key.at, *after == ',' ? after + 1 : walk.value.end};
}

/* --- texts */

/* The next byte of what a string means, into `*byte`; false at its end. A character
 * beyond ASCII that is escaped is no byte of a word. */
static bool next_byte(const char **at, const char *end, char *byte)
{
    uint32_t code;
    size_t used;
    if (*at == end)
        return false;
    if (**at != '\\') {
        *byte = *(*at)++;
        return true;
    }
    lex_read_escape(*at, end, &code, &used);
    *at += used;
    *byte = code > 0 && code < 0x80 ? (char)code : '\0';
    return true;
}

bool span_is(span value, const char *word)
{
    char byte;
    if (!span_is_string(value))
        return false;
    const char *at = value.at + 1, *end = value.end - 1;
    while (next_byte(&at, end, &byte))
        if (byte == '\0' || byte != *word++)
            return false;
    return *word == '\0';
}
