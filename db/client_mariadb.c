/*
 * client_mariadb.c - the functions of libmariadb that are called; see db_client.h.
 */
#include "client_mariadb.h"
#include "db_client.h"

#include <mysql.h>

typedef int infile_open_call(void **ctx, const char *name, void *own);
typedef int infile_read_call(void *ctx, char *room, unsigned size);
typedef void infile_close_call(void *ctx);
typedef int infile_error_call(void *ctx, char *room, unsigned size);

#define CALLS(X)                                                                         \
    X(int, ma_pvio_register_callback, (my_bool add, maria_seen_call * seen),             \
      (add, seen))                                                                       \
    X(void, mysql_close, (MYSQL * m), (m))                                               \
    X(unsigned, mysql_errno, (MYSQL * m), (m))                                           \
    X(const char *, mysql_error, (MYSQL * m), (m))                                       \
    X(my_socket, mysql_get_socket, (MYSQL * m), (m))                                     \
    X(const char *, mysql_get_ssl_cipher, (MYSQL * m), (m))                              \
    X(MYSQL *, mysql_init, (MYSQL * m), (m))                                             \
    X(unsigned long, mysql_net_read_packet, (MYSQL * m), (m))                            \
    X(int, mysql_options, (MYSQL * m, enum mysql_option option, const void *value),      \
      (m, option, value))                                                                \
    X(MYSQL *, mysql_real_connect,                                                       \
      (MYSQL * m, const char *host, const char *user, const char *password,              \
       const char *database, unsigned port, const char *socket, unsigned long flags),    \
      (m, host, user, password, database, port, socket, flags))                          \
    X(int, mysql_real_query, (MYSQL * m, const char *sql, unsigned long len),            \
      (m, sql, len))                                                                     \
    X(void, mysql_set_local_infile_handler,                                              \
      (MYSQL * m, infile_open_call * first, infile_read_call * next,                     \
       infile_close_call * last, infile_error_call * why, void *ctx),                    \
      (m, first, next, last, why, ctx))                                                  \
    X(int, mysql_ssl_set,                                                                \
      (MYSQL * m, const char *key, const char *certificate, const char *ca,              \
       const char *ca_path, const char *cipher),                                         \
      (m, key, certificate, ca, ca_path, cipher))

static struct calls {
    CALLS(DB_CALL_PLACE)
} calls;

CALLS(DB_CALL_PASS)

static const db_call names[] = {CALLS(DB_CALL_NAME)};

DB_CLIENT(db_client_mariadb, "MariaDB", DB_LIBRARY("mariadb", "3"), "libmariadb3");
