/*
 * lines.c - see lines.h.
 */
#define _POSIX_C_SOURCE 200809L

#include "lines.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

enum { READ_SIZE = 64 * 1024, MOVE_SIZE = 16 * 1024 };

int unblock(int fd)
{
    int flags = fcntl(fd, F_GETFL);
    if (flags >= 0 && fcntl(fd, F_SETFL, flags | O_NONBLOCK) != 0)
        return -1;
    return flags;
}

/* --- in */

/* Hands on the next line, which has `len` bytes. A long one leaves with the memory that it
 * is in. */
static bool hand_line(line_reader *in, size_t len)
{
    bytes line = {0}, rest = {0};
    size_t more = in->text.len - in->start - len;
    if (in->start > 0 || len < MOVE_SIZE || more > len) {
        if (!bytes_add(&line, in->text.data + in->start, len))
            return false;
        in->start += len;
    } else {
        if (!bytes_add(&rest, in->text.data + len, more))
            return false;
        line = in->text;
        line.len = len;
        in->text = rest;
    }
    in->events->line(in->ctx, line);
    return true;
}

/* Hands on what is there of a line that is too long. */
static void hand_piece(line_reader *in, const char *feed)
{
    const char *from = in->text.data + in->start;
    size_t len = feed ? (size_t)(feed + 1 - from) : in->text.len - in->start;
    in->in_pieces = !feed;
    in->start += len;
    in->events->piece(in->ctx, from, len);
}

/* Forgets what was handed on. */
static void compact(line_reader *in)
{
    in->text.len -= in->start;
    if (in->start > 0)
        memmove(in->text.data, in->text.data + in->start, in->text.len);
    in->start = 0;
}

/* Hands on all that is whole; there is no line feed before the last `fresh` bytes. */
static bool hand_all(line_reader *in, size_t fresh)
{
    bool fine = true;
    while (fine && fresh > 0) {
        const char *from = in->text.data + in->text.len - fresh;
        const char *feed = memchr(from, '\n', fresh);
        size_t ready = in->text.len - in->start;
        if (!feed && in->line_max > 0 && ready > in->line_max)
            in->in_pieces = true;
        if (in->in_pieces)
            hand_piece(in, feed);
        else if (feed)
            fine = hand_line(in, (size_t)(feed + 1 - in->text.data) - in->start);
        fresh = feed ? in->text.len - in->start : 0;
    }
    compact(in);
    return fine;
}

static void end_reading(line_reader *in, int problem)
{
    event_del(in->readable);
    if (in->text.len > 0 && problem == 0) {
        bytes last = in->text;
        in->text = (bytes){NULL, 0, 0};
        in->events->line(in->ctx, last);
    }
    in->events->end(in->ctx, problem);
}

static void read_some(evutil_socket_t fd, short what, void *ctx)
{
    line_reader *in = ctx;
    (void)what;
    if (!bytes_reserve(&in->text, READ_SIZE)) {
        end_reading(in, ENOMEM);
        return;
    }
    ssize_t got = read((int)fd, in->text.data + in->text.len, READ_SIZE);
    if (got > 0) {
        in->text.len += (size_t)got;
        if (!hand_all(in, (size_t)got))
            end_reading(in, ENOMEM);
    } else if (got == 0) {
        end_reading(in, 0);
    } else if (errno != EAGAIN && errno != EINTR) {
        end_reading(in, errno);
    }
}

bool line_reader_open(line_reader *in, struct event_base *base, int fd, size_t line_max,
                      const line_events *events, void *ctx)
{
    *in = (line_reader){.fd = fd, .line_max = line_max, .events = events, .ctx = ctx};
    in->readable = event_new(base, fd, EV_READ | EV_PERSIST, read_some, in);
    return in->readable && event_add(in->readable, NULL) == 0;
}

void line_reader_close(line_reader *in)
{
    if (in->readable)
        event_free(in->readable);
    bytes_free(&in->text);
    *in = (line_reader){.fd = -1};
}

void line_reader_pause(line_reader *in, bool paused)
{
    if (!in->readable || in->paused == paused)
        return;
    in->paused = paused;
    if (paused)
        event_del(in->readable);
    else
        event_add(in->readable, NULL);
}

/* --- out */

/* Drops what waits: nobody will read it. */
static void break_off(line_writer *out)
{
    while (out->count > 0) {
        bytes_free(&out->queue[out->first++]);
        out->count--;
    }
    out->first = out->done = out->waiting = 0;
    out->broken = true;
}

/* Writes what waits, as far as it goes at once. */
static void write_waiting(line_writer *out)
{
    while (out->count > 0) {
        bytes *part = &out->queue[out->first];
        ssize_t put = write(out->fd, part->data + out->done, part->len - out->done);
        if (put < 0 && errno == EINTR)
            continue;
        if (put < 0 && errno == EAGAIN)
            return;
        if (put < 0) {
            break_off(out);
            return;
        }
        out->done += (size_t)put;
        out->waiting -= (size_t)put;
        if (out->done < part->len)
            continue;
        bytes_free(part);
        out->done = 0;
        out->first++;
        out->count--;
    }
    out->first = 0;
}

static void write_some(evutil_socket_t fd, short what, void *ctx)
{
    line_writer *out = ctx;
    (void)fd;
    (void)what;
    write_waiting(out);
    if (out->count > 0)
        event_add(out->writable, NULL);
    out->moved(out->ctx);
}

bool line_writer_open(line_writer *out, struct event_base *base, int fd,
                      void (*moved)(void *ctx), void *ctx)
{
    *out = (line_writer){.fd = fd, .moved = moved, .ctx = ctx};
    out->writable = event_new(base, fd, EV_WRITE, write_some, out);
    return out->writable != NULL;
}

void line_writer_close(line_writer *out)
{
    if (out->writable)
        event_free(out->writable);
    break_off(out);
    free(out->queue);
    *out = (line_writer){.fd = -1, .broken = true};
}

/* One more place at the end of the queue. */
static bool make_place(line_writer *out)
{
    if (out->first + out->count < out->cap)
        return true;
    if (out->first > out->cap / 2) {
        memmove(out->queue, out->queue + out->first, out->count * sizeof *out->queue);
        out->first = 0;
        return true;
    }
    size_t cap = out->cap ? 2 * out->cap : 16;
    bytes *grown = realloc(out->queue, cap * sizeof *grown);
    if (!grown)
        return false;
    out->queue = grown;
    out->cap = cap;
    return true;
}

bool line_writer_take(line_writer *out, bytes text)
{
    if (out->broken || text.len == 0) {
        bytes_free(&text);
        return true;
    }
    if (!make_place(out)) {
        bytes_free(&text);
        return false;
    }
    bool idle = out->count == 0;
    out->queue[out->first + out->count++] = text;
    out->waiting += text.len;
    if (idle) {
        write_waiting(out);
        if (out->count > 0)
            event_add(out->writable, NULL);
    }
    return true;
}

bool line_writer_add(line_writer *out, const char *data, size_t len)
{
    bytes copy = {0};
    return bytes_add(&copy, data, len) && line_writer_take(out, copy);
}
