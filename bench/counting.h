/*
 * counting.h - how fast tokens are counted.
 */
#ifndef BENCH_COUNTING_H
#define BENCH_COUNTING_H

#include "measure.h"

/* What stands for a format where tokens are counted and nothing is written. */
#define COUNTING_WORD "tokens"

/* Counts the file's tokens for o200k_base and prints the line: `from` is only said in
 * it. False on failure, after saying on stderr what failed. */
bool counting_measure(const char *path, const char *from, double seconds,
                      measure_memory memory);

#endif
