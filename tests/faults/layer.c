/*
 * layer.c - see layer.h.
 *
 * The linker calls what was asked for __real_X and what stands here __wrap_X. The one
 * plan and its counts are variables of this file: the wrapped calls have no place to
 * pass anything else.
 */
#define _GNU_SOURCE
#define _POSIX_C_SOURCE 200809L
#define _XOPEN_SOURCE 700

#include "faults/layer.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

static faults plan;
static fault_counts seen;

void faults_set(const faults *next)
{
    plan = next ? *next : (faults){0};
    seen = (fault_counts){0};
}

fault_counts faults_seen(void)
{
    return seen;
}

/* ------------------------------------------------------------------------- signals */

int __real_raise(int number);
int __wrap_raise(int number);

/* True when the signal arrives now. */
static bool layer_signals(void)
{
    seen.moments++;
    if (plan.signal_at == 0 || seen.moments != plan.signal_at)
        return false;
    __real_raise(SIGTERM);
    return true;
}

static bool layer_interrupts(void)
{
    bool interrupts = layer_signals();
    if (interrupts)
        errno = EINTR;
    return interrupts;
}

int __wrap_raise(int number)
{
    seen.raised = number;
    return 0;
}

/* ------------------------------------------------------------------------- memory */

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *ptr, size_t size);
void __real_free(void *ptr);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *ptr, size_t size);
void __wrap_free(void *ptr);
char *__wrap_strdup(const char *text);
char *__wrap_strndup(const char *text, size_t most);

static bool layer_has_memory(void)
{
    layer_signals();
    seen.memory++;
    if (plan.memory_at == 0 || seen.memory < plan.memory_at ||
        (seen.memory > plan.memory_at && !plan.memory_onwards))
        return true;
    seen.memory_refused++;
    errno = ENOMEM;
    return false;
}

static void *layer_taken(void *block)
{
    seen.live_blocks += block != NULL;
    return block;
}

void *__wrap_malloc(size_t size)
{
    return layer_has_memory() ? layer_taken(__real_malloc(size)) : NULL;
}

void *__wrap_calloc(size_t count, size_t size)
{
    return layer_has_memory() ? layer_taken(__real_calloc(count, size)) : NULL;
}

void *__wrap_realloc(void *ptr, size_t size)
{
    if (!layer_has_memory())
        return NULL;
    void *moved = __real_realloc(ptr, size);
    return ptr ? moved : layer_taken(moved);
}

void __wrap_free(void *ptr)
{
    seen.live_blocks -= ptr != NULL;
    __real_free(ptr);
}

char *__wrap_strndup(const char *text, size_t most)
{
    size_t len = strnlen(text, most);
    char *copy = __wrap_malloc(len + 1);
    if (copy) {
        memcpy(copy, text, len);
        copy[len] = '\0';
    }
    return copy;
}

char *__wrap_strdup(const char *text)
{
    return __wrap_strndup(text, strlen(text));
}

/* ------------------------------------------------------------- writing and reading */

/* What may pass of a call for `len` bytes, the `calls`-th; -1 with errno when nothing
 * does. */
static ssize_t layer_passes(size_t len, size_t calls, size_t every, int every_error,
                            size_t most, size_t done, size_t room, int error)
{
    if (every > 0 && calls % every == 1 % every) {
        errno = every_error;
        return every_error == 0 ? 0 : -1;
    }
    if (error != 0 && done >= room && len > 0) {
        errno = error;
        return -1;
    }
    if (error != 0 && len > room - done)
        len = room - done;
    return (ssize_t)(most > 0 && len > most ? most : len);
}

static ssize_t layer_may_write(size_t len)
{
    if (layer_interrupts())
        return -1;
    seen.writes++;
    ssize_t may =
        layer_passes(len, seen.writes, plan.write_every, plan.write_every_error,
                     plan.write_most, seen.written, plan.write_room, plan.write_error);
    seen.writes_refused += may < 0;
    return may;
}

static size_t read_so_far;

static ssize_t layer_may_read(size_t len)
{
    if (layer_interrupts())
        return -1;
    if (seen.reads++ == 0)
        read_so_far = 0;
    ssize_t may =
        layer_passes(len, seen.reads, plan.read_every, plan.read_every_error,
                     plan.read_most, read_so_far, plan.read_room, plan.read_error);
    seen.reads_refused += may < 0;
    return may;
}

ssize_t __real_write(int fd, const void *data, size_t len);
ssize_t __real_pwrite(int fd, const void *data, size_t len, off_t at);
ssize_t __real_read(int fd, void *data, size_t len);
ssize_t __real_pread(int fd, void *data, size_t len, off_t at);
ssize_t __wrap_write(int fd, const void *data, size_t len);
ssize_t __wrap_pwrite(int fd, const void *data, size_t len, off_t at);
ssize_t __wrap_read(int fd, void *data, size_t len);
ssize_t __wrap_pread(int fd, void *data, size_t len, off_t at);

static ssize_t layer_wrote(ssize_t sent)
{
    seen.written += sent > 0 ? (size_t)sent : 0;
    return sent;
}

static ssize_t layer_got(ssize_t got)
{
    read_so_far += got > 0 ? (size_t)got : 0;
    return got;
}

ssize_t __wrap_write(int fd, const void *data, size_t len)
{
    ssize_t may = layer_may_write(len);
    return may < 0 ? may : layer_wrote(__real_write(fd, data, (size_t)may));
}

ssize_t __wrap_pwrite(int fd, const void *data, size_t len, off_t at)
{
    ssize_t may = layer_may_write(len);
    return may < 0 ? may : layer_wrote(__real_pwrite(fd, data, (size_t)may, at));
}

ssize_t __wrap_read(int fd, void *data, size_t len)
{
    ssize_t may = layer_may_read(len);
    return may < 0 ? may : layer_got(__real_read(fd, data, (size_t)may));
}

ssize_t __wrap_pread(int fd, void *data, size_t len, off_t at)
{
    ssize_t may = layer_may_read(len);
    return may < 0 ? may : layer_got(__real_pread(fd, data, (size_t)may, at));
}

/* ----------------------------------------------------------------------- the rest */

int __real_open(const char *path, int flags, ...);
int __real_mkostemp(char *pattern, int flags);
int __real_linkat(int from_dir, const char *from, int to_dir, const char *to, int flags);
int __real_fsync(int fd);
int __real_close(int fd);
int __real_rename(const char *from, const char *to);
int __real_access(const char *path, int mode);
int __real_fstat(int fd, struct stat *facts);
int __real_fchown(int fd, uid_t owner, gid_t group);
int __real_fchmod(int fd, mode_t mode);
int __real_flock(int fd, int how);
int __wrap_open(const char *path, int flags, ...);
int __wrap_mkostemp(char *pattern, int flags);
int __wrap_linkat(int from_dir, const char *from, int to_dir, const char *to, int flags);
int __wrap_fsync(int fd);
int __wrap_close(int fd);
int __wrap_rename(const char *from, const char *to);
int __wrap_access(const char *path, int mode);
int __wrap_fstat(int fd, struct stat *facts);
int __wrap_fchown(int fd, uid_t owner, gid_t group);
int __wrap_fchmod(int fd, mode_t mode);
int __wrap_flock(int fd, int how);

static bool layer_lets(const char *call)
{
    if (!plan.call || strcmp(plan.call, call) != 0)
        return true;
    seen.calls++;
    if (plan.call_at != 0 && seen.calls != plan.call_at)
        return true;
    seen.calls_refused++;
    errno = plan.call_error;
    return false;
}

int __wrap_open(const char *path, int flags, ...)
{
    if (layer_interrupts() || !layer_lets("open"))
        return -1;
    bool nameless = (flags & O_TMPFILE) == O_TMPFILE;
    if (nameless && plan.nameless_unknown) {
        errno = EOPNOTSUPP;
        return -1;
    }
    mode_t mode = 0;
    if (nameless || (flags & O_CREAT)) {
        va_list list;
        va_start(list, flags);
        mode = va_arg(list, mode_t);
        va_end(list);
    }
    return __real_open(path, flags, mode);
}

int __wrap_mkostemp(char *pattern, int flags)
{
    return layer_lets("mkostemp") ? __real_mkostemp(pattern, flags) : -1;
}

int __wrap_linkat(int from_dir, const char *from, int to_dir, const char *to, int flags)
{
    layer_signals();
    return layer_lets("linkat") ? __real_linkat(from_dir, from, to_dir, to, flags) : -1;
}

int __wrap_fsync(int fd)
{
    return !layer_interrupts() && layer_lets("fsync") ? __real_fsync(fd) : -1;
}

/* As the kernel does it: the descriptor is gone whatever is said. */
int __wrap_close(int fd)
{
    int number = errno;
    bool lets = !layer_interrupts() && layer_lets("close");
    int told = errno;
    errno = number;
    int closed = __real_close(fd);
    if (lets)
        return closed;
    errno = told;
    return -1;
}

int __wrap_rename(const char *from, const char *to)
{
    layer_signals();
    return layer_lets("rename") ? __real_rename(from, to) : -1;
}

int __wrap_access(const char *path, int mode)
{
    return layer_lets("access") ? __real_access(path, mode) : -1;
}

int __wrap_fstat(int fd, struct stat *facts)
{
    int done = layer_lets("fstat") ? __real_fstat(fd, facts) : -1;
    if (done == 0 && plan.foreign)
        facts->st_uid++;
    return done;
}

int __wrap_fchown(int fd, uid_t owner, gid_t group)
{
    return layer_lets("fchown") ? __real_fchown(fd, owner, group) : -1;
}

int __wrap_fchmod(int fd, mode_t mode)
{
    return layer_lets("fchmod") ? __real_fchmod(fd, mode) : -1;
}

int __wrap_flock(int fd, int how)
{
    return !layer_interrupts() && layer_lets("flock") ? __real_flock(fd, how) : -1;
}
