/*
 * rows.c - a table that leaves row by row, as it would from a database cursor.
 *
 * Each row is on its way as soon as it is ended, so a million of them need no more
 * memory than one. Try another format name: those that cannot stream collect the rows
 * and write them at the end.
 */
#include "pith.h"

#include <stdio.h>

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

    pith_rows_expect(rows, 2); /* where it is known: formats that count need not wait */

    pith_doc *row = pith_rows_row(rows);
    pith_doc_add_int64(row, 1);
    pith_doc_add_text(row, "Oslo", 4);
    pith_doc_add_double(row, -3.5);
    pith_doc_add_bool(row, true);
    pith_rows_end_row(rows, NULL); /* failures stick: the last call tells */

    row = pith_rows_row(rows);
    pith_doc_add_int64(row, 2);
    pith_doc_add_text(row, "Lima", 4);
    pith_doc_add_null(row);
    pith_doc_add_bool(row, false);
    pith_rows_end_row(rows, NULL);

    if (pith_rows_close(rows, &err) != PITH_OK) {
        fprintf(stderr, "%s\n", err.message);
        return 1;
    }
    return 0;
}
