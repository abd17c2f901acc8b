/*
 * watchdog.h - the end that comes when the work does not end by itself.
 */
#ifndef PITH_CLI_WATCHDOG_H
#define PITH_CLI_WATCHDOG_H

/* A file that must not outlive the process. */
typedef struct watchdog_file {
    const char *path; /* NULL while there is none */
    struct watchdog_file *next;
} watchdog_file;

/* Watches over nothing yet. */
void watchdog_install(void);

/* The file at `path`, borrowed, is removed should the process be ended from here. */
void watchdog_guard(watchdog_file *file, const char *path);

/* From now on it is not; also for a file that never was. */
void watchdog_release(watchdog_file *file);

/* After so many seconds, and a moment for the work to notice by itself, the process is
 * ended with this exit status, after saying `words`, which are copied. */
void watchdog_deadline(unsigned seconds, const char *words, int exit_status);

/* Everything has been said: should it still come to it, the end is silent. */
void watchdog_hush(int exit_status);

/* While somebody is asked a question, and when the work is done, no time passes. */
void watchdog_pause(void);
void watchdog_resume(void);

/* In the handler of a signal: when the work has not ended a moment later, the process
 * ends with that signal, as if it had never been caught. */
void watchdog_signal(void);

/* The same, at once. */
void watchdog_end(int number);

/* There is nothing left to watch over. */
void watchdog_stop(void);

#endif /* PITH_CLI_WATCHDOG_H */
