/*
 * db_statement.h - what a statement's own words say before it is sent to a server.
 */
#ifndef PITH_DB_DB_STATEMENT_H
#define PITH_DB_DB_STATEMENT_H

#include "pith.h"

/* Whose spelling of comments and quotes counts. */
typedef enum db_dialect { DIALECT_SQLITE, DIALECT_MARIADB, DIALECT_POSTGRES } db_dialect;

/* True when there is nothing but white space, comments and semicolons. */
bool db_is_blank(const char *sql, db_dialect dialect);

/* Refuses, as "read_only", what does not begin with a word of reading, and what names a
 * file of the server to write to. */
pith_status db_check_reads(const char *sql, db_dialect dialect, pith_error *err);

#endif
