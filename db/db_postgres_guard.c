/*
 * db_postgres_guard.c - see db_postgres_guard.h.
 */
#define _DEFAULT_SOURCE
#define _POSIX_C_SOURCE 200809L

#include "db_postgres_guard.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    HEAD_SIZE = 5,          /* a letter, and the length with itself */
    REQUEST_SIZE = 9,       /* and which authentication is asked for */
    MESSAGE_MAX = 64 * 1024 /* nothing before the login is nearly as long */
};

/* How a server may ask the client to prove who it is; those of them that matter here. */
enum { LET_IN = 0, CLEAR_TEXT = 3, BY_MD5 = 5 };

void pg_guard_drop(pg_guard *guard)
{
    if (guard->active) {
        close(guard->server);
        close(guard->pair);
    }
    db_forget(guard, sizeof *guard);
}

static ino_t inode_of(int socket)
{
    struct stat about;
    return fstat(socket, &about) == 0 ? about.st_ino : 0;
}

static bool prepare(int file)
{
    return fcntl(file, F_SETFD, FD_CLOEXEC) == 0 &&
           fcntl(file, F_SETFL, fcntl(file, F_GETFL) | O_NONBLOCK) == 0;
}

pith_status pg_guard_enter(pg_guard *guard, const db *from, int socket, bool asked_tls,
                           pith_error *err)
{
    int ends[2];
    if (guard->inode != 0 && inode_of(socket) == guard->inode)
        return PITH_OK; /* it is there, or has been */
    pg_guard_drop(guard);
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0) {
        return db_fail(err, PITH_IO, "connect_failed", "%s: no socket is left: %s",
                       from->driver->title, strerror(errno));
    }
    guard->server = fcntl(socket, F_DUPFD_CLOEXEC, 0);
    guard->pair = ends[1];
    bool fine = guard->server >= 0 && prepare(ends[0]) && prepare(ends[1]) &&
                dup2(ends[0], socket) == socket && prepare(socket);
    close(ends[0]);
    if (!fine) {
        close(ends[1]);
        if (guard->server >= 0)
            close(guard->server);
        return db_fail(err, PITH_IO, "connect_failed", "%s: no socket is left: %s",
                       from->driver->title, strerror(errno));
    }
    guard->active = true;
    guard->inode = inode_of(socket);
    guard->phase = asked_tls ? PG_TLS_ANSWER : PG_HEAD;
    return PITH_OK;
}

/* Writes what is waiting; false when the other side is gone. */
static bool flush(pg_half *half, int to)
{
    while (half->from < half->to) {
        ssize_t sent =
            send(to, half->data + half->from, half->to - half->from, MSG_NOSIGNAL);
        if (sent < 0)
            return errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR;
        half->from += (size_t)sent;
    }
    half->from = half->to = 0;
    return true;
}

/* Reads up to so many bytes after those that are there; false at the end. */
static bool fill(pg_half *half, int from, size_t most)
{
    size_t room = sizeof half->data - half->to;
    ssize_t got = recv(from, half->data + half->to, most < room ? most : room, 0);
    if (got < 0)
        return errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR;
    half->to += (size_t)got;
    return got > 0;
}

static uint32_t number_at(const unsigned char *at)
{
    return (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3];
}

/* How much of the server's words may be read before they have to be judged. */
static size_t wanted_now(const pg_guard *guard)
{
    const pg_half *in = &guard->in;
    switch (guard->phase) {
    case PG_TLS_ANSWER:
        return 1;
    case PG_HEAD:
        return (in->to > 0 && in->data[0] == 'R' ? REQUEST_SIZE : HEAD_SIZE) - in->to;
    case PG_BODY:
        return in->to == 0 ? guard->rest : 0;
    case PG_DONE:
        break;
    }
    return 0;
}

/* The length of a message whose first bytes are there; 0 when that cannot be. */
static uint32_t length_of(const pg_guard *guard)
{
    const unsigned char *head = guard->in.data;
    uint32_t len = number_at(head + 1);
    uint32_t least = head[0] == 'R' ? REQUEST_SIZE - 1 : HEAD_SIZE - 1;
    return len < least || len > MESSAGE_MAX ? 0 : len;
}

/* Judges the beginning of a message, as far as it is there. */
static pith_status judge(pg_guard *guard, const db *from, pith_error *err)
{
    const unsigned char *head = guard->in.data;
    uint32_t len = length_of(guard);
    if (len == 0) {
        return db_fail(err, PITH_IO, "connect_failed",
                       "%s: the server breaks its protocol: it answers the login with "
                       "something else",
                       from->driver->title);
    }
    if (wanted_now(guard) > 0)
        return PITH_OK;
    uint32_t asked = head[0] == 'R' ? number_at(head + HEAD_SIZE) : LET_IN;
    if (head[0] == 'R' && (asked == CLEAR_TEXT || asked == BY_MD5)) {
        return db_fail(err, PITH_IO, "connect_failed",
                       "%s: without TLS the server asks for the password %s, and does "
                       "not get it; let it use scram-sha-256, or say "
                       "sslmode=verify-full",
                       from->driver->title,
                       asked == CLEAR_TEXT ? "in clear text" : "as MD5");
    }
    guard->phase = PG_BODY;
    guard->rest = len + 1 - guard->in.to;
    guard->last = head[0] == 'R' && asked == LET_IN;
    return PITH_OK;
}

/* An error may come where the answer should be. */
static void judge_tls(pg_guard *guard)
{
    unsigned char answer = guard->in.data[0];
    guard->phase = answer == 'E' ? PG_HEAD : PG_BODY;
    guard->rest = 0;
    guard->last = answer == 'S' || answer == 'G';
}

/* Takes from the server what may be read now; `*more` when that was something. */
static pith_status take(pg_guard *guard, const db *from, bool *more, pith_error *err)
{
    pg_half *in = &guard->in;
    size_t before = in->to;
    if (!fill(in, guard->server, wanted_now(guard))) {
        guard->ended = true;
        shutdown(guard->pair, SHUT_WR);
    }
    *more = in->to > before;
    if (*more && guard->phase == PG_TLS_ANSWER)
        judge_tls(guard);
    else if (*more && guard->phase == PG_BODY)
        guard->rest -= in->to - before;
    else if (*more && in->to >= HEAD_SIZE)
        return judge(guard, from, err);
    return PITH_OK;
}

/* Gives libpq what has been judged. */
static void give(pg_guard *guard)
{
    if (guard->phase != PG_BODY)
        return;
    if (!flush(&guard->in, guard->pair))
        guard->in.from = guard->in.to = 0;
    if (guard->in.to == 0 && guard->rest == 0)
        guard->phase = guard->last ? PG_DONE : PG_HEAD;
}

pith_status pg_guard_pass(pg_guard *guard, const db *from, pith_error *err)
{
    bool more = guard->active;
    while (more) {
        pg_half *out = &guard->out;
        more = false;
        if (out->to == 0 && !fill(out, guard->pair, sizeof out->data)) {
            pg_guard_drop(guard); /* libpq has closed its end */
            return PITH_OK;
        }
        if (!flush(out, guard->server))
            out->from = out->to = 0; /* the server is gone; libpq will see the end */
        pith_status status = db_may_go_on(from, err);
        if (status == PITH_OK && !guard->ended && wanted_now(guard) > 0)
            status = take(guard, from, &more, err);
        if (status != PITH_OK)
            return status;
        give(guard);
    }
    return PITH_OK;
}

pith_status pg_guard_wait(const pg_guard *guard, const db *from, int socket,
                          bool to_write, bool *ready, pith_error *err)
{
    enum { MOMENT_MS = 200 };
    short server = (short)((wanted_now(guard) > 0 && !guard->ended ? POLLIN : 0) |
                           (guard->out.to > 0 ? POLLOUT : 0));
    short pair = (short)((guard->out.to == 0 ? POLLIN : 0) |
                         (guard->phase == PG_BODY && guard->in.to > 0 ? POLLOUT : 0));
    struct pollfd all[] = {
        {socket, (short)(to_write ? POLLIN | POLLOUT : POLLIN), 0},
        {guard->active && server ? guard->server : -1, server, 0},
        {guard->active && pair ? guard->pair : -1, pair, 0},
    };
    if (poll(all, 3, MOMENT_MS) < 0 && errno != EINTR)
        return db_fail(err, PITH_IO, "connection_lost", "waiting for the server failed");
    *ready = all[0].revents != 0;
    return db_may_go_on(from, err);
}

/* Bytes that have arrived and not been read; more than none when that is not known. */
static bool has_unread(int socket)
{
    int unread = 0;
    return ioctl(socket, FIONREAD, &unread) != 0 || unread > 0;
}

void pg_guard_leave_when_done(pg_guard *guard, int socket)
{
    bool done = guard->active && guard->phase == PG_DONE && guard->out.to == 0 &&
                !has_unread(socket) && !has_unread(guard->pair);
    if (done && dup2(guard->server, socket) == socket && prepare(socket)) {
        pg_guard_drop(guard);
        guard->inode = inode_of(socket);
    }
}
