/*
 * watchdog.c - the end that comes when the work does not end by itself.
 *
 * A signal or a deadline is noticed by every loop of this tool that asks for it, and the
 * work ends tidily. But a call may be at work that never asks: a function of SQLite, a
 * tokenizer in the middle of a long text, the name of a server being looked up. So a
 * timer runs a little longer than the deadline, or from the signal on, and its handler
 * ends the process: the temporary files go, and the exit status is the same as after a
 * tidy end.
 *
 * There is no thread. The handler runs in the middle of whatever is not ending, so it
 * makes only calls that a handler may make, and what it says was composed before.
 */
#define _POSIX_C_SOURCE 200809L
#define _XOPEN_SOURCE 700

#include "watchdog.h"

#include "interrupt.h"

#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

#define GRACE_MICROSECONDS 600000 /* so that the end comes within a second */

/* What the handler needs, and nothing else. */
static _Atomic(watchdog_file *) files;
static char last_words[512];
static volatile sig_atomic_t last_words_len;
static volatile sig_atomic_t last_status;
static volatile sig_atomic_t ours; /* the timer was set here */
static struct itimerval paused;

/* --- the end */

static void remove_files(void)
{
    for (const watchdog_file *file = files; file != NULL; file = file->next)
        unlink(file->path);
}

void watchdog_end(int number)
{
    sigset_t open;
    remove_files();
    sigemptyset(&open);
    sigaddset(&open, number);
    signal(number, SIG_DFL);
    sigprocmask(SIG_UNBLOCK, &open, NULL);
    raise(number);
    _exit(128 + number); /* what a shell makes of it */
}

static void end_late(int number)
{
    int noted = interrupt_pending();
    if (noted != 0 || !ours)
        watchdog_end(noted != 0 ? noted : number);
    remove_files();
    if (last_words_len > 0 &&
        write(STDERR_FILENO, last_words, (size_t)last_words_len) < 0)
        _exit((int)last_status); /* standard error is gone */
    _exit((int)last_status);
}

/* --- the timer */

static void set_timer(time_t seconds, long microseconds)
{
    struct itimerval until = {.it_value = {.tv_sec = seconds}};
    until.it_value.tv_usec = (suseconds_t)microseconds;
    ours = 1;
    setitimer(ITIMER_REAL, &until, NULL);
}

/* The parent process may have set the timer, which then ends it as before. */
static bool is_set_by_parent(time_t gs)
{
    struct itimerval now;
    return !ours && getitimer(ITIMER_REAL, &now) == 0 &&
           (now.it_value.tv_sec > 0 || now.it_value.tv_usec > 0) &&
           now.it_value.tv_sec <= gs;
}

void watchdog_install(void)
{
    sigset_t open;
    struct sigaction old;
    struct sigaction act = {.sa_handler = end_late};
    files = NULL;
    ours = 0;
    watchdog_hush(0);
    sigemptyset(&act.sa_mask);
    if (sigaction(SIGALRM, &act, &old) == 0 && old.sa_handler == SIG_IGN)
        watchdog_stop(); /* a timer of the parent's was to do nothing */
    sigemptyset(&open);
    sigaddset(&open, SIGALRM);
    sigprocmask(SIG_UNBLOCK, &open, NULL);
}

void watchdog_stop(void)
{
    set_timer(0, 0);
    files = NULL;
    watchdog_hush(0);
}

void watchdog_deadline(unsigned seconds, const char *words, int exit_status)
{
    if (is_set_by_parent((time_t)seconds))
        return; /* and ends it earlier */
    snprintf(last_words, sizeof last_words, "%s", words);
    last_status = exit_status;
    last_words_len = (sig_atomic_t)strlen(last_words);
    set_timer((time_t)seconds, GRACE_MICROSECONDS);
}

void watchdog_hush(int exit_status)
{
    last_words_len = 0;
    last_status = exit_status;
}

void watchdog_signal(void)
{
    set_timer(0, GRACE_MICROSECONDS);
}

/* A signal may have come meanwhile, for which the timer runs. */
static void set_unless_signalled(const struct itimerval *until, struct itimerval *old)
{
    setitimer(ITIMER_REAL, until, old);
    if (interrupt_pending() != 0)
        watchdog_signal();
}

void watchdog_pause(void)
{
    struct itimerval never = {.it_value = {.tv_sec = 0}};
    set_unless_signalled(&never, &paused);
}

void watchdog_resume(void)
{
    set_unless_signalled(&paused, NULL);
}

/* --- the files */

/* One pointer changes at a time, so that a handler sees the list before or after. */
void watchdog_guard(watchdog_file *file, const char *path)
{
    file->path = path;
    file->next = files;
    files = file;
}

void watchdog_release(watchdog_file *file)
{
    if (file->path == NULL)
        return;
    if (files == file) {
        files = file->next;
    } else {
        watchdog_file *before = files;
        while (before != NULL && before->next != file)
            before = before->next;
        if (before != NULL)
            before->next = file->next;
    }
    file->path = NULL;
}
