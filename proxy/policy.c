/*
 * policy.c - see policy.h.
 *
 * A client that shows a model structuredContent and not the text beside it saves nothing
 * unless that goes; which clients do is known from their sources and reports, so it is a
 * bundle that the user names, and never a guess from what a client calls itself.
 */
#include "policy.h"

#include "base/error.h"

#include <stdlib.h>
#include <string.h>

typedef struct client {
    const char *name;
    structured how;
    bool wrapped;
} client;

static const client clients[] = {
    {"claude-code", STRUCTURED_TEXT, false}, /* shows the structure, drops the text */
    {"codex", STRUCTURED_TEXT, true},        /* likewise; else the content as JSON */
    {"vscode", STRUCTURED_TEXT, false},      /* the structure replaces the text */
    {"cursor", STRUCTURED_KEEP, false},
    {"gemini-cli", STRUCTURED_KEEP, false}, /* shows the text */
};

enum { CLIENT_COUNT = sizeof clients / sizeof clients[0] };

/* `*` is any text, `?` one byte. Goes back to the last star only, which is enough. */
static bool glob_matches(const char *glob, const char *text)
{
    const char *star = NULL, *mark = NULL;
    while (*text != '\0') {
        if (*glob == '*') {
            star = glob++;
            mark = text;
        } else if (*glob == '?' || *glob == *text) {
            glob++;
            text++;
        } else if (star) {
            glob = star + 1;
            text = ++mark;
        } else {
            return false;
        }
    }
    while (*glob == '*')
        glob++;
    return *glob == '\0';
}

const policy *policy_for(const policies *all, const char *tool)
{
    const policy *found = all->at;
    while (found->glob && !glob_matches(found->glob, tool))
        found++;
    return found;
}

/* --- reading */

static bool is_one_of(const char *value, const char *const *words, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(value, words[i]) == 0)
            return true;
    return false;
}

static pith_status bad_word(pith_error *err, const char *word)
{
    return error_set(err, PITH_BAD_USE, "bad_value",
                     "--tool: expected off, format=, budget=, keep=, structured=, "
                     "resources= or delta=, not '%s'",
                     word);
}

static pith_status read_budget(policy *to, const char *value, pith_error *err)
{
    char *end;
    to->budget = strtoul(value, &end, 10);
    to->how = STRUCTURED_TEXT; /* else the client may show all of it */
    if (*value < '1' || *value > '9' || *end != '\0' || to->budget > 1000000000)
        return error_set(err, PITH_BAD_USE, "bad_value",
                         "--tool: a budget is a number of tokens, not '%s'", value);
    return PITH_OK;
}

static pith_status read_structured(policy *to, const char *value, pith_error *err)
{
    static const char *const words[] = {"keep", "text"};
    if (!is_one_of(value, words, 2))
        return error_set(err, PITH_BAD_USE, "bad_value",
                         "structured is keep or text, not '%s'", value);
    to->how = strcmp(value, "text") == 0 ? STRUCTURED_TEXT : STRUCTURED_KEEP;
    return PITH_OK;
}

static pith_status read_word(policy *to, char *word, pith_error *err)
{
    static const char *const keeps[] = {"first", "last", "spread"};
    char *value = strchr(word, '=');
    if (!value) {
        to->off = strcmp(word, "off") == 0;
        return to->off ? PITH_OK : bad_word(err, word);
    }
    *value++ = '\0';
    if (strcmp(word, "budget") == 0)
        return read_budget(to, value, err);
    if (strcmp(word, "structured") == 0)
        return read_structured(to, value, err);
    if (strcmp(word, "keep") == 0 && is_one_of(value, keeps, 3))
        to->keep = value;
    else if (strcmp(word, "resources") == 0 && strcmp(value, "on") == 0)
        to->resources = true;
    else if (strcmp(word, "delta") == 0 && *value != '\0')
        to->delta = value;
    else if (strcmp(word, "format") == 0 && pith_format_find(value) &&
             (pith_format_find(value)->direction & PITH_WRITE))
        to->format = value;
    else {
        value[-1] = '=';
        return bad_word(err, word);
    }
    return PITH_OK;
}

/* One of --tool: a glob, a colon, words with commas between them. */
static pith_status read_tool(policy *to, char *words, pith_error *err)
{
    char *colon = strrchr(words, ':');
    to->glob = words;
    if (!colon || colon == words)
        return error_set(err, PITH_BAD_USE, "bad_value",
                         "--tool takes GLOB:WORDS, as in 'search*:off', not '%s'", words);
    *colon = '\0';
    char *next = colon + 1;
    while (next) {
        char *word = next;
        next = strchr(word, ',');
        if (next)
            *next++ = '\0';
        pith_status status = read_word(to, word, err);
        if (status != PITH_OK)
            return status;
    }
    return PITH_OK;
}

/* What holds where nothing else is said. */
static pith_status read_default(policy *to, const policy_words *given, pith_error *err)
{
    *to = (policy){.budget = given->budget};
    size_t i = 0;
    while (given->client && i < CLIENT_COUNT &&
           strcmp(given->client, clients[i].name) != 0)
        i++;
    if (i == CLIENT_COUNT)
        return error_set(err, PITH_BAD_USE, "bad_value",
                         "there is no bundle for the client '%s'", given->client);
    if (given->client) {
        to->how = clients[i].how;
        to->wrapped = clients[i].wrapped;
    }
    if (given->budget > 0)
        to->how = STRUCTURED_TEXT;
    return given->structured ? read_structured(to, given->structured, err) : PITH_OK;
}

/* The words that are changed while they are read, in one block. */
static char *copy_words(const policy_words *given)
{
    size_t len = 1;
    for (size_t i = 0; i < given->tool_count; i++)
        len += strlen(given->tools[i]) + 1;
    char *words = malloc(len);
    char *at = words;
    for (size_t i = 0; words && i < given->tool_count; i++) {
        size_t one = strlen(given->tools[i]) + 1;
        memcpy(at, given->tools[i], one);
        at += one;
    }
    return words;
}

static pith_status read_all(policies *all, const policy_words *given, pith_error *err)
{
    policy usual;
    pith_status status = read_default(&usual, given, err);
    char *words = all->words;
    for (size_t i = 0; status == PITH_OK && i < given->tool_count; i++) {
        policy *next = &all->at[all->count++];
        size_t len = strlen(words) + 1;
        *next = usual;
        status = read_tool(next, words, err);
        words += len;
    }
    for (size_t i = 0; i < given->exclude_count; i++)
        all->at[all->count++] = (policy){.glob = given->excludes[i], .off = true};
    for (size_t i = 0; i < given->include_count; i++) {
        all->at[all->count] = usual;
        all->at[all->count++].glob = given->includes[i];
    }
    usual.off = given->include_count > 0;
    all->at[all->count++] = usual;
    return status;
}

pith_status policies_read(policies *all, const policy_words *given, pith_error *err)
{
    size_t most = given->tool_count + given->exclude_count + given->include_count + 1;
    *all = (policies){.at = calloc(most, sizeof *all->at), .words = copy_words(given)};
    pith_status status =
        all->at && all->words ? read_all(all, given, err) : error_no_memory(err);
    if (status != PITH_OK)
        policies_free(all);
    return status;
}

void policies_free(policies *all)
{
    free(all->at);
    free(all->words);
    *all = (policies){0};
}
