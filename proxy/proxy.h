/*
 * proxy.h - `pith mcp`: in front of a server of the Model Context Protocol, or as one.
 *
 * Messages pass as the bytes they are. Of a tool's result, text that is JSON is replaced by
 * the same value in fewer tokens; nothing else changes.
 */
#ifndef PITH_PROXY_PROXY_H
#define PITH_PROXY_PROXY_H

#include "policy.h"
#include "serve.h"

#include <stdio.h>

typedef struct mcp_settings {
    const policies *policies;
    const pith_vocab *vocab; /* borrowed; NULL is the default */
    const char *tokenizer;   /* its name, for statistics */
    const char *allow;       /* NULL: "json,pith" */
    size_t tokens_min;
    size_t rewrite_max; /* longer messages pass untouched; 0 for no limit */
    unsigned timeout;   /* seconds for a call; 0 for no limit */
    bool stats;         /* print a summary at the end and on SIGUSR1 */
    FILE *stats_lines;  /* and a line for each call here; NULL: none */
    bool verbose;
    void (*note)(void *ctx, const char *sentence); /* what the user should know */
    void *ctx;
} mcp_settings;

/* Loads libevent; PITH_BAD_USE when it is not there. */
pith_status mcp_load(pith_error *err);

/* Relays between standard input and output and the command until either ends. In
 * `*exit_status` that of the command; on failure `err` says why. */
pith_status mcp_relay(const mcp_settings *settings, char *const *command,
                      int *exit_status, pith_error *err);

#endif
