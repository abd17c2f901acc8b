/*
 * db_postgres_connect.h - how a URL becomes a connection to PostgreSQL.
 */
#ifndef PITH_DB_DB_POSTGRES_CONNECT_H
#define PITH_DB_DB_POSTGRES_CONNECT_H

#include "db_driver.h"

#include <libpq-fe.h>

/* Connects, and asks for a password where one is needed. `*server` is filled in even on
 * failure if there is something to finish. */
pith_status pg_connect_to(db *from, const char *url, PGconn **server, pith_error *err);

#endif
