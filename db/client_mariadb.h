/*
 * client_mariadb.h - what libmariadb has and its headers do not.
 */
#ifndef PITH_DB_CLIENT_MARIADB_H
#define PITH_DB_CLIENT_MARIADB_H

#include <mysql.h>
#include <stddef.h>

/* Is called for everything that is read from a server or written to one; `what` is 0
 * after reading, and `len` may then be an error, which is negative. */
typedef void maria_seen_call(int what, MYSQL *server, const unsigned char *data,
                             size_t len);

/* Adds such a function for all connections of the process. */
int ma_pvio_register_callback(my_bool add, maria_seen_call *seen);

#endif
