/*
 * format_args.c - --from, --to and --set: formats and their settings.
 *
 * A setting is given as WORD=VALUE and belongs to the side whose format knows the
 * word. It may say more: a format's name (toon.indent=4) or a side (to.indent=4).
 * Where a bare word is known on both sides it is refused, with both spellings
 * offered, because either guess would be wrong half of the time.
 *
 *     --set toon.indent=4
 *           |    |      |
 *       scope  word  value
 *
 * Which format a file has is the library's to say (pith_format_of). How much of that the
 * name says before the file is opened is asked here, so that a command line that is wrong
 * can fail before anything is read.
 */
#include "format_args.h"

#include "base/nearest.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <stdlib.h>
#include <strings.h>

#define WORDS_MAX 128 /* of formats or of one format's settings, for "did you mean" */

/* --- formats */

static const char *format_name_at(size_t index)
{
    const pith_format *format = pith_format_at(index);
    return format != NULL ? format->name : NULL;
}

const pith_format *format_named(context *ctx, const char *name, unsigned side)
{
    const pith_format *format = pith_format_find(name);
    if (format == NULL) {
        diag_usage_near(
            &ctx->errors, "unknown_format", diag_nearest(name, format_name_at),
            "'pith formats' lists the formats", "there is no format '%s'", name);
        return NULL;
    }
    if ((format->direction & side) == 0) {
        bool reading = side == PITH_READ;
        diag_usage(&ctx->errors, "wrong_side", NULL, "the format '%s' can be %s, not %s",
                   name, reading ? "written" : "read", reading ? "read" : "written");
        return NULL;
    }
    return format;
}

const pith_format *format_target(const pith_format *from)
{
    return pith_format_find(from->exchange ? "auto" : "json");
}

/* --- suffixes */

/* Takes in one format that goes by the suffix of `len` bytes at `text`, of a path that
 * has `end` bytes before the suffix of a compression. */
static void note(suffix_facts *found, const char *path, size_t end, const char *text,
                 size_t len)
{
    if (len >= end || len < found->len || path[end - len - 1] == '/' ||
        strncasecmp(path + end - len, text, len) != 0)
        return;
    found->formats = len > found->len ? 1 : found->formats + 1;
    found->len = len;
}

suffix_facts suffix_of(const char *path)
{
    suffix_facts found = {0, 0};
    const pith_format *format;
    size_t size = strlen(path);
    size_t end =
        pith_packing(path, NULL, 0) != NULL ? (size_t)(strrchr(path, '.') - path) : size;
    for (size_t i = 0; (format = pith_format_at(i)) != NULL; i++) {
        const char *at = format->suffixes;
        while (*at != '\0') {
            size_t len = strcspn(at, " ");
            note(&found, path, end, at, len);
            at += len + (at[len] == ' ');
        }
    }
    if (found.formats > 0)
        found.len += size - end;
    return found;
}

/* --- settings */

const pith_setting *setting_at(const pith_format *format, size_t index)
{
    if (format == NULL)
        return NULL;
    if (index < format->setting_count)
        return &format->settings[index];
    const pith_setting *setting;
    size_t left = index - format->setting_count;
    for (size_t i = 0; (setting = pith_setting_common(i)) != NULL; i++)
        if ((setting->direction & format->direction) != 0 && left-- == 0)
            break;
    return setting;
}

void setting_words(const pith_setting *setting, char into[SETTING_WORDS_MAX])
{
    const char *word = setting->word;
    switch (setting->type) {
    case PITH_SETTING_BOOL:
        snprintf(into, SETTING_WORDS_MAX, "%s=true|false", word);
        break;
    case PITH_SETTING_NUMBER:
        snprintf(into, SETTING_WORDS_MAX, "%s=%" PRIu64 "..%" PRIu64, word, setting->min,
                 setting->max);
        break;
    case PITH_SETTING_CHOICE:
        snprintf(into, SETTING_WORDS_MAX, "%s=%s", word, setting->choices);
        break;
    case PITH_SETTING_TEXT:
        snprintf(into, SETTING_WORDS_MAX, "%s=TEXT", word);
        break;
    }
}

/* --- taking a setting apart */

typedef struct setting_text {
    const char *whole;
    char scope[64]; /* empty for none */
    char word[64];
    const char *value;
} setting_text;

static bool take_apart(setting_text *into, const char *whole)
{
    const char *equals = strchr(whole, '=');
    if (equals == NULL)
        return false;
    const char *dot = memchr(whole, '.', (size_t)(equals - whole));
    const char *word = dot == NULL ? whole : dot + 1;
    size_t scope_len = dot == NULL ? 0 : (size_t)(dot - whole);
    size_t word_len = (size_t)(equals - word);
    if (word_len == 0 || word_len >= sizeof into->word ||
        scope_len >= sizeof into->scope || (dot != NULL && scope_len == 0))
        return false;
    *into = (setting_text){.whole = whole, .value = equals + 1};
    memcpy(into->scope, whole, scope_len);
    memcpy(into->word, word, word_len);
    return true;
}

/* --- who knows a word */

static bool knows(const pith_format *format, unsigned side, const char *word)
{
    const pith_setting *setting;
    for (size_t i = 0; (setting = setting_at(format, i)) != NULL; i++)
        if ((setting->direction & side) != 0 && strcmp(setting->word, word) == 0)
            return true;
    return false;
}

/* Whether the word is the format's own, which counts before one that all formats know. */
static bool is_own(const pith_format *format, unsigned side, const char *word)
{
    for (size_t i = 0; i < format->setting_count; i++)
        if ((format->settings[i].direction & side) != 0 &&
            strcmp(format->settings[i].word, word) == 0)
            return true;
    return false;
}

/* Adds the words a format knows on some of the sides. */
static size_t add_words(const pith_format *format, unsigned sides, const char **words,
                        size_t count)
{
    const pith_setting *setting;
    for (size_t i = 0; (setting = setting_at(format, i)) != NULL; i++)
        if ((setting->direction & sides) != 0 && count < WORDS_MAX)
            words[count++] = setting->word;
    return count;
}

/* The formats of a conversion, and the sides a setting goes to. */
typedef struct sides {
    const pith_format *from; /* NULL: not concerned */
    const pith_format *to;
} sides;

static bool complain_unknown(diag *to, const setting_text *setting, sides among)
{
    const char *words[WORDS_MAX];
    size_t count = add_words(among.from, PITH_READ, words, 0);
    count = add_words(among.to, PITH_WRITE, words, count);
    const char *reading = among.from != NULL ? among.from->name : NULL;
    const char *writing = among.to != NULL ? among.to->name : NULL;
    const char *nearest = nearest_word(setting->word, words, count);
    const char *otherwise = "'pith formats' lists the settings of each format";
    if (reading != NULL && writing != NULL) {
        diag_usage_near(to, "unknown_setting", nearest, otherwise,
                        "neither reading %s nor writing %s has a setting '%s'", reading,
                        writing, setting->word);
    } else {
        diag_usage_near(to, "unknown_setting", nearest, otherwise,
                        "%s %s has no setting '%s'",
                        reading != NULL ? "reading" : "writing",
                        reading != NULL ? reading : writing, setting->word);
    }
    return false;
}

static bool complain_both(diag *to, const setting_text *setting, sides both)
{
    bool same = both.from == both.to;
    char hint[256];
    snprintf(hint, sizeof hint, "say '%s.%s=%s' or '%s.%s=%s'",
             same ? "from" : both.from->name, setting->word, setting->value,
             same ? "to" : both.to->name, setting->word, setting->value);
    diag_usage(to, "ambiguous_setting", hint,
               "both reading %s and writing %s have a setting '%s'", both.from->name,
               both.to->name, setting->word);
    return false;
}

/* --- sorting */

/* The sides a setting may mean by its scope; neither when it names a format that
 * is not part of this conversion. */
static bool scope_sides(diag *to, const setting_text *setting, sides pair, sides *meant)
{
    const char *scope = setting->scope;
    *meant = pair;
    if (strcmp(scope, "from") == 0) {
        meant->to = NULL;
    } else if (strcmp(scope, "to") == 0) {
        meant->from = NULL;
        if (pair.to == NULL) {
            diag_usage(to, "unknown_setting", NULL,
                       "'%s': nothing is written here, so 'to.' has no meaning",
                       setting->whole);
            return false;
        }
    } else if (scope[0] != '\0') {
        const pith_format *named = pith_format_find(scope);
        if (named == NULL) {
            diag_usage_near(to, "unknown_format", diag_nearest(scope, format_name_at),
                            "'pith formats' lists the formats",
                            "'%s': there is no format '%s'", setting->whole, scope);
            return false;
        }
        meant->from = pair.from == named ? named : NULL;
        meant->to = pair.to == named ? named : NULL;
    }
    return true;
}

/* A buffer being added to; the first failure sticks. */
typedef struct adding {
    pith_sink sink;
    pith_status status;
} adding;

static void add(adding *to, const char *text)
{
    if (to->status == PITH_OK)
        to->status = to->sink.write(to->sink.ctx, text, strlen(text));
}

static bool can_stand_bare(const char *value)
{
    for (const char *at = value; *at != '\0'; at++)
        if ((unsigned char)*at <= ' ' || *at == '"' || *at == '\\')
            return false;
    return value[0] != '\0';
}

static void add_json_string(adding *to, const char *value)
{
    add(to, "\"");
    for (const char *at = value; *at != '\0'; at++) {
        char escape[8] = {*at, '\0'};
        if (*at == '"' || *at == '\\')
            snprintf(escape, sizeof escape, "\\%c", *at);
        else if ((unsigned char)*at < ' ')
            snprintf(escape, sizeof escape, "\\u%04x", (unsigned char)*at);
        add(to, escape);
    }
    add(to, "\"");
}

/* Appends WORD=VALUE to a side's settings. */
static bool append(pith_buffer *into, const setting_text *setting)
{
    adding to = {.sink = pith_sink_buffer(into)};
    add(&to, into->len > 0 ? " " : "");
    add(&to, setting->word);
    add(&to, "=");
    if (can_stand_bare(setting->value))
        add(&to, setting->value);
    else
        add_json_string(&to, setting->value);
    return to.status == PITH_OK;
}

bool settings_add_words(pith_buffer *side, const char *words)
{
    adding to = {.sink = pith_sink_buffer(side)};
    add(&to, side->len > 0 ? " " : "");
    add(&to, words);
    return to.status == PITH_OK;
}

bool settings_add(pith_buffer *side, const char *word, const char *value)
{
    setting_text setting = {.value = value};
    snprintf(setting.word, sizeof setting.word, "%s", word);
    return append(side, &setting);
}

static bool sort_one(chosen_settings *into, diag *to, const char *whole, sides pair,
                     bool *used)
{
    setting_text setting;
    sides meant;
    if (!take_apart(&setting, whole)) {
        diag_usage(to, "bad_setting", NULL, "'%s' is not a setting; write WORD=VALUE",
                   whole);
        return false;
    }
    if (!scope_sides(to, &setting, pair, &meant))
        return false;
    if (meant.from == NULL && meant.to == NULL)
        return true;
    bool reads = knows(meant.from, PITH_READ, setting.word);
    bool writes = knows(meant.to, PITH_WRITE, setting.word);
    const pith_format *named = pith_format_find(setting.scope);
    if (!reads && !writes && named && knows(named, PITH_READ | PITH_WRITE, setting.word))
        return true; /* another input may be of that format, and be read with it */
    if (!reads && !writes)
        return complain_unknown(to, &setting, meant);
    if (reads && writes && meant.from && meant.to && setting.scope[0] == '\0') {
        bool own_read = is_own(meant.from, PITH_READ, setting.word);
        bool own_write = is_own(meant.to, PITH_WRITE, setting.word);
        if (own_read == own_write)
            return complain_both(to, &setting, meant);
        reads = own_read;
        writes = own_write;
    }
    *used = true;
    if ((reads && !append(&into->read, &setting)) ||
        (writes && !append(&into->write, &setting))) {
        pith_error problem;
        error_no_memory(&problem);
        diag_problem(to, NULL, &problem, NULL);
        return false;
    }
    return true;
}

/* The options that are settings of reading by another name. */
static bool add_selection(pith_buffer *read, context *ctx)
{
    static const option_id selecting[] = {OPTION_AT,   OPTION_ROWS,      OPTION_FIELDS,
                                          OPTION_DROP, OPTION_DROP_NULL, OPTION_PICK,
                                          OPTION_MEND, OPTION_STREAM};
    for (size_t i = 0; i < sizeof selecting / sizeof selecting[0]; i++) {
        const char *value = ctx->given.value[selecting[i]];
        const option *named = option_of(selecting[i]);
        if (value != NULL && named->kind == VALUE_NONE)
            value = "true";
        if (value != NULL && !settings_add(read, named->word, value)) {
            pith_error problem;
            error_no_memory(&problem);
            diag_problem(&ctx->errors, NULL, &problem, NULL);
            return false;
        }
    }
    return true;
}

/* The files that people have are cut by more than the library's default looks for, and JSON
 * comes in several values. */
const char *format_lenience(const pith_format *from)
{
    return knows(from, PITH_READ, "delimiter") ? "delimiter=rows"
           : knows(from, PITH_READ, "several") ? "several=array"
                                               : NULL;
}

static bool add_lenience(pith_buffer *read, context *ctx, const pith_format *from)
{
    const char *setting = format_lenience(from);
    if (setting == NULL)
        return true;
    char word[32];
    snprintf(word, sizeof word, "%.*s", (int)strcspn(setting, "="), setting);
    if ((read->len > 0 && strstr(read->data, word) != NULL) ||
        settings_add(read, word, strchr(setting, '=') + 1))
        return true;
    diag_system(&ctx->errors, NULL, "cannot start", "no_memory", ENOMEM);
    return false;
}

/* --bad, which only formats of lines know. */
static bool add_bad(pith_buffer *read, context *ctx, const pith_format *from)
{
    const char *value = ctx->given.value[OPTION_BAD];
    if (value == NULL)
        return true;
    if (!knows(from, PITH_READ, "bad")) {
        diag_usage(&ctx->errors, "unused_option", NULL,
                   "--bad only applies to ndjson, csv and tsv, and this is %s",
                   from->name);
        return false;
    }
    if (settings_add(read, "bad", value))
        return true;
    diag_system(&ctx->errors, NULL, "cannot start", "no_memory", ENOMEM);
    return false;
}

bool settings_sort(chosen_settings *into, context *ctx, const pith_format *from,
                   const pith_format *to)
{
    args *given = &ctx->given;
    sides pair = {from, to};
    for (size_t i = 0; i < given->setting_count; i++)
        if (!sort_one(into, &ctx->errors, given->settings[i], pair,
                      &given->setting_used[i]))
            return false;
    return from == NULL ||
           (add_lenience(&into->read, ctx, from) && add_bad(&into->read, ctx, from) &&
            add_selection(&into->read, ctx));
}

void settings_free(chosen_settings *settings)
{
    pith_buffer_free(&settings->read);
    pith_buffer_free(&settings->write);
}

bool settings_check_used(context *ctx)
{
    const args *given = &ctx->given;
    for (size_t i = 0; i < given->setting_count; i++) {
        if (!given->setting_used[i]) {
            diag_usage(&ctx->errors, "unused_setting", NULL,
                       "setting '%s' is for a format that is not used here",
                       given->settings[i]);
            return false;
        }
    }
    return true;
}

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash == NULL ? path : slash + 1;
}

char *format_path(const char *directory, const char *path, const pith_format *to)
{
    const char *name = base_name(path);
    size_t stem = strlen(name) - suffix_of(name).len;
    size_t dir = strlen(directory);
    const char *suffixes = to == NULL                ? ""
                           : to->suffixes[0] != '\0' ? to->suffixes
                                                     : ".txt";
    size_t suffix = strcspn(suffixes, " ");
    const char *slash = directory[dir - 1] == '/' ? "" : "/";
    size_t size = dir + 1 + stem + suffix + 1;
    char *joined = malloc(size);
    if (joined != NULL) {
        snprintf(joined, size, "%s%s%.*s%.*s", directory, slash, (int)stem, name,
                 (int)suffix, suffixes);
    }
    return joined;
}
