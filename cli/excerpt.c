/*
 * excerpt.c - the source line of a fault, and a caret under the place.
 *
 * A line may be a hundred megabytes long, so nothing here looks at a whole line.
 * Two short walks leave from the fault, one back and one ahead, each at most a
 * window wide; they find how much there is on either side, and from that follows
 * where the window begins:
 *
 *     ... "name": "x", "tags": [1, 2 3], "size": 12, ...
 *            <--------- back ------ ^ ------- ahead ------->
 *
 * The caret's column is counted in what is shown, never in bytes or code points.
 */
#include "excerpt.h"

#include "base/utf8.h"
#include "width.h"

#define WINDOW_COLUMNS 100
#define BACK_COLUMNS 60         /* kept before the fault when both sides are long */
#define CUT_MARK "\xE2\x80\xA6" /* a horizontal ellipsis, one column wide */

/* A walk along the line: where it ended, the columns it passed, and whether it
 * ended because the line did. */
typedef struct walk {
    const char *at;
    size_t columns;
    bool line_ended;
} walk;

static bool at_line_end(const char *at, const char *end)
{
    return at == end || *at == '\n' || (*at == '\r' && at + 1 < end && at[1] == '\n');
}

static walk walk_ahead(const char *at, const char *end, size_t columns_max)
{
    walk ahead = {.at = at};
    while (!at_line_end(ahead.at, end)) {
        width_cell cell = width_cell_at(ahead.at, (size_t)(end - ahead.at));
        if (ahead.columns + cell.columns > columns_max)
            return ahead;
        ahead.columns += cell.columns;
        ahead.at += cell.bytes;
    }
    ahead.line_ended = true;
    return ahead;
}

/* The start of the character that ends before `at`: a whole one, or one byte. */
static const char *step_back(const char *begin, const char *at)
{
    for (size_t bytes = 1; bytes <= 4 && bytes <= (size_t)(at - begin); bytes++)
        if (utf8_decode(at - bytes, bytes, NULL) == bytes)
            return at - bytes;
    return at - 1;
}

static walk walk_back(const char *begin, const char *at, size_t columns_max)
{
    walk back = {.at = at};
    while (back.at > begin && back.at[-1] != '\n') {
        const char *before = step_back(begin, back.at);
        width_cell cell = width_cell_at(before, (size_t)(back.at - before));
        if (back.columns + cell.columns > columns_max)
            return back;
        back.columns += cell.columns;
        back.at = before;
    }
    back.line_ended = true;
    return back;
}

/* Where the window begins. `line_ended` says that this is the line's beginning. */
static walk window_begin(const char *begin, const char *fault, const char *end)
{
    walk ahead = walk_ahead(fault, end, WINDOW_COLUMNS);
    size_t keep = BACK_COLUMNS;
    if (ahead.line_ended && ahead.columns < WINDOW_COLUMNS - BACK_COLUMNS)
        keep = WINDOW_COLUMNS - ahead.columns;
    walk whole = walk_back(begin, fault, keep);
    return whole.line_ended ? whole : walk_back(begin, fault, keep - 1);
}

/* Prints the window and returns the caret's column. */
static size_t print_window(FILE *to, const char *at, const char *fault, const char *end,
                           size_t columns)
{
    size_t caret = 0;
    while (!at_line_end(at, end)) {
        width_cell cell = width_cell_at(at, (size_t)(end - at));
        size_t room = WINDOW_COLUMNS - columns;
        if (cell.columns >= room && !walk_ahead(at, end, room).line_ended) {
            fputs(CUT_MARK, to);
            break;
        }
        /* A mark without columns sits on the character before it. */
        if (at <= fault)
            caret = cell.columns == 0 && columns > 0 ? columns - 1 : columns;
        fputs(cell.shown, to);
        columns += cell.columns;
        at += cell.bytes;
    }
    return at <= fault ? columns : caret;
}

static void print_caret(FILE *to, size_t column, bool color)
{
    fprintf(to, "\n%*s", (int)column, "");
    fputs(color ? "\033[1;32m^\033[0m\n" : "^\n", to);
}

void excerpt_print(FILE *to, const source *from, size_t offset, bool color)
{
    if (offset < from->offset || offset - from->offset > from->len)
        return;
    const char *begin = from->text;
    const char *end = from->text + from->len;
    const char *fault = begin + (offset - from->offset);
    if (fault < end && *fault == '\n' && fault > begin && fault[-1] == '\r')
        fault--;
    bool whole = from->offset == 0;
    begin += whole ? utf8_bom(begin, from->len) : 0;
    fault = fault < begin ? begin : fault;
    walk first = window_begin(begin, fault, end);
    if (at_line_end(first.at, end))
        return;
    size_t columns = 0;
    if (!first.line_ended || (first.at == from->text && !whole)) {
        fputs(CUT_MARK, to);
        columns = 1;
    }
    print_caret(to, print_window(to, first.at, fault, end, columns), color);
}
