/*
 * messages.h - what a line of either side means, and what is made of an answer.
 */
#ifndef PITH_PROXY_MESSAGES_H
#define PITH_PROXY_MESSAGES_H

#include "bytes.h"
#include "calls.h"
#include "proxy.h"
#include "rewrite.h"
#include "worker.h"

/* What is known of a conversation. */
typedef struct messages {
    const mcp_settings *settings;
    calls pending;
    known_list tools; /* as tools/list named them */
    known_list tasks; /* that calls became */
    uint64_t seed;    /* of hashes */
    bool said_not_json, said_no_delta, said_no_budget;
} messages;

void messages_free(messages *all);

/* Looks at a line of the client and notes its requests. */
void messages_sent(messages *all, const bytes *line, uint64_t now);

/* An answer on its way to the client. */
typedef struct answer {
    work work; /* for the worker; see relay.c */
    void *ctx;
    rewriter *with;
    bytes line, changed;
    struct target {
        span result;
        call about;
        bool structure_stays;
        call_record record;
    } * targets; /* the results of tools in it */
    size_t count;
    edits edits;
    bool dropped; /* the client has had an answer already */
} answer;

/* Takes a line of the server apart. NULL when it is to be passed on as it is, and then
 * `line` stays the caller's; else it is the answer's. */
answer *messages_received(messages *all, bytes *line);

/* Rewrites the results: the part that may take long. Afterwards answer_bytes is the
 * line to send. */
void answer_rewrite(answer *one);

/* The line to send, which leaves the answer; empty when there is none to be sent. */
bytes answer_bytes(answer *one);
void answer_free(answer *one);

/* Whether another thread may rewrite it: what was told before is with one of them. */
bool answer_can_wait(const answer *one);

#endif
