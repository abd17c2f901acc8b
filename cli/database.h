/*
 * database.h - opening the database of --db as the options say.
 */
#ifndef PITH_CLI_DATABASE_H
#define PITH_CLI_DATABASE_H

#include "command.h"
#include "db/db.h"

/* Connects; NULL after a complaint. With `narrow`, see db.h. */
db *database_open(session *with, bool narrow);

#endif /* PITH_CLI_DATABASE_H */
