/*
 * ways.c - the forms every format has, what they promise, and the settings they are tried
 * with.
 */
#include "trip.h"

#include <string.h>

#include "random.h"

#define NOT_FLAT                                                                         \
    "not_an_array not_an_object no_fields nested_value missing_field extra_field "       \
    "blank_row number_range"

/* Which decimals a double holds is no secret, so the formats that know doubles only say
 * what is too large for one. */
const way ways[] = {
    {"json",
     "json",
     EXACT,
     MAKE_ANY,
     "",
     NULL,
     NULL,
     {{"indent", "- 1 2 16", false}, {"ascii", "- true", false}}},
    {"ndjson",
     "ndjson",
     EXACT,
     MAKE_LIST,
     "not_an_array",
     NULL,
     NULL,
     {{"ascii", "- true", false}}},
    {"csv",
     "csv",
     DIGITS,
     MAKE_TABLE,
     NOT_FLAT,
     NULL,
     "types=cells",
     {{"quote", "- needed", false},
      {"newline", "- crlf", false},
      {"delimiter", "- comma semicolon tab pipe", true}}},
    {"tsv",
     "tsv",
     DIGITS,
     MAKE_TABLE,
     NOT_FLAT,
     NULL,
     NULL,
     {{"newline", "- crlf", false}}},
    {"toon",
     "toon",
     DIGITS,
     MAKE_ANY,
     "",
     NULL,
     NULL,
     {{"delimiter", "- tab pipe", false}, {"indent", "- 1 3 4", true}}},
    {"toon-3",
     "toon",
     DIGITS,
     MAKE_ANY,
     "",
     "version=3",
     "version=3",
     {{"delimiter", "- tab pipe", false}, {"indent", "- 1 3 4", true}}},
    {"toon-3.0",
     "toon",
     DIGITS,
     MAKE_ANY,
     "unrepresentable",
     "version=3.0",
     "version=3.0",
     {{"delimiter", "- tab pipe", false}, {"indent", "- 1 3 4", true}}},
    {"toon-rows",
     "toon-rows",
     DIGITS,
     MAKE_TABLE,
     NOT_FLAT,
     NULL,
     NULL,
     {{"delimiter", "- tab pipe", false}, {"indent", "- 1 3 4", true}}},
    {"gcf",
     "gcf",
     ALIKE,
     MAKE_ANY,
     "out_of_range",
     NULL,
     NULL,
     {{"flatten", "- false", false},
      {"inline-schema", "- false", false},
      {"shared-schema", "- false", false},
      {"tool", "- a", false}}},
    {"gcf-3.6",
     "gcf",
     ALIKE,
     MAKE_ANY,
     "out_of_range",
     "level=3.6",
     NULL,
     {{"flatten", "- false", false},
      {"inline-schema", "- false", false},
      {"shared-schema", "- false", false}}},
    {"gcf1",
     "gcf1",
     ALIKE,
     MAKE_ANY,
     "lossy",
     NULL,
     NULL,
     {{"level", "- 1.4", false}, {"quote", "- needed seed", false}}},
    {"soch",
     "soch",
     ALIKE,
     MAKE_ANY,
     "out_of_range",
     NULL,
     NULL,
     {{"rows", "- lines nl", false},
      {"types", "- all none", false},
      {"null", "- null", false},
      {"bool", "- long", false},
      {"min-tokens", "- true", false}}},
    {"soch-bin",
     "soch-bin",
     ALIKE,
     MAKE_ANY,
     "out_of_range",
     NULL,
     NULL,
     {{"compress", "- - - - lz4", false}, {"checksum", "- false", false}}},
    {"pith",
     "pith",
     EXACT,
     MAKE_ANY,
     "",
     NULL,
     NULL,
     {{"rows", "- inline", false},
      {"groups", "- false", false},
      {"table-columns", "- false", false},
      {"constants", "- false", false},
      {"maps", "- false", false}}},
    {"pith-2",
     "pith",
     EXACT,
     MAKE_REPEATS,
     "",
     "level=2",
     NULL,
     {{"rows", "- - - inline", false},
      {"names", "- - false", false},
      {"stems", "- - false", false},
      {"models", "- - false", false},
      {"fill", "- - false", false},
      {"templates", "- - false", false}}},
};

const size_t ways_count = sizeof ways / sizeof *ways;

/* ---------------------------------------------------------------------- settings */

/* Adds "word=value" after the words that are there; there is room. */
static void add_word(char *words, const char *word, const char *value, size_t len)
{
    size_t at = strlen(words);
    size_t word_len = strlen(word);
    if (at)
        words[at++] = ' ';
    memcpy(words + at, word, word_len);
    words[at + word_len] = '=';
    memcpy(words + at + word_len + 1, value, len);
    words[at + word_len + 1 + len] = '\0';
}

static void choose_one(trip *t, const chance *choice)
{
    size_t count = 1;
    for (const char *at = choice->values; *at; at++)
        count += *at == ' ';
    const char *value = choice->values;
    for (size_t skip = random_small(&t->seed, count); skip > 0; skip--)
        value = strchr(value, ' ') + 1;
    size_t len = strcspn(value, " ");
    if (*value == '-')
        return;
    add_word(t->write, choice->word, value, len);
    if (choice->both)
        add_word(t->read, choice->word, value, len);
}

/* True when the rows all have a text under the key, and equal ones stand together: then
 * groups by that field leave the rows where they are. */
static bool stands_in_groups(pith_value rows, pith_text key)
{
    for (pith_value row = pith_value_first(rows); row.doc; row = pith_value_next(row)) {
        pith_value value = pith_value_get(row, key.ptr, key.len);
        bool apart = false;
        if (pith_value_kind(row) != PITH_OBJECT || pith_value_kind(value) != PITH_STRING)
            return false;
        for (pith_value v = pith_value_next(row); v.doc; v = pith_value_next(v)) {
            bool equal = pith_value_equal(value, pith_value_get(v, key.ptr, key.len));
            if (equal && apart)
                return false;
            apart = !equal;
        }
    }
    return true;
}

/* A name that a setting can hold as it is. */
static bool is_plain_name(pith_text name)
{
    for (size_t i = 0; i < name.len; i++)
        if ((name.ptr[i] | 0x20) < 'a' || (name.ptr[i] | 0x20) > 'z')
            return false;
    return name.len > 0 && name.len < 16;
}

/* Groups by some field of the first row where that keeps the value. */
static void choose_group(trip *t)
{
    pith_value root = pith_doc_root(t->from);
    if (strcmp(t->way->name, "gcf-3.6") != 0 || pith_value_kind(root) != PITH_ARRAY ||
        pith_value_kind(pith_value_first(root)) != PITH_OBJECT ||
        pith_value_count(root) > 50)
        return;
    for (pith_value field = pith_value_first(pith_value_first(root)); field.doc;
         field = pith_value_next(field)) {
        pith_text key = pith_value_key(field);
        if (is_plain_name(key) && stands_in_groups(root, key)) {
            add_word(t->write, "group", key.ptr, key.len);
            return;
        }
    }
}

void trip_choose_settings(trip *t, bool any)
{
    strcpy(t->write, t->way->fixed ? t->way->fixed : "");
    strcpy(t->read, t->way->read ? t->way->read : "");
    if (!any)
        return;
    for (size_t i = 0; i < CHANCES_MOST && t->way->chances[i].word; i++)
        choose_one(t, &t->way->chances[i]);
    choose_group(t);
    if (random_small(&t->seed, 16) == 0)
        add_word(t->write, "verify", "value", 5);
}
