/*
 * progress.h - one line on the terminal while work takes long.
 */
#ifndef PITH_CLI_PROGRESS_H
#define PITH_CLI_PROGRESS_H

#include <stdbool.h>
#include <stddef.h>

typedef struct progress {
    bool enabled;
    bool shown;       /* the line is on the screen */
    const char *name; /* of the input at work */
    size_t total;     /* its bytes; 0 when unknown */
    size_t done;      /* the most that were reported of it */
    bool interleaved; /* it is written while it is read: only reading is shown */
    double started;   /* seconds: the whole command */
    double began;     /* this input */
    double drawn;     /* the last drawing */
} progress;

/* Starts the clock. It shows nothing when `wanted` is false or standard error is
 * no terminal. */
void progress_start(progress *line, bool wanted);

/* The next input: its name, borrowed, and its size in bytes, 0 when unknown. */
void progress_input(progress *line, const char *name, size_t total);

/* So many bytes of the input have been read; what is then written and counted begins again
 * from 0 and is not shown. Fits pith_options.progress: `line` is
 * a progress, and the answer is false once a signal asks for an end. */
bool progress_read(void *line, size_t bytes_done);

/* So many bytes have been written. */
void progress_written(progress *line, size_t bytes_done);

/* Takes the line off the screen; it comes back with the next report. */
void progress_clear(progress *line);

/* Takes it off for good. */
void progress_stop(progress *line);

#endif /* PITH_CLI_PROGRESS_H */
