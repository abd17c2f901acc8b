/*
 * serve.h - a server of the Model Context Protocol over standard input and output.
 */
#ifndef PITH_PROXY_SERVE_H
#define PITH_PROXY_SERVE_H

#include "pith.h"

/* A call that runs, in a thread of its own. */
typedef struct mcp_call mcp_call;

/* Whether the client called it off; any thread may ask. */
bool mcp_call_stopped(const mcp_call *one);

typedef struct mcp_tool {
    const char *name;
    const char *about;  /* its description */
    const char *schema; /* of its arguments: JSON */

    /* Writes the text of the result. On failure the model is told `err`, so that it can
     * mend what it asked for. `arguments` is no value when there are none. */
    pith_status (*call)(void *ctx, const mcp_call *call, pith_value arguments,
                        pith_sink text, pith_error *err);
} mcp_tool;

typedef struct mcp_service {
    const char *name;         /* of the server */
    const char *instructions; /* for the model */
    const mcp_tool *tools;
    size_t tool_count;
    void *ctx; /* for the tools */
} mcp_service;

/* Answers until standard input ends. Calls run one after the other, and everything else is
 * answered meanwhile. */
pith_status mcp_serve(const mcp_service *service, pith_error *err);

#endif
