/*
 * answer_table.c - Markdown tables as CSV.
 *
 *     | id | name |           id,"name"
 *     |----|------|           1,Ada
 *     | 1  | Ada  |
 *
 * The cells keep their text and get the quotes that CSV needs; which of them are numbers is
 * for the reader of CSV to say. A row that is too short is filled up with empty cells, one
 * that is too long loses what is beyond, and the first such row is told.
 */
#include "base/scan.h"
#include "format/answer/answer.h"

static const char *table_line_end(const char *p, const char *end)
{
    const char *feed = (const char *)memchr(p, '\n', (size_t)(end - p));
    return feed ? feed : end;
}

/* The line without its outer bars and spaces. */
static pith_text table_line(const char *p, const char *feed)
{
    while (p < feed && scan_is_space((unsigned char)*p))
        p++;
    while (feed > p && scan_is_space((unsigned char)feed[-1]))
        feed--;
    if (p < feed && *p == '|')
        p++;
    if (feed > p && feed[-1] == '|' && (feed - p < 2 || feed[-2] != '\\'))
        feed--;
    return text_between(p, feed);
}

/* Takes the next cell off the line. */
static pith_text table_cell(pith_text *line, bool *more)
{
    const char *p = line->ptr;
    const char *end = line->ptr + line->len;
    while (p < end && *p != '|')
        p += *p == '\\' && end - p > 1 ? 2 : 1;
    const char *to = p;
    *more = p < end;
    const char *from = line->ptr;
    *line = text_between(p + *more, end);
    while (from < to && scan_is_space((unsigned char)*from))
        from++;
    while (to > from && scan_is_space((unsigned char)to[-1]))
        to--;
    return text_between(from, to);
}

/* Whether the line is the rule below the header: bars, dashes and colons. */
static bool table_is_rule(pith_text line)
{
    bool dash = false;
    for (size_t i = 0; i < line.len; i++) {
        if (!strchr("|-: \t\r", line.ptr[i]) || line.ptr[i] == '\0')
            return false;
        dash = dash || line.ptr[i] == '-';
    }
    return dash;
}

static size_t table_width(pith_text line)
{
    size_t count = 0;
    bool more = true;
    for (; more; count++)
        table_cell(&line, &more);
    return count;
}

/* Writes a cell. Text that was in backticks or bold stands without them. */
static char *table_put(char *to, pith_text cell)
{
    bool plain = true;
    if (cell.len > 1 && *cell.ptr == '`' && cell.ptr[cell.len - 1] == '`')
        cell = text_of(cell.ptr + 1, cell.len - 2);
    else if (cell.len > 4 && text_begins(cell, "**") &&
             text_begins(text_after(cell, cell.len - 2), "**"))
        cell = text_of(cell.ptr + 2, cell.len - 4);
    for (size_t i = 0; i < cell.len; i++)
        plain = plain && cell.ptr[i] != '"' && cell.ptr[i] != ',' && cell.ptr[i] != '\\';
    if (!plain)
        *to++ = '"';
    for (size_t i = 0; i < cell.len; i++) {
        bool bar = cell.ptr[i] == '\\' && i + 1 < cell.len && cell.ptr[i + 1] == '|';
        if (cell.ptr[i] == '"')
            *to++ = '"';
        if (!bar)
            *to++ = cell.ptr[i];
    }
    if (!plain)
        *to++ = '"';
    return to;
}

static char *table_put_row(char *to, pith_text line, size_t width)
{
    bool more = true;
    for (size_t i = 0; i < width; i++) {
        if (i > 0)
            *to++ = ',';
        if (more)
            to = table_put(to, table_cell(&line, &more));
    }
    *to++ = '\n';
    return to;
}

pith_text answer_table(pith_arena *arena, const char **at, const char *end,
                       const char **bad_row)
{
    pith_text none = {"", 0};
    const char *p = *at;
    const char *feed = table_line_end(p, end);
    if (feed == end || !memchr(p, '|', (size_t)(feed - p)))
        return none;
    pith_text header = table_line(p, feed);
    const char *rule_end = table_line_end(feed + 1, end);
    pith_text rule = table_line(feed + 1, rule_end);
    size_t width = table_width(header);
    if (!table_is_rule(rule) || table_width(rule) != width)
        return none;
    /* A row may lack cells, each of which is a comma then. */
    size_t rows = 0;
    const char *stop = rule_end;
    while (stop < end && stop + 1 < end) {
        const char *next = table_line_end(stop + 1, end);
        if (!memchr(stop + 1, '|', (size_t)(next - stop - 1)))
            break;
        rows++;
        stop = next;
    }
    size_t most = 4 * (size_t)(stop - p) + (rows + 1) * (width + 4);
    char *room = arena_take(arena, most);
    if (!room)
        return text_of(NULL, 0);
    char *to = table_put_row(room, header, width);
    for (const char *line = rule_end; line < stop;) {
        const char *next = table_line_end(line + 1, end);
        pith_text row = table_line(line + 1, next);
        if (table_width(row) != width && !*bad_row)
            *bad_row = line + 1;
        to = table_put_row(to, row, width);
        line = next;
    }
    *at = stop + (stop < end);
    return text_between(room, to);
}
