/*
 * worker.c - see worker.h.
 *
 *     loop --- waiting ---> thread --- finished, a byte in a pipe ---> loop
 */
#define _POSIX_C_SOURCE 200809L

#include "worker.h"

#include "lines.h"

#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

typedef struct work_list {
    work *first;
    work **end;
} work_list;

struct worker {
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t given;
    work_list waiting, finished; /* under the lock */
    bool ending;                 /* likewise */
    size_t count;                /* the loop's */
    int bell[2];
    struct event *rung;
};

static void list_add(work_list *list, work *one)
{
    one->next = NULL;
    *list->end = one;
    list->end = &one->next;
}

static work *list_take(work_list *list)
{
    work *one = list->first;
    if (one) {
        list->first = one->next;
        if (!list->first)
            list->end = &list->first;
    }
    return one;
}

static void *run_thread(void *ctx)
{
    worker *with = ctx;
    pthread_mutex_lock(&with->lock);
    for (;;) {
        work *one = with->ending ? NULL : list_take(&with->waiting);
        if (!one && with->ending)
            break;
        if (!one) {
            pthread_cond_wait(&with->given, &with->lock);
            continue;
        }
        pthread_mutex_unlock(&with->lock);
        one->run(one);
        pthread_mutex_lock(&with->lock);
        list_add(&with->finished, one);
        ssize_t put = write(with->bell[1], "", 1); /* when it is full it has been rung */
        (void)put;
    }
    pthread_mutex_unlock(&with->lock);
    return NULL;
}

static void take_finished(evutil_socket_t fd, short what, void *ctx)
{
    worker *with = ctx;
    char rings[64];
    (void)what;
    while (read((int)fd, rings, sizeof rings) > 0) {
    }
    for (;;) {
        pthread_mutex_lock(&with->lock);
        work *one = list_take(&with->finished);
        pthread_mutex_unlock(&with->lock);
        if (!one)
            return;
        with->count--;
        one->done(one);
    }
}

/* Signals are for the loop. */
static bool start_thread(worker *with)
{
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, &before);
    int problem = pthread_create(&with->thread, NULL, run_thread, with);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return problem == 0;
}

worker *worker_new(struct event_base *base)
{
    worker *with = calloc(1, sizeof *with);
    if (!with || pipe(with->bell) != 0) {
        free(with);
        return NULL;
    }
    for (size_t i = 0; i < 2; i++) {
        unblock(with->bell[i]);
        fcntl(with->bell[i], F_SETFD, FD_CLOEXEC);
    }
    with->waiting.end = &with->waiting.first;
    with->finished.end = &with->finished.first;
    pthread_mutex_init(&with->lock, NULL);
    pthread_cond_init(&with->given, NULL);
    with->rung =
        event_new(base, with->bell[0], EV_READ | EV_PERSIST, take_finished, with);
    if (with->rung && event_add(with->rung, NULL) == 0 && start_thread(with))
        return with;
    if (with->rung)
        event_free(with->rung);
    close(with->bell[0]);
    close(with->bell[1]);
    free(with);
    return NULL;
}

void worker_free(worker *with)
{
    if (!with)
        return;
    pthread_mutex_lock(&with->lock);
    with->ending = true;
    pthread_cond_signal(&with->given);
    pthread_mutex_unlock(&with->lock);
    pthread_join(with->thread, NULL);
    for (work *one; (one = list_take(&with->waiting)) != NULL;)
        one->drop(one);
    for (work *one; (one = list_take(&with->finished)) != NULL;)
        one->drop(one);
    event_free(with->rung);
    close(with->bell[0]);
    close(with->bell[1]);
    pthread_cond_destroy(&with->given);
    pthread_mutex_destroy(&with->lock);
    free(with);
}

void worker_give(worker *with, work *one)
{
    pthread_mutex_lock(&with->lock);
    list_add(&with->waiting, one);
    pthread_cond_signal(&with->given);
    pthread_mutex_unlock(&with->lock);
    with->count++;
}

size_t worker_waiting(const worker *with)
{
    return with->count;
}
