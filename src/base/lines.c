/*
 * lines.c - finding the next line that says something.
 *
 * The order of preparation is that of TOON 4.4, section 12: cut at the line feed, drop
 * one carriage return, drop trailing spaces, drop comment lines, recognise blank ones.
 */
#include "base/lines.h"
#include "base/scan.h"

static const size_t lines_none_seen = SIZE_MAX;

void lines_init(line_reader *lines, pith_text text, unsigned indent)
{
    memset(lines, 0, sizeof *lines);
    lines->next = text.ptr;
    lines->end = text.ptr + text.len;
    lines->indent = indent ? indent : 1;
    lines->seen_spaces = lines_none_seen;
}

static const char *lines_skip_spaces(const char *at, const char *end)
{
    while (end - at >= 8 && scan_load8(at) == SCAN_ONES * ' ') {
        at += 8;
    }
    while (at < end && *at == ' ') {
        at++;
    }
    return at;
}

static void lines_measure(line_reader *lines, text_line *line, size_t spaces)
{
    if (spaces != lines->seen_spaces) {
        lines->seen_spaces = spaces;
        lines->seen_depth = spaces / lines->indent;
        lines->seen_odd = spaces % lines->indent;
    }
    line->depth = lines->seen_depth;
    line->odd = lines->seen_odd;
}

/* An indentation with tabs in it, measured from the start of the line. */
static void lines_measure_tabs(line_reader *lines, text_line *line, const char *stop)
{
    size_t tabs = 0;
    const char *at = line->start;
    for (; at < stop && (*at == ' ' || *at == '\t'); at++) {
        tabs += *at == '\t';
    }
    line->at = at;
    line->tabs = true;
    lines_measure(lines, line, (size_t)(at - line->start) - tabs);
    line->depth += tabs;
}

bool lines_next(line_reader *lines, text_line *line)
{
    lines->blank = NULL;
    while (lines->next < lines->end) {
        const char *start = lines->next;
        size_t left = (size_t)(lines->end - start);
        const char *feed = (const char *)memchr(start, '\n', left);
        const char *stop = feed ? feed : lines->end;
        lines->next = feed ? feed + 1 : lines->end;
        lines->number++;
        if (stop > start && stop[-1] == '\r') {
            stop--;
        }
        line->start = start;
        line->at = lines_skip_spaces(start, stop);
        line->tabs = false;
        if (line->at < stop && *line->at == '\t') {
            lines_measure_tabs(lines, line, stop);
        } else {
            lines_measure(lines, line, (size_t)(line->at - start));
        }
        while (stop > line->at && stop[-1] == ' ') {
            stop--;
        }
        if (line->at == stop && (!line->tabs || lines->tabs_are_blank)) {
            lines->blank = lines->blank ? lines->blank : start;
            continue;
        }
        if (lines->comments && !line->tabs && *line->at == '#') {
            continue;
        }
        line->end = stop;
        line->number = lines->number;
        return true;
    }
    return false;
}
