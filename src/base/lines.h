/*
 * lines.h - lines of indented text, for the decoders that read by lines.
 *
 * A line is a span of the input: where it starts, where its content starts behind the
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

#include "pith.h"

typedef struct line_reader {
    const char *next; /* the line to be read next */
    const char *end;
    size_t number; /* of the line read last, from 1 */

    unsigned indent;     /* spaces to a level, at least 1 */
    bool comments;       /* a line whose first character behind spaces is # is none */
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

#endif
