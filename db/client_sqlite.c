/*
 * client_sqlite.c - the functions of libsqlite3 that are called; see db_client.h.
 */
#include "db_client.h"

#include <sqlite3.h>

#ifdef DB_SQLITE_INSIDE /* it is linked in: there is nothing to load */

db_client db_client_sqlite = {.title = "SQLite", .loaded = true};

#else

typedef void free_call(void *data);
typedef int row_call(void *ctx, int count, char **values, char **names);
typedef int step_call(void *ctx);
typedef int may_call(void *ctx, int action, const char *a, const char *b, const char *c,
                     const char *d);

#define CALLS(X)                                                                         \
    X(int, sqlite3_bind_double, (sqlite3_stmt * s, int at, double n), (s, at, n))        \
    X(int, sqlite3_bind_int, (sqlite3_stmt * s, int at, int n), (s, at, n))              \
    X(int, sqlite3_bind_int64, (sqlite3_stmt * s, int at, sqlite3_int64 n), (s, at, n))  \
    X(int, sqlite3_bind_null, (sqlite3_stmt * s, int at), (s, at))                       \
    X(int, sqlite3_bind_parameter_count, (sqlite3_stmt * s), (s))                        \
    X(const char *, sqlite3_bind_parameter_name, (sqlite3_stmt * s, int at), (s, at))    \
    X(int, sqlite3_bind_text,                                                            \
      (sqlite3_stmt * s, int at, const char *text, int len, free_call *drop),            \
      (s, at, text, len, drop))                                                          \
    X(int, sqlite3_bind_text64,                                                          \
      (sqlite3_stmt * s, int at, const char *text, sqlite3_uint64 len, free_call *drop,  \
       unsigned char encoding),                                                          \
      (s, at, text, len, drop, encoding))                                                \
    X(int, sqlite3_busy_timeout, (sqlite3 * file, int ms), (file, ms))                   \
    X(int, sqlite3_changes, (sqlite3 * file), (file))                                    \
    X(int, sqlite3_close, (sqlite3 * file), (file))                                      \
    X(const void *, sqlite3_column_blob, (sqlite3_stmt * s, int at), (s, at))            \
    X(int, sqlite3_column_bytes, (sqlite3_stmt * s, int at), (s, at))                    \
    X(int, sqlite3_column_count, (sqlite3_stmt * s), (s))                                \
    X(const char *, sqlite3_column_decltype, (sqlite3_stmt * s, int at), (s, at))        \
    X(double, sqlite3_column_double, (sqlite3_stmt * s, int at), (s, at))                \
    X(sqlite3_int64, sqlite3_column_int64, (sqlite3_stmt * s, int at), (s, at))          \
    X(const char *, sqlite3_column_name, (sqlite3_stmt * s, int at), (s, at))            \
    X(const unsigned char *, sqlite3_column_text, (sqlite3_stmt * s, int at), (s, at))   \
    X(int, sqlite3_column_type, (sqlite3_stmt * s, int at), (s, at))                     \
    X(const char *, sqlite3_db_filename, (sqlite3 * file, const char *name),             \
      (file, name))                                                                      \
    X(int, sqlite3_db_readonly, (sqlite3 * file, const char *name), (file, name))        \
    X(int, sqlite3_errcode, (sqlite3 * file), (file))                                    \
    X(const char *, sqlite3_errmsg, (sqlite3 * file), (file))                            \
    X(int, sqlite3_exec,                                                                 \
      (sqlite3 * file, const char *sql, row_call *row, void *ctx, char **message),       \
      (file, sql, row, ctx, message))                                                    \
    X(int, sqlite3_extended_errcode, (sqlite3 * file), (file))                           \
    X(int, sqlite3_file_control,                                                         \
      (sqlite3 * file, const char *name, int op, void *value), (file, name, op, value))  \
    X(int, sqlite3_finalize, (sqlite3_stmt * s), (s))                                    \
    X(void, sqlite3_free, (void *data), (data))                                          \
    X(sqlite3_int64, sqlite3_hard_heap_limit64, (sqlite3_int64 bytes), (bytes))          \
    X(void, sqlite3_interrupt, (sqlite3 * file), (file))                                 \
    X(const char *, sqlite3_libversion, (void), ())                                      \
    X(int, sqlite3_limit, (sqlite3 * file, int which, int value), (file, which, value))  \
    X(int, sqlite3_open_v2,                                                              \
      (const char *path, sqlite3 **file, int flags, const char *vfs),                    \
      (path, file, flags, vfs))                                                          \
    X(int, sqlite3_prepare_v2,                                                           \
      (sqlite3 * file, const char *sql, int len, sqlite3_stmt **s, const char **tail),   \
      (file, sql, len, s, tail))                                                         \
    X(void, sqlite3_progress_handler,                                                    \
      (sqlite3 * file, int steps, step_call *look, void *ctx), (file, steps, look, ctx)) \
    X(int, sqlite3_reset, (sqlite3_stmt * s), (s))                                       \
    X(int, sqlite3_set_authorizer, (sqlite3 * file, may_call * may, void *ctx),          \
      (file, may, ctx))                                                                  \
    X(int, sqlite3_status64,                                                             \
      (int op, sqlite3_int64 *now, sqlite3_int64 *most, int reset),                      \
      (op, now, most, reset))                                                            \
    X(int, sqlite3_step, (sqlite3_stmt * s), (s))                                        \
    X(int, sqlite3_stmt_readonly, (sqlite3_stmt * s), (s))                               \
    X(void, sqlite3_str_appendall, (sqlite3_str * to, const char *text), (to, text))     \
    X(char *, sqlite3_str_finish, (sqlite3_str * text), (text))                          \
    X(sqlite3_str *, sqlite3_str_new, (sqlite3 * file), (file))                          \
    X(void, sqlite3_str_vappendf, (sqlite3_str * to, const char *format, va_list list),  \
      (to, format, list))                                                                \
    X(int, sqlite3_stricmp, (const char *a, const char *b), (a, b))                      \
    X(const char *, sqlite3_uri_parameter, (const char *path, const char *word),         \
      (path, word))

/* Those with values of any number and type cannot be passed on by a macro. */
#define OPEN_CALLS(X) X(int, sqlite3_db_config, (sqlite3 * file, int op, ...), )

static struct calls {
    CALLS(DB_CALL_PLACE)
    OPEN_CALLS(DB_CALL_PLACE)
} calls;

CALLS(DB_CALL_PASS)

void sqlite3_str_appendf(sqlite3_str *to, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    calls.sqlite3_str_vappendf(to, format, list);
    va_end(list);
}

/* For the settings that are on or off, which is all but two. */
int sqlite3_db_config(sqlite3 *file, int op, ...)
{
    va_list list;
    va_start(list, op);
    int wanted = va_arg(list, int);
    int *now = va_arg(list, int *);
    va_end(list);
    return calls.sqlite3_db_config(file, op, wanted, now);
}

static const db_call names[] = {CALLS(DB_CALL_NAME) OPEN_CALLS(DB_CALL_NAME)};

DB_CLIENT(db_client_sqlite, "SQLite", DB_LIBRARY("sqlite3", "0"), "libsqlite3-0");

#endif
