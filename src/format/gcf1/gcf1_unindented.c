/*
 * gcf1_unindented.c - texts that lost their indentation on the way here.
 *
 *     ## database             ## orders [2]{id,total}
 *     host=db.example.com     @0 1001|249.99
 *     port=5432               .customer
 *     ## cache                name=Alice
 *     ttl=3600                @1 1002|89.50
 *
 * This is what is left when a text is pasted somewhere that drops leading blanks. If no
 * line of the whole text is indented, members belong to the section, item or row that
 * they follow, as whoever looks at the text would read it, and whoever reads it is told.
 * How deep sections were nested cannot be told any more: they stand side by side.
 *
 * Where one line is indented nothing was lost. So a text with an empty object before a
 * member must have such a line, if only a comment (see gcf1_write.c).
 */
#include "format/gcf1/gcf1_read.h"

/* Whether some line is indented; looked for once, when it first matters. */
static bool gcf1_is_indented(gcf1_reader *r)
{
    text_line line;
    if (!r->indent_sought) {
        line_reader lines;
        lines_init(&lines, r->input, 2);
        lines.tabs_are_blank = true;
        while (!r->indented && lines_next(&lines, &line))
            r->indented = line.at > line.start;
        r->indent_sought = true;
    }
    return r->indented;
}

/* name=value or name[N]: values, and not a row that happens to look like it. */
static bool gcf1_is_plain_member(const text_line *line)
{
    gcf1_head head = {0};
    if (gcf1_find_id(line).len > 0)
        return false;
    const char *equals =
        (const char *)memchr(line->at, '=', (size_t)(line->end - line->at));
    if (!equals)
        return gcf1_is_inline_array(line, &head);
    pith_text value = gcf1_trim(equals + 1, line->end);
    bool quoted = value.len > 0 && *value.ptr == '"';
    const char *end = quoted ? equals : line->end;
    return !memchr(line->at, '|', (size_t)(end - line->at));
}

/* Whether more is to come of the array that the innermost scope is an element of. */
static bool gcf1_awaits_more(const gcf1_reader *r)
{
    assert(r->scopes.count > 1);
    const gcf1_scope *array = &r->scopes.at[r->scopes.count - 2];
    return !array->open_count && array->count < array->wanted;
}

static bool gcf1_belongs(const gcf1_reader *r, const text_line *line)
{
    const gcf1_scope *scope = &r->scopes.at[r->scopes.count - 1];
    switch (scope->kind) {
    case GCF1_LIST:
    case GCF1_ROWS:
        return !gcf1_ends(scope, line);
    case GCF1_OBJECT:
        return gcf1_is_plain_member(line);
    case GCF1_ROW:
        return scope->numbered && (gcf1_is_dotted(line) || gcf1_is_plain_member(line) ||
                                   (gcf1_is_header(line) && gcf1_awaits_more(r)));
    case GCF1_ITEM:
        return gcf1_is_plain_member(line) ||
               (gcf1_is_header(line) &&
                (gcf1_awaits_more(r) || (scope->pending && line->at[3] == '[')));
    }
    return false;
}

bool gcf1_lost_indent(gcf1_reader *r, const text_line *line)
{
    if (line->depth > 0 || !gcf1_belongs(r, line) || gcf1_is_indented(r))
        return false;
    if (!r->unindented)
        r->unindented = line->at;
    return true;
}

void gcf1_tell_lost_indent(gcf1_reader *r)
{
    if (r->unindented) {
        report_notice(
            r->report, "lost_indentation", read_at(&r->in, r->unindented),
            "no line is indented: members are read as part of the section, item "
            "or row before them, and sections as side by side");
    }
}
