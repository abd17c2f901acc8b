/*
 * lock.h - one process at a time works with a file.
 */
#ifndef PITH_CLI_LOCK_H
#define PITH_CLI_LOCK_H

#include "diag.h"

#include <stdbool.h>

/* Zero-initialise. */
typedef struct lock {
    char *path;
    int fd; /* while `path` is not NULL */
} lock;

/* Waits until no other process has the lock of the file at `path`, which need not exist.
 * False, and said why, when it cannot be had: not within LOCK_SECONDS, or not at all. */
bool lock_take(lock *guard, const char *path, diag *errors);

/* Lets the next one in. */
void lock_give(lock *guard);

enum { LOCK_SECONDS = 10 };

#endif /* PITH_CLI_LOCK_H */
