/*
 * width.c - how text looks on a terminal: columns, and what is safe to show.
 *
 * To place the caret, the columns of every character before it are counted: two for most
 * of East Asia's, none for a combining mark. The C library's wcwidth would know, but only
 * after setlocale and only in a UTF-8 locale; a table of our own says the same thing
 * everywhere.
 *
 * What is shown comes from files and file names, so nothing that steers a
 * terminal passes through as it is.
 */
#include "width.h"

#include "base/utf8.h"
#include "width_table.h"

#include <stdbool.h>
#include <string.h>

#define COUNT(list) (sizeof(list) / sizeof((list)[0]))
#define TAB_COLUMNS 4

static bool in_ranges(const width_range *ranges, size_t count, uint32_t code_point)
{
    size_t low = 0;
    size_t high = count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (ranges[middle].last < code_point)
            low = middle + 1;
        else
            high = middle;
    }
    return low < count && ranges[low].first <= code_point;
}

unsigned width_of(uint32_t code_point)
{
    if (code_point < 0x80)
        return 1;
    if (in_ranges(no_columns, COUNT(no_columns), code_point))
        return 0;
    return in_ranges(two_columns, COUNT(two_columns), code_point) ? 2 : 1;
}

/* Control characters, line ends of any kind, marks of writing direction, tag
 * characters and the byte order mark, which nothing else shows. */
static bool unsafe(uint32_t code_point)
{
    return code_point < 0x20 || (code_point >= 0x7F && code_point < 0xA0) ||
           code_point == 0x061C || code_point == 0x200E || code_point == 0x200F ||
           (code_point >= 0x2028 && code_point <= 0x202E) ||
           (code_point >= 0x2066 && code_point <= 0x2069) || code_point == 0xFEFF ||
           (code_point >= 0xE0000 && code_point <= 0xE0FFF);
}

width_cell width_cell_at(const char *text, size_t len)
{
    width_cell cell = {.bytes = 1, .columns = TAB_COLUMNS, .shown = "    "};
    if (text[0] == '\t')
        return cell;
    uint32_t code_point = 0;
    size_t bytes = utf8_decode(text, len, &code_point);
    if (bytes == 0) {
        snprintf(cell.shown, sizeof cell.shown, "<%02X>", (unsigned char)text[0]);
        cell.columns = (unsigned)strlen(cell.shown);
        return cell;
    }
    cell.bytes = bytes;
    if (unsafe(code_point)) {
        snprintf(cell.shown, sizeof cell.shown, "<U+%04X>", (unsigned)code_point);
        cell.columns = (unsigned)strlen(cell.shown);
        return cell;
    }
    memcpy(cell.shown, text, bytes);
    cell.shown[bytes] = '\0';
    cell.columns = width_of(code_point);
    return cell;
}

void width_print(FILE *to, const char *text, size_t len)
{
    for (size_t at = 0; at < len;) {
        width_cell cell = width_cell_at(text + at, len - at);
        fputs(cell.shown, to);
        at += cell.bytes;
    }
}
