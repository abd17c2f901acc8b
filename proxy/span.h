/*
 * span.h - where things are in a line of JSON.
 *
 * A message passes through as the bytes it came in. To change a part of it, one has to
 * know where the part is and nothing else, so nothing is decoded, copied or allocated here:
 *
 *     {"jsonrpc":"2.0","id":7,"result":{...}}
 *                           ^ ^        ^    ^      spans
 *
 * span_parse checks the whole grammar once; the walks after it only look for ends.
 */
#ifndef PITH_PROXY_SPAN_H
#define PITH_PROXY_SPAN_H

#include <stdbool.h>
#include <stddef.h>

/* The bytes from `at` up to `end`; `at` is NULL when there is no such value. */
typedef struct span {
    const char *at;
    const char *end;
} span;

/* Arrays and objects in a message may nest this deep. */
enum { SPAN_DEPTH_MOST = 512 };

/* Whether the text is one JSON value, with white space around it; `value` is without. */
bool span_parse(const char *text, size_t len, span *value);

/* The members of an object or the elements of an array, of a text that span_parse took:
 *
 *     span_walk walk = span_walk_of(object);
 *     while (span_next(&walk)) ...
 */
typedef struct span_walk {
    span key;   /* of a member, with its quotes */
    span value; /* of a member or an element */
    const char *next, *end;
    bool object;
} span_walk;

span_walk span_walk_of(span container);
bool span_next(span_walk *walk);

/* Finds members by name, in one pass: `found[i]` is the value of `names[i]`. False when
 * one of the names is there twice, or when it is no object: then nobody knows what is
 * meant. */
bool span_members(span object, const char *const *names, size_t count, span *found);

/* The member, or none, also where the name is there twice. */
static inline span span_member(span object, const char *name)
{
    span found, none = {NULL, NULL};
    return span_members(object, &name, 1, &found) ? found : none;
}

/* The bytes to take out so that the member is gone, its comma with it. The member must
 * be there. */
span span_removal(span object, const char *name);

static inline size_t span_len(span text)
{
    return text.at ? (size_t)(text.end - text.at) : 0;
}

static inline bool span_is_object(span value)
{
    return value.at && *value.at == '{';
}

static inline bool span_is_array(span value)
{
    return value.at && *value.at == '[';
}

static inline bool span_is_string(span value)
{
    return value.at && *value.at == '"';
}

/* Whether the value is a JSON string that means `word`, however it is escaped. */
bool span_is(span value, const char *word);

#endif
