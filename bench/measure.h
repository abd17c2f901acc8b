/*
 * measure.h - time and memory, measured alike for everything that is compared.
 *
 * Pith and its peers written in C or C++ are measured by this code and print
 * their line with it, so a difference between two lines is a difference between
 * the libraries and not between two benchmarks.
 */
#ifndef BENCH_MEASURE_H
#define BENCH_MEASURE_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The figures of a line. Each run fills in all of them, in seconds; 0 for both halves
 * where there are none, and the line leaves them out. */
enum {
    MEASURE_WHOLE,  /* text in memory to text in memory, everything made and freed */
    MEASURE_DECODE, /* text to document alone, without freeing it */
    MEASURE_ENCODE, /* document to text alone, without freeing it */
    MEASURE_PARTS
};

/* One library's way to do the work. `ctx` belongs to it. Both calls return false
 * on failure, after saying on stderr what failed. */
typedef struct measure_subject {
    /* Does the work once, timed, and notes how many bytes came out, or tokens. */
    bool (*run)(void *ctx, const char *text, size_t len, double seconds[MEASURE_PARTS],
                size_t *output_bytes);
    /* Converts once the way that needs least memory, output thrown away. */
    bool (*convert)(void *ctx, const char *text, size_t len);
    void *ctx;
    size_t padding; /* readable bytes it wants after the text */
} measure_subject;

/* What a line says. Rates are in MB (10^6 bytes) of input per second. */
typedef struct measure_result {
    size_t bytes;
    size_t output_bytes;
    size_t runs;
    double best_mb_per_s[MEASURE_PARTS];
    double median_mb_per_s;
    size_t peak_bytes;
} measure_result;

/* The monotonic clock, in seconds. */
double measure_now(void);

/* How memory is had from run to run. */
typedef enum measure_memory {
    MEASURE_COLD, /* large blocks come from the kernel each time */
    MEASURE_WARM  /* the allocator keeps what it had; one run beforehand is not timed */
} measure_memory;

/* Reads the file and measures `subject` on it for about `seconds`, at least three
 * runs. False on failure, after saying on stderr what failed. */
bool measure_file(const measure_subject *subject, const char *path, double seconds,
                  measure_memory memory, measure_result *result);

/* Prints the line on stdout. `impl` is the library, `detail` its version. */
void measure_print(const char *impl, const char *detail, const char *path,
                   const char *from, const char *to, const measure_result *result);

#ifdef __cplusplus
}
#endif

#endif
