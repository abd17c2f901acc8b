/*
 * db_sqlite_guard.h - what a SQLite connection is kept from, whatever the statement or
 * the file says.
 */
#ifndef PITH_DB_DB_SQLITE_GUARD_H
#define PITH_DB_DB_SQLITE_GUARD_H

#include "db.h"

#include <sqlite3.h>

typedef struct sqlite_guard {
    db_options options;
    bool ours;          /* the statement is one of ours: an import */
    pith_error refused; /* why a statement was refused; status PITH_OK while none was */
    char *path;         /* of the file; NULL where there is none to look after */
    bool had_log;       /* there were files of a log beside it when it was opened */
} sqlite_guard;

/* Sets up a connection that was just opened; the guard lives as long as it does. */
pith_status sqlite_guard_start(sqlite_guard *guard, sqlite3 *file, pith_error *err);

/* After the connection is closed: files that reading made beside the database go. */
void sqlite_guard_end(sqlite_guard *guard);

/* PITH_OK, or what a failure has to do with a limit or with something refused. */
pith_status sqlite_guard_explain(const sqlite_guard *guard, int code, pith_error *err);

#endif
