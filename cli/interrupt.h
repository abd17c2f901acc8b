/*
 * interrupt.h - Ctrl-C and its kin end the work tidily.
 */
#ifndef PITH_CLI_INTERRUPT_H
#define PITH_CLI_INTERRUPT_H

/* From here on SIGINT, SIGTERM and SIGHUP are noted instead of fatal (those the
 * caller ignores stay ignored), and a closed pipe is an error of write(2). Work that
 * has not ended a moment after a signal is ended by the watchdog. */
void interrupt_install(void);

/* The signal that asks for an end; 0 while there is none. */
int interrupt_pending(void);

/* Waits until the descriptor is ready for `events` of poll(2), a signal comes, or a
 * moment has passed: the caller tries again. For descriptors that do not block. */
void interrupt_wait(int fd, short events);

/* As open(2), tried again while other signals interrupt it. A file that is made is for
 * its owner alone. */
int interrupt_open(const char *path, int flags);

/* Ends the process with the signal that was noted, as if it had never been caught,
 * so that a shell or make sees what happened. Returns when there was none. */
void interrupt_finish(void);

#endif /* PITH_CLI_INTERRUPT_H */
