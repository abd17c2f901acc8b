/*
 * import.c - files as tables, for --import.
 *
 * The file may be in any format that is read; its rows go into the table one by one.
 */
#include "import.h"

#include "load.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Hands the rows that are complete to the database. */
static pith_status store_rows(pith_reader *reader, db *into, const char *table,
                              pith_error *err)
{
    for (;;) {
        pith_value row;
        pith_status status = pith_reader_next(reader, &row, err);
        if (status != PITH_OK || row.doc == NULL)
            return status;
        status = db_import(into, table, row, err);
        if (status != PITH_OK)
            return status;
    }
}

static pith_status store(input *in, pith_reader *reader, db *into, const char *table,
                         pith_error *err)
{
    size_t fresh = 0;
    for (;;) {
        pith_status status = PITH_OK;
        if (in->len > fresh)
            status = pith_reader_feed(reader, in->text + fresh, in->len - fresh, err);
        if (status == PITH_OK && in->ended)
            status = pith_reader_end(reader, err);
        if (status == PITH_OK)
            status = store_rows(reader, into, table, err);
        if (status != PITH_OK || in->ended)
            return status;
        if (in->len > 2 * INPUT_PIECE_BYTES)
            input_forget(in, INPUT_PIECE_BYTES);
        fresh = in->len;
        if (!input_more(in)) {
            *err = (pith_error){.status = PITH_IO, .code = "read_failed"};
            return PITH_IO;
        }
    }
}

static bool report(session *with, const input *in, const pith_error *err)
{
    progress_clear(&with->line);
    if (in->failed != 0) {
        input_explain(in, &with->errors);
    } else {
        source from = {in->text, in->len, in->read - in->len};
        diag_problem(&with->errors, in->name, err, &from);
    }
    return false;
}

static bool import_file(session *with, db *into, const char *table, const char *path)
{
    input in;
    pith_error err;
    bool done = false;
    if (!input_open(&in, path)) {
        diag_system(&with->errors, in.name, "cannot open", "open_failed", in.failed);
        input_close(&in);
        return false;
    }
    const pith_format *format =
        load_format(with, &in, path, "a suffix of its name would tell");
    if (format != NULL) {
        pith_reader *reader = pith_reader_open(format->name, NULL, &err);
        done = (reader != NULL && store(&in, reader, into, table, &err) == PITH_OK) ||
               report(with, &in, &err);
        pith_reader_free(reader);
    }
    input_close(&in);
    return done;
}

static bool import_one(session *with, db *into, const char *given)
{
    size_t len = strcspn(given, "=");
    if (len == 0 || given[len] == '\0' || given[len + 1] == '\0') {
        diag_usage(&with->errors, "bad_value", NULL,
                   "--import takes NAME=FILE, as in orders=orders.csv, not '%s'", given);
        return false;
    }
    char *table = calloc(len + 1, 1);
    if (table == NULL) {
        diag_system(&with->errors, NULL, "cannot import", "no_memory", ENOMEM);
        return false;
    }
    memcpy(table, given, len);
    bool done = import_file(with, into, table, given + len + 1);
    free(table);
    return done;
}

bool import_all(session *with, db *into)
{
    for (size_t i = 0; i < with->given.import_count; i++)
        if (!import_one(with, into, with->given.imports[i]))
            return false;
    return true;
}
