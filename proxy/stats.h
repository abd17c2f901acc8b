/*
 * stats.h - what was saved, tool by tool.
 *
 * Nothing of arguments or results is in it: names of tools, numbers, and a word for why a
 * result stayed as it was.
 */
#ifndef PITH_PROXY_STATS_H
#define PITH_PROXY_STATS_H

#include "pith.h"

#include <stdio.h>

/* What became of one result. */
typedef struct call_record {
    const char *outcome; /* the format that was written, or why nothing was */
    bool rewritten;
    size_t before, after;             /* tokens of the texts that were looked at */
    size_t structured;                /* tokens of structuredContent that stayed */
    size_t bytes_before, bytes_after; /* of the message */
    uint64_t microseconds;
} call_record;

typedef struct stats stats;

/* Counts for the vocabulary of that name; records go to `lines`, a line of JSON each, when
 * that is not NULL. NULL when out of memory. */
stats *stats_new(const char *tokenizer, FILE *lines);
void stats_free(stats *all);

void stats_add(stats *all, const char *tool, const call_record *one);

/* Prints a line for each tool and one for all of them. */
void stats_print(const stats *all, FILE *to);

#endif
