/*
 * rows.c - a table that leaves row by row, as it would from a database cursor.
 *
 * Each row is on its way as soon as it is ended, so a million of them need no more
 * memory than one. Try another format name: those that cannot stream collect the rows
 * and write them at the end.
 */
#include "pith.h"

#include <stdio.h>
#include <string.h>

static void add_text(pith_rows *rows, const char *text)
{
    pith_rows_add_text(rows, text, strlen(text));
}

int main(int argc, char **argv)
{
    static const pith_text columns[] = {PITH_TEXT("id"), PITH_TEXT("city"),
                                        PITH_TEXT("degrees"), PITH_TEXT("seen")};
    const char *format = argc > 1 ? argv[1] : "ndjson";
    pith_error err;
    pith_rows *rows = pith_rows_open(format, columns, 4, NULL, pith_sink_fd(1), &err);
    if (!rows) {
        fprintf(stderr, "%s\n", err.message);
        return 1;
    }

    pith_rows_add_int64(rows, 1);
    add_text(rows, "Oslo");
    pith_rows_add_double(rows, -3.5);
    pith_rows_add_bool(rows, true);
    pith_rows_end_row(rows, NULL); /* failures stick: the last call tells */

    pith_rows_add_int64(rows, 2);
    add_text(rows, "Lima");
    pith_rows_add_null(rows);
    pith_rows_add_bool(rows, false);
    pith_rows_end_row(rows, NULL);

    if (pith_rows_close(rows, &err) != PITH_OK) {
        fprintf(stderr, "%s\n", err.message);
        return 1;
    }
    return 0;
}
