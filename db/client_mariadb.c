/*
 * client_mariadb.c - the functions of libmariadb that are called; see db_client.h.
 */
#include "db_client.h"

#include <mysql.h>

typedef int infile_open_call(void **ctx, const char *name, void *own);
typedef int infile_read_call(void *ctx, char *room, unsigned size);
typedef void infile_close_call(void *ctx);
typedef int infile_error_call(void *ctx, char *room, unsigned size);

#define CALLS(X)                                                                         \
    X(int, mariadb_field_attr,                                                           \
      (MARIADB_CONST_STRING * text, const MYSQL_FIELD *field,                            \
       enum mariadb_field_attr_t which),                                                 \
      (text, field, which))                                                              \
    X(void, mysql_close, (MYSQL * m), (m))                                               \
    X(int, mysql_close_cont, (MYSQL * m, int ready), (m, ready))                         \
    X(int, mysql_close_start, (MYSQL * m), (m))                                          \
    X(unsigned, mysql_errno, (MYSQL * m), (m))                                           \
    X(const char *, mysql_error, (MYSQL * m), (m))                                       \
    X(MYSQL_FIELD *, mysql_fetch_field_direct, (MYSQL_RES * r, unsigned at), (r, at))    \
    X(void, mysql_free_result, (MYSQL_RES * r), (r))                                     \
    X(my_socket, mysql_get_socket, (MYSQL * m), (m))                                     \
    X(const char *, mysql_get_ssl_cipher, (MYSQL * m), (m))                              \
    X(unsigned, mysql_get_timeout_value_ms, (const MYSQL *m), (m))                       \
    X(MYSQL *, mysql_init, (MYSQL * m), (m))                                             \
    X(unsigned long, mysql_net_read_packet, (MYSQL * m), (m))                            \
    X(unsigned, mysql_num_fields, (MYSQL_RES * r), (r))                                  \
    X(int, mysql_options, (MYSQL * m, enum mysql_option option, const void *value),      \
      (m, option, value))                                                                \
    X(int, mysql_options4,                                                               \
      (MYSQL * m, enum mysql_option option, const void *key, const void *value),         \
      (m, option, key, value))                                                           \
    X(int, mysql_query, (MYSQL * m, const char *sql), (m, sql))                          \
    X(int, mysql_query_cont, (int *ret, MYSQL *m, int ready), (ret, m, ready))           \
    X(int, mysql_query_start, (int *ret, MYSQL *m, const char *sql), (ret, m, sql))      \
    X(MYSQL *, mysql_real_connect,                                                       \
      (MYSQL * m, const char *host, const char *user, const char *password,              \
       const char *database, unsigned port, const char *socket, unsigned long flags),    \
      (m, host, user, password, database, port, socket, flags))                          \
    X(int, mysql_real_connect_cont, (MYSQL * *ret, MYSQL * m, int ready),                \
      (ret, m, ready))                                                                   \
    X(int, mysql_real_connect_start,                                                     \
      (MYSQL * *ret, MYSQL * m, const char *host, const char *user,                      \
       const char *password, const char *database, unsigned port, const char *socket,    \
       unsigned long flags),                                                             \
      (ret, m, host, user, password, database, port, socket, flags))                     \
    X(int, mysql_real_query, (MYSQL * m, const char *sql, unsigned long len),            \
      (m, sql, len))                                                                     \
    X(void, mysql_server_end, (void), ())                                                \
    X(void, mysql_set_local_infile_handler,                                              \
      (MYSQL * m, infile_open_call * first, infile_read_call * next,                     \
       infile_close_call * last, infile_error_call * why, void *ctx),                    \
      (m, first, next, last, why, ctx))                                                  \
    X(int, mysql_ssl_set,                                                                \
      (MYSQL * m, const char *key, const char *certificate, const char *ca,              \
       const char *ca_path, const char *cipher),                                         \
      (m, key, certificate, ca, ca_path, cipher))                                        \
    X(unsigned long long, mysql_stmt_affected_rows, (MYSQL_STMT * s), (s))               \
    X(my_bool, mysql_stmt_bind_param, (MYSQL_STMT * s, MYSQL_BIND * binds), (s, binds))  \
    X(my_bool, mysql_stmt_bind_result, (MYSQL_STMT * s, MYSQL_BIND * binds), (s, binds)) \
    X(my_bool, mysql_stmt_close, (MYSQL_STMT * s), (s))                                  \
    X(unsigned, mysql_stmt_errno, (MYSQL_STMT * s), (s))                                 \
    X(const char *, mysql_stmt_error, (MYSQL_STMT * s), (s))                             \
    X(int, mysql_stmt_execute_cont, (int *ret, MYSQL_STMT *s, int ready),                \
      (ret, s, ready))                                                                   \
    X(int, mysql_stmt_execute_start, (int *ret, MYSQL_STMT *s), (ret, s))                \
    X(int, mysql_stmt_fetch_column,                                                      \
      (MYSQL_STMT * s, MYSQL_BIND * bind, unsigned at, unsigned long from),              \
      (s, bind, at, from))                                                               \
    X(int, mysql_stmt_fetch_cont, (int *ret, MYSQL_STMT *s, int ready), (ret, s, ready)) \
    X(int, mysql_stmt_fetch_start, (int *ret, MYSQL_STMT *s), (ret, s))                  \
    X(MYSQL_STMT *, mysql_stmt_init, (MYSQL * m), (m))                                   \
    X(unsigned long, mysql_stmt_param_count, (MYSQL_STMT * s), (s))                      \
    X(int, mysql_stmt_prepare_cont, (int *ret, MYSQL_STMT *s, int ready),                \
      (ret, s, ready))                                                                   \
    X(int, mysql_stmt_prepare_start,                                                     \
      (int *ret, MYSQL_STMT *s, const char *sql, unsigned long len), (ret, s, sql, len)) \
    X(MYSQL_RES *, mysql_stmt_result_metadata, (MYSQL_STMT * s), (s))

static struct calls {
    CALLS(DB_CALL_PLACE)
} calls;

CALLS(DB_CALL_PASS)

static const db_call names[] = {CALLS(DB_CALL_NAME)};

DB_CLIENT(db_client_mariadb, "MariaDB", DB_LIBRARY("mariadb", "3"), "libmariadb3");
