/*
 * peer.c - see peer.h.
 */
#define _POSIX_C_SOURCE 200809L
#include "peer.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PATIENCE_MS = 120 * 1000, READ_MOST = 1 << 16 };

static void give_up(const char *what)
{
    fprintf(stderr, "compare: %s: %s\n", what, strerror(errno));
    exit(3);
}

void peer_start(peer *other, char **arguments)
{
    int requests[2], answers[2];
    signal(SIGPIPE, SIG_IGN);
    if (pipe(requests) != 0 || pipe(answers) != 0)
        give_up("pipe");
    other->process = fork();
    if (other->process < 0)
        give_up("fork");
    if (other->process == 0) {
        dup2(requests[0], 0);
        dup2(answers[1], 1);
        close(requests[1]);
        close(answers[0]);
        execvp(arguments[0], arguments);
        give_up(arguments[0]);
    }
    close(requests[0]);
    close(answers[1]);
    other->to = requests[1];
    other->from = answers[0];
}

void peer_ask(peer *other, char what, size_t variant, const char *json, size_t len)
{
    bytes_print(&other->requests, "%c%zu\t", what, variant);
    bytes_add(&other->requests, json, len);
    bytes_put(&other->requests, "\n");
    other->asked++;
}

static bool send_requests(peer *other)
{
    size_t sent = 0;
    bytes_put(&other->requests, "\n");
    while (sent < other->requests.len) {
        ssize_t wrote =
            write(other->to, other->requests.ptr + sent, other->requests.len - sent);
        if (wrote < 0 && errno != EINTR) {
            fprintf(stderr, "compare: the peer ended: %s\n", strerror(errno));
            return false;
        }
        sent += wrote > 0 ? (size_t)wrote : 0;
    }
    return true;
}

/* One more piece of the answers; returns how many lines end in it. */
static size_t receive_some(peer *other)
{
    static char piece[READ_MOST];
    struct pollfd ready = {other->from, POLLIN, 0};
    size_t lines = 0;
    if (poll(&ready, 1, PATIENCE_MS) == 0) {
        fprintf(stderr, "compare: the peer is silent\n");
        return 0;
    }
    ssize_t count = read(other->from, piece, sizeof piece);
    if (count <= 0) {
        fprintf(stderr, "compare: the peer ended\n");
        return 0;
    }
    for (ssize_t i = 0; i < count; i++)
        lines += piece[i] == '\n';
    bytes_add(&other->answers, piece, (size_t)count);
    return lines + 1;
}

bool peer_exchange(peer *other)
{
    size_t missing = other->asked;
    bool whole = send_requests(other);
    other->answers.len = 0;
    other->taken = 0;
    while (whole && missing > 0) {
        size_t more = receive_some(other);
        whole = more > 0;
        missing -= more > 0 ? more - 1 : 0;
    }
    other->requests.len = 0;
    other->asked = 0;
    return whole;
}

const char *peer_answer(peer *other, size_t *len)
{
    const char *line = other->answers.ptr + other->taken;
    const char *feed = memchr(line, '\n', other->answers.len - other->taken);
    *len = (size_t)(feed - line);
    other->taken += *len + 1;
    return line;
}

void peer_end(peer *other)
{
    close(other->to);
    waitpid(other->process, NULL, 0);
    close(other->from);
    bytes_free(&other->requests);
    bytes_free(&other->answers);
}
