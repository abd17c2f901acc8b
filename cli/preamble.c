/*
 * preamble.c - what a model must be told of a text, and no more.
 *
 * A construct leaves marks in a text: a table of Pith has "[3{", a nested value of GCF a "^".
 * A line of the legend is told when one of the marks of its construct is there. A mark may
 * also be there by chance, inside of a value; then a line is told that was not needed. It is
 * never missing where the construct is used.
 */
#include "preamble.h"

#include "legends.h"

#include <string.h>

/* In a mark '#' stands for a number or '?', '@' for the last byte of a name. */
typedef struct construct_marks {
    const char *format;
    const char *construct;
    const char *marks[12]; /* NULL ends them */
} construct_marks;

static const construct_marks known[] = {
    {"csv", "quotes", {"\""}},
    {"csv", "empty", {",,", ",\n", ",\r", "\n,"}},
    {"tsv", "escapes", {"\\"}},
    {"toon", "object", {": ", "@:\n"}},
    {"toon", "list", {"]:", "- "}},
    {"toon", "table", {"}:"}},
    {"toon", "quotes", {"\""}},
    {"toon-rows", "quotes", {"\""}},
    {"gcf", "member", {"=", "## "}},
    {"gcf", "table", {"]{"}},
    {"gcf", "path", {">"}},
    {"gcf", "list", {"]:"}},
    {"gcf", "absent", {"-", "~"}},
    {"gcf", "attached", {"^"}},
    {"gcf", "quotes", {"\""}},
    {"gcf1", "member", {"=", "## "}},
    {"gcf1", "table", {"]{"}},
    {"gcf1", "list", {"]"}},
    {"gcf1", "absent", {"-"}},
    {"gcf1", "quotes", {"\""}},
    {"soch", "table", {"{"}},
    {"soch", "types", {":"}},
    {"soch", "words", {"T", "F", "\xE2\x88\x85"}},
    {"soch", "nested", {":{", ",{", ";{", "["}},
    {"soch", "name", {"_"}},
    {"soch", "quotes", {"\""}},
    {"pith", "table", {"[#{", "[#:"}},
    {"pith", "absent", {",,", ",\n", "\n,", ",;", ";,", ";;", ",]", ":,", "[;", ";]"}},
    {"pith", "constant", {"="}},
    {"pith", "group", {"@{"}},
    {"pith", "table column", {"@[#{", "@[#:"}},
    {"pith", "map", {"{#{", "{#:"}},
    {"pith", "quotes", {"\""}},
    {"pith", "names", {"\\"}},
    {"pith", "stems", {"\\"}},
    {"pith", "models", {"\\"}},
    {"pith", "ditto", {"=,", "=}", "= "}},
    {"pith", "default", {"=["}},
    {"pith", "template", {"=["}},
};

static bool is_digit(char c)
{
    return (c >= '0' && c <= '9') || c == '?';
}

/* Whether a name may end with that byte of the text: it is none of the notation, and no count
 * as in "[3{". */
static bool ends_name(const char *text, const char *at)
{
    if (memchr(" \n[]{},:;", *at, 9) != NULL)
        return false;
    while (at > text && is_digit(*at))
        at--;
    return *at != '[' && *at != '{';
}

/* Whether the mark is there, at that place. */
static bool is_marked(const char *text, const char *at, const char *end, const char *mark)
{
    for (; *mark != '\0'; mark++) {
        if (at == end)
            return false;
        if (*mark == '#') {
            if (!is_digit(*at))
                return false;
            while (at < end && is_digit(*at))
                at++;
        } else if (*mark == '@') {
            if (!ends_name(text, at))
                return false;
            at++;
        } else if (*at++ != *mark) {
            return false;
        }
    }
    return true;
}

static bool has_mark(const char *text, size_t len, const construct_marks *of)
{
    size_t most = sizeof of->marks / sizeof of->marks[0];
    for (size_t i = 0; i < len; i++)
        for (size_t k = 0; k < most && of->marks[k] != NULL; k++)
            if (is_marked(text, text + i, text + len, of->marks[k]))
                return true;
    return false;
}

/* Whether the line is worth telling. What is always said begins the legend; that a model may
 * answer in JSON is nothing that the text uses. */
static bool is_told(const legend *line, const char *text, size_t len)
{
    if (line->construct == NULL)
        return true;
    if (strcmp(line->construct, "answer") == 0)
        return false;
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (strcmp(known[i].format, line->format) == 0 &&
            strcmp(known[i].construct, line->construct) == 0)
            return has_mark(text, len, &known[i]);
    return true;
}

bool preamble_of(const char *format, const char *text, size_t len, pith_buffer *into)
{
    pith_sink sink = pith_sink_buffer(into);
    bool fine = true;
    for (const legend *line = legends; line->format != NULL && fine; line++)
        if (strcmp(line->format, format) == 0 && is_told(line, text, len))
            fine = sink.write(sink.ctx, line->line, strlen(line->line)) == PITH_OK &&
                   sink.write(sink.ctx, "\n", 1) == PITH_OK;
    return fine;
}
