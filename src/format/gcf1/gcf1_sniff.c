/*
 * gcf1_sniff.c - what GCF 1 looks like.
 *
 * A graph says GCF in its first line, and a table has a header like nothing else. But a
 * text of members alone has no first line and no table:
 *
 *     ## database
 *       host=db.example.com
 *     port=5432
 *
 * Settings of other programs and even prose have lines that could be of it, so every line
 * at the beginning must be one, and nothing else may have claimed the text before.
 */
#include "format/gcf1/gcf1.h"
#include "format/gcf1/gcf1_graph.h"

#include "base/scan.h"
#include "base/utf8.h"

static pith_text gcf1_after_bom(pith_text text)
{
    return text_after(text, utf8_bom(text.ptr, text.len));
}

/* Takes a line off the text, without its end and the spaces before it. */
static pith_text gcf1_look_at_line(pith_text *text)
{
    pith_text line = text_split(text, '\n');
    if (line.len > 0 && line.ptr[line.len - 1] == '\r')
        line.len--;
    while (line.len > 0 && *line.ptr == ' ') {
        line.ptr++;
        line.len--;
    }
    return line;
}

/* Blank, or a comment. */
static bool gcf1_says_nothing(pith_text line)
{
    return line.len == 0 || text_is(line, "#") || text_begins(line, "# ");
}

/* ## name [3] or ## [3]{a,b}: nothing else has it. */
static bool gcf1_is_counted(pith_text line)
{
    const char *end = line.ptr + line.len;
    if (line.len < 6 || !text_begins(line, "## "))
        return false;
    const char *open = (const char *)memchr(line.ptr, '[', line.len);
    const char *close = open ? scan_digits(open + 1, end) : NULL;
    if (close && close == open + 1 && close < end && *close == '?')
        close++;
    return close && close > open + 1 && close < end && *close == ']' &&
           (close + 1 == end || close[1] == '{');
}

bool gcf1_sniff(pith_text text)
{
    pith_text rest = gcf1_after_bom(text);
    return rest.len > 0 && *rest.ptr == '#' && gcf1_is_counted(gcf1_look_at_line(&rest));
}

/* GCF and no profile= in the first line that is no comment. */
bool gcf1_graph_sniff(pith_text text)
{
    pith_text rest = gcf1_after_bom(text);
    while (rest.len > 0 && memchr("#\r\n", *rest.ptr, 3))
        if (!gcf1_says_nothing(gcf1_look_at_line(&rest)))
            return false;
    if (!text_begins(rest, "GCF ")) /* before a line is sought: it may be long */
        return false;
    pith_text line = text_split(&rest, '\n');
    while (line.len > 0)
        if (text_begins(text_split(&line, ' '), "profile="))
            return false;
    return true;
}

bool gcf1_is_later(pith_text text)
{
    pith_text rest = gcf1_after_bom(text);
    return text_begins(rest, "GCF profile=generic") ||
           text_begins(rest, "GCF profile=graph");
}

/* ----------------------------------------------------------------- members alone */

/* The name at the front of a line, as settings have them: letters, digits and a few
 * signs, and no digit first. */
static pith_text gcf1_front_name(pith_text line)
{
    size_t len = 0;
    while (len < line.len) {
        unsigned char c = (unsigned char)line.ptr[len];
        bool letter =
            (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c >= 0x80;
        bool inner = scan_is_digit(c) || c == '.' || c == '-' || c == '/';
        if (!letter && !(inner && len > 0))
            break;
        len++;
    }
    return text_of(line.ptr, len);
}

/* name=value, with something for a value that is no second equals sign, or
 * name[2]: a,b. */
static bool gcf1_is_member_like(pith_text line, pith_text *name)
{
    *name = gcf1_front_name(line);
    const char *at = name->ptr + name->len;
    const char *end = line.ptr + line.len;
    if (name->len == 0 || end - at < 2)
        return false;
    if (*at == '=')
        return at[1] != '=';
    const char *close = *at == '[' ? scan_digits(at + 1, end) : at;
    return close > at + 1 && end - close >= 2 && close[0] == ']' && close[1] == ':';
}

/* What the lines so far were like. */
typedef struct gcf1_looks {
    size_t members;
    size_t sections;
    bool words;       /* the names of all sections are single words */
    pith_text before; /* the name of the member before; empty for none */
} gcf1_looks;

/* Whether a line could be one of GCF 1 after those. The same name twice in a row is that
 * of a log. */
static bool gcf1_look_at_member(gcf1_looks *looks, pith_text line)
{
    pith_text name;
    if (text_begins(line, "## ")) {
        pith_text section = text_after(line, 3);
        looks->words = looks->words && section.len > 0 &&
                       gcf1_front_name(section).len == section.len;
        looks->sections++;
        looks->before.len = 0;
        return true;
    }
    if (!gcf1_is_member_like(line, &name) || text_equal(name, looks->before))
        return false;
    looks->before = name;
    looks->members++;
    return true;
}

bool gcf1_may_be(pith_text text)
{
    enum { LINES = 64, LONG = 1024 };
    gcf1_looks looks = {0, 0, true, {NULL, 0}};
    pith_text rest = gcf1_after_bom(text);
    while (rest.len > 0 && looks.members + looks.sections < LINES) {
        bool last = memchr(rest.ptr, '\n', rest.len) == NULL;
        if (last && text.len >= LONG && looks.members + looks.sections > 0)
            break; /* of a long text it may be cut off */
        pith_text line = gcf1_look_at_line(&rest);
        if (gcf1_is_counted(line))
            return true;
        if (!gcf1_says_nothing(line) && !gcf1_look_at_member(&looks, line))
            return false;
    }
    return looks.members > 0 || (looks.sections > 0 && looks.words);
}
