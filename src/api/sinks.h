/*
 * sinks.h - what is known of our own sinks.
 */
#ifndef API_SINKS_H
#define API_SINKS_H

#include "pith.h"

typedef bool (*sinks_patcher)(pith_sink sink, uint64_t back, const char *data,
                              size_t len);

/* How to overwrite what a sink has taken, `back` bytes before its end: for a buffer, and
 * for a descriptor of a file that can be moved about in and is not only appended to.
 * NULL for every other. */
sinks_patcher sinks_patch(pith_sink sink);

#endif
