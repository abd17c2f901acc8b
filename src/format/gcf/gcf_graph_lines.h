/*
 * gcf_graph_lines.h - lines and fields of the graph profile.
 *
 * A line is what stands between two line feeds without a carriage return and the blanks
 * at its ends; its fields are what stands between blanks. Blank lines and comments are
 * passed over. Nothing is ever indented.
 */
#ifndef FORMAT_GCF_GCF_GRAPH_LINES_H
#define FORMAT_GCF_GCF_GRAPH_LINES_H

#include "base/lines.h"
#include "graph/graph_lines.h"

typedef struct gcf_graph_lines {
    reporter *report;
    const char *start; /* of the input */
    line_reader lines;
    const char *last_end; /* of the line read last */
} gcf_graph_lines;

/* Checks UTF-8; false after a problem. */
bool gcf_graph_lines_init(gcf_graph_lines *lines, pith_text input, reporter *report);

/* The next line with something to read; false at the end. Indented lines are reported and
 * passed over. */
bool gcf_graph_next_line(gcf_graph_lines *lines, pith_text *line);

/* The next line if it is a comment; it is not passed over. */
bool gcf_graph_peek_comment(const gcf_graph_lines *lines, pith_text *comment);

static inline size_t gcf_graph_at(const gcf_graph_lines *lines, const char *at)
{
    return (size_t)(at - lines->start);
}

/* Takes the next field off the front of a line, and the blanks after it. */
pith_text gcf_graph_field(pith_text *line);

/* A whole number without leading zeros; false when it is none. Too large is UINT64_MAX. */
bool gcf_graph_number(pith_text digits, uint64_t *number);

/* ----------------------------------------------------------------- the first line */

enum { GCF_GRAPH_FIELDS_MOST = 64 };

/* Whether a first line may have this field. */
bool gcf_graph_is_pair(pith_text name, pith_text value);

/* Reads the first line; false when the rest cannot be read. Fields that mean nothing are
 * added to the graph, unless it is NULL. */
bool gcf_graph_read_head(gcf_graph_lines *lines, graph_head *head, code_graph *graph);

/* Reads ##! summary into `symbols` and `edges` of the head; false after a problem. */
bool gcf_graph_read_summary(gcf_graph_lines *lines, pith_text line, graph_head *head);

/* --------------------------------------------------------------------- sections */

typedef struct gcf_graph_section {
    pith_text name;
    pith_text digits; /* of its count, as written; empty without one */
    uint64_t wanted;
    bool counted;  /* [N] */
    bool deferred; /* [?] */
    uint64_t found;
    bool surplus; /* reported */
    size_t line;
} gcf_graph_section;

/* Reads ## name [N]; false after a problem. */
bool gcf_graph_read_section(gcf_graph_lines *lines, pith_text line,
                            gcf_graph_section *section);

/* Counts one more line of the section and complains about the first too many. */
void gcf_graph_count_line(gcf_graph_lines *lines, gcf_graph_section *section,
                          pith_text line);

/* Complains when the section ends too early. */
void gcf_graph_end_section(gcf_graph_lines *lines, const gcf_graph_section *section);

/* ---------------------------------------------------------------------- changes */

struct graph_delta;

/* Takes what the first line of a change says; false after a problem. */
bool gcf_graph_take_delta_head(struct graph_delta *delta, const graph_head *head,
                               pith_text line, reporter *report);

/* Reads the sections of a change, which GCF 1 writes without the distances of symbols. */
void gcf_graph_read_changes(struct graph_delta *delta, gcf_graph_lines *lines,
                            bool distances);

/* ------------------------------------------------------------------------ fields */

/* The digits after @; false, reported, when they are none. */
bool gcf_graph_read_id(gcf_graph_lines *lines, pith_text field, uint64_t *id);

/* [-]digits.dd as the shortest digits of JSON; false, reported, when it is none. */
bool gcf_graph_read_score(gcf_graph_lines *lines, pith_text field, pith_text *score);

#endif
