/*
 * db_connect.c - what the drivers share until they are connected.
 *
 * Client libraries block in two places that no setting of theirs bounds: the look-up of a
 * name, and asking a server to end a statement. The look-up is done here beforehand, by a
 * thread that may be left to itself when the time is over; the asking, by a process that
 * ends by itself.
 */
#define _DEFAULT_SOURCE
#define _POSIX_C_SOURCE 200809L

#include "db_driver.h"

#include <arpa/inet.h>
#include <netdb.h>
#include <netinet/in.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* ----------------------------------------------------------------------------- hosts */

bool db_is_local(const char *host)
{
    struct in_addr four;
    struct in6_addr six;
    if (!host || host[0] == '\0' || host[0] == '/' || host[0] == '@' ||
        strcasecmp(host, "localhost") == 0)
        return true;
    if (inet_pton(AF_INET, host, &four) == 1)
        return ntohl(four.s_addr) >> 24 == 127;
    if (inet_pton(AF_INET6, host, &six) == 1) {
        return IN6_IS_ADDR_LOOPBACK(&six) ||
               (IN6_IS_ADDR_V4MAPPED(&six) && six.s6_addr[12] == 127);
    }
    return false;
}

/* A look-up that is under way. It belongs to the thread that does it and to the one that
 * waits; who is last frees it. */
typedef struct look_up {
    pthread_mutex_t lock;
    unsigned owners;
    bool done;
    int failed;
    struct addrinfo *found;
    char host[];
} look_up;

static void drop(look_up *one)
{
    pthread_mutex_lock(&one->lock);
    bool last = --one->owners == 0;
    pthread_mutex_unlock(&one->lock);
    if (!last)
        return;
    if (one->found)
        freeaddrinfo(one->found);
    pthread_mutex_destroy(&one->lock);
    free(one);
}

static void *run_look_up(void *ctx)
{
    look_up *one = ctx;
    struct addrinfo hints = {.ai_family = AF_UNSPEC, .ai_socktype = SOCK_STREAM};
    struct addrinfo *found = NULL;
    int failed = getaddrinfo(one->host, NULL, &hints, &found);
    pthread_mutex_lock(&one->lock);
    one->failed = failed;
    one->found = failed ? NULL : found;
    one->done = true;
    pthread_mutex_unlock(&one->lock);
    drop(one);
    return NULL;
}

/* NULL when out of memory or threads. */
static look_up *start_look_up(const char *host)
{
    size_t size = strlen(host) + 1;
    look_up *one = calloc(1, sizeof *one + size);
    pthread_t thread;
    if (!one || pthread_mutex_init(&one->lock, NULL) != 0) {
        free(one);
        return NULL;
    }
    memcpy(one->host, host, size);
    one->owners = 2;
    if (pthread_create(&thread, NULL, run_look_up, one) != 0) {
        one->owners = 1;
        drop(one);
        return NULL;
    }
    pthread_detach(thread);
    return one;
}

static bool is_done(look_up *one)
{
    pthread_mutex_lock(&one->lock);
    bool done = one->done;
    pthread_mutex_unlock(&one->lock);
    return done;
}

/* In short steps at first: most names are known at once. */
static pith_status wait_for_look_up(const db *from, look_up *one, pith_error *err)
{
    enum { LONGEST_MS = 50 };
    pith_status status = PITH_OK;
    for (long ms = 1; status == PITH_OK && !is_done(one);) {
        struct timespec moment = {0, ms * 1000000};
        nanosleep(&moment, NULL);
        ms = ms < LONGEST_MS ? ms * 2 : ms;
        status = db_may_go_on(from, err);
    }
    return status;
}

pith_status db_look_up(const db *from, const char *host,
                       char found[DB_ADDRESS_COUNT][DB_ADDRESS_SIZE], size_t *count,
                       pith_error *err)
{
    *count = 0;
    look_up *one = start_look_up(host);
    if (!one)
        return error_no_memory(err);
    pith_status status = wait_for_look_up(from, one, err);
    if (status == PITH_OK && one->failed) {
        status =
            db_fail(err, PITH_IO, "connect_failed", "%s: no address of \"%.200s\": %s",
                    from->driver->title, host, gai_strerror(one->failed));
    }
    for (const struct addrinfo *at = status == PITH_OK ? one->found : NULL;
         at && *count < DB_ADDRESS_COUNT; at = at->ai_next)
        if (getnameinfo(at->ai_addr, at->ai_addrlen, found[*count], DB_ADDRESS_SIZE, NULL,
                        0, NI_NUMERICHOST) == 0)
            ++*count;
    drop(one);
    return status;
}

/* -------------------------------------------------------------------------- passwords */

void db_forget(void *secret, size_t size)
{
#if defined(__GLIBC__) || defined(__FreeBSD__) || defined(__OpenBSD__)
    explicit_bzero(secret, size);
#else
    volatile unsigned char *at = secret;
    while (size > 0)
        at[--size] = 0;
#endif
}

bool db_ask_password(db *from, const char *user, const char *host, char *into,
                     size_t size)
{
    const db_options *options = &from->options;
    double before = db_now();
    char who[400];
    snprintf(who, sizeof who, "%s@%s", user, host);
    bool given = options->password && options->password(options->ctx, who, into, size);
    from->deadline += db_now() - before;
    return given;
}

/* --------------------------------------------------------------------- other processes
 * */

/* What is done by the process that is left alone: it holds nothing of ours open, so that
 * no process waits for it, and the alarm ends it. */
static void be_apart(void (*work)(void *ctx), void *ctx, int keep)
{
    enum { LIFE_S = 5, FILES = 1024 };
    sigset_t all;
    signal(SIGALRM, SIG_DFL);
    sigemptyset(&all);
    sigprocmask(SIG_SETMASK, &all, NULL);
    alarm(LIFE_S);
    for (int file = 0; file < FILES; file++)
        if (file != keep)
            close(file);
    work(ctx);
}

void db_run_apart(void (*work)(void *ctx), void *ctx)
{
    enum { MOMENT_MS = 400 };
    int ends[2];
    if (pipe(ends) != 0)
        return;
    /* The child of a child needs no process that waits for it. */
    pid_t child = fork();
    if (child == 0) {
        if (fork() == 0)
            be_apart(work, ctx, ends[1]);
        _exit(0);
    }
    close(ends[1]);
    if (child > 0) {
        struct pollfd end = {ends[0], POLLIN, 0};
        waitpid(child, NULL, 0);
        poll(&end, 1, MOMENT_MS); /* its end closes when the work is done */
    }
    close(ends[0]);
}
