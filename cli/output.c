/*
 * output.c - where results go: standard output, or a file replaced atomically.
 *
 * A file is written beside the old one and renamed over it at the end, so that a
 * reader sees the old content or the new one and never a part, and the input may be
 * the output. While it is written it has no name where the system can do that, so that
 * nothing is left even of a process that is killed; else it has one that cannot be
 * guessed. Either way it is its owner's alone until it is complete. When a file is
 * replaced, its content is synced first: after a power cut there must not be an empty
 * file where a good one was. A new file has nothing to lose and is not synced.
 *
 * The first failure sticks, so that long printing needs one check at the end.
 */
#define _GNU_SOURCE /* O_TMPFILE, where it is */
#define _POSIX_C_SOURCE 200809L

#include "output.h"

#include "base/utf8.h"
#include "interrupt.h"
#include "width.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define TEMPORARY_NAMES 1000 /* tried before giving up */

static bool fail(output *out, int number)
{
    if (out->failed == 0)
        out->failed = number;
    return false;
}

void output_descriptor(output *out, int fd, const char *name, progress *line)
{
    memset(out, 0, offsetof(output, buffer)); /* which is large */
    out->name = name;
    out->fd = fd;
    out->terminal = fd >= 0 && isatty(fd);
    out->line = line;
}

/* --- opening */

/* What was refused for a reason of ours, or by the system. */
static bool refuse(output *out, place_fault fault)
{
    out->fault = fault;
    return fail(out, errno);
}

/* Where a nameless file is found by its descriptor, to be given a name. */
static void name_of_descriptor(int fd, char path[32])
{
    snprintf(path, 32, "/proc/self/fd/%d", fd);
}

/* A file without a name in the directory of the target: while it is written no process
 * can open it, and however the process ends nothing of it stays. -1 where the system, the
 * file system or a missing /proc does not allow it. */
static int open_nameless(const char *folder)
{
#if defined(O_TMPFILE)
    char path[32];
    int fd = interrupt_open(folder, O_WRONLY | O_TMPFILE | O_CLOEXEC);
    if (fd < 0) {
        bool unknown = errno == EOPNOTSUPP || errno == EISDIR || errno == EINVAL;
        errno = unknown ? EOPNOTSUPP : errno;
        return -1;
    }
    name_of_descriptor(fd, path);
    if (access(path, F_OK) == 0)
        return fd;
    close(fd);
#else
    (void)folder;
#endif
    errno = EOPNOTSUPP;
    return -1;
}

static bool draw_name(output *out)
{
    free(out->temporary);
    out->temporary = place_hidden(out->target);
    return out->temporary != NULL || fail(out, errno);
}

/* Lets `take` have out->temporary, or another name if there is such a file. */
static bool take_name(output *out, bool (*take)(output *out))
{
    for (int attempt = 0; attempt < TEMPORARY_NAMES; attempt++) {
        if (take(out)) {
            watchdog_guard(&out->guarded, out->temporary);
            return true;
        }
        if (errno != EEXIST)
            return fail(out, errno);
        if (!draw_name(out))
            return false;
    }
    return fail(out, EEXIST);
}

static bool create_named(output *out)
{
    out->fd = interrupt_open(out->temporary,
                             O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW);
    return out->fd >= 0;
}

/* A new file for the content, which only its owner may open until it is complete. Its
 * name is there from the start, since at the end memory must not be missing. */
static bool create_temporary(output *out)
{
    char *folder = place_beside(out->target, ".");
    if (folder == NULL || !draw_name(out)) {
        free(folder);
        return fail(out, errno);
    }
    out->nameless = true;
    out->fd = open_nameless(folder);
    int number = errno;
    free(folder);
    if (out->fd >= 0)
        return true;
    if (number != EOPNOTSUPP)
        return fail(out, number);
    out->nameless = !take_name(out, create_named);
    return !out->nameless;
}

/* The mode a new file has by the user's mask. */
static mode_t usual_mode(void)
{
    mode_t mask = umask(077);
    umask(mask);
    return 0666 & ~mask;
}

/* Owner and mode of the replaced file. The owner cannot always be kept, and then
 * the bits that would lend his rights are not kept either. The mode is set when the
 * file is complete. */
static bool adopt_owner(output *out, const struct stat *old)
{
    out->mode = old->st_mode & 07777;
    struct stat now;
    if (fstat(out->fd, &now) != 0)
        return fail(out, errno);
    bool same = now.st_uid == old->st_uid && now.st_gid == old->st_gid;
    if (!same && fchown(out->fd, old->st_uid, old->st_gid) != 0)
        out->mode &= 0777;
    return true;
}

/* A device, a pipe or a socket. */
static bool open_in_place(output *out)
{
    struct stat facts;
    out->fd = interrupt_open(out->target, O_WRONLY | O_CLOEXEC | O_NOFOLLOW);
    if (out->fd < 0 || fstat(out->fd, &facts) != 0)
        return fail(out, errno);
    if (S_ISREG(facts.st_mode)) /* which has just taken its place */
        return fail(out, EEXIST);
    out->terminal = isatty(out->fd);
    return true;
}

static bool open_target(output *out)
{
    struct stat old;
    place_fault fault = {NULL, NULL};
    out->mode = usual_mode();
    if (lstat(out->target, &old) != 0)
        return errno == ENOENT ? create_temporary(out) : fail(out, errno);
    if (S_ISDIR(old.st_mode))
        return fail(out, EISDIR);
    if (!place_is_ours(out->target, &old, &fault))
        return refuse(out, fault);
    if (!S_ISREG(old.st_mode))
        return open_in_place(out);
    /* Renaming would get past a write protection; somebody meant it, though. */
    if (access(out->target, W_OK) != 0)
        return fail(out, errno);
    out->replaces = true;
    return create_temporary(out) && adopt_owner(out, &old);
}

static pith_status take_packed(void *ctx, const char *data, size_t len);

/* What is written to x.zst is compressed on its way. */
static bool open_packer(output *out, const char *path)
{
    const char *packing = pith_packing(path, NULL, 0);
    pith_error err;
    if (packing == NULL)
        return true;
    pith_sink sink = {.write = take_packed, .ctx = out};
    out->packer = pith_packer_open(packing, NULL, sink, &err);
    return out->packer != NULL ||
           fail(out, err.status == PITH_NO_MEMORY ? ENOMEM : ENOTSUP);
}

bool output_open(output *out, const char *path, progress *line)
{
    place_fault fault;
    output_descriptor(out, -1, path, line);
    out->target = place_resolve(path, &fault);
    if (out->target == NULL)
        return refuse(out, fault);
    return open_target(out) && open_packer(out, path);
}

output *output_create(const char *path, progress *line, diag *errors, const char *what,
                      const char *code)
{
    output *out = malloc(sizeof *out);
    if (out == NULL) {
        diag_system(errors, path, "cannot write", "no_memory", ENOMEM);
    } else if (!output_open(out, path, line)) {
        place_explain(errors, out->name, what, code, &out->fault, out->failed);
        output_free(out);
        out = NULL;
    }
    return out;
}

/* --- writing */

static bool write_all(output *out, const char *data, size_t len)
{
    while (len > 0) {
        if (interrupt_pending() != 0)
            return fail(out, EINTR);
        ssize_t sent = write(out->fd, data, len);
        if (sent > 0) {
            data += sent;
            len -= (size_t)sent;
        } else if (sent == 0) {
            return fail(out, EIO); /* nothing was taken: it never would be */
        } else if (errno == EAGAIN || errno == EWOULDBLOCK) {
            interrupt_wait(out->fd, POLLOUT);
        } else if (errno != EINTR) {
            return fail(out, errno);
        }
    }
    return true;
}

/* On a terminal the progress line would land in the middle of the data. */
static void tell_progress(output *out)
{
    if (out->line == NULL)
        return;
    if (out->terminal)
        progress_stop(out->line);
    else
        progress_written(out->line, out->written);
}

bool output_flush(output *out)
{
    if (out->failed != 0)
        return false;
    if (out->used > 0)
        tell_progress(out);
    size_t len = out->used;
    out->used = 0;
    return write_all(out, out->buffer, len);
}

static void collect(output *out, const char *data, size_t len)
{
    if (len > sizeof out->buffer - out->used && output_flush(out) &&
        len > sizeof out->buffer) {
        tell_progress(out);
        write_all(out, data, len);
        len = 0;
    }
    if (out->failed == 0) {
        memcpy(out->buffer + out->used, data, len);
        out->used += len;
    }
}

/* --- what a terminal is shown */

/* Shows one character, and returns its bytes. */
static size_t show_one(output *out, const char *data, size_t len)
{
    if (data[0] == '\n' || data[0] == '\t') {
        collect(out, data, 1);
        return 1;
    }
    width_cell cell = width_cell_at(data, len);
    collect(out, cell.shown, strlen(cell.shown));
    return cell.bytes;
}

/* What is left of a character whose end never came. */
static void show_part(output *out)
{
    for (size_t at = 0; at < out->cut;)
        at += show_one(out, out->part + at, out->cut - at);
    out->cut = 0;
}

static void show(output *out, const char *data, size_t len)
{
    while (len > 0 && out->cut > 0) { /* byte by byte, until it is whole or none */
        if (!utf8_is_continuation(*data)) {
            show_part(out);
            break;
        }
        out->part[out->cut++] = *data++;
        len--;
        if (utf8_cut(out->part, out->cut) == 0)
            show_part(out);
    }
    while (len > 0) {
        if (len < sizeof out->part && utf8_cut(data, len) == len) {
            memcpy(out->part, data, len);
            out->cut = len;
            return;
        }
        size_t bytes = show_one(out, data, len);
        data += bytes;
        len -= bytes;
    }
}

/* PITH_OK, or the failure that sticks. */
static pith_status sink_status(const output *out)
{
    if (out->failed != 0) {
        errno = out->failed;
        return PITH_IO;
    }
    return PITH_OK;
}

static pith_status take_packed(void *ctx, const char *data, size_t len)
{
    output *out = ctx;
    collect(out, data, len);
    return sink_status(out);
}

/* Remembers that compressing failed. */
static void check_packed(output *out, pith_status status)
{
    if (status != PITH_OK && out->failed == 0)
        fail(out, ENOMEM); /* nothing else can happen but what `failed` says */
}

static pith_status append(void *ctx, const char *data, size_t len)
{
    output *out = ctx;
    if (len > 0 && out->failed == 0) {
        out->written += len;
        out->last = data[len - 1];
    }
    if (out->packer != NULL && out->failed == 0) {
        pith_sink sink = pith_packer_sink(out->packer);
        check_packed(out, sink.write(sink.ctx, data, len));
    } else if (out->terminal) {
        show(out, data, len);
    } else {
        collect(out, data, len);
    }
    return sink_status(out);
}

void output_style(output *out, const char *sequence)
{
    show_part(out);
    collect(out, sequence, strlen(sequence));
}

pith_sink output_sink(output *out)
{
    return (pith_sink){.write = append, .ctx = out};
}

void output_text(output *out, const char *text)
{
    append(out, text, strlen(text));
}

void output_format(output *out, const char *format, ...)
{
    char small[512];
    va_list list;
    va_start(list, format);
    int len = vsnprintf(small, sizeof small, format, list);
    va_end(list);
    if (len >= 0 && (size_t)len < sizeof small) {
        append(out, small, (size_t)len);
        return;
    }
    char *large = len < 0 ? NULL : malloc((size_t)len + 1);
    if (large == NULL) {
        fail(out, ENOMEM);
        return;
    }
    va_start(list, format);
    vsnprintf(large, (size_t)len + 1, format, list);
    va_end(list);
    append(out, large, (size_t)len);
    free(large);
}

void output_discard(output *out)
{
    out->written -= out->used;
    out->cut = 0;
    out->used = 0;
}

/* --- the end */

static bool sync_content(output *out)
{
    while (fsync(out->fd) != 0)
        if (errno != EINTR || interrupt_pending() != 0)
            return fail(out, errno);
    return true;
}

/* Only now others may open it, as far as the mode allows. */
static bool set_mode(output *out)
{
    return fchmod(out->fd, (mode_t)out->mode) == 0 || fail(out, errno);
}

static bool link_nameless(output *out)
{
    char path[32];
    name_of_descriptor(out->fd, path);
    return linkat(AT_FDCWD, path, AT_FDCWD, out->temporary, AT_SYMLINK_FOLLOW) == 0;
}

/* What has to be done with a file before it can be put in place. */
static bool complete(output *out)
{
    if (!set_mode(out) || (out->replaces && !sync_content(out)))
        return false;
    if (out->nameless)
        out->nameless = !take_name(out, link_nameless);
    return !out->nameless;
}

bool output_commit(output *out)
{
    show_part(out);
    if (out->packer != NULL && out->failed == 0) {
        pith_packer *packer = out->packer;
        out->packer = NULL;
        check_packed(out, pith_packer_close(packer, NULL));
    }
    if (!output_flush(out) || out->target == NULL)
        return out->failed == 0;
    if (out->temporary != NULL && !complete(out))
        return false;
    int fd = out->fd;
    out->fd = -1;
    if (close(fd) != 0 && errno != EINTR) /* which closes it all the same */
        return fail(out, errno);
    if (out->temporary != NULL) {
        if (rename(out->temporary, out->target) != 0)
            return fail(out, errno);
        watchdog_release(&out->guarded);
        free(out->temporary);
        out->temporary = NULL;
    }
    return true;
}

void output_close(output *out)
{
    pith_packer_abandon(out->packer);
    out->packer = NULL;
    if (out->target != NULL && out->fd >= 0)
        close(out->fd);
    if (out->temporary != NULL && !out->nameless)
        unlink(out->temporary);
    watchdog_release(&out->guarded);
    free(out->temporary);
    free(out->target);
    out->temporary = NULL;
    out->target = NULL;
    out->fd = -1;
    out->used = 0;
}

void output_free(output *out)
{
    if (out != NULL)
        output_close(out);
    free(out);
}
