/*
 * reader.c - a table that arrives in pieces, as it would from a socket.
 *
 * Rows are handed out as soon as they are whole, so memory holds a few of them. `next` hands
 * out one at a time, `batch` many. CSV is typed cell by cell here: to find the type of a
 * column, which is the default, all of it has to be seen.
 */
#include "pith.h"

#include <stdio.h>
#include <string.h>

static const char *const pieces[] = {"id,ci", "ty\n1,Oslo\n2,",
                                     "Lima\n3,Quito\n4,Lyon\n"};

static void print_city(pith_value row)
{
    pith_text city = pith_value_text(pith_value_get(row, "city", 4));
    printf("%.*s\n", (int)city.len, city.ptr);
}

/* All rows that are whole by now. */
static pith_status take_rows(pith_reader *reader, pith_error *err)
{
    pith_value row;
    pith_status status;
    while ((status = pith_reader_next(reader, &row, err)) == PITH_OK && row.doc)
        print_city(row);
    return status;
}

/* What is left, as arrays of at most two rows. */
static pith_status take_rest(pith_reader *reader, pith_error *err)
{
    bool done = false;
    pith_status status = PITH_OK;
    while (status == PITH_OK && !done) {
        pith_value rows;
        status = pith_reader_batch(reader, 2, &rows, &done, err);
        pith_value row = pith_value_first(rows);
        for (; status == PITH_OK && row.doc; row = pith_value_next(row))
            print_city(row);
    }
    return status;
}

int main(void)
{
    pith_error err;
    pith_options options = {.read = "types=cells"};
    pith_reader *reader = pith_reader_open("csv", &options, &err);
    pith_status status = reader ? PITH_OK : err.status;
    for (size_t i = 0; status == PITH_OK && i < 3 && !pith_reader_done(reader); i++) {
        pith_text columns[8];
        status = pith_reader_feed(reader, pieces[i], strlen(pieces[i]), &err);
        if (i == 1)
            printf("%zu columns\n", pith_reader_columns(reader, columns, 8));
        if (status == PITH_OK && i < 2)
            status = take_rows(reader, &err);
    }
    if (status == PITH_OK)
        status = pith_reader_end(reader, &err);
    if (status == PITH_OK)
        status = take_rest(reader, &err);
    if (status != PITH_OK)
        fprintf(stderr, "%zu:%zu: %s\n", err.line, err.column, err.message);
    pith_reader_free(reader);
    return status == PITH_OK ? 0 : 1;
}
