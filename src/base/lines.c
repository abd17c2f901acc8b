/*
 * lines.c - finding the next line that says something.
 *
 * The order of preparation is that of TOON 4.4, section 12: cut at the line feed, drop
 * one carriage return, drop trailing spaces, drop comment lines, recognise blank ones.
 */
#include "base/lines.h"

#include <assert.h>

static const size_t lines_none_seen = SIZE_MAX;

void lines_init(line_reader *lines, pith_text text, unsigned indent)
{
    memset(lines, 0, sizeof *lines);
    lines->next = text.ptr;
    lines->end = text.ptr + text.len;
    lines->indent = indent ? indent : 1;
    lines->seen_spaces = lines_none_seen;
}

/* An indentation with tabs in it, measured from the start of the line. */
static void lines_measure_tabs(line_reader *lines, text_line *line)
{
    size_t tabs = 0;
    const char *at = line->start;
    for (; at < lines->end && (*at == ' ' || *at == '\t'); at++)
        tabs += *at == '\t';
    line->at = at;
    line->tabs = true;
    lines_measure(lines, line, (size_t)(at - line->start) - tabs);
    line->depth += tabs;
}

void lines_cut(line_reader *lines, text_line *line)
{
    assert(line->at >= lines->next && line->at <= lines->end);
    size_t left = (size_t)(lines->end - line->at);
    const char *feed = left ? (const char *)memchr(line->at, '\n', left) : NULL;
    const char *stop = feed ? feed : lines->end;
    lines_pass(lines, stop);
    if (stop > line->at && stop[-1] == '\r')
        stop--;
    while (stop > line->at && stop[-1] == ' ')
        stop--;
    line->end = stop;
}

/* A line of any kind, which is the next. */
static void lines_read(line_reader *lines, text_line *line)
{
    line->start = lines->next;
    line->at = scan_blanks(line->start, lines->end);
    line->number = lines->number + 1;
    line->tabs = false;
    if (line->at < lines->end && *line->at == '\t')
        lines_measure_tabs(lines, line);
    else
        lines_measure(lines, line, (size_t)(line->at - line->start));
    lines_cut(lines, line);
}

bool lines_next(line_reader *lines, text_line *line)
{
    const char *blank = NULL;
    while (lines->next < lines->end) {
        lines_read(lines, line);
        if (line->at == line->end && (!line->tabs || lines->tabs_are_blank)) {
            blank = blank ? blank : line->start;
            continue;
        }
        if (lines->comments && !line->tabs && *line->at == '#')
            continue;
        lines->blank = blank;
        return true;
    }
    lines->blank = blank;
    return false;
}
