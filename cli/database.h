/*
 * database.h - the database of --db, opened as the options say.
 */
#ifndef PITH_CLI_DATABASE_H
#define PITH_CLI_DATABASE_H

#include "context.h"
#include "db/db.h"

/* For those who did not say which. */
#define DATABASE_HINT "--db names the database, for example --db sqlite:shop.db"

/* Connects, and reads every NAME=FILE of --import into a table; NULL after a complaint.
 * With `narrow`, see db.h. */
db *database_open(context *ctx, bool narrow);

/* Ends what is running and disconnects, after all has been said; NULL is fine. */
void database_close(context *ctx, db *from);

#endif /* PITH_CLI_DATABASE_H */
