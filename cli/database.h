/*
 * database.h - opening the database of --db as the options say.
 */
#ifndef PITH_CLI_DATABASE_H
#define PITH_CLI_DATABASE_H

#include "command.h"
#include "db/db.h"

/* Connects; NULL after a complaint. */
db *database_open(session *with);

#endif /* PITH_CLI_DATABASE_H */
