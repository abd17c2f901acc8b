/*
 * readings.h - the same rows, read from several formats.
 */
#ifndef BENCH_READINGS_H
#define BENCH_READINGS_H

#include <stdbool.h>

/* Writes the JSON file as typed tables, as text and as binary, in memory, and then reads
 * all three by turns for so many seconds. Prints one line of JSON: the milliseconds of the
 * best reading of each, and how many times as fast as JSON the other two are. False on
 * failure, after saying what failed. */
bool readings_measure(const char *path, double seconds);

#endif
