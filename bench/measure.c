/*
 * measure.c - see measure.h.
 *
 * Time. Whatever else a machine does can only make a run slower, so the fastest
 * of many runs is the one nearest to the truth; the median is printed beside it
 * to show how far the machine was from quiet. The three figures come from the
 * same runs, one after the other, so that they see the same weather.
 *
 * Fresh means fresh memory too. Left alone, the GNU allocator raises its limit for
 * giving blocks back to the kernel with every block freed, up to 32 MB: a library
 * with smaller blocks then finds its pages warm from the run before, one with
 * larger blocks pays for new pages each time, and the ratio of the two tells of
 * that limit as well as of them. So the limit is fixed, for all: every run gets its
 * large blocks from the kernel, as the only conversion of a process does.
 *
 * Peers with a run-time of their own keep their heap from run to run. Beside them the
 * allocator is told to keep everything too, as in a server that has been up for a
 * while, and a run that is not timed warms the heap first.
 *
 * Memory. The peak is taken in a child process of its own, forked before the
 * parent holds anything: it notes its resident memory, reads the file, converts
 * it once and notes the highest its resident memory ever was. The difference is
 * what the conversion needed, input included. The kernel counts pages, in
 * batches, so for files below a few MB the figure is rough.
 */
#define _POSIX_C_SOURCE 200809L

#include "measure.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#ifdef __GLIBC__
#include <malloc.h>
#endif

enum { RUNS_LEAST = 3, RUNS_MOST = 10000 };

/* ----------------------------------------------------------------- the file */

typedef struct file_text {
    char *ptr;
    size_t len;
} file_text;

static bool complain(const char *path, const char *what)
{
    fprintf(stderr, "%s: %s: %s\n", path, what, strerror(errno));
    return false;
}

/* The whole file, with `padding` zero bytes after it. The caller frees `ptr`. */
static bool read_file(const char *path, size_t padding, file_text *out)
{
    FILE *file = fopen(path, "rb");
    if (file == NULL)
        return complain(path, "cannot open");
    bool done = false;
    long size;
    if (fseek(file, 0, SEEK_END) != 0 || (size = ftell(file)) < 0) {
        complain(path, "cannot tell the size");
        goto close;
    }
    rewind(file);
    out->len = (size_t)size;
    out->ptr = malloc(out->len + padding + 1);
    if (out->ptr == NULL) {
        complain(path, "cannot read");
        goto close;
    }
    if (fread(out->ptr, 1, out->len, file) != out->len) {
        complain(path, "cannot read");
        free(out->ptr);
        goto close;
    }
    memset(out->ptr + out->len, 0, padding + 1);
    done = true;
close:
    fclose(file);
    return done;
}

/* ------------------------------------------------------------------- memory */

/* The most memory this process ever had resident. */
static size_t resident_peak(void)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
#ifdef __APPLE__
    return (size_t)usage.ru_maxrss;
#else
    return (size_t)usage.ru_maxrss * 1024;
#endif
}

/* The child's side: converts once and sends the difference through the pipe. */
static bool send_peak(const measure_subject *subject, const char *path, int pipe_end)
{
    size_t before = resident_peak();
    file_text input;
    if (!read_file(path, subject->padding, &input))
        return false;
    bool done = subject->convert(subject->ctx, input.ptr, input.len);
    size_t peak = resident_peak() - before;
    free(input.ptr);
    return done && write(pipe_end, &peak, sizeof peak) == (ssize_t)sizeof peak;
}

static bool measure_peak(const measure_subject *subject, const char *path, size_t *peak)
{
    int ends[2];
    if (pipe(ends) != 0)
        return complain(path, "cannot make a pipe");
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        close(ends[0]);
        _exit(send_peak(subject, path, ends[1]) ? 0 : 1);
    }
    close(ends[1]);
    bool done = child > 0 && read(ends[0], peak, sizeof *peak) == (ssize_t)sizeof *peak;
    close(ends[0]);
    if (child < 0)
        return complain(path, "cannot fork");
    int status = 0; /* a child that ended in order has said what failed */
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    if (WIFSIGNALED(status)) {
        fprintf(stderr, "%s: measuring memory ended with signal %d\n", path,
                WTERMSIG(status));
    }
    return done;
}

/* --------------------------------------------------------------------- time */

double measure_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static int compare_seconds(const void *left, const void *right)
{
    double a = *(const double *)left;
    double b = *(const double *)right;
    return (a > b) - (a < b);
}

/* `seconds` is as large as the clock is coarse when the file is tiny. */
static double rate(size_t bytes, double seconds)
{
    return seconds > 0 ? (double)bytes / 1e6 / seconds : 0;
}

/* Repeats until the time is up; `samples` takes the whole-conversion times. */
static bool repeat(const measure_subject *subject, file_text input, double seconds,
                   double *samples, measure_result *result)
{
    double best[MEASURE_PARTS] = {0};
    double start = measure_now();
    size_t runs = 0;
    while (runs < RUNS_LEAST || (runs < RUNS_MOST && measure_now() - start < seconds)) {
        double took[MEASURE_PARTS];
        if (!subject->run(subject->ctx, input.ptr, input.len, took,
                          &result->output_bytes))
            return false;
        for (int part = 0; part < MEASURE_PARTS; part++)
            if (runs == 0 || took[part] < best[part])
                best[part] = took[part];
        samples[runs++] = took[MEASURE_WHOLE];
    }
    for (int part = 0; part < MEASURE_PARTS; part++)
        result->best_mb_per_s[part] = rate(input.len, best[part]);
    qsort(samples, runs, sizeof *samples, compare_seconds);
    result->median_mb_per_s = rate(input.len, samples[runs / 2]);
    result->bytes = input.len;
    result->runs = runs;
    return true;
}

/* See "fresh memory" above. */
static void use_fresh_memory(void)
{
#ifdef __GLIBC__
    mallopt(M_MMAP_THRESHOLD, 128 * 1024);
#endif
}

/* No block comes from the kernel alone, whatever its size, and none goes back. */
static void keep_memory(void)
{
#ifdef __GLIBC__
    mallopt(M_MMAP_MAX, 0);
    mallopt(M_TRIM_THRESHOLD, INT_MAX);
#endif
}

/* Makes the heap as it is in a process that has been up for a while. */
static bool warm_up(const measure_subject *subject, file_text input)
{
    double took[MEASURE_PARTS];
    size_t output_bytes;
    keep_memory();
    return subject->run(subject->ctx, input.ptr, input.len, took, &output_bytes);
}

bool measure_file(const measure_subject *subject, const char *path, double seconds,
                  measure_memory memory, measure_result *result)
{
    use_fresh_memory();
    file_text input;
    if (!measure_peak(subject, path, &result->peak_bytes) ||
        !read_file(path, subject->padding, &input))
        return false;
    double *samples = malloc(RUNS_MOST * sizeof *samples);
    bool done = samples != NULL && (memory == MEASURE_COLD || warm_up(subject, input)) &&
                repeat(subject, input, seconds, samples, result);
    if (samples == NULL)
        complain(path, "cannot measure");
    free(samples);
    free(input.ptr);
    return done;
}

/* ----------------------------------------------------------------- the line */

static void print_text_field(const char *key, const char *value)
{
    printf("\"%s\":\"", key);
    for (; *value != '\0'; value++) {
        unsigned char byte = (unsigned char)*value;
        if (byte == '"' || byte == '\\')
            printf("\\%c", byte);
        else if (byte < 0x20)
            printf("\\u%04x", byte);
        else
            putchar(byte);
    }
    printf("\",");
}

void measure_print(const char *impl, const char *detail, const char *path,
                   const char *from, const char *to, const measure_result *result)
{
    putchar('{');
    print_text_field("impl", impl);
    print_text_field("detail", detail);
    print_text_field("file", path);
    print_text_field("from", from);
    print_text_field("to", to);
    printf("\"bytes\":%zu,\"mb_per_s\":%.1f,\"median_mb_per_s\":%.1f,", result->bytes,
           result->best_mb_per_s[MEASURE_WHOLE], result->median_mb_per_s);
    if (result->best_mb_per_s[MEASURE_DECODE] > 0) {
        printf("\"decode_mb_per_s\":%.1f,\"encode_mb_per_s\":%.1f,",
               result->best_mb_per_s[MEASURE_DECODE],
               result->best_mb_per_s[MEASURE_ENCODE]);
    }
    double ratio = (double)result->peak_bytes / (double)(result->bytes + !result->bytes);
    printf("\"output_bytes\":%zu,\"peak_bytes\":%zu,\"peak_ratio\":%.2f,\"runs\":%zu}\n",
           result->output_bytes, result->peak_bytes, ratio, result->runs);
}
