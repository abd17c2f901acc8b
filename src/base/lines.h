/*
 * lines.h - lines of indented text, for the decoders that read by lines.
 *
 * A line is a span of the input: where it starts, where its content starts after the
 * indentation, and where it ends without its line break. Blank lines, and comment
 * lines where the format has them, are stepped over; that there was a blank one is
 * remembered until the next line, for formats in which it matters.
 *
 *     |  spaces and tabs  |  content  | spaces, CR, LF |
 *     ^ start             ^ at        ^ end
 *
 * Nothing is copied and nothing is reported: what is wrong with an indentation
 * depends on the format, so a line says what it is made of.
 */
#ifndef BASE_LINES_H
#define BASE_LINES_H

#include "base/scan.h"

#include <assert.h>

typedef struct line_reader {
    const char *next; /* the line to be read next */
    const char *end;
    size_t number; /* of the line read last, from 1 */

    unsigned indent;     /* spaces to a level, at least 1 */
    bool comments;       /* a line whose first character after spaces is # is none */
    bool tabs_are_blank; /* a line of nothing but spaces and tabs is blank */

    const char *blank; /* the first blank line before the line read last, or NULL */

    /* The division of the indentation seen last: lines mostly come in runs. */
    size_t seen_spaces;
    size_t seen_depth;
    size_t seen_odd;
} line_reader;

typedef struct text_line {
    const char *start;
    const char *at; /* the content */
    const char *end;
    size_t number; /* from 1 */
    size_t depth;  /* one level for each tab and each `indent` spaces */
    size_t odd;    /* spaces beyond a whole number of levels */
    bool tabs;     /* there are tabs in the indentation */
} text_line;

/* A reader of the lines of a text. */
void lines_init(line_reader *lines, pith_text text, unsigned indent);

/* The next line with content; false when there is none. The content is never empty,
 * unless the line has tabs and those do not count as blank. */
bool lines_next(line_reader *lines, text_line *line);

/* Two steps instead of one, for a reader that mostly finds the end of a line by
 * reading it. Where the next line is indented with spaces only and has content that is
 * no comment, lines_peek says so and sets all of `line` but its end; the line is still
 * the next. Nothing is divided if it stands at the depth that is `likely`. Then
 * lines_cut finds the end and goes after it, or lines_pass goes after the end that
 * the caller found, which is the line feed or the end of the text. */
static inline bool lines_peek(line_reader *lines, text_line *line, size_t likely);
void lines_cut(line_reader *lines, text_line *line);
static inline void lines_pass(line_reader *lines, const char *feed);

/* ------------------------------------------------------------- what is inline */

static inline void lines_measure(line_reader *lines, text_line *line, size_t spaces)
{
    if (spaces != lines->seen_spaces) {
        lines->seen_spaces = spaces;
        lines->seen_depth = spaces / lines->indent;
        lines->seen_odd = spaces % lines->indent;
    }
    line->depth = lines->seen_depth;
    line->odd = lines->seen_odd;
}

static inline bool lines_peek(line_reader *lines, text_line *line, size_t likely)
{
    const char *start = lines->next;
    const char *at = scan_blanks(start, lines->end);
    if (at == lines->end || (unsigned char)*at <= ' ' || (*at == '#' && lines->comments))
        return false;
    line->start = start;
    line->at = at;
    line->number = lines->number + 1;
    line->tabs = false;
    line->depth = likely;
    line->odd = 0;
    if ((size_t)(at - start) != likely * lines->indent)
        lines_measure(lines, line, (size_t)(at - start));
    return true;
}

static inline void lines_pass(line_reader *lines, const char *feed)
{
    assert(feed >= lines->next && feed <= lines->end);
    lines->next = feed < lines->end ? feed + 1 : feed;
    lines->number++;
    lines->blank = NULL;
}

#endif
