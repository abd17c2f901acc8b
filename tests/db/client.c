/*
 * client.c - see client.h.
 *
 * What a wrapper gives when it fails is what the library's manual says for that call. Poll
 * stands among them because the waiting for a server is done outside of the libraries.
 */
#include "db/client.h"

#include <errno.h>
#include <poll.h>
#include <stdbool.h>

typedef struct countdown {
    size_t fails_at;
    size_t calls;
} countdown;

static countdown library;
static countdown waiting;
static int waiting_error;
static const char *failed;

void client_fails_at(size_t call)
{
    library = (countdown){.fails_at = call};
    waiting = (countdown){0};
    failed = NULL;
}

static void fail_wait(size_t call, int number)
{
    client_fails_at(0);
    waiting.fails_at = call;
    waiting_error = number;
}

void client_wait_fails_at(size_t call)
{
    fail_wait(call, ENOMEM);
}

void client_wait_ends_at(size_t call)
{
    fail_wait(call, EINTR);
}

const char *client_failed(void)
{
    return failed;
}

static bool client_works(countdown *of, const char *name)
{
    of->calls++;
    if (of->calls != of->fails_at)
        return true;
    failed = name;
    return false;
}

/* A call of the library under its own name, the wrapper's, and what it gives when it
 * fails. */
#define CLIENT_CALL(type, name, parameters, values, failure)                             \
    type __real_##name parameters;                                                       \
    type __wrap_##name parameters;                                                       \
    type __wrap_##name parameters                                                        \
    {                                                                                    \
        return client_works(&library, #name) ? __real_##name values : (failure);         \
    }

int __real_poll(struct pollfd *list, nfds_t count, int wait);
int __wrap_poll(struct pollfd *list, nfds_t count, int wait);
int __wrap_poll(struct pollfd *list, nfds_t count, int wait)
{
    if (client_works(&waiting, "poll"))
        return __real_poll(list, count, wait);
    errno = waiting_error;
    return -1;
}

#ifdef PITH_WITH_SQLITE
#include <sqlite3.h>

CLIENT_CALL(int, sqlite3_bind_int64, (sqlite3_stmt * on, int at, sqlite3_int64 value),
            (on, at, value), SQLITE_NOMEM)
CLIENT_CALL(const char *, sqlite3_column_name, (sqlite3_stmt * on, int at), (on, at),
            NULL)
CLIENT_CALL(const unsigned char *, sqlite3_column_text, (sqlite3_stmt * on, int at),
            (on, at), NULL)
#endif

#ifdef PITH_WITH_MARIADB
#include <mysql.h>

CLIENT_CALL(MYSQL *, mysql_init, (MYSQL * server), (server), NULL)
CLIENT_CALL(MYSQL *, mysql_real_connect,
            (MYSQL * server, const char *host, const char *user, const char *password,
             const char *database, unsigned port, const char *socket,
             unsigned long flags),
            (server, host, user, password, database, port, socket, flags), NULL)
CLIENT_CALL(unsigned long, mysql_net_read_packet, (MYSQL * server), (server),
            packet_error)
#endif

#ifdef PITH_WITH_POSTGRES
#include <libpq-fe.h>

CLIENT_CALL(PGconn *, PQconnectStartParams,
            (const char *const *words, const char *const *values, int expand),
            (words, values, expand), NULL)
CLIENT_CALL(int, PQsendQuery, (PGconn * server, const char *sql), (server, sql), 0)
CLIENT_CALL(int, PQsendPrepare,
            (PGconn * server, const char *name, const char *sql, int count,
             const Oid *types),
            (server, name, sql, count, types), 0)
CLIENT_CALL(int, PQsendDescribePrepared, (PGconn * server, const char *name),
            (server, name), 0)
CLIENT_CALL(int, PQsendQueryParams,
            (PGconn * server, const char *sql, int count, const Oid *types,
             const char *const *values, const int *lengths, const int *formats,
             int result),
            (server, sql, count, types, values, lengths, formats, result), 0)
CLIENT_CALL(int, PQsetSingleRowMode, (PGconn * server), (server), 0)
CLIENT_CALL(int, PQconsumeInput, (PGconn * server), (server), 0)
CLIENT_CALL(PGcancel *, PQgetCancel, (PGconn * server), (server), NULL)

PGresult *__real_PQgetResult(PGconn *server);
PGresult *__wrap_PQgetResult(PGconn *server);
/* It has two ways to fail: with nothing, and with a result that the library itself made
 * and that therefore has no code of the server's. */
PGresult *__wrap_PQgetResult(PGconn *server)
{
    if (!client_works(&library, "PQgetResult"))
        return NULL;
    return client_works(&library, "PQgetResult")
               ? __real_PQgetResult(server)
               : PQmakeEmptyPGresult(server, PGRES_FATAL_ERROR);
}
#endif
