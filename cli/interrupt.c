/*
 * interrupt.c - Ctrl-C and its kin end the work tidily.
 *
 * The handler only notes the signal. Every loop that may take long (reading,
 * writing, the library's progress callback) asks for it and unwinds the ordinary
 * way, which removes the temporary file. System calls are not restarted, so a
 * read that waits for a pipe returns at once. What does not ask is ended by the
 * watchdog a moment later, and by a second signal at once.
 */
#define _POSIX_C_SOURCE 200809L

#include "interrupt.h"

#include "watchdog.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>

#define COUNT(list) (sizeof(list) / sizeof((list)[0]))

/* The one variable a signal handler may touch. */
static volatile sig_atomic_t noted;

static void note(int number)
{
    int kept = errno;
    bool again = noted != 0;
    noted = number;
    if (again)
        watchdog_end(number);
    watchdog_signal();
    errno = kept;
}

void interrupt_install(void)
{
    static const int fatal[] = {SIGINT, SIGTERM, SIGHUP};
    noted = 0;
    watchdog_install();
    for (size_t i = 0; i < COUNT(fatal); i++) {
        struct sigaction old;
        struct sigaction act = {.sa_handler = note};
        sigemptyset(&act.sa_mask);
        if (sigaction(fatal[i], NULL, &old) == 0 && old.sa_handler != SIG_IGN)
            sigaction(fatal[i], &act, NULL);
    }
    signal(SIGPIPE, SIG_IGN);
}

int interrupt_pending(void)
{
    return (int)noted;
}

/* A signal may come just before the wait begins; the moment bounds what that costs. */
void interrupt_wait(int fd, short events)
{
    enum { MOMENT_MS = 1000 };
    struct pollfd waiting = {.fd = fd, .events = events};
    poll(&waiting, 1, MOMENT_MS);
}

int interrupt_open(const char *path, int flags)
{
    int fd = open(path, flags, 0600);
    while (fd < 0 && errno == EINTR && interrupt_pending() == 0)
        fd = open(path, flags, 0600);
    return fd;
}

void interrupt_finish(void)
{
    watchdog_stop();
    if (noted != 0) {
        signal((int)noted, SIG_DFL);
        raise((int)noted);
    }
}
