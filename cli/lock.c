/*
 * lock.c - one process at a time works with a file.
 *
 * The file itself cannot carry the lock: it may not exist yet, and it is replaced by
 * another. So a file beside it does, PATH.lock, which is there while somebody works. The
 * lock belongs to the open file and goes with the process however that ends; a file that
 * a killed process left is simply taken over. Whoever leaves removes the name before the
 * lock: a process that then gets the lock of a file without a name tries again.
 */
#define _DEFAULT_SOURCE /* flock */
#define _POSIX_C_SOURCE 200809L

#include "lock.h"

#include "interrupt.h"
#include "place.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define SUFFIX ".lock"

static bool complain(diag *errors, const char *path, const place_fault *fault)
{
    place_explain(errors, path, "cannot lock", "lock_failed", fault, errno);
    return false;
}

/* The name of the lock, the same for every link that leads to the file. */
static char *lock_path(const char *path, place_fault *fault)
{
    char *target = place_resolve(path, fault);
    size_t len = target != NULL ? strlen(target) : 0;
    char *joined = target != NULL ? malloc(len + sizeof SUFFIX) : NULL;
    if (joined != NULL) {
        memcpy(joined, target, len);
        memcpy(joined + len, SUFFIX, sizeof SUFFIX);
    }
    int number = errno;
    free(target);
    errno = number;
    return joined;
}

static bool open_lock(lock *guard, place_fault *fault)
{
    struct stat facts;
    guard->fd = interrupt_open(guard->path,
                               O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (guard->fd < 0 || fstat(guard->fd, &facts) != 0)
        return false;
    if (!S_ISREG(facts.st_mode)) {
        *fault = (place_fault){"lock_failed", "its lock is not a regular file"};
        return false;
    }
    return place_is_ours(guard->path, &facts, fault);
}

/* True when the locked file is still the one with the name. */
static bool has_its_name(const lock *guard)
{
    struct stat locked, named;
    return fstat(guard->fd, &locked) == 0 && lstat(guard->path, &named) == 0 &&
           locked.st_dev == named.st_dev && locked.st_ino == named.st_ino;
}

static void close_lock(lock *guard)
{
    if (guard->fd >= 0) {
        int number = errno;
        close(guard->fd);
        errno = number;
    }
    guard->fd = -1;
}

/* One attempt: 1 for had, 0 for not now, -1 for never. */
static int try_lock(lock *guard, place_fault *fault)
{
    int outcome = -1;
    if (open_lock(guard, fault)) {
        int refused = flock(guard->fd, LOCK_EX | LOCK_NB);
        while (refused != 0 && errno == EINTR) /* it does not wait, so it is soon done */
            refused = flock(guard->fd, LOCK_EX | LOCK_NB);
        outcome = refused == 0 ? has_its_name(guard) : errno == EWOULDBLOCK ? 0 : -1;
    }
    if (outcome != 1)
        close_lock(guard);
    return outcome;
}

bool lock_take(lock *guard, const char *path, diag *errors)
{
    place_fault fault = {NULL, NULL};
    struct timespec moment = {0, 5000000};
    struct timespec begin, now;
    guard->fd = -1;
    guard->path = lock_path(path, &fault);
    if (guard->path == NULL)
        return complain(errors, path, &fault);
    clock_gettime(CLOCK_MONOTONIC, &begin);
    for (;;) {
        int outcome = try_lock(guard, &fault);
        if (outcome != 0)
            return outcome > 0 || complain(errors, path, &fault);
        clock_gettime(CLOCK_MONOTONIC, &now);
        if (now.tv_sec - begin.tv_sec > LOCK_SECONDS || interrupt_pending() != 0)
            break;
        nanosleep(&moment, NULL);
    }
    fault = (place_fault){"locked", "another process has been working with it for 10 "
                                    "seconds; try again when that has ended"};
    return complain(errors, path, &fault);
}

void lock_give(lock *guard)
{
    if (guard->path == NULL)
        return;
    if (guard->fd >= 0)
        unlink(guard->path);
    close_lock(guard);
    free(guard->path);
    guard->path = NULL;
}
