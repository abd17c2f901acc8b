/*
 * input.c - files and standard input, read whole or in pieces.
 *
 * A file is read, not mapped: a mapped file that somebody shortens kills the
 * process, and the copy costs little beside the parsing.
 */
#define _POSIX_C_SOURCE 200809L

#include "input.h"

#include "interrupt.h"
#include "suffix.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

const char *input_name(const char *path)
{
    return strcmp(path, "-") == 0 ? "<stdin>" : path;
}

static bool fail(input *in, int number)
{
    in->failed = number;
    return false;
}

bool input_open(input *in, const char *path)
{
    bool standard = strcmp(path, "-") == 0;
    *in = (input){.name = input_name(path), .fd = STDIN_FILENO};
    if (!standard) {
        in->fd = interrupt_open(path, O_RDONLY | O_CLOEXEC);
    }
    struct stat facts;
    if (in->fd < 0 || fstat(in->fd, &facts) != 0) {
        return fail(in, errno);
    }
    if (S_ISDIR(facts.st_mode)) {
        return fail(in, EISDIR);
    }
    in->waits = !S_ISREG(facts.st_mode);
    if (!in->waits && facts.st_size > 0) {
        in->size = (size_t)facts.st_size;
    }
    return true;
}

/* Makes room for a piece behind the kept bytes. The sums cannot overflow: what is in
 * memory takes half of the addresses at most, and a piece a quarter. */
static bool make_room(input *in, size_t bytes)
{
    if (in->cap - in->len >= bytes) {
        return true;
    }
    assert(in->cap <= SIZE_MAX / 2 && bytes <= SIZE_MAX / 4);
    size_t cap = in->len + bytes;
    if (cap < in->cap + in->cap / 2) {
        cap = in->cap + in->cap / 2;
    }
    char *text = realloc(in->text, cap);
    if (text == NULL) {
        return fail(in, ENOMEM);
    }
    in->text = text;
    in->cap = cap;
    return true;
}

static bool read_behind(input *in, size_t bytes)
{
    if (!make_room(in, bytes)) {
        return false;
    }
    for (;;) {
        if (interrupt_pending() != 0) {
            return fail(in, EINTR);
        }
        ssize_t got = read(in->fd, in->text + in->len, bytes);
        if (got >= 0) {
            in->len += (size_t)got;
            in->read += (size_t)got;
            in->ended = got == 0;
            return true;
        }
        if (errno == EAGAIN || errno == EWOULDBLOCK) {
            interrupt_wait(in->fd, POLLIN);
        } else if (errno != EINTR) {
            return fail(in, errno);
        }
    }
}

void input_explain(const input *in, diag *errors)
{
    if (in->failed == EBADMSG) {
        diag_problem(errors, in->name, &in->damage, NULL);
    } else {
        diag_system(errors, in->name, "cannot read", "read_failed", in->failed);
    }
}

/* ------------------------------------------------------------------------- frames */

/* True while the bytes may yet become the first four of a frame. */
static bool may_be_frame(const input *in)
{
    static const char zstd[] = "\x28\xB5\x2F\xFD";
    static const char lz4[] = "\x04\x22\x4D\x18";
    size_t len = in->len < 4 ? in->len : 4;
    return len == 0 || memcmp(in->text, zstd, len) == 0 ||
           memcmp(in->text, lz4, len) == 0;
}

/* Puts what is in the frame in the place of the bytes. */
static bool open_frame(input *in)
{
    pith_buffer out = {0};
    while (!in->ended) {
        if (!read_behind(in, INPUT_PIECE_BYTES)) {
            return false;
        }
    }
    if (pith_unpack(in->text, in->len, NULL, pith_sink_buffer(&out), &in->damage) !=
        PITH_OK) {
        pith_buffer_free(&out);
        return fail(in, EBADMSG);
    }
    free(in->text);
    in->text = out.data;
    in->len = out.len;
    in->cap = out.cap;
    in->read = out.len;
    in->size = 0;
    return true;
}

/* After the first bytes have come: reads on if they begin a frame. */
static bool look_for_frame(input *in)
{
    if (in->opened) {
        return true;
    }
    while (in->len < 4 && !in->ended && may_be_frame(in)) {
        if (!read_behind(in, INPUT_PIECE_BYTES)) {
            return false;
        }
    }
    in->opened = true;
    return pith_packing(in->text, in->len) == NULL || open_frame(in);
}

bool input_more(input *in)
{
    return in->ended || (read_behind(in, INPUT_PIECE_BYTES) && look_for_frame(in));
}

bool input_all(input *in, progress *line)
{
    /* One byte more than the size, so that the end shows without growing. */
    if (in->size > in->read && in->size - in->read < SIZE_MAX / 4) {
        if (!make_room(in, in->size - in->read + 1)) {
            return false;
        }
    }
    while (!in->ended) {
        size_t room = in->cap - in->len;
        if (!read_behind(in, room > 0 ? room : INPUT_PIECE_BYTES)) {
            return false;
        }
        if (in->waits) {
            progress_read(line, in->read);
        }
    }
    return look_for_frame(in);
}

/* Reads until there is a whole piece, or the end. */
static bool read_first_piece(input *in)
{
    bool fine = true;
    while (fine && !in->ended && in->len < INPUT_PIECE_BYTES) {
        fine = input_more(in);
    }
    return fine;
}

const pith_format *input_format(input *in, const char *path, progress *line)
{
    suffix_facts tells = suffix_of(path);
    if (tells.formats == 1) {
        return pith_format_of(path, NULL, 0);
    }
    if (tells.formats > 1) {
        return read_first_piece(in) ? pith_format_of(path, in->text, in->len) : NULL;
    }
    if (!input_more(in)) {
        return NULL;
    }
    const pith_format *first = pith_format_sniff(in->text, in->len);
    if (first != NULL && (first->streams & PITH_READ) != 0) {
        return first;
    }
    return input_all(in, line) ? pith_format_sniff(in->text, in->len) : NULL;
}

void input_forget(input *in, size_t keep)
{
    if (in->len > keep) {
        memmove(in->text, in->text + in->len - keep, keep);
        in->len = keep;
    }
}

void input_close(input *in)
{
    free(in->text);
    if (in->fd > STDERR_FILENO) {
        close(in->fd);
    }
    *in = (input){.fd = -1};
}
