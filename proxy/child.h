/*
 * child.h - the server: a command with pipes to its standard input and output.
 */
#ifndef PITH_PROXY_CHILD_H
#define PITH_PROXY_CHILD_H

#include "pith.h"

#include <sys/types.h>

typedef struct child {
    pid_t pid;
    int in;  /* what is written here is its standard input; -1 when closed */
    int out; /* its standard output */
} child;

/* Starts the command, without a shell, in a process group of its own; standard error is
 * ours. PITH_IO, "command_failed", when it cannot be run. */
pith_status child_start(child *one, char *const *command, pith_error *err);

/* Sends a signal to the command and to all that it started. */
void child_signal(const child *one, int number);

/* Closes its standard input: a server ends then. */
void child_hang_up(child *one);

/* The exit status of a shell for what waitpid told: that of the command, or 128 and the
 * number of the signal that ended it. */
int child_exit_status(int told);

#endif
