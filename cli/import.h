/*
 * import.h - files as tables, for --import.
 */
#ifndef PITH_CLI_IMPORT_H
#define PITH_CLI_IMPORT_H

#include "command.h"
#include "db/db.h"

/* Reads every NAME=FILE of --import into a table; false after a complaint. */
bool import_all(session *with, db *into);

#endif /* PITH_CLI_IMPORT_H */
