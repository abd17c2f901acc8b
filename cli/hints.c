/*
 * hints.c - what a text is that pith does not read, and the way out.
 *
 * A text that is not what its name or its beginning promises is still an error, with its
 * place. But often one look tells what it is: a database called .json, JSON with comments,
 * the answer of a model with its fence, a Python literal, YAML.
 */
#include "hints.h"

#include <stdbool.h>
#include <string.h>
#include <strings.h>

enum { LOOK = 64 * 1024 }; /* bytes */

#define BEGINS(text) text, sizeof(text) - 1

#define YAML_WAY_OUT "let its reader write JSON: yq -o json FILE | pith"

static const foreign foreigners[] = {
    {BEGINS("SQLite format 3"), "a SQLite database",
     "ask it: pith tables --db sqlite:FILE, pith query --db sqlite:FILE 'SELECT ...'"},
    {BEGINS("PAR1"), "a Parquet file", "let its reader write CSV or NDJSON"},
    {BEGINS("PK\3\4"), "a ZIP archive, perhaps an XLSX workbook",
     "save the sheet as CSV"},
    {BEGINS("\xff\xfe\0\0"), "UTF-32",
     "make it UTF-8: iconv -f UTF-32 -t UTF-8 FILE | pith"},
    {BEGINS("---\n"), "YAML", YAML_WAY_OUT},
    {BEGINS("---\r\n"), "YAML", YAML_WAY_OUT},
    {BEGINS("%YAML"), "YAML", YAML_WAY_OUT},
    {BEGINS("<?xml"), "XML", "let its reader write JSON: yq -p xml -o json FILE | pith"},
    {BEGINS("<!DOCTYPE"), "a page of HTML", "look for the JSON or CSV it was made from"},
    {BEGINS("<html"), "a page of HTML", "look for the JSON or CSV it was made from"},
};

static const foreign yaml_by_name = {NULL, 0, "YAML", YAML_WAY_OUT};

static bool is_called(const char *path, const char *suffix)
{
    size_t len = strlen(path);
    size_t end = strlen(suffix);
    return len > end && strcasecmp(path + len - end, suffix) == 0;
}

const foreign *hint_foreign(const char *path, const char *text, size_t len)
{
    for (size_t i = 0; i < sizeof foreigners / sizeof foreigners[0]; i++)
        if (len >= foreigners[i].len &&
            memcmp(text, foreigners[i].begins, foreigners[i].len) == 0)
            return &foreigners[i];
    bool yaml = path != NULL && (is_called(path, ".yaml") || is_called(path, ".yml"));
    return yaml ? &yaml_by_name : NULL;
}

/* Whether one of the words, which end with NULL, is at that place. */
static bool is_at(const char *text, size_t len, size_t at, const char *const *words)
{
    for (; *words != NULL; words++) {
        size_t size = strlen(*words);
        if (at <= len && len - at >= size && memcmp(text + at, *words, size) == 0)
            return true;
    }
    return false;
}

const char *hint_text(const char *text, size_t len)
{
    static const char *const fences[] = {"```", "~~~", NULL};
    bool begins = true; /* a line */
    for (size_t at = 0; at < len && at < LOOK; at++) {
        if (begins && is_at(text, len, at, fences))
            return "--from answer finds the data in a fence, and in what a model answers";
        begins = text[at] == '\n' || (begins && text[at] == ' ');
    }
    return NULL;
}

/* Whether a comma is before that place, over white space. */
static bool is_after_comma(const char *text, size_t at)
{
    while (at > 0 && memchr(" \t\r\n", text[at - 1], 4) != NULL)
        at--;
    return at > 0 && text[at - 1] == ',';
}

const char *hint_problem(const pith_error *problem, const char *file, const source *from)
{
    static const char *const comments[] = {"//", "/*", "#", NULL};
    static const char *const words[] = {"'",   "True",     "False",     "None",
                                        "NaN", "Infinity", "undefined", NULL};
    static const char *const closing[] = {"]", "}", NULL};
    const char *code = problem->code;
    const char *text = from->text;
    if (problem->status != PITH_BAD_INPUT || text == NULL || from->offset > 0)
        return NULL;
    if (hint_text(text, from->len) != NULL && problem->line == 1)
        return hint_text(text, from->len);
    if (strcmp(code, "invalid_utf8") == 0)
        return "if it is of an older Windows: iconv -f WINDOWS-1252 -t UTF-8 FILE | pith";
    bool structure = strncmp(code, "expected_", 9) == 0 ||
                     strcmp(code, "invalid_literal") == 0 ||
                     strcmp(code, "trailing_content") == 0;
    size_t at = problem->offset;
    if (structure && is_at(text, from->len, at, comments))
        return "--from answer reads JSON with comments";
    if (structure && is_at(text, from->len, at, words))
        return "--from answer reads Python literals, with other quotes, True and None";
    if (structure && is_at(text, from->len, at, closing) && is_after_comma(text, at))
        return "--from answer reads JSON with a comma too many";
    bool named = file != NULL && is_called(file, ".toon");
    bool toon = strncmp(problem->message, "expected a key and ':'", 22) == 0;
    return toon && !named ? "if this is YAML, " YAML_WAY_OUT : NULL;
}
