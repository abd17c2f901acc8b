/*
 * rewrite.h - the result of a tool, in fewer tokens.
 */
#ifndef PITH_PROXY_REWRITE_H
#define PITH_PROXY_REWRITE_H

#include "policy.h"
#include "splice.h"
#include "stats.h"

typedef struct rewrite_settings {
    const pith_vocab *vocab; /* borrowed; NULL is the default */
    const char *allow;       /* the formats to choose among; NULL is "json,pith" */
    size_t tokens_min;       /* texts of fewer tokens stay */
    bool count_structured;   /* say in records what structuredContent costs */
} rewrite_settings;

/* What a result is about. */
typedef struct rewrite_call {
    const policy *how;
    bool structure_stays; /* whatever the policy says */
    bool changes;         /* changes alone may be told, if the policy says so */
    uint64_t same;        /* equal for calls with equal names and arguments */
} rewrite_call;

/* What one thread works with. */
typedef struct rewriter rewriter;

rewriter *rewriter_new(const rewrite_settings *settings, pith_error *err);
void rewriter_free(rewriter *with);

/* Adds to `all` what changes in a result of tools/call. Nothing does unless the text costs
 * fewer tokens than what would have been shown, and reads back as the same value. */
void rewrite_result(rewriter *with, const rewrite_call *about, span result, edits *all,
                    call_record *record);

#endif
