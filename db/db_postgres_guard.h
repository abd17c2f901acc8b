/*
 * db_postgres_guard.h - is between libpq and a server until the client is let in.
 *
 * Only since libpq 16 can be set how a password may be asked for (require_auth). Before
 * that a server without TLS need but ask for the password, and it is sent as it is. So
 * while libpq logs in over a connection that may be plain, it speaks to one end of a pair
 * of sockets, and this guard passes on what it and the server say:
 *
 *     libpq  <-- pair -->  guard  <-- connection -->  server
 *
 * A request for the password itself, or its MD5, is not passed on. The server's messages
 * are read one by one and none before it has been judged, so there is no moment at which
 * another could slip by. Once the server has let the client in, libpq gets the connection
 * itself, under the same number, and the guard is gone.
 */
#ifndef PITH_DB_DB_POSTGRES_GUARD_H
#define PITH_DB_DB_POSTGRES_GUARD_H

#include "db_driver.h"

#include <sys/types.h>

/* Bytes on their way in one direction. */
typedef struct pg_half {
    unsigned char data[2048];
    size_t from, to;
} pg_half;

/* What the server says next. */
typedef enum pg_phase {
    PG_TLS_ANSWER, /* one byte: whether there is TLS */
    PG_HEAD,       /* the beginning of a message, kept back until it has been judged */
    PG_BODY,       /* the rest of it */
    PG_DONE        /* nothing more to judge: the client is in, or TLS begins */
} pg_phase;

typedef struct pg_guard {
    bool active;
    int server;  /* the connection */
    int pair;    /* our end */
    ino_t inode; /* of libpq's end, or of the connection that was given back to it */
    pg_phase phase;
    bool last;   /* this message is the last one to judge */
    bool ended;  /* the server has closed its side */
    size_t rest; /* of the message that is passed on */
    pg_half out, in;
} pg_guard;

/* Steps between libpq, whose socket this is, and its server, unless it already is
 * there. `asked_tls`: libpq has asked for TLS and waits for the answer. */
pith_status pg_guard_enter(pg_guard *guard, const db *from, int socket, bool asked_tls,
                           pith_error *err);

/* Passes on what can be; fails when the server asked for what it must not get. */
pith_status pg_guard_pass(pg_guard *guard, const db *from, pith_error *err);

/* Waits a moment for libpq's socket or for something to pass on; true in `*ready` when
 * libpq may go on. */
pith_status pg_guard_wait(const pg_guard *guard, const db *from, int socket,
                          bool to_write, bool *ready, pith_error *err);

/* Gives the connection back to libpq once everything has been passed on. */
void pg_guard_leave_when_done(pg_guard *guard, int socket);

void pg_guard_drop(pg_guard *guard);

#endif
