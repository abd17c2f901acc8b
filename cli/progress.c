/*
 * progress.c - one line on the terminal while work takes long.
 *
 *     data.json  45%  12.3 MB of 27.0 MB  8.1 MB/s  2 s left
 *
 * It appears when the command has run for a second, changes ten times a second
 * at most, never wraps (a wrapped line could not be cleared), and is gone before
 * anything else is printed.
 */
#define _POSIX_C_SOURCE 200809L

#include "progress.h"

#include "interrupt.h"
#include "width.h"

#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#define PATIENCE_SECONDS 1.0
#define REDRAW_SECONDS 0.1
#define COLUMNS_USUAL 80
#define NAME_COLUMNS 32

static double seconds_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

void progress_start(progress *line, bool wanted)
{
    *line = (progress){.started = seconds_now()};
    line->enabled = wanted && isatty(STDERR_FILENO);
}

void progress_input(progress *line, const char *name, size_t total)
{
    line->name = name;
    line->total = total;
    line->done = 0;
    line->interleaved = false;
    line->began = seconds_now();
}

/* True when it is time to draw again; `*elapsed` is the time spent on the input. */
static bool due(progress *line, double *elapsed)
{
    if (!line->enabled)
        return false;
    double now = seconds_now();
    if (now - line->started < PATIENCE_SECONDS || now - line->drawn < REDRAW_SECONDS)
        return false;
    line->drawn = now;
    *elapsed = now - line->began;
    return true;
}

static size_t terminal_columns(void)
{
    struct winsize size;
    if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
        return size.ws_col;
    return COLUMNS_USUAL;
}

/* A size in the unit that leaves one to three digits before the point. */
static void say_bytes(char *into, size_t room, double bytes)
{
    static const char *const units[] = {"B", "kB", "MB", "GB", "TB", "PB"};
    size_t unit = 0;
    while (bytes >= 1000 && unit < 5) {
        bytes /= 1000;
        unit++;
    }
    snprintf(into, room, "%.*f %s", unit == 0 ? 0 : 1, bytes, units[unit]);
}

static void say_time(char *into, size_t room, double seconds)
{
    if (seconds < 3600) {
        int whole = (int)(seconds + 0.5);
        if (whole < 60)
            snprintf(into, room, "%d s", whole);
        else
            snprintf(into, room, "%d min %02d s", whole / 60, whole % 60);
    } else {
        snprintf(into, room, "%.1f h", seconds / 3600);
    }
}

/* Prints the name and the facts after it, as far as the terminal is wide. */
static void draw(progress *line, const char *facts)
{
    size_t columns = terminal_columns() - 1;
    size_t len = strlen(line->name);
    size_t used = 0;
    fputs("\r\033[K", stderr);
    for (size_t at = 0; at < len;) {
        width_cell cell = width_cell_at(line->name + at, len - at);
        used += cell.columns;
        if (used > NAME_COLUMNS || used > columns)
            break;
        fputs(cell.shown, stderr);
        at += cell.bytes;
    }
    if (used < columns)
        fprintf(stderr, "%.*s", (int)(columns - used), facts);
    fflush(stderr);
    line->shown = true;
}

bool progress_read(void *ctx, size_t bytes_done)
{
    progress *line = ctx;
    double elapsed;
    line->done = bytes_done > line->done ? bytes_done : line->done;
    bytes_done = line->done;
    if (!due(line, &elapsed))
        return interrupt_pending() == 0;
    char done[24], total[24], rate[24], left[24], facts[128];
    double speed = elapsed > 0 ? (double)bytes_done / elapsed : 0;
    say_bytes(done, sizeof done, (double)bytes_done);
    say_bytes(rate, sizeof rate, speed);
    if (line->total >= bytes_done && line->total > 0 && speed > 0) {
        double share = 100.0 * (double)bytes_done / (double)line->total;
        say_bytes(total, sizeof total, (double)line->total);
        say_time(left, sizeof left, (double)(line->total - bytes_done) / speed);
        snprintf(facts, sizeof facts, "  %.0f%%  %s of %s  %s/s  %s left", share, done,
                 total, rate, left);
    } else {
        snprintf(facts, sizeof facts, "  %s  %s/s", done, rate);
    }
    draw(line, facts);
    return interrupt_pending() == 0;
}

void progress_written(progress *line, size_t bytes_done)
{
    double elapsed;
    if (!line->interleaved && due(line, &elapsed)) {
        char done[24], facts[64];
        say_bytes(done, sizeof done, (double)bytes_done);
        snprintf(facts, sizeof facts, "  %s written", done);
        draw(line, facts);
    }
}

void progress_clear(progress *line)
{
    if (line->shown) {
        fputs("\r\033[K", stderr);
        fflush(stderr);
        line->shown = false;
    }
}

void progress_stop(progress *line)
{
    progress_clear(line);
    line->enabled = false;
}
