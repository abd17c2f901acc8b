/*
 * calls.c - see calls.h.
 *
 * Few requests are under way at a time, and answers mostly come in their order, so a list
 * does. An id is compared as it was written, and, when it is a string that was escaped in
 * another way, by what it means.
 */
#define _POSIX_C_SOURCE 200809L

#include "calls.h"

#include "base/lex.h"
#include "base/utf8.h"

#include <stdlib.h>
#include <string.h>

bool span_decode(span string, char *to, size_t size)
{
    if (!span_is_string(string) || span_len(string) - 1 > size)
        return false; /* no escape is shorter than what it stands for */
    const char *at = string.at + 1, *end = string.end - 1;
    char *stop = lex_unescape(&at, end, LEX_LETTERS, to);
    *stop = '\0';
    while (at < end) { /* a character that takes a pair of escapes */
        uint32_t code;
        size_t used;
        if (*at != '\\' || lex_read_escape(at, end, &code, &used) != LEX_FINE)
            return false;
        at += used;
        stop += utf8_encode(code, stop);
        stop = lex_unescape(&at, end, LEX_LETTERS, stop);
        *stop = '\0';
    }
    return strlen(to) == (size_t)(stop - to);
}

/* Growing by doubling. */
static bool make_room(void **at, size_t *cap, size_t count, size_t item)
{
    if (count < *cap)
        return true;
    size_t more = *cap ? 2 * *cap : 16;
    void *grown = realloc(*at, more * item);
    if (!grown)
        return false;
    *at = grown;
    *cap = more;
    return true;
}

call *calls_add(calls *all, span id, const char *tool)
{
    size_t len = span_len(id);
    void *at = all->at;
    if (all->count == CALLS_MOST || len > CALL_TEXT_MOST ||
        !make_room(&at, &all->cap, all->count, sizeof *all->at))
        return NULL;
    all->at = at;
    call one = {.id = strndup(id.at, len), .tool = tool ? strdup(tool) : NULL};
    if (!one.id || (tool && !one.tool)) {
        call_free(&one);
        return NULL;
    }
    all->at[all->count] = one;
    return &all->at[all->count++];
}

bool calls_same_id(span a, span b)
{
    char x[CALL_TEXT_MOST], y[CALL_TEXT_MOST];
    size_t len = span_len(a), other = span_len(b);
    if (len == other && len > 0 && memcmp(a.at, b.at, len) == 0)
        return true;
    return len > 0 && other > 0 &&
           (memchr(a.at, '\\', len) || memchr(b.at, '\\', other)) &&
           span_decode(a, x, sizeof x) && span_decode(b, y, sizeof y) &&
           strcmp(x, y) == 0;
}

bool calls_take(calls *all, span id, call *found)
{
    for (size_t i = 0; i < all->count; i++) {
        char *mine = all->at[i].id;
        if (!calls_same_id((span){mine, mine + strlen(mine)}, id))
            continue;
        *found = all->at[i];
        all->count--;
        memmove(&all->at[i], &all->at[i + 1], (all->count - i) * sizeof *all->at);
        return true;
    }
    return false;
}

void call_free(call *one)
{
    free(one->id);
    free(one->tool);
    *one = (call){0};
}

void calls_free(calls *all)
{
    for (size_t i = 0; i < all->count; i++)
        call_free(&all->at[i]);
    free(all->at);
    *all = (calls){0};
}

known *known_find(const known_list *all, const char *name)
{
    for (size_t i = 0; i < all->count; i++)
        if (strcmp(all->at[i].name, name) == 0)
            return &all->at[i];
    return NULL;
}

known *known_add(known_list *all, const char *name)
{
    known *there = known_find(all, name);
    void *at = all->at;
    if (there)
        return there;
    if (all->count == TOOLS_MOST ||
        !make_room(&at, &all->cap, all->count, sizeof *all->at))
        return NULL;
    all->at = at;
    char *copy = strdup(name);
    if (!copy)
        return NULL;
    all->at[all->count] = (known){.name = copy};
    return &all->at[all->count++];
}

void known_free(known_list *all)
{
    for (size_t i = 0; i < all->count; i++) {
        free(all->at[i].name);
        free(all->at[i].tool);
    }
    free(all->at);
    *all = (known_list){0};
}
