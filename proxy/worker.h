/*
 * worker.h - one thread for what takes long, so that everything else goes on.
 */
#ifndef PITH_PROXY_WORKER_H
#define PITH_PROXY_WORKER_H

#include <stdbool.h>
#include <stddef.h>

struct event_base;

/* A piece of work: the first member of a larger struct. */
typedef struct work {
    void (*run)(struct work *one);  /* in the thread */
    void (*done)(struct work *one); /* afterwards, in the loop */
    void (*drop)(struct work *one); /* instead, when nobody waits for it any more */
    struct work *next;
} work;

typedef struct worker worker;

/* Starts the thread; NULL when that fails. */
worker *worker_new(struct event_base *base);

/* Waits for the work under way, and drops all there is. */
void worker_free(worker *with);

/* Work is done in the order in which it was given. */
void worker_give(worker *with, work *one);

/* How many are given and not done. */
size_t worker_waiting(const worker *with);

#endif
