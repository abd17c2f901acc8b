/*
 * loop.h - the loop that waits for descriptors, signals and time.
 */
#ifndef PITH_PROXY_LOOP_H
#define PITH_PROXY_LOOP_H

#include <event2/event.h>

/* Bytes that may wait for one side before the other side waits, too. */
enum { LOOP_QUEUE_MOST = 4 << 20, LOOP_QUEUE_LOW = 1 << 20 };

/* A loop that waits for files as well: standard input may be one. NULL on failure. */
struct event_base *loop_new(void);

/* Runs it until event_base_loopbreak. Standard input and output do not block meanwhile, and
 * are then left as they were: others may share them. */
void loop_run(struct event_base *base);

#endif
