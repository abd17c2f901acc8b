/*
 * client_postgres.c - the functions of libpq that are called; see db_client.h.
 */
#include "db_client.h"

#include <libpq-fe.h>

#define CALLS(X)                                                                         \
    X(int, PQcancel, (PGcancel * c, char *message, int size), (c, message, size))        \
    X(void, PQclear, (PGresult * r), (r))                                                \
    X(char *, PQcmdTuples, (PGresult * r), (r))                                          \
    X(PQconninfoOption *, PQconndefaults, (void), ())                                    \
    X(PostgresPollingStatusType, PQconnectPoll, (PGconn * c), (c))                       \
    X(PGconn *, PQconnectStartParams,                                                    \
      (const char *const *words, const char *const *values, int expand),                 \
      (words, values, expand))                                                           \
    X(int, PQconnectionNeedsPassword, (const PGconn *c), (c))                            \
    X(void, PQconninfoFree, (PQconninfoOption * options), (options))                     \
    X(PQconninfoOption *, PQconninfoParse, (const char *url, char **message),            \
      (url, message))                                                                    \
    X(int, PQconsumeInput, (PGconn * c), (c))                                            \
    X(char *, PQerrorMessage, (const PGconn *c), (c))                                    \
    X(int, PQfformat, (const PGresult *r, int column), (r, column))                      \
    X(void, PQfinish, (PGconn * c), (c))                                                 \
    X(char *, PQfname, (const PGresult *r, int column), (r, column))                     \
    X(void, PQfreeCancel, (PGcancel * c), (c))                                           \
    X(void, PQfreemem, (void *data), (data))                                             \
    X(Oid, PQftype, (const PGresult *r, int column), (r, column))                        \
    X(PGcancel *, PQgetCancel, (PGconn * c), (c))                                        \
    X(PGresult *, PQgetResult, (PGconn * c), (c))                                        \
    X(int, PQgetisnull, (const PGresult *r, int row, int column), (r, row, column))      \
    X(int, PQgetlength, (const PGresult *r, int row, int column), (r, row, column))      \
    X(char *, PQgetvalue, (const PGresult *r, int row, int column), (r, row, column))    \
    X(char *, PQhost, (const PGconn *c), (c))                                            \
    X(int, PQisBusy, (PGconn * c), (c))                                                  \
    X(int, PQlibVersion, (void), ())                                                     \
    X(PGresult *, PQmakeEmptyPGresult, (PGconn * c, ExecStatusType status), (c, status)) \
    X(int, PQnfields, (const PGresult *r), (r))                                          \
    X(int, PQnparams, (const PGresult *r), (r))                                          \
    X(int, PQntuples, (const PGresult *r), (r))                                          \
    X(char *, PQresultErrorField, (const PGresult *r, int field), (r, field))            \
    X(ExecStatusType, PQresultStatus, (const PGresult *r), (r))                          \
    X(int, PQsendDescribePrepared, (PGconn * c, const char *name), (c, name))            \
    X(int, PQsendPrepare,                                                                \
      (PGconn * c, const char *name, const char *sql, int count, const Oid *types),      \
      (c, name, sql, count, types))                                                      \
    X(int, PQsendQuery, (PGconn * c, const char *sql), (c, sql))                         \
    X(int, PQsendQueryParams,                                                            \
      (PGconn * c, const char *sql, int count, const Oid *types,                         \
       const char *const *values, const int *lengths, const int *formats, int format),   \
      (c, sql, count, types, values, lengths, formats, format))                          \
    X(PQnoticeReceiver, PQsetNoticeReceiver,                                             \
      (PGconn * c, PQnoticeReceiver receiver, void *ctx), (c, receiver, ctx))            \
    X(int, PQsetSingleRowMode, (PGconn * c), (c))                                        \
    X(int, PQsocket, (const PGconn *c), (c))                                             \
    X(ConnStatusType, PQstatus, (const PGconn *c), (c))                                  \
    X(char *, PQuser, (const PGconn *c), (c))

static struct calls {
    CALLS(DB_CALL_PLACE)
} calls;

CALLS(DB_CALL_PASS)

static const db_call names[] = {CALLS(DB_CALL_NAME)};

DB_CLIENT(db_client_postgres, "PostgreSQL", DB_LIBRARY("pq", "5"), "libpq5");
