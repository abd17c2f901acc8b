/*
 * gcf1_read.h - what the files that read GCF 1 share.
 *
 * Problems are reported where they are found. Whoever reports one has built nothing of the
 * line yet, so that reading can go on with the next.
 */
#ifndef FORMAT_GCF1_GCF1_READ_H
#define FORMAT_GCF1_GCF1_READ_H

#include "base/lines.h"
#include "base/list.h"
#include "doc/read.h"
#include "format/gcf1/gcf1.h"

#include <assert.h>

typedef enum gcf1_scope_kind {
    GCF1_OBJECT,
    GCF1_ITEM, /* @0 without a value: an object, unless an array follows */
    GCF1_LIST,
    GCF1_ROWS,
    GCF1_ROW
} gcf1_scope_kind;

typedef struct gcf1_scope {
    gcf1_scope_kind kind;
    bool beside;   /* an object of layout B */
    bool pending;  /* an ITEM whose container is not open yet */
    bool dotted;   /* an object below a row, where .name is an object */
    bool numbered; /* a ROW that began with its number */
    size_t depth;  /* of its lines */
    size_t line;   /* of its header */
    uint64_t count;
    uint64_t wanted;
    bool open_count; /* [?] */
    LIST(pith_key) fields;
    uint16_t shape;
} gcf1_scope;

typedef struct gcf1_reader {
    TEXT_READER;
    pith_text input;
    bool lax;
    LIST(gcf1_scope) scopes;
    size_t used;        /* scopes that have been open; their lists of fields are kept */
    bool indent_sought; /* whether it was looked for, */
    bool indented;      /* whether some line has an indentation, */
    const char *unindented; /* and the first line that lacks one, or NULL */
    line_reader lines;
    const char *last_end;
} gcf1_reader;

/* [N] as a header has it. */
typedef struct gcf1_head {
    pith_text name;
    bool fields_given;
    bool values; /* [N]: v,v */
    bool open_count;
    uint64_t count;
    pith_text fields;
    pith_text rest;
} gcf1_head;

/* ------------------------------------------------------------------------ lines */

static inline bool gcf1_is_header(const text_line *line)
{
    return line->end - line->at >= 3 && memcmp(line->at, "## ", 3) == 0;
}

static inline bool gcf1_is_blank(char c)
{
    return c == ' ' || c == '\t';
}

/* The text without the blanks at its ends, which are no data. */
pith_text gcf1_trim(const char *at, const char *end);

/* The line without its first `skip` bytes, trimmed. */
static inline pith_text gcf1_after(const text_line *line, size_t skip)
{
    assert(skip <= (size_t)(line->end - line->at));
    return gcf1_trim(line->at + skip, line->end);
}

/* Finds [N] or [?] in `text`, with a blank before it or at its start unless it is not
 * `spaced`, and {fields} or a colon or nothing after it. */
bool gcf1_find_count(pith_text text, bool spaced, gcf1_head *head);

/* Whether the line is a header with a count. */
bool gcf1_has_count(const text_line *line);

/* Whether the line is name[N]: values. */
bool gcf1_is_inline_array(const text_line *line, gcf1_head *head);

/* @7 and a blank or the end of the line: its digits, or an empty text. */
pith_text gcf1_find_id(const text_line *line);

/* Whether these are the digits of the number, as they are written. */
bool gcf1_is_id(pith_text digits, uint64_t number);

/* .name, and no equals sign. */
bool gcf1_is_dotted(const text_line *line);

/* Whether the line ends the scope although it is as deep as the scope's lines. */
bool gcf1_ends(const gcf1_scope *scope, const text_line *line);

/* Whether a line without indentation belongs to the innermost scope, whose lines should
 * have one: if the whole text has none it was lost. See gcf1_unindented.c. */
bool gcf1_lost_indent(gcf1_reader *r, const text_line *line);

/* Tells of it, once all is read. */
void gcf1_tell_lost_indent(gcf1_reader *r);

/* ----------------------------------------------------------------------- values */

/* Whether this is one quoted text and nothing else. */
bool gcf1_is_quoted(const char *at, const char *end);

/* The end of the cell at `at`: the next `between` that is not in quotes, or `end`. NULL
 * when its quotes are wrong, which is then reported. */
const char *gcf1_cell_end(gcf1_reader *r, const char *at, const char *end, char between);

/* The number of cells; 0 when something about their quotes was wrong. */
size_t gcf1_count_cells(gcf1_reader *r, const char *at, const char *end, char between);

/* Whether a value that is not one of several is right; reports what is not. */
bool gcf1_check_value(gcf1_reader *r, const char *at, const char *end);

/* Reads a value whose quotes are known to be right; false when out of memory. */
bool gcf1_read_value(gcf1_reader *r, const char *at, const char *end, pith_slot *slot);

#endif
