/*
 * graphs.h - how long a large code graph takes.
 */
#ifndef BENCH_GRAPHS_H
#define BENCH_GRAPHS_H

#include <stdbool.h>
#include <stddef.h>

/* Makes a graph of so many symbols and three times as many edges, and another in which a
 * hundredth of them changed; times building, writing, reading, hashing, comparing and
 * applying, once each, and prints one line of JSON. False on failure, after saying what
 * failed. */
bool graphs_measure(size_t symbols);

#endif
