/*
 * input.c - files and standard input, read whole or in pieces.
 *
 * A file is read, not mapped: a mapped file that somebody shortens kills the
 * process, and the copy costs little beside the parsing.
 */
#define _POSIX_C_SOURCE 200809L

#include "input.h"

#include "format_args.h"
#include "interrupt.h"
#include "utf16.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
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

/* Makes room for a piece after the kept bytes. The sums cannot overflow: what is in
 * memory takes half of the addresses at most, and a piece a quarter. */
static bool make_room(input *in, size_t bytes)
{
    if (in->cap - in->len >= bytes)
        return true;
    assert(in->cap <= SIZE_MAX / 2 && bytes <= SIZE_MAX / 4);
    size_t cap = in->len + bytes;
    if (cap < in->cap + in->cap / 2)
        cap = in->cap + in->cap / 2;
    char *text = realloc(in->text, cap);
    if (text == NULL)
        return fail(in, ENOMEM);
    in->text = text;
    in->cap = cap;
    return true;
}

static bool open_with(input *in, const char *path, int flags, struct stat *facts)
{
    bool standard = strcmp(path, "-") == 0;
    *in = (input){.name = input_name(path), .fd = STDIN_FILENO};
    if (!standard)
        in->fd = interrupt_open(path, O_RDONLY | O_CLOEXEC | flags);
    if (in->fd < 0 || fstat(in->fd, facts) != 0)
        return fail(in, errno);
    if (S_ISDIR(facts->st_mode))
        return fail(in, EISDIR);
    in->waits = !S_ISREG(facts->st_mode);
    if (!in->waits && facts->st_size > 0)
        in->size = (size_t)facts->st_size;
    return true;
}

bool input_open(input *in, const char *path)
{
    struct stat facts;
    return open_with(in, path, 0, &facts);
}

/* What errno has no word for. */
static bool refuse(input *in, const char *code, const char *message)
{
    in->damage = (pith_error){.status = PITH_IO, .code = code};
    snprintf(in->damage.message, sizeof in->damage.message, "%s", message);
    return fail(in, EBADMSG);
}

/* One look at a pipe that does not block: 1 when a writer is or was there, 0 when none
 * has come yet, -1 when reading fails. What there is to read is kept. */
static int look_for_writer(input *in)
{
    struct pollfd pipe = {.fd = in->fd, .events = POLLIN};
    ssize_t got = make_room(in, INPUT_PIECE_BYTES)
                      ? read(in->fd, in->text + in->len, INPUT_PIECE_BYTES)
                      : -1;
    if (got > 0) {
        in->len += (size_t)got;
        in->read += (size_t)got;
        return 1;
    }
    if (got < 0)
        return errno == EAGAIN ? 1 : errno == EINTR ? 0 : -1;
    return poll(&pipe, 1, 20) > 0; /* POLLHUP: it came, and went again */
}

static bool await_writer(input *in)
{
    struct timespec begin, now;
    clock_gettime(CLOCK_MONOTONIC, &begin);
    for (;;) {
        int found = look_for_writer(in);
        if (found != 0)
            return found > 0 || fail(in, errno);
        clock_gettime(CLOCK_MONOTONIC, &now);
        if (interrupt_pending() != 0)
            return fail(in, EINTR);
        if (now.tv_sec - begin.tv_sec > INPUT_WRITER_SECONDS) {
            return refuse(in, "no_writer",
                          "nothing writes to this pipe: no program has opened it for "
                          "writing within 10 seconds");
        }
    }
}

bool input_open_soon(input *in, const char *path)
{
    struct stat facts;
    if (strcmp(path, "-") == 0)
        return input_open(in, path);
    if (!open_with(in, path, O_NONBLOCK, &facts))
        return false;
    bool there = !S_ISFIFO(facts.st_mode) || await_writer(in);
    int flags = fcntl(in->fd, F_GETFL);
    fcntl(in->fd, F_SETFL, flags & ~O_NONBLOCK); /* from here on it is waited for */
    return there;
}

/* True for a regular file. */
static bool check_kind(input *in, mode_t mode)
{
    char message[64];
    if (S_ISREG(mode))
        return true;
    if (S_ISDIR(mode))
        return fail(in, EISDIR);
    const char *kind = S_ISFIFO(mode) ? "pipe" : S_ISSOCK(mode) ? "socket" : "device";
    snprintf(message, sizeof message, "expected a regular file, found a %s", kind);
    return refuse(in, "not_a_file", message);
}

bool input_open_file(input *in, const char *path)
{
    struct stat facts;
    *in = (input){.name = path, .fd = -1};
    /* Looked at before it is opened, since opening does something to some devices. */
    if (stat(path, &facts) != 0)
        return fail(in, errno);
    if (!check_kind(in, facts.st_mode))
        return false;
    in->fd = interrupt_open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (in->fd < 0 || fstat(in->fd, &facts) != 0)
        return fail(in, errno);
    in->size = (size_t)facts.st_size;
    return check_kind(in, facts.st_mode);
}

static bool read_after(input *in, size_t bytes)
{
    if (!make_room(in, bytes))
        return false;
    for (;;) {
        if (interrupt_pending() != 0)
            return fail(in, EINTR);
        ssize_t got = read(in->fd, in->text + in->len, bytes);
        if (got >= 0) {
            in->len += (size_t)got;
            in->read += (size_t)got;
            in->ended = got == 0;
            return true;
        }
        if (errno == EAGAIN || errno == EWOULDBLOCK)
            interrupt_wait(in->fd, POLLIN);
        else if (errno != EINTR)
            return fail(in, errno);
    }
}

static void explain(const input *in, diag *errors, const char *what, const char *code)
{
    if (in->failed == EBADMSG)
        diag_problem(errors, in->name, &in->damage, NULL);
    else
        diag_system(errors, in->name, what, code, in->failed);
}

void input_explain_open(const input *in, diag *errors)
{
    explain(in, errors, "cannot open", "open_failed");
}

void input_explain(const input *in, diag *errors)
{
    explain(in, errors, "cannot read", "read_failed");
}

/* ------------------------------------------------------------------------- frames */

/* True while the bytes may yet become the first four of a frame, or of UTF-16. */
static bool may_be_frame(const input *in)
{
    static const char zstd[] = "\x28\xB5\x2F\xFD";
    static const char lz4[] = "\x04\x22\x4D\x18";
    static const char gzip[] = "\x1F\x8B\x08";
    size_t len = in->len < 4 ? in->len : 4;
    return len == 0 || memcmp(in->text, zstd, len) == 0 ||
           memcmp(in->text, lz4, len) == 0 ||
           memcmp(in->text, gzip, len < 3 ? len : 3) == 0 ||
           memchr(in->text, '\0', len) != NULL || (in->text[0] & 0xFE) == 0xFE ||
           len == 1;
}

/* What so many bytes may take, and each of what they were unpacked to. */
static size_t default_limit(size_t bytes, size_t unpacked)
{
    uint64_t most = PITH_MEMORY_DEFAULT + (uint64_t)PITH_MEMORY_PER_BYTE * bytes +
                    (uint64_t)PITH_MEMORY_PER_UNPACKED * unpacked;
    return most < SIZE_MAX ? (size_t)most : SIZE_MAX;
}

static bool read_rest(input *in)
{
    while (!in->ended)
        if (!read_after(in, INPUT_PIECE_BYTES))
            return false;
    return true;
}

/* Puts what is in the frame in the place of the bytes. */
static bool open_frame(input *in)
{
    pith_buffer out = {0};
    pith_options options = {.memory_max = in->memory_max};
    if (!read_rest(in))
        return false;
    if (pith_unpack(in->text, in->len, &options, pith_sink_buffer(&out), &in->damage) !=
        PITH_OK) {
        pith_buffer_free(&out);
        return fail(in, EBADMSG);
    }
    if (in->memory_max == 0)
        in->memory_max = default_limit(in->len, out.len);
    free(in->text);
    in->text = out.data;
    in->len = out.len;
    in->cap = out.cap;
    in->read = out.len;
    in->size = 0;
    return true;
}

/* Puts UTF-8 in the place of UTF-16. */
static bool open_utf16(input *in, utf16_order order)
{
    size_t bad;
    if (!read_rest(in))
        return false;
    char *text = malloc(UTF16_GROWS(in->len));
    if (text == NULL)
        return fail(in, ENOMEM);
    size_t len = utf16_convert(in->text, in->len, order, text, &bad);
    if (bad < in->len) {
        free(text);
        in->damage = (pith_error){.status = PITH_BAD_INPUT, .code = "invalid_utf16"};
        snprintf(in->damage.message, sizeof in->damage.message,
                 "the text is UTF-16, and byte %zu begins half of a character", bad);
        return fail(in, EBADMSG);
    }
    free(in->text);
    in->text = text;
    in->cap = UTF16_GROWS(in->len);
    in->len = len;
    in->read = len;
    in->size = 0;
    return true;
}

/* After the first bytes have come: reads on if they begin a frame, or UTF-16. */
static bool look_for_frame(input *in)
{
    if (in->opened)
        return true;
    while (in->len < 4 && !in->ended && may_be_frame(in))
        if (!read_after(in, INPUT_PIECE_BYTES))
            return false;
    in->opened = true;
    if (pith_packing(NULL, in->text, in->len) != NULL && !open_frame(in))
        return false;
    utf16_order order = utf16_look(in->text, in->len);
    return order == UTF16_NOT || open_utf16(in, order);
}

void input_set_limits(const input *in, pith_options *options)
{
    options->memory_max = in->memory_max;
    if (options->output_max == 0)
        options->output_max = default_limit(in->len, 0);
}

bool input_more(input *in)
{
    return in->ended || (read_after(in, INPUT_PIECE_BYTES) && look_for_frame(in));
}

bool input_all(input *in, progress *line)
{
    /* One byte more than the size, so that the end shows without growing. */
    if (in->size > in->read && in->size - in->read < SIZE_MAX / 4) {
        if (!make_room(in, in->size - in->read + 1))
            return false;
    }
    while (!in->ended) {
        size_t room = in->cap - in->len;
        if (!read_after(in, room > 0 ? room : INPUT_PIECE_BYTES))
            return false;
        if (in->waits)
            progress_read(line, in->read);
    }
    return look_for_frame(in);
}

/* Reads until there is a whole piece, or the end. */
static bool read_first_piece(input *in)
{
    bool fine = true;
    while (fine && !in->ended && in->len < INPUT_PIECE_BYTES)
        fine = input_more(in);
    return fine;
}

/* Whether something has come after the first line; `*from` is where a look may begin. */
static bool has_second_line(const input *in, size_t *from)
{
    const char *feed =
        in->len > *from ? memchr(in->text + *from, '\n', in->len - *from) : NULL;
    *from = feed != NULL ? (size_t)(feed - in->text) : in->len;
    size_t at = *from;
    while (at < in->len && memchr(" \t\r\n", in->text[at], 4) != NULL)
        at++;
    return feed != NULL && at < in->len;
}

/* Reads what tells one value from a value a line, where the writer may be slow: the first
 * line and the beginning of the next. */
static bool read_second_line(input *in)
{
    bool fine = true;
    for (size_t from = 0; fine && !in->ended && !has_second_line(in, &from);)
        fine = input_more(in);
    return fine;
}

const pith_format *input_format(input *in, const char *path, progress *line)
{
    suffix_facts tells = suffix_of(path);
    if (tells.formats == 1)
        return pith_format_of(path, NULL, 0);
    if (tells.formats > 1)
        return read_first_piece(in) ? pith_format_of(path, in->text, in->len) : NULL;
    if (!input_more(in) || (in->waits && !read_second_line(in)))
        return NULL;
    const pith_format *first = pith_format_of(NULL, in->text, in->len);
    if (first != NULL && (first->streams & PITH_READ) != 0)
        return first;
    return input_all(in, line) ? pith_format_of(NULL, in->text, in->len) : NULL;
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
    if (in->fd > STDERR_FILENO)
        close(in->fd);
    *in = (input){.fd = -1};
}
