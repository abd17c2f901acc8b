/*
 * lines.h - descriptors as lines: in, cut at line feeds; out, queued.
 *
 * Both sides of a conversation go on at their own pace. What is read is handed on line by
 * line, each as soon as it is whole; one that is longer than a limit is handed on in
 * pieces, as it comes. What is written waits in a queue while the other end is slow, and
 * whoever fills the queue can ask how long it is.
 */
#ifndef PITH_PROXY_LINES_H
#define PITH_PROXY_LINES_H

#include "bytes.h"

#include <event2/event.h>

/* --- in */

typedef struct line_reader line_reader;

typedef struct line_events {
    /* A line with its line feed, in memory that is the callee's from now on. The last may
     * have no line feed. */
    void (*line)(void *ctx, bytes line);
    /* A piece of a line that is too long. */
    void (*piece)(void *ctx, const char *data, size_t len);
    /* There will be no more; `problem` is errno, 0 at the end of the input. */
    void (*end)(void *ctx, int problem);
} line_events;

struct line_reader {
    int fd;
    struct event *readable;
    bytes text;      /* what was read */
    size_t start;    /* of the text: where the next line begins */
    size_t line_max; /* longer lines are handed on in pieces; 0 for no limit */
    bool in_pieces;
    bool paused;
    const line_events *events;
    void *ctx;
};

/* Reads from `fd` whenever there is something. False when out of memory. */
bool line_reader_open(line_reader *in, struct event_base *base, int fd, size_t line_max,
                      const line_events *events, void *ctx);
void line_reader_close(line_reader *in); /* zeroed is fine */

/* While it is paused nothing is read. */
void line_reader_pause(line_reader *in, bool paused);

/* --- out */

typedef struct line_writer {
    int fd;
    struct event *writable;
    bytes *queue;
    size_t first, count, cap; /* of the queue: the parts that wait */
    size_t done;              /* bytes of the first that are written */
    size_t waiting;           /* bytes, all together */
    bool broken;              /* nobody reads at the other end */
    void (*moved)(void *ctx); /* called after something was written, or it broke */
    void *ctx;
} line_writer;

bool line_writer_open(line_writer *out, struct event_base *base, int fd,
                      void (*moved)(void *ctx), void *ctx);
void line_writer_close(line_writer *out); /* what waits is lost; zeroed is fine */

/* Queues the bytes, which are the writer's from now on. False when out of memory. */
bool line_writer_take(line_writer *out, bytes text);

/* The same with a copy of them. */
bool line_writer_add(line_writer *out, const char *data, size_t len);

/* Makes a descriptor not block, and answers what its flags were; -1 on failure. */
int unblock(int fd);

#endif
