/*
 * policy.h - what happens to the results of which tool.
 */
#ifndef PITH_PROXY_POLICY_H
#define PITH_PROXY_POLICY_H

#include "pith.h"

/* What becomes of structuredContent. */
typedef enum structured {
    STRUCTURED_KEEP, /* it stays, and the text beside it shrinks */
    STRUCTURED_TEXT  /* it goes, with outputSchema; the text says what it said */
} structured;

/* What is done with the results of the tools whose names match. Texts are borrowed. */
typedef struct policy {
    const char *glob; /* NULL: every tool */
    bool off;         /* nothing is changed */
    structured how;
    bool wrapped;         /* the client shows the content as JSON: count it so */
    bool resources;       /* embedded resources that are JSON are rewritten too */
    const char *format;   /* NULL: the cheapest of `allow` */
    const char *keep;     /* the rows that a budget keeps; NULL: the first */
    unsigned long budget; /* tokens; 0 for none */
    const char *delta;    /* the key of rows of which only changes are told; NULL: all */
} policy;

/* The policies, in the order in which they are tried; the last matches every tool. */
typedef struct policies {
    policy *at;
    size_t count;
    char *words; /* what the texts of the policies lie in */
} policies;

/* What the command line gave. */
typedef struct policy_words {
    const char *const *tools; /* "GLOB:off", "GLOB:format=pith,budget=2000" */
    size_t tool_count;
    const char *const *includes;
    size_t include_count;
    const char *const *excludes;
    size_t exclude_count;
    const char *client;     /* the name of a bundle; NULL: none */
    const char *structured; /* "keep" or "text"; NULL: the bundle's */
    unsigned long budget;
} policy_words;

/* Takes the words apart. PITH_BAD_USE with what is wrong in `err`. */
pith_status policies_read(policies *all, const policy_words *given, pith_error *err);
void policies_free(policies *all);

/* The policy of a tool. */
const policy *policy_for(const policies *all, const char *tool);

#endif
