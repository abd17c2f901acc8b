/*
 * system.c - the operating systems: POSIX, Windows, WASI, or none; see system.h.
 *
 * What is put aside may be secret, and temporary files are often in a folder of
 * everybody. So where the system can do without a name the file never has one; else it has
 * one that nobody can guess, and loses it before the first byte is written (on Windows when
 * it is closed, and nobody may share it). No program that is started meanwhile inherits
 * it, and a program with the rights of somebody else does not let the environment say
 * where it is.
 *
 * Random bytes must cost nothing, since a library without globals cannot draw them once
 * and keep them. Linux gives every program sixteen when it starts, and the C library knows
 * where they are. They also guard the stack, so they must not leave the process: callers
 * use a hash of them, and only to choose places in tables. Elsewhere the system is asked.
 */
#define _GNU_SOURCE /* O_TMPFILE, mkostemp and secure_getenv, where they are */
#define _POSIX_C_SOURCE 200809L
#define _XOPEN_SOURCE 700
#define _CRT_RAND_S /* rand_s, on Windows */

#include "base/system.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#if defined(__linux__)
#include <sys/auxv.h>
#elif defined(__wasi__)
#include <unistd.h>
#endif

/* ------------------------------------------------------------------ random bytes */

void system_random(unsigned char room[SYSTEM_RANDOM_LEN])
{
#if defined(__linux__)
    const void *random = (const void *)(uintptr_t)getauxval(AT_RANDOM);
    uintptr_t address = (uintptr_t)room; /* which the system chose */
    if (random)
        memcpy(room, random, SYSTEM_RANDOM_LEN);
    else
        memcpy(room, &address, sizeof address);
#elif defined(_WIN32)
    for (size_t i = 0; i < SYSTEM_RANDOM_LEN; i += sizeof(unsigned)) {
        unsigned word = 0;
        rand_s(&word);
        memcpy(room + i, &word, sizeof word);
    }
#elif defined(__wasi__)
    getentropy(room, SYSTEM_RANDOM_LEN);
#else
    arc4random_buf(room, SYSTEM_RANDOM_LEN);
#endif
}

/* ------------------------------------------------------------------------- files */

#if defined(PITH_NO_FILES)

bool system_write(int fd, uint64_t at, const char *data, size_t len)
{
    (void)fd, (void)at, (void)data, (void)len;
    errno = ENOSYS;
    return false;
}

size_t system_read_at(int fd, uint64_t at, char *room, size_t len)
{
    (void)fd, (void)at, (void)room, (void)len;
    errno = ENOSYS;
    return 0;
}

uint64_t system_position(int fd)
{
    (void)fd;
    return SYSTEM_HERE;
}

int system_open_temporary(void)
{
    errno = ENOSYS;
    return -1;
}

void system_close(int fd)
{
    (void)fd;
}

#else

#include <fcntl.h>
#include <stdio.h>

#if defined(_WIN32)
#include <io.h>
#include <share.h>
#include <sys/stat.h>

enum { SYSTEM_BLOCK = 1 << 30 }; /* what one call can move */

typedef int system_count;

/* Windows has no pread and pwrite: going there and back does, as nobody else has the
 * descriptor. */
static system_count system_move(int fd, uint64_t at, void *data, size_t len, bool out)
{
    unsigned part = (unsigned)(len < SYSTEM_BLOCK ? len : SYSTEM_BLOCK);
    int64_t here = at == SYSTEM_HERE ? -1 : _lseeki64(fd, 0, SEEK_CUR);
    if (at != SYSTEM_HERE && (here < 0 || _lseeki64(fd, (int64_t)at, SEEK_SET) < 0))
        return -1;
    system_count moved = out ? _write(fd, data, part) : _read(fd, data, part);
    if (at != SYSTEM_HERE && _lseeki64(fd, here, SEEK_SET) < 0)
        return -1;
    return moved;
}

uint64_t system_position(int fd)
{
    int64_t here = _lseeki64(fd, 0, SEEK_CUR);
    return here < 0 || _isatty(fd) ? SYSTEM_HERE : (uint64_t)here;
}

int system_open_temporary(void)
{
    char *path = _tempnam(NULL, "pith");
    if (!path)
        return -1;
    int flags = _O_RDWR | _O_CREAT | _O_EXCL | _O_BINARY | _O_TEMPORARY | _O_NOINHERIT;
    int fd = _sopen(path, flags, _SH_DENYRW, _S_IREAD | _S_IWRITE);
    free(path);
    return fd;
}

void system_close(int fd)
{
    _close(fd);
}

#else
#include <unistd.h>

enum { SYSTEM_PATH_MOST = 4096 };

typedef ssize_t system_count;

static system_count system_move(int fd, uint64_t at, void *data, size_t len, bool out)
{
    assert(out || at != SYSTEM_HERE);
    if (at == SYSTEM_HERE)
        return write(fd, data, len);
    return out ? pwrite(fd, data, len, (off_t)at) : pread(fd, data, len, (off_t)at);
}

uint64_t system_position(int fd)
{
    off_t here = lseek(fd, 0, SEEK_CUR);
    int flags = fcntl(fd, F_GETFL);
    return here < 0 || flags < 0 || (flags & O_APPEND) ? SYSTEM_HERE : (uint64_t)here;
}

/* Where temporary files go: the environment's word counts unless this program runs with
 * the rights of somebody else. */
static const char *system_temporary_folder(void)
{
#if defined(__linux__)
    const char *folder = secure_getenv("TMPDIR");
#else
    bool own = getuid() == geteuid() && getgid() == getegid();
    const char *folder = own ? getenv("TMPDIR") : NULL;
#endif
    return folder && *folder ? folder : P_tmpdir;
}

static int system_open_named(const char *folder)
{
    char path[SYSTEM_PATH_MOST];
    int len = snprintf(path, sizeof path, "%s/pith-XXXXXX", folder);
    if (len < 0 || (size_t)len >= sizeof path) {
        errno = ENAMETOOLONG;
        return -1;
    }
#if defined(__linux__)
    int fd = mkostemp(path, O_CLOEXEC);
#else
    int fd = mkstemp(path);
    if (fd >= 0)
        fcntl(fd, F_SETFD, FD_CLOEXEC);
#endif
    if (fd >= 0)
        unlink(path);
    return fd;
}

int system_open_temporary(void)
{
    const char *folder = system_temporary_folder();
    int fd = -1;
#if defined(O_TMPFILE)
    fd = open(folder, O_TMPFILE | O_RDWR | O_EXCL | O_CLOEXEC, 0600);
#endif
    return fd >= 0 ? fd : system_open_named(folder);
}

void system_close(int fd)
{
    close(fd);
}

#endif

bool system_write(int fd, uint64_t at, const char *data, size_t len)
{
    while (len > 0) {
        system_count sent = system_move(fd, at, (void *)(uintptr_t)data, len, true);
        if (sent < 0 && errno == EINTR)
            continue;
        if (sent <= 0) {
            errno = sent < 0 ? errno : EIO; /* nothing was taken: it never would be */
            return false;
        }
        data += sent;
        len -= (size_t)sent;
        at = at == SYSTEM_HERE ? at : at + (uint64_t)sent;
    }
    return true;
}

size_t system_read_at(int fd, uint64_t at, char *room, size_t len)
{
    assert(at != SYSTEM_HERE);
    system_count got;
    do
        got = system_move(fd, at, room, len, false);
    while (got < 0 && errno == EINTR);
    if (got == 0)
        errno = EIO;
    return got > 0 ? (size_t)got : 0;
}

#endif
