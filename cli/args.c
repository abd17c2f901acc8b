/*
 * args.c - the options, and reading them from the command line.
 *
 * One table describes every option of every command; the parser, --help, the man
 * page and the completions all read it. A command says which rows it takes.
 *
 * The words are taken apart before it is known which command they belong to:
 * options may come before the command's name, and none of them means two
 * things. What a command does not take is sorted out afterwards.
 */
#include "args.h"

#include "base/nearest.h"

#include "pith.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const option options[OPTION_COUNT] = {
    [OPTION_FROM] = {"from", 'f', VALUE_READ_FORMAT, "FORMAT", NULL,
                     "read this format; by default the file's suffix decides, or its "
                     "content where several formats share the suffix"},
    [OPTION_TO] = {"to", 't', VALUE_WRITE_FORMAT, "FORMAT", NULL,
                   "write this format; by default the suffix of OUT decides, then the "
                   "input's format"},
    [OPTION_SET] = {"set", 's', VALUE_SETTING, "WORD=VALUE", NULL,
                    "change a setting of a format; may be given several times"},
    [OPTION_AT] = {"at", 0, VALUE_TEXT, "PATH", NULL,
                   "take only the value at this path: /items/0, items[0].name, or "
                   "items.name for the names of all"},
    [OPTION_ROWS] = {"rows", 0, VALUE_TEXT, "A:B", NULL,
                     "take only the rows from A, counted from 0, up to B, which is not "
                     "included; either may be left out"},
    [OPTION_FIELDS] = {"fields", 0, VALUE_TEXT, "PATHS", NULL,
                       "take only these members of each row: id,user.login"},
    [OPTION_DROP] = {"drop", 0, VALUE_TEXT, "PATHS", NULL,
                     "leave these members out, at any depth: '*_url,node_id'; /id is "
                     "only at the top"},
    [OPTION_DROP_NULL] = {"drop-null", 0, VALUE_NONE, NULL, NULL,
                          "leave members out that are null"},
    [OPTION_OUTPUT] = {"output", 'o', VALUE_FILE, "OUT", NULL,
                       "write to this file, or into this directory; '-' is standard "
                       "output"},
    [OPTION_MERGE] = {"merge", 0, VALUE_NONE, NULL, NULL,
                      "make one table of the rows of all inputs"},
    [OPTION_NO_NEWLINE] = {"no-newline", 0, VALUE_NONE, NULL, NULL,
                           "leave off the newline at the end where the format has none"},
    [OPTION_KEY] = {"key", 'k', VALUE_TEXT, "FIELD", NULL,
                    "the field that identifies a row of an array"},
    [OPTION_SESSION] = {"session", 0, VALUE_FILE, "STATE", NULL,
                        "of graphs, write only what this conversation has not had yet; "
                        "STATE remembers"},
    [OPTION_DEPTH] = {"depth", 0, VALUE_NUMBER, "N", "1..1000000",
                      "let arrays and objects nest this deep; default 512, at most "
                      "1000000"},
    [OPTION_MEMORY_MAX] = {"memory-max", 0, VALUE_SIZE, "SIZE", "1K..1024G",
                           "let reading a text take this much memory; default 64M and 64 "
                           "bytes for each byte read"},
    [OPTION_OUTPUT_MAX] = {"output-max", 0, VALUE_SIZE, "SIZE", "1K..1024G",
                           "write at most this much for a text; default 64M and 64 "
                           "bytes for each byte read"},
    [OPTION_DB] = {"db", 0, VALUE_TEXT, "URL", NULL,
                   "the database: sqlite:PATH, mariadb://USER@HOST/NAME, mysql:// or "
                   "postgres://"},
    [OPTION_PARAM] = {"param", 'p', VALUE_TEXT, "[NAME=]VALUE", NULL,
                      "the value of the next parameter of the statement, or of the one "
                      "of that name; may be given several times"},
    [OPTION_LIMIT] = {"limit", 0, VALUE_NUMBER, "N", "1..1000000000",
                      "stop after this many rows"},
    [OPTION_TIMEOUT] = {"timeout", 0, VALUE_NUMBER, "SECONDS", "1..1000000",
                        "end the command when it takes longer than this"},
    [OPTION_MAX_VALUE] = {"max-value", 0, VALUE_SIZE, "SIZE", "1K..1000000000",
                          "let values of SQLite have this many bytes; default 128M"},
    [OPTION_MAX_MEMORY] = {"max-memory", 0, VALUE_SIZE, "SIZE", "1M..1024G",
                           "let SQLite use this much memory; default 1G"},
    [OPTION_TRUST_URI] = {"trust-uri", 0, VALUE_NONE, NULL, NULL,
                          "let a file: URI of SQLite say immutable, nolock or vfs"},
    [OPTION_WRITE] = {"write", 0, VALUE_NONE, NULL, NULL,
                      "let the statement change the database"},
    [OPTION_IMPORT] = {"import", 0, VALUE_TEXT, "NAME=FILE", NULL,
                       "read a file into a table first, with sqlite::memory:; may be "
                       "given several times"},
    [OPTION_SAMPLE] = {"sample", 0, VALUE_NUMBER, "N", "1..1000",
                       "show the first N rows of each table, too"},
    [OPTION_TOKENIZER] =
        {"tokenizer", 0, VALUE_TOKENIZER, "NAME|PATH", NULL,
         "count the tokens of this vocabulary, default o200k_base: a "
         "name, a model such as gpt-4o, the path of a tokenizer.json, or "
         "'estimate'; PITH_TOKENIZER says it for all"},
    [OPTION_PICK] = {"pick", 0, VALUE_CHOICE, "WHICH", "first|last|all",
                     "which of the data in an answer is taken, with --from answer; "
                     "default the first"},
    [OPTION_MEND] = {"mend", 0, VALUE_CHOICE, "WHAT", "none|safe|all",
                     "what may be mended in an answer: nothing, what cannot change a "
                     "value, which is the default, or also by guessing"},
    [OPTION_BAD] = {"bad", 0, VALUE_CHOICE, "WHAT", "stop|skip",
                    "what becomes of a line of NDJSON or CSV that cannot be read: stop "
                    "there, the default, or leave it out and say which it was"},
    [OPTION_STRICT_EXIT] = {"strict-exit", 0, VALUE_NONE, NULL, NULL,
                            "exit with 1 when there was a warning"},
    [OPTION_STREAM] = {"stream", 0, VALUE_NONE, NULL, NULL,
                       "pass each row of an answer on as soon as it is complete"},
    [OPTION_ALLOW] = {"allow", 0, VALUE_TEXT, "FORMATS|all", NULL,
                      "let 'auto' choose among these, default json,pith"},
    [OPTION_DENSE] = {"dense", 0, VALUE_NONE, NULL, NULL,
                      "level 2 of Pith, which also writes once what repeats elsewhere; "
                      "'auto' may choose it"},
    [OPTION_ANSWER] = {"answer", 0, VALUE_TEXT, "COLUMNS", NULL,
                       "print how to answer with a table instead, with an example that "
                       "has these columns, separated by commas"},
    [OPTION_OPTIMIZE] = {"optimize", 0, VALUE_CHOICE, "WHAT", "tokens",
                         "choose by counting among the forms that a format allows"},
    [OPTION_BUDGET] = {"budget", 0, VALUE_NUMBER, "N", "1..1000000000",
                       "leave out rows until all output fits into N tokens"},
    [OPTION_KEEP] = {"keep", 0, VALUE_CHOICE, "WHICH", "first|last|spread|best=FIELD",
                     "the rows that --budget keeps; default the first"},
    [OPTION_CLIP] = {"clip", 0, VALUE_NUMBER, "N", "1..1000000000",
                     "end longer texts after N characters, with a mark"},
    [OPTION_NOTE] = {"note", 0, VALUE_CHOICE, "WHERE", "auto|line|member|none",
                     "where the output says what was left out: a comment where readers "
                     "expect one, a comment, a member _note, nowhere"},
    [OPTION_PREAMBLE] = {"preamble", 0, VALUE_NONE, NULL, NULL,
                         "begin with what to tell a model about the notation, as far as "
                         "the text uses it"},
    [OPTION_TOKENS] = {"tokens", 0, VALUE_NUMBER, "N", "1..1000000000",
                       "the most tokens that a part may have"},
    [OPTION_ALL] = {"all", 0, VALUE_NONE, NULL, NULL, "list old formats, too"},
    [OPTION_PRICE] = {"price", 0, VALUE_TEXT, "P[UNIT]", NULL,
                      "the price of a million tokens, in dollars or in that unit: 2.50, "
                      "2.50EUR; adds what sending it 1000 times costs"},
    [OPTION_CURVE] = {"curve", 0, VALUE_NONE, NULL, NULL,
                      "show the saving for the first 10, 100 and 500 rows as well"},
    [OPTION_MARKDOWN] = {"markdown", 0, VALUE_NONE, NULL, NULL,
                         "print the tables as Markdown"},
    [OPTION_IDS] = {"ids", 0, VALUE_NONE, NULL, NULL,
                    "print the ids of the tokens instead, a line for each file"},
    [OPTION_SHOW] = {"show", 0, VALUE_NONE, NULL, NULL,
                     "print the text instead, with marks where its tokens break"},
    [OPTION_TOOL] =
        {"tool", 0, VALUE_TEXT, "GLOB:WORDS", NULL,
         "what is done with the results of some tools: off, format=F, "
         "budget=N, keep=last, structured=text, resources=on, delta=KEY, with "
         "commas between them; may be given several times, the first that "
         "matches counts"},
    [OPTION_INCLUDE] = {"include", 0, VALUE_TEXT, "GLOB", NULL,
                        "change the results of these tools alone; may be given several "
                        "times"},
    [OPTION_EXCLUDE] = {"exclude", 0, VALUE_TEXT, "GLOB", NULL,
                        "leave the results of these tools as they are; may be given "
                        "several times"},
    [OPTION_STRUCTURED] = {"structured", 0, VALUE_CHOICE, "HOW", "keep|text",
                           "keep structuredContent, which some clients show instead of "
                           "the text, or say it in the text alone"},
    [OPTION_CLIENT] = {"client", 0, VALUE_CHOICE, "NAME",
                       "claude-code|codex|vscode|cursor|gemini-cli",
                       "what is best for this client: a value of --structured, and what "
                       "is counted"},
    [OPTION_MIN_TOKENS] = {"min-tokens", 0, VALUE_NUMBER, "N", "0..1000000000",
                           "leave texts of fewer tokens as they are; default 40"},
    [OPTION_REWRITE_MAX] = {"rewrite-max", 0, VALUE_SIZE, "SIZE", "0..1024G",
                            "pass longer messages on untouched, as they arrive; default "
                            "64M, 0 for no limit"},
    [OPTION_STATS] = {"stats", 0, VALUE_FILE, "FILE", NULL,
                      "append a line of JSON for each call to this file, '-' for none, "
                      "and print a summary at the end and on SIGUSR1"},
    [OPTION_NAMES] = {"names", 0, VALUE_NONE, NULL, NULL, "print the names alone"},
    [OPTION_JSON] = {"json", 0, VALUE_NONE, NULL, NULL, "print the list as JSON"},
    [OPTION_MAN] = {"man", 0, VALUE_NONE, NULL, NULL, "print the manual page in roff"},
    [OPTION_COMPLETIONS] = {"completions", 0, VALUE_CHOICE, "SHELL", "bash|zsh|fish",
                            "print the completions for a shell"},
    [OPTION_COMPLETE] = {"complete", 0, VALUE_NONE, NULL, NULL,
                         "print what the last of the words after it could become"},
    [OPTION_ERRORS] = {"errors", 0, VALUE_CHOICE, "HOW", "text|json",
                       "print errors, warnings and notes as text or as one JSON object "
                       "a line"},
    [OPTION_COLOR] = {"color", 0, VALUE_CHOICE, "WHEN", "auto|always|never",
                      "color errors: on a terminal, always or never"},
    [OPTION_NO_PROGRESS] = {"no-progress", 0, VALUE_NONE, NULL, NULL,
                            "show no progress line"},
    [OPTION_QUIET] = {"quiet", 'q', VALUE_NONE, NULL, NULL,
                      "say nothing but errors: no notes, warnings or progress"},
    [OPTION_VERBOSE] = {"verbose", 'v', VALUE_NONE, NULL, NULL,
                        "say what was done, and in how many tokens, file by file"},
    [OPTION_HELP] = {"help", 'h', VALUE_NONE, NULL, NULL, "print this help"},
    [OPTION_VERSION] = {"version", 'V', VALUE_NONE, NULL, NULL, "print the version"},
};

const option *option_of(option_id id)
{
    return &options[id];
}

bool args_has(const args *parsed, option_id id)
{
    return parsed->value[id] != NULL;
}

bool args_color(const args *parsed, bool terminal)
{
    const char *when = parsed->value[OPTION_COLOR];
    const char *refused = getenv("NO_COLOR");
    const char *kind = getenv("TERM");
    if (when != NULL && strcmp(when, "auto") != 0)
        return strcmp(when, "always") == 0;
    return terminal && (refused == NULL || refused[0] == '\0') &&
           (kind == NULL || strcmp(kind, "dumb") != 0);
}

size_t args_number(const args *parsed, option_id id)
{
    const char *value = parsed->value[id];
    return value == NULL ? 0 : strtoul(value, NULL, 10);
}

/* What a size means, up to where it ends; 0 when that is too much. */
static uint64_t size_at(const char *text, const char **end)
{
    static const char units[] = "KMG";
    char *after;
    uint64_t number = strtoull(text, &after, 10);
    const char *unit = *after != '\0' ? strchr(units, *after) : NULL;
    unsigned shift = unit != NULL ? 10 * (unsigned)(unit - units + 1) : 0;
    *end = after + (unit != NULL);
    return number <= UINT64_MAX >> shift ? number << shift : 0;
}

uint64_t args_size(const args *parsed, option_id id)
{
    const char *end;
    const char *value = parsed->value[id];
    return value == NULL ? 0 : size_at(value, &end);
}

/* --- complaints */

#if defined(__GNUC__)
__attribute__((format(printf, 3, 4)))
#endif
static void
complain(args *into, const char *code, const char *format, ...)
{
    complaint *first = &into->wrong;
    if (first->code != NULL)
        return;
    va_list list;
    va_start(list, format);
    vsnprintf(first->message, sizeof first->message, format, list);
    va_end(list);
    snprintf(first->hint, sizeof first->hint, "'pith help' lists the options");
    first->code = code;
}

/* If `word` is a long option, the hint becomes the nearest option of the list. */
static void hint_nearest(complaint *said, const char *word, const option_id *among)
{
    const char *near[OPTION_COUNT];
    char typed[64];
    size_t count = 0;
    if (strncmp(word, "--", 2) != 0)
        return;
    for (; *among != OPTION_END; among++)
        near[count++] = options[*among].word;
    snprintf(typed, sizeof typed, "%.*s", (int)strcspn(word + 2, "="), word + 2);
    const char *nearest = nearest_word(typed, near, count);
    if (nearest != NULL)
        snprintf(said->hint, sizeof said->hint, "did you mean '--%s'?", nearest);
}

/* --- values */

static bool is_choice(const char *choices, const char *value)
{
    size_t len = strlen(value);
    for (const char *at = choices; len > 0 && at != NULL; at = strchr(at, '|')) {
        at += *at == '|';
        if (strncmp(at, value, len) == 0 && (at[len] == '|' || at[len] == '\0'))
            return true;
        size_t word = strcspn(at, "=|"); /* "best=FIELD" stands for any field */
        if (at[word] == '=' && len > word + 1 && strncmp(at, value, word + 1) == 0)
            return true;
    }
    return false;
}

/* Whether the value is a number within "least..most". */
static bool is_number(const char *range, const char *value)
{
    char *most;
    size_t len = strlen(value);
    unsigned long least = strtoul(range, &most, 10);
    if (len == 0 || len > 18 || strspn(value, "0123456789") != len)
        return false;
    unsigned long number = strtoul(value, NULL, 10);
    return number >= least && number <= strtoul(most + 2, NULL, 10);
}

/* Whether the value is a size within "least..most". */
static bool is_size(const char *range, const char *value)
{
    const char *end;
    size_t digits = strspn(value, "0123456789");
    uint64_t least = size_at(range, &end);
    uint64_t most = size_at(end + 2, &end);
    uint64_t size = size_at(value, &end);
    return digits > 0 && digits <= 18 && *end == '\0' && size >= least && size <= most;
}

static void give_value(args *into, option_id id, const char *spelled, const char *value)
{
    const option *opt = &options[id];
    if (opt->kind == VALUE_CHOICE && !is_choice(opt->choices, value)) {
        complain(into, "bad_value", "--%s takes one of %s, not '%s'", opt->word,
                 opt->choices, value);
        return;
    }
    bool size = opt->kind == VALUE_SIZE;
    if ((opt->kind == VALUE_NUMBER && !is_number(opt->choices, value)) ||
        (size && !is_size(opt->choices, value))) {
        const char *dots = strstr(opt->choices, "..");
        complain(into, "bad_value", "--%s takes a %s from %.*s to %s, not '%s'",
                 opt->word, size ? "size" : "number", (int)(dots - opt->choices),
                 opt->choices, dots + 2, value);
        return;
    }
    into->value[id] = value;
    into->spelled[id] = spelled;
    if (id == OPTION_SET)
        into->settings[into->setting_count++] = value;
    else if (id == OPTION_PARAM)
        into->params[into->param_count++] = value;
    else if (id == OPTION_IMPORT)
        into->imports[into->import_count++] = value;
    else if (id == OPTION_TOOL)
        into->tools[into->tool_count++] = value;
    else if (id == OPTION_INCLUDE)
        into->includes[into->include_count++] = value;
    else if (id == OPTION_EXCLUDE)
        into->excludes[into->exclude_count++] = value;
}

/* --- words */

/* The words still to be read. */
typedef struct words {
    char **at;
    char **end;
} words;

static void parse_long(args *into, const char *word, words *rest)
{
    size_t len = strcspn(word + 2, "=");
    for (size_t i = 0; i < OPTION_COUNT; i++) {
        const option *opt = &options[i];
        if (strlen(opt->word) != len || strncmp(opt->word, word + 2, len) != 0)
            continue;
        bool inlined = word[2 + len] == '=';
        if (opt->kind == VALUE_NONE && inlined)
            complain(into, "bad_value", "'%s': this option takes no value", word);
        else if (opt->kind == VALUE_NONE)
            give_value(into, (option_id)i, word, "");
        else if (inlined)
            give_value(into, (option_id)i, word, word + 3 + len);
        else if (rest->at < rest->end)
            give_value(into, (option_id)i, word, *rest->at++);
        else
            complain(into, "missing_value", "the option '%s' needs a value", word);
        return;
    }
    if (into->wrong.code == NULL) {
        option_id all[OPTION_COUNT + 1];
        for (size_t i = 0; i <= OPTION_COUNT; i++)
            all[i] = (option_id)i;
        complain(into, "unknown_option", "there is no option '%s'", word);
        hint_nearest(&into->wrong, word, all);
    }
}

/* Letters in one word: switches, and at the end perhaps one that takes a value,
 * which is the rest of the word or the next one. */
static void parse_short(args *into, const char *word, words *rest)
{
    for (const char *letter = word + 1; *letter != '\0'; letter++) {
        size_t i = 0;
        while (i < OPTION_COUNT && options[i].letter != *letter)
            i++;
        if (i == OPTION_COUNT) {
            complain(into, "unknown_option", "there is no option '%s'", word);
            return;
        }
        if (options[i].kind == VALUE_NONE) {
            give_value(into, (option_id)i, word, "");
        } else if (letter[1] != '\0') {
            give_value(into, (option_id)i, word, letter + 1);
            return;
        } else if (rest->at < rest->end) {
            give_value(into, (option_id)i, word, *rest->at++);
            return;
        } else {
            complain(into, "missing_value", "the option '%s' needs a value", word);
        }
    }
}

bool args_parse(args *into, int argc, char **argv)
{
    *into = (args){0};
    size_t count = argc > 0 ? (size_t)argc : 1;
    /* No list is longer than all words. */
    into->operands = calloc(7 * count, sizeof *into->operands);
    into->setting_used = calloc(count, sizeof *into->setting_used);
    if (into->operands == NULL || into->setting_used == NULL) {
        args_free(into);
        return false;
    }
    into->settings = into->operands + count;
    into->params = into->operands + 2 * count;
    into->imports = into->operands + 3 * count;
    into->tools = into->operands + 4 * count;
    into->includes = into->operands + 5 * count;
    into->excludes = into->operands + 6 * count;
    words rest = {argc > 0 ? argv + 1 : argv, argv + (argc > 0 ? argc : 0)};
    bool options_end = false;
    while (rest.at < rest.end) {
        const char *word = *rest.at++;
        if (options_end || word[0] != '-' || word[1] == '\0') {
            into->operands[into->operand_count++] = word;
            into->free_operands += !options_end;
        } else if (strcmp(word, "--") == 0) {
            options_end = true;
        } else if (word[1] == '-') {
            parse_long(into, word, &rest);
        } else {
            parse_short(into, word, &rest);
        }
    }
    return true;
}

void args_free(args *parsed)
{
    free((void *)parsed->operands);
    free(parsed->setting_used);
    *parsed = (args){0};
}

static bool is_listed(const option_id *list, option_id id)
{
    while (*list != OPTION_END && *list != id)
        list++;
    return *list == id;
}

void args_restrict(args *parsed, const option_id *allowed, const char *command)
{
    for (size_t i = 0; i < OPTION_COUNT && parsed->wrong.code == NULL; i++) {
        const char *word = parsed->spelled[i];
        if (word != NULL && !is_listed(allowed, (option_id)i)) {
            complain(parsed, "unknown_option", "'pith %s' has no option '%s'", command,
                     word);
            snprintf(parsed->wrong.hint, sizeof parsed->wrong.hint,
                     "'pith help %s' lists its options", command);
            hint_nearest(&parsed->wrong, word, allowed);
        }
    }
}
